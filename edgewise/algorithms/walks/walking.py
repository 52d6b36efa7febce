"""What random walks share: arguments, walks in parts, and the kernel's way through memory.

Walk w starts at the source ``w % len(sources)``; its step t is a function of (seed, w, t), so walks
are the same on every device, for any number of threads, and in parts of any size. A CPU thread goes
with a few walks side by side, because each waits for memory at every step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.walks.alias import alias_tables
from edgewise.base.checks import check_count, check_number, check_one_device
from edgewise.base.random import check_seed
from edgewise.graph.device import host
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators import compute
from edgewise.operators.engines import CROWD, members_at_once
from edgewise.operators.items import Items

__all__ = ["Walker", "walker"]

#: Walks that a thread goes with at a time.
_ABREAST = 32
#: The most vertices of one array of walks.
_MOST = 2**31 - 1


class Walker(NamedTuple):
    """Walks that can be taken, ``count`` from each of the sources, and how many steps each."""

    graph: AnyGraph
    function: Any  # called as function(group, walks, *state)
    state: tuple[Any, ...]
    sources: Any
    total: int
    length: int
    seed: Any

    def take(self, low: int = 0, high: int | None = None) -> Any:
        """Walks ``low`` to ``high - 1`` as an array, a row for each."""
        graph, xp = self.graph, self.graph.xp
        rows, width = (self.total if high is None else high) - low, self.length + 1
        if rows * width > _MOST:
            raise ValueError(
                f"length and count must give at most {_MOST} vertices in all, got {rows} walks of "
                f"{width}; walk_batches gives them in parts"
            )
        many = members_at_once(graph) >= CROWD
        walks = xp.empty((width, rows) if many else (rows, width), graph.indices.dtype)
        abreast, across, along = (1, 1, rows) if many else (_ABREAST, width, 1)
        thrown, groups = xp.empty(rows, np.int64), -(-rows // abreast)
        place = (walks.reshape(-1), thrown, rows, low, abreast, across, along, self.length)
        state = (*place, self.sources, graph.indptr, graph.indices, self.seed, *self.state)
        compute(Items(groups, graph.device, xp), None, self.function, state, work=4 * rows * width)
        return xp.ascontiguousarray(walks.T) if many else walks


def walker(
    graph: AnyGraph, name: str, function: Any, sources: Any, length: Any, count: Any, weights: Any,
    seed: Any, *more: Any,
) -> Walker:  # fmt: skip
    """The walks of a call, its arguments checked."""
    check_one_device(graph, name)
    length = check_count(length, "length", most=_MOST)
    count = check_count(count, "count", most=_MOST)
    hashed = check_seed(seed)
    if sources is None:
        sources = graph.vertex_ids()
    else:
        sources = graph.xp.asarray(check_vertices(graph, host(sources), "sources"))
    tables = alias_tables(graph, weights)
    state = (tables.keep, tables.other, tables.step)
    if more:
        state = (*state, tables.totals, tables.weights, not graph.directed, *more)
    return Walker(graph, function, state, sources, count * len(sources), length, hashed)


def check_bias(value: Any, name: str) -> float:
    """``p`` or ``q``: a positive number."""
    return check_number(value, name, positive=True)

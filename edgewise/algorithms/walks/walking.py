"""What random walks share: arguments, walks in parts, and the kernel's memory access.

Walk w starts at the source ``w % len(sources)``, and its step t is a function of (seed, w, t).
Walks are therefore the same on every device, for any number of threads, and in parts of any size. A
CPU thread advances a batch of walks together, because each step of a walk waits for memory. On a
grid a walk travels to the rank that owns its vertex, which has the whole row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.walks.alias import Aliases, alias_tables, owned_tables
from edgewise.base.checks import check_count, check_number
from edgewise.base.random import check_seed
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.operators import for_each
from edgewise.operators.engines import CROWD, by_rows_or, members_at_once

__all__ = ["Arcs", "Part", "Walker", "check_bias", "walker"]

#: Walks that a CPU thread advances together.
_BATCH = 32
#: The most vertices of one array of walks.
_MOST = 2**31 - 1


class Part(NamedTuple):
    """A range of the walks, and where they are written.

    There are ``size`` walks from number ``first`` on. Vertex t of walk w is at ``w * across + t *
    along``. A call advances ``batch`` walks together.
    """

    vertices: Any
    drawn: Any  # by walk: the edge drawn in this step, see `throw`
    first: int
    size: int
    batch: int
    across: int
    along: int
    length: int
    sources: Any
    seed: Any


class Arcs(NamedTuple):
    """The rows of a graph; ``mutual`` if every edge has a reverse edge."""

    indptr: Any
    indices: Any
    mutual: bool


class Walker(NamedTuple):
    """Walks to be taken: ``total`` walks of ``length`` steps, by turns from the sources."""

    graph: Any
    function: Any  # called as function(batch, part, arcs, tables, *bias)
    mover: Any  # on a grid: mover(graph, arcs, tables, seed, *bias) gives the move of `walks` there
    arcs: Any
    tables: Aliases
    bias: tuple[Any, ...]
    sources: Any
    total: int
    length: int
    seed: Any

    def take(self, low: int = 0, high: int | None = None) -> Any:
        """Return walks ``low`` to ``high - 1`` as an array, one per row."""
        high = self.total if high is None else high
        return by_rows_or(self.graph, self._take_by_rows, self._take_by_messages)(low, high)

    def _take_by_messages(self, low: int, high: int) -> Any:
        """The same step by step, each where the vertex of the walk is."""
        move = self.mover(self.graph, self.arcs, self.tables, self.seed, *self.bias)
        return self.graph.walks(low, high, self.length, self.sources, move)

    def _take_by_rows(self, low: int, high: int) -> Any:
        graph, xp = self.graph, self.graph.xp
        rows, width = high - low, self.length + 1
        if rows * width > _MOST:
            raise ValueError(
                f"length and num_walks must give at most {_MOST} vertices in all, got {rows} walks "
                f"of {width}; walk_batches returns them in batches"
            )
        many = members_at_once(graph) >= CROWD
        walks = xp.empty((width, rows) if many else (rows, width), graph.id_dtype)
        batch, across, along = (1, 1, rows) if many else (_BATCH, width, 1)
        sources = graph.vertex_ids() if self.sources is None else xp.asarray(self.sources)
        part = Part(walks.reshape(-1), xp.empty(rows, np.int64), low, rows, batch, across, along,
                    self.length, sources, self.seed)  # fmt: skip
        state = (part, self.arcs, self.tables, *self.bias)
        for_each(-(-rows // batch), self.function, state, device=graph.device,
                 work=4 * rows * width)  # fmt: skip
        return xp.ascontiguousarray(walks.T) if many else walks


def walker(
    graph: AnyGraph, function: Any, mover: Any, sources: Any, length: Any, num_walks: Any,
    weights: Any, seed: Any, *bias: Any,
) -> Walker:  # fmt: skip
    """Return the walker of a call after checking arguments; ``bias`` is passed to ``function``."""
    length = check_count(length, "length", most=_MOST)
    num_walks = check_count(num_walks, "num_walks", most=_MOST)
    hashed = check_seed(seed)
    if sources is not None:
        sources = check_vertices(graph, host(sources), "sources")
    arcs, tables = by_rows_or(graph, _whole_rows, owned_tables)(graph, weights)
    total = num_walks * (graph.num_vertices if sources is None else len(sources))
    return Walker(graph, function, mover, arcs, tables, bias, sources, total, length, hashed)


def _whole_rows(graph: AnyGraph, weights: Any) -> tuple[Arcs, Aliases]:
    return Arcs(graph.indptr, graph.indices, not graph.directed), alias_tables(graph, weights)


def check_bias(value: Any, name: str) -> float:
    """Return ``p`` or ``q`` if it is a positive number, else raise an error."""
    return check_number(value, name, positive=True)

"""Multilevel vertex separators of all parts of a graph at once [1].

Vertices are merged in pairs along heavy edges, level by level, until a part is small. There a
separator is found by growing one side (`separator_growth`). On the way back it is improved on every
level (`separator_moves`). No edge joins two parts, so all parts go through the levels together. The
number of passes over the graph is the number of levels, however many parts there are. Small parts
are not merged any further.

[1] G. Karypis, V. Kumar. A fast and high quality multilevel scheme for partitioning irregular
    graphs. SIAM J. Sci. Comput. 1998.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.matching.locally_dominant import match_free
from edgewise.algorithms.ordering.separator_growth import Divided, Scratch, improve
from edgewise.algorithms.ordering.separator_moves import CUT
from edgewise.base.offsets import offsets
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import row_ids
from edgewise.operators import compute
from edgewise.operators.sorting import stable_order

__all__ = ["CUT", "Parts", "separate"]

#: A part of so few vertices is not made smaller.
_FEW = 96
#: Merging stops when more than this share of the vertices is left.
_STUCK = 0.95
#: How many separators are grown, of which the best one is taken.
_TRIES = 8


class Parts(NamedTuple):
    """The part of every vertex of a graph; p has ``members[bounds[p] : bounds[p + 1]]``."""

    of: np.ndarray
    members: np.ndarray
    bounds: np.ndarray

    @classmethod
    def made(cls, of: np.ndarray, count: int) -> Parts:
        """From the part of every vertex, a number below ``count``."""
        return cls(of, stable_order(of), offsets(np.bincount(of, minlength=count)))

    def heads(self, chosen: np.ndarray) -> np.ndarray:
        """For one vertex of each part that is chosen, the part; -1 for all others.

        So a `compute` over all vertices, which is shared out among threads, is one over parts.
        """
        heads, parts = np.full(len(self.of), -1, np.int64), np.flatnonzero(chosen)
        heads[self.members[self.bounds[parts]]] = parts
        return heads


class _Level(NamedTuple):
    graph: AnyGraph
    parts: Parts
    weight: np.ndarray  # how many vertices of the given graph each one stands for


def separate(graph: AnyGraph, parts: Parts, chosen: np.ndarray, seed: Any) -> np.ndarray:
    """The side of every vertex of the parts that are chosen: 0, 1, or `CUT` in between.

    No edge joins the sides. In a part that is not chosen, all are on side 0.
    """
    levels, up = [_Level(graph, parts, np.ones(graph.num_vertices, np.int64))], []
    while True:
        merged = _merged(levels[-1], chosen)
        if merged is None:
            break
        levels.append(merged[0])
        up.append(merged[1])
    side = np.zeros(levels[-1].graph.num_vertices, np.int8)
    _improve(levels[-1], chosen, side, _TRIES, seed)
    for level, vertices in zip(levels[-2::-1], reversed(up), strict=True):
        side = side[vertices]
        _improve(level, chosen, side, 0, seed)
    return side


def _merged(level: _Level, chosen: np.ndarray) -> tuple[_Level, np.ndarray] | None:
    """The level above: pairs of vertices become one, and what each became; None at the top."""
    graph, parts, weight = level
    large = chosen & (np.diff(parts.bounds) > _FEW)
    if not large.any():
        return None
    u, v = row_ids(graph), graph.indices
    rate = graph.weights if graph.weights is not None else np.ones(graph.num_arcs)
    # Light vertices first, so that all grow alike.
    rate = np.where(large[parts.of[u]], rate / (weight[u] * weight[v]).astype(np.float64), 0.0)
    mate, ids = graph.full(-1, graph.id_dtype), np.arange(graph.num_vertices)
    match_free(graph, mate, rate)
    first = np.where(mate < 0, ids, np.minimum(mate, ids))
    small, vertices = graph.contract(first, self_loops="drop")
    if small.num_vertices > _STUCK * graph.num_vertices:
        return None
    of = np.empty(small.num_vertices, np.int64)
    of[vertices] = parts.of
    heavy = np.bincount(vertices, weights=weight).astype(np.int64)
    return _Level(small, Parts.made(of, len(large)), heavy), vertices


def _improve(level: _Level, chosen: np.ndarray, side: np.ndarray, tries: int, seed: Any) -> None:
    """Improve the separators of all parts that are chosen, in parallel; with tries, find them."""
    graph, parts, weight = level
    n = graph.num_vertices
    divided = Divided(
        graph.indptr, graph.indices, weight, side, parts.heads(chosen), parts.members, parts.bounds
    )
    tallies, log = np.empty((len(chosen), 8), np.int64), np.empty(3 * n, np.int64)
    loss, places, heaps = (np.empty((2, n), np.int64) for _ in range(3))
    kept, locked = np.empty(n, np.int8), np.empty(n, np.bool_)
    scratch = Scratch(tallies, loss, places, kept, heaps, log, locked)
    compute(graph, None, improve, (divided, tries, seed, scratch))

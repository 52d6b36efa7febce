"""Dividing a graph by removing its edges of highest betweenness, component by component.

A part is a component. One thread computes the betweenness of small parts, and all threads that of
large ones, in a fixed number of blocks of sources: sums do not depend on the number of threads. The
compiled loops are in `edge_removal`.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.communities.edge_removal import (
    PARTS,
    SCORED,
    SPLITS,
    WAITING,
    Parts,
    Rows,
    Search,
    Splits,
    divide,
    score_block,
)
from edgewise.algorithms.communities.small_components import smallest_in_component
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.operators import for_each
from edgewise.operators.sequential import sequential

__all__ = ["Division"]

#: Parts of more steps than this (vertices times arcs) are shared by all threads, in so many blocks.
_LARGE, _BLOCKS = 1 << 22, 16
#: Steps of one call of all threads, about a second: Python notices an interrupt between two calls.
_STEPS = 1 << 29


class Division:
    """The state of a graph while its edges are removed."""

    def __init__(self, graph: Graph):
        n, plain = graph.num_vertices, graph.without_self_loops() if graph.num_self_loops else graph
        sources, targets, _ = plain.edges()
        first = smallest_in_component(sources, targets, n)
        names, part = np.unique(first, return_inverse=True)
        indptr, edge = plain.indptr.astype(np.int64), plain.arc_to_edge.astype(np.int64)
        self._rows = Rows(indptr, indptr[1:].copy(), plain.indices.astype(np.int64), edge,
                          np.concatenate((sources, targets)).astype(np.int64))  # fmt: skip
        bounds = offsets(np.bincount(part, minlength=len(names)))
        low, high = np.zeros(n, np.int64), np.zeros(n, np.int64)
        low[: len(names)], high[: len(names)] = bounds[:-1], bounds[1:]
        arcs = np.bincount(part, np.diff(indptr), len(names)).astype(np.int64)
        degree, mass = graph.degrees().astype(np.float64), np.zeros(n)
        mass[: len(names)] = np.bincount(part, degree, len(names))
        large = (arcs * (high - low)[: len(names)] > _LARGE).any()
        size = _BLOCKS if large else 1
        self._parts = Parts(np.argsort(part, kind="stable"), low, high, part.astype(np.int64),
                            degree, mass, np.zeros(n, np.int64), np.zeros(n, np.int64),
                            np.zeros(n), np.zeros(n, np.int64))  # fmt: skip
        with_edges = np.flatnonzero(arcs)[::-1]
        self._parts.waiting[: len(with_edges)] = with_edges
        self._search = Search(np.full(size * n, -1), np.empty(size * n), np.empty(size * n),
                              np.empty(size * (n + 1)), np.empty(size * n, np.int64),
                              np.empty(size * len(sources)))  # fmt: skip
        self._splits = Splits(np.empty((n, 2), np.int64), np.empty(n), np.empty((n, 2)))
        self._counts = np.array([len(names), 0, 0, len(with_edges), 0])

    @property
    def part(self) -> np.ndarray:
        """The part of each vertex, a number below `num_parts`."""
        return self._parts.of

    @property
    def num_parts(self) -> int:
        """The number of parts."""
        return int(self._counts[PARTS])

    def splits(self) -> Splits:
        """The splits so far."""
        return Splits(*(one[: self._counts[SPLITS]] for one in self._splits))

    def divide(self, most: int) -> bool:
        """Remove edges until there are so many parts; false if there were too few edges."""
        rows, parts, counts = self._rows, self._parts, self._counts
        state = (rows, parts, self._search, self._splits, counts, most, _LARGE, _BLOCKS)
        while counts[PARTS] < most:
            work = len(rows.edge) * len(parts.of)
            sequential(divide, state, steps=most, work=work, phase="divide")
            if counts[PARTS] >= most or counts[WAITING] == 0:
                break
            self._score(int(parts.waiting[counts[WAITING] - 1]))
        return bool(counts[PARTS] >= most)

    def _score(self, part: int) -> None:
        """Compute the betweenness of a large part on all threads."""
        low, high = int(self._parts.low[part]), int(self._parts.high[part])
        members = self._parts.order[low:high]
        arcs = int((self._rows.last[members] - self._rows.indptr[members]).sum())
        step = max(_STEPS // (arcs + high - low), 1) * _BLOCKS
        for first in range(low, high, step):
            last = min(first + step, high)
            state = self._rows, self._parts, self._search, low, high, first, last, _BLOCKS
            for_each(_BLOCKS, score_block, state, work=(last - first) * arcs)
        self._counts[SCORED] = 1

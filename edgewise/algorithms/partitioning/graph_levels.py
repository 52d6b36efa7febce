"""Graphs as the partitioner keeps them: one for each level, with groups merged into one vertex."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import amounts, total
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sequential import going, sequential

__all__ = ["Level", "inside", "level_of", "masses", "merged", "weight_columns"]

#: Steps between two checks for an interrupt, less one.
_OFTEN = 4095


class Level(NamedTuple):
    """A graph without self-loops: rows of arcs, their weights, and the masses of vertices."""

    indptr: Any
    indices: Any
    weight: Any
    mass: Any

    @property
    def n(self) -> int:
        """The number of vertices."""
        return len(self.mass)


def level_of(graph: AnyGraph, weights: Any, mass: np.ndarray) -> Level:
    """Return a graph as a level; ``weights`` over arcs, or None."""
    if graph.num_vertices > np.iinfo(np.int32).max:
        raise ValueError(f"the graph must have fewer than 2**31 vertices, got {graph.num_vertices}")
    arcs = np.ones(graph.num_arcs) if weights is None else weights.astype(np.float64)
    return Level(graph.indptr.astype(np.int64), graph.indices.astype(np.int32), arcs, mass)


def masses(graph: AnyGraph, vertex_weights: Any) -> Any:
    """Return the weights of vertices as float64, all 1 if none are given."""
    mass = amounts(graph, 1 if vertex_weights is None else vertex_weights, "vertex_weights")
    if not total(mass) < np.inf:
        raise ValueError(f"vertex_weights must have a finite sum, got {total(mass)}")
    return mass.astype(np.float64)


def weight_columns(vertex_weights: Any) -> list[Any]:
    """Return the weights of vertices, one array for each column of several weights per vertex."""
    if getattr(vertex_weights, "ndim", 1) != 2:
        return [vertex_weights]
    if vertex_weights.shape[1] == 0:
        raise ValueError("vertex_weights must have at least one column, got none")
    return list(vertex_weights.T)


def merged(level: Level, group: np.ndarray, count: int) -> Level:
    """Return the graph with each group merged into one vertex; edges inside it are left out."""
    arcs, n = len(level.indices), level.n
    indptr, indices = np.empty(count + 1, np.int64), np.empty(arcs, level.indices.dtype)
    weight, mass = np.empty(arcs), np.empty(count)
    first, after, place = (
        np.empty(count, np.int32),
        np.empty(n, np.int32),
        np.empty(count, np.int64),
    )
    state = level, group, Level(indptr, indices, weight, mass), first, after, place
    sequential(_merge, state, steps=count, work=n + arcs, phase="merge")
    size = indptr[-1]
    return Level(indptr, indices[:size].copy(), weight[:size].copy(), mass)


def _merge(control, level, group, small, first, after, place):
    indptr, indices, weight, mass = level
    first[:] = -1
    for v in range(len(mass) - 1, -1, -1):  # lists of members in ascending order
        after[v] = first[group[v]]
        first[group[v]] = v
    place[:] = -1
    at = np.int64(0)
    small.indptr[0] = 0
    for c in range(len(first)):
        if c & _OFTEN == 0 and not going(control, c):
            return
        begin, total, v = at, 0.0, first[c]
        while v >= 0:
            total += mass[v]
            for e in range(indptr[v], indptr[v + 1]):
                d = group[indices[e]]
                if d == c:
                    continue
                if place[d] < begin:
                    place[d] = at
                    small.indices[at] = d
                    small.weight[at] = weight[e]
                    at += 1
                else:
                    small.weight[place[d]] += weight[e]
            v = after[v]
        small.mass[c] = total
        small.indptr[c + 1] = at


def inside(level: Level, part: np.ndarray) -> Level:
    """Return the graph without the edges between parts."""
    arcs = len(level.indices)
    indptr, indices, weight = (
        np.empty_like(level.indptr),
        np.empty_like(level.indices),
        np.empty(arcs),
    )
    sequential(
        _keep, (level, part, indptr, indices, weight), steps=level.n, work=arcs, phase="split"
    )
    size = indptr[-1]
    return Level(indptr, indices[:size], weight[:size], level.mass)


def _keep(control, level, part, indptr, indices, weight):
    at = np.int64(0)
    indptr[0] = 0
    for v in range(len(level.mass)):
        if v & _OFTEN == 0 and not going(control, v):
            return
        for e in range(level.indptr[v], level.indptr[v + 1]):
            if part[level.indices[e]] == part[v]:
                indices[at] = level.indices[e]
                weight[at] = level.weight[e]
                at += 1
        indptr[v + 1] = at

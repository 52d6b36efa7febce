"""The levels of agglomerative methods: a graph, then the graph of its communities, and so on.

A level's graph is undirected and has no loops. Edges inside a vertex of a higher level are part of
its masses alone. A mass belongs to a vertex, and masses add up when vertices merge. For modularity
it is the weighted degree, where a loop counts twice. A directed graph is treated as undirected and
has two masses: the weights out and in. For the constant Potts model it is the number of vertices.

Small levels run on CPU threads, wherever the graph is: see `on_host`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import balanced
from edgewise.base.ranges import whole_sum
from edgewise.graph.anywhere import brought, padded, small_on_host, whole
from edgewise.graph.edges import Arcs
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MIN, deliver, look_up, reduce_neighbors
from edgewise.operators.sequential import sequential_or

__all__ = [
    "Level",
    "Moved",
    "brought",
    "contracted",
    "first_level",
    "lowered",
    "merged",
    "named",
    "on_host",
    "start",
    "strengths",
    "weighed",
]


#: Levels of fewer arcs than this do not fill a GPU: CPU threads are faster (louvain of a grid of
#: 4,800 vertices and of R-MAT 14, an H200 brought 16 cores).
SMALL = 1 << 21


class Level(NamedTuple):
    """A graph to be merged: undirected, without loops."""

    graph: AnyGraph
    masses: tuple[Any, ...]  # arrays over vertices, of float64 (flows: whole numbers)
    factor: float = 1.0  # what the weights were multiplied by, see `balanced`

    @property
    def size(self) -> int:
        """How many vertices there are."""
        return self.graph.num_vertices


class Moved(NamedTuple):
    """Communities of a level's vertices, their masses, and how much was gained."""

    label: Any
    sums: tuple[Any, ...]
    gain: float


def on_host(level: Level) -> Level:
    """The level; in host memory if it is on a GPU, and small."""
    graph = small_on_host(level.graph, SMALL)
    if graph is level.graph:
        return level
    return level._replace(graph=graph, masses=tuple(brought(graph, one) for one in level.masses))


def first_level(graph: AnyGraph, weights: Any) -> Level:
    """The graph itself, with the masses of modularity; weights that no sum takes are refused.

    Whole weights that add up to more than int64 holds are added up in float64.
    """
    _, lengths, factor = balanced(graph, weights)
    if lengths is None and graph.weights is not None:
        graph = graph.with_weights(None)
    elif lengths is not None:
        exact = lengths.dtype.kind == "i" and whole_sum(lengths) < 2**63
        wide = lengths.astype(np.int64 if exact else np.float64, copy=False)
        graph = graph if wide is graph.weights else graph.with_weights(Arcs(wide))
    ways = ("out", "in") if graph.directed else ("out",)
    masses = [strengths(graph, edges) for edges in ways]
    if not graph.directed and graph.num_self_loops:
        ids = graph.vertex_ids()
        masses[0] += reduce_neighbors(graph, None, _loop, ids, reduce=ADD, dtype=np.float64)
    if graph.directed:
        if graph.weights is None:
            graph = graph.with_weights(Arcs(graph.full_arcs(1, np.int64)))
        graph = graph.to_undirected(duplicates="sum")
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    return Level(graph, tuple(masses), factor)


def strengths(graph: AnyGraph, mode: str = "out") -> Any:
    """What the edges of every vertex weigh together: those that leave it, or enter it."""
    if graph.weights is None:
        return (graph.row_lengths() if mode == "out" else graph.column_lengths()) * 1.0
    return reduce_neighbors(graph, None, _along, graph.full(0.0), reduce=ADD, mode=mode)


def contracted(level: Level, label: Any, sums: tuple[Any, ...]) -> tuple[Level, Any, Any]:
    """One vertex for each community, what every vertex became, and how the communities were called.

    The new level may be `on_host`; what the vertices became stays where the given level is.
    ``label`` are vertices, not all of them in use; ``sums`` are the masses of their communities.
    """
    graph = level.graph
    small, vertices = graph.contract(label, self_loops="drop")
    called = whole(label)
    names = called[: small.num_vertices].copy()
    names[whole(vertices)] = called
    masses = tuple(small.xp.asarray(whole(one)[names]) for one in sums)
    return on_host(Level(small, masses)), vertices, names


def start(level: Level) -> Moved:
    """Every vertex on its own."""
    graph, sums = level.graph, tuple(one.copy() for one in level.masses)
    return Moved(graph.vertex_ids(graph.id_dtype), sums, 0.0)


def lowered(level: Level, at: Moved, vertices: Any) -> Moved:
    """Communities of the level above for this one, whose vertices became these; named alike."""
    graph = level.graph
    label = brought(graph, at.label)[vertices].astype(graph.id_dtype, copy=False)
    return Moved(label, tuple(padded(graph, mass) for mass in at.sums), 0.0)


def merged(graph: AnyGraph, steps: list[Any]) -> list[Any]:
    """The communities of the graph after every merge, of which each says what vertices became."""
    found, became = [], None
    for vertices in steps:
        vertices = brought(graph, vertices)
        became = vertices if became is None else vertices[became]
        found.append(named(graph, became))
    return found


def weighed(level: Level, label: Any) -> tuple[Any, ...]:
    """What the communities weigh."""
    sums = tuple(level.graph.full(0.0) for _ in level.masses)
    for one, mass in zip(sums, level.masses, strict=True):
        deliver(level.graph, one, label, mass, reduce=ADD)
    return sums


def named(graph: AnyGraph, label: Any, ids: Any = None) -> Any:
    """Labels that are the smallest vertex of each community, in the type of vertex ids."""
    kind = graph.id_dtype
    ids = graph.vertex_ids(kind) if ids is None else ids
    smallest = graph.full(graph.num_vertices, kind)
    return sequential_or(graph, _named_alone, _named_together, label, ids, smallest, times=2)


def _named_alone(graph: AnyGraph, label: Any, ids: Any, smallest: Any) -> Any:
    smallest[label[::-1]] = ids[::-1]  # the last one stays
    return smallest[label]


def _named_together(graph: AnyGraph, label: Any, ids: Any, smallest: Any) -> Any:
    deliver(graph, smallest, label, ids, reduce=MIN)
    return look_up(graph, smallest, label)


def _along(weight):
    return weight


def _loop(weight, source, own):
    return weight if source == own else 0

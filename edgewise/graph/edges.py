"""Edges outside, arcs inside: the one place that converts arrays over edges and over arcs.

Public functions take and return one entry per edge, in the order of `Graph.edges`. Operators and
kernels have one entry per arc, a position in ``indices``. In a directed graph the two are the same;
an undirected graph keeps the two maps (`Graph.edge_to_arc`, `Graph.arc_to_edge`) once built.
"""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.graph.csr import as_weights, frozen, index_dtype
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.memory_limit import check_arcs

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "Arcs",
    "EdgeEnds",
    "arc_ends",
    "arc_to_edge",
    "arcs_of",
    "at_kept",
    "edge_ends",
    "edge_numbers",
    "edge_to_arc",
    "edges_of",
    "marked",
    "numbers_of",
    "other_direction",
    "per_edge",
    "repeats",
]


class Arcs(NamedTuple):
    """An array over arcs, which a public function takes as it is: for calls from within."""

    values: Any


def edge_to_arc(graph: Graph) -> Any:
    """For every edge the position of its arc, of an undirected edge that from its smaller end."""
    check_arcs(graph, "edge_to_arc")
    xp, kind = graph.xp, index_dtype(graph.num_arcs)
    if graph.directed:
        return frozen(xp.arange(graph.num_arcs, dtype=kind))
    sources, targets, _ = graph.arcs()
    return frozen(xp.flatnonzero(sources <= targets).astype(kind))


def arc_to_edge(graph: Graph) -> Any:
    """For every arc the number of its edge in the order of `Graph.edges`."""
    if graph.directed:
        return graph.edge_to_arc
    xp, arcs = graph.xp, graph.edge_to_arc
    found = xp.empty(graph.num_arcs, arcs.dtype)
    found[arcs] = found[graph.reverse_arc[arcs]] = xp.arange(len(arcs), dtype=arcs.dtype)
    return frozen(found)


def per_edge(graph: Any, over_arcs: Any) -> Any:
    """The array over edges of one over arcs: of an undirected edge the entry of its first arc.

    On a grid it has the value of an undirected edge with both of its arcs, and counts it once.
    """
    if graph.engine != "local":
        return over_arcs.per_edge()
    return over_arcs if graph.directed else over_arcs[graph.edge_to_arc]


def other_direction(graph: Any, over_arcs: Any) -> Any:
    """For every arc of an undirected graph the entry of the arc the other way; a loop's is its own.

    >>> import numpy as np
    >>> from edgewise.graph import Graph
    >>> other_direction(Graph.from_edges([0, 1], [1, 2]), np.arange(4)).tolist()
    [1, 0, 3, 2]
    """
    if graph.engine != "local":
        return graph.other_direction(over_arcs)
    return over_arcs[graph.reverse_arc]


def arc_ends(graph: Any) -> tuple[Any, Any]:
    """The sources and the targets of all arcs, as ids: arrays over arcs.

    >>> from edgewise.graph import Graph
    >>> [side.tolist() for side in arc_ends(Graph.from_edges([0, 1], [1, 2]))]
    [[0, 1, 1, 2], [1, 0, 2, 1]]
    """
    return graph.arcs()[:2] if graph.engine == "local" else (graph.sources, graph.indices)


class EdgeEnds(NamedTuple):
    """The ends of every edge, in any order: ``edges[i]`` is the edge from ``us[i]`` to ``vs[i]``.

    Without ``edges`` they are in the order of `per_edge`.
    """

    us: Any
    vs: Any
    edges: Any = None

    def in_order(self, values: Any) -> Any:
        """An array over edges of one value for each of the ends."""
        if self.edges is None:
            return values.per_edge() if hasattr(values, "per_edge") else values
        found = values.copy()
        found[self.edges] = values
        return found


def edge_ends(graph: Any) -> EdgeEnds:
    """The ends of every edge, on a grid of every arc.

    Of an undirected edge that of higher degree comes first, of equal ones that of higher id.

    >>> from edgewise.graph import Graph
    >>> ends = edge_ends(Graph.from_edges([0, 1, 1], [1, 2, 3]))
    >>> ends.us.tolist(), ends.vs.tolist(), ends.in_order(ends.vs).tolist()
    ([1, 1, 1], [0, 2, 3], [0, 2, 3])
    """
    us, vs = arc_ends(graph)
    if graph.engine != "local":
        return EdgeEnds(us, vs)
    xp = graph.xp
    us, vs = us.astype(xp.int64), vs.astype(xp.int64)
    if graph.directed:
        return EdgeEnds(us, vs)
    degrees = graph.row_lengths()
    more, alike = degrees[us] > degrees[vs], degrees[us] == degrees[vs]
    once = xp.flatnonzero(more | (alike & (us >= vs)))
    return EdgeEnds(us[once], vs[once], edges_of(graph, once))


def repeats(graph: AnyGraph, sources: Any, targets: Any) -> Any:
    """For every arc the number of arcs before it with the same ends; None where all are 0.

    The ends are those that `arc_ends` gives. On a grid there are no parallel edges.

    >>> from edgewise.graph import Graph
    >>> graph = Graph([0, 2, 4], [1, 1, 0, 0])
    >>> repeats(graph, *arc_ends(graph)).tolist()
    [0, 1, 0, 1]
    """
    if graph.engine != "local" or graph.num_arcs == 0:
        return None
    xp, first = graph.xp, graph.xp.ones(graph.num_arcs, bool)
    first[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
    if first.all():
        return None
    return xp.arange(graph.num_arcs) - xp.flatnonzero(first)[xp.cumsum(first) - 1]


def edges_of(graph: Graph, arcs: Any) -> Any:
    """The numbers of the edges that the given arcs belong to."""
    return arcs if graph.directed else graph.arc_to_edge[arcs].astype(arcs.dtype)


def edge_numbers(graph: Any) -> Any:
    """For every arc of an undirected graph the number of its edge.

    >>> from edgewise.graph import Graph
    >>> edge_numbers(Graph.from_edges([0, 1], [1, 2])).tolist()
    [0, 0, 1, 1]
    """
    return graph.edge_numbers() if graph.engine != "local" else graph.arc_to_edge


def numbers_of(graph: Any, marks: Any) -> Any:
    """The numbers of the edges of an undirected graph that a mask over arcs marks, ascending.

    The mask is that of `mark_edges`. On a grid every rank gets all numbers, in host memory.

    >>> import numpy as np
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> numbers_of(graph, np.array([False, False, True, False])).tolist()
    [1]
    """
    if graph.engine != "local":
        return graph.numbers_of(marks)
    return edges_of(graph, graph.xp.flatnonzero(marks))


def at_kept(graph: AnyGraph, kept: Any, values: Any) -> Any:
    """An array over all arcs: values over the arcs that a mask keeps, and 0 at the others.

    >>> import numpy as np
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0], [1])
    >>> at_kept(graph, np.array([False, True]), np.array([7])).tolist()
    [0, 7]
    """
    found = graph.full_arcs(0, values.dtype)
    if graph.engine != "local":
        found.local[kept.local] = values.local
    else:
        found[kept] = values
    return found


def marked(graph: AnyGraph, over_arcs: Any, marks: Any) -> Any:
    """The entries of an array over arcs at the edges that a mask marks, once for each edge."""
    return over_arcs.per_edge()[marks] if graph.engine != "local" else over_arcs[marks]


def arcs_of(graph: Any, given: Any, name: str) -> Any:
    """What a public function is given per edge, per arc; names and single numbers as they are.

    On a grid an array is spread over the arcs already, and stays as it is.
    """
    if isinstance(given, Arcs):
        return given.values
    single = given is None or isinstance(given, (str, Number)) or getattr(given, "ndim", 1) == 0
    if single or not graph.one_device or getattr(graph, "directed", True):
        return given
    values = as_weights(given, name=name, xp=graph.xp)
    if len(values) != graph.num_edges:
        hint = ""
        if len(values) == graph.num_arcs:
            hint = ", one per arc; graph.edge_to_arc picks those of the edges"
        raise ValueError(
            f"{name} must have one entry per edge ({graph.num_edges}), in the order of "
            f"graph.edges(), got {len(values)}{hint}"
        )
    return frozen(values[graph.arc_to_edge])

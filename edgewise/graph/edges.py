"""Edges outside, arcs inside: the one place that converts arrays over edges and over arcs.

Public functions take and return one entry per edge, in the order of `Graph.edges`. Operators and
kernels have one entry per arc, a position in ``indices``. In a directed graph the two are the same;
an undirected graph keeps the two maps (`Graph.edge_to_arc`, `Graph.arc_to_edge`) once built.
"""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.graph.csr import as_weights, frozen, index_dtype

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["Arcs", "arc_to_edge", "arcs_of", "edge_to_arc", "edges_of", "per_edge"]


class Arcs(NamedTuple):
    """An array over arcs, which a public function takes as it is: for calls from within."""

    values: Any


def edge_to_arc(graph: Graph) -> Any:
    """For every edge the position of its arc, of an undirected edge that from its smaller end."""
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
    found[arcs] = found[graph.reverse_edge[arcs]] = xp.arange(len(arcs), dtype=arcs.dtype)
    return frozen(found)


def per_edge(graph: Graph, over_arcs: Any) -> Any:
    """The array over edges of one over arcs: of an undirected edge the entry of its first arc."""
    return over_arcs if graph.directed else over_arcs[graph.edge_to_arc]


def edges_of(graph: Graph, arcs: Any) -> Any:
    """The numbers of the edges that the given arcs belong to."""
    return arcs if graph.directed else graph.arc_to_edge[arcs].astype(arcs.dtype)


def arcs_of(graph: Any, given: Any, name: str) -> Any:
    """What a public function is given per edge, per arc; names and single numbers as they are.

    On a grid an array over its arcs is the only kind, and stays as it is.
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

"""Graphs from a graph on a grid: other weights, no loops, no directions, some of the vertices.

What keeps all vertices keeps their places, too: arrays over the vertices of one graph go with the
other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.columns import vertex_rows
from edgewise.distributed.gathering import range_of_ids
from edgewise.distributed.labels import GridLabels, number_occurring, spread_labels
from edgewise.graph import Graph, Labels, subgraphs
from edgewise.graph.attribute_tables import Columns, select
from edgewise.graph.edges import Arcs
from edgewise.graph.transfer import host, like

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["named_part", "only_edges", "to_undirected", "where", "with_weights",
           "without_self_loops"]  # fmt: skip


def with_weights(graph: GridGraph, weights: ArcArray | Arcs | None) -> GridGraph:
    """Return the graph with new weights, or with none.

    Both directions of an undirected edge must have equal weights; this is not checked.
    """
    if isinstance(weights, Arcs):
        weights = weights.values
    if weights is not None and not isinstance(weights, ArcArray):
        kind = type(weights).__name__
        raise TypeError(f"weights on a grid must be an array over its arcs or None, got {kind}")
    given, block = None if weights is None else weights.local, graph.block
    return _with_block(graph, like(block, block.indptr, block.indices, given, directed=False,
                                   labels=None), graph.columns)  # fmt: skip


def where(
    graph: GridGraph, *, edges: ArcArray | None = None, vertices: VertexArray | None = None
) -> GridGraph:
    """Return the part of the graph that masks over arcs and vertices select.

    Parameters
    ----------
    edges : boolean array over arcs, optional
        The edges to keep, as in ``graph.edges["year"] > 2010``. All vertices stay. Both directions
        of an undirected edge must have the same value.
    vertices : boolean array over vertices, optional
        The vertices to keep, as in ``graph.vertices["age"] > 30``. They are numbered anew in their
        order, and edges with another end are dropped.
    """
    for name, mask, kind in (("edges", edges, ArcArray), ("vertices", vertices, VertexArray)):
        if mask is not None and not (isinstance(mask, kind) and mask.dtype == bool):
            what = "arcs" if kind is ArcArray else "vertices"
            got = getattr(mask, "dtype", type(mask).__name__)
            raise TypeError(f"{name} must be a boolean array over {what} of the grid, got {got}")
    if edges is not None:
        if not graph.directed and (edges != graph.other_direction(edges)).any():
            raise ValueError("edges must have the same value in both directions of an edge")
        graph = only_edges(graph, edges)
    if vertices is None:
        return graph
    part = named_part(graph, vertices)
    return part if graph.labels is not None else type(part)(
        part.grid, part.layout, part.block, directed=part.directed, columns=part.columns
    )  # fmt: skip


def only_edges(graph: GridGraph, arcs: ArcArray) -> GridGraph:
    """See `edgewise.graph.subgraphs.only_edges`."""
    columns = graph.columns
    if columns is not None:
        kept = np.flatnonzero(host(arcs.local))
        columns = Columns(select(columns.edges, kept), columns.vertices)
    return _with_block(graph, subgraphs.only_edges(graph.block, arcs.local), columns)


def without_self_loops(graph: GridGraph) -> GridGraph:
    """Return the graph without self-loops."""
    if graph.num_self_loops == 0:
        return graph
    return only_edges(graph, ArcArray(graph, graph.row_of_arcs() != graph.block.indices))


def to_undirected(graph: GridGraph, *, duplicates: str = "sum") -> GridGraph:
    """Return the graph with every edge undirected; an undirected graph is returned unchanged.

    Parameters
    ----------
    duplicates : {"sum", "min", "max"}
        How the weights of two opposite edges are combined.
    """
    from edgewise.distributed.shares import place

    check_choice(duplicates, "duplicates", ("sum", "min", "max"))
    if not graph.directed:
        return graph
    us, vs, weights = listed(graph)
    made = place(graph.grid, us, vs, weights, graph.num_vertices, graph.labels, directed=False,
                 duplicates=duplicates, self_loops="keep", distribution=graph.layout.distribution,
                 seed=graph.layout.seed, columns=_edge_table(graph, us <= vs))  # fmt: skip
    if graph.columns is not None:
        made.columns = _columns_of(made, graph, host(made.ids))
    return made.to(graph.device)


def named_part(graph: GridGraph, mask: VertexArray) -> GridGraph:
    """See `edgewise.graph.subgraphs.named_part`; the part is laid out as the graph is."""
    from edgewise.distributed.shares import place

    world, layout = graph.grid.world, graph.layout
    chosen = host(mask.local)
    kept = host(graph.ids)[chosen].astype(np.int64)
    (numbers,), count, _ = number_occurring(world, kept)
    new_ids = np.full(len(chosen), -1, np.int64)
    new_ids[chosen] = numbers
    us, vs, weights = listed(graph, new_ids)
    inside = (us >= 0) & (vs >= 0)
    if not graph.directed:
        inside &= us <= vs
    weights = None if weights is None else weights[inside]
    made = place(graph.grid, us[inside], vs[inside], weights, count, _names(graph, mask, count),
                 directed=graph.directed, duplicates="sum", self_loops="keep",
                 distribution=layout.distribution, seed=layout.seed,
                 columns=_edge_table(graph, chosen=inside))  # fmt: skip
    if graph.columns is not None:
        own = host(graph.ids[graph.own])[chosen[graph.own]].astype(np.int64)
        old_ids = np.sort(world.allgatherv(np.ascontiguousarray(own))[0])
        made.columns = _columns_of(made, graph, old_ids[host(made.ids)])
    return made.to(graph.device)


def _edge_table(graph: GridGraph, first: Any = None, chosen: Any = None) -> Any:
    """The columns of this rank's arcs, of all or some, and which of these come first."""
    columns = graph.columns
    if columns is None or columns.edges is None:
        return None
    table = columns.edges if chosen is None else select(columns.edges, np.flatnonzero(chosen))
    return table, first


def _columns_of(made: GridGraph, graph: GridGraph, old_ids: np.ndarray) -> Columns | None:
    """The columns of a graph whose local numbers are these vertices of another one."""
    edges = None if made.columns is None else made.columns.edges
    return Columns(edges, vertex_rows(graph, old_ids)).or_none()


def _with_block(graph: GridGraph, block: Graph, columns: Columns | None) -> GridGraph:
    """The graph of other arcs among the same vertices, which are where they were."""
    return type(graph)(graph.grid, graph.layout, block, directed=graph.directed,
                       labels=graph.labels, columns=columns)  # fmt: skip


def listed(graph: GridGraph, names: Any = None) -> tuple[Any, Any, Any]:
    """The ends of this rank's arcs, as ids or as ``names`` of local numbers, and their weights."""
    names = host(graph.ids) if names is None else names
    ends = (names[host(one)] for one in (graph.row_of_arcs(), graph.block.indices))
    return *ends, host(graph.block.weights)


def _names(graph: GridGraph, mask: VertexArray, count: int) -> Labels | GridLabels | None:
    """What the chosen vertices are called: their labels, or their ids where there are none."""
    labels, world = graph.labels, graph.grid.world
    if isinstance(labels, Labels) and labels.range_start is None:  # every rank has all of them
        return labels.take(np.flatnonzero(mask.gather()))
    low, chosen = range_of_ids(mask)
    at = low + np.flatnonzero(chosen)
    if isinstance(labels, GridLabels):
        mine = labels.values[at - low]
    else:
        mine = at + ((None if labels is None else labels.range_start) or 0)
    before = world.counts(len(mine))
    ends = np.array([count * k // world.size for k in range(world.size + 1)])
    first = sum(before[: world.rank])
    shares = np.diff((ends - first).clip(0, len(mine))).tolist()
    values, _ = world.alltoallv(np.ascontiguousarray(mine, np.int64), shares)
    return spread_labels(world, values, count)

"""Parts of a graph: some of its vertices and all edges among them, or some of its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_one_device, check_unmasked
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.graph.arrays import RowArrays
from edgewise.graph.attribute_tables import carried
from edgewise.graph.labels import Labels
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host, like, on_gpu, row_ids
from edgewise.graph.transpose import bits, turned

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["named_part", "only_edges", "subgraph", "where"]


def subgraph(graph: Graph, vertices: Any) -> Graph:
    """Return the induced subgraph on the given vertices, with their labels, weights and columns.

    Parameters
    ----------
    vertices : array of int, of str, or of bool
        Distinct vertex ids or labels, or a boolean mask over vertices. ``vertices[i]`` becomes
        vertex i.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges(["a", "b", "c"], ["b", "c", "d"])
    >>> part = path.subgraph(["d", "c"])
    >>> part.num_edges, part.label(0)
    (1, 'd')
    """
    check_one_device(graph, "subgraph")
    xp, old_ids = graph.xp, _chosen(graph, vertices)
    count, ascending = len(old_ids), bool((old_ids[1:] > old_ids[:-1]).all())
    new_ids = xp.full(graph.num_vertices, -1, graph.id_dtype)
    new_ids[old_ids] = xp.arange(count, dtype=new_ids.dtype)
    if not ascending and bool((new_ids[old_ids] != xp.arange(count)).any()):
        raise ValueError("vertices must be distinct")
    labels = None if graph.labels is None else graph.labels.take(host(old_ids))
    cut = _cut if graph.device == "cpu" else _cut_on_device
    arrays = cut(graph, old_ids, new_ids, ascending)
    return carried(graph, like(graph, *arrays, directed=graph.directed, labels=labels), old_ids)


def where(graph: Graph, *, edges: Any = None, vertices: Any = None) -> Graph:
    """Return the part of the graph that masks over edges and vertices select.

    Parameters
    ----------
    edges : boolean mask over edges, optional
        The edges to keep, in the order of `edges`. All vertices stay. Missing values of a column
        of booleans stand for False.
    vertices : boolean mask over vertices, or vertices, optional
        The vertices to keep, as in `subgraph`. Edges with another end are dropped, too. Missing
        values of a mask stand for False, too.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3]).with_columns(edges={"year": [1, 2, 3]})
    >>> late = graph.where(edges=graph.edges["year"] > 1)
    >>> late.num_vertices, late.num_edges, late.edges["year"].tolist()
    (4, 2, [2, 3])
    >>> graph.where(vertices=graph.degrees() > 1).num_edges
    1
    """
    check_one_device(graph, "where")
    if edges is not None:
        check_unmasked(edges, "edges")
        xp, m = graph.xp, graph.num_edges
        mask = xp.asarray(_without_missing(edges if hasattr(edges, "dtype") else np.asarray(edges)))
        if mask.dtype != bool or mask.shape != (m,):
            raise ValueError(
                f"edges must be a boolean mask with one entry per edge ({m}), "
                f"got {mask.dtype} {mask.shape}"
            )
        graph = only_edges(graph, mask[graph.arc_to_edge])
    return graph if vertices is None else subgraph(graph, _without_missing(vertices))


def _without_missing(mask: Any) -> Any:
    """A column of booleans with missing values as a mask; anything else as it is.

    >>> _without_missing(np.array([True, None, False], object)).tolist()
    [True, False, False]
    """
    if str(getattr(mask, "dtype", "")) not in ("object", "boolean"):
        return mask
    values = mask.tolist()
    missing = [one is None or type(one).__name__ == "NAType" for one in values]
    truth = [isinstance(one, (bool, np.bool_)) for one in values]
    if not values or not all(map(bool.__or__, missing, truth)):
        return mask
    return np.array([known and bool(one) for one, known in zip(values, truth, strict=True)])


def named_part(graph: Any, mask: Any) -> Any:
    """The subgraph of a mask in which all keep their names: without labels, their ids.

    >>> from edgewise.graph import Graph
    >>> named_part(Graph.from_edges([0, 1], [1, 2]), np.array([False, True, True])).label(0)
    1
    """
    if graph.engine != "local":
        return graph.named_part(mask)
    part = subgraph(graph, mask)
    if graph.labels is not None:
        return part
    return part.with_labels(Labels.ascending(host(graph.xp.flatnonzero(mask))))


def only_edges(graph: Any, arcs: Any) -> Any:
    """All vertices, and the arcs that a mask picks: both directions of an edge, or none.

    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2], [4.0, 8.0])
    >>> only_edges(path, path.weights > 5).indptr.tolist()
    [0, 0, 1, 2]
    """
    if graph.engine != "local":
        return graph.only_edges(arcs)
    before = offsets(arcs)
    weights = None if graph.weights is None else graph.weights[arcs]
    part = like(graph, before[graph.indptr], graph.indices[arcs], weights,
                directed=graph.directed, labels=graph.labels)  # fmt: skip
    return carried(graph, part)


def _chosen(graph: Graph, vertices: Any) -> Any:
    """The ids of the vertices, on the graph's device."""
    check_unmasked(vertices, "vertices")
    xp, n = graph.xp, graph.num_vertices
    mask = vertices if hasattr(vertices, "dtype") else None
    if isinstance(vertices, (list, tuple)) and vertices and {*map(type, vertices)} == {bool}:
        mask = np.array(vertices)
    if mask is not None and mask.dtype == bool:
        if mask.shape != (n,):
            raise ValueError(
                f"vertices must have one entry per vertex ({n}) as a mask, got shape {mask.shape}"
            )
        return xp.flatnonzero(xp.asarray(mask))
    if not (on_gpu(vertices) and graph.device != "cpu"):
        return xp.asarray(check_vertices(graph, host(vertices), "vertices"))
    if vertices.ndim != 1 or vertices.dtype.kind not in "iu":
        raise TypeError(f"vertices must be an array of ids, got {vertices.dtype} {vertices.shape}")
    if len(vertices) and not (int(vertices.min()) >= 0 and int(vertices.max()) < n):
        raise ValueError(f"vertices must be ids from 0 to {n - 1}, got {host(vertices)!r:.80}")
    return vertices.astype(np.int64, copy=False)


def _cut(graph: Graph, old_ids: Any, new_ids: Any, ascending: bool) -> tuple[Any, Any, Any]:
    """The arrays of the part, on CPU threads."""
    from edgewise.graph.cpu.transform import count_inside, fill_inside

    count, work = len(old_ids), graph.num_arcs + graph.num_vertices
    sizes = np.empty(count, np.int64)
    launch(count_inside, graph.indptr, graph.indices, old_ids, new_ids, sizes, work=work)
    indptr = offsets(sizes)
    indices = np.empty(indptr[-1], graph.id_dtype)
    weights = None if graph.weights is None else np.empty(len(indices), graph.weights.dtype)
    rows = RowArrays(graph.indptr, graph.indices, bits(graph.weights))
    out = RowArrays(indptr, indices, bits(weights))
    launch(fill_inside, rows, old_ids, new_ids, out, work=work)
    if ascending:
        return indptr, indices, weights
    arrays = turned(indptr, indices, weights, count)  # this sorts the columns' rows
    return turned(*arrays, count) if graph.directed else arrays


def _cut_on_device(
    graph: Graph, old_ids: Any, new_ids: Any, ascending: bool
) -> tuple[Any, Any, Any]:
    """The arrays of the part, on a GPU."""
    xp, count = graph.xp, len(old_ids)
    sources, targets = new_ids[row_ids(graph)], new_ids[graph.indices]
    inside = (sources >= 0) & (targets >= 0)
    sources, targets = sources[inside], targets[inside]
    weights = None if graph.weights is None else graph.weights[inside]
    if not ascending:
        order = xp.argsort(sources.astype(xp.int64) * count + targets)
        sources, targets = sources[order], targets[order]
        weights = None if weights is None else weights[order]
    return offsets(xp.bincount(sources, minlength=count)[:count]), targets, weights

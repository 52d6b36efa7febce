"""The argument ``other`` of functions of two graphs, and which vertices both have."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import as_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.labels import Labels
from edgewise.graph.transfer import row_ids
from edgewise.graph.two_tables import carried_by_both
from edgewise.operators import for_each
from edgewise.operators.engines import by_rows_or

__all__ = ["as_other", "beside", "beside_on_grid", "merged", "shared_arcs", "vertices_of"]


def as_other(graph: AnyGraph, other: Any, name: str) -> Any:
    """The other graph where the first one is; an error if only one of them is directed.

    >>> from edgewise.generators import path
    >>> as_other(path(3), path(2), "compose").num_vertices
    2
    """
    return by_rows_or(graph, _on_the_same_device, _on_the_same_grid)(graph, other, name)


def _on_the_same_device(graph: AnyGraph, other: Any, name: str) -> Any:
    try:
        other = as_graph(other)
    except TypeError as error:
        raise TypeError(str(error).replace("graph must be", "other must be", 1)) from None
    check_one_device(other, name)
    check_alike(graph, other)
    return other.to(graph.device)


def _on_the_same_grid(graph: Any, other: Any, name: str) -> Any:
    """The other graph, whose vertices must be where those of the first one are, and named alike."""
    graph.check_alike(other, "other")
    check_alike(graph, other)
    if graph.labels is not other.labels and graph.labels != other.labels:
        raise ValueError("other must have the labels of graph on a grid, got others")
    return other


def check_alike(graph: AnyGraph, other: Any) -> None:
    """ValueError if only one of two graphs is directed."""
    if other.directed != graph.directed:
        kind = "a directed" if graph.directed else "an undirected"
        raise ValueError(f"other must be {kind} graph as graph is, got {other}")


class Vertices(NamedTuple):
    """The vertices of two graphs: those of the first one, then those that only the other has."""

    total: int
    ids: Any  # of the vertices of the other graph
    labels: Labels | None


def vertices_of(graph: AnyGraph, other: Any) -> Vertices:
    """Vertices are equal if their labels are; without labels, if their ids are.

    >>> from edgewise.graph import Graph
    >>> graph, other = Graph.from_edges(["a"], ["b"]), Graph.from_edges(["c"], ["a"])
    >>> found = vertices_of(graph, other)
    >>> found.total, found.ids.tolist(), found.labels.values.tolist()
    (3, [0, 2], ['a', 'b', 'c'])
    """
    return by_rows_or(graph, _matched, _all_alike)(graph, other)


def _all_alike(graph: AnyGraph, other: Any) -> Vertices:
    return Vertices(graph.num_vertices, graph.vertex_ids(), None)


def _matched(graph: AnyGraph, other: Any) -> Vertices:
    xp, n, more = graph.xp, graph.num_vertices, other.num_vertices
    if (graph.labels is None) != (other.labels is None):
        wanted = "no labels" if graph.labels is None else "labels"
        raise ValueError(f"other must have {wanted} as graph has; with_labels gives labels")
    if graph.labels is None or graph.labels == other.labels:
        return Vertices(max(n, more), xp.arange(more), graph.labels)
    own, names = graph.labels.values, other.labels.values
    if own.dtype != names.dtype:
        own, names = own.astype(object), names.astype(object)
    _, (known, asked) = Labels.encode(own, names)
    place = np.full(n + more, -1)
    place[known] = np.arange(n)
    new = np.flatnonzero(place[asked] < 0)
    place[asked[new]] = np.arange(n, n + len(new))
    labels = Labels(np.concatenate((own, names[new])))
    return Vertices(n + len(new), xp.asarray(place[asked]), labels)


def merged(graph: AnyGraph, other: Any, vertices: Vertices, duplicates: str) -> Any:
    """The edges of both graphs on given vertices."""
    return by_rows_or(graph, _merged, _composed)(graph, other, vertices, duplicates)


def _composed(graph: Any, other: Any, vertices: Vertices, duplicates: str) -> Any:
    if duplicates == "last":
        return other.composed(graph, "first")
    return graph.composed(other, duplicates)


def _merged(graph: Graph, other: Any, vertices: Vertices, duplicates: str) -> Any:
    xp, (u, v, w), (a, b, c) = graph.xp, graph.edges(), other.edges()
    if w is None and c is not None:
        w = xp.ones(len(u), c.dtype)
    elif w is not None and c is None:
        c = xp.ones(len(a), w.dtype)
    first = duplicates == "first"
    pairs = [(u, vertices.ids[a]), (v, vertices.ids[b]), (w, c)]
    if duplicates == "last":
        pairs, duplicates = [(two, one) for one, two in pairs], "first"
    sources, targets, weights = (
        None if one is None else xp.concatenate((one, two)) for one, two in pairs
    )
    found = type(graph).from_edges(
        sources, targets, weights, directed=graph.directed, num_vertices=vertices.total,
        duplicates=duplicates,
    )  # fmt: skip
    found = carried_by_both(graph, other, found, vertices.ids, first=first)
    return found if vertices.labels is None else found.with_labels(vertices.labels)


def shared_arcs(graph: AnyGraph, other: Any, vertices: Vertices) -> Any:
    """A mask over the arcs of a graph: which of them the other one has, too.

    Rows are merged if vertices have equal ids. Otherwise arcs are looked up as numbers.
    """
    return by_rows_or(graph, _shared, _shared_on_grid)(graph, other, vertices)


def _shared_on_grid(graph: Any, other: Any, vertices: Vertices) -> Any:
    return graph.shared_arcs(other)


def _shared(graph: AnyGraph, other: Any, vertices: Vertices) -> Any:
    xp, n, ids = graph.xp, max(vertices.total, 1), vertices.ids
    mask = xp.zeros(graph.num_arcs, bool)
    if other.num_arcs == 0 or graph.num_arcs == 0:
        return mask
    if bool((ids == xp.arange(len(ids))).all()):
        rows = min(graph.num_vertices, other.num_vertices)
        state = (graph.indptr, graph.indices, other.indptr, other.indices, mask)
        for_each(rows, _merge, state, device=graph.device, work=graph.num_arcs + other.num_arcs)
        return mask
    own = row_ids(graph).astype(np.int64) * n + graph.indices
    known = ids[row_ids(other)].astype(np.int64) * n + ids[other.indices]
    known.sort()
    at = xp.minimum(xp.searchsorted(known, own), len(known) - 1)
    return known[at] == own


def _merge(u, indptr, indices, other_indptr, other_indices, mask):
    """Mark the common neighbors of a vertex."""
    j, end = other_indptr[u], other_indptr[u + 1]
    for i in range(indptr[u], indptr[u + 1]):
        while j < end and other_indices[j] < indices[i]:
            j += 1
        if j < end and other_indices[j] == indices[i]:
            mask[i] = True


def beside_on_grid(graph: Any, other: Any) -> Any:
    """Return the disjoint union of two graphs on a grid."""
    check_alike(graph, other)
    return graph.beside(other)


def beside(graph: AnyGraph, other: Any) -> Any:
    """Return the disjoint union of two graphs on one device."""
    other = as_other(graph, other, "union")
    n, labels = graph.num_vertices, None
    both = n + other.num_vertices
    if graph.labels is not None or other.labels is not None:
        found = vertices_of(graph, other)
        if found.total < both:
            raise ValueError("other must have other labels than graph; compose merges equal ones")
        labels = found.labels
    ids = graph.xp.arange(n, both)
    return merged(graph, other, Vertices(both, ids, labels), "first")

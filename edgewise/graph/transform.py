"""Graphs from a graph: renumbered, made undirected, without loops, with other weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice, check_one_device
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.graph.arrays import RowArrays
from edgewise.graph.build import DUPLICATES, assemble
from edgewise.graph.csr import as_weights, frozen
from edgewise.graph.labels import Labels, check_every
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host, like, on_gpu, row_ids
from edgewise.graph.transpose import bits, turned

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "check_permutation",
    "permute",
    "symmetrize",
    "with_labels",
    "with_weights",
    "without_self_loops",
]

#: What two graphs of the same arcs share, once known.
_STRUCTURE = ("num_self_loops", "reverse_edge", "edge_to_arc", "arc_to_edge")
#: Bytes per arc while arcs are sorted on a GPU: keys, the order, what sorting takes, the result.
_SORTED = 40


def permute(graph: Graph, new_ids: Any) -> Graph:
    """The same graph with other vertex ids: vertex v becomes ``new_ids[v]``.

    Weights and labels go along: a label still names its vertex. `edgewise.ordering` has orders
    that bring neighbors together.

    Parameters
    ----------
    new_ids : array of int
        Each of 0..n-1 once.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).permute([2, 0, 1]).edges()[1].tolist()
    [1, 2]
    """
    check_one_device(graph, "permute")
    n, xp = graph.num_vertices, graph.xp
    new_ids = frozen(check_permutation(graph, new_ids, "new_ids"))
    old_ids = xp.empty(n, xp.int64)
    old_ids[new_ids] = xp.arange(n)
    labels = None if graph.labels is None else graph.labels.take(host(old_ids))
    if graph.device == "cpu":
        arrays = turned(*_renumbered(graph, old_ids, new_ids), n)  # this sorts the columns' rows
        arrays = turned(*arrays, n) if graph.directed else arrays
    else:
        arrays = _sorted_on_device(graph, old_ids, new_ids)
    result = like(graph, *arrays, directed=graph.directed, labels=labels)
    return _share(graph, result, "num_self_loops", "max_degree")


def check_permutation(graph: Graph, places: Any, name: str) -> Any:
    """``places`` in the type of the graph's ids and on its device, if it holds each id once."""
    n, xp = graph.num_vertices, graph.xp
    if not on_gpu(places):
        places = check_vertices(graph, places, name)
    places = xp.asarray(places)
    if places.dtype.kind not in "iu":
        raise TypeError(f"{name} must be vertex ids (integers), got dtype {places.dtype}")
    fits = places.shape == (n,) and (n == 0 or (int(places.min()) >= 0 and int(places.max()) < n))
    if not fits or bool((xp.bincount(places, minlength=n) != 1).any()):
        raise ValueError(f"{name} must hold each of 0 to {n - 1} once")
    return places.astype(graph.indices.dtype, copy=False)


def symmetrize(graph: Graph, how: str = "union", *, duplicates: str = "sum") -> Graph:
    """The undirected graph of a directed one; an undirected graph is returned as it is.

    Parameters
    ----------
    how : {"union", "intersection"}
        Keep an edge if it goes one way at least, or only if it goes both ways. Loops stay.
    duplicates : {"sum", "min", "max", "first", "error"}
        The weight of an edge that goes both ways; the first is that from the smaller vertex.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 1], [1, 0, 2], [2.0, 3.0, 4.0], directed=True)
    >>> graph.symmetrize().edges()[2].tolist()
    [5.0, 4.0]
    >>> graph.symmetrize("intersection", duplicates="min").edges()[2].tolist()
    [2.0]
    """
    check_choice(how, "how", ("union", "intersection"))
    check_choice(duplicates, "duplicates", DUPLICATES)
    if not graph.directed:
        return graph
    sources, targets, weights = graph.arcs()
    if graph.device != "cpu":
        from edgewise.graph.cuda.build import from_device_edges

        result = from_device_edges(
            type(graph), sources, targets, weights, num_vertices=graph.num_vertices,
            duplicates=duplicates, symmetrize=how,
        )  # fmt: skip
        result._keep(labels=graph.labels)
        return result
    built = assemble(
        frozen(sources),
        targets,
        weights,
        graph.num_vertices,
        undirected=True,
        duplicates=duplicates,
        both=how == "intersection",
        name=graph.label,
    )
    return _made(graph, built, graph.labels, directed=False)


def without_self_loops(graph: Graph) -> Graph:
    """The same graph without edges from a vertex to itself.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1]).without_self_loops().num_edges
    1
    """
    if graph.num_self_loops == 0:
        return graph
    sources, targets, weights = graph.arcs()
    xp, keep = graph.xp, sources != targets
    indptr = offsets(xp.bincount(sources[keep], minlength=graph.num_vertices))
    weights = None if weights is None else weights[keep]
    result = like(
        graph, indptr, targets[keep], weights, directed=graph.directed, labels=graph.labels
    )
    result._keep(num_self_loops=0)
    return result


def with_weights(graph: Graph, weights: Any) -> Graph:
    """The same edges with other weights.

    Parameters
    ----------
    weights : array or None
        One per arc, in the order of `arcs` (an undirected edge's two must agree), or one per
        edge in the order of `edges`; None for a graph without weights.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).with_weights([7.0, 8.0]).weights.tolist()
    [7.0, 7.0, 8.0, 8.0]
    """
    expand = False
    if weights is not None:
        weights = as_weights(weights, xp=graph.xp)
        expand = not graph.directed and len(weights) == graph.num_edges
        if not expand and len(weights) != graph.num_arcs:
            edges = "" if graph.directed else f" or one per edge ({graph.num_edges})"
            raise ValueError(
                f"weights must have one entry per arc ({graph.num_arcs}){edges}, got {len(weights)}"
            )
    if expand:
        weights = weights[graph.arc_to_edge]
    result = like(
        graph, graph.indptr, graph.indices, weights, directed=graph.directed, labels=graph.labels
    )
    if weights is not None and not graph.directed and not expand:
        _check_both_ways(result)
    return _share(graph, result, *_STRUCTURE)


def with_labels(graph: Graph, labels: Any) -> Graph:
    """The same graph with other labels: a `Labels`, one label per vertex, or None.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1]).with_labels(["a", "b"]).vertex("b")
    1
    """
    if labels is not None and not isinstance(labels, Labels):
        labels = Labels(labels)
    check_every(labels, graph.num_vertices)
    result = like(
        graph, graph.indptr, graph.indices, graph.weights, directed=graph.directed, labels=labels
    )
    return _share(graph, result, *_STRUCTURE)


def _renumbered(graph, old_ids, new_ids) -> tuple[Any, Any, Any]:
    """The arrays with other vertex ids; rows are not sorted."""
    from edgewise.graph.cpu.transform import renumber

    indptr = offsets(np.diff(graph.indptr)[old_ids])
    indices = np.empty_like(graph.indices)
    weights = None if graph.weights is None else np.empty_like(graph.weights)
    rows = RowArrays(graph.indptr, graph.indices, bits(graph.weights))
    out = RowArrays(indptr, indices, bits(weights))
    launch(renumber, rows, old_ids, new_ids, out, work=graph.num_arcs + graph.num_vertices)
    return indptr, indices, weights


def _sorted_on_device(graph, old_ids, new_ids) -> tuple[Any, Any, Any]:
    """The arrays with other vertex ids, on a GPU: the arcs sorted by their new ends."""
    from edgewise.base.cuda.device import check_memory

    check_memory(graph.num_arcs * _SORTED, "the permuted graph")
    n, xp = graph.num_vertices, graph.xp
    indptr = offsets(xp.diff(graph.indptr)[old_ids])
    keys = new_ids[row_ids(graph)].astype(xp.int64) * n + new_ids[graph.indices]
    order = xp.argsort(keys)
    weights = None if graph.weights is None else graph.weights[order]
    return indptr, new_ids[graph.indices[order]], weights


def _made(graph, built, labels, directed):
    result = type(graph)(
        built.indptr, built.indices, built.weights, directed=directed, labels=labels
    )
    result._keep(num_self_loops=built.loops)
    return result


def _check_both_ways(graph):
    """ValueError unless both arcs of every edge weigh the same."""
    if graph.num_arcs == 0 or bool(graph.weights.min() == graph.weights.max()):
        return
    if graph.device != "cpu":
        there, back = graph.weights, graph.weights[graph.reverse_edge]
        if bool(((there == back) | ((there != there) & (back != back))).all()):
            return
    graph.validate()


def _share(graph, result, *known):
    """Hand on what is known of the structure already."""
    result._keep(**{name: graph.__dict__[name] for name in known if name in graph.__dict__})
    return result

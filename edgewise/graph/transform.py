"""Graphs from a graph: renumbered, made undirected, without loops, with other weights.

Columns of edges and vertices go along (`edgewise.graph.attribute_tables`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice, check_flag, check_one_device
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.graph.arrays import RowArrays
from edgewise.graph.attribute_tables import carried
from edgewise.graph.build import DUPLICATES, assemble
from edgewise.graph.compressed import rewrapped
from edgewise.graph.csr import as_weights, frozen
from edgewise.graph.edges import Arcs, arcs_of
from edgewise.graph.labels import Labels, check_every
from edgewise.graph.lookup import check_vertices
from edgewise.graph.memory_limit import check_arcs, keep_within
from edgewise.graph.transfer import host, like, on_gpu, row_ids
from edgewise.graph.transpose import bits, turned
from edgewise.graph.weight_columns import column

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "check_permutation",
    "permute",
    "same_structure",
    "to_undirected",
    "with_labels",
    "with_weights",
    "without_self_loops",
]

#: What two graphs of the same arcs share, once known.
_STRUCTURE = ("num_self_loops", "reverse_arc", "edge_to_arc", "arc_to_edge")
#: Bytes per arc while arcs are sorted on a GPU: keys, the order, what sorting takes, the result.
_SORTED = 40


def permute(graph: Graph, positions: Any) -> Graph:
    """Return the graph with renumbered vertices: vertex v becomes ``positions[v]``.

    Weights, labels and columns move with their edges and vertices. `edgewise.ordering` computes
    orders that place neighbors close together.

    Parameters
    ----------
    positions : array over vertices
        A permutation of 0..n-1.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).permute([2, 0, 1]).edges()[1].tolist()
    [1, 2]
    """
    check_one_device(graph, "permute")
    check_arcs(graph, "permute")
    n, xp = graph.num_vertices, graph.xp
    positions = frozen(check_permutation(graph, positions, "positions"))
    old_ids = xp.empty(n, xp.int64)
    old_ids[positions] = xp.arange(n)
    labels = None if graph.labels is None else graph.labels.take(host(old_ids))
    if graph.device == "cpu":
        arrays = turned(*_renumbered(graph, old_ids, positions), n)  # this sorts the columns' rows
        arrays = turned(*arrays, n) if graph.directed else arrays
    else:
        arrays = _sorted_on_device(graph, old_ids, positions)
    result = like(graph, *arrays, directed=graph.directed, labels=labels)
    return carried(graph, _share(graph, result, "num_self_loops", "longest_row", "max_degree"),
                   old_ids)  # fmt: skip


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
    return places.astype(graph.id_dtype, copy=False)


def to_undirected(graph: Graph, *, reciprocal: bool = False, duplicates: str = "sum") -> Graph:
    """Return the graph with every edge undirected; an undirected graph is returned unchanged.

    Parameters
    ----------
    reciprocal : bool
        If True, keep only edges present in both directions. Self-loops are kept.
    duplicates : {"sum", "min", "max", "first", "raise"}
        How the weights of two opposite edges are combined. ``"first"`` takes the weight of the edge
        from the smaller vertex; so do all columns.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 1], [1, 0, 2], [2.0, 3.0, 4.0], directed=True)
    >>> graph.to_undirected().edges()[2].tolist()
    [5.0, 4.0]
    >>> graph.to_undirected(reciprocal=True, duplicates="min").edges()[2].tolist()
    [2.0]
    """
    check_flag(reciprocal, "reciprocal")
    check_choice(duplicates, "duplicates", DUPLICATES)
    if not graph.directed:
        return graph
    check_arcs(graph, "to_undirected")
    sources, targets, weights = graph.arcs()
    if graph.device != "cpu":
        from edgewise.graph.cuda.build import from_device_edges

        result = from_device_edges(
            type(graph), sources, targets, weights, num_vertices=graph.num_vertices,
            duplicates=duplicates, symmetrize="intersection" if reciprocal else "union",
        )  # fmt: skip
        result._keep(labels=graph.labels)
        return carried(graph, result)
    built = assemble(
        frozen(sources),
        targets,
        weights,
        graph.num_vertices,
        undirected=True,
        duplicates=duplicates,
        both=reciprocal,
        name=graph.label,
    )
    return carried(graph, _made(graph, built, graph.labels, directed=False))


def without_self_loops(graph: Graph) -> Graph:
    """Return the graph without self-loops.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 1]).without_self_loops().num_edges
    1
    """
    if graph.num_self_loops == 0:
        return graph
    check_arcs(graph, "without_self_loops")
    sources, targets, weights = graph.arcs()
    xp, keep = graph.xp, sources != targets
    indptr = offsets(xp.bincount(sources[keep], minlength=graph.num_vertices))
    weights = None if weights is None else weights[keep]
    result = like(
        graph, indptr, targets[keep], weights, directed=graph.directed, labels=graph.labels
    )
    result._keep(num_self_loops=0)
    return carried(graph, result)


def with_weights(graph: Graph, weights: Any) -> Graph:
    """Return the graph with new weights.

    Parameters
    ----------
    weights : array over edges, str or None
        The weight of each edge, in the order of `edges`, or the name of a column. None gives an
        unweighted graph.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).with_weights([7.0, 8.0]).edges()[2].tolist()
    [7.0, 8.0]
    """
    if isinstance(weights, str):
        weights = Arcs(column(graph, weights))
    weights = arcs_of(graph, weights, "weights")
    if weights is not None:
        weights = as_weights(weights, graph.num_arcs, xp=graph.xp)
    return same_structure(graph, weights, graph.labels)


def with_labels(graph: Graph, labels: Any) -> Graph:
    """Return the graph with new labels: a `Labels`, one label per vertex, or None.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1]).with_labels(["a", "b"]).vertex("b")
    1
    """
    if labels is not None and not isinstance(labels, Labels):
        labels = Labels(labels)
    check_every(labels, graph.num_vertices)
    return same_structure(graph, graph.stored_weights, labels)


def same_structure(graph: Graph, weights: Any, labels: Any) -> Graph:
    """The graph with these weights (over arcs) and labels; columns stay."""
    options = {**graph._options(), "labels": labels}
    if graph.is_compressed:
        result = rewrapped(graph, weights, **options)
    else:
        result = like(graph, graph.indptr, graph.indices, weights, **options)
        _share(graph, result, *_STRUCTURE)
    keep_within(result, graph._pages)
    return result


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


def _share(graph, result, *known):
    """Hand on what is known of the structure already."""
    result._keep(**{name: graph.__dict__[name] for name in known if name in graph.__dict__})
    return result

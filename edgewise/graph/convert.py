"""Graphs from and to SciPy, NetworkX and igraph; without labels, by the ids of vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.csr import as_weights
from edgewise.graph.encoding import is_integer
from edgewise.graph.labels import Labels
from edgewise.graph.transfer import check_host

if TYPE_CHECKING:
    import igraph
    import networkx

    from edgewise.graph.graph import Graph

__all__ = [
    "from_igraph",
    "from_networkx",
    "from_scipy",
    "to_igraph",
    "to_networkx",
    "to_scipy",
]


def from_scipy(
    cls: Any,
    matrix: Any,
    *,
    directed: bool = False,
    duplicates: str = "sum",
    symmetrize: str | None = None,
    labels: Any = None,
) -> Graph:
    """A graph from a square SciPy sparse matrix or array: entry (u, v) is the arc from u to v.

    Stored zeros are edges too. The values are the weights, except booleans, which say only that
    the edge is there. A CSR matrix with sorted rows goes in without a copy, where types allow.

    Parameters
    ----------
    matrix : scipy.sparse matrix or array
    directed : bool
        If False, the matrix must be symmetric, or ``symmetrize`` must say what to do.
    duplicates, symmetrize
        As in `from_edges`; None means that the matrix is symmetric already.
    labels : Labels or sequence, optional
        What the rows are called.

    Examples
    --------
    >>> import scipy.sparse
    >>> from edgewise.graph import Graph
    >>> Graph.from_scipy(scipy.sparse.csr_array([[0, 2.5], [0, 0]]), directed=True)
    Graph(directed, 2 vertices, 1 edge, weights float64, 36 B)
    """
    from scipy.sparse import issparse

    if not issparse(matrix):
        raise TypeError(f"matrix must be a SciPy sparse array, got {type(matrix).__name__}")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"matrix must be square, got shape {matrix.shape}")
    labels = labels if labels is None or isinstance(labels, Labels) else Labels(labels)
    as_is = directed or symmetrize in (None, "given")
    if matrix.format == "csr" and as_is and matrix.has_canonical_format:
        weights = None if matrix.dtype == bool else matrix.data
        graph = cls(matrix.indptr, matrix.indices, weights, directed=directed, labels=labels)
        if not directed:
            graph.validate()
        elif symmetrize is not None:
            raise ValueError(f"symmetrize must be None for a directed graph, got {symmetrize!r}")
        return graph
    entries = matrix.tocoo()
    graph = cls.from_edges(
        *entries.coords,
        None if matrix.dtype == bool else entries.data,
        directed=directed,
        num_vertices=matrix.shape[0],
        duplicates=duplicates,
        symmetrize="given" if as_is and not directed else symmetrize,
    )
    return graph if labels is None else graph.with_labels(labels)


def to_scipy(graph: Graph) -> Any:
    """The adjacency as a SciPy CSR array that shares the graph's arrays; ones without weights.

    Its arrays are read-only like the graph's: copy it before changing it.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1], [2.5]).to_scipy().toarray().tolist()
    [[0.0, 2.5], [2.5, 0.0]]
    """
    from scipy.sparse import csr_array

    check_host(graph, "to_scipy")
    data = np.ones(graph.num_arcs) if graph.weights is None else graph.weights
    n = graph.num_vertices
    matrix = csr_array((n, n), dtype=data.dtype)
    small = graph.indices.dtype == np.int32 and graph.num_arcs < 2**31
    indptr = graph.indptr.astype(np.int32) if small else graph.indptr
    matrix.data, matrix.indices, matrix.indptr = data, graph.indices, indptr
    if not small:
        matrix.indices = graph.indices.astype(np.int64, copy=False)
    matrix.has_canonical_format = True
    return matrix


def from_networkx(
    cls: Any, graph: networkx.Graph, *, weight: str | None = "weight", duplicates: str = "sum"
) -> Graph:
    """A graph from a NetworkX graph, as directed as that one.

    Nodes that are the integers 0..n-1 keep their numbers; others become labels, in the order that
    NetworkX has them. Other attributes are left behind.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    weight : str or None
        The edge attribute to take as weight: 1 where an edge lacks it; if all lack it, or for
        None, the graph has no weights.
    duplicates : {"sum", "min", "max", "first", "error"}
        What becomes of parallel edges in a multigraph.

    Examples
    --------
    >>> import networkx
    >>> from edgewise.graph import Graph
    >>> Graph.from_networkx(networkx.karate_club_graph())
    Graph(undirected, 34 vertices, 78 edges, weights int64, 2.15 kB)
    """
    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    plain = all(is_integer(node) and 0 <= node < len(nodes) for node in nodes)
    if plain:
        index = {node: node for node in nodes}
    weights: list[Any] | None = None
    if weight is None:
        pairs = list(graph.edges())
    else:
        triples = list(graph.edges(data=weight))
        pairs = [(u, v) for u, v, _ in triples]
        weights = [w for _, _, w in triples]
        if all(w is None for w in weights):
            weights = None
        else:
            weights = as_weights([1 if w is None else w for w in weights], name=weight)  # type: ignore[assignment]
    ends = [np.array([index[pair[i]] for pair in pairs], np.int64) for i in (0, 1)]
    result = cls.from_edges(
        *ends,
        weights,
        directed=graph.is_directed(),
        num_vertices=len(nodes),
        duplicates=duplicates,
    )
    return result if plain else result.with_labels(Labels(nodes))


def to_networkx(graph: Graph, *, weight: str = "weight") -> Any:
    """A NetworkX Graph or DiGraph whose nodes are the labels, weights as the attribute ``weight``.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"], [3]).to_networkx().edges["a", "b"]
    {'weight': 3}
    """
    import networkx

    check_host(graph, "to_networkx")
    result = networkx.DiGraph() if graph.directed else networkx.Graph()
    names = range(graph.num_vertices) if graph.labels is None else graph.labels.values.tolist()
    result.add_nodes_from(names)
    sources, targets, weights = graph.edges()
    ends = ((names[u], names[v]) for u, v in zip(sources.tolist(), targets.tolist(), strict=True))
    if weights is None:
        result.add_edges_from(ends)
    else:
        pairs = zip(ends, weights.tolist(), strict=True)
        result.add_weighted_edges_from(((u, v, w) for (u, v), w in pairs), weight=weight)
    return result


def from_igraph(
    cls: Any,
    graph: igraph.Graph,
    *,
    weight: str | None = "weight",
    name: str | None = "name",
    duplicates: str = "sum",
) -> Graph:
    """A graph from an igraph graph, as directed as that one; vertices keep their numbers.

    Parameters
    ----------
    graph : igraph.Graph
    weight : str or None
        The edge attribute to take as weight; without it, or for None, the graph has no weights.
    name : str or None
        The vertex attribute to take as label; without it, or for None, the graph has no labels.
    duplicates : {"sum", "min", "max", "first", "error"}
        What becomes of parallel edges.

    Examples
    --------
    >>> import igraph
    >>> from edgewise.graph import Graph
    >>> Graph.from_igraph(igraph.Graph.TupleList([("a", "b"), ("b", "c")]))
    Graph(undirected, 3 vertices, 2 edges, labelled 'a', 'b', ..., 48 B)
    """
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    weights = None
    if weight is not None and weight in graph.es.attributes():
        weights = as_weights([1 if w is None else w for w in graph.es[weight]], name=weight)
    result = cls.from_edges(
        ends[:, 0],
        ends[:, 1],
        weights,
        directed=graph.is_directed(),
        num_vertices=graph.vcount(),
        duplicates=duplicates,
    )
    if name is None or name not in graph.vs.attributes():
        return result
    return result.with_labels(graph.vs[name])


def to_igraph(graph: Graph, *, weight: str = "weight", name: str = "name") -> Any:
    """An igraph graph with the same numbers; weights and labels as attributes, if there are any.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"], [3]).to_igraph().vs.find("b").index
    1
    """
    import igraph

    check_host(graph, "to_igraph")
    sources, targets, weights = graph.edges()
    pairs = np.column_stack([sources, targets])
    result = igraph.Graph(graph.num_vertices, pairs.tolist(), directed=graph.directed)
    if weights is not None:
        result.es[weight] = weights.tolist()
    if graph.labels is not None:
        result.vs[name] = graph.labels.values.tolist()
    return result

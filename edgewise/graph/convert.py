"""Graphs from and to SciPy, NetworkX and igraph; without labels, by the ids of vertices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, compress
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.csr import as_weights
from edgewise.graph.labels import Labels
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.node_rows import neighbor_ids, rows_of
from edgewise.graph.titles import check_titles
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
    """Return a graph built from a square SciPy sparse matrix or array.

    Entry (u, v) is the arc from u to v; a stored zero is an edge too. The stored values become the
    weights. A boolean matrix gives an unweighted graph. A CSR matrix with sorted rows is not copied
    if its types allow.

    Parameters
    ----------
    matrix : scipy.sparse matrix or array
        The adjacency matrix.
    directed : bool
        Whether edges are directed. If False, the matrix must be symmetric unless ``symmetrize`` is
        given.
    duplicates, symmetrize
        As in `from_edges`. None requires a symmetric matrix.
    labels : Labels or sequence, optional
        The labels of the vertices, in the order of the rows.

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
    """Return the adjacency matrix as a SciPy CSR array; without weights, its entries are ones.

    It shares the graph's read-only arrays: copy it before changing it.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1], [2.5]).to_scipy().toarray().tolist()
    [[0.0, 2.5], [2.5, 0.0]]
    """
    from scipy.sparse import csr_array

    check_host(graph, "to_scipy")
    check_arcs(graph, "to_scipy")
    data = np.ones(graph.num_arcs) if graph.weights is None else graph.weights
    n = graph.num_vertices
    matrix = csr_array((n, n), dtype=data.dtype)
    small = graph.id_dtype == np.int32 and graph.num_arcs < 2**31
    indptr = graph.indptr.astype(np.int32) if small else graph.indptr
    matrix.data, matrix.indices, matrix.indptr = data, graph.indices, indptr
    if not small:
        matrix.indices = graph.indices.astype(np.int64, copy=False)
    matrix.has_canonical_format = True
    return matrix


def from_networkx(
    cls: Any,
    graph: networkx.Graph,
    *,
    weight: str | None = "weight",
    duplicates: str | Mapping[str, str] = "sum",
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return a graph built from a NetworkX graph, directed if that graph is.

    Nodes that are the integers 0..n-1 keep their numbers. Other nodes become labels, in NetworkX's
    order.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
        The graph to convert.
    weight : str or None
        The edge attribute that holds the weights. An edge without it gets weight 1. If no edge has
        it, or for None, the graph is unweighted.
    duplicates : {"sum", "min", "max", "first", "raise"} or mapping
        How the weights and columns of parallel edges in a multigraph are combined, as in
        `from_edges`.
    edge_columns, vertex_columns : bool or list of str
        The attributes of edges and of nodes to keep as columns: all of them for True. A node or an
        edge without the attribute has a missing value.

    Examples
    --------
    >>> import networkx
    >>> from edgewise.graph import Graph
    >>> Graph.from_networkx(networkx.karate_club_graph())
    Graph(undirected, 34 vertices, 78 edges, weights int64, 2.15 kB)
    """
    rows = rows_of(getattr(graph, "_adj", graph.adj))  # views of the rows are slower
    nodes = list(rows)
    ids, targets = neighbor_ids(nodes, rows)
    lengths = np.fromiter(map(len, rows.values()), np.int64, len(nodes))
    in_order = ids is None or bool((ids == np.arange(len(nodes))).all())
    plain = edge_columns is False and vertex_columns is False
    if in_order and plain and not graph.is_multigraph():
        result = _of_rows(cls, graph, rows, lengths, targets, weight)
        return result if ids is not None else result.with_labels(Labels(nodes))
    sources = np.repeat(np.arange(len(nodes)) if ids is None else ids, lengths)
    found = [*chain.from_iterable(row.values() for row in rows.values())]  # the attributes
    if graph.is_multigraph():
        parallel = np.fromiter(map(len, found), np.int64, len(found))
        sources, targets = np.repeat(sources, parallel), np.repeat(targets, parallel)
        found = [*chain.from_iterable(edges.values() for edges in found)]
    if not graph.is_directed():  # every edge is there twice, a loop once
        once = sources <= targets
        found = [*compress(found, once.tolist())]
        sources, targets = sources[once], targets[once]
    weights = _weights(found, weight)
    kept = _attributes(found, edge_columns, "edge_columns", weight)
    of_nodes: Any = None
    if vertex_columns is not False:
        data: list[Any] = [graph.nodes[node] for node in nodes]
        if ids is not None:
            data = [data[i] for i in np.argsort(ids)]
        of_nodes = _attributes(data, vertex_columns, "vertex_columns")
    result = cls.from_edges(
        sources,
        targets,
        weights,
        directed=graph.is_directed(),
        num_vertices=len(nodes),
        duplicates=duplicates,
        edge_columns=kept or None,
        vertex_columns=of_nodes or None,
    )
    return result if ids is not None else result.with_labels(Labels(nodes))


def _attributes(data: list[Any], wanted: Any, given: str, weight: Any = None) -> dict[str, list]:
    """Columns of the attributes in dicts, those of all or some names; no weight."""
    if wanted is False:
        return {}
    known = dict.fromkeys(name for one in data for name in one)
    names = [name for name in known if name != weight] if wanted is True else wanted
    names = [names] if isinstance(names, str) else names
    for name in names:
        if name not in known:
            there = ", ".join(map(repr, known)) or "none"
            raise ValueError(f"{given} must name attributes, got {name!r}; there are: {there}")
    return {str(name): [one.get(name) for one in data] for name in names}


def _of_rows(
    cls: Any, graph: Any, rows: Any, lengths: np.ndarray, targets: np.ndarray, weight: Any
) -> Graph:
    """A graph of rows that hold every arc, each row sorted."""
    from scipy.sparse import csr_array

    n, count = len(lengths), len(targets)
    kind = np.int32 if max(n, count) < 2**31 else np.int64
    indptr, matrix = offsets(lengths), csr_array((n, n))
    matrix.data, matrix.indices = np.arange(count, dtype=kind), targets.astype(kind)
    matrix.indptr = indptr.astype(kind)
    matrix.sort_indices()
    weights = None
    if weight is not None:
        data = [*chain.from_iterable(row.values() for row in rows.values())]
        weights = _weights(data, weight)
        weights = None if weights is None else weights[matrix.data]
    ids = matrix.indices.astype(np.int32 if n < 2**31 else np.int64, copy=False)
    return cls(indptr, ids, weights, directed=graph.is_directed())


def _weights(found: list[Any], weight: Any) -> Any:
    """An attribute of all edges, 1 where it is missing; None if no edge has it."""
    if weight is None or not any(found):
        return None
    weights = [data.get(weight) for data in found]
    missing = weights.count(None)
    if missing == len(weights):
        return None
    return as_weights([1 if w is None else w for w in weights] if missing else weights, name=weight)


def to_networkx(graph: Graph, *, weight: str = "weight") -> Any:
    """Return a NetworkX Graph or DiGraph; labels are nodes, weights and columns attributes.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"], [3]).to_networkx().edges["a", "b"]
    {'weight': 3}
    """
    import networkx

    check_host(graph, "to_networkx")
    edges = _lists(graph, "edges", {} if graph.weights is None else {weight: "weight"})
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
    for name, values in _lists(graph, "vertices", {}):
        for node, value in zip(names, values, strict=True):
            if value is not None:
                result.nodes[node][name] = value
    for name, values in edges:
        for u, v, value in zip(sources.tolist(), targets.tolist(), values, strict=True):
            if value is not None:
                result._adj[names[u]][names[v]][name] = value
    return result


def _lists(graph: Graph, part: str, titles: dict[str, str]) -> Iterator[tuple[str, list]]:
    """The columns of edges or vertices as lists; None where a value is missing.

    ValueError if one is called as weights or labels are.
    """
    table: Any = None if graph.columns is None else getattr(graph.columns, part)
    names = [] if table is None else table.column_names
    check_titles(names, titles, part)
    return ((name, table.column(name).to_pylist()) for name in names)


def from_igraph(
    cls: Any,
    graph: igraph.Graph,
    *,
    weight: str | None = "weight",
    label: str | None = "name",
    duplicates: str | Mapping[str, str] = "sum",
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return a graph built from an igraph graph, directed if that graph is.

    Vertices keep their numbers.

    Parameters
    ----------
    graph : igraph.Graph
        The graph to convert.
    weight : str or None
        The edge attribute that holds the weights. If it is missing, or for None, the graph is
        unweighted.
    label : str or None
        The vertex attribute that holds the labels. If it is missing, or for None, the graph has no
        labels.
    duplicates : {"sum", "min", "max", "first", "raise"} or mapping
        How the weights and columns of parallel edges are combined, as in `from_edges`.
    edge_columns, vertex_columns : bool or list of str
        The attributes of edges and of vertices to keep as columns: all of them for True.

    Examples
    --------
    >>> import igraph
    >>> from edgewise.graph import Graph
    >>> Graph.from_igraph(igraph.Graph.TupleList([("a", "b"), ("b", "c")]))
    Graph(undirected, 3 vertices, 2 edges, labeled 'a', 'b', ..., 48 B)
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
        edge_columns=_of_sequence(graph.es, edge_columns, "edge_columns", weight),
        vertex_columns=_of_sequence(graph.vs, vertex_columns, "vertex_columns", label),
    )
    if label is None or label not in graph.vs.attributes():
        return result
    return result.with_labels(graph.vs[label])


def _of_sequence(sequence: Any, wanted: Any, given: str, left_out: Any) -> dict[str, list] | None:
    """Columns of the attributes of igraph's vertices or edges, those of all or some names."""
    if wanted is False:
        return None
    names = [name for name in sequence.attributes() if name != left_out]
    if wanted is not True:
        known, names = sequence.attributes(), [wanted] if isinstance(wanted, str) else [*wanted]
        for name in names:
            if name not in known:
                there = ", ".join(map(repr, known)) or "none"
                raise ValueError(f"{given} must name attributes, got {name!r}; there are: {there}")
    return {name: sequence[name] for name in names} or None


def to_igraph(graph: Graph, *, weight: str = "weight", label: str = "name") -> Any:
    """Return an igraph graph with the same vertex numbers.

    Weights, labels and columns become attributes. If a column of vertices is called ``name``,
    choose another attribute for the labels by ``label=``.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"], [3]).to_igraph().vs.find("b").index
    1
    """
    import igraph

    check_host(graph, "to_igraph")
    edges = _lists(graph, "edges", {} if graph.weights is None else {weight: "weight"})
    vertices = _lists(graph, "vertices", {} if graph.labels is None else {label: "label"})
    sources, targets, weights = graph.edges()
    pairs = np.column_stack([sources, targets]).astype(np.int64)  # which igraph reads as it is
    result = igraph.Graph(graph.num_vertices, pairs, directed=graph.directed)
    if weights is not None:
        result.es[weight] = weights.tolist()
    if graph.labels is not None:
        result.vs[label] = graph.labels.values.tolist()
    for name, values in vertices:
        result.vs[name] = values
    for name, values in edges:
        result.es[name] = values
    return result

"""Graphs from and to SciPy, NetworkX, igraph, pandas and Arrow.

Without labels, vertices are called by their ids outside too. Columns are called ``source``,
``target`` and ``weight`` unless told otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.csr import as_weights
from edgewise.graph.device import check_host
from edgewise.graph.encoding import is_integer
from edgewise.graph.labels import Labels

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "from_arrow",
    "from_igraph",
    "from_networkx",
    "from_pandas",
    "from_scipy",
    "to_arrow",
    "to_igraph",
    "to_networkx",
    "to_pandas",
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


def to_scipy(graph: Any) -> Any:
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
    cls: Any, graph: Any, *, weight: str | None = "weight", duplicates: str = "sum"
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


def to_networkx(graph: Any, *, weight: str = "weight") -> Any:
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
    graph: Any,
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


def to_igraph(graph: Any, *, weight: str = "weight", name: str = "name") -> Any:
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


def from_pandas(
    cls: Any,
    frame: Any,
    *,
    source: str = "source",
    target: str = "target",
    weight: str | None = "weight",
    **options: Any,
) -> Graph:
    """A graph from a pandas data frame with one edge per row.

    Parameters
    ----------
    frame : pandas.DataFrame
    source, target, weight : str
        Names of the columns. A frame without a column ``"weight"`` gives a graph without weights,
        and so does ``weight=None``; any other name must be there.
    **options
        As for `from_edges`: directed, num_vertices, duplicates, self_loops, symmetrize, labels.

    Examples
    --------
    >>> import pandas
    >>> from edgewise.graph import Graph
    >>> frame = pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    >>> Graph.from_pandas(frame).num_edges
    2
    """
    names = _columns(list(frame.columns), source, target, weight)
    sources, targets, *weights = (_from_series(frame[name]) for name in names)
    return cls.from_edges(sources, targets, *weights, **options)


def to_pandas(
    graph: Any, *, source: str = "source", target: str = "target", weight: str = "weight"
) -> Any:
    """A pandas data frame with one row per edge (an undirected edge once), by label.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"]).to_pandas().to_dict("records")
    [{'source': 'a', 'target': 'b'}]
    """
    import pandas

    check_host(graph, "to_pandas")
    return pandas.DataFrame(_edge_columns(graph, source, target, weight))


def from_arrow(
    cls: Any,
    table: Any,
    *,
    source: str = "source",
    target: str = "target",
    weight: str | None = "weight",
    **options: Any,
) -> Graph:
    """A graph from an Arrow table or record batch with one edge per row; see `from_pandas`.

    >>> import pyarrow
    >>> from edgewise.graph import Graph
    >>> table = pyarrow.table({"source": [0, 1], "target": [1, 2], "weight": [0.5, 0.25]})
    >>> Graph.from_arrow(table, directed=True).weights.tolist()
    [0.5, 0.25]
    """
    names = _columns(list(table.schema.names), source, target, weight)
    sources, targets, *weights = (_from_arrow_column(table.column(name), name) for name in names)
    return cls.from_edges(sources, targets, *weights, **options)


def to_arrow(
    graph: Any, *, source: str = "source", target: str = "target", weight: str = "weight"
) -> Any:
    """An Arrow table with one row per edge (an undirected edge once), by label.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1]).to_arrow().column_names
    ['source', 'target']
    """
    import pyarrow

    check_host(graph, "to_arrow")
    return pyarrow.table(_edge_columns(graph, source, target, weight))


def _columns(there: list[str], source: str, target: str, weight: str | None) -> list[str]:
    """The names of the columns to read, if they are there."""
    names = [source, target]
    if weight is not None and (weight != "weight" or weight in there):
        names.append(weight)
    for name in names:
        if name not in there:
            raise ValueError(
                f"there must be a column {name!r}, got {', '.join(map(repr, there))}; source=, "
                "target= and weight= name others"
            )
    return names


def _from_series(series: Any) -> Any:
    if str(series.dtype) in ("str", "string") or "pyarrow" in str(series.dtype):
        import pyarrow

        return _from_arrow_column(pyarrow.chunked_array([pyarrow.array(series)]), series.name)
    return series.to_numpy()


def _from_arrow_column(column: Any, name: str) -> Any:
    """Strings stay with Arrow, whose encoding is fast; the rest goes to NumPy."""
    if column.null_count:
        at = next(i for i, value in enumerate(column) if not value.is_valid)
        raise ValueError(f"column {name!r} must not have missing values, got one in row {at}")
    kind = str(column.type)
    return column if "string" in kind or "dictionary" in kind else np.asarray(column)


def _edge_columns(graph: Any, source: str, target: str, weight: str) -> dict[str, np.ndarray]:
    sources, targets, weights = graph.edges()
    columns = {source: graph.label(sources), target: graph.label(targets)}
    if weights is not None:
        columns[weight] = weights
    return columns

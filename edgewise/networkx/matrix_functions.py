"""Graphs from matrices and lists of edges under NetworkX's names."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.graph.graph import Graph as Rows
from edgewise.networkx.compact import Compact
from edgewise.networkx.graph_classes import (
    DiGraph,
    Graph,
    MultiDiGraph,
    MultiGraph,
    adopted,
    from_compact,
)

__all__: list[str] = []


def from_scipy_sparse_array(A, parallel_edges=False, create_using=None, edge_attribute="weight"):
    """A graph whose edges are the stored entries, without a copy where types allow."""
    made = _of_matrix(A, create_using, edge_attribute, None)
    if made is not None:
        return made
    return _built("from_scipy_sparse_array", create_using, A, parallel_edges, create_using,
                  edge_attribute)  # fmt: skip


def from_numpy_array(
    A, parallel_edges=False, create_using=None, edge_attr="weight", *, nodelist=None
):
    """A graph whose edges are the entries other than zero."""
    from scipy.sparse import csr_array

    nodes = None if nodelist is None else [*nodelist]
    usual = A.ndim == 2 and A.shape[0] == A.shape[1] > 0 and A.dtype.kind in "iuf"
    if usual and (nodes is None or len({*nodes}) == len(nodes) == A.shape[0]):
        made = _of_matrix(csr_array(A), create_using, edge_attr, nodes)
        if made is not None:
            return made
    return _built("from_numpy_array", create_using, A, parallel_edges, create_using, edge_attr,
                  nodelist=nodelist)  # fmt: skip


def from_edgelist(edgelist, create_using=None):
    """NetworkX's graph, which needs no other conversion."""
    return _built("from_edgelist", create_using, edgelist, create_using)


def from_pandas_edgelist(
    df, source="source", target="target", edge_attr=None, create_using=None, edge_key=None
):
    """NetworkX's graph, which needs no other conversion."""
    options = (source, target, edge_attr, create_using, edge_key)
    return _built("from_pandas_edgelist", create_using, df, *options)


def _built(name: str, create_using: Any, *args: Any, **options: Any) -> Any:
    """A graph that NetworkX builds, as one of the backend."""
    plain = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
    if create_using not in (None, *plain, Graph, DiGraph, MultiGraph, MultiDiGraph):
        raise NotImplementedError("create_using is a graph, or a subclass")
    original = nx.utils.backends._registered_algorithms[name].orig_func
    return adopted(original(*args, **options))


def _of_matrix(A: Any, create_using: Any, attribute: Any, nodes: Any) -> Any:
    """A graph from the rows of a matrix, or None."""
    known = {None: False, nx.Graph: False, Graph: False, nx.DiGraph: True, DiGraph: True}
    if not isinstance(create_using, (type(None), type)) or create_using not in known:
        return None
    rows = _rows(A, known[create_using])
    if rows is None:
        return None
    made = Compact.of_graph(Rows(rows.indptr, rows.indices, directed=rows.directed), nodes)
    if attribute not in (False, None):
        made.attributes[attribute] = _numbers(rows.weights)
    return from_compact(made)


def _rows(A: Any, directed: bool) -> Rows | None:
    """The rows of a matrix of numbers; None if NetworkX has rules of its own for it."""
    if A.shape[0] != A.shape[1] or A.dtype.kind not in "iuf" or A.dtype in (np.uint64, np.float16):
        return None
    matrix = A.tocsr()
    if not (matrix.has_canonical_format and matrix.data.dtype.itemsize <= 8):
        return None
    rows = Rows(matrix.indptr, matrix.indices, _numbers(matrix.data), directed=directed)
    try:
        rows.validate()
    except ValueError:  # not symmetric: of two entries, NetworkX keeps one
        return None
    return rows


def _numbers(values: Any) -> np.ndarray:
    """The values as Python's numbers are: int64 or float64."""
    return values.astype(np.float64 if values.dtype.kind == "f" else np.int64, copy=False)

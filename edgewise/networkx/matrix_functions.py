"""Graphs from matrices of SciPy under NetworkX's names: a matrix has the rows of a graph."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from edgewise.graph.graph import Graph as Rows
from edgewise.networkx.compact import Compact
from edgewise.networkx.graph_classes import DiGraph, Graph, adopted, from_compact

__all__: list[str] = []


def from_scipy_sparse_array(A, parallel_edges=False, create_using=None, edge_attribute="weight"):
    """A graph whose edges are the stored entries, without a copy where types allow."""
    known = {None: False, nx.Graph: False, Graph: False, nx.DiGraph: True, DiGraph: True}
    if isinstance(create_using, (type(None), type)) and create_using in known:
        rows = _rows(A, known[create_using])
        if rows is not None:
            made = Compact.of_graph(Rows(rows.indptr, rows.indices, directed=rows.directed))
            made.attributes[edge_attribute] = _numbers(rows.weights)
            return from_compact(made)
    original = nx.utils.backends._registered_algorithms["from_scipy_sparse_array"].orig_func
    return adopted(original(A, parallel_edges, create_using, edge_attribute))


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

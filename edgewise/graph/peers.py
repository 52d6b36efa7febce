"""Graphs from and to NetworKit, PyTorch Geometric and DGL.

Arrays are shared where types and layouts allow. PyTorch Geometric stores ends as int64, a graph
its neighbors as int32: ``edge_index`` is a copy, weights and columns of numbers are not. DGL keeps
the rows of a graph as they are. NetworKit takes arrays of edges and stores them in its own way.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.transfer import check_host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["from_dgl", "from_networkit", "from_pyg", "to_dgl", "to_networkit", "to_pyg"]

_FIELDS = ("edge_index", "edge_weight", "num_nodes")


def from_networkit(cls: Any, graph: Any) -> Graph:
    """Return a graph built from a NetworKit graph, directed or weighted if that graph is.

    Vertices keep their numbers. A deleted node is an isolated vertex.

    Parameters
    ----------
    graph : networkit.Graph
        The graph to convert.

    Examples
    --------
    >>> import networkit
    >>> from edgewise.graph import Graph
    >>> Graph.from_networkit(networkit.generators.ErdosRenyiGenerator(4, 1).generate()).num_edges
    6
    """
    kind = np.dtype([("source", np.int64), ("target", np.int64), ("weight", np.float64)])
    if not hasattr(graph, "iterEdgesWeights"):
        raise TypeError(f"graph must be a networkit.Graph, got {type(graph).__name__}")
    found = np.fromiter(graph.iterEdgesWeights(), kind, graph.numberOfEdges())
    return cls.from_edges(
        found["source"],
        found["target"],
        found["weight"] if graph.isWeighted() else None,
        directed=graph.isDirected(),
        num_vertices=graph.upperNodeIdBound(),
    )


def to_networkit(graph: Graph) -> Any:
    """Return a NetworKit graph with the same vertex numbers, without labels and columns.

    Weights become float64, as NetworKit has them.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2], [2.5, 3]).to_networkit().weight(1, 0)
    2.5
    """
    import networkit

    check_host(graph, "to_networkit")
    sources, targets, weights = graph.edges()
    data = np.ones(len(sources)) if weights is None else np.array(weights, np.float64)
    ends = tuple(np.array(one, np.intp) for one in (sources, targets))
    result = networkit.Graph(graph.num_vertices, weights is not None, graph.directed)
    return result.addEdges((data, ends))


def from_pyg(
    cls: Any,
    data: Any,
    *,
    directed: bool | None = None,
    weight: str | None = "edge_weight",
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return a graph built from PyTorch Geometric's ``Data``, or from an ``edge_index``.

    Parameters
    ----------
    data : torch_geometric.data.Data, or tensor of shape (2, number of edges)
        The graph, in host memory or on a GPU.
    directed : bool, optional
        Whether edges are directed; by default False if every edge is there in both directions, with
        the same weight.
    weight : str or None
        The attribute that holds the weights. The graph is unweighted if it is missing, or for None.
    edge_columns, vertex_columns : bool or list of str
        The attributes to keep as columns: all of them for True. An attribute with several numbers
        per vertex, such as ``x``, becomes a column of lists of this length.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> Graph.from_pyg(np.array([[0, 1, 1, 2], [1, 0, 2, 1]]))
    Graph(undirected, 3 vertices, 2 edges, 48 B)
    """
    if hasattr(data, "node_types"):
        raise ValueError(
            f"data must have one type of nodes and one of edges, got {type(data).__name__}; "
            "data.to_homogeneous() has"
        )
    index = data.edge_index if hasattr(data, "edge_index") else data
    if getattr(index, "ndim", 0) != 2 or len(index) != 2:
        raise ValueError(
            f"edge_index must have shape (2, number of edges), got {getattr(index, 'shape', index)}"
        )
    given: dict[str, Any] = {} if index is data else data.to_dict()
    names = [name for name in given if not name.startswith("_")]  # a Batch has its own
    of_edges = {name: given[name] for name in names if data.is_edge_attr(name)}
    of_nodes = {name: given[name] for name in names if data.is_node_attr(name)}
    weights = None if weight is None else _plain(given.get(weight))
    count = data.num_nodes if index is not data else None
    ends, m = [_plain(one) for one in index], index.shape[1]
    columns = _attributes(of_edges, edge_columns, "edge_columns", m, weight)
    named = _attributes(of_nodes, vertex_columns, "vertex_columns", count, weight)
    options = {"num_vertices": count, "edge_columns": columns, "vertex_columns": named}
    return _from_ends(cls, ends, weights, directed, options)


def _from_ends(cls: Any, ends: Any, weights: Any, directed: bool | None, options: Any) -> Graph:
    """The graph of these arcs; undirected by default if every arc is there in both directions."""
    if directed is None or directed is False:
        try:
            return cls.from_edges(*ends, weights, symmetrize="given", duplicates="raise", **options)
        except ValueError:
            if directed is False:
                raise
    return cls.from_edges(*ends, weights, directed=True, **options)


def to_pyg(graph: Graph) -> Any:
    """Return PyTorch Geometric's ``Data``: edges in both directions, weights, and columns.

    ``edge_index`` lists the arcs in the order of ``graph.arcs()``. ``edge_weight`` shares the
    memory of the graph's weights, and so do columns of numbers of vertices: copy a tensor before
    you change it. Columns of edges are given for every arc. Labels and columns of text are left
    out with a warning.

    >>> import pytest
    >>> _ = pytest.importorskip("torch_geometric")
    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).to_pyg().edge_index.tolist()
    [[0, 1, 1, 2], [1, 0, 2, 1]]
    """
    import torch
    from torch_geometric.data import Data

    check_host(graph, "to_pyg")
    sources, targets, weights = graph.arcs()
    index = np.empty((2, graph.num_arcs), np.int64)
    index[0], index[1] = sources, targets
    made = Data(edge_index=torch.from_numpy(index), num_nodes=graph.num_vertices)
    if weights is not None:
        made.edge_weight = _tensor(weights)
    _add_columns(graph, made, made, "a Data")
    return made


def _add_columns(graph: Graph, in_edges: Any, in_nodes: Any, place: str) -> None:
    """Columns of numbers as tensors by their names; what has no place is left out with a warning.

    Columns of edges are given for every arc.
    """
    left_out = [] if graph.labels is None else ["labels"]
    for part in ("edges", "vertices"):
        table: Any = None if graph.columns is None else getattr(graph.columns, part)
        for name in () if table is None else table.column_names:
            values, where = _numbers(table.column(name)), in_edges if part == "edges" else in_nodes
            if values is None or name in _FIELDS or name in where:
                left_out.append(f"column {name!r}")
            elif part == "edges" and not graph.directed:
                where[name] = _tensor(values[graph.arc_to_edge])
            else:
                where[name] = _tensor(values)
    if left_out:
        warnings.warn(f"{place} has no place for {', '.join(left_out)}", stacklevel=3)


def from_dgl(
    cls: Any,
    graph: Any,
    *,
    directed: bool | None = None,
    weight: str | None = "weight",
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return a graph built from a DGL graph with one type of nodes and one of edges.

    If DGL holds the graph as ascending rows, the result shares its arrays.

    Parameters
    ----------
    graph : dgl.DGLGraph
        The graph, in host memory.
    directed : bool, optional
        Whether edges are directed; by default False if every edge is there in both directions, with
        the same weight.
    weight : str or None
        The name in ``graph.edata`` of the weights. The graph is unweighted if it is missing, or for
        None.
    edge_columns, vertex_columns : bool or list of str
        The names in ``graph.edata`` and ``graph.ndata`` to keep as columns: all of them for True.

    Examples
    --------
    >>> import pytest
    >>> dgl = pytest.importorskip("dgl")
    >>> from edgewise.graph import Graph
    >>> Graph.from_dgl(dgl.graph(([0, 1, 1, 2], [1, 0, 2, 1])))
    Graph(undirected, 3 vertices, 2 edges, 48 B)
    """
    if not hasattr(graph, "adj_tensors"):
        raise TypeError(f"graph must be a dgl.DGLGraph, got {type(graph).__name__}")
    if not graph.is_homogeneous:
        raise ValueError(
            f"graph must have one type of nodes and one of edges, got {len(graph.ntypes)} and "
            f"{len(graph.etypes)}; dgl.to_homogeneous(graph) has"
        )
    n, m = graph.num_nodes(), graph.num_edges()
    weights = _plain(graph.edata.get(weight)) if weight is not None else None
    of_edges, of_nodes = dict(graph.edata), dict(graph.ndata)
    columns = _attributes(of_edges, edge_columns, "edge_columns", m, weight)
    named = _attributes(of_nodes, vertex_columns, "vertex_columns", n, weight)
    if columns is None and (rows := _rows_of(cls, graph, weights, directed)) is not None:
        return rows if named is None else rows.with_columns(vertices=named)
    ends = [_plain(one) for one in graph.edges(order="eid")]
    options = {"num_vertices": n, "edge_columns": columns, "vertex_columns": named}
    return _from_ends(cls, ends, weights, directed, options)


def _rows_of(cls: Any, graph: Any, weights: Any, directed: bool | None) -> Graph | None:
    """The rows of a DGL graph, not copied; None if it has none, or not in our order."""
    if "csr" not in graph.formats()["created"]:
        return None
    indptr, indices, numbers = map(_plain, graph.adj_tensors("csr"))
    if len(numbers) and (numbers != np.arange(len(numbers))).any():
        return None
    for kind in (False, True) if directed is None else (directed,):
        made = cls(indptr, indices, weights, directed=kind)
        try:
            made.validate()
        except ValueError:
            continue
        return made
    return None


def to_dgl(graph: Graph) -> Any:
    """Return a DGL graph: edges in both directions, weights, and columns.

    DGL takes the rows as they are. ``edata["weight"]`` and the neighbors share the memory of the
    graph, and so do columns of numbers of vertices: copy a tensor before you change it. Edges have
    the order of ``graph.arcs()``. Columns of edges are given for every arc. Labels and columns of
    text are left out with a warning.

    >>> import pytest
    >>> _ = pytest.importorskip("dgl")
    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).to_dgl().num_edges()
    4
    """
    import dgl

    check_host(graph, "to_dgl")
    kind = graph.indices.dtype if graph.num_arcs < 2**31 else np.dtype(np.int64)
    rows = (_tensor(one.astype(kind, copy=False)) for one in (graph.indptr, graph.indices))
    made = dgl.graph(("csr", (*rows, [])), num_nodes=graph.num_vertices)
    if graph.weights is not None:
        made.edata["weight"] = _tensor(graph.weights)
    _add_columns(graph, made.edata, made.ndata, "a DGL graph")
    return made


def _tensor(array: np.ndarray) -> Any:
    """A tensor that shares the array's memory, which torch cannot mark as read-only."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.from_numpy(array)


def _numbers(column: Any) -> np.ndarray | None:
    """A column of numbers, or of lists of one length, as an array; None if it has other values."""
    import pyarrow

    if column.null_count:
        return None
    one = column.num_chunks == 1  # which would be copied
    whole = column.chunk(0) if one else column.combine_chunks()
    if pyarrow.types.is_fixed_size_list(column.type):
        inside = _numbers(pyarrow.chunked_array([whole.flatten()]))
        return None if inside is None else inside.reshape(-1, column.type.list_size)
    kind = column.type
    numbers = pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)
    if not (numbers or pyarrow.types.is_boolean(kind)):
        return None
    return whole.to_numpy(zero_copy_only=False)


def _plain(tensor: Any) -> Any:
    """A tensor as an array that shares its memory: NumPy's, or one on its GPU."""
    if tensor is None or isinstance(tensor, np.ndarray):
        return tensor
    tensor = tensor.detach()
    return tensor if tensor.device.type == "cuda" else tensor.numpy()


def _attributes(
    given: dict[str, Any], wanted: Any, argument: str, count: int | None, weight: Any
) -> dict[str, Any] | None:
    """Attributes as columns: those of all or some names."""
    if wanted is False:
        return None
    import pyarrow

    used = (*_FIELDS, weight)
    there = {name: one for name, one in given.items() if name not in used
             and getattr(one, "ndim", 0) in (1, 2) and len(one) == count}  # fmt: skip
    names = [*there] if wanted is True else [wanted] if isinstance(wanted, str) else [*wanted]
    found: dict[str, Any] = {}
    for name in names:
        if name not in there:
            known = ", ".join(map(repr, there)) or "none"
            raise ValueError(f"{argument} must name attributes, got {name!r}; there are: {known}")
        values = there[name].detach().cpu().numpy()
        if values.ndim == 1:
            found[name] = values
        else:
            flat = pyarrow.array(np.ascontiguousarray(values).ravel())
            found[name] = pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1])
    return found or None

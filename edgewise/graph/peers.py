"""Graphs from and to NetworKit and PyTorch Geometric.

Arrays are shared where types and layouts allow. PyTorch Geometric stores ends as int64, a graph
its neighbors as int32: ``edge_index`` is a copy, weights and columns of numbers are not. NetworKit
takes arrays of edges and stores them in its own way.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.transfer import check_host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["from_networkit", "from_pyg", "to_networkit", "to_pyg"]

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
    index = data.edge_index if hasattr(data, "edge_index") else data
    if getattr(index, "ndim", 0) != 2 or len(index) != 2:
        raise ValueError(
            f"edge_index must have shape (2, number of edges), got {getattr(index, 'shape', index)}"
        )
    given = {} if index is data else data.to_dict()
    weights = None if weight is None else _plain(given.get(weight))
    count = data.num_nodes if index is not data else None
    ends, m = [_plain(one) for one in index], index.shape[1]
    columns = _attributes(data, given, edge_columns, "edge_columns", m, weight, edges=True)
    named = _attributes(data, given, vertex_columns, "vertex_columns", count, weight, edges=False)
    options = {"num_vertices": count, "edge_columns": columns, "vertex_columns": named}
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
    left_out = [] if graph.labels is None else ["labels"]
    for part in ("edges", "vertices"):
        table: Any = None if graph.columns is None else getattr(graph.columns, part)
        for name in () if table is None else table.column_names:
            values = _numbers(table.column(name))
            if values is None or name in _FIELDS:
                left_out.append(f"column {name!r}")
            elif part == "edges" and not graph.directed:
                made[name] = _tensor(values[graph.arc_to_edge])
            else:
                made[name] = _tensor(values)
    if left_out:
        warnings.warn(f"a Data has no place for {', '.join(left_out)}", stacklevel=2)
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
    whole = column.combine_chunks()
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
    data: Any, given: dict[str, Any], wanted: Any, argument: str, count: int | None, weight: Any, *,
    edges: bool,
) -> dict[str, Any] | None:  # fmt: skip
    """Attributes as columns: those of all or some names."""
    if wanted is False:
        return None
    import pyarrow

    used = (*_FIELDS, weight)
    test = getattr(data, "is_edge_attr" if edges else "is_node_attr", lambda name: False)
    there = {name: one for name, one in given.items() if name not in used and test(name)
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

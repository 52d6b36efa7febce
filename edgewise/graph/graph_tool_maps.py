"""Graphs from and to graph-tool, by its public functions on arrays of edges.

Weights, labels and columns are property maps. graph-tool has no missing values: where ``year`` is
missing, the map of booleans ``missing:year`` is true, as in the .gt files that Edgewise writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.transfer import check_host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["from_graph_tool", "to_graph_tool"]

_MISSING = "missing:"
#: The types of property maps by those of Arrow; columns of other types hold Python objects.
_KINDS = {"bool": "bool", "int8": "int16_t", "uint8": "int16_t", "int16": "int16_t",
          "uint16": "int32_t", "int32": "int32_t", "uint32": "int64_t", "int64": "int64_t",
          "halffloat": "double", "float": "double", "double": "double", "string": "string",
          "large_string": "string"}  # fmt: skip


def from_graph_tool(
    cls: Any,
    graph: Any,
    *,
    weight: str | None = "weight",
    label: str | None = "label",
    duplicates: str | Mapping[str, str] = "sum",
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return a graph built from a graph-tool graph, directed if that graph is.

    Vertices keep their numbers. Those of a filtered graph become labels, if they have gaps.

    Parameters
    ----------
    graph : graph_tool.Graph
        The graph to convert, or a view of one.
    weight : str or None
        The edge property map of the weights. The graph is unweighted for None, and if the default
        ``"weight"`` is missing. Any other map must exist.
    label : str or None
        The vertex property map of the labels, which must be distinct. There are none for None, and
        if the default ``"label"`` is missing. Any other map must exist.
    duplicates : {"sum", "min", "max", "first", "raise"} or mapping
        How the weights and columns of parallel edges are combined, as in `from_edges`.
    edge_columns, vertex_columns : bool or list of str
        The internal property maps of edges and vertices to keep as columns: all of them for True.

    Examples
    --------
    >>> import pytest
    >>> graph_tool = pytest.importorskip("graph_tool")
    >>> from edgewise.graph import Graph
    >>> friends = graph_tool.Graph(directed=False)
    >>> friends.add_edge_list([(0, 1), (1, 2)])
    >>> Graph.from_graph_tool(friends)
    Graph(undirected, 3 vertices, 2 edges, 48 B)
    """
    if not (hasattr(graph, "get_edges") and hasattr(graph, "edge_index")):
        raise TypeError(f"graph must be a graph_tool.Graph, got {type(graph).__name__}")
    own = np.asarray(graph.get_vertices(), np.int64)
    edges = np.asarray(graph.get_edges([graph.edge_index])).astype(np.int64)
    ends, index = edges[:, :2], edges[:, 2]
    gaps = len(own) > 0 and int(own[-1]) != len(own) - 1
    if gaps:
        ends = np.searchsorted(own, ends)
    in_edges, in_nodes = dict(graph.ep), dict(graph.vp)
    weight = _name_of(in_edges, weight, "weight")
    label = _name_of(in_nodes, label, "label")

    def of_edges(name: str) -> Any:
        rows = graph.iter_edges(eprops=[graph.edge_index, in_edges[name]])
        return _values(in_edges[name], index, ((row[2], row[3]) for row in rows))

    def of_nodes(name: str) -> Any:
        return _values(in_nodes[name], own, graph.iter_vertices(vprops=[in_nodes[name]]))

    result = cls.from_edges(
        ends[:, 0],
        ends[:, 1],
        None if weight is None else of_edges(weight),
        directed=graph.is_directed(),
        num_vertices=len(own),
        duplicates=duplicates,
        edge_columns=_columns(in_edges, of_edges, edge_columns, "edge_columns", weight),
        vertex_columns=_columns(in_nodes, of_nodes, vertex_columns, "vertex_columns", label),
    )
    if label is not None:
        return result.with_labels(of_nodes(label))
    return result.with_labels(own) if gaps else result


def to_graph_tool(graph: Graph, *, weight: str = "weight", label: str = "label") -> Any:
    """Return a graph-tool graph with the same vertex numbers.

    Weights, labels and columns become internal property maps. Edges are added in the order of
    ``graph.edges()``. Numbers and strings have types of graph-tool, other columns hold Python
    objects. Missing values are 0 or empty, and true in ``missing:`` and the name of the column.

    >>> import pytest
    >>> _ = pytest.importorskip("graph_tool")
    >>> from edgewise.graph import Graph
    >>> made = Graph.from_edges([0, 1], [1, 2], [2, 3]).to_graph_tool()
    >>> made.ep["weight"].a.tolist()
    [2, 3]
    """
    try:
        import graph_tool
    except ImportError:
        raise ImportError(
            "graph-tool is not installed, and not on PyPI: conda install -c conda-forge graph-tool"
        ) from None
    import pyarrow

    check_host(graph, "to_graph_tool")
    sources, targets, weights = graph.edges()
    made = graph_tool.Graph(directed=graph.directed)
    made.add_vertex(graph.num_vertices)
    made.add_edge_list(np.column_stack([sources, targets]).astype(np.int64))
    edges, nodes = _tables(graph)
    if weights is not None:
        edges = [(weight, pyarrow.chunked_array([pyarrow.array(weights)])), *edges]
    if graph.labels is not None:
        nodes = [(label, _label_column(graph.labels)), *nodes]
    for found, maps, new in ((edges, made.ep, made.new_ep), (nodes, made.vp, made.new_vp)):
        for name, column in found:
            if name in maps:
                raise ValueError(
                    f"columns must not have the name {name!r} of weights or labels: choose another "
                    "by weight= or label="
                )
            keys = made.edges() if found is edges else range(graph.num_vertices)
            maps[name] = _filled(new, column, keys, made.edge_index if found is edges else None)
            if column.null_count:
                gaps = column.is_null().to_numpy()
                maps[f"{_MISSING}{name}"] = missing = new("bool")
                missing.a = gaps
    return made


def _name_of(maps: dict[str, Any], name: str | None, usual: str) -> str | None:
    """The name of the map, or None if it is the usual one and missing."""
    if name is None or name in maps:
        return name
    if name != usual:
        known = ", ".join(map(repr, maps)) or "none"
        raise ValueError(f"{usual} must name a property map, got {name!r}; there are: {known}")
    return None


def _values(prop: Any, order: np.ndarray, rows: Any) -> Any:
    """The values of a map at these indices; ``rows`` has all of its pairs of index and value."""
    array = prop.a
    if array is None:  # of strings, vectors and objects
        found = {int(at): value for at, value in rows}
        values = [found[at] for at in order.tolist()]
        return [list(one) for one in values] if "vector" in prop.value_type() else values
    chosen = np.asarray(array)[order]
    if prop.value_type() == "bool":
        return chosen.astype(bool)
    return chosen.astype(np.float64) if chosen.dtype.kind == "f" else chosen


def _columns(
    maps: dict[str, Any], values: Any, wanted: bool | Sequence[str], given: str, used: str | None
) -> dict[str, Any] | None:
    """The maps as columns, all or some, without that of weights or labels."""
    if wanted is False:
        return None
    import pyarrow

    hidden = {name for name in maps if name.startswith(_MISSING) and name[len(_MISSING) :] in maps}
    there = [name for name in maps if name != used and name not in hidden]
    names = there if wanted is True else [wanted] if isinstance(wanted, str) else [*wanted]
    found: dict[str, Any] = {}
    for name in names:
        if name not in there:
            known = ", ".join(map(repr, there)) or "none"
            raise ValueError(f"{given} must name property maps, got {name!r}; there are: {known}")
        column = values(name)
        if f"{_MISSING}{name}" in hidden:
            gaps = np.asarray(values(f"{_MISSING}{name}"), bool)
            column = pyarrow.array(column, mask=gaps)
        found[name] = column
    return found or None


def _tables(graph: Graph) -> tuple[list[tuple[str, Any]], list[tuple[str, Any]]]:
    """The columns of edges and of vertices; categories are their values."""
    import pyarrow

    def plain(column: Any) -> Any:
        kind = column.type
        return column.cast(kind.value_type) if pyarrow.types.is_dictionary(kind) else column

    tables = (None, None) if graph.columns is None else graph.columns
    edges, nodes = (
        [] if one is None else [(name, plain(one.column(name))) for name in one.column_names]
        for one in tables
    )
    return edges, nodes


def _label_column(labels: Any) -> Any:
    import pyarrow

    try:
        return pyarrow.chunked_array([pyarrow.array(labels.values)])
    except (pyarrow.ArrowException, TypeError) as error:
        raise ValueError(f"labels must be of one type for graph-tool: {error}") from None


def _kind_of(column: Any) -> str:
    """The type of the map for the values of a column."""
    from pyarrow import compute, types

    kind = column.type
    if types.is_list(kind) or types.is_large_list(kind):
        inner = _KINDS.get(str(kind.value_type))
        gaps = compute.list_flatten(column).null_count
        return "object" if gaps or inner in (None, "bool", "int16_t") else f"vector<{inner}>"
    return _KINDS.get(str(kind), "object")


def _filled(new: Any, column: Any, keys: Any, index: Any) -> Any:
    """A new map with the values of a column; ``index`` gives the rows of edges."""
    kind = _kind_of(column)
    made = new(kind)
    if kind in ("bool", "double") or kind.endswith("_t"):
        made.a = column.fill_null(False if kind == "bool" else 0).to_numpy()
        return made
    empty = None if kind == "object" else "" if kind == "string" else []
    values = [empty if one is None else one for one in column.to_pylist()]
    for key in keys:
        made[key] = values[key if index is None else index[key]]
    return made

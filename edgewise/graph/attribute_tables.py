"""Columns: named values of edges and of vertices, as Arrow tables beside the adjacency.

Row i of the table of edges belongs to edge i of ``graph.edges()``, row v of the other to vertex v.
The tables stay in host memory, whatever the device of the graph. A column moves to a GPU when
somebody asks for it by name. A graph without columns has none of these objects.

Edges of a graph are found in another one by bisection of their keys (source, target), which
ascend in ``graph.edges()``: O(m log m) work for every transformation of a graph with columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph.titles import arrow_table
from edgewise.graph.transfer import host
from edgewise.graph.uuids import with_text

if TYPE_CHECKING:
    import pyarrow

    from edgewise.graph.graph import Graph

__all__ = ["RULES", "Columns", "carried", "combined", "edge_positions", "first_rows", "make_table",
           "numeric", "select", "values_of", "with_columns", "without_views"]  # fmt: skip

#: How the values of several rows become one, by name; all but two are functions of Arrow.
RULES = {"first": None, "last": None, "sum": "sum", "min": "min", "max": "max", "mean": "mean",
         "count": "count", "list": "list", "any": "any", "all": "all"}  # fmt: skip


class Columns(NamedTuple):
    """The columns of a graph: a table for its edges, and one for its vertices; None for no columns.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2]).with_columns(edges={"year": [1999, 2004]})
    >>> graph.columns.edges.column_names, graph.columns.vertices
    (['year'], None)
    """

    edges: pyarrow.Table | None = None
    vertices: pyarrow.Table | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Columns) and all(map(_equal, self, other))

    def or_none(self) -> Columns | None:
        """Nothing, if there are no columns."""
        return None if self.edges is None and self.vertices is None else self


def _equal(one: Any, other: Any) -> bool:
    return one is other or (one is not None and other is not None and one.equals(other))


def make_table(columns: Any, count: int, what: str, given: str) -> Any:
    """An Arrow table of ``count`` rows from a mapping of arrays, a data frame or a table.

    ``what`` is "edge" or "vertex", and ``given`` is the argument's name, for messages.

    >>> make_table({"km": [1.5, None]}, 2, "edge", "edges").column("km").to_pylist()
    [1.5, None]
    """
    import pyarrow

    if columns is None:
        return None
    if hasattr(columns, "__arrow_c_stream__") and not isinstance(columns, pyarrow.Table):
        columns = arrow_table(columns)
    if isinstance(columns, pyarrow.Table):
        columns = dict(zip(columns.column_names, columns.columns, strict=True))
    elif hasattr(columns, "columns") and hasattr(columns, "iloc"):  # of an older pandas
        columns = {name: columns[name] for name in columns.columns}
    if not isinstance(columns, Mapping):
        kind = type(columns).__name__
        raise TypeError(f"{given} must map names to values, or be a table, got {kind}")
    arrays = {str(name): _array(values, str(name), given) for name, values in columns.items()}
    for name, array in arrays.items():
        if len(array) != count:
            raise ValueError(
                f"column {name!r} must have one entry per {what} ({count}), got {len(array)}"
            )
    return pyarrow.table(arrays) if arrays else None


def _array(values: Any, name: str, given: str) -> Any:
    import pyarrow

    if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray)):
        return without_views(values)
    values = host(values)
    try:
        if hasattr(values, "to_arrow"):  # as Polars has it
            return without_views(values.to_arrow())
        if not isinstance(values, Sequence) and np.ndim(values) != 1:
            raise ValueError(f"it has {np.ndim(values)} dimensions")
        return pyarrow.array(values, from_pandas=not isinstance(values, (list, tuple)))
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{given} must hold columns of one type each; {name!r}: {error}") from None


def without_views(column: Any) -> Any:
    """A column with plain strings for views, as Polars has, and for UUIDs.

    Arrow cannot select rows of views, and few formats have UUIDs.

    >>> import pyarrow
    >>> without_views(pyarrow.chunked_array([["a"]], pyarrow.string_view())).type
    DataType(large_string)
    """
    column = with_text(column)
    kind = _without_views(column.type)
    return column if kind == column.type else column.cast(kind)


def _without_views(kind: Any) -> Any:
    import pyarrow
    from pyarrow import types

    if "view" not in str(kind):
        return kind
    if types.is_dictionary(kind):
        return pyarrow.dictionary(kind.index_type, _without_views(kind.value_type), kind.ordered)
    if types.is_fixed_size_list(kind):
        return pyarrow.list_(_without_views(kind.value_type), kind.list_size)
    if types.is_struct(kind):
        return pyarrow.struct([one.with_type(_without_views(one.type)) for one in kind])
    if types.is_string_view(kind) or types.is_binary_view(kind):
        return pyarrow.large_string() if types.is_string_view(kind) else pyarrow.large_binary()
    return pyarrow.large_list(_without_views(kind.value_type))


def values_of(column: Any) -> np.ndarray:
    """A column as a NumPy array: numbers, dates, or objects; missing ones are NaN, NaT or None.

    >>> import pyarrow
    >>> values_of(pyarrow.chunked_array([["a", None]])).tolist()
    ['a', None]
    """
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.to_numpy() if column.num_chunks != 1 else column.chunk(0).to_numpy(
        zero_copy_only=False)  # fmt: skip


def numeric(column: Any, name: str, argument: str) -> np.ndarray:
    """A column of numbers without missing values, for ``weights=`` and the like."""
    import pyarrow

    kind = column.type
    numbers = pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind)
    if not (numbers or pyarrow.types.is_boolean(kind)):
        raise TypeError(f"{argument} must name a column of numbers, but {name!r} holds {kind}")
    if column.null_count:
        raise ValueError(
            f"{argument} must name a column without missing values, but {name!r} has "
            f"{column.null_count}"
        )
    return values_of(column)


def select(table: Any, rows: Any) -> Any:
    """Some rows of a table, in that order; row -1 stands for missing values.

    >>> import pyarrow
    >>> select(pyarrow.table({"a": [5, 6]}), np.array([1, -1, 0])).column("a").to_pylist()
    [6, None, 5]
    """
    import pyarrow

    if table is None:
        return None
    rows = host(rows).astype(np.int64, copy=False)
    return table.take(pyarrow.array(rows, mask=rows < 0)).combine_chunks()


def edge_positions(graph: Graph, sources: Any, targets: Any) -> np.ndarray:
    """The position in ``graph.edges()`` of each edge by its ends; -1 if there is no such edge.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> edge_positions(graph, np.array([2, 3, 0]), np.array([1, 2, 3])).tolist()
    [1, 2, -1]
    """
    u, v, n = host(sources), host(targets), graph.num_vertices
    if not graph.directed:
        u, v = np.minimum(u, v), np.maximum(u, v)
    keys = u.astype(np.int64) * n + v
    there = host(graph.edges()[0]).astype(np.int64) * n + host(graph.edges()[1])
    found = np.searchsorted(there, keys)
    found[found == len(there)] = 0
    missing = there[found] != keys if len(there) else np.ones(len(keys), bool)
    found[missing] = -1
    return found


def first_rows(groups: np.ndarray, count: int, *, last: bool = False) -> np.ndarray:
    """The first row of each of ``count`` groups, or the last one; -1 if it has none.

    >>> first_rows(np.array([1, 0, 1, -1]), 3).tolist()
    [1, 0, -1]
    """
    rows = np.flatnonzero(groups >= 0)
    found = np.full(count, -1, np.int64)
    rows = rows if last else rows[::-1]  # of several values, NumPy keeps the one assigned last
    found[groups[rows]] = rows
    return found


def combined(
    table: Any, groups: np.ndarray, count: int, rules: Mapping[str, str], given: str, usual: str
) -> Any:
    """The table with one row for each of ``count`` groups; a row of group -1 is left out.

    ``rules`` has a word of `RULES` for columns; the others follow ``usual``, or are left out if
    that is empty. ``given`` is the argument's name, for messages.

    >>> import pyarrow
    >>> table = pyarrow.table({"a": [1, 2, 4], "b": ["x", "y", "z"]})
    >>> combined(table, np.array([0, 1, 0]), 2, {"a": "sum"}, "rules", "first").to_pydict()
    {'a': [5, 2], 'b': ['x', 'y']}
    """
    import pyarrow

    for name, rule in rules.items():
        if table is None or name not in table.column_names:
            known = "no columns" if table is None else ", ".join(map(repr, table.column_names))
            raise ValueError(f"{given} must name columns, got {name!r}; there are: {known}")
        check_choice(rule, f"{given}[{name!r}]", tuple(RULES))
    if table is None:
        return None
    chosen = {name: rules.get(name, usual) for name in table.column_names}
    arrays = {}
    for name, rule in chosen.items():
        if rule in ("first", "last"):
            rows = first_rows(groups, count, last=rule == "last")
            arrays[name] = select(table.select([name]), rows).column(0)
        elif rule:
            arrays[name] = _aggregated(table.column(name), name, groups, count, RULES[rule])
    return pyarrow.table(arrays) if arrays else None


def _aggregated(column: Any, name: str, groups: np.ndarray, count: int, function: Any) -> Any:
    import pyarrow

    if pyarrow.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    rows = pyarrow.table({"group": groups, "value": column}).filter(pyarrow.array(groups >= 0))
    try:
        made = rows.group_by("group", use_threads=False).aggregate([("value", function)])
    except (pyarrow.ArrowNotImplementedError, pyarrow.ArrowInvalid):
        raise TypeError(f"column {name!r} holds {column.type}, which has no {function}") from None
    place = np.full(count, -1, np.int64)
    place[made.column("group").to_numpy()] = np.arange(made.num_rows)
    return select(made.select([f"value_{function}"]), place).column(0)


def carried(graph: Graph, result: Any, old_ids: Any = None) -> Any:
    """``result``, some of the vertices and edges of ``graph``, with their columns.

    ``old_ids[v]`` is the vertex of ``graph`` that vertex v was; by default it is v. An edge of a
    graph that was directed has the columns of the edge from its smaller vertex, if there are two.
    """
    columns = graph.columns
    if columns is None:
        return result
    vertices = columns.vertices if old_ids is None else select(columns.vertices, old_ids)
    edges = None
    if columns.edges is not None:
        u, v = map(host, result.edges()[:2])
        if old_ids is not None:
            u, v = host(old_ids)[u], host(old_ids)[v]
        rows = edge_positions(graph, u, v)
        if graph.directed and not result.directed:
            rows = np.where(rows < 0, edge_positions(graph, v, u), rows)
        edges = select(columns.edges, rows)
    result._keep(columns=Columns(edges, vertices))
    return result


def with_columns(graph: Graph, *, edges: Any = None, vertices: Any = None) -> Graph:
    """Return the graph with more columns of edges or vertices.

    Parameters
    ----------
    edges, vertices : mapping, data frame or Arrow table, optional
        Values by name: one per edge, in the order of `edges`, or one per vertex. Numbers, strings,
        dates, categories; any array that Arrow takes. None as a value removes that column. A column
        of a known name is replaced. Weights are no column here: see `with_weights`.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(["ann", "bob"], ["bob", "eve"])
    >>> graph = graph.with_columns(edges={"year": [1999, 2004]}, vertices={"age": [31, 30, None]})
    >>> graph.edges["year"].tolist(), graph.vertices["age"].tolist()
    ([1999, 2004], [31.0, 30.0, nan])
    >>> graph.with_columns(edges={"year": None}).edges.columns
    ()
    """
    from edgewise.graph.transform import same_structure

    old = graph.columns or Columns()
    made = Columns(
        _joined(old.edges, edges, graph.num_edges, "edge", "edges"),
        _joined(old.vertices, vertices, graph.num_vertices, "vertex", "vertices"),
    )
    result = same_structure(graph, graph.stored_weights, graph.labels)
    result._keep(columns=made.or_none())
    return result


def _joined(old: Any, new: Any, count: int, what: str, given: str) -> Any:
    """The columns of a table, and others in the place of those of the same name."""
    import pyarrow

    dropped = [name for name, one in new.items() if one is None] if type(new) is dict else []
    if dropped:
        new = {name: one for name, one in new.items() if one is not None}
    if what == "edge" and isinstance(new, Mapping) and "weight" in new:
        raise ValueError("edges must not have a column 'weight': give weights to with_weights")
    table = make_table(new, count, what, given)
    arrays = {name: one.column(name) for one in (old, table) if one is not None
              for name in one.column_names}  # fmt: skip
    arrays = {name: one for name, one in arrays.items() if name not in dropped or one is None}
    return pyarrow.table(arrays) if arrays else None

"""Tables of vertices: one column, the key, holds labels; each row goes to the vertex it names.

The vertices are those of the graph and those of the table. A vertex that only the table has is
isolated, and one that only the graph has gets missing values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.attribute_tables import first_rows, select, without_views
from edgewise.graph.labels import Labels
from edgewise.graph.titles import arrow_table
from edgewise.graph.uuids import is_uuid

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["as_table", "find_key", "join_vertices", "label_values", "number_with"]


def as_table(frame: Any) -> Any:
    """A data frame of any kind as an Arrow table, without the index of pandas."""
    import pyarrow

    if isinstance(frame, pyarrow.Table):
        return _without_views(frame)
    frame = frame.collect() if hasattr(frame, "collect") else frame
    if hasattr(frame, "iloc"):
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    if not hasattr(frame, "__arrow_c_stream__"):
        raise TypeError(f"vertices must be a data frame or an Arrow table, got {type(frame)}")
    return _without_views(arrow_table(frame))


def _without_views(table: Any) -> Any:
    import pyarrow

    columns = [without_views(one) for one in table.columns]
    return pyarrow.table(columns, table.column_names) if columns else table


def find_key(names: Sequence[str], vertex: str | None) -> str:
    """The name of the column that identifies the vertices: by default the first.

    >>> find_key(["code", "city"], None)
    'code'
    """
    if not names:
        raise ValueError("vertices must have a column that identifies them, got no columns")
    key = names[0] if vertex is None else vertex
    if (count := [*names].count(key)) != 1:
        known = ", ".join(map(repr, names))
        several = f"of which there are {count}; " if count else ""
        raise ValueError(
            f"vertex must name a column of vertices, got {key!r}; {several}there are: {known}"
        )
    return key


def label_values(column: Any, name: str) -> Any:
    """A column of labels: strings stay with Arrow, whose encoding is fast, the rest is NumPy's."""
    if column.null_count:
        at = next(i for i, value in enumerate(column) if not value.is_valid)
        raise ValueError(f"column {name!r} must not have missing values, got one in row {at}")
    column = without_views(column)
    kind = str(column.type)
    return column if "string" in kind or "dictionary" in kind else np.asarray(column)


def number_with(
    ends: Sequence[Any], names: tuple[str, ...], table: Any, key: str
) -> tuple[Labels, list[np.ndarray], Any]:
    """The labels in some columns and in the key of a table, the columns as ids, and rows by vertex.

    >>> import pyarrow
    >>> table = pyarrow.table({"code": ["c", "a"], "age": [31, 30]})
    >>> labels, (ids,), rows = number_with([["b", "a"]], ("source",), table, "code")
    >>> labels.values.tolist(), ids.tolist(), rows.column("age").to_pylist()
    (['a', 'b', 'c'], [1, 0], [30, None, 31])
    """
    known = label_values(table.column(key), key)
    labels, (*ids, rows) = Labels.encode(*ends, known, names=(*names, key))
    repeated = np.flatnonzero(np.bincount(rows, minlength=len(labels)) > 1)
    if len(repeated):
        raise ValueError(f"vertices must be distinct, got {labels.label(int(repeated[0]))!r} twice")
    return labels, ids, select(table, first_rows(rows, len(labels))).drop_columns([key])


def join_vertices(graph: Graph, table: Any, key: str) -> Graph:
    """The graph with the vertices of a table, and its columns; vertices are found by label or id.

    If every vertex of the table is in the graph, vertices keep their ids. Otherwise they are
    numbered as `Graph.from_pandas` does it.

    >>> import pyarrow
    >>> from edgewise.graph import Graph
    >>> table = pyarrow.table({"name": ["bob", "eve"], "age": [30, 29]})
    >>> made = join_vertices(Graph.from_edges(["ann"], ["eve"]), table, "name")
    >>> made.labels.values.tolist(), made.vertices["age"].tolist()
    (['ann', 'bob', 'eve'], [nan, 30.0, 29.0])
    """
    own = _own_labels(graph)
    _check_alike(own, table.column(key), key)
    labels, (old,), found = number_with([own], ("graph",), table, key)
    if len(labels) == graph.num_vertices:
        return graph.with_columns(vertices=select(found, old)) if found.column_names else graph
    sources, targets, weights = graph.edges()
    made = type(graph).from_edges(
        old[sources], old[targets], weights, directed=graph.directed, num_vertices=len(labels),
        labels=False, edge_columns=None if graph.columns is None else graph.columns.edges,
        vertex_columns=found,
    )  # fmt: skip
    return made if labels.range_start == 0 else made.with_labels(labels)


def _own_labels(graph: Graph) -> Any:
    """The labels of the vertices, or their ids: text as Arrow has it."""
    if graph.labels is None:
        return np.arange(graph.num_vertices)
    values = graph.labels.values
    if values.dtype != object:
        return values
    import pyarrow

    try:
        return pyarrow.array(values, pyarrow.large_string())
    except (pyarrow.ArrowException, TypeError):  # labels of several types
        return values


def _check_alike(own: Any, column: Any, key: str) -> None:
    """That labels are integers on both sides or on none: 1 and "1" are different vertices."""
    import pyarrow

    kind = column.type
    if len(column) == 0 or len(own) == 0:
        return
    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    named = isinstance(own, pyarrow.Array)
    if named and not (is_uuid(kind) or pyarrow.types.is_string(kind) or "string" in str(kind)):
        raise ValueError(f"column {key!r} must hold strings, as the ends of edges do, got {kind}")
    numbered = isinstance(own, np.ndarray) and own.dtype.kind in "iu"
    if numbered and not pyarrow.types.is_integer(kind):
        raise ValueError(f"column {key!r} must hold integers, as the ends of edges do, got {kind}")

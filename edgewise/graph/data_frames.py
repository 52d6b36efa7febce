"""Graphs from and to tables of edges: pandas, Polars and Arrow.

Without labels, vertices are called by their ids outside too. Columns are called ``source``,
``target`` and ``weight`` unless told otherwise; other tables are read by their first two columns.
A second table may describe the vertices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.external_encoding import graph_of_stream
from edgewise.graph.titles import check_names, check_titles, find_ends
from edgewise.graph.transfer import check_host
from edgewise.graph.vertex_rows import as_table, find_key, label_values, number_with

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["from_arrow", "from_pandas", "from_polars", "other_columns", "to_arrow", "to_pandas",
           "to_polars"]  # fmt: skip


def from_pandas(
    cls: Any,
    frame: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = "weight",
    edge_columns: bool | Sequence[str] = False,
    vertices: Any = None,
    vertex: str | None = None,
    **options: Any,
) -> Graph:
    """Return a graph built from a pandas data frame with one edge per row.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table of edges. Polars data frames, Arrow tables and DuckDB relations are accepted, too.
    source, target : str, optional
        The columns of the two ends. By default these are the columns named source and target, src
        and dst, u and v, or from and to; otherwise the first two, as in `edgewise.read`.
    weight : str or None
        The column of weights. The graph is unweighted for None, and if the default ``"weight"`` is
        missing. A missing column of any other name is an error.
    edge_columns : bool or list of str
        The other columns that the edges keep: all of them for True. ``graph.edges["year"]`` is one.
    vertices : data frame, optional
        A table with one row per vertex. The vertices are the ends of the edges and those in this
        table, and they keep its columns. A vertex that is not in the table has missing values.
    vertex : str, optional
        The column of ``vertices`` that identifies them, by default the first one.
    **options
        As for `from_edges`: directed, num_vertices, duplicates, self_loops, symmetrize, labels.

    Examples
    --------
    >>> import pandas
    >>> from edgewise.graph import Graph
    >>> frame = pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    >>> Graph.from_pandas(frame).num_edges
    2
    >>> frame["year"] = [1999, 2004]
    >>> ages = pandas.DataFrame({"name": ["c", "a", "d"], "age": [31, 30, 29]})
    >>> graph = Graph.from_pandas(frame, edge_columns=True, vertices=ages)
    >>> graph.edges["year"].tolist(), graph.vertices["age"].tolist()
    ([1999, 2004], [30.0, nan, 31.0, 29.0])
    """
    frame = frame.collect() if hasattr(frame, "collect") else frame  # a lazy frame of Polars
    if not hasattr(frame, "iloc") and hasattr(frame, "__arrow_c_stream__"):
        return from_arrow(
            cls, frame, source=source, target=target, weight=weight, edge_columns=edge_columns,
            vertices=vertices, vertex=vertex, **options,
        )  # fmt: skip
    if not hasattr(frame, "iloc"):
        kind = type(frame).__name__
        raise TypeError(f"frame must be a data frame, an Arrow table or a relation, got {kind}")
    names = _columns(list(frame.columns), source, target, weight)
    ends = [_from_series(frame[name]) for name in names]
    kept = {
        str(name): frame[name] for name in other_columns(list(frame.columns), names, edge_columns)
    }
    return _built(cls, ends, kept, vertices, vertex, options)


def to_pandas(
    graph: Graph, result: Any = None, *, kind: str = "vertices", source: str = "source",
    target: str = "target", weight: str = "weight",
) -> Any:  # fmt: skip
    """Return a pandas data frame with one row per edge: labels, weights and columns.

    Each undirected edge is one row. With a ``result`` of an algorithm, return that instead, with
    labels, as `table` does.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"]).to_pandas().to_dict("records")
    [{'source': 'a', 'target': 'b'}]
    """
    import pandas

    if result is not None:
        return graph.table(result, kind=kind)
    check_host(graph, "to_pandas")
    columns = _edge_columns(graph, source, target, weight)
    if graph.columns is None or graph.columns.edges is None:
        return pandas.DataFrame(columns)
    rest = graph.columns.edges.to_pandas()
    return pandas.concat([pandas.DataFrame(columns), rest], axis=1)


def from_arrow(
    cls: Any,
    table: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = "weight",
    edge_columns: bool | Sequence[str] = False,
    vertices: Any = None,
    vertex: str | None = None,
    memory: int | str | None = None,
    **options: Any,
) -> Graph:
    """Return a graph built from an Arrow table with one edge per row.

    The parameters are those of `from_pandas`. A record batch is accepted too, and so is any object
    with ``__arrow_c_stream__``, such as a Polars data frame or a DuckDB relation.

    ``memory`` is a limit in bytes, or as "2GiB". The table is then read as a stream, and names of
    vertices are numbered on disk. It may be a ``pyarrow.RecordBatchReader``, such as
    ``pyarrow.csv.open_csv(path)``, of a table that is larger than memory. MemoryError is raised if
    the graph itself does not fit.

    >>> import pyarrow
    >>> from edgewise.graph import Graph
    >>> table = pyarrow.table({"source": [0, 1], "target": [1, 2], "weight": [0.5, 0.25]})
    >>> Graph.from_arrow(table, directed=True).weights.tolist()
    [0.5, 0.25]
    """
    import pyarrow

    if not isinstance(table, (pyarrow.Table, pyarrow.RecordBatch)):
        if not hasattr(table, "__arrow_c_stream__"):
            kind = type(table).__name__
            raise TypeError(f"table must be an Arrow table or have __arrow_c_stream__, got {kind}")
        check_names(getattr(table, "columns", ()))
        opened = pyarrow.table if memory is None else pyarrow.RecordBatchReader.from_stream
        table = opened(table)
    there = list(table.schema.names)
    names = _columns(there, source, target, weight)
    if memory is not None:
        if edge_columns is not False or vertices is not None:
            raise ValueError("memory cannot be given with edge_columns or vertices")
        return graph_of_stream(cls, _as_stream(table), names, memory, options)
    ends = [label_values(table.column(name), name) for name in names]
    kept = {name: table.column(name) for name in other_columns(there, names, edge_columns)}
    return _built(cls, ends, kept, vertices, vertex, options)


def from_polars(cls: Any, frame: Any, **options: Any) -> Graph:
    """Return a graph built from a Polars data frame with one edge per row; see `from_pandas`."""
    return from_arrow(cls, frame.collect() if hasattr(frame, "collect") else frame, **options)


def to_arrow(
    graph: Graph, result: Any = None, *, kind: str = "vertices", source: str = "source",
    target: str = "target", weight: str = "weight",
) -> Any:  # fmt: skip
    """Return an Arrow table with one row per edge: labels, weights and columns.

    Each undirected edge is one row. With a ``result`` of an algorithm, return that instead, with
    labels, as `table` does.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1]).to_arrow().column_names
    ['source', 'target']
    """
    import pyarrow

    if result is not None:
        return graph.table(result, kind=kind, frame="arrow")
    check_host(graph, "to_arrow")
    table = pyarrow.table(_edge_columns(graph, source, target, weight))
    if graph.columns is not None and graph.columns.edges is not None:
        for name in graph.columns.edges.column_names:
            table = table.append_column(name, graph.columns.edges.column(name))
    return table


def to_polars(
    graph: Graph, result: Any = None, *, kind: str = "vertices", source: str = "source",
    target: str = "target", weight: str = "weight",
) -> Any:  # fmt: skip
    """Return a Polars data frame with one row per edge: labels, weights and columns.

    Each undirected edge is one row. With a ``result`` of an algorithm, return that instead, with
    labels, as `table` does.
    """
    import polars

    if result is not None:
        return graph.table(result, kind=kind, frame="polars")
    table = to_arrow(graph, source=source, target=target, weight=weight)
    check_names(table.column_names)
    return polars.from_arrow(table)


def other_columns(there: list[Any], names: list[Any], columns: bool | Sequence[str]) -> list[Any]:
    """The columns to keep beside those that are read."""
    if columns is True or columns is False:
        return [name for name in there if name not in names] if columns else []
    wanted = [columns] if isinstance(columns, str) else [*columns]
    for name in wanted:
        if name not in there:
            raise ValueError(
                f"edge_columns must name columns of the table, got {name!r}; there are: "
                f"{', '.join(map(repr, there))}"
            )
    return wanted


def _built(
    cls: Any, ends: list[Any], kept: dict[str, Any], vertices: Any, vertex: str | None,
    options: dict[str, Any],
) -> Graph:  # fmt: skip
    """The graph of sources, targets and perhaps weights, with columns of edges and vertices."""
    edges = {"edge_columns": kept} if kept else {}
    if vertices is None:
        if vertex is not None:
            raise ValueError(f"vertex names a column of vertices, which is not given: {vertex!r}")
        return cls.from_edges(*ends, **edges, **options)
    if options.get("labels") is not None or options.get("num_vertices") is not None:
        raise ValueError("labels and num_vertices follow from vertices: leave them out")
    table = as_table(vertices)
    key = find_key(table.column_names, vertex)
    labels, (sources, targets), found = number_with(ends[:2], ("source", "target"), table, key)
    plain = labels.range_start == 0 or len(labels) == 0
    graph = cls.from_edges(
        sources, targets, *ends[2:], num_vertices=len(labels), labels=False, vertex_columns=found,
        **edges, **options,
    )  # fmt: skip
    return graph if plain else graph.with_labels(labels)


def _columns(
    there: list[Any], source: str | None, target: str | None, weight: str | None
) -> list[Any]:
    """The names of the columns to read, if they are there."""
    if len(there) < 2:
        raise ValueError(f"there must be columns of sources and targets, got {there}")
    first, second = find_ends([str(name) for name in there]) or (0, 1)
    names: list[Any] = [
        there[first] if source is None else source,
        there[second] if target is None else target,
    ]
    if weight is not None and (weight != "weight" or weight in there):
        names.append(weight)
    for name in names:
        if name not in there:
            raise ValueError(
                f"there must be a column {name!r}, got {', '.join(map(repr, there))}; choose "
                "others by source=, target= and weight="
            )
    return names


def _from_series(series: Any) -> Any:
    if str(series.dtype) in ("str", "string") or "pyarrow" in str(series.dtype):
        import pyarrow

        return label_values(pyarrow.chunked_array([pyarrow.array(series)]), series.name)
    return series.to_numpy()


def _as_stream(table: Any) -> Any:
    """A table, a record batch or a stream as a stream of record batches."""
    import pyarrow

    if isinstance(table, pyarrow.RecordBatch):
        table = pyarrow.Table.from_batches([table])
    return table.to_reader() if isinstance(table, pyarrow.Table) else (
        pyarrow.RecordBatchReader.from_stream(table))  # fmt: skip


def _edge_columns(graph: Graph, source: str, target: str, weight: str) -> dict[str, np.ndarray]:
    sources, targets, weights = graph.edges()
    columns = {source: graph.label(sources), target: graph.label(targets)}
    titles = {source: "source", target: "target"}
    if weights is not None:
        columns[weight], titles[weight] = weights, "weight"
    if graph.columns is not None and graph.columns.edges is not None:
        check_titles(graph.columns.edges.column_names, titles, "edges")
    return columns

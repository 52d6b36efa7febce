"""Results of algorithms as data frames, by label.

A NamedTuple says by ``_holds()`` which of its fields hold no plain values: a dict from the field's
name to ``"vertices"`` or ``"edges"``. An array is what ``kind`` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph.result_rows import Members, Rows, fitting, listed, spread_columns
from edgewise.graph.titles import check_names
from edgewise.graph.transfer import check_host, host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["table", "vertex_table"]


def table(graph: Graph, result: Any, *, kind: str = "vertices", frame: str = "pandas") -> Any:
    """Return a result as a data frame, with one row per vertex or per edge and their labels.

    An array becomes the column ``value``; one of several values per vertex becomes ``value_0``,
    ``value_1`` and so on. A NamedTuple or a dict of arrays gives one column per array; fields that
    are no values of vertices (or of edges, with ``kind="edges"``) are left out. Fields that hold
    vertices (``Paths.parent``, ``Matching.mate``) are converted to labels, and are missing where
    there is no vertex. A `Selection` of edges gives one row per selected edge. Lists of vertices,
    such as cliques, paths and overlapping communities, give one row per member.

    Parameters
    ----------
    result : array, NamedTuple or dict of arrays
        The result of an algorithm.
    kind : {"vertices", "members", "edges"}
        What an array holds. ``"vertices"``: a value per vertex. ``"members"``: a vertex per vertex,
        as for components, communities and roots. ``"edges"``: a value per edge, in the order of
        ``graph.edges()``. The length of an array does not decide: a graph may have as many edges as
        vertices.
    frame : {"pandas", "polars", "arrow"}
        What is returned. In pandas, labels of vertices are the index; otherwise they are the column
        ``vertex``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(["bob", "eve"], ["ann", "dan"])
    >>> graph.table(graph.degrees()).loc["bob", "value"].item()
    1
    >>> import edgewise as ew
    >>> graph.table(ew.connected_components(graph), kind="members").loc["eve", "value"]
    'dan'
    >>> graph.table(ew.bfs(graph, "bob"))["parent"].isna().tolist()
    [False, False, True, True]
    """
    check_choice(kind, "kind", ("vertices", "members", "edges"))
    check_choice(frame, "frame", _FRAMES)
    return _as_frame(graph, _result_rows(graph, result, kind), frame)


def vertex_table(graph: Graph, *, frame: str = "pandas", **results: Any) -> Any:
    """Return one data frame of the vertices: their labels, their columns, and several results.

    Parameters
    ----------
    frame : {"pandas", "polars", "arrow"}
        What is returned, as in `table`.
    **results
        Arrays over vertices by name. A NamedTuple of arrays gives a column per array, such as
        ``paths_distance`` and ``paths_parent`` for ``paths=``; its fields that hold vertices become
        labels.

    Examples
    --------
    >>> import edgewise as ew
    >>> graph = ew.Graph.from_edges(["ann", "bob"], ["bob", "eve"])
    >>> graph = graph.with_columns(vertices={"age": [31, 30, 29]})
    >>> print(graph.vertex_table(degree=graph.degrees(), hops=ew.bfs(graph, "ann").distance))
            age  degree  hops
    vertex
    ann      31       1     0
    bob      30       2     1
    eve      29       1     2
    """
    check_choice(frame, "frame", _FRAMES)
    own = None if graph.columns is None else graph.columns.vertices
    columns = {} if own is None else dict(zip(own.column_names, own.columns, strict=True))
    for name, result in results.items():
        rows = _result_rows(graph, result, "vertices")
        if not rows.of_vertices:
            raise ValueError(
                f"{name} must have one entry per vertex, got {type(result).__name__}; "
                "graph.table shows it alone"
            )
        single = [*rows.columns] == ["value"] and not isinstance(result, dict)
        for key, values in rows.columns.items():
            title = name if single else f"{name}_{key}"
            if title in columns:
                raise ValueError(f"results must not have the name of a column, got {title!r}")
            columns[title] = values
    return _as_frame(graph, Rows(columns, True), frame)


_FRAMES = ("pandas", "polars", "arrow")


def _as_frame(graph: Graph, rows: Rows, frame: str) -> Any:
    """The rows as a data frame or table; those of vertices with their labels."""
    if frame == "pandas":
        import pandas

        index = _index(graph) if rows.of_vertices else None
        series = {name: _for_pandas(graph, one, name) for name, one in rows.columns.items()}
        return pandas.DataFrame(series, index=index)
    import pyarrow

    every: dict[str, Any] = {}
    if rows.of_vertices:
        if "vertex" in rows.columns:
            raise ValueError(
                "no column may be called 'vertex', as the labels are, with frame='polars' and "
                "'arrow'; frame='pandas' has the labels as its index"
            )
        every["vertex"] = Members(np.arange(graph.num_vertices), None)
    table = pyarrow.table({
        name: _for_arrow(graph, one, name) for name, one in (every | rows.columns).items()
    })  # fmt: skip
    if frame == "arrow":
        return table
    import polars

    check_names(table.column_names)
    return polars.from_arrow(table)


def _index(graph: Graph) -> Any:
    import pandas

    names = range(graph.num_vertices) if graph.labels is None else graph.labels.values
    return pandas.Index(names, name="vertex")


def _for_pandas(graph: Graph, values: Any, name: str) -> Any:
    """A column for pandas; missing vertices are missing in the way of the labels' type."""
    import pandas

    if isinstance(values, Members):
        ids, missing = values.checked(name)
        column = pandas.Series(graph.label(ids))
        if missing is None:
            return column.array
        if column.dtype.kind in "iu":
            column = column.astype("UInt64" if column.dtype.kind == "u" else "Int64")
        return column.where(~missing).array
    return values.to_pandas().array if hasattr(values, "to_pandas") else values


def _for_arrow(graph: Graph, values: Any, name: str) -> Any:
    """A column for Arrow, with the type that it has; NaN is a missing value."""
    import pyarrow

    if isinstance(values, Members):
        ids, missing = values.checked(name)
        return pyarrow.array(np.asarray(graph.label(ids)), mask=missing)
    if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray)):
        return values
    return pyarrow.array(values, from_pandas=True)


def _result_rows(graph: Graph, result: Any, kind: str) -> Rows:
    holds = result._holds() if hasattr(result, "_holds") else {}
    if (rows := listed(graph, result)) is not None:
        return Rows(rows, False)
    count = graph.num_edges if kind == "edges" else graph.num_vertices
    if "edges" in holds.values():
        columns = {name: one for name, one in result._asdict().items() if np.ndim(one)}
    elif hasattr(result, "_asdict"):
        columns = fitting(result, count)
        if not columns:
            what = "edges" if kind == "edges" else "vertices"
            raise ValueError(f"result must hold values of {what}, got {type(result).__name__}")
        if "levels" in result._fields:
            kind = "members"
    else:
        columns = dict(result) if isinstance(result, dict) else {"value": result}
    columns = {name: host(values) for name, values in columns.items()}
    columns = spread_columns(columns, count)
    if "edges" in holds.values():
        (name,) = (name for name, held in holds.items() if held == "edges")
        return _edge_rows(graph, np.asarray(columns[name]), {})
    if kind == "edges":
        _check_length(columns, graph.num_edges, "edge")
        return _edge_rows(graph, slice(None), columns)
    hint = "; for values of edges pass kind='edges'"
    _check_length(columns, graph.num_vertices, "vertex", {(graph.num_edges,): hint})
    for name, values in columns.items():
        if kind == "members" or holds.get(name) == "vertices":
            columns[name] = Members(np.asarray(values))
            columns[name].checked(name)
    return Rows(columns, True)


def _check_length(
    columns: dict[str, Any], count: int, what: str, hints: dict[Any, str] | None = None
) -> None:
    for name, values in columns.items():
        try:
            shape = np.shape(values)
        except ValueError as error:
            raise ValueError(f"result must be an array, or several: {error}") from None
        if shape != (count,):
            raise ValueError(
                f"result must have one entry per {what} ({count}), "
                f"but {name} has shape {shape}{(hints or {}).get(shape, '')}"
            )


def _edge_rows(graph: Graph, chosen: Any, columns: dict[str, Any]) -> Rows:
    """Some edges by label, with their weights if there are any, and these columns."""
    check_host(graph := graph.to("cpu"), "table")
    sources, targets, weights = graph.edges()
    rows = {"source": Members(sources[chosen], None), "target": Members(targets[chosen], None)}
    if weights is not None and not columns:
        rows["weight"] = weights[chosen]
    return Rows({**rows, **columns}, False)

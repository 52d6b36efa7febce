"""Results of algorithms as data frames, by label.

A NamedTuple says by ``_holds()`` which of its fields hold no plain values: a dict from the field's
name to ``"vertices"`` or ``"edges"``. An array is what ``kind`` says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.graph.result_rows import fitting, listed, spread_columns
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
    return _as_frame(_result_table(graph, result, kind), frame)


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
    import pandas

    check_choice(frame, "frame", _FRAMES)
    parts = []
    if graph.columns is not None and graph.columns.vertices is not None:
        own = graph.columns.vertices.to_pandas()
        own.index = _index(graph)
        parts.append(own)
    for name, result in results.items():
        made = _result_table(graph, result, "vertices")
        if made.index.name != "vertex":
            raise ValueError(
                f"{name} must have one entry per vertex, got {type(result).__name__}; "
                "graph.table shows it alone"
            )
        single = [*made.columns] == ["value"] and not isinstance(result, dict)
        made.columns = [name] if single else [f"{name}_{one}" for one in made.columns]
        parts.append(made)
    whole = pandas.concat(parts, axis=1) if parts else pandas.DataFrame(index=_index(graph))
    repeated = whole.columns[whole.columns.duplicated()]
    if len(repeated):
        raise ValueError(f"results must not have the name of a column, got {repeated[0]!r}")
    return _as_frame(whole, frame)


_FRAMES = ("pandas", "polars", "arrow")


def _as_frame(made: Any, frame: str) -> Any:
    """The pandas data frame in another library's form."""
    if frame == "pandas":
        return made
    import pyarrow

    named = made.reset_index() if made.index.name else made
    table = pyarrow.Table.from_pandas(named, preserve_index=False).replace_schema_metadata(None)
    if frame == "arrow":
        return table
    import polars

    return polars.from_arrow(table)


def _index(graph: Graph) -> Any:
    import pandas

    names = range(graph.num_vertices) if graph.labels is None else graph.labels.values
    return pandas.Index(names, name="vertex")


def _result_table(graph: Graph, result: Any, kind: str) -> Any:
    import pandas

    holds = result._holds() if hasattr(result, "_holds") else {}
    rows = listed(graph, result, lambda ids: _vertex_column(graph, np.asarray(ids), "vertices"))
    if rows is not None:
        return rows
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
            columns[name] = _vertex_column(graph, np.asarray(values), name)
    return pandas.DataFrame(columns, index=_index(graph))


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


def _vertex_column(graph: Graph, ids: np.ndarray, name: str) -> Any:
    """Vertices as labels; -1 is missing, in the way of the labels' type."""
    import pandas

    if ids.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold vertex ids (integers), got dtype {ids.dtype}")
    missing = ids == -1
    column = pandas.Series(graph.label(np.where(missing, 0, ids)))
    if column.dtype.kind in "iu":
        column = column.astype("UInt64" if column.dtype.kind == "u" else "Int64")
    return column.where(~missing).array


def _edge_rows(graph: Graph, chosen: Any, columns: dict[str, Any]) -> Any:
    """Some edges by label, with their weights if there are any, and these columns."""
    import pandas

    check_host(graph := graph.to("cpu"), "table")
    sources, targets, weights = graph.edges()
    rows = {"source": graph.label(sources[chosen]), "target": graph.label(targets[chosen])}
    if weights is not None and not columns:
        rows["weight"] = weights[chosen]
    return pandas.DataFrame({**rows, **columns})

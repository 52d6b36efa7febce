"""Graphs from and to tables of edges: pandas, Polars and Arrow.

Without labels, vertices are called by their ids outside too. Columns are called ``source``,
``target`` and ``weight`` unless told otherwise; other tables are read by their first two columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.titles import find_ends
from edgewise.graph.transfer import check_host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["from_arrow", "from_pandas", "from_polars", "to_arrow", "to_pandas"]


def from_pandas(
    cls: Any,
    frame: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = "weight",
    **options: Any,
) -> Graph:
    """Return a graph built from a pandas data frame with one edge per row.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table of edges.
    source, target : str, optional
        The columns of the two ends. By default these are the columns named source and target, src
        and dst, u and v, or from and to; otherwise the first two, as in `edgewise.read`.
    weight : str or None
        The column of weights. The graph is unweighted for None, and if the default ``"weight"`` is
        missing. A missing column of any other name is an error.
    **options
        As for `from_edges`: directed, num_vertices, duplicates, self_loops, symmetrize, labels.

    Examples
    --------
    >>> import pandas
    >>> from edgewise.graph import Graph
    >>> frame = pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    >>> Graph.from_pandas(frame).num_edges
    2
    """
    names = _columns(list(frame.columns), source, target, weight)
    sources, targets, *weights = (_from_series(frame[name]) for name in names)
    return cls.from_edges(sources, targets, *weights, **options)


def to_pandas(
    graph: Graph, *, source: str = "source", target: str = "target", weight: str = "weight"
) -> Any:
    """Return a pandas data frame with one row per edge, with labels as endpoints.

    Each undirected edge is one row.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"]).to_pandas().to_dict("records")
    [{'source': 'a', 'target': 'b'}]
    """
    import pandas

    check_host(graph, "to_pandas")
    return pandas.DataFrame(_edge_columns(graph, source, target, weight))


def from_arrow(
    cls: Any,
    table: Any,
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = "weight",
    **options: Any,
) -> Graph:
    """Return a graph built from an Arrow table with one edge per row.

    The parameters are those of `from_pandas`. A record batch is accepted too, and so is any object
    with ``__arrow_c_stream__``, such as a Polars data frame or a DuckDB relation.

    >>> import pyarrow
    >>> from edgewise.graph import Graph
    >>> table = pyarrow.table({"source": [0, 1], "target": [1, 2], "weight": [0.5, 0.25]})
    >>> Graph.from_arrow(table, directed=True).weights.tolist()
    [0.5, 0.25]
    """
    if not hasattr(table, "schema") or not hasattr(table, "column"):
        import pyarrow

        if not hasattr(table, "__arrow_c_stream__"):
            kind = type(table).__name__
            raise TypeError(f"table must be an Arrow table or have __arrow_c_stream__, got {kind}")
        table = pyarrow.table(table)
    names = _columns(list(table.schema.names), source, target, weight)
    sources, targets, *weights = (_from_arrow_column(table.column(name), name) for name in names)
    return cls.from_edges(sources, targets, *weights, **options)


def from_polars(cls: Any, frame: Any, **options: Any) -> Graph:
    """Return a graph built from a Polars data frame with one edge per row; see `from_pandas`."""
    return from_arrow(cls, frame.collect() if hasattr(frame, "collect") else frame, **options)


def to_arrow(
    graph: Graph, *, source: str = "source", target: str = "target", weight: str = "weight"
) -> Any:
    """Return an Arrow table with one row per edge, with labels as endpoints.

    Each undirected edge is one row.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0], [1]).to_arrow().column_names
    ['source', 'target']
    """
    import pyarrow

    check_host(graph, "to_arrow")
    return pyarrow.table(_edge_columns(graph, source, target, weight))


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

        return _from_arrow_column(pyarrow.chunked_array([pyarrow.array(series)]), series.name)
    return series.to_numpy()


def _from_arrow_column(column: Any, name: str) -> Any:
    """Strings stay with Arrow, whose encoding is fast; the rest goes to NumPy."""
    if column.null_count:
        at = next(i for i, value in enumerate(column) if not value.is_valid)
        raise ValueError(f"column {name!r} must not have missing values, got one in row {at}")
    kind = str(column.type)
    if "view" in kind:  # as Polars has strings
        column = column.cast("large_string")
    return column if "string" in kind or "dictionary" in kind else np.asarray(column)


def _edge_columns(graph: Graph, source: str, target: str, weight: str) -> dict[str, np.ndarray]:
    sources, targets, weights = graph.edges()
    columns = {source: graph.label(sources), target: graph.label(targets)}
    if weights is not None:
        columns[weight] = weights
    return columns

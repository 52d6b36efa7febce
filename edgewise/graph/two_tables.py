"""Columns of a graph that is made of two: each row has the values of the edges or vertices it was.

Where both graphs have a value, that of one graph counts. A missing value gives way to one that is
there, as attributes do in NetworkX.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.graph.attribute_tables import Columns, edge_positions, select
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["carried_by_both"]


def carried_by_both(graph: Graph, other: Graph, result: Any, ids: Any, *, first: bool) -> Any:
    """``result`` with the columns of both graphs, whose vertices and edges it has.

    Vertex v of ``graph`` is vertex v of the result, and vertex v of ``other`` is ``ids[v]``. Values
    of ``graph`` count for ``first``, otherwise those of ``other``.

    >>> from edgewise.graph import Graph
    >>> one = Graph.from_edges([0], [1]).with_columns(edges={"km": [5]})
    >>> two = Graph.from_edges([0, 1], [1, 2]).with_columns(edges={"km": [None, 7]})
    >>> made = Graph.from_edges([0, 1], [1, 2])
    >>> carried_by_both(one, two, made, np.arange(3), first=False).edges["km"].tolist()
    [5, 7]
    """
    if graph.columns is None and other.columns is None:
        return result
    n, total = graph.num_vertices, result.num_vertices
    theirs = np.full(total, -1)
    theirs[host(ids)] = np.arange(other.num_vertices)
    mine = np.where(np.arange(total) < n, np.arange(total), -1)
    made: dict[str, Any] = {}
    for part in ("edges", "vertices"):
        tables = [None if one.columns is None else getattr(one.columns, part)
                  for one in (graph, other)]  # fmt: skip
        rows = [mine, theirs]
        if part == "edges":
            rows = [_edge_rows(graph, result, mine, tables[0]),
                    _edge_rows(other, result, theirs, tables[1])]  # fmt: skip
        made[part] = _table([*zip(tables, rows, strict=True)], first)
    result._keep(columns=Columns(**made).or_none())
    return result


def _edge_rows(graph: Graph, result: Any, old: np.ndarray, table: Any) -> Any:
    """The edge of a graph that each edge of the result was; -1 for none."""
    if table is None:
        return None
    u, v = (old[host(ends)] for ends in result.edges()[:2])
    there = (u >= 0) & (v >= 0)
    found = np.full(len(u), -1)
    found[there] = edge_positions(graph, u[there], v[there])
    return found


def _table(pairs: list[tuple[Any, Any]], first: bool) -> Any:
    """The columns of two tables; of two values, that of the first or that of the second counts."""
    import pyarrow
    from pyarrow import compute

    parts = [select(table, rows) for table, rows in pairs if table is not None]
    columns = {name: part.column(name) for part in parts for name in part.column_names}
    if len(parts) == 2:
        one, two = parts
        for name in {*one.column_names} & {*two.column_names}:
            both = [_plain(part.column(name)) for part in (parts if first else parts[::-1])]
            try:
                columns[name] = compute.coalesce(*both)
            except pyarrow.ArrowException:
                kinds = " and ".join(str(column.type) for column in both)
                raise ValueError(f"column {name!r} holds {kinds}: the graphs must agree") from None
    return pyarrow.table(columns) if columns else None


def _plain(column: Any) -> Any:
    """A column with values for categories, whose codes differ between graphs."""
    import pyarrow

    kind = column.type
    return column.cast(kind.value_type) if pyarrow.types.is_dictionary(kind) else column

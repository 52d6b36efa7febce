"""Columns in GraphML and GEXF: a note in a graph attribute keeps their types.

Integers, numbers, booleans and strings are attributes of these types. Dates, categories, lists and
other types are text, as in `edgewise.io.attributes`, and the note there says what they were.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from edgewise.graph import Graph
from edgewise.io.attributes import attributes_of, columns_line, restored

__all__ = ["Noted", "every_key", "plain_columns"]

_Wanted = bool | Sequence[str]


def plain_columns(graph: Graph, form: str) -> tuple[Graph, str]:
    """The graph with columns that NetworkX writes, and the note on their types.

    >>> import numpy
    >>> days = numpy.array(["2020-02-29"], "datetime64[D]")
    >>> graph = Graph.from_edges([0], [1]).with_columns(edges={"day": days})
    >>> plain, note = plain_columns(graph, "GraphML files")
    >>> plain.edges["day"].tolist(), note[:43]
    (['2020-02-29'], 'edgewise columns: {"edges": [["day", "date3')
    """
    from pyarrow import types

    def plain(kind: Any) -> bool:
        number = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)
        return number or types.is_string(kind) or types.is_large_string(kind)

    if graph.columns is None:
        return graph, ""
    parts = {part: attributes_of(graph, part, form, words=False) for part in ("edges", "vertices")}
    texts = {
        part: {one.name: one.texts for one in some
               if not plain(getattr(graph.columns, part).schema.field(one.name).type)}
        for part, some in parts.items()
    }  # fmt: skip
    return graph.with_columns(**texts), columns_line(parts["edges"], parts["vertices"])


def every_key(named: Any) -> set[str]:
    """The attributes that some node has."""
    return {key for _, data in named.nodes(data=True) for key in data}


class Noted(NamedTuple):
    """Name, type and key of each column of edges and vertices of a file of ours."""

    path: Path
    edges: Sequence[Sequence[str]]
    vertices: Sequence[Sequence[str]]

    def there(self, wanted: _Wanted, part: str, keys: Collection[str]) -> _Wanted:
        """The wanted columns without those that are noted, but missing in every row."""
        if isinstance(wanted, bool):
            return wanted
        known = {name for name, *_ in getattr(self, part)}
        names = [wanted] if isinstance(wanted, str) else wanted
        return [name for name in names if name in keys or name not in known]

    def restored(self, graph: Graph, edges: _Wanted, vertices: _Wanted) -> Graph:
        """The graph with columns of the types that are noted."""
        found: dict[str, dict[str, Any]] = {}
        for part, wanted, count in (("edges", edges, graph.num_edges),
                                    ("vertices", vertices, graph.num_vertices)):  # fmt: skip
            names = [wanted] if isinstance(wanted, str) else wanted
            table: Any = None if graph.columns is None else getattr(graph.columns, part)
            for name, kind, _ in getattr(self, part):
                if names is not True and (names is False or name not in names):
                    continue
                there = table is not None and name in table.column_names
                column = table.column(name) if there else [None] * count
                found.setdefault(part, {})[name] = _of_type(self.path, column, name, kind)
        return graph.with_columns(**found) if found else graph


def _of_type(path: Path, column: Any, name: str, kind: str) -> Any:
    """Values as NetworkX has read them, in the type that is noted."""
    if isinstance(column, list) or str(column.type) != kind:
        column = column if isinstance(column, list) else column.combine_chunks()
        return restored(path, column, name, kind)
    return column

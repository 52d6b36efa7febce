"""Columns in GraphML and GEXF: a note in a graph attribute keeps their types.

Integers, numbers, booleans and strings are attributes of these types. Dates, categories, lists and
other types are text, as in `edgewise.io.attributes`, and the note there says what they were.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from edgewise.graph import Graph
from edgewise.io.attributes import attributes_of, columns_line, restored

__all__ = ["NOT_XML", "Noted", "every_key", "plain_columns"]

#: A character that XML cannot hold.
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The attributes to which NetworkX gives a meaning of their own in GEXF.
_OF_BOTH = ("id", "key", "networkx_key", "type", "viz", "slices", "spells", "parents", "pid")
_TAKEN = {"edges": _OF_BOTH, "vertices": (*_OF_BOTH, "label")}
_Wanted = bool | Sequence[str]


def plain_columns(graph: Graph, form: str) -> tuple[Graph, str]:
    """The graph with columns that NetworkX writes, by their keys, and the note on their types.

    ``form`` is "GraphML files" or "GEXF files".

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
    found = {
        part: attributes_of(graph, part, form, reserved=_taken(graph, part, form), words=NOT_XML)
        for part in ("edges", "vertices")
    }
    columns: dict[str, dict[str, Any]] = {}
    for part, some in found.items():
        columns[part] = dict.fromkeys(one.name for one in some)
        for one in some:
            own = getattr(graph.columns, part).column(one.name)
            columns[part][one.key] = own if plain(own.type) else one.texts
            if not one.number:
                _check_texts(one.name, one.texts, form)
    return graph.with_columns(**columns), columns_line(found["edges"], found["vertices"])


def _taken(graph: Graph, part: str, form: str) -> tuple[str, ...]:
    """The keys that columns must not have. Times of GEXF are numbers or texts."""
    table = getattr(graph.columns, part)
    if form != "GEXF files" or table is None:
        return ()
    times = [one for one in table.schema if one.name in ("start", "end")]
    return (*_TAKEN[part], *(one.name for one in times if str(one.type) == "bool"))


def _check_texts(name: str, texts: Any, form: str) -> None:
    odd = next((one for one in texts.to_pylist() if one is not None and NOT_XML.search(one)), None)
    if odd is not None:
        raise ValueError(f"{form} cannot hold {odd!r} of the column {name!r}; .ew files can")


def every_key(named: Any) -> set[str]:
    """The attributes that some node has."""
    return {key for _, data in named.nodes(data=True) for key in data}


class Noted(NamedTuple):
    """Name, type and key of each column of edges and vertices of a file of ours."""

    path: Path
    edges: Sequence[Sequence[str]]
    vertices: Sequence[Sequence[str]]

    def rename(self, named: Any) -> None:
        """Call the attributes of a NetworkX graph as the columns that they hold."""
        for part, data in ((self.edges, named.edges(data=True)),
                           (self.vertices, named.nodes(data=True))):  # fmt: skip
            names = {key: name for name, _, key in part if key != name}
            for *_, held in data if names else ():
                renamed = {names.get(key, key): value for key, value in held.items()}
                held.clear()
                held.update(renamed)

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

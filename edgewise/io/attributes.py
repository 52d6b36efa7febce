"""Columns in formats of nodes and edges: attributes as columns, and columns as attributes.

A comment behind our header (see `edgewise.io.header`) says which columns a file holds, so that they
come back with their names and types:

    edgewise columns: {"edges": [["km run", "double", "km_run"]], "vertices": []}

Each entry is the name of the column, its Arrow type, and what the attribute is called in the file.
Dates and times stand there as text, categories as their values, lists as JSON. In other files,
an attribute becomes integers or numbers if all its values are, otherwise strings. A value such as
``007`` is a string. A node or edge without the attribute has a missing value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.nodes import as_text

__all__ = [
    "Attribute",
    "attributes_of",
    "columns_line",
    "columns_of",
    "in_order",
    "joined",
    "restored",
    "type_of",
]

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,18})", re.ASCII)
_REAL = re.compile(
    r"[-+]?(?:(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf|nan)", re.A | re.I
)
_UNFIT = re.compile(r"[^A-Za-z0-9_]")
_CATEGORY = re.compile(r"dictionary<values=(\w+), indices=(\w+), ordered=([01])>")
_DECIMAL, _ZONED = re.compile(r"decimal128\((\d+), (-?\d+)\)"), re.compile(
    r"timestamp\[(s|ms|us|ns), tz=(.+)\]")  # fmt: skip


class Attribute(NamedTuple):
    """A column as text: its name and type, the key in the file, and a text per row or none."""

    name: str
    type: str
    key: str
    texts: Any
    number: bool


def attributes_of(
    graph: Graph, part: str, form: str, *, reserved: Collection[str] = (),
    words: re.Pattern[str] | None = _UNFIT,
) -> list[Attribute]:  # fmt: skip
    """The columns of the edges or vertices as text.

    Parameters
    ----------
    graph : Graph
    part : {"edges", "vertices"}
    form : str
        The files of the format, for messages.
    reserved : collection of str
        The keys that the format itself uses.
    words : pattern or None
        The characters that a key must not have. By default it consists of letters, digits and
        underscores, and starts with a letter.

    Examples
    --------
    >>> graph = Graph.from_edges([0], [1]).with_columns(edges={"km run": [2.0]})
    >>> attributes_of(graph, "edges", "GML files")[0][:3]
    ('km run', 'double', 'km_run')
    """
    table: Any = None if graph.columns is None else getattr(graph.columns, part)
    found: list[Attribute] = []
    taken = {name.lower() for name in reserved}
    for name in () if table is None else table.column_names:
        key = base = _key(name, words)
        count = 1
        while key.lower() in taken:
            count += 1
            key = f"{base}_{count}"
        taken.add(key.lower())
        found.append(Attribute(name, *_as_texts(table.column(name), name, key, form)))
    return found


def _key(name: str, unfit: re.Pattern[str] | None) -> str:
    key = name if unfit is None else unfit.sub("_", name)
    return key if unfit is not _UNFIT or key[:1].isalpha() else f"c{key}"


def _as_texts(column: Any, name: str, key: str, form: str) -> tuple[str, str, Any, bool]:
    """The type of a column, its key, its values as text, and whether these are numbers."""
    import pyarrow
    from pyarrow import types

    kind = column.type
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        text = types.is_string(column.type) or types.is_large_string(column.type)
        kind = kind if text else column.type
    column = column.combine_chunks()
    if types.is_nested(column.type):
        texts = [None if one is None else json.dumps(one, default=str) for one in
                 column.to_pylist()]  # fmt: skip
        return "json", key, pyarrow.array(texts, pyarrow.large_string()), False
    number = types.is_integer(column.type) or types.is_floating(column.type)
    if types.is_boolean(column.type):
        column, number = column.cast("int8"), True
    elif types.is_time(column.type) or types.is_duration(column.type):
        whole = "int32" if types.is_time32(column.type) else "int64"
        column, number = column.cast(whole), True
    try:
        return str(kind), key, as_text(column), number
    except pyarrow.ArrowException:
        raise ValueError(
            f"{form} cannot hold the column {name!r} of {column.type}; .ew files can"
        ) from None


def columns_line(edges: Sequence[Attribute], vertices: Sequence[Attribute]) -> str:
    """The comment that names all columns and their types; empty if there are none."""
    if not edges and not vertices:
        return ""
    parts = {"edges": edges, "vertices": vertices}
    noted = {part: [[one.name, one.type, one.key] for one in some] for part, some in parts.items()}
    return f"edgewise columns: {json.dumps(noted)}"


def joined(
    attributes: Sequence[Attribute], between: str, quote: Callable[[str], str], *,
    quote_numbers: bool = False,
) -> Any:  # fmt: skip
    """For each row its attributes as one text: a blank, the key and the value; None without any.

    >>> graph = Graph.from_edges([0, 1], [1, 2]).with_columns(edges={"year": [1999, None]})
    >>> joined(attributes_of(graph, "edges", "GML files"), " ", repr).to_pylist()
    [' year 1999', '']
    """
    import pyarrow
    import pyarrow.compute as pc

    kind = pyarrow.large_string()
    empty, mark = pyarrow.scalar("", kind), pyarrow.scalar('"', kind)
    found = []
    for one in attributes:
        texts = one.texts
        if not one.number:
            texts = [None if text is None else quote(text) for text in texts.to_pylist()]
            texts = pyarrow.array(texts, kind)
        elif quote_numbers:
            texts = pc.binary_join_element_wise(mark, texts, mark, empty)
        start = pyarrow.scalar(f" {one.key}{between}", kind)
        found.append(pc.fill_null(pc.binary_join_element_wise(start, texts, empty), empty))
    return pc.binary_join_element_wise(*found, empty) if found else None


def columns_of(
    path: Path,
    rows: Sequence[Mapping[str, str]],
    wanted: bool | Sequence[str],
    given: str,
    noted: Sequence[Sequence[str]] = (),
    *,
    strings: Collection[str] = (),
    left_out: Collection[str] = (),
) -> dict[str, Any] | None:
    """The attributes of nodes or edges as columns, all or some; None if none are wanted.

    Parameters
    ----------
    path : Path
        Of the file, for errors.
    rows : sequence of dict
        The attributes of each node or edge, as text.
    wanted : bool or list of str
        All of them for True.
    given : str
        The argument's name, for errors.
    noted : sequence
        Name, type and key of each column of a file of ours.
    strings : collection of str
        Keys whose values are strings, also where they look like numbers.
    left_out : collection of str
        Keys that are read as something else, such as weights.

    Examples
    --------
    >>> rows = [{"year": "1999"}, {"code": "007"}]
    >>> {name: one.to_pylist() for name, one in columns_of(Path("a.gml"), rows, True, "").items()}
    {'year': [1999, None], 'code': [None, '007']}
    """
    import pyarrow

    if wanted is False:
        return None
    kinds = {key: (name, kind) for name, kind, key in noted}
    there = dict.fromkeys([*kinds, *(key for row in rows for key in row)])
    keys = {kinds.get(key, (key,))[0]: key for key in there if key not in left_out or key in kinds}
    names = [*keys] if wanted is True else [wanted] if isinstance(wanted, str) else [*wanted]
    columns: dict[str, Any] = {}
    for name in names:
        if name not in keys:
            known = ", ".join(map(repr, keys)) or "none"
            raise FileFormatError(
                path, f"{given} must name attributes, got {name!r}; there are: {known}"
            )
        key = keys[name]
        texts = [row.get(key) for row in rows]
        if key in kinds:
            columns[name] = restored(path, texts, name, kinds[key][1])
        elif key in strings:
            columns[name] = pyarrow.array(texts, pyarrow.string())
        else:
            columns[name] = _inferred(texts)
    return columns or None


def _inferred(texts: list[str | None]) -> Any:
    """Integers or numbers if all are, otherwise strings."""
    import pyarrow

    some = [text for text in texts if text is not None]
    if all(map(_WHOLE.fullmatch, some)):
        whole = [None if text is None else int(text) for text in texts]
        if all(one is None or -(2**63) <= one < 2**63 for one in whole):
            return pyarrow.array(whole, pyarrow.int64())
    if all(map(_REAL.fullmatch, some)):
        numbers = [None if text is None else float(text) for text in texts]
        return pyarrow.array(numbers, pyarrow.float64())
    return pyarrow.array(texts, pyarrow.string())


def restored(path: Path, values: Any, name: str, kind: str) -> Any:
    """Values, texts as a list or an Arrow array, in the type that our comment names."""
    import pyarrow

    try:
        texts = isinstance(values, list)
        array = pyarrow.array(values, pyarrow.large_string()) if texts else values
        if kind == "json":
            return pyarrow.array([None if one is None else json.loads(one) for one in
                                  array.to_pylist()])  # fmt: skip
        if found := _CATEGORY.fullmatch(kind):
            coded = array.cast(type_of(found[1])).dictionary_encode()
            return pyarrow.DictionaryArray.from_arrays(
                coded.indices.cast(type_of(found[2])), coded.dictionary, ordered=found[3] == "1"
            )
        wanted = type_of(kind)
        if pyarrow.types.is_null(wanted):
            return pyarrow.nulls(len(array))
        if pyarrow.types.is_time32(wanted):
            return array.cast(pyarrow.int32()).cast(wanted)
        if pyarrow.types.is_time64(wanted) or pyarrow.types.is_duration(wanted):
            return array.cast(pyarrow.int64()).cast(wanted)
        return array.cast(wanted)
    except (pyarrow.ArrowException, ValueError, TypeError) as error:
        raise FileFormatError(path, f"the column {name!r} is not {kind}: {error}") from None


def type_of(kind: str) -> Any:
    """The Arrow type of a name, as Arrow writes it; strings for an unknown one.

    >>> type_of("double"), type_of("decimal128(5, 2)")
    (DataType(double), Decimal128Type(decimal128(5, 2)))
    """
    import pyarrow

    if found := _DECIMAL.fullmatch(kind):
        return pyarrow.decimal128(int(found[1]), int(found[2]))
    if found := _ZONED.fullmatch(kind):
        return pyarrow.timestamp(found[1], found[2])
    try:
        return pyarrow.type_for_alias(kind)
    except ValueError:
        return pyarrow.string()


def in_order(columns: dict[str, Any] | None, places: np.ndarray) -> dict[str, Any] | None:
    """Columns of nodes as they are listed, for vertices: node i is vertex ``places[i]``."""
    if columns is None or (places == np.arange(len(places))).all():
        return columns
    order = np.argsort(places)
    return {name: one.take(order) for name, one in columns.items()}

"""What the formats that list their nodes share: which labels they get, and lines of text.

A node has an id, a number that edges refer to, and perhaps a name. Names become the vertices'
labels where every node has one of its own. Otherwise the ids do: 0 to n - 1 are then simply the
vertices, and consecutive ids from another number on are a range, which takes no memory.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from html.entities import name2codepoint
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph.labels import Labels
from edgewise.io.binary import label_column
from edgewise.io.header import Header
from edgewise.io.notes import note

__all__ = [
    "as_text",
    "attribute_key",
    "check_attribute",
    "check_words",
    "choose_labels",
    "escaped",
    "fit_64_bits",
    "integer_column",
    "node_numbers",
    "tell_unread_attributes",
    "unescaped",
    "weight_column",
    "write_lines",
]

_WHOLE = re.compile(rb"[-+]?[0-9]{1,19}")
_ESCAPE = re.compile(r"&(?:#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]*));")
_UNFIT = re.compile(r"[\x00-\x20,]")
_ROWS = 1 << 18


def choose_labels(
    path: Path, ids: np.ndarray, names: Sequence[str | None], header: Header
) -> tuple[np.ndarray, Labels | None]:
    """The vertex that each node becomes, and the labels.

    Parameters
    ----------
    path : Path
        Of the file, for errors.
    ids : array of int
        Of the nodes as they are listed; no two alike.
    names : sequence of str or None
        Likewise; empty if none has one.
    header : Header
        Of a file of ours, where it decides.

    Examples
    --------
    >>> path = Path("a.gml")
    >>> choose_labels(path, np.array([1, 2]), ["Aachen", "Bonn"], Header())[1]
    Labels(['Aachen', 'Bonn'], 2 in all)
    >>> choose_labels(path, np.array([1, 2]), ["Bonn", "Bonn"], Header())[1]
    Labels([1, 2], 2 in all)
    """
    n = len(ids)
    places = np.arange(n)
    named = len(names) == n > 0 and None not in names and len(set(names)) == n
    if header.labels == "str" and not named:
        reason = "the header promises labels, but a node has none or that of another"
        raise FileFormatError(path, reason, header.line)
    if header.labels == "range":
        return places, Labels.range(header.first, n)
    if header.labels == "str" or (not header.labels and named and _differ(names, ids)):
        return places, Labels(list(names))
    if n == 0 or (header.labels != "int" and ids.min() == 0 and ids.max() == n - 1):
        return ids, None
    return places, Labels.ascending(ids) if (ids[1:] > ids[:-1]).all() else Labels(ids)


def _differ(names: Sequence[Any], ids: np.ndarray) -> bool:
    """Are the names more than the ids as text?"""
    return any(map(str.__ne__, names, map(str, ids.tolist())))


def integer_column(path: Path, values: Sequence[int]) -> np.ndarray:
    """Integers of 64 bits, with or without sign, as an array.

    >>> integer_column(Path("a.gml"), [-1, 2]).dtype, integer_column(Path("a.gml"), [2**63]).dtype
    (dtype('int64'), dtype('uint64'))
    """
    least, most = min(values, default=0), max(values, default=0)
    if not fit_64_bits(values):
        raise FileFormatError(path, f"ids from {least} to {most} do not fit in 64 bits")
    return np.array(values, np.int64 if most < 2**63 else np.uint64)


def fit_64_bits(values: Sequence[int]) -> bool:
    """Is there one type of 64 bits, with or without sign, for all of them?

    >>> fit_64_bits([-1, 2**63 - 1]), fit_64_bits([0, 2**63]), fit_64_bits([-1, 2**63])
    (True, True, False)
    """
    least, most = min(values, default=0), max(values, default=0)
    return least >= -(2**63) and most < (2**63 if least < 0 else 2**64)


def node_numbers(ids: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where each wanted id stands among the ids; -1 where it does not.

    >>> node_numbers(np.array([30, 10]), np.array([10, 30, 7])).tolist()
    [1, 0, -1]
    """
    if len(ids) == 0:
        return np.full(len(wanted), -1)
    order = np.argsort(ids, kind="stable")
    at = np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)
    found = order[at]
    return np.where(ids[found] == wanted, found, -1)


def attribute_key(name: str | None) -> bytes | None:
    """The name of an attribute as it stands in a file."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"an attribute must be a string, got {name!r}")
    return None if name is None else name.encode()


def check_attribute(
    path: Path, things: str, wanted: str | None, usual: str | None, there: Iterable[str]
) -> None:
    """That some nodes or edges have the attribute that the caller asks for.

    >>> check_attribute(Path("a.gml"), "edge", "kn", "weight", ["km", "road"])
    Traceback (most recent call last):
    edgewise.base.errors.FileFormatError: a.gml: no edge has an attribute 'kn'; there are: km, road
    """
    if wanted in (None, usual) or wanted in (there := sorted(set(there))):
        return
    known = f"; there are: {', '.join(there)}" if there else ""
    raise FileFormatError(path, f"no {things} has an attribute {wanted!r}{known}")


def tell_unread_attributes(names: Sequence[str]) -> None:
    """Note that edges have attributes that are numbers, where none is taken as the weight."""
    if names:
        say = f"attribute {names[0]!r} was" if len(names) == 1 else f"attributes {[*names]} were"
        keeps = f"edge_columns=True keeps {'it' if len(names) == 1 else 'them'}"
        note("columns", f"{say} not read", f"weight={names[0]!r} takes it as the weight; {keeps}",
             f"--weight {shlex.quote(names[0])}")  # fmt: skip


def weight_column(path: Path, tokens: Sequence[bytes]) -> np.ndarray:
    """Numbers as int64 if all are whole and of that size, otherwise float64.

    >>> weight_column(Path("a.gml"), [b"1", b"-2"]), weight_column(Path("a.gml"), [b"1", b"2."])
    (array([ 1, -2]), array([1., 2.]))
    """
    if all(map(_WHOLE.fullmatch, tokens)):
        exact = [*map(int, tokens)]
        if not exact or (min(exact) >= -(2**63) and max(exact) < 2**63):
            return np.array(exact, np.int64)
    try:
        return np.array([*map(float, tokens)], np.float64)
    except ValueError as error:
        raise FileFormatError(path, f"a weight is no number: {error}") from None


def unescaped(text: str) -> str:
    """Text with characters in place of escapes; an escape that stands for nothing stays.

    >>> unescaped("K&#246;ln &amp; Bonn &nothing;")
    'Köln & Bonn &nothing;'
    """
    return _ESCAPE.sub(_character, text) if "&" in text else text


def _character(found: re.Match) -> str:
    code = int(found[1]) if found[1] else name2codepoint.get(found[2], -1)
    return chr(code) if 0 <= code < 0xD800 or 0xE000 <= code < 0x110000 else found[0]


def escaped(text: str, unfit: re.Pattern) -> str:
    """Text with escapes in place of the characters that are unfit.

    >>> escaped("Köln", re.compile("[^ -~]"))
    'K&#246;ln'
    """
    return unfit.sub(lambda found: f"&#{ord(found[0])};", text)


def check_words(labels: Labels, form: str) -> Any:
    """Labels as an Arrow array, if white space can stand between them.

    Raises
    ------
    ValueError
        If one is negative or beyond 63 bits, is empty, holds white space or a comma, or starts as
        a comment does.
    """
    values = label_column(labels)
    if labels.dtype.kind in "iu":
        ends = labels.values.min(initial=0), labels.values.max(initial=0)
        wrong = [int(value) for value in ends if not 0 <= value < 2**63]
    else:
        wrong = [v for v in values.to_pylist() if not v or v[0] in "#%" or _UNFIT.search(v)]
    if wrong:
        raise ValueError(
            f"{form} cannot hold the label {wrong[0]!r}: labels must be whole numbers from 0 "
            "or names without white space and commas; CSV and Parquet hold any name"
        )
    return values


def write_lines(file: BinaryIO, count: int, *parts: Any) -> None:
    """Write so many lines, each of which joins the parts: text, or its item of a column.

    A float always shows a point or that it is none, as in ``2.0``, ``1.0e-30`` and ``nan``.

    >>> from io import BytesIO
    >>> write_lines(file := BytesIO(), 2, "a ", np.array([1, 2]), " of ", np.array([1.0, 0.5]))
    >>> file.getvalue()
    b'a 1 of 1.0\\na 2 of 0.5\\n'
    """
    import pyarrow
    import pyarrow.compute as pc

    for low in range(0, count, _ROWS):
        columns = [
            part if isinstance(part, str) else as_text(part[low : low + _ROWS]) for part in parts
        ]
        texts = [
            pyarrow.scalar(part, pyarrow.large_string()) if isinstance(part, str) else part
            for part in columns
        ]
        end, empty = (pyarrow.scalar(text, pyarrow.large_string()) for text in ("\n", ""))
        joined = pc.binary_join_element_wise(*texts, end, empty)
        offsets, text = joined.buffers()[1:]
        bounds = np.frombuffer(offsets, np.int64)
        file.write(memoryview(text)[bounds[joined.offset] : bounds[joined.offset + len(joined)]])


def as_text(column: Any) -> Any:
    """A column as text; a float always shows a point, or that it is none."""
    import pyarrow
    import pyarrow.compute as pc

    array = pyarrow.array(column)
    text = pc.cast(array, pyarrow.large_string())
    if not pyarrow.types.is_floating(array.type):
        return text
    return pc.replace_substring_regex(text, r"^(-?\d+)(e.*)?$", r"\1.0\2")

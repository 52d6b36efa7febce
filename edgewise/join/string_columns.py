"""What people have as a collection of sets of strings, as one buffer of text and ranges in it.

Lists (or tuples, sets, arrays) of lists of strings; lists of strings, each cut at a separator;
columns of pandas, Polars or Arrow of either kind. Text comes through Arrow, which has it as UTF-8,
so there is no loop over strings in Python. None (or a missing value) is an empty set. In every
form, white space around an element is taken off, and an element without letters is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.join.cpu.split import split, trimmed
from edgewise.join.cpu.strings import Texts

__all__ = ["Members", "as_members", "as_texts", "check_separator", "is_lists", "is_string"]


class Members(NamedTuple):
    """The members of all sets, as given: those of set i from ``starts[i]`` to ``starts[i + 1]``."""

    starts: np.ndarray  #: int64
    texts: Texts


def as_members(sets: Any, name: str, separator: str | None = None) -> Members:
    """A collection, in any of its forms; ``name`` is the argument's, for errors.

    >>> as_members(["a;b", None, "b"], "left", ";").starts.tolist()
    [0, 2, 2, 3]
    """
    if hasattr(sets, "columns"):
        raise TypeError(f"{name} must be one column, got a table: {name}[column] is one")
    if isinstance(sets, (str, bytes, Mapping)) or not isinstance(sets, Iterable):
        raise TypeError(f"{name} must be a list or a column of sets of strings, got {sets!r:.80}")
    column = _as_column(sets)
    if column is None:
        rows = sets if isinstance(sets, (list, tuple)) else list(sets)
        return _from_rows(rows, name, separator)
    return _from_column(column, name, separator)


def check_separator(separator: Any) -> None:
    """Refuse what cannot stand between elements."""
    if separator is None:
        return
    if not isinstance(separator, str):
        raise TypeError(f"separator must be a string, got {separator!r}")
    if not separator:
        raise ValueError(f"separator must not be empty, got {separator!r}")


def as_texts(strings: list[str]) -> Texts:
    """Python strings as ranges of one buffer.

    >>> texts = as_texts(["ab", "c"])
    >>> texts.buffer.tobytes(), texts.begins.tolist(), texts.ends.tolist()
    (b'abc', [0, 2], [2, 3])
    """
    import pyarrow as pa

    return _texts_of([pa.array(strings, pa.large_string())])


def _as_column(sets: Any) -> Any:
    """What has a type of its own as an Arrow column; None for lists and other rows of objects."""
    import pyarrow as pa

    if isinstance(sets, (pa.Array, pa.ChunkedArray)):
        return sets
    if hasattr(sets, "to_arrow"):  # Polars
        return sets.to_arrow()
    objects = getattr(sets, "dtype", None) == np.dtype(object)  # of pandas
    return pa.chunked_array(sets) if hasattr(sets, "__arrow_c_stream__") and not objects else None


def _from_rows(rows: Any, name: str, separator: str | None) -> Members:
    """Rows of Python objects: all strings, or all lists of strings; None among either."""
    kinds = set(map(type, rows))
    if kinds & {type(None), float} or any(kind.__name__ == "NAType" for kind in kinds):
        rows = [None if _is_missing(row) else row for row in rows]
        kinds = set(map(type, rows)) - {type(None)}
    if kinds and all(issubclass(kind, str) for kind in kinds):
        texts = _encoded([row or "" for row in rows], name, rows)
        return _cut(texts, name, separator)
    if separator is not None and kinds:
        raise _misfit(rows, name, f"must be a string to cut at {separator!r}", _is_text)
    for kind in kinds:
        if issubclass(kind, (str, bytes, Mapping)) or not issubclass(kind, Iterable):
            raise _misfit(rows, name, "must be a list of strings (or give separator)", _is_row)
    if not all(hasattr(kind, "__len__") for kind in kinds):
        rows = [None if row is None else list(row) for row in rows]
    if type(None) in set(map(type, rows)):
        rows = [() if row is None else row for row in rows]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    members = list(chain.from_iterable(rows))
    if not all(issubclass(kind, str) for kind in set(map(type, members))):
        raise _misfit(rows, name, "must hold strings alone", _is_all_text)
    return _tidy(offsets(sizes), _encoded(members, name, rows))


def _cut(texts: Texts, name: str, separator: str | None) -> Members:
    if separator is None:
        raise TypeError(f"{name} holds strings: give separator, at which each is cut into its set")
    return Members(*split(texts, separator))


def _tidy(starts: np.ndarray, texts: Texts) -> Members:
    """Members as those of strings that were cut: without white space around them, none empty."""
    places, parts = trimmed(texts)
    return Members(places[starts], parts)


def _encoded(strings: list[str], name: str, rows: Any) -> Texts:
    try:
        return as_texts(strings)
    except UnicodeEncodeError:
        raise _misfit(rows, name, "must have letters that UTF-8 has", _is_unicode) from None


def _misfit(rows: Any, name: str, rule: str, fits: Any) -> Exception:
    """The error for the first row that does not fit."""
    at = next(i for i, row in enumerate(rows) if row is not None and not fits(row))
    error = ValueError if fits is _is_unicode else TypeError
    return error(f"{name}[{at}] {rule}, got {rows[at]!r:.80}")


def _is_missing(row: Any) -> bool:
    """None, NaN or pandas' NA."""
    missing = row is None or (isinstance(row, float) and row != row)
    return missing or type(row).__name__ == "NAType"


def _is_text(row: Any) -> bool:
    return isinstance(row, str)


def _is_row(row: Any) -> bool:
    return isinstance(row, Iterable) and not isinstance(row, (str, bytes, Mapping))


def _is_all_text(row: Any) -> bool:
    return all(isinstance(member, str) for member in row)


def _is_unicode(row: Any) -> bool:
    text = row if isinstance(row, str) else "".join(row)
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _from_column(column: Any, name: str, separator: str | None) -> Members:
    """An Arrow column of strings or of lists of strings."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    if is_string(column.type):
        return _cut(_texts_of(chunks, name), name, separator)
    if pa.types.is_null(column.type):
        return Members(np.zeros(len(column) + 1, np.int64), as_texts([]))
    if not is_lists(column.type):
        raise TypeError(f"{name} must be a column of lists of strings, got one of {column.type}")
    if separator is not None:
        raise TypeError(f"{name} must be a column of strings to cut at {separator!r}, got lists")
    sizes = [pc.fill_null(pc.list_value_length(chunk), 0).to_numpy() for chunk in chunks]
    values = [chunk.flatten() for chunk in chunks]  # those of missing lists are left out
    starts = offsets(np.concatenate([np.zeros(0, np.int64), *sizes]).astype(np.int64))
    before = 0
    for part in values:
        if part.null_count:
            at = before + int(np.flatnonzero(part.is_null().to_numpy(zero_copy_only=False))[0])
            row = int(np.searchsorted(starts, at, "right")) - 1
            raise TypeError(f"{name}[{row}] must hold strings alone, got a missing one")
        before += len(part)
    return _tidy(starts, _texts_of(values, name))


def is_string(kind: Any) -> bool:
    """Whether an Arrow type is one of strings."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view()


def is_lists(kind: Any) -> bool:
    """Whether an Arrow type is one of lists of strings."""
    import pyarrow as pa

    lists = pa.types.is_list(kind) or pa.types.is_large_list(kind)
    if not (lists or pa.types.is_fixed_size_list(kind)):
        return False
    return is_string(kind.value_type) or pa.types.is_null(kind.value_type)


def _texts_of(chunks: list, name: str = "texts") -> Texts:
    """Arrow arrays of strings as ranges of one buffer; missing ones are empty."""
    import pyarrow as pa

    kind = pa.large_string()
    parts = [part.cast(kind) for part in chunks]
    whole = parts[0] if len(parts) == 1 else pa.concat_arrays([pa.array([], kind), *parts])
    if whole.null_count:
        whole = whole.fill_null("")
    try:
        whole.validate(full=True)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{name} must be valid UTF-8: {error}") from None
    _, offsets, content = whole.buffers()
    if len(whole) == 0 or content is None:
        nothing = np.zeros(len(whole), np.int64)
        return Texts(np.zeros(0, np.uint8), nothing, nothing)
    bounds = np.frombuffer(offsets, np.int64)[whole.offset : whole.offset + len(whole) + 1]
    return Texts(np.frombuffer(content, np.uint8), bounds[:-1], bounds[1:])

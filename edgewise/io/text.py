"""What the text formats share: head lines, checks, rows to a graph, and writing rows."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.team import share
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch

__all__ = [
    "Line",
    "check_columns",
    "check_size",
    "lines",
    "look_like_names",
    "names",
    "not_utf8",
    "only",
    "shown",
    "split_line",
    "text_start",
    "usual_width",
    "warn_skipped",
    "write_rows",
]

_WHITE = b" \t\r\v\f"
_BETWEEN = re.compile(rb"[ \t\r\v\f]*,[ \t\r\v\f]*|[ \t\r\v\f]+")
_ROWS = 1 << 20


class Line(NamedTuple):
    """A line of a text: its number from 1, where it and the next one start, and what it holds."""

    number: int
    start: int
    after: int
    content: bytes


def text_start(data: np.ndarray) -> int:
    """Where the text starts: after the byte order mark, if there is one."""
    return 3 if bytes(data[:3]) == b"\xef\xbb\xbf" else 0


def lines(data: np.ndarray, start: int = 0, number: int = 1) -> Iterator[Line]:
    """The lines from byte ``start`` on, without their line ends and outer white space."""
    while start < len(data):
        size = 4096
        while True:
            window = bytes(data[start : start + size])
            length = window.find(b"\n")
            if length >= 0 or start + size >= len(data):
                break
            size *= 16
        after = start + length + 1 if length >= 0 else len(data)
        content = window[:length] if length >= 0 else window
        yield Line(number, start, after, content.strip(_WHITE))
        start, number = after, number + 1


def split_line(content: bytes, delimiter: bytes = b"") -> list[bytes]:
    """The columns of a line, as `edgewise.io.parse` finds them.

    >>> split_line(b"1, 2\\t3"), split_line(b"New York; 2 ;", b";")
    ([b'1', b'2', b'3'], [b'New York', b'2', b''])
    """
    content = content.strip(_WHITE.replace(delimiter, b"") if delimiter else _WHITE)
    if delimiter:
        return [column.strip(_WHITE) for column in content.split(delimiter)]
    return _BETWEEN.split(content)


def shown(raw: Any) -> str:
    """A piece of a file for an error message: quoted, printable, and not long.

    >>> shown(b"abc"), shown(b"1" * 99)
    ("'abc'", "'111111111111111111111111111111111111...'")
    """
    text = bytes(raw).decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 40 else text[:36] + "...")


def only(path: Path, raw: bytes, name: str, line: int, least: int = 0) -> int:
    """A count in a header as an int, or an error that says which one is wrong."""
    if not raw.isdigit() or len(raw) > 18:
        raise FileFormatError(path, f"expected {name} (a whole number), got {shown(raw)}", line)
    if int(raw) < least:
        raise FileFormatError(path, f"{name} must be at least {least}, got {int(raw)}", line)
    return int(raw)


def check_size(path: Path, declared: int, rows: int, line: int | None = None) -> None:
    """Refuse a number of vertices that a damaged header, and hardly a graph, has.

    Isolated vertices take no line, so any number is legal; but memory is taken for each.
    """
    if declared > max(1 << 22, 1000 * rows):
        raise FileFormatError(
            path,
            f"{declared} vertices are declared, with only {rows} edges; "
            "pass num_vertices= if that is right",
            line,
        )


def check_columns(columns: Sequence[int]) -> tuple[int, int, int]:
    """Two or three column numbers as source, target and weight (-1: none)."""
    picked = tuple(columns)
    if len(picked) not in (2, 3) or any(
        isinstance(c, bool) or not isinstance(c, (int, np.integer)) for c in picked
    ):
        raise ValueError(f"columns must be two or three column numbers, got {columns!r}")
    if min(picked) < 0 or max(picked) >= 2**31 or len(set(picked)) < len(picked):
        raise ValueError(f"columns must be different and count from 0, got {columns!r}")
    return (*map(int, picked), -1)[:3]  # type: ignore[return-value]


def usual_width(sample: list[list[bytes]]) -> int:
    """The number of columns that most of the first lines have."""
    widths = Counter(map(len, sample))
    return max(widths, key=widths.__getitem__, default=0)


def look_like_names(sample: list[list[bytes]], columns: tuple[int, int, int]) -> bool:
    """Have most of the first lines an id that is no whole number?"""
    numbers = [
        all(row[c].lstrip(b"-").isdigit() for c in columns[:2])
        for row in sample
        if len(row) > max(columns[:2])
    ]
    return 2 * sum(numbers) < len(numbers)


def warn_skipped(path: Path, count: int) -> None:
    """Tell the caller of `edgewise.io.read` how many lines were left out."""
    if count:
        were = "line was" if count == 1 else "lines were"
        warnings.warn(f"{path}: {count} bad {were} skipped", stacklevel=5)


def names(path: Path, data: np.ndarray, places: np.ndarray) -> Any:
    """The names at some places of a text as an Arrow array of strings."""
    import pyarrow

    starts, sizes = places
    places = offsets(sizes)
    joined = np.empty(places[-1], np.uint8)
    launch(_gather, data, starts, places, joined, work=len(joined))
    buffers = pyarrow.py_buffer(places), pyarrow.py_buffer(joined)
    array = pyarrow.LargeStringArray.from_buffers(len(sizes), *buffers)
    try:
        array.validate(full=True)
    except pyarrow.ArrowInvalid:
        raise not_utf8(path, data) from None
    return array


@kernel(borrows=True)
def _gather(me, team, control, data, starts, offsets, joined):
    low, high = share(me, team, len(starts))
    for i in range(low, high):
        start, place = starts[i], offsets[i]
        for k in range(offsets[i + 1] - place):
            joined[place + k] = data[start + k]


def not_utf8(path: Path, data: np.ndarray) -> FileFormatError:
    """The error for a file with names that are not UTF-8, at the first line that is not."""
    text = data.tobytes()
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        return FileFormatError(path, f"a name is not UTF-8 text: {error.reason}", line)
    return FileFormatError(path, "a name is not UTF-8 text")


def write_rows(file: BinaryIO, columns: list[Any], delimiter: str = " ", quote: bool = False):
    """Write arrays as columns of text: whole numbers, shortest floats, or strings.

    A float always shows that it is one (``2.0``), so that its column is read back as floats.
    """
    import pyarrow
    from pyarrow import csv

    options = csv.WriteOptions(
        include_header=False, delimiter=delimiter, quoting_style="needed" if quote else "none"
    )
    for low in range(0, len(columns[0]), _ROWS):
        parts = [_as_text(column[low : low + _ROWS]) for column in columns]
        names = [str(k) for k in range(len(parts))]
        batch = pyarrow.RecordBatch.from_arrays(parts, names)
        sink = pyarrow.BufferOutputStream()
        csv.write_csv(batch, sink, options)
        file.write(memoryview(sink.getvalue()))


def _as_text(column: Any) -> Any:
    """A column as Arrow writes it; floats as strings."""
    import pyarrow
    import pyarrow.compute as pc

    array = pyarrow.array(column)
    if not pyarrow.types.is_floating(array.type):
        return array
    strings = pc.cast(array, pyarrow.string())
    whole = pc.invert(pc.match_substring_regex(strings, "[.en]"))
    return pc.if_else(whole, pc.binary_join_element_wise(strings, ".0", ""), strings)

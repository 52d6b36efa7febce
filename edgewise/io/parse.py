"""Lines of columns to arrays, on all threads: what every text format with one edge a line uses.

The text is cut into chunks of equal size; a line belongs to the chunk that holds the newline before
it. One pass counts the lines of each chunk, so that each knows where its rows go and its errors
know their line; a second pass parses. An id is kept as its low 31 bits and, in an array that stays
untouched while none needs it, the rest; a name as its place in the text and its length. A weight
that the kernel leaves to Python (see `edgewise.io.decimal`) is stored as a NaN whose low bits are
its place in the text.

Between two columns stands white space or one comma; with a delimiter, that alone. Carriage returns
are white, but must stand before a newline.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.io.decimal import INTEGER, ODD, ODD_INTEGER, number, settled, whole
from edgewise.io.text import names, shown, split_line, warn_skipped

__all__ = ["Layout", "Rows", "cut", "parse"]

_CHUNK = 1 << 18
_ORDINARY, _WHITE, _SEPARATOR, _NEWLINE = range(4)
_COLUMNS, _ID, _RANGE, _LONG, _WEIGHT, _PREFIX = range(1, 7)
_FAULT, _LINE, _AT, _USED, _SKIPPED, _KINDS = range(6)
_WIDE = 1 << 8
_ALLOWED = {"any": ~1, "real": ~1, "whole": 1 << INTEGER | 1 << ODD_INTEGER}
_ID_WORDS = ("a vertex id (a whole number from 0)", "a vertex name")
_WEIGHT_WORDS = {"any": "a number", "real": "a number", "whole": "a whole number"}
#: Bytes with commas for points and points for commas: one beside a decimal comma is no number.
_SWAPPED = np.arange(256, dtype=np.uint8)
_SWAPPED[[44, 46]] = 46, 44


class Layout(NamedTuple):
    """How the lines of a text are to be read."""

    #: The columns of the source, the target and the weight (-1: no weight), from 0.
    columns: tuple[int, int, int] = (0, 1, -1)
    #: The number of columns that each line must have; 0: enough for ``columns``.
    width: int = 0
    #: The one byte between columns; empty: white space or a comma.
    delimiter: bytes = b""
    #: The bytes that start a comment as the first on a line.
    comments: bytes = b"#%"
    #: What the first column must be on each line; empty: anything.
    prefix: bytes = b""
    #: The least and the largest id; ids are counted from ``low``.
    low: int = 0
    high: int = 2**63 - 1
    #: Are ids names (any text) and not numbers?
    names: bool = False
    #: "any": weights are int64 if all are whole numbers, else float64; or one of "whole", "real".
    weights: str = "any"
    #: What to add to the error about an id that is a name.
    hint: str = ""
    #: What stands before the fraction of a weight; a comma only beside another delimiter.
    decimal: bytes = b"."

    def not_an_id(self, token: bytes) -> str:
        """The reason to refuse what should be an id."""
        named = self.hint and re.search(rb"[A-Za-z\x80-\xff]", token)
        return f"expected {_ID_WORDS[self.names]}, got {shown(token)}" + (
            f"; {self.hint}" if named else ""
        )


class Rows(NamedTuple):
    """What was read: ids counted from ``low``, or names as Arrow arrays of strings."""

    sources: Any
    targets: Any
    weights: np.ndarray | None


class Chunks(NamedTuple):
    """Where the chunks of a text start, and how many lines stand before each."""

    bounds: np.ndarray
    first: np.ndarray


class Syntax(NamedTuple):
    """What bytes mean: the kind of each, those that start comments, and those that start lines."""

    kinds: np.ndarray
    comments: np.ndarray
    prefix: np.ndarray
    spaces: bool  #: does white space separate columns?


class Fields(NamedTuple):
    """What a line must hold; see `Layout`."""

    columns: tuple[int, int, int]
    width: int
    low: int
    high: int
    names: bool
    allowed: int  #: a bit for each kind of weight
    skip: bool  #: are lines with a fault left out?


def parse(
    path: Path,
    data: np.ndarray,
    layout: Layout,
    *,
    start: int = 0,
    line: int = 1,
    on_bad_line: str = "raise",
) -> Rows:
    """Parse all lines from byte ``start`` of ``data`` on, which is line ``line`` of the file.

    Raises
    ------
    FileFormatError
        At the first line that does not fit the layout; with ``on_bad_line="skip"`` such lines are
        left out and one warning says how many there were.
    """
    given, skip = data[start:], on_bad_line == "skip"
    text = given if layout.decimal == b"." else _SWAPPED[given]
    bounds, first = cut(path, text, line, zeros=skip)
    chunks = len(bounds) - 1
    ids = np.zeros((6, first[-1]), np.int32)
    # Where there are no weights, the kernel is compiled without what reads them: the greater part.
    weights = np.empty(first[-1]) if layout.columns[2] >= 0 else None
    report = np.zeros((chunks, 6), np.int64)
    syntax = Syntax(
        _kinds(layout), _flags(layout.comments), _flags(layout.prefix), not layout.delimiter
    )
    fields = Fields(layout.columns, layout.width, layout.low, layout.high, layout.names,
                    _ALLOWED[layout.weights], skip)  # fmt: skip
    launch(_parse_lines, text, Chunks(bounds, first), syntax, fields, ids, weights, report,
           work=len(text))  # fmt: skip
    faults = np.flatnonzero(report[:, _FAULT])
    if len(faults):
        _refuse_line(path, given, layout, line + int(first[faults[0]]), report[faults[0]])
    warn_skipped(path, int(report[:, _SKIPPED].sum()))
    kinds = int(np.bitwise_or.reduce(report[:, _KINDS]))
    width = (3 if layout.names else 2) if kinds & _WIDE or layout.names else 1
    arrays = [*ids[:width], *ids[3 : 3 + width], *([] if weights is None else [weights])]
    _close_gaps(arrays, first, report[:, _USED])
    used = int(report[:, _USED].sum())
    sources, targets = (_joined(part[:width, :used], start) for part in (ids[:3], ids[3:]))
    if layout.names:
        sources, targets = names(path, data, sources), names(path, data, targets)
    if weights is None:
        return Rows(sources, targets, None)
    return Rows(sources, targets, settled(text, weights[:used], kinds, layout.weights == "real"))


def cut(
    path: Path, text: np.ndarray, line: int, zeros: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Cut a text into chunks of whole lines: where each starts, and the lines before each.

    Both have one entry more than there are chunks. Bytes that no text has are an error, zero bytes
    unless they are allowed.
    """
    chunks = max(-(-len(text) // _CHUNK), 1)
    bounds, counts = np.full(chunks + 1, len(text)), np.empty(chunks, np.int64)
    junk = np.full((chunks, 2), len(text))
    launch(_count_lines, text, bounds, counts, junk, work=len(text))
    zero, lone = junk.min(axis=0)
    if zero < len(text) and not zeros:
        line += int(np.count_nonzero(text[:zero] == 10))
        raise FileFormatError(path, "a zero byte: this is binary data, not text", line)
    if lone < len(text):
        line += int(np.count_nonzero(text[:lone] == 10))
        raise FileFormatError(path, "a carriage return inside a line: convert the line ends", line)
    # a chunk in which no line starts is empty
    return np.minimum.accumulate(bounds[::-1])[::-1].copy(), offsets(counts)


def _kinds(layout: Layout) -> np.ndarray:
    kinds = np.zeros(256, np.uint8)
    kinds[list(b" \t\r\v\f")] = _WHITE
    kinds[list(layout.delimiter or b",")] = _SEPARATOR
    kinds[10] = _NEWLINE
    return kinds


def _flags(characters: bytes) -> np.ndarray:
    flags = np.zeros(256, np.bool_)
    flags[list(characters)] = True
    return flags


@kernel(borrows=True)
def _count_lines(me, team, control, text, bounds, counts, junk):
    """Per chunk: where its first line starts, how many it has, and bytes that no text has."""
    while True:
        chunk, limit = grab(control, 0, 1, len(counts))
        if chunk == limit:
            return
        low, high = chunk * _CHUNK, min((chunk + 1) * _CHUNK, len(text))
        newlines, zeros, returns = 0, 0, 0
        for i in range(low, high):
            newlines += text[i] == 10
            zeros += text[i] == 0
            returns += text[i] == 13
        counts[chunk] = newlines + (chunk == 0)
        if chunk == 0:
            bounds[0] = 0
        elif newlines:
            i = low
            while text[i] != 10:
                i += 1
            bounds[chunk] = i + 1
        if zeros or returns:
            for i in range(low, high):
                if text[i] == 0:
                    junk[chunk, 0] = min(junk[chunk, 0], i)
                after = text[i + 1] if i + 1 < len(text) else np.uint8(10)
                if text[i] == 13 and after != 10 and after != 13:
                    junk[chunk, 1] = min(junk[chunk, 1], i)


@kernel(borrows=True)
def _parse_lines(me, team, control, text, chunks, syntax, fields, ids, weights, report):
    """Parse chunk after chunk; a fault that is not skipped ends the work of all."""
    (bounds, first), (kinds, comments, prefix, spaces) = chunks, syntax
    prefixed = np.any(prefix)
    while True:
        chunk, limit = grab(control, 0, 1, len(report))
        if chunk == limit:
            return
        pos, end, row, line = bounds[chunk], bounds[chunk + 1], first[chunk], 0
        while pos < end:
            pos = _skip_white(text, pos, end, kinds)
            if pos < end and text[pos] != 10 and not comments[text[pos]]:
                fault = 0
                if prefixed and not (prefix[text[pos]] and _ends(text, pos + 1, end, kinds)):
                    fault = _PREFIX
                else:
                    fault, pos, kind, source, target, weight = _parse_line(
                        text, pos, end, kinds, spaces, fields, weights
                    )
                if fault == 0:
                    wide = _store(ids, 0, row, source) | _store(ids, 3, row, target)
                    report[chunk, _KINDS] |= kind | (_WIDE if wide else 0)
                    if weights is not None:
                        weights[row] = weight
                    row += 1
                elif fields.skip:
                    report[chunk, _SKIPPED] += 1
                else:
                    report[chunk, _FAULT], report[chunk, _LINE] = fault, line
                    report[chunk, _AT] = pos
                    grab(control, 0, len(report), len(report))  # nobody starts another chunk
                    return
            while pos < end and text[pos] != 10:
                pos += 1
            pos += 1
            line += 1
        report[chunk, _USED] = row - first[chunk]


@helper(forceinline=True)
def _store(ids, part, row, pair):
    """Keep an id, or a name's place and length; True if the id takes more than 31 bits."""
    value, size = pair
    ids[part, row] = value & 0x7FFFFFFF
    if value > 0x7FFFFFFF:
        ids[part + 1, row] = value >> 31
    if size > 0:
        ids[part + 2, row] = size
    return value > 0x7FFFFFFF


@helper(forceinline=True)
def _parse_line(text, pos, end, kinds, spaces, fields, weights):
    """One line: ``(fault or 0, position, kind of weight, source, target, weight)``."""
    columns, width, low, high, names, allowed, _ = fields
    source, target, weight, kind = (0, 0), (0, 0), 0.0, 0
    last = max(columns[0], columns[1], columns[2])
    field, fault = 0, 0
    while True:  # one way out: Numba counts references at each return, and that costs
        begin = pos
        if field == columns[0] or field == columns[1]:
            if names:
                pos, stop = _token(text, pos, end, kinds, spaces)
                value, size, fault = begin, stop - begin, 0 if stop > begin else _ID
            else:
                pos, value, found = whole(text, pos, end, kinds)
                size = 0
                if found != 1:
                    fault = _ID if found == 0 else _LONG
                elif value < low or value > high:
                    fault = _RANGE
                value -= low
            if field == columns[0]:
                source = (value, size)
            else:
                target = (value, size)
        elif field == columns[2]:
            if weights is not None:
                pos, weight, found = number(text, pos, end, kinds)
                kind = 1 << found
                fault = 0 if kind & allowed else _WEIGHT
                if found >= ODD_INTEGER:
                    weight = np.uint64(ODD | np.uint64(begin)).view(np.float64)
        else:
            pos, _ = _token(text, pos, end, kinds, spaces)
        if fault:
            pos = begin
            break
        field += 1
        pos = _skip_white(text, pos, end, kinds)
        if pos >= end or text[pos] == 10 or (field > last and width == 0):
            break
        if kinds[text[pos]] == _SEPARATOR:
            pos = _skip_white(text, pos + 1, end, kinds)
        elif not spaces:  # a number, and more in the same column
            fault, pos = _WEIGHT if field - 1 == columns[2] else _ID, begin
            break
    if fault == 0 and (field <= last or (width > 0 and field != width)):
        fault = _COLUMNS
    return fault, pos, kind, source, target, weight


@helper(forceinline=True)
def _skip_white(text, pos, end, kinds):
    while pos < end and kinds[text[pos]] == _WHITE:
        pos += 1
    return pos


@helper(forceinline=True)
def _ends(text, pos, end, kinds):
    return pos >= end or kinds[text[pos]] != _ORDINARY


@helper(forceinline=True)
def _token(text, pos, end, kinds, spaces):
    """The column at ``pos``, any text: the position after it, and where its last ink is."""
    stop = pos
    while pos < end:
        kind = kinds[text[pos]]
        if kind >= _SEPARATOR or (spaces and kind == _WHITE):
            break
        pos += 1
        if kind == _ORDINARY:
            stop = pos
    return pos, stop


def _close_gaps(arrays: list[np.ndarray], first: np.ndarray, used: np.ndarray) -> None:
    """Move each chunk's rows to follow those of the chunk before: comments took no row."""
    starts = offsets(used)
    for array in arrays:
        if len(array):
            for chunk in np.flatnonzero((starts[:-1] != first[:-1]) & (used > 0)):
                rows = array[first[chunk] : first[chunk] + used[chunk]]
                array[starts[chunk] : starts[chunk] + used[chunk]] = rows


def _joined(words: np.ndarray, start: int) -> np.ndarray:
    """Ids of one or two words as one array; a name's place and its length as two rows."""
    if len(words) == 1:
        return words[0]
    wide = words[0] | words[1].view(np.uint32).astype(np.int64) << 31
    return wide if len(words) == 2 else np.stack([wide + start, words[2]])


def _refuse_line(
    path: Path, text: np.ndarray, layout: Layout, line: int, report: np.ndarray
) -> NoReturn:
    fault, at = report[_FAULT], report[_AT]
    stop = _token.py_func(text, at, min(at + 99, len(text)), _kinds(layout), not layout.delimiter)
    token = shown(text[at : stop[1]])
    if fault == _COLUMNS:
        begin = at
        while begin > 0 and text[begin - 1] != 10:
            begin -= 1
        content = bytes(text[begin : begin + 10**6]).split(b"\n")[0]
        need = layout.width or f"at least {max(layout.columns) + 1}"
        reason = f"expected {need} columns, found {len(split_line(content, layout.delimiter))}"
    else:
        reason = {
            _ID: layout.not_an_id(bytes(text[at : stop[1]])),
            _RANGE: f"vertex id {token} is not in the range {layout.low}..{layout.high}",
            _LONG: f"vertex id {token} does not fit in 63 bits",
            _WEIGHT: f"expected {_WEIGHT_WORDS[layout.weights]} as weight, got {token}",
            _PREFIX: f"expected a line that starts with {shown(layout.prefix)}, got {token}",
        }[fault]
    raise FileFormatError(path, reason, line + int(report[_LINE]))

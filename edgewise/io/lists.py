"""Lines of neighbors to arrays, on all threads: ``u v1 v2 ...``, as adjacency lists have them.

The text is cut into chunks of whole lines (see `edgewise.io.parse`). One pass counts the lines and
words of each chunk, so that each knows where its words go; a second pass parses them, numbers to
their values, names to their places in the text. Words stand between white space or commas; one
that starts as a comment ends its line.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.io.decimal import whole
from edgewise.io.parse import cut
from edgewise.io.text import names as text_names, shown, warn_skipped

__all__ = ["Lists", "parse_lists"]

_ID, _RANGE, _LONG = range(1, 4)


class Source(NamedTuple):
    """A text, where its chunks start, and what its bytes mean."""

    text: np.ndarray
    bounds: np.ndarray
    ends: np.ndarray  #: of every byte: does it end a word (1) or a line (2)?
    marks: np.ndarray  #: of every byte: does it start a comment?


class Words(NamedTuple):
    """The ids of all words, or places and sizes of names; and the number of words on each line."""

    values: np.ndarray
    sizes: np.ndarray
    lengths: np.ndarray


class Lists(NamedTuple):
    """The first word of each line, how many follow it, and all that follow."""

    heads: Any
    counts: np.ndarray
    tails: Any


def parse_lists(
    path: Path,
    data: np.ndarray,
    *,
    start: int,
    line: int,
    names: bool = False,
    low: int = 0,
    high: int = 2**63 - 1,
    comments: bytes = b"#",
    on_bad_line: str = "raise",
) -> Lists:
    """Parse all lines from byte ``start`` of ``data`` on, which is line ``line`` of the file.

    Words are ids from ``low`` to ``high``, returned as they are counted from ``low``; or names,
    returned as Arrow arrays of strings.

    Raises
    ------
    FileFormatError
        At the first word that is no id; with ``on_bad_line="skip"`` such lines are left out and
        one warning says how many there were.
    """
    text, skip = data[start:], on_bad_line == "skip"
    bounds, first = cut(path, text, line, zeros=skip)
    ends = np.zeros(256, np.uint8)
    ends[list(b" \t\r\v\f,")] = 1
    ends[10] = 2
    marks = np.zeros(256, np.bool_)
    marks[list(comments)] = True
    counts = np.zeros((len(bounds), 2), np.int64)
    source = Source(text, bounds, ends, marks)
    launch(_measure, source, counts[1:], work=len(text))
    places = np.cumsum(counts, axis=0)
    rows, count = places[-1].tolist()
    words = Words(
        np.empty(count, np.int64),
        np.empty(count if names else 0, np.int64),
        np.zeros(rows, np.int64),
    )
    report = np.zeros((len(bounds) - 1, 4), np.int64)
    launch(_fill, source, places, low, high, skip, words, report, work=len(text))
    faults = np.flatnonzero(report[:, 0])
    if len(faults) and not skip:
        fault, row, at, _ = report[faults[0]].tolist()
        token = shown(bytes(text[at : at + 99]).replace(b",", b" ").split(maxsplit=1)[0])
        reason = {
            _ID: f"expected a vertex id (a whole number from {low}), got {token}",
            _RANGE: f"vertex id {token} is not in the range {low}..{high}",
            _LONG: f"vertex id {token} does not fit in 63 bits",
        }[fault]
        raise FileFormatError(path, reason, line + int(first[faults[0]]) + row)
    warn_skipped(path, int(report[:, 3].sum()))
    return _split(path, data, start, words.values, words.sizes if names else None, words.lengths)


def _split(path, data, start, values, sizes, lengths) -> Lists:
    """Heads and tails apart, without the lines that were skipped, which have no words."""
    if (lengths < 0).any():
        keep = np.repeat(lengths > 0, abs(lengths))
        values, sizes = values[keep], None if sizes is None else sizes[keep]
        lengths = lengths[lengths > 0]
    head = np.zeros(len(values), bool)
    head[offsets(lengths)[:-1]] = True
    if sizes is None:
        return Lists(values[head], lengths - 1, values[~head])
    words = np.stack([values + start, sizes])
    heads, tails = (text_names(path, data, words[:, part]) for part in (head, ~head))
    return Lists(heads, lengths - 1, tails)


@kernel(borrows=True)
def _measure(me, team, control, source, counts):
    """Per chunk: the number of lines with words, and of words."""
    text, bounds, ends, marks = source
    while True:
        chunk, limit = grab(control, 0, 1, len(counts))
        if chunk == limit:
            return
        pos, end = bounds[chunk], bounds[chunk + 1]
        while pos < end:
            words = 0
            while True:
                pos = _next_word(text, pos, end, ends, marks)
                if pos >= end or text[pos] == 10:
                    break
                words += 1
                while pos < end and ends[text[pos]] == 0:
                    pos += 1
            pos += 1
            if words:
                counts[chunk, 0] += 1
                counts[chunk, 1] += words


@kernel(borrows=True)
def _fill(me, team, control, source, places, low, high, skip, words, report):
    """Parse chunk after chunk; a skipped line has a negative length."""
    (text, bounds, ends, marks), (values, sizes, lengths) = source, words
    while True:
        chunk, limit = grab(control, 0, 1, len(report))
        if chunk == limit:
            return
        pos, end, line = bounds[chunk], bounds[chunk + 1], 0
        row, word = places[chunk]
        while pos < end:
            begin, bad = word, False
            while True:
                pos = _next_word(text, pos, end, ends, marks)
                if pos >= end or text[pos] == 10:
                    break
                at, fault = pos, 0
                if len(sizes):
                    while pos < end and ends[text[pos]] == 0:
                        pos += 1
                    values[word], sizes[word] = at, pos - at
                else:
                    pos, value, found = whole(text, pos, end, ends)
                    values[word] = value - low
                    if found != 1:
                        fault = _ID if found == 0 else _LONG
                    elif value < low or value > high:
                        fault = _RANGE
                    while pos < end and ends[text[pos]] == 0:
                        pos += 1
                word += 1
                if fault and not bad:
                    bad = True
                    if report[chunk, 0] == 0:
                        report[chunk, 0], report[chunk, 1], report[chunk, 2] = fault, line, at
                    report[chunk, 3] += 1
                    if not skip:
                        grab(control, 0, len(report), len(report))  # nobody starts another chunk
                        return
            if word > begin:
                lengths[row] = begin - word if bad else word - begin
                row += 1
            pos += 1
            line += 1


@helper(forceinline=True)
def _next_word(text, pos, end, ends, marks):
    """Where the next word of the line starts, or the line ends; a comment is part of the end."""
    while pos < end and ends[text[pos]] == 1:
        pos += 1
    if pos < end and marks[text[pos]]:
        while pos < end and text[pos] != 10:
            pos += 1
    return pos

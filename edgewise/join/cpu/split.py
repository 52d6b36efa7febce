"""Texts cut into parts on CPU threads: at a separator, or at white space.

A text is a range of one buffer of UTF-8, and so is a part: nothing is copied. White space is what
Python's ``str.split`` takes for it; it is taken off both ends of a part, and empty parts are left
out. Two passes: count the parts of each text, then write them.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.offsets import offsets
from edgewise.join.cpu.strings import Texts
from edgewise.operators import for_each

__all__ = ["split", "trimmed"]

_NEVER = b"\xff"  # no text in UTF-8 has it


def split(texts: Texts, separator: str = "", *, least: int = 0) -> tuple[np.ndarray, Texts]:
    """Where the parts of each text begin, and the parts; no separator: cut at white space.

    A text with fewer parts than ``least`` (0 or 1) has an empty one.

    >>> buffer = np.frombuffer(b"a; b;;c d", np.uint8)
    >>> starts, parts = split(Texts(buffer, np.array([0, 6]), np.array([6, 9])), ";")
    >>> starts.tolist(), [buffer[a:b].tobytes() for _, a, b in zip(*parts)]
    ([0, 2, 3], [b'a', b'b', b'c d'])
    """
    return _parts(texts, np.frombuffer(separator.encode(), np.uint8), least)


def trimmed(texts: Texts) -> tuple[np.ndarray, Texts]:
    """The texts without white space around them, and without empty ones; as of `split`."""
    return _parts(texts, np.frombuffer(_NEVER, np.uint8), 0)


def _parts(texts: Texts, pattern: np.ndarray, least: int) -> tuple[np.ndarray, Texts]:
    texts = texts.frozen()
    counts = np.zeros(len(texts.begins), np.int64)
    nothing = np.zeros(0, np.int64)
    work = len(texts.buffer) + len(counts)
    for_each(len(counts), _split, (texts, pattern, least, counts, nothing, nothing), work=work)
    starts = offsets(counts)
    begins, ends = np.empty(starts[-1], np.int64), np.empty(starts[-1], np.int64)
    if len(begins):
        for_each(len(counts), _split, (texts, pattern, least, starts, begins, ends), work=work)
    return starts, Texts(texts.buffer, begins, ends)


@inlined
def _split(i, texts, pattern, least, starts, begins, ends):
    """Count the parts of each text into ``starts``; or write them from there on, given space."""
    write = len(begins) > 0
    at, end = texts.begins[i], texts.ends[i]
    to = starts[i] if write else 0
    first = to
    while at <= end:
        stop, after = _part(texts.buffer, at, end, pattern)
        begin, stop = _trimmed(texts.buffer, at, stop)
        at = after
        if begin < stop:
            if write:
                begins[to], ends[to] = begin, stop
            to += 1
    if to - first < least:
        if write:
            begins[to], ends[to] = end, end
        to += 1
    if not write:
        starts[i] = to


@inner
def _part(text, at, end, pattern):
    """Where the part that begins here ends, and where the next one begins."""
    size = len(pattern)
    if size == 0:
        while at < end:
            width = _white(text, at, end)
            if width > 0:
                return at, at + width
            at += 1
        return end, end + 1
    while at + size <= end:
        same = 0
        while same < size and text[at + same] == pattern[same]:
            same += 1
        if same == size:
            return at, at + size
        at += 1
    return end, end + 1


@inner
def _trimmed(text, begin, end):
    """A part without white space at its ends."""
    while begin < end:
        width = _white(text, begin, end)
        if width == 0:
            break
        begin += width
    while begin < end:
        last = end - 1
        while last > begin and text[last] & 0xC0 == 0x80:
            last -= 1
        if _white(text, last, end) == 0:
            break
        end = last
    return begin, end


@inner
def _white(text, at, end):
    """How many bytes the white space here has; 0 for a letter."""
    byte = text[at]
    if byte <= 32:
        return 1 if byte == 32 or 9 <= byte <= 13 or byte >= 28 else 0
    if byte == 0xC2 and at + 1 < end:
        return 2 if text[at + 1] == 0x85 or text[at + 1] == 0xA0 else 0
    if at + 2 < end and 0xE1 <= byte <= 0xE3:
        second, third = text[at + 1], text[at + 2]
        if byte == 0xE1:
            return 3 if second == 0x9A and third == 0x80 else 0
        if byte == 0xE3:
            return 3 if second == 0x80 and third == 0x80 else 0
        if second == 0x81:
            return 3 if third == 0x9F else 0
        few = third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
        return 3 if second == 0x80 and few else 0
    return 0

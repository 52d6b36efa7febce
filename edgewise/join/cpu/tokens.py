"""The tokens of elements on CPU threads: q-grams cut and counted, numbered from the rarest on.

A q-gram is a range of bytes from one letter to another, so none is packed into a word: they are
interned as elements are, exactly, for any ``q``. The end mark is the byte 255, which is in no text.
The k-th of equal tokens in an element gets a number of its own, k > 1 after all first ones: those
of one kind follow one another, as many as the element has that has most.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.cpu.sort import sort
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch
from edgewise.join.cpu.strings import Texts, take
from edgewise.operators import for_each

__all__ = ["grams", "letters", "number_repeated", "rank_by_frequency"]

_ENTRIES = 1 << 26  # tokens counted at once by all threads: each has an entry for every token
_END = np.uint8(255)


def grams(texts: Texts, q: int, padded: bool) -> tuple[np.ndarray, Texts]:
    """Where the q-grams of each text begin, and the q-grams.

    End marks fill a text up to a multiple of ``q`` letters, or are ``q - 1`` if ``padded``.

    >>> buffer = np.frombuffer(b"abcd", np.uint8)
    >>> starts, found = grams(Texts(buffer, np.array([0, 0]), np.array([4, 3])), 3, False)
    >>> starts.tolist(), [found.buffer[a:b].tobytes() for _, a, b in zip(*found)]
    ([0, 4, 5], [b'abc', b'bcd', b'cd\\xff', b'd\\xff\\xff', b'abc'])
    """
    texts = texts.frozen()
    count = len(texts.begins)
    sizes, letters = np.empty(count, np.int64), np.empty(count, np.int64)
    work = len(texts.buffer) + count
    for_each(count, _measure, (texts, q, padded, sizes, letters), work=work)
    starts, places = offsets(sizes), offsets(letters)
    buffer = np.empty(places[-1], np.uint8)
    begins, ends = np.empty(starts[-1], np.int64), np.empty(starts[-1], np.int64)
    for_each(count, _cut, (texts, q, starts, places, buffer, begins, ends), work=work)
    return starts, Texts(buffer, begins, ends)


def letters(texts: Texts) -> tuple[np.ndarray, np.ndarray]:
    """The code points of all texts, and where those of each text begin.

    >>> buffer = np.frombuffer("aé".encode(), np.uint8)
    >>> [a.tolist() for a in letters(Texts(buffer, np.array([0]), np.array([3])))]
    [[97, 233], [0, 2]]
    """
    texts = texts.frozen()
    count = len(texts.begins)
    sizes, work = np.empty(count, np.int64), len(texts.buffer) + count
    for_each(count, _count_letters, (texts, sizes), work=work)
    starts = offsets(sizes)
    points = np.empty(starts[-1], np.uint32)
    for_each(count, _decode, (texts, starts, points), work=work)
    return points, starts


def number_repeated(starts: np.ndarray, tokens: np.ndarray, kinds: int) -> np.ndarray:
    """Give equal tokens of an element numbers of their own, in place; the kind of each number.

    >>> tokens = np.int32([0, 1, 0, 0, 1, 1])
    >>> number_repeated(np.array([0, 4, 6]), tokens, 2).tolist(), tokens.tolist()
    ([0, 1, 0, 0, 1], [0, 2, 3, 1, 1, 4])
    """
    rows, extra = len(starts) - 1, np.zeros(kinds, np.int64)
    for_each(rows, _count_repeated, (starts, tokens, extra), work=8 * len(tokens) + rows)
    bases = offsets(extra)
    total = kinds + int(bases[-1])
    if total >= 1 << 31:
        raise ValueError(f"there must be fewer than 2**31 distinct tokens, got {total}")
    if total > kinds:
        for_each(rows, _number_repeated, (starts, tokens, bases, kinds), work=len(tokens) + rows)
    every = np.arange(kinds)
    return np.concatenate((every, np.repeat(every, extra)))


def rank_by_frequency(
    collections: list, starts: np.ndarray, tokens: np.ndarray, kinds: int
) -> tuple[np.ndarray, np.ndarray]:
    """Number tokens by how many sets have them, in place, ascending in each element.

    ``collections`` are pairs of where sets begin and their elements. Returns how many sets have
    each token, and which number it had before.
    """
    team = min(get_threads(), max(1, _ENTRIES // max(kinds, 1)))
    counts, seen = np.zeros((team, kinds), np.int32), np.zeros((team, kinds), np.int32)
    before = 0
    for sets, elements in collections:
        work = len(elements) * max(1, len(tokens) // max(len(starts) - 1, 1))
        launch(_count_sets, sets, elements, starts, tokens, before, counts, seen,
               team=team, work=work)  # fmt: skip
        before += len(sets) - 1
    frequency = counts.sum(axis=0, dtype=np.int64)
    bits = max(1, kinds.bit_length())
    keys = frequency << bits | np.arange(kinds)
    sort(keys)
    order = keys & ((1 << bits) - 1)
    ranks = np.empty(kinds, np.int32)
    ranks[order] = np.arange(kinds, dtype=np.int32)
    rows = len(starts) - 1
    for_each(rows, _rename, (starts, tokens, ranks), work=8 * len(tokens) + rows)
    return frequency[order], order


@inlined
def _measure(i, texts, q, padded, sizes, letters):
    """How many q-grams each text has, and how many bytes with its end marks."""
    count = _length(texts.buffer, texts.begins[i], texts.ends[i])
    marks = -count % q
    if padded:
        marks = q - 1
    if count == 0:
        marks = q
    sizes[i] = count + marks - q + 1
    letters[i] = texts.ends[i] - texts.begins[i] + marks


@inlined
def _cut(i, texts, q, starts, places, buffer, begins, ends):
    begin, size = places[i], texts.ends[i] - texts.begins[i]
    for k in range(size):
        buffer[begin + k] = texts.buffer[texts.begins[i] + k]
    for k in range(begin + size, places[i + 1]):
        buffer[k] = _END
    end = begin
    for _ in range(q - 1):
        end = _after(buffer, end, places[i + 1])
    for gram in range(starts[i], starts[i + 1]):
        end = _after(buffer, end, places[i + 1])
        begins[gram], ends[gram] = begin, end
        begin = _after(buffer, begin, places[i + 1])


@inner
def _after(text, at, limit):
    """Where the letter that begins here ends."""
    at += 1
    while at < limit and text[at] & 0xC0 == 0x80:
        at += 1
    return at


@inner
def _length(text, begin, end):
    """How many letters there are: bytes that do not continue one."""
    count = np.int64(0)
    for at in range(begin, end):
        count += text[at] & 0xC0 != 0x80
    return count


@inlined
def _count_letters(i, texts, sizes):
    sizes[i] = _length(texts.buffer, texts.begins[i], texts.ends[i])


@inlined
def _decode(i, texts, starts, points):
    at = texts.begins[i]
    for to in range(starts[i], starts[i + 1]):
        first = np.uint32(texts.buffer[at])
        end = _after(texts.buffer, at, texts.ends[i])
        point = first if first < 0x80 else first & np.uint32(0xFF >> (end - at + 1))
        for k in range(at + 1, end):
            point = np.uint32(point << 6 | (texts.buffer[k] & 0x3F))
        points[to], at = point, end


@inlined
def _count_repeated(row, starts, tokens, extra):
    """Sort the tokens of each element; note how often more than once each occurs, at most."""
    begin, end = starts[row], starts[row + 1]
    sort_few(tokens, begin, end)
    repeated = np.int64(0)
    for i in range(begin + 1, end):
        repeated = repeated + 1 if tokens[i] == tokens[i - 1] else np.int64(0)
        if repeated > extra[tokens[i]]:
            atomic.max(extra, tokens[i], repeated)


@inlined
def _number_repeated(row, starts, tokens, bases, kinds):
    begin, end = starts[row], starts[row + 1]
    kind, next_one = np.int64(-1), np.int64(0)
    for i in range(begin, end):
        if tokens[i] == kind:
            tokens[i] = next_one
            next_one += 1
        else:
            kind = np.int64(tokens[i])
            next_one = kinds + bases[kind]


@kernel(borrows=True)
def _count_sets(me, team, control, sets, elements, starts, tokens, before, counts, seen):
    """Count the sets that have each token; ``seen`` holds the last set in which a thread saw it."""
    mine, last = counts[me], seen[me]
    while True:
        low, high = take(control, team, len(sets) - 1)
        if low >= high:
            return
        for row in range(low, high):
            now = np.int32(before + row + 1)
            for i in range(sets[row], sets[row + 1]):
                element = elements[i]
                for k in range(starts[element], starts[element + 1]):
                    token = tokens[k]
                    if last[token] != now:
                        last[token] = now
                        mine[token] += np.int32(1)


@inlined
def _rename(row, starts, tokens, ranks):
    begin, end = starts[row], starts[row + 1]
    for i in range(begin, end):
        tokens[i] = ranks[tokens[i]]
    sort_few(tokens, begin, end)

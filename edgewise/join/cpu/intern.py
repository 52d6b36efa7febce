"""Equal texts get one number: a hash table of all threads.

A place of the table is one word: a few bits of the hash above the number (from 1) of a text that
has it, 0 where it is free. Places are claimed by compare-and-swap; the hash only says where to
look, and texts are compared byte by byte, so different texts never share a number. Of equal texts
the first one stays in the table: texts are numbered by their first occurrence, for any number of
threads.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, load
from edgewise.base.cpu.team import barrier, share
from edgewise.base.probing import probing
from edgewise.base.threads import get_threads, launch
from edgewise.join.cpu.strings import Texts, take

__all__ = ["intern"]

_INDEX = (1 << 40) - 1  # the bits of a word that hold the number of a text
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_32, _41 = np.uint64(32), np.uint64(41)


def intern(texts: Texts) -> tuple[np.ndarray, np.ndarray]:
    """The number of each text (int32), and where each number occurs first.

    >>> buffer = np.frombuffer(b"abab", np.uint8)
    >>> numbers, firsts = intern(Texts(buffer, np.array([0, 1, 2, 0]), np.array([1, 2, 3, 2])))
    >>> numbers.tolist(), firsts.tolist()
    ([0, 1, 0, 2], [0, 1, 3])
    """
    count, team = len(texts.begins), get_threads()
    bits = max(3, (2 * count - 1).bit_length())
    table = np.zeros(1 << bits, np.int64)
    places = np.empty(count, np.int64)
    numbers, firsts = np.empty(count, np.int32), np.empty(count, np.int64)
    found = np.zeros(team, np.int64)
    work = count + len(texts.buffer)
    launch(_intern, texts.frozen(), table, np.uint64(64 - bits), places, numbers, firsts, found,
           team=team, work=work)  # fmt: skip
    distinct = int(found.sum())
    if distinct >= 1 << 31:
        raise ValueError(f"there must be fewer than 2**31 distinct texts, got {distinct}")
    return numbers, firsts[:distinct].copy()


@kernel(borrows=True)
def _intern(me, team, control, texts, table, shift, places, numbers, firsts, found):
    while True:
        low, high = take(control, team, len(places))
        if low >= high:
            break
        for i in range(low, high):
            places[i] = _place(texts, table, shift, i)
    if not barrier(control, team):
        return
    low, high = share(me, team, len(places))
    mine = np.int64(0)
    for i in range(low, high):
        places[i] = (table[places[i]] & _INDEX) - 1  # the first text that is equal
        mine += places[i] == i
    found[me] = mine
    if not barrier(control, team):
        return
    number = np.int64(0)
    for other in range(me):
        number += found[other]
    for i in range(low, high):
        if places[i] == i:
            numbers[i], firsts[number] = number, i
            number += 1
    if not barrier(control, team):
        return
    for i in range(low, high):
        if places[i] != i:
            numbers[i] = numbers[places[i]]


@inner
def _place(texts, table, shift, i):
    """The place of a text's word in the table, which is put there if it is new."""
    begin, end = texts.begins[i], texts.ends[i]
    code = _hash(texts.buffer, begin, end)
    word = np.int64(((code * _MIX) >> _41) << np.uint64(40)) | (i + 1)
    at, held = _probe((table, texts), code >> shift, len(table) - 1, (word, begin, end))
    if word < held:
        atomic.min(table, at, word)
    return np.int64(at)


def _word_at(data, at):
    return load(data[0], at)


def _put(data, at, text):
    return compare_and_swap(data[0], at, np.int64(0), text[0])[1]


def _is_same(data, at, held, text):
    word, begin, end = text
    return (held ^ word) <= _INDEX and _equal(data[1], begin, end, (held & _INDEX) - 1)


_probe = probing(_word_at, _put, _is_same, inner)


@inner
def _hash(text, begin, end):
    code = np.uint64(end - begin) * _MIX
    for at in range(begin, end):
        code = (code ^ np.uint64(text[at])) * _GOLDEN
        code ^= code >> _32
    return code * _GOLDEN


@inner
def _equal(texts, begin, end, other):
    start = texts.begins[other]
    if texts.ends[other] - start != end - begin:
        return False
    for k in range(end - begin):  # noqa: SIM110
        if texts.buffer[begin + k] != texts.buffer[start + k]:
            return False
    return True

"""Hash tables of the addresses that an anonymizer knows, which all threads search and fill.

A table has a power of two of slots and takes an address to the first free one from where its hash
points. IPv4 addresses take a word each: the address, and below it the anonymized one, which is 0
until it is known. Address 0 is in no table, so a word of 0 is a free slot. IPv6 addresses take
three words: the id of the anonymized one, or how the slot stands (`_FREE`, `_TAKEN` while it is
being written, `_OPEN` until the id is known; ids are larger), and the address.

Whoever finds an address in no slot claims one and notes it; the host then anonymizes the claimed
ones, each once, and the search goes on. Who claims what depends on the threads, the answers do not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, load, pause, prefetch_shared, store
from edgewise.base.cpu.random import mix
from edgewise.base.cpu.team import grab
from edgewise.base.probing import probing

__all__ = [
    "CHUNK",
    "Progress",
    "Table",
    "move",
    "move_wide",
    "search",
    "search_wide",
    "slot_of",
    "word_at",
]

#: Addresses that a thread looks up at a time.
CHUNK = 1 << 12

_FREE, _TAKEN, _OPEN = np.uint64(0), np.uint64(1), np.uint64(2)
_WIDE, _LIMIT = np.uint64(1 << 63), np.uint64(1 << 32)
_1, _2, _3, _32, _HALF = map(np.uint64, (1, 2, 3, 32, 0xFFFFFFFF))
_NO_SPACE, _KNOWN = np.int64(-2), np.int64(-1)
_AHEAD = 16  # addresses: how far ahead of the search slots are asked for


class Table(NamedTuple):
    """Slots, and how a hash gives one: its bits from ``shift`` up."""

    words: Any  #: uint64, one or three a slot
    shift: np.uint64
    seed: np.uint64  #: drawn at random: nobody can send addresses that all meet in one slot


class Progress(NamedTuple):
    """How far a search is, and the slots that it has claimed."""

    todo: Any  #: of each chunk: is it to do?
    out: Any  #: the anonymized ids, 0 where they are not known
    claims: Any  #: int64, a row of slots for each thread
    counts: Any  #: int64, how many slots each thread has claimed
    full: Any  #: one boolean: was there too little space?


@kernel(borrows=True)
def search(me, team, control, ids, wide, zero, table, strange, progress):
    """The anonymized ids of those that have 0 in ``out``, by chunks that are to do.

    What is not known yet stays 0. Ids that are no IPv4 addresses are rows of ``wide``, where their
    ids stand; ``strange`` tells of one that is neither. A thread whose row of ``claims`` is used up
    says that the table is full.
    """
    todo, out, claims, counts, full = progress
    used, capacity = counts[me], claims.shape[1]
    while True:
        chunk, end = grab(control, 0, 1, len(todo))
        if chunk >= end:
            break
        if not todo[chunk]:
            continue
        unsettled = False
        for i in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(ids))):
            j = min(i + _AHEAD, len(ids) - 1)
            if out[j] == 0:
                prefetch_shared(table.words, slot_of(table, np.uint64(ids[j])))
            if out[i] != 0:
                continue
            address = np.uint64(ids[i])
            if address == 0:
                out[i] = zero
            elif address < _LIMIT:
                slot, value = _find(table, address, used < capacity)
                if slot == _NO_SPACE:
                    counts[me], full[0] = used, True
                    return
                if slot != _KNOWN:
                    claims[me, used] = slot
                    used += 1
                unsettled |= value == 0
                out[i] = value
            elif (address ^ _WIDE) < np.uint64(len(wide)):
                out[i] = wide[address ^ _WIDE]
            else:
                strange[0] = True
        todo[chunk] = unsettled
    counts[me] = used


@kernel(borrows=True)
def search_wide(me, team, control, addresses, table, progress):
    """The ids of IPv6 addresses, as `search` finds those of IPv4 addresses."""
    todo, out, claims, counts, full = progress
    used, capacity = counts[me], claims.shape[1]
    while True:
        chunk, end = grab(control, 0, 1, len(todo))
        if chunk >= end:
            break
        if not todo[chunk]:
            continue
        unsettled = False
        for i in range(chunk * CHUNK, min(chunk * CHUNK + CHUNK, len(addresses))):
            j = min(i + _AHEAD, len(addresses) - 1)
            if out[j] == 0:
                place = _slot_wide(table, addresses[j, 0], addresses[j, 1])
                prefetch_shared(table.words, _3 * place)
            if out[i] != 0:
                continue
            slot, value = _find_wide(table, addresses[i, 0], addresses[i, 1], used < capacity)
            if slot == _NO_SPACE:
                counts[me], full[0] = used, True
                return
            if slot != _KNOWN:
                claims[me, used] = slot
                used += 1
            unsettled |= value == _OPEN
            out[i] = value if value != _OPEN else _FREE
        todo[chunk] = unsettled
    counts[me] = used


@inlined
def move(i, old, table):
    """Move what is in a slot of an old table to a new one."""
    if old[i] != _FREE:
        slot, _ = _find(table, old[i] >> _32, True)
        store(table.words, slot, old[i])


@inlined
def move_wide(i, old, table):
    """Move what is in a slot of an old table of IPv6 addresses to a new one."""
    if old[3 * i] != _FREE:
        slot, _ = _find_wide(table, old[3 * i + 1], old[3 * i + 2], True)
        store(table.words, 3 * slot, old[3 * i])


@inner
def _find(table, address, free):
    """Where an address was put just now, or `_KNOWN`, and what it has become, or 0.

    Nothing is put into a slot unless ``free`` says that this thread may.
    """
    data, last = (table.words, free), len(table.words) - 1
    slot, word = _probe(data, slot_of(table, address), last, address << _32)
    if word != _FREE:
        return _KNOWN, word & _HALF
    return np.int64(slot) if free else _NO_SPACE, _FREE


def word_at(data, slot):
    """What a slot of a table holds that threads share."""
    return load(data[0], slot)


def _put(data, slot, word):
    return compare_and_swap(data[0], slot, _FREE, word)[1] if data[1] else _FREE


def _is_same(data, slot, held, word):
    return held >> _32 == word >> _32


_probe = probing(word_at, _put, _is_same, inner, _FREE)


@inlined
def slot_of(table, word):
    """The first slot to look for a word."""
    return mix(word ^ table.seed) >> table.shift


@inlined
def _slot_wide(table, high, low):
    return mix(mix(high ^ table.seed) ^ low) >> table.shift


@inner
def _find_wide(table, high, low, free):
    """`_find` for IPv6 addresses: `_OPEN` instead of 0."""
    data, last = (table.words, free), len(table.words) // 3 - 1
    slot, word = _probe_wide(data, _slot_wide(table, high, low), last, (high, low))
    if word != _FREE:
        return _KNOWN, word
    return (np.int64(slot), _OPEN) if free else (_NO_SPACE, _FREE)


@inner
def _wide_at(data, slot):
    """What a slot holds, once nobody writes to it."""
    word = load(data[0], _3 * slot)
    while word == _TAKEN:
        pause()
        word = load(data[0], _3 * slot)
    return word


def _put_wide(data, slot, address):
    words, free = data
    if not free:
        return _FREE
    done, word = compare_and_swap(words, _3 * slot, _FREE, _TAKEN)
    if not done:
        return _wide_at(data, slot)
    words[_3 * slot + _1], words[_3 * slot + _2] = address
    store(words, _3 * slot, _OPEN)
    return _FREE


def _is_wide(data, slot, held, address):
    return data[0][_3 * slot + _1] == address[0] and data[0][_3 * slot + _2] == address[1]


_probe_wide = probing(_wide_at, _put_wide, _is_wide, inner, _FREE)

"""Ids of 64 bits as ranks of 32, so that two of them fit one word and one set of kernels does.

Ranks are in the order of the ids: what is sorted by ranks is sorted by ids. Most packets have ids
that others have, too, so a hash table finds the distinct ones, and only these are sorted.
"""

from __future__ import annotations

import os

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, prefetch_shared
from edgewise.base.cpu.sort import sort
from edgewise.base.cpu.team import grab
from edgewise.base.probing import is_key, probing
from edgewise.base.threads import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.operators import for_each
from edgewise.sensing.cpu.known import Table, slot_of, word_at
from edgewise.sensing.links import Links

__all__ = ["narrow", "ordered", "widen"]

_LEAST = 1 << 18  # slots of a first table
_CHUNK = 1 << 14  # ids that a thread takes
_AHEAD = 16  # ids: how far ahead slots are asked for
_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)


def narrow(
    source: np.ndarray, destination: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Two columns as ids or ranks of 32 bits, and the ids that have the ranks (None: they are ids).

    >>> source, destination, ids = narrow(np.uint64([2**63, 7]), np.uint64([7, 2**40]))
    >>> source.tolist(), destination.tolist(), ids.tolist() == [7, 2**40, 2**63]
    ([2, 0], [0, 1], True)
    """
    if source.dtype == np.uint32:
        return source, destination, None
    ends = source, destination
    if max(int(end.max(initial=0)) for end in ends) < 1 << 32:
        return source.astype(np.uint32), destination.astype(np.uint32), None
    table, places = _found(ends)
    slots = np.flatnonzero(table.words).astype(np.uint64)
    ids = table.words[slots]
    sort(ids, slots)
    if any(int(place.max()) == len(table.words) for place in places):  # id 0, of no slot
        slots, ids = np.append(np.uint64(len(table.words)), slots), np.append(_0, ids)
    ranks = np.empty(len(table.words) + 1, np.uint32)
    ranks[slots] = np.arange(len(slots), dtype=np.uint32)
    for place in places:
        for_each(len(place), _rank, (ranks, place))
    return places[0], places[1], ids


def _found(ends: tuple[np.ndarray, np.ndarray]) -> tuple[Table, list[np.ndarray]]:
    """A table with an id in each slot, and in which slot each is; 0 is in none, and told by their
    number."""
    slots, team, seed = _LEAST, get_threads(), np.frombuffer(os.urandom(8), np.uint64)[0]
    places = [np.empty(len(end), np.uint32) for end in ends]
    while slots < 1 << 32:
        table = Table(np.zeros(slots, np.uint64), np.uint64(65 - slots.bit_length()), seed)
        used = np.zeros((team, 8), np.int64)  # slots that each thread took, of its share of half
        for end, place in zip(ends, places, strict=True):
            if used.max() <= slots:
                launch(_find, frozen(end), table, place, used, team=team, work=4 * len(end))
        if used.max() <= slots:
            return table, places
        slots *= 4
    raise ValueError("there must be fewer than 2**31 distinct ids at once")


def widen(links: Links, ids: np.ndarray | None, dtype: np.dtype) -> Links:
    """Links with the ids that `narrow` took away."""
    source, destination, packets = links
    if ids is not None:
        return Links(ids[source], ids[destination], packets)
    return Links(source.astype(dtype, copy=False), destination.astype(dtype, copy=False), packets)


def ordered(links: Links) -> Links:
    """Links in any order sorted, and the packets of equal ones summed.

    >>> links = Links(np.uint32([3, 1, 3]), np.uint32([4, 2, 4]), np.array([10, 20, 30]))
    >>> [column.tolist() for column in ordered(links)]
    [[1, 3], [2, 4], [20, 40]]
    """
    source, destination, ids = narrow(links.source, links.destination)
    keys, packets = source.astype(np.uint64) << _32 | destination, links.packets.copy()
    sort(keys, packets)
    new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    if not new.all():
        first = np.flatnonzero(new)
        keys, packets = keys[first], np.add.reduceat(packets, first)
    source, destination = (keys >> _32).astype(np.uint32), keys.astype(np.uint32)
    return widen(Links(source, destination, packets), ids, links.source.dtype)


@kernel(borrows=True)
def _find(me, team, control, ids, table, places, used):
    """Find the slot of each id, or take one; a thread with too many says so, and stops."""
    slots = len(table.words)
    while True:
        low, high = grab(control, 0, _CHUNK, len(ids))
        if low >= high:
            return
        for i in range(low, high):
            prefetch_shared(table.words, slot_of(table, ids[min(i + _AHEAD, high - 1)]))
            if ids[i] == _0:
                places[i] = slots
                continue
            places[i], held = _probe((table.words,), slot_of(table, ids[i]), slots - 1, ids[i])
            used[me, 0] += held == _0
            if used[me, 0] > slots // (2 * team):
                used[me, 0] = slots + 1
                return


def _put(data, slot, here):
    return compare_and_swap(data[0], slot, _0, here)[1]


_probe = probing(word_at, _put, is_key, inner, _0)


@inlined
def _rank(i, ranks, places):
    """A slot to its rank."""
    places[i] = ranks[places[i]]

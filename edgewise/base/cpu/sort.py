"""A stable radix sort of 64-bit keys, with or without a payload, on CPU threads.

All threads first split the keys by their top bits into buckets that fit the cache, keeping their
order; then each bucket is sorted by one thread, by its remaining bits, least significant digit
first. A bucket too big for one thread is split again by all of them. A stable sort has only one
result, so it is the same for every number of threads. Needs a second copy of keys and payload.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import helper, inner, kernel
from edgewise.base.cpu.optional import copy_item, part
from edgewise.base.cpu.team import barrier, grab, share
from edgewise.base.insertion import Items, insertion, read_pair, write_pair
from edgewise.base.threads import get_threads, launch, threads

__all__ = ["DIGIT_BITS", "big_bucket", "deal", "sort", "sort_bucket", "split_bits"]

_BUCKET = 1 << 13  # keys per bucket that the split aims at
DIGIT_BITS = 11  # at most: 2048 buckets per split, or digits per pass
_BIG = 1 << 16  # a bucket that all threads should share, if it holds a good part of the keys
_FEW = 32  # keys that insertion sorts faster than counting


class Digits(NamedTuple):
    """The bits to sort by: ``low`` to ``high - 1`` of what keys are above ``least``."""

    least: np.uint64
    low: int
    high: int


def sort(
    keys: np.ndarray,
    payload: np.ndarray | None = None,
    *,
    low: int = 0,
    high: int | None = None,
    other: np.ndarray | None = None,
) -> None:
    """Sort ``keys`` in place, and ``payload`` along with them, stably.

    Parameters
    ----------
    keys : array of uint64 or int64
    payload : array of any 4- or 8-byte type, optional
        What goes along with each key.
    low, high : int, optional
        Compare bits ``low`` to ``high - 1`` of the keys alone (then no key may be negative, and
        all bits above must agree). By default all bits, within the range that the keys span.
    other : array of uint64, optional
        Memory for a second copy of the keys; by default it is made.

    Examples
    --------
    >>> keys, payload = np.array([5, -1, 5]), np.array([0, 1, 2])
    >>> sort(keys, payload)
    >>> keys.tolist(), payload.tolist()
    ([-1, 5, 5], [1, 0, 2])
    """
    if keys.dtype not in (np.uint64, np.int64):
        raise TypeError(f"keys must be uint64 or int64, got {keys.dtype}")
    if payload is not None and len(payload) != len(keys):
        raise ValueError(f"payload must have one entry per key ({len(keys)}), got {len(payload)}")
    if len(keys) < 2:
        return
    least = 0
    if high is None:
        least = 0 if low else int(keys.min())
        high = (int(keys.max()) - least).bit_length()
    bits = None if payload is None else payload.view(f"uint{8 * payload.itemsize}")
    spare = None if bits is None else np.empty_like(bits)
    origin = np.uint64(least % 2**64)
    keys = keys.view(np.uint64)
    with threads(get_threads()):  # the same team throughout, whatever others set meanwhile
        other = np.empty_like(keys) if other is None else other[: len(keys)]
        _sort(Items(keys, bits), Items(other, spare), Digits(origin, low, high), False)


def _sort(items: Items, other: Items, digits: Digits, move: bool) -> None:
    """Sort the items by some digits; the result stays where it was, or moves to ``other``."""
    size, (least, low, high) = len(items.keys), digits
    if high <= low:
        if move:
            other.keys[:] = items.keys
            if items.payload is not None:
                other.payload[:] = items.payload
        return
    team = get_threads()
    split = split_bits(size, high - low)
    rest = Digits(least, low, high - split)
    count = np.zeros((team, 1 << split), np.int64)
    bounds = np.zeros((1 << split) + 1, np.int64)
    launch(_split, items, other, count, bounds, least, np.uint64(rest.high), work=size)
    big = big_bucket(size, team)
    launch(_finish, other, items, bounds, rest, not move, big, work=size)
    for bucket in np.flatnonzero(np.diff(bounds) > big):
        inside = slice(bounds[bucket], bounds[bucket + 1])
        _sort(_slice(other, inside), _slice(items, inside), rest, not move)


def _slice(items: Items, inside: slice) -> Items:
    return Items(items.keys[inside], None if items.payload is None else items.payload[inside])


def split_bits(size: int, bits: int) -> int:
    """By how many of ``bits`` bits to split ``size`` keys, for buckets that fit the cache."""
    return min(max((size // _BUCKET).bit_length(), 1), DIGIT_BITS, bits)


def big_bucket(size: int, team: int) -> int:
    """Buckets with more keys than this should be sorted by the whole team."""
    return max(_BIG, size // (4 * team)) if team > 1 else size


@kernel
def _split(me, team, control, items, other, count, bounds, least, shift):
    """Move the items to ``other``, grouped by the bits from ``shift`` up, in their order."""
    (keys, payload), (out, spare) = items, other
    low, high = share(me, team, len(keys))
    mask = np.uint64(count.shape[1] - 1)
    mine = count[me]
    for i in range(low, high):
        mine[((keys[i] - least) >> shift) & mask] += 1
    if not deal(me, team, control, count, bounds):
        return
    for i in range(low, high):
        key = keys[i]
        bucket = ((key - least) >> shift) & mask
        at = mine[bucket]
        mine[bucket] = at + 1
        out[at] = key
        copy_item(spare, at, payload, i)


@helper
def deal(me, team, control, count, bounds):
    """Turn the threads' counts per bucket into places: by bucket, then by thread.

    ``bounds`` gets where each bucket begins. False means stopped.
    """
    if not barrier(control, team):
        return False
    if me == 0:
        total = 0
        for bucket in range(count.shape[1]):
            bounds[bucket] = total
            for member in range(team):
                size = count[member, bucket]
                count[member, bucket] = total
                total += size
        bounds[count.shape[1]] = total
    return barrier(control, team)


@kernel
def _finish(me, team, control, items, other, bounds, digits, move, big):
    """Sort each bucket by some digits, leaving out those with more than ``big`` keys."""
    (keys, payload), (out, spare), (least, low, high) = items, other, digits
    count = np.empty(1 << DIGIT_BITS, np.int64)
    while True:
        bucket, end = grab(control, 0, 1, len(bounds) - 1)
        if bucket == end:
            return
        first, last = bounds[bucket], bounds[bucket + 1]
        if last - first > big or last == first:
            continue
        sort_bucket(keys[first:last], part(payload, first, last), out[first:last],
                    part(spare, first, last), count, least, low, high, move)  # fmt: skip


@helper
def sort_bucket(keys, payload, other, spare, count, least, low, high, move):
    """Sort by bits low..high on one thread; the result stays, or moves to ``other``/``spare``.

    ``count`` has space for 2**DIGIT_BITS numbers.
    """
    size = len(keys)
    if size <= _FEW or high <= low:
        if high > low:
            _insert(keys, payload, least, low)
        if move:
            _copy(keys, payload, other, spare)
        return
    width = 8 if size < 4096 else DIGIT_BITS
    passes = (high - low + width - 1) // width
    width = (high - low + passes - 1) // passes
    if (passes % 2 == 1) != move:
        _copy(keys, payload, other, spare)
        keys, payload, other, spare = other, spare, keys, payload
    for turn in range(passes):
        shift = low + turn * width
        _pass(keys, payload, other, spare, count, least, shift, min(width, high - shift))
        keys, payload, other, spare = other, spare, keys, payload


@helper
def _pass(keys, payload, other, spare, count, least, shift, width):
    """One stable counting pass by ``width`` bits from ``shift`` up."""
    shift, mask = np.uint64(shift), np.uint64((1 << width) - 1)
    count[: 1 << width] = 0
    for i in range(len(keys)):
        count[((keys[i] - least) >> shift) & mask] += 1
    total = 0
    for digit in range(1 << width):
        size = count[digit]
        count[digit] = total
        total += size
    for i in range(len(keys)):
        key = keys[i]
        digit = ((key - least) >> shift) & mask
        at = count[digit]
        count[digit] = at + 1
        other[at] = key
        if payload is not None:
            spare[at] = payload[i]


@helper
def _insert(keys, payload, least, low):
    """Sort a few keys by their bits from ``low`` up."""
    if payload is None:
        _sort_keys((keys, least, np.uint64(low)), 0, len(keys))
    else:
        _sort_both((keys, payload, least, np.uint64(low)), 0, len(keys))


def _key_is_less(data, key, other):
    return (key - data[1]) >> data[2] < (other - data[1]) >> data[2]


def _key_at(data, i):
    return data[0][i]


def _put_key(data, i, key):
    data[0][i] = key


def _pair_is_less(data, pair, other):
    return (pair[0] - data[2]) >> data[3] < (other[0] - data[2]) >> data[3]


_sort_keys = insertion(_key_is_less, _key_at, _put_key, inner).sort
_sort_both = insertion(_pair_is_less, read_pair, write_pair, inner).sort


@helper
def _copy(keys, payload, other, spare):
    for i in range(len(keys)):
        other[i] = keys[i]
        if payload is not None:
            spare[i] = payload[i]

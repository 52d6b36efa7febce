"""The candidates of each set: those that share enough of what its tokens are worth.

For one left set the lists of its prefix tokens are run through, each only over the sets of a size
that could still be enough; ``met`` sums up what each set was seen to share. A set is taken in at
its first common token if what both have from there on could do (positional filter). Those taken in
are then finished: the two rows are merged behind what is known already, until the sum is exact
(joint filter) or the rest of one row is too little.

What a pair must share, ``need``, is convex in the size of the other set: the sizes for which a
given rest is enough are a range, which shrinks along the prefix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import fetch_add, load
from edgewise.base.cpu.team import grab
from edgewise.join.cpu.utilities import END

__all__ = ["FREE", "Found", "Room", "gather", "search"]

_SLACK = 2e-9  # relative: sums that rounding has made too small lose no pair
_PREFIX, _LENGTH, _POSITIONAL, _JOINT, _PAIRS = range(5)

#: What stands in ``met`` for a set that is a candidate whatever it shares.
FREE = -1.0


class Room(NamedTuple):
    """Work arrays: one row for each thread."""

    met: np.ndarray  #: float64, zeros: what each set in the range of sizes shares
    taken: np.ndarray  #: int32, which sets were taken in
    bounds: np.ndarray  #: float64
    lows: np.ndarray  #: int32, for each place in the prefix the least size that is enough
    highs: np.ndarray  #: int32, the largest


class Found(NamedTuple):
    """Candidates as they come: those of left set ``first + i`` begin at ``places[i]``."""

    counts: np.ndarray  #: int64
    places: np.ndarray  #: int64
    sets: np.ndarray  #: int32
    bounds: np.ndarray  #: float64
    total: np.ndarray  #: int64, one word
    tally: np.ndarray  #: int64, for each left set and filter how many passed


@kernel(borrows=True)
def search(me, team, control, join, first, levels, limit, chunk, room, found):
    """The candidates of left sets from ``first`` on, in order, until there are above ``limit``."""
    while load(found.total, 0) <= limit:
        low, high = grab(control, 0, chunk, len(found.counts))
        if low >= high:
            return
        for i in range(low, high):
            count = _probe(me, join, first + i, levels[first + i], room, found.tally[i])
            found.counts[i] = count
            if count > 0:
                place = fetch_add(found.total, 0, count)
                found.places[i] = place
                for k in range(count):
                    found.sets[place + k] = room.taken[me, k]
                    found.bounds[place + k] = room.bounds[me, k]


@inner
def _probe(me, join, one, level, room, tally):
    """Find the candidates of one set, into the first entries of this thread's room."""
    left, right, index = join.left, join.right, join.index
    met, taken = room.met[me], room.taken[me]
    size = np.int64(left.sizes[one])
    low = np.int64(np.ceil(level * size))
    high = np.int64(min(np.floor(size / level), len(index.by_size) - 2.0))
    if level > 1.0 or low > high:
        return np.int64(0)
    share = join.edits * level / (1.0 + level)  # need: share * (both sizes) - spare * (the smaller)
    spare = join.edits - 1.0
    slack = _SLACK * join.edits * size
    base, limit = np.int64(index.by_size[low]), np.int64(index.by_size[high + 1])
    if join.alone:
        limit = min(limit, np.int64(one))

    count = np.int64(0)
    if spare > 0.0:
        least, most = _sizes(slack, size, share, spare, low, high)
        if least <= most:
            for other in range(index.by_size[least], min(limit, np.int64(index.by_size[most + 1]))):
                met[other - base] = FREE
                taken[count] = other
                count += 1

    begin = left.starts[one]
    at, depth = begin, np.int64(0)
    while left.tokens[at] != END:
        least, most = _sizes(left.rest[at] + slack, size, share, spare, low, high)
        if least > most:
            break
        first, last = np.int64(index.by_size[least]), np.int64(index.by_size[most + 1])
        last = min(last, limit)
        if first >= last:
            break
        room.lows[me, depth], room.highs[me, depth] = least, most
        depth += 1
        token, worth, rest = left.tokens[at], left.worth[at], left.rest[at + 1]
        at += 1
        low_end, high_end = index.starts[token], index.starts[token + 1]
        tally[_PREFIX] += high_end - low_end
        low_end = _lower_bound(index.sets, low_end, high_end, first)
        high_end = _lower_bound(index.sets, low_end, high_end, last)
        tally[_LENGTH] += high_end - low_end
        for k in range(low_end, high_end):
            other = np.int64(index.sets[k])
            so_far = met[other - base]
            both = np.float64(min(worth, index.worth[k]))
            if so_far > 0.0:
                met[other - base] = so_far + both
            elif so_far == 0.0:
                need = _need(share, spare, size, np.int64(right.sizes[other])) - slack
                if both + min(rest, index.rest[k]) >= need:
                    met[other - base] = both
                    taken[count] = other
                    count += 1

    kept = np.int64(0)
    for i in range(count):
        other = np.int64(taken[i])
        so_far = met[other - base]
        met[other - base] = 0.0
        size_other = np.int64(right.sizes[other])
        smaller = np.float64(min(size, size_other))
        weight = smaller
        if so_far != FREE:
            need = _need(share, spare, size, size_other) - slack
            at = begin + _depth(room.lows[me], room.highs[me], depth, size_other)
            shared = _shared(join, one, at, other, so_far, need, tally)
            if shared < need:
                continue
            weight = min((shared + spare * smaller) / join.edits, smaller)
        taken[kept] = other
        room.bounds[me, kept] = weight / (size + size_other - weight)
        kept += 1
        tally[_PAIRS] += join.left_counts[one] * join.right_counts[other]
    if join.alone and join.left_counts[one] > 1:
        taken[kept], room.bounds[me, kept] = one, 1.0
        kept += 1
        tally[_PAIRS] += join.left_counts[one] * (join.left_counts[one] - 1) // 2
    tally[_JOINT] += kept
    return kept


@inlined
def _need(share, spare, size, other):
    """What two sets of these sizes must share at the least."""
    return share * (size + other) - spare * min(size, other)


@inner
def _sizes(rest, size, share, spare, low, high):
    """The sizes from ``low`` to ``high`` for which ``rest`` is enough, as (least, most)."""
    above = (rest - (share - spare) * size) / share  # of sizes not below `size`
    if above >= size:
        most = np.int64(min(np.floor(above), np.float64(high)))
    elif share > spare:
        below = np.floor((rest - share * size) / (share - spare))
        most = np.int64(max(min(below, np.float64(high)), -1.0))
    else:
        return np.int64(1), np.int64(0)
    if share < spare:
        least = np.ceil((share * size - rest) / (spare - share))
        low = np.int64(min(max(least, np.float64(low)), high + 1.0))
    return low, most


@inner
def _lower_bound(values, low, high, bound):
    """The first place from ``low`` to ``high`` whose value is not below ``bound``."""
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < bound:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _depth(lows, highs, depth, size):
    """How many places of the prefix were searched for sets of a size: the ranges are nested."""
    low, high = np.int64(0), depth
    while low < high:
        middle = (low + high) >> 1
        if lows[middle] <= size <= highs[middle]:
            low = middle + 1
        else:
            high = middle
    return low


@inner
def _shared(join, one, at, other, so_far, need, tally):
    """What two sets share, or anything below ``need``.

    ``so_far`` they share up to where the left row stands at ``at``, of tokens in the index.
    """
    left, right = join.left, join.right
    to = join.index.ends[other]
    if left.tokens[at] <= right.tokens[to]:
        if so_far + left.rest[at] < need:
            return so_far
        to = _lower_bound(right.tokens, right.starts[other], to, left.tokens[at])
    else:
        if so_far + right.rest[to] < need:
            return so_far
        at = _lower_bound(left.tokens, left.starts[one], at, right.tokens[to])
    if so_far + min(left.rest[at], right.rest[to]) < need:
        return so_far
    tally[_POSITIONAL] += 1
    while so_far + min(left.rest[at], right.rest[to]) >= need:
        token, token_other = left.tokens[at], right.tokens[to]
        if token == token_other:
            if token == END:
                return so_far
            so_far += min(left.worth[at], right.worth[to])
        at += token <= token_other
        to += token_other <= token
    return need - 1.0


@kernel(borrows=True)
def gather(me, team, control, first, starts, found, firsts, alone, out):
    """Bring candidates into the order of the left sets, and write ids of sets.

    ``firsts`` are the sets that stand for the distinct ones of the left and of the right.
    """
    while True:
        low, high = grab(control, 0, 64, len(starts) - 1)
        if low >= high:
            return
        for i in range(low, high):
            one = firsts[0][first + i]
            shift = found.places[i] - starts[i]
            for k in range(starts[i], starts[i + 1]):
                other = firsts[1][found.sets[k + shift]]
                out.left[k] = min(one, other) if alone else one
                out.right[k] = max(one, other) if alone else other
                out.bound[k] = found.bounds[k + shift]

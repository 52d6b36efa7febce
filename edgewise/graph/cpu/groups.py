"""Kernels of `edgewise.graph.contract` for labels that are vertices, by the members of each group.

`number` gives the groups their numbers and lists the members of each, from ``firsts[g]`` on.
`combine` walks the rows of a group's members and adds the weights up by group in an array of the
thread's own, with one place for every group; it lists the places it has used, sorts them and writes
a row, wherever there is space by then. `put_in_order` copies the rows to where they belong. Which
thread walks which group, and in which order members are listed, is left to chance: whole numbers
add up to the same in any order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import fetch_add, prefetch
from edgewise.base.cpu.bits import lowest_bit
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.cpu.team import barrier, grab, rewind, share

__all__ = ["Found", "Lists", "Numbers", "Scratch", "Tables", "combine", "number", "put_in_order"]

#: What stands for no total: no sum of weights comes to it.
NOTHING = -(2**63)
#: Places of tallies: how many groups have an edge inside, and the weight of the loops of one group.
_LOOPS, _INSIDE = 8, 16
#: Groups that a thread takes at a time; rows up to this length are sorted by comparing.
_CHUNK, _FEW = 32, 8
_0, _1, _6, _12, _63 = map(np.uint64, (0, 1, 6, 12, 63))
#: How many members ahead the first is asked for that will be read; how many of its neighbors.
_FAR, _AHEAD = 16, np.uint64(16)
#: Fewer vertices than this are in a near cache anyway.
_MANY = 1 << 15


class Numbers(NamedTuple):
    """The label of every group, the group of every label, and the group of every vertex."""

    names: np.ndarray
    rank: np.ndarray
    groups: np.ndarray


class Lists(NamedTuple):
    """The members of all groups: those of group g begin at ``firsts[g]``."""

    members: np.ndarray
    firsts: np.ndarray


class Scratch(NamedTuple):
    """Which labels are used, each vertex's place in its group, groups found by each thread."""

    used: np.ndarray
    order: np.ndarray
    counts: np.ndarray


class Tables(NamedTuple):
    """Of each thread: totals by group, the groups that have one, and bits to sort these by."""

    totals: np.ndarray
    met: np.ndarray
    words: np.ndarray


class Found(NamedTuple):
    """Rows of groups in the order in which they are found, where each begins, and its length."""

    targets: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray
    tallies: np.ndarray


@kernel(borrows=True)
def number(me, team, control, labels, numbers, lists, scratch):
    """The groups in ascending order of their labels; ``used``, ``firsts`` and ``counts`` are 0."""
    (names, rank, groups), (members, firsts) = numbers, lists
    used, order, counts = scratch
    low, high = share(me, team, len(labels))
    for v in range(low, high):
        used[labels[v]] = 1
    if not barrier(control, team):
        return
    found = np.int64(0)
    for c in range(low, high):
        found += used[c]
    counts[me] = found
    if not barrier(control, team):
        return
    g = np.int64(0)
    for other in range(me):
        g += counts[other]
    for c in range(low, high):
        if used[c] != 0:
            names[g], rank[c] = c, g
            g += 1
    if not barrier(control, team):
        return
    for v in range(low, high):
        g = np.int64(rank[labels[v]])
        groups[v] = g
        if team == 1:
            order[v] = firsts[g + 1]
            firsts[g + 1] += 1
        else:
            order[v] = fetch_add(firsts, g + 1, 1)
    if not barrier(control, team):
        return
    if me == 0:
        for g in range(counts.sum()):
            firsts[g + 1] += firsts[g]
    if not barrier(control, team):
        return
    for v in range(low, high):
        members[firsts[groups[v]] + order[v]] = v


@kernel(borrows=True)
def combine(me, team, control, rows, groups, lists, tables, found, loops, large):
    """The rows of the groups: where each begins, and its length.

    The threads go through the members of a group of ``large`` together.
    """
    (members, firsts), (targets, values, starts, lengths, tallies) = lists, found
    totals, met = tables.totals[me], tables.met[me]
    for c in range(len(totals)):
        totals[c] = NOTHING
    for i in range(len(large)):
        if not _together(me, team, control, rows, groups, lists, tables, found, loops, large[i]):
            return
    most = firsts[large[-1] + 1] - firsts[large[-1]] if len(large) > 0 else len(groups) + 1
    while True:
        first, last = grab(control, 0, _CHUNK, len(starts))
        if first == last:
            return
        for g in range(first, last):
            if firsts[g + 1] - firsts[g] >= most:
                continue
            count, inside = _gather(firsts[g], firsts[g + 1], members, rows, groups, totals, met, 0)
            if not loops and totals[g] != NOTHING:  # its place is the last one's
                totals[g], i = NOTHING, 0
                while np.int64(met[i]) != g:
                    i += 1
                count -= 1
                met[i] = met[count]
            elif loops and totals[g] != NOTHING:  # an edge inside was met from both its ends
                totals[g] = (totals[g] + inside) // 2
                fetch_add(tallies, _LOOPS, 1)
            if count > _FEW and len(starts) >> 12 <= count:
                _sort_by_bits(met, count, tables.words[me], (len(starts) >> 6) + 1)
            else:
                sort_few(met, 0, count)
            at = fetch_add(tallies, 0, count)
            starts[g], lengths[g] = at, count
            for i in range(count):
                targets[at + i], values[at + i] = met[i], totals[met[i]]
                totals[met[i]] = NOTHING


@inlined
def _gather(low, high, members, rows, groups, totals, met, count):
    """Add up the edges of some members by group: how many groups there are now, weight of loops."""
    (indptr, indices, weights), inside = rows, np.int64(0)
    for i in range(low, high):
        if len(groups) >= _MANY:
            _ask(i, members, rows, groups)
        v = members[i]
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            c = groups[indices[e]]
            weight = np.int64(1) if len(weights) == 0 else np.int64(weights[e])
            total = totals[c]
            met[count] = c
            count += total == NOTHING
            totals[c] = weight + (0 if total == NOTHING else total)
            inside += weight if indices[e] == v else 0
    return count, inside


@inner
def _together(me, team, control, rows, groups, lists, tables, found, loops, g):
    """The row of one group by all threads; False when stopped.

    Each adds up some of the members in its own table. Then each adds up all tables for its part of
    the groups, and the parts stand one behind the other.
    """
    (members, firsts), (targets, values, starts, lengths, tallies) = lists, found
    (totals, met, _), first = tables, firsts[g]
    count, size = np.int64(0), firsts[g + 1] - firsts[g]
    while True:
        low, high = grab(control, 1, _CHUNK, size)
        if low == high:
            break
        count, inside = _gather(
            first + low, first + high, members, rows, groups, totals[me], met[me], count
        )
        fetch_add(tallies, _INSIDE, inside)
    if not barrier(control, team):
        return False
    used, (low, high) = np.int64(0), share(me, team, len(starts))
    for c in range(low, high):
        total = NOTHING
        for other in range(team):
            more = totals[other, c]
            if more != NOTHING:
                total = more + (0 if total == NOTHING else total)
                totals[other, c] = NOTHING
        if c == g and total != NOTHING:
            total = (total + tallies[_INSIDE]) // 2 if loops else NOTHING
        totals[0, c] = total
        used += total != NOTHING
    met[me, 0] = used
    if not barrier(control, team):
        return False
    at, count = tallies[0], np.int64(0)
    for other in range(team):
        at += met[other, 0] if other < me else 0
        count += met[other, 0]
    for c in range(low, high):
        if totals[0, c] != NOTHING:
            targets[at], values[at] = c, totals[0, c]
            totals[0, c] = NOTHING
            at += 1
            if c == g:
                fetch_add(tallies, _LOOPS, 1)
    if not barrier(control, team):
        return False
    if me == 0:
        starts[g], lengths[g] = tallies[0], count
        tallies[0] += count
        tallies[_INSIDE] = 0
        rewind(control, 1)
    return barrier(control, team)


@inlined
def _ask(i, members, rows, groups):
    """Ask for what will be read of the next members: it is all over the memory."""
    indptr, indices, _ = rows
    if i + _FAR < len(members):
        prefetch(indptr, members[i + _FAR])
        prefetch(indices, indptr[members[i + _FAR // 2]])
        v = members[i + _FAR // 4]
        low, high = indptr[v], indptr[v + np.uint64(1)]
        for e in range(low, min(high, low + _AHEAD)):
            prefetch(groups, indices[e])


@inner
def _sort_by_bits(met, count, words, first):
    """By a bit for each group, and from ``first`` on one for each word of these; all 0 again."""
    for i in range(count):
        c = np.uint64(met[i])
        words[c >> _6] |= _1 << (c & _63)
        words[np.uint64(first) + (c >> _12)] |= _1 << ((c >> _6) & _63)
    i = np.int64(0)
    for high in range(first, len(words)):
        while words[high] != _0:
            middle = (high - first) * 64 + lowest_bit(words[high])
            words[high] &= words[high] - _1
            word = words[middle]
            words[middle] = _0
            while word != _0:
                met[i] = middle * 64 + lowest_bit(word)
                word &= word - _1
                i += 1


@kernel(borrows=True)
def put_in_order(me, team, control, found, indptr, indices, values):
    """Row after row."""
    starts, lengths = found.starts, found.lengths
    while True:
        first, last = grab(control, 0, 8 * _CHUNK, len(starts))
        if first == last:
            return
        for g in range(first, last):
            to = indptr[g]
            for i in range(starts[g], starts[g] + lengths[g]):
                indices[to], values[to] = found.targets[i], found.values[i]
                to += 1

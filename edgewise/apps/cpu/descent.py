"""Approximate nearest neighbors by descent on CPU threads: see `edgewise.apps.nearest_neighbors`.

Every point has a list of its k nearest known points, the nearest first. The initial lists come from
the leaves of random projection trees. In each iteration, every point is compared with a few of its
neighbors' neighbors, along and against the lists, where at least one of the two steps is new. A
list is written by one thread only, and others read the lists of the previous iteration. So the
result is the same for any number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.cpu.exact import rank
from edgewise.apps.nearest_neighbors import Points
from edgewise.base.cache import helper, inner, kernel
from edgewise.base.cpu.sort import sort
from edgewise.base.cpu.team import grab
from edgewise.base.observe import notify
from edgewise.base.random import hashed, mix
from edgewise.base.threads import get_threads, launch

__all__ = ["descent"]

_TREES, _LEAF = 4, 64  # trees, and points in a leaf at the most; more if k is more
_TURNS, _ENOUGH = 12, 0.001  # turns at the most; the part of the lists that may still change
_32 = np.uint64(32)
_mix = inner(mix)


class Lists(NamedTuple):
    """The k nearest known points of every point."""

    ids: np.ndarray  #: -1 where there is none yet
    squares: np.ndarray  #: of distances, ascending
    fresh: np.ndarray  #: is it new?


def descent(points: Points, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids of k near points of every point, and the squares of their distances."""
    table = np.ascontiguousarray(points.right[:, :-1])
    n, d = table.shape
    lists = Lists(np.full((n, k), -1, np.int32), np.full((n, k), np.inf, np.float32),
                  np.ones((n, k), np.uint8))  # fmt: skip
    few, team = max(8, k // 2), get_threads()
    for tree in range(_TREES):
        order, starts = _leaves(table, max(_LEAF, 2 * k), seed, tree)
        seen = np.full((team, n), -1, np.int32)
        launch(_meet, table, order, starts, lists, seen, team=team, work=n * _LEAF * d)
    for turn in range(_TURNS):
        new, old = np.full((n, 2 * few), -1, np.int32), np.full((n, 2 * few), -1, np.int32)
        launch(_show, lists.ids, lists.fresh, new, old, few, hashed(seed, turn)[()], work=n * k)
        for shown in (new, old):
            _turn_back(shown, few, seed, turn)
        seen, changed = np.full((team, n), -1, np.int32), np.zeros((team, 8), np.int64)
        launch(_look, table, new, old, lists, seen, changed, team=team, work=n * few * few * d)
        notify(turn, phase="descent", changed=int(changed.sum()))
        if changed.sum() <= _ENOUGH * n * k:
            break
    _complete(lists.ids, seed)
    ids, squares = np.empty((n, k), np.int32), np.empty((n, k))
    bound, doubtful = np.full(n, np.inf), np.empty(n, np.bool_)
    launch(rank, points.exact, lists.ids, bound, ids, squares, doubtful, work=n * k * d)
    return ids, squares


def _leaves(table: np.ndarray, size: int, seed: int, tree: int) -> tuple[np.ndarray, np.ndarray]:
    """The points in the order of the leaves of a tree, and where each leaf begins.

    A node is split in halves along the line through two of its points, drawn at random.
    """
    n = len(table)
    order, depth = np.arange(n, dtype=np.int64), max(n // size, 1).bit_length() - 1
    starts = np.array([0, n])
    for level in range(depth):
        sizes = np.diff(starts)
        node = np.repeat(np.arange(len(sizes), dtype=np.uint64), sizes)
        ends = []
        for side in (1, 2):
            drawn = hashed(seed, np.arange(len(sizes)), 128 * tree + 2 * level + side)
            ends.append(order[starts[:-1] + (drawn % sizes.astype(np.uint64)).astype(np.int64)])
        lines = np.repeat(table[ends[0]] - table[ends[1]], sizes, axis=0)
        along = np.einsum("ij,ij->i", table[order], lines)
        word = along.astype(np.float32).view(np.uint32)
        word = np.where(word >> 31, ~word, word | np.uint32(1 << 31))  # in the order of floats
        sort(node << _32 | word, order)
        starts = n * np.arange(2 ** (level + 1) + 1) // 2 ** (level + 1)
    return order, starts


def _turn_back(shown: np.ndarray, few: int, seed: int, turn: int) -> None:
    """Show everybody, behind its own, a few of those that show it."""
    n = len(shown)
    senders, columns = np.nonzero(shown[:, :few] >= 0)
    targets = shown[senders, columns].astype(np.uint64)
    keys = targets << _32 | hashed(seed, senders, turn) >> _32  # a few drawn of each
    senders = senders.astype(np.int64)
    sort(keys, senders)
    starts = np.searchsorted(keys, np.arange(n + 1, dtype=np.uint64) << _32)
    launch(_append, starts, senders, shown, few, work=len(senders))


def _complete(lists: np.ndarray, seed: int) -> None:
    """Fill lists that are not full (of tiny tables) with any others."""
    for v in np.flatnonzero((lists < 0).any(axis=1)):
        known = lists[v][lists[v] >= 0]
        others = np.setdiff1d(np.arange(min(len(lists), 2 * lists.shape[1] + 2)), [*known, v])
        lists[v] = np.r_[known, others][: lists.shape[1]]


@kernel
def _meet(me, team, control, table, order, starts, lists, seen):
    """Let all who share a leaf know one another."""
    ids, far, fresh = lists
    while True:
        low, high = grab(control, 0, 4, len(starts) - 1)
        if low >= high:
            return
        for leaf in range(low, high):
            for i in range(starts[leaf], starts[leaf + 1]):
                v, known = order[i], seen[me]
                for one in ids[v]:
                    if one >= 0:
                        known[one] = v
                for j in range(starts[leaf], starts[leaf + 1]):
                    u = order[j]
                    if u != v and known[u] != v:
                        square = _square(table, v, u)
                        if square < far[v, -1]:
                            _insert(ids[v], far[v], fresh[v], u, square)


@kernel
def _show(me, team, control, ids, fresh, new, old, few, key):
    """Of every list, a few that are new, which are new no more then, and a few that are not."""
    k = ids.shape[1]
    while True:
        low, high = grab(control, 0, 256, len(ids))
        if low >= high:
            return
        for v in range(low, high):
            news, olds = 0, 0
            first = np.int64(_mix(np.uint64(v) ^ key) % np.uint64(k))
            for i in range(k):
                at = i if i < few else few + (i + first) % (k - few) if k > few else i
                if ids[v, at] < 0:
                    continue
                if fresh[v, at] and news < few:
                    new[v, news] = ids[v, at]
                    fresh[v, at] = 0
                    news += 1
                elif not fresh[v, at] and olds < few:
                    old[v, olds] = ids[v, at]
                    olds += 1


@kernel
def _append(me, team, control, starts, senders, shown, few):
    while True:
        low, high = grab(control, 0, 1024, len(shown))
        if low >= high:
            return
        for v in range(low, high):
            for i in range(min(starts[v + 1] - starts[v], few)):
                shown[v, few + i] = senders[starts[v] + i]


@kernel
def _look(me, team, control, table, new, old, lists, seen, changed):
    """Everybody looks at its neighbors' neighbors; one step at least is new."""
    ids, far, fresh = lists
    mine, count = seen[me], 0
    while True:
        low, high = grab(control, 0, 64, len(ids))
        if low >= high:
            break
        for v in range(low, high):
            mine[v] = v
            for i in range(ids.shape[1]):
                if ids[v, i] >= 0:
                    mine[ids[v, i]] = v
            for i in range(new.shape[1]):
                u = new[v, i]
                if u >= 0:
                    count += _look_at(table, v, new[u], ids[v], far[v], fresh[v], mine)
                    count += _look_at(table, v, old[u], ids[v], far[v], fresh[v], mine)
            for i in range(old.shape[1]):
                u = old[v, i]
                if u >= 0:
                    count += _look_at(table, v, new[u], ids[v], far[v], fresh[v], mine)
    changed[me, 0] = count


@inner
def _look_at(table, v, shown, ids, far, fresh, mine):
    count = 0
    for w in shown:
        if w >= 0 and mine[w] != v:
            mine[w] = v
            square = _square(table, v, w)
            if square < far[-1]:
                _insert(ids, far, fresh, w, square)
                count += 1
    return count


@inner
def _insert(ids, far, fresh, u, square):
    """Into a list, for the last one: three arrays, which `edgewise.base.insertion` makes slower."""
    place = len(ids) - 1
    while place > 0 and far[place - 1] > square:
        ids[place], far[place], fresh[place] = ids[place - 1], far[place - 1], fresh[place - 1]
        place -= 1
    ids[place], far[place], fresh[place] = u, square, 1


def _sum_of_squares(table, v, u):
    total = np.float32(0)
    for i in range(table.shape[1]):
        step = table[v, i] - table[u, i]
        total += step * step
    return total


_square: Any = helper(_sum_of_squares, _nrt=False, fastmath=True)

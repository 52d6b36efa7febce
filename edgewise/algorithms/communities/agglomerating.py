"""Merging communities, always the pair that gains most: one thread, over linked rows.

A row lists the neighbors of a community as doubly linked entries; entry e of x for y and
``twin[e]`` of y for x hold the same weight. A merge links the shorter row into the longer one.
A heap holds the communities by the loss of their best merge.

Masses only grow, so a merge makes other merges of the two communities worse, unless a neighbor is
next to both. Hence a loss that was found earlier is a lower bound, and a community is examined
again only when it comes to the top of the heap.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Best", "Merges", "Rows", "merge_all"]

_rise, _sink = indexed_heap(inner)


class Rows(NamedTuple):
    """Linked rows: ``head[x]`` is the first entry of x, -1 is no entry."""

    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    twin: np.ndarray
    other: np.ndarray
    weight: np.ndarray
    length: np.ndarray


class Merges(NamedTuple):
    """Merges in order."""

    nodes: np.ndarray  # two nodes of the tree of merges; merge i makes node n + i
    gain: np.ndarray
    node: np.ndarray  # the node of each community
    number: np.ndarray  # how many there are


class Best(NamedTuple):
    """The best neighbor of each community, and a heap of communities by the loss of that merge.

    Losses of stale communities are lower bounds: their masses, or those of their best neighbors,
    have changed.
    """

    neighbor: np.ndarray
    heap: np.ndarray
    place: np.ndarray
    key: np.ndarray
    changes: np.ndarray  # of the mass of each community
    known: np.ndarray  # the changes of both when the best neighbor was found


def merge_all(control, rows, mass, factor, merges, best, seen):
    """Merge the pair of largest gain ``weight - factor * mass[x] * mass[y]`` while there is one.

    ``seen`` is -1 everywhere.
    """
    size, heap, done, steps, marked = 0, best.heap, 0, 0, -1
    for x in range(len(mass)):
        best.place[x] = -1
        if rows.head[x] >= 0:
            _find_best(rows, mass, factor, best, x)
            _rise((heap, best.place, best.key), size, x)
            size += 1
    while size > 0:
        x = np.int64(heap[0])
        y = np.int64(best.neighbor[x])
        if best.known[x] != best.changes[x] + best.changes[y]:
            steps += 1 + rows.length[x] // 64
            _find_best(rows, mass, factor, best, x)
            _settle(best, size, x)
            continue
        merges.nodes[done, 0], merges.nodes[done, 1] = merges.node[x], merges.node[y]
        merges.gain[done] = -best.key[x]
        if rows.length[x] < rows.length[y]:
            x, y = y, x
        size = _drop(best, size, y)
        if marked != x:
            _mark(rows, seen, marked, False)
            _mark(rows, seen, x, True)
            marked = x
        mass[x] += mass[y]
        best.changes[x] += 1
        best.changes[y] += 1
        _join(rows, mass, factor, best, seen, size, x, y)
        merges.node[x] = len(mass) + done
        done += 1
        merges.number[0] = done
        if rows.head[x] < 0:
            size = _drop(best, size, x)
        steps += 1 + rows.length[x] // 64
        if steps > 64 and not going(control, done):
            return
        steps %= 65


@inner
def _mark(rows, seen, x, on):
    """Note the entry of every neighbor of x, or clear the notes; x may be -1 for none."""
    e = rows.head[x] if x >= 0 else -1
    while e >= 0:
        seen[rows.other[e]] = e if on else -1
        e = rows.after[e]


@inner
def _join(rows, mass, factor, best, seen, size, x, y):
    """Link the row of y into that of x, whose neighbors are marked.

    Only communities next to y may have a better merge than before, now with x.
    """
    key, e = best.key, rows.head[y]
    least = key[x]
    while e >= 0:
        following, z, back = rows.after[e], rows.other[e], rows.twin[e]
        if z == x:
            _unlink(rows, x, back)
            e = following
            continue
        known = seen[z]
        if known >= 0:
            rows.weight[known] += rows.weight[e]
            rows.weight[rows.twin[known]] += rows.weight[e]
            _unlink(rows, z, back)
        else:
            rows.other[back] = x
            rows.before[e], rows.after[e] = -1, rows.head[x]
            if rows.head[x] >= 0:
                rows.before[rows.head[x]] = e
            rows.head[x] = e
            rows.length[x] += 1
            seen[z] = known = e
        loss = factor * mass[x] * mass[z] - rows.weight[known]
        least = min(least, loss)
        if loss < key[z]:
            best.neighbor[z], key[z] = x, loss
            best.known[z] = best.changes[z] + best.changes[x]
            _settle(best, size, z)
        e = following
    rows.head[y] = -1
    seen[y] = -1
    if least < key[x]:
        key[x] = least
        _settle(best, size, x)


@inner
def _unlink(rows, x, e):
    """Take an entry out of the row of x."""
    before, after = rows.before[e], rows.after[e]
    if before >= 0:
        rows.after[before] = after
    else:
        rows.head[x] = after
    if after >= 0:
        rows.before[after] = before
    rows.length[x] -= 1


@inner
def _find_best(rows, mass, factor, best, x):
    e = rows.head[x]
    found, least, scale = np.int64(-1), np.inf, factor * mass[x]
    while e >= 0:
        z = rows.other[e]
        loss = scale * mass[z] - rows.weight[e]
        if found < 0 or loss < least or (loss == least and z < found):
            found, least = z, loss
        e = rows.after[e]
    best.neighbor[x], best.key[x] = found, least
    best.known[x] = best.changes[x] + best.changes[found]


@inner
def _settle(best, size, x):
    """Move x to where its new key belongs."""
    _rise((best.heap, best.place, best.key), best.place[x], x)
    _sink((best.heap, best.place, best.key), best.place[x], size, x)


@inner
def _drop(best, size, x):
    """Take x out of the heap; the new size."""
    size -= 1
    last, at = np.int64(best.heap[size]), best.place[x]
    if last != x:
        best.heap[at], best.place[last] = last, at
        _settle(best, size, last)
    best.place[x] = -1
    return size

"""Merging communities, always the pair that gains most: one thread, over linked rows.

A row lists the neighbors of a community as doubly linked entries; entry e of x for y and
``twin[e]`` of y for x hold the same weight. A merge links the shorter row into the longer one.
Every community knows its best neighbor. A heap holds the communities by that gain. After a merge,
only neighbors of the merged community can have another best one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Rows", "merge_all"]

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


def merge_all(control, rows, mass, factor, into, best, seen, heap, place, key):
    """Merge while the gain ``weight - factor * mass[x] * mass[y]`` of some pair is positive.

    ``into[x]`` becomes the community that x is merged into. ``key`` holds the negative gains of the
    best neighbors, ``heap`` and ``place`` the communities by it. ``seen`` is -1 everywhere.
    """
    size = 0
    for x in range(len(mass)):
        place[x] = -1
        if rows.head[x] >= 0:
            _find_best(rows, mass, factor, best, key, x)
            _rise((heap, place, key), size, x)
            size += 1
    done = 0
    while size > 0 and key[heap[0]] < 0.0:
        done += 1
        if done % 64 == 0 and not going(control, done):
            return
        x = np.int64(heap[0])
        y = np.int64(best[x])
        if rows.length[x] < rows.length[y]:
            x, y = y, x
        size = _drop(heap, place, key, size, y)
        _join(rows, seen, x, y)
        mass[x] += mass[y]
        into[y] = x
        if rows.head[x] < 0:
            size = _drop(heap, place, key, size, x)
            continue
        size = _renew(rows, mass, factor, best, heap, place, key, size, x, y)


@inner
def _join(rows, seen, x, y):
    """Link the row of y into that of x."""
    e = rows.head[x]
    while e >= 0:
        seen[rows.other[e]] = e
        e = rows.after[e]
    seen[x] = -1
    e = rows.head[y]
    while e >= 0:
        following, z, back = rows.after[e], rows.other[e], rows.twin[e]
        if z == x:
            _unlink(rows, x, back)
        elif seen[z] >= 0:
            known = seen[z]
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
        e = following
    rows.head[y] = -1
    seen[y] = -1
    e = rows.head[x]
    while e >= 0:
        seen[rows.other[e]] = -1
        e = rows.after[e]


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
def _renew(rows, mass, factor, best, heap, place, key, size, x, y):
    """Find the best neighbors again of x, and of its neighbors where they have changed."""
    e = rows.head[x]
    while e >= 0:
        z = rows.other[e]
        loss = factor * mass[x] * mass[z] - rows.weight[e]
        if loss < key[z] or (loss == key[z] and best[z] == x):
            best[z], key[z] = x, loss
            _settle(heap, place, key, size, z)
        elif best[z] == x or best[z] == y:
            _find_best(rows, mass, factor, best, key, z)
            _settle(heap, place, key, size, z)
        e = rows.after[e]
    _find_best(rows, mass, factor, best, key, x)
    _settle(heap, place, key, size, x)
    return size


@inner
def _find_best(rows, mass, factor, best, key, x):
    e = rows.head[x]
    key[x] = np.inf
    while e >= 0:
        z = rows.other[e]
        loss = factor * mass[x] * mass[z] - rows.weight[e]
        if loss < key[x] or (loss == key[x] and z < best[x]):
            best[x], key[x] = z, loss
        e = rows.after[e]


@inner
def _settle(heap, place, key, size, x):
    """Move x to where its new key belongs."""
    _rise((heap, place, key), place[x], x)
    _sink((heap, place, key), place[x], size, x)


@inner
def _drop(heap, place, key, size, x):
    """Take x out of the heap; the new size."""
    size -= 1
    last, at = np.int64(heap[size]), place[x]
    if last != x:
        heap[at], place[last] = last, at
        _settle(heap, place, key, size, last)
    place[x] = -1
    return size

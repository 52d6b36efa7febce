"""Merging communities, always the pair that gains most: one thread, over linked rows.

A row lists the neighbors of a community as doubly linked entries; entry e of x for y and
``twin[e]`` of y for x hold the same weight. A merge links the shorter row into the longer one; a
hash table finds the entry of a pair. A heap holds the communities by the loss of their best merge.

Masses only grow, so a merge makes other merges of the two communities worse, unless a neighbor is
next to both. Hence a loss that was found earlier is a lower bound, and a community is examined
again only when it comes to the top of the heap.

Communities with long rows are hubs (`hub_merges`). A hub alone keeps watch on its pairs, so that a
merge of it does not affect what is known of its neighbors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.algorithms.communities.hub_merges import (
    best_of_hub,
    consider,
    is_hub,
    make_hub,
    release,
)
from edgewise.algorithms.communities.linked_rows import Rows, unlink
from edgewise.algorithms.communities.pair_table import find_entry, keep_room, put_entry
from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["Best", "Merges", "Rows", "merge_all"]

_rise, _sink = indexed_heap(inner)


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


def merge_all(control, rows, mass, factor, merges, best, pairs, hubs):
    """Merge the pair of largest gain ``weight - factor * mass[x] * mass[y]`` while there is one."""
    size, heap, done, steps = 0, best.heap, 0, 0
    for x in range(len(mass)):
        best.place[x] = -1
        if rows.head[x] >= 0:
            _find_best(rows, mass, factor, best, hubs, x)
            _rise((heap, best.place, best.key), size, x)
            size += 1
    while size > 0:
        x = np.int64(heap[0])
        y = np.int64(best.neighbor[x])
        if y < 0 or best.known[x] != best.changes[x] + best.changes[y]:
            steps += 1 + rows.length[x] // 64
            if y < 0:  # all neighbors are hubs, whose merges lose as much: more than a float holds
                _scan(rows, mass, factor, best, hubs, x, True)
            else:
                _find_best(rows, mass, factor, best, hubs, x)
            _settle(best, size, x)
            continue
        merges.nodes[done, 0], merges.nodes[done, 1] = merges.node[x], merges.node[y]
        merges.gain[done] = -best.key[x]
        if rows.length[x] < rows.length[y]:
            x, y = y, x
        size = _drop(best, size, y)
        release(hubs, y)
        mass[x] += mass[y]
        best.changes[x] += 1
        best.changes[y] += 1
        steps += 1 + rows.length[y] // 64 + keep_room(rows, pairs, rows.length[y]) // 64
        _join(rows, mass, factor, best, pairs, hubs, size, x, y)
        merges.node[x] = len(mass) + done
        done += 1
        merges.number[0] = done
        if rows.head[x] < 0:
            size = _drop(best, size, x)
            release(hubs, x)
        if steps > 64:
            steps = 0
            if not going(control, done):
                return


@inner
def _join(rows, mass, factor, best, pairs, hubs, size, x, y):
    """Link the row of y into that of x.

    Only communities next to y may have a better merge than before, now with x.
    """
    key, e = best.key, rows.head[y]
    least = key[x]
    while e >= 0:
        following, z, back = rows.after[e], rows.other[e], rows.twin[e]
        if z == x:
            unlink(rows, x, back)
            e = following
            continue
        known = find_entry(rows, pairs, x, z)
        if known >= 0:
            rows.weight[known] += rows.weight[e]
            rows.weight[rows.twin[known]] += rows.weight[e]
            unlink(rows, z, back)
        else:
            rows.other[back] = x
            rows.before[e], rows.after[e] = -1, rows.head[x]
            if rows.head[x] >= 0:
                rows.before[rows.head[x]] = e
            rows.head[x] = e
            rows.length[x] += 1
            put_entry(pairs, x, z, e)
            known = e
        loss = factor * mass[x] * mass[z] - rows.weight[known]
        least = min(least, loss)
        consider(rows, mass, factor, hubs, x, known, loss)
        consider(rows, mass, factor, hubs, z, rows.twin[known], loss)
        if loss < key[z] and (is_hub(hubs, z) or not is_hub(hubs, x)):
            best.neighbor[z], key[z] = x, loss
            best.known[z] = best.changes[z] + best.changes[x]
            _settle(best, size, z)
        e = following
    rows.head[y] = -1
    if least < key[x]:
        key[x] = least
        _settle(best, size, x)


@inner
def _find_best(rows, mass, factor, best, hubs, x):
    """The best merge of x, for a short row among neighbors that are no hubs."""
    if is_hub(hubs, x) or make_hub(rows, hubs, x):
        e, least = best_of_hub(rows, mass, factor, hubs, x)
        found = rows.other[e]
        best.neighbor[x], best.key[x] = found, least
        best.known[x] = best.changes[x] + best.changes[found]
    else:
        _scan(rows, mass, factor, best, hubs, x, False)


@inner
def _scan(rows, mass, factor, best, hubs, x, everything):
    e = rows.head[x]
    found, least, scale = np.int64(-1), np.inf, factor * mass[x]
    while e >= 0:
        z = rows.other[e]
        if everything or not is_hub(hubs, z):
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

"""Loops and repeats of a random pairing, removed by exchanges of ends with random other pairs.

The edges of the pairing are the rows of a graph, where each counts once. Two small hash sets hold
the edges that exchanges have added to them and removed from them.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import stopped
from edgewise.generators.cpu.hashing import contains, edge_key, insert, remove
from edgewise.generators.cpu.permutation import below

__all__ = ["repair_pairs", "set_counts"]

_TRIES = 200
_LOOK = (1 << 10) - 1
_1 = np.uint64(1)


@kernel
def repair_pairs(me, team, control, seed, rows, wrong, good, sources, targets, sets):
    """Exchange an end of every wrong pair with another pair, so that both are new; for one thread.

    ``rows`` are the offsets and neighbors of the graph. ``good`` is False for the wrong pairs, and
    stays so for those that no try repairs. ``sets`` are two empty tables: added and removed edges.
    """
    n, mask = len(rows[0]) - 1, len(sets[0]) - 1
    for count in range(len(wrong)):
        if count & _LOOK == 0 and stopped(control):
            return
        i = wrong[count]
        if good[i]:  # by an exchange with an earlier one
            continue
        a, b = sources[i], targets[i]
        for turn in range(1, _TRIES + 1):
            word = bits(seed, np.uint64(i), np.uint64(turn))
            j = np.int64(below(word, np.uint64(len(sources))))
            c, d = sources[j], targets[j]
            if word & _1:
                c, d = d, c
            # From (a, b), (c, d) to (a, c), (b, d).
            if j == i or a == c or b == d or edge_key(a, c, n) == edge_key(b, d, n):
                continue
            if _has(rows, sets, mask, a, c, n) or _has(rows, sets, mask, b, d, n):
                continue
            if good[j]:
                _drop(sets, mask, edge_key(c, d, n))
            _add(rows, sets, mask, a, c, n)
            _add(rows, sets, mask, b, d, n)
            sources[i], targets[i], sources[j], targets[j] = a, c, b, d
            good[i] = good[j] = True
            break


@kernel
def set_counts(me, team, control, rows, sources, targets, times, weights):
    """Write how often each pair occurs to both of its arcs; for one thread."""
    indptr, indices = rows
    for k in range(len(times)):
        u, v = sources[k], targets[k]
        weights[lower_bound(indices, indptr[u], indptr[u + 1], v)] = times[k]
        weights[lower_bound(indices, indptr[v], indptr[v + 1], u)] = times[k]


@helper
def _in_rows(rows, u, v):
    indptr, indices = rows
    at = lower_bound(indices, indptr[u], indptr[u + 1], v)
    return at < indptr[u + 1] and indices[at] == v


@helper
def _has(rows, sets, mask, u, v, n):
    """Are two vertices joined by a good pair?"""
    key = edge_key(u, v, n)
    if _in_rows(rows, u, v):
        return not contains(sets[1], mask, key)
    return contains(sets[0], mask, key)


@helper
def _add(rows, sets, mask, u, v, n):
    key = edge_key(u, v, n)
    if _in_rows(rows, u, v):  # it was removed
        remove(sets[1], mask, key)
    else:
        insert(sets[0], mask, key)


@helper
def _drop(sets, mask, key):
    if contains(sets[0], mask, key):
        remove(sets[0], mask, key)
    else:
        insert(sets[1], mask, key)

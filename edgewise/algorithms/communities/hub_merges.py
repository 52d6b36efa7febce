"""The best merges of communities with long rows, without reading the row each time.

A scan of the row of x keeps the entries of least loss in a short list. For all others, in classes
by weight, it keeps the least loss and the least mass. The loss ``factor * mass[x] * mass[z] -
weight`` of an entry grows with the mass of x at a rate of at least ``factor`` times that least
mass. So each class has a lower bound at all times. The row is scanned again when no entry of the
list is within the bounds. A list has about √d of d entries, so that a merge of x takes O(√d) time.
Entries that get better, by merges of others, join the list or lower a bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.heap import binary_heap
from edgewise.operators.helpers import inner

__all__ = ["CLASSES", "MOST", "Hubs", "best_of_hub", "consider", "is_hub", "make_hub", "release"]

#: Entries in a list at most and at least, and classes of weights.
MOST, _LEAST, CLASSES = 512, 16, 8
#: Losses that differ by less than rounding does are equal.
_ROUNDING = 1e-12


class Hubs(NamedTuple):
    """Which communities are hubs, and their lists by slots."""

    slot: np.ndarray  # of each community, or -1
    free: np.ndarray  # slots that are not in use
    state: np.ndarray  # how many these are; the length of a short row
    unit: np.ndarray  # the least weight
    filled: np.ndarray  # entries in the list of a slot; -1 before the first scan
    listed: np.ndarray  # the list
    is_listed: np.ndarray  # for each entry
    loss: np.ndarray  # of each entry, when it was scanned
    start: np.ndarray  # the mass at the last scan
    least: np.ndarray  # of the others: the least loss at the last scan, by class
    light: np.ndarray  # and the least mass


def _loses_more(data, e, f):
    return data[1][e] > data[1][f]


def _read(data, i):
    return data[0][i]


def _write(data, i, e):
    data[0][i] = e


_rise, _sink = binary_heap(_loses_more, _read, _write, inner)


@inner
def is_hub(hubs, x):
    """Has x a list?"""
    return hubs.slot[x] >= 0


@inner
def make_hub(rows, hubs, x):
    """Give x a list if its row is long; is it a hub now?"""
    if rows.length[x] <= hubs.state[1] or hubs.state[0] == 0:
        return False
    hubs.state[0] -= 1
    s = hubs.free[hubs.state[0]]
    hubs.slot[x], hubs.filled[s] = s, -1
    return True


@inner
def release(hubs, x):
    """Take the list of x away, if it has one."""
    s = hubs.slot[x]
    if s >= 0:
        for i in range(hubs.filled[s]):
            hubs.is_listed[hubs.listed[s, i]] = False
        hubs.free[hubs.state[0]] = s
        hubs.state[0] += 1
        hubs.slot[x] = -1


@inner
def best_of_hub(rows, mass, factor, hubs, x):
    """The entry of least loss of a hub, and the loss."""
    s, scale = hubs.slot[x], factor * mass[x]
    if hubs.filled[s] > 0:
        grown, bound = factor * (mass[x] - hubs.start[s]), np.inf
        for c in range(CLASSES):
            if hubs.least[s, c] < np.inf:
                bound = min(bound, hubs.least[s, c] + grown * hubs.light[s, c])
        found, least, kept = np.int64(-1), np.inf, 0
        for i in range(hubs.filled[s]):
            e = hubs.listed[s, i]
            if rows.other[e] >= 0:
                hubs.listed[s, kept] = e
                kept += 1
                loss = scale * mass[rows.other[e]] - rows.weight[e]
                if found < 0 or loss < least:
                    found, least = e, loss
        hubs.filled[s] = kept
        if found >= 0 and least <= bound + _ROUNDING * (abs(bound) + rows.weight[found]):
            return found, least
    return _scan(rows, mass, scale, hubs, x, s)


@inner
def _scan(rows, mass, scale, hubs, x, s):
    """Read the whole row of x, and make its list anew."""
    for i in range(hubs.filled[s]):
        hubs.is_listed[hubs.listed[s, i]] = False
    for c in range(CLASSES):
        hubs.least[s, c], hubs.light[s, c] = np.inf, np.inf
    hubs.start[s] = mass[x]
    most = min(max(np.int64(np.sqrt(rows.length[x])), _LEAST), MOST // 2)
    data, count = (hubs.listed[s], hubs.loss), 0
    found, least, e = np.int64(-1), np.inf, rows.head[x]
    while e >= 0:
        loss = scale * mass[rows.other[e]] - rows.weight[e]
        hubs.loss[e] = loss
        if found < 0 or loss < least:
            found, least = e, loss
        if count < most:
            _rise(data, count, e)
            hubs.is_listed[e] = True
            count += 1
        else:
            worst = np.int64(data[0][0])
            if loss < hubs.loss[worst]:
                _sink(data, 0, count, e)
                hubs.is_listed[e], hubs.is_listed[worst] = True, False
            else:
                worst = e
            _lower(hubs, s, rows.weight[worst], hubs.loss[worst], mass[rows.other[worst]])
        e = rows.after[e]
    hubs.filled[s] = count
    return found, least


@inner
def consider(rows, mass, factor, hubs, x, e, loss):
    """If x is a hub: an entry is new, or its loss has become less."""
    s = hubs.slot[x]
    if s < 0 or hubs.filled[s] < 0 or hubs.is_listed[e]:
        return
    if hubs.filled[s] < MOST:
        hubs.listed[s, hubs.filled[s]] = e
        hubs.is_listed[e] = True
        hubs.filled[s] += 1
    else:
        other = mass[rows.other[e]]
        grown = factor * (mass[x] - hubs.start[s])
        _lower(hubs, s, rows.weight[e], loss - grown * other, other)


@inner
def _lower(hubs, s, weight, loss, other):
    """Lower the bounds of a class for an entry that is not listed."""
    c, above = 0, 2 * hubs.unit[0]
    while c < CLASSES - 1 and weight >= above:
        above *= 2
        c += 1
    hubs.least[s, c] = min(hubs.least[s, c], loss)
    hubs.light[s, c] = min(hubs.light[s, c], other)

"""The change of all gaps when two vertices exchange their positions.

Row w holds the positions of w's neighbors in ascending order: ``places[indptr[w]:indptr[w + 1]]``.
When u and v exchange positions, rows with both of them or neither of them stay the same. In every
other row of a neighbor one entry moves, which changes at most three gaps; bisection finds them. So
a swap is evaluated in (d(u) + d(v)) log d steps, whatever the size of the graph. For the linear gap
the sum of a row is its span, and no search is needed.

Changes are integers: gaps, or logarithms in units of 2^-36. So sums do not depend on the order,
swaps of equal gain compare equal, and reported gains add up.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inner, lower_bound

__all__ = ["UNITS", "Positions", "one_sided", "swap_change"]

#: So many units are one, in changes of logarithms: a change of two million rows still fits.
UNITS = 2.0**36


class Positions(NamedTuple):
    """A graph and the positions of its vertices, by which a swap is judged."""

    indptr: Any
    indices: Any
    order: Any  # the position of every vertex
    places: Any  # over arcs: the positions of a row's neighbors, ascending
    linear: bool  # the sum is of gaps, not of their logarithms


@inner
def one_sided(indices, i, last_i, j, last_j):
    """The next vertex in one of two rows and not in the other: (w, in the first?, i, j); w is -1
    where there is none."""
    while i < last_i or j < last_j:
        if j >= last_j or (i < last_i and indices[i] < indices[j]):
            return np.int64(indices[i]), True, i + 1, j
        if i >= last_i or indices[j] < indices[i]:
            return np.int64(indices[j]), False, i, j + 1
        i, j = i + 1, j + 1
    return np.int64(-1), False, i, j


@inner
def swap_change(u, v, at):
    """What is added to the sum of all gaps, or of their logarithms, if u and v exchange places."""
    indptr, indices, order, places, linear = at
    i, last_i = np.int64(indptr[u]), np.int64(indptr[u + 1])
    j, last_j = np.int64(indptr[v]), np.int64(indptr[v + 1])
    a, b, change = np.int64(order[u]), np.int64(order[v]), np.int64(0)
    w, first, i, j = one_sided(indices, i, last_i, j, last_j)
    while w >= 0:
        low, high = np.int64(indptr[w]), np.int64(indptr[w + 1])
        old, new = (a, b) if first else (b, a)
        if linear:
            change += span_change(places, low, high, old, new)
        else:
            change += log_change(places, low, high, old, new)
        w, first, i, j = one_sided(indices, i, last_i, j, last_j)
    return change


@inner
def span_change(places, low, high, old, new):
    """The gaps of a row add up to its span: how that changes when one entry moves."""
    if high - low < 2:
        return np.int64(0)
    first, last = np.int64(places[low]), np.int64(places[high - 1])
    left = np.int64(places[low + 1]) if old == first else first
    right = np.int64(places[high - 2]) if old == last else last
    return max(right, new) - min(left, new) - (last - first)


@inner
def log_change(places, low, high, old, new):
    """How the sum of the logarithms of a row's gaps changes when one entry moves."""
    i, j = lower_bound(places, low, high, old), lower_bound(places, low, high, new)
    gained, lost = 1.0, 1.0
    if i > low:
        lost *= old - places[i - 1]
    if i + 1 < high:
        lost *= places[i + 1] - old
    if j == i or j == i + 1:  # it stays between the same two
        if i > low:
            gained *= new - places[i - 1]
        if i + 1 < high:
            gained *= places[i + 1] - new
    else:
        if i > low and i + 1 < high:
            gained *= places[i + 1] - places[i - 1]
        if j > low:
            gained *= new - places[j - 1]
        if j < high:
            gained *= places[j] - new
        if low < j < high:
            lost *= places[j] - places[j - 1]
    return np.int64(math.floor(math.log2(gained / lost) * UNITS + 0.5))

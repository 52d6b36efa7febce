"""The functions that `two_thirds` gives to operators to find exchanges.

A *center* is a matched edge, known by its smaller end, or a free vertex. ``held[v]`` is the weight
of v's matched edge, zero if it is free; ``most[v]`` is what the best arm of v gains. The exchange
planned for a center is what it gains, and the edges that its smaller end (``left``) and its other
end (``right``) change to, -1 for none. ``lengths[e * step]`` is the weight of edge e; ``step`` is 0
where one length stands for all. A ``phase`` lets one function run several times over the same
members, all of them through one phase before the next.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import atomic
from edgewise.operators import MAX, Monoid
from edgewise.operators.helpers import find_edge, inner

__all__ = [
    "BEST",
    "TWO_BEST",
    "arm",
    "best_arm",
    "close",
    "drop_loop",
    "gains",
    "hold",
    "hopes",
    "is_looked_at",
    "plan",
    "walks",
]

# An exchange must gain more than this share of the weight that it gives up: more than the five
# roundings of its sum can feign.
_LEAST = 2.0**-48


def drop_loop(source, target, edge, lengths):
    """A loop is to weigh nothing: no arm is as light as that."""
    if source == target:
        lengths[edge] = 0


def hold(v, mate, indptr, indices, lengths, step, held):
    """Note the weight of v's matched edge, the heaviest of parallel ones; zero if it is free."""
    m = np.int64(mate[v])
    if m >= 0:
        at = find_edge(indptr, indices, v, m)
        while at < indptr[v + 1] and indices[at] == m:
            held[v] = max(held[v], np.float64(lengths[at * step]))
            at += 1


def best_arm(value, weight):
    """What the arm along one edge gains; nothing, if it leads to the mate."""
    return np.float64(weight) - value


def arm(value, weight, edge):
    """The same with the edge, if it gains anything."""
    gain = max(np.float64(weight) - value, 0.0)
    return gain, edge if gain > 0.0 else -1, 0.0, -1


def _two_best(old, new):
    if new[0] < old[2] or new[1] < 0:
        return old
    if new[0] > old[0] or (new[0] == old[0] and new[1] > old[1]):
        old, new = new, old
    if new[0] > old[2] or (new[0] == old[2] and new[1] > old[3]):
        return old[0], old[1], new[0], new[1]
    return old


#: What the best arm gains, if anything.
BEST = Monoid(0.0, MAX.combine, idempotent=True)
#: The two best arms among those of both; of equal ones those with the greater edge ids.
TWO_BEST = Monoid((0.0, -1, 0.0, -1), _two_best)


@inner
def hopes(v, mate, held, most):
    """Could the center of v gain by arms?"""
    return most[v] > 0.0 if mate[v] < 0 else most[v] + most[mate[v]] > held[v]


def is_looked_at(v, mate, held, most, look, told):
    """Is the center of v to be looked at?"""
    m = np.int64(mate[v])
    asked = told[v] or (m >= 0 and told[m])
    return look[v if m < 0 else min(v, m)] or (asked and hopes(v, mate, held, most))


def plan(b, mate, held, most, indices, gain1, edge1, gain2, edge2, gain, left, right):
    """The best exchange of center b by arms: one of the first two, or none, at either end."""
    gain[b], left[b], right[b] = 0.0, -1, -1
    c = np.int64(mate[b])
    if 0 <= c < b or not hopes(b, mate, held, most):
        return  # no center, or there are no arms at hand
    for i in range(3):
        e, by_b = np.int64(-1), 0.0
        if i < 2:
            e, by_b = (edge1[b], gain1[b]) if i == 0 else (edge2[b], gain2[b])
        a = np.int64(indices[e]) if e >= 0 else np.int64(-1)
        for j in range(3):
            edge, more = np.int64(-1), 0.0
            if c >= 0 and j < 2:
                edge, more = (edge1[c], gain1[c]) if j == 0 else (edge2[c], gain2[c])
            d = np.int64(indices[edge]) if edge >= 0 else np.int64(-1)
            if a == d and a >= 0:
                continue
            total, given = by_b + more - held[b], held[b]
            if a >= 0:
                given += held[a]
                total += held[a] if mate[a] == d else 0.0  # given up once, not twice
            if d >= 0:
                given += held[d]
            if total > gain[b] and total > _LEAST * given:
                gain[b], left[b], right[b] = total, e, edge


def walks(v, mate, indptr, look):
    """Does v look for partners, as the end of a matched edge that has fewer edges to walk?"""
    m = np.int64(mate[v])
    if m < 0 or not look[min(v, m)]:
        return False
    mine, others = indptr[v + 1] - indptr[v], indptr[m + 1] - indptr[m]
    return mine < others or (mine == others and v < m)


def close(b, a, e, indptr, indices, lengths, step, mate, held, most, gain, left, right, phase):
    """The exchange of partners between b - c and a - d, for a - b and c - d, if there is c - d.

    First raise the gain of the center, then agree on one edge that gains so much, then note it.
    """
    c, d = np.int64(mate[b]), np.int64(-1)
    center, weight = min(b, c), np.float64(lengths[e * step])
    more = weight - held[b]
    # What d gains as an arm of c is no more than c's best; rounding keeps that order.
    if weight > 0.0 and more + most[c] > 0.0 and more + most[c] >= gain[center]:
        d = np.int64(mate[a])
    if d < 0 or a in (b, c) or not weight - held[a] + most[d] > 0.0:
        return False
    back = find_edge(indptr, indices, c, d)
    if back < 0:
        return False
    other = np.float64(lengths[back * step])
    total = more + (other - held[d])
    if not (other > 0.0 and total > _LEAST * (held[b] + held[d])):
        return False
    mark = len(indices) + e  # more than any edge of an arm
    if phase == 0:
        return total >= atomic.max(gain, center, total)
    if phase == 1 and total == gain[center]:
        atomic.max(left, center, mark)
    if phase == 2 and left[center] == mark:
        left[center], right[center] = (e, back) if b < c else (back, e)
    return True


def gains(center, gain):
    """Has the center an exchange to make?"""
    return gain[center] > 0.0

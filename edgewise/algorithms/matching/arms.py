"""The functions that `two_thirds` gives to operators to find exchanges.

A *center* is a matched edge, known by its smaller end, or a free vertex. ``held[v]`` is the weight
of v's matched edge, zero if it is free; no arm of v gains more than ``most[v]``. The exchange
planned for a center is what it gains, and the edges that its smaller end (``left``) and its other
end (``right``) change to, -1 for none. ``turn`` is the number of the round. The records are those
of `edgewise.algorithms.matching.exchanges`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators import MAX, Monoid
from edgewise.operators.helpers import find_edge, inlined

__all__ = [
    "BEST",
    "LAST_BEST",
    "TWO_BEST",
    "Arms",
    "arm",
    "best_arm",
    "close",
    "drop_loop",
    "hold",
    "hopes",
    "is_looked_at",
    "note",
    "plan",
]

# An exchange must gain more than this share of the weight that it gives up: more than the five
# roundings of its sum can feign.
_LEAST = 2.0**-48


class Arms(NamedTuple):
    """The two best arms of every vertex: what they gain, and their edges."""

    gain1: Any
    edge1: Any
    gain2: Any
    edge2: Any


def drop_loop(source, target, edge, lengths):
    """A loop is to weigh nothing: no arm is as light as that."""
    if source == target:
        lengths[edge] = 0


def hold(v, mate, held, rows):
    """Note the weight of v's matched edge, the heaviest of parallel ones; zero if it is free."""
    m = np.int64(mate[v])
    if m >= 0:
        at = find_edge(rows.indptr, rows.indices, v, m)
        while at < rows.indptr[v + 1] and rows.indices[at] == m:
            held[v] = max(held[v], np.float64(rows.weights[at * rows.stride]))
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


@inlined
def _last_best(old, new):
    return new if new[0] > old[0] or (new[0] == old[0] and new[1] > old[1]) else old


#: What the best exchange of partners gains, and its edge; of equal ones the one with the last edge.
LAST_BEST = Monoid((0.0, -1), _last_best)


@inlined
def hopes(v, mates):
    """Could the center of v gain by arms?"""
    m, most = np.int64(mates.mate[v]), mates.most
    return most[v] > 0.0 if m < 0 else most[v] + most[m] > mates.held[v]


@inlined
def is_looked_at(v, mates, turn):
    """Is the center of v to be looked at?"""
    if mates.look[v] == turn:
        return True
    m, told = np.int64(mates.mate[v]), mates.told
    return (told[v] == turn or (m >= 0 and told[m] == turn)) and hopes(v, mates)


@inlined
def plan(v, rows, mates, arms, planned, turn):
    """Plan the best exchange of a center by arms; is v the end of it that looks for partners?

    That is the end with fewer edges to walk.
    """
    planned.gain[v], planned.left[v], planned.right[v] = 0.0, -1, -1
    m, indptr = np.int64(mates.mate[v]), rows.indptr
    if (m < 0 or v < m) and hopes(v, mates):
        _choose(v, m, rows.indices, mates, arms, planned)
    if m < 0 or mates.look[v] != turn:
        return False
    mine, others = indptr[v + 1] - indptr[v], indptr[m + 1] - indptr[m]
    return mine < others or (mine == others and v < m)


@inlined
def _choose(b, c, indices, mates, arms, planned):
    """One of the first two arms, or none, at either end of center b - c."""
    mate, held, (gain1, edge1, gain2, edge2) = mates.mate, mates.held, arms
    mates.most[b] = gain1[b]
    if c >= 0:
        mates.most[c] = gain1[c]
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
            if total > planned.gain[b] and total > _LEAST * given:
                planned.gain[b], planned.left[b], planned.right[b] = total, e, edge


def close(own, weight, source, edge, total, rows, mates, planned):
    """The exchange of partners between b - c and a - d, for a - b and c - d, if there is c - d.

    The row is that of b, whose ``own`` is its mate.
    """
    mate, held, most = mates.mate, mates.held, mates.most
    c, a, weight = np.int64(own), np.int64(source), np.float64(weight)
    b = np.int64(mate[c])
    more = weight - held[b]
    # What d gains as an arm of c is no more than c's best; rounding keeps that order.
    most_of_all = more + most[c]
    so_far = max(planned.gain[min(b, c)], total[0])
    if not (weight > 0.0 and most_of_all > 0.0) or most_of_all < so_far:
        return total
    d = np.int64(mate[a])
    if d < 0 or a in (b, c) or not weight - held[a] + most[d] > 0.0:
        return total
    back = find_edge(rows.indptr, rows.indices, c, d)
    if back < 0:
        return total
    other = np.float64(rows.weights[back])
    found = more + (other - held[d])
    if not (other > 0.0 and found > _LEAST * (held[b] + held[d])):
        return total
    return _last_best(total, (found, edge))


def note(b, total, rows, mates, planned):
    """Plan the exchange of partners that was found for b's center, if arms do not gain more."""
    mate, indices = mates.mate, rows.indices
    c, e = np.int64(mate[b]), total[1]
    center = min(b, c)
    if e >= 0 and total[0] >= planned.gain[center]:
        back = find_edge(rows.indptr, indices, c, np.int64(mate[indices[e]]))
        planned.gain[center] = total[0]
        planned.left[center], planned.right[center] = (e, back) if b < c else (back, e)

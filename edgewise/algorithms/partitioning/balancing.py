"""The parts of a refinement on one CPU thread: loads, moves, and the way back below the limit.

Vertices leave parts above the limit for the part to which they have the heaviest edges and in which
they fit, those that lose least for their mass first [1].

[1] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM J. Sci. Comput. 2024.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.part_links import best_part, link_to, passed_on
from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner

__all__ = ["Moves", "above", "drop_first", "is_near", "move", "moves_of", "rebalance"]

_rise, _sink = indexed_heap(inner)


class Moves(NamedTuple):
    """A partition, and work arrays for changing it."""

    part: Any
    load: Any  # the masses of the parts
    loss: Any  # minus the gain of a vertex in the queue, or of a candidate
    place: Any  # in the queue; -1 for none
    heap: Any
    log: Any  # vertices that moved
    other: Any  # where they came from, or where candidates go
    order: Any
    age: Any  # the last round in which a vertex moved
    best: Any  # the best partition so far


def moves_of(level: Any, part: np.ndarray, k: int) -> Moves:
    """Return the memory for a level."""
    n, load = level.n, np.bincount(part, weights=level.mass, minlength=k)
    log, other, order = (np.empty(n, np.int32) for _ in range(3))
    place, heap = np.full(n, -1, np.int64), np.empty(n, np.int64)
    age, best = np.zeros(n, np.int32), part.copy()
    return Moves(part, load, np.empty(n), place, heap, log, other, order, age, best)


@inner
def move(v, target, level, links, moves, k):
    """Move v to another part; loads and the rows of its neighbors follow."""
    source = moves.part[v]
    moves.part[v] = target
    moves.load[source] -= level.mass[v]
    moves.load[target] += level.mass[v]
    for e in range(level.indptr[v], level.indptr[v + 1]):
        passed_on(level.indices[e], source, target, level.weight[e], links, k)


@inner
def drop_first(size, moves):
    """Take the first vertex out of the queue; its size then."""
    moves.place[moves.heap[0]] = -1
    if size > 1:
        queue = moves.heap, moves.place, moves.loss
        _sink(queue, 0, size - 1, np.int64(moves.heap[size - 1]))
    return size - 1


@inner
def is_near(v, part, links):
    """Has v an edge to another part?"""
    count = links.count[v]
    return count > 1 or (count == 1 and links.part[links.start[v]] != part[v])


@inner
def above(moves, limit):
    """The mass above the limit."""
    over = 0.0
    for p in range(len(moves.load)):
        over += max(moves.load[p] - limit, 0.0)
    return over


@inner
def rebalance(level, links, moves, k, limit):
    """Move vertices out of parts above the limit, those that lose least for their mass first.

    Returns what that adds to the cut.
    """
    part, load, mass = moves.part, moves.load, level.mass
    over = 0
    for p in range(k):
        over += load[p] > limit
    if over == 0:
        return 0.0
    size, added, queue = 0, 0.0, (moves.heap, moves.place, moves.loss)
    for v in range(len(mass)):
        if load[part[v]] > limit and mass[v] > 0.0:
            target, loss = _way_out(v, level, links, moves, k, limit)
            if target >= 0:
                moves.loss[v] = loss / mass[v]
                _rise(queue, size, np.int64(v))
                size += 1
    while size > 0 and over > 0:
        v = np.int64(moves.heap[0])
        target, loss = -1, 0.0
        if load[part[v]] > limit:
            target, loss = _way_out(v, level, links, moves, k, limit)
            if target >= 0 and moves.loss[v] < loss / mass[v]:
                moves.loss[v] = loss / mass[v]
                _sink(queue, 0, size, v)
                continue
        size = drop_first(size, moves)
        if target >= 0:
            source = part[v]
            added += loss
            move(v, target, level, links, moves, k)
            over -= load[source] <= limit
    for i in range(size):
        moves.place[moves.heap[i]] = -1
    return added


@inner
def _way_out(v, level, links, moves, k, limit):
    """The part that v should move to, the lightest of all if it fits next to none; the loss."""
    load, mass, own = moves.load, level.mass[v], moves.part[v]
    target, gain = best_part(v, own, mass, load, limit, links)
    if target >= 0:
        return target, -gain
    for p in range(k):
        if p != own and load[p] + mass <= limit and (target < 0 or load[p] < load[target]):
            target = p
    return target, link_to(v, own, links, k)

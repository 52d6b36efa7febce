"""The parts of a refinement on one CPU thread: loads, moves, and the way back below the limit.

Vertices leave parts above the limit for the part to which they have the heaviest edges and in which
they fit, those that lose least for their mass first [1].

[1] M. Gilbert, K. Madduri, E. Boman, S. Rajamanickam. Jet: multilevel graph partitioning on
    graphics processing units. SIAM J. Sci. Comput. 2024.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.holding import (
    fits,
    held_by,
    is_above,
    is_lighter,
    relief,
    transfer,
)
from edgewise.algorithms.partitioning.part_links import best_part, link_to, passed_on
from edgewise.base.heap import indexed_heap
from edgewise.operators.helpers import inner

__all__ = ["Moves", "drop_first", "is_near", "move", "moves_of", "rebalance",
           "rise", "sink"]  # fmt: skip

rise, sink = indexed_heap(inner)


class Moves(NamedTuple):
    """A partition, and work arrays for changing it."""

    part: Any
    mass: Any  # of vertices
    load: Any  # of parts
    limit: Any
    loss: Any  # minus the gain of a vertex in the queue, or of a candidate
    place: Any  # in the queue; -1 for none
    heap: Any
    log: Any  # vertices that moved
    other: Any  # where they came from, or where candidates go
    order: Any
    age: Any  # the last round in which a vertex moved
    best: Any  # the best partition so far


def moves_of(level: Any, part: np.ndarray, k: int, mass: np.ndarray, limit: Any) -> Moves:
    """Return the memory for a level. ``mass`` may have several columns, and ``limit`` elements."""
    n, held = level.n, held_by(mass, part, k, limit)
    log, other, order = (np.empty(n, np.int32) for _ in range(3))
    place, heap = np.full(n, -1, np.int64), np.empty(n, np.int64)
    age, best = np.zeros(n, np.int32), part.copy()
    return Moves(part, *held, np.empty(n), place, heap, log, other, order, age, best)


@inner
def move(v, target, level, links, moves, k):
    """Move v to another part; loads and the rows of its neighbors follow."""
    source = np.int64(moves.part[v])
    moves.part[v] = target
    transfer(v, source, target, moves.mass, moves.load)
    for e in range(level.indptr[v], level.indptr[v + 1]):
        passed_on(level.indices[e], source, target, level.weight[e], links, k)


@inner
def drop_first(size, moves):
    """Take the first vertex out of the queue; its size then."""
    moves.place[moves.heap[0]] = -1
    if size > 1:
        queue = moves.heap, moves.place, moves.loss
        sink(queue, 0, size - 1, np.int64(moves.heap[size - 1]))
    return size - 1


@inner
def is_near(v, part, links):
    """Has v an edge to another part?"""
    count = links.count[v]
    return count > 1 or (count == 1 and links.part[links.start[v]] != part[v])


@inner
def rebalance(level, links, moves, k):
    """Move vertices out of parts above the limit, those that lose least for their mass first.

    Returns what that adds to the cut.
    """
    part, mass, load, limit = moves.part, moves.mass, moves.load, moves.limit
    over = 0
    for p in range(k):
        over += is_above(p, load, limit)
    if over == 0:
        return 0.0
    size, added, queue = 0, 0.0, (moves.heap, moves.place, moves.loss)
    for v in range(len(part)):
        own = np.int64(part[v])
        away = relief(v, own, mass, load, limit) if is_above(own, load, limit) else 0.0
        if away > 0.0:
            target, loss = _way_out(v, links, moves, k)
            if target >= 0:
                moves.loss[v] = loss / away
                rise(queue, size, np.int64(v))
                size += 1
    while size > 0 and over > 0:
        v = np.int64(moves.heap[0])
        source, target, loss = np.int64(part[v]), -1, 0.0
        away = relief(v, source, mass, load, limit)
        if away > 0.0 and is_above(source, load, limit):
            target, loss = _way_out(v, links, moves, k)
            if target >= 0 and moves.loss[v] < loss / away:
                moves.loss[v] = loss / away
                sink(queue, 0, size, v)
                continue
        size = drop_first(size, moves)
        if target >= 0:
            added += loss
            move(v, target, level, links, moves, k)
            over -= not is_above(source, load, limit)
    for i in range(size):
        moves.place[moves.heap[i]] = -1
    return added


@inner
def _way_out(v, links, moves, k):
    """The part that v should move to, the lightest of all if it fits next to none; the loss."""
    own, mass, load, limit = np.int64(moves.part[v]), moves.mass, moves.load, moves.limit
    target, gain = best_part(v, own, moves, links)
    if target >= 0:
        return target, -gain
    for p in range(k):
        if p == own or not fits(v, p, mass, load, limit):
            continue
        if target < 0 or is_lighter(p, target, load, limit):
            target = p
    return target, link_to(v, own, links, k)

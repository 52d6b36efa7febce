"""A partition into k parts, improved by localized moves [1], [2], on one CPU thread.

A search begins at a vertex of the boundary. It moves the vertex of the highest gain to the part to
which it has the heaviest edges and in which it fits, gains and losses alike, and adds the neighbors
to the queue. After some moves without an improvement it ends, and all moves after its best moment
are undone. A vertex moves once in a pass.

[1] P. Sanders, C. Schulz. Engineering multilevel graph partitioning algorithms. ESA 2011.
[2] C. Fiduccia, R. Mattheyses. A linear-time heuristic for improving network partitions. DAC 1982.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.partitioning.balancing import drop_first, is_near, move, rise, sink
from edgewise.algorithms.partitioning.part_links import best_part
from edgewise.base.random import draw
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["search_all"]

#: Neighbors of a vertex of more arcs do not enter the queue when it moves.
_WIDE = 512
_draw = inner(draw)


@inner
def search_all(control, turn, level, links, moves, k, seed, patience):
    """One pass: searches from all vertices of the boundary; what they gain."""
    n, part, order = len(level.mass), moves.part, moves.order
    count = 0
    for v in range(n):
        moves.age[v] = 0
        if is_near(v, part, links):
            order[count] = v
            count += 1
    for i in range(1, count):
        j = np.int64(_draw(seed, np.uint64(i), np.uint64(turn)) % np.uint64(i + 1))
        order[i], order[j] = order[j], order[i]
    total = 0.0
    for i in range(count):
        if not going(control, turn):
            return total
        v = np.int64(order[i])
        if moves.age[v] > 0:
            continue
        moves.heap[0], moves.place[v], moves.loss[v] = v, 0, -np.inf  # the search finds its loss
        total += _search(1, level, links, moves, k, patience)
    return total


@inner
def _search(size, level, links, moves, k, patience):
    """One search from the vertices in the queue; what it gains."""
    part = moves.part
    queue = moves.heap, moves.place, moves.loss
    gained, best, done, good = 0.0, 0.0, 0, 0
    while size > 0 and done - good < patience:
        v = np.int64(moves.heap[0])
        target, gain = best_part(v, np.int64(part[v]), moves, links)
        if target >= 0 and -moves.loss[v] > gain:  # it is less than it was
            moves.loss[v] = -gain
            sink(queue, 0, size, v)
            continue
        size = drop_first(size, moves)
        if target < 0:
            continue
        moves.log[done], moves.other[done] = v, part[v]
        done += 1
        moves.age[v] = 1
        gained += gain
        wide = level.indptr[v + 1] - level.indptr[v] > _WIDE
        move(v, target, level, links, moves, k)
        for e in range(level.indptr[v], level.indptr[v + 1]):
            u = np.int64(level.indices[e])
            if moves.age[u] > 0 or (wide and moves.place[u] < 0):
                continue
            target, gain = best_part(u, np.int64(part[u]), moves, links)
            if moves.place[u] < 0:
                if target >= 0:
                    moves.loss[u] = -gain
                    rise(queue, size, u)
                    size += 1
            elif -moves.loss[u] < gain and target >= 0:
                moves.loss[u] = -gain
                rise(queue, moves.place[u], u)
        if gained > best:
            best, good = gained, done
    for i in range(size):
        moves.place[moves.heap[i]] = -1
    while done > good:
        done -= 1
        move(np.int64(moves.log[done]), np.int64(moves.other[done]), level, links, moves, k)
    return best

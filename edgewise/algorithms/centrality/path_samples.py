"""Random shortest paths between random pairs of vertices, by balanced searches from both ends [1].

Two breadth-first searches alternate by level, the one whose next level has fewer edges first, until
an edge joins them. All such edges of a level are on shortest paths. One is drawn in proportion to
the paths through it. Each search numbers its vertices: the source has place 0 and counts up, the
target has place n - 1 and counts down. ``mark[v]`` is one more than the place of v, 0 if it has
none. By place, ``paths`` counts the shortest paths from the end, and ``before`` is the place of a
predecessor, drawn in proportion to its paths. Only visited vertices take time.

Only ratios of counts within a level matter, so large ones are scaled down level by level.

[1] M. Borassi, E. Natale. KADABRA is an adaptive algorithm for betweenness via random
    approximation. ESA 2016.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.algorithms.centrality.search_memory import LARGE, LEAST, SCALE, Searches, begin
from edgewise.algorithms.scratch import give_back, take_slot
from edgewise.base import atomic
from edgewise.base.random import draw, draw_uniform, upper
from edgewise.graph import Graph
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["sample_paths"]

#: About so many edges are visited for a path.
_VISITED = 1 << 12


class _Rows(NamedTuple):
    indptr: np.ndarray
    indices: np.ndarray


def sample_paths(
    graph: Graph, samples: range, seed: np.uint64, searches: Searches, counts: np.ndarray
) -> None:
    """Add to ``counts`` the inner vertices of the random paths with these numbers."""
    back = graph.transposed if graph.directed else graph
    rows, back_rows = (_Rows(one.indptr, one.indices) for one in (graph, back))
    state = (rows, back_rows, searches, counts, samples.start, seed)
    work = len(samples) * min(graph.num_arcs, _VISITED)
    for_each(len(samples), _sample, state, work=work)


def _sample(i, rows, back_rows, searches, counts, first, seed):
    slot = take_slot(searches.busy)
    mark, queue = searches.mark[slot], searches.queue[slot]
    before, paths = searches.before[slot], searches.paths[slot]
    tree = (mark, queue, before, paths)
    n, item = len(mark), np.uint64(first + i)
    source = np.int64(_upper(_draw(seed, item, np.uint64(0)), np.uint64(n)))
    target = np.int64(_upper(_draw(seed, item, np.uint64(1)), np.uint64(n - 1)))
    target += 1 if target >= source else 0
    begin(mark, queue, before, paths, 0, source)
    begin(mark, queue, before, paths, n - 1, target)
    low, high, work = 0, 1, rows.indptr[source + 1] - rows.indptr[source]
    back_low, back_high = 0, 1
    back_work = back_rows.indptr[target + 1] - back_rows.indptr[target]
    turn, total, left, right = 2, 0.0, 0, 0
    while total == 0.0 and high > low and back_high > back_low:
        if work <= back_work:
            tail, work, total, left, right, turn = _expand(
                rows, tree, 0, 1, low, high, seed, item, turn
            )
            low, high = high, tail
        else:
            tail, back_work, total, left, right, turn = _expand(
                back_rows, tree, n - 1, -1, back_low, back_high, seed, item, turn
            )
            back_low, back_high = back_high, tail
    if total > 0.0:
        _count(queue, before, left, counts)
        _count(queue, before, right, counts)
    for j in range(high):
        mark[queue[j]] = 0
    for j in range(n - back_high, n):
        mark[queue[j]] = 0
    give_back(searches.busy, slot)


@inner
def _expand(rows, tree, base, step, low, high, seed, item, turn):
    """Visit the neighbors of a level, which has the places from ``base + step * low`` on.

    Returns the end of the next level, the number of its edges, the number of paths through edges
    that join the searches, the places of the ends of one of them, and the next random number.
    """
    (indptr, indices), (mark, queue, before, paths) = rows, tree
    tail, work, total, left, right, largest = high, np.int64(0), 0.0, 0, 0, 0.0
    for j in range(low, high):
        place = base + step * j
        v, mine = np.uint64(queue[np.uint64(place)]), paths[np.uint64(place)]
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            u = np.uint64(indices[e])
            other = np.int64(mark[u]) - 1
            if other < 0:
                if total == 0.0:
                    at = np.uint64(base + step * tail)
                    mark[u], queue[at], before[at], paths[at] = at + np.uint64(1), u, place, mine
                    work += indptr[u + np.uint64(1)] - indptr[u]
                    tail += 1
                continue
            number, at = (other - base) * step, np.uint64(other)
            if number >= tail:  # of the other search
                weight = mine * paths[at]
                total += weight
                if _uniform(seed, item, np.uint64(turn)) * total < weight:
                    left, right = place, other
                turn += 1
            elif number >= high:  # of the next level
                paths[at] += mine
                largest = max(largest, paths[at])
                if _uniform(seed, item, np.uint64(turn)) * paths[at] < mine:
                    before[at] = place
                turn += 1
    if largest > LARGE:
        for j in range(high, tail):
            at = np.uint64(base + step * j)
            paths[at] = max(paths[at] * SCALE, LEAST)
    return tail, work, total, left, right, turn


@inner
def _count(queue, before, place, counts):
    """Count the vertices on the way to an end, but not the end."""
    while before[place] != place:
        atomic.add(counts, np.int64(queue[place]), 1)
        place = np.int64(before[place])


_draw, _uniform, _upper = inner(draw), inner(draw_uniform), inner(upper)

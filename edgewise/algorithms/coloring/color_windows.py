"""Distance-2 coloring in rounds, on every engine.

Colors are used in windows of 64, which are the bits of a word. In each round, every vertex that has
no color finds the colors of the window that its nets (closed neighborhoods) have free, and tries
one. In every net, the best-ranked vertex that tries a color keeps it (`mark_duplicates`). A vertex
whose window is full waits for the next one. All steps are linear in the edges of the vertices that
are still without a color, so a vertex with d neighbors costs about d / 64 rounds, not d. The colors
depend on the seed alone.

A net of d vertices needs d colors. A vertex tries a random one of its free colors below that
number, so that many succeed at once, and else its smallest free color.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import random
from edgewise.base.bits import count_bits, lowest_bit
from edgewise.base.observe import notify
from edgewise.base.random import check_seed
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    MAX,
    OR,
    advance,
    compute,
    filter,
    frontier,
    mark_duplicates,
    reduce_neighbors,
)

__all__ = ["color_by_rounds"]


def color_by_rounds(graph: AnyGraph, seed: int) -> Any:
    """Return a distance-2 coloring that is the same on every engine."""
    seed, ids, sizes = int(check_seed(seed)), graph.vertex_ids(), graph.row_lengths()
    sizes = sizes.astype(np.int64)
    bound, rank = graph.full(0, np.int64), graph.full(0, np.int64)
    reduce_neighbors(graph, None, _same, sizes, reduce=MAX, out=bound)
    compute(graph, None, _rate, (bound, rank, sizes, ids, seed))
    colors, tried = graph.full(-1, np.int32), graph.full(-1, np.int32)
    marks, used = graph.full(0, np.int64), graph.full(0, np.int64)
    seen, lost, near = graph.full(0, np.int64), graph.full(False), graph.full(-1, np.int32)
    waiting, window, turn = frontier(graph), 0, 0
    while not waiting.empty():
        marks[:] = used[:] = 0
        active = waiting
        while not active.empty():
            notify(turn, phase="distance_2", window=window)
            reduce_neighbors(graph, active, _same, used, reduce=OR, out=seen)
            state = (tried, lost, seen, used, bound, ids, window, seed, turn)
            compute(graph, active, _try, state)
            active = filter(graph, active, _tries, tried)
            rows = active | advance(graph, active, _turn, near, reduce=MAX, params={"turn": turn})
            mark_duplicates(graph, rows, tried, rank=rank, closed=True, out=lost)
            won = filter(graph, active, _keeps, lost)
            compute(graph, won, _keep, (colors, tried, marks, used))
            advance(graph, won, _same, used, reduce=OR, source_values=marks)
            active = filter(graph, active, _again, (colors, tried))
            turn += 1
        waiting = filter(graph, waiting, _uncolored, colors)
        window += 1
    return colors


def _same(value):
    return value


def _turn(turn):
    return np.int32(turn)


def _rate(v, bound, rank, sizes, ids, seed):
    """Vertices with many neighbors first: by the bit length of their number, then by a hash."""
    bound[v], length, size = max(bound[v], sizes[v]) + 1, 0, sizes[v]
    while size > 0:
        length += 1
        size >>= 1
    rank[v] = (np.int64(64 - length) << 56) | np.int64(random.bits(seed, ids[v]) >> np.uint64(8))


def _try(v, tried, lost, seen, used, bound, ids, window, seed, turn):
    free = ~(seen[v] | used[v])
    tried[v], lost[v] = -1, False
    if free == 0:
        return
    limit = bound[v] - min(bound[v] // 2, 32) - 64 * window
    low = free
    if limit < 64:
        low = free & ((np.int64(1) << max(limit, 0)) - 1)
    many = count_bits(low)
    if many > 1:
        free = low
        for _ in range(random.integer(many, seed, ids[v], turn + 1)):
            free &= free - 1
    tried[v] = 64 * window + lowest_bit(free)


def _tries(v, tried):
    return tried[v] >= 0


def _keeps(v, lost):
    return not lost[v]


def _keep(v, colors, tried, marks, used):
    colors[v], marks[v] = tried[v], np.int64(1) << (tried[v] & 63)
    used[v] |= marks[v]
    tried[v] = -1


def _again(v, colors, tried):
    tried[v] = -1
    return colors[v] < 0


def _uncolored(v, colors):
    return colors[v] < 0

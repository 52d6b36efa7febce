"""Distance-2 coloring in rounds, on every engine.

A net is the closed neighborhood of a vertex. Colors are used in windows of up to 1,024, which are
the bits of some words per net. In each round, a vertex finds the colors of the window that all its
nets have free, and tries one of the first of them, drawn by a hash. In every net, the best-ranked
vertex that tries a color keeps it (`mark_duplicates`). The range of the draw is the largest number
of vertices that wait in one of its nets, halved in each round and counted again in every fourth. So
the members of a large net try different colors at once [1], and those of a small net the smallest.

Of a net that needs more colors than a window has, only a drawn share of the vertices takes part in
a window. If one window is enough for all, vertices take part in waves, each as large as all before,
which needs fewer colors. All steps are linear in the edges near the vertices that take part. The
colors depend on the seed alone.

[1] M. Tas, K. Kaya, E. Saule. Greed is good: parallel algorithms for bipartite-graph partial
    coloring on multicore architectures. ICPP 2017.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.net_rivals import count_rivals, nets_of
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
    reduce_all,
    reduce_neighbors,
)

__all__ = ["color_by_rounds"]

#: Words of a window at most; waves where one window is enough; rounds between counts of rivals.
_WORDS, _NUM_WAVES, _ROUNDS = 16, 5, 4


class _State(NamedTuple):
    """Arrays over vertices; the last three have a column for each word of a window."""

    calls: Any  # a counter: see `nets_of`
    colors: Any
    tried: Any
    rank: Any
    count: Any  # how many vertices of a net take part
    rivals: Any  # the largest such number in all nets of a vertex
    lost: Any
    near: Any  # the last call that reached a vertex
    marks: Any  # the color as a bit
    used: Any  # the colors of a net
    seen: Any  # those of all nets of a vertex


def color_by_rounds(graph: AnyGraph, seed: int) -> Any:
    """Return a distance-2 coloring that is the same on every engine."""
    seed, ids, sizes = int(check_seed(seed)), graph.vertex_ids(), graph.row_lengths()
    most = int(reduce_all(graph, sizes.astype(np.int64), reduce=MAX)) + 1
    words = max(min(_WORDS, -(-most // 32)), 1)
    waves = _NUM_WAVES if most <= 64 * words else 1
    state = _start(graph, words)
    compute(graph, None, _rate, (state.rank, sizes, ids, seed))
    waiting, window, turn = frontier(graph), 0, 0
    while not waiting.empty():
        state.marks[:] = state.used[:] = 0
        for wave in range(waves):
            if waves > 1:
                active = filter(graph, waiting, _in_wave, (state.colors, ids, seed, wave))
            else:
                count_rivals(graph, waiting, state)
                share = (state.tried, state.rivals, ids, words, seed, window)
                active = filter(graph, waiting, _takes_part, share)
            turn = _color_window(graph, active, state, (ids, window, seed), turn)
        waiting, window = filter(graph, waiting, _uncolored, state.colors), window + 1
    return state.colors


def _start(graph: AnyGraph, words: int) -> _State:
    colors, tried, near = (graph.full(-1, np.int32) for _ in range(3))
    rank, count, rivals = (graph.full(0, np.int64) for _ in range(3))
    tables = (graph.xp.zeros((graph.num_vertices, words), np.int64) for _ in range(3))
    lost = graph.full(False)
    return _State(itertools.count(), colors, tried, rank, count, rivals, lost, near, *tables)


def _color_window(graph: AnyGraph, active: Any, state: _State, how: Any, turn: int) -> int:
    """Rounds until no vertex that takes part has a color left to try; the next turn."""
    _, colors, tried, rank, _, rivals, lost, _, marks, used, seen = state
    step = 0
    while not active.empty():
        if step % _ROUNDS == 0:
            count_rivals(graph, active, state)
        notify(turn, phase="distance_2", window=how[1], frontier=len(active))
        reduce_neighbors(graph, active, _same, used, reduce=OR, out=seen)
        compute(graph, active, _try, (tried, lost, seen, used, rivals, *how, turn, step % _ROUNDS))
        active = filter(graph, active, _tries, tried)
        nets = nets_of(graph, active, state)
        mark_duplicates(graph, nets, tried, rank=rank, closed=True, out=lost)
        won = filter(graph, active, _keeps, lost)
        compute(graph, won, _keep, (colors, tried, marks, used, how[1]))
        advance(graph, won, _same, used, reduce=OR, source_values=marks)
        active = filter(graph, active, _again, (colors, tried))
        turn, step = turn + 1, step + 1
    return turn


def _same(value):
    return value


def _rate(v, rank, sizes, ids, seed):
    """Vertices with many neighbors first: by the bit length of their number, then by a hash."""
    length, size = 0, sizes[v]
    while size > 0:
        length += 1
        size >>= 1
    rank[v] = (np.int64(64 - length) << 56) | np.int64(random.bits(seed, ids[v]) >> np.uint64(8))


def _in_wave(v, colors, ids, seed, wave):
    """Is v, which has no color, in this wave or in one before? Each is as large as all before."""
    part = random.bits(seed, ids[v], 1) >> np.uint64(65 - _NUM_WAVES)
    return part >> np.uint64(wave) == 0 and colors[v] < 0


def _takes_part(v, tried, rivals, ids, words, seed, window):
    """Is v drawn? Some more are than a window has colors, since not all of them find one."""
    tried[v] = -1
    return random.integer(rivals[v], seed, ids[v], -1 - window) < 80 * words


def _try(v, tried, lost, seen, used, rivals, ids, window, seed, turn, round):
    """Draw one of the first free colors."""
    words, many = seen.shape[1], 0
    tried[v], lost[v] = -1, False
    for k in range(words):
        seen[v, k] = ~(seen[v, k] | used[v, k])
        many += count_bits(seen[v, k])
    if many == 0:
        return
    rest = random.integer(min(many, max(rivals[v] >> round + 1, 1)), seed, ids[v], turn + 1)
    for k in range(words):
        free = seen[v, k]
        here = count_bits(free)
        if rest < here:
            for _ in range(rest):
                free &= free - 1
            tried[v] = 64 * (window * words + k) + lowest_bit(free)
            return
        rest -= here


def _tries(v, tried):
    return tried[v] >= 0


def _keeps(v, lost):
    return not lost[v]


def _keep(v, colors, tried, marks, used, window):
    place = tried[v] - 64 * window * marks.shape[1]
    colors[v], tried[v] = tried[v], -1
    marks[v, place >> 6] = np.int64(1) << (place & 63)
    used[v, place >> 6] |= marks[v, place >> 6]


def _again(v, colors, tried):
    tried[v] = -1
    return colors[v] < 0


def _uncolored(v, colors):
    return colors[v] < 0

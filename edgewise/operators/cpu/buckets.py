"""`propagate` in priority order on CPU threads: delta-stepping with thread-local buckets [1].

Every thread throws the vertices it improves into buckets of its own by their value; the threads
meet to take up the lowest bucket that anyone holds, share its blocks, and each goes on by itself
with what it adds to that very bucket while that is little (bucket fusion [2]). A window of buckets
starts at ``base``; what lies beyond waits in a far pile, which is dealt out when the window is
empty. Two buckets make it near-far. A vertex is expanded again only if its value has changed.

Buckets are chains of blocks in one pool. When the pool is used up, vertices go to the ``spilled``
bitmap; the loop comes back, the pool grows, and they are dealt in again.

Pays for: row sssp of ``python -m benchmarks gap``.

[1] U. Meyer, P. Sanders. Delta-stepping: a parallelizable shortest path algorithm. 2003.
[2] Y. Zhang et al. Optimizing ordered graph algorithms with GraphIt. CGO 2020.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add, fetch_or, load
from edgewise.base.cpu.team import barrier, grab, rewind, share, stopped
from edgewise.base.observe import notify, observed
from edgewise.base.threads import get_threads, launch
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu.inner import edge_at, same, updater, weight_at
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import plain_message

__all__ = ["bucket_kernel", "prioritized"]

# Words of ``state``.
NEXT, WORK, BLOCKS, VISITED, SPILLED, CURRENT, STEPS, WINDOW = 0, 8, 16, 24, 32, 40, 41, 42
_STATE_WORDS = 48
_BLOCK, _FUSED_BLOCKS = 64, 16
_WINDOW = {"bucketed": 512, "near_far": 1}
_BUDGET, _FOREVER = 1 << 21, 1 << 62


def prioritized(graph, members, message, names, values, reduce, combine, where, edges, weights,
                delta, schedule, max_rounds) -> Frontier:  # fmt: skip
    """Run the loop until no vertex improves; see `edgewise.operators.propagate`."""
    if reduce.order == 0 or not isinstance(values, np.ndarray):
        raise ValueError("priority needs reduce=MIN or MAX over one array of values")
    if not isinstance(delta, (int, float, np.number)) or not delta > 0:
        raise ValueError(f"priority must be a positive number, got {delta!r}")
    if max_rounds != _FOREVER:
        raise TypeError("max_rounds has no meaning with priority: there are no rounds")
    n = graph.num_vertices
    out, _ = adjacency(graph, edges, weights, names, False)
    run = bucket_kernel(plain_message(message), combine, where, reduce.order)
    identity = reduce.identity_for(values.dtype)
    small = len(out.indices) + n < 1 << 14
    team, window = 1 if small else get_threads(), _WINDOW[schedule]
    pool = _Pool(4 * (n // _BLOCK) + team * (window + 2) + 64, out.indices.dtype)
    heads = np.full((team, window + 64), -1, np.int32)  # far apart: no cache line is shared
    state = np.zeros(_STATE_WORDS, np.int64)
    spilled = np.zeros(-(-n // 64), np.uint64)
    spilled[:] = members.bits
    state[SPILLED], state[CURRENT], state[WINDOW] = len(members), window, window
    settled = np.full(n, identity, values.dtype)
    base = np.full(1, identity, values.dtype)
    watched = observed()
    while state[SPILLED] or state[NEXT] <= window:
        if state[BLOCKS] + 2 * state[SPILLED] // _BLOCK + team > len(pool.next):
            pool.grow(state)
        limit = state[VISITED] + _BUDGET if watched or small else _FOREVER
        pace, blocks = 1 / float(delta), pool.arrays()
        args = (out, values, identity, settled, base, pace, blocks, heads, spilled, state, limit)
        launch(run, *args, work=0 if small else None, team=team)
        if watched:
            notify(int(state[STEPS]), edges=int(state[VISITED]))
    return Frontier.trusted(n, ids=np.empty(0, np.int32))


class _Pool:
    """Blocks of vertex ids: ``ids`` in rows, how many each holds, and the next in its chain."""

    def __init__(self, blocks: int, dtype: np.dtype):
        self.ids = np.empty((blocks, _BLOCK), dtype)
        self.held = np.empty(blocks, np.int32)
        self.next = np.empty(blocks, np.int32)
        self.work = np.empty(blocks, np.int32)

    def arrays(self):
        return self.ids, self.held, self.next, self.work

    def grow(self, state) -> None:
        state[BLOCKS] = min(state[BLOCKS], len(self.next))
        for name in ("ids", "held", "next", "work"):
            old = getattr(self, name)
            new = np.empty((2 * len(old), *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)


@cache
def bucket_kernel(message, combine, where, order):
    """The loop for one message, one ordered monoid and one condition on the targets."""
    update = updater(combine, False)
    listens = inner(where or (lambda value: True))

    @inner
    def bucket(value, base, pace, current, window):
        """Which bucket a value belongs to; ``window`` is the far pile."""
        gap = (
            np.float64(value) - np.float64(base)
            if order > 0
            else (np.float64(base) - np.float64(value))
        )
        place = gap * pace
        if not place < window:  # also NaN: infinity minus infinity
            return np.int64(current) if value == base or value != value else np.int64(window)
        return max(np.int64(place), np.int64(current))

    @inner
    def insert(v, place, mine, pool, spilled, state):
        """Put a vertex into one of this thread's buckets."""
        ids, held, following, _ = pool
        block = mine[place]
        if block < 0 or held[block] == _BLOCK:
            fresh = mine[-1]
            if fresh >= 0:
                mine[-1] = following[fresh]
            else:
                fresh = fetch_add(state, BLOCKS, 1)
                if fresh >= len(held):
                    word, bit = np.uint64(v) >> np.uint64(6), np.uint64(v) & np.uint64(63)
                    if not (fetch_or(spilled, word, np.uint64(1) << bit) >> bit) & np.uint64(1):
                        fetch_add(state, SPILLED, 1)
                    return
            following[fresh], held[fresh] = block, 0
            mine[place] = block = fresh
        ids[block, held[block]] = v
        held[block] += 1

    @inner
    def expand_block(block, out, values, identity, settled, base, pace, pool, mine, spilled,
                     state):  # fmt: skip
        indptr, indices, weights, edge_ids = out
        ids, held, following, _ = pool
        current, window = state[CURRENT], state[WINDOW]
        visited = np.int64(0)
        for i in range(held[block]):
            u = np.int64(ids[block, i])
            value = load(values, u)
            # A member of the first frontier may have no value yet: it sends too, once.
            if same(settled[u], value) and not same(value, identity):
                continue
            settled[u] = value
            visited += np.int64(indptr[u + 1] - indptr[u])
            for e in range(indptr[u], indptr[u + 1]):
                v = np.int64(indices[e])
                if not listens(values[v]):
                    continue
                sent = message(value, weight_at(weights, e), u, edge_at(edge_ids, e), 0)
                sent = values.dtype.type(sent)
                if update(values, v, sent, identity):
                    place = bucket(sent, base[0], pace, current, window)
                    insert(v, place, mine, pool, spilled, state)
        following[block] = mine[-1]
        mine[-1] = block
        return visited

    @inner
    def lowest(mine, current, window):
        """This thread's first bucket that holds anything; past the far pile if none does."""
        place = current
        while place <= window and mine[place] < 0:
            place += 1
        return place

    @inner
    def few(block, following):
        """Is the chain so short that sharing it would cost more than going on alone?"""
        for _ in range(_FUSED_BLOCKS):
            block = following[block]
            if block < 0:
                return True
        return False

    @inner
    def deal_far(me, team, control, values, identity, base, pace, pool, mine, spilled, state):
        """Open a new window at the best value of all far piles, and deal them out into it."""
        ids, held, following, _ = pool
        window = state[WINDOW]
        chain = mine[window]
        best, block = identity, chain
        while block >= 0:
            for i in range(held[block]):
                best = values.dtype.type(combine(best, values[np.int64(ids[block, i])]))
            block = following[block]
        if me == 0:
            base[0] = identity
        if not barrier(control, team):
            return False
        update(base, 0, best, identity)
        if me == 0:
            state[CURRENT] = 0
        if not barrier(control, team):
            return False
        mine[window] = -1
        while chain >= 0:
            block, chain = chain, following[chain]
            for i in range(held[block]):
                v = np.int64(ids[block, i])
                place = bucket(values[v], base[0], pace, 0, window)
                insert(v, place, mine, pool, spilled, state)
            following[block] = mine[-1]
            mine[-1] = block
        return True

    @inner
    def deal_spilled(me, team, control, values, pool, mine, spilled, state):
        """Put the spilled vertices (at first: the frontier) on the far piles."""
        if not barrier(control, team):
            return False
        if me == 0:
            state[SPILLED] = 0
        if not barrier(control, team):
            return False
        low, high = share(me, team, len(spilled))
        for i in range(low, high):
            word = spilled[i]
            spilled[i] = 0
            for j in range(64):
                if (word >> np.uint64(j)) & np.uint64(1):
                    insert(i * 64 + j, state[WINDOW], mine, pool, spilled, state)
        return barrier(control, team)

    @kernel(borrows=True)
    def run(me, team, control, out, values, identity, settled, base, pace, pool, heads, spilled,
            state, limit):  # fmt: skip
        mine = heads[me]
        window = state[WINDOW]
        _, _, following, work = pool
        if state[SPILLED] > 0 and not deal_spilled(
            me, team, control, values, pool, mine, spilled, state
        ):
            return
        while True:
            if me == 0:
                state[NEXT], state[WORK] = window + 1, 0
                rewind(control, 0)
            if not barrier(control, team):
                return
            if state[SPILLED] > 0 or state[VISITED] >= limit:
                if me == 0:
                    state[NEXT] = window
                return
            atomic.min(state, NEXT, lowest(mine, state[CURRENT], window))
            if not barrier(control, team):
                return
            place = state[NEXT]
            if place > window:
                return
            if place == window:
                if not deal_far(me, team, control, values, identity, base, pace, pool, mine,
                                spilled, state):  # fmt: skip
                    return
                if not barrier(control, team):
                    return
                continue
            if me == 0:
                state[CURRENT] = place
                state[STEPS] += 1
            block = mine[place]
            mine[place] = -1
            while block >= 0:
                work[fetch_add(state, WORK, 1)] = block
                block = following[block]
            if not barrier(control, team):
                return
            visited = np.int64(0)
            while True:
                low, high = grab(control, 0, 1, state[WORK])
                if low == high:
                    break
                visited += expand_block(work[low], out, values, identity, settled, base, pace,
                                        pool, mine, spilled, state)  # fmt: skip
            while mine[place] >= 0 and few(mine[place], following):
                if state[VISITED] + visited >= limit or stopped(control):
                    break
                block = mine[place]
                mine[place] = following[block]
                visited += expand_block(block, out, values, identity, settled, base, pace, pool,
                                        mine, spilled, state)  # fmt: skip
            fetch_add(state, VISITED, visited)
            if not barrier(control, team):
                return

    return run

"""`propagate` in priority order on CPU threads: delta-stepping with thread-local buckets [1].

Every thread throws the vertices it improves into buckets of its own by their value; the threads
meet to take up the lowest bucket that anyone holds, share its blocks, and each goes on by itself
with what it adds to that very bucket while that is little (bucket fusion [2]). A window of buckets
starts at ``base``; what lies beyond waits in a far pile, which is dealt out when the window is
empty. Two buckets make it near-far. A vertex is expanded again only if its value has changed.

Buckets are chains of blocks in one pool. When the pool is used up, vertices go to the ``spilled``
bitmap; the loop comes back, the pool grows, and they are dealt in again. It begins on the caller's
thread alone, and wakes the others when there is much to do. Who was expanded is logged, so that a
call which reaches few vertices cleans no more than it has touched.

Pays for: row sssp of ``python -m benchmarks gap``.

[1] U. Meyer, P. Sanders. Delta-stepping: a parallelizable shortest path algorithm. 2003.
[2] Y. Zhang et al. Optimizing ordered graph algorithms with GraphIt. CGO 2020.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic, threads
from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add, fetch_or, load
from edgewise.base.cpu.team import barrier, grab, rewind, share, stopped
from edgewise.base.observe import notify, observed
from edgewise.base.threads import SERIAL_WORK, launch, team_for, uncrowded
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu.inner import cast, changer, edge_at, same, weight_at
from edgewise.operators.cpu.state import fixed, listed
from edgewise.operators.cpu.steps import Params
from edgewise.operators.cpu.workspace import workspace
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import TRAVERSAL_NAMES, plain
from edgewise.operators.requests import Traversal

__all__ = ["bucket_kernel", "prioritized"]

# Words of ``state``; those that several threads add to have a cache line each.
NEXT, WORK, BLOCKS, VISITED, SPILLED, LOGGED = 0, 8, 16, 24, 32, 40
CURRENT, STEPS, WINDOW, WAITING, LIMIT = 48, 49, 50, 51, 52
_STATE_WORDS = 56
_BLOCK, _FUSED_BLOCKS = 64, 16
#: Frontiers of up to so many begin on the caller's thread; every which vertex may be logged.
_FEW, _LOGGED = 4096, 8
#: From so many times the work of other kernels on threads share a search.
_SHARED = 8
_WINDOW = {"bucketed": 512, "near_far": 1}
_BUDGET, _FOREVER = 1 << 21, 1 << 62


def prioritized(graph, members, request: Traversal, combine) -> Frontier:
    """Run the loop until no vertex improves; see `edgewise.operators.propagate`."""
    message, where, reduce, values = request.message, request.where, request.reduce, request.values
    out, _ = adjacency(graph, request.mode, request.weights, message.names, False)
    run = bucket_kernel(
        plain(message, TRAVERSAL_NAMES),
        combine,
        plain(where, ("value",), "where"),
        reduce.order,
    )
    identity = reduce.identity_for(values.dtype)
    with workspace(graph, out.indices.dtype) as space:
        search = Search(
            values,
            identity,
            Params(fixed(message.params), () if where is None else fixed(where.params)),
            space.filled(values.dtype, identity),
            np.full(1, identity, values.dtype),
            1 / float(request.priority),  # type: ignore[arg-type]
        )
        _improve(run, members, out, search, space, _WINDOW[request.schedule])
    return Frontier._trusted(space.n, ids=np.empty(0, np.int32))


class Search(NamedTuple):
    """State over vertices, and where values lie among the buckets."""

    values: np.ndarray
    identity: Any
    params: Params
    settled: np.ndarray  # the value with which a vertex was expanded last
    base: np.ndarray  # the value at which the window starts, in one element
    pace: float  # buckets for a difference of one


class Buckets(NamedTuple):
    """Blocks of vertex ids, how many each holds, and the next in its chain; who found no space."""

    ids: np.ndarray
    held: np.ndarray
    following: np.ndarray
    work: np.ndarray  # the blocks of the bucket that is expanded
    spilled: np.ndarray  # a bitmap
    log: np.ndarray  # who was expanded, as far as there is space


def _improve(run, members, out, search, space, window) -> None:
    """Launches until no vertex improves; then what they have written is cleaned."""
    work = len(out.indices) + space.n
    small = work < max(1 << 14, _SHARED * threads.SERIAL_WORK)
    team = 1 if small else uncrowded(team_for(work, barriers=2))
    buckets = _new_buckets(space, team, window)
    heads = np.full((team, window + 64), -1, np.int32)  # far apart: no cache line is shared
    start, count = listed(members, space.n)
    state = np.zeros(_STATE_WORDS, np.int64)
    state[WAITING], state[CURRENT], state[WINDOW] = count, window, window
    watched, alone = observed(), small or count <= _FEW
    while state[WAITING] or state[SPILLED] or state[NEXT] <= window:
        if state[BLOCKS] + 2 * state[SPILLED] // _BLOCK + team > len(buckets.held):
            buckets = _twice(buckets, state)
        budget = _BUDGET if watched or small else _FOREVER
        state[LIMIT] = state[VISITED] + (SERIAL_WORK if alone and not small else budget)
        launch(run, out, search, buckets, heads, start, state, work=0 if alone else None,
               team=team)  # fmt: skip
        alone = small  # whoever goes on does so with all threads
        if watched:
            notify(int(state[STEPS]), edges=int(state[VISITED]))
    logged = int(state[LOGGED])
    if logged <= len(buckets.log):
        search.settled[buckets.log[:logged]] = search.identity
    else:
        search.settled.fill(search.identity)


def _new_buckets(space, team, window) -> Buckets:
    """Buckets without a vertex, in the pool that was used last if that is large enough."""
    blocks = _blocks(space.n, team, window)
    if space.pool is None or len(space.pool[1]) < blocks:
        ids, held = np.empty((blocks, _BLOCK), space.id_type), np.empty(blocks, np.int32)
        space.pool = ids, held, np.empty_like(held), np.empty_like(held)
    log = space.queues[0][: space.n // _LOGGED]
    return Buckets._make((*space.pool, space.empty_bitmap, log))


def _blocks(n, team, window) -> int:
    return 4 * (n // _BLOCK) + team * (window + 2) + 64


def _twice(buckets, state) -> Buckets:
    """The same with twice the capacity."""
    state[BLOCKS] = min(state[BLOCKS], len(buckets.held))
    larger = []
    for old in buckets[:4]:
        new = np.empty((2 * len(old), *old.shape[1:]), old.dtype)
        new[: len(old)] = old
        larger.append(new)
    return Buckets._make((*larger, buckets.spilled, buckets.log))


@cache
def bucket_kernel(message, combine, where, order):
    """The loop for one message, one ordered monoid and one condition on the targets."""
    change, listens = changer(combine), inner(where or (lambda value, params: True))

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
    def insert(v, place, mine, buckets, state):
        """Put a vertex into one of this thread's buckets."""
        held, following = buckets.held, buckets.following
        block = mine[place]
        if block < 0 or held[block] == _BLOCK:
            fresh = mine[-1]
            if fresh >= 0:
                mine[-1] = following[fresh]
            else:
                fresh = fetch_add(state, BLOCKS, 1)
                if fresh >= len(held):
                    word, bit = np.uint64(v) >> np.uint64(6), np.uint64(v) & np.uint64(63)
                    before = fetch_or(buckets.spilled, word, np.uint64(1) << bit)
                    if not (before >> bit) & np.uint64(1):
                        fetch_add(state, SPILLED, 1)
                    return
            following[fresh], held[fresh] = block, 0
            mine[place] = block = fresh
        buckets.ids[block, held[block]] = v
        held[block] += 1

    @inner
    def log_block(block, buckets, state):
        """Note who is expanded."""
        log, count = buckets.log, np.int64(buckets.held[block])
        if state[LOGGED] <= len(log):
            at = fetch_add(state, LOGGED, count)
            if at + count <= len(log):
                for i in range(count):
                    log[at + i] = buckets.ids[block, i]

    @inner
    def expand_block(block, out, search, buckets, mine, state):
        indptr, indices, weights, edge_ids = out
        values, identity, params, settled, base, pace = search
        current, window = state[CURRENT], state[WINDOW]
        visited = np.int64(0)
        log_block(block, buckets, state)
        for i in range(buckets.held[block]):
            u = np.int64(buckets.ids[block, i])
            value = load(values, u)
            # A member of the first frontier may have no value yet: it sends too, once.
            if same(settled[u], value) and not same(value, identity):
                continue
            settled[u] = value
            visited += np.int64(indptr[u + 1] - indptr[u])
            for e in range(indptr[u], indptr[u + 1]):
                v = np.int64(indices[e])
                if not listens(values[v], params.where):
                    continue
                own, edge = values[v], edge_at(edge_ids, e)
                sent = message(value, weight_at(weights, e), u, edge, own, v, params.message)
                sent = cast(values, sent)
                if change(values, v, load(values, v), sent, identity)[1]:
                    place = bucket(sent, base[0], pace, current, window)
                    insert(v, place, mine, buckets, state)
        buckets.following[block] = mine[-1]
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
    def deal_far(me, team, control, search, buckets, mine, state):
        """Open a new window at the best value of all far piles, and deal them out into it."""
        ids, held, following = buckets.ids, buckets.held, buckets.following
        values, identity, _, _, base, pace = search
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
        change(base, 0, load(base, 0), best, identity)
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
                insert(v, place, mine, buckets, state)
            following[block] = mine[-1]
            mine[-1] = block
        return True

    @inner
    def deal_in(me, team, control, start, buckets, mine, state):
        """Put the first frontier on the far piles, and later the vertices that found no space."""
        waiting, spilled = state[WAITING], buckets.spilled
        if not barrier(control, team):
            return False
        if me == 0:
            state[SPILLED] = state[WAITING] = 0
        if not barrier(control, team):
            return False
        if waiting > 0:
            low, high = share(me, team, waiting)
            for i in range(low, high):
                insert(np.int64(start[i]), state[WINDOW], mine, buckets, state)
            return barrier(control, team)
        low, high = share(me, team, len(spilled))
        for i in range(low, high):
            word = spilled[i]
            spilled[i] = 0
            for j in range(64):
                if (word >> np.uint64(j)) & np.uint64(1):
                    insert(i * 64 + j, state[WINDOW], mine, buckets, state)
        return barrier(control, team)

    @kernel(borrows=True)
    def run(me, team, control, out, search, buckets, heads, start, state):
        mine = heads[me]
        window, limit = state[WINDOW], state[LIMIT]
        following, work = buckets.following, buckets.work
        if state[WAITING] + state[SPILLED] > 0 and not deal_in(
            me, team, control, start, buckets, mine, state
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
                if not deal_far(me, team, control, search, buckets, mine, state):
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
                block = work[low]
                if state[VISITED] + visited >= limit:  # enough: it stays in the bucket
                    following[block] = mine[place]
                    mine[place] = block
                else:
                    visited += expand_block(block, out, search, buckets, mine, state)
            while mine[place] >= 0 and few(mine[place], following):
                if state[VISITED] + visited >= limit or stopped(control):
                    break
                block = mine[place]
                mine[place] = following[block]
                visited += expand_block(block, out, search, buckets, mine, state)
            fetch_add(state, VISITED, visited)
            if not barrier(control, team):
                return

    return run

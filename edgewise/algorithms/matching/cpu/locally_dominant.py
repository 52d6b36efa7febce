"""The locally dominant matching on CPU threads, in one kernel: proposals instead of rounds.

Every vertex proposes along its best arc to a neighbor that has no better suitor. Who is outbid,
at once or later, goes on below the arc that failed, which is the Suitor algorithm [1]: when nobody
moves any more, suitors are mates, and they are those of the rounds. It looks at fewer arcs than
rounds would, and chains of any length are one thread's loop.

``word[v]`` holds v's suitor in its low bits and above them the mark of what it offers, the first
bits of the key, so one load tells (nearly always) whether a proposal has a chance, and one
compare-and-swap makes it. Where marks are equal, the arc of the proposal tells the whole key: it
stands with the suitor, in ``trying``, does not change while the proposal stands, and is one of less
rank after. Most arcs are passed over by their weight alone, so a scan reads one array from front
to back.

[1] F. Manne, M. Halappanavar. New effective multithreaded matching algorithms. IPDPS 2014.

Pays for: row locally_dominant of ``python -m benchmarks matching``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from edgewise.algorithms.matching.cpu.edge_order import LEAST, MOST, key_at, keyed, outranks, tie
from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import compare_and_swap, fetch_add, load, prefetch, store
from edgewise.base.cpu.team import arrive, barrier, grab, release, rewind, share, stopped, wait
from edgewise.base.threads import BRIEF_WORK, get_threads, launch
from edgewise.graph import Graph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu.gather import longest_row

__all__ = ["locally_dominant"]

#: Rows longer than this are looked through by all threads together.
_HEAVY_DEGREE = 1 << 15
_CHUNK, _FEW = 256, 64
#: Arcs from which the caller only waits, so that it can be interrupted: nobody knows how often
#: they will be looked at.
_LONG = 1 << 20
# Words of ``tallies``, each on a cache line of its own: the length of the queue, and of the two
# lists of vertices with long rows.
_QUEUED, _HEAVY = 0, 8


class Suitors(NamedTuple):
    """The proposals that stand."""

    word: Any
    trying: Any  # the arc that each vertex has proposed along last
    bits: Any  # of the suitor in a word
    nobody: Any  # the suitor in the word of a vertex that has none


class Queues(NamedTuple):
    """Which vertices go on: those of a queue, and those with long rows, which threads share."""

    queue: Any
    heavy: Any
    parts: Any  # the best arc of each of these, by each thread
    buffers: Any
    tallies: Any


def locally_dominant(graph: Graph, mates: np.ndarray, weights: Any) -> bool:
    """See `edgewise.operators.fused`: find mates for those who have none."""
    rows = keyed(adjacency(graph, "out", weights, ("weight",), False)[0])
    n, ids, team, arcs = len(mates), rows.indices.dtype, get_threads(), len(rows.indices)
    bits, arc_type = n.bit_length(), np.uint32 if arcs < 2**32 else np.uint64
    nobody = np.int64((1 << bits) - 1)
    suitors = Suitors(np.empty(n, np.int64), np.empty(n, arc_type), np.int64(bits), nobody)
    heavy = np.empty((2, arcs // _HEAVY_DEGREE + 1), ids)
    parts = np.empty((heavy.shape[1], team), np.uint64)
    buffers = np.empty((team, _CHUNK + 64), ids)  # no cache line is shared
    work = arcs + n if arcs < _LONG else arcs + BRIEF_WORK
    run = matching_kernel(longest_row(graph, "out", rows.indptr.view(np.int64)) > _HEAVY_DEGREE)
    queues = Queues(np.empty(n, ids), heavy, parts, buffers, np.zeros(24, np.int64))
    launch(run, rows, mates, suitors, queues, work=work, team=team)
    return True


@inner
def _may_propose(u, v, key, rows, suitors):
    """Has ``v`` no better suitor? One who is let through for an offer out of date fails later."""
    word, trying, bits, nobody = suitors
    now = load(word, v)
    mark, standing = _mark(key) >> bits, now >> bits
    if mark != standing:
        return mark > standing
    rival = np.uint64(now & nobody)
    if rival == nobody:
        return True
    if rival == v:
        return False
    offer = key_at(rows[2], rival, v, np.uint64(load(trying, rival)))
    return outranks(v, key, u, offer, rival)


@inner
def _mark(key):
    """A number that keeps the order of keys, with its first bits where they tell them apart."""
    return np.float64(key).view(np.int64)


@inlined
def _best_arc(u, low, high, rows, tried, past, suitors):
    """The best arc of ``u`` in ``low..high`` that may be proposed along; ``high`` if there is none.

    It ranks below the one that ``u`` has tried before (``tried`` is its key, it led to ``past``;
    MOST and ``u`` if none): what ranks above that was out of reach then, and has been ever since.
    """
    _, indices, weights, _ = rows
    best, at = LEAST, high
    best_tie, unknown = np.uint64(0), np.uint64(0)
    for e in range(low, high):
        key = key_at(weights, u, np.uint64(indices[e]), e)
        if key < best or key > tried:
            continue
        v = np.uint64(indices[e])
        if v == u:
            continue
        own_tie = unknown
        if key == best and at != high:
            w, own_tie = np.uint64(indices[at]), tie(u, v)
            if best_tie == unknown:
                best_tie = tie(u, w)
            if own_tie < best_tie or (own_tie == best_tie and v > w):
                continue
        if key == tried and past != u and not outranks(u, key, past, key, v):
            continue
        if _may_propose(u, v, key, rows, suitors):
            best, best_tie, at = key, own_tie, e
    return at


@inlined
def _propose(u, at, end, rows, suitors):
    """Let ``u`` propose along its arc ``at``; who must go on then: ``u`` itself, whom it outbids,
    or nobody.
    """
    word, trying, bits, nobody = suitors
    if at == end:
        return nobody
    v = np.uint64(rows[1][at])
    key = key_at(rows[2], u, v, at)
    store(trying, u, trying.dtype.type(at))
    offer = _mark(key) >> bits << bits | np.int64(u)
    now = load(word, v)
    while True:
        rival = now & nobody
        if offer >> bits < now >> bits or rival == np.int64(v):
            return np.int64(u)
        if offer >> bits == now >> bits and rival != nobody:
            theirs = key_at(rows[2], np.uint64(rival), v, np.uint64(load(trying, rival)))
            again = load(word, v)
            if again != now:  # outbid meanwhile: it may be trying another
                now = again
                continue
            if not outranks(v, key, u, theirs, np.uint64(rival)):
                return np.int64(u)
        done, now = compare_and_swap(word, v, now, offer)
        if done:
            return rival


@cache
def matching_kernel(hubs: bool) -> Any:
    """The loop; only where there are long rows, what walks them together is part of it."""
    together = _together if hubs else _never

    @kernel(borrows=True)
    def run(me, team, control, rows, mates, suitors, queues):
        (word, _, bits, nobody), tallies = suitors, queues.tallies
        low, high = share(me, team, len(mates))
        for v in range(low, high):
            # Who has a mate is its own suitor, at any price.
            word[v] = nobody if mates[v] == -1 else MOST >> bits << bits | v
        if not barrier(control, team):
            return
        side, first = 0, True
        while first or tallies[_QUEUED] > 0 or tallies[_HEAVY + 8 * side] > 0:
            if tallies[_HEAVY + 8 * side] > 0:
                if not together(me, team, control, rows, suitors, queues, side):
                    return
                if me == 0:
                    tallies[_HEAVY + 8 * side] = 0
            side = 1 - side
            if first:
                _everyone(me, team, control, rows, suitors, queues, side)
            else:
                _outbid(me, team, control, rows, suitors, queues, side)
            here = arrive(control, team)
            if here < 0:
                if not first:
                    tallies[_QUEUED] = 0
                rewind(control, 0)
                release(control, team)
            elif not wait(control, here):
                return
            if stopped(control):
                return
            first = False
        for v in range(low, high):
            suitor = word[v] & nobody
            if suitor != nobody and suitor != v:
                mates[v] = suitor

    return run


@inner
def _everyone(me, team, control, rows, suitors, queues, side):
    """Everybody proposes once; who loses is queued. The more stands, the less is tried in vain."""
    indptr, (word, trying, _, nobody) = rows[0], suitors
    queue, tallies = queues.queue, queues.tallies
    buffer, heavy = queues.buffers[me], queues.heavy[side]
    while True:
        low, high = grab(control, 0, _CHUNK, len(word))
        if low == high:
            return
        filled = 0
        for i in range(low, high):
            u = np.uint64(i)
            start, end = indptr[u], indptr[u + np.uint64(1)]
            if start == end or load(word, u) & nobody == i:
                continue
            if team > 1 and end - start > np.uint64(_HEAVY_DEGREE):
                trying[u] = end  # nothing yet
                heavy[fetch_add(tallies, _HEAVY + 8 * side, 1)] = u
                continue
            at = _best_arc(u, start, end, rows, MOST, u, suitors)
            loser = _propose(u, at, end, rows, suitors)
            if loser != nobody:
                buffer[filled] = loser
                filled += 1
        at = fetch_add(tallies, _QUEUED, filled)
        for i in range(filled):
            queue[at + i] = buffer[i]


@inner
def _outbid(me, team, control, rows, suitors, queues, side):
    """Who is queued goes on, then those whom they outbid, and so on to the end of every chain."""
    (indptr, indices, weights, _), (_, trying, _, nobody) = rows, suitors
    queue, tallies = queues.queue, queues.tallies
    buffer, heavy = queues.buffers[me], queues.heavy[side]
    count = tallies[_QUEUED]
    while True:
        low, high = grab(control, 0, _FEW, count)
        if low == high:
            return
        losers = high - low
        for i in range(losers):
            buffer[i] = queue[low + i]
        while losers > 0 and not stopped(control):
            # They are far apart: ask for all that will be read of them first.
            for i in range(losers):
                prefetch(indptr, buffer[i])
                prefetch(trying, buffer[i])
            for i in range(losers):
                start = indptr[np.uint64(buffer[i])]
                prefetch(indices, start)
                _prefetch_weight(weights, start)
            left = 0
            for i in range(losers):
                u = np.uint64(buffer[i])
                start, end = indptr[u], indptr[u + np.uint64(1)]
                if team > 1 and end - start > np.uint64(_HEAVY_DEGREE):
                    heavy[fetch_add(tallies, _HEAVY + 8 * side, 1)] = u
                    continue
                tried, past = _tried(u, end, rows, trying)
                at = _best_arc(u, start, end, rows, tried, past, suitors)
                loser = _propose(u, at, end, rows, suitors)
                if loser != nobody:
                    buffer[left] = loser
                    left += 1
            losers = left


@inlined
def _tried(u, end, rows, trying):
    """The key of the arc that ``u`` has tried last and where it led; MOST and ``u`` if none."""
    last = np.uint64(trying[u])
    if last == end:
        return MOST, u
    past = np.uint64(rows[1][last])
    return key_at(rows[2], u, past, last), past


def _prefetch_weight(weights, e):
    """Ask for the weight of arc ``e``, if there are weights."""
    raise TypeError("only for compiled code")


@overload(_prefetch_weight)
def _ask(weights, e):
    if isinstance(weights, types.NoneType):
        return lambda weights, e: None
    return lambda weights, e: prefetch(weights, e)


@inner
def _never(me, team, control, rows, suitors, queues, side):
    """No row is so long."""
    return True


@inner
def _together(me, team, control, rows, suitors, queues, side):
    """Vertices with long rows propose, each row looked through by all; False when stopped."""
    (indptr, indices, weights, _), (_, trying, _, nobody) = rows, suitors
    heavy, parts, tallies = queues.heavy[side], queues.parts, queues.tallies
    heavy = heavy[: tallies[_HEAVY + 8 * side]]
    for i in range(len(heavy)):
        u = np.uint64(heavy[i])
        start, end = indptr[u], indptr[u + np.uint64(1)]
        low, high = share(me, team, np.int64(end - start))
        last = start + np.uint64(high)
        tried, past = _tried(u, end, rows, trying)
        at = _best_arc(u, start + np.uint64(low), last, rows, tried, past, suitors)
        parts[i, me] = end if at == last else at
    if not barrier(control, team):
        return False
    for i in range(me, len(heavy), team):
        u = np.uint64(heavy[i])
        end = indptr[u + np.uint64(1)]
        at = parts[i, 0]
        for j in range(1, team):
            e = parts[i, j]
            if at == end or e == end:
                at = min(at, e)
                continue
            v, w = np.uint64(indices[e]), np.uint64(indices[at])
            if outranks(u, key_at(weights, u, v, e), v, key_at(weights, u, w, at), w):
                at = e
        loser = _propose(u, at, end, rows, suitors)
        if loser != nobody:
            queues.queue[fetch_add(tallies, _QUEUED, 1)] = loser
    return barrier(control, team)

"""What a traversal does on an edge, in two ways that obey the same contract.

`in_place` combines each message into ``values`` as it comes, atomically; only an idempotent monoid
over one array may do so, because a source may then read a value of this very round. `apart` leaves
``values`` alone, combines the messages in ``sums``, and lets them `settle` at the end of the round:
for sums, for tuples of arrays, for whatever a user defines.

Each gives ``expand`` (push the edges of one vertex), ``pull`` (all listening vertices), and what
ends a round that was pushed, and one that was pulled: ``settle_queue`` and ``settle_bits``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import arrive, barrier, grab, release, share, wait
from edgewise.operators.cpu.inner import (
    cast,
    edge_at,
    get_bit,
    merger,
    put,
    same,
    set_bit,
    stamped,
    take,
    updater,
    weight_at,
)
from edgewise.operators.cpu.rounds import (
    AWAKE,
    BUFFER,
    SCAN_SLOT,
    SCOUT,
    SIDE,
    STAMP,
    TAIL,
    VISITED,
    append,
    place,
)

__all__ = ["Data", "apart", "in_place"]


class Data(NamedTuple):
    """State over vertices; values, sources and sums are arrays, or tuples of them."""

    sources: Any  # what ``value`` reads; None where nobody asks
    values: Any
    identity: Any
    stamps: np.ndarray  # in which round a vertex was reached; empty where one cannot be twice
    depths: np.ndarray  # empty where nobody asks
    sums: Any  # None in place
    locks: Any  # of the vertices, for sums that are tuples


def in_place(message, combine, where, early_exit):
    """Update at once: for an idempotent monoid over one array."""
    update = updater(combine, early_exit)
    deaf = _deafness(where, early_exit)

    @inner
    def expand(u, low, high, out, data, turn, queue, buffer, state):
        indptr, indices, weights, edge_ids = out
        values, identity, depths = data.values, data.identity, data.depths
        value, stamp = take(data.sources, u), state[STAMP] + turn
        for e in range(low, high):
            v = np.int64(indices[e])
            if deaf(values[v], identity):
                continue
            sent = message(value, weight_at(weights, e), u, edge_at(edge_ids, e), 0)
            if not update(values, v, values.dtype.type(sent), identity):
                continue
            if early_exit or not stamped(data.stamps, v, stamp):
                append(buffer, v, queue, indptr, depths, turn, state)

    collect = _collector(message, combine, early_exit)

    @inner
    def pull(control, into, data, turn, front, following, state):
        sources, values, identity, depths = data.sources, data.values, data.identity, data.depths
        awake, visited = np.int64(0), np.int64(0)
        while True:
            low, high = grab(control, SCAN_SLOT, 1024, len(values))
            if low == high:
                break
            for v in range(np.uint64(low), np.uint64(high)):
                before = values[v]
                if deaf(before, identity):
                    continue
                after, _, seen = collect(v, before, into, sources, values, identity, front)
                visited += seen
                if not same(after, before):
                    values[v] = after
                    set_bit(following, v)
                    awake += 1
                    if len(depths) > 0:
                        depths[v] = turn
        fetch_add(state, AWAKE, awake)
        fetch_add(state, VISITED, visited)

    @inner
    def settle_queue(me, team, control, indptr, data, turn, spare, queue, buffers, state):
        place(me, buffers, queue, indptr, data.depths, turn, state)
        return True

    @inner
    def settle_bits(me, team, control, data, turn, bitmap, state):
        return True

    return expand, pull, settle_queue, settle_bits


def apart(message, combine, where, early_exit):
    """Add the messages up first: for any monoid, also over tuples of arrays."""
    merge = merger(combine)
    deaf = _deafness(where, early_exit)
    collect = _collector(message, combine, early_exit)

    @inner
    def expand(u, low, high, out, data, turn, queue, buffer, state):
        indptr, indices, weights, edge_ids = out
        values, identity, sums = data.values, data.identity, data.sums
        value, stamp = take(data.sources, u), state[STAMP] + turn
        for e in range(low, high):
            v = np.int64(indices[e])
            if deaf(take(values, v), identity):
                continue
            sent = message(value, weight_at(weights, e), u, edge_at(edge_ids, e), 0)
            merge(sums, v, cast(sums, sent), data.locks)
            if not stamped(data.stamps, v, stamp):
                append(buffer, v, queue, indptr, data.depths[:0], turn, state)

    @inner
    def pull(control, into, data, turn, front, following, state):
        sources, values, identity, sums = data.sources, data.values, data.identity, data.sums
        visited, n = np.int64(0), len(into[0]) - 1
        while True:
            low, high = grab(control, SCAN_SLOT, 1024, n)
            if low == high:
                break
            for v in range(np.uint64(low), np.uint64(high)):
                if deaf(take(values, v), identity):
                    continue
                total, heard, seen = collect(v, identity, into, sources, sums, identity, front)
                visited += seen
                if heard:
                    put(sums, v, total)
                    set_bit(following, v)
        fetch_add(state, VISITED, visited)

    @inner
    def land(v, data):
        """Combine the sum into the value: has that changed?"""
        values, sums = data.values, data.sums
        before = take(values, v)
        after = cast(values, combine(before, take(sums, v)))
        put(sums, v, data.identity)
        if same(after, before):
            return False
        put(values, v, after)
        return True

    @inner
    def settle_bits(me, team, control, data, turn, bitmap, state):
        """Values change only now; those that did are the next frontier."""
        if not barrier(control, team):
            return False
        awake, depths = np.int64(0), data.depths
        low, high = share(me, team, len(bitmap))
        for i in range(low, high):
            word = bitmap[i]
            for j in range(64):
                if (word >> np.uint64(j)) & np.uint64(1):
                    if land(np.int64(i * 64 + j), data):
                        awake += 1
                        if len(depths) > 0:
                            depths[i * 64 + j] = turn
                    else:
                        word ^= np.uint64(1) << np.uint64(j)
            bitmap[i] = word
        fetch_add(state, AWAKE, awake)
        return True

    @inner
    def settle_queue(me, team, control, indptr, data, turn, spare, queue, buffers, state):
        """The same for the vertices in a queue and in the threads' buffers."""
        buffer, touched, kept, depths = buffers[me], state[TAIL], np.int64(0), data.depths
        for i in range(np.int64(buffer[BUFFER])):
            if land(np.int64(buffer[i]), data):
                buffer[kept] = buffer[i]
                kept += 1
        buffer[BUFFER] = kept
        if touched > 0:
            here = arrive(control, team)
            if here < 0:
                state[TAIL] = state[SCOUT] = 0
                release(control, team)
            elif not wait(control, here):
                return False
            low, high = share(me, team, touched)
            for i in range(low, high):
                v = np.int64(queue[i])
                if land(v, data):
                    append(buffer, v, spare, indptr, depths, turn, state)
        if not barrier(control, team):
            return False
        place(me, buffers, spare, indptr, depths, turn, state)
        if me == 0:  # the next frontier is where this one was
            state[SIDE] = 1 - state[SIDE]
        return True

    return expand, pull, settle_queue, settle_bits


def _deafness(where, early_exit):
    """``deaf(value, identity)``: no message can change a vertex with this value."""
    listens = inner(where or (lambda value: True))

    @inlined
    def deaf(value, identity):
        return (early_exit and not same(value, identity)) or not listens(value)

    return deaf


def _collector(message, combine, early_exit):
    """``collect``: combine the messages that reach ``v`` from the frontier, beginning with one."""

    @inlined
    def collect(v, first, into, sources, values, identity, front):
        indptr, indices, weights, edge_ids = into
        after, heard = first, False
        start, end = indptr[np.uint64(v)], indptr[np.uint64(v) + np.uint64(1)]
        e = start
        while e < end:
            u = np.int64(indices[e])
            if get_bit(front, u):
                sent = message(take(sources, u), weight_at(weights, e), u, edge_at(edge_ids, e), 0)
                after = cast(values, combine(after, cast(values, sent)))
                heard = True
                if early_exit and not same(after, identity):
                    break
            e += np.uint64(1)
        return after, heard, np.int64(min(e + np.uint64(1), end) - start)

    return collect

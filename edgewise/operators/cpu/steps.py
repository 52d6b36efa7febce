"""What a traversal does on an edge, in two ways that obey the same contract.

`in_place` combines each message into ``values`` as it comes, atomically; only an idempotent monoid
over one array may do so, because a source may then read a value of this very round. `apart` leaves
``values`` alone, combines the messages in ``sums``, and lets them `settle` at the end of the round:
for sums, for tuples of arrays, for whatever a user defines. State of several columns has its own
two in `column_steps.py`.

Each gives ``expand`` (push the edges of one vertex), ``pull`` (all listening vertices), and what
ends a round that was pushed, and one that was pulled: ``settle_queue`` and ``settle_bits``. What
nobody asks for (`where`, `wake`, the target's own value) leaves nothing in the compiled code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import fetch_add, load
from edgewise.base.cpu.team import arrive, barrier, grab, release, share, wait
from edgewise.operators.cpu.inner import (
    cast,
    changer,
    edge_at,
    get_bit,
    merger,
    pointless,
    put,
    same,
    set_bit,
    stamped,
    take,
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

__all__ = [
    "Data",
    "Functions",
    "Params",
    "Steps",
    "apart",
    "bits_settler",
    "done_test",
    "in_place",
    "no_more",
    "puller",
    "settler",
    "waking",
]


class Functions(NamedTuple):
    """What a traversal is compiled for."""

    message: Any  # of `TRAVERSAL_NAMES` and params; with columns, column before those
    combine: Any
    where: Any  # of (value, params); or None
    wake: Any  # the same
    early_exit: bool
    at_once: bool  # in place
    columns: bool
    absorbing: Any = None  # with columns: the value that no message changes; None if there is none


class Params(NamedTuple):
    """What the functions' params are in this call."""

    message: tuple = ()
    where: tuple = ()
    wake: tuple = ()


class Data(NamedTuple):
    """State over vertices; values, sources and sums are arrays, or tuples of them."""

    sources: Any  # what ``value`` reads; None where nobody asks
    values: Any
    identity: Any
    params: Params
    stamps: np.ndarray  # in which round a vertex was reached; empty where one cannot be twice
    depths: np.ndarray  # empty where nobody asks
    sums: Any  # None in place
    locks: Any  # of the vertices, for sums that are tuples
    columns: int


class Steps(NamedTuple):
    """The parts of a round."""

    expand: Any
    pull: Any
    settle_queue: Any
    settle_bits: Any


def in_place(functions: Functions) -> Steps:
    """Update at once: for an idempotent monoid over one array."""
    message, early_exit = functions.message, functions.early_exit
    change = changer(functions.combine, early_exit)
    done, wakes, sleeps = done_test(functions), waking(functions), functions.wake is not None

    @inner
    def expand(u, low, high, out, data, turn, queue, buffer, state):
        indptr, indices, weights, edge_ids = out
        values, identity, params = data.values, data.identity, data.params
        value, stamp = take(data.sources, u), state[STAMP] + turn
        depths = data.depths[:0] if sleeps else data.depths
        for e in range(low, high):
            v = np.int64(indices[e])
            if done(values[v], identity, params):
                continue
            own, edge = values[v], edge_at(edge_ids, e)
            sent = message(value, weight_at(weights, e), u, edge, own, v, params.message)
            if not change(values, v, load(values, v), cast(values, sent), identity)[1]:
                continue
            if early_exit or not stamped(data.stamps, v, stamp):
                append(buffer, v, queue, indptr, depths, turn, state)

    collect = _collector(functions)

    @inlined
    def gather(v, into, data, turn, front):
        values, depths = data.values, data.depths
        before = values[v]
        if done(before, data.identity, data.params):
            return False, np.int64(0)
        after, _, seen = collect(v, before, into, data, values, front)
        if same(after, before):
            return False, seen
        values[v] = after
        if len(depths) > 0:
            depths[v] = turn
        return wakes(after, data.params), seen

    @inner
    def place_all(me, team, control, indptr, data, turn, state):
        place(me, turn.buffers, turn.queue, indptr, data.depths, turn.number, state)
        return True

    @inner
    def land(v, data, turn):
        """The value has changed already: does the vertex send?"""
        if len(data.depths) > 0:
            data.depths[v] = turn
        return wakes(data.values[v], data.params)

    settle_queue = settler(land) if sleeps else place_all
    return Steps(expand, puller(gather), settle_queue, no_more)


def apart(functions: Functions) -> Steps:
    """Add the messages up first: for any monoid, also over tuples of arrays."""
    message, combine = functions.message, functions.combine
    merge, collect = merger(combine), _collector(functions)
    done, wakes = done_test(functions), waking(functions)

    @inner
    def expand(u, low, high, out, data, turn, queue, buffer, state):
        indptr, indices, weights, edge_ids = out
        values, identity, params, sums = data.values, data.identity, data.params, data.sums
        value, stamp = take(data.sources, u), state[STAMP] + turn
        for e in range(low, high):
            v = np.int64(indices[e])
            own, edge = take(values, v), edge_at(edge_ids, e)
            if done(own, identity, params):
                continue
            sent = message(value, weight_at(weights, e), u, edge, own, v, params.message)
            new = cast(sums, sent)
            if pointless(new, identity):
                continue
            merge(sums, v, new, data.locks)
            if not stamped(data.stamps, v, stamp):
                append(buffer, v, queue, indptr, data.depths[:0], turn, state)

    @inlined
    def gather(v, into, data, turn, front):
        if done(take(data.values, v), data.identity, data.params):
            return False, np.int64(0)
        total, heard, seen = collect(v, data.identity, into, data, data.sums, front)
        if heard:
            put(data.sums, v, total)
        return heard, seen

    @inner
    def land(v, data, turn):
        """Combine the sum into the value: does the vertex send in the next round?"""
        values, sums = data.values, data.sums
        before = take(values, v)
        after = cast(values, combine(before, take(sums, v)))
        put(sums, v, data.identity)
        if same(after, before):
            return False
        put(values, v, after)
        if len(data.depths) > 0:
            data.depths[v] = turn
        return wakes(after, data.params)

    return Steps(expand, puller(gather, counts=False), settler(land), bits_settler(land))


def puller(gather, counts=True):
    """``pull`` by ``gather(v, into, data, turn, front) -> (reached?, how many edges it took)``.

    With ``counts``, those reached are the next frontier; else `bits_settler` says who is.
    """

    @inner
    def pull(control, into, data, turn, front, following, state):
        awake, visited = np.int64(0), np.int64(0)
        while True:
            low, high = grab(control, SCAN_SLOT, 1024, len(into.indptr) - 1)
            if low == high:
                break
            for v in range(np.uint64(low), np.uint64(high)):
                reached, seen = gather(v, into, data, turn, front)
                visited += seen
                if reached:
                    set_bit(following, v)
                    awake += 1
        if counts:
            fetch_add(state, AWAKE, awake)
        fetch_add(state, VISITED, visited)

    return pull


@inner
def no_more(me, team, control, data, turn, bitmap, state):
    """The ``settle_bits`` of values that have changed already."""
    return True


def settler(land):
    """``settle_queue`` by ``land(v, data, turn)``, which says who sends of those reached."""

    @inner
    def settle_queue(me, team, control, indptr, data, turn, state):
        """Values change only now; of the vertices in the queue and in the threads' buffers,
        those that send are the next frontier, which is written over this one.
        """
        number, queue, spare, buffer = turn.number, turn.queue, turn.front, turn.buffers[me]
        touched, kept = state[TAIL], np.int64(0)
        depths = data.depths[:0]  # written already
        for i in range(np.int64(buffer[BUFFER])):
            if land(np.int64(buffer[i]), data, number):
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
                if land(v, data, number):
                    append(buffer, v, spare, indptr, depths, number, state)
        if not barrier(control, team):
            return False
        place(me, turn.buffers, spare, indptr, depths, number, state)
        if me == 0:  # the next frontier is where this one was
            state[SIDE] = 1 - state[SIDE]
        return True

    return settle_queue


def bits_settler(land):
    """``settle_bits``: the same for the vertices in a bitmap."""

    @inner
    def settle_bits(me, team, control, data, turn, bitmap, state):
        if not barrier(control, team):
            return False
        awake = np.int64(0)
        low, high = share(me, team, len(bitmap))
        for i in range(low, high):
            word = bitmap[i]
            for j in range(64):
                if (word >> np.uint64(j)) & np.uint64(1):
                    if land(np.int64(i * 64 + j), data, turn):
                        awake += 1
                    else:
                        word ^= np.uint64(1) << np.uint64(j)
            bitmap[i] = word
        fetch_add(state, AWAKE, awake)
        return True

    return settle_bits


def done_test(functions: Functions):
    """``done(value, identity, params)``: no message can change a vertex with this value."""
    listens, early_exit = inner(functions.where or _always), functions.early_exit

    @inlined
    def done(value, identity, params):
        return (early_exit and not same(value, identity)) or not listens(value, params.where)

    return done


def waking(functions: Functions):
    """``wakes(value, params)``: does a vertex send, now that it has this value?"""
    wake = inner(functions.wake or _always)

    @inlined
    def wakes(value, params):
        return wake(value, params.wake)

    return wakes


def _always(value, params):
    return True


def _collector(functions: Functions):
    """``collect``: combine the messages that reach ``v`` from the frontier, beginning with one."""
    message, combine, early_exit = functions.message, functions.combine, functions.early_exit

    @inlined
    def collect(v, first, into, data, totals, front):
        indptr, indices, weights, edge_ids = into
        own, params = take(data.values, v), data.params.message
        after, heard = first, False
        start, end = indptr[np.uint64(v)], indptr[np.uint64(v) + np.uint64(1)]
        e = start
        while e < end:
            u = np.int64(indices[e])
            if get_bit(front, u):
                value, edge = take(data.sources, u), edge_at(edge_ids, e)
                sent = message(value, weight_at(weights, e), u, edge, own, np.int64(v), params)
                after = cast(totals, combine(after, cast(totals, sent)))
                heard = True
                if early_exit and not same(after, data.identity):
                    break
            e += np.uint64(1)
        return after, heard, np.int64(min(e + np.uint64(1), end) - start)

    return collect

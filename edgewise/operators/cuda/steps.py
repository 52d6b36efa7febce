"""What a traversal does on the edges of its rounds on CUDA, as device functions for one kernel.

Values are updated at once (an idempotent monoid over one array), or messages are added up apart
and land at the end of the round: sums, tuples, several columns, and where `wake` is to see what a
round has come to. Who walks which edges is in `pushes.py` and, for rounds of few vertices, in
`small_rounds.py` [1]. Pulling, a thread walks the row of a vertex that still listens until it hears
something.

[1] D. Merrill, M. Garland, A. Grimshaw. Scalable GPU graph traversal. PPoPP 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import cas, exch, load
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda import inner
from edgewise.operators.cuda.inner import cast, put, same, take
from edgewise.operators.cuda.pushes import pushes
from edgewise.operators.cuda.rounds import (
    AWAKE,
    VISITED,
    Columns,
    Functions,
    Shape,
    append,
    block_add,
    columns,
    degree,
    flush,
)
from edgewise.operators.cuda.small_rounds import small_rounds
from edgewise.operators.cuda.state import THREADS

__all__ = ["Steps", "steps"]


class Steps(NamedTuple):
    """The device functions that a traversal is made of."""

    push: tuple[Any, Any]  # by rows, by edges
    small: tuple[Any, Any] | None  # by one block, by some
    pull: Any
    land: Any
    settle: Any


def steps(functions: Functions, shape: Shape) -> Steps:
    """The steps for one message, one monoid and its conditions."""
    width, ids = columns(shape.several), shape.ids.type
    done = _done_test(functions, shape)
    if not shape.at_once:
        send, small = _send_apart(functions, shape, done, width), None
    else:
        relax = _relax(functions, shape)
        send, look = _send_at_once(relax, done), _look(done)
        brief = not shape.once and shape.ids.itemsize == 4
        blind = shape.early_exit and not shape.reads
        small = small_rounds(relax, send, look, take, shape.early_exit, blind, ids)
        small = small if brief else None
    awake = functions.wake or device(lambda value, params: True)
    return Steps(
        pushes(send, take, width, ids),
        small,
        _puller(functions, shape, done, width),
        _lander(functions, shape, awake, width),
        _settler(functions, awake, width),
    )


def _done_test(functions: Functions, shape: Shape) -> Any:
    """``done(value, data)``: does a vertex of this value not listen any more?"""
    listens = functions.where or device(lambda value, params: True)
    early_exit = shape.early_exit

    @device
    def done(value, data):
        settled = early_exit and not same(value, data.identity)
        return settled or not listens(value, data.params[1])

    return done


def _relax(functions: Functions, shape: Shape) -> Any:
    """``relax``: send to a known target; the edges of one that went straight to the queue."""
    combine, say = functions.combine, inner.sayer(functions.message)
    early_exit, deep, change = shape.early_exit, shape.deep, inner.changer(combine)

    @device
    def relax(u, value, e, v, rows, data, shared, round):
        own, none = data.values[v], np.int64(0)
        sent = say(value, u, e, own, rows, np.int64(v), none, data.params[0])
        sent = cast(data.values, sent)
        if early_exit:  # nobody may have come before
            new = cast(sent, combine(data.identity, sent))
            if same(new, data.identity) or not same(
                cas(data.values, v, data.identity, new), data.identity
            ):
                return np.int64(0)
        elif not change(data.values, v, load(data.values, v), sent, sent)[1]:
            return np.int64(0)
        if not early_exit and exch(data.stamps, v, round.stamp) == round.stamp:
            return np.int64(0)
        if deep:
            data.depths[v] = round.turn
        if append(shared, v, round):
            return np.int64(0)
        return degree(rows.indptr, v)

    return relax


def _send_at_once(relax: Any, done: Any) -> Any:
    """``send``: along one edge; the edges of a target that went straight to the queue."""

    @device
    def send(u, value, e, column, rows, data, shared, round):
        v = np.uint64(rows.indices[e])
        if done(data.values[v], data):
            return np.int64(0)
        return relax(u, value, e, v, rows, data, shared, round)

    return send


def _look(done: Any) -> Any:
    """``look``: where an edge leads, and whether something may change there."""

    @device
    def look(e, rows, data):
        v = np.uint64(rows.indices[e])
        return v, not done(data.values[v], data)

    return look


def _send_apart(functions: Functions, shape: Shape, done: Any, width: Columns) -> Any:
    """``send`` along one edge, of one column, to where messages are added up."""
    combine, place, say = functions.combine, width.place, inner.sayer(functions.message)
    idempotent, merge = shape.idempotent, inner.merger(combine, shape.dtypes, shape.parts)

    @device
    def send(u, value, e, column, rows, data, shared, round):
        v = np.uint64(rows.indices[e])
        at = place(v, column, data)
        own = take(data.values, at)
        if done(own, data):
            return np.int64(0)
        sent = cast(own, say(value, u, e, own, rows, np.int64(v), column, data.params[0]))
        if same(cast(own, combine(own, sent)), own) if idempotent else same(sent, data.identity):
            return np.int64(0)  # it would change nothing
        merge(data.sums, at, sent, data.locks)
        if load(data.stamps, v) != round.stamp and exch(data.stamps, v, round.stamp) != round.stamp:
            append(shared, v, round)
        return np.int64(0)

    return send


def _lander(functions: Functions, shape: Shape, awake: Any, width: Columns) -> Any:
    """``land``: what was added up changes values; those that change are the next frontier."""
    combine, deep, items, place = functions.combine, shape.deep, width.items, width.place

    @device
    def land(shared, rows, data, round):
        edges = np.int64(0)
        if cuda.threadIdx.x == 0:
            shared.held[0] = 0
        cuda.syncthreads()
        base = np.int64(cuda.blockIdx.x) * THREADS
        while base < round.count:
            i = base + cuda.threadIdx.x
            if i < round.count:
                v = np.uint64(round.front[i])
                changed, wakes = False, False
                for column in range(items(1, data)):
                    at = place(v, column, data)
                    before, total = take(data.values, at), take(data.sums, at)
                    after = before
                    if not same(total, data.identity):  # a column may have heard nothing
                        after = cast(before, combine(before, total))
                        put(data.sums, at, data.identity)
                    if awake(after, data.params[2]):
                        wakes = True
                    if not same(after, before):
                        put(data.values, at, after)
                        changed = True
                if changed:
                    if deep:
                        data.depths[v] = round.turn
                    if wakes:
                        append(shared, v, round)
            edges += flush(shared, rows.indptr, round)
            base += cuda.gridsize(1)
        return edges

    return land


def _puller(functions: Functions, shape: Shape, done: Any, width: Columns) -> Any:
    """``pull``: let every listening vertex look for messages."""
    combine, say = functions.combine, inner.sayer(functions.message)
    early_exit, at_once, deep = shape.early_exit, shape.at_once, shape.deep
    several, items, place = width.several, width.items, width.place
    counted = functions.wake is None

    @device
    def hear(v, column, own, first, rows, data, front):
        """Combine what reaches ``v`` from the frontier; (total, heard anything?, edges seen)."""
        total, heard = first, False
        start, end = rows.indptr[v], rows.indptr[v + np.uint64(1)]
        e = start
        while e < end:
            u = np.uint64(rows.indices[e])
            e += np.uint64(1)
            if inner.has_bit(front, u):
                value, last = take(data.sources, place(u, column, data)), e - np.uint64(1)
                sent = say(value, u, last, own, rows, np.int64(v), column, data.params[0])
                total = cast(own, combine(total, cast(own, sent)))
                heard = True
                if early_exit and not same(total, data.identity):
                    break
        return total, heard, np.int64(e - start)

    @device
    def listen(v, column, rows, data, front):
        """What a vertex's number becomes, whether it changes, and the edges seen."""
        before = take(data.values, place(v, column, data))
        if done(before, data):
            return before, False, np.int64(0)
        if at_once:
            after, heard, seen = hear(v, column, before, before, rows, data, front)
        else:
            total, heard, seen = hear(v, column, before, data.identity, rows, data, front)
            after = before
            if heard:
                after = cast(before, combine(before, total))
        return after, not same(after, before), seen

    @device
    def pull(shared, rows, data, front, following, n, round):
        awake, seen = np.int64(0), np.int64(0)
        base, lane = np.int64(cuda.grid(1)) & ~np.int64(31), np.int64(cuda.threadIdx.x & 31)
        while base < n:
            v, hit = np.uint64(base + lane), False
            if base + lane < n:
                for column in range(items(1, data)):
                    after, changed, edges = listen(v, column, rows, data, front)
                    seen += edges
                    hit = hit or changed
                    if at_once and changed:
                        put(data.values, v, after)
                    elif not at_once and (several or changed):
                        put(data.sums, place(v, column, data), after)
                if several and not hit:
                    for column in range(items(1, data)):
                        put(data.sums, place(v, column, data), data.identity)
                if hit:
                    awake += 1
                    if deep:
                        data.depths[v] = round.turn
            mark(following, v, hit, base + lane < n)
            base += cuda.gridsize(1)
        if counted:
            block_add(shared.place, round.counters, round.at + AWAKE, awake)
        block_add(shared.place, round.counters, round.at + VISITED, seen)

    return pull


def _settler(functions: Functions, awake: Any, width: Columns) -> Any:
    """``settle``: what was pulled apart becomes the values; those that do not wake are dropped."""
    items, place, chosen = width.items, width.place, functions.wake is not None

    @device
    def settle(shared, data, following, n, round):
        count, lane = np.int64(0), np.int64(cuda.threadIdx.x & 31)
        base = np.int64(cuda.grid(1)) & ~np.int64(31)
        while base < n:
            v, wakes = np.uint64(base + lane), False
            if base + lane < n and inner.has_bit(following, v):
                for column in range(items(1, data)):
                    at = place(v, column, data)
                    after = take(data.sums, at)
                    put(data.values, at, after)
                    put(data.sums, at, data.identity)
                    if awake(after, data.params[2]):
                        wakes = True
            if chosen:
                mark(following, v, wakes, base + lane < n)
                count += np.int64(1 if wakes else 0)
            base += cuda.gridsize(1)
        if chosen:
            block_add(shared.place, round.counters, round.at + AWAKE, count)

    return settle


if simulated():

    @device
    def mark(bitmap, v, hit, inside):
        """Note in a bitmap whether a vertex is in it; all lanes of a warp call it."""
        if inside:
            bit, word = np.uint32(1) << np.uint32(v & np.uint64(31)), v >> np.uint64(5)
            bitmap[word] = bitmap[word] | bit if hit else bitmap[word] & ~bit

else:

    @device
    def mark(bitmap, v, hit, inside):
        """Note in a bitmap whether a vertex is in it; all lanes of a warp call it."""
        word = cuda.ballot_sync(0xFFFFFFFF, hit)
        if (cuda.threadIdx.x & 31) == 0 and inside:
            bitmap[v >> np.uint64(5)] = np.uint32(word)

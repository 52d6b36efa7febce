"""What a traversal does on an edge where the state has several columns: every column apart.

`in_place` and `apart` as in `steps.py`, over arrays of n x k numbers that come flattened: column j
of vertex v is at ``k * v + j``. One look at an edge serves all columns; a vertex is in the next
frontier if one of them has changed, and ``wake`` is true for one.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import load
from edgewise.operators.cpu.inner import (
    cast,
    changer,
    edge_at,
    get_bit,
    same,
    stamped,
    take,
    weight_at,
)
from edgewise.operators.cpu.rounds import STAMP, append
from edgewise.operators.cpu.steps import (
    Data,
    Functions,
    Steps,
    bits_settler,
    done_test,
    no_more,
    puller,
    settler,
    waking,
)

__all__ = ["apart", "in_place"]


@inlined
def cells(v, k):
    """Where the columns of a vertex are; unsigned, or no vectors are made of what is there."""
    return range(np.uint64(v * k), np.uint64(v * k + k))


#: Where messages are combined, among the fields of `Data`.
_VALUES, _SUMS = Data._fields.index("values"), Data._fields.index("sums")


def in_place(functions: Functions) -> Steps:
    """Update at once: for an idempotent monoid."""
    expand = _expander(functions, changer(functions.combine, functions.early_exit), _VALUES)
    collect, awake_of = _collector(functions, _VALUES), _waker(functions)

    @inner
    def land(v, data, turn):
        """The values have changed already: does the vertex send?"""
        if len(data.depths) > 0:
            data.depths[v] = turn
        return awake_of(v, data)

    @inlined
    def gather(v, into, data, turn, front):
        changed, seen = collect(np.int64(v), into, data, front)
        return changed and land(v, data, turn), seen

    return Steps(expand, puller(gather), settler(land), no_more)


def apart(functions: Functions) -> Steps:
    """Add the messages up first: for any monoid."""
    combine = functions.combine
    expand = _expander(functions, changer(combine), _SUMS)
    collect, awake_of = _collector(functions, _SUMS), _waker(functions)

    @inlined
    def gather(v, into, data, turn, front):
        return collect(np.int64(v), into, data, front)

    @inner
    def land(v, data, turn):
        """Combine the sums into the values: does the vertex send in the next round?"""
        values, sums, changed = data.values, data.sums, False
        for i in cells(v, data.columns):
            before = values[i]
            after = values.dtype.type(combine(before, sums[i]))
            sums[i] = data.identity
            if not same(after, before):
                values[i] = after
                changed = True
        if not changed:
            return False
        if len(data.depths) > 0:
            data.depths[v] = turn
        return awake_of(v, data)

    return Steps(expand, puller(gather, counts=False), settler(land), bits_settler(land))


def _expander(functions: Functions, change, field):
    """``expand``: every message is combined atomically into a field of ``data``."""
    send, done = _sender(functions), done_test(functions)

    @inner
    def expand(u, low, high, out, data, turn, queue, buffer, state):
        indptr, stamp, k = out.indptr, state[STAMP] + turn, data.columns
        values, totals, identity = data.values, data[field], data.identity
        for e in range(low, high):
            v, changed = np.int64(out.indices[e]), False
            for j in range(k):
                if done(values[v * k + j], identity, data.params):
                    continue
                sent = cast(totals, send(u, v, e, j, out, data))
                at = v * k + j
                if change(totals, at, load(totals, at), sent, identity)[1]:
                    changed = True
            if changed and not stamped(data.stamps, v, stamp):
                append(buffer, v, queue, indptr, data.depths[:0], turn, state)

    return expand


def _collector(functions: Functions, field):
    """``collect``: combine what reaches ``v`` from the frontier in a field of ``data``.

    Has one of them changed, and how many edges were looked at?
    """
    combine, send, done = functions.combine, _sender(functions), done_test(functions)
    full = _fullness(functions)

    @inner
    def collect(v, into, data, front):
        values, totals, k, changed = data.values, data[field], data.columns, False
        listening = False
        for i in cells(v, k):
            listening |= not done(values[i], data.identity, data.params)
        start, end = into.indptr[v], into.indptr[v + 1]
        if not listening or full(values, v, k):
            return False, np.int64(0)
        for e in range(start, end):
            u = np.int64(into.indices[e])
            if not get_bit(front, u):
                continue
            for j in range(k):
                at = np.uint64(v * k + j)
                if done(values[at], data.identity, data.params):
                    continue
                before = totals[at]
                sent = cast(totals, send(u, v, e, j, into, data))
                after = totals.dtype.type(combine(before, sent))
                totals[at] = after  # always: only so does LLVM make vectors of columns
                changed |= not same(after, before)
            if changed and full(values, v, k):
                return True, np.int64(e + np.uint64(1) - start)
        return changed, np.int64(end - start)

    return collect


def _fullness(functions: Functions):
    """``full(values, v, k)``: do all columns have the value that no message changes?"""
    absorbing = functions.absorbing

    @inlined
    def never(values, v, k):
        return False

    @inlined
    def full(values, v, k):
        every = True
        for i in cells(v, k):
            every &= values[i] == absorbing
        return every

    return never if absorbing is None else full


def _sender(functions: Functions):
    """``send``: the message along an edge in one column."""
    message = functions.message

    @inlined
    def send(u, v, e, j, rows, data):
        there, here = np.uint64(u * data.columns + j), np.uint64(v * data.columns + j)
        value, own = take(data.sources, there), data.values[here]
        weight, edge = weight_at(rows.weights, e), edge_at(rows.edge_ids, e)
        return message(value, weight, u, edge, own, np.int64(v), np.int64(j), data.params.message)

    return send


def _waker(functions: Functions):
    """``awake_of(v, data)``: is one of its columns such that it sends?"""
    wakes = waking(functions)

    @inner
    def awake_of(v, data):
        for i in cells(v, data.columns):  # noqa: SIM110 (compiled code knows no generators)
            if wakes(data.values[i], data.params):
                return True
        return False

    return awake_of

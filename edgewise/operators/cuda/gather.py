"""How the messages of a neighborhood land in hash tables by key on CUDA: along one step, or two.

Rows go to eight lanes, to a warp or to a block, each with a table in shared memory. A row with more
keys than that has space for gets a table of its own in global memory, see ``long_tables.py``.
Nothing is sorted.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.hash_tables import claim, lander, size_for
from edgewise.operators.cuda.inner import take, weight_at
from edgewise.operators.cuda.messages import Heard, heard_at
from edgewise.operators.cuda.rating import key_of, stay_of
from edgewise.operators.cuda.row_plan import Cut
from edgewise.operators.cuda.state import THREADS
from edgewise.operators.cuda.walk import Deal, Walk

__all__ = ["ALONG", "KEYED", "SLOTS", "Data", "Gathering", "clear", "entering", "filler",
           "in_shared", "reach_reader", "stepping", "together"]  # fmt: skip

#: The places of a table for eight lanes, a warp and a block; rows bring half as many keys.
_CAPACITY = {8: 32, 32: 256, THREADS: 2048}
KEYED = Deal(Cut(15, 127, 1023, 1023), (8, 32, THREADS), (8, 8, 1))
if simulated():  # which knows no warps
    _CAPACITY, KEYED = {THREADS: 16}, Deal(Cut(-1, -1, 7, 7), (0, 0, THREADS), (1, 1, 1))
#: The places of all tables of a block in shared memory.
SLOTS = max(THREADS // lanes * (capacity + 1) for lanes, capacity in _CAPACITY.items())
#: What a message along two steps is called with.
ALONG = ("value", "weight", "onward", "source", "own", "params")


class Data(NamedTuple):
    """What kernels are given; anything stands for what nobody reads."""

    rows: tuple[Any, Any, Any, Any]
    onward: tuple[Any, Any, Any]  # the rows of the second step
    reach: Any  # how many keys a row may bring, where there are two steps
    sent: Any = 0
    own: Any = 0
    key: Any = None
    stay: Any = None
    params: Any = 0
    empty: Any = 0  # the total of a key before its first message
    identity: Any = 0  # of what is made of tables
    outputs: Any = 0
    key_count: int = 0  # keys are below this, if that is known


class Gathering(NamedTuple):
    """What kernels are made for: the message (None: only keys count) and where it lands."""

    heard: Heard | None
    combine: Any
    dtype: np.dtype
    two_steps: bool = False
    narrow: bool = False  # do 32 bits hold every key?
    contest: Any = None  # instead of a message: vertices compete for their key, see `entering`
    closed: bool = False  # is the row's own vertex part of the row?

    @property
    def key_type(self) -> Any:
        """The type of keys in tables."""
        return np.int32 if self.narrow else np.int64


@cache
def in_shared(how: Gathering, walk: Walk) -> Walk:
    """The walk that gathers each row in shared memory, and then looks through its table."""
    fill, look, reach = filler(how), walk.fold, reach_reader(how.two_steps)
    kind, key_type = lander(how.combine, how.dtype)[0].type, how.key_type

    @device
    def open(data):
        keys = cuda.shared.array(SLOTS, key_type)
        totals = cuda.shared.array(SLOTS, kind)
        return keys, totals

    def fold_of(lanes: int) -> Any:
        capacity, sync, step = _CAPACITY.get(lanes, 0), together(lanes), lanes

        @device
        def fold(row, lane, stride, data, shared):
            stay, most = stay_of(data.stay, row.v), reach(row, data)
            if most == 0 and stay < 0:
                return data.identity
            base, size = cuda.threadIdx.x // lanes * (capacity + 1), size_for(most + 1)
            table = (shared[0], shared[1], np.int64(base), size)
            clear(table, lane, step, data)
            sync()
            if lane == 0 and stay >= 0:
                claim(table[0], table[2], size, stay)
            fill(row, lane, step, table, data)
            sync()
            total = look(row, lane, step, table, data)
            sync()
            return total

        return fold

    return walk._replace(fold=cache(fold_of), open=open)


@cache
def filler(how: Gathering) -> Any:
    """``fill(row, lane, step, table, data)``: land the messages of a row in a table."""
    enter, closed = entering(how), how.closed
    along = stepping(enter, how.two_steps)

    @device
    def fill(row, lane, step, table, data):
        own = take(data.own, row.v)
        along(row, lane, step, table, own, data)
        if closed and lane == 0:
            enter(table, row.low, row.low, row.v, row, own, data)

    return fill


@cache
def entering(how: Gathering) -> Any:
    """``enter(table, e, f, u, row, own, data)``: land the message of u along e, or e and f.

    In a contest the totals are vertices: ``contest(totals, at, u, data)`` keeps the better of u and
    the vertex that is there. Those with a negative key do not take part.
    """
    land, contest = _landing(how), how.contest

    @device
    def compete(table, e, f, u, row, own, data):
        keys, totals, base, size = table
        key = key_of(data.key, u)
        if key >= 0:
            contest(totals, claim(keys, base, size, key), u, data)

    if contest is not None:
        return compete

    @device
    def enter(table, e, f, u, row, own, data):
        keys, totals, base, size = table
        at = claim(keys, base, size, key_of(data.key, u))
        land(totals, at, e, f, row, own, data)

    return enter


def stepping(act: Any, two_steps: bool) -> Any:
    """``along(row, lane, step, into, own, data)``: act on all that are one step away, or two.

    ``act(into, e, f, u, row, own, data)`` is called for every vertex u that is reached along the
    edge e, or e and then f. Each warp takes an edge of the first of two steps, and its lanes those
    of the second.
    """

    @device
    def along_one(row, lane, step, into, own, data):
        e = row.low + np.uint64(lane)
        while e < row.high:
            act(into, e, e, data.rows[1][e], row, own, data)
            e += np.uint64(step)

    @device
    def along_two(row, lane, step, into, own, data):
        lanes = min(step, 32)
        e = row.low + np.uint64(lane // lanes)
        while e < row.high:
            u = np.uint64(data.rows[1][e])
            f, last = data.onward[0][u] + np.uint64(lane % lanes), data.onward[0][u + np.uint64(1)]
            while f < last:
                act(into, e, f, data.onward[1][f], row, own, data)
                f += np.uint64(lanes)
            e += np.uint64(step // lanes)

    return along_two if two_steps else along_one


def _landing(how: Gathering) -> Any:
    """``land(totals, at, e, f, row, own, data)``: land the message of e, or of e and f."""
    if how.heard is None:
        return device(lambda totals, at, e, f, row, own, data: None)
    land, message = lander(how.combine, how.dtype)[1], how.heard.message
    if not how.two_steps:
        hear = heard_at(how.heard)
        return device(
            lambda totals, at, e, f, row, own, data: land(totals, at, hear(e, row, own, data))
        )

    @device
    def land_along(totals, at, e, f, row, own, data):
        w = data.onward[1][f]
        weight, onward = weight_at(data.rows[2], e), weight_at(data.onward[2], f)
        new = message(take(data.sent, w), weight, onward, np.int64(w), own, data.params)
        land(totals, at, new)

    return land_along


@device
def clear(table, lane, step, data):
    """Empty a table, together."""
    keys, totals, base, size = table
    for i in range(lane, size + 1, step):
        keys[base + i] = 0
        totals[base + i] = data.empty


@cache
def reach_reader(two_steps: bool) -> Any:
    """``reach(row, data)``: at most how many keys a row brings."""
    if two_steps:
        return device(lambda row, data: np.int64(data.reach[row.v]))
    return device(lambda row, data: np.int64(row.high - row.low))


def together(lanes: int) -> Any:
    """``sync()``: wait for the lanes of a row."""
    if lanes == THREADS:
        return device(lambda: cuda.syncthreads())
    if lanes == 32:
        return device(lambda: cuda.syncwarp(0xFFFFFFFF))
    whole = (1 << lanes) - 1
    return device(lambda: cuda.syncwarp(whole << (cuda.threadIdx.x % 32 // lanes * lanes)))

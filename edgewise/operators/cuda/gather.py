"""How the messages of a neighborhood land in hash tables by key on CUDA: along one step, or two.

Rows go to eight lanes, to a warp or to a block, each with a table in shared memory. A row with more
keys than that has room for gets a table of its own in global memory: a block gathers a piece of the
row in shared memory and merges it into that, and another one looks through it; some rows at a time,
so that the tables stay small. Nothing is sorted.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.graph.device import host
from edgewise.operators.cuda.inner import putter, taker, weight_reader
from edgewise.operators.cuda.messages import Heard, heard_at
from edgewise.operators.cuda.plan import Cut, Plan, owners, running_sums
from edgewise.operators.cuda.rows import Deal, Row, Walk, row_reader, walk_rows
from edgewise.operators.cuda.state import THREADS, blocks_for, check_work, nothing
from edgewise.operators.cuda.tables import claim, key_at, lander, size_for
from edgewise.operators.cuda.totals import block_places, joiner, over_block

__all__ = ["ALONG", "KEYED", "Data", "Gathering", "gather_rows", "key_reader", "reach_reader",
           "stepping", "together"]  # fmt: skip

#: The places of a table for eight lanes, a warp and a block; rows bring half as many keys.
_ROOM = {8: 32, 32: 256, THREADS: 2048}
KEYED = Deal(Cut(15, 127, 1023, 1023), (8, 32, THREADS), (8, 8, 1))
if simulated():  # which knows no warps
    _ROOM, KEYED = {THREADS: 16}, Deal(Cut(-1, -1, 7, 7), (0, 0, THREADS), (1, 1, 1))
_SLOTS = max(THREADS // lanes * (room + 1) for lanes, room in _ROOM.items())
#: Places of tables in global memory at a time; first steps of a piece where there are two.
_AT_A_TIME, _STEPS = (64, 2) if simulated() else (1 << 25, 32)
#: Places of such a table that a block looks through.
_LOOKED = 2 * THREADS if simulated() else 8 * THREADS
#: What a message along two steps is called with.
ALONG = ("value", "weight", "onward", "source", "own", "params")


class Data(NamedTuple):
    """What kernels are given; anything stands for what nobody reads."""

    rows: tuple[Any, Any, Any, Any]
    onward: tuple[Any, Any, Any]  # the rows of the second step
    reach: Any  # how many keys a row may bring, where there are two steps
    sent: Any = 0
    own: Any = 0
    key: Any = 0
    stay: Any = 0
    params: Any = 0
    empty: Any = 0  # the total of a key before its first message
    identity: Any = 0  # of what is made of tables
    outputs: Any = 0


class Gathering(NamedTuple):
    """What kernels are made for: the message (None: only keys count) and where it lands."""

    heard: Heard | None
    combine: Any
    dtype: np.dtype
    keyed: bool = True  # or is the vertex reached its own key?
    stays: bool = False
    two_steps: bool = False
    onward_weighted: bool = False
    narrow: bool = False  # do 32 bits hold every key?

    @property
    def key_type(self) -> Any:
        """The type of keys in tables."""
        return np.int32 if self.narrow else np.int64


def gather_rows(xp, plan: Plan, deal: Deal, how: Gathering, walk: Walk, data: Data) -> None:
    """Gather the rows of a plan; ``walk.fold`` looks through a table.

    That is ``look(row, lane, step, table, data)`` of one of ``step`` threads, where ``table`` is
    ``(keys, totals, base, size)``; what it gives is the row's total for the walk.
    """
    whole = plan._replace(owner=plan.owner[:0], spans=(*plan.spans[:3], (0, 0)))
    walk_rows(xp, whole, deal, in_shared(how, walk), data)
    begin, count = plan.spans[3]
    if count:
        _gather_long(xp, plan.ids[begin : begin + count], how, walk, data)


def _gather_long(xp, ids, how: Gathering, walk: Walk, data: Data) -> None:
    """Gather rows that have tables in global memory, some at a time."""
    rows, indptr = ids.astype(np.int64), data.rows[0].view(np.int64)
    degrees = indptr[rows + 1] - indptr[rows]
    most = data.reach[rows] if how.two_steps else degrees
    bits = xp.frexp((2 * most + 1).astype(np.float64))[1]
    sizes = xp.ones(len(rows), np.int64) << bits.astype(np.int64)
    piece = _STEPS if how.two_steps else KEYED.cut.piece
    starts, rooms = running_sums(xp, -(-degrees // piece)), running_sums(xp, sizes + 1)
    looks = running_sums(xp, -(-sizes // _LOOKED))
    starts_here, rooms_here, looks_here = host(xp.stack([starts, rooms, looks]))
    owner, looker = (owners(xp, one, int(here[-1])) for one, here in
                     ((starts, starts_here), (looks, looks_here)))  # fmt: skip
    room = min(max(_AT_A_TIME, int(np.diff(rooms_here).max())), int(rooms_here[-1]))
    table_type = lander(how.combine, how.dtype)[0]
    check_work("reduce_neighbors with key", (room, how.key_type), (room, table_type))
    keys, totals = xp.empty(room, how.key_type), xp.empty(room, table_type)
    run, look, join = long_kernels(how, walk)
    lists = (ids, starts, owner, rooms, sizes, looks, looker)
    parts: Any = nothing()
    if walk.totals is not None:
        several = tuple(xp.empty(len(looker), dtype) for dtype in walk.totals.dtypes)
        parts = several if len(several) > 1 else several[0]
    first = 0
    while first < len(rows):
        last = int(np.searchsorted(rooms_here, rooms_here[first] + room, side="right")) - 1
        used = int(rooms_here[last] - rooms_here[first])
        keys[:used].fill(0)
        totals[:used].fill(data.empty)
        blocks = int(starts_here[last] - starts_here[first])
        run(blocks, THREADS, data, lists, (keys, totals), first, int(starts_here[first]))
        before, rest = int(looks_here[first]), int(looks_here[last] - looks_here[first])
        look(rest, THREADS, data, lists, (keys, totals), first, before, parts)
        if walk.totals is not None:
            join(blocks_for(last - first), THREADS, data, lists, first, last, parts)
        first = last


@cache
def in_shared(how: Gathering, walk: Walk) -> Walk:
    """The walk that gathers each row in shared memory, and then looks through its table."""
    fill, look, reach = filler(how), walk.fold, reach_reader(how.two_steps)
    kind, key_type = lander(how.combine, how.dtype)[0].type, how.key_type
    stay_of = _stay_reader(how.stays)

    @device
    def open(data):
        keys = cuda.shared.array(_SLOTS, key_type)
        totals = cuda.shared.array(_SLOTS, kind)
        return keys, totals

    def fold_of(lanes: int) -> Any:
        room, sync, step = _ROOM.get(lanes, 0), together(lanes), lanes

        @device
        def fold(row, lane, stride, data, shared):
            stay, most = stay_of(row.v, data), reach(row, data)
            if most == 0 and stay < 0:
                return data.identity
            base, size = cuda.threadIdx.x // lanes * (room + 1), size_for(most + 1)
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
def long_kernels(how: Gathering, walk: Walk) -> tuple[Any, Any, Any]:
    """The kernels that gather pieces of rows, a block each, that look through parts of tables, a
    block each, and that join what was found in these, a thread for each row.

    ``lists`` are the rows, where the pieces of each begin, whose each piece is, where the table
    of each begins and of what size it is, and for the parts of tables again the first two.
    """
    fill, look, settle, row_at = filler(how), walk.fold, walk.settle, row_reader(walk)
    table_type, land = lander(how.combine, how.dtype)
    kind, two_steps, stay_of = table_type.type, how.two_steps, _stay_reader(how.stays)
    key_type = how.key_type
    piece = np.uint64(_STEPS if two_steps else KEYED.cut.piece)
    spill = device(lambda totals, at, new: None) if how.heard is None else land

    @device
    def by_way_of_shared(row, table, data, shared):
        here = (shared[0], shared[1], np.int64(0), size_for(np.int64(row.high - row.low)))
        clear(here, cuda.threadIdx.x, THREADS, data)
        cuda.syncthreads()
        fill(row, cuda.threadIdx.x, THREADS, here, data)
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, here[3] + 1, THREADS):
            word = here[0][i]
            if word != 0:
                at = claim(table[0], table[2], table[3], key_at(word, i, here[3]))
                spill(table[1], at, here[1][i])

    @device
    def at_once(row, table, data, shared):
        fill(row, cuda.threadIdx.x, THREADS, table, data)

    gather = at_once if two_steps else by_way_of_shared

    @kernel
    def run(data, lists, tables, first, before):
        ids, starts, owner, rooms, sizes, _, _ = lists
        keys = cuda.shared.array(_SLOTS, key_type)
        totals = cuda.shared.array(_SLOTS, kind)
        p = before + cuda.blockIdx.x
        k = owner[p]
        row = row_at(ids, 0, k, data)
        low = row.low + np.uint64(p - starts[k]) * piece
        part = Row(row.v, row.column, low, min(low + piece, row.high))
        table = (tables[0], tables[1], rooms[k] - rooms[first], sizes[k])
        stay = stay_of(row.v, data)
        if cuda.threadIdx.x == 0 and p == starts[k] and stay >= 0:
            claim(table[0], table[2], table[3], stay)
        gather(part, table, data, (keys, totals))

    whole, places = over_block(walk.totals, THREADS), block_places(walk.totals, THREADS)
    count = len(walk.totals.dtypes) if walk.totals else 0
    put = putter(count) if count else device(lambda parts, i, total: None)

    @kernel
    def look_through(data, lists, tables, first, before, parts):
        ids, _, _, rooms, sizes, looks, looker = lists
        p = before + cuda.blockIdx.x
        k = looker[p]
        row, shared = row_at(ids, 0, k, data), places()
        table = (tables[0], tables[1], rooms[k] - rooms[first], sizes[k])
        lane, step = (
            (p - looks[k]) * THREADS + cuda.threadIdx.x,
            (looks[k + 1] - looks[k]) * THREADS,
        )
        mine = look(row, lane, step, table, data)
        total = whole(shared, mine, data.identity)
        if cuda.threadIdx.x == 0:
            put(parts, p, total)

    if not count:
        return run, look_through, None
    take, join = taker(count), joiner(walk.totals)

    @kernel
    def join_parts(data, lists, first, last, parts):
        ids, looks = lists[0], lists[5]
        k = first + cuda.grid(1)
        if k < last:
            total = data.identity
            for p in range(looks[k], looks[k + 1]):
                total = join(total, take(parts, p), data.identity)
            settle(row_at(ids, 0, k, data), total, 0, data)

    return run, look_through, join_parts


@cache
def filler(how: Gathering) -> Any:
    """``fill(row, lane, step, table, data)``: land the messages of a row in a table."""
    key_of, own_of = key_reader(how.keyed), taker(how.heard.own if how.heard else 0)
    land = _landing(how)

    @device
    def enter(table, e, f, u, row, own, data):
        keys, totals, base, size = table
        at = claim(keys, base, size, key_of(data.key, u))
        land(totals, at, e, f, row, own, data)

    along = stepping(enter, how.two_steps)

    @device
    def fill(row, lane, step, table, data):
        along(row, lane, step, table, own_of(data.own, row.v), data)

    return fill


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
    put, message, take = lander(how.combine, how.dtype)[1], how.heard.message, taker(how.heard.sent)
    weight, onward = weight_reader(how.heard.weighted), weight_reader(how.onward_weighted)
    if not how.two_steps:
        hear = heard_at(how.heard)
        return device(
            lambda totals, at, e, f, row, own, data: put(totals, at, hear(e, row, own, data))
        )

    @device
    def land(totals, at, e, f, row, own, data):
        w = data.onward[1][f]
        new = message(take(data.sent, w), weight(data.rows[2], e), onward(data.onward[2], f),
                      np.int64(w), own, data.params)  # fmt: skip
        put(totals, at, new)

    return land


@device
def clear(table, lane, step, data):
    """Empty a table, together."""
    keys, totals, base, size = table
    for i in range(lane, size + 1, step):
        keys[base + i] = 0
        totals[base + i] = data.empty


@cache
def key_reader(keyed: bool) -> Any:
    """``key_of(key, u)``: the key of a vertex; itself where there are none."""
    return device((lambda key, u: np.int64(key[u])) if keyed else (lambda key, u: np.int64(u)))


@cache
def _stay_reader(stays: bool) -> Any:
    """``stay_of(v, data)``: the key that is a candidate in any case; negative for none."""
    if stays:
        return device(lambda v, data: np.int64(data.stay[v]))
    return device(lambda v, data: np.int64(-1))


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

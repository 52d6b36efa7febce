"""`reach` on CPU threads: a thread takes searches in chunks and writes each set where it stays.

Who has been reached is a bitmap of the thread's own, which for a hundred thousand vertices is
smaller than the first-level cache. Two levels above it, with a bit for every word that is not
empty, put a set in order as it is read, and it is cleared on the way: what a search leaves behind
costs what it reached. A few members are sorted by insertion instead.

Rows are written to blocks that threads claim of one array; when that is full the launch ends, it
grows, and what is undone is searched again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner
from edgewise.base.cpu.atomics import fetch_add, prefetch_shared
from edgewise.base.cpu.bits import bit_length, lowest_bit
from edgewise.base.cpu.insertion import sort_few
from edgewise.base.cpu.random import mix, step, upper
from edgewise.base.threads import get_threads, launch
from edgewise.graph import Graph
from edgewise.operators.cpu.set_rows import dense, put
from edgewise.operators.cpu.walk import over
from edgewise.operators.jumps import jumping
from edgewise.operators.reaching import Searches, hashed_seed
from edgewise.operators.set_encoding import longest_row
from edgewise.operators.sets import Sets

__all__ = ["reach"]

#: Searches of one launch, at most; a bound on memory is looked at in between.
_LAUNCH = 1 << 16
#: Searches that a thread takes at once.
_CHUNK = 32
#: Up to so many members are sorted by insertion.
_FEW = 16
#: Words between what threads write, and which of these words are what.
_APART = 8
_AT, _END, _BYTES = range(3)
#: The row of the start so many searches later is asked for.
_AHEAD = 4
_LAST = np.uint64(2**64 - 1)  # names the draw of a start
_1 = np.uint64(1)


def reach(graph: Graph, request: Searches) -> None:
    """See `edgewise.operators.reach`."""
    odds, count, bounds, starts, seed, first, sets, memory = request
    n, team, seed = graph.num_vertices, get_threads(), hashed_seed(seed)
    run = search_kernel(odds.take, odds.along is None)
    along = np.empty(0, np.uint32) if odds.along is None else odds.along
    rows = odds.rows, odds.indices, odds.tops, along, odds.table
    words = [-(-n // 64**level) for level in (1, 2, 3)]
    scratch = (
        *(np.zeros((team, size), np.uint64) for size in words),
        np.empty((team, max(n, 1)), odds.indices.dtype),
    )
    store = _Store(sets, team)
    done, turn = 0, 1 << 10
    while done < count:
        turn = min(turn, count - done)
        places = np.full(turn, -1, np.int64)
        searches = bounds[done : done + turn + 1], starts, seed, np.uint64(first + done)
        while True:
            store.reserve(turn)
            data = (rows, searches, scratch, (sets.data, places, store.words), n, store.block)
            launch(run, turn, _CHUNK, data, team=team, work=64 * turn)
            if not store.full():
                break
        if not sets._take_up(places, store.written(), memory):
            break
        done, turn = done + turn, _LAUNCH


class _Store:
    """The array of rows that threads write to, in blocks of which each has its own."""

    def __init__(self, sets: Sets, team: int):
        self.sets, self.worst = sets, longest_row(sets.num_vertices)
        self.block = max(8 * self.worst, 1 << 14)
        kept = sets.ends
        if kept is None or len(kept) != (team + 1) * _APART:
            kept = np.zeros((team + 1) * _APART, np.int64)
        self.words, sets.ends = kept, kept
        self.words[0] = sets.used
        self.top = sets.used

    def reserve(self, turn: int) -> None:
        """Space for so many more sets as they were so far, and for a block of each thread."""
        sets = self.sets
        held = max(len(sets), 1)
        each = max(sets.payload / held, 8)
        team = len(self.words) // _APART - 1
        sets.reserve(sets.used + int(1.1 * each * turn) + team * self.block)

    def full(self) -> bool:
        """Was there no space for a block? Then there is none beyond those claimed."""
        claimed, sets = int(self.words[0]), self.sets
        whole = sets.used + (len(sets.data) - sets.used) // self.block * self.block
        sets.used = self.words[0] = min(claimed, whole)
        return claimed > whole

    def written(self) -> int:
        """How many bytes of rows there are more than when this was asked last."""
        counts = self.words[_APART + _BYTES :: _APART]
        total = int(counts.sum())
        counts[:] = 0
        return total


@cache
def search_kernel(take: str, alike: bool) -> Any:
    """The loop over searches, for one way of taking edges; ``alike``: every row has one chance."""
    go_on = (_along_each if take == "each" else _along_one)(alike)

    @inlined
    def spread(rows, key, bits, queue, tail):
        """Visit all that the search reaches from those in the queue; its new end."""
        head = np.int64(0)
        while head < tail:
            v = np.uint64(queue[head])
            head += 1
            tail = go_on(rows, key, v, bits, queue, tail)
        return tail

    @inlined
    def search(i, me, control, given):
        rows, (bounds, starts, seed, first), scratch, (data, places, words), n, block = given
        bits, queue, mine = scratch[0][me], scratch[3][me], (me + 1) * _APART
        if places[i] >= 0:
            return
        if words[mine + _END] - words[mine + _AT] < block >> 3:
            claimed = fetch_add(words, 0, block)
            if claimed + block > len(data):
                return
            words[mine + _AT], words[mine + _END] = claimed, claimed + block
        tail, key = np.int64(0), mix(seed ^ (first + np.uint64(i)))
        if len(bounds) == 0:
            tail = visit(bits, queue, tail, upper(step(key, _LAST), np.uint64(n)))
            later = mix(seed ^ (first + np.uint64(i + _AHEAD)))
            soon = upper(step(later, _LAST), np.uint64(n))
            prefetch_shared(rows[0], soon + soon)
        else:
            for j in range(bounds[i], bounds[i + 1]):
                tail = visit(bits, queue, tail, np.uint64(starts[j]))
            ahead = min(bounds[i] + _AHEAD, len(starts) - 1)
            prefetch_shared(rows[0], 2 * starts[ahead])
        tail, at = spread(rows, key, bits, queue, tail), words[mine + _AT]
        places[i] = at
        end = write(data, at, n, me, scratch, tail)
        words[mine + _AT] = end
        words[mine + _BYTES] += end - at

    return over(search)


@inlined
def visit(bits, queue, tail, u):
    """Put a vertex on the queue unless it has been reached; the queue's new end."""
    word, bit = bits[u >> np.uint64(6)], _1 << (u & np.uint64(63))
    if word & bit == np.uint64(0):
        bits[u >> np.uint64(6)] = word | bit
        queue[tail] = u
        tail += 1
    return tail


def _along_each(alike: bool) -> Any:
    """``go_on``: along every edge of a vertex that is live."""
    row, jump, _ = jumping(inlined, step, bit_length, alike)

    @inlined
    def go_on(rows, key, v, bits, queue, tail):
        e, end, factor, length = row(rows, v)
        while e < end:
            stop = min(e + length, end)
            while e < stop:
                e, live = jump(rows, key, v, e, stop, factor)
                if live:
                    u = np.uint64(rows[1][e])
                    prefetch_shared(rows[0], u + u)
                    tail = visit(bits, queue, tail, u)
                e += 1
            e = stop
        return tail

    return go_on


def _along_one(alike: bool) -> Any:
    """``go_on``: along at most one edge of a vertex."""
    pick = jumping(inlined, step, bit_length, alike).pick

    @inlined
    def go_on(rows, key, v, bits, queue, tail):
        e, end = pick(rows, key, v)
        return visit(bits, queue, tail, np.uint64(rows[1][e])) if e < end else tail

    return go_on


@inner
def write(data, at, n, me, scratch, size):
    """Write the set of a search, and clear what it has left; the end of the row."""
    bits, queue = scratch[0][me], scratch[3][me]
    if size >= dense(n):
        return write_bitmap(data, at, n, bits, size)
    at = put(data, at, 2 * size)
    if size > _FEW:
        return write_ordered(data, at, bits, scratch[1][me], scratch[2][me], queue, size)
    sort_few(queue, 0, size)
    last = np.int64(-1)
    for i in range(size):
        v = np.int64(queue[i])
        at, last = put(data, at, v - last - 1), v
        bits[v >> 6] = 0
    return at


@inner
def write_bitmap(data, at, n, bits, size):
    """Write all words, a byte at a time."""
    at = put(data, at, 2 * size + 1)
    end = at + (n + 7) // 8
    for i in range(len(bits)):
        word, bits[i] = bits[i], np.uint64(0)
        stop = min(at + 8, end)
        while at < stop:
            data[at] = np.uint8(word & np.uint64(255))
            word >>= np.uint64(8)
            at += 1
    return end


@inner
def write_ordered(data, at, bits, middle, top, queue, size):
    """Write members in the order of the bitmap, by way of the words that are not empty."""
    for i in range(size):
        v = np.uint64(queue[i])
        middle[v >> np.uint64(12)] |= _1 << ((v >> np.uint64(6)) & np.uint64(63))
        top[v >> np.uint64(18)] |= _1 << ((v >> np.uint64(12)) & np.uint64(63))
    last = np.int64(-1)
    for i in range(len(top)):
        above, top[i] = top[i], np.uint64(0)
        while above:
            j = 64 * i + lowest_bit(above)
            above &= above - _1
            between, middle[j] = middle[j], np.uint64(0)
            while between:
                k = 64 * j + lowest_bit(between)
                between &= between - _1
                word, bits[k] = bits[k], np.uint64(0)
                while word:
                    v = 64 * k + lowest_bit(word)
                    word &= word - _1
                    at, last = put(data, at, v - last - 1), v
    return at

"""Matchings of the graph of a pair of sets by one block: see `edgewise.join.cpu.matching`.

The same matchings as on CPU threads, with edges of equal weight in the same order. All threads of
a block call these functions, and what they return is the same for all of them.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.matching.greedy import join_free as _join_free
from edgewise.algorithms.matching.paz_schwartzman import raise_prices as _raise_prices
from edgewise.base.cuda.kernels import device, translated
from edgewise.base.cuda.language import cuda
from edgewise.join.cuda.block_team import (
    LANES,
    NOBODY,
    column_in,
    column_of,
    edges_of,
    least,
    least_of_lanes,
    rank,
    summed,
    sync_lanes,
)

__all__ = ["free", "greatest", "locally_dominant", "paz_schwartzman", "start", "take_free"]

join_free, raise_prices = translated(_join_free), translated(_raise_prices)
_NONE = np.inf
_NEVER = np.int32((1 << 31) - 1)


@device
def free(rows, columns, scratch):
    """Nobody has a mate, or a price."""
    for c in range(cuda.threadIdx.x, columns, cuda.blockDim.x):
        scratch.mate_of_column[c], scratch.v[c] = -1, 0.0
    for r in range(cuda.threadIdx.x, rows, cuda.blockDim.x):
        scratch.mate[r], scratch.u[r] = -1, 0.0
    cuda.syncthreads()


@device
def start(rows, columns, stride, scratch):
    """Let every free row have a column that is most similar to it; how many are ``late``.

    One after the other, so a warp does it.
    """
    me = cuda.threadIdx.x
    for r in range(me, rows, cuda.blockDim.x):
        scratch.u[r] = scratch.most[r]
    late = 0
    if me < LANES:
        for r in range(rows):
            c = np.int64(scratch.best[r])
            if c < 0:
                continue
            if scratch.mate_of_column[c] >= 0:
                c = _as_good(r, columns, stride, scratch)
            sync_lanes()  # all have seen who is free
            if c < 0:
                if me == 0:
                    scratch.late[late] = r
                late += 1
            elif me == 0:
                join_free(r, c, scratch.mate, scratch.mate_of_column)
            sync_lanes()
        if me == 0:
            scratch.keys[0] = late
    cuda.syncthreads()
    late = scratch.keys[0]
    cuda.syncthreads()
    return late


@device
def _as_good(r, columns, stride, scratch):
    """The first free column that is as similar to row r as any, by the lanes of a warp; or -1."""
    low, high = edges_of(r, columns, stride, scratch)
    mine = NOBODY
    for e in range(low + cuda.threadIdx.x, high, LANES):
        c = column_of(e, r, stride, scratch)
        if scratch.worth[e] == scratch.most[r] and scratch.mate_of_column[c] < 0:
            mine = min(mine, rank(scratch.first[e], c))
    _, key = least_of_lanes(0.0, mine)
    return column_in(key) if key < NOBODY else np.int64(-1)


@device
def greatest(rows, columns, stride, late, asked, total, scratch):
    """After `start`: the greatest weight; -1 once it must be below what is asked for.

    ``total`` is what the rows would have if each had its best column.
    """
    if late == 0:
        return total
    for k in range(late):
        r = np.int64(scratch.late[k])
        total -= scratch.most[r] - _enter(r, columns, stride, scratch)
        if total < asked:
            return -1.0
    return _weight(rows, columns, stride, scratch)


@device
def _enter(r, columns, stride, scratch):
    """Let row r in, by the shortest way to a free column: by how much the weight grows.

    A thread looks after the columns of its own; ``passed`` are those that the search is through
    with. Or a row on the way gives up its column and stays alone, which costs its price.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    price = 0.0
    low, high = edges_of(r, columns, stride, scratch)
    for e in range(low + me, high, threads):
        price = max(price, scratch.worth[e] - scratch.v[column_of(e, r, stride, scratch)])
    for c in range(me, columns, threads):
        scratch.distance[c], scratch.passed[c] = _NONE, 0
    price = -least(-price, np.int64(0), scratch)[0]
    row, here, own = r, 0.0, price
    cost, column, leaves = _NONE, np.int64(-1), np.int64(-1)
    while True:
        if here + own < cost:
            cost, leaves = here + own, row
        low, high = edges_of(row, columns, stride, scratch)
        for e in range(low + me, high, threads):
            c, worth = column_of(e, row, stride, scratch), scratch.worth[e]
            there = here + max(own + scratch.v[c] - worth, 0.0)
            if worth > 0.0 and there < scratch.distance[c]:  # so it is not passed
                scratch.distance[c], scratch.via[c] = there, row
        if stride == 0:
            cuda.syncthreads()  # in a matrix, a thread meets the columns that it looks after
        near, mine = _NONE, NOBODY
        for c in range(me, columns, threads):
            if scratch.passed[c] == 0 and scratch.distance[c] < near:
                near, mine = scratch.distance[c], np.int64(c)
        near, mine = least(near, mine, scratch)
        if not near < cost:
            break
        row, here = np.int64(scratch.mate_of_column[mine]), near
        if row < 0:
            cost, column, leaves = near, mine, np.int64(-1)
            break
        own = scratch.u[row]
        if mine % threads == me:
            scratch.passed[mine] = 1
    cuda.syncthreads()  # all have read the prices
    for c in range(me, columns, threads):
        if scratch.passed[c] == 1:
            scratch.v[c] += cost - scratch.distance[c]
            scratch.u[scratch.mate_of_column[c]] -= cost - scratch.distance[c]
    if me == 0:
        scratch.u[r] = price - cost
    cuda.syncthreads()
    if me == 0:
        if leaves >= 0:
            column = np.int64(scratch.mate[leaves])
            scratch.mate[leaves] = -1
        while column >= 0:  # every row on the way takes the column that it came to next
            row = np.int64(scratch.via[column])
            scratch.mate_of_column[column] = row
            column, scratch.mate[row] = np.int64(scratch.mate[row]), column
    cuda.syncthreads()
    return price - cost


@device
def take_free(rows, columns, stride, late, scratch):
    """After `start`: the weight if those who came too late take the best column that is free.

    It leaves the graph as `start` left it.
    """
    me = cuda.threadIdx.x
    for k in range(late):
        r = np.int64(scratch.late[k])
        most, mine = 0.0, NOBODY
        low, high = edges_of(r, columns, stride, scratch)
        for e in range(low + me, high, cuda.blockDim.x):
            c, worth = column_of(e, r, stride, scratch), scratch.worth[e]
            if worth > 0.0 and scratch.mate_of_column[c] < 0:
                key = rank(scratch.first[e], c)
                if worth > most or (worth == most and key < mine):
                    most, mine = worth, key
        _, key = least(-most, mine, scratch)
        cuda.syncthreads()  # all have seen who is free
        if me == 0 and key < NOBODY:
            join_free(r, column_in(key), scratch.mate, scratch.mate_of_column)
        cuda.syncthreads()
    weight = _weight(rows, columns, stride, scratch)
    for k in range(me, late, cuda.blockDim.x):
        r = scratch.late[k]
        if scratch.mate[r] >= 0:
            scratch.mate_of_column[scratch.mate[r]] = -1
            scratch.mate[r] = -1
    cuda.syncthreads()
    return weight


@device
def locally_dominant(rows, columns, stride, scratch):
    """The weight of the locally dominant matching, which is the greedy one.

    Rows without a mate propose, all at once, to the best column that would have them; ``u`` is what
    they offer, and the highest offer to a column is in ``distance``, who makes it in ``via``. Of
    equal offers the first row's is taken. Who is outbid, then or later, proposes again.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    found = 1
    while found > 0:
        for c in range(me, columns, threads):
            scratch.distance[c], scratch.via[c] = 0.0, _NEVER
        cuda.syncthreads()
        for r in range(me, rows, threads):
            if scratch.mate[r] < 0 and scratch.best[r] >= 0:
                scratch.u[r], scratch.best[r] = _offer(r, columns, stride, scratch)
                if scratch.best[r] >= 0:
                    cuda.atomic.max(scratch.distance, scratch.best[r], scratch.u[r])
        cuda.syncthreads()
        for r in range(me, rows, threads):
            c = scratch.best[r]
            if scratch.mate[r] < 0 and c >= 0 and scratch.u[r] == scratch.distance[c]:
                cuda.atomic.min(scratch.via, c, np.int32(r))
        cuda.syncthreads()
        mine = 0
        for r in range(me, rows, threads):
            c = scratch.best[r]
            if c >= 0 and scratch.via[c] == r:
                loser = scratch.mate_of_column[c]
                if loser >= 0:
                    scratch.mate[loser] = -1
                scratch.mate[r], scratch.mate_of_column[c], scratch.v[c] = c, r, scratch.u[r]
                mine = 1
        found = cuda.syncthreads_or(mine)
    return _weight(rows, columns, stride, scratch)


@device
def _offer(r, columns, stride, scratch):
    """The weight, and the column, of the best edge of row r whose column would have it; or -1."""
    most, best = 0.0, NOBODY
    low, high = edges_of(r, columns, stride, scratch)
    for e in range(low, high):
        worth = scratch.worth[e]
        if worth > 0.0 and worth >= most:
            c = column_of(e, r, stride, scratch)
            if worth > scratch.v[c] or (worth == scratch.v[c] and r < scratch.mate_of_column[c]):
                key = rank(scratch.first[e], c)
                if worth > most or key < best:
                    most, best = worth, key
    return most, column_in(best) if best < NOBODY else np.int64(-1)


@device
def paz_schwartzman(rows, columns, stride, scratch):
    """The weight of the matching of Paz and Schwartzman, and what no matching exceeds.

    Edges come one after the other, so a warp does it. Those that go on the stack are marked: what
    they have in ``first`` is negative then.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    weight, bound = 0.0, 0.0
    if me < LANES:
        for r in range(rows):
            _stack(r, columns, stride, scratch)
        for k in range(rows):
            weight += _unwind(rows - 1 - k, columns, stride, scratch)
    cuda.syncthreads()
    for r in range(me, rows, threads):  # no price need be higher than what the edges ask for
        price = 0.0
        low, high = edges_of(r, columns, stride, scratch)
        for e in range(low, high):
            price = max(price, scratch.worth[e] - scratch.v[column_of(e, r, stride, scratch)])
        bound += price
    for c in range(me, columns, threads):
        bound += scratch.v[c]
    return summed(weight, scratch), summed(bound, scratch)


@device
def _stack(r, columns, stride, scratch):
    """Put the edges of row r on the stack that raise prices, by the lanes of a warp."""
    low, high = edges_of(r, columns, stride, scratch)
    last = np.int64(-1)
    while True:
        mine, at = NOBODY, np.int64(-1)
        for e in range(low + cuda.threadIdx.x, high, LANES):
            worth = scratch.worth[e]
            if worth > 0.0 and scratch.first[e] >= 0:
                c = column_of(e, r, stride, scratch)
                key = rank(scratch.first[e], c)
                if last < key < mine and worth > scratch.u[r] + scratch.v[c]:
                    mine, at = key, np.int64(e)
        _, last = least_of_lanes(0.0, mine)
        if last == NOBODY:
            return
        sync_lanes()  # all have read the prices
        if last == mine:
            raise_prices(r, column_in(last), scratch.worth[at], 1.0, scratch.u, scratch.v)
            scratch.first[at] = -1 - scratch.first[at]
        sync_lanes()


@device
def _unwind(r, columns, stride, scratch):
    """Take the last edge of row r on the stack whose column is free; what this thread's weighs."""
    low, high = edges_of(r, columns, stride, scratch)
    mine, at = NOBODY, np.int64(-1)
    for e in range(low + cuda.threadIdx.x, high, LANES):
        mark = scratch.first[e]
        if mark < 0:
            c = column_of(e, r, stride, scratch)
            if scratch.mate_of_column[c] < 0 and -rank(-1 - mark, c) < mine:
                mine, at = -rank(-1 - mark, c), np.int64(e)
    _, key = least_of_lanes(0.0, mine)
    sync_lanes()  # all have seen who is free
    weight = 0.0
    if key < NOBODY and key == mine:
        weight = scratch.worth[at]
        join_free(r, column_in(-key), scratch.mate, scratch.mate_of_column)
    sync_lanes()
    return weight


@device
def _weight(rows, columns, stride, scratch):
    """What the matched edges weigh."""
    weight = 0.0
    for r in range(cuda.threadIdx.x, rows, cuda.blockDim.x):
        mate = scratch.mate[r]
        if mate >= 0 and stride > 0:
            weight += scratch.worth[r * stride + mate]
        elif mate >= 0:
            low, high = edges_of(r, columns, stride, scratch)
            for e in range(low, high):
                if scratch.column[e] == mate:
                    weight += scratch.worth[e]
    weight = summed(weight, scratch)
    cuda.syncthreads()  # all have read the mates
    return weight

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
def free(rows, columns, room):
    """Nobody has a mate, or a price."""
    for c in range(cuda.threadIdx.x, columns, cuda.blockDim.x):
        room.mate_of_column[c], room.v[c] = -1, 0.0
    for r in range(cuda.threadIdx.x, rows, cuda.blockDim.x):
        room.mate[r], room.u[r] = -1, 0.0
    cuda.syncthreads()


@device
def start(rows, columns, stride, room):
    """Let every free row have a column that is most similar to it; how many are ``late``.

    One after the other, so a warp does it.
    """
    me = cuda.threadIdx.x
    for r in range(me, rows, cuda.blockDim.x):
        room.u[r] = room.most[r]
    late = 0
    if me < LANES:
        for r in range(rows):
            c = np.int64(room.best[r])
            if c < 0:
                continue
            if room.mate_of_column[c] >= 0:
                c = _as_good(r, columns, stride, room)
            sync_lanes()  # all have seen who is free
            if c < 0:
                if me == 0:
                    room.late[late] = r
                late += 1
            elif me == 0:
                join_free(r, c, room.mate, room.mate_of_column)
            sync_lanes()
        if me == 0:
            room.keys[0] = late
    cuda.syncthreads()
    late = room.keys[0]
    cuda.syncthreads()
    return late


@device
def _as_good(r, columns, stride, room):
    """The first free column that is as similar to row r as any, by the lanes of a warp; or -1."""
    low, high = edges_of(r, columns, stride, room)
    mine = NOBODY
    for e in range(low + cuda.threadIdx.x, high, LANES):
        c = column_of(e, r, stride, room)
        if room.worth[e] == room.most[r] and room.mate_of_column[c] < 0:
            mine = min(mine, rank(room.first[e], c))
    _, key = least_of_lanes(0.0, mine)
    return column_in(key) if key < NOBODY else np.int64(-1)


@device
def greatest(rows, columns, stride, late, asked, total, room):
    """After `start`: the greatest weight; -1 once it must be below what is asked for.

    ``total`` is what the rows would have if each had its best column.
    """
    if late == 0:
        return total
    for k in range(late):
        r = np.int64(room.late[k])
        total -= room.most[r] - _enter(r, columns, stride, room)
        if total < asked:
            return -1.0
    return _weight(rows, columns, stride, room)


@device
def _enter(r, columns, stride, room):
    """Let row r in, by the shortest way to a free column: by how much the weight grows.

    A thread looks after the columns of its own; ``passed`` are those that the search is through
    with. Or a row on the way gives up its column and stays alone, which costs its price.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    price = 0.0
    low, high = edges_of(r, columns, stride, room)
    for e in range(low + me, high, threads):
        price = max(price, room.worth[e] - room.v[column_of(e, r, stride, room)])
    for c in range(me, columns, threads):
        room.distance[c], room.passed[c] = _NONE, 0
    price = -least(-price, np.int64(0), room)[0]
    row, here, own = r, 0.0, price
    cost, column, leaves = _NONE, np.int64(-1), np.int64(-1)
    while True:
        if here + own < cost:
            cost, leaves = here + own, row
        low, high = edges_of(row, columns, stride, room)
        for e in range(low + me, high, threads):
            c, worth = column_of(e, row, stride, room), room.worth[e]
            there = here + max(own + room.v[c] - worth, 0.0)
            if worth > 0.0 and there < room.distance[c]:  # so it is not passed
                room.distance[c], room.via[c] = there, row
        if stride == 0:
            cuda.syncthreads()  # in a matrix, a thread meets the columns that it looks after
        near, mine = _NONE, NOBODY
        for c in range(me, columns, threads):
            if room.passed[c] == 0 and room.distance[c] < near:
                near, mine = room.distance[c], np.int64(c)
        near, mine = least(near, mine, room)
        if not near < cost:
            break
        row, here = np.int64(room.mate_of_column[mine]), near
        if row < 0:
            cost, column, leaves = near, mine, np.int64(-1)
            break
        own = room.u[row]
        if mine % threads == me:
            room.passed[mine] = 1
    cuda.syncthreads()  # all have read the prices
    for c in range(me, columns, threads):
        if room.passed[c] == 1:
            room.v[c] += cost - room.distance[c]
            room.u[room.mate_of_column[c]] -= cost - room.distance[c]
    if me == 0:
        room.u[r] = price - cost
    cuda.syncthreads()
    if me == 0:
        if leaves >= 0:
            column = np.int64(room.mate[leaves])
            room.mate[leaves] = -1
        while column >= 0:  # every row on the way takes the column that it came to next
            row = np.int64(room.via[column])
            room.mate_of_column[column] = row
            column, room.mate[row] = np.int64(room.mate[row]), column
    cuda.syncthreads()
    return price - cost


@device
def take_free(rows, columns, stride, late, room):
    """After `start`: the weight if those who came too late take the best column that is free.

    It leaves the graph as `start` left it.
    """
    me = cuda.threadIdx.x
    for k in range(late):
        r = np.int64(room.late[k])
        most, mine = 0.0, NOBODY
        low, high = edges_of(r, columns, stride, room)
        for e in range(low + me, high, cuda.blockDim.x):
            c, worth = column_of(e, r, stride, room), room.worth[e]
            if worth > 0.0 and room.mate_of_column[c] < 0:
                key = rank(room.first[e], c)
                if worth > most or (worth == most and key < mine):
                    most, mine = worth, key
        _, key = least(-most, mine, room)
        cuda.syncthreads()  # all have seen who is free
        if me == 0 and key < NOBODY:
            join_free(r, column_in(key), room.mate, room.mate_of_column)
        cuda.syncthreads()
    weight = _weight(rows, columns, stride, room)
    for k in range(me, late, cuda.blockDim.x):
        r = room.late[k]
        if room.mate[r] >= 0:
            room.mate_of_column[room.mate[r]] = -1
            room.mate[r] = -1
    cuda.syncthreads()
    return weight


@device
def locally_dominant(rows, columns, stride, room):
    """The weight of the locally dominant matching, which is the greedy one.

    Rows without a mate propose, all at once, to the best column that would have them; ``u`` is what
    they offer, and the highest offer to a column is in ``distance``, who makes it in ``via``. Of
    equal offers the first row's is taken. Who is outbid, then or later, proposes again.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    found = 1
    while found > 0:
        for c in range(me, columns, threads):
            room.distance[c], room.via[c] = 0.0, _NEVER
        cuda.syncthreads()
        for r in range(me, rows, threads):
            if room.mate[r] < 0 and room.best[r] >= 0:
                room.u[r], room.best[r] = _offer(r, columns, stride, room)
                if room.best[r] >= 0:
                    cuda.atomic.max(room.distance, room.best[r], room.u[r])
        cuda.syncthreads()
        for r in range(me, rows, threads):
            c = room.best[r]
            if room.mate[r] < 0 and c >= 0 and room.u[r] == room.distance[c]:
                cuda.atomic.min(room.via, c, np.int32(r))
        cuda.syncthreads()
        mine = 0
        for r in range(me, rows, threads):
            c = room.best[r]
            if c >= 0 and room.via[c] == r:
                loser = room.mate_of_column[c]
                if loser >= 0:
                    room.mate[loser] = -1
                room.mate[r], room.mate_of_column[c], room.v[c] = c, r, room.u[r]
                mine = 1
        found = cuda.syncthreads_or(mine)
    return _weight(rows, columns, stride, room)


@device
def _offer(r, columns, stride, room):
    """The weight, and the column, of the best edge of row r whose column would have it; or -1."""
    most, best = 0.0, NOBODY
    low, high = edges_of(r, columns, stride, room)
    for e in range(low, high):
        worth = room.worth[e]
        if worth > 0.0 and worth >= most:
            c = column_of(e, r, stride, room)
            if worth > room.v[c] or (worth == room.v[c] and r < room.mate_of_column[c]):
                key = rank(room.first[e], c)
                if worth > most or key < best:
                    most, best = worth, key
    return most, column_in(best) if best < NOBODY else np.int64(-1)


@device
def paz_schwartzman(rows, columns, stride, room):
    """The weight of the matching of Paz and Schwartzman, and what no matching exceeds.

    Edges come one after the other, so a warp does it. Those that go on the stack are marked: what
    they have in ``first`` is negative then.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    weight, bound = 0.0, 0.0
    if me < LANES:
        for r in range(rows):
            _stack(r, columns, stride, room)
        for k in range(rows):
            weight += _unwind(rows - 1 - k, columns, stride, room)
    cuda.syncthreads()
    for r in range(me, rows, threads):  # no price need be higher than what the edges ask for
        price = 0.0
        low, high = edges_of(r, columns, stride, room)
        for e in range(low, high):
            price = max(price, room.worth[e] - room.v[column_of(e, r, stride, room)])
        bound += price
    for c in range(me, columns, threads):
        bound += room.v[c]
    return summed(weight, room), summed(bound, room)


@device
def _stack(r, columns, stride, room):
    """Put the edges of row r on the stack that raise prices, by the lanes of a warp."""
    low, high = edges_of(r, columns, stride, room)
    last = np.int64(-1)
    while True:
        mine, at = NOBODY, np.int64(-1)
        for e in range(low + cuda.threadIdx.x, high, LANES):
            worth = room.worth[e]
            if worth > 0.0 and room.first[e] >= 0:
                c = column_of(e, r, stride, room)
                key = rank(room.first[e], c)
                if last < key < mine and worth > room.u[r] + room.v[c]:
                    mine, at = key, np.int64(e)
        _, last = least_of_lanes(0.0, mine)
        if last == NOBODY:
            return
        sync_lanes()  # all have read the prices
        if last == mine:
            raise_prices(r, column_in(last), room.worth[at], 1.0, room.u, room.v)
            room.first[at] = -1 - room.first[at]
        sync_lanes()


@device
def _unwind(r, columns, stride, room):
    """Take the last edge of row r on the stack whose column is free; what this thread's weighs."""
    low, high = edges_of(r, columns, stride, room)
    mine, at = NOBODY, np.int64(-1)
    for e in range(low + cuda.threadIdx.x, high, LANES):
        mark = room.first[e]
        if mark < 0:
            c = column_of(e, r, stride, room)
            if room.mate_of_column[c] < 0 and -rank(-1 - mark, c) < mine:
                mine, at = -rank(-1 - mark, c), np.int64(e)
    _, key = least_of_lanes(0.0, mine)
    sync_lanes()  # all have seen who is free
    weight = 0.0
    if key < NOBODY and key == mine:
        weight = room.worth[at]
        join_free(r, column_in(-key), room.mate, room.mate_of_column)
    sync_lanes()
    return weight


@device
def _weight(rows, columns, stride, room):
    """What the matched edges weigh."""
    weight = 0.0
    for r in range(cuda.threadIdx.x, rows, cuda.blockDim.x):
        mate = room.mate[r]
        if mate >= 0 and stride > 0:
            weight += room.worth[r * stride + mate]
        elif mate >= 0:
            low, high = edges_of(r, columns, stride, room)
            for e in range(low, high):
                if room.column[e] == mate:
                    weight += room.worth[e]
    weight = summed(weight, room)
    cuda.syncthreads()  # all have read the mates
    return weight

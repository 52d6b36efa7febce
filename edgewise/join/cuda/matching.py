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
from edgewise.join.cuda.team import NOBODY, column_in, least, rank

__all__ = ["free", "greatest", "locally_dominant", "paz_schwartzman", "start", "take_free"]

join_free, raise_prices = translated(_join_free), translated(_raise_prices)
_NONE = np.inf


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
    """Let every free row have a column that is most similar to it; how many are ``late``."""
    me = cuda.threadIdx.x
    for r in range(me, rows, cuda.blockDim.x):
        room.u[r] = room.most[r]
    late = 0
    for r in range(rows):
        c = np.int64(room.best[r])
        if c < 0:
            continue
        if room.mate_of_column[c] >= 0:
            mine = NOBODY
            for k in range(me, columns, cuda.blockDim.x):
                at = r * stride + k
                if room.worth[at] == room.most[r] and room.mate_of_column[k] < 0:
                    mine = min(mine, rank(room.first[at], k))
            _, key = least(0.0, mine, room)
            c = column_in(key) if key < NOBODY else np.int64(-1)
        cuda.syncthreads()  # all have seen who is free
        if me == 0:
            if c >= 0:
                join_free(r, c, room.mate, room.mate_of_column)
            else:
                room.late[late] = r
        if c < 0:
            late += 1
        cuda.syncthreads()
    return late


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
    return _weight(rows, stride, room)


@device
def _enter(r, columns, stride, room):
    """Let row r in, by the shortest way to a free column: by how much the weight grows.

    A thread looks after the columns of its own; ``passed`` are those that the search is through
    with. Or a row on the way gives up its column and stays alone, which costs its price.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    price = 0.0
    for c in range(me, columns, threads):
        price = max(price, room.worth[r * stride + c] - room.v[c])
        room.distance[c], room.passed[c] = _NONE, 0
    price = -least(-price, np.int64(0), room)[0]
    row, here, own = r, 0.0, price
    cost, column, leaves = _NONE, np.int64(-1), np.int64(-1)
    while True:
        if here + own < cost:
            cost, leaves = here + own, row
        near, mine = _NONE, NOBODY
        for c in range(me, columns, threads):
            if room.passed[c] == 0:
                worth = room.worth[row * stride + c]
                there = here + max(own + room.v[c] - worth, 0.0)
                if worth > 0.0 and there < room.distance[c]:
                    room.distance[c], room.via[c] = there, row
                if room.distance[c] < near:
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
        for c in range(me, columns, cuda.blockDim.x):
            worth = room.worth[r * stride + c]
            if worth > 0.0 and room.mate_of_column[c] < 0:
                key = rank(room.first[r * stride + c], c)
                if worth > most or (worth == most and key < mine):
                    most, mine = worth, key
        _, key = least(-most, mine, room)
        cuda.syncthreads()  # all have seen who is free
        if me == 0 and key < NOBODY:
            join_free(r, column_in(key), room.mate, room.mate_of_column)
        cuda.syncthreads()
    weight = _weight(rows, stride, room)
    cuda.syncthreads()
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

    Rows and columns look for the best of those that are free, ``best`` and ``via``, until no two
    choose each other.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    for c in range(me, columns, threads):
        room.via[c] = -2
    found = 1
    while found > 0:
        for c in range(me, columns, threads):
            chosen = room.via[c]
            stale = chosen == -2 or (chosen >= 0 and room.mate[chosen] >= 0)
            if stale and room.mate_of_column[c] < 0:
                most, chosen = 0.0, -1
                for r in range(rows):
                    if room.worth[r * stride + c] > most and room.mate[r] < 0:
                        most, chosen = room.worth[r * stride + c], r
                room.via[c] = chosen
        for r in range(me, rows, threads):
            chosen = room.best[r]
            if room.mate[r] < 0 and chosen >= 0 and room.mate_of_column[chosen] >= 0:
                most, key = 0.0, NOBODY
                for c in range(columns):
                    worth = room.worth[r * stride + c]
                    if worth > 0.0 and worth >= most and room.mate_of_column[c] < 0:
                        here = rank(room.first[r * stride + c], c)
                        if worth > most or here < key:
                            most, key = worth, here
                room.best[r] = column_in(key) if key < NOBODY else -1
        cuda.syncthreads()
        mine = 0
        for r in range(me, rows, threads):
            c = room.best[r]
            if room.mate[r] < 0 and c >= 0 and room.via[c] == r:
                room.mate[r], room.mate_of_column[c] = c, r
                mine = 1
        found = cuda.syncthreads_or(mine)
    return _weight(rows, stride, room)


@device
def paz_schwartzman(rows, columns, stride, room):
    """The weight of the matching of Paz and Schwartzman, and what no matching exceeds.

    Edges that go on the stack are marked: what they have in ``first`` is negative then.
    """
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    for r in range(rows):
        last = np.int64(-1)
        while True:
            mine = NOBODY
            for c in range(me, columns, threads):
                worth = room.worth[r * stride + c]
                if worth > 0.0 and room.first[r * stride + c] >= 0:
                    key = rank(room.first[r * stride + c], c)
                    if key > last and worth > room.u[r] + room.v[c]:
                        mine = min(mine, key)
            _, key = least(0.0, mine, room)
            if key == NOBODY:
                break
            last, c = key, column_in(key)
            cuda.syncthreads()  # all have read the prices
            if me == 0:
                at = r * stride + c
                raise_prices(r, c, room.worth[at], 1.0, room.u, room.v)
                room.first[at] = -1 - room.first[at]
            cuda.syncthreads()
    weight = 0.0
    for k in range(rows):
        r = rows - 1 - k
        mine = NOBODY
        for c in range(me, columns, threads):
            mark = room.first[r * stride + c]
            if mark < 0 and room.mate_of_column[c] < 0:
                mine = min(mine, -rank(-1 - mark, c))
        _, key = least(0.0, mine, room)
        if key < NOBODY:
            c = column_in(-key)
            weight += room.worth[r * stride + c]
            cuda.syncthreads()  # all have seen who is free
            if me == 0:
                join_free(r, c, room.mate, room.mate_of_column)
            cuda.syncthreads()
    for r in range(me, rows, threads):  # no price need be higher than what the edges ask for
        price = 0.0
        for c in range(columns):
            price = max(price, room.worth[r * stride + c] - room.v[c])
        room.u[r] = price
    cuda.syncthreads()
    bound = 0.0
    for c in range(columns):
        bound += room.v[c]
    for r in range(rows):
        bound += room.u[r]
    return weight, bound


@device
def _weight(rows, stride, room):
    """What the matched edges weigh."""
    weight = 0.0
    for r in range(rows):
        if room.mate[r] >= 0:
            weight += room.worth[r * stride + room.mate[r]]
    return weight

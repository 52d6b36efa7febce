"""`settle` on CPU threads: all passes in one kernel.

Each thread totals a row by key in an array of its own, with one place for every key, and lists the
places in use: nothing is hashed. Threads take chunks of vertices, prefetch what the rows of the
next active ones read, and meet after every pass to add up what was gained. A row is one thread's,
however long it is.

Pays for: rows louvain and leiden of ``python -m benchmarks communities``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import prefetch
from edgewise.base.cpu.random import mix
from edgewise.base.cpu.team import barrier, grab, rewind
from edgewise.base.observe import notify
from edgewise.base.random import hashed
from edgewise.base.threads import launch, team_for
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.chosen import better_by, stay_of
from edgewise.operators.cpu.gather import longest_row
from edgewise.operators.cpu.inner import alike, cast, edge_at, take
from edgewise.operators.cpu.keyed import choice_of
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.state import frozen
from edgewise.operators.functions import MESSAGE_NAMES, Function, compiled, naming_failures, plain
from edgewise.operators.requests import Settling
from edgewise.operators.settling import carrier, in_passes

__all__ = ["settle"]

#: Vertices that a thread takes at a time; numbers between those that two threads write.
_CHUNK, _APART = 256, 8
#: Totals that threads may have for each arc and vertex.
_SPARE = 4
#: Neighbors of a vertex that are prefetched.
_AHEAD = np.uint64(16)
#: Fewer vertices than this are in a near cache anyway.
_MANY = 1 << 15
#: Weights that all are 1.
_ONES = frozen(np.empty(0, np.int64))


def settle(graph: Any, request: Settling) -> float:
    """See `edgewise.operators.settle`."""
    asked, n = request.rows, graph.num_vertices
    work = graph.num_arcs + n
    team = team_for(work, meetings=2)
    if callable(request.parts) or n * team > _SPARE * work:
        return in_passes(graph, request)
    message, finish, values = asked.message, asked.finish, asked.values
    rows = incoming(graph, asked.edges, asked.weights, message.names)
    if rows.weights is None and "weight" in message.names:  # one kernel with and without weights
        rows = rows._replace(weights=_ONES)
    identity = asked.reduce.identity_for(*asked.dtypes)
    combine = compiled(asked.reduce.combine, "reduce.combine", 2)
    ended = compiled(finish.given, "finish")
    read = (values if "value" in message.names else None,
            asked.own if "own" in message.names else None, unsigned(asked.key))  # fmt: skip
    choice = choice_of(asked.choice, asked.own)
    scored = isinstance(asked.choose, Function)
    outcome = (np.float64(-np.inf) if scored else identity), (*asked.state, *finish.params)
    known = (rows, request.active, (read, identity, message.params), choice.data, outcome)
    ids = unsigned(graph.indices).dtype
    longest = longest_row(graph, asked.edges, rows.indptr.view(np.int64))
    tables = (np.empty((team, n), identity.dtype), np.empty((team, longest + 2), ids),
              np.empty((team, _CHUNK + 1), ids))  # fmt: skip
    seed = hashed(request.seed, n) if request.parts > 1 else np.uint64(0)
    how = (request.passes, request.parts, seed, request.tol)
    gains, by_pass = np.zeros((2, team * _APART)), np.full(request.passes, np.nan)
    functions = (plain(message, MESSAGE_NAMES), combine, choice.rate, choice.least, ended,
                 len(request.masses))  # fmt: skip
    with naming_failures(ended, message, combine, asked.choose if scored else None):
        launch(pass_kernel(*functions), known, tables, request.masses, how, gains, by_pass,
               work=work, team=team)  # fmt: skip
    total = 0.0
    for turn, gain in enumerate(by_pass.tolist()):
        if gain != gain:
            break
        notify(turn, phase=request.phase, gain=gain)
        total += gain
    return total


@cache
def pass_kernel(message, combine, rate, least, finish, carried):
    """Pass after pass, for one set of functions, until one gains little."""
    better, finish = better_by(least), inlined(finish.py_func)
    carry = carrier(carried)

    @inlined
    def gather(v, low, high, rows, data, table):
        """Total the messages along a row by key; how many places are listed.

        A place is listed again if what has come there so far is nothing: that does no harm.
        """
        _, indices, weights, edge_ids = rows
        (sent, target, key), identity, params = data
        totals, met = table
        own, count = take(target, v), 0
        for e in range(low, high):
            u = indices[e]
            c = key[u]
            total = totals[c]
            met[count] = c
            count += total == identity
            weight = weight_or_one(weights, e)
            new = message(take(sent, u), weight, np.int64(u), edge_at(edge_ids, e), own, params)
            totals[c] = combine(total, cast(totals, new))
        return count

    @inlined
    def look(v, known, table, masses):
        """Find the best key of v, and act; what that gained."""
        rows, active, data, rated, (unset, state) = known
        indptr, indices = rows[0], rows[1]
        own, by_key, stay, params = rated
        totals, met = table
        key, identity = data[0][2], data[1]
        low, high = indptr[v], indptr[v + np.uint64(1)]
        active[v] = 0
        count = gather(v, low, high, rows, data, table)
        home, staying = stay_of(stay, v), identity
        if home >= 0:
            staying = totals[np.uint64(home)]
            met[count] = home
            count += staying == identity
        mine, before, best_key, best = take(own, v), key[v], np.int64(-1), unset
        for i in range(count):
            c = met[i]
            new = alike(rate(totals[c], np.int64(c), mine, staying, by_key, params), best)
            wins = (i == 0) | better(new, np.int64(c), best, best_key)
            best_key, best = np.int64(c) if wins else best_key, new if wins else best
        for i in range(count):
            totals[met[i]] = identity
        gain = np.float64(number(finish(np.int64(v), best_key, best, *state)))
        now = key[v]
        if now != before:
            carry(masses, v, before, now)
        if gain != 0:
            for e in range(low, high):
                u = indices[e]
                if active[u] == 0 and key[u] != now:
                    active[u] = 1
        return gain

    @kernel(borrows=True)
    def run(me, team, control, known, tables, masses, how, gains, by_pass):
        active, key, by_key = known[1], known[2][0][2], known[3][1]
        table, queue = (tables[0][me], tables[1][me]), tables[2][me]
        passes, parts, seed, tol = how
        n, slot = len(key), 0
        table[0][:] = known[2][1]
        for turn in range(passes):
            gain, count = 0.0, parts if turn == 0 else 1
            for part in range(count):
                while True:
                    low, high = grab(control, slot, _CHUNK, n)
                    if low == high:
                        break
                    size = 0
                    for v in range(low, high):
                        if active[v] != 0:
                            queue[size] = v
                            size += count == 1 or part_of(v, seed, count) == part
                    for i in range(size):
                        if n >= _MANY:
                            look_ahead(queue, i, size, known[0], key, by_key, table[0])
                        gain += look(np.uint64(queue[i]), known, table, masses)
                gains[turn & 1, me * _APART] = gain
                if not barrier(control, team):
                    return
                slot = (slot + 1) % 3
                if me == 0:  # no thread takes chunks there any more, or yet
                    rewind(control, (slot + 1) % 3)
            gain = 0.0
            for i in range(team):
                gain += gains[turn & 1, i * _APART]
            if me == 0:
                by_pass[turn] = gain
            if gain <= tol:
                return

    return run


@inlined
def look_ahead(queue, i, size, rows, key, by_key, totals):
    """Prefetch what will be read of the next vertices: it is all over the memory."""
    indptr, indices = rows[0], rows[1]
    if i + 8 < size:
        prefetch(indices, indptr[queue[i + 8]])
    if i + 4 < size:
        low, high = indptr[queue[i + 4]], indptr[queue[i + 4] + 1]
        for e in range(low, min(high, low + _AHEAD)):
            prefetch(key, indices[e])
    if i + 2 < size:
        low, high = indptr[queue[i + 2]], indptr[queue[i + 2] + 1]
        for e in range(low, min(high, low + _AHEAD)):
            c = key[indices[e]]
            prefetch(totals, c)
            prefetch_first(by_key, c)


def weight_or_one(weights, e):
    """The weight of edge ``e``; 1 where there are none."""
    raise TypeError("only for compiled code")


@overload(weight_or_one)
def _weight_or_one(weights, e):
    if isinstance(weights, types.NoneType):
        return lambda weights, e: 1
    return lambda weights, e: weights[e] if len(weights) > 0 else weights.dtype.type(1)


def prefetch_first(arrays, c):
    """Prefetch element ``c`` of the first array, if there is one."""
    raise TypeError("only for compiled code")


@overload(prefetch_first)
def _prefetch_first(arrays, c):
    if len(arrays) == 0:
        return lambda arrays, c: None

    def first(arrays, c):
        prefetch(arrays[0], c)

    return first


def number(gain):
    """What a finish returned; an error, when it is compiled, unless that is a number."""
    raise TypeError("only for compiled code")


@overload(number)
def _number(gain):
    if not isinstance(gain, (types.Number, types.Boolean)):
        raise TypingError(f"it must give a number, what was gained, but gives {gain}")
    return lambda gain: gain


@inner
def part_of(v, key, parts):
    """The part that v is drawn into."""
    return np.int64(mix(np.uint64(v) ^ key) >> np.uint64(33)) % parts

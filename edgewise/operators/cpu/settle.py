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
from edgewise.base.cpu.bit_blocks import nearby, reach, span
from edgewise.base.cpu.random import bits, first_half, mix
from edgewise.base.cpu.team import barrier, grab, rewind
from edgewise.base.observe import notify
from edgewise.base.threads import launch, team_for
from edgewise.graph import Graph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.choices import NOISE, better_by
from edgewise.operators.cpu.gather import longest_row
from edgewise.operators.cpu.inner import cast, edge_at, take
from edgewise.operators.cpu.keyed import choice_of
from edgewise.operators.cpu.rating import noise, stay_of, staying_at
from edgewise.operators.cpu.reduce_neighbors import incoming
from edgewise.operators.cpu.state import frozen
from edgewise.operators.functions import MESSAGE_NAMES, Function, compiled, naming_failures, plain
from edgewise.operators.passes import carrier, in_passes, in_rounds, renewed
from edgewise.operators.requests import Settling

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


def settle(graph: Graph, request: Settling) -> float:
    """See `edgewise.operators.settle`."""
    asked, n = request.rows, graph.num_vertices
    work = graph.num_arcs + n
    team, most = team_for(work, barriers=2), _SPARE * work // n
    if callable(request.parts) or (team > most and not request.synchronous):
        return (in_rounds if request.synchronous else in_passes)(graph, request)
    team = min(team, most)
    message, finish, key = asked.message, asked.finish, asked.key
    rows = incoming(graph, asked.mode, asked.weights, message.names)
    if rows.weights is not None or "weight" in message.names:  # one kernel for all, without codes
        rows = rows._replace(weights=_ONES if rows.weights is None else np.asarray(rows.weights))
    identity = asked.reduce.identity_for(*asked.dtypes)
    combine = compiled(asked.reduce.combine, "reduce.combine", 2)
    ended, scored = compiled(finish.given, "finish"), isinstance(asked.choose, Function)
    values = asked.values if "value" in message.names else None
    own = asked.own if "own" in message.names else None
    choice = choice_of(asked.choice, asked.own)
    state, after = (*asked.state, *finish.params), key
    if request.synchronous:
        after = key.copy()
        state = renewed(state, key, after)
    outcome = (np.float64(-np.inf) if scored else identity), state
    known = (rows, request.active, ((values, own, unsigned(key)), identity, message.params),
             choice.data, outcome)  # fmt: skip
    draws = asked.draw is not None
    ids, longest = unsigned(key).dtype, longest_row(graph, asked.mode, rows.indptr.view(np.int64))
    met, scores = np.empty((team, longest + 2), ids), np.empty((team, longest + 2 if draws else 1))
    tables = np.empty((team, n), identity.dtype), met, scores, np.empty((team, _CHUNK + 1), ids)
    functions = (plain(message, MESSAGE_NAMES), combine, choice.rate, choice.least, ended,
                 asked.skip_empty, draws, len(request.masses))  # fmt: skip
    run = round_kernel if request.synchronous else pass_kernel
    noted: Any = np.zeros((2, team * _APART))
    if request.synchronous:
        noted = unsigned(after), np.zeros(-(-n // _CHUNK))
    seeds = np.uint64(request.seed), asked.draw.seed if draws else np.uint64(0)
    how, by_pass = (request.parts, seeds, request.tol), np.full(request.passes, np.nan)
    with naming_failures(ended, message, combine, asked.choose if scored else None):
        launch(run(*functions), known, tables, request.masses, how, noted, by_pass, work=work,
               team=team)  # fmt: skip
    total = 0.0
    for turn, gain in enumerate(by_pass.tolist()):
        if gain != gain:
            break
        notify(turn, phase=request.phase, gain=gain)
        total += gain
    return total


@cache
def looker(message, combine, rate, least, finish, skip_empty, draws):
    """``look(v, low, high, known, table, coin)``: find the best key of v, and act; the gain."""
    better, finish = better_by(least, inlined), inlined(finish.py_func)

    @inlined
    def gather(v, low, high, rows, data, table):
        """Total the messages along a row by key; how many places are listed.

        A place is listed again if what has come there so far is nothing: that does no harm.
        """
        _, indices, weights, edge_ids = rows
        (sent, target, key), identity, params = data
        totals, met, _ = table
        own, count = take(target, v), 0
        while low < high:
            stop = reach(indices, low, high)
            near = nearby(indices, low, stop)
            for e in range(low, stop):
                u = near[e]
                c = key[u]
                met[count], total = c, totals[c]
                if not skip_empty:
                    count += total == identity
                weight, edge = weight_or_one(weights, e), edge_at(edge_ids, e)
                new = message(take(sent, u), weight, np.int64(u), edge, own, params)
                new = combine(total, cast(totals, new))
                if skip_empty:
                    count += (total == identity) & (new != identity)
                totals[c] = new
            low = stop
        return count

    @inlined
    def drawn(v, count, best_key, best, temperature, coin, table):
        """The key and the score that noise makes the best of those listed.

        Most are too far behind for that, and no noise is made for them.
        """
        _, met, scores = table
        least, near = best - NOISE * temperature, 0
        for i in range(count):
            near += scores[i] >= least
        if near < 2 or not least > -np.inf:
            return best_key, best
        word, top = first_half(coin, np.uint64(v)), -np.inf
        for i in range(count):
            if scores[i] >= least:
                c = np.int64(met[i])
                rank = scores[i] + temperature * noise(word, c)
                wins = (rank > top) | ((rank == top) & (c < best_key))
                best_key, best = c if wins else best_key, scores[i] if wins else best
                top = rank if wins else top
        return best_key, best

    @inlined
    def look(v, low, high, known, table, coin):
        rows, _, data, (own, by_key, stay, params, draw), (unset, state) = known
        totals, met, scores = table
        identity = data[1]
        count = gather(v, low, high, rows, data, table)
        home, kept = stay_of(stay, v), identity
        if home >= 0:
            kept = totals[np.uint64(home)]
            met[count] = home
            count += kept == identity
        staying = staying_at(kept, by_key, home)
        mine, best_key, best = take(own, v), np.int64(-1), unset
        for i in range(count):
            c = met[i]
            new = cast(best, rate(totals[c], np.int64(c), mine, staying, by_key, params))
            if skip_empty:
                counts = (totals[c] != identity) | (np.int64(c) == home)
                wins = counts & ((best_key < 0) | better(new, np.int64(c), best, best_key))
            else:
                counts, wins = True, (i == 0) | better(new, np.int64(c), best, best_key)
            if draws:
                scores[i] = new if counts else -np.inf
            best_key, best = np.int64(c) if wins else best_key, new if wins else best
        if draws:
            best_key, best = drawn(v, count, best_key, best, draw[0], coin, table)
        for i in range(count):
            totals[met[i]] = identity
        return np.float64(number(finish(np.int64(v), best_key, best, *state)))

    return look


@cache
def pass_kernel(message, combine, rate, least, finish, skip_empty, draws, carried):
    """Pass after pass, for one set of functions, until one gains little."""
    look = looker(message, combine, rate, least, finish, skip_empty, draws)
    carry = carrier(carried)

    @inlined
    def act(v, known, table, masses, coin):
        """Let v act, and wake its neighbors if that gained anything; how much."""
        (indptr, indices, _, _), active, key = known[0], known[1], known[2][0][2]
        (low, high), before = span(indptr, v), key[v]
        active[v] = 0
        gain = look(v, low, high, known, table, coin)
        now = key[v]
        if now != before:
            carry(masses, v, before, now)
        if gain != 0:
            while low < high:
                stop = reach(indices, low, high)
                near = nearby(indices, low, stop)
                for e in range(low, stop):
                    u = near[e]
                    if active[u] == 0 and key[u] != now:
                        active[u] = 1
                low = stop
        return gain

    @kernel(borrows=True)
    def run(me, team, control, known, tables, masses, how, gains, by_pass):
        active, n, slot = known[1], len(known[1]), 0
        table, queue = (tables[0][me], tables[1][me], tables[2][me]), tables[3][me]
        parts, (seed, other), tol = how
        table[0][:] = known[2][1]
        for turn in range(len(by_pass)):
            gain, count, coin = 0.0, parts if turn == 0 else 1, coin_of(other, turn)
            mark = bits(seed, np.uint64(n), np.uint64(0))
            for part in range(count):
                while True:
                    low, high = grab(control, slot, _CHUNK, n)
                    if low == high:
                        break
                    size = listed(queue, low, high, active, mark, part, count)
                    for i in range(size):
                        if n >= _MANY:
                            look_ahead(queue, i, size, known, table[0])
                        gain += act(np.uint64(queue[i]), known, table, masses, coin)
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


@cache
def round_kernel(message, combine, rate, least, finish, skip_empty, draws, carried):
    """The same, where those of a part see what there was before it: what they change is noted."""
    look = looker(message, combine, rate, least, finish, skip_empty, draws)
    carry = carrier(carried)

    @inlined
    def change(v, known, masses, new):
        """Give v its new key, and wake its neighbors."""
        (indptr, indices, _, _), active, key = known[0], known[1], known[2][0][2]
        carry(masses, v, key[v], new)
        key[v] = new
        for e in range(indptr[v], indptr[v + np.uint64(1)]):
            if active[indices[e]] == 0:
                active[indices[e]] = 1

    @kernel(borrows=True)
    def run(me, team, control, known, tables, masses, how, noted, by_pass):
        indptr, active, key, n, slot = known[0][0], known[1], known[2][0][2], len(known[1]), 0
        table, queue = (tables[0][me], tables[1][me], tables[2][me]), tables[3][me]
        (after, gains), (parts, (seed, other), tol) = noted, how
        table[0][:] = known[2][1]
        for turn in range(len(by_pass)):
            gain, coin = 0.0, coin_of(other, turn)
            mark = bits(seed + np.uint64(turn), np.uint64(n), np.uint64(0))
            for part in range(parts):
                while True:
                    low, high = grab(control, slot, _CHUNK, n)
                    if low == high:
                        break
                    size, found = listed(queue, low, high, active, mark, part, parts), 0.0
                    for i in range(size):
                        if n >= _MANY:
                            look_ahead(queue, i, size, known, table[0])
                        v = np.uint64(queue[i])
                        active[v] = 0
                        first, last = indptr[v], indptr[v + np.uint64(1)]
                        found += look(v, first, last, known, table, coin)
                    gains[low // _CHUNK] = found
                if not barrier(control, team):
                    return
                slot = (slot + 1) % 3
                if me == 0:  # no thread takes chunks there any more, or yet
                    rewind(control, (slot + 1) % 3)
                while True:
                    low, high = grab(control, slot, _CHUNK, n)
                    if low == high:
                        break
                    for v in range(np.uint64(low), np.uint64(high)):
                        if after[v] != key[v]:
                            change(v, known, masses, after[v])
                for i in range(len(gains)):  # always in the same order: a sum for any team
                    gain += gains[i]
                if not barrier(control, team):
                    return
                slot = (slot + 1) % 3
                if me == 0:
                    rewind(control, (slot + 1) % 3)
            if me == 0:
                by_pass[turn] = gain
            if gain <= tol:
                return

    return run


@inner
def coin_of(seed, turn):
    """The seed of the draws of a pass, as `Settling.draw` has it."""
    return bits(seed, np.uint64(turn), np.uint64(1))


@inner
def listed(queue, low, high, active, mark, part, parts):
    """Queue the active vertices of a chunk that are drawn into a part; how many they are."""
    size = 0
    for v in range(low, high):
        if active[v] != 0:
            queue[size] = v
            size += parts == 1 or part_of(v, mark, parts) == part
    return size


@inlined
def look_ahead(queue, i, size, known, totals):
    """Prefetch what will be read of the next vertices: it is all over the memory."""
    (indptr, indices, _, _), (values, _, key), by_key = known[0], known[2][0], known[3][1]
    if i + 8 < size:
        prefetch(indices, indptr[queue[i + 8]])
    if i + 4 < size:
        low, high = span(indptr, queue[i + 4])
        first = nearby(indices, low, min(high, low + _AHEAD))
        for e in range(low, min(high, low + _AHEAD)):
            prefetch(key, first[e])
            prefetch_any(values, first[e])
    if i + 2 < size:
        low, high = span(indptr, queue[i + 2])
        near = nearby(indices, low, min(high, low + _AHEAD))
        for e in range(low, min(high, low + _AHEAD)):
            c = key[near[e]]
            prefetch(totals, c)
            prefetch_any(by_key, c)


def weight_or_one(weights, e):
    """The weight of edge ``e``; 1 where there are none."""
    raise TypeError("only for compiled code")


@overload(weight_or_one)
def _weight_or_one(weights, e):
    if isinstance(weights, types.NoneType):
        return lambda weights, e: 1
    return lambda weights, e: weights[e] if len(weights) > 0 else weights.dtype.type(1)


def prefetch_any(arrays, c):
    """Prefetch element ``c`` of an array, or of the first of a tuple, if there is one."""
    raise TypeError("only for compiled code")


@overload(prefetch_any)
def _prefetch_any(arrays, c):
    if isinstance(arrays, types.Array):
        return lambda arrays, c: prefetch(arrays, c)
    if isinstance(arrays, types.NoneType) or len(arrays) == 0:
        return lambda arrays, c: None
    return lambda arrays, c: prefetch(arrays[0], c)


def number(gain):
    """What a finish returned; an error, when it is compiled, unless that is a number."""
    raise TypeError("only for compiled code")


@overload(number)
def _number(gain):
    if not isinstance(gain, (types.Number, types.Boolean)):
        raise TypingError(f"it must give a number, what was gained, but gives {gain}")
    return lambda gain: gain


@inner
def part_of(v, mark, parts):
    """The part that v is drawn into."""
    return np.int64(mix(np.uint64(v) ^ mark) >> np.uint64(33)) % parts

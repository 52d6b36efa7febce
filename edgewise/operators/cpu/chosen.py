"""`reduce_neighbors` with ``choose=`` on CPU threads: of each member's keys only the best.

Each thread gathers a row in its hash table, rates the keys that are in it, and keeps the best:
nothing is sorted. A very long row is gathered in pieces of fixed size by all threads together, so
that the totals do not depend on how many there are; then every thread merges the keys that are its
own by their hash, in the order of the pieces, into one table for all. That is a kernel of its own,
which few graphs need.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.accumulate import (
    claim,
    clear_table,
    find,
    key_at,
    new_tables,
    owner,
    shift_for,
    table_of,
)
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import barrier, share, stopped
from edgewise.base.threads import launch
from edgewise.operators.choices import better_by
from edgewise.operators.cpu.gather import Hops, Plan, Sending, bound_of, gatherer
from edgewise.operators.cpu.inner import cast, take
from edgewise.operators.cpu.rating import ranked, stay_of, staying_at, word_of
from edgewise.operators.cpu.walk import member, over

__all__ = ["PIECE", "Choice", "Ending", "chosen", "keep"]

#: Edges of a piece of a very long row.
PIECE = 1 << 15


class Choice(NamedTuple):
    """What rates a key: which function, which way, and what it reads beside the total."""

    rate: Any  # rate(total, key, own, staying, by_key, params)
    least: bool  # is the least the best?
    own: Any
    by_key: tuple
    stay: np.ndarray | None
    params: tuple
    draw: tuple | None  # a `Drawing`, or the best is kept
    skip_empty: bool  # is a key whose total is the identity no candidate?

    @property
    def data(self) -> tuple:
        """What a kernel takes as an argument."""
        return self.own, self.by_key, self.stay, self.params, self.draw


class Ending(NamedTuple):
    """What becomes of a best key, or of none: ``finish(v, key, score, *state)``."""

    finish: Any
    unset: tuple  # key and score where there is no candidate
    state: tuple

    @property
    def data(self) -> tuple:
        """What a kernel takes as an argument."""
        return self.unset, self.state


class Scratch(NamedTuple):
    """What the threads need for a very long row."""

    tables: tuple  # one of each thread
    lists: tuple  # keys and totals of every piece, and how many there are
    shared: tuple  # the table of all threads
    bests: tuple  # of each thread, and the total of the key that stays


@inlined
def keep(v, key, score, keys, scores):
    """The ending that writes them down."""
    keys[v], scores[v] = key, score


def chosen(walk: Hops, plan: Plan, sending: Sending, choice: Choice, ending: Ending) -> None:
    """Find the best key of every member, and how it is rated, for ``ending``."""
    most, work, team = plan
    two_steps, dtype = walk.onward is not None, sending.identity.dtype
    capacity = most if two_steps else min(most, PIECE)
    tables, outcome, score = new_tables(team, capacity + 1, dtype), ending.data, ending.unset[1]
    noted = np.empty(len(walk.rows.indices) // PIECE + 1, np.int64), np.zeros(1, np.int64)
    functions = (sending.message, sending.combine, two_steps, choice.rate, choice.least,
                 ending.finish, choice.skip_empty)  # fmt: skip
    data = (walk, capacity, sending.data, choice.data, tables, noted, outcome)
    launch(best_kernel(*functions), walk.size, 8 if two_steps else 64, data, work=work, team=team)
    if noted[1][0]:
        long, indptr = noted[0][: noted[1][0]], walk.rows.indptr.view(np.int64)
        pieces = -(-int((indptr[long + 1] - indptr[long]).max()) // PIECE)
        lists = (np.empty(pieces * PIECE, np.int64), np.empty(pieces * PIECE, dtype),
                 np.empty(pieces, np.int64))  # fmt: skip
        shared = tuple(table[0] for table in new_tables(1, most + 1, dtype)[:2])
        bests = (np.empty(team, np.int64), np.empty(team, score.dtype), np.empty(team, np.bool_),
                 np.empty(1, dtype), np.empty(team, score.dtype))  # fmt: skip
        launch(long_kernel(*functions), walk, most, sending.data, choice.data, long,
               Scratch(tables, lists, shared, bests), outcome, work=work, team=team)  # fmt: skip


@cache
def best_kernel(message, combine, two_steps, rate, least, finish, skip_empty):
    """The loop for one message, one monoid and one way to rate; very long rows are only noted."""
    gather, better = gatherer(message, combine, two_steps), better_by(least, inlined)

    @inner
    def settle(v, table, rated, outcome, identity):
        slots, totals, used = table
        own, by_key, stay, params, draw = rated
        (best_key, best), state = outcome
        mine, kept, word, top = take(own, v), stay_of(stay, v), word_of(draw, v), best
        staying = staying_at(totals[used[1]] if kept >= 0 else identity, by_key, kept)
        some = False
        for i in range(1, used[0] + 1):
            at = used[i]
            key = key_at(slots, at)
            if skip_empty and totals[at] == identity and key != kept:
                continue
            new = cast(best, rate(totals[at], key, mine, staying, by_key, params))
            rank = ranked(new, draw, word, key)
            if not some or better(rank, key, top, best_key):
                best_key, best, top, some = key, new, rank, True
        finish(v, best_key, best, *state)

    @inlined
    def step(i, me, control, given):
        walk, most, data, rated, tables, noted, outcome = given
        if two_steps and stopped(control):
            return
        v, table = member(walk[2], i), table_of(tables, me)
        first, last = walk[0][0][v], walk[0][0][v + 1]
        if not two_steps and last - first > np.uint64(PIECE):
            noted[0][fetch_add(noted[1], 0, 1)] = v
            return
        shift, kept = shift_for(bound_of(walk, v, most) + 1), stay_of(rated[2], v)
        if kept >= 0:
            find(table, kept, shift, data[1])
        gather(table, v, first, last, walk, data, shift)
        settle(v, table, rated, outcome, data[1])
        clear_table(table)

    return over(step)


@cache
def long_kernel(message, combine, two_steps, rate, least, finish, skip_empty):
    """The very long rows, each by all threads together."""
    gather, better = gatherer(message, combine, two_steps), better_by(least, inlined)

    @inner
    def list_piece(j, table, lists):
        """Write what a table holds to the list of piece j, and empty it."""
        slots, totals, used = table
        for i in range(used[0]):
            at = used[i + 1]
            lists[0][j * PIECE + i], lists[1][j * PIECE + i] = key_at(slots, at), totals[at]
        lists[2][j] = used[0]
        clear_table(table)

    @inner
    def merge(me, team, pieces, lists, shared, shift, identity):
        """Add up the keys of this thread from all lists."""
        slots, totals = shared
        for j in range(pieces):
            for i in range(j * PIECE, j * PIECE + lists[2][j]):
                key = lists[0][i]
                if owner(key, team) == me:
                    at = claim(slots, totals, key, shift, identity)
                    totals[at] = combine(totals[at], lists[1][i])

    @inner
    def settle(me, team, v, size, shared, rated, unset, bests, identity):
        """The best key of this thread's part of the table, which is emptied."""
        slots, totals = shared
        own, by_key, stay, params, draw = rated
        best_key, best = unset
        mine, word, top, some = take(own, v), word_of(draw, v), best, False
        kept = stay_of(stay, v)
        staying = staying_at(bests[3][0], by_key, kept)
        low, high = share(me, team, size + 1)
        for i in range(low, high):
            at = i if i < size else len(slots) - 1
            if slots[at] != 0:
                key = key_at(slots, at)
                slots[at] = 0
                if skip_empty and totals[at] == identity and key != kept:
                    continue
                new = cast(best, rate(totals[at], key, mine, staying, by_key, params))
                rank = ranked(new, draw, word, key)
                if not some or better(rank, key, top, best_key):
                    best_key, best, top, some = key, new, rank, True
        bests[0][me], bests[1][me], bests[2][me], bests[4][me] = best_key, best, some, top

    @kernel(borrows=True)
    def run_long(me, team, control, walk, most, data, rated, long, scratch, outcome):
        tables, lists, shared, bests = scratch
        identity, (unset, state) = data[1], outcome
        starts, piece, table = walk[0][0], np.uint64(PIECE), table_of(tables, me)
        for v in long:
            first, last = starts[v], starts[v + 1]
            pieces = np.int64((last - first + piece - np.uint64(1)) // piece)
            for j in range(me, pieces, team):
                at = first + np.uint64(j) * piece
                gather(table, v, at, min(at + piece, last), walk, data, shift_for(PIECE))
                list_piece(j, table, lists)
            if not barrier(control, team):
                return
            shift = shift_for(min(lists[2][:pieces].sum(), most) + 1)
            merge(me, team, pieces, lists, shared, shift, identity)
            kept = stay_of(rated[2], v)
            if owner(kept, team) == me:
                bests[3][0] = identity
                if kept >= 0:
                    bests[3][0] = shared[1][claim(*shared, kept, shift, identity)]
            if not barrier(control, team):
                return
            size = np.int64(1) << (64 - np.int64(shift))
            settle(me, team, v, size, shared, rated, unset, bests, identity)
            if not barrier(control, team):
                return
            if me == 0:
                best_key, best, some, top = bests[0][0], bests[1][0], bests[2][0], bests[4][0]
                for other in range(1, team):
                    key, rank = bests[0][other], bests[4][other]
                    if bests[2][other] and (not some or better(rank, key, top, best_key)):
                        best_key, best, some, top = key, bests[1][other], True, rank
                finish(v, best_key, best, *state)

    return run_long

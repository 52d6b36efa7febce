"""Peeling on CPU threads: `propagate` with ``levels``, all levels in one launch.

The members that have not sent are in a list. When nobody is left to send, one pass over the list
drops those that have sent and finds the least value, the level; a second one queues those that have
come down to it. In between, turns push the edges of who is queued: values change at once, and who
falls to the level is queued for the next turn. ``stamps[v]`` is the turn in which v sends; until
then it listens.

A member is looked at once for every level until its own, so the list costs no more than the edges
do where values are numbers of neighbors; many distinct floats would cost far more. Short turns, of
which there are many, run on one thread.

Pays for: row core_number of ``python -m benchmarks``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import fetch_add, load
from edgewise.base.cpu.team import arrive, barrier, release, rewind, share, stopped, wait
from edgewise.base.observe import notify, observed
from edgewise.base.threads import brief, launch, uncrowded
from edgewise.graph import Graph
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu.inner import cast, changer, edge_at, stamped, weight_at
from edgewise.operators.cpu.rounds import (
    BUFFER,
    COUNT,
    EDGES,
    HEAVY,
    PLACED,
    QUEUE_SLOT,
    SCOUT,
    SIDE,
    SMALL,
    SMALL_EDGES,
    STAMP,
    STATE_WORDS,
    TAIL,
    TURN,
    VISITED,
    Turn,
    append,
    make_scratch,
    place,
    small,
)
from edgewise.operators.cpu.state import fixed
from edgewise.operators.cpu.traverse import pushers
from edgewise.operators.cpu.workspace import workspace
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import TRAVERSAL_NAMES, plain
from edgewise.operators.monoids import ADD, MIN
from edgewise.operators.requests import Traversal

__all__ = ["Peeling", "levels_kernel", "peel"]

# Words of ``state`` beyond those of `rounds`: vertices kept in the list by a pass (several threads
# add), vertices in it, which list it is, whether a level has been found since the launch, the end,
# and how many edges and members have been looked at.
KEPT, LEFT, HALF, RISEN, DONE, SPENT = (STATE_WORDS + word for word in (0, 8, 9, 10, 11, 12))
_WORDS = STATE_WORDS + 16
# Words of ``limits``: how much to look at; leave before a turn that one thread should not do by
# itself; leave after each level.
BUDGET, ALONE, PAUSE = 0, 1, 2
#: Elements of ``marks``: the level, and the least value that a pass has found so far.
LEVEL, LEAST = 0, 1
#: Lists of up to so many are looked through by one thread.
_SHORT = 4096
_BUDGET, _FOREVER = 1 << 21, 1 << 62


def peel(graph: Graph, members: Frontier, request: Traversal, combine: Any) -> Frontier:
    """See `edgewise.operators.propagate`, the part about ``levels``."""
    message, values = request.message, request.values
    out, _ = adjacency(graph, request.mode, request.weights, message.names, False)
    run = levels_kernel(
        plain(message, (*TRAVERSAL_NAMES, "level")),
        combine,
        request.reduce.combine is ADD.combine,
    )
    highest = MIN.identity_for(values.dtype)
    with workspace(graph, out.indices.dtype) as space:
        here = members.ids.astype(space.id_type)
        data = Peeling(
            values,
            request.levels,
            space.stamps,
            np.full(2, highest, values.dtype),
            highest,
            fixed(message.params),
            (here, np.empty_like(here)),
            _NO_DEPTHS,
        )
        space.stamp += _launches(run, data, out, space)
    return Frontier._trusted(space.n, ids=np.empty(0, np.int32 if space.n < 2**31 else np.int64))


class Peeling(NamedTuple):
    """State over vertices, and who has not sent."""

    values: np.ndarray
    levels: np.ndarray
    stamps: np.ndarray
    marks: np.ndarray
    highest: Any  # the greatest number that a value can be
    params: tuple
    lists: tuple[np.ndarray, np.ndarray]
    depths: np.ndarray  # none


def _launches(run, data, out, space) -> int:
    """Peel until everyone has sent; the number of turns."""
    scratch, team = make_scratch(space, out)
    state = np.zeros(_WORDS, np.int64)
    state[LEFT], state[STAMP] = len(data.lists[0]), space.stamp
    work, watched, reported = len(out.indices) + space.n, observed(), 0
    while not state[DONE]:
        alone = _alone(state)  # then nobody is woken for it
        # Where the caller takes part, a signal is noticed between launches alone.
        state[RISEN] = 0
        budget = state[SPENT] + _BUDGET if alone or brief(work, team) else _FOREVER
        limits = np.array([budget, alone, watched], np.int64)
        launch(run, out, data, scratch, state, limits, work=0 if alone else work,
               team=uncrowded(team))  # fmt: skip
        if watched and state[COUNT] == 0 and state[RISEN] and not state[DONE]:
            notify(reported, level=data.marks[LEVEL].item(), edges=int(state[VISITED]))
            reported += 1
    return int(state[TURN]) + 1


def _alone(state) -> bool:
    """What `_short` says: one thread alone is done sooner."""
    if state[COUNT] == 0:
        return bool(state[LEFT] <= _SHORT)
    return bool(state[COUNT] <= SMALL and state[EDGES] <= SMALL_EDGES)


@cache
def levels_kernel(message, combine, adds):
    """The loop for one message and one monoid; ``adds`` if that is a sum."""
    fall = _faller(combine, adds)

    @inner
    def expand(u, low, high, out, data, now, queue, buffer, state):
        """Push edges of one vertex; ``now`` is the number of this turn."""
        values, stamps, level = data.values, data.stamps, data.marks[LEVEL]
        value, old = values[u], state[STAMP]
        now += old
        for e in range(low, high):
            v = np.int64(out.indices[e])
            # Whoever has sent has come down to the level, and whoever is above it has not sent.
            if values[v] <= level and old < load(stamps, v) <= now:
                continue
            weight, edge = weight_at(out.weights, e), edge_at(out.edge_ids, e)
            sent = message(value, weight, u, edge, values[v], v, level, data.params)
            new, changed = fall(values, v, cast(values, sent))
            if changed and new <= level and not stamped(stamps, v, now + 1):
                data.levels[v] = level
                append(buffer, v, queue, out.indptr, data.depths, now, state)

    push, push_heavy = pushers(expand)

    @inner
    def survey(me, team, control, data, buffer, state):
        """List who has not sent, find the least value; the last thread makes it the level."""
        half, count, old = state[HALF], state[LEFT], state[STAMP]
        here, there = data.lists[half], data.lists[1 - half]
        low, high = share(me, team, count)
        least, filled = data.highest, np.int64(0)
        for i in range(low, high):
            v = np.int64(here[i])
            value = data.values[v]
            if load(data.stamps, v) > old or value != value:  # NaN never comes down to a level
                continue
            least = min(least, value)
            if filled == BUFFER:
                _spill(buffer, filled, there, state)
                filled = np.int64(0)
            buffer[filled] = v
            filled += 1
        _spill(buffer, filled, there, state)
        atomic.min(data.marks, LEAST, least)
        ready = arrive(control, team)
        if ready < 0:
            data.marks[LEVEL], data.marks[LEAST] = data.marks[LEAST], data.highest
            state[LEFT], state[HALF], state[KEPT] = state[KEPT], 1 - half, 0
            state[RISEN], state[DONE] = 1, state[LEFT] == 0
            state[SPENT] += count
            release(control, team)
            return not stopped(control)
        return wait(control, ready)

    @inner
    def select(me, team, data, turn, indptr, state):
        """Queue those of the list that have come down to the level."""
        buffer, level, now = turn.buffers[me], data.marks[LEVEL], turn.number
        buffer[BUFFER] = 0
        low, high = share(me, team, state[LEFT])
        for i in range(low, high):
            v = np.int64(data.lists[state[HALF]][i])
            if data.values[v] <= level:
                data.stamps[v] = state[STAMP] + now + 1
                data.levels[v] = level
                append(buffer, v, turn.queue, indptr, data.depths, now, state)

    @inner
    def step(me, team, control, out, data, scratch, state):
        """One turn: the level rises, or those queued push; False when stopped."""
        queues, side = scratch.queues, state[SIDE]
        turn = Turn(state[TURN] + 1, queues[side], queues[1 - side], scratch.buffers, scratch.heavy)
        if state[COUNT] == 0:
            if not survey(me, team, control, data, scratch.buffers[me], state):
                return False
            select(me, team, data, turn, out.indptr, state)
        else:
            push(me, team, control, out, data, turn, state)
        if not barrier(control, team):
            return False
        if state[HEAVY] > 0:
            push_heavy(me, team, out, data, turn, state)
            if not barrier(control, team):
                return False
        place(me, turn.buffers, turn.queue, out.indptr, data.depths, turn.number, state)
        ready = arrive(control, team)
        if ready < 0:
            _end_turn(control, state)
            release(control, team)
            return not stopped(control)
        return wait(control, ready)

    @kernel(borrows=True)
    def run(me, team, control, out, data, scratch, state, limits):
        while _active(state, limits):
            if not _short(state):
                if not step(me, team, control, out, data, scratch, state):
                    return
                continue
            if not barrier(control, team):
                return
            while me == 0:
                step(0, 1, control, out, data, scratch, state)
                if not _short(state) or stopped(control) or not _active(state, limits):
                    break
            if not barrier(control, team):
                return

    return run


@inner
def _active(state, limits):
    """Is there more to do in this launch?"""
    return (
        state[DONE] == 0
        and state[SPENT] < limits[BUDGET]
        and (limits[ALONE] == 0 or _short(state))
        and (limits[PAUSE] == 0 or state[COUNT] > 0 or state[RISEN] == 0)
    )


@inner
def _short(state):
    """Is one thread alone done sooner with the next turn?"""
    return state[LEFT] <= _SHORT if state[COUNT] == 0 else small(state)


@inner
def _spill(buffer, filled, there, state):
    """Move a thread's buffer to the end of a list."""
    at = fetch_add(state, KEPT, filled)
    for i in range(filled):
        there[at + i] = buffer[i]


@inner
def _end_turn(control, state):
    """On one thread: count the turn, turn the queues over."""
    state[VISITED] += state[EDGES]
    state[SPENT] += state[EDGES]
    state[COUNT], state[EDGES] = state[TAIL] + state[PLACED], state[SCOUT]
    state[TURN], state[SIDE] = state[TURN] + 1, 1 - state[SIDE]
    state[TAIL] = state[SCOUT] = state[HEAVY] = state[PLACED] = 0
    rewind(control, QUEUE_SLOT)


def _faller(combine, adds):
    """``fall(values, v, sent)``: combine a message in, atomically: (what is there, changed?)."""

    @inlined
    def added(values, v, sent):
        new = values.dtype.type(atomic.add(values, v, sent) + sent)
        return new, sent != 0

    change = changer(combine)

    @inlined
    def combined(values, v, sent):
        return change(values, v, load(values, v), sent, sent)

    return added if adds else combined


_NO_DEPTHS = np.zeros(0, np.int32)

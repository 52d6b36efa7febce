"""Rounds of messages over a frontier on CPU threads: the loop behind `advance` and `propagate`.

One launch runs many rounds (`traverse_kernel`), or one (`round_kernel`). A round pushes along the
edges that leave the frontier, or pulls along the edges that enter the vertices still listening,
whichever touches fewer edges [1]. A frontier is a queue when pushed and a bitmap when pulled.
Rounds of few edges run on one thread while the others wait; a vertex with very many edges is
expanded by all threads together.

What happens on an edge is in `steps.py`: `in_place` updates the values at once (idempotent
monoids), `apart` adds the messages up first and then lets them settle.

Pays for: row bfs of ``python -m benchmarks gap``.

[1] S. Beamer, K. Asanovic, D. Patterson. Direction-optimizing breadth-first search. SC 2012.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.team import arrive, barrier, grab, release, share, stopped, wait
from edgewise.operators.cpu import column_steps, steps
from edgewise.operators.cpu.rounds import (
    BUFFER,
    COUNT,
    HEAVY,
    HEAVY_DEGREE,
    MODE,
    PULL,
    QUEUE_SLOT,
    SIDE,
    TURN,
    active,
    change_form,
    clear,
    finish_round,
    portion,
    small,
)
from edgewise.operators.cpu.steps import Functions, Steps

__all__ = ["pushers", "round_kernel", "traverse_kernel"]


def _steps(functions: Functions) -> Steps:
    """What happens on an edge."""
    home = column_steps if functions.columns else steps
    return home.in_place(functions) if functions.at_once else home.apart(functions)


def pushers(expand):
    """``push``: the vertices of a queue; ``push_heavy``: those of very many edges among them."""

    @inner
    def push(team, control, out, data, turn, front, queue, buffer, heavy, state):
        indptr, count, chunk = out.indptr, state[COUNT], portion(state, team)
        low = high = np.int64(0)
        buffer[BUFFER] = 0
        while True:
            if team == 1:
                low, high = high, count
            else:
                low, high = grab(control, QUEUE_SLOT, chunk, count)
            if low >= high:
                break
            for i in range(low, high):
                u = np.int64(front[i])
                start, end = indptr[u], indptr[u + 1]
                if team > 1 and end - start > np.uint64(HEAVY_DEGREE):
                    heavy[fetch_add(state, HEAVY, 1)] = u
                else:
                    expand(u, start, end, out, data, turn, queue, buffer, state)

    @inner
    def push_heavy(me, team, out, data, turn, queue, buffer, heavy, state):
        """Expand the vertices of very many edges, each by all threads."""
        indptr = out.indptr
        for i in range(state[HEAVY]):
            u = np.int64(heavy[i])
            start = indptr[u]
            low, high = share(me, team, np.int64(indptr[u + 1] - start))
            low, high = start + np.uint64(low), start + np.uint64(high)
            expand(u, low, high, out, data, turn, queue, buffer, state)

    return push, push_heavy


@cache
def round_kernel(functions: Functions, mode: int):
    """One round, pushed or pulled: for `advance`, which needs no more, and compiles far less."""
    expand, pull, settle_queue, settle_bits = _steps(functions)
    push, push_heavy = pushers(expand)

    @kernel(borrows=True)
    def push_once(me, team, control, out, data, room, state):
        front, queue = room.queues
        buffer = room.buffers[me]
        push(team, control, out, data, 1, front, queue, buffer, room.heavy, state)
        if not barrier(control, team):
            return
        if state[HEAVY] > 0:
            push_heavy(me, team, out, data, 1, queue, buffer, room.heavy, state)
            if not barrier(control, team):
                return
        settle_queue(me, team, control, out.indptr, data, 1, front, queue, room.buffers, state)

    @kernel(borrows=True)
    def pull_once(me, team, control, into, data, front, following, state):
        pull(control, into, data, 1, front, following, state)
        settle_bits(me, team, control, data, 1, following, state)

    return pull_once if mode == PULL else push_once


@cache
def traverse_kernel(functions: Functions):
    """The loop for one message, one monoid and the conditions on targets and senders."""
    expand, pull, settle_queue, settle_bits = _steps(functions)
    push, push_heavy = pushers(expand)
    early_exit = functions.early_exit

    @kernel(borrows=True)
    def traverse(me, team, control, out, into, data, room, state, limits, trace):
        n = np.int64(len(out.indptr)) - 1
        queues, bitmaps, buffers, heavy = room
        buffer = buffers[me]
        while active(state, limits, trace):
            if not change_form(me, team, control, queues, bitmaps, out.indptr, state):
                return
            turn, side = state[TURN] + 1, state[SIDE]
            front, queue, bitmap = queues[side], queues[1 - side], bitmaps[1 - side]
            if state[MODE] == PULL:
                clear(me, team, bitmap)
                if not barrier(control, team):
                    return
                pull(control, into, data, turn, bitmaps[side], bitmap, state)
                if not settle_bits(me, team, control, data, turn, bitmap, state):
                    return
            elif small(state):
                if not barrier(control, team):
                    return
                while me == 0:
                    turn, side = state[TURN] + 1, state[SIDE]
                    front, queue = queues[side], queues[1 - side]
                    push(1, control, out, data, turn, front, queue, buffer, heavy, state)
                    settle_queue(0, 1, control, out.indptr, data, turn, front, queue, buffers,
                                 state)  # fmt: skip
                    finish_round(control, state, n, early_exit, limits, trace)
                    if not small(state) or stopped(control) or not active(state, limits, trace):
                        break
                if not barrier(control, team):
                    return
                continue
            else:
                push(team, control, out, data, turn, front, queue, buffer, heavy, state)
                if not barrier(control, team):
                    return
                if state[HEAVY] > 0:
                    push_heavy(me, team, out, data, turn, queue, buffer, heavy, state)
                    if not barrier(control, team):
                        return
                if not settle_queue(me, team, control, out.indptr, data, turn, front, queue,
                                    buffers, state):  # fmt: skip
                    return
            here = arrive(control, team)
            if here < 0:
                finish_round(control, state, n, early_exit, limits, trace)
                release(control, team)
            elif not wait(control, here):
                return

    return traverse

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
    Turn,
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
    def push(me, team, control, out, data, turn, state):
        indptr, count, chunk = out.indptr, state[COUNT], portion(state, team)
        number, front, queue, buffer = turn.number, turn.front, turn.queue, turn.buffers[me]
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
                    turn.heavy[fetch_add(state, HEAVY, 1)] = u
                else:
                    expand(u, start, end, out, data, number, queue, buffer, state)

    @inner
    def push_heavy(me, team, out, data, turn, state):
        """Expand the vertices of very many edges, each by all threads."""
        indptr, queue, buffer = out.indptr, turn.queue, turn.buffers[me]
        for i in range(state[HEAVY]):
            u = np.int64(turn.heavy[i])
            start = indptr[u]
            low, high = share(me, team, np.int64(indptr[u + 1] - start))
            low, high = start + np.uint64(low), start + np.uint64(high)
            expand(u, low, high, out, data, turn.number, queue, buffer, state)

    return push, push_heavy


@cache
def round_kernel(functions: Functions, mode: int):
    """One round, pushed or pulled: for `advance`, which needs no more, and compiles far less."""
    expand, pull, settle_queue, settle_bits = _steps(functions)
    push, push_heavy = pushers(expand)

    @kernel(borrows=True)
    def push_once(me, team, control, out, data, scratch, state):
        turn = Turn(
            np.int64(1), scratch.queues[0], scratch.queues[1], scratch.buffers, scratch.heavy
        )
        push(me, team, control, out, data, turn, state)
        if not barrier(control, team):
            return
        if state[HEAVY] > 0:
            push_heavy(me, team, out, data, turn, state)
            if not barrier(control, team):
                return
        settle_queue(me, team, control, out.indptr, data, turn, state)

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
    def traverse(me, team, control, out, into, data, scratch, progress):
        n, state = np.int64(len(out.indptr)) - 1, progress.state
        queues, bitmaps, buffers, heavy = scratch
        while active(progress):
            if not change_form(me, team, control, queues, bitmaps, out.indptr, state):
                return
            side = state[SIDE]
            turn = Turn(state[TURN] + 1, queues[side], queues[1 - side], buffers, heavy)
            if state[MODE] == PULL:
                bitmap = bitmaps[1 - side]
                clear(me, team, bitmap)
                if not barrier(control, team):
                    return
                pull(control, into, data, turn.number, bitmaps[side], bitmap, state)
                if not settle_bits(me, team, control, data, turn.number, bitmap, state):
                    return
            elif small(state):
                if not barrier(control, team):
                    return
                while me == 0:
                    side = state[SIDE]
                    turn = Turn(state[TURN] + 1, queues[side], queues[1 - side], buffers, heavy)
                    push(0, 1, control, out, data, turn, state)
                    settle_queue(0, 1, control, out.indptr, data, turn, state)
                    finish_round(control, progress, n, early_exit)
                    if not small(state) or stopped(control) or not active(progress):
                        break
                if not barrier(control, team):
                    return
                continue
            else:
                push(me, team, control, out, data, turn, state)
                if not barrier(control, team):
                    return
                if state[HEAVY] > 0:
                    push_heavy(me, team, out, data, turn, state)
                    if not barrier(control, team):
                        return
                if not settle_queue(me, team, control, out.indptr, data, turn, state):
                    return
            here = arrive(control, team)
            if here < 0:
                finish_round(control, progress, n, early_exit)
                release(control, team)
            elif not wait(control, here):
                return

    return traverse

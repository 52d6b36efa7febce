"""The bookkeeping of rounds that the traversal kernels share: frontier forms, queues, decisions.

``state`` is an int64 array that outlives a launch, so that a loop can leave (to report, or at its
limit of rounds) and come back. All threads read it between barriers; thread 0 writes it.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.atomics import fetch_add, fetch_or
from edgewise.base.cpu.team import barrier, rewind, share

# Words of ``state``; those that several threads add to have a cache line each.
TAIL, SCOUT, AWAKE, HEAVY, VISITED = 0, 8, 16, 24, 32
COUNT, MODE, FORM, TURN, SIDE, LEFT, TRACED, EDGES = 40, 41, 42, 43, 44, 45, 46, 47
STATE_WORDS = 48

# Modes of a round, and forms of a frontier: a queue is pushed, a bitmap is pulled.
PUSH, PULL = 0, 1

# Words of ``limits``.
MAX_TURN, FORCED, BUDGET, ARCS = 0, 1, 2, 3

#: Frontiers up to this size run on one thread: a barrier costs more than they do.
SMALL = 128
#: Vertices with more edges than this are expanded by all threads together.
HEAVY_DEGREE = 1 << 15
QUEUE_SLOT, SCAN_SLOT = 0, 1
BUFFER = 1024
_ALPHA, _BETA = 15, 18


@inner
def active(state, limits, trace):
    """Is there a frontier, and room under the limits, for one more round?"""
    return (
        state[COUNT] > 0
        and state[TURN] < limits[MAX_TURN]
        and state[VISITED] < limits[BUDGET]
        and state[TRACED] < len(trace)
    )


@inner
def append(buffer, item, queue, indptr, state):
    """Put a vertex into a thread's buffer; a full buffer moves to the shared queue.

    The buffer's last element is the number of those before it that are filled.
    """
    filled = np.int64(buffer[BUFFER])
    if filled == BUFFER:
        flush(buffer, queue, indptr, state)
        filled = np.int64(0)
    buffer[filled] = item
    buffer[BUFFER] = filled + 1


@inner
def flush(buffer, queue, indptr, state):
    """Move a thread's buffer to the end of the shared queue, counting the edges that leave it."""
    filled = np.int64(buffer[BUFFER])
    start = fetch_add(state, TAIL, filled)
    edges = np.uint64(0)
    for i in range(filled):
        v = np.int64(buffer[i])
        queue[start + i] = buffer[i]
        edges += indptr[v + 1] - indptr[v]
    fetch_add(state, SCOUT, np.int64(edges))
    buffer[BUFFER] = 0


@inner
def clear(me, team, bitmap):
    """Empty a bitmap, each thread its part."""
    low, high = share(me, team, len(bitmap))
    for i in range(low, high):
        bitmap[i] = 0


@inner
def change_form(me, team, control, queues, bitmaps, state):
    """Give the frontier the form that the chosen mode wants; False when stopped."""
    form, mode, side = state[FORM], state[MODE], state[SIDE]
    if form == mode:
        return True
    queue, bitmap = queues[side], bitmaps[side]
    if mode == PULL:
        clear(me, team, bitmap)
        if not barrier(control, team):
            return False
        low, high = share(me, team, state[COUNT])
        for i in range(low, high):
            v = np.uint64(queue[i])
            fetch_or(bitmap, v >> np.uint64(6), np.uint64(1) << (v & np.uint64(63)))
    else:
        _list_bits(me, team, bitmap, queue, state)
    if not barrier(control, team):
        return False
    if me == 0:
        state[FORM], state[TAIL] = mode, 0
    return barrier(control, team)


@inner
def _list_bits(me, team, bitmap, queue, state):
    """Write the members of a bitmap to a queue: count, reserve, write."""
    low, high = share(me, team, len(bitmap))
    mine = np.int64(0)
    for i in range(low, high):
        word = bitmap[i]
        while word != 0:
            word &= word - np.uint64(1)
            mine += 1
    at = fetch_add(state, TAIL, mine)
    for i in range(low, high):
        word, first = bitmap[i], i * 64
        while word != 0:
            rest = word & (word - np.uint64(1))
            queue[at] = first + _log2(word ^ rest)
            word = rest
            at += 1


@inner
def _log2(power):
    """The exponent of a power of two."""
    place = 0
    for step in (32, 16, 8, 4, 2, 1):
        if power >> np.uint64(step):
            power >>= np.uint64(step)
            place += step
    return place


@inner
def finish_round(control, state, n, early_exit, limits, trace):
    """On thread 0: count the round, choose push or pull for the next, turn the queues over."""
    pulled = state[MODE] == PULL
    old, new = state[COUNT], state[AWAKE] if pulled else state[TAIL]
    if not pulled:
        state[VISITED] += state[EDGES]
        state[LEFT] -= state[EDGES]
    state[EDGES] = state[SCOUT]
    if limits[FORCED] >= 0:
        mode = limits[FORCED]
    elif pulled:
        mode = PULL if new >= old or new > n // _BETA else PUSH
    elif early_exit:
        mode = PULL if state[SCOUT] > state[LEFT] // _ALPHA else PUSH
    else:
        mode = PULL if state[SCOUT] > limits[ARCS] // 2 else PUSH
    row = state[TRACED]
    trace[row, 0], trace[row, 1], trace[row, 2] = old, state[VISITED], state[MODE]
    if len(trace) > 1:
        state[TRACED] += 1
    state[COUNT], state[FORM], state[MODE] = new, state[MODE], mode
    state[TURN], state[SIDE] = state[TURN] + 1, 1 - state[SIDE]
    state[TAIL] = state[SCOUT] = state[AWAKE] = state[HEAVY] = 0
    rewind(control, QUEUE_SLOT)
    rewind(control, SCAN_SLOT)

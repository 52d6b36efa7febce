"""The bookkeeping of rounds that the traversal kernels share: frontier forms, queues, decisions.

``state`` is an int64 array that outlives a launch, so that a loop can leave (to report, or at its
limit of rounds) and come back. All threads read it between barriers; thread 0 writes it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.atomics import fetch_add, fetch_or, prefetch
from edgewise.base.cpu.team import barrier, rewind, share
from edgewise.base.threads import team_for

# Words of ``state``; those that several threads add to have a cache line each.
TAIL, SCOUT, AWAKE, HEAVY, VISITED, PLACED = 0, 8, 16, 24, 32, 40
COUNT, MODE, FORM, TURN, SIDE, LEFT, TRACED, EDGES = 48, 49, 50, 51, 52, 53, 54, 55
#: Rounds stamp the vertices that they reach with their number above this one.
STAMP = 56
STATE_WORDS = 64

# Modes of a round, and forms of a frontier: a queue is pushed, a bitmap is pulled.
PUSH, PULL = 0, 1

# Words of ``limits``; ALONE: leave before a round that one thread should not do by itself;
# INTO: the edges that enter a vertex are at hand, so that it can pull.
MAX_TURN, FORCED, BUDGET, ARCS, ALONE, INTO = 0, 1, 2, 3, 4, 5

#: Frontiers of up to so many vertices and edges run on one thread: a barrier costs more.
SMALL, SMALL_EDGES = 128, 4096
#: Vertices with more edges than this are expanded by all threads together.
HEAVY_DEGREE = 1 << 15
QUEUE_SLOT, SCAN_SLOT = 0, 1
BUFFER = 1024
#: Threads synchronize after rounds of so many edges on a busy machine, too; a round is worth one
#: thread more for every so many.
LONG, SHORT = 1 << 17, 512
_EVEN = 1 << 13
_ALPHA, BETA, _SCAN = 15, 18, 64


class Scratch(NamedTuple):
    """Where frontiers are written: in turns, as queues or as bitmaps; and what leads there."""

    queues: tuple[np.ndarray, np.ndarray]
    bitmaps: tuple[np.ndarray, np.ndarray]
    buffers: np.ndarray  # a row for each thread
    heavy: np.ndarray  # vertices of very many edges


class Turn(NamedTuple):
    """One round: its number, who sends, and where is listed whom it reaches."""

    number: int
    front: np.ndarray
    queue: np.ndarray
    buffers: np.ndarray
    heavy: np.ndarray


class Progress(NamedTuple):
    """How far a loop has come, how far it may go, and what it reports of every round."""

    state: np.ndarray
    limits: np.ndarray
    trace: np.ndarray


def make_scratch(space, out) -> tuple[Scratch, int]:
    """Scratch of a workspace, and for how many threads."""
    most = len(out.indices) // HEAVY_DEGREE + 1
    team = team_for(len(out.indices) + space.n, barriers=2)
    if (
        space.scratch is None
        or len(space.scratch.buffers) != team
        or len(space.scratch.heavy) < most
    ):
        buffers = space.buffers(team, BUFFER + 64)  # no cache line is shared
        heavy = np.empty(most, space.id_type)
        space.scratch = Scratch(space.queues, space.bitmaps, buffers, heavy)
    return space.scratch, team


@inner
def active(progress):
    """Is there a frontier, and do the limits allow it, for one more round?"""
    state, limits, trace = progress
    return (
        state[COUNT] > 0
        and state[TURN] < limits[MAX_TURN]
        and state[VISITED] < limits[BUDGET]
        and state[TRACED] < len(trace)
        and (limits[ALONE] == 0 or small(state))
        and (limits[INTO] == 1 or state[MODE] == PUSH)
    )


@inner
def append(buffer, item, queue, indptr, depths, turn, state):
    """Put a vertex into a thread's buffer; a full buffer moves to the shared queue.

    The buffer's last element is the number of those before it that are filled.
    """
    filled = np.int64(buffer[BUFFER])
    if filled == BUFFER:
        flush(buffer, queue, indptr, depths, turn, state)
        filled = np.int64(0)
    buffer[filled] = item
    if len(depths) > 0:
        prefetch(depths, item)  # written in `_move`
    buffer[BUFFER] = filled + 1


@inner
def flush(buffer, queue, indptr, depths, turn, state):
    """Move a thread's buffer to the end of the shared queue."""
    at = fetch_add(state, TAIL, np.int64(buffer[BUFFER]))
    _move(buffer, queue, at, indptr, depths, turn, state)
    buffer[BUFFER] = 0


@inner
def _move(buffer, queue, at, indptr, depths, turn, state):
    """Copy a buffer into the queue; count the edges that leave it, note when it was reached.

    Depths are written here, all at once, because a store that misses the cache would hold up the
    atomic update of the next vertex.
    """
    edges = np.uint64(0)
    for i in range(np.int64(buffer[BUFFER])):
        v = np.int64(buffer[i])
        queue[at + i] = buffer[i]
        edges += indptr[v + 1] - indptr[v]
        if len(depths) > 0:
            depths[v] = turn
    fetch_add(state, SCOUT, np.int64(edges))


@inner
def place(me, buffers, queue, indptr, depths, turn, state):
    """Move what is left in the buffers to the queue, thread by thread; call between two barriers.

    So a thread finds its own vertices at about its own part of the next frontier: what it has
    written is still in its cache.
    """
    at = state[TAIL]
    for other in range(me):
        at += np.int64(buffers[other, BUFFER])
    _move(buffers[me], queue, at, indptr, depths, turn, state)
    fetch_add(state, PLACED, np.int64(buffers[me, BUFFER]))


@inner
def small(state):
    """Is the round so short that one thread alone is done sooner?"""
    return state[COUNT] <= SMALL and state[EDGES] <= SMALL_EDGES and state[MODE] == PUSH


@inner
def portion(state, team):
    """How many vertices of the frontier a thread takes at once.

    Short rounds over short rows are dealt out evenly, so that threads keep to their own part from
    round to round; else few at a time, because nobody knows how long the rows are, and all threads
    should come several times.
    """
    count = state[COUNT]
    if count <= _EVEN and state[EDGES] <= 8 * count:
        return (count + team - 1) // team
    return min(np.int64(64), count // (8 * team) + 1)


@inner
def clear(me, team, bitmap):
    """Empty a bitmap, each thread its part."""
    low, high = share(me, team, len(bitmap))
    for i in range(low, high):
        bitmap[i] = 0


@inner
def change_form(me, team, control, queues, bitmaps, indptr, state):
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
        _list_bits(me, team, bitmap, queue, indptr, state)
    if not barrier(control, team):
        return False
    if me == 0:
        state[FORM], state[TAIL] = mode, 0
    return barrier(control, team)


@inner
def _list_bits(me, team, bitmap, queue, indptr, state):
    """Write the members of a bitmap to a queue: count, reserve, write; count their edges too."""
    low, high = share(me, team, len(bitmap))
    mine, edges = np.int64(0), np.uint64(0)
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
            v = first + _log2(word ^ rest)
            queue[at] = v
            edges += indptr[v + 1] - indptr[v]
            word = rest
            at += 1
    fetch_add(state, EDGES, np.int64(edges))


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
def finish_round(control, progress, n, early_exit):
    """On one thread: count the round, choose push or pull for the next, turn the queues over."""
    state, limits, trace = progress
    pulled = state[MODE] == PULL
    old, new = state[COUNT], state[AWAKE] if pulled else state[TAIL] + state[PLACED]
    if not pulled:
        state[VISITED] += state[EDGES]
        state[LEFT] -= state[EDGES]
    state[EDGES] = state[SCOUT]
    if limits[FORCED] >= 0:
        mode = limits[FORCED]
    elif pulled:
        mode = PULL if new >= old or new > n // BETA else PUSH
    elif early_exit:
        # Pulling saves edges, but looks at every vertex.
        mode = PULL if state[SCOUT] > max(state[LEFT] // _ALPHA, n // _SCAN) else PUSH
    else:
        mode = PULL if state[SCOUT] > limits[ARCS] // 2 else PUSH
    row = state[TRACED]
    trace[row, 0], trace[row, 1], trace[row, 2] = old, state[VISITED], state[MODE]
    if len(trace) > 1:
        state[TRACED] += 1
    state[COUNT], state[FORM], state[MODE] = new, state[MODE], mode
    state[TURN], state[SIDE] = state[TURN] + 1, 1 - state[SIDE]
    state[TAIL] = state[SCOUT] = state[AWAKE] = state[HEAVY] = state[PLACED] = 0
    rewind(control, QUEUE_SLOT)
    rewind(control, SCAN_SLOT)

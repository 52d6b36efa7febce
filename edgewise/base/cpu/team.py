"""What the threads of a team say to one another inside a kernel.

``control`` is the launch's int64 array: word 0 is the stop flag, word 1 how far sequential work has
come, words 8 and 16 the barrier, and every eighth word from 24 a work counter (its own cache line),
named by its slot number.
"""

from __future__ import annotations

import numpy as np
from numba import types

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import fetch_add, load, pause, store

__all__ = [
    "arrive",
    "barrier",
    "going",
    "grab",
    "listen",
    "release",
    "rewind",
    "share",
    "stopped",
    "wait",
]

_STOP, _DONE, _ARRIVED, _ROUND, _SLOTS = 0, 1, 8, 16, 24
_SPINS, _MOMENT = 2000, 4000
_sched_yield = types.ExternalFunction("sched_yield", types.int32())


@kernel
def listen(bell, heard):
    """Spin for a moment (some 100 microseconds), or until the bell has been rung again."""
    for _ in range(_MOMENT):
        if load(bell, 0) != heard:
            return
        pause()


@inner
def stopped(control):
    """Has the launch been interrupted, or another thread failed?"""
    return load(control, _STOP) != 0


@inner
def going(control, done):
    """Note how many steps are done; False if the launch was interrupted: then return at once.

    For sequential work, called at least every millisecond or so. See
    `edgewise.operators.sequential`.
    """
    control[_DONE] = done
    return load(control, _STOP) == 0


@inner
def barrier(control, team):
    """Wait until all threads are here; False if the launch was stopped: then return at once."""
    here = arrive(control, team)
    if here < 0:
        release(control, team)
        return not stopped(control)
    return wait(control, here)


@inner
def arrive(control, team):
    """Come to a barrier: -1 for the last thread, which must `release` the others, who `wait`.

    What one thread does for all, the last one does before it lets the others go.
    """
    here = load(control, _ROUND)
    if team == 1 or fetch_add(control, _ARRIVED, 1) == team - 1:
        return np.int64(-1)
    return here


@inner
def release(control, team):
    """Let the others go on: for the last thread at a barrier."""
    if team > 1:
        store(control, _ARRIVED, 0)
        store(control, _ROUND, load(control, _ROUND) + 1)


@inner
def wait(control, here):
    """Wait to be released; False if the launch was stopped: then return at once."""
    spins = 0
    while load(control, _ROUND) == here:
        if stopped(control):
            return False
        spins += 1
        if spins < _SPINS:
            pause()
        else:
            _sched_yield()
    return not stopped(control)


@inner
def grab(control, slot, chunk, limit):
    """The next chunk of the work ``0..limit`` as ``(low, high)``; empty when none is left."""
    low = limit
    if not stopped(control):
        low = min(fetch_add(control, _SLOTS + 8 * slot, chunk), limit)
    return low, min(low + chunk, limit)


@inner
def rewind(control, slot):
    """Start a work counter anew; call on one thread, between two barriers."""
    store(control, _SLOTS + 8 * slot, 0)


@inner
def share(me, team, n):
    """This thread's equal part of ``0..n`` as ``(low, high)``."""
    n = np.int64(n)
    return n * me // team, n * (me + 1) // team

"""What the threads of a team say to one another inside a kernel.

``control`` is the launch's int64 array: word 0 is the stop flag, word 1 how far sequential work has
come, word 2 the address of the crew (`edgewise.base.cpu.crew`), words 8, 16 and 17 the barrier, and
every eighth word from 24 a work counter (its own cache line), named by its slot number.

A thread at a barrier spins for a moment and yields its core for a while, then naps, so that on a
busy machine it takes no core from the thread that it waits for (`wait_at`).
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.atomics import fetch_add, load, store
from edgewise.base.cpu.crew import CREW, wait_at
from edgewise.base.cpu.futex import address, load_at, ring, store_at

__all__ = [
    "arrive",
    "barrier",
    "going",
    "grab",
    "release",
    "rewind",
    "share",
    "stopped",
    "wait",
]

_STOP, _DONE, _ARRIVED, _ROUND, _NAPPING, _SLOTS = 0, 1, 8, 16, 17, 24


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
        place = address(control, _ROUND)
        store_at(place, load(control, _ROUND) + 1)
        if load_at(address(control, _NAPPING)) > 0:
            ring(place)


@inner
def wait(control, here):
    """Wait to be released; False if the launch was stopped: then return at once."""
    place, napping = address(control, _ROUND), address(control, _NAPPING)
    wait_at(place, here, napping, address(control, _STOP), control[CREW])
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

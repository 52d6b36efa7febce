"""Targets drawn by degree, each a reference to an earlier edge's end."""

from __future__ import annotations

import numpy as np
from numba import types

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.atomics import load, pause, store
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab, stopped
from edgewise.generators.cpu.permutation import below

__all__ = ["attach"]

_CHUNK = 256
_SPINS = 1000
_sched_yield = types.ExternalFunction("sched_yield", types.int32())


@kernel
def attach(me, team, control, seed, m, sources, targets):
    """Fill ``targets`` from edge m on; -1 is a target that is not known yet.

    The newcomers are handed out in order and refer to earlier ones alone, so the first unfinished
    one never waits.
    """
    newcomers = len(sources) // m - 1
    while True:
        low, high = grab(control, 0, _CHUNK, newcomers)
        if low == high:
            break
        for newcomer in range(low, high):
            first = m * (newcomer + 1)
            for e in range(first, first + m):
                turn = 0
                while True:
                    target = _draw(control, seed, e, turn, first, sources, targets)
                    if target < 0:
                        return
                    if _first(target, targets, first, e) == e:
                        break
                    turn += 1
                store(targets, e, target)


@helper
def _draw(control, seed, e, turn, first, sources, targets):
    """The vertex at a random one of the ``2 * first`` earlier ends; -1 if interrupted."""
    position = below(bits(seed, np.uint64(e), np.uint64(turn)), np.uint64(2 * first))
    edge = np.int64(position >> np.uint64(1))
    if position & np.uint64(1) == 0:
        return sources[edge]
    target, spins = load(targets, edge), 0
    while target < 0:
        if stopped(control):
            return target
        spins += 1
        if spins < _SPINS:
            pause()
        else:
            _sched_yield()
        target = load(targets, edge)
    return target


@helper
def _first(target, targets, low, high):
    """The first edge in ``low..high`` with this target; ``high`` if there is none."""
    while low < high and targets[low] != target:
        low += 1
    return low

"""The threads that wait for a launch inside compiled code, and how a launch calls them.

``crew`` is an int64 array that lives as long as its threads. Word 0 holds the address of a thread's
part of the launch, word 1 that of its packed arguments, word 2 the size of the team. Words 3 to 7
are about waiting: for how many more waits the machine counts as busy, a file that tells how many
threads want to run, the number of cores, the address of `outwait`, and whether a thread reads that
file. Word 8 counts the threads
still at work, word 9 whether the leader naps there. Thread ``i`` waits at word ``16 + 8 * i`` for
the number of a launch that it is to join; the word behind it is 1 while it naps. The word behind
that is the number of launches, for thread 0: the leader of every launch.

A waiting thread spins for a moment, because the next launch of a loop comes soon, then naps: it
takes no core from the thread that it waits for. Threads that nap are woken along a tree, so that no
thread makes more than `_FAN` calls to the system.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np
from numba import types

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import pause
from edgewise.base.cpu.futex import (
    add_at,
    address,
    byte_at,
    call_part,
    call_wait,
    load_at,
    nap,
    ring,
    scratch,
    store_at,
)

__all__ = ["CREW", "free_cores", "lead_address", "new_crew", "serve", "wait_at"]

#: The word of ``control`` that holds the address of the crew.
CREW = 2
# In bytes.
_PART, _PACKED, _TEAM, _BUSY, _LOAD, _CORES, _OUTWAIT, _READING = 0, 8, 16, 24, 32, 40, 48, 56
_WORKING, _NAPPING, _FIRST = 64, 72, 128
_EACH, _NAPS, _NUMBER = 64, 8, 16
#: How many others a thread wakes.
_FAN = 4
#: For how many pauses to spin after a launch, for the next one, and at a barrier; a quarter of it
#: on a busy machine. A thread spins so many times at a barrier before it naps.
_MOMENT, _SPINS, _TURNS = 8000, 2000, 64
#: For how many waits a machine counts as busy.
_BUSY_WAITS = 200
#: Naps take so many microseconds at most, because the stop flag wakes nobody.
_NAP = 5000
_TEXT = 96
if hasattr(os, "pread"):
    _pread = types.ExternalFunction(
        "pread", types.int64(types.int32, types.int64, types.int64, types.int64)
    )
else:  # Windows, which has no such file either

    @inner
    def _pread(file, text, size, start):
        return -1


def new_crew(size: int) -> np.ndarray:
    """The words of a crew of up to so many threads."""
    crew = np.zeros((_FIRST + _EACH * size) // 8, np.int64)
    crew[_LOAD // 8] = _load_file()
    crew[_CORES // 8] = os.cpu_count() or 1
    crew[_OUTWAIT // 8] = _address_of(outwait, 5)
    return crew


def free_cores(crew: np.ndarray, hired: int, team: int) -> int:
    """How many of a team could run at once, if the machine was busy when threads waited last.

    It is no longer busy if there are cores for all of the team beside the others that want to run:
    neither this thread nor those of the crew (there are ``hired``) that wait for the next launch.
    """
    if crew[_BUSY // 8] <= 0:
        return team
    napping = crew[(_FIRST + _EACH + _NAPS) // 8 :: _EACH // 8][: hired - 1]
    cores, others = int(crew[_CORES // 8]), _running() - hired + int(napping.sum())
    if others + team > cores + cores // 8:
        return max(1, min(team, cores - others))
    crew[_BUSY // 8] = 0
    return team


def _running() -> int:
    """How many threads of the machine want to run, this one included; 1 where nobody tells."""
    if _load_file() < 0:
        return 1
    try:
        return int(os.pread(_load_file(), _TEXT, 0).split()[3].split(b"/")[0])
    except (OSError, ValueError, IndexError):
        return 1


@kernel
def serve(crew, me):
    """Join one launch after another, for ever."""
    base, joined = address(crew, 0), 0
    mine = base + _FIRST + _EACH * me
    while True:
        joined = _next(base, mine, joined)
        _wake(base, me, load_at(base + _TEAM))
        call_part(load_at(base + _PART), load_at(base + _PACKED), me)
        if add_at(base + _WORKING, -1) == 1 and load_at(base + _NAPPING) != 0:
            ring(base + _WORKING)


@inner
def _next(base, mine, joined):
    """Wait for the number of a launch that is not the last one joined."""
    if _spin(mine, joined, base, _MOMENT):
        return load_at(mine)
    store_at(mine + _NAPS, 1)
    while load_at(mine) == joined:
        nap(mine, joined, 0)
    store_at(mine + _NAPS, 0)
    return load_at(mine)


@inner
def _wake(base, me, team):
    """Wake those of the launch who nap, as far as they are this thread's to wake."""
    for other in range(_FAN * me + 1, min(_FAN * (me + 1) + 1, team)):
        place = base + _FIRST + _EACH * other
        if load_at(place + _NAPS) != 0:
            ring(place)


@kernel
def lead(control, team, part, packed):
    """Have a launch run: call the team, run part 0, wait for the others; all are addresses."""
    base = load_at(control + 8 * CREW)
    store_at(base + _PART, part)
    store_at(base + _PACKED, packed)
    store_at(base + _TEAM, team)
    store_at(base + _WORKING, team - 1)
    if team > load_at(base + _CORES):  # a thread that spins keeps another one from its core
        store_at(base + _BUSY, _BUSY_WAITS)
    number = add_at(base + _FIRST + _NUMBER, 1) + 1
    # Last to first: who joins finds those it is to wake called already. Were one of them called
    # later, it could nap in between, and nobody would wake it.
    for other in range(team - 1, 0, -1):
        store_at(base + _FIRST + _EACH * other, number)
    _wake(base, 0, team)
    call_part(part, packed, 0)
    _dismiss(base)


@inner
def _dismiss(base):
    """Wait until all others have done their part."""
    working = base + _WORKING
    left = load_at(working)
    while left != 0:
        if not _spin(working, left, base, _SPINS):
            _outlast(working, left, base + _NAPPING, 0, base)
        left = load_at(working)


@inner
def wait_at(place, seen, napping, stop, base):
    """Wait for a word to change, or for the one at ``stop`` (0: none) to be more than zero.

    While it naps, the thread counts in the word at ``napping``: then a change must be rung.
    """
    if not _spin(place, seen, base, _SPINS):
        call_wait(load_at(base + _OUTWAIT), place, seen, napping, stop, base)


@inner
def _spin(place, seen, base, moment):
    """Wait a moment for a word to change: has it?"""
    for _ in range(moment if load_at(base + _BUSY) <= 0 else moment // 4):
        if load_at(place) != seen:
            return True
        pause()
    return False


@kernel
def outwait(place, seen, napping, stop, base):
    """What `wait_at` does after a moment; kernels call it by address, so it is compiled once.

    While there are cores for all who want to run, the thread spins on, for some milliseconds: a nap
    costs tens of microseconds, and far more on a virtual machine whose host has other work. If
    there are not, its core is wanted, and it naps; for some time all threads of the team nap sooner
    then.
    """
    _outlast(place, seen, napping, stop, base)


@inner
def _outlast(place, seen, napping, stop, base):
    busy = load_at(base + _BUSY)
    if busy > 0:
        store_at(base + _BUSY, busy - 1)
    elif _spin_on(place, seen, base):
        return
    add_at(napping, 1)
    while load_at(place) == seen and (stop == 0 or load_at(stop) == 0):
        nap(place, seen, _NAP if stop != 0 else 0)
    add_at(napping, -1)


@inner
def _spin_on(place, seen, base):
    """Wait for a word to change while cores are free: has it?

    The machine is busy if two looks in a row say so: the system has brief work of its own.
    """
    look, times = 1, 0
    for turn in range(_TURNS):
        if turn == look:
            look *= 4
            times = times + 1 if _crowded(base) else 0
            if times == 2:
                store_at(base + _BUSY, _BUSY_WAITS)
                return False
        if _spin(place, seen, base, _SPINS):
            return True
    return False


@inner
def _crowded(base):
    """Do more threads want to run than there are cores? Also where the system does not tell.

    Linux says how many do before the slash in ``/proc/loadavg``. One thread reads it at a time.
    """
    if add_at(base + _READING, 1) != 0:
        add_at(base + _READING, -1)
        return False
    text = scratch(_TEXT)
    length = _pread(np.int32(load_at(base + _LOAD)), text, _TEXT, 0)
    add_at(base + _READING, -1)
    running, spaces, cores = 0, 0, load_at(base + _CORES)
    for i in range(length):
        letter = byte_at(text + i)
        if spaces < 3:
            spaces += letter == 32
        elif 48 <= letter <= 57:
            running = 10 * running + letter - 48
        else:
            return running > cores + cores // 8
    return True


@cache
def lead_address() -> int:
    """Where `lead` is, for launches to call."""
    return _address_of(lead, 4)


def _address_of(function: Any, count: int) -> int:
    """The address of a compiled function of so many whole numbers."""
    kinds = (types.int64,) * count
    function.compile(kinds)
    compiled = function.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@cache
def _load_file() -> int:
    """The open file that tells how many threads want to run; -1 where there is none."""
    if not hasattr(os, "pread"):
        return -1
    try:
        return os.open("/proc/loadavg", os.O_RDONLY)
    except OSError:
        return -1

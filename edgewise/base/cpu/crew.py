"""The threads that wait for a launch inside compiled code, and how a launch calls them.

``crew`` is an int64 array that lives as long as its threads. Word 0 holds the address of a thread's
part of the launch, word 1 that of its packed arguments, word 2 the size of the team, word 3 that
the machine is busy; word 8 counts
the threads still at work, word 9 whether the leader naps there. Thread ``i`` waits at word
``16 + 8 * i`` for the number of a launch that it is to join; the word behind it is 1 while it naps.
The word behind that is the number of launches, for thread 0: the leader of every launch.

Who waits spins for a moment, because the next launch of a loop comes soon, then naps: a thread
that waits takes no core from the one it waits for. Threads that nap are woken along a tree, so
that no thread makes more than `_FAN` calls to the system.
"""

from __future__ import annotations

from functools import cache

from numba import types

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import pause
from edgewise.base.cpu.words import add_at, address, call_part, linger, load_at, nap, ring, store_at

__all__ = ["BUSY", "CREW", "crew_words", "lead_address", "serve"]

#: The word of ``control`` that holds the address of the crew.
CREW = 2
_PART, _PACKED, _TEAM, _WORKING, _NAPPING, _FIRST = 0, 8, 16, 64, 72, 128  # in bytes
#: Where it is noted that the machine is busy, see `linger`.
BUSY = 24
_EACH, _NAPS, _NUMBER = 64, 8, 16
#: How many others a thread wakes.
_FAN = 4
#: For how many pauses to spin after a launch, for the next one.
_MOMENT = 4000


def crew_words(size: int) -> int:
    """How many words a crew of so many threads has."""
    return 16 + 8 * size


@kernel
def serve(crew, me):
    """Join one launch after another, for ever."""
    base, joined = address(crew, 0), 0
    mine = base + _FIRST + _EACH * me
    while True:
        joined = _next(mine, joined)
        _wake(base, me, load_at(base + _TEAM))
        call_part(load_at(base + _PART), load_at(base + _PACKED), me)
        if add_at(base + _WORKING, -1) == 1 and load_at(base + _NAPPING) != 0:
            ring(base + _WORKING)


@inner
def _next(mine, joined):
    """Wait for the number of a launch that is not the last one joined."""
    for _ in range(_MOMENT):
        if load_at(mine) != joined:
            return load_at(mine)
        pause()
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
    number = add_at(base + _FIRST + _NUMBER, 1) + 1
    for other in range(1, team):
        store_at(base + _FIRST + _EACH * other, number)
    _wake(base, 0, team)
    call_part(part, packed, 0)
    _dismiss(base)


@inner
def _dismiss(base):
    """Wait until all others have done their part."""
    working = base + _WORKING
    left = load_at(working)
    while left != 0 and linger(working, left, base + BUSY):
        left = load_at(working)
    if left == 0:
        return
    store_at(base + _NAPPING, 1)
    while True:
        left = load_at(working)
        if left == 0:
            break
        nap(working, left, 0)
    store_at(base + _NAPPING, 0)


@cache
def lead_address() -> int:
    """Where `lead` is, for launches to call."""
    kinds = (types.int64,) * 4
    lead.compile(kinds)
    compiled = lead.overloads[kinds]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)

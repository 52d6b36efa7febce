"""What a rank is doing, for others to see without asking it; and what follows if it lasts too long.

A `Board` is a little shared memory that a rank writes to: it has started, it waits in a collective
for these ranks, it has returned. Whoever watches the rank (its keeper, or the launcher) reads it,
and asks the system whether the process is stopped. So a rank that holds Python's lock, or does not
run at all, is seen as well as any other. `judge` says what is wrong.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

__all__ = [
    "LIMIT_S", "VARIABLE", "Board", "Lookout", "Sight", "here", "is_gone", "judge", "limit_of",
    "named", "peers",
]  # fmt: skip

#: How long others may wait for a rank that is stopped or has returned, unless told otherwise.
LIMIT_S = 300.0
VARIABLE = "EDGEWISE_GRID_TIMEOUT"

STARTING, UP, RETURNED, FAILED, ALONE, LEFT = range(6)
_PID, _PHASE, _SINCE, _TURN, _WHAT, _COUNT, _CODE, _HOLDER = range(8)
_HEAD = 64
_CALLS = ("", "barrier", "split", "counts", "allreduce", "broadcast", "allgatherv", "alltoallv")


class Board:
    """The state of one rank of ``size``, in a file that others map too.

    ``turn`` counts calls: it is odd while the rank waits in one.
    """

    def __init__(self, file: int, size: int) -> None:
        self.file = file
        length = _HEAD + 4 * size + 16 * size
        if os.fstat(file).st_size < length:
            os.ftruncate(file, length)
        shared = mmap.mmap(file, length)
        self.words = np.frombuffer(shared, np.int64, 8)
        self.members = np.frombuffer(shared, np.int32, size, _HEAD)
        #: For each rank of this machine the holder of its board, and the file's number there.
        self.peers = np.frombuffer(shared, np.int32, 2 * size, _HEAD + 4 * size).reshape(size, 2)
        self.inside = False

    @classmethod
    def at(cls, path: str | os.PathLike, size: int) -> Board:
        """The board in a file, which is made if there is none."""
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            return cls(file, size)
        finally:
            os.close(file)

    def begin(self, holder: int | None = None) -> None:
        """This process is the rank's; ``holder``, by default itself, keeps the file open."""
        self.words[_PID], self.words[_HOLDER] = os.getpid(), holder or os.getpid()

    @property
    def holder(self) -> int:
        return int(self.words[_HOLDER])

    @property
    def phase(self) -> int:
        return int(self.words[_PHASE])

    @phase.setter
    def phase(self, phase: int) -> None:
        if phase != LEFT:  # which it had returned before
            self.words[_SINCE] = time.monotonic_ns()
        self.words[_PHASE] = phase

    @property
    def code(self) -> int:
        """The exit code with which the rank ends, or -1 if it has not said so."""
        return int(self.words[_CODE])

    @code.setter
    def code(self, code: int) -> None:
        self.words[_CODE] = code

    def enter(self, call: str, members: np.ndarray) -> None:
        """The rank waits for these ranks from now on."""
        self.inside = True
        self.words[_CODE], self.words[_SINCE] = -1, time.monotonic_ns()
        self.members[: len(members)] = members
        self.words[_COUNT], self.words[_WHAT] = len(members), _CALLS.index(call)
        self.words[_TURN] += 1

    def leave(self) -> None:
        """The rank has its answer."""
        self.words[_TURN] += 1
        self.inside = False


class Sight(NamedTuple):
    """What is seen of a rank, and for how many seconds it has been so."""

    rank: int
    phase: int
    #: The call in which it waits; empty if it does not.
    call: str = ""
    members: tuple[int, ...] = ()
    stopped: bool = False
    seconds: float = 0.0


class Lookout:
    """Sees some ranks again and again, and counts how long each has not changed.

    Seconds are those in which this process ran: if the whole job was suspended, nobody was late.
    Of a rank that is seen for the first time, the clock says how long it has waited.
    """

    def __init__(self) -> None:
        self.known: dict[int, tuple[tuple, float]] = {}

    def look(self, boards: dict[int, Board], elapsed: float) -> dict[int, Sight]:
        """All ranks that have a board, ``elapsed`` seconds after the last look."""
        return {rank: self._see(rank, board, elapsed) for rank, board in sorted(boards.items())}

    def _see(self, rank: int, board: Board, elapsed: float) -> Sight:
        words = board.words.tolist()
        stopped = _state(words[_PID]) == "T"
        state = (words[_PHASE], words[_TURN], stopped)
        waits = words[_PHASE] == UP and words[_TURN] % 2 == 1
        since = (time.monotonic_ns() - words[_SINCE]) / 1e9
        if rank in self.known:
            before, seconds = self.known[rank]
            seconds = seconds + elapsed if state == before else 0.0
        else:
            seconds = since if waits and not stopped else 0.0
        self.known[rank] = state, seconds
        if words[_PHASE] in (RETURNED, LEFT):
            seconds = since
        if not waits:
            return Sight(rank, words[_PHASE], stopped=stopped, seconds=seconds)
        members = tuple(board.members[: words[_COUNT]].tolist())
        return Sight(rank, UP, _CALLS[words[_WHAT]], members, stopped, seconds)


def judge(sights: dict[int, Sight], limit: float) -> tuple[str | None, str | None]:
    """What is surely wrong, and what is only odd, with a rank that has not moved for ``limit``.

    A rank that is stopped, and one that has returned while others wait for it, will not come. Nor
    does a wait end in which all ranks wait. A rank that computes may come: that others wait for it
    is worth a word.

    >>> waits = Sight(0, UP, "allreduce", (0, 1), seconds=9.0)
    >>> judge({0: waits, 1: Sight(1, RETURNED, seconds=9.0)}, 5.0)[0]
    'rank 1 returned while rank 0 waits in allreduce()'
    >>> judge({0: waits, 1: Sight(1, UP, seconds=7.0)}, 5.0)[1]
    'rank 0 has waited 5 s in allreduce() for rank 1, which computes'
    """
    late = [one for _, one in sorted(sights.items()) if one.seconds >= limit]
    for one in late:
        if one.stopped:
            return f"rank {one.rank} has been stopped for {limit:g} s", None
    odd = None
    for one in late:
        if not one.call:
            continue
        for other in (sights[k] for k in one.members if k in sights and k != one.rank):
            if other.phase in (RETURNED, LEFT) and other.seconds >= limit:
                return (
                    f"rank {other.rank} returned while rank {one.rank} waits in {one.call}()",
                    odd,
                )
        if circle := _circle(one, sights, limit):
            return circle, odd
        odd = odd or _waited(one, sights, limit)
    return None, odd


def _circle(one: Sight, sights: dict[int, Sight], limit: float) -> str | None:
    """What to say if all that a rank waits for, and all that these wait for, have waited too."""
    found, new = {one.rank}, {one.rank}
    while new:
        if not all(k in sights and sights[k].call and sights[k].seconds >= limit for k in new):
            return None
        new = {other for k in new for other in sights[k].members} - found
        found |= new
    first = {sights[k].call: k for k in sorted(found, reverse=True)}
    where = ", ".join(f"rank {k} in {sights[k].call}()" for k in sorted(first.values()))
    return f"{named(sorted(found))} have waited {limit:g} s for one another: {where}"


def _waited(one: Sight, sights: dict[int, Sight], limit: float) -> str:
    said = f"rank {one.rank} has waited {limit:g} s in {one.call}()"
    others = [k for k in one.members if k != one.rank]
    away = [k for k in others if k in sights and not sights[k].call]
    if away:
        one = sights[away[0]]
        ended = one.phase in (RETURNED, LEFT)
        state = "is stopped" if one.stopped else "has returned" if ended else "computes"
        return f"{said} for {named(away)}, which {state if len(away) == 1 else 'do not wait'}"
    elsewhere = [k for k in others if k in sights and sights[k].members != one.members]
    if elsewhere:
        return f"{said} for {named(elsewhere)}, waiting in {sights[elsewhere[0]].call}() elsewhere"
    unseen = [k for k in others if k not in sights]
    return f"{said} for {named(unseen)}, unseen from here" if unseen else f"{said}, as all others"


def peers(board: Board, size: int, rank: int) -> dict[int, Board]:
    """The boards of the other ranks on this machine."""
    found = {}
    for k, (holder, file) in enumerate(board.peers.tolist()):
        if holder and k != rank:
            with contextlib.suppress(OSError, ValueError):
                other = Board.at(f"/proc/{holder}/fd/{file}", size)
                if other.holder == holder:
                    found[k] = other
    return found


def limit_of(seconds: float | None = None) -> float:
    """The limit in seconds: as given, else by the environment, else the default; 0 is none.

    >>> limit_of(2), limit_of(0)
    (2.0, inf)
    """
    given = seconds if seconds is not None else os.environ.get(VARIABLE, LIMIT_S)
    try:
        limit = float(given)
    except (TypeError, ValueError):
        limit = -1.0
    if not limit >= 0:
        name = VARIABLE if seconds is None else "timeout"
        raise ValueError(f"{name} must be a number of seconds from 0 (no limit), got {given!r}")
    return limit or float("inf")


def named(ranks: Iterable[int]) -> str:
    """Ranks in words.

    >>> named([3]), named([0, 2])
    ('rank 3', 'ranks 0, 2')
    """
    ranks = list(ranks)
    few = ", ".join(map(str, ranks[:8])) + (", ..." if len(ranks) > 8 else "")
    return f"rank{'s' * (len(ranks) > 1)} {few}"


def here() -> str:
    """What tells this machine from others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        return socket.gethostname()


def is_gone(pid: int) -> bool:
    """Has a process of this machine ended?"""
    return _state(pid) in ("", "Z")


def _state(pid: int) -> str:
    """The state of a process as the system has it: "T" is stopped."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1].decode()
    except OSError:
        return ""

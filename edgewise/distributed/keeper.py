"""A process around every rank, that says how the rank ended and that others wait for it in vain.

`begin` is called by a rank before MPI starts. Under ``mpiexec`` it forks: the program goes on in
the child, and the process that ``mpiexec`` knows becomes its keeper, which passes signals and the
exit code on. So the keeper sees the rank's end before ``mpiexec`` does, which ends all ranks at
once, and can name the rank and the cause first. While MPI starts, a rank that has ended already
would leave the others waiting: MPICH tells nobody, so the keeper looks which ranks are there.
Ranks of `launch` have the launcher as their keeper.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any, NoReturn

from edgewise.distributed import board as boards
from edgewise.distributed.board import Board, Lookout, Sight, judge, limit_of, named
from edgewise.distributed.leaving import mind_the_end, pmi, say

__all__ = ["FOLDER", "begin", "place", "signal_name"]

#: The environment variable with the launcher's folder.
FOLDER = "EDGEWISE_LAUNCHED"

_TICK_S = 0.5
_MISSING_S = 5.0  # a rank that is not there for so long has ended
_ABORT_S = 5.0  # for mpiexec to end this process
_WITNESS = 'read word || { sleep 0.1; echo "$0" >&2; sleep 0.2; }'
_witness = -1  # the end of a pipe by which the witness sees that this process has ended
_PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGCONT", "SIGTSTP")
_PLACES = (
    ("PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"),  # MPICH, Intel MPI, MVAPICH
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"),
    ("PMIX_RANK", "SLURM_NTASKS", ""),
)


def begin(timeout: float | None = None) -> Board | None:
    """The board of this rank, if somebody watches it; None outside of ``mpiexec``."""
    limit, where = limit_of(timeout), place()
    if where is None or where[1] < 2 or not hasattr(os, "memfd_create"):
        return None
    rank, size = where
    if folder := os.environ.get(FOLDER):
        board = Board.at(Path(folder) / f"{rank}.board", size)
    elif limit < float("inf") and _may_fork():
        board = Board(os.memfd_create("edgewise-rank"), size)
        _fork(board, rank, size, limit)
    else:
        return None
    board.begin(None if folder else os.getppid())
    mind_the_end(board, rank, size)
    return board


def place() -> tuple[int, int] | None:
    """The rank of this process and their number, as ``mpiexec`` tells before MPI starts."""
    for names in _PLACES:
        rank, size = (os.environ.get(name, "") for name in names[:2])
        if rank.isdigit() and size.isdigit():
            return int(rank), int(size)
    return None


def signal_name(number: int) -> str:
    """The name of a signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _may_fork() -> bool:
    """Is this the only thread, and MPI not started yet?"""
    mpi = sys.modules.get("mpi4py.MPI")
    alone = threading.active_count() == 1
    return alone and not (mpi is not None and mpi.Is_initialized())


def _fork(board: Board, rank: int, size: int, limit: float) -> None:
    """Go on in a child, which ends with this process; this process keeps it, and never returns."""
    sys.stdout.flush()
    sys.stderr.flush()
    keeper = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of libraries, which stand it
        child = os.fork()
    if child:
        try:
            _Keeper(child, board, rank, size, limit).keep()
        except BaseException as error:
            say(f"the keeper of rank {rank} failed: {error!r}")
        finally:
            _leave(1)
    os.setpgid(0, 0)  # what is sent to the keeper's group is passed on once
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != keeper:
        os._exit(1)


class _Keeper:
    """Watches one rank until it ends."""

    def __init__(self, child: int, board: Board, rank: int, size: int, limit: float) -> None:
        self.child, self.board, self.limit = child, board, limit
        self.rank, self.size = rank, size
        self.lookout, self.missing_s = Lookout(), 0.0
        self.warned: str | None = None
        self.parent = os.getppid()
        _call_witness(rank, size)
        for name in _PASSED_ON:
            signal.signal(getattr(signal, name), self._pass_on)

    def keep(self) -> NoReturn:
        end = os.pidfd_open(self.child)
        before = time.monotonic()
        while not select.select([end], [], [], _TICK_S)[0]:
            now = time.monotonic()
            self._look(min(now - before, 2 * _TICK_S))
            before = now
        self._end(os.waitpid(self.child, 0)[1])

    def _pass_on(self, number: int, frame: Any) -> None:
        """The rank gets the signal; while MPI starts it could not act on it, so it ends."""
        deadly = number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
        with contextlib.suppress(ProcessLookupError):
            if deadly and self.board.phase == boards.STARTING:
                os.kill(self.child, signal.SIGKILL)
                _die(number)
            os.kill(self.child, number)

    def _look(self, elapsed: float) -> None:
        me = self.lookout.look({self.rank: self.board}, elapsed)[self.rank]
        if os.getppid() != self.parent:
            self._give_up("mpiexec's process on this machine was killed")
        if me.stopped and me.seconds >= self.limit:
            self._give_up(str(judge({self.rank: me}, self.limit)[0]))
        elif me.phase == boards.STARTING:
            self._look_for_others(me.seconds, elapsed)
        elif me.call and me.seconds >= self.limit:
            self._judge(me)

    def _look_for_others(self, seconds: float, elapsed: float) -> None:
        """MPI starts when all ranks have come; of those that find one missing, one is to speak."""
        missing = missing_ranks(self.size)
        self.missing_s = self.missing_s + elapsed if missing else 0.0
        wait = 0 if self.rank == 0 else 1 + self.rank / self.size
        if missing and self.missing_s >= min(_MISSING_S, self.limit) + wait:
            self._give_up(f"{named(missing)} of {self.size} ended before MPI started")
        if not missing and seconds >= self.limit + wait:
            self._give_up(
                f"rank {self.rank} of {self.size}: MPI has not started after {self.limit:g} s; "
                "has a rank ended, or does one not come to world()?"
            )

    def _judge(self, me: Sight) -> None:
        """This rank has waited for long: look at the others of this machine."""
        sights = Lookout().look(boards.peers(self.board, self.size, self.rank), 0.0)
        first = min((one.rank for one in sights.values() if one.call), default=self.rank)
        if first < self.rank and me.seconds < self.limit + 5:
            return  # its keeper sees the same
        wrong, odd = judge(sights | {self.rank: me}, self.limit)
        if wrong:
            self._give_up(wrong)
        if odd and odd != self.warned and first >= self.rank:
            self.warned = odd
            say(odd)

    def _give_up(self, text: str) -> NoReturn:
        say(text)
        time.sleep(0.2)  # for mpiexec to take it
        _die(signal.SIGKILL)  # and with it the rank

    def _end(self, status: int) -> NoReturn:
        """The rank has ended: say how, unless it has done so itself, and end likewise."""
        phase, code = self.board.phase, os.waitstatus_to_exitcode(status)
        who = f"rank {self.rank} of {self.size}"
        if code < 0:
            if phase != boards.FAILED and -code != signal.SIGINT:
                say(f"{who} failed: killed by {signal_name(-code)}")
            _die(-code)
        if phase == boards.STARTING:
            say(f"{who} ended before MPI started, with code {code}")
        if phase == boards.STARTING or (phase == boards.ALONE and code):
            _die(signal.SIGKILL)
        if phase == boards.UP:
            say(f"{who} failed: ended without a word, with code {code}")
            self._abort(code or 1)
        if phase == boards.LEFT and code:
            say(f"{who} failed: sys.exit({code})")
            self._abort(code)
        if phase == boards.LEFT:
            self._outlast_others()
        _leave(code or phase == boards.FAILED)

    def _abort(self, code: int) -> NoReturn:
        """End all ranks with this code."""
        time.sleep(0.2)  # for mpiexec to take what was said
        if pmi(f"abort exitcode={code}"):
            time.sleep(_ABORT_S)
        _leave(code)

    def _outlast_others(self) -> None:
        """The rank left without ending MPI: others see that for as long as its board is here."""
        while any(one.phase in (boards.UP, boards.RETURNED)
                  for one in boards.peers(self.board, self.size, self.rank).values()):  # fmt: skip
            time.sleep(_TICK_S / 10)
        pmi("finalize")
        time.sleep(0.1)


def missing_ranks(size: int) -> list[int]:
    """Ranks that MPICH started on this machine, with all others, and that have ended."""
    parent = os.getppid()
    try:
        if not Path(f"/proc/{parent}/comm").read_text().startswith("hydra"):
            return []
    except OSError:
        return []
    if os.environ.get("MPI_LOCALNRANKS") != str(size):
        return []
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError, StopIteration):
            if int(path.read_text().rpartition(") ")[2].split()[1]) == parent:
                words = (path.parent / "environ").read_bytes().split(b"\0")
                found.add(int(next(w for w in words if w.startswith(b"PMI_RANK="))[9:]))
    return sorted(set(range(size)) - found) if found else []


def _call_witness(rank: int, size: int) -> None:
    """A shell that speaks if this process is killed.

    It has the files that mpiexec watches, so mpiexec sees the end of the rank only afterwards. If
    mpiexec kills the rank, it kills the group of processes, and the shell with it.
    """
    global _witness
    end, _witness = os.pipe()
    text = f"edgewise: rank {rank} of {size} failed: the process around it was killed"
    file = os.environ.get("PMI_FD", "")
    subprocess.Popen(
        ["sh", "-c", _WITNESS, text], stdin=end, pass_fds=[int(file)] if file.isdigit() else []
    )
    os.close(end)


def _leave(code: int) -> NoReturn:
    """End on purpose: the witness need not speak."""
    with contextlib.suppress(OSError):
        os.write(_witness, b"\n")
    os._exit(code)


def _die(number: int) -> NoReturn:
    """End by a signal, without another core file: MPICH passes over a mere code at times."""
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
    with contextlib.suppress(OSError):
        os.write(_witness, b"\n")
    os.kill(os.getpid(), number)
    time.sleep(1)
    os._exit(1)

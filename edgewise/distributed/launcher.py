"""Start ranks from Python: `launch` runs a function on all of them and brings the results back.

With MPI every rank is a process of ``mpiexec`` that runs `edgewise.distributed.worker`. They share
a folder with the launcher: the task, each rank's board, and its result, its error, or how it died.
So the launcher can tell which rank failed, ended without a word, is stopped or returned while
others wait for it, and end all others. Nor do they outlive the launcher: ``mpiexec`` gets a signal
when it ends, however it does.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import pickle
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from edgewise.distributed.board import STARTING, Board, Lookout, is_gone, judge, limit_of, named
from edgewise.distributed.comm import RankError
from edgewise.distributed.keeper import FOLDER, signal_name
from edgewise.distributed.leftovers import remove_leftovers
from edgewise.distributed.rank_threads import World, cause

__all__ = ["environment", "find_mpiexec", "launch"]

_POLL_S = 0.02
_LOOK_S = 0.5
_GRACE_S = 5.0  # for mpiexec to end the others, before we do

# A shell around every rank: when a rank dies, mpiexec kills the others so fast that one could not
# tell who was first. It learns of a death only when the shell ends, which has noted it by then.
# A rank that dies before MPI has started is noted as well: mpiexec would not care.
_KEEPER = (
    'rank=${PMI_RANK:-${OMPI_COMM_WORLD_RANK:-$PMIX_RANK}}; echo $$ $PPID > "$0/$rank.shell"; '
    '"$@"; status=$?; '
    'echo $status > "$0/$rank.draft" && mv "$0/$rank.draft" "$0/$rank.exit"; exit $status'
)

# Becomes another program, which gets SIGTERM when the thread that started it ends.
_DYING = (
    sys.executable, "-I", "-S", "-c",
    "import ctypes, os, sys\n"
    "ctypes.CDLL(None).prctl(1, 15)\n"  # PR_SET_PDEATHSIG
    "os.execv(sys.argv[1], sys.argv[1:])",
)  # fmt: skip


def launch(
    function: Callable[..., Any],
    *args: Any,
    ranks: int = 4,
    backend: str = "mpi",
    timeout: float | None = None,
    **kwargs: Any,
) -> list[Any]:
    """Run ``function(comm, *args, **kwargs)`` on all ranks and return the results by rank.

    Parameters
    ----------
    function
        With MPI, a function of a module or of the running script, since other processes import it.
        A script must call `launch` under ``if __name__ == "__main__":``.
    backend
        "mpi": processes of ``mpiexec``, which is searched for beside Python and then in PATH.
        "threads": threads of this process.
    timeout
        The time limit in seconds, after which all ranks are ended. All ranks are also ended if
        others wait for a stopped or finished rank for EDGEWISE_GRID_TIMEOUT seconds (300 by
        default; 0 means no limit).

    Raises
    ------
    RankError
        If a rank fails, is killed, or exceeds the time limit. The message names the rank and the
        cause.

    Examples
    --------
    >>> def double(comm, number):
    ...     return comm.rank, 2 * number
    >>> launch(double, 21, ranks=2, backend="threads")
    [(0, 42), (1, 42)]
    """
    if isinstance(ranks, bool) or not isinstance(ranks, int) or ranks < 1:
        raise ValueError(f"ranks must be a whole number from 1, got {ranks!r}")
    if backend == "threads":
        return _threads(lambda comm: function(comm, *args, **kwargs), ranks, timeout)
    if backend != "mpi":
        raise ValueError(f"backend must be one of mpi, threads, got {backend!r}")
    if sys.platform != "linux":  # signals, and what is known of other processes, are Linux's
        raise OSError(
            "launch starts processes on Linux alone: use mpiexec -n RANKS python SCRIPT, with "
            'edgewise.distributed.world() in the script, or backend="threads"'
        )
    if os.environ.get(FOLDER):
        raise RuntimeError(
            "launch was called by a rank that launch started; "
            'in a script, call it under if __name__ == "__main__":'
        )
    with _signals() as arrived, tempfile.TemporaryDirectory(prefix="edgewise-launch-") as name:
        folder = Path(name)
        _write_task(folder, function, args, kwargs)
        return _Job(folder, ranks).results(timeout, arrived)


@contextlib.contextmanager
def _signals() -> Iterator[list[int]]:
    """Ctrl-C and SIGTERM are noted, so that nothing is left behind, and take effect afterwards."""
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return
    before = {
        number: signal.signal(number, lambda number, frame: arrived.append(number))
        for number in (int(signal.SIGINT), int(signal.SIGTERM))
        if signal.getsignal(number) not in (None, signal.SIG_IGN)
    }
    try:
        yield arrived
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in arrived[:1]:
            signal.raise_signal(number)


def _threads(program: Callable[[Any], Any], ranks: int, timeout: float | None) -> list[Any]:
    world = World(ranks)
    try:
        return world.run(program, timeout)
    except RankError:
        raise
    except Exception as error:
        raise RankError(world.reason) from error


def _write_task(folder: Path, function: Callable, args: tuple, kwargs: dict) -> None:
    main = None
    try:
        if getattr(function, "__module__", None) == "__main__":
            main = getattr(sys.modules["__main__"], "__file__", None)
            if main is None:
                raise ValueError("it was defined at a prompt")
            sys.modules["__mp_main__"] = sys.modules["__main__"]  # the name that ranks know it by
        task = pickle.dumps((function, args, kwargs))
    except Exception as error:  # of many types, as objects pickle themselves
        name = getattr(function, "__qualname__", repr(function))
        raise ValueError(
            f"{name} and its arguments must be importable and picklable for other processes: "
            f"{cause(error)}"
        ) from error
    (folder / "task").write_bytes(pickle.dumps((main, task)))


class _Job:
    """One run of mpiexec, and the folder that its ranks write to."""

    def __init__(self, folder: Path, ranks: int) -> None:
        if importlib.util.find_spec("mpi4py") is None:
            raise ImportError("MPI needs mpi4py: pip install 'edgewise[mpi]'")
        self.folder, self.ranks = folder, ranks
        self.limit, self.lookout = limit_of(), Lookout()
        self.boards: dict[int, Board] = {}
        self.around: dict[int, tuple[int, int]] = {}  # a rank's shell, and what started that
        self.ends, self.gone = dict[int, int](), list[int]()  # shells' handles; those that ended
        self.began = time.time()
        self.waited, self.warned = 0.0, set[str]()
        mpiexec = find_mpiexec()
        options = ["--oversubscribe"] if _is_open_mpi(mpiexec) else []
        rank = ["sh", "-c", _KEEPER, str(folder)]
        rank += [sys.executable, "-m", "edgewise.distributed.worker", str(folder)]
        with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as log:
            self.process = subprocess.Popen(
                [*_DYING, mpiexec, *options, "-n", str(ranks), *rank],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
                env=environment(ranks) | {FOLDER: str(folder)},
                start_new_session=True,
            )

    def results(self, timeout: float | None, arrived: list[int]) -> list[Any]:
        """What the ranks return; ends them all as soon as a signal has arrived."""
        deadline = None if timeout is None else time.monotonic() + timeout
        trouble = None  # until when we wait for mpiexec, as a rank has failed
        looked = time.monotonic()
        try:
            with (self.folder / "stdout").open(encoding="utf-8", errors="replace") as out:
                while self.process.poll() is None:
                    sys.stdout.write(out.read())
                    now = time.monotonic()
                    if arrived:
                        raise RankError(f"ended by {signal_name(arrived[0])}")
                    if deadline is not None and now > deadline:
                        missing = named(self._without("result"))
                        raise RankError(f"not done after {timeout:g} s: {missing}")
                    if now > looked + _LOOK_S:
                        self._look(min(now - looked, 2 * _LOOK_S))
                        looked = now
                    lost = self._lost()
                    if trouble is None and (list(self.folder.glob("*.error")) or self._deaths()):
                        trouble = now + (_GRACE_S if self._started() else _LOOK_S)
                    if trouble is None and lost and self.process.poll() is None:
                        raise RankError(lost)
                    if trouble is not None and now > trouble:
                        break
                    self._pause()
                sys.stdout.write(out.read())
            return self._collect()
        finally:
            self._end()

    def _started(self) -> bool:
        """Has MPI started on any rank? Until then mpiexec ends nobody."""
        return any(board.phase != STARTING for board in self._boards().values())

    def _boards(self) -> dict[int, Board]:
        """The boards of the ranks that have come to the start of MPI."""
        for rank in range(self.ranks):
            path = self.folder / f"{rank}.board"
            if rank not in self.boards and path.exists():
                self.boards[rank] = Board.at(path, self.ranks)
        return self.boards

    def _look(self, elapsed: float) -> None:
        """RankError if a rank has done nothing for too long that others wait for."""
        sights = self.lookout.look(self._boards(), elapsed)
        wrong, odd = judge(sights, self.limit)
        if not sights:
            return
        starting = [rank for rank, sight in sights.items() if sight.phase == STARTING]
        self.waited = self.waited + elapsed if starting or len(sights) < self.ranks else 0.0
        if self.waited >= self.limit:
            late = [rank for rank in range(self.ranks) if rank not in sights] or starting
            wrong = f"MPI has not started after {self.limit:g} s: {named(late)} did not come"
        if wrong:
            raise RankError(wrong)
        if odd and odd not in self.warned:
            self.warned.add(odd)
            sys.stderr.write(f"edgewise: {odd}\n")

    def _collect(self) -> list[Any]:
        failures = [
            (isinstance(error, RankError), when, rank, error, trace)
            for rank in range(self.ranks)
            if (path := self.folder / f"{rank}.error").exists()
            for when, error, trace in [pickle.loads(path.read_bytes())]
        ]
        if failures:  # the first; those that only tell of others come last
            known, _, rank, error, trace = min(failures, key=lambda failure: failure[:3])
            failure = RankError(str(error) if known else f"rank {rank} failed: {error}")
            failure.add_note(trace)
            raise failure
        if missing := self._without("result"):
            raise self._death(missing)
        sys.stderr.write(self._said("stderr"))
        return [
            pickle.loads((self.folder / f"{rank}.result").read_bytes())
            for rank in range(self.ranks)
        ]

    def _death(self, missing: list[int]) -> RankError:
        """Some ranks have neither a result nor an error: the first that died, and of what."""
        code = self.process.poll()
        if deaths := self._deaths():
            rank, status = deaths[0]
            why = f"ended without a result, with code {status}"
            if status > 128:
                why = f"killed by {signal_name(status - 128)}"
            elif status == 0:
                why = "ended without a result"
            text = f"rank {rank} failed: {why}"
        elif code is not None and code < 0:
            text = f"mpiexec failed: killed by {signal_name(-code)}"
        else:
            text = f"{named(missing)} failed: mpiexec ended with code {code}"
        error = RankError(text)
        error.add_note((self._said("stdout") + self._said("stderr")).strip()[-4000:])
        return error

    def _deaths(self) -> list[tuple[int, int]]:
        """The ranks that ended badly or without a result, in that order, and their exit status."""
        without, found = self._without("result"), []
        for rank in range(self.ranks):
            path = self.folder / f"{rank}.exit"
            if path.exists() and ((status := int(path.read_text())) or rank in without):
                found.append((path.stat().st_mtime_ns, rank, status))
        return [(rank, status) for _, rank, status in sorted(found)]

    def _lost(self) -> str | None:
        """What to say if a process around a rank was killed: mpiexec does not see that."""
        for rank in range(self.ranks):
            if rank not in self.around:
                with contextlib.suppress(OSError, ValueError):
                    first, second = (self.folder / f"{rank}.shell").read_text().split()
                    self.around[rank] = int(first), int(second)
                    self.gone += [rank] if is_gone(int(first)) else []
                    self.ends[rank] = os.pidfd_open(int(first))
        if self._without("exit") and any(is_gone(above) for _, above in self.around.values()):
            return "mpiexec failed: its process on this machine was killed"
        for rank in self.gone:
            if not (self.folder / f"{rank}.exit").exists():
                return f"rank {rank} failed: the process around it was killed"
        return None

    def _pause(self) -> None:
        """A moment, which ends at once with any of the shells: the first is who failed."""
        ended, _, _ = select.select(list(self.ends.values()), [], [], _POLL_S)
        for rank in [rank for rank, end in self.ends.items() if end in ended]:
            os.close(self.ends.pop(rank))
            self.gone.append(rank)

    def _without(self, kind: str) -> list[int]:
        return [k for k in range(self.ranks) if not (self.folder / f"{k}.{kind}").exists()]

    def _said(self, name: str) -> str:
        return (self.folder / name).read_text("utf-8", errors="replace")

    def _end(self) -> None:
        """Leave no process behind: mpiexec has a moment to end its ranks, then all are killed."""
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_GRACE_S)
        end = time.monotonic() + _GRACE_S
        while (pids := self._running()) and time.monotonic() < end:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(_POLL_S)
        self.process.wait()
        for end in self.ends.values():
            os.close(end)
        remove_leftovers(self.began)

    def _running(self) -> list[int]:
        """The processes of this job: all have the folder's name in their commands."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if os.fsencode(self.folder) in path.read_bytes():
                    found.append(int(path.parent.name))
        return found


def find_mpiexec() -> str:
    """The mpiexec beside this Python, or the first on the path; an error if there is none."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("mpiexec", path=beside) or shutil.which("mpiexec")
    if found is None:
        raise FileNotFoundError(
            "mpiexec was not found: pip install mpich, or load your cluster's MPI module"
        )
    return found


@functools.cache
def _is_open_mpi(mpiexec: str) -> bool:
    said = subprocess.run([mpiexec, "--version"], capture_output=True, text=True).stdout
    return "Open MPI" in said or "OpenRTE" in said


def environment(ranks: int) -> dict[str, str]:
    """Ours, without what an mpiexec around us left there; ranks share the cores."""
    ours = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PMI", "HYD", "MPI_LOCAL", "OMPI_COMM", "PRTE", "PALS"))
    }
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    ours.setdefault("EDGEWISE_NUM_THREADS", str(max(1, (cores or 1) // ranks)))
    ours["PYTHONPATH"] = os.pathsep.join(path or os.getcwd() for path in sys.path)
    ours |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return ours

"""The team of CPU threads that runs kernels.

A kernel is a compiled function ``kernel(me, team, control, *args)`` that releases the GIL. `launch`
runs it once on every thread of the team, with ``me`` from 0 to ``team - 1``; inside, the threads
share work and wait at barriers through ``control`` (see `edgewise.base.cpu.team`). One call from
Python starts all of them: threads 1 and up wait inside compiled code (`edgewise.base.cpu.crew`),
and the leader, thread 0, is the caller itself. In long work a thread of its own leads and the
caller waits in Python, so Ctrl-C is noticed: it raises the stop flag, every kernel sees that at its
next chunk of work, and the interrupt continues once all have returned.

Launches from several Python threads queue up behind one lock, unless they take one thread, which is
then the caller. One that a signal handler makes
while its own thread waits in a launch runs on that thread alone: the team is taken. After a fork
the child starts a fresh team at its first launch: nothing of the parent's threads is needed.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.callers import leading

__all__ = [
    "BRIEF_WORK",
    "HEARTBEAT",
    "SERIAL_WORK",
    "brief",
    "get_threads",
    "launch",
    "set_threads",
    "team_for",
    "threads",
    "uncrowded",
]

#: Work (edges, say) below which waking the team costs more than it gains.
SERIAL_WORK = 1 << 15

#: Work of two threads below which the caller takes part: too short for anyone to interrupt it.
BRIEF_WORK = 1 << 23

#: Seconds between two looks at what runs.
HEARTBEAT = 0.2

CONTROL_WORDS = 512
_STOP, _CREW, _LEAD = 0, 2, 3
#: The largest team.
_MOST = 1024

_chosen: int | None = None
_local: ContextVar[int | None] = ContextVar("edgewise_threads", default=None)


def set_threads(n: int | None) -> None:
    """Set the number of CPU threads to use from now on; None means one per available core.

    >>> set_threads(2)
    >>> get_threads()
    2
    >>> set_threads(None)
    """
    global _chosen
    _chosen = None if n is None else _check(n)


def get_threads() -> int:
    """Return the number of CPU threads that the next kernel will use."""
    return _local.get() or _chosen or _default()


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Use ``n`` CPU threads inside the ``with`` block, in the current Python thread only.

    >>> with threads(1):
    ...     get_threads()
    1
    """
    token = _local.set(_check(n))
    try:
        yield
    finally:
        _local.reset(token)


def launch(
    kernel: Callable[..., Any],
    *args: Any,
    work: int | None = None,
    team: int | None = None,
    meanwhile: Callable[[np.ndarray], Any] | None = None,
) -> None:
    """Run ``kernel(me, team, control, *args)`` on every thread of the team.

    ``work`` says about how many items (edges, say) the kernel will touch. Below `SERIAL_WORK` it
    runs at once on the calling thread alone; if it is `brief`, the caller is one of the team,
    which starts sooner; if not, or if not given, the caller only waits, and can be interrupted.
    ``team`` fixes the number of threads, for a caller whose arrays are made for so many. While the
    caller waits, it calls ``meanwhile(control)`` every `HEARTBEAT` seconds; that may raise, too.
    """
    control = np.zeros(CONTROL_WORDS, np.int64)
    if work is not None and work < SERIAL_WORK:
        kernel(0, 1, control, *args)
        return
    size = team or get_threads()
    take_part = work is not None and brief(work, size)
    if size == 1 and (take_part or (meanwhile is None and not _interruptible())):
        kernel(0, 1, control, *args)
    else:
        _team.run(kernel, size, control, args, take_part, meanwhile)


def _interruptible() -> bool:
    """Does Ctrl-C reach this thread? Signals go to the main thread alone."""
    return threading.current_thread() is threading.main_thread()


def brief(work: int, team: int) -> bool:
    """Is so much work done before anyone would interrupt it?"""
    return 2 * work < BRIEF_WORK * max(2, team)


def team_for(work: int, barriers: int = 1) -> int:
    """How many threads to launch for so much work, of those that there are.

    ``barriers`` is larger where threads synchronize often, as in a search with many rounds.

    >>> with threads(16):
    ...     team_for(1 << 14), team_for(1 << 16), team_for(1 << 18), team_for(1 << 24)
    (1, 2, 4, 16)
    """
    if work < SERIAL_WORK:
        return 1
    each = max(1, 2 * SERIAL_WORK * barriers)  # with less to do, threads wait for one another
    return min(get_threads(), max(2, work // each))


def uncrowded(team: int) -> int:
    """How many of a team to launch for rounds in which threads synchronize often.

    On a busy machine that is no more than there are free cores: with more, threads would wait at
    every barrier for one that has no core.
    """
    return _team.uncrowded(team) if team > 1 else team


class _Team:
    """The crew's threads, as many as the largest team asked for, and a leader for long work."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.crew: Any = None  # words that the crew waits at
        self.lead = 0  # the address of the function that leads a launch
        self.hired = 1  # threads of the crew, the leader of a launch included
        self.jobs: queue.SimpleQueue = queue.SimpleQueue()
        leading.leader = leading.caller = 0
        self.busy = False  # read under the lock, so by the thread alone that is in a launch

    def run(self, kernel, size, control, args, take_part, meanwhile=None) -> None:
        """Lead a launch, or have it led and wait; a signal may interrupt at any line."""
        with self.lock:
            if self.busy:  # a signal came amid a launch, and its handler launches
                kernel(0, 1, control, *args)
                return
            try:
                self.busy = True
                self._hire(size)
                control[_CREW], control[_LEAD] = self.crew.ctypes.data, self.lead
                if take_part:
                    kernel(-1, size, control, *args)
                else:
                    self._wait((kernel, size, control, args), meanwhile)
            finally:
                self.busy = False

    def uncrowded(self, size: int) -> int:
        """How many of so many threads could run at once."""
        if self.crew is None:
            return size
        from edgewise.base.cpu.crew import free_cores

        return free_cores(self.crew, self.hired, size)

    def _hire(self, size: int) -> None:
        """Start the threads that are missing."""
        from edgewise.base.cpu.crew import lead_address, new_crew, serve

        if self.crew is None:
            self.crew = new_crew(_MOST)
            self.lead = lead_address()
        while self.hired < size:
            _start(serve, self.crew, self.hired)
            self.hired += 1

    def _wait(self, job: Any, meanwhile: Any) -> None:
        """Have the launch led by a thread of its own.

        An interrupt stops the kernels, the loop ends as usual, and only then it is raised.
        """
        control, answer = job[2], _Answer()
        given, interrupt = False, None
        while True:
            try:
                if not given:
                    if not leading.leader:
                        leading.leader = _start(_lead, self.jobs)
                    leading.caller = threading.get_ident()
                    # Given twice, if a signal comes in between, it is done once.
                    self.jobs.put((job, copy_context(), answer))
                    given = True
                if answer.wait(HEARTBEAT if meanwhile and interrupt is None else None):
                    break
                meanwhile(control)
            except BaseException as error:
                if not leading.leader:
                    raise
                interrupt, control[_STOP] = error, 1
        for failure in (interrupt, answer.failure):
            if failure is not None:
                raise failure


class _Answer:
    """Whether a launch is over, and how it failed."""

    def __init__(self) -> None:
        self.failure: BaseException | None = None
        self.begun = False
        self._over = threading.Event()
        self.wait, self.end = self._over.wait, self._over.set


def _lead(jobs: queue.SimpleQueue) -> None:
    """Lead one launch after another, for callers that wait in Python."""
    while True:
        job, context, answer = jobs.get()
        if answer.begun:
            continue
        answer.begun = True
        kernel, size, control, args = job
        try:
            context.run(kernel, -1, size, control, *args)
        except BaseException as error:  # handed to the caller, who raises it
            answer.failure = error
        del job, kernel, control, args, context  # nothing is kept until the next launch
        answer.end()
        del answer


def _start(function: Callable[..., Any], *args: Any) -> int:
    """Start a thread that lasts; its id."""
    name = f"edgewise-{function.__name__.strip('_')}"
    thread = threading.Thread(target=function, args=args, name=name, daemon=True)
    thread.start()
    return thread.ident or 0


def _check(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= _MOST:
        raise ValueError(f"threads must be a whole number from 1 to {_MOST}, got {n!r}")
    return int(n)


def _default() -> int:
    named = os.environ.get("EDGEWISE_NUM_THREADS")
    if named:
        try:
            return _check(int(named))
        except ValueError:
            raise ValueError(
                f"EDGEWISE_NUM_THREADS must be a whole number from 1 to 1024, got {named!r}"
            ) from None
    return _available()


@cache
def _available() -> int:
    """The cores that this process may use: its affinity, and the quota of its container."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return min([cores, *_quotas(Path("/sys/fs/cgroup"))])


def _quotas(root: Path) -> Iterator[int]:
    """Cores that control groups allow, versions 2 and 1; none where there is no limit."""
    for files in (["cpu.max"], ["cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"]):
        try:
            quota, period = " ".join((root / file).read_text() for file in files).split()
            if int(quota) > 0:
                yield -(-int(quota) // int(period))
        except (OSError, ValueError, ZeroDivisionError):  # no such file, or "max": no limit
            continue


def _after_fork() -> None:
    global _team
    _team = _Team()


_team = _Team()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

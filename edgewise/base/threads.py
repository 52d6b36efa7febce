"""The team of CPU threads that runs kernels.

A kernel is a compiled function ``kernel(me, team, control, *args)`` that releases the GIL. `launch`
calls it once on every thread of the team, with ``me`` from 0 to ``team - 1``; inside, the threads
share work and meet at barriers through ``control`` (see `edgewise.base.cpu.team`). In long work the
caller waits in Python, so Ctrl-C is noticed: it raises the stop flag, every kernel sees that at its
next chunk of work, and the interrupt continues once all have returned.

Launches from several Python threads queue up behind one lock. One that a signal handler makes
while its own thread waits in a launch runs on that thread alone: the team is taken. After a fork
the child starts a fresh team at its first launch: nothing of the parent's threads is needed.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from typing import Any

import numpy as np

__all__ = [
    "BRIEF_WORK",
    "HEARTBEAT",
    "SERIAL_WORK",
    "get_threads",
    "launch",
    "set_threads",
    "threads",
]

#: Work (edges, say) below which waking the team costs more than it gains.
SERIAL_WORK = 1 << 14

#: Work below which the caller takes part: too short for anyone to interrupt it.
BRIEF_WORK = 1 << 23

#: Seconds between two looks at what runs.
HEARTBEAT = 0.2

CONTROL_WORDS = 512
_STOP = 0

_chosen: int | None = None
_local: ContextVar[int | None] = ContextVar("edgewise_threads", default=None)


def set_threads(n: int | None) -> None:
    """Use ``n`` CPU threads from now on (None: one per available core).

    >>> set_threads(2)
    >>> get_threads()
    2
    >>> set_threads(None)
    """
    global _chosen
    _chosen = None if n is None else _check(n)


def get_threads() -> int:
    """The number of CPU threads that the next kernel will use."""
    return _local.get() or _chosen or _default()


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Use ``n`` CPU threads inside the ``with`` block, in this Python thread alone.

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
    runs at once on the calling thread alone; below `BRIEF_WORK` the caller is one of the team,
    which starts sooner; above that, or if not given, the caller only waits, and can be interrupted.
    ``team`` fixes the number of threads, for a caller whose arrays are made for so many. While the
    caller waits, it calls ``meanwhile(control)`` every `HEARTBEAT` seconds; that may raise, too.
    """
    control = np.zeros(CONTROL_WORDS, np.int64)
    size = team or get_threads()
    if work is not None and (work < SERIAL_WORK or (size == 1 and work < BRIEF_WORK)):
        kernel(0, 1, control, *args)
    else:
        take_part = work is not None and work < BRIEF_WORK
        _team.run(kernel, size, control, args, take_part, meanwhile)


def caller() -> int:
    """The id of the Python thread for which this one works: its own, or the launching one's."""
    here = threading.get_ident()
    return _team.caller if here in _working else here


class _Team:
    """Worker threads; grows to the largest team asked for."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.workers: list[_Worker] = []
        self.launches = 0
        self.caller = 0
        self.busy = False  # read under the lock, so by the thread alone that is in a launch

    def run(self, kernel, size, control, args, take_part, meanwhile=None) -> None:
        """Give every worker its part, wait for all; a signal may interrupt at any line.

        So giving a part twice does no harm, and answers are counted where the workers leave them:
        an interrupt stops the kernels, the loop ends as usual, and only then it is raised.
        """
        with self.lock:
            if self.busy:  # a signal came amid a launch, and its handler launches
                kernel(0, 1, control, *args)
                return
            try:
                self.busy = True
                failures = self._run(kernel, size, control, args, take_part, meanwhile)
            finally:
                self.busy = False
        for failure in failures:
            if failure is not None:
                raise failure

    def _run(self, kernel, size, control, args, take_part, meanwhile) -> list[BaseException | None]:
        first = 1 if take_part else 0
        answers: list[BaseException | None] = []
        bell: queue.SimpleQueue = queue.SimpleQueue()
        while len(self.workers) < size:
            self.workers.append(_Worker(len(self.workers)))
        self.launches += 1
        self.caller = threading.get_ident()
        given, interrupt = first, None
        while len(answers) < size - first or take_part:
            try:
                while given < size:
                    job = (kernel, (given, size, control, *args), control, answers, bell,
                           copy_context())  # fmt: skip
                    self.workers[given].give(self.launches, job)
                    given += 1
                if take_part:
                    take_part = False
                    kernel(0, size, control, *args)
                elif len(answers) < size - first:
                    _listen(bell, control, None if interrupt else meanwhile)
            except BaseException as error:  # an interrupt, or the caller's own part failed
                interrupt, control[_STOP] = error, 1
        return [interrupt, *answers]


def _listen(bell: queue.SimpleQueue, control: np.ndarray, meanwhile: Any) -> None:
    """Wait for one answer, or for the next heartbeat."""
    try:
        bell.get(timeout=HEARTBEAT if meanwhile else None)
    except queue.Empty:
        meanwhile(control)


class _Worker:
    """A thread that runs one job after another.

    After a job it listens for the next one a moment, without the GIL, before it goes to sleep: the
    next launch of a loop finds it awake.
    """

    def __init__(self, number: int) -> None:
        self.wanted = np.zeros(1, np.int64)  # the number of the launch that it is to join
        self.alarm: queue.SimpleQueue = queue.SimpleQueue()
        self.asleep = False
        self.job: Any = None
        thread = threading.Thread(target=self._live, name=f"edgewise-{number}", daemon=True)
        thread.start()

    def give(self, launch: int, job: Any) -> None:
        self.job = job
        self.wanted[0] = launch
        if self.asleep:
            self.alarm.put(None)

    def _live(self) -> None:
        joined = 0
        _working.add(threading.get_ident())
        while True:
            self.asleep = True
            while self.wanted[0] == joined:
                self.alarm.get()
            self.asleep = False
            joined = int(self.wanted[0])
            job, self.job = self.job, None
            context = _do(job)
            del job
            from edgewise.base.cpu.team import listen

            context.run(listen, self.wanted, joined)  # where it says to whom, if it compiles
            del context


def _do(job: Any) -> Context:
    """Run one thread's part of a launch, and leave the failure (or None) as the answer."""
    kernel, args, control, answers, bell, context = job
    failure = None
    try:
        context.run(kernel, *args)
    except BaseException as error:  # handed to the caller, who raises it
        failure, control[_STOP] = error, 1
    answers.append(failure)
    bell.put(None)
    return context


def _check(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= 1024:
        raise ValueError(f"threads must be a whole number from 1 to 1024, got {n!r}")
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
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _after_fork() -> None:
    global _team
    _team = _Team()
    _working.clear()


_working: set[int] = set()
_team = _Team()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

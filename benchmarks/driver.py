"""Takes the measurements: workers take turns on one row of the grid after the other.

A row is one task on one graph. Every peer first answers once, which warms it up, is checked and
tells how long it takes; then come the turns A B C, A B C, ..., so that whatever else slows the
machine down slows all of them. A peer that has used up half the time limit gets no more turns.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.check import fault
from benchmarks.gap import Gap, gap_folder
from benchmarks.graphs import Data
from benchmarks.tasks import TASKS
from benchmarks.worker import About, Reply, serve

__all__ = ["Cell", "measure", "use_threads"]

#: A run shorter than this is repeated within its turn.
_SHORT = 2.0
_REPEATS = 3
#: Making a peer's graph may take this many time limits.
_CONVERSION = 5


@dataclass
class Cell:
    """One peer's result in one row: times, or a note that says why there are none.

    ``missing`` says that the note is the library's lack, ``wrong`` what is wrong with an answer.
    """

    graph: str
    task: str
    peer: str
    seconds: list[float] = field(default_factory=list)
    memory: int | None = None
    note: str = ""
    missing: bool = False
    wrong: str = ""
    size: int = 0  # arcs of the graph
    given: int = 0  # bytes of the arrays that building starts from
    date: str = ""
    version: str = ""


def measure(
    data: Data, tasks: Iterable[str], peers: Iterable[str], *, trials: int, limit: float
) -> Iterator[list[Cell]]:
    """One row of cells after the other, in the order of the tasks and of the peers."""
    workers = [_start_peer(name, data) for name in peers]
    try:
        for task in tasks:
            yield _row(data, task, workers, trials, limit)
    finally:
        for worker in workers:
            worker.stop()


def use_threads(count: int) -> None:
    """Let every peer that has threads use this many; for workers started from now on."""
    for library in ("OMP", "OPENBLAS", "RAYON", "NUMBA", "EDGEWISE"):
        os.environ[f"{library}_NUM_THREADS"] = str(count)


def _start_peer(name: str, data: Data) -> Any:
    return Gap(gap_folder(), data) if name == "gap" else _Worker(name, data)


def _row(data: Data, task: str, workers: list, trials: int, limit: float) -> list[Cell]:
    """Warm everyone up, then let them take turns."""
    entries = [_Entry(worker, data, task) for worker in workers]
    starts = data.starts if TASKS[task].given == "start" else [None]
    for entry in entries:
        entry.warm_up(starts[0], limit)
    for turn in range(1, trials + 1):
        for entry in entries:
            entry.take_turn(starts[turn % len(starts)], limit)
    for entry in entries:
        entry.weigh(starts[0], limit)
    if task == "triangle_count":
        _compare_counts(entries)
    return [entry.close() for entry in entries]


class _Entry:
    """One peer in one row."""

    def __init__(self, worker: Any, data: Data, task: str):
        self.worker, self.data, self.task = worker, data, task
        note = worker.missing(task)
        self.cell = Cell(data.name, task, worker.name, note=note or "", missing=bool(note))
        self.cell.size, self.cell.date = len(data.indices), time.strftime("%Y-%m-%d")
        self.cell.given = data.sources.nbytes + data.targets.nbytes
        self.last, self.spent, self.answer = 0.0, 0.0, None
        self.judged: set[int | None] = set()

    def warm_up(self, start: int | None, limit: float) -> None:
        """One run that does not count, and another where compiling may have made it long."""
        self.take_turn(start, limit, counts=False)
        if _SHORT < self.last < limit / 4:
            self.take_turn(start, limit, counts=False)

    def take_turn(self, start: int | None, limit: float, *, counts: bool = True) -> None:
        if self.cell.note or self.spent > limit / 2:
            return
        repeats = _REPEATS if counts and self.last < _SHORT else 1
        reply = self.worker.ask(self.task, start, repeats, limit)
        if isinstance(reply, str):
            self.cell.note = reply
            return
        self.last, self.answer = reply.seconds[-1], reply.answer
        if counts:
            self.cell.seconds += reply.seconds
            self.spent += sum(reply.seconds)
        if start not in self.judged:
            self.judged.add(start)
            self._judge(fault(self.data, self.task, start, reply.answer))

    def _judge(self, problem: str | None) -> None:
        self.cell.wrong = self.cell.wrong or problem or ""

    def compare(self, count: int) -> None:
        """A count that differs from what most peers found is wrong."""
        if self.answer is not None and self.answer != count:
            self._judge(f"{self.answer} triangles instead of {count}")

    def weigh(self, start: int | None, limit: float) -> None:
        """Building and reading are weighed for all peers, the algorithms for Edgewise alone."""
        loads = TASKS[self.task].given in ("edges", "file")
        if self.cell.seconds and (loads or self.worker.name == "edgewise"):
            reply = self.worker.weigh(self.task, start, limit)
            self.cell.memory = None if isinstance(reply, str) else reply

    def close(self) -> Cell:
        self.cell.version = self.worker.version
        return self.cell


def _compare_counts(entries: list[_Entry]) -> None:
    counts = Counter(entry.answer for entry in entries if entry.answer is not None)
    if counts:
        for entry in entries:
            entry.compare(counts.most_common(1)[0][0])


class _Worker:
    """The parent's end of one process, which is started anew after a failure."""

    def __init__(self, name: str, data: Data):
        self.name, self.data, self.process = name, data, None
        self._start()

    @property
    def version(self) -> str:
        return self.about.version

    def missing(self, task: str) -> str | None:
        """Why the peer cannot do a task; None if it can."""
        return None if task in self.about.tasks else self.about.missing.get(task, "not its part")

    def ask(self, task: str, start: int | None, repeats: int, limit: float) -> Reply | str:
        """The reply to one request; a text where there is none."""
        return self._exchange(task, ("run", task, start, repeats), repeats * limit)

    def weigh(self, task: str, start: int | None, limit: float) -> int | str | None:
        """The peak of memory that a run takes; a text where it failed."""
        return self._exchange(task, ("weigh", task, start), limit)

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            if self.process.is_alive() and self.about.tasks:
                self.pipe.send(None)
            self.process.join()
            self.pipe.close()
            self.process = None

    def _exchange(self, task: str, request: tuple, limit: float) -> Any:
        """Have the graph made, then the request answered; a text says what went wrong."""
        try:
            if self.process is None:
                self._start()
            for what, allowed in ((("prepare", task), _CONVERSION * limit), (request, limit)):
                self.pipe.send(what)
                if not self.pipe.poll(allowed):
                    self._kill()
                    return f">{allowed:.0f} s" + (" to make its graph" if what != request else "")
                if (reply := self.pipe.recv()) is not None:
                    return reply
            return None
        except (EOFError, OSError):
            self.process.join(timeout=9)
            code = self.process.exitcode
            self._kill()
            return "it ran out of memory" if code == -9 else f"its process ended with {code}"

    def _kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.stop()

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.pipe, theirs = spawn.Pipe()
        arguments = (theirs, self.name, self.data.folder)
        self.process = spawn.Process(target=serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()
        self.about: About = self.pipe.recv()

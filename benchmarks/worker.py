"""A process that holds one peer and one graph, and runs one task each time it is asked.

Requests are ``("prepare", task)``, which makes the peer's own graph and is answered by None, and
``("run", task, start, repeats)``, answered by a `Reply`; ``("weigh", task, start)`` asks for the
memory that one run takes. A text says what went wrong. Answers are read out after the clock has
stopped. Before several repeats come runs for a tenth of a second that are not counted: they fetch
back into the caches what other workers have pushed out, and wake the cores.
"""

from __future__ import annotations

import ctypes
import gc
import re
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from benchmarks.graphs import Data
from benchmarks.tasks import TASKS, load_peer

__all__ = ["About", "Reply", "memory_of", "peak", "reset_peak", "serve"]


#: Seconds of runs that are not counted, before those that are.
_WARM = 0.1


class About(NamedTuple):
    """What a peer says of itself when its process starts."""

    version: str
    tasks: list[str]
    missing: dict[str, str]


class Reply(NamedTuple):
    """The times in seconds, and the answer."""

    seconds: list[float]
    answer: Any


def serve(pipe: Connection, name: str, folder: Path) -> None:
    """Introduce the peer, then answer requests until None comes."""
    try:
        peer = load_peer(name)
    except ImportError as error:
        pipe.send(About("", [], dict.fromkeys(TASKS, f"not installed ({error.name})")))
        return
    tasks = [task for task in TASKS if hasattr(peer, task)]
    pipe.send(About(_version(peer.PACKAGE), tasks, peer.MISSING))
    handler = _Handler(peer, Data(folder))
    while (request := pipe.recv()) is not None:
        try:
            verb, *arguments = request
            pipe.send(getattr(handler, verb)(*arguments))
        except Exception as error:  # told to the driver, which empties the cell
            pipe.send(f"{type(error).__name__}: {error}"[:200])


class _Handler:
    """One peer, one graph, and the form of it in use; the form before is dropped first."""

    def __init__(self, peer: ModuleType, data: Data):
        self.peer, self.data = peer, data
        self.form: str | None = None
        self.graph: Any = None

    def prepare(self, task: str) -> None:
        form = self.peer.FORMS.get(task, "plain")
        if TASKS[task].given in ("start", "graph") and form != self.form:
            self.form = self.graph = None
            self.graph, self.form = self.peer.convert(self.data, form), form

    def run(self, task: str, start: int | None, repeats: int) -> Reply:
        function, given = getattr(self.peer, task), self._given(task, start)
        seconds, answer = [], None
        gc.collect()
        gc.disable()  # as timeit does
        try:
            end = time.perf_counter() + (_WARM if repeats > 1 else 0)
            while time.perf_counter() < end:
                answer = None
                answer = function(*given)
            for _ in range(repeats):
                answer = None
                begin = time.perf_counter()
                answer = function(*given)
                seconds.append(time.perf_counter() - begin)
        finally:
            gc.enable()
        return Reply(seconds, answer() if callable(answer) else answer)

    def weigh(self, task: str, start: int | None) -> int | None:
        """What one run takes; None where the system does not tell."""
        function, given = getattr(self.peer, task), self._given(task, start)
        return memory_of(lambda: function(*given))

    def _given(self, task: str, start: int | None) -> tuple:
        match TASKS[task].given:
            case "edges":
                return self.data.sources, self.data.targets, self.data.num_vertices
            case "file":
                return (str(self.data.text()),)
            case "graph":
                return (self.graph,)
        return self.graph, start


def memory_of(run: Callable[[], Any]) -> int | None:
    """The peak above what was held before a call; None where the system does not tell."""
    held = reset_peak()
    run()
    return None if held is None else peak() - held


def reset_peak() -> int | None:
    """What the process holds now, from where its peak grows; None where the system keeps none."""
    try:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # else a run would use again what others freed
        Path("/proc/self/clear_refs").write_text("5")
        return peak()
    except (OSError, AttributeError):
        return None


def peak() -> int:
    """The most resident bytes since the last reset."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s*(\d+)", status)[1]) * 1024


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # a checkout that is not installed
        return import_module(package).__version__

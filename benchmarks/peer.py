"""A process that holds something large and answers questions about it, within a limit of time."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

__all__ = ["Peer"]


class Peer:
    """``prepare(*given)``, called in a process of its own, gives the function that answers."""

    def __init__(self, prepare: Callable[..., Callable[[Any], Any]], *given: Any):
        self._how = prepare, given
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(*self._how, end), daemon=True)
        self._process.start()
        end.close()

    def ask(self, task: Any, limit: float) -> Any:
        """The answer, or a text that says why there is none.

        A process that is past its limit is ended; the next question starts another.
        """
        if not self._process.is_alive():
            self._start()
        self._pipe.send(task)
        if not self._pipe.poll(limit):
            self.stop()
            return f">{limit:g} s"
        try:
            return self._pipe.recv()
        except (EOFError, OSError):
            self.stop()
            return "its process has ended"

    def stop(self) -> None:
        """End the process, with the programs that it has started."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):  # it leads a group of its own, once it has begun
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


def _serve(prepare: Callable[..., Callable], given: tuple, pipe: Connection) -> None:
    if hasattr(os, "setsid"):
        os.setsid()
    answer = prepare(*given)
    while True:
        task = pipe.recv()
        try:
            pipe.send(answer(task))
        except Exception as error:  # told to the caller, who leaves the cell empty
            pipe.send(f"{type(error).__name__}: {error}"[:200])

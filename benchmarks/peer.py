"""A process that holds something large and answers questions about it, within a limit of time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

__all__ = ["Peer"]


class Peer:
    """``prepare(*given)``, called in a process of its own, gives the function that answers."""

    def __init__(self, prepare: Callable[..., Callable[[Any], Any]], *given: Any):
        context = multiprocessing.get_context("spawn")
        self._pipe, end = context.Pipe()
        self._process = context.Process(target=_serve, args=(prepare, end, given), daemon=True)
        self._process.start()

    def ask(self, task: Any, limit: float) -> Any:
        """The answer, or a text that says why there is none; a process past its limit is ended."""
        if not self._process.is_alive():
            return "its process has ended"
        self._pipe.send(task)
        if not self._pipe.poll(limit):
            self._process.kill()
            return f">{limit:g} s"
        try:
            return self._pipe.recv()
        except (EOFError, OSError):
            return "its process has ended"

    def alive(self) -> bool:
        return self._process.is_alive()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()


def _serve(prepare: Callable[..., Callable], pipe: Connection, given: tuple) -> None:
    answer = prepare(*given)
    while True:
        task = pipe.recv()
        try:
            pipe.send(answer(task))
        except Exception as error:  # told to the caller, who leaves the cell empty
            pipe.send(f"{type(error).__name__}: {error}"[:200])

"""The wait for the compiler: counted, and told to whoever waits.

`clock` stands still while kernels compile: every time that is shown is measured with it. The line
"compiling bfs, once for these types" appears while they do, where somebody looks: in a terminal
(on standard error, and it goes away), in a notebook, or wherever `telling` says, such as a
progress bar. Nothing is shown where standard error is no terminal, or under EDGEWISE_QUIET=1.

Engines wrap their compilers in `begin` and `end`, or in `compiling`.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Any

from edgewise.base.callers import caller

__all__ = ["Cell", "begin", "clock", "compile_errors", "compile_seconds", "compiling", "end",
           "in_notebook", "kernels_compiled", "telling"]  # fmt: skip

Teller = Callable[[str], Any]
_teller: ContextVar[Teller | None] = ContextVar("edgewise_teller", default=None)
_lock = threading.RLock()  # a signal handler may ask for the time, too
_depth = 0  # compilations that are going on: a kernel, and one for every function inside
_began = _total = 0.0
_count = 0
_told: Teller | None = None

#: Where the name of what is compiled is looked for, the best first: what a user has called.
_CALLED = (
    ("edgewise.algorithms.",),
    ("edgewise.generators.", "edgewise.io.", "edgewise.distributed.", "edgewise.linalg."),
    ("edgewise.operators.", "edgewise.graph."),
)


def clock() -> float:
    """Seconds on a clock that stands still while kernels compile; only differences mean anything.

    >>> start = clock()
    >>> clock() - start < 1
    True
    """
    with _lock:
        now = time.perf_counter()
        return now - _total - (now - _began if _depth else 0.0)


def compile_errors() -> tuple[type[Exception], ...]:
    """What is raised where a user's function cannot be compiled."""
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    return NumbaError, UnsupportedBytecodeError


def compile_seconds() -> float:
    """How long this process has waited for the compiler so far: what `clock` leaves out."""
    with _lock:
        return _total + (time.perf_counter() - _began if _depth else 0.0)


def kernels_compiled() -> int:
    """How many kernels this process has compiled."""
    return _count


@contextmanager
def telling(tell: Teller) -> Iterator[None]:
    """In the block ``tell(text)`` is called when kernels begin to compile, ``tell("")`` when done.

    >>> with telling(print), compiling():
    ...     pass
    compiling, once for these types
    <BLANKLINE>
    """
    token = _teller.set(tell)
    try:
        yield
    finally:
        _teller.reset(token)


@contextmanager
def compiling(kernels: int = 1) -> Iterator[None]:
    """A compiler works in this block: for us, or (no ``kernels``) for a process we wait for."""
    begin()
    try:
        yield
    finally:
        end(kernels)


def begin() -> None:
    """A compiler begins, perhaps inside another one's work."""
    global _depth, _began, _told
    with _lock:
        _depth += 1
        if _depth > 1:
            return
        _began = time.perf_counter()
    _told = _teller.get() or _session_teller()
    if _told is not None:
        name = _called()
        _told(f"compiling{' ' + name if name else ''}, once for these types")


def end(kernels: int = 1) -> None:
    """The compiler that began last is done, or has failed."""
    global _depth, _total, _count, _told
    with _lock:
        _depth -= 1
        if _depth:
            return
        _total += time.perf_counter() - _began
        _count += kernels
    tell, _told = _told, None
    if tell is not None:
        tell("")


def _called() -> str:
    """The name of the algorithm, or else of the operator or reader, that a user has called."""
    frame = sys._current_frames().get(caller(), sys._getframe())
    found: dict[int, str] = {}
    while frame is not None:  # the outermost is met last
        module = frame.f_globals.get("__name__", "")
        name = _public_name(frame)
        for rank, packages in enumerate(_CALLED):
            if name and module.startswith(packages):
                found[rank] = name
        frame = frame.f_back  # type: ignore[assignment]
    return found[min(found)] if found else ""


def _public_name(frame: FrameType) -> str:
    name = frame.f_code.co_qualname
    parts = name.split(".")
    return "" if any(part.startswith(("_", "<")) for part in parts) else name


def _session_teller() -> Teller | None:
    """How to tell somebody who sits before a terminal or a notebook; None where nobody does."""
    if os.environ.get("EDGEWISE_QUIET", "") not in ("", "0"):
        return None
    if in_notebook():
        return Cell()
    try:
        return _terminal_line if sys.stderr.isatty() else None
    except (AttributeError, ValueError):  # there is none, or it is closed
        return None


def _terminal_line(text: str) -> None:
    """Show a line in place of the last one."""
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def in_notebook() -> bool:
    """Does this process run the cells of a notebook?"""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return getattr(shell, "kernel", None) is not None


class Cell:
    """A line below a notebook's cell, to be empty in the end."""

    def __init__(self) -> None:
        self.handle: Any = None

    def __call__(self, text: str, html: str | None = None) -> None:
        """Show a text in place of the last one, or its HTML where that is given."""
        html = (f"<i>{text}</i>" if text else "") if html is None else html
        shown: Any = {"text/plain": text, "text/html": html}
        if self.handle is None:
            self.handle = sys.modules["IPython"].display.display(shown, raw=True, display_id=True)
        else:
            self.handle.update(shown, raw=True)


def _after_fork() -> None:
    global _lock
    _lock = threading.RLock()  # another thread may have held it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

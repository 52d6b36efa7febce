"""Progress of a block of code: its steps, and the rounds of the algorithms that run in it.

In a terminal it is a line on standard error, drawn by rich; in a notebook a line below the cell.
Both go away at the end. Nothing is shown where standard error is no terminal, or under
EDGEWISE_QUIET=1. Rounds come from `edgewise.base.observe`, and kernels that compile from
`edgewise.base.compiling`. The clock stands still while they do.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

from edgewise.base.compiling import Cell, clock, in_notebook, telling
from edgewise.base.observe import observe, observer

__all__ = ["Steps", "progress"]

_PAUSE = 0.1  # seconds between two updates of a notebook's cell

Update = Callable[..., None]  # takes any of: name, done, detail


class Steps:
    """Counts the steps of a block; shows the name of the step and its latest round."""

    def __init__(self, update: Update | None = None):
        self._update: Update = update or (lambda **_: None)
        self._done = -1

    def __call__(self, name: str) -> None:
        """The step before is done; ``name`` begins."""
        self._done += 1
        self._update(name=name, done=self._done, detail="")

    def round(self, iteration: int, **counts: Any) -> None:
        """The observer: one finished round of the algorithm that is running."""
        known = " ".join(f"{name} {_text(value)}" for name, value in counts.items())
        self._update(detail=f"round {iteration}  {known}")

    def compiling(self, text: str) -> None:
        """What is being compiled; nothing any more, if the text is empty."""
        self._update(detail=text)


@contextmanager
def progress(
    total: int | None = None, *, quiet: bool = False, get_time: Callable[[], float] = clock
) -> Iterator[Steps]:
    """Show what runs in the block: the rounds of algorithms, and steps that the block names.

    Nothing is shown where output is piped into a file or another program, or if the environment
    variable EDGEWISE_QUIET is 1. Other observers of the block hear of every round, too.

    Parameters
    ----------
    total : int, optional
        The number of steps, which draws a bar.
    quiet : bool
        Show nothing.
    get_time : callable
        The clock. By default one that stands still while kernels compile.

    Yields
    ------
    Steps
        Call it with a name as each step begins.

    Examples
    --------
    >>> import edgewise as ew
    >>> graph = ew.generators.cycle(5)
    >>> with ew.progress():
    ...     rank = ew.pagerank(graph)
    >>> with ew.progress(2) as step:
    ...     step("ranks")
    ...     rank = ew.pagerank(graph)
    ...     step("communities")
    ...     found = ew.communities.louvain(graph)
    """
    screen = None if quiet or _silent() else _cell if in_notebook() else _line if _tty() else None
    if screen is None:
        with telling(lambda text: None):
            yield Steps()
        return
    with screen(total, get_time) as update:
        steps, before = Steps(update), observer()

        def tell(iteration: int, **counts: Any) -> None:
            steps.round(iteration, **counts)
            if before is not None:
                before(iteration, **counts)

        with observe(tell), telling(steps.compiling):
            yield steps


def _silent() -> bool:
    return os.environ.get("EDGEWISE_QUIET", "") not in ("", "0")


def _tty() -> bool:
    try:
        return not sys.stderr.closed and sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


@contextmanager
def _line(total: int | None, get_time: Callable[[], float]) -> Iterator[Update]:
    """A line of a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    bar = () if total is None else (BarColumn(bar_width=24), MofNCompleteColumn())
    columns = (SpinnerColumn(), TextColumn("{task.description}"), *bar, TimeElapsedColumn(),
               TextColumn("[dim]{task.fields[detail]}"))  # fmt: skip
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, get_time=get_time) as shown:
        task = shown.add_task("", total=total, detail="")

        def update(*, name: str | None = None, done: int | None = None, detail: str) -> None:
            shown.update(task, description=name, completed=done, detail=detail)

        yield update


@contextmanager
def _cell(total: int | None, get_time: Callable[[], float]) -> Iterator[Update]:
    """A line below a notebook's cell, at most ten times a second."""
    cell, start, latest = Cell(), get_time(), 0.0
    state: dict[str, Any] = {"name": "", "done": 0, "detail": ""}

    def update(**news: Any) -> None:
        nonlocal latest
        state.update(news)
        now = time.monotonic()
        if now - latest >= _PAUSE or "name" in news:
            latest = now
            texts = [state["name"], f"{get_time() - start:.1f} s", state["detail"]]
            bar = ""
            if total is not None:
                bar = f'<progress max="{total}" value="{state["done"]}"></progress> '
                texts.insert(1, f"{state['done']}/{total}")
            text = "  ".join(filter(None, texts))
            cell(text, f"{bar}{escape(text)}")

    try:
        yield update
    finally:
        cell("")


def _text(value: Any) -> str:
    """A count or a phase for people.

    >>> _text(12345), _text(0.123456), _text("move")
    ('12,345', '0.1235', 'move')
    """
    if isinstance(value, str):
        return value
    return f"{int(value):,}" if value == int(value) else f"{value:.4g}"

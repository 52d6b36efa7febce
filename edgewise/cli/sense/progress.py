"""Progress by bytes, drawn while files are read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from edgewise.base.compiling import clock, telling

__all__ = ["reading"]


@contextmanager
def reading(*, quiet: bool) -> Iterator[Callable[[int, int | None], None]]:
    """A function to call with the numbers of bytes read so far and in total, if that is known."""
    if quiet or not sys.stderr.isatty():
        with telling(lambda text: None):
            yield lambda done, total: None
        return
    columns = [
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        DownloadColumn(binary_units=True),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[detail]}"),
    ]
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, get_time=clock) as progress:
        task = progress.add_task("reading", total=None, detail="")

        def show(done: int, total: int | None) -> None:
            name = "summing" if total is not None and done >= total else "reading"
            progress.update(task, completed=done, total=total, description=name)

        with telling(lambda text: progress.update(task, detail=text)):
            yield show

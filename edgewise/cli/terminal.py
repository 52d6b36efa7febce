"""What the command line shows: results on standard output, progress on standard error.

Progress is drawn only where standard error is a terminal and ``--quiet`` was not given. That of
steps is `edgewise.base.progress`, which users' programs have, too.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from edgewise.base.compiling import clock, compile_seconds, telling
from edgewise.base.progress import Steps, progress
from edgewise.cli.usage_errors import visible

__all__ = ["Steps", "amount", "compiled", "number", "percent", "print_json", "say_bytes", "seconds"]
__all__ += ["show", "steps", "table", "took"]


@contextmanager
def steps(total: int, *, quiet: bool, get_time: Callable[[], float] = clock) -> Iterator[Steps]:
    """Progress through ``total`` named steps, with the rounds of what runs in the block."""
    with progress(total, quiet=quiet, get_time=get_time) as shown:
        yield shown


@contextmanager
def amount(
    name: str,
    total: int,
    unit: str,
    *,
    quiet: bool,
    text: Callable[[int], str] | None = None,
) -> Iterator[Callable[[int], None]]:
    """Progress through ``total`` things: call what this gives with how many are done so far.

    ``text`` writes an amount; `number` does if it is not given.
    """
    if quiet or not sys.stderr.isatty():
        with telling(lambda text: None):
            yield lambda done: None
        return
    text = text or number
    columns = [
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[done]}"),
        TimeElapsedColumn(),
        TextColumn("[dim]{task.fields[detail]}"),
    ]
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, get_time=clock) as progress:
        task = progress.add_task(name, total=total, done="", detail="")

        def tell(done: int) -> None:
            said = f"{text(done)} of {text(total)} {unit}"
            progress.update(task, completed=done, done=said)

        with telling(lambda text: progress.update(task, detail=text)):
            yield tell


def show(*renderables: Any) -> None:
    """Print tables, or lines of plain text, on standard output."""
    console = Console(highlight=False, soft_wrap=True)
    for item in renderables:
        if isinstance(item, Text):
            item.plain = visible(item.plain)
        console.print(visible(item) if isinstance(item, str) else item, markup=False)


def table(title: str, rows: Sequence[tuple[Any, ...]]) -> Table:
    """A table of names and values under a title."""
    title = visible(title)
    made = Table(title=title, title_justify="left", title_style="bold", show_header=False, box=None)
    made.add_column(style="dim", no_wrap=True)
    for name, *values in rows:
        made.add_row(Text(number(name)), *(Text(number(value)) for value in values))
    return made


def print_json(value: Any) -> None:
    """One JSON document on standard output, the same on a terminal and in a pipe."""
    print(json.dumps(value, indent=2, allow_nan=False))


def number(value: Any) -> str:
    """A number for people: 12,345 or 0.1234; a dash for None.

    >>> number(1234567), number(0.123456), number(12345.6), number(None), number(1e-9)
    ('1,234,567', '0.1235', '12,346', '–', '1e-09')
    """
    if value is None:
        return "–"
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not math.isfinite(value):
        return str(value)
    if int(value) == value:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(share: float | None) -> str:
    """A share for people, with more digits where it is next to nothing or to all.

    >>> percent(1), percent(0.99971), percent(0.1234), percent(0.00123), percent(0), percent(None)
    ('100%', '99.971%', '12.3%', '0.12%', '0%', '–')
    """
    if share is None:
        return "–"
    if share in (0, 1):
        return f"{share:.0%}"
    digits = 3 if share >= 0.9995 else 1 if share >= 0.01 else 2
    return f"{share:.{digits}%}"


def say_bytes(count: int) -> str:
    """A number of bytes for people.

    >>> say_bytes(1000), say_bytes(3 << 19), say_bytes(1023 << 20)
    ('1000 bytes', '1.5 MiB', '1,023 MiB')
    """
    for size, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= size:
            value = count / size
            return f"{value:.3g} {name}" if value < 999.5 else f"{value:,.0f} {name}"
    return f"{count} bytes"


def took(value: float) -> str:
    """How long something took, and how long the compiler did in this process, if it worked."""
    return ", ".join(filter(None, (seconds(value), compiled())))


def compiled() -> str:
    """How long this process has waited for the compiler; nothing if it has not."""
    waited = compile_seconds()
    return f"compiled {seconds(waited)}, once" if waited else ""


def seconds(value: float) -> str:
    """A duration for people.

    >>> seconds(0.00001), seconds(0.00012), seconds(0.25), seconds(3.14159), seconds(200)
    ('< 0.1 ms', '0.1 ms', '250 ms', '3.14 s', '3 min 20 s')
    """
    if value < 0.00005:
        return "< 0.1 ms"
    if value < 0.001:
        return f"{value * 1e3:.1f} ms"
    if value < 1:
        return f"{value * 1e3:.0f} ms"
    if value < 100:
        return f"{value:.2f} s"
    return f"{int(value // 60)} min {int(value % 60)} s"

"""What was sensed as tables for a terminal: windows, totals, distributions, what is unusual."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from edgewise.cli.sense.facts import DISTRIBUTIONS, HEADS, TITLES, at, span, totals
from edgewise.cli.terminal import number, percent, say_bytes, seconds, table
from edgewise.sensing.fits import zipf_mandelbrot
from edgewise.sensing.unusual import FEWEST, looks, unusual

if TYPE_CHECKING:
    from edgewise.cli.sense.command import Asked
    from edgewise.sensing import Sensing

__all__ = ["terminal_tables"]

#: Windows that are all shown; of more, so many of the first and of the last.
_ROWS, _ENDS = 12, 5
_FLAGS = 20
_BINS = 5  # that have a column of their own


def terminal_tables(found: Sensing, asked: Asked) -> Iterator[Any]:
    """What to show, in order."""
    flags = unusual(found.windows)
    yield _windows(found, asked, looks(flags))
    yield ""
    says = totals(found.quantities)
    rows = [(TITLES[name], value, says[name]) for name, value in found.quantities._asdict().items()]
    yield table("In total", rows)
    if found.quantities.valid_packets:
        yield ""
        yield _distributions(found)
    if found.levels:
        yield ""
        yield _levels(found)
    yield ""
    yield from _unusual(found, flags)
    yield from _read(found, asked)


def _windows(found: Sensing, asked: Asked, marks: dict[int, str]) -> Table:
    windows = found.windows
    many = "window" if len(windows) == 1 else "windows"
    kind = "packets" if asked.window.strip("0123456789^* ") == "" else ""
    title = f"{asked.name}: {number(len(windows))} {many} of {asked.window} {kind}".strip()
    made = _headed(title, ["", "begins", *HEADS.values(), *(["looks like"] if marks else [])])
    shown = list(range(len(windows)))
    if len(windows) > _ROWS:
        shown = [*shown[:_ENDS], -1, *shown[-_ENDS:]]
    for i in shown:
        if i < 0:
            made.add_row("…")
            continue
        begins = at(None if windows.start is None else int(windows.start[i]))
        values = (number(int(column[i])) for column in windows.quantities)
        made.add_row(number(i), begins, *values, *([marks.get(i, "")] if marks else []))
    return made


def _distributions(found: Sensing) -> Table:
    """Shares in the first bins, and the law that fits."""
    names = ["1", "2", *(f"{(1 << i - 1) + 1}-{1 << i}" for i in range(2, _BINS))]
    last = f"{(1 << _BINS - 1) + 1}+"
    made = _headed("Distributions", ["", "of", *names, last, "exponent", "offset"])
    for name, (title, things, _) in DISTRIBUTIONS.items():
        counts = getattr(found.distributions, name)
        whole, fit = int(counts.sum()), zipf_mandelbrot(counts)
        parts = [*counts[:_BINS].tolist(), int(counts[_BINS:].sum())]
        law = ("–" if np.isnan(value) else f"{value:.2f}" for value in (fit.exponent, fit.offset))
        shares = (percent(part / whole) for part in parts)
        made.add_row(title, f"{number(whole)} {things}", *shares, *law)
    return made


def _levels(found: Sensing) -> Table:
    heads = ["packets", "windows", *list(HEADS.values())[1:]]
    made = _headed("Sums of windows: means", heads)
    for level in found.levels:
        means = (number(round(value)) for value in level.mean[1:])
        made.add_row(number(level.packets), number(level.windows), *means)
    return made


def _unusual(found: Sensing, flags: list[Any]) -> Iterator[str]:
    if len(found.windows) < FEWEST:
        return
    if not flags:
        yield "No window leaves the usual range of any quantity."
        return
    count = len({flag.window for flag in flags})
    yield f"{number(count)} unusual window{'' if count == 1 else 's'}:"
    for flag in flags[:_FLAGS]:
        yield f"  window {number(flag.window)}: {flag.says}"
    if len(flags) > _FLAGS:
        yield f"  … and {number(len(flags) - _FLAGS)} more; --json has them all"


def _read(found: Sensing, asked: Asked) -> Iterator[str]:
    """What was read, when it was, what is to be said about it, and how long it took."""
    tally = found.tally
    files = f"{number(tally.files)} file{'' if tally.files == 1 else 's'}"
    kinds = {"IPv4": tally.ipv4, "IPv6": tally.ipv6, "neither": tally.other,
             "captured too short": tally.cut}  # fmt: skip
    parts = ", ".join(f"{number(count)} {kind}" for kind, count in kinds.items() if count)
    yield f"{files}, {say_bytes(tally.bytes_read)}: {number(tally.packets)} frames ({parts or 0})"
    when = span(found.total.start, found.total.stop)
    if when != "–":
        yield f"From {when} (UTC)"
    if found.late:
        yield (
            f"{number(found.late)} packets came after a later window had begun, and were counted "
            "in the one that was open then: are the files in the order of time?"
        )
    if found.empty:
        yield f"{number(found.empty)} windows without packets are left out"
    for error in tally.damage:
        yield f"Damaged: {error}"
    yield (
        f"Addresses are anonymized: {asked.anonymized}"
        if asked.anonymized
        else ("Addresses are not anonymized")
    )
    took = found.seconds["in all"]
    stages = ", ".join(
        f"{name} {seconds(value)}" for name, value in found.seconds.items() if name != "in all"
    )
    rate = found.quantities.valid_packets / took / 1e6 if took else 0.0
    yield f"{seconds(took)}, {rate:.3g} million packets a second ({stages})"


def _headed(title: str, heads: list[str]) -> Table:
    """An empty table with a row of heads."""
    made = Table(title=title, title_justify="left", title_style="bold", box=None)
    for i, head in enumerate(heads):
        text = i == 0 or head in ("begins", "of", "looks like")
        made.add_column(Text(head, style="dim"), justify="left" if text else "right", no_wrap=True)
    return made

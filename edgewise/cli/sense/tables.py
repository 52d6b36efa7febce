"""What was sensed as tables for a terminal: windows, totals, distributions, what is unusual."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.text import Text

from edgewise.cli.sense.facts import (
    TITLES,
    at,
    fitted,
    late_question,
    most_unread,
    say_law,
    span,
    totals,
)
from edgewise.cli.terminal import number, percent, say_bytes, seconds, table, took
from edgewise.sensing.anomalies import FEWEST, anomalies, describe_anomalies
from edgewise.sensing.cutting import Every, window_of
from edgewise.sensing.fits import zipf_mandelbrot

if TYPE_CHECKING:
    from edgewise.cli.sense.command import Asked
    from edgewise.sensing import Sensing

__all__ = ["aligned", "terminal_tables"]

#: Windows that are all shown; of more, so many of the first and of the last.
_ROWS, _ENDS = 12, 5
_FLAGS = 20
_BINS = 5  # that have a column of their own
#: The quantities in narrow columns: what is largest stands beside what it is the largest of.
_HEADS = ("packets", "links", "max", "sources", "max", "fan-out", "dests", "max", "fan-in")


def terminal_tables(found: Sensing, asked: Asked) -> Iterator[Any]:
    """What to show, in order."""
    flags = anomalies(found.windows)
    yield from _windows(found, asked, describe_anomalies(flags))
    yield ""
    says = totals(found.quantities)
    rows = [(TITLES[name], value, says[name]) for name, value in found.quantities._asdict().items()]
    yield table("In total", rows)
    if found.quantities.valid_packets:
        yield ""
        yield from _distributions(found)
    if found.levels:
        yield ""
        yield from _levels(found)
    yield ""
    yield from _unusual(found, flags)
    yield from _read(found, asked)


def _windows(found: Sensing, asked: Asked, marks: dict[int, str]) -> Iterator[Any]:
    windows = found.windows
    count = len(windows)
    kind = " packets" if isinstance(window_of(asked.window), Every) else ""
    many = "window" if count == 1 else "windows"
    yield _title(f"{asked.name}: {number(count)} {many} of {asked.window}{kind}")
    shown = list(range(count))
    if count > _ROWS:
        shown = [*shown[:_ENDS], *shown[-_ENDS:]]
    when = _when(windows.start, shown)
    rows = [
        (number(i), begun, *(number(int(column[i])) for column in windows.quantities))
        for i, begun in zip(shown, when, strict=True)
    ]
    head, *lines = aligned(["", "begins", *_HEADS], rows)
    lines = [f"{line}  {marks.get(i, '')}".rstrip() for i, line in zip(shown, lines, strict=True)]
    if count > _ROWS:
        lines.insert(_ENDS, f"… {number(count - 2 * _ENDS)} more")
    yield from (head, *lines)


def _when(start: Any, shown: list[int]) -> list[str]:
    """When windows begin: of one day, without the day."""
    texts = [at(None if start is None else int(start[i])) for i in shown]
    same_day = len({text[:10] for text in texts}) == 1
    return [text[11:] if same_day and text != "–" else text for text in texts]


def _distributions(found: Sensing) -> Iterator[Any]:
    """Shares in the first bins, and the exponent of the law that fits."""
    names = ["1", "2", *(f"{(1 << i - 1) + 1}-{1 << i}" for i in range(2, _BINS))]
    last = f"{(1 << _BINS - 1) + 1}+"
    rows = []
    for name, counts in found.distributions._asdict().items():
        whole, law = int(counts.sum()), say_law(fitted(zipf_mandelbrot, counts).exponent, counts)
        parts = [*counts[:_BINS].tolist(), int(counts[_BINS:].sum())]
        shares = (f"{part / whole:.0%}" if part else "–" for part in parts)
        rows.append((name.replace("_", " ").replace("fan ", "fan-"), number(whole), *shares, law))
    yield _title("Distributions")
    yield from aligned(["", "of", *names, last, "exponent"], rows)


def _levels(found: Sensing) -> Iterator[Any]:
    yield _title("Sums of windows, means")
    rows = [
        (number(one.packets), number(one.windows), *(number(round(mean)) for mean in one.mean[1:]))
        for one in found.levels
    ]
    yield from aligned(["packets", "windows", *_HEADS[1:]], rows)


def _unusual(found: Sensing, flags: list[Any]) -> Iterator[str]:
    if len(found.windows) < FEWEST:
        return
    if not flags:
        yield "No window leaves the usual range of any quantity."
        return
    count = len({flag.window for flag in flags})
    yield f"{number(count)} unusual window{'' if count == 1 else 's'}:"
    for flag in flags[:_FLAGS]:
        yield f"  window {number(flag.window)}: {flag.text}"
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
    if tally.unread:
        shares = (
            f"{name} {number(count)} ({percent(count / tally.packets)})"
            for name, count in most_unread(tally)
        )
        yield f"Without an IP header: {'; '.join(shares)}"
    when = span(found.total.start, found.total.stop)
    if when != "–":
        yield f"From {when} (UTC)"
    if found.late:
        many = "1 packet" if found.late == 1 else f"{number(found.late)} packets"
        yield (
            f"{many} came after a later window had begun, counted in the one that was open then: "
            f"{late_question(found)}"
        )
    elif _goes_back(found.windows):
        yield "Some packets are older than those before them: are the files in the order of time?"
    left = _of_family(tally, asked.family) - found.quantities.valid_packets
    if left:
        many = "1 packet" if left == 1 else f"{number(left)} packets"
        yield f"{many} of windows that are not whole left out"
    if found.empty:
        many = "1 window" if found.empty == 1 else f"{number(found.empty)} windows"
        yield f"{many} without packets left out"
    for error in tally.damage:
        yield f"Damaged: {error}"
    yield (
        f"Addresses are anonymized: {asked.anonymized}"
        if asked.anonymized
        else ("Addresses are not anonymized")
    )
    spent = found.seconds["in all"]
    stages = ", ".join(
        f"{name} {seconds(value)}" for name, value in found.seconds.items() if name != "in all"
    )
    rate = found.quantities.valid_packets / spent / 1e6 if spent else 0.0
    yield f"{took(spent)}; {rate:.3g} million packets a second ({stages})"


def _goes_back(windows: Any) -> bool:
    """Whether a window begins, or ends, before the one ahead of it does."""
    times = [when for when in (windows.start, windows.stop) if when is not None]
    return any(bool((when[1:] < when[:-1]).any()) for when in times)


def _of_family(tally: Any, family: str) -> int:
    """How many packets there were of the chosen kind."""
    return {"ip": tally.ipv4 + tally.ipv6, "ipv4": tally.ipv4, "ipv6": tally.ipv6}[family]


def _title(text: str) -> Text:
    return Text(text, style="bold")


def aligned(heads: list[str], rows: list[tuple[str, ...]]) -> list[str]:
    """Rows as lines under their heads, the first column to the left and the others to the right.

    >>> print("\\n".join(aligned(["", "links"], [("a", "5"), ("bcd", "1,234")])))
         links
    a        5
    bcd  1,234
    """
    lines = [tuple(heads), *rows]
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    return [
        "  ".join([line[0].ljust(first), *map(str.rjust, line[1:], others)]).rstrip()
        for line in lines
    ]

"""What was sensed as one HTML page: totals, unusual windows, time series, distributions, the top.

Of anonymized traffic the page holds no name: ids are those that the key gave, and the names of the
files are left out, as they may tell where a capture was taken. A key never comes here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.cli.report import page
from edgewise.cli.report.page import Tile, capital, card, listing, meter, section
from edgewise.cli.sense.facts import (
    DISTRIBUTIONS,
    HEADS,
    TITLES,
    at,
    fitted,
    late_question,
    most_unread,
    say_law,
    size,
    span,
    totals,
)
from edgewise.cli.sense.pictures import Series, distribution_picture, series_picture
from edgewise.cli.terminal import number, percent, say_bytes
from edgewise.sensing.anomalies import FEWEST, Flag, anomalies, baseline, describe_anomalies
from edgewise.sensing.fits import power_law, zipf_mandelbrot
from edgewise.sensing.heavy_hitters import TopEnds, heavy_hitters
from edgewise.sensing.links import addresses
from edgewise.sensing.quantities import Quantities

__all__ = ["html_report"]

#: Windows that a table shows all; of more, those that are unusual and some others.
_ROWS = 40
_TOP = 10
_MANY_FLAGS = 100


class _Windows(NamedTuple):
    """The windows, and what is unusual about them."""

    quantities: Quantities
    when: list[str]
    flags: list[Flag]
    looks: dict[int, str]

    @property
    def number(self) -> int:
        return len(self.when)


def html_report(
    sensing: Any, name: str, *, window: str | int, anonymized: str | None = None
) -> str:
    """The whole page as text.

    Parameters
    ----------
    sensing : Sensing
        What `edgewise.sensing.sense` has found.
    name : str
        Which captures it is about; not shown where addresses are anonymized.
    window : int or str
        Packets per window, or its duration in words.
    anonymized : str, optional
        How addresses were anonymized, in a word; None: they are real.
    """
    windows = _windows(sensing.windows)
    title = "Anonymized traffic" if anonymized else name
    parts = [
        page.header(title, _about(sensing, windows, window), _notices(sensing, anonymized)),
        page.tiles(_tiles(sensing.quantities)),
        '<div class="cards">',
        _unusual_windows(windows),
        _series(windows, baseline(sensing.windows)),
        *_distributions(sensing),
        _read(sensing.tally, sensing.quantities),
        _table(windows),
        _levels(sensing.levels),
        *_top(sensing.total),
        _timings(sensing),
        "</div>",
        page.footer(_notes(windows)),
    ]
    return page.page(f"{title}: network sensing", parts)


def _windows(windows: Any) -> _Windows:
    flags = anomalies(windows)
    quantities = Quantities(*(np.asarray(values) for values in windows.quantities))
    if windows.start is None:
        when = ["no time"] * len(quantities.valid_packets)
    else:
        when = [at(time) for time in windows.start.tolist()]
    return _Windows(quantities, when, flags, describe_anomalies(flags))


def _about(sensing: Any, windows: _Windows, window: str | int) -> str:
    each = f"{size(window)} packets" if isinstance(window, int) else window
    packets = number(sensing.quantities.valid_packets)
    said = f"{packets} packets in {_windows_said(windows.number)} of {each}"
    when = span(sensing.total.start, sensing.total.stop)
    return said if when == "–" else f"{said}, from {when} (UTC)"


def _notices(sensing: Any, anonymized: str | None) -> list[str]:
    if anonymized:
        said = [
            f"Addresses are anonymized ({anonymized}): what looks like an address here is none of "
            "the network's. Times and sizes are as they were."
        ]
    else:
        said = ["Addresses are NOT anonymized: this page says who talked to whom."]
    tally = sensing.tally
    if tally.damaged:
        said.append(f"{say_bytes(tally.damaged)} of damaged files were left out.")
    if sensing.empty:
        said.append(f"{_windows_said(sensing.empty)} of time had no packets and are left out.")
    if sensing.late:
        said.append(
            f"{number(sensing.late)} packets came after a later window had begun, and count in "
            f"the one that was open then: {late_question(sensing)}"
        )
    return said


def _windows_said(count: int) -> str:
    return f"{number(count)} window{'' if count == 1 else 's'}"


def _tiles(quantities: Quantities) -> list[Tile]:
    says = totals(quantities)
    return [
        Tile(TITLES[name], number(value), says[name])
        for name, value in zip(Quantities._fields, quantities, strict=True)
    ]


def _unusual_windows(windows: _Windows) -> str:
    title = "Unusual windows"
    if windows.number < FEWEST:
        said = f"What is usual takes {FEWEST} windows to say; there are {windows.number}."
        return section(title, f'<p class="nothing">{said}</p>', wide=True)
    if not windows.flags:
        said = "No window leaves the usual range of any quantity."
        return section(title, f'<p class="nothing">{said}</p>', wide=True)
    said = "What they look like is a guess from sizes alone."
    shown = list(windows.looks)[:_MANY_FLAGS]
    if len(shown) < len(windows.looks):
        said = f"The first {len(shown)} of {number(len(windows.looks))}. {said}"
    reasons: dict[int, list[str]] = {}
    for flag in windows.flags:
        reasons.setdefault(flag.window, []).append(flag.text)
    rows = [(str(i), windows.when[i], windows.looks[i], "\n".join(reasons[i])) for i in shown]
    heads = ("window", "begins", "looks like", "because")
    table = listing(rows, heads, name="unusual", style="texts")
    return section(title, f'<p class="nothing">{said}</p>{table}', wide=True)


def _series(windows: _Windows, ranges: Any) -> str:
    """All quantities over windows, as small pictures side by side."""
    panels = []
    for name in Quantities._fields:
        marked = {flag.window: flag.text for flag in windows.flags if flag.quantity == name}
        band = None if ranges is None else (getattr(ranges.low, name), getattr(ranges.high, name))
        series = Series(getattr(windows.quantities, name), band, marked)
        picture = series_picture(series, TITLES[name], windows.when)
        if picture is None:
            return ""
        panels.append(f"<figure><figcaption>{capital(TITLES[name])}</figcaption>{picture}</figure>")
    return section("Over windows", f'<div class="panels">{"".join(panels)}</div>', wide=True)


def _distributions(sensing: Any) -> list[str]:
    """The five distributions, of the total and of the windows, with the laws that fit them."""
    cards = []
    for name, (title, things, measure) in DISTRIBUTIONS.items():
        rows = [("total", np.asarray(getattr(sensing.distributions, name)))]
        each = np.asarray(getattr(sensing.windows.distributions, name))
        if len(each) > 1:
            rows.append(("mean window", each.sum(axis=0)))
        shown = [(label, counts, fitted(zipf_mandelbrot, counts)) for label, counts in rows]
        laws = [("", counts, fitted(power_law, counts)) for _, counts in rows]
        texts = [
            (what, *(say_law(getattr(fit, part), counts, digits) for _, counts, fit in fits))
            for what, fits, part, digits in (
                ("Zipf-Mandelbrot exponent", shown, "exponent", 2),
                ("its offset", shown, "offset", 2),
                ("its distance (KS)", shown, "distance", 3),
                ("power-law exponent", laws, "exponent", 2),
                ("its distance (KS)", laws, "distance", 3),
            )
        ]
        if len(rows) > 1:
            texts.insert(0, ("", *(label for label, _ in rows)))
        cards.append(card(title, distribution_picture(shown, things, measure), texts))
    return cards


def _read(tally: Any, quantities: Quantities) -> str:
    rows = [
        ("files", number(tally.files)),
        ("bytes", say_bytes(tally.bytes_read)),
        ("frames", number(tally.packets)),
        ("IPv4", _of(tally.ipv4, tally.packets)),
        ("IPv6", _of(tally.ipv6, tally.packets)),
        ("neither", _of(tally.other, tally.packets)),
        *((f"– {kind}", _of(count, tally.packets)) for kind, count in most_unread(tally)),
        ("captured too short", _of(tally.cut, tally.packets)),
        ("bytes dropped as damaged", number(tally.damaged)),
        ("packets counted here", _of(quantities.valid_packets, tally.packets)),
    ]
    return section("What was read", page.facts(rows))


def _of(part: int, whole: int) -> str:
    return f"{number(part)} ({percent(part / whole)})" if part and whole else number(part)


def _table(windows: _Windows) -> str:
    """The windows: all if they are few, else the unusual ones and some others."""
    shown, title = list(range(windows.number)), "Windows"
    if windows.number > _ROWS:
        flagged = list(windows.looks)[:_MANY_FLAGS]
        some = np.linspace(0, windows.number - 1, max(_ROWS - len(flagged), 12)).astype(int)
        shown = sorted({*flagged, *some.tolist()})
        kinds = "the unusual ones and some others" if flagged else "some of them"
        title = f"Windows: {kinds} of {number(windows.number)}"
    rows = [
        [
            *(str(i), windows.when[i], *(number(int(values[i])) for values in windows.quantities)),
            windows.looks.get(i, ""),
        ]
        for i in shown
    ]
    marked = {place for place, i in enumerate(shown) if i in windows.looks}
    heads = ["", "begins", *HEADS.values(), "looks like"]
    table = listing(rows, heads, name="windows", style="numbers", marked=marked)
    return section(title, f'<div class="scroll">{table}</div>', wide=True)


def _levels(levels: list[Any]) -> str:
    """Windows of 1, 2, 4 ... times the length: how quantities grow with it."""
    if not levels:
        return ""
    rows = [
        [
            *("", size(level.packets), number(level.windows)),
            *(number(round(value)) for value in level.mean[1:]),
        ]
        for level in levels
    ]
    heads = ["", "packets", "windows", *list(HEADS.values())[1:]]
    table = listing(rows, heads, name="levels", style="numbers")
    return section("Sums of windows: means", f'<div class="scroll">{table}</div>', wide=True)


def _top(total: Any) -> list[str]:
    """The largest links, sources and destinations of the whole."""
    if not total.num_links:
        return []
    found = heavy_hitters(total, _TOP)
    all_ = total.num_packets
    most = int(found.links.packets[0])
    ends = zip(*map(addresses, found.links[:2]), found.links.packets.tolist(), strict=True)
    rows = [
        (str(i), f"{a} →\u00a0{b}", number(packets), percent(packets / all_), meter(packets / most))
        for i, (a, b, packets) in enumerate(ends, 1)
    ]
    heads = ("", "link", "packets", "share", "")
    return [
        section("Largest links", listing(rows, heads, name="links", style="list ends"), wide=True),
        _top_ends("sources", "source", "fan-out", found.sources, all_),
        _top_ends("destinations", "destination", "fan-in", found.destinations, all_),
    ]


def _top_ends(title: str, thing: str, degree: str, ends: TopEnds, all_: int) -> str:
    columns = addresses(ends.ids), ends.packets.tolist(), ends.links.tolist()
    rows = [
        (str(i), name, number(packets), percent(packets / all_), number(links))
        for i, (name, packets, links) in enumerate(zip(*columns, strict=True), 1)
    ]
    heads = ("", thing, "packets", "share", degree)
    return section(f"Largest {title}", listing(rows, heads, name=title, style="list ends"))


def _timings(sensing: Any) -> str:
    stages = {
        name: value for name, value in sensing.seconds.items() if name not in ("in all", "waiting")
    }
    return page.timings(stages, sensing.seconds.get("in all"))


def _notes(windows: _Windows) -> list[str]:
    said = [
        "A link is a source with a destination that it sent packets to; fan-out is the number of "
        "a source's links, fan-in that of a destination's. None of these numbers depends on who "
        "is who.",
        "Distributions count sizes in bins of powers of two: 1, 2, 3 to 4, 5 to 8, and so on; a "
        "dot stands at the largest value of its bin. The law of Zipf and Mandelbrot gives a size d "
        "a chance in proportion to (d + offset) to the power of minus the exponent; KS is the "
        "largest difference of the two cumulative distributions. With fewer than 50 of something "
        "an exponent would be mostly chance.",
    ]
    if windows.number >= FEWEST:
        said.append(
            "The usual range of a quantity reaches 5 robust standard deviations to each side of "
            "its median over the windows, more where these are few, and 10% at least. In steady "
            "traffic at most one report in 20 marks a window by chance. A first or last window "
            "with fewer packets than the others is judged only where it has more."
        )
    return said

"""Windows that leave the usual range, and what that looks like: a scan, a flood, silence.

What is usual is learned from the windows themselves. Each quantity has its median over them, and a
range around it of 5 robust standard deviations (the median absolute deviation times 1.4826), more
where there are few windows to learn from, and 10% at least. They are taken of a function of the
quantity that has an even spread: between the root, for what varies as counts do by chance, and the
logarithm, for what varies more [1]. A quarter of the windows may be unusual and the range stays.

That a window is called a scan or a flood is what its quantities look like, no more: a crawler looks
like a scan, one large transfer or a scan of one host's ports like a flood. In steady traffic of up
to 1,000 windows, at most one report in 20 marks any window.

A last window that is shorter than the others is judged only where it has more than they have; so is
a first one, as windows of a time begin before the capture does.

[1] F. J. Anscombe. The transformation of Poisson, binomial and negative-binomial data. Biometrika
35, 1948.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from edgewise.graph.transfer import host
from edgewise.sensing.quantities import Quantities

__all__ = ["FEWEST", "Baseline", "Flag", "anomalies", "baseline", "describe_anomalies"]

#: With fewer windows than this nothing is usual, and nothing unusual.
FEWEST = 5
#: How far the range reaches, in standard deviations, where there are many windows.
REACH = 5.0
#: How many times the usual something must be to have a name, beyond what more packets bring along.
RISE = 1.5
#: A source with no more packets than this for each of its destinations only knocks at their doors.
KNOCKS = 4

_MOST = 2.0**62


class Baseline(NamedTuple):
    """The usual range of each quantity over windows, as integers."""

    low: Quantities
    median: Quantities  #: the medians
    high: Quantities


class Flag(NamedTuple):
    """One quantity of one window that lies outside the usual range."""

    window: int
    quantity: str  #: the name of the field of `Quantities`
    value: int
    usual_low: int
    usual_high: int
    kind: str  #: a typical cause: "scan", "flood", "flood from many", "burst", "silence", or ""
    text: str  #: a description; the first flag of a kind names the kind


def anomalies(windows: Any) -> list[Flag]:
    """Return the anomalies of a series of windows.

    Parameters
    ----------
    windows : Windows, or Quantities of arrays
        The windows in order. With fewer than 5 windows there is no baseline and no anomaly.

    Returns
    -------
    list of Flag
        The flags in the order of the windows. Within a window, the most telling flags come first.

    Examples
    --------
    >>> import numpy as np
    >>> numbers = 1000, 400, 30, 90, 60, 20, 80, 50, 9
    >>> steady = Quantities(*(np.full(20, value) for value in numbers))
    >>> anomalies(steady)
    []
    >>> steady.max_source_fan_out[7], steady.unique_links[7] = 600, 900
    >>> for flag in anomalies(steady):
    ...     print(flag.window, flag.quantity, flag.text)
    7 max_source_fan_out one source reached 600 destinations (3 to 49 are usual): a scan
    7 unique_links 900 links were in use (306 to 507 are usual)
    """
    values, ranges = _columns(windows), baseline(windows)
    if ranges is None:
        return []
    low, _, high = (np.array(part)[:, None] for part in ranges)
    above, below = values > high, values < low
    below[:, : _whole(values).start] = below[:, _whole(values).stop :] = False
    found = []
    for window in np.flatnonzero((above | below).any(axis=0)).tolist():
        up, down = _names(above[:, window]), _names(below[:, window])
        found += _flags(window, Quantities(*values[:, window].tolist()), ranges, up, down)
    return found


def baseline(windows: Any) -> Baseline | None:
    """Return the usual range of each quantity over the windows, or None for fewer than 5.

    >>> import numpy as np
    >>> found = baseline(Quantities(*(np.array([90, 100, 110, 105, 95, 100]) for _ in range(9))))
    >>> found.low.unique_links, found.median.unique_links, found.high.unique_links
    (7, 100, 300)
    """
    values = _columns(windows)
    values = values[:, _whole(values)]
    count = values.shape[1]
    if count < FEWEST:
        return None
    middle = np.median(values, axis=1, keepdims=True)
    # Counts vary by chance by 1 / middle of their square; what they vary beyond that is `extra`.
    extra = _deviation(np.log(np.maximum(values, 1))) ** 2 - 1 / np.maximum(middle, 1)
    extra = np.sqrt(np.maximum(extra, 1e-10))

    def even(x: np.ndarray) -> np.ndarray:  # it has a standard deviation of 1
        return 2 / extra * np.arcsinh(extra * np.sqrt(x))

    # The fewer windows, the less their deviation is known: measured on normal deviates.
    reach = np.maximum((REACH + 44 / (count - 3)) * _deviation(even(values)), REACH)
    ends = np.maximum(even(middle) + np.array([-1, 1]) * reach, 0)
    low, high = np.minimum((np.sinh(np.minimum(extra * ends / 2, 300)) / extra) ** 2, _MOST).T
    middle = middle[:, 0]
    low, high = np.minimum(low, middle / 1.1), np.maximum(high, middle * 1.1)
    parts = (np.floor(low), np.rint(middle), np.ceil(high))
    return Baseline(*(Quantities(*part.astype(np.int64).tolist()) for part in parts))


def describe_anomalies(flags: Iterable[Flag]) -> dict[int, str]:
    """Return a short description of each window that has flags.

    >>> flag = Flag(3, "max_link_packets", 900, 10, 40, "flood", "")
    >>> describe_anomalies([flag, flag._replace(window=5, kind="")])
    {3: 'flood', 5: 'unusual'}
    """
    kinds: dict[int, list[str]] = {}
    for flag in flags:
        known = kinds.setdefault(flag.window, [])
        if flag.kind and flag.kind not in known:
            known.append(flag.kind)
    return {window: " and ".join(known) or "unusual" for window, known in kinds.items()}


def _deviation(values: np.ndarray) -> np.ndarray:
    """The standard deviation of each row, by the median of distances from the median."""
    distances = np.abs(values - np.median(values, axis=1, keepdims=True))
    return 1.4826 * np.median(distances, axis=1, keepdims=True)


def _columns(windows: Any) -> np.ndarray:
    """The quantities as one array with a row for each."""
    quantities = getattr(windows, "quantities", windows)
    columns = [np.asarray(host(column)) for column in quantities]
    if any(column.ndim != 1 for column in columns):
        raise ValueError(
            "windows must have quantities with an entry per window, got those of one matrix"
        )
    return np.stack(columns).astype(np.int64, copy=False)


def _whole(values: np.ndarray) -> slice:
    """The windows that are whole: without a last, or a first one, that has fewer packets.

    >>> _whole(np.array([[40, 100, 101, 99, 80]])), _whole(np.array([[98, 100, 101, 99, 100]]))
    (slice(1, 4, None), slice(0, 5, None))
    """
    packets = values[0]
    stop = len(packets) - int(len(packets) > 1 and packets[-1] < np.median(packets[:-1]))
    return slice(int(stop > 1 and packets[0] < 0.9 * np.median(packets[1:stop])), stop)


def _names(outside: np.ndarray) -> set[str]:
    return {name for name, out in zip(Quantities._fields, outside.tolist(), strict=True) if out}


def _flags(window: int, values: Quantities, ranges: Baseline, up: set[str], down: set[str]) -> Any:
    """The flags of one window, with the signs of something known first."""
    signs = _signs(values, ranges.median, up, down)
    order = [name for name in signs if name in up | down]
    order += [name for name in Quantities._fields if name in up | down and name not in signs]
    named: set[str] = set()
    for name in order:
        value, low, high = (getattr(part, name) for part in (values, ranges.low, ranges.high))
        kind = signs.get(name, "")
        said = (_ABOVE if name in up else _BELOW)[name].format(f"{value:,}")
        range_said = f"{low:,} to {high:,}" if low > 1 else f"up to {high:,}"
        tail = f": {_CALLED[kind]}" if kind and kind not in named else ""
        named.add(kind)
        yield Flag(window, name, value, low, high, kind, f"{said} ({range_said} are usual){tail}")


def _signs(values: Quantities, middle: Quantities, up: set[str], down: set[str]) -> dict[str, str]:
    """Which quantities tell what has happened, the most telling one first."""
    signs: dict[str, str] = {}
    more = max(values.valid_packets / max(middle.valid_packets, 1), 1.0)

    def stands_out(name: str) -> bool:
        rise = getattr(values, name) / max(getattr(middle, name), 1)
        return name in up and rise >= RISE * more

    def seen(kind: str, *names: str) -> None:
        signs.update({name: kind for name in names if name in up and name not in signs})

    # One source knocks at many doors: more links, and few packets on each.
    knocking = values.max_source_packets <= KNOCKS * values.max_source_fan_out
    if stands_out("max_source_fan_out") and (knocking or "unique_links" in up):
        seen("scan", "max_source_fan_out", "unique_destinations", "unique_links")
        if knocking:
            seen("scan", "max_source_packets")
    # Many sources, and many packets, to one destination.
    if stands_out("max_destination_packets") and stands_out("max_destination_fan_in"):
        names = "max_destination_packets", "max_destination_fan_in", "unique_sources"
        seen("flood from many", *names, "unique_links")
    # One link with very many packets, which its ends have, too.
    if stands_out("max_link_packets"):
        seen("flood", "max_link_packets", "max_destination_packets", "max_source_packets")
    if not signs and "valid_packets" in up:
        seen("burst", *Quantities._fields)
    if "valid_packets" in down:
        signs.update({name: "silence" for name in Quantities._fields if name in down})
    return signs


#: How a sentence ends that tells what a flag is a sign of.
_CALLED = {
    "scan": "a scan",
    "flood": "a flood",
    "flood from many": "a flood from many sources",
    "burst": "a burst",
    "silence": "silence",
}
_ABOVE = {
    "valid_packets": "{} packets came",
    "unique_links": "{} links were in use",
    "max_link_packets": "one link carried {} packets",
    "unique_sources": "{} sources sent",
    "max_source_packets": "one source sent {} packets",
    "max_source_fan_out": "one source reached {} destinations",
    "unique_destinations": "{} destinations were reached",
    "max_destination_packets": "one destination got {} packets",
    "max_destination_fan_in": "one destination heard from {} sources",
}
_BELOW = {
    "valid_packets": "only {} packets came",
    "unique_links": "only {} links were in use",
    "max_link_packets": "no link carried more than {} packets",
    "unique_sources": "only {} sources sent",
    "max_source_packets": "no source sent more than {} packets",
    "max_source_fan_out": "no source reached more than {} destinations",
    "unique_destinations": "only {} destinations were reached",
    "max_destination_packets": "no destination got more than {} packets",
    "max_destination_fan_in": "no destination heard from more than {} sources",
}

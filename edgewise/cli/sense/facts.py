"""What was sensed, in words: names of the quantities, and a sentence on each.

The same words stand in the tables of a terminal and in the report.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np

from edgewise.cli.terminal import number, percent
from edgewise.sensing.fits import Fit

__all__ = [
    "DISTRIBUTIONS",
    "HEADS",
    "TITLES",
    "at",
    "fitted",
    "late_question",
    "most_unread",
    "say_law",
    "size",
    "span",
    "totals",
]

#: Things in a distribution that it takes to tell an exponent: with fewer it is mostly chance [1].
#: [1] A. Clauset, C. R. Shalizi, M. E. J. Newman. Power-law distributions in empirical data. 2009.
_FEWEST = 50

#: The quantities as a reader calls them.
TITLES = {
    "valid_packets": "packets",
    "unique_links": "links",
    "max_link_packets": "packets on one link",
    "unique_sources": "sources",
    "max_source_packets": "packets of one source",
    "max_source_fan_out": "largest fan-out",
    "unique_destinations": "destinations",
    "max_destination_packets": "packets to one destination",
    "max_destination_fan_in": "largest fan-in",
}
#: The same for the narrow columns of a table.
HEADS = {
    "valid_packets": "packets",
    "unique_links": "links",
    "max_link_packets": "max of a link",
    "unique_sources": "sources",
    "max_source_packets": "max of a source",
    "max_source_fan_out": "fan-out",
    "unique_destinations": "destinations",
    "max_destination_packets": "max to a destination",
    "max_destination_fan_in": "fan-in",
}
#: The distributions: their titles, what has a size, and what the size is counted in.
DISTRIBUTIONS = {
    "source_packets": ("Packets of sources", "sources", "packets sent"),
    "source_fan_out": ("Fan-out of sources", "sources", "destinations reached"),
    "link_packets": ("Packets of links", "links", "packets carried"),
    "destination_fan_in": ("Fan-in of destinations", "destinations", "sources heard from"),
    "destination_packets": ("Packets to destinations", "destinations", "packets received"),
}


def totals(quantities: Any) -> dict[str, str]:
    """What each quantity of the whole says."""
    packets, links, one_link, sources, of_source, out, destinations, to_one, into = quantities

    def share(part: int, all_: int) -> str:
        return percent(part / all_ if all_ else 0.0)

    def mean(part: int, of: int) -> str:
        return number(round(part / of, 1) if of else 0)

    texts = (
        "with addresses of the chosen kind",
        f"pairs of source and destination, with {mean(packets, links)} packets each on average",
        f"on the busiest link: {share(one_link, packets)} of all packets",
        f"sent something, to {mean(links, sources)} destinations each on average",
        f"from the busiest source: {share(of_source, packets)} of all packets",
        f"reached by one source: {share(out, destinations)} of all destinations",
        f"were sent something, by {mean(links, destinations)} sources each on average",
        f"to the busiest destination: {share(to_one, packets)} of all packets",
        f"sent to one destination: {share(into, sources)} of all sources",
    )
    return dict(zip(TITLES, texts, strict=True))


def most_unread(tally: Any, most: int = 5) -> list[tuple[str, int]]:
    """What packets without an IP header are, the most frequent first; the rest as one.

    >>> from edgewise.sensing import Tally
    >>> most_unread(Tally(unread={"ARP": 1, "LLDP": 3, "CDP": 2}), 2)
    [('LLDP', 3), ('2 other kinds', 3)]
    """
    kinds = sorted(tally.unread.items(), key=lambda kind: (-kind[1], kind[0]))
    if len(kinds) > most:
        rest = kinds[most - 1 :]
        kinds[most - 1 :] = [(f"{len(rest)} other kinds", sum(count for _, count in rest))]
    return kinds


def at(time: int | None) -> str:
    """A time in nanoseconds since 1970 for people, in UTC; a dash for None or none.

    >>> at(1_700_000_000_123_456_789), at(None)
    ('2023-11-14 22:13:20', '–')
    """
    if time is None or not 0 <= time < 253_402_300_800 * 10**9:  # up to the year 9999
        return "–"
    return datetime.fromtimestamp(time // 10**9, UTC).strftime("%Y-%m-%d %H:%M:%S")


def span(start: int | None, stop: int | None) -> str:
    """From when to when, without saying the day twice.

    >>> span(0, 3661 * 10**9), span(0, 86400 * 10**9)
    ('1970-01-01 00:00:00 to 01:01:01', '1970-01-01 00:00:00 to 1970-01-02 00:00:00')
    """
    first, last = at(start), at(stop)
    if "–" in (first, last):
        return "–"
    return f"{first} to {last[11:] if first[:10] == last[:10] else last}"


def fitted(law: Callable[[Any], Fit], counts: np.ndarray) -> Fit:
    """The law that fits a distribution; one that says nothing where there are too few things.

    >>> from edgewise.sensing import power_law
    >>> few, many = (np.array([number, 5, *[0] * 62]) for number in (4, 60))
    >>> fitted(power_law, few).exponent, fitted(power_law, many).exponent > 3
    (nan, True)
    """
    if counts.sum() < _FEWEST:
        return Fit(np.nan, np.nan, np.nan, np.zeros(len(counts)))
    return law(counts)


def say_law(value: float, counts: np.ndarray, digits: int = 2) -> str:
    """A number of a law that was fitted to a distribution, or why there is none."""
    if not np.isnan(value):
        return f"{value:,.{digits}f}"
    return "too few" if 0 < counts.sum() < _FEWEST else "–"


def late_question(found: Any) -> str:
    """What to ask oneself if packets came late: of a time far ahead, all that follow do."""
    if 10 * found.late < found.quantities.valid_packets:
        return "are the files in the order of time?"
    return (
        f"is the latest time, {at(found.total.stop)}, right, and are the files in the order of "
        "time? What follows a time that is too late counts in its window."
    )


def size(count: int) -> str:
    """A number of packets, as the power of two that it is if it is one.

    >>> size(1 << 17), size(1000)
    ('2^17', '1,000')
    """
    return f"2^{count.bit_length() - 1}" if count > 1 and count & (count - 1) == 0 else f"{count:,}"

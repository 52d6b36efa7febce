"""Synthetic traffic: packets between sources and destinations of which few do most of it.

A packet is of the r-th busiest link with a chance in proportion to ``(r + offset)**-exponent``, the
law of Zipf and Mandelbrot; the source and the destination of a link are drawn by the same law, and
who has which rank is random. The number of links, or of sources, with d packets then falls about as
``d**-(1 + 1/exponent)``, as it does in the Internet [1].
Every draw is a function of the seed and of the number of the packet: the same for any number of
threads and any size of batches, and no batch needs the one before. Linear work; the memory of one
batch.

A rank comes from a table of quantiles with 2**13 steps between any two powers of two of the chance
to go beyond it. That chance is right to a tenth of a percent.

[1] J. Kepner et al. Hypersparse neural network analysis of large-scale Internet traffic. HPEC 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag, check_fraction
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed, integer
from edgewise.generators.draws import check_number, stream
from edgewise.operators import for_each
from edgewise.sensing.packets import Packets

__all__ = ["Event", "generate_traffic"]

#: The first bytes of addresses that hosts of the Internet have, where all of the block is public.
_PREFIXES = np.array(
    sorted({*range(1, 224)} - {10, 100, 127, 169, 172, 192, 198, 203}), dtype=np.uint64
)
_HOSTS = len(_PREFIXES) << 24
_EXACT = 1 << 16
_KINDS = ("scan", "flood")


class Event(NamedTuple):
    """An anomaly in generated traffic: a scan or a flood.

    From packet ``first`` on, a ``fraction`` of the next ``packets`` packets belong to it. In a
    scan, one source sends to one address after another. In a flood, random sources send to one
    destination.
    """

    kind: str  #: "scan" or "flood"
    first: int  #: the number of its first packet
    packets: int  #: its duration in packets
    fraction: float = 0.5  #: the fraction of these packets that belong to it


def generate_traffic(
    packets: int,
    *,
    sources: int = 1 << 20,
    destinations: int = 1 << 20,
    links: int = 1 << 22,
    exponent: float = 1.0,
    offset: float = 1.0,
    ipv6: float = 0.0,
    rate: float = 1e6,
    start: int = 0,
    times: bool = True,
    events: Iterable[Event] = (),
    seed: int = 0,
    batch_size: int = 1 << 20,
) -> Iterator[Packets]:
    """Return an iterator over batches of synthetic packets with power-law sources and destinations.

    Parameters
    ----------
    packets : int
        The total number of packets.
    sources : int
        The number of source addresses, at most 3.6 billion.
    destinations : int
        The number of destination addresses, at most 3.6 billion.
    links : int
        The number of distinct source-destination pairs. With 0, both ends of each packet are drawn
        independently.
    exponent : float
        The exponent of the power law, from 0 (uniform) to 16. Larger values concentrate traffic on
        fewer addresses.
    offset : float
        The value added to each rank. Larger values make the busiest addresses more alike.
    ipv6 : float
        The fraction of links between IPv6 addresses, to six digits.
    rate : float
        The number of packets per second.
    start : int
        The time of the first packet, in nanoseconds since 1970.
    times : bool
        Whether packets have times.
    events : iterable of Event
        Scans and floods. A later event overrides an earlier one.
    seed : int
        The seed of the random numbers. The same seed gives the same packets.
    batch_size : int
        The number of packets per batch; the last batch may be smaller.

    Yields
    ------
    Packets
        Ids are uint32, or uint64 if some are IPv6 (see ``wide``). Times ascend.

    Examples
    --------
    >>> first, second = generate_traffic(6, seed=1, batch_size=4)
    >>> first.num_packets, second.num_packets, first.source.dtype
    (4, 2, dtype('uint32'))
    >>> next(generate_traffic(6, seed=1)).source.tolist() == [*first.source, *second.source]
    True
    """
    total = check_count(packets, "packets")
    batch_size = check_count(batch_size, "batch_size", 1)
    start = check_count(start, "start", -(2**61), 2**61)
    period = 1e9 / check_number(rate, "rate", above=0)
    if total * period > 2**62:
        raise ValueError(f"rate must let {total} packets pass within 146 years, got {rate}")
    key = check_seed(seed)
    counts = (
        check_count(sources, "sources", 1, _HOSTS),
        check_count(destinations, "destinations", 1, _HOSTS),
        check_count(links, "links", 0, 1 << 40),
    )
    laws = tuple((_nodes(count, exponent, offset), np.uint64(count)) for count in counts)
    wide = round(check_fraction(ipv6, "ipv6") * 2**20)
    plan = _Plan(
        key, laws, np.array([stream(key, 1), stream(key, 2)]), np.uint64(wide),
        (start, period), check_flag(times, "times"),
        [_check_event(event, total) for event in events],
    )  # fmt: skip
    return (_drawn(plan, low, min(batch_size, total - low)) for low in range(0, total, batch_size))


class _Plan(NamedTuple):
    """All that a batch is drawn from."""

    key: np.uint64
    laws: tuple[tuple[np.ndarray, np.uint64], ...]  #: of sources, destinations, links; see `_nodes`
    keys: np.ndarray  #: of the permutations that give ranks their addresses
    wide: np.uint64  #: of 2**20 links
    clock: tuple[int, float]
    times: bool
    events: list[Event]


def _drawn(plan: _Plan, first: int, count: int) -> Packets:
    """The packets from number ``first`` on."""
    from edgewise.sensing.cpu.traffic import Addresses, Drawn, draw

    kind = np.uint64 if plan.wide else np.uint32
    source, destination = np.empty(count, kind), np.empty(count, kind)
    time = np.empty(count if plan.times else 0, np.int64)
    seeds = stream(plan.key, 3), stream(plan.key, 4)
    addresses = Addresses(plan.keys, _PREFIXES, plan.wide)
    drawn = Drawn(source, destination, time)
    launch(draw, seeds, first, plan.laws, addresses, plan.clock, drawn, work=count)
    for number, event in enumerate(plan.events):
        _inject(plan, number, event, first, source, destination)
    table = _gathered(plan, source, destination) if plan.wide else None
    return Packets(source, destination, time if plan.times else None, table)


def _inject(
    plan: _Plan, number: int, event: Event, first: int, source: np.ndarray, destination: np.ndarray
) -> None:
    """Put an event's packets in the place of those that are there."""
    from edgewise.sensing.cpu.traffic import Injected, flood, scan

    low = max(event.first - first, 0)
    high = min(event.first + event.packets - first, len(source))
    if low >= high:
        return
    key = stream(plan.key, 5 + number)
    host = integer(_HOSTS, key, -1)
    share = np.uint64(round(event.fraction * 2**53))
    about = Injected(np.uint64(event.first), share, np.uint64(host))
    state = (key, about, first + low, _PREFIXES, source[low:high], destination[low:high])
    for_each(high - low, scan if event.kind == "scan" else flood, state)


def _gathered(plan: _Plan, source: np.ndarray, destination: np.ndarray) -> np.ndarray | None:
    """The IPv6 addresses of a batch; ids that stand for one now say its row."""
    from edgewise.sensing.cpu.traffic import gather

    most = 2 * len(source)
    places = np.zeros(1 << (2 * most).bit_length(), np.int32)
    hosts, table = np.empty(most, np.uint64), np.empty((most, 2), np.uint64)
    found = np.zeros(1, np.int64)
    launch(gather, plan.keys, source, destination, places, hosts, table, found, work=most, team=1)
    return table[: found[0]].copy() if found[0] else None


def _nodes(count: int, exponent: float, offset: float) -> np.ndarray:
    """Quantiles of the law over ranks 0 to ``count``: where a draw leads, from the rarest on.

    The first ranks are summed up one by one, the others by the integral over their middles.
    """
    from edgewise.sensing.cpu.traffic import CELL_BITS, DRAW_BITS

    exponent = check_number(exponent, "exponent", least=0, most=16)
    offset = check_number(offset, "offset", least=0, most=2**53)
    if count == 0:
        return np.empty(0)
    exact, unit = min(count, _EXACT), 1 + offset  # chances are relative to the first
    known = np.concatenate([[0.0], np.cumsum(((np.arange(exact) + unit) / unit) ** -exponent)])
    edge = (exact + 0.5 + offset) / unit
    rest = unit * _integral(edge, (count + 0.5 + offset) / unit, exponent)
    steps = 1 + np.arange(1 << CELL_BITS) / (1 << CELL_BITS)
    powers = 2.0 ** np.arange(-DRAW_BITS, 1)
    draws = np.minimum(np.append(np.outer(powers, steps), 2.0), 1.0)
    mass = (1 - draws) * (known[-1] + rest)
    nodes = np.interp(mass, known, np.arange(exact + 1.0))
    beyond = mass > known[-1]
    far = _inverse(edge, (mass[beyond] - known[-1]) / unit, exponent)
    nodes[beyond] = np.clip(far * unit - offset - 0.5, exact, count)
    return nodes


def _integral(low: float, high: float, exponent: float) -> float:
    """The integral of ``x**-exponent`` from ``low`` to ``high``."""
    power = 1 - exponent
    if abs(power) < 1e-9:
        return float(np.log(high / low))
    return float(low**power * np.expm1(power * np.log(high / low)) / power)


def _inverse(low: float, area: np.ndarray, exponent: float) -> np.ndarray:
    """Up to where to integrate from ``low`` on for these areas."""
    power = 1 - exponent
    if abs(power) < 1e-9:
        return low * np.exp(area)
    inside = np.maximum(power * area / low**power, np.nextafter(-1, 0))
    return low * np.exp(np.log1p(inside) / power)


def _check_event(event: Event, total: int) -> Event:
    if not isinstance(event, Event):
        raise TypeError(f"events must be of type Event, got {event!r}")
    if check_count(event.first, "first of an event") >= total:
        raise ValueError(f"first of an event must be below packets ({total}), got {event.first}")
    return Event(
        check_choice(event.kind, "kind of an event", _KINDS),
        int(event.first),
        check_count(event.packets, "packets of an event", 1),
        check_fraction(event.fraction, "fraction of an event"),
    )

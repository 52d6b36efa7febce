"""Windows: the traffic matrices of equal numbers of packets in a row, all at once.

One record holds the links of all windows in flat arrays, and what is counted of each. The packets
of a window are sorted, or hashed, by their two ends; threads take whole windows, or one that is
large together. What comes out does not depend on threads or on the device.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.graph.transfer import host
from edgewise.sensing.links import Links, array_module, moved, named, place
from edgewise.sensing.matrix import TrafficMatrix, engine, one_of, total, trusted
from edgewise.sensing.packets import Packets, checked, spans
from edgewise.sensing.quantities import Distributions, Quantities

__all__ = ["NEVER", "Windows", "build_windows"]

#: The earliest and the latest time of a window without packets.
NEVER = np.iinfo(np.int64).min


@dataclass(frozen=True, eq=False)
class Windows:
    """The traffic matrices of consecutive windows; ``windows[i]`` is one matrix, as views.

    Examples
    --------
    >>> from edgewise.sensing import Packets
    >>> packets = Packets(np.uint32([1, 2, 1, 1]), np.uint32([5, 6, 5, 5]))
    >>> windows = build_windows(packets, 2)
    >>> len(windows), windows.quantities.unique_links.tolist()
    (2, [2, 1])
    >>> windows[1].packets.tolist(), windows.total().packets.tolist()
    ([2], [3, 1])
    >>> len(windows.doubled()), len(windows[:1])
    (1, 1)
    """

    links: Links  #: of all windows
    bounds: Any  #: int64, where each window's links begin, and where the last one's end
    quantities: Quantities  #: arrays with an entry per window
    distributions: Distributions  #: arrays with a row per window
    start: Any = None  #: int64, the earliest time of each window's packets (`NEVER`: none), or None
    stop: Any = None  #: int64, the latest one, or None
    device: str = "cpu"

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, i: Any) -> Any:
        """The matrix of window ``i``, or the windows of a slice."""
        if isinstance(i, slice):
            return self._slice(*i.indices(len(self)))
        at = check_count(i, "window", -len(self), len(self) - 1) % max(len(self), 1)
        low, high = int(self.bounds[at]), int(self.bounds[at + 1])
        links = Links(*(column[low:high] for column in self.links))
        start, stop = _when(self.start, at), _when(self.stop, at)
        found = one_of(self.quantities, self.distributions, at)
        return trusted(links, start, stop, self.device, found)

    def __iter__(self) -> Iterator[TrafficMatrix]:
        """The matrices, one after the other."""
        return (self[i] for i in range(len(self)))

    def _slice(self, low: int, high: int, step: int) -> Windows:
        if step != 1:
            raise ValueError(f"windows must be a slice of steps of 1, got {step}")
        high = max(low, high)
        first, last = int(self.bounds[low]), int(self.bounds[high])
        return Windows(
            Links(*(column[first:last] for column in self.links)),
            self.bounds[low : high + 1] - first,
            Quantities(*(values[low:high] for values in self.quantities)),
            Distributions(*(rows[low:high] for rows in self.distributions)),
            None if self.start is None else self.start[low:high],
            None if self.stop is None else self.stop[low:high],
            self.device,
        )

    def total(self) -> TrafficMatrix:
        """Return the sum of all windows."""
        return total([self])

    @property
    def span(self) -> tuple[int | None, int | None]:
        """The times of the first and the last packet of all windows, if known."""
        return _first(self.start), _last(self.stop)

    def _sizes(self) -> Any:
        return self.bounds[1:] - self.bounds[:-1]

    def doubled(self) -> Windows:
        """Return windows of twice the length: pairs of windows summed; an odd last one is kept."""
        found = engine(self.device)
        pairs = np.append(np.arange(0, len(self), 2), len(self))
        links, bounds = found.summed(self.links, self.bounds, pairs)
        start, stop = self.start, self.stop
        if start is not None:
            start, stop = _paired(start, stop)
        quantities, distributions = found.measure(links, bounds)
        return Windows(links, bounds, quantities, distributions, start, stop, self.device)

    def to(self, device: str) -> Windows:
        """Return the windows on another device, or themselves if they are there already."""
        device = named(device)
        if device == self.device:
            return self
        links, quantities, distributions = (
            moved(record, device) for record in (self.links, self.quantities, self.distributions)
        )
        bounds, start, stop = moved(_Rest(self.bounds, self.start, self.stop), device)
        return Windows(links, bounds, quantities, distributions, start, stop, device)

    def __repr__(self) -> str:
        where = "" if self.device == "cpu" else f", {self.device}"
        packets = int(self.quantities.valid_packets.sum())
        links = len(self.links.source)
        return f"Windows({len(self):,} windows, {links:,} links, {packets:,} packets{where})"


def build_windows(packets: Packets, window: Any = 1 << 17, *, device: str | None = None) -> Windows:
    """Return the traffic matrices of consecutive windows of packets.

    Parameters
    ----------
    packets : Packets
        Packets with ids of 32 or 64 bits; `assign_ids` or an anonymizer gives ids to IPv6
        addresses.
    window : int or array of int64
        The number of packets per window; the last may have fewer. Or the boundaries of the windows,
        from 0 to the number of packets; such windows may be empty.
    device : str, optional
        Where to build the windows; by default on the device of the packets.

    Returns
    -------
    Windows
        The links and the statistics of each window, and the earliest and latest packet times if the
        packets have times.

    Examples
    --------
    >>> from edgewise.sensing import Packets
    >>> times = np.arange(5) * 10
    >>> packets = Packets(np.uint32([1, 1, 2, 2, 1]), np.uint32([2, 2, 1, 1, 2]), times)
    >>> windows = build_windows(packets, 2)
    >>> windows
    Windows(3 windows, 3 links, 5 packets)
    >>> windows.start.tolist(), windows.stop.tolist()
    ([0, 20, 40], [10, 30, 40])
    >>> build_windows(packets, [0, 1, 5]).quantities.valid_packets.tolist()
    [1, 4]
    """
    if packets.wide is not None:
        raise ValueError(
            "packets must have ids, and these have IPv6 addresses in a table (wide): "
            "assign_ids(packets) or an anonymizer gives them ids"
        )
    columns = checked(Packets(packets.source, packets.destination, packets.time))
    here = place(packets.source)
    if device is not None and named(device) != here:
        here = named(device)
        columns = moved(columns, here)
    xp = array_module(here)
    source, destination = columns.source, columns.destination
    bounds = _bounds(window, len(source))
    links, starts, quantities, distributions = engine(here).build(source, destination, bounds)
    start = stop = None
    if columns.time is not None:
        start, stop = _times(columns.time, bounds, xp)
    return Windows(links, starts, quantities, distributions, start, stop, here)


def _bounds(size: Any, count: int) -> np.ndarray:
    """Where windows begin and end, in host memory; an error that says what is wrong with it."""
    if np.ndim(size) == 0:
        step = check_count(size, "window", 1)
        return np.append(np.arange(0, count, step, dtype=np.int64), count)
    bounds = np.asarray(size)
    if bounds.ndim != 1 or bounds.dtype.kind not in "iu" or len(bounds) == 0:
        raise TypeError(f"window must be a whole number or an array of them, got {size!r:.80}")
    bounds = bounds.astype(np.int64)
    if bounds[0] != 0 or bounds[-1] != count or (bounds[1:] < bounds[:-1]).any():
        raise ValueError(
            f"window must ascend from 0 to the number of packets ({count}) if it says where they "
            f"begin, got {bounds[0]} to {bounds[-1]}"
        )
    return bounds


def _times(time: Any, bounds: np.ndarray, xp: Any) -> tuple[Any, Any]:
    """The earliest and the latest time of each window's packets, in whatever order they came."""
    if len(time) == 0:
        never = xp.full(len(bounds) - 1, NEVER, np.int64)
        return never, never
    some = xp.asarray(np.diff(bounds) > 0)
    if xp is np or bool((time[1:] < time[:-1]).any()):
        ends = tuple(map(xp.asarray, spans(host(time), bounds)))
    else:  # in order, on a GPU
        at = np.minimum(bounds[:-1], len(time) - 1), np.maximum(bounds[1:] - 1, 0)
        ends = tuple(time[xp.asarray(end)] for end in at)
    return tuple(xp.where(some, times, NEVER) for times in ends)  # type: ignore[return-value]


def _paired(start: Any, stop: Any) -> tuple[Any, Any]:
    """When neighbors began and ended, if they are one; one without packets counts for nothing."""
    xp = array_module(place(start))
    earlier, last = start[::2].copy(), stop[::2].copy()
    both = len(start) // 2
    left, right = start[: 2 * both : 2], start[1::2]
    either = xp.where(left == NEVER, right, left)
    earlier[:both] = xp.where(right == NEVER, either, xp.minimum(either, right))
    last[:both] = xp.maximum(last[:both], stop[1::2])
    return earlier, last


def _first(times: Any) -> int | None:
    """The first of some times, if there is any."""
    known = None if times is None else times[times != NEVER]
    return int(known.min()) if known is not None and len(known) else None


def _last(times: Any) -> int | None:
    """The last of some times, if there is any."""
    last = None if times is None or len(times) == 0 else int(times.max())
    return None if last == NEVER else last


def _when(times: Any, at: int) -> int | None:
    """The time of one window."""
    return None if times is None or int(times[at]) == NEVER else int(times[at])


class _Rest(NamedTuple):
    """What else of windows moves to another device."""

    bounds: Any
    start: Any
    stop: Any

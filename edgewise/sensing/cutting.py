"""Where windows begin: packets in batches, cut into windows of equal counts or equal times.

A window of packets has so many of them, wherever files and batches end. A window of time covers so
many nanoseconds, from a whole multiple of them since 1970 on: windows of 60 s begin with the minute
and those of different captures can be laid side by side. Then

- a window without packets is left out, so that there are never more windows than packets; the
  times of the others show the gap;
- a packet that comes late, after a later window has begun, counts in the window that is open then
  (windows do not open again), and is counted as late. When that window began does not change.

Packets of a window that is not yet complete are held until it is. When there are more of them than
`HELD`, they go on as a part of it, to be summed: a window may be larger than memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.sensing.packets import Packets, assign_ids, checked, spans

__all__ = ["HELD", "Every", "Piece", "Span", "grouped", "pieces", "window_of"]

#: How many packets of an incomplete window are held at most.
HELD = 1 << 22

_TIMES = np.iinfo(np.int64)
_UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9,
          "d": 86400 * 10**9}  # fmt: skip


class Piece(NamedTuple):
    """Packets of whole windows, or of a part of one, as they came."""

    parts: list[Packets]
    bounds: np.ndarray  #: where each window begins, and the last one ends
    edges: np.ndarray  #: int64, for each window, what is earlier came late to it
    more: bool = False  #: is this a part of one window, of which more is to come?

    @property
    def size(self) -> int:
        """How many packets there are."""
        return int(self.bounds[-1])

    def packets(self) -> Packets:
        """Who sent to whom, in a row; a single part is not copied."""
        if len(self.parts) == 1:
            return Packets(self.parts[0].source, self.parts[0].destination)
        ends = [(part.source, part.destination) for part in self.parts] or [(_NONE, _NONE)]
        return Packets(*map(np.concatenate, zip(*ends, strict=True)))

    def times(self) -> tuple[Any, Any]:
        """The earliest and the latest time of each window; None where packets have no times.

        Packets that came late do not count, unless there are no others.
        """
        if self.size == 0 or any(part.time is None for part in self.parts):
            return None, None
        times = [part.time for part in self.parts]
        time = times[0] if len(times) == 1 else np.concatenate(times)
        start, stop = spans(time, self.bounds)
        for i in np.flatnonzero((start < self.edges) & (stop >= self.edges)):
            inside = time[self.bounds[i] : self.bounds[i + 1]]
            start[i] = inside[inside >= self.edges[i]].min()
        return start, stop


class Every:
    """Windows of so many packets each."""

    def __init__(self, size: int):
        self.size, self.seen, self.late = size, 0, 0

    def starts(self, packets: Packets) -> np.ndarray:
        """Where in the next packets windows begin; one may begin right behind them.

        >>> Every(4).starts(Packets(np.arange(8), np.arange(8))).tolist()
        [0, 4, 8]
        """
        first = -self.seen % self.size
        self.seen += packets.num_packets
        return np.arange(first, packets.num_packets + 1, self.size, dtype=np.int64)

    def edges(self, packets: Packets, starts: np.ndarray) -> np.ndarray:
        """Before when packets come late to the windows that begin there: never."""
        return np.full(len(starts), _TIMES.min)

    def empty(self, windows: int) -> int:
        """How many windows without packets there were: none."""
        return 0


class Span:
    """Windows of so many nanoseconds each."""

    def __init__(self, nanoseconds: int):
        self.size, self.late = nanoseconds, 0
        self.earliest: int | None = None  #: of the packets' times so far
        self.latest: int | None = None

    def starts(self, packets: Packets) -> np.ndarray:
        """Where in the next packets windows begin."""
        if packets.time is None:
            raise ValueError("window must be a number of packets: these packets have no times")
        if packets.num_packets == 0:
            return np.empty(0, np.int64)
        before = self.latest
        time = self._ascending(packets.time)
        self.latest = int(time[-1])
        self.earliest = int(time[0]) if before is None else self.earliest
        first, last = int(time[0]) // self.size, self.latest // self.size
        if last - first <= 1 + len(time) // 64:  # few enough to look for the beginning of each
            edges = np.arange(first + 1, last + 1, dtype=np.int64) * self.size
            found = np.unique(np.searchsorted(time, edges))
        else:
            number = time // self.size
            found = np.flatnonzero(number[1:] != number[:-1]) + 1
        begins = before is None or before // self.size != first
        return np.append(0, found) if begins else found

    def edges(self, packets: Packets, starts: np.ndarray) -> np.ndarray:
        """When the windows begin whose first packets are there: what is earlier comes late."""
        return packets.time[starts] // self.size * self.size

    def empty(self, windows: int) -> int:
        """How many windows without packets there were, if there were so many with some."""
        if self.earliest is None or self.latest is None:
            return 0
        return self.latest // self.size - self.earliest // self.size + 1 - windows

    def _ascending(self, time: np.ndarray) -> np.ndarray:
        """The times, with the latest so far in place of earlier ones."""
        latest = time[0] if self.latest is None else max(time[0], np.int64(self.latest))
        if latest == time[0] and not (time[1:] < time[:-1]).any():
            return time
        ascending = np.maximum.accumulate(np.maximum(time, latest))
        self.late += int(np.count_nonzero(time // self.size != ascending // self.size))
        return ascending


def window_of(window: Any) -> Every | Span:
    """What a window is, from how users say it: ``1 << 17``, ``"2^17"``, ``"60s"``, ``"0.5 h"``.

    >>> window_of("2^17").size, window_of(1000).size, window_of("1.5ms").size
    (131072, 1000, 1500000)
    """
    if isinstance(window, str):
        text = window.strip().replace(" ", "").lower()
        if power := re.fullmatch(r"(\d+)(?:\^|\*\*)(\d{1,3})", text):
            return Every(_positive(int(power[1]) ** int(power[2]), window))
        if re.fullmatch(r"\d+", text):
            return Every(_positive(int(text), window))
        if found := re.fullmatch(r"(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|min|m|h|d)", text):
            unit = {"µs": "us", "m": "min"}.get(found[2], found[2])
            return Span(_positive(round(float(found[1]) * _UNITS[unit]), window))
        raise ValueError(
            "window must be a number of packets, as 2^17, or a time, as 60s (ns, us, ms, s, min, h "
            f"or d), got {window!r}"
        )
    return Every(_positive(check_count(window, "window", 1), window))


def _positive(value: int, window: Any) -> int:
    if not 1 <= value < 1 << 62:
        raise ValueError(f"window must be at least 1 and less than 2**62, got {window!r}")
    return value


def pieces(
    batches: Iterable[Packets],
    window: Every | Span,
    *,
    partial: bool = True,
    held: int | None = None,
) -> Iterator[Piece]:
    """Cut packets into windows; what a batch ends with is carried over into the next.

    Without ``partial`` the last window is left out, unless it is known to be whole. ``held`` stands
    in for `HELD`.

    >>> ids = np.arange(5, dtype=np.uint32)
    >>> batches = [Packets(ids, ids), Packets(ids, ids)]
    >>> [piece.bounds.tolist() for piece in pieces(batches, Every(4))]
    [[0, 4], [0, 4], [0, 2]]
    """
    most = HELD if held is None else held
    parts: list[Packets] = []  # of the window that is open
    count, gone = 0, False  # their packets; has a part of it gone on already?
    edge = np.full(1, _TIMES.min)  # before when packets come late to it
    for batch in batches:
        if not isinstance(batch, Packets):
            raise TypeError(f"a window must be given Packets, got {batch!r:.80}")
        batch = checked(assign_ids(batch))
        starts = window.starts(batch)
        edges = window.edges(batch, starts)
        if gone and len(starts):
            first = int(starts[0])
            yield _one([*parts, batch.cut(0, first)], edge)
            batch, starts = batch.cut(first, batch.num_packets), starts - first
            parts, count, gone = [], 0, False
        if len(starts):
            last = int(starts[-1])
            bounds = np.append(0, starts + count) if count else starts
            edges = np.append(edge, edges) if count else edges
            if bounds[-1]:
                yield Piece(_some([*parts, batch.cut(0, last)]), bounds, edges[:-1])
            batch = batch.cut(last, batch.num_packets)
            parts, count, edge = [], 0, edges[-1:]
        if batch.num_packets:
            parts.append(batch)
            count += batch.num_packets
        if count > most:
            yield _one(parts, edge, more=True)
            parts, count, gone = [], 0, True
    if partial and (count or gone):
        yield _one(parts, edge)


def grouped(cut: Iterable[Piece], least: int) -> Iterator[Piece]:
    """Join pieces in a row until they have so many packets: fewer, larger launches.

    >>> ids = np.arange(5, dtype=np.uint32)
    >>> cut = pieces([Packets(ids, ids), Packets(ids, ids)], Every(4))
    >>> [piece.bounds.tolist() for piece in grouped(cut, 6)]
    [[0, 4, 8], [0, 2]]
    """
    waiting: list[Piece] = []
    alone = False  # is a window open of which a part has gone on?
    for piece in cut:
        if waiting and (piece.more or sum(one.size for one in waiting) >= least):
            yield _joined(waiting)
            waiting = []
        if piece.more or alone:
            yield piece
            alone = piece.more
        else:
            waiting.append(piece)
    if waiting:
        yield _joined(waiting)


def _one(parts: list[Packets], edge: np.ndarray, **about: bool) -> Piece:
    """One window, or a part of one."""
    parts = _some(parts)
    return Piece(parts, np.array([0, sum(part.num_packets for part in parts)]), edge, **about)


def _some(parts: list[Packets]) -> list[Packets]:
    """The parts that have packets; what else they know of them is not needed any more."""
    return [Packets(*part[:3]) for part in parts if part.num_packets]


def _joined(waiting: list[Piece]) -> Piece:
    """Pieces of whole windows as one."""
    if len(waiting) == 1:
        return waiting[0]
    begins = offsets([piece.size for piece in waiting])
    bounds = [piece.bounds[1:] + low for piece, low in zip(waiting, begins, strict=False)]
    parts = [part for piece in waiting for part in piece.parts]
    edges = np.concatenate([piece.edges for piece in waiting])
    return Piece(parts, np.concatenate([[0], *bounds]), edges)


_NONE = np.empty(0, np.uint32)

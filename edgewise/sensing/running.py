"""The sum of windows that go by, in host memory.

Links wait behind those of the sum so far, in the same arrays, until they are as many as these, and
at least some millions; then all are summed at once, into a second set of arrays, and the two change
places. So every link is moved a few times, however many windows there are. Fresh memory is what
costs most here: arrays are made far larger than they need be, as a page takes no memory, nor time,
before it is written to, and are used again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.sensing.cpu.measure import measure
from edgewise.sensing.cpu.merge import summed
from edgewise.sensing.links import Links
from edgewise.sensing.matrix import TrafficMatrix, one_of, trusted
from edgewise.sensing.windows import Windows

__all__ = ["RunningTotal"]

_MORE = 32  # times as large as they need be at first


class RunningTotal:
    """A sum of windows, all in host memory.

    Parameters
    ----------
    waiting : int
        How many links wait, at least, until they are summed; each takes 16 bytes, or 24.

    Examples
    --------
    >>> from edgewise.sensing import Packets, build_windows
    >>> running = RunningTotal()
    >>> for first in (1, 2, 3):
    ...     ids = np.uint32([first, 5, 5, first])
    ...     running.add(build_windows(Packets(ids, ids), 2))
    >>> running.result().packets.tolist()
    [2, 2, 2, 6]
    """

    def __init__(self, waiting: int = 1 << 23) -> None:
        self._least = waiting
        self._here = _buffer(0, np.uint32)  # links of the sum, then those that wait, then space
        self._spare = _buffer(0, np.uint32)  # to sum into
        self._sizes = [np.zeros(1, np.int64)]  # of the sum, and of the matrices that wait
        self._filled = 0
        self._start: int | None = None
        self._stop: int | None = None

    def add(self, windows: Windows) -> None:
        """Take in some windows."""
        count = len(windows.links.source)
        if count == 0:
            return
        self._reserve(count, windows.links.source.dtype)
        for given, column in zip(windows.links, self._here.links, strict=True):
            column[self._filled : self._filled + count] = given
        self._filled += count
        self._sizes.append(np.diff(windows.bounds))
        start, stop = windows.span
        if start is not None and stop is not None:
            self._start = start if self._start is None else min(self._start, start)
            self._stop = stop if self._stop is None else max(self._stop, stop)
        known = int(self._sizes[0][0])
        if self._filled >= known + max(known, self._least):
            self._sum()

    def result(self) -> TrafficMatrix:
        """The sum of all so far, measured."""
        touched = self._filled
        if len(self._sizes) > 1:
            self._sum()
        links, bounds = self._links(), np.array([0, self._filled])
        quantities, distributions = measure(links, bounds, self._spare.block)
        if 2 * self._filled < touched:  # most of the memory is not the sum's
            links = Links(*(column.copy() for column in links))
        self._here, self._spare = _Buffer(links, np.empty(0, np.uint64)), _buffer(0, np.uint32)
        found = one_of(quantities, distributions, 0)
        return trusted(links, self._start, self._stop, found=found)

    def _links(self) -> Links:
        return Links(*(column[: self._filled] for column in self._here.links))

    def _reserve(self, count: int, dtype: np.dtype) -> None:
        old = self._here.links
        kind = np.promote_types(dtype, old.source.dtype)
        if self._filled + count <= len(old.source) and kind == old.source.dtype:
            return
        self._here = _buffer(_MORE * (self._filled + count), kind)
        for before, column in zip(old, self._here.links, strict=True):
            column[: self._filled] = before[: self._filled]

    def _sum(self) -> None:
        bounds = offsets(np.concatenate(self._sizes))
        groups = np.array([0, len(bounds) - 1])
        links = self._links()
        if links.source.dtype == np.uint32:
            if len(self._spare.links.source) < self._filled:
                self._spare = _buffer(4 * self._filled, np.uint32)
            links, _ = summed(links, bounds, groups, self._spare.links)
            self._here, self._spare = self._spare, self._here
        else:
            links, _ = summed(links, bounds, groups)
            self._here = _Buffer(links, np.empty(0, np.uint64))
        self._filled = len(links.source)
        self._sizes = [np.array([self._filled])]


class _Buffer(NamedTuple):
    """Arrays for links, in one block of memory."""

    links: Links
    block: np.ndarray  #: two words or more for each link, or none


def _buffer(count: int, dtype: np.dtype | type) -> _Buffer:
    """Arrays for so many links, or a few more: their beginnings do not fall together in caches."""
    count += 338 + count % 2
    words = count * np.dtype(dtype).itemsize // 8
    block = np.empty(count + 2 * words, np.uint64)
    packets, source, destination = np.split(block, (count, count + words))
    return _Buffer(
        Links(source.view(dtype), destination.view(dtype), packets.view(np.int64)), block
    )

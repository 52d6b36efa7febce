"""The sum of windows that go by, in host memory.

Links wait behind those of the sum so far, in the same arrays, until they are as many as these, and
at least some millions; then all are summed at once, into other arrays. So every link is moved a few
times, however many windows there are, and memory is a small multiple of the sum's; while the sum is
small, two sets of arrays take turns.
"""

from __future__ import annotations

import numpy as np

from edgewise.sensing.cpu.merge import summed
from edgewise.sensing.links import Links
from edgewise.sensing.matrix import TrafficMatrix, trusted
from edgewise.sensing.windows import Windows

__all__ = ["RunningTotal"]


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

    def __init__(self, waiting: int = 1 << 25) -> None:
        self._least = waiting
        self._links = _room(0, np.uint32)  # of the sum, then those that wait, then room for more
        self._spare = _room(0, np.uint32)  # arrays to sum into
        self._sizes = [np.zeros(2, np.int64)]  # nothing before the sum, which has no links yet
        self._filled = 0
        self._start: int | None = None
        self._stop: int | None = None

    def add(self, windows: Windows) -> None:
        """Take in some windows."""
        count, dtype = len(windows.links.source), windows.links.source.dtype
        if count == 0:
            return
        known = int(self._sizes[0][1])
        most = known + max(known, self._least)
        if self._filled + count > len(self._links.source) or dtype > self._links.source.dtype:
            before, kind = self._links, np.promote_types(dtype, self._links.source.dtype)
            self._links = _room(max(most, self._filled) + 2 * count, kind)
            for old, new in zip(before, self._links, strict=True):
                new[: self._filled] = old[: self._filled]
        for given, column in zip(windows.links, self._links, strict=True):
            column[self._filled : self._filled + count] = given
        self._filled += count
        self._sizes.append(np.diff(windows.bounds))
        self._note(*windows.span)
        if self._filled >= most:
            self._sum()

    def result(self) -> TrafficMatrix:
        """The sum of all so far."""
        if len(self._sizes) > 1:
            self._sum()
        self._spare = _room(0, np.uint32)
        found = Links(*(column[: self._filled] for column in self._links))
        self._links = found  # with no room for more: these are the caller's from here on
        return trusted(found, self._start, self._stop)

    def _sum(self) -> None:
        sizes = np.concatenate(self._sizes)
        bounds, groups = np.cumsum(sizes), np.array([0, len(sizes) - 1])
        links = Links(*(column[: self._filled] for column in self._links))
        into = None
        if links.source.dtype == np.uint32:
            if len(self._spare.source) < self._filled:
                self._spare = _room(self._filled + max(self._filled, self._least), np.uint32)
            into = self._spare
        found, _ = summed(links, bounds, groups, into)
        known = len(found.source)
        self._links, self._spare = (into, self._links) if into else (found, self._spare)
        self._sizes, self._filled = [np.array([0, known])], known

    def _note(self, start: int | None, stop: int | None) -> None:
        if start is not None and stop is not None:
            self._start = start if self._start is None else min(self._start, start)
            self._stop = stop if self._stop is None else max(self._stop, stop)


def _room(count: int, dtype: np.dtype | type) -> Links:
    """Arrays for so many links."""
    return Links(np.empty(count, dtype), np.empty(count, dtype), np.empty(count, np.int64))

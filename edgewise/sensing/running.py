"""The sum of windows that go by, on the device on which they are.

Windows wait until they have as many links as the sum so far, and at least some millions; then all
are summed at once. So every link is moved a few times, however many windows there are, and memory
is a small multiple of the sum's.
"""

from __future__ import annotations

from edgewise.sensing.matrix import TrafficMatrix, total
from edgewise.sensing.windows import Windows

__all__ = ["RunningTotal"]


class RunningTotal:
    """A sum of windows, all on one device.

    Parameters
    ----------
    waiting : int
        How many links wait, at least, until they are summed.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sensing import Packets, build_windows
    >>> running = RunningTotal()
    >>> for first in (1, 2, 3):
    ...     ids = np.uint32([first, 5, 5, first])
    ...     running.add(build_windows(Packets(ids, ids), 2))
    >>> running.result().packets.tolist()
    [2, 2, 2, 6]
    """

    def __init__(self, waiting: int = 1 << 24) -> None:
        self._least = waiting
        self._sum: TrafficMatrix | None = None
        self._waiting: list[Windows] = []
        self._links = 0

    def add(self, windows: Windows) -> None:
        """Take in some windows."""
        self._waiting.append(windows)
        self._links += len(windows.links.source)
        known = 0 if self._sum is None else self._sum.num_links
        if self._links >= max(known, self._least):
            self.result()

    def result(self) -> TrafficMatrix:
        """The sum of all so far."""
        if self._waiting:
            known = [] if self._sum is None else [self._sum]
            self._sum = total([*known, *self._waiting])
            self._waiting, self._links = [], 0
        return TrafficMatrix.from_links([], [], []) if self._sum is None else self._sum

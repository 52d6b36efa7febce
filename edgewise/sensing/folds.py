"""Folds over windows: what is kept of them when they have gone by.

Each has ``add(windows)``, called with one `Windows` record after another, and ``result()``; a chain
runs into several at once (`Chain.into`). What they keep is small against the packets: a row for
each window, or links that are there once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.graph.transfer import host, on
from edgewise.sensing.links import array_module
from edgewise.sensing.matrix import TrafficMatrix, total, trusted
from edgewise.sensing.quantities import BINS, Distributions, Quantities
from edgewise.sensing.windows import Windows

__all__ = ["Level", "Levels", "Save", "Table", "Total", "WindowTable"]


@dataclass(frozen=True, eq=False)
class WindowTable:
    """The statistics of each window, without its links: one row per window, in host memory."""

    quantities: Quantities  #: arrays with an entry per window
    distributions: Distributions  #: arrays with a row per window
    start: Any = None  #: int64, the earliest packet time of each window in nanoseconds, or None
    stop: Any = None  #: int64, the latest packet time of each window in nanoseconds, or None

    def __len__(self) -> int:
        return len(self.quantities.valid_packets)

    def __repr__(self) -> str:
        return f"WindowTable({len(self):,} windows)"


class Table:
    """A fold that keeps one row per window; its result is a `WindowTable`."""

    name = "table"

    def __init__(self) -> None:
        self._rows: list[WindowTable] = []

    def add(self, windows: Windows) -> None:
        """Add some windows."""
        self._rows.append(
            WindowTable(
                Quantities(*map(host, windows.quantities)),
                Distributions(*map(host, windows.distributions)),
                *(
                    None if times is None else host(times)
                    for times in (windows.start, windows.stop)
                ),
            )
        )

    def result(self) -> WindowTable:
        """Return the table."""
        if not self._rows:
            none, nowhere = np.empty(0, np.int64), np.empty((0, BINS), np.int64)
            return WindowTable(Quantities(*[none] * 9), Distributions(*[nowhere] * 5), none, none)
        start, stop = ([getattr(row, name) for row in self._rows] for name in ("start", "stop"))
        return WindowTable(
            Quantities(*_beneath(row.quantities for row in self._rows)),
            Distributions(*_beneath(row.distributions for row in self._rows)),
            *(None if any(t is None for t in times) else np.concatenate(times)
              for times in (start, stop)),
        )  # fmt: skip


class Total:
    """A fold that sums all windows; its result is one `TrafficMatrix` in host memory.

    Each device sums the windows stored on it. Host memory uses a `RunningTotal`. A GPU keeps
    partial sums, each with more than twice the links of the next, and merges new windows into the
    small ones. The number of times that a link is copied grows with the logarithm of the number of
    records. All partial sums together are hardly larger than the largest.
    """

    name = "total"

    def __init__(self) -> None:
        self._host: Any = None  # a running total
        self._sums: dict[str, list[TrafficMatrix]] = {}  # on GPUs, the largest first
        self._running: dict[str, Any] = {}  # tables of links on GPUs
        self._start: int | None = None  # of what went there
        self._stop: int | None = None

    def add(self, windows: Windows | WindowTable) -> None:
        """Add some windows; links added through `running` are already included."""
        if isinstance(windows, WindowTable):
            self._note(windows)
        elif windows.device == "cpu":
            from edgewise.sensing.running import RunningTotal  # compiled code

            self._host = self._host or RunningTotal()
            self._host.add(windows)
        else:
            with _at(windows.device):
                parts, sums = [windows.total()], self._sums.setdefault(windows.device, [])
                while sums and sums[-1].num_links <= 2 * sum(one.num_links for one in parts):
                    parts.append(sums.pop())
                sums.append(total(parts))

    def running(self, device: str) -> Any:
        """Return a table on the current GPU to which links can be added directly."""
        if device not in self._running:
            from edgewise.sensing.cuda.running import Running

            self._running[device] = Running()
        return self._running[device]

    def _note(self, windows: WindowTable) -> None:
        if windows.start is not None and len(windows):
            start, stop = int(windows.start.min()), int(windows.stop.max())
            self._start = start if self._start is None else min(self._start, start)
            self._stop = stop if self._stop is None else max(self._stop, stop)

    def result(self) -> TrafficMatrix:
        """Return the sum, with its quantities computed on the device that summed it."""
        found = [] if self._host is None else [self._host.result()]
        for device in {**self._sums, **self._running}:
            with _at(device):
                parts = self._sums.pop(device, [])
                if device in self._running:
                    links = self._running.pop(device).links()
                    parts.append(trusted(links, self._start, self._stop, device))
                found.append(parts[0] if len(parts) == 1 else total(parts))
        self._host = None
        if len(found) != 1:
            return total(one.to("cpu") for one in found)
        with _at(found[0].device):
            found[0].quantities()  # are kept
        return found[0].to("cpu")


class Level(NamedTuple):
    """Statistics of the windows of one length: their number, and mean and maximum quantities."""

    packets: int  #: packets per window
    windows: int
    mean: Quantities
    largest: Quantities


class Levels:
    """A fold that sums windows pairwise, level by level; its result is a list of `Level`.

    Windows of ``window`` packets become windows of 2, 4, 8 ... times as many packets. Incomplete
    windows are not counted.
    """

    name = "levels"

    def __init__(self, window: int):
        self.size = window
        self._rest: list[Windows] = []  # of each level the last window, if it has no partner yet
        self._seen: list[list[np.ndarray]] = []  # of each level: count, sums, largest

    def add(self, windows: Windows) -> None:
        """Add some windows."""
        whole = int((host(windows.quantities.valid_packets) == self.size).sum())
        windows = windows[:whole]  # the last alone can be less
        level = 0
        while len(windows):
            self._count(level, windows)
            with _at(windows.device):
                pair = _beside(self._rest[level], windows)
                even = len(pair) & ~1
                self._rest[level] = pair[even:]
                windows = pair[:even].doubled() if even else pair[:0]
            level += 1

    def _count(self, level: int, windows: Windows) -> None:
        if level == len(self._seen):
            self._seen.append([np.zeros(1, np.int64), np.zeros(9), np.zeros(9, np.int64)])
            self._rest.append(windows[:0])
        count, sums, largest = self._seen[level]
        rows = np.stack([host(values) for values in windows.quantities])
        count += rows.shape[1]
        sums += rows.sum(axis=1)
        np.maximum(largest, rows.max(axis=1), out=largest)

    def result(self) -> list[Level]:
        """Return the statistics of each level."""
        return [
            Level(
                self.size << level,
                int(count[0]),
                Quantities(*(sums / count).tolist()),
                Quantities(*largest.tolist()),
            )
            for level, (count, sums, largest) in enumerate(self._seen)
        ]


class Save:
    """A fold that writes the matrix of each window to a file; its result is the number of files.

    The files are ``00000000.ewt``, ... There may be very many, so they are not synced to disk one
    by one.
    """

    name = "save"

    def __init__(self, folder: str | os.PathLike):
        self.folder, self._saved = Path(folder), 0

    def add(self, windows: Windows) -> None:
        """Write some windows."""
        from edgewise.sensing.matrix_files import save_soon

        for matrix in windows.to("cpu"):
            save_soon(narrow(matrix), self.folder / f"{self._saved:08}.ewt")
            self._saved += 1

    def result(self) -> int:
        """Return the number of windows written."""
        return self._saved


def narrow(matrix: TrafficMatrix) -> TrafficMatrix:
    """A matrix with ids of 32 bits where these suffice: a neighbor's IPv6 addresses may not show.

    >>> wide = TrafficMatrix.from_links(np.uint64([1]), np.uint64([2]), [3])
    >>> narrow(wide).source.dtype
    dtype('uint32')
    """
    source, destination, packets = matrix.links
    if source.dtype == np.uint32 or (len(source) and max(source[-1], destination.max()) >> 32):
        return matrix
    return TrafficMatrix(
        source.astype(np.uint32), destination.astype(np.uint32), packets,
        start=matrix.start, stop=matrix.stop,
    )  # fmt: skip


def _beneath(records: Iterable[tuple]) -> Iterator[np.ndarray]:
    """The arrays of records, each with those of the same field one after the other."""
    return map(np.concatenate, zip(*records, strict=True))


def _beside(left: Windows, right: Windows) -> Windows:
    """The windows of two records in one."""
    if len(left) == 0:
        return right
    if left.device != right.device:
        left, right = left.to("cpu"), right.to("cpu")
    xp = array_module(right.device)

    def both(first: Any, second: Any) -> Any:
        return type(first)(*(xp.concatenate(pair) for pair in zip(first, second, strict=True)))

    offset = len(left.links.source)
    bounds = xp.concatenate((xp.asarray(left.bounds), xp.asarray(right.bounds)[1:] + offset))
    return Windows(
        both(left.links, right.links),
        bounds,
        both(left.quantities, right.quantities),
        both(left.distributions, right.distributions),
        device=right.device,
    )


def _at(device: str) -> Any:
    """A context in which new arrays are on this device."""
    if device == "cpu":
        return nullcontext()
    from edgewise.base.cuda.device import device_number

    return on(device_number(device))

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
    """What is counted of each window, without its links: a row per window, in host memory."""

    quantities: Quantities  #: arrays with an entry per window
    distributions: Distributions  #: arrays with a row per window
    start: Any = None  #: int64, the earliest time of each window, in nanoseconds, or None
    stop: Any = None  #: int64, the latest one, or None

    def __len__(self) -> int:
        return len(self.quantities.valid_packets)

    def __repr__(self) -> str:
        return f"WindowTable({len(self):,} windows)"


class Table:
    """Keeps a row for each window; the result is a `WindowTable`."""

    name = "table"

    def __init__(self) -> None:
        self._rows: list[WindowTable] = []

    def add(self, windows: Windows) -> None:
        """Take in some windows."""
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
        """The table."""
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
    """Sums all windows; the result is one `TrafficMatrix`, in host memory.

    Each device sums what is on it: host memory as a `RunningTotal`; a GPU keeps sums that each have
    more than twice the links of the next, and sums what comes with those that have not. Either way
    a link is moved a number of times that grows with the logarithm of the records, and all sums
    together are hardly larger than the largest.
    """

    name = "total"

    def __init__(self) -> None:
        self._host: Any = None  # a running total
        self._sums: dict[str, list[TrafficMatrix]] = {}  # on GPUs, the largest first
        self._running: dict[str, Any] = {}  # tables of links on GPUs
        self._start: int | None = None  # of what went there
        self._stop: int | None = None

    def add(self, windows: Windows | WindowTable) -> None:
        """Take in some windows; the links of a table are there already (see `running`)."""
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
        """A table on a GPU, which is the current one, that links can be added to at once."""
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
        """The sum, with its quantities measured where it was summed."""
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
    """Windows of one length: how many, and the mean and the largest of each quantity."""

    packets: int  #: in each of the windows
    windows: int
    mean: Quantities
    largest: Quantities


class Levels:
    """Sums windows pairwise, the sums again, and so on; the result is a list of `Level`.

    Windows of ``size`` packets become windows of 2, 4, 8 ... times as many, as far as they reach.
    Only whole ones count.
    """

    name = "levels"

    def __init__(self, size: int):
        self.size = size
        self._rest: list[Windows] = []  # of each level the last window, if it has no partner yet
        self._seen: list[list[np.ndarray]] = []  # of each level: count, sums, largest

    def add(self, windows: Windows) -> None:
        """Take in some windows."""
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
        """What was counted of each level."""
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
    """Saves the matrix of every window as ``00000000.ewt``, ...; the result is their number.

    There may be very many, so they do not wait for the disk, as a single matrix does.
    """

    name = "save"

    def __init__(self, folder: str | os.PathLike):
        self.folder, self._saved = Path(folder), 0

    def add(self, windows: Windows) -> None:
        """Save some windows."""
        from edgewise.sensing.matrix_files import save_soon

        for matrix in windows.to("cpu"):
            save_soon(narrow(matrix), self.folder / f"{self._saved:08}.ewt")
            self._saved += 1

    def result(self) -> int:
        """How many there are."""
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

"""Sorted runs of edges on disk: the first half of an external sort, resumable.

An edge becomes one 64-bit key: 31 bits of its row, 31 of its column, and a tag that says whether it
stands the other way round in the input. An undirected edge has a key for each of its rows. Keys are
collected in the order of the input, sorted stably when they fill a part of the memory, and written
to a file. After each run a line in the manifest says where in the input it ends, with checksums, so
that a process that is killed loses one run at most.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.parallel import sort
from edgewise.io.drafts import lock
from edgewise.io.edge_pieces import Ends, Place
from edgewise.io.parse import Rows

__all__ = ["WIDTH", "Plan", "Run", "Runs", "narrow", "runs_folder", "widen"]

#: The bits of an id in a key on disk.
WIDTH = 31
_BLOCK = 1 << 16


class Plan(NamedTuple):
    """How edges become keys."""

    both: bool  #: does an edge have a key for each of its two rows?
    tag: int  #: 1 if the lowest bit of a key says that it was turned around, else 0
    drop: bool  #: are self-loops dropped?


class Run(NamedTuple):
    """A sorted file of keys, the type of its weights, and what was read until its end."""

    name: str
    keys: int
    weights: str | None
    place: Place
    ends: Ends
    checksums: dict[str, int]  #: of its files, and of the ids that occurred until its end


class Runs:
    """The runs in a folder, to which edges are added."""

    def __init__(self, folder: Path, manifest: Any, plan: Plan, limit: int):
        self.folder, self._manifest, self._plan, self._limit = folder, manifest, plan, limit
        self.runs: list[Run] = []
        self.place: Place | None = None
        self.ends = Ends()
        self.occurs = np.zeros(0, np.bool_)  # a boolean for each id so far
        self._parts: list[tuple[np.ndarray, Any]] = []
        self._waiting = 0

    def resume(self, lines: list[str]) -> bool:
        """Take over the runs of a process that was killed; False if a file is not as noted."""
        for line in lines:
            name, keys, weights, place, ends, checksums = json.loads(line)
            run = Run(name, keys, weights, tuple(place), Ends(*ends), checksums)
            last = ["occurs"] if line is lines[-1] else []
            for file in [one for one in checksums if one != "occurs"] + last:
                if _checksum(self.folder / file) != checksums[file]:
                    self.runs.clear()
                    return False
            self.runs.append(run)
        if self.runs:
            self.place, self.ends = self.runs[-1].place, self.runs[-1].ends
            marks = np.fromfile(self.folder / "occurs", np.uint8)
            self.occurs = np.unpackbits(marks).view(np.bool_)
        return True

    def add(self, rows: Rows, place: Place) -> bool:
        """Add edges that end at this place of the input; True if a run was written before."""
        count, low, high = self.ends
        if len(rows.sources):
            least = min(int(end.min()) for end in rows[:2])
            low = least if count == 0 else min(low, least)
            high = max(high, *(int(end.max()) for end in rows[:2]))
            if low < 0 or high >= 1 << WIDTH:
                wrong = low if low < 0 else high
                raise ValueError(f"vertex ids must lie in 0 to {2**WIDTH - 1}, got {wrong}")
        keys, weights = self._keys(rows)
        size = keys.nbytes + (0 if weights is None else weights.nbytes)
        written = bool(self._waiting) and self._waiting + size > self._limit // 8
        if written:
            self.flush()
        self._mark(rows, high)
        self._parts.append((keys, weights))
        self._waiting += size
        self.ends, self.place = Ends(count + len(rows.sources), low, high), place
        return written

    def add_first(self, rows: Rows) -> None:
        """Add edges that stand before all others in the input."""
        self.flush()
        self.add(rows, self.place or (0, 0))
        before = len(self.runs)
        self.flush(note=False)
        if len(self.runs) > before:
            self.runs.insert(0, self.runs.pop())

    def flush(self, *, note: bool = True) -> None:
        """Sort what waits, write it to a file, and note it in the manifest."""
        if not self._parts:
            return
        parts, self._parts, self._waiting = self._parts, [], 0
        keys = np.concatenate([part[0] for part in parts])
        values = [part[1] for part in parts]
        del parts
        if len(keys) == 0:  # they were self-loops
            return
        weights = None if values[0] is None else np.concatenate(values)  # int64 and float64: float
        del values
        width = max(int(self.ends.high).bit_length(), 1)
        narrow(keys, width, self._plan.tag)
        sort(keys, weights, low=self._plan.tag)
        widen(keys, width, self._plan.tag)
        name = f"{len(self.runs)}"
        kind = None if weights is None else weights.dtype.name
        checksums = {f"{name}.keys": _write(self.folder / f"{name}.keys", keys)}
        if weights is not None:
            checksums[f"{name}.weights"] = _write(self.folder / f"{name}.weights", weights)
        if note:
            checksums["occurs"] = _write(self.folder / "occurs.new", np.packbits(self.occurs))
            os.replace(self.folder / "occurs.new", self.folder / "occurs")
        run = Run(name, len(keys), kind, self.place or (0, 0), self.ends, checksums)
        self.runs.append(run)
        if note:
            self._manifest.write(json.dumps(run) + "\n")
            self._manifest.flush()

    def _keys(self, rows: Rows) -> tuple[np.ndarray, Any]:
        """The keys of edges in the order of the input, with their weights."""
        both, tag, drop = self._plan
        ends = [np.asarray(end).astype(np.uint64) for end in rows[:2]]
        weights, shift = rows.weights, np.uint64(WIDTH + tag)
        loops = ends[0] == ends[1] if drop or both else np.zeros(0, np.bool_)
        kept = None
        if both:
            keys = np.empty(2 * len(ends[0]), np.uint64)
            keys[::2] = ends[0] << shift | ends[1] << np.uint64(tag)
            keys[1::2] = ends[1] << shift | ends[0] << np.uint64(tag) | np.uint64(tag)
            weights = None if weights is None else np.repeat(weights, 2)
            if loops.any():
                kept = np.ones(len(keys), np.bool_)
                kept[1::2] = ~loops
                kept[::2] = ~loops if drop else True
        else:
            keys = ends[0] << shift | ends[1] << np.uint64(tag)
            kept = ~loops if drop and loops.any() else None
        if kept is not None:
            keys, weights = keys[kept], None if weights is None else weights[kept]
        return keys, weights

    def _mark(self, rows: Rows, high: int) -> None:
        if high >= len(self.occurs):
            if 2 * high > self._limit // 2:
                raise MemoryError(
                    f"memory must be at least {4 * high:,} bytes for vertex ids up to {high:,}, "
                    f"got {self._limit:,}"
                )
            grown = np.zeros(high + high // 4 + 1, np.bool_)
            grown[: len(self.occurs)] = self.occurs
            self.occurs = grown
        for end in rows[:2]:
            self.occurs[end] = True


def narrow(keys: np.ndarray, width: int, tag: int) -> None:
    """Give rows and columns of keys ``width`` bits each, in place: fewer bits to sort by."""
    columns, low = _masks(WIDTH, tag)
    for start in range(0, len(keys), _BLOCK):
        part = keys[start : start + _BLOCK]
        part[:] = (part & columns) | (part >> low) << np.uint64(width + tag)


def widen(keys: np.ndarray, width: int, tag: int) -> None:
    """The reverse of `narrow`.

    >>> keys = np.array([5 << 32 | 3 << 1 | 1], np.uint64)
    >>> narrow(keys, 3, 1)
    >>> int(keys[0]) == 5 << 4 | 3 << 1 | 1
    True
    >>> widen(keys, 3, 1)
    >>> int(keys[0]) == 5 << 32 | 3 << 1 | 1
    True
    """
    columns, low = _masks(width, tag)
    for start in range(0, len(keys), _BLOCK):
        part = keys[start : start + _BLOCK]
        part[:] = (part & columns) | (part >> low) << np.uint64(WIDTH + tag)


def _masks(width: int, tag: int) -> tuple[np.uint64, np.uint64]:
    return np.uint64((1 << (width + tag)) - 1), np.uint64(width + tag)


def _write(path: Path, array: np.ndarray) -> int:
    """Write an array to a file; the checksum of its bytes."""
    with open(path, "wb") as file:
        file.write(array.data)
    return zlib.crc32(array.data)


def _checksum(path: Path) -> int:
    """The checksum of a file's bytes; -1 if it is missing."""
    checksum = 0
    try:
        with open(path, "rb") as file:
            while part := file.read(1 << 22):
                checksum = zlib.crc32(part, checksum)
    except FileNotFoundError:
        return -1
    return checksum


@contextmanager
def runs_folder(
    target: Path, identity: dict[str, Any], plan: Plan, limit: int
) -> Iterator[Runs]:  # fmt: skip
    """The runs for ``target``, in a folder beside it that goes when the block ends well.

    The folder stays after an interrupt, a full disk or too small a limit. The next block with the
    same ``identity`` goes on with its runs; one with another removes them.
    """
    folder = target.with_name(f".{target.name}.runs")
    folder.mkdir(exist_ok=True)
    with open(folder / "manifest", "a+") as manifest:
        if lock(manifest.fileno()) is False:
            raise OSError(f"another process is building {target}")
        manifest.seek(0)
        *lines, rest = manifest.read().split("\n")
        if rest:  # a line that was cut short
            manifest.truncate(sum(len(line) + 1 for line in lines))
        runs = Runs(folder, manifest, plan, limit)
        first = json.dumps({**identity, "plan": plan}, sort_keys=True)
        if lines[:1] != [first] or not runs.resume(lines[1:]):
            for path in folder.iterdir():
                if path.name != "manifest":
                    path.unlink()
            manifest.truncate(0)
            manifest.write(first + "\n")
            manifest.flush()
        try:
            yield runs
        except (KeyboardInterrupt, MemoryError, OSError):
            raise
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    shutil.rmtree(folder)

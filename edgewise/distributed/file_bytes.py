"""The bytes of a file on a grid, and whether they are the same on all ranks.

A rank reads the bytes it needs into memory of its own (`FileBytes`). All ranks must agree on a
checksum of the first and last bytes and of some between (`fingerprint`).

Ranks on several machines may see several files at one path. A sum of all bytes finds any
difference and makes every rank read the whole file; one of samples costs milliseconds and finds
another graph, another order of lines or a copy that was cut, but not one byte in a large file.
"""

from __future__ import annotations

import hashlib
import os
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.base.read_at import read_at

__all__ = ["COMPARE", "FileBytes", "fingerprint"]

COMPARE = ("samples", "all")
_ENDS, _SAMPLES, _SAMPLE, _BLOCK = 1 << 16, 64, 1 << 12, 1 << 22
_BINARY = getattr(os, "O_BINARY", 0)  # Windows


def fingerprint(data: Any, compare: str = "samples") -> str:
    """A checksum of the bytes of a file, of some or of all.

    >>> one, other = np.zeros(10**6, np.uint8), np.zeros(10**6, np.uint8)
    >>> other[9] = 1
    >>> fingerprint(one) == fingerprint(other)
    False
    """
    check_choice(compare, "compare", COMPARE)
    found = hashlib.blake2b(str(len(data)).encode(), digest_size=16)
    if compare == "all" or len(data) <= 2 * _ENDS + _SAMPLES * _SAMPLE:
        for low in range(0, len(data), _BLOCK):
            found.update(data[low : low + _BLOCK].data)
        return found.hexdigest()
    starts = np.linspace(_ENDS, len(data) - _ENDS - _SAMPLE, _SAMPLES).astype(np.int64)
    found.update(data[:_ENDS].data)
    for low in starts.tolist():
        found.update(data[low : low + _SAMPLE].data)
    found.update(data[-_ENDS:].data)
    return found.hexdigest()


class FileBytes:
    """The bytes of a plain file, read when a slice is asked for, into memory of its own.

    What others do to the file meanwhile is an error, never a crash, as it were for a mapped file.
    """

    def __init__(self, path: Path):
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder, not a graph file")
        if not path.exists():
            raise FileNotFoundError(f"there is no file {path}")
        self._path, self._file = path, os.open(path, os.O_RDONLY | _BINARY)
        weakref.finalize(self, os.close, self._file)
        self._state = self._look()

    def __len__(self) -> int:
        return self._state[0]

    def __getitem__(self, part: slice) -> np.ndarray:
        low, high, _ = part.indices(len(self))
        found = np.empty(max(high - low, 0), np.uint8)
        rest = found.data
        while len(rest):
            got = read_at(self._file, rest, high - len(rest))
            if got == 0:
                break
            rest = rest[got:]
        if len(rest) or self._look() != self._state:
            raise FileFormatError(self._path, "the file was changed while it was read")
        found.flags.writeable = False
        return found

    def _look(self) -> tuple[int, int]:
        status = os.fstat(self._file)
        return status.st_size, status.st_mtime_ns

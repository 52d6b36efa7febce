"""Sections of an .ew file that are written in order while their size is not known."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.bit_blocks import Packer
from edgewise.io.ew_header import ALIGNMENT, Section

__all__ = ["Output", "PackedOutput"]


class Output:
    """An array that is written in order to its place in a file."""

    def __init__(self, file: BinaryIO, name: str, dtype: Any, begin: int = 0):
        self.file, self.name, self.dtype, self.begin = file, name, np.dtype(dtype), begin
        self.items, self.checksum = 0, 0

    def write(self, array: np.ndarray) -> None:
        """Write the next items."""
        array = np.ascontiguousarray(array, self.dtype)
        self.file.seek(self.begin + self.items * self.dtype.itemsize)
        self.file.write(array.data)
        self.checksum = zlib.crc32(array.data, self.checksum)
        self.items += len(array)

    def moved(self, file: BinaryIO, end: int) -> Output:
        """The same array after ``end`` in another file."""
        other = Output(file, self.name, self.dtype, end + -end % ALIGNMENT)
        other.items, other.checksum = self.items, self.checksum
        self.file.seek(self.begin)
        file.seek(other.begin)
        shutil.copyfileobj(self.file, file, 1 << 20)
        return other

    @property
    def end(self) -> int:
        """Where the array ends in its file."""
        return self.begin + self.items * self.dtype.itemsize

    @property
    def section(self) -> Section:
        """The entry of the header."""
        return Section(self.name, self.dtype, self.items, self.checksum)


class PackedOutput:
    """An array of integers that is packed in order; its parts wait in files in a folder."""

    def __init__(self, folder: Path, prefix: str):
        self.items, self._packer = 0, Packer()
        self._parts = [
            Output(open(folder / f"{prefix}{part}", "w+b"), f"{prefix}{part}", np.uint64)  # noqa: SIM115
            for part in ("words", "heads", "tops")
        ]

    def write(self, array: np.ndarray) -> None:
        """Pack the next items."""
        self.items += len(array)
        self._add(*self._packer.add(array))

    def moved(self, file: BinaryIO, end: int) -> list[Output]:
        """The three sections after ``end`` in a file. Nothing can be written after that."""
        self._add(*self._packer.finish())
        found = []
        for part in self._parts:
            found.append(part.moved(file, end))
            end = found[-1].end
        self.close()
        return found

    def close(self) -> None:
        """Close the files that hold the parts."""
        for part in self._parts:
            part.file.close()

    def _add(self, *arrays: np.ndarray) -> None:
        for part, array in zip(self._parts, arrays, strict=False):
            part.write(array)

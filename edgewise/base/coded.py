"""Arrays of few distinct numbers: a table of them, and a code of one or two bytes per element.

Kernels read ``coded[i]`` as they read an array (`edgewise.base.cpu.coded` compiles it): a code, and
the number it stands for, from a table that lies in the cache.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from edgewise.base.memory import free_memory

__all__ = ["MOST", "Coded", "encode"]

#: Numbers in a table, at most.
MOST = 1 << 16
#: Elements that are encoded together.
_TOGETHER = 1 << 20


class Coded:
    """A read-only array of numbers, each a code of one or two bytes into a table.

    It has the attributes of a NumPy array that say what it is, and it is indexed like one. Every
    NumPy function that is given it makes the array of all numbers, which lives only as long as
    somebody uses it.

    Examples
    --------
    >>> coded = encode(np.array([2.5, 4.0, 2.5]))
    >>> coded, coded.table.tolist(), coded[1:].tolist()
    (Coded(3 of float64, 19 bytes), [2.5, 4.0], [4.0, 2.5])
    """

    ndim = 1

    def __init__(self, codes: np.ndarray, table: np.ndarray):
        self.codes, self.table = codes, table
        self.size, self.dtype = len(codes), table.dtype
        self.itemsize, self.shape = self.dtype.itemsize, codes.shape
        # What compiled code reads: see `edgewise.base.cpu.coded`.
        self.codes_at, self.table_at = codes.ctypes.data, table.ctypes.data
        self._unpacked: Any = None

    @property
    def nbytes(self) -> int:
        """The size of codes and table in bytes."""
        return self.codes.nbytes + self.table.nbytes

    @property
    def _numba_type_(self) -> Any:
        from edgewise.base.cpu.coded import coded_type

        return coded_type(self.dtype, self.codes.itemsize)

    def __len__(self) -> int:
        return self.size

    def view(self, dtype: Any) -> Coded:
        """Return the same bits as numbers of another type of as many bytes."""
        return Coded(self.codes, self.table.view(dtype))

    def unpack(self) -> np.ndarray:
        """Return all numbers as a read-only array; while that lives, the same one."""
        array = None if self._unpacked is None else self._unpacked()
        if array is None:
            needed, free = self.size * self.itemsize, free_memory()
            if needed > free:
                raise MemoryError(
                    f"these weights take {needed:,} bytes as an array, but only {free:,} bytes are "
                    "free; operators read them as they are"
                )
            array = self.table.take(self.codes)
            array.flags.writeable = False
            self._unpacked = weakref.ref(array)
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.unpack()
        kept = dtype is None or np.dtype(dtype) == self.dtype
        return array if kept and not copy else array.astype(dtype or self.dtype)

    def __getitem__(self, key: Any) -> Any:
        return self.table[self.codes[key]]

    def __reduce__(self) -> Any:
        return Coded, (np.asarray(self.codes), np.asarray(self.table))

    def __repr__(self) -> str:
        return f"Coded({self.size:,} of {self.dtype}, {self.nbytes:,} bytes)"


def encode(array: np.ndarray, dtype: Any = None) -> Coded:
    """Return the numbers of an array, rounded to a type if one is given, as codes and a table.

    The table holds what was rounded in the array's own type, or in float32 for float16.

    >>> encode(np.array([0.1, 0.1000001]), np.float16).table.tolist()
    [0.0999755859375]
    """
    parts = [array[low : low + _TOGETHER] for low in range(0, len(array), _TOGETHER)]
    table = np.zeros(0, array.dtype if dtype is None else dtype)
    for part in parts:
        table = np.union1d(table, rounded(part, table.dtype))
        if len(table) > MOST:
            raise ValueError(
                f"the weights must have at most {MOST:,} distinct values to be coded, got "
                f"{len(table):,} or more; 'float16' and 'float32' round them"
            )
    codes = np.empty(len(array), np.uint8 if len(table) <= 1 << 8 else np.uint16)
    for i, part in enumerate(parts):
        found = np.searchsorted(table, rounded(part, table.dtype))
        codes[i * _TOGETHER : i * _TOGETHER + len(part)] = found
    if table.dtype == np.float16:
        table = table.astype(np.float32)
    for one in (codes, table):
        one.flags.writeable = False
    return Coded(codes, table)


def rounded(array: np.ndarray, dtype: Any) -> np.ndarray:
    """The numbers in a type of fewer digits; ValueError if one is beyond its range.

    >>> rounded(np.array([0.1]), np.float16).tolist()
    [0.0999755859375]
    """
    if array.dtype == dtype:
        return array
    with np.errstate(over="ignore"):
        found = array.astype(dtype)
    lost = np.isinf(found) & np.isfinite(array)
    if lost.any():
        worst = array[int(np.argmax(lost))]
        raise ValueError(f"the weights must fit {np.dtype(dtype)}, got {worst}")
    return found

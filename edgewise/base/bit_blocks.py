"""Arrays of integers in blocks of 64, each value in as few bits as its block needs.

A block keeps its smallest value and the differences of all 64 to it, in ``width`` bits each. Where
they begin is kept too. An element is therefore found by its position alone, in constant time:
kernels read ``blocks[i]`` as they read an array, loops start anywhere, and bisection works
(`edgewise.base.cpu.bit_blocks` compiles it).

Differences lie in eight lanes of 32 bits: number i of a block is in lane ``i % 8``, from bit
``i // 8 * width`` on. The same instructions read eight consecutive ones, one per lane. Rows of
eight lanes, 32 bytes, are the unit of places; a block takes ``width / 4`` rows, rounded up.

    heads[b]    the smallest value (32 bits), the width (6 bits) and the place (26 bits) of block b
    tops[t]     what to add to the places of blocks t * 2**20 to (t + 1) * 2**20 - 1
    words       the differences, and two rows of zero so that the last ones are read like others

Values lie in 0 to 2**32 - 1. Neighbors that follow one another in memory lie near each other in a
graph with a good order, and those of a hub lie close, so that their differences are small.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from edgewise.base.threads import launch

__all__ = ["BLOCK", "LIMIT", "Blocks", "Packer", "check_blocks", "pack"]

#: Values in a block.
BLOCK = 64
#: Values are below this.
LIMIT = 1 << 32
#: Blocks that share a top, as a power of two; the bits of a block's place, and of its width.
_SHARE, _PLACE, _WIDTH = 20, 26, 6
#: Lanes of 32 bits in a row, words of 64 bits in a row, and rows of zero at the end.
_LANES, _ROW, _SPARE = 8, 4, 2
#: Elements that are looked up together.
_TOGETHER = 1 << 16
#: Elements that a `Packer` packs together.
_PIECE = 1 << 22
_UNSIGNED = {"i4": "u4", "i8": "u8"}


class Blocks:
    """A read-only array of integers in blocks: an element takes as many bits as its block needs.

    It has the attributes of a NumPy array that say what it is (``dtype``, ``shape``, ``nbytes``),
    and it is indexed like one. `unpack`, and every NumPy function that is given it, makes the array
    of all elements; that one lives only as long as somebody uses it.

    Examples
    --------
    >>> blocks = pack(np.arange(1000, dtype=np.int32))
    >>> len(blocks), blocks.dtype, blocks.nbytes
    (1000, dtype('int32'), 1224)
    >>> int(blocks[999]), blocks[10:13].tolist(), blocks[[5, 7]].tolist()
    (999, [10, 11, 12], [5, 7])
    """

    ndim = 1

    def __init__(
        self, words: np.ndarray, heads: np.ndarray, tops: np.ndarray, size: int, dtype: Any
    ):
        self.words, self.heads, self.tops = words, heads, tops
        self.size, self.dtype = size, np.dtype(dtype)
        self.itemsize, self.shape = self.dtype.itemsize, (size,)
        # What compiled code reads: see `edgewise.base.cpu.bit_blocks`.
        self.words_at, self.heads_at, self.tops_at = map(_address, (words, heads, tops))
        self._unpacked: Any = None

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return self.words.nbytes + self.heads.nbytes + self.tops.nbytes

    @property
    def _numba_type_(self) -> Any:
        from edgewise.base.cpu.bit_blocks import blocks_type

        return blocks_type(self.dtype, len(self.tops) > 1)

    def __len__(self) -> int:
        return self.size

    def view(self, dtype: Any = None) -> Blocks:
        """Return the same elements as another integer type of as many bytes."""
        dtype = self.dtype if dtype is None else np.dtype(dtype)
        if dtype.kind not in "iu" or dtype.itemsize != self.itemsize:
            raise TypeError(f"dtype must be an integer of {self.itemsize} bytes, got {dtype}")
        return self if dtype == self.dtype else Blocks(*self.parts(), self.size, dtype)

    def parts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the arrays ``words``, ``heads`` and ``tops``."""
        return self.words, self.heads, self.tops

    def unpack(self) -> np.ndarray:
        """Return all elements as a read-only array; while that lives, the same one."""
        array = None if self._unpacked is None else self._unpacked()
        if array is None:
            from edgewise.base.cpu.bit_packing import unpack_kernel

            array = np.empty(self.size, self.dtype)
            unsigned = self.view(_UNSIGNED.get(self.dtype.str[1:], self.dtype))
            launch(unpack_kernel, unsigned, array.view(unsigned.dtype), work=self.size)
            array.flags.writeable = False
            self._unpacked = weakref.ref(array)
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.unpack()
        kept = dtype is None or np.dtype(dtype) == self.dtype
        return array if kept and not copy else array.astype(dtype or self.dtype)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._at(np.arange(*key.indices(self.size)))
        key = np.asarray(key)
        if key.dtype == bool:
            return self.unpack()[key]
        if key.size and not -self.size <= key.min() <= key.max() < self.size:
            raise IndexError(f"positions must lie in 0 to {self.size - 1}, got {key!r}")
        if key.ndim == 1 and len(key) > _TOGETHER:  # a place takes ten words on its way
            parts = range(0, len(key), _TOGETHER)
            return np.concatenate([self[key[low : low + _TOGETHER]] for low in parts])
        found = self._at(np.where(key < 0, key + self.size, key).astype(np.int64))
        return found if key.ndim else found[()]

    def item(self, i: int) -> int:
        """Return one element as a Python integer."""
        return int(self[i])

    def tolist(self) -> list[int]:
        """Return all elements as Python integers."""
        return self.unpack().tolist()

    def __reduce__(self) -> Any:
        return Blocks, (*map(np.asarray, self.parts()), self.size, self.dtype.str)

    def __repr__(self) -> str:
        return f"Blocks({self.size:,} of {self.dtype}, {self.nbytes:,} bytes)"

    def _at(self, places: np.ndarray) -> np.ndarray:
        """The elements at places that are in range."""
        at = places.astype(np.uint64)
        head = self.heads[at >> np.uint64(6)]
        width = (head >> np.uint64(_PLACE)) & np.uint64((1 << _WIDTH) - 1)
        bit = ((at & np.uint64(BLOCK - 1)) >> np.uint64(3)) * width
        row = self.tops[at >> np.uint64(_SHARE + 6)] + (head & np.uint64((1 << _PLACE) - 1))
        lane = (row + (bit >> np.uint64(5))) * np.uint64(_LANES) + (at & np.uint64(_LANES - 1))
        lanes = self.words.view(np.uint32)
        low = lanes[lane].astype(np.uint64)
        high = lanes[lane + np.uint64(_LANES)].astype(np.uint64) << np.uint64(32)
        rest = ((low | high) >> (bit & np.uint64(31))) & ((np.uint64(1) << width) - np.uint64(1))
        return ((head >> np.uint64(32)) + rest).astype(self.dtype)


def pack(array: np.ndarray) -> Blocks:
    """Return the elements of an integer array in blocks.

    >>> pack(np.array([7, 1 << 20, 9])).tolist()
    [7, 1048576, 9]
    """
    from edgewise.base.cpu.bit_packing import measure_kernel, pack_kernel

    array = np.ascontiguousarray(array)
    if array.dtype.kind not in "iu" or array.itemsize not in (4, 8):
        raise TypeError(f"array must be integers of 4 or 8 bytes, got dtype {array.dtype}")
    size = len(array)
    count = -(-size // BLOCK)
    values = array.view(np.uint32 if array.itemsize == 4 else np.uint64)
    values.flags.writeable = False
    heads, widths = np.empty(count, np.uint64), np.empty(count, np.int64)
    launch(measure_kernel, values, heads, widths, work=size)
    if count and widths.max() > 32:
        wrong = array[(array < 0) | (array >= LIMIT)][0]
        raise ValueError(f"values must lie in 0 to 2**32 - 1, got {wrong}")
    rows = (widths + 3) >> 2
    ends = np.cumsum(rows)
    places = ends - rows
    tops = places[:: 1 << _SHARE].astype(np.uint64)
    words = np.empty(((int(ends[-1]) if count else 0) + _SPARE) * _ROW, np.uint64)
    words[-_SPARE * _ROW :] = 0
    launch(pack_kernel, values, heads, widths, places, tops, words.view(np.uint32), work=size)
    for one in (words, heads, tops):
        one.flags.writeable = False
    return Blocks(words, heads, tops, size, array.dtype)


class Packer:
    """Packs an array that comes in pieces: the parts of `pack` of all of them, in order.

    >>> packer, array = Packer(), np.arange(200)
    >>> pieces = [packer.add(array[:150]), packer.add(array[150:])]
    >>> *last, tops = packer.finish()
    >>> words, heads = (np.concatenate(some) for some in zip(*pieces, last))
    >>> Blocks(words, heads, tops, 200, array.dtype).tolist() == array.tolist()
    True
    """

    def __init__(self) -> None:
        self._rest, self._rows, self._count = np.zeros(0, np.int32), 0, 0
        self._tops: list[int] = []

    def add(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the words and heads of whole blocks; the rest waits for the next piece."""
        every = np.concatenate([self._rest.astype(array.dtype), array])
        whole = len(every) // BLOCK * BLOCK
        self._rest = every[whole:].copy()
        parts = [self._packed(every[low : min(low + _PIECE, whole)])
                 for low in range(0, whole, _PIECE)]  # fmt: skip
        none = np.zeros(0, np.uint64)
        return tuple(map(np.concatenate, zip((none, none), *parts, strict=True)))  # type: ignore

    def finish(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the last words and heads, and all tops."""
        words, heads = self._packed(self._rest)
        words = np.append(words, np.zeros(_SPARE * _ROW, np.uint64))
        return words, heads, np.array(self._tops, np.uint64)

    def _packed(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The words and heads of a piece, whose places continue those before it."""
        words, heads, _ = pack(array).parts()
        words, mask = words[: len(words) - _SPARE * _ROW], np.uint64((1 << _PLACE) - 1)
        places = (heads & mask) + np.uint64(self._rows)
        shares = (self._count + np.arange(len(heads))) >> _SHARE
        new = np.arange(len(self._tops), int(shares[-1]) + 1 if len(shares) else 0)
        self._tops += places[np.searchsorted(shares, new)].tolist()
        tops = np.array(self._tops, np.uint64)
        self._rows, self._count = self._rows + len(words) // _ROW, self._count + len(heads)
        return words, heads & ~mask | places - tops[shares]


def check_blocks(words: np.ndarray, heads: np.ndarray, tops: np.ndarray, size: int) -> None:
    """ValueError if elements of these parts would be read outside of them.

    >>> check_blocks(np.zeros(8, np.uint64), np.zeros(2, np.uint64), np.zeros(1, np.uint64), 65)
    """
    count = -(-size // BLOCK)
    if len(heads) != count or len(tops) != -(-count // (1 << _SHARE)):
        raise ValueError(f"{size} elements have {count} heads, got {len(heads)}")
    last = len(words) // _ROW - _SPARE
    if last < 0:
        raise ValueError(f"the words end with {_SPARE * _ROW} of zero, got {len(words)} words")
    for first in range(0, count, 1 << _SHARE):
        some = heads[first : first + (1 << _SHARE)]
        width = (some >> np.uint64(_PLACE)) & np.uint64((1 << _WIDTH) - 1)
        top = tops[first >> _SHARE]
        rows = (width + np.uint64(3)) >> np.uint64(2)
        end = (some & np.uint64((1 << _PLACE) - 1)) + rows + top
        if int(width.max()) > 32 or int(top) > last or int(end.max()) > last:
            raise ValueError(f"a block among {first} and those after it ends past the words")


def _address(array: np.ndarray) -> int:
    return array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr

"""What the threads of a block do together, and the arrays in which they compare a pair of sets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda

__all__ = ["NOBODY", "WARPS", "Room", "carve", "column_in", "least", "needed", "rank"]

#: Greater than any key.
NOBODY = np.int64(1 << 62)
WARPS = 32  # of a block, at most
_EVERY_LANE = 0xFFFFFFFF
_BITS, _COLUMNS = np.int64(11), np.int64((1 << 11) - 1)  # of a key: those that are the column


class Room(NamedTuple):
    """What one block works in, as `edgewise.join.cpu.room` has it for a thread.

    The rows are elements of the right set, the columns those of the left one, without those that
    both have. The graph is a matrix; its rows are ``stride`` apart.
    """

    worth: Any  #: float64, the matrix: the similarity
    most: Any  #: float64, over rows: the greatest similarity
    u: Any  #: float64, over rows: the price
    v: Any  #: float64, over columns: the price
    distance: Any  #: float64, over columns: for searches
    first: Any  #: int32, the matrix: which token of the row is the first that both have
    rest: Any  #: int32, over rows: their elements
    best: Any  #: int32, over rows: the first column of the greatest similarity, -1 if none
    mate: Any  #: int32, over rows: the column, -1 if free
    late: Any  #: int32, over rows: those whose best column another one has
    begins: Any  #: int32, over rows and one more: where their tokens begin
    place: Any  #: int32, over the left set: the column of an element, -1 if both sets have it
    other: Any  #: int32, over columns: their elements
    mate_of_column: Any  #: int32
    via: Any  #: int32, over columns: for searches
    passed: Any  #: int32, over columns: for searches
    values: Any  #: float64, over warps
    keys: Any  #: int64, over warps


def needed(size: int) -> tuple[int, int]:
    """How many float64 and int32 numbers a block needs for sets of up to so many elements."""
    return size * (size + 5), size * (size + 11) + 1


@device
def carve(reals, whole, size, values, keys):
    """Room for sets of up to ``size`` elements in arrays of what is `needed`."""
    matrix = size * (size + 1)
    at = matrix + size
    by = matrix + 5 * size + 1
    return Room(
        reals[:matrix],
        reals[matrix:at],
        reals[at : at + size],
        reals[at + size : at + 2 * size],
        reals[at + 2 * size : at + 3 * size],
        whole[:matrix],
        whole[matrix:at],
        whole[at : at + size],
        whole[at + size : at + 2 * size],
        whole[at + 2 * size : at + 3 * size],
        whole[at + 3 * size : by],
        whole[by : by + size],
        whole[by + size : by + 2 * size],
        whole[by + 2 * size : by + 3 * size],
        whole[by + 3 * size : by + 4 * size],
        whole[by + 4 * size : by + 5 * size],
        values,
        keys,
    )


@device
def rank(first, c):
    """A key by which the edges of a row are in the order that CPU threads find them in.

    By the first token that both elements have; of those with the same one, the last column first.
    """
    return (np.int64(first) << _BITS) | (_COLUMNS - np.int64(c))


@device
def column_in(key):
    """The column of a `rank`."""
    return _COLUMNS - (key & _COLUMNS)


if simulated():

    def least(value, key, room):
        """The least value that a thread of the block has, and the least key of those with it."""
        me = cuda.threadIdx.x
        room.values[me], room.keys[me] = value, key
        cuda.syncthreads()
        found = min((room.values[i], room.keys[i]) for i in range(cuda.blockDim.x))
        cuda.syncthreads()
        return found

else:

    @device
    def least(value, key, room):
        """The least value that a thread of the block has, and the least key of those with it."""
        step = 16
        while step > 0:
            other = cuda.shfl_xor_sync(_EVERY_LANE, value, step)
            others = cuda.shfl_xor_sync(_EVERY_LANE, key, step)
            if other < value or (other == value and others < key):
                value, key = other, others
            step //= 2
        if cuda.blockDim.x > 32:
            if cuda.threadIdx.x & 31 == 0:
                room.values[cuda.threadIdx.x >> 5] = value
                room.keys[cuda.threadIdx.x >> 5] = key
            cuda.syncthreads()
            for i in range(cuda.blockDim.x >> 5):
                other, others = room.values[i], room.keys[i]
                if other < value or (other == value and others < key):
                    value, key = other, others
            cuda.syncthreads()
        return value, key

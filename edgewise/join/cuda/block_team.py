"""What the threads of a block do together, and the arrays in which they compare a pair of sets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.bits import count_bits
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda

__all__ = [
    *(
        "LANES",
        "NOBODY",
        "WARPS",
        "Scratch",
        "before",
        "carve",
        "column_in",
        "column_of",
        "edges_of",
    ),
    *("least", "least_of_lanes", "needed", "rank", "summed", "sync_lanes"),
]

#: Greater than any key.
NOBODY = np.int64(1 << 62)
WARPS = 32  # of a block, at most
LANES = 1 if simulated() else 32  # threads that go through a row together
_EVERY_LANE = 0xFFFFFFFF
_BITS, _COLUMNS = np.int64(11), np.int64((1 << 11) - 1)  # of a key: those that are the column


class Scratch(NamedTuple):
    """What one block works in, as `edgewise.join.cpu.pair_arrays` has it for a thread.

    The rows are elements of the right set, the columns those of the left one, without those that
    both have. The graph is a matrix, whose rows are ``stride`` apart; or, if that is 0, a list of
    edges, those of a row next to each other.
    """

    worth: Any  #: float64, over edges: the similarity
    most: Any  #: float64, over rows: the greatest similarity
    u: Any  #: float64, over rows: the price
    v: Any  #: float64, over columns: the price
    distance: Any  #: float64, over columns: for searches
    first: Any  #: int32, over edges: which token of the row is the first that both have
    column: Any  #: int32, over edges in a list: where they lead
    rest: Any  #: int32, over rows: their elements
    best: Any  #: int32, over rows: the first column of the greatest similarity, -1 if none
    mate: Any  #: int32, over rows: the column, -1 if free
    late: Any  #: int32, over rows: those whose best column another one has
    begins: Any  #: int32, over rows and one more: where their tokens begin, or their edges
    ends: Any  #: int32, over rows: where their edges in the list end
    place: Any  #: int32, over the left set: the column of an element, -1 if both sets have it
    other: Any  #: int32, over columns: their elements
    mate_of_column: Any  #: int32
    via: Any  #: int32, over columns: for searches
    passed: Any  #: int32, over columns: for searches
    values: Any  #: float64, over warps
    keys: Any  #: int64, over warps


def needed(size: int, edges: int, listed: int) -> tuple[int, int]:
    """How many float64 and int32 numbers a block needs for sets of up to so many elements.

    ``edges`` are those for which there is space, ``listed`` the same number if they are in a list.
    """
    return edges + 4 * size, edges + listed + 11 * size + 1


@device
def carve(reals, whole, size, edges, listed, values, keys):
    """Scratch for sets of up to ``size`` elements in arrays of what is `needed`."""
    by = edges + listed
    rows, columns = by + 5 * size + 1, by + 6 * size + 1
    return Scratch(
        reals[:edges],
        reals[edges : edges + size],
        reals[edges + size : edges + 2 * size],
        reals[edges + 2 * size : edges + 3 * size],
        reals[edges + 3 * size : edges + 4 * size],
        whole[:edges],
        whole[edges:by],
        whole[by : by + size],
        whole[by + size : by + 2 * size],
        whole[by + 2 * size : by + 3 * size],
        whole[by + 3 * size : by + 4 * size],
        whole[by + 4 * size : rows],
        whole[rows:columns],
        whole[columns : columns + size],
        whole[columns + size : columns + 2 * size],
        whole[columns + 2 * size : columns + 3 * size],
        whole[columns + 3 * size : columns + 4 * size],
        whole[columns + 4 * size : columns + 5 * size],
        values,
        keys,
    )


@device
def edges_of(r, columns, stride, scratch):
    """Where the edges of a row begin and end."""
    if stride == 0:
        return np.int64(scratch.begins[r]), np.int64(scratch.ends[r])
    return np.int64(r) * stride, np.int64(r) * stride + columns


@device
def column_of(e, r, stride, scratch):
    """Where an edge of row r leads."""
    if stride == 0:
        return np.int64(scratch.column[e])
    return np.int64(e) - np.int64(r) * stride


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

    def least(value, key, scratch):
        """The least value that a thread of the block has, and the least key of those with it."""
        me = cuda.threadIdx.x
        scratch.values[me], scratch.keys[me] = value, key
        cuda.syncthreads()
        found = min((scratch.values[i], scratch.keys[i]) for i in range(cuda.blockDim.x))
        cuda.syncthreads()
        return found

    def summed(value, scratch):
        """The sum of what the threads of the block have, the same each time."""
        scratch.values[cuda.threadIdx.x] = value
        cuda.syncthreads()
        total = sum(scratch.values[: cuda.blockDim.x])
        cuda.syncthreads()
        return total

    def before(chosen, scratch):
        """How many threads before this one are ``chosen``, and how many of the block."""
        me = cuda.threadIdx.x
        scratch.keys[me] = chosen
        cuda.syncthreads()
        found = sum(scratch.keys[:me]), sum(scratch.keys[: cuda.blockDim.x])
        cuda.syncthreads()
        return found

    def least_of_lanes(value, key):
        """As `least`, of the threads that go through a row."""
        return value, key

    def sync_lanes():
        """Let the threads that go through a row see what they have written."""

else:

    @device
    def least_of_lanes(value, key):
        """As `least`, of the threads that go through a row."""
        step = 16
        while step > 0:
            other = cuda.shfl_xor_sync(_EVERY_LANE, value, step)
            others = cuda.shfl_xor_sync(_EVERY_LANE, key, step)
            if other < value or (other == value and others < key):
                value, key = other, others
            step //= 2
        return value, key

    @device
    def least(value, key, scratch):
        """The least value that a thread of the block has, and the least key of those with it."""
        value, key = least_of_lanes(value, key)
        if cuda.blockDim.x > 32:
            if cuda.threadIdx.x & 31 == 0:
                scratch.values[cuda.threadIdx.x >> 5] = value
                scratch.keys[cuda.threadIdx.x >> 5] = key
            cuda.syncthreads()
            for i in range(cuda.blockDim.x >> 5):
                other, others = scratch.values[i], scratch.keys[i]
                if other < value or (other == value and others < key):
                    value, key = other, others
            cuda.syncthreads()
        return value, key

    @device
    def summed(value, scratch):
        """The sum of what the threads of the block have, the same each time."""
        step = 16
        while step > 0:
            value += cuda.shfl_xor_sync(_EVERY_LANE, value, step)
            step //= 2
        if cuda.blockDim.x > 32:
            if cuda.threadIdx.x & 31 == 0:
                scratch.values[cuda.threadIdx.x >> 5] = value
            cuda.syncthreads()
            value = 0.0
            for i in range(cuda.blockDim.x >> 5):
                value += scratch.values[i]
            cuda.syncthreads()
        return value

    @device
    def before(chosen, scratch):
        """How many threads before this one are ``chosen``, and how many of the block."""
        me, lane = cuda.threadIdx.x, np.uint32(cuda.threadIdx.x & 31)
        votes = np.uint32(cuda.ballot_sync(_EVERY_LANE, chosen))
        mine = count_bits(votes & ((np.uint32(1) << lane) - np.uint32(1)))
        total = count_bits(votes)
        if cuda.blockDim.x > 32:
            if lane == 0:
                scratch.keys[me >> 5] = total
            cuda.syncthreads()
            total = np.int64(0)
            for i in range(cuda.blockDim.x >> 5):
                if i == me >> 5:
                    mine += total
                total += scratch.keys[i]
            cuda.syncthreads()
        return mine, total

    @device
    def sync_lanes():
        """Let the threads that go through a row see what they have written."""
        cuda.syncwarp(_EVERY_LANE)

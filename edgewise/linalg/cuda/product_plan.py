"""How the rows of a sparse product are divided on CUDA, and how finished rows are put in order."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, max as raise_to
from edgewise.base.cuda.device import host, simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.linalg.cuda.product_rows import Data, most_entries
from edgewise.operators.cuda.inner import put, take
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.cuda.totals import Totals, block_places, over_block

__all__ = ["KINDS", "Limits", "Plan", "copy_rows", "count_products", "plan_rows"]

#: The kinds of rows: for a thread with a few places and with some more, for a block with a small
#: and with a large table in shared memory, by ranges of columns with very many products and with
#: fewer, and with a table in global memory.
KINDS = 7
#: A row of the left operand is read by some lanes if each has at most so many entries.
_SHORT = 2 if simulated() else 32
_BITS = 9  # of a count of rows in a block
#: Where words have sums of bounds and of lengths, the longest row, counters of lists and a cursor.
_BOUND, _LENGTH, _MOST, _LISTS, _CURSOR = 7, 8, 9, 10, 20


class Limits(NamedTuple):
    """What decides the kind of a row."""

    few: int  # entries of a row for one thread
    some: int
    small: int  # entries of a row for a block
    large: int
    tiles: int  # ranges of columns, 0 if the right operand's rows do not ascend
    patience: int  # visits of a range for each product
    heavy: int  # products of a row that is begun early


class Plan(NamedTuple):
    """Rows by kind: those of kind k are ``rows[starts[k] : starts[k + 1]]``, all if it is None."""

    rows: Any
    starts: list[int]
    bound: int  # entries of all rows at most
    length: int  # entries of all rows of the left operand
    most: int  # entries of the longest row that has a table in global memory
    cursor: Any  # a counter, 0


def count_products(left: Any, right: Any, mask: Any, count: int, products: Any) -> None:
    """Count the products of each row; none where a mask has an empty row."""
    mean = len(left[1]) // count
    shift = min(5, max(2, mean.bit_length()) - 2)  # four to eight entries for a lane
    run, blocks = count_kernel(mask is not None), blocks_for(count, THREADS >> shift)
    run(blocks, THREADS, left, right, mask, count, shift, products)


@cache
def count_kernel(masked: bool) -> Any:
    """The kernel that counts products; a block shares the rows that have many entries.

    Each other row is read by ``2 ** shift`` lanes.
    """

    @device
    def selected(low, high, step, left, right):
        """The products of every so many entries."""
        e, total = np.uint64(low), np.int64(0)
        while e < high:
            k = np.uint64(left[1][e])
            total += np.int64(right[0][k + np.uint64(1)] - right[0][k])
            e += np.uint64(step)
        return total

    @kernel
    def count_rows(left, right, mask, count, shift, products):
        long = cuda.shared.array(THREADS, np.int32)
        totals = cuda.shared.array(THREADS, np.int64)
        some = cuda.shared.array(1, np.int32)
        t, lanes = np.int64(cuda.threadIdx.x), np.int64(1) << shift
        slot, lane = t >> shift, t & (lanes - 1)
        first = np.int64(cuda.blockIdx.x) * (THREADS >> shift)
        if t == 0:
            some[0] = 0
        totals[t] = 0
        cuda.syncthreads()
        i = first + slot
        if i < count and not (masked and mask[i + 1] == mask[i]):
            low, high = left[0][i], left[0][i + 1]
            if high - low <= np.uint64(_SHORT * lanes):
                mine = selected(low + np.uint64(lane), high, lanes, left, right)
                if mine > 0:
                    add(totals, slot, mine)
            elif lane == 0:
                long[add(some, 0, 1)] = slot
        cuda.syncthreads()
        for k in range(some[0]):
            row = first + np.int64(long[k])
            mine = selected(left[0][row] + np.uint64(t), left[0][row + 1], THREADS, left, right)
            if mine > 0:
                add(totals, np.int64(long[k]), mine)
        cuda.syncthreads()
        if lane == 0 and i < count:
            products[i] = totals[slot]

    return count_rows


def plan_rows(xp: Any, data: Data, count: int, masking: str, limits: Limits) -> Plan:
    """The plan for so many rows from ``data.first`` on."""
    kinds, words = xp.empty(count, np.int8), xp.zeros(24, np.int64)
    blocks = blocks_for(count)
    kind_kernel(masking)(blocks, THREADS, data, count, tuple(limits), kinds, words)
    found = host(words[:_LISTS]).tolist()
    starts = [0]
    for number in found[:KINDS]:
        starts.append(starts[-1] + number)
    rows = None
    if max(found[:KINDS]) < count:
        rows = xp.empty(count, np.int32 if count < 2**31 else np.int64)
        list_kernel(blocks, THREADS, kinds, count, words, rows)
    bound, length, most = found[_BOUND : _MOST + 1]
    return Plan(rows, starts, bound, length, most, words[_CURSOR:])


#: Rows of each kind (in one number), sums of bounds and of lengths, and the longest row.
_TOTALS = Totals(
    device(lambda a, b: (a[0] + b[0], a[1] + b[1], a[2] + b[2], max(a[3], b[3]))),
    (np.dtype(np.int64),) * 4,
)


@cache
def kind_kernel(masking: str) -> Any:
    """The kernel that finds the kind of each row, and counts them."""
    most = most_entries(masking)
    whole, places = over_block(_TOTALS, THREADS), block_places(_TOTALS, THREADS)
    guarded = 0 if masking == "" else 1  # a search for what is not there needs a free place

    @device
    def kind_of(need, products, length, limits):
        few, some, small, large, tiles, patience, heavy = limits
        if need + guarded <= few and products <= 2 * few:
            return 0
        if need + guarded <= some and products <= 4 * some:
            return 1
        if need <= small and products <= 16 * small:
            return 2
        if need <= large:
            return 3
        if tiles == 0 or length * tiles > patience * products:
            return 6
        return 4 if products >= heavy else 5

    @kernel
    def find_kinds(data, count, limits, kinds, words):
        held = places()
        i = np.int64(cuda.grid(1))
        mine = (np.int64(0), np.int64(0), np.int64(0), np.int64(0))
        zero = mine
        if i < count:
            row = data.first + i
            products, need = np.int64(data.products[row]), most(row, data)
            length = np.int64(data.left[0][row + 1] - data.left[0][row])
            kind = kind_of(need, products, length, limits)
            if products == 0:
                kind, need = 0, np.int64(0)
            kinds[i] = kind
            packed, outside = np.int64(1) << np.int64(_BITS * kind), np.int64(0)
            if kind == KINDS - 1:
                outside = need
            mine = (packed, min(need, products), length, outside)
        packed, bound, length, outside = whole(held, mine, zero)
        t = np.int64(cuda.threadIdx.x)
        if t < KINDS:
            number = (packed >> np.int64(_BITS * t)) & np.int64((1 << _BITS) - 1)
            if number > 0:
                add(words, t, number)
        elif t == _BOUND:
            add(words, t, bound)
        elif t == _LENGTH:
            add(words, t, length)
        elif t == _MOST and outside > 0:
            raise_to(words, t, outside)

    return find_kinds


@kernel
def list_kernel(kinds, count, words, rows):
    """List the rows of each kind, roughly in order."""
    here = cuda.shared.array(KINDS, np.int32)
    begins = cuda.shared.array(KINDS, np.int64)
    t, i = np.int64(cuda.threadIdx.x), np.int64(cuda.grid(1))
    if t < KINDS:
        here[t] = 0
    cuda.syncthreads()
    place = np.int64(0)
    if i < count:
        place = np.int64(add(here, np.int64(kinds[i]), 1))
    cuda.syncthreads()
    if t < KINDS:
        begins[t] = add(words, _LISTS + t, np.int64(here[t]))
        for k in range(t):
            begins[t] += words[k]
    cuda.syncthreads()
    if i < count:
        rows[begins[kinds[i]] + place] = i


def copy_rows(source: tuple, starts: Any, indptr: Any, target: tuple, mean: int) -> None:
    """Copy rows of columns and values, so many entries in the mean, to where they belong."""
    shift = min(THREADS.bit_length(), max(1, mean.bit_length())) - 1
    blocks = blocks_for(len(starts) << shift)
    copy_kernel(blocks, THREADS, source, starts, indptr, target, shift, len(starts))


@kernel
def copy_kernel(source, starts, indptr, target, shift, count):
    """Each row is copied by ``2 ** shift`` lanes."""
    i = np.int64(cuda.grid(1))
    row, lanes = i >> shift, np.int64(1) << shift
    if row < count:
        begin, size, at = indptr[row], indptr[row + 1] - indptr[row], starts[row]
        for k in range(i & (lanes - 1), size, lanes):
            target[0][np.uint64(begin + k)] = source[0][np.uint64(at + k)]
            put(target[1], np.uint64(begin + k), take(source[1], np.uint64(at + k)))

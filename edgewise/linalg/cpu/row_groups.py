"""Products of sparse matrices with full rows on CPU threads: sixteen rows at once.

Rows of a group are summed side by side: the sums of a column are a vector, a lane for each row. An
entry of the right operand is then read once for the group, and multiplied with a vector of entries
of the left operand by one instruction. That pays where rows of a group select rows of the right
operand in common, so similar rows are put in groups (by min-hashing [1]). What only one row of
a group selects is added up by itself. The right operand is sorted by blocks of columns, so that
the sums of a group over a block stay in the cache.

The order of additions depends on the groups, which do not depend on threads. Rows are shortened as
soon as they are complete.

[1] A. Broder. On the resemblance and containment of documents. SEQUENCES 1997.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import prefetch
from edgewise.base.cpu.bits import lowest_bit
from edgewise.base.cpu.row_vectors import row_adder
from edgewise.base.cpu.team import grab, stopped
from edgewise.base.offsets import offsets
from edgewise.base.threads import launch
from edgewise.linalg.cpu.spgemm_result import growing
from edgewise.operators.cpu.inner import set_bit
from edgewise.operators.cpu.walk import over

__all__ = ["LANES", "group_bytes", "multiply_groups", "pays"]

#: Rows of a group.
LANES = 16
#: Rows of a batch, whose results are written at equal distances and then copied.
_BATCH = 1 << 13
#: Products per row and column, and all products, from which groups pay.
_FULL, _MANY = 4, 1 << 26
#: Columns of a block: the sums of a group over these take 64 KiB.
_SHIFT = np.uint32(10)
_COLUMNS, _INSIDE = 1 << 10, np.uint32((1 << 10) - 1)
#: Rows of a group that must share a row of the right operand to multiply it at once.
_SHARED = 2
#: Groups that a thread computes block by block.
_TURN = 8
#: How many rows ahead entries are prefetched, and values in a line of the cache.
_AHEAD, _LINE = np.uint64(4), np.uint32(16)
#: Factors of the hashes by which similar rows are found.
_HASHES = np.uint32(0x9E3779B1), np.uint32(0x85EBCA6B), np.uint32(0xC2B2AE35)
#: Smaller than any sum but 0.
_SOME = 1e-46
#: Columns that are listed at a time, and by how much the bar for a row that has too few is lowered.
_CHUNK, _LESS = np.uint64(512), 0.125
_1, _6, _WIDE = np.uint64(1), np.uint64(6), np.uint64(LANES)
_add_row = row_adder(LANES)


def pays(product: Any, products: np.ndarray) -> bool:
    """Are rows of a product so full that groups of them are faster?"""
    if product.finish is None or product.right[1].dtype != np.uint32 or len(products) < LANES:
        return False
    return int(products.sum()) >= max(_MANY, _FULL * product.columns * len(products))


def group_bytes(product: Any) -> int:
    """The bytes that a thread needs for its tables."""
    longest = int(np.diff(product.left[0].view(np.int64)).max(initial=0))
    columns = product.columns * (4 * LANES * (3 + 2 * _TURN) + 4 * _TURN + 4)
    return columns + 8 * _TURN * LANES * longest


def multiply_groups(product: Any, rows: int, memory: int | None, team: int) -> tuple:
    """The lengths, columns and values of the rows of a product that are shortened."""
    keeps = min(product.finish.most, product.columns)
    batch = _BATCH
    if memory is not None:
        team = max(1, min(team, memory // 2 // group_bytes(product)))
        batch = max(LANES, min(batch, (memory - team * group_bytes(product)) // (8 * keeps)))
    counts, tables = np.zeros(rows, np.int64), _tables(product, team)
    slots = np.empty(batch * keeps, np.uint32), np.empty(batch * keeps, np.float32)
    out = growing(product, rows * keeps, lambda: rows * keeps // 8)
    finish, used, blocks = product.finish, 0, _blocks(product.right, product.columns)
    run = _group_kernel(finish.emit, finish.enough)
    for low in range(0, rows, batch):
        high = min(low + batch, rows)
        order = _alike(product.left, low, high)
        launch(run, product.left, blocks, order, tables, slots, keeps, (low, counts),
               finish.params, finish.least, work=1 << 40, team=team)  # fmt: skip
        starts = offsets(counts[low:high])
        more = int(starts[-1])
        out.reserve(used, more)
        launch(_copy, high - low, 64, (slots, out.arrays, keeps, starts, used), work=more,
               team=team)  # fmt: skip
        used += more
    return counts, *out.cut(used)


def _tables(product: Any, team: int) -> tuple:
    """What threads need: factors by row, marks and sums; the rows of the right operand that rows of
    a group share; those that they do not share; rows of results; and spare memory."""
    n, longest = product.columns, int(np.diff(product.left[0].view(np.int64)).max(initial=0))
    padded = -(-n // _COLUMNS) * _COLUMNS

    def empty(dtype: Any, *shape: int) -> np.ndarray:
        return np.empty((team, *shape), dtype)

    return (
        (np.zeros((team, n * LANES), np.float32), np.zeros((team, n // 64 + 1), np.uint64),
         np.zeros((team, _TURN, padded * LANES), np.float32)),
        (empty(np.uint32, _TURN, n), empty(np.float32, _TURN, n * LANES), empty(np.int64, _TURN)),
        (empty(np.uint32, _TURN, LANES, longest), empty(np.float32, _TURN, LANES, longest),
         empty(np.int64, _TURN, LANES)),
        (empty(np.uint32, LANES, padded + 1), empty(np.float32, LANES, padded + 1),
         empty(np.int64, LANES)),
        (np.zeros((team, _COLUMNS), np.float32), empty(np.float32, padded + 1)),
    )  # fmt: skip


def _blocks(right: tuple, columns: int) -> tuple:
    """The right operand by blocks of columns: where rows begin in each, columns within, values."""
    ends, others, values = right
    count = -(-columns // _COLUMNS)
    starts = np.zeros((count, len(ends)), np.uint32)
    made = starts, np.empty(len(others), np.uint16), np.empty(len(others), np.float32)
    launch(_split, right, *made, np.zeros(count + 1, np.int64), work=1, team=1)
    return made


@kernel(borrows=True)
def _split(me, team, control, right, starts, columns, values, cursors):
    """Sort entries by blocks of columns; those of a row stay together."""
    ends, others, given = right
    for e in range(len(others)):
        cursors[(others[np.uint64(e)] >> _SHIFT) + 1] += 1
    for b in range(1, len(cursors)):
        cursors[b] += cursors[b - 1]
    for k in range(len(ends) - 1):
        for b in range(len(starts)):
            starts[b, k] = cursors[b]
        for e in range(ends[k], ends[k + 1]):
            b = others[e] >> _SHIFT
            at = cursors[b]
            columns[at], values[at] = others[e] & _INSIDE, given[e]
            cursors[b] = at + 1
    for b in range(len(starts)):
        starts[b, len(ends) - 1] = cursors[b]


def _alike(left: tuple, low: int, high: int) -> np.ndarray:
    """Rows in an order in which similar ones are near each other, by two minima of hashes."""
    least = np.empty((2, high - low), np.uint32)
    launch(_signs, high - low, 256, (left, low, least), work=int(left[0][high] - left[0][low]))
    return low + np.lexsort(least)


@inlined
def _find_signs(i, me, control, data):
    (starts, columns, _), low, least = data
    first = second = np.uint32(0xFFFFFFFF)
    for e in range(starts[low + i], starts[low + i + 1]):
        word = np.uint32(columns[e] * _HASHES[0])
        word = np.uint32((word ^ (word >> np.uint32(15))) * _HASHES[1])
        first = min(first, word)
        second = min(second, np.uint32((word ^ (word >> np.uint32(13))) * _HASHES[2]))
    least[0, i], least[1, i] = first, second


_signs = over(_find_signs)


@inlined
def _copy_row(i, me, control, data):
    (keys, values), (all_keys, all_values), keeps, starts, used = data
    at, to = i * keeps, used + starts[i]
    for j in range(starts[i + 1] - starts[i]):
        all_keys[to + j], all_values[to + j] = keys[at + j], values[at + j]


_copy = over(_copy_row)


@inner
def _list_group(rows, left, table, used, shared, alone):
    """List the rows of the right operand that a group selects: those that several of its rows
    share, with a vector of factors each, and for each row the others, with a factor each."""
    starts, columns, scales = left
    (selected, factors), (others, other_factors, counts) = shared, alone
    for r in range(len(rows)):
        counts[r] = 0
        i = np.uint64(rows[r])
        for e in range(starts[i], starts[i + _1]):
            k = np.uint64(columns[e])
            table[k * _WIDE + np.uint64(r)] = scales[e]
            set_bit(used, k)
    count = np.uint64(0)
    for w in range(len(used)):
        word = used[np.uint64(w)]
        used[np.uint64(w)] = np.uint64(0)
        while word != np.uint64(0):
            k = (np.uint64(w) << _6) + np.uint64(lowest_bit(word))
            word &= word - _1
            lanes = 0
            for r in range(_WIDE):
                factors[count * _WIDE + r] = table[k * _WIDE + r]
                lanes += table[k * _WIDE + r] != np.float32(0.0)
                table[k * _WIDE + r] = np.float32(0.0)
            if lanes >= _SHARED:
                selected[count] = k
                count += _1
                continue
            for r in range(_WIDE):
                factor = factors[count * _WIDE + r]
                if factor != np.float32(0.0):
                    others[r, counts[r]], other_factors[r, counts[r]] = k, factor
                    counts[r] += 1
    return np.int64(count)


@inlined
def _fetch(k, starts, others, values):
    """Prefetch the entries of a row in a block of columns."""
    ahead = starts[np.uint64(k)]
    prefetch(others, ahead)
    prefetch(values, ahead)
    prefetch(values, ahead + _LINE)
    prefetch(values, ahead + _LINE + _LINE)


@inner
def _add_shared(count, shared, starts, others, values, sums):
    """Add the products of a group with a block of columns to its sums: all rows at once."""
    (selected, factors), last = shared, np.uint64(max(count, 1) - 1)
    for c in range(np.uint64(count)):
        _fetch(selected[min(c + _AHEAD, last)], starts, others, values)
        k = np.uint64(selected[c])
        _add_row(sums, factors, c, others, values, np.uint64(starts[k]), np.uint64(starts[k + _1]))


@inner
def _add_alone(r, alone, starts, others, values, line, sums):
    """Add the products of one row of a group with a block of columns to its sums."""
    selected, factors, count = alone[0][r], alone[1][r], alone[2][r]
    last = np.uint64(max(count, 1) - 1)
    for c in range(np.uint64(count)):
        _fetch(selected[min(c + _AHEAD, last)], starts, others, values)
        k, factor = np.uint64(selected[c]), factors[c]
        for e in range(starts[k], starts[k + _1]):
            line[others[e]] += factor * values[e]
    for c in range(np.uint64(len(line))):
        sums[c * _WIDE + np.uint64(r)] += line[c]
        line[c] = np.float32(0.0)


@inner
def _list_rows(rows, sums, least, keys, values, counts):
    """List the sums of each row that are at least a number, some columns at a time."""
    for r in range(rows):
        counts[r] = 0
    for first in range(np.uint64(0), np.uint64(len(sums)) // _WIDE, _CHUNK):
        for r in range(rows):
            at, count = np.uint64(r), np.uint64(counts[r])
            for key in range(first, first + _CHUNK):
                value = sums[key * _WIDE + at]
                keys[r, count], values[r, count] = key, value  # always: a jump would cost more
                count += np.uint64(value >= least)
            counts[r] = count


@inner
def _list_row(r, sums, least, keys, values):
    """List the sums of a row that are at least a number, and return how many there are."""
    count = np.uint64(0)
    for key in range(np.uint64(len(sums)) // _WIDE):
        value = sums[key * _WIDE + np.uint64(r)]
        keys[count], values[count] = key, value
        count += np.uint64(value >= least)
    return np.int64(count)


@inner
def _above(values, count, least):
    """The number of values that are at least a number, and their sum."""
    above, mass = np.int64(0), 0.0
    for j in range(np.uint64(count)):
        if values[j] >= least:
            above += 1
            mass += values[j]
    return above, mass


@cache
def _group_kernel(emit, enough):
    """The kernel for groups of rows; ``enough`` tells whether the larger entries suffice."""

    @inner
    def emit_rows(rows, sums, lists, spare, slots, keeps, result, params, least):
        (keys, values, listed), (low, counts) = lists, result
        _list_rows(len(rows), sums, max(least * _LESS, _SOME), keys, values, listed)
        for r in range(len(rows)):
            i, row, count = rows[r], (keys[r], values[r]), listed[r]
            bar, (above, mass) = least * _LESS, _above(values[r], count, least)
            while count < keeps and bar > _SOME and not enough(above, mass, params):
                bar *= _LESS
                count = _list_row(r, sums, max(bar, _SOME), keys[r], values[r])
            count = np.int64(emit(i, row, np.uint64(0), np.uint64(count), spare, params))
            counts[i] = count
            at = np.uint64((i - low) * keeps)
            for j in range(np.uint64(count)):
                slots[0][at + j], slots[1][at + j] = row[0][j], row[1][j]

    @kernel(borrows=True)
    def run(me, team, control, left, blocks, order, tables, slots, keeps, result, params, least):
        starts, others, values = blocks
        table, used, sums = tables[0][0][me], tables[0][1][me], tables[0][2][me]
        selected, factors, lengths = tables[1][0][me], tables[1][1][me], tables[1][2][me]
        singles, single_factors, counts = tables[2][0][me], tables[2][1][me], tables[2][2][me]
        lists = tables[3][0][me], tables[3][1][me], tables[3][2][me]
        line, spare = tables[4][0][me], (0, 0, tables[4][1][me], 0, np.int64(0))
        while True:
            first, last = grab(control, 0, LANES * _TURN, len(order))
            if first == last or stopped(control):
                break
            groups = (last - first + LANES - 1) // LANES
            for g in range(groups):
                rows = order[first + g * LANES : min(last, first + (g + 1) * LANES)]
                lengths[g] = _list_group(rows, left, table, used, (selected[g], factors[g]),
                                         (singles[g], single_factors[g], counts[g]))  # fmt: skip
            for b in range(len(starts)):
                here, there = b * _COLUMNS * LANES, (b + 1) * _COLUMNS * LANES
                for g in range(groups):
                    block, shared = sums[g][here:there], (selected[g], factors[g])
                    _add_shared(lengths[g], shared, starts[b], others, values, block)
                    for r in range(min(LANES, last - first - g * LANES)):
                        alone = singles[g], single_factors[g], counts[g]
                        _add_alone(r, alone, starts[b], others, values, line, block)
            for g in range(groups):
                rows = order[first + g * LANES : min(last, first + (g + 1) * LANES)]
                emit_rows(rows, sums[g], lists, spare, slots, keeps, result, params, least)
                sums[g][:] = np.float32(0.0)

    return run

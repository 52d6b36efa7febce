"""One row of a sparse product on CPU threads: an accumulator for each kind of row.

All follow Gustavson's algorithm: row i of the product is the sum of the rows k of the right
operand, each multiplied by entry (i, k) of the left.

- `hashed`: an open-addressed table of words (column + 1, position), as long as the row needs. The
  entries themselves are written to the result at once, in the order in which they appear.
- `placed`: for few columns. A table of all columns has a word (row + 1, position) for each, of the
  last row that has it, so nothing is cleared. Entries are written as by `hashed`.
- `dense`: an array of sums over all columns, with a bitmap of those in use. A second bitmap over
  its words finds them again. The columns ascend.
- `full`: as `dense`, with a byte for each column, all of which are read in the end.
- `masked`: as `dense`, for the columns of a mask alone. A bitmap of these columns rejects all
  others; where the mask's row is much the shorter, its columns are searched for instead.

Rows of the right operand are prefetched. [1] compares these accumulators.

[1] Y. Nagasaka, S. Matsuoka, A. Azad, A. Buluc. Performance optimization, modeling and analysis of
    sparse matrix-matrix products on multi-core and many-core processors. Parallel Computing 90,
    2019.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numba import types

from edgewise.base.cache import helper, inlined, inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import prefetch
from edgewise.base.cpu.bisection import first_from
from edgewise.base.cpu.bits import bit_length, lowest_bit
from edgewise.base.cpu.sort import sort_bucket
from edgewise.base.probing import key_at, probing
from edgewise.operators.cpu.inner import cast, get_bit, put, same, set_bit, take

__all__ = ["accumulators", "count_products", "entry_at", "sort_row"]

_GOLDEN, _LOW = np.uint64(0x9E3779B1), np.uint64(0xFFFFFFFF)
_0, _1, _6, _32, _63 = (np.uint64(one) for one in (0, 1, 6, 32, 63))
#: How many entries ahead the start of a row is prefetched, and its entries.
_FAR, _NEAR = np.uint64(16), np.uint64(8)


def entry_at(values, e):
    """The value of an entry, 1 where there are none."""
    raise TypeError("only for compiled code")


@overload(entry_at)
def _entry_at(values, e):
    if isinstance(values, types.NoneType):
        return lambda values, e: 1
    return lambda values, e: take(values, e)


def fetch(values, e):
    """Prefetch the value of an entry."""
    raise TypeError("only for compiled code")


@overload(fetch)
def _fetch(values, e):
    if isinstance(values, types.Array):
        return lambda values, e: prefetch(values, e)
    if isinstance(values, types.NoneType):
        return lambda values, e: None
    return lambda values, e: prefetch(values[0], e)


@inner
def count_products(i, left, right):
    """How many products the row i adds up."""
    (starts, columns, _), ends = left, right[0]
    total = _0
    for e in range(starts[np.uint64(i)], starts[np.uint64(i) + _1]):
        k = np.uint64(columns[e])
        total += ends[k + _1] - ends[k]
    return np.int64(total)


@inlined
def row_at(e, last, left, right):
    """The row that the entry e of the left operand takes; later ones are prefetched."""
    columns, (ends, others, values) = left[1], right
    prefetch(ends, np.uint64(columns[min(e + _FAR, last)]))
    ahead = ends[np.uint64(columns[min(e + _NEAR, last)])]
    prefetch(others, ahead)
    fetch(values, ahead)
    k = np.uint64(columns[e])
    return ends[k], ends[k + _1]


def _has_column(table, at, held, column):
    return held >> _32 == column + _1


_probe = probing(key_at, None, _has_column, inlined, _0)


@cache
def accumulators(multiply, add, complement, nonzero):
    """The functions ``hashed``, ``placed``, ``dense``, ``full`` and ``masked`` for a semiring.

    Each writes a row to ``out`` (columns, values) from ``at`` on, and returns its length.
    ``hidden`` is a bitmap of columns that a complemented mask excludes. With ``nonzero``, `full`
    takes sums that are zero for columns that no product has.
    """

    @inner
    def hashed(i, most, left, right, table, hidden, out, at):
        (starts, _, scales), (_, others, values), (keys, sums) = left, right, out
        bits = np.uint64(bit_length(np.uint64(2) * np.uint64(most) - _1))
        shift, last, end = _32 - bits, (_1 << bits) - _1, np.uint64(len(left[1]) - 1)
        for place in range(last + _1):
            table[np.uint64(place)] = _0
        count = _0
        for e in range(starts[np.uint64(i)], starts[np.uint64(i) + _1]):
            scale, (low, high) = entry_at(scales, e), row_at(e, end, left, right)
            for f in range(low, high):
                key = np.uint64(others[f])
                if complement and get_bit(hidden, key):
                    continue
                new = multiply(scale, entry_at(values, f))
                place, held = _probe(table, ((key * _GOLDEN) & _LOW) >> shift, last, key)
                if held != _0:
                    j = at + (held & _LOW)
                    put(sums, j, cast(sums, add(take(sums, j), cast(sums, new))))
                else:
                    table[place] = ((key + _1) << _32) | count
                    keys[at + count] = key
                    put(sums, at + count, cast(sums, new))
                    count += _1
        return count

    @inner
    def placed(i, left, right, table, hidden, out, at):
        (starts, _, scales), (_, others, values), (keys, sums) = left, right, out
        end, first, count = np.uint64(len(left[1]) - 1), (np.uint64(i) + _1) << _32, _0
        for e in range(starts[np.uint64(i)], starts[np.uint64(i) + _1]):
            scale, (low, high) = entry_at(scales, e), row_at(e, end, left, right)
            for f in range(low, high):
                key = np.uint64(others[f])
                if complement and get_bit(hidden, key):
                    continue
                new, held = multiply(scale, entry_at(values, f)), table[key]
                if held >= first:
                    j = at + (held & _LOW)
                    put(sums, j, cast(sums, add(take(sums, j), cast(sums, new))))
                else:
                    table[key] = first | count
                    keys[at + count] = key
                    put(sums, at + count, cast(sums, new))
                    count += _1
        return count

    @inner
    def dense(i, left, right, table, hidden, out, at):
        (starts, _, scales), (_, others, values), (keys, sums) = left, right, out
        totals, base, zero, _, used, tops = table
        end, first = np.uint64(len(left[1]) - 1), at
        for e in range(starts[np.uint64(i)], starts[np.uint64(i) + _1]):
            scale, (low, high) = entry_at(scales, e), row_at(e, end, left, right)
            for f in range(low, high):
                key = np.uint64(others[f])
                if complement and get_bit(hidden, key):
                    continue
                new, j = multiply(scale, entry_at(values, f)), base + key
                put(totals, j, cast(totals, add(take(totals, j), cast(totals, new))))
                w = key >> _6
                word = used[w]
                if word == _0:
                    set_bit(tops, w)
                used[w] = word | (_1 << (key & _63))
        for t in range(len(tops)):
            top = tops[np.uint64(t)]
            tops[np.uint64(t)] = _0
            while top != _0:
                w = (np.uint64(t) << _6) + np.uint64(lowest_bit(top))
                word, top = used[w], top & (top - _1)
                used[w] = _0
                while word != _0:
                    key = (w << _6) + np.uint64(lowest_bit(word))
                    word &= word - _1
                    keys[at] = key
                    put(sums, at, take(totals, base + key))
                    put(totals, base + key, zero)
                    at += _1
        return at - first

    @inner
    def full(i, left, right, table, hidden, out, at):
        (starts, _, scales), (_, others, values), (keys, sums) = left, right, out
        totals, base, zero, seen, _, _ = table
        end, first = np.uint64(len(left[1]) - 1), at
        for e in range(starts[np.uint64(i)], starts[np.uint64(i) + _1]):
            scale, (low, high) = entry_at(scales, e), row_at(e, end, left, right)
            for f in range(low, high):
                key = np.uint64(others[f])
                if complement and get_bit(hidden, key):
                    continue
                new, j = multiply(scale, entry_at(values, f)), base + key
                put(totals, j, cast(totals, add(take(totals, j), cast(totals, new))))
                if not nonzero:
                    seen[key] = 1
        for key in range(np.uint64(len(seen))):
            total = take(totals, base + key)  # written in any case: a jump would cost more
            held = not same(total, zero) if nonzero else seen[key] != 0
            seen[key] = 0
            keys[at] = key
            put(sums, at, total)
            put(totals, base + key, zero)
            at += np.uint64(held)
        return at - first

    @inner
    def masked(i, left, right, mask, table, out, at):
        (starts, _, scales), (_, others, values), (keys, sums) = left, right, out
        rows, columns, marks, searched = mask
        totals, base, zero, used, _, _ = table
        begin, stop = rows[np.uint64(i)], rows[np.uint64(i) + _1]
        end, first = np.uint64(len(left[1]) - 1), at
        for m in range(begin, stop):
            set_bit(marks, columns[m])
        for e in range(starts[np.uint64(i)], starts[np.uint64(i) + _1]):
            scale, (low, high) = entry_at(scales, e), row_at(e, end, left, right)
            few = (stop - begin) * np.uint64(bit_length(high - low)) < high - low
            if searched and few:
                for m in range(begin, stop):
                    key = np.uint64(columns[m])
                    low = np.uint64(first_from(others, low, high, key))
                    if low == high:
                        break
                    if np.uint64(others[low]) == key:
                        new, j = multiply(scale, entry_at(values, low)), base + key
                        put(totals, j, cast(totals, add(take(totals, j), cast(totals, new))))
                        used[key] = 1
                continue
            for f in range(low, high):
                key = np.uint64(others[f])
                if get_bit(marks, key):
                    new, j = multiply(scale, entry_at(values, f)), base + key
                    put(totals, j, cast(totals, add(take(totals, j), cast(totals, new))))
                    used[key] = 1
        for m in range(begin, stop):
            key = np.uint64(columns[m])
            marks[key >> _6] = _0
            if used[key]:
                used[key] = 0
                keys[at] = key
                put(sums, at, take(totals, base + key))
                put(totals, base + key, zero)
                at += _1
        return at - first

    return hashed, placed, dense, full, masked


@helper
def sort_row(out, at, count, spare):
    """Sort a row by its columns."""
    (keys, sums), (words, others, values, digits, base) = out, spare
    most = _0
    for j in range(count):
        key = np.uint64(keys[at + np.uint64(j)])
        most = max(most, key)
        words[j] = (key << _32) | np.uint64(j)
        put(values, base + j, take(sums, at + np.uint64(j)))
    bits = 32 + bit_length(most)
    sort_bucket(words[:count], None, others[:count], None, digits, _0, 32, bits, True)
    for j in range(count):
        keys[at + np.uint64(j)] = others[j] >> _32
        put(sums, at + np.uint64(j), take(values, base + np.int64(others[j] & _LOW)))

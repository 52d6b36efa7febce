"""Kernels for the rows of a sparse product on CUDA, by Gustavson's algorithm.

Groups of lanes take entries of the left row, and their lanes the entries of the right row that it
selects, so that neighboring lanes read neighboring entries. A row is added up

- by one thread, if it has few products (`edgewise.linalg.cuda.product_threads`);
- by a block, in a hash table in shared memory;
- by a block, in a table in shared memory that holds one range of columns after another. The entries
  of the right rows ascend, so each range continues where the last one ended. Columns ascend then;
- by a block, in a hash table in global memory, otherwise.

Finished rows are written next to one another in the order in which they are finished, to places
that are reserved with an atomic counter. The mask's row is entered into the table first; products
at other columns (with ``complement``, at these) are not added. If the mask's row is much shorter
than a right row that ascends, its columns are searched for there. See [1, 2].

[1] Y. Nagasaka, A. Nukada, S. Matsuoka. High-performance and memory-saving sparse general
    matrix-matrix multiplication for NVIDIA Pascal GPU. ICPP 2017.
[2] M. Parger, M. Winter, D. Mlakar, M. Steinberger. spECK: accelerating GPU sparse matrix-matrix
    multiplication through lightweight analysis. PPoPP 2020.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.bisection import lower_bound
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.linalg.cuda.row_tables import (
    WARP,
    Form,
    claimer,
    clear,
    direct,
    emitter,
    landing,
    marker,
    reader,
    shared_tables,
)
from edgewise.operators.cuda.inner import cast, edge_at

__all__ = ["Data", "Out", "Space", "block_kernel", "most_entries"]

_1 = np.uint64(1)
#: Blocks that compute rows by ranges on a multiprocessor: fewer registers for more threads.
_RESIDENT = 5
#: A mask's row that is so many times shorter than a right row is searched for in it (a power of 2).
_SHORTER = np.uint64(3)


class Data(NamedTuple):
    """The operands: rows as (row starts, columns, values), and the first row that is computed."""

    left: tuple
    right: tuple
    mask: Any  # (row starts, columns)
    products: Any  # of each row
    columns: int
    zero: Any
    first: int


class Out(NamedTuple):
    """Where rows are written, and for each row where it begins there and how long it is."""

    indices: Any
    values: Any
    starts: Any
    counts: Any
    cursor: Any  # how much is written


class Space(NamedTuple):
    """Tables in global memory, so many places for each block, or positions in right rows."""

    words: Any
    totals: Any
    locks: Any
    size: int
    positions: Any  # two for each entry of the left operand in the rows that are computed


@cache
def most_entries(masking: str) -> Any:
    """``most(row, data)``: how many columns the table of a row holds at most."""
    masked, complement = masking == "mask", masking == "complement"

    @device
    def most(row, data):
        products = np.int64(data.products[row])
        if masked:
            return np.int64(data.mask[0][row + 1] - data.mask[0][row]) if products else products
        if complement:
            products += np.int64(data.mask[0][row + 1] - data.mask[0][row])
        return min(products, np.int64(data.columns))

    return most


@cache
def block_kernel(form: Form, threads: int, slots: int, where: str) -> Any:
    """The kernel in which a block computes a row, with a table of ``slots`` places.

    ``where`` is "shared", "ranges" (of columns, one after another) or "global".
    """
    ranges, outside, held = where == "ranges", where == "global", threads // WARP + 1
    tables = _given_tables if outside else _in_shared(slots, form)
    emit = emitter(form, threads, slots if form.sort and where == "shared" else 0)
    most, masking, walk = (
        most_entries(form.masking),
        form.masking != "",
        _walker(form, threads, where),
    )

    @device
    def marked(row, data, table, low, high, t):
        """Enter the columns of the mask in a range."""
        words, base, last = table[0], table[3], table[4]
        e = np.uint64(data.mask[0][row]) + np.uint64(t)
        while e < np.uint64(data.mask[0][row + 1]):
            column = np.int64(data.mask[1][e])
            if not ranges and last >= 0:
                marker(words, base, last, column)
            elif low <= column and column < high:
                words[np.uint64(base + column - low)] = -2 - column
            e += np.uint64(threads)

    @device
    def size_of(row, data):
        """The places of a row's table."""
        if ranges:
            return np.int64(slots)
        wanted, size = most(row, data), np.int64(threads)
        while 3 * size < 4 * wanted:
            size *= 2
        return size

    @device
    def hashed(row, data, table, t, sums, out):
        words, totals, locks, base, last, size = table
        clear(words, totals, locks, base, size, data.zero, t, threads)
        cuda.syncthreads()
        if masking:
            marked(row, data, table, np.int64(0), np.int64(data.columns), t)
            cuda.syncthreads()
        walk(row, data, table, (np.int64(0), np.int64(1)), None, t)
        cuda.syncthreads()
        return emit((words, totals, base, size), np.int64(-1), sums, out)

    @device
    def ranged(row, data, table, space, t, sums, out):
        words, totals, locks, base, last, size = table
        at, total = np.int64(-1), np.int64(0)
        if t == 0:
            sums[0] = add(out.cursor, 0, min(most(row, data), np.int64(data.products[row])))
        cuda.syncthreads()
        at = sums[0]
        tiles = (np.int64(data.columns) + size - 1) // size
        for tile in range(tiles):
            clear(words, totals, locks, base, size, data.zero, t, threads)
            cuda.syncthreads()
            if masking:
                marked(row, data, table, tile * size, (tile + 1) * size, t)
                cuda.syncthreads()
            walk(row, data, table, (tile, tiles), space, t)
            cuda.syncthreads()
            total += emit((words, totals, base, size), at + total, sums, out)[1]
        return at, total

    compute = _chosen(ranges, hashed, ranged)

    @kernel(bounds=(threads, _RESIDENT) if ranges else None)
    def multiply_by_blocks(data, rows, count, space, out):
        words, totals, locks = tables(space)
        sums = cuda.shared.array(held, np.int64)
        t, item = np.int64(cuda.threadIdx.x), np.int64(cuda.blockIdx.x)
        base = np.int64(space.size) * item if outside else np.int64(0)
        while item < count:
            local = edge_at(rows, item)
            row = data.first + local
            size = size_of(row, data)
            last = size - 1
            if outside and size >= data.columns:  # all columns have a place: nothing is hashed
                last = np.int64(-1)
                size = (np.int64(data.columns) + threads - 1) // threads * threads
            table = (words, totals, locks, base, last, size)
            at, total = compute(row, data, table, space, t, sums, out)
            if t == 0:
                out.starts[local], out.counts[local] = at, total
            cuda.syncthreads()
            item += np.int64(cuda.gridDim.x)

    return multiply_by_blocks


def _chosen(ranges: bool, hashed: Any, ranged: Any) -> Any:
    if ranges:
        return ranged
    return device(
        lambda row, data, table, space, t, sums, out: hashed(row, data, table, t, sums, out)
    )


@device
def _given_tables(space):
    return space.words, space.totals, space.locks


def _in_shared(slots: int, form: Form) -> Any:
    tables = shared_tables(slots, form)
    return device(lambda space: tables())


def _walker(form: Form, threads: int, where: str) -> Any:
    """``walk(row, data, table, tile, space, t)``: enter the products of a row into its table."""
    claim, here, land = claimer(form.masking), direct(form.masking), landing(form)
    left_at, right_at = (reader(one) for one in form.values)
    multiply, outside, ranges = form.multiply, where == "global", where == "ranges"
    searched = form.searched

    @device
    def lanes_of(row, data, parts):
        """How many lanes share an entry of the left row, as a power of two."""
        length = np.int64(data.left[0][row + 1] - data.left[0][row])
        mean, shift = np.int64(data.products[row]) // (length * parts), np.int64(0)
        while (np.int64(2) << shift) < mean and (np.int64(1) << shift) < threads:
            shift += 1
        while (length << shift) < threads:  # the others would have nothing to do
            shift += 1
        return shift

    @device
    def enter(table, column, low, new):
        words, totals, locks, base, last, _ = table
        if ranges or (outside and last < 0):
            at = here(words, base + column - low, column)
        else:
            at = claim(words, base, last, column)
        if at >= 0:
            land(totals, locks, at, new)

    @device
    def search(row, data, table, a, begin, last, lane, step):
        """Look for the columns of the mask in a right row."""
        m = np.uint64(data.mask[0][row]) + lane
        while m < data.mask[0][row + 1]:
            column = np.int64(data.mask[1][m])
            f = np.uint64(lower_bound(data.right[1], begin, last, column))
            if f < last and np.int64(data.right[1][f]) == column:
                new = cast(data.zero, multiply(a, right_at(data.right[2], f)))
                enter(table, column, np.int64(0), new)
            m += step

    @device
    def is_longer(begin, last, row, data):
        return (last - begin) >> _SHORTER > data.mask[0][row + 1] - data.mask[0][row]

    @device
    def walk(row, data, table, tile, space, t):
        shift = lanes_of(row, data, np.int64(1))
        lane, step = np.uint64(t & ((1 << shift) - 1)), np.uint64(threads >> shift)
        e, high = np.uint64(data.left[0][row]) + np.uint64(t >> shift), data.left[0][row + 1]
        while e < high:
            k, a = np.uint64(data.left[1][e]), left_at(data.left[2], e)
            f, last = np.uint64(data.right[0][k]), np.uint64(data.right[0][k + _1])
            if searched and is_longer(f, last, row, data):
                search(row, data, table, a, f, last, lane, _1 << np.uint64(shift))
                f = last
            f += lane
            while f < last:
                new = cast(data.zero, multiply(a, right_at(data.right[2], f)))
                enter(table, np.int64(data.right[1][f]), np.int64(0), new)
                f += _1 << np.uint64(shift)
            e += step

    @device
    def walk_range(row, data, table, tile, space, t):
        """As far as columns are in the range; the lane that ends first notes where."""
        shift = lanes_of(row, data, tile[1])
        lane, step = np.uint64(t & ((1 << shift) - 1)), np.uint64(threads >> shift)
        e, high = np.uint64(data.left[0][row]) + np.uint64(t >> shift), data.left[0][row + 1]
        low, end = tile[0] * table[5], (tile[0] + 1) * table[5]
        half, start = np.uint64(len(space.positions) // 2), np.uint64(data.left[0][data.first])
        old, new_half = half * np.uint64(tile[0] & 1), half * np.uint64((tile[0] + 1) & 1)
        while e < high:
            k, a = np.uint64(data.left[1][e]), left_at(data.left[2], e)
            note = e - start
            begin, last = np.uint64(data.right[0][k]), np.uint64(data.right[0][k + _1])
            if tile[0] > 0:
                begin = np.uint64(space.positions[old + note])
            f, inside = begin + lane, True
            while f < last and inside:
                column = np.int64(data.right[1][f])
                inside = column < end
                if inside:
                    new = cast(data.zero, multiply(a, right_at(data.right[2], f)))
                    enter(table, column, low, new)
                    f += _1 << np.uint64(shift)
            if f == begin or (f <= last and np.int64(data.right[1][f - _1]) < end):
                space.positions[new_half + note] = f
            e += step

    return walk_range if ranges else walk

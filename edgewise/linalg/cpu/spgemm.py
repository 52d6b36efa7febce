"""Sparse matrix products on CPU threads, in one numeric pass over rows.

The number of products bounds the length of each row, so nothing is counted in advance. Threads
take blocks of rows, each with about the same number of products. One thread writes its rows
straight into the result. Of several, each fills a buffer of its own. When the buffers are full, all
threads copy them to the result. Where the bound is larger than memory, the size of the result is
estimated from a sample of blocks.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import fetch_add
from edgewise.base.cpu.sort import DIGIT_BITS
from edgewise.base.cpu.team import grab, stopped
from edgewise.base.offsets import offsets
from edgewise.base.threads import launch, team_for
from edgewise.linalg.borrow import each
from edgewise.linalg.cpu.row_groups import multiply_groups, pays
from edgewise.linalg.cpu.spgemm_result import (
    block_of,
    dense_from,
    entry_bytes,
    growing,
    has_places,
    new_arrays,
    table_bytes,
    width_of,
    zeros_of,
)
from edgewise.linalg.cpu.spgemm_rows import accumulators, count_products, sort_row
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.products import is_masked, kinds
from edgewise.linalg.semirings import multiply_reads
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cpu.inner import put, set_bit, take
from edgewise.operators.cpu.walk import over
from edgewise.operators.functions import compiled, naming_failures

__all__ = [
    "Finish", "beside_bytes", "multiplied", "products_by_row", "scratch_bytes", "staged_bytes"
]  # fmt: skip

#: Rows in a block.
_ROWS = 1 << 12
#: Entries in the buffer of a thread.
_BUFFER = 1 << 18
#: By how much more than the estimate a result is given.
_MARGIN = 1.1
#: Blocks from which the size of a result is estimated.
_SAMPLES = 64
_1, _6, _63 = np.uint64(1), np.uint64(6), np.uint64(63)


class Finish(NamedTuple):
    """Compiled functions that shorten each row of float32 as it is written.

    If ``enough(count, mass, params)``, given the number and the sum of the entries of at least
    ``least``, ``emit`` needs no others.
    """

    emit: Any  # emit(i, out, at, count, spare, params) -> count
    enough: Any
    params: tuple
    least: float
    most: int  # entries that a row keeps


class Product(NamedTuple):
    """A product to compute: compiled functions, and operands as (row starts, columns, values)."""

    multiply: Any
    add: Any
    zero: Any
    dtype: Any  # of the result, or a tuple of them
    left: tuple
    right: tuple
    columns: int
    mask: tuple | None = None  # row starts and columns
    complement: bool = False
    searched: bool = False  # the rows of the right operand and of the mask ascend
    sort: bool = False
    finish: Finish | None = None


class Plan(NamedTuple):
    """How rows are divided: blocks, what bounds them, and the threads."""

    products: np.ndarray  # of each row
    most: np.ndarray  # entries that each row may have
    bounds: np.ndarray  # where blocks begin
    block: int  # entries that a block may have
    dense: int  # rows with as many products are added up in dense arrays
    team: int
    buffer: int  # entries in the buffer of a thread
    placed: bool  # are there so few columns that a table of all takes the place of hash tables?


def multiplied(work: Any, memory: int | None, finish: Finish | None = None) -> Matrix:
    """The rows of a product: see `edgewise.linalg.products`."""
    products = work.products[work.low : work.high]
    indptr, indices, values = multiply(_product(work, finish), products, memory)
    if work.names is not None:
        indices = work.names[indices]
    ordered = work.sort or (is_masked(work) and work.mask.sorted_rows)
    indices = indices.view(np.int64 if indices.dtype.itemsize == 8 else np.int32)
    return work.left._like(indptr, indices, values, num_columns=work.num_columns,
                           sorted_rows=ordered)  # fmt: skip


def _product(work: Any, finish: Finish | None) -> Product:
    """The product in arrays and compiled functions."""
    left, right, semiring = _rows_of(work.left), _rows_of(work.right), work.semiring
    reads, part = multiply_reads(semiring.multiply), slice(work.low, work.high + 1)
    mask = None if work.mask is None else _rows_of(work.mask)
    ascending = work.right.sorted_rows and work.mask is not None and work.mask.sorted_rows
    return Product(
        compiled(semiring.multiply, "multiply", 2), compiled(semiring.add.combine, "add", 2),
        semiring.zero_for(*kinds(work)), work.dtype,
        (left[0][part], left[1], left[2] if reads[0] else None),
        (right[0], right[1], right[2] if reads[1] else None), work.right.shape[1],
        None if mask is None else (mask[0][part], mask[1]), work.complement, ascending, work.sort,
        finish,
    )  # fmt: skip


def _rows_of(matrix: Matrix) -> tuple:
    """Row starts and columns as unsigned numbers, and values."""
    return unsigned(matrix.indptr), unsigned(matrix.indices), matrix.values


def products_by_row(left: Matrix, right: Matrix, mask: Matrix | None) -> np.ndarray:
    """How many products each row adds up; none where a mask has an empty row."""
    count = np.empty(left.shape[0], np.int64)
    given = (_rows_of(left), _rows_of(right), count)
    launch(_count, len(count), _ROWS, given, work=left.nnz + len(count))
    if mask is not None:
        count[np.diff(mask.indptr) == 0] = 0
    return count


@inlined
def _count_one(i, me, control, data):
    left, right, count = data
    count[i] = count_products(i, left, right)


_count = over(_count_one)


def multiply(product: Product, products: np.ndarray, memory: int | None = None) -> tuple:
    """The row starts, columns and values of a product."""
    if pays(product, products):
        team = team_for(int(products.sum()))
        counts, keys, values = multiply_groups(product, len(products), memory, team)
        return offsets(counts), keys, values
    plan = _plan(product, products, memory)
    counts = np.zeros(len(products), np.int64)
    with naming_failures(product.multiply, product.add):
        run = _alone if plan.team == 1 else _together
        keys, values = run(product, plan, counts)
    return offsets(counts), keys, values


def scratch_bytes(work: Any, parts: bool = False) -> int:
    """The bytes that one thread needs beside the result."""
    return table_bytes(_product(work, None), work.products[work.low : work.high], parts)


def staged_bytes(work: Any) -> int:
    """The bytes that each row takes beside the result and tables: none."""
    return 0


def beside_bytes(work: Any, widest: int, memory: int) -> int:
    """The bytes that computing a batch takes beside its result, with several threads if they fit.

    A result has space for a block more than it holds.
    """
    product, scratch = _product(work, None), scratch_bytes(work)
    block = max(block_of(product, memory) * entry_bytes(product), widest)
    team = team_for(int(work.products.sum()) + len(work.products))
    several = max((t for t in range(2, team + 1) if t * (scratch + 2 * block) <= memory // 2),
                  default=0)  # fmt: skip
    return block + (several * (scratch + 2 * block) if several else scratch)


def _plan(product: Product, products: np.ndarray, memory: int | None) -> Plan:
    columns, mask = product.columns, product.mask
    most = np.minimum(products, columns)
    if mask is not None and not product.complement:
        most = np.minimum(most, np.diff(mask[0].view(np.int64)))
    work, step = int(products.sum()) + len(products), block_of(product, memory)
    cost = np.cumsum(products + 8)
    ends = np.searchsorted(cost, np.arange(step, int(cost[-1]) if len(cost) else 0, step))
    bounds = np.unique(np.concatenate(([0], ends, [len(products)])))
    block = int(np.add.reduceat(most, bounds[:-1]).max()) if len(products) else 0
    block += 1  # `full` writes one entry beyond a row
    team, buffer = team_for(work), max(_BUFFER, 2 * block)
    if memory is not None and team > 1:
        scratch, entry = table_bytes(product, products), entry_bytes(product)
        memory -= block * entry  # of the result, which has space for a block more
        team = max(1, min(team, memory // max(1, scratch + 2 * block * entry)))
        buffer = max(2 * block, min(buffer, (memory // team - scratch) // entry))
    dense, placed = dense_from(product, width_of(product)), has_places(product)
    return Plan(products, most, bounds, block, dense, team, buffer, placed)


def _tables(product: Product, plan: Plan, team: int) -> tuple:
    """The tables of all threads; of those that no row needs, a single word."""
    masked = product.mask is not None and not product.complement
    longest = int(plan.products.max(initial=0))
    dense = masked or longest >= plan.dense
    short = min(longest, plan.dense, product.columns)
    size = 1 << max(3, (2 * short - 1).bit_length()) if not masked else 1
    words_of = np.empty
    if plan.placed and not masked:
        size, words_of = product.columns, np.zeros
    used = product.columns + 1 if dense else 1
    words = -(-used // 64)
    marks = -(-product.columns // 64) + 1 if product.mask is not None else 1
    width = product.columns + 1 if dense else 1
    totals = each(
        lambda pair: np.full(team * width, pair[1], pair[0]), zeros_of(product.dtype, product.zero)
    )
    return (words_of((team, size), np.uint64), totals, width, product.zero,
            np.zeros((team, used), np.int8), np.zeros((team, words), np.uint64),
        np.zeros((team, -(-words // 64)), np.uint64),
            np.zeros((team, marks), np.uint64), _spare(product, plan, team))  # fmt: skip


def _spare(product: Product, plan: Plan, team: int) -> tuple:
    """Memory in which a row is sorted or shortened."""
    wanted = product.sort or product.finish is not None
    size = int(plan.most.max(initial=0)) + 1 if wanted else 1
    values = each(
        lambda pair: np.empty(team * size, pair[0]), zeros_of(product.dtype, product.zero)
    )
    return (np.empty((team, size), np.uint64), np.empty((team, size), np.uint64), values,
            np.empty((team, 1 << DIGIT_BITS), np.int64))  # fmt: skip


def _alone(product: Product, plan: Plan, counts: np.ndarray) -> tuple:
    """All rows by one thread, straight into the result."""
    out, done, used = _result(product, plan), 0, 0
    tables, last = _tables(product, plan, 1), len(plan.bounds) - 1
    place = np.empty(last, np.int64)
    while done < last:
        out.reserve(used, plan.block)
        reached = np.zeros(1, np.int64)
        _launch(product, plan, tables, out.arrays, (used, out.capacity), done, place, counts,
                reached, 1)  # fmt: skip
        rows = slice(plan.bounds[done], plan.bounds[done + reached[0]])
        used += int(counts[rows].sum())
        done += int(reached[0])
    return out.cut(used)


def _together(product: Product, plan: Plan, counts: np.ndarray) -> tuple:
    """All rows by a team: into buffers, and from there into the result."""
    team, out, done, used = plan.team, _result(product, plan), 0, 0
    tables, last = _tables(product, plan, team), len(plan.bounds) - 1
    size, place = plan.buffer, np.empty(last, np.int64)
    buffers = new_arrays(product, team * size)
    while done < last:
        reached = np.zeros(1, np.int64)
        _launch(product, plan, tables, buffers, (0, size), done, place, counts, reached, team)
        first, end = plan.bounds[done], plan.bounds[done + int(reached[0])]
        starts = offsets(counts[first:end])
        out.reserve(used, int(starts[-1]))
        given = (buffers, out.arrays, place[done:], plan.bounds[done:], starts, used)
        launch(_copy, int(reached[0]), 1, given, work=int(starts[-1]), team=team)
        used += int(starts[-1])
        done += int(reached[0])
    return out.cut(used)


def _launch(product, plan, tables, arrays, space, done, place, counts, reached, team):
    """Compute blocks of rows until the memory for them is full."""
    masks = product.mask or (np.zeros(1, np.uint64), np.zeros(1, np.uint32))
    finish, kind = product.finish, _kind(product)
    emit, params = (finish.emit, finish.params) if finish else (None, ())
    run = _row_kernel(product.multiply, product.add, kind, product.sort, emit)
    launch(run, product.left, product.right, (*masks, product.searched), tables,
           (plan.products, plan.most, plan.bounds[done:], plan.dense, plan.placed), arrays,
           (space[0], space[1], plan.block), place[done:], counts, reached, params,
           work=1 << 40 if team > 1 else int(plan.products.sum()), team=team)  # fmt: skip


def _kind(product: Product) -> str:
    return "all" if product.mask is None else "complement" if product.complement else "mask"


@cache
def _row_kernel(multiply, add, kind, sort, emit):
    """The kernel for rows in blocks, as many as fit into the memory of a thread."""
    hashed, placed, dense, full, masked = accumulators(
        multiply, add, kind == "complement", emit is not None
    )
    hides, only = kind == "complement", kind == "mask"
    shortened = emit or inner(lambda i, out, at, count, spare, params: count)

    @inner
    def row(i, left, right, mask, plan, table, own, out, at):
        products, most, _, from_here, everywhere = plan
        hidden = own[1]
        if only:
            return masked(i, left, right, (mask[0], mask[1], hidden, mask[2]), table, out, at)
        if hides:
            for m in range(mask[0][i], mask[0][i + 1]):
                set_bit(hidden, mask[1][m])
        if products[i] >= from_here:
            if products[i] >= 4 * np.int64(len(table[3])):
                count = full(i, left, right, table, hidden, out, at)
            else:
                count = dense(i, left, right, table, hidden, out, at)
        elif everywhere:
            count = placed(i, left, right, own[0], hidden, out, at)
        else:
            count = hashed(i, most[i], left, right, own[0], hidden, out, at)
        if hides:
            for m in range(mask[0][i], mask[0][i + 1]):
                hidden[np.uint64(mask[1][m]) >> _6] = np.uint64(0)
        return count

    @kernel(borrows=True)
    def run(me, team, control, left, right, mask, tables, plan, out, space, place, counts,
            reached, params):  # fmt: skip
        words, totals, width, zero, seen, used, tops, marks, spares = tables
        table = totals, np.uint64(me * width), zero, seen[me], used[me], tops[me]
        own = words[me], marks[me]
        spare = (
            spares[0][me],
            spares[1][me],
            spares[2],
            spares[3][me],
            np.int64(me * len(spares[0][me])),
        )
        bounds, (begin, size, block) = plan[2], space
        at, end = np.uint64(begin + me * size), np.uint64(me * size + size)
        while at + np.uint64(block) <= end:
            b, stop = grab(control, 0, 1, len(bounds) - 1)
            if b == stop:
                break
            place[b] = at
            for i in range(bounds[b], bounds[b + 1]):
                count = np.uint64(0)
                if plan[0][i] > 0 and not stopped(control):
                    count = row(i, left, right, mask, plan, table, own, out, at)
                    if sort and not only and plan[0][i] < plan[3]:
                        sort_row(out, at, np.int64(count), spare)
                    count = shortened(i, out, at, count, spare, params)
                counts[i] = count
                at += count
            fetch_add(reached, 0, 1)

    return run


@inlined
def _copy_block(b, me, control, data):
    (keys, values), (all_keys, all_values), place, bounds, starts, used = data
    at, first = place[b], bounds[b] - bounds[0]
    for j in range(starts[bounds[b + 1] - bounds[0]] - starts[first]):
        to = used + starts[first] + j
        all_keys[to] = keys[at + j]
        put(all_values, to, take(values, at + j))


_copy = over(_copy_block)


def _result(product: Product, plan: Plan) -> Any:
    most = plan.most if product.finish is None else plan.most.clip(max=product.finish.most)
    bound = int(most.sum()) + (plan.block if len(plan.bounds) > 2 else 1)
    return growing(product, bound, lambda: plan.block + _estimate(product, plan))


def _estimate(product: Product, plan: Plan) -> int:
    """About how many entries the product has, by blocks at equal distances."""
    out, tables = new_arrays(product, plan.block), _tables(product, plan, 1)
    counts, place = np.zeros(len(plan.products), np.int64), np.empty(1, np.int64)
    found = bound = 0
    for b in np.unique(np.linspace(0, len(plan.bounds) - 2, _SAMPLES).astype(np.int64)):
        rows = slice(plan.bounds[b], plan.bounds[b + 1])
        few = plan._replace(bounds=plan.bounds[b : b + 2])
        _launch(product, few, tables, out, (0, plan.block), 0, place, counts, np.zeros(1, np.int64),
                1)  # fmt: skip
        found, bound = found + int(counts[rows].sum()), bound + int(plan.most[rows].sum())
    return int(found / max(bound, 1) * int(plan.most.sum()) * _MARGIN)

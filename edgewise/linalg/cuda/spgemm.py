"""Sparse matrix products on CUDA, in batches of rows.

The number of products bounds the length of each row, so one numeric pass is made: rows are written
to memory that is reserved at the bound, and then copied to the result in order. Rows are divided by
their number of products and computed as described in `edgewise.linalg.cuda.product_rows`. Parts of
a result that does not fit are moved to host memory as they are finished, and the whole result is
then there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.device import free_memory, simulated
from edgewise.base.cuda.kernels import translated
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host, on, rows_of
from edgewise.linalg.borrow import each
from edgewise.linalg.cuda.product_plan import (
    Limits,
    Plan,
    copy_rows,
    count_products,
    plan_rows,
)
from edgewise.linalg.cuda.product_rows import Data, Out, Space, block_kernel
from edgewise.linalg.cuda.product_threads import thread_kernel
from edgewise.linalg.cuda.row_tables import Form, slot_bytes, table_types
from edgewise.linalg.entries import order_of
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.products import is_masked, kinds
from edgewise.linalg.semirings import multiply_reads
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda.state import blocks_for, nothing
from edgewise.operators.functions import Function, naming_failures

__all__ = ["beside_bytes", "multiplied", "products_by_row", "scratch_bytes", "staged_bytes"]

#: The part of the free memory that a batch takes, unless a limit is given.
_PART = 4
#: The part of the free memory that a result may take: putting parts together takes it twice.
_KEPT = 0.4
#: Bytes that need not be asked for.
_LITTLE = 0 if simulated() else 1 << 26
#: Bytes that the simulator has, so that products are tried in several batches.
_SIMULATED = 1 << 16
#: Places of rows for one thread; places that all threads of such a block share.
_FEW, _SOME, _SHARED = (2, 4, 16) if simulated() else (16, 64, 2048)
#: Threads for a row with a small table and with a large one, and the places of these tables.
_SMALL, _LARGE = ((2, 8), (4, 16)) if simulated() else ((64, 512), (256, 4096))
#: Threads for a row that is computed by ranges of columns or in global memory.
_WIDE = 4 if simulated() else 256
#: Bytes of shared memory that a block may have for tables.
_ON_CHIP = 47 << 10
#: How often a row is visited for a range of columns, per product; and if rows are to be sorted.
_PATIENCE, _SORTED_PATIENCE = 1, 64
#: A row with so many products is begun before the others.
_HEAVY = 32 if simulated() else 1 << 17
#: Bytes that a batch takes for each row, and for each entry of the left operand.
_PER_ROW, _PER_ENTRY = 32, 16
#: Blocks that have tables in global memory, and the bytes of these tables.
_WORKERS, _TABLES = (2, 1 << 12) if simulated() else (528, 1 << 30)


def products_by_row(left: Matrix, right: Matrix, mask: Matrix | None) -> Any:
    """How many products each row adds up; none where a mask has an empty row."""
    count = left.shape[0]
    with on(left._device_number):
        products = left.xp.empty(count, np.int64)
        if count:
            shown = None if mask is None else mask.indptr
            count_products(_rows_of(left)[:2], _rows_of(right)[:1], shown, count, products)
    return products


def _rows_of(matrix: Matrix, read: bool = False) -> tuple:
    """Row starts and columns as unsigned numbers, and values if they are read."""
    values = matrix.values if read else None
    return unsigned(matrix.indptr), unsigned(matrix.indices), values


def beside_bytes(work: Any, widest: int, memory: int) -> int:
    """The bytes that computing a batch takes beside its result."""
    return scratch_bytes(work)


def scratch_bytes(work: Any, parts: bool = False) -> int:
    """The bytes that the row with the most entries needs beside the result, also in any part."""
    form, need = _form(work), _needs(work)
    if not len(need):
        return 0
    return int(_row_bytes(work, form).max()) + _table_bytes(work, form, int(need.max()))


def staged_bytes(work: Any) -> Any:
    """The bytes that each row takes beside the result and tables."""
    return _row_bytes(work, _form(work))


def multiplied(work: Any, memory: int | None, finish: Any = None) -> Matrix:
    """The rows of a product: see `edgewise.linalg.products`."""
    with on(work.left._device_number):
        free = cache(_free_memory)
        parts: list[Matrix] = []
        taken = 0
        for at, part in _parts(work, _form(work), memory, free):
            if finish is not None:
                part = finish(part, at)
            taken += part.nbytes
            if taken > _LITTLE and taken > free() * _KEPT:
                parts = [one.to("cpu") for one in (*parts, part)]
            else:
                parts.append(part)
        if len({one.device for one in parts}) > 1:
            parts = [one.to("cpu") for one in parts]
        return _stacked(parts, work)


def _free_memory() -> int:
    return _SIMULATED if simulated() else free_memory()


def _form(work: Any) -> Form:
    """What the kernels of a product are made for."""
    ring, add = work.semiring, work.semiring.add
    reads = multiply_reads(ring.multiply)
    given = (
        reads[0] and work.left.values is not None,
        reads[1] and work.right.values is not None,
    )
    masking = "" if work.mask is None else "complement" if work.complement else "mask"
    return Form(
        translated(ring.multiply), translated(add.combine), kinds(work), work.right.indices.dtype,
        add.early_exit, add.parts if isinstance(work.dtype, tuple) else (), masking, given,
        work.sort, masking == "mask" and work.right.sorted_rows,
    )  # fmt: skip


def _parts(
    work: Any, form: Form, memory: int | None, free: Callable[[], int]
) -> Iterator[tuple[int, Matrix]]:
    """Batches of rows, each with the first."""
    low, high = work.low, work.high
    if low == high:
        return
    plan = _planned(work, form, low, high)
    cost = _cost(plan, form, high - low) + _table_bytes(work, form, plan.most)
    limit = _LITTLE if memory is None else memory
    if memory is None and cost > limit:
        limit = free() // _PART
    if cost <= limit:
        yield low, _computed(work, form, plan, low, high, limit)
        return
    ends = host(staged_bytes(work).cumsum())
    spare = max(limit // 4, _table_bytes(work, form, plan.most))
    at = low
    while at < high:
        before = int(ends[at - low - 1]) if at > low else 0
        stop = low + int(np.searchsorted(ends, before + limit - spare, "right"))
        stop = min(high, max(at + 1, stop))
        plan = _planned(work, form, at, stop)
        yield at, _computed(work, form, plan, at, stop, limit)
        at = stop


def _planned(work: Any, form: Form, low: int, high: int) -> Plan:
    tiles = -(-work.right.shape[1] // _range(form)) if work.right.sorted_rows else 0
    small, large = (size * 3 // 4 for size in _block_slots(form))
    patience = _SORTED_PATIENCE if form.sort else _PATIENCE
    limits = Limits(_FEW, _SOME, small, large, tiles, patience, _HEAVY)
    return plan_rows(work.left.xp, _data(work, form, low), high - low, form.masking, limits)


def _cost(plan: Plan, form: Form, count: int) -> int:
    """The bytes that so many rows take beside tables."""
    return _PER_ROW * count + _PER_ENTRY * plan.length + _staged(form) * plan.bound


def _computed(work: Any, form: Form, plan: Plan, low: int, high: int, limit: int) -> Matrix:
    """Some rows of a product."""
    xp, count, ring = work.left.xp, high - low, work.semiring
    data, spare = _data(work, form, low), limit - _cost(plan, form, count)
    pool = xp.empty(plan.bound, form.ids), _new(xp, form.dtypes, plan.bound)
    starts, counts = xp.empty(count, np.int64), xp.empty(count, np.int64)
    out = Out(*pool, starts, counts, plan.cursor)
    with naming_failures(Function(ring.multiply, ()), Function(ring.add.combine, ())):
        _launch(work, form, plan, data, out, spare)
    indptr = offsets(counts)
    nnz = int(indptr[-1])
    indices, values = xp.empty(nnz, form.ids), _new(xp, form.dtypes, nnz)
    copy_rows(pool, starts, indptr, (indices, values), nnz // count)
    if work.sort and plan.starts[6] < plan.starts[7]:  # rows of the last kind are not sorted yet
        rows = rows_of(indptr, nnz, np.int64, xp)
        order = order_of(rows, indices, (count, work.right.shape[1]), xp)
        indices, values = indices[order], each(lambda one: one[order], values)
    if work.names is not None:  # which ascend
        indices = work.names[indices]
    return work.left._like(indptr, indices, values, num_columns=work.num_columns,
                           sorted_rows=work.sort)  # fmt: skip


def _launch(work: Any, form: Form, plan: Plan, data: Data, out: Out, spare: int) -> None:
    """Launch the kernels of all kinds of rows, the longest rows first."""

    def rows(first: int, last: int = 0) -> tuple[Any, int]:
        begin, end = plan.starts[first], plan.starts[max(first, last) + 1]
        return None if plan.rows is None else plan.rows[begin:end], end - begin

    space = Space(None, None, None, 0, nothing(np.int64))
    listed, count = rows(6)
    if count:
        tables, blocks = _tables(work, form, plan.most, count, spare)
        block_kernel(form, _WIDE, 0, "global")(blocks, _WIDE, data, listed, count, tables, out)
    listed, count = rows(4, 5)
    if count:
        notes = space._replace(positions=work.left.xp.empty(2 * plan.length, np.int64))
        run = block_kernel(form, _WIDE, _range(form), "ranges")
        run(count, _WIDE, data, listed, count, notes, out)
    for kind, slots, (threads, _) in zip((3, 2), _block_slots(form)[::-1], (_LARGE, _SMALL),
                                         strict=True):  # fmt: skip
        listed, count = rows(kind)
        if count:
            run = block_kernel(form, threads, slots, "shared")
            run(count, threads, data, listed, count, space, out)
    shared = _thread_slots(form)
    for kind, slots in ((1, _SOME), (0, _FEW)):
        listed, count = rows(kind)
        if count:
            threads = max(1, shared // slots)
            run = thread_kernel(form, shared)
            run(blocks_for(count, threads), threads, data, listed, count, out)


def _data(work: Any, form: Form, low: int) -> Data:
    mask = None if work.mask is None else _rows_of(work.mask)[:2]
    return Data(_rows_of(work.left, form.values[0]), _rows_of(work.right, form.values[1]), mask,
                work.products, work.right.shape[1], work.semiring.zero_for(*form.dtypes),
                low)  # fmt: skip


def _tables(work: Any, form: Form, most: int, rows: int, spare: int) -> tuple[Space, int]:
    """Tables in global memory, and how many blocks have one."""
    xp, size = work.left.xp, _table_size(work, most)
    budget = max(min(spare, _TABLES), size * slot_bytes(form))
    blocks = max(1, min(rows, _WORKERS, budget // (size * slot_bytes(form))))
    types, locked = table_types(form)
    total = blocks * size
    locks = xp.empty(total, np.int32) if locked else nothing(np.int32)
    tables = xp.empty(total, form.ids), _new(xp, types, total), locks
    return Space(*tables, size, nothing(np.int64)), blocks


def _new(xp: Any, dtypes: tuple, count: int) -> Any:
    """An array for values, or a tuple of arrays."""
    made = tuple(xp.empty(count, one) for one in dtypes)
    return made if len(made) > 1 else made[0]


def _staged(form: Form) -> int:
    """The bytes of an entry before it is in its place; keys and an order sort some of them."""
    return form.ids.itemsize + sum(one.itemsize for one in form.dtypes) + 24 * form.sort


def _thread_slots(form: Form) -> int:
    """The places of a block whose threads have a row each."""
    return _power(min(_SHARED, _ON_CHIP // slot_bytes(form, True)))


def _block_slots(form: Form) -> tuple[int, int]:
    """The places of the tables in shared memory; sorting takes eight bytes more for each."""
    most = _ON_CHIP // (slot_bytes(form) + 8 * form.sort)
    return _power(min(_SMALL[1], most)), _power(min(_LARGE[1], most))


def _range(form: Form) -> int:
    """How many columns fit shared memory at once."""
    most = 2 * _WIDE if simulated() else _ON_CHIP // slot_bytes(form)
    return most // _WIDE * _WIDE


def _power(number: int) -> int:
    """The largest power of two that is not larger."""
    return 1 << (number.bit_length() - 1)


def _table_size(work: Any, most: int) -> int:
    """The places of a table in global memory for a row of so many entries."""
    size, columns = _WIDE, work.right.shape[1]
    while 3 * size < 4 * most:
        size *= 2
    return size if size < columns else -(-columns // _WIDE) * _WIDE


def _table_bytes(work: Any, form: Form, most: int) -> int:
    return _table_size(work, most) * slot_bytes(form) if most else 0


def _needs(work: Any) -> Any:
    """The columns that the table of each row holds at most."""
    products, xp = work.products[work.low : work.high], work.left.xp
    if work.mask is None:
        return products.clip(max=work.right.shape[1])
    lengths = xp.diff(work.mask.indptr[work.low : work.high + 1])
    if is_masked(work):
        return xp.where(products > 0, lengths, 0)
    return (products + lengths).clip(max=work.right.shape[1])


def _row_bytes(work: Any, form: Form) -> Any:
    """The bytes that each row takes beside tables."""
    low, high, xp = work.low, work.high, work.left.xp
    bound = xp.minimum(_needs(work), work.products[low:high])
    length = xp.diff(work.left.indptr[low : high + 1])
    return _PER_ROW + _PER_ENTRY * length + bound * _staged(form)


def _stacked(parts: list[Matrix], work: Any) -> Matrix:
    """The parts below one another."""
    left, several = work.left, isinstance(work.dtype, tuple)
    if not parts:
        xp = left.xp
        return left._like(xp.zeros(1, np.int64), xp.zeros(0, np.int32),
                          _new(xp, kinds(work), 0), num_columns=work.num_columns)  # fmt: skip
    if len(parts) == 1:
        return parts[0]
    xp = parts[0].xp
    counts = xp.concatenate([xp.diff(one.indptr) for one in parts])
    values: Any = [one.values if several else (one.values,) for one in parts]
    joined = tuple(map(xp.concatenate, zip(*values, strict=True)))
    return parts[0]._like(
        offsets(counts), xp.concatenate([one.indices for one in parts]),
        joined if several else joined[0], num_columns=work.num_columns,
        sorted_rows=all(one.sorted_rows for one in parts),
    )  # fmt: skip

"""Sparse products on a grid: SUMMA [1] in stages, in batches of rows that keep the memory [2].

The columns of the left operand are cut into C blocks, the rows of the right one into R. A stage is
a range of the inner positions within one block of either kind: R + C - gcd(R, C) stages, and as
many as rows of ranks on a square grid. In each, the ranks that have these columns of the left
operand broadcast them along their rows of the grid, and those that have these rows of the right
operand along their columns. Every rank multiplies what it receives by the local `spgemm`: in one
product after the last stage, if all parts fit the memory, or else one by one. It then merges the
results of stages by the semiring's addition, whenever they have grown as large as what is merged
already.

Batches are of rows of the left operand: the result is stored by rows, and whole rows can be pruned
before the next batch. [2] takes columns of the right operand, which is the same for the transpose.

[1] A. Buluc, J. Gilbert. Parallel sparse matrix-matrix multiplication and indexing. SISC 34, 2012.
[2] O. Selvitopi, M. Hussain, A. Azad, A. Buluc. Communication-avoiding and memory-constrained
    sparse matrix-matrix multiplication at extreme scale. arXiv 2010.08526.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_flag
from edgewise.base.offsets import offsets
from edgewise.distributed.layout import Layout
from edgewise.distributed.matrix import GridMatrix, as_grid_matrix, rows_between
from edgewise.graph.csr import index_dtype
from edgewise.graph.transfer import host, row_ids
from edgewise.linalg.borrow import each, listed
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.operands import check_product
from edgewise.linalg.products import Terms, multiplied, scratch_bytes, terms
from edgewise.linalg.semirings import SEMIRINGS, Semiring, as_semiring, multiply_reads

__all__ = ["Batch", "Task", "columns_between", "product_rows", "row_batches", "shared", "stacked",
           "stages_of", "task"]  # fmt: skip

#: The part of the memory for the tables of a local product, if they gain by it.
_TABLES = 4
#: The part of the memory that the right operand may take, if the parts of all stages are held; and
#: the bytes of both operands up to which they are held without a limit of memory.
_HELD, HELD_BYTES = 4, 1 << 28
#: Results of stages that are not merged are at most so many times as large as the merged one.
_UNMERGED = 3
#: Words for each row of a batch: row starts, numbers of products and what follows from them; and
#: for each stage those of a result, its stacked copy, and the matrix that picks its rows.
_WORDS, _STAGE_WORDS = 16, 3
#: The memory that a local product reserves, in results.
_RESERVED = 2
#: Bytes for each entry of the left operand while parts are put side by side.
_JOINING = 32
#: Copies of a result while its rows are sorted.
_SORTING = 3
_SECOND = SEMIRINGS["any_second"].multiply


class Stage(NamedTuple):
    """A range of inner positions: who has it, and where it is in the blocks of its owners."""

    column: int  # of the ranks with these columns of the left operand
    columns: tuple[int, int]
    row: int  # of the ranks with these rows of the right operand
    rows: tuple[int, int]

    @property
    def size(self) -> int:
        return self.rows[1] - self.rows[0]


class Task(NamedTuple):
    """A product on a grid: checked operands, and the parts of this rank's blocks by stage."""

    left: GridMatrix
    right: GridMatrix
    semiring: Semiring
    mask: Matrix | None  # this rank's block
    complement: bool
    sort: bool
    dtype: Any
    stages: list[Stage]
    right_counts: list[int]  # entries of the right operand in every stage
    ascending: bool  # are all rows of the right operand sorted?


class Batch(NamedTuple):
    """Rows of the block of the product, and how they are computed."""

    low: int
    high: int
    tables: int | None = None  # the memory for tables
    held: int = 0  # hold the parts of all stages, if they have at most so many bytes


def task(
    left: Any, right: Any, semiring: Any, mask: Any = None, complement: Any = False,
    sort: bool = False,
) -> Task:  # fmt: skip
    """The checked operands of a product. A collective, as all of the functions here."""
    grid = left.grid
    left, right = as_grid_matrix(left, "left", grid), as_grid_matrix(right, "right", grid)
    semiring, complement = as_semiring(semiring), check_flag(complement, "complement")
    check_product(left, right)
    _check_places("right", left.columns, right.rows)
    if mask is None and complement:
        raise ValueError("complement needs a mask, got mask=None")
    if mask is not None:
        mask = as_grid_matrix(mask, "mask", grid)
        shape = left.shape[0], right.shape[1]
        if mask.shape != shape:
            raise ValueError(f"mask must have the shape of the product {shape}, got {mask.shape}")
        _check_places("mask", left.rows, mask.rows)
        _check_places("mask", right.columns, mask.columns)
        mask = mask.block.with_values(None)
    kind = semiring.result_dtype(left.dtype, right.dtype)
    first, second = multiply_reads(semiring.multiply)  # what is not read is not sent
    left = left if first else left._with(left.block.with_values(None))
    right = right if second else right._with(right.block.with_values(None))
    every = stages_of(left.columns)
    starts = right.block.indptr
    own = [
        int(starts[stage.rows[1]] - starts[stage.rows[0]]) if stage.row == grid.r else 0
        for stage in every
    ]
    counts = grid.column.allreduce(np.array(own, np.int64)).tolist()
    sorted_rows = np.array([right.block.sorted_rows], np.uint8)
    ascending = bool(grid.world.allreduce(sorted_rows, "min")[0])
    return Task(left, right, semiring, mask, complement, sort, kind, every, counts, ascending)


def _check_places(name: str, wanted: Layout, layout: Layout) -> None:
    if layout != wanted:
        raise ValueError(f"{name} must be laid out as the other operand: {wanted}, got {layout}")


def stages_of(inner: Layout) -> list[Stage]:
    """The ranges in which one block of columns and one block of rows meet, in ascending order."""
    found = []
    for c in range(inner.shape[1]):
        for r in range(inner.shape[0]):
            columns, rows = inner.columns(c), inner.rows(r)
            both = columns.common(rows)
            if both.size:
                found.append(Stage(c, (both.low - columns.low, both.high - columns.low),
                                   r, (both.low - rows.low, both.high - rows.low)))  # fmt: skip
    return found


def product_rows(task: Task, batch: Batch) -> Matrix:
    """Some rows of this rank's block of the product."""
    grid, (low, high, tables, held) = task.left.grid, batch
    mine = rows_between(task.left.block, low, high)
    mask = None if task.mask is None else rows_between(task.mask, low, high)
    counts, parts = _left_counts(task, mine), []
    pairs = zip(_left_parts(task, mine, counts), _right_parts(task), strict=True)
    useful = (pair for pair in pairs if pair[0].nnz and pair[1].nnz)
    size = sum(counts) * _width(mine) + sum(task.right_counts) * _width(task.right.block)
    for a, b in _joined(useful) if size <= held else useful:
        work = terms(a, b, task.semiring, mask, task.complement, False)
        if grid.world.priced:
            grid.world.work(edges=int(work.products.sum()), vertices=high - low)
        parts.append(multiplied(work, tables))
        if sum(one.nnz for one in parts[1:]) >= parts[0].nnz:
            parts = [_merged(task, parts, tables)]
    if not parts:
        return _empty(task, high - low)
    found = _merged(task, parts, tables).to(task.left.device)
    return found.sorted() if task.sort else found


def _joined(pairs: Iterator[tuple[Matrix, Matrix]]) -> list[tuple[Matrix, Matrix]]:
    """The parts of all stages as one pair of operands: side by side, and below one another."""
    held = list(pairs)
    if len(held) < 2:
        return held
    lefts, rights = zip(*held, strict=True)
    xp, first = lefts[0].xp, lefts[0]
    starts = offsets([one.shape[1] for one in lefts]).tolist()
    columns = [one.indices.astype(np.int64) + at for one, at in zip(lefts, starts, strict=False)]
    rows = xp.concatenate([row_ids(one) for one in lefts])
    order = xp.argsort(rows, kind="stable")
    values = [xp.concatenate(every)[order]
              for every in zip(*(listed(one.values) for one in lefts), strict=True)]  # fmt: skip
    left = first._like(
        offsets(xp.bincount(rows, minlength=first.shape[0])), xp.concatenate(columns)[order],
        tuple(values) if isinstance(first.values, tuple) else (*values, None)[0],
        num_columns=starts[-1], sorted_rows=all(one.sorted_rows for one in lefts),
    )  # fmt: skip
    return [(left, stacked([*rights]))]


def _left_counts(task: Task, mine: Matrix) -> list[int]:
    """The entries of the left operand in every stage, of these rows."""
    group = task.left.grid.row
    own = [
        int(_between(mine, *stage.columns).sum()) if stage.column == group.rank else 0
        for stage in task.stages
    ]
    return group.allreduce(np.array(own, np.int64)).tolist()


def _left_parts(task: Task, mine: Matrix, counts: list[int]) -> Iterator[Matrix]:
    """The columns of the left operand of each stage, from the rank of this row that has them."""
    group, rows = task.left.grid.row, mine.shape[0]
    for stage, count in zip(task.stages, counts, strict=True):
        here = stage.column == group.rank
        part = columns_between(mine, *stage.columns) if here else None
        yield shared(group, stage.column, part, (rows, stage.size), count, mine)


def _right_parts(task: Task) -> Iterator[Matrix]:
    """The rows of the right operand of each stage, from the rank of this column that has them."""
    block, group = task.right.block, task.right.grid.column
    for stage, count in zip(task.stages, task.right_counts, strict=True):
        part = rows_between(block, *stage.rows) if stage.row == group.rank else None
        shape = stage.size, block.shape[1]
        yield shared(group, stage.row, part, shape, count, block, ascending=task.ascending)


def shared(
    group: Any, root: int, part: Matrix | None, shape: tuple[int, int], count: int, like: Matrix,
    *, ascending: bool = False,
) -> Matrix:  # fmt: skip
    """A matrix of one rank of the group, on all of them; without entries nothing is sent.

    Row lengths travel instead of row starts: 32 bits of each row do.
    """
    if group.size == 1 and part is not None:
        return part
    xp, kind = like.xp, np.int32 if count < 2**31 else np.int64
    if part is not None:
        lengths, columns, values = xp.diff(part.indptr).astype(kind), part.indices, part.values
    else:
        lengths, columns = xp.zeros(shape[0], kind), xp.empty(count, index_dtype(shape[1]))
        values = each(lambda one: xp.empty(count, one.dtype), like.values)
    if count:
        with group.phase("broadcast"), group.grouped():
            for one in (lengths, columns, *listed(values)):
                group.broadcast(xp.ascontiguousarray(one), root)
    if part is not None:
        return part
    return like._like(offsets(lengths), columns, values, num_columns=shape[1],
                      sorted_rows=ascending)  # fmt: skip


def columns_between(matrix: Matrix, low: int, high: int) -> Matrix:
    """Some columns of a matrix."""
    if (low, high) == (0, matrix.shape[1]):
        return matrix
    kept = _between(matrix, low, high)
    columns = matrix.indices[kept] - matrix.indices.dtype.type(low)
    values = each(lambda one: one[kept], matrix.values)
    return matrix._like(offsets(kept)[matrix.indptr], columns, values, num_columns=high - low,
                        sorted_rows=matrix.sorted_rows)  # fmt: skip


def _between(matrix: Matrix, low: int, high: int) -> Any:
    """Which entries are in some columns."""
    return (matrix.indices >= low) & (matrix.indices < high)


def _merged(task: Task, parts: list[Matrix], tables: int | None) -> Matrix:
    """The sum of the results of stages: a product with a matrix that picks their rows."""
    if len(parts) == 1:
        return parts[0]
    below, (rows, many) = stacked(parts), (parts[0].shape[0], len(parts))
    xp = below.xp
    picks = (xp.arange(rows)[:, None] + rows * xp.arange(many)).reshape(-1)
    pick = below._like(xp.arange(rows + 1) * many, picks, None, num_columns=rows * many)
    adding = Semiring(task.semiring.add, _SECOND, dtype=task.dtype)
    return multiplied(terms(pick, below, adding, None, False, False), tables)


def stacked(parts: list[Matrix]) -> Matrix:
    """Matrices of equally many columns, one below the other."""
    if len(parts) == 1:
        return parts[0]
    if len({one.device for one in parts}) > 1:
        parts = [one.to("cpu") for one in parts]
    first, xp = parts[0], parts[0].xp
    values = [listed(one.values) for one in parts]
    joined = tuple(xp.concatenate(every) for every in zip(*values, strict=True))
    return first._like(
        offsets(xp.concatenate([xp.diff(one.indptr) for one in parts])),
        xp.concatenate([one.indices for one in parts]),
        joined if isinstance(first.values, tuple) else (*joined, None)[0],
        num_columns=first.shape[1], sorted_rows=all(one.sorted_rows for one in parts),
    )  # fmt: skip


def _empty(task: Task, rows: int) -> Matrix:
    like = task.left.block
    xp, width = like.xp, task.right.block.shape[1]
    values = each(lambda kind: xp.zeros(0, kind), task.dtype)
    return like._like(xp.zeros(rows + 1, np.int64), xp.zeros(0, index_dtype(width)), values,
                      num_columns=width)  # fmt: skip


def row_batches(task: Task, memory: int | None, *, strict: bool = True) -> list[Batch]:
    """Batches of rows whose results, before and after merging, fit the memory of every rank.

    Each row of the grid divides its own rows; all have equally many batches, the last of which may
    be empty. With ``strict``, an error says how much memory a single row needs.
    """
    grid, rows = task.left.grid, task.left.block.shape[0]
    if memory is None:
        return [Batch(0, rows, None, HELD_BYTES)]
    for held, (sizes, fixed, tables) in _measured(task).items():
        largest = max(grid.world.counts(int(sizes.max(initial=0))))
        needed = fixed + tables + largest
        if held and needed <= memory and fixed <= memory // _HELD:
            break
    if needed > memory and strict:
        raise ValueError(f"memory must be at least {needed} bytes for this product, got {memory}")
    memory = max(memory, needed)
    tables = max(tables, min(memory // _TABLES, memory - fixed - largest))
    ends, cuts = np.cumsum(sizes), [0]
    while cuts[-1] < rows:
        before = int(ends[cuts[-1] - 1]) if cuts[-1] else 0
        fits = int(np.searchsorted(ends, before + memory - fixed - tables, "right"))
        cuts.append(max(fits, cuts[-1] + 1))
    many = max(1, *grid.column.counts(len(cuts) - 1))
    cuts += [rows] * (many + 1 - len(cuts))
    pairs = zip(cuts, cuts[1:], strict=False)
    return [Batch(low, high, tables, held * memory) for low, high in pairs]


def _measured(task: Task) -> dict[bool, tuple[np.ndarray, int, int]]:
    """Bytes for every row of a batch, for what is received of the right operand, and for tables:
    if the parts of all stages are held, and if not.

    These are the symbolic stages: the columns of the left operand travel, and the lengths of the
    rows of the right one. The numbers of products bound the results.
    """
    grid, block, right = task.left.grid, task.left.block, task.right.block
    xp, rows, lengths = block.xp, block.shape[0], block.xp.diff(right.indptr)
    products, longest, widest = xp.zeros(rows, np.int64), xp.zeros(rows, np.int64), 0
    bare = block.with_values(None)
    parts, every = _left_parts(task, bare, _left_counts(task, bare)), xp.zeros(rows, np.int64)
    for stage, a in zip(task.stages, parts, strict=True):
        count = xp.zeros(stage.size, np.int64)
        if stage.row == grid.r:
            count = xp.ascontiguousarray(lengths[slice(*stage.rows)])
        with grid.column.phase("broadcast"):
            grid.column.broadcast(count, stage.row)
        sums = offsets(count[a.indices])
        products += sums[a.indptr[1:]] - sums[a.indptr[:-1]]
        longest, every = xp.maximum(longest, xp.diff(a.indptr)), every + xp.diff(a.indptr)
        widest = max(widest, int(count.sum()) * _width(right) + 8 * stage.size)
    most = xp.minimum(products, right.shape[1])
    if task.mask is not None and not task.complement:
        most = xp.minimum(most, xp.diff(task.mask.indptr))
    like = _empty(task, rows)
    words = _WORDS + _STAGE_WORDS * len(task.stages)
    once = 8 * words + most * (_RESERVED + _SORTING * task.sort) * _width(like)
    apart = 2 * xp.minimum(_UNMERGED * most, products)  # before they are merged, stacked for that
    sizes = xp.concatenate([once + every * (2 * _width(block) + _JOINING),
                            once + apart * _width(like) + longest * _width(block)])  # fmt: skip
    sizes = host(grid.row.allreduce(sizes, "max"))
    work = Terms(block, like, task.semiring, task.mask, task.complement, False, task.dtype,
                 products, 0, rows, None, right.shape[1])  # fmt: skip
    whole = sum(task.right_counts) * _width(right) + 8 * task.left.shape[1]
    fixed = np.array([2 * whole, widest, scratch_bytes(work, parts=True) if rows else 0], np.int64)
    whole, widest, tables = grid.world.allreduce(fixed, "max").tolist()
    return {True: (sizes[:rows], whole, tables), False: (sizes[rows:], widest, tables)}


def _width(matrix: Matrix) -> int:
    """The bytes of an entry."""
    return sum(one.dtype.itemsize for one in (matrix.indices, *listed(matrix.values)))

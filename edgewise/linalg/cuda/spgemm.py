"""Sparse matrix products on CUDA, in batches of rows.

`reduce_neighbors` over two steps gathers the products of each row: rows are binned by their number
of products, short ones use tables in shared memory and long ones tables in global memory. A mask is
applied to each batch. Parts of a result that does not fit are moved to host memory as they are
finished, and the whole result is then there.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.cuda.device import free_memory, simulated
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host
from edgewise.linalg.elementwise import masked
from edgewise.linalg.matrix import Matrix
from edgewise.operators import reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["multiplied", "products_by_row", "scratch_bytes"]

#: Bytes for each product of a batch: tables twice as long as their rows, and results unsorted.
_WIDTH = 64
#: The part of the free memory that a batch takes, unless a limit is given.
_PART = 4
#: Bytes that the simulator has, so that products are tried in several batches.
_SIMULATED = 1 << 16


def products_by_row(left: Matrix, right: Matrix, mask: Matrix | None) -> Any:
    """How many products each row adds up; none where a mask has an empty row."""
    xp = left.xp
    lengths = xp.diff(right.indptr)
    sums = offsets(lengths[left.indices])
    count = sums[left.indptr[1:]] - sums[left.indptr[:-1]]
    return count if mask is None else xp.where(xp.diff(mask.indptr) > 0, count, 0)


def scratch_bytes(work: Any) -> int:
    """The bytes that the row with the most products needs beside the result."""
    products = work.products[work.low : work.high]
    return _WIDTH * int(products.max()) if len(products) else 0


def multiplied(work: Any, memory: int | None, finish: Any = None) -> Matrix:
    """The rows of a product: see `edgewise.linalg.products`."""
    low, high, left = work.low, work.high, work.left
    if isinstance(work.dtype, tuple):
        raise ValueError("products on CUDA have one value per entry, got a semiring of tuples")
    free = _SIMULATED if simulated() else free_memory()
    limit = free // _PART if memory is None else memory
    ends = host(work.products[low:high].clip(max=work.right.shape[1]).cumsum())
    parts: list[Matrix] = []
    at, taken = low, 0
    while at < high:
        before = int(ends[at - low - 1]) if at > low else 0
        stop = low + int(np.searchsorted(ends, before + limit // _WIDTH, "right"))
        stop = min(high, max(at + 1, stop))
        part = _rows(work, at, stop)
        if finish is not None:
            part = finish(part, at)
        taken += part.nbytes
        if taken > free // 2:
            parts = [one.to("cpu") for one in (*parts, part)]
        else:
            parts.append(part)
        at = stop
    if len({one.device for one in parts}) > 1:
        parts = [one.to("cpu") for one in parts]
    return _stacked(parts, left, work)


def _rows(work: Any, low: int, high: int) -> Matrix:
    """Some rows of a product."""
    left, right = work.left, work.right
    rows = _slice(left, low, high)
    weights = None if left.values is None else "weight"
    found = reduce_neighbors(
        rows,  # type: ignore[arg-type]
        None, _message(inner(work.semiring.multiply)), None, reduce=work.semiring.add,
        via=right, key="source", mode="out", weights=weights, dtype=work.dtype,
    )  # fmt: skip
    keys = found.keys if work.names is None else work.names[found.keys]
    part = left._like(found.indptr, keys, found.totals, num_columns=work.num_columns)
    if work.mask is None:
        return part
    return masked(part, _slice(work.mask, low, high), complement=work.complement)


@cache
def _message(multiply: Any) -> Any:
    return lambda weight, onward: multiply(weight, onward)


def _slice(matrix: Matrix, low: int, high: int) -> Matrix:
    """Some rows of a matrix."""
    if (low, high) == (0, matrix.shape[0]):
        return matrix
    first, last = int(matrix.indptr[low]), int(matrix.indptr[high])
    values = None if matrix.values is None else matrix.values[first:last]
    return matrix._like(matrix.indptr[low : high + 1] - first, matrix.indices[first:last], values,
                        **matrix._options())  # fmt: skip


def _stacked(parts: list[Matrix], left: Matrix, work: Any) -> Matrix:
    """The parts below one another."""
    if not parts:
        xp = left.xp
        return left._like(xp.zeros(1, np.int64), xp.zeros(0, np.int32), xp.zeros(0, work.dtype),
                          num_columns=work.num_columns)  # fmt: skip
    if len(parts) == 1:
        return parts[0]
    xp = parts[0].xp
    counts = xp.concatenate([xp.diff(one.indptr) for one in parts])
    return parts[0]._like(
        offsets(counts), xp.concatenate([one.indices for one in parts]),
        xp.concatenate([one.values for one in parts]), num_columns=work.num_columns,
        sorted_rows=all(one.sorted_rows for one in parts),
    )  # fmt: skip

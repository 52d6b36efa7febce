"""The step of Markov clustering on CUDA: each batch of rows is pruned and inflated at once.

A thread shortens a row in place. Only what remains of a batch is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host, row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.products import multiplied
from edgewise.linalg.pruning import row_pruner
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each

__all__ = ["finish", "within"]

#: Bytes for each entry of a batch before it is pruned: tables, columns and values, and copies.
_WIDTH = 64


def _spare(spare):
    """Memory for the values of a row: an array, and the place where it begins."""
    return spare


_prune = row_pruner(inner, inner(_spare))


def finish(pruning: Any, chaos: Any) -> Callable[[Matrix, int], Matrix]:
    """What shortens a batch of rows that begins at a row."""

    def shortened(part: Matrix, first: int) -> Matrix:
        xp, rows = part.xp, part.shape[0]
        keys, values = part.indices.copy(), part.values.copy()
        counts = xp.zeros(rows, np.int64)
        state = (part.indptr, keys, values, xp.empty_like(values), counts, chaos[first:],
                 *pruning)  # fmt: skip
        for_each(rows, _prune_row, state, device=part.device, work=part.nnz)
        kept = xp.arange(part.nnz) - part.indptr[row_ids(part)] < counts[row_ids(part)]
        return part._like(offsets(counts), keys[kept], values[kept], num_columns=part.shape[1],
                          sorted_rows=part.sorted_rows)  # fmt: skip

    return shortened


def within(work: Any, memory: int, sizes: Any, finish: Any) -> Matrix:
    """The product in batches of rows that fit so much memory by their estimated sizes."""
    limit, ends, parts, low = memory // _WIDTH, host(sizes.cumsum()), [], 0
    largest = int(sizes.max()) if len(ends) else 0
    if largest > limit:
        needed = _WIDTH * largest
        raise ValueError(f"memory must leave {needed} bytes for the longest row, got {memory}")
    while low < len(ends):
        before = ends[low - 1] if low else 0.0
        high = max(low + 1, int(np.searchsorted(ends, before + limit, "right")))
        parts.append(multiplied(work.rows(low, high), None, finish))
        low = high
    return stacked(parts) if parts else multiplied(work, None, finish)


def stacked(parts: list[Matrix]) -> Matrix:
    """Matrices below one another; parts that were moved to the host bring all of them there."""
    if len({one.device for one in parts}) > 1:
        parts = [one.to("cpu") for one in parts]
    if len(parts) == 1:
        return parts[0]
    xp = parts[0].xp
    counts = xp.concatenate([xp.diff(one.indptr) for one in parts])
    columns, values = (xp.concatenate([getattr(one, name) for one in parts])
                       for name in ("indices", "values"))  # fmt: skip
    return parts[0]._like(offsets(counts), columns, values, num_columns=parts[0].shape[1],
                          sorted_rows=all(one.sorted_rows for one in parts))  # fmt: skip


def _prune_row(i, indptr, keys, values, spare, counts, chaos, threshold, select, recover, share,
               power):  # fmt: skip
    at, count = np.uint64(indptr[i]), np.uint64(indptr[i + 1] - indptr[i])
    params = (threshold, select, recover, share, power), chaos
    counts[i] = _prune(i, (keys, values), at, count, (spare, np.int64(at)), params)

"""The step of Markov clustering on CUDA: each batch of rows is pruned and inflated at once.

A thread shortens a row in place. Only what remains of a batch is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.transfer import row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.pruning import row_pruner
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each

__all__ = ["finish"]


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


def _prune_row(i, indptr, keys, values, spare, counts, chaos, threshold, select, recover, share,
               power):  # fmt: skip
    at, count = np.uint64(indptr[i]), np.uint64(indptr[i + 1] - indptr[i])
    params = (threshold, select, recover, share, power), chaos
    counts[i] = _prune(i, (keys, values), at, count, (spare, np.int64(at)), params)

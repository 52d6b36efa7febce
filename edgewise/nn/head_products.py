"""Products of features with heads, (vertices, heads, f), and values over entries, (entries, heads).

All heads of a row are summed in one call, so that no head is copied.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.transfer import row_ids
from edgewise.nn.row_softmax import dot_features
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["head_products", "head_sums"]


def head_sums(matrix: Any, values: Any, features: Any) -> Any:
    """For each row and head, the sum of features over the entries, times values."""
    found = np.zeros_like(features)
    state = matrix.indptr, matrix.indices, values, features, found
    for_each(matrix.shape[0], _sum, state, work=values.size * max(features.shape[2], 1))
    return found


def head_products(matrix: Any, left: Any, right: Any) -> Any:
    """For each entry and head, the scalar product of the features of row and column."""
    heads, width = left.shape[1:]
    found = matrix.xp.empty((matrix.nnz, heads), left.dtype)
    state = row_ids(matrix), matrix.indices, left, right, found
    for_each(found.size, _product, state, device=matrix.device, work=found.size * max(width, 1))
    return found


def _sum(v, indptr, indices, values, features, found):
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(values.shape[1]):
            _add(found, v, features, indices[e], h, values[e, h])


@inner
def _add(sums, v, features, u, h, value):
    for k in range(features.shape[2]):  # in the order of entries, as without heads
        sums[v, h, k] += value * features[u, h, k]


def _product(i, rows, indices, left, right, found):
    heads = left.shape[1]
    e, h = i // heads, i % heads
    found[e, h] = dot_features(left, rows[e], right, indices[e], h)

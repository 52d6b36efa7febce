"""Softmax and attention row by row, on arrays of the host or of a GPU.

Every row and head is one call, which goes over the entries of the row: scores and their maximum,
exponentials and their sum, quotients, and for attention the weighted sum of features. Arrays over
entries have the shape (entries, heads), features (vertices, heads, f). With weights a and their
gradient g, the gradient of the scores is a_e (g_e - sum a_f g_f).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.operators import for_each
from edgewise.operators.helpers import inner, vectorized

__all__ = ["attend", "attend_gradients", "softmax", "softmax_gradient"]


def softmax(matrix: Any, scores: Any) -> Any:
    """The softmax of scores over the entries of each row."""
    found = matrix.xp.empty_like(scores)
    _each(matrix, scores.shape[1], _softmax, (matrix.indptr, scores, found), 8 * scores.size)
    return found


def softmax_gradient(matrix: Any, weights: Any, gradient: Any) -> Any:
    """The gradient of scores from that of weights."""
    found = matrix.xp.empty_like(weights)
    state = matrix.indptr, weights, gradient, found
    _each(matrix, weights.shape[1], _softmax_back, state, 2 * weights.size)
    return found


def attend(matrix: Any, features: Any, left: Any, right: Any, slope: float) -> tuple[Any, Any]:
    """Sums of features, weighted by the softmax of scores, and the weights."""
    heads = left.shape[1]
    found, weights = (
        matrix.xp.zeros_like(features),
        matrix.xp.empty((matrix.nnz, heads), left.dtype),
    )
    state = (matrix.indptr, matrix.indices, features, left, right, slope, weights, found)
    _each(matrix, heads, _attend, state, matrix.nnz * (8 * heads + features[:1].size))
    return found, weights


def attend_gradients(
    matrix: Any, flipped: Any, inputs: tuple, slope: float, weights: Any, gradients: tuple
) -> tuple[Any, Any, Any]:
    """The gradients of the ``inputs`` of `attend`, from those of its results or None.

    ``flipped`` is the transpose; its values are positions of entries in the matrix.
    """
    features, left, right = inputs
    xp, heads = matrix.xp, left.shape[1]
    ours = xp.zeros_like(features) if gradients[0] is None else gradients[0]
    given = xp.zeros((0, heads), left.dtype) if gradients[1] is None else gradients[1]
    change, of_left, of_right = xp.empty_like(weights), xp.zeros_like(left), xp.zeros_like(right)
    of_features = xp.zeros_like(features)
    work = matrix.nnz * (4 * heads + features[:1].size)
    state = (matrix.indptr, matrix.indices, features, left, right, slope, weights, ours, given,
             change, of_left)  # fmt: skip
    _each(matrix, heads, _rows_back, state, work)
    state = (flipped.indptr, flipped.indices, flipped.values, weights, ours, change, of_features,
             of_right)  # fmt: skip
    _each(matrix, heads, _columns_back, state, work)
    return of_features, of_left, of_right


def _each(matrix: Any, heads: int, function: Any, state: tuple, work: int) -> None:
    for_each(matrix.shape[0] * heads, function, state, device=matrix.device, work=work)


def _softmax(i, indptr, scores, weights):
    v, h = i // scores.shape[1], i % scores.shape[1]
    top = np.float32(-np.inf)
    for e in range(indptr[v], indptr[v + 1]):
        weights[e, h] = scores[e, h]
        top = max(top, scores[e, h])
    _normalize(weights, indptr[v], indptr[v + 1], h, top)


def _softmax_back(i, indptr, weights, gradient, found):
    v, h = i // weights.shape[1], i % weights.shape[1]
    mean = 0.0
    for e in range(indptr[v], indptr[v + 1]):
        mean += weights[e, h] * gradient[e, h]
    for e in range(indptr[v], indptr[v + 1]):
        found[e, h] = weights[e, h] * (gradient[e, h] - mean)


def _attend(i, indptr, indices, features, left, right, slope, weights, found):
    v, h = i // left.shape[1], i % left.shape[1]
    top = np.float32(-np.inf)
    for e in range(indptr[v], indptr[v + 1]):
        score = left[v, h] + right[indices[e], h]
        weights[e, h] = score if score > 0 else slope * score
        top = max(top, weights[e, h])
    _normalize(weights, indptr[v], indptr[v + 1], h, top)
    for e in range(indptr[v], indptr[v + 1]):
        _add(found, v, features, indices[e], h, weights[e, h])


def _rows_back(i, indptr, indices, features, left, right, slope, weights, ours, given, change,
               of_left):  # fmt: skip
    v, h = i // left.shape[1], i % left.shape[1]
    mean, total = 0.0, 0.0
    for e in range(indptr[v], indptr[v + 1]):
        one = _dot(ours, v, features, indices[e], h)
        if len(given) > 0:
            one += given[e, h]
        change[e, h] = one
        mean += weights[e, h] * one
    for e in range(indptr[v], indptr[v + 1]):
        one = weights[e, h] * (change[e, h] - mean)
        if left[v, h] + right[indices[e], h] <= 0:
            one *= slope
        change[e, h] = one
        total += one
    of_left[v, h] = total


def _columns_back(i, indptr, indices, places, weights, ours, change, of_features, of_right):
    u, h = i // weights.shape[1], i % weights.shape[1]
    total = 0.0
    for e in range(indptr[u], indptr[u + 1]):
        total += change[places[e], h]
        _add(of_features, u, ours, indices[e], h, weights[places[e], h])
    of_right[u, h] = total


@inner
def _normalize(weights, low, high, h, top):
    """Scores become weights that sum to 1."""
    total = 0.0
    for e in range(low, high):
        weights[e, h] = math.exp(weights[e, h] - top)
        total += weights[e, h]
    share = 1 / total
    for e in range(low, high):
        weights[e, h] *= share


def _added(sums, v, features, u, h, weight):
    for k in range(features.shape[2]):
        sums[v, h, k] += weight * features[u, h, k]


def _dotted(first, v, second, u, h):
    total = 0.0
    for k in range(first.shape[2]):
        total += first[v, h, k] * second[u, h, k]
    return total


_add: Any = vectorized(_added)
_dot: Any = vectorized(_dotted)

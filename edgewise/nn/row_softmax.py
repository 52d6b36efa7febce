"""Softmax and attention row by row, on arrays of the host or of a GPU.

A call goes over the entries of a row: scores and their maximum, exponentials and their sum,
quotients, and for attention the weighted sum of features. On CPU threads it serves all heads, whose
numbers are next to each other; on a GPU, each head has a thread of its own. Arrays over entries
have the shape (entries, heads), features (vertices, heads, f). With weights a and their gradient g,
the gradient of the scores is a_e (g_e - sum a_f g_f).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from edgewise.operators import for_each
from edgewise.operators.helpers import inner, vectorized

__all__ = [
    "attend",
    "attend_gradients",
    "dot_features",
    "softmax",
    "softmax_gradient",
]


def softmax(matrix: Any, scores: Any) -> Any:
    """The softmax of scores over the entries of each row."""
    found = matrix.xp.empty_like(scores)
    state = matrix.indptr, scores, found, *_scratch(matrix, scores)
    _each(matrix, scores, _softmax, state, 8 * scores.size)
    return found


def softmax_gradient(matrix: Any, weights: Any, gradient: Any) -> Any:
    """The gradient of scores from that of weights."""
    found = matrix.xp.empty_like(weights)
    state = matrix.indptr, weights, gradient, found, _scratch(matrix, weights)[0]
    _each(matrix, weights, _softmax_back, state, 2 * weights.size)
    return found


class _Inputs(NamedTuple):
    features: Any
    left: Any
    right: Any
    slope: float


class _Given(NamedTuple):
    sums: Any  #: the gradient of the sums
    weights: Any  #: the gradient of the weights, or no rows


def attend(matrix: Any, features: Any, left: Any, right: Any, slope: float) -> tuple[Any, Any]:
    """Sums of features, weighted by the softmax of scores, and the weights."""
    xp, heads = matrix.xp, left.shape[1]
    found, weights = xp.zeros_like(features), xp.empty((matrix.nnz, heads), left.dtype)
    inputs = _Inputs(features, left, right, slope)
    state = (matrix.indptr, matrix.indices, inputs, weights, found, *_scratch(matrix, weights))
    _each(matrix, weights, _attend, state, 8 * weights.size + matrix.nnz * features[:1].size)
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
    work = 4 * weights.size + matrix.nnz * features[:1].size
    read, wanted = _Inputs(features, left, right, slope), _Given(ours, given)
    state = (matrix.indptr, matrix.indices, read, weights, wanted, change, of_left,
             _scratch(matrix, weights)[0])  # fmt: skip
    _each(matrix, weights, _rows_back, state, work)
    there = (flipped.indptr, flipped.indices, flipped.values, weights, ours, change, of_features,
             of_right)  # fmt: skip
    _each(matrix, weights, _columns_back, there, work)
    return of_features, of_left, of_right


def _scratch(matrix: Any, values: Any) -> tuple[Any, Any]:
    """A number for each row and head that is minus infinity, and one that is 0."""
    xp, shape = matrix.xp, (matrix.shape[0], values.shape[1])
    return xp.full(shape, -np.inf, values.dtype), xp.zeros(shape, values.dtype)


def _each(matrix: Any, values: Any, function: Any, state: tuple, work: int) -> None:
    """Call the function for every row on CPU threads, for every row and head on a GPU."""
    heads = values.shape[1]
    if heads == 0:
        return
    parts = 1 if matrix.device == "cpu" else heads
    state = (heads // parts, *state)
    for_each(matrix.shape[0] * parts, function, state, device=matrix.device, work=work)


@inner
def _place(i, each, values):
    """The row of call i, its first head and the one after its last."""
    parts = values.shape[1] // each
    first = i % parts * each
    return i // parts, first, first + each


def _softmax(i, each, indptr, scores, weights, top, total):
    v, first, last = _place(i, each, scores)
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            weights[e, h] = scores[e, h]
            top[v, h] = max(top[v, h], scores[e, h])
    _normalize(weights, indptr, v, first, last, top, total)


def _softmax_back(i, each, indptr, weights, gradient, found, mean):
    v, first, last = _place(i, each, weights)
    for h in range(first, last):
        mean[v, h] = 0
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            mean[v, h] += weights[e, h] * gradient[e, h]
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            found[e, h] = weights[e, h] * (gradient[e, h] - mean[v, h])


def _attend(i, each, indptr, indices, inputs, weights, found, top, total):
    features, left, right, slope = inputs
    v, first, last = _place(i, each, left)
    for e in range(indptr[v], indptr[v + 1]):
        u = indices[e]
        for h in range(first, last):
            score = left[v, h] + right[u, h]
            weights[e, h] = score if score > 0 else slope * score
            top[v, h] = max(top[v, h], weights[e, h])
    _normalize(weights, indptr, v, first, last, top, total)
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            _add(found, v, features, indices[e], h, weights[e, h])


def _rows_back(i, each, indptr, indices, inputs, weights, gradients, change, of_left, mean):
    (features, left, right, slope), (ours, given) = inputs, gradients
    v, first, last = _place(i, each, left)
    for h in range(first, last):
        mean[v, h] = 0
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            one = dot_features(ours, v, features, indices[e], h)
            if len(given) > 0:
                one += given[e, h]
            change[e, h] = one
            mean[v, h] += weights[e, h] * one
    for e in range(indptr[v], indptr[v + 1]):
        u = indices[e]
        for h in range(first, last):
            one = weights[e, h] * (change[e, h] - mean[v, h])
            if left[v, h] + right[u, h] <= 0:
                one *= slope
            change[e, h] = one
            of_left[v, h] += one


def _columns_back(i, each, indptr, indices, places, weights, ours, change, of_features, of_right):
    u, first, last = _place(i, each, weights)
    for place in range(indptr[u], indptr[u + 1]):
        e, v = places[place], indices[place]
        for h in range(first, last):
            of_right[u, h] += change[e, h]
            _add(of_features, u, ours, v, h, weights[e, h])


@inner
def _normalize(weights, indptr, v, first, last, top, total):
    """Scores become weights that sum to 1."""
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            weights[e, h] = math.exp(weights[e, h] - top[v, h])
            total[v, h] += weights[e, h]
    for e in range(indptr[v], indptr[v + 1]):
        for h in range(first, last):
            weights[e, h] /= total[v, h]


def _added(sums, v, features, u, h, weight):
    for k in range(features.shape[2]):
        sums[v, h, k] += weight * features[u, h, k]


def _dotted(one, v, other, u, h):
    total = np.float32(0)
    for k in range(one.shape[2]):
        total += one[v, h, k] * other[u, h, k]
    return total


_add: Any = vectorized(_added)
dot_features: Any = vectorized(_dotted)

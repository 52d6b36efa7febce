"""Multi-jagged geometric partitions [1]: several cuts along each coordinate in turn.

All pieces are cut at once, level by level (`pieces`). Points with equal coordinates are told apart
by their other coordinates, then by their positions, so that many equal coordinates do not spoil the
balance. With equal weights, all parts have n / k points, rounded down or up.

[1] M. Deveci, S. Rajamanickam, K. Devine, U. Catalyurek. Multi-jagged: a scalable parallel spatial
    partitioning algorithm. IEEE TPDS 27, 2016.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.coordinates import check_coordinates, check_number_of_parts
from edgewise.algorithms.partitioning.parts import Parts
from edgewise.algorithms.partitioning.pieces import cut_along
from edgewise.base.checks import check_count

__all__ = ["multi_jagged"]


def multi_jagged(
    coordinates: Any, k: int, *, vertex_weights: Any = None, factors: Any = None
) -> Parts:
    """Return a partition of points into k parts by several cuts along each coordinate in turn.

    Parameters
    ----------
    coordinates : array of float, n x d
        The position of each point (vertex). All must be finite.
    k : int
        The number of parts, at least 1. It may be any number, even a prime.
    vertex_weights : array over points, optional
        Finite and nonnegative; 1 for each point by default.
    factors : sequence of int, optional
        The number of slabs at each level; their product is k. Level i cuts along column i modulo d.
        By default each piece is cut once along each column, the widest first. The numbers of slabs
        are chosen so that parts are about as wide as long.

    Returns
    -------
    Parts
        The part of each point. Adjacent parts of a slab have consecutive numbers. Some parts are
        empty if k > n.

    See Also
    --------
    recursive_coordinate_bisection : One cut at a time.
    hilbert_curve : Parts along a space-filling curve.

    Notes
    -----
    O(d n log n) time to sort by each coordinate, and one sort per level. There are d levels, or one
    per factor. A part exceeds the mean by less than the weight of the heaviest point, times the
    number of levels. With equal weights, it exceeds the mean by less than one point.

    Examples
    --------
    >>> import numpy as np
    >>> places = np.stack(np.divmod(np.arange(24), 6), axis=1)  # 4 x 6
    >>> multi_jagged(places, 6).reshape(4, 6)
    array([[0, 0, 2, 2, 4, 4],
           [0, 0, 2, 2, 4, 4],
           [1, 1, 3, 3, 5, 5],
           [1, 1, 3, 3, 5, 5]])
    """
    points = check_coordinates(coordinates)
    k = check_number_of_parts(k, len(points))
    if factors is None:
        return cut_along(points, k, vertex_weights, _shaped(points.shape[1]))
    numbers = [check_count(one, "factors", 1) for one in factors]
    if prod(numbers) != k:
        raise ValueError(f"factors must have the product k ({k}), got {numbers}")
    numbers = [one for one in numbers if one > 1]

    def in_turn(level: int, widths: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        axis = np.full(len(counts), level % widths.shape[1])
        return axis, np.full(len(counts), numbers[level])

    return cut_along(points, k, vertex_weights, in_turn)


def _shaped(dimensions: int) -> Callable[..., Any]:
    """Cut each piece once along each coordinate, the widest first.

    The numbers of slabs make parts about as wide as long.
    """
    used = np.zeros((1, dimensions), bool)

    def choose(level: int, widths: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        nonlocal used
        left, free = dimensions - level, np.where(used, -1.0, widths)
        axis, numbers = free.argmax(axis=1), counts
        pieces = np.arange(len(axis))
        if left > 1:  # count^(1/left) slabs, times the longest side over the geometric mean
            scale = max(float(widths.max()), np.finfo(float).tiny)
            sides = np.log(np.maximum(free / scale, 1e-9))
            longer = np.exp(sides[pieces, axis] - np.where(used, 0.0, sides).sum(axis=1) / left)
            numbers = np.rint(np.minimum(counts ** (1 / left) * longer, counts)).astype(np.int64)
            numbers = np.maximum(numbers, 1)
        used[pieces, axis] = True
        used = np.repeat(used, numbers, axis=0)
        return axis, numbers

    return choose

"""Geometric partitions by cuts along coordinates: multi-jagged [1] and recursive bisection [2].

All pieces are cut at once, level by level. A level sorts the points of each piece along one of its
coordinates, and cuts where the prefix sums of the weights pass the shares of the children. A point
belongs to the child in whose share its own middle lies. Points with equal coordinates are told
apart by their other coordinates, then by their position, so that many equal coordinates do not
spoil the balance. With equal weights, all parts have n / k points, rounded down or up.

[1] M. Deveci, S. Rajamanickam, K. Devine, U. Catalyurek. Multi-jagged: a scalable parallel spatial
    partitioning algorithm. IEEE TPDS 27, 2016.
[2] M. Berger, S. Bokhari. A partitioning strategy for nonuniform problems on multiprocessors. IEEE
    Transactions on Computers 36, 1987.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.coordinates import check_coordinates, check_point_weights
from edgewise.algorithms.partitioning.result import Parts
from edgewise.base.checks import check_count

__all__ = ["multi_jagged", "recursive_coordinate_bisection"]


def multi_jagged(
    coordinates: Any, k: int, *, vertex_weights: Any = None, factors: Any = None
) -> Parts:
    """Return a partition of points into k parts by several cuts along each coordinate in turn.

    Parameters
    ----------
    coordinates : array of float, n x d
        The position of each point (vertex). All must be finite.
    k : int
        The number of parts, at least 1. Any number works, primes too.
    vertex_weights : array over points, optional
        Finite and nonnegative; 1 for each point by default.
    factors : sequence of int, optional
        The numbers of slabs at each level, with the product k. Level i cuts along column i, and
        begins again with column 0 after the last. By default each piece is cut once along each
        column, the widest first, into numbers of slabs that make parts about as wide as long.

    Returns
    -------
    Parts
        The part of each point. Parts that are next to each other in a slab have adjacent numbers.
        Some are empty if k > n.

    See Also
    --------
    recursive_coordinate_bisection : One cut at a time.
    hilbert_curve : Parts along a space-filling curve.

    Notes
    -----
    O(d n log n) time for the ranks along each coordinate, and one sort per level: d levels, or as
    many as there are factors. A part outweighs the mean by less than the heaviest point for each
    level; with equal weights, by less than one point in all.

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
    k = check_count(k, "k", 1)
    points = check_coordinates(coordinates)
    if factors is None:
        return _cut(points, k, vertex_weights, _shaped(points.shape[1]))
    numbers = [check_count(one, "factors", 1) for one in factors]
    if prod(numbers) != k:
        raise ValueError(f"factors must have the product k ({k}), got {numbers}")
    numbers = [one for one in numbers if one > 1]

    def in_turn(level: int, widths: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        axis = np.full(len(counts), level % widths.shape[1])
        return axis, np.full(len(counts), numbers[level])

    return _cut(points, k, vertex_weights, in_turn)


def recursive_coordinate_bisection(
    coordinates: Any, k: int, *, vertex_weights: Any = None
) -> Parts:
    """Return a partition of points into k parts by recursive bisection of the widest coordinate.

    Parameters
    ----------
    coordinates : array of float, n x d
        The position of each point (vertex). All must be finite.
    k : int
        The number of parts, at least 1. A piece for an odd number of parts is cut in proportion.
    vertex_weights : array over points, optional
        Finite and nonnegative; 1 for each point by default.

    Returns
    -------
    Parts
        The part of each point. Some are empty if k > n.

    See Also
    --------
    multi_jagged : Fewer levels, and several cuts in each.

    Notes
    -----
    O(d n log n + n log n log k) time. The balance is as that of `multi_jagged`.

    Examples
    --------
    >>> import numpy as np
    >>> recursive_coordinate_bisection(np.array([[0, 0], [9, 1], [1, 0], [8, 0]]), 2).tolist()
    [0, 1, 0, 1]
    """

    def halved(level: int, widths: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        return widths.argmax(axis=1), np.minimum(counts, 2)

    points = check_coordinates(coordinates)
    return _cut(points, check_count(k, "k", 1), vertex_weights, halved)


def _shaped(dimensions: int) -> Callable[..., Any]:
    """Cut each piece once along each coordinate, the widest first, into slabs of such numbers that
    parts are about as wide as long."""
    used = np.zeros((1, dimensions), bool)

    def choose(level: int, widths: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        nonlocal used
        left = dimensions - level
        free = np.where(used, -1.0, widths)
        axis = free.argmax(axis=1)
        if left == 1:
            numbers = counts
        else:
            scale = np.maximum(widths.max(initial=0.0), np.finfo(float).tiny)
            floor = np.maximum(free / scale, 1e-9)
            volume = np.where(used, 0.0, np.log(floor)).sum(axis=1) / left
            length = np.exp(np.log(floor[np.arange(len(axis)), axis]) - volume)
            numbers = np.rint(np.minimum(counts ** (1 / left) * length, counts)).astype(np.int64)
            numbers = np.clip(numbers, 1, counts)
        used = used.copy()
        used[np.arange(len(axis)), axis] = True
        used = np.repeat(used, numbers, axis=0)
        return axis, numbers

    return choose


def _cut(points: np.ndarray, k: int, vertex_weights: Any, choose: Callable[..., Any]) -> Parts:
    """Cut all pieces level by level, along the axes and into the numbers that ``choose`` gives."""
    n = len(points)
    weights = check_point_weights(vertex_weights, n)
    at, counts = np.zeros(n, np.int64), np.array([k])  # the piece of each point; parts in a piece
    if n == 0 or k == 1:
        return Parts(at, k)
    ranks, level = _ranks(points), 0
    while len(counts) < k:
        axis, numbers = choose(level, _widths(points, at, len(counts)), counts)
        order = np.argsort(at * n + ranks[axis[at], np.arange(n)])
        piece, passed = at[order], np.cumsum(weights[order])
        ends = np.r_[0.0, passed][np.searchsorted(piece, np.arange(len(counts) + 1))]
        first = np.r_[0, np.cumsum(numbers)]  # of the children of each piece
        parent = np.repeat(np.arange(len(counts)), numbers)
        child = np.arange(first[-1]) - first[parent]
        before, after = (counts[parent] * j // numbers[parent] for j in (child, child + 1))
        shares = ends[parent] + np.diff(ends)[parent] * after / counts[parent]
        found = np.searchsorted(shares, passed - weights[order] / 2, side="right")
        at[order] = np.clip(found, first[piece], first[piece + 1] - 1)
        counts, level = after - before, level + 1
    return Parts(at, k)


def _ranks(points: np.ndarray) -> np.ndarray:
    """The position of each point along each coordinate: ties by the next ones, then by index."""
    n, d = points.shape
    ranks = np.empty((d, n), np.int64)
    for j in range(d):
        order = np.argsort(points[:, j])
        if (np.diff(points[order, j]) == 0).any():
            order = np.lexsort([points[:, (j + i) % d] for i in range(d)][::-1])
        ranks[j, order] = np.arange(n)
    return ranks


def _widths(points: np.ndarray, at: np.ndarray, pieces: int) -> np.ndarray:
    """The extent of each piece along each coordinate; 0 of one without points."""
    order = np.argsort(at, kind="stable")
    starts = np.searchsorted(at[order], np.arange(pieces))
    filled = np.diff(np.r_[starts, len(at)]) > 0
    widths, sorted_points = np.zeros((pieces, points.shape[1])), points[order]
    low, high = (f.reduceat(sorted_points, starts[filled]) for f in (np.minimum, np.maximum))
    with np.errstate(over="ignore"):
        widths[filled] = np.minimum(high - low, np.finfo(float).max)
    return widths

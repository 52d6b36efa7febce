"""Cut a set of points into parts of given weights, all pieces at once, level by level.

A level sorts the points of each piece by a number that the caller chooses, and cuts where the
prefix sums of the weights pass the shares of the children. A point belongs to the child in whose
share its own middle lies, so that no cut is off by more than half a point. Equal numbers are told
apart by the positions of the points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.coordinates import check_point_weights
from edgewise.algorithms.partitioning.parts import Parts
from edgewise.base.offsets import offsets

__all__ = ["Row", "cut_along", "cut_inertially", "cut_pieces", "laid_out"]


def cut_pieces(
    weights: np.ndarray, targets: np.ndarray, choose: Callable[..., tuple[Any, Any]]
) -> Parts:
    """Return parts whose weights are in proportion to the targets.

    ``choose(level, at, counts)`` gives the number of each point by which its piece is sorted, and
    into how many children to cut each piece. ``at`` has the piece of each point, and ``counts``
    the number of parts that each piece will have in the end; at least one of them is above 1.
    """
    n, k = len(weights), len(targets)
    at, counts = np.zeros(n, np.int64), np.array([k])
    level, upto = 0, np.r_[0.0, np.cumsum(targets)]
    while n and len(counts) < k:
        values, numbers = choose(level, at, counts)
        order = np.lexsort((values, at))
        piece, passed = at[order], np.cumsum(weights[order])
        ends = np.r_[0.0, passed][np.searchsorted(piece, np.arange(len(counts) + 1))]
        first = offsets(numbers)  # of the children of each piece
        parent = np.repeat(np.arange(len(counts)), numbers)
        child = np.arange(first[-1]) - first[parent]
        part = offsets(counts)  # the first of each piece
        after = part[parent] + counts[parent] * (child + 1) // numbers[parent]
        whole = upto[part[1:]] - upto[part[:-1]]
        share = (upto[after] - upto[part[parent]]) / whole[parent]
        cuts = ends[parent] + np.diff(ends)[parent] * share
        found = np.searchsorted(cuts, passed - weights[order] / 2, side="right")
        at[order] = np.clip(found, first[piece], first[piece + 1] - 1)
        counts, level = np.diff(np.r_[0, after]), level + 1
    return Parts(at, k)


def cut_along(points: np.ndarray, k: int, vertex_weights: Any, choose: Callable[..., Any]) -> Parts:
    """Return k parts of equal weight by cuts along coordinates.

    ``choose(level, widths, counts)`` gives the axis of each piece, and into how many children to
    cut it; ``widths`` has the extent of each piece along each coordinate. Points with equal
    coordinates are told apart by their other coordinates, then by their positions.
    """
    n = len(points)
    ranks = _ranks(points)

    def along(level: int, at: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        axis, numbers = choose(level, _widths(points, at, len(counts)), counts)
        return ranks[axis[at], np.arange(n)], numbers

    return cut_pieces(check_point_weights(vertex_weights, n), np.ones(k), along)


def cut_inertially(points: np.ndarray, weights: np.ndarray, targets: np.ndarray) -> Parts:
    """Return parts by bisecting each piece across its principal axis, the longest one."""

    def across(level: int, at: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        masses = np.maximum(np.bincount(at, weights, len(counts)), np.finfo(float).tiny)
        middle = _sums(points, weights, at, masses)
        offset = points - middle[at]
        spread = np.stack(
            [_sums(offset * column[:, None], weights, at, masses) for column in offset.T], axis=1
        )
        axis = np.linalg.eigh(spread)[1][:, :, -1]
        largest = np.abs(axis).argmax(axis=1)[:, None]
        axis = axis * np.sign(np.take_along_axis(axis, largest, axis=1))  # of either sign
        return (offset * axis[at]).sum(axis=1), np.minimum(counts, 2)

    return cut_pieces(weights, targets, across)


def _sums(rows: np.ndarray, weights: np.ndarray, at: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """The weighted mean of each column over each piece."""
    sums = [np.bincount(at, weights * column, len(masses)) for column in rows.T]
    return np.stack(sums, axis=1) / masses[:, None]


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


class Row(NamedTuple):
    """The part of each vertex whose component lies inside one part; and the components to cut.

    Each has its vertices, its first part, and the weights of its pieces.
    """

    parts: np.ndarray
    cut: list[tuple[np.ndarray, int, np.ndarray]]


def laid_out(labels: np.ndarray, masses: np.ndarray, k: int) -> Row:
    """Return components in a row by descending weight, divided into k intervals of equal weight."""
    _, at = np.unique(labels, return_inverse=True)
    sizes = np.bincount(at, masses)
    order = np.argsort(-sizes, kind="stable")
    ends = np.cumsum(sizes[order])
    total = ends[-1] if len(ends) else 0.0
    bounds = total * np.arange(k + 1) / k
    if (masses == np.rint(masses)).all() and total < 2**53:
        bounds = np.rint(bounds)  # whole numbers can be met exactly
    slack = total * 1e-12
    starts = np.r_[0.0, ends][:-1]
    first = np.minimum(np.searchsorted(bounds, starts + slack, side="right") - 1, k - 1)
    last = np.maximum(np.searchsorted(bounds, ends - slack) - 1, first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    middle = np.searchsorted(bounds, (starts + ends) / 2, side="right") - 1
    parts = np.clip(middle, 0, k - 1)[place[at]]
    cut = []
    for i in np.flatnonzero(last > first).tolist():
        inside = np.clip(bounds[first[i] : last[i] + 2], starts[i], ends[i])
        targets = np.maximum(np.diff(inside), slack)
        cut.append((np.flatnonzero(at == order[i]), int(first[i]), targets))
    return Row(parts, cut)

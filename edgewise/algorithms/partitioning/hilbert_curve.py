"""Geometric partitions along the Hilbert curve [1]: sort by the position on it, and cut.

The curve visits the cells of a fine grid so that two neighbors on it are neighbors in space. The
position of a cell follows from its coordinates by Skilling's transform [2], which exchanges and
inverts their lower bits, from the highest bit down.

[1] J. Pilkington, S. Baden. Dynamic partitioning of non-uniform structured workloads with
    spacefilling curves. IEEE TPDS 7, 1996.
[2] J. Skilling. Programming the Hilbert curve. AIP Conference Proceedings 707, 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.coordinates import (
    check_coordinates,
    check_number_of_parts,
    check_point_weights,
)
from edgewise.algorithms.partitioning.parts import Parts

__all__ = ["hilbert_curve", "hilbert_positions"]

_BITS = 62  # of a position on the curve, over all dimensions
_FINEST = 31  # bits of a coordinate


def hilbert_curve(coordinates: Any, k: int, *, vertex_weights: Any = None) -> Parts:
    """Return a partition of points into k parts that follow each other on the Hilbert curve.

    Parameters
    ----------
    coordinates : array of float, n x d
        The position of each point (vertex). All must be finite. d is at most 31.
    k : int
        The number of parts, at least 1.
    vertex_weights : array over points, optional
        Finite and nonnegative; 1 for each point by default.

    Returns
    -------
    Parts
        The part of each point. Parts with consecutive numbers are close in space. Some parts are
        empty if k > n.

    See Also
    --------
    multi_jagged : Straight cuts, usually with fewer cut edges.

    Notes
    -----
    O(n log n) time. With equal weights, all parts have n / k points, rounded down or up. Otherwise
    a part exceeds the mean by less than the weight of the heaviest point. The grid has 2^31 cells
    along each of two dimensions, and 2^20 along each of three. Points in one cell are ordered by
    their index.

    Examples
    --------
    >>> import numpy as np
    >>> places = np.stack(np.divmod(np.arange(16), 4), axis=1)  # 4 x 4
    >>> hilbert_curve(places, 4).reshape(4, 4)
    array([[0, 0, 1, 1],
           [0, 0, 1, 1],
           [3, 3, 2, 2],
           [3, 3, 2, 2]])
    """
    points = check_coordinates(coordinates)
    k = check_number_of_parts(k, len(points))
    if points.shape[1] > _FINEST:
        raise ValueError(f"coordinates must have at most 31 columns, got {points.shape[1]}")
    weights = check_point_weights(vertex_weights, len(points))
    order = np.argsort(hilbert_positions(points), kind="stable")
    passed, parts = np.cumsum(weights[order]), np.zeros(len(points), np.int64)
    if len(points):
        shares = passed[-1] * np.arange(1, k) / k
        parts[order] = np.searchsorted(shares, passed - weights[order] / 2, side="right")
    return Parts(parts, k)


def hilbert_positions(points: np.ndarray) -> np.ndarray:
    """Return the position of each point on the Hilbert curve through a grid around all of them.

    >>> hilbert_positions(np.array([[0, 0], [0, 1], [1, 1], [1, 0]])).argsort().tolist()
    [0, 1, 2, 3]
    """
    n, d = points.shape
    if n == 0 or d == 0:
        return np.zeros(n, np.int64)
    bits = min(_BITS // d, _FINEST)
    places = points * 0.5 - points.min(axis=0) * 0.5  # half of them, so that none overflows
    cells = places / max(float(places.max()), np.finfo(float).tiny) * 2.0**bits
    x = [*np.clip(cells, 0, 2**bits - 1).astype(np.int64).T]
    # Skilling's transform: undo the turns of each level, then the Gray code.
    for level in range(bits - 1, 0, -1):
        bit = np.int64(1) << level
        lower = bit - 1
        for j in range(d):
            turned = (x[j] & bit) != 0
            swap = np.where(turned, 0, (x[0] ^ x[j]) & lower)
            x[0] ^= np.where(turned, lower, swap)
            x[j] ^= swap
    for j in range(1, d):
        x[j] ^= x[j - 1]
    flip = np.zeros(n, np.int64)
    for level in range(bits - 1, 0, -1):
        flip ^= np.where((x[-1] >> level) & 1, (np.int64(1) << level) - 1, 0)
    position = np.zeros(n, np.int64)
    for level in range(bits - 1, -1, -1):
        for j in range(d):
            position = (position << 1) | (((x[j] ^ flip) >> level) & 1)
    return position

"""Geometric partitions by recursive bisection: along coordinates [1], or across principal axes [2].

All pieces of a level are cut at once (`pieces`).

[1] M. Berger, S. Bokhari. A partitioning strategy for nonuniform problems on multiprocessors. IEEE
    Transactions on Computers 36, 1987.
[2] H. Simon. Partitioning of unstructured problems for parallel processing. Computing Systems in
    Engineering 2, 1991.
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
from edgewise.algorithms.partitioning.pieces import cut_along, cut_inertially
from edgewise.base.ranges import factor_for

__all__ = ["recursive_coordinate_bisection", "recursive_inertial_bisection"]


def recursive_coordinate_bisection(
    coordinates: Any, k: int, *, vertex_weights: Any = None
) -> Parts:
    """Return a partition of points into k parts by recursive bisection of the widest coordinate.

    Parameters
    ----------
    coordinates : array of float, n x d
        The position of each point (vertex). All must be finite.
    k : int
        The number of parts, at least 1. Pieces with an odd number of parts are cut in proportion.
    vertex_weights : array over points, optional
        Finite and nonnegative; 1 for each point by default.

    Returns
    -------
    Parts
        The part of each point. Some parts are empty if k > n.

    See Also
    --------
    multi_jagged : Fewer levels, with several cuts in each.

    Notes
    -----
    O(d n log n + n log n log k) time. The balance is that of `multi_jagged`.

    Examples
    --------
    >>> import numpy as np
    >>> recursive_coordinate_bisection(np.array([[0, 0], [9, 1], [1, 0], [8, 0]]), 2).tolist()
    [0, 1, 0, 1]
    """

    def halved(level: int, widths: np.ndarray, counts: np.ndarray) -> tuple[Any, Any]:
        return widths.argmax(axis=1), np.minimum(counts, 2)

    points = check_coordinates(coordinates)
    return cut_along(points, check_number_of_parts(k, len(points)), vertex_weights, halved)


def recursive_inertial_bisection(coordinates: Any, k: int, *, vertex_weights: Any = None) -> Parts:
    """Return a partition of points into k parts by recursive bisection across principal axes.

    Except for rounding, the result does not change if the points are rotated.

    Parameters
    ----------
    coordinates : array of float, n x d
        The position of each point (vertex). All must be finite.
    k : int
        The number of parts, at least 1. Pieces with an odd number of parts are cut in proportion.
    vertex_weights : array over points, optional
        Finite and nonnegative; 1 for each point by default.

    Returns
    -------
    Parts
        The part of each point. Some parts are empty if k > n.

    See Also
    --------
    recursive_coordinate_bisection : Cuts along the coordinates as given, which is faster.

    Notes
    -----
    O(n (d² + log n) log k) time. The balance is that of `multi_jagged`.

    Examples
    --------
    >>> import numpy as np
    >>> recursive_inertial_bisection(np.array([[0, 0], [3, 3], [1, 1], [2, 2]]), 2).tolist()
    [0, 1, 0, 1]
    """
    points = check_coordinates(coordinates)
    k = check_number_of_parts(k, len(points))
    weights = check_point_weights(vertex_weights, len(points))
    return cut_inertially(points * _nearer(points), weights, np.ones(k))


def _nearer(points: np.ndarray) -> float:
    """A factor by which squares of coordinates stay finite."""
    return factor_for(float(np.abs(points).max(initial=0.0)))

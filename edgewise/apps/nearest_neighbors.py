"""The k nearest neighbors of every point: exact by blocks, or approximate by descent [1].

"exact" computes the distances of all pairs as matrix products in single precision, in blocks. It
keeps a few more than k candidates per point and ranks them in double precision. The rounding error
is bounded, and points for which it could matter are computed again in double precision. So the
result is exact. It takes O(n^2 d) time, also on a GPU.

"descent" starts from random projection trees. It then compares every point with its neighbors'
neighbors until little changes. It finds most neighbors (the guide states the recall), and its work
grows little faster than n. It runs on CPU threads.

[1] W. Dong, M. Charikar, K. Li. Efficient k-nearest neighbor graph construction for generic
    similarity measures. WWW 2011.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.random import check_seed
from edgewise.graph.result_html import result_html
from edgewise.graph.transfer import on, on_gpu

__all__ = ["Neighbors", "Points", "nearest_neighbors"]

_METHODS, _METRICS = ("auto", "exact", "descent"), ("euclidean", "cosine")
#: With more points than this, "auto" is descent on CPU threads.
_MANY = 200_000


class Neighbors(NamedTuple):
    """The k nearest neighbors of each point and their distances, two n x k arrays.

    Attributes
    ----------
    indices : array of int, n x k
        The nearest points of each point, the nearest first.
    distances : array of float, n x k
        Their distances.
    """

    indices: Any
    distances: Any

    def _repr_html_(self) -> str:
        return result_html(self)


class Points(NamedTuple):
    """A table made ready: as given, and around its center in a range that float32 has.

    The product of a row of ``left`` and one of ``right`` is the square of the distance, less that
    of the left point from the center.
    """

    exact: Any  # n x d, float64
    left: Any  # n x (d + 1), float32: -2 x, 1
    right: Any  # n x (d + 1), float32: y, |y|^2
    squares: Any  # n, float64: |x|^2, the same scale as ``left`` and ``right``
    scale: float  # what distances are multiplied by there
    rounding: float  # of a product, relative to 2 |x| |y| + |y|^2


def nearest_neighbors(
    points: Any, k: int, *, method: str = "auto", metric: str = "euclidean", device: str = "cpu",
    seed: int = 0,
) -> Neighbors:  # fmt: skip
    """Return the k nearest neighbors of each point.

    Parameters
    ----------
    points : array
        An n x d table of finite numbers, one row per point. An array on a GPU stays there.
    k : int
        The number of neighbors, less than n and at most 96. A point is not its own neighbor.
    method : {"auto", "exact", "descent"}
        The algorithm. "auto" is descent for more than 200,000 points on CPU threads, and exact
        otherwise.
    metric : {"euclidean", "cosine"}
        The distance. Cosine distance is 1 minus the cosine of the angle; no point may be zero then.
    device : str
        The device to use, "cpu" or "cuda". An array on a GPU is always processed there.
    seed : int
        The seed of descent. The same seed gives the same neighbors for any number of threads.

    Returns
    -------
    Neighbors
        ``indices`` and ``distances``, two n x k arrays. The nearest comes first, and ties go to the
        smaller index.

    Raises
    ------
    ValueError
        If ``k`` is too large, or a point is not finite or cannot be used with the metric.

    Notes
    -----
    "exact" takes O(n^2 d) time. The time of "descent" grows little faster than n.

    Examples
    --------
    >>> found = nearest_neighbors([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]], 1)
    >>> found.indices.tolist(), found.distances.tolist()
    ([[2], [2], [0]], [[1.0], [4.47213595499958], [1.0]])
    """
    check_choice(method, "method", _METHODS)
    check_choice(metric, "metric", _METRICS)
    seed = int(check_seed(seed))
    if on_gpu(points) or device != "cpu":
        from edgewise.base.cuda.device import array_module, device_number

        if method == "descent":
            raise ValueError("method 'descent' runs on CPU threads only; use 'exact' on a GPU")
        number = points.device.id if on_gpu(points) else device_number(device)
        with on(number):
            from edgewise.apps.cuda.exact import exact

            ready, k = _ready(points, k, metric, array_module())
            return _measured(*exact(ready, k), metric, array_module())
    ready, k = _ready(points, k, metric, np)
    if method == "descent" or (method == "auto" and len(ready.exact) > _MANY):
        from edgewise.apps.cpu.descent import descent

        return _measured(*descent(ready, k, seed), metric, np)
    from edgewise.apps.cpu.exact import exact as exact_by_threads

    return _measured(*exact_by_threads(ready, k), metric, np)


def _table(points: Any) -> Any:
    """What holds the numbers: of an AnnData its principal components, or else its matrix X."""
    if hasattr(points, "obsm") and hasattr(points, "X"):
        points = points.obsm.get("X_pca", points.X)
    return points.toarray() if hasattr(points, "toarray") else points  # a sparse matrix


def _ready(points: Any, k: Any, metric: str, xp: Any) -> tuple[Points, int]:
    """The table, checked, in the forms in which it is worked on."""
    table = xp.asarray(_table(points))
    if table.ndim != 2 or table.dtype.kind not in "biuf" or table.shape[1] == 0:
        raise TypeError(
            f"points must be a table of numbers with a row for each point, got shape "
            f"{tuple(table.shape)} of {table.dtype}"
        )
    n, d = table.shape
    k = check_count(k, "k", least=1, most=96)
    if k >= n:
        raise ValueError(f"k must be less than the number of points ({n}), got {k}")
    exact = xp.ascontiguousarray(table, np.float64)
    wrong = ~xp.isfinite(exact).all(axis=1)
    if wrong.any():
        raise ValueError(f"points must be finite numbers, but row {int(wrong.argmax())} is not")
    if metric == "cosine":
        largest = xp.abs(exact).max(axis=1, keepdims=True)
        if not largest.all():
            first = int((largest[:, 0] == 0).argmax())
            raise ValueError(f"points must not be zero for the cosine distance, but row {first} is")
        exact = exact / largest
        exact /= xp.sqrt((exact * exact).sum(axis=1, keepdims=True))
    center = exact - (exact / n).sum(axis=0)
    width = float(xp.abs(center).max())
    if not width < 1e150:  # squares would overflow
        raise ValueError(f"points must lie within 1e150 of their center, got {width:.3g}")
    scale = 1 / width if width > 1e-150 else 1.0
    center *= scale
    squares = (center * center).sum(axis=1)
    one = xp.ones((n, 1))
    left = xp.concatenate([-2 * center, one], axis=1).astype(np.float32)
    right = xp.concatenate([center, squares[:, None]], axis=1).astype(np.float32)
    return Points(exact, left, right, squares, scale, (d + 8) * 2.0**-24), k


def _measured(ids: Any, squares: Any, metric: str, xp: Any) -> Neighbors:
    """Distances from their squares; of unit vectors, half the square is one less the cosine."""
    return Neighbors(ids, squares / 2 if metric == "cosine" else xp.sqrt(squares))

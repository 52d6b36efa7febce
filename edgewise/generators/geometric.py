"""Random geometric graphs: points in the unit square or cube, adjacent if close.

The cube is divided into cells no smaller than the radius, so the neighbors of a point lie in its
own cell and the adjacent ones. The work is linear in points and candidate pairs. Threads share the
cells. Pairs are counted first, then written to their final place.
"""

from __future__ import annotations

import math

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, check_number, id_type, uniforms
from edgewise.graph import Graph
from edgewise.graph.arrays import EdgeArrays

__all__ = ["geometric_coordinates", "random_geometric"]

#: Volume of the ball of radius 1, by dimension.
_BALL = {2: math.pi, 3: 4 * math.pi / 3}


def random_geometric(
    n: int,
    *,
    radius: float | None = None,
    average_degree: float | None = None,
    dimension: int = 2,
    weights: str | None = None,
    seed: int = 0,
) -> Graph:
    """Return a random geometric graph: points in the unit square or cube, joined if close.

    Parameters
    ----------
    n : int
        The number of vertices.
    radius : float, optional
        The largest distance between neighbors. Give either this or ``average_degree``.
    average_degree : float, optional
        The expected degree of a point away from the border, which determines the radius. Points
        near the border have fewer neighbors.
    dimension : {2, 3}
        2 for the unit square, 3 for the unit cube.
    weights : {"length"}, optional
        Weight the edges by their lengths. By default the graph is unweighted.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph. `geometric_coordinates` returns the points.

    Notes
    -----
    O(n + m) expected time.

    Examples
    --------
    >>> graph = random_geometric(1000, average_degree=8)
    >>> bool(6 < graph.degrees().mean() < 8)
    True
    """
    n = check_count(n, "n", most=MOST_VERTICES)
    points = geometric_coordinates(n, dimension=dimension, seed=seed)
    if weights is not None:
        check_choice(weights, "weights", ("length",))
    reach = _check_radius(n, radius, average_degree, dimension)
    sources, targets, lengths = _close_pairs(points, reach)
    chosen = lengths if weights == "length" else None
    return Graph.from_edges(sources, targets, chosen, num_vertices=n)


def geometric_coordinates(n: int, *, dimension: int = 2, seed: int = 0) -> np.ndarray:
    """Return the points of `random_geometric`, one row of coordinates per vertex.

    Parameters
    ----------
    n, dimension, seed
        As for `random_geometric`.

    Returns
    -------
    numpy.ndarray, n x dimension
        Coordinates in [0, 1).

    Examples
    --------
    >>> geometric_coordinates(4, dimension=3).shape
    (4, 3)
    """
    n, key = check_count(n, "n", most=MOST_VERTICES), check_seed(seed)
    if dimension not in _BALL:
        raise ValueError(f"dimension must be 2 or 3, got {dimension!r}")
    return np.stack([uniforms(key, n, axis) for axis in range(dimension)], axis=1)


def _check_radius(n: int, radius: float | None, degree: float | None, dimension: int) -> float:
    if (radius is None) == (degree is None):
        raise ValueError(f"give either radius or average_degree, got {radius} and {degree}")
    if radius is not None:
        return check_number(radius, "radius", above=0)
    degree = check_number(degree, "average_degree", above=0)
    # degree = (n - 1) * ball * radius**dimension
    return (degree / (max(n - 1, 1) * _BALL[dimension])) ** (1 / dimension)


def _close_pairs(points: np.ndarray, radius: float) -> EdgeArrays:
    """Every pair at most ``radius`` apart, once, and the distances."""
    from edgewise.generators.cpu.cells import Cells, count_pairs, fill_pairs

    n, dimension = points.shape
    # Cells a hair larger than the radius: rounding must not push a neighbor two cells away.
    side = max(1, min(int((1 - 1e-9) / radius), math.ceil(n ** (1 / dimension))))
    # A square is a cube with a single layer of cells and all first coordinates 0.
    xyz = np.zeros((n, 3))
    xyz[:, 3 - dimension :] = points
    shape = (side if dimension == 3 else 1, side, side)
    cells = np.ravel_multi_index(tuple((xyz * shape).astype(np.int64).T), shape)
    order = np.argsort(cells, kind="stable").astype(id_type(n))
    starts = np.searchsorted(cells[order], np.arange(math.prod(shape) + 1))
    sorted_points, counts = Cells(shape, starts, xyz[order]), np.empty(n, np.int64)
    launch(count_pairs, sorted_points, radius, counts, work=n)
    places = offsets(counts)
    m = places[-1]
    edges = EdgeArrays(np.empty(m, order.dtype), np.empty(m, order.dtype), np.empty(m))
    launch(fill_pairs, sorted_points, radius, order, places, edges, work=n)
    return edges

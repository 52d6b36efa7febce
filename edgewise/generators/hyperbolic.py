"""Random hyperbolic graphs [1]: points in a disc of the hyperbolic plane, adjacent if close.

The disc has radius R, and vertices at most R apart are adjacent. Degrees follow a power law. The
points at most R/2 from the center form a clique, whose size is close to the chromatic number for
exponents below 3 [2].

The disc is divided into rings [3], and a ring into as many cells as it has points. The neighbors of
a point in one ring lie in an interval of angles, which is a sequence of cells. A pair is found from
its point in the inner ring. Threads share the points.

[1] D. Krioukov, F. Papadopoulos, M. Kitsak, A. Vahdat, M. Boguna. Hyperbolic geometry of complex
networks. Physical Review E, 2010.
[2] X. Cheng, H. Maji, A. Pothen. Graphs with tunable chromatic numbers for parallel coloring. CSC
2020.
[3] M. von Looz, M. Ozdayi, S. Laue, H. Meyerhenke. Generating massive complex networks with
hyperbolic geometry faster in practice. HPEC 2016.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, check_number, id_type, uniforms
from edgewise.generators.edge_buffers import drawn_once
from edgewise.graph import Graph

__all__ = ["HyperbolicPoints", "hyperbolic_points", "random_hyperbolic"]

#: Nodes of the quadrature over radii, and the radii of discs that are tried.
_NODES, _SMALLEST, _LARGEST = 160, 0.01, 300.0
_STEEPEST = 100  # the largest exponent


class HyperbolicPoints(NamedTuple):
    """Points in a disc of the hyperbolic plane, in polar coordinates.

    Attributes
    ----------
    radius : array of float over vertices
        The distance of each point from the center.
    angle : array of float over vertices
        The angle of each point, in [0, 2 pi).
    disc : float
        The radius of the disc. It is also the largest distance between neighbors.
    """

    radius: np.ndarray
    angle: np.ndarray
    disc: float

    def clique(self) -> np.ndarray:
        """Return a clique: the vertices within half the disc's radius of the center.

        Its size is a lower bound on the chromatic number.

        >>> len(hyperbolic_points(100_000, average_degree=10).clique())
        27
        """
        return np.flatnonzero(self.radius <= self.disc / 2)


def random_hyperbolic(
    n: int, *, average_degree: float, exponent: float = 2.5, seed: int = 0
) -> Graph:
    """Return a random hyperbolic graph: power-law degrees, and many triangles.

    Parameters
    ----------
    n : int
        The number of vertices.
    average_degree : float
        The expected degree of a vertex, at most about 0.58 n.
    exponent : float
        The exponent of the power law of the degrees, greater than 2 and at most 100. Smaller
        exponents give larger hubs and larger cliques. Below 3, the largest clique grows as
        ``n ** ((3 - exponent) / 2)``.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph. `hyperbolic_points` returns its points, and a clique.

    See Also
    --------
    random_geometric : Points in a square or cube.

    Notes
    -----
    O(n log n + m) expected time.

    Examples
    --------
    >>> graph = random_hyperbolic(20_000, average_degree=10, exponent=3)
    >>> bool(9 < graph.degrees().mean() < 11)
    True
    """
    points = hyperbolic_points(n, average_degree=average_degree, exponent=exponent, seed=seed)
    return Graph.from_edges(*_close_pairs(points), num_vertices=len(points.radius))


def hyperbolic_points(
    n: int, *, average_degree: float, exponent: float = 2.5, seed: int = 0
) -> HyperbolicPoints:
    """Return the points of `random_hyperbolic`.

    Parameters
    ----------
    n, average_degree, exponent, seed
        As for `random_hyperbolic`.

    Returns
    -------
    HyperbolicPoints
        ``radius`` and ``angle`` over vertices, and ``disc``. ``clique()`` returns a clique.

    Examples
    --------
    >>> points = hyperbolic_points(100, average_degree=5)
    >>> bool((points.radius <= points.disc).all())
    True
    """
    n, key = check_count(n, "n", most=MOST_VERTICES), check_seed(seed)
    degree = check_number(average_degree, "average_degree", above=0)
    exponent = check_number(exponent, "exponent", above=2)
    if exponent > _STEEPEST:
        raise ValueError(f"exponent must be at most {_STEEPEST}, got {exponent:g}")
    growth = (exponent - 1) / 2
    disc = _disc(n, degree, growth)
    # Radii have density growth * sinh(growth * r) / (cosh(growth * disc) - 1).
    radius = np.arccosh(1 + uniforms(key, n, 0) * (math.cosh(growth * disc) - 1)) / growth
    angle = uniforms(key, n, 1) * (2 * math.pi)
    return HyperbolicPoints(np.minimum(radius, disc), angle, disc)


def _disc(n: int, degree: float, growth: float) -> float:
    """The radius of the disc that gives a degree, by bisection of its expectation."""
    if n < 2:
        return 1.0
    low, high = _SMALLEST, min(_LARGEST, 600 / growth)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    if degree > (most := (n - 1) * _joined(low, growth, nodes, weights)):
        raise ValueError(f"average_degree must be at most {most:.4g} for n = {n}, got {degree:g}")
    for _ in range(45):
        middle = (low + high) / 2
        if (n - 1) * _joined(middle, growth, nodes, weights) > degree:
            low = middle
        else:
            high = middle
    return high


def _joined(disc: float, growth: float, nodes: np.ndarray, weights: np.ndarray) -> float:
    """The probability that two points of a disc are at most its radius apart."""
    radii = (nodes + 1) * (disc / 2)
    density = weights * (disc / 2) * growth * np.sinh(growth * radii)
    density /= math.cosh(growth * disc) - 1
    first, second = radii[:, None], radii[None]
    # sin(angle / 2)^2 = (cosh R - cosh(r - s)) / (2 sinh r sinh s)
    share = (math.cosh(disc) - np.cosh(first - second)) / (2 * np.sinh(first) * np.sinh(second))
    angle = 2 * np.arcsin(np.sqrt(np.clip(share, 0, 1)))
    return float(density @ (angle / math.pi) @ density)


def _close_pairs(points: HyperbolicPoints) -> tuple[np.ndarray, np.ndarray]:
    """Every pair at most the disc's radius apart, once."""
    from edgewise.generators.cpu.rings import CHUNK, Rings, draw_close

    n = len(points.radius)
    # Rings of width 1 from the rim inwards, numbered from the center; the core is one ring.
    count = max(1, math.ceil(points.disc / 2))
    ring = count - 1 - np.minimum((points.disc - points.radius).astype(np.int64), count - 1)
    sizes = np.bincount(ring, minlength=count)
    starts = offsets(sizes)
    cell = starts[ring] + np.minimum(
        (points.angle / (2 * math.pi) * sizes[ring]).astype(np.int64), sizes[ring] - 1
    )
    order = np.argsort(cell, kind="stable").astype(id_type(n))
    cells = offsets(np.bincount(cell, minlength=n))
    inner = np.maximum(points.disc - count + np.arange(count), 0.0)
    inner[0] = 0.0
    radius, angle = points.radius[order], points.angle[order]
    shape = np.exp(radius), np.exp(-radius), np.sinh(radius), np.sin(angle / 2), np.cos(angle / 2)
    rings = Rings(starts, cells, inner, angle, *shape)
    drawing = draw_close, rings, math.cosh(points.disc), order
    return drawn_once(*drawing, chunks=-(-n // CHUNK), kind=order.dtype, work=n)

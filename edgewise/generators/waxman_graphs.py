"""Waxman graphs [1]: random points in a square, joined with a probability that falls with distance.

Pairs of points are grouped by pairs of cells of a quadtree, and skipped over by geometric numbers.
The distribution is exact, and the work is linear in vertices and edges. Threads share the cells.
The number of edges is not known before: `edgewise.generators.edge_buffers` stores them.

[1] B. Waxman. Routing of multipoint connections. IEEE J. Selected Areas in Communications, 1988.
"""

from __future__ import annotations

import math

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, check_number, id_type, stream
from edgewise.generators.edge_buffers import drawn_once
from edgewise.generators.geometric import geometric_coordinates
from edgewise.graph import Graph

__all__ = ["waxman"]

#: The deepest level: a cell's number has 32 bits.
_DEEPEST = 15


def waxman(n: int, *, beta: float = 0.4, alpha: float = 0.1, seed: int = 0) -> Graph:
    """Return a Waxman graph: random points in the unit square, joined by chance if close.

    Two points at distance d are joined with probability ``beta * exp(-d / (alpha * L))``. L is the
    diagonal of the square, the square root of 2.

    Parameters
    ----------
    n : int
        The number of vertices.
    beta : float
        The probability of an edge between two points at distance 0.
    alpha : float
        How far edges reach, in diagonals of the square; greater than 0.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph. ``geometric_coordinates(n, seed=seed)`` returns the points.

    See Also
    --------
    random_geometric : All close points are joined.

    Notes
    -----
    O(n log n + m) expected time. The expected degree of a point away from the border is about
    ``4 * pi * beta * alpha**2 * n`` for small alpha.

    Examples
    --------
    >>> graph = waxman(2000, alpha=0.02)
    >>> bool(3 < graph.degrees().mean() < 5)
    True
    """
    from edgewise.generators.cpu.cell_pairs import CHUNK, Square, draw_distant

    n, key = check_count(n, "n", most=MOST_VERTICES), check_seed(seed)
    beta = check_number(beta, "beta", least=0, most=1)
    reach = check_number(alpha, "alpha", above=0) * math.sqrt(2)
    points = geometric_coordinates(n, seed=seed)
    # Cells at least as wide as a quarter of the reach, or with one point each.
    finest = math.log2(max(min(4 / reach, math.sqrt(max(n, 1))), 1))
    depth = min(int(finest), _DEEPEST)
    columns, rows = (points * (1 << depth)).astype(np.int64).T
    cells = _spread(columns) | _spread(rows) << 1
    order = np.argsort(cells, kind="stable")
    starts = offsets(np.bincount(cells, minlength=1 << 2 * depth))
    levels = offsets([1 << 2 * level for level in range(depth + 1)])
    x, y = points[order].T.copy()
    square = Square(depth, levels, starts, x, y, reach, _rates(depth, beta, reach))
    names, chunks = order.astype(id_type(n)), -(-int(levels[-1]) // CHUNK)
    drawing = draw_distant, stream(key, 1), square, names
    sources, targets = drawn_once(*drawing, chunks=chunks, kind=names.dtype, work=n)
    return Graph.from_edges(sources, targets, num_vertices=n)


def _rates(depth: int, beta: float, reach: float) -> np.ndarray:
    """-log(1 - p) for the nearest points of two cells, by level, columns and rows apart."""
    apart = np.maximum(np.arange(4) - 1, 0)
    near = np.hypot(*np.meshgrid(apart, apart)) / (1 << np.arange(depth + 1))[:, None, None]
    with np.errstate(divide="ignore"):
        return -np.log1p(-beta * np.exp(-near / reach))


def _spread(values: np.ndarray) -> np.ndarray:
    """The lowest 16 bits of every number with a zero after each."""
    for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
        values = (values | values << shift) & mask
    return values

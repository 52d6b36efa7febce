"""The initiator of a stochastic Kronecker graph like a given graph, by moments [1].

The expected numbers of edges, wedges (paths of two edges), triangles and tripins (stars of three
edges) of the model are sums of powers of polynomials in the initiator [[a, b], [b, c]]. The fit
minimizes the sum of squared relative errors of the four numbers: first over a grid of initiators,
then by least squares from the best of them. The time to count triangles, plus a constant.

[1] D. Gleich, A. Owen. Moment-based estimation of stochastic Kronecker graph parameters. Internet
    Mathematics 8(3), 2012.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.algorithms.structure.density import degree_histogram
from edgewise.algorithms.triangles.triangle_count import triangle_count
from edgewise.base.checks import check_undirected
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host

__all__ = ["KroneckerFit", "fit_kronecker"]

#: Values of each entry on the grid, and initiators that are improved.
_GRID, _BEST = 41, 12


class KroneckerFit(NamedTuple):
    """A fitted Kronecker model.

    Attributes
    ----------
    initiator : array of float64, shape (2, 2)
        Symmetric probabilities; the first is not less than the last.
    power : int
        The number of factors: the smallest with ``2**power`` vertices or more.
    observed, expected : arrays of float64
        The numbers of edges, wedges, triangles and tripins of the graph, and their expectations.
    """

    initiator: np.ndarray
    power: int
    observed: np.ndarray
    expected: np.ndarray


@takes_graph
def fit_kronecker(graph: GraphLike) -> KroneckerFit:
    """Return the initiator matrix of a stochastic Kronecker graph that is similar to a graph.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.

    Returns
    -------
    KroneckerFit
        ``initiator`` and ``power`` are the arguments of `generators.stochastic_kronecker`. It also
        has the numbers of edges, wedges, triangles and tripins, ``observed`` and ``expected``.

    See Also
    --------
    generators.stochastic_kronecker : A random graph of the fitted model.

    Notes
    -----
    O(m √m) time in the worst case, for the triangles. The result does not depend on the ids of the
    vertices. The model has three parameters for four numbers, so they rarely all agree.

    References
    ----------
    D. Gleich, A. Owen. Moment-based estimation of stochastic Kronecker graph parameters. Internet
    Mathematics 8(3), 2012.

    Examples
    --------
    >>> from edgewise.generators import stochastic_kronecker
    >>> graph = stochastic_kronecker([[0.9, 0.5], [0.5, 0.2]], 14, seed=1)
    >>> fit = fit_kronecker(graph)
    >>> fit.initiator.round(1).tolist(), fit.power
    ([[0.9, 0.5], [0.5, 0.2]], 14)
    """
    check_undirected(graph, "fit_kronecker")
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    power = max((graph.num_vertices - 1).bit_length(), 1)
    observed = _counts(graph)
    a, b, c = _fitted(observed, power) if observed[0] else np.zeros(3)
    expected = _expected(np.array([a, b, c]), power)
    return KroneckerFit(np.array([[a, b], [b, c]]), power, observed, expected)


def _counts(graph: AnyGraph) -> np.ndarray:
    """The numbers of edges, wedges, triangles and tripins."""
    counts = host(degree_histogram(graph)).astype(np.float64)
    d = np.arange(len(counts), dtype=np.float64)
    wedges, tripins = counts @ (d * (d - 1) / 2), counts @ (d * (d - 1) * (d - 2) / 6)
    return np.array([counts @ d / 2, wedges, float(triangle_count(graph)), tripins])


def _expected(abc: np.ndarray, r: int) -> np.ndarray:
    """The expectations of the four numbers, in the last axis.

    A sum over distinct vertices is an alternating sum over vertices that may be equal. Each such
    sum is the power of that of the initiator: of products of the sums of rows (x), of their
    squares (y) and cubes (z), and of the diagonal (d).
    """
    a, b, c = np.moveaxis(abc, -1, 0)
    d0, x0, y0, z0 = a, a + b, a**2 + b**2, a**3 + b**3
    d1, x1, y1, z1 = c, b + c, b**2 + c**2, b**3 + c**3
    edges = (x0 + x1) ** r - (d0 + d1) ** r
    wedges = (x0**2 + x1**2) ** r - 2 * (x0 * d0 + x1 * d1) ** r - (y0 + y1) ** r
    wedges = wedges + 2 * (d0**2 + d1**2) ** r
    cubes = (d0**3 + d1**3) ** r
    triangles = (a**3 + 3 * b**2 * (a + c) + c**3) ** r - 3 * (d0 * y0 + d1 * y1) ** r + 2 * cubes
    tripins = (x0**3 + x1**3) ** r - 3 * (x0**2 * d0 + x1**2 * d1) ** r - 6 * cubes
    tripins = tripins + 6 * (x0 * d0**2 + x1 * d1**2) ** r - 3 * (x0 * y0 + x1 * y1) ** r
    tripins = tripins + 3 * (y0 * d0 + y1 * d1) ** r + 2 * (z0 + z1) ** r
    return np.stack((edges / 2, wedges / 2, triangles / 6, tripins / 6), axis=-1)


def _fitted(observed: np.ndarray, r: int) -> np.ndarray:
    """The entries a, b and c of the best initiator."""
    from scipy.optimize import least_squares

    def errors(abc: np.ndarray) -> np.ndarray:
        return (_expected(abc, r) - observed) / np.maximum(observed, 1.0)

    axis = np.linspace(0.0, 1.0, _GRID)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    grid = grid[grid[:, 0] >= grid[:, 2]]
    cost = (errors(grid) ** 2).sum(axis=-1)
    starts = grid[np.argsort(cost, kind="stable")[:_BEST]].clip(0.01, 0.99)
    tight = {"bounds": (0.0, 1.0), "xtol": 1e-12, "ftol": 1e-12, "gtol": 1e-12}
    found = [least_squares(errors, start, **tight) for start in starts]
    a, b, c = min(found, key=lambda one: one.cost).x
    return np.array([max(a, c), b, min(a, c)])

"""An algebraic multigrid cycle for the Laplacian of a graph, by smoothed aggregation [1].

Aggregates are the neighborhoods of a set of vertices that are more than two steps apart, maximal
with this property [2]: the roots. A vertex belongs to a root that is next to it, or else to the
aggregate of a neighbor. The prolongation is constant on aggregates, smoothed by one Jacobi step.
The coarse matrix is the Galerkin product. A cycle smooths by two Chebyshev steps before and after
the correction from the coarser level, so that it is symmetric, as LOBPCG needs.

The matrices are sparse ones of the graph's device; constant vectors are their null space.

[1] P. Vanek, J. Mandel, M. Brezina. Algebraic multigrid by smoothed aggregation for second and
    fourth order elliptic problems. Computing 56, 1996.
[2] N. Bell, S. Dalton, L. Olson. Exposing fine-grained parallelism in algebraic multigrid methods.
    SIAM J. Sci. Comput. 34, 2012.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.independence.maximal_independent_set import in_order
from edgewise.algorithms.partitioning.chebyshev import chebyshev, largest_eigenvalue
from edgewise.graph import Graph
from edgewise.graph.sparse import SparseTools
from edgewise.graph.transfer import like
from edgewise.operators import MAX, MIN, reduce_neighbors

__all__ = ["aggregates", "multigrid"]

_SMALL = 400  # a level of so many vertices is solved directly
_LEVELS = 20
_IN, _OUT = 0, (1 << 63) - 1


class _Level(NamedTuple):
    matrix: Any
    smooth: Callable[[Any], Any]
    prolong: Any
    restrict: Any


def multigrid(graph: Graph, tools: SparseTools, laplacian: Any, seed: int) -> Callable[[Any], Any]:
    """Return a function that applies one V-cycle to the columns of an n x d array."""
    levels: list[_Level] = []
    matrix, pattern, xp = laplacian, graph, graph.xp
    while pattern.num_vertices > _SMALL and len(levels) < _LEVELS:
        groups = aggregates(pattern, seed + len(levels))
        prolong = _prolongation(tools, matrix, groups, xp)
        restrict = prolong.T.tocsr()
        coarse = (restrict @ (matrix @ prolong)).tocsr()
        if coarse.nnz > 0.7 * matrix.nnz:  # hubs fill it
            break
        coarse.sort_indices()
        levels.append(_Level(matrix, chebyshev(matrix, 2, 4.0, xp), prolong, restrict))
        kind = graph.id_dtype
        matrix = coarse
        pattern = like(graph, coarse.indptr.astype(np.int64), coarse.indices.astype(kind),
                       directed=False, labels=None)  # fmt: skip
    solve = _coarsest(matrix, xp)
    return lambda rows: _cycle(levels, 0, solve, rows)


def aggregates(graph: Graph, seed: int) -> Any:
    """Return the aggregate of each vertex, numbered from 0."""
    xp = graph.xp
    key = in_order(graph, graph.full(1, np.int64), seed)
    while True:
        near = _nearest(graph, _nearest(graph, key))
        waiting = (key != _IN) & (key != _OUT)
        if not waiting.any():
            break
        key = xp.where(waiting & (near == key), _IN, xp.where(waiting & (near == _IN), _OUT, key))
    found = xp.where(key == _IN, graph.vertex_ids(np.int64), -1)
    for _ in range(2):
        around = reduce_neighbors(graph, None, _value, found, reduce=MAX, weights=None)
        found = xp.where(found < 0, around, found)
    return xp.unique(found, return_inverse=True)[1].reshape(len(found))


def _nearest(graph: Graph, key: Any) -> Any:
    """The smallest key of each vertex and its neighbors."""
    return graph.xp.minimum(
        key, reduce_neighbors(graph, None, _value, key, reduce=MIN, weights=None)
    )


def _prolongation(tools: SparseTools, matrix: Any, groups: Any, xp: Any) -> Any:
    """Constant on aggregates, smoothed by one Jacobi step."""
    n = len(groups)
    shape = (n, int(groups.max()) + 1)
    tentative = tools.sparse.csr_matrix(
        (xp.ones(n), groups.astype(np.int32), xp.arange(n + 1, dtype=np.int32)), shape=shape
    )
    step = 4 / 3 / largest_eigenvalue(matrix, xp) / matrix.diagonal()
    return (tentative - tools.sparse.diags(step) @ (matrix @ tentative)).tocsr()


def _coarsest(matrix: Any, xp: Any) -> Callable[[Any], Any]:
    """The inverse on vectors that are not constant; a polynomial if the matrix is large."""
    n = matrix.shape[0]
    if n > 4 * _SMALL:
        return chebyshev(matrix, 20, 100.0, xp)
    scale = float(matrix.diagonal().mean())
    inverse = xp.linalg.inv(matrix.toarray() / scale + 1 / n) / scale
    inverse = (inverse + inverse.T) / 2
    return lambda rows: inverse @ rows


def _cycle(levels: list[_Level], at: int, solve: Callable[[Any], Any], rows: Any) -> Any:
    if at == len(levels):
        return solve(rows)
    matrix, smooth, prolong, restrict = levels[at]
    found = smooth(rows)
    left = restrict @ (rows - matrix @ found)
    found = found + prolong @ _cycle(levels, at + 1, solve, left)
    return found + smooth(rows - matrix @ found)


def _value(value):
    return value

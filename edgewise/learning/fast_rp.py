"""Vectors of vertices by very sparse random projections (FastRP [1]).

A random matrix of few nonzero entries is multiplied by powers of the transition matrix. Vertices
whose walks end at similar places get similar vectors. Each power is scaled to rows of length 1, and
the powers are added with weights. There is no training: a power is one product of the graph and a
dense block of columns.

[1] H. Chen, S. F. Sultan, Y. Tian, M. Chen, S. Skiena. Fast and accurate network embeddings via
    very sparse random projection. CIKM 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edgewise.algorithms.weighting import finite_amounts
from edgewise.base.checks import check_count, check_one_device
from edgewise.base.random import check_seed, uniform
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.linalg import Matrix, spmm

__all__ = ["fast_rp"]

#: One entry in so many is not zero, as in [1].
_SPARSITY = 3


@takes_graph
def fast_rp(
    graph: LocalGraphLike,
    *,
    dim: int = 128,
    power_weights: Sequence[float] = (0.0, 1.0, 1.0, 1.0),
    degree_power: float = -0.5,
    weights: Any = "weight",
    seed: int = 0,
) -> Any:
    """Return a vector for each vertex by random projections of powers of the transition matrix.

    Parameters
    ----------
    graph : Graph
        Directed graphs are followed along their edges.
    dim : int
        The number of entries of a vector.
    power_weights : sequence of float
        Weight k is that of walks of k + 1 steps. Longer sequences look farther.
    degree_power : float
        Random rows are scaled by the (weighted) degree to this power. Negative values reduce the
        influence of hubs.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative.
    seed : int
        Seed of the projection. The same seed gives the same vectors on every device, up to
        rounding.

    Returns
    -------
    array of float32, n x dim
        Row v is the vector of vertex v; that of a vertex without out-edges is 0.

    Notes
    -----
    Two of three entries of the random matrix are 0. In a graph of a few vertices, all of the random
    entries that a vertex can reach may be 0, and its vector then is, too. A larger ``dim`` helps.

    O(m dim) time for each power.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise import generators
    >>> vectors = fast_rp(generators.barbell(8, 0), dim=16)
    >>> cosine = np.corrcoef(vectors)
    >>> bool(cosine[1, 2] > cosine[1, 14])
    True
    """
    check_one_device(graph, "fast_rp")
    dim, hashed = check_count(dim, "dim", 1), check_seed(seed)
    power = _finite(degree_power, "degree_power")
    if isinstance(power_weights, str) or not np.iterable(power_weights):
        raise TypeError(f"power_weights must list numbers, got {power_weights!r}")
    shares = [_finite(one, "power_weights") for one in power_weights]
    if not shares:
        raise ValueError("power_weights must have at least one number, got none")
    xp, n = graph.xp, graph.num_vertices
    values = finite_amounts(graph, weights)
    values = xp.ones(graph.num_arcs, np.float32) if values is None else values.astype(np.float32)
    matrix = Matrix(graph.indptr, graph.indices, values)
    degrees = spmm(matrix, xp.ones((n, 1), np.float32))
    inverse = xp.where(degrees > 0, 1 / xp.maximum(degrees, np.float32(1e-30)), np.float32(0))
    scale = xp.where(degrees > 0, xp.maximum(degrees, np.float32(1e-30)) ** np.float32(power), 0)
    drawn = uniform(hashed, xp.arange(n * dim)).reshape(n, dim) * (2 * _SPARSITY)
    block = (xp.where(drawn < 1, 1, 0) - xp.where(drawn >= 2 * _SPARSITY - 1, 1, 0)) * scale
    block, found = block.astype(np.float32), xp.zeros((n, dim), np.float32)
    for share in shares:
        block = (spmm(matrix, block) * inverse).astype(np.float32, copy=False)
        if share:
            lengths = xp.sqrt((block * block).sum(axis=1, keepdims=True))
            found += np.float32(share) * block / xp.where(lengths > 0, lengths, np.float32(1))
    return found


def _finite(value: Any, name: str) -> float:
    """A finite number of any sign; an error names the argument."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a finite number, got {value!r}") from None
    if not np.isfinite(found):
        raise ValueError(f"{name} must be a finite number, got {value!r}")
    return found

"""Markov clustering (MCL) [1], as HipMCL [2] computes it.

Row v of a stochastic matrix says where a random walk from v is; every vertex has a self-loop.
Expansion squares the matrix: the walks take as many steps again. Inflation raises entries to a
power and scales rows to a sum of 1: likely places become likelier. Both repeat until nothing
changes. Then rows point to attractors, and the connected components of these are the clusters.

Each row of the square is pruned and inflated as it is computed (`edgewise.linalg.pruning`), so the
square is never stored. O(n k^2) time per iteration for rows of k entries.

[1] S. van Dongen. Graph clustering by flow simulation. PhD thesis, University of Utrecht, 2000.
[2] A. Azad, G. Pavlopoulos, C. Ouzounis, N. Kyrpides, A. Buluc. HipMCL: a high-performance parallel
    implementation of the Markov clustering algorithm for large-scale networks. NAR 46, 2018.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.attractors import clusters
from edgewise.algorithms.communities.found_communities import Communities, as_communities
from edgewise.algorithms.weighting import balanced
from edgewise.base.checkpoints import resumable
from edgewise.base.checks import (
    check_bytes,
    check_count,
    check_fraction,
    check_number,
    check_undirected,
)
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.pruning import Pruning, inflated_square
from edgewise.operators import MAX, reduce_neighbors
from edgewise.operators.engines import by_rows_or, run

__all__ = ["markov_clustering"]


@takes_graph
def markov_clustering(
    graph: GraphLike,
    *,
    weights: Any = "weight",
    inflation: float = 2.0,
    threshold: float = 1e-4,
    select: int = 1100,
    recover: int = 1400,
    recover_share: float = 0.9,
    tol: float = 1e-4,
    max_iter: int = 100,
    memory: int | str | None = None,
) -> Communities:
    """Return communities found by Markov clustering (MCL).

    Parameters
    ----------
    graph : Graph
        Undirected. Its self-loops are replaced: each vertex gets one of the largest weight among
        its edges, or 1 if it has none.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Similarities, finite and nonnegative. Edges of weight 0 do not count.
    inflation : float
        Above 1. Larger values give smaller communities; 1.4 to 6 are usual.
    threshold : float
        Entries of the matrix below this value are pruned (1 / option -P of ``mcl``).
    select : int
        Rows keep at most so many entries, the largest (option -S of ``mcl``).
    recover : int
        Rows whose sum is too small after pruning get back their largest entries, up to this
        number (option -R of ``mcl``).
    recover_share : float
        The sum below which entries are recovered (option -pct of ``mcl``, which is a percentage).
    tol : float
        The iteration ends when the chaos of every row is at most this.
    max_iter : int
        The largest number of iterations; 20 to 60 are usual.
    memory : int or str, optional
        The memory for the two matrices of an iteration and for all tables, in bytes or as "4GiB".
        The graph comes on top. On a grid of ranks, the memory of a rank for a batch of rows; by
        default a quarter of what is free.

    Returns
    -------
    Communities
        An array over vertices. The label of a community is its smallest vertex. A vertex that
        is drawn to several communities gets the one with the largest share. ``overlap`` of the
        result lists all communities of such vertices, with their shares. On a GPU or a grid, only
        observers receive the number of these vertices, as ``overlapping``.

    Raises
    ------
    ConvergenceError
        If ``max_iter`` iterations do not suffice; ``best`` has the communities.
    ValueError
        If ``memory`` does not suffice. Smaller values of ``select`` and ``recover`` need less.

    Notes
    -----
    O(n k^2) time per iteration, where rows have k entries, and O(n k) memory. The defaults are
    those of the program ``mcl``. Observers receive ``chaos`` and ``entries`` of every iteration.
    The result does not depend on the number of threads. On a grid, sums of rows may round
    differently, and of equal values at the limit of a row others may be kept.

    With ``memory``, the sizes of rows are estimated in advance (`edgewise.linalg.spgemm_sizes`).
    CPU threads never store rows before they are pruned. GPUs do, in batches of rows that fit.

    References
    ----------
    S. van Dongen. Graph clustering by flow simulation. PhD thesis, University of Utrecht, 2000.

    A. Azad, G. Pavlopoulos, C. Ouzounis, N. Kyrpides, A. Buluc. HipMCL: a high-performance
    parallel implementation of the Markov clustering algorithm for large-scale networks. NAR 46,
    2018.

    Examples
    --------
    Two cliques joined by an edge:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> markov_clustering(graph).tolist()
    [0, 0, 0, 3, 3, 3]
    """
    check_undirected(graph, "markov_clustering")
    power, tol = check_number(inflation, "inflation"), check_number(tol, "tol")
    if power <= 1:
        raise ValueError(f"inflation must be greater than 1, got {inflation!r}")
    pruning = Pruning(
        check_fraction(threshold, "threshold"), check_count(select, "select", least=1),
        check_count(recover, "recover"), check_fraction(recover_share, "recover_share"), power,
    )  # fmt: skip
    most = check_count(max_iter, "max_iter", least=1)
    limit = None if memory is None else check_bytes(memory, "memory")
    flow, chaos, iteration = _start(graph, weights), np.inf, 0
    with resumable(graph, "markov clustering") as loop:
        while iteration < most and chaos > tol:
            flow, chaos, iteration = loop(flow, chaos, iteration)
            flow, chaos = inflated_square(flow, pruning, limit)
            notify(iteration, phase="expand", chaos=chaos, entries=flow.nnz)
            iteration += 1
    if chaos <= tol:
        return _found(graph, flow, iteration - 1, weights)
    best = _found(graph, flow, most, weights)
    raise ConvergenceError("markov_clustering", most, chaos, best)


def _found(graph: AnyGraph, flow: Any, iteration: int, weights: Any) -> Any:
    labels, overlap = clusters(graph, flow, iteration)
    return as_communities(graph, labels, weights, overlap)


def _start(graph: AnyGraph, weights: Any) -> Any:
    """The matrix of one step of a walk: all edges, and a loop of the largest weight of each row."""
    given, found, _ = balanced(graph, weights)
    loops = reduce_neighbors(graph, None, _weight_of_other, graph.vertex_ids(), reduce=MAX,
                             weights=given, dtype=np.float64)  # fmt: skip
    loops = graph.xp.where(loops > 0, loops, 1.0)
    return by_rows_or(graph, _step, _step_on_ranks)(graph, found, loops)


def _step_on_ranks(graph: AnyGraph, weights: Any, loops: Any) -> Any:
    return run(graph, "walk_matrix")(graph, weights, loops)


def _step(graph: Graph, weights: Any, loops: Any) -> Matrix:
    """The edges by their weights and the loops, in rows of sum 1."""
    xp, n, kind = graph.xp, graph.num_vertices, graph.id_dtype
    rows, columns = row_ids(graph), graph.indices
    values = xp.ones(len(rows)) if weights is None else weights.astype(np.float64)
    kept = (rows != columns) & (values > 0)
    rows, columns, values = rows[kept], columns[kept], values[kept]
    indptr = offsets(xp.bincount(rows, minlength=n) + 1)
    at = xp.arange(len(rows)) + rows + 1  # the loop is the first entry of each row
    indices, flow = xp.empty(len(rows) + n, kind), xp.empty(len(rows) + n)
    indices[indptr[:-1]], flow[indptr[:-1]] = xp.arange(n, dtype=kind), loops
    indices[at], flow[at] = columns, values
    sums = loops + xp.bincount(rows, values, minlength=n)
    flow /= xp.repeat(sums, xp.diff(indptr))
    return Matrix(indptr, indices, flow.astype(np.float32), num_columns=n, sorted_rows=False,
                  device=graph.device)  # fmt: skip


def _weight_of_other(weight, source, own):
    return weight if source != own else 0.0

"""Task placement: map the parts of a partition to the ranks of a mesh or torus network [1], [2].

The cost of a placement is its weighted hops: for every edge of the quotient graph, its traffic
times the number of links between the two ranks. The greedy method places the task with most traffic
to those already placed on the free rank that adds the fewest hops. The geometric one bisects tasks
and ranks recursively in the same way, and pairs them up. Both are improved by exchanging tasks as
long as that saves hops.

[1] M. Deveci, K. Devine, K. Pedretti, M. Taylor, S. Rajamanickam, U. Catalyurek. Geometric mapping
    of tasks to processors on parallel computers with mesh or torus networks. IEEE TPDS 30, 2019.
[2] R. Glantz, H. Meyerhenke, A. Noe. Algorithms for mapping parallel processes onto grid and torus
    architectures. PDP 2015.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.partitioning.coordinates import check_coordinates
from edgewise.algorithms.partitioning.embedding import laplacian_eigenvectors
from edgewise.algorithms.partitioning.hilbert_curve import hilbert_positions
from edgewise.algorithms.partitioning.recursive_bisection import (
    recursive_coordinate_bisection,
    recursive_inertial_bisection,
)
from edgewise.algorithms.partitioning.torus import (
    MOST,
    distances,
    exchanged,
    rank_places,
    shaken,
    traffic_between,
)
from edgewise.base.checks import check_choice, check_count
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["place_tasks"]


@takes_graph
def place_tasks(
    graph: LocalGraphLike,
    shape: Any,
    *,
    torus: bool = True,
    method: str = "greedy",
    coordinates: Any = None,
    weights: Any = "weight",
    tries: int = 20,
    seed: int = 0,
) -> np.ndarray:
    """Return a rank of a mesh or torus for each task, such that tasks with much traffic are close.

    Parameters
    ----------
    graph : Graph
        The traffic between tasks, such as the `quotient` graph of a partition; in host memory.
    shape : sequence of int
        The number of ranks along each dimension of the network. The network has at least as many
        ranks as tasks, and at most 4,096.
    torus : bool
        Whether the last rank of each dimension is linked to the first.
    method : {"greedy", "geometric"}
        How the initial placement is found. It is then improved by exchanges of tasks.
    coordinates : array of float, tasks x d, optional
        The positions of the tasks for "geometric", such as the centers of the parts. By default
        they are eigenvectors of the traffic graph.
    weights : str, array over edges, or None
        The traffic of each edge: the graph's weights by default (unit weights if it has none).
    tries : int
        The number of restarts: some tasks are exchanged at random, and the placement is improved
        again. The best placement is kept.
    seed : int
        The seed of the random exchanges. The same seed gives the same placement.

    Returns
    -------
    array of int64 over vertices
        The rank of each task, all different. Rank r is at ``numpy.unravel_index(r, shape)``.

    See Also
    --------
    hops : The cost of a placement.

    Notes
    -----
    O(r²) memory and O(r²) time per sweep of exchanges, for r ranks. Finding the best placement is
    NP-hard; networks of up to 8 ranks are usually solved to optimality.

    Examples
    --------
    >>> from edgewise.generators import cycle
    >>> from edgewise.partitioning import hops
    >>> ring = cycle(8)
    >>> hops(ring, place_tasks(ring, (2, 4)), (2, 4))
    8.0
    """
    check_choice(method, "method", ("greedy", "geometric"))
    if coordinates is not None and method != "geometric":
        raise TypeError(f"coordinates requires method 'geometric', got {method!r}")
    traffic, ranks = traffic_between(graph, weights), rank_places(shape)
    tasks = graph.num_vertices
    if not tasks <= len(ranks) <= MOST:
        raise ValueError(
            f"shape must have at least as many ranks as there are tasks ({tasks}) and at most "
            f"{MOST}, got {len(ranks)}"
        )
    far, seed = distances(ranks, shape, torus), int(check_seed(seed))
    # Ranks without a task have one without traffic.
    padded = np.zeros((len(ranks), len(ranks)))
    padded[:tasks, :tasks] = traffic
    if method == "greedy":
        at = _greedy(padded, far)
    else:
        at = _geometric(graph, traffic, coordinates, ranks)
    best = exchanged(padded, far, at)
    for turn in range(check_count(tries, "tries")):
        other = exchanged(padded, far, shaken(best, seed, turn))
        if (padded * far[np.ix_(other, other)]).sum() < (padded * far[np.ix_(best, best)]).sum():
            best = other
    return best[:tasks]


def _greedy(traffic: np.ndarray, far: np.ndarray) -> np.ndarray:
    n = len(far)
    at, free = np.full(n, -1), np.ones(n, bool)
    near = traffic.sum(axis=1) * 1e-9  # the traffic to placed tasks; at first, to all
    cost = far.sum(axis=0) * 1e-9 * traffic.mean() + np.zeros((n, n))  # of each task on each rank
    for _ in range(n):
        task = int(np.where(at < 0, near, -np.inf).argmax())
        rank = int(np.where(free, cost[task], np.inf).argmin())
        at[task], free[rank] = rank, False
        near += traffic[task]
        linked = np.flatnonzero(traffic[task])
        cost[linked] += traffic[linked, task, None] * far[rank]
    return at


def _geometric(
    graph: Graph, traffic: np.ndarray, coordinates: Any, ranks: np.ndarray
) -> np.ndarray:
    """Tasks and ranks with the same number in recursive bisections of both."""
    n = graph.num_vertices
    if coordinates is not None:
        places, bisect = check_coordinates(coordinates, n), recursive_coordinate_bisection
    else:
        places, bisect = _embedded(traffic, ranks.shape[1]), recursive_inertial_bisection
    used = np.sort(np.argsort(hilbert_positions(ranks.astype(float)), kind="stable")[:n])
    task = np.argsort(bisect(places, max(n, 1)), kind="stable")
    order = recursive_coordinate_bisection(ranks[used], max(n, 1)).argsort(kind="stable")
    at = np.empty(len(ranks), np.int64)
    at[task] = used[order]
    at[n:] = np.setdiff1d(np.arange(len(ranks)), used)
    return at


def _embedded(traffic: np.ndarray, dimensions: int) -> np.ndarray:
    """Eigenvectors of the traffic, with a little between all tasks so that it is connected."""
    n = len(traffic)
    if n < 2:
        return np.zeros((n, 1))
    little = traffic + (traffic.mean() or 1.0) * 1e-6
    np.fill_diagonal(little, 0.0)
    sources, targets = np.nonzero(little)
    whole = Graph.from_edges(sources, targets, directed=True, num_vertices=n)
    found = laplacian_eigenvectors(
        whole, little[sources, targets] / little.max(), dimensions, laplacian="combinatorial",
        preconditioner="jacobi", tol=1e-2, max_iter=100, seed=0,
    )  # fmt: skip
    return found.vectors / np.sqrt(np.maximum(found.values, 1e-300))

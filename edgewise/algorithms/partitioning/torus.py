"""Mesh and torus networks: distances in links, weighted hops, and exchanges that save some."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from edgewise.algorithms.weighting import finite_amounts
from edgewise.base import random
from edgewise.base.checks import check_count, check_flag
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["MOST", "distances", "exchanged", "hops", "rank_places", "shaken", "traffic_between"]

MOST = 4096  # ranks: the table of distances has a row and a column for each
_SWEEPS = 50


@takes_graph
def hops(
    graph: LocalGraphLike, ranks: Any, shape: Any, *, torus: bool = True, weights: Any = "weight"
) -> float:
    """Return the weighted hops of a placement: traffic times links, summed over all edges.

    Parameters
    ----------
    graph : Graph
        The traffic between tasks, in host memory.
    ranks : array of int over vertices
        The rank of each task.
    shape, torus, weights
        As for `place_tasks`.

    Returns
    -------
    float
        The sum over all edges of the traffic times the number of links between the two ranks.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> hops(path(4), [0, 1, 2, 3], (4,)), hops(path(4), [0, 2, 1, 3], (4,))
    (3.0, 5.0)
    """
    traffic, places = traffic_between(graph, weights), rank_places(shape)
    given = np.asarray(ranks)
    if given.shape != (graph.num_vertices,) or (len(given) and given.dtype.kind not in "iu"):
        raise ValueError(f"ranks must be one whole number per vertex, got {ranks!r:.80}")
    if len(given) and not 0 <= given.min() <= given.max() < len(places):
        raise ValueError(f"ranks must lie between 0 and {len(places) - 1}, got {ranks!r:.80}")
    far = distances(places[given.astype(np.int64)], shape, torus)
    return float((traffic * far).sum() / 2)


def traffic_between(graph: Graph, weights: Any) -> np.ndarray:
    """The traffic between each two tasks, in both directions together."""
    check_host(graph, "place_tasks")
    n = graph.num_vertices
    if n > MOST:
        raise ValueError(f"graph must have at most {MOST} tasks, got {n}")
    found = finite_amounts(graph, weights)
    sources, targets, _ = graph.arcs()
    dense = np.zeros((n, n))
    np.add.at(dense, (sources, targets), 1.0 if found is None else found)
    np.fill_diagonal(dense, 0.0)
    return dense + dense.T if graph.directed else dense


def rank_places(shape: Any) -> np.ndarray:
    """The place of each rank in the network, ranks x dimensions."""
    sides = [check_count(one, "shape", 1, MOST) for one in shape]
    if not 1 <= prod(sides) <= MOST or not sides:
        raise ValueError(f"shape must have 1 to {MOST} ranks, got {tuple(sides)}")
    return np.stack(np.unravel_index(np.arange(prod(sides)), sides), axis=1)


def distances(places: np.ndarray, shape: Any, torus: bool) -> np.ndarray:
    """The links between each two places on a shortest route."""
    apart = np.abs(places[:, None] - places[None])
    if check_flag(torus, "torus"):
        apart = np.minimum(apart, np.asarray([*shape]) - apart)
    return apart.sum(axis=2).astype(np.float64)


def shaken(at: np.ndarray, seed: int, turn: int) -> np.ndarray:
    """Return a copy in which a few tasks have changed places at random."""
    keys = random.uniform(seed, turn, np.arange(len(at)))
    chosen = np.argsort(keys, kind="stable")[: max(3, len(at) // 8)]
    shaken = at.copy()
    shaken[chosen] = at[np.roll(chosen, 1)]
    return shaken


def exchanged(traffic: np.ndarray, far: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the placement after exchanges of two tasks, as long as these save hops.

    In each sweep, every task changes places with the one that saves most.
    """
    cost = traffic @ far[at]  # of each task on each rank
    tasks = np.flatnonzero(traffic.any(axis=1))
    least = 1e-12 * (1 + cost.max(initial=0.0))
    owner = np.argsort(at)
    for _ in range(_SWEEPS):
        moved = False
        for t in tasks.tolist():
            q = at[t]
            both = cost[t] - cost[t, q] + cost[owner, q] - cost[owner, np.arange(len(far))]
            both += 2 * traffic[t, owner] * far[q]
            r = int(both.argmin())
            if both[r] < -least:
                s = owner[r]
                at[t], at[s], owner[r], owner[q] = r, q, t, s
                change = traffic[:, t] - traffic[:, s]
                linked = np.flatnonzero(change)
                cost[linked] += np.outer(change[linked], far[r] - far[q])
                moved = True
        if not moved:
            break
    return at

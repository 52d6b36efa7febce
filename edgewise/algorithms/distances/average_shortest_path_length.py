"""Mean distance and mean inverse distance [1] over pairs of vertices, exact or sampled.

Unweighted, 512 searches run at once (`edgewise.algorithms.centrality.distance_sums`). With k random
vertices, the mean over the pairs that end at one of them estimates the mean over all, and their
variance gives an interval (`sampled_mean`).

[1] V. Latora, M. Marchiori. Efficient behavior of small-world networks. Physical Review Letters
    87, 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.centrality.distance_sums import check_sample, distance_sums, sums_of
from edgewise.algorithms.distances.sampled_mean import SampledMean, ratio
from edgewise.base.checks import check_choice
from edgewise.base.random import check_seed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, reduce_all

__all__ = ["average_shortest_path_length", "global_efficiency"]


@takes_graph
def average_shortest_path_length(
    graph: GraphLike,
    *,
    k: int | None = None,
    weights: Any = None,
    on_disconnected: str = "raise",
    seed: int = 0,
) -> SampledMean:
    """Return the mean distance over all ordered pairs of distinct vertices.

    Parameters
    ----------
    graph : Graph
        In a directed graph, paths follow the edges.
    k : int, optional
        Number of random vertices to estimate from, by the paths to them; exact by default.
        A larger ``k`` is more accurate and takes longer.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. They take one search per vertex.
    on_disconnected : {"raise", "ignore"}
        Whether to raise an error if some vertex cannot reach another, as in NetworkX.
        With "ignore", only pairs with a path count.
    seed : int
        Seed of the random vertices. The same seed draws the same vertices on every engine.

    Returns
    -------
    float
        0 if no pair has a path. Its attribute ``interval`` is a pair of floats that hold the exact
        mean with a probability of 95 percent; both equal the result without ``k``.

    Raises
    ------
    ValueError
        If some vertex does not reach another, unless ``on_disconnected`` is "ignore".

    See Also
    --------
    global_efficiency : The mean inverse distance, also of disconnected graphs.
    effective_diameter : A percentile of the distances.

    Notes
    -----
    O(n + m) time per source: O(n (n + m)) exact, O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> round(average_shortest_path_length(Graph.from_edges([0, 1, 2], [1, 2, 3])), 3)
    1.667
    >>> from edgewise.generators import grid_2d
    >>> mean = average_shortest_path_length(grid_2d(30, 30), k=100)
    >>> round(mean, 2), tuple(round(end, 2) for end in mean.interval)
    (19.77, (19.26, 20.28))
    """
    check_choice(on_disconnected, "on_disconnected", ("raise", "ignore"))
    totals, reached = _sums(graph, k, weights, seed, inverse=False)
    missing = round(len(totals) * graph.num_vertices - float(reached.sum()))
    if missing and on_disconnected == "raise":
        raise ValueError(
            f"average_shortest_path_length needs a graph in which paths join all vertices, but "
            f"{missing} pairs have none; on_disconnected='ignore' skips such pairs"
        )
    return ratio(totals, reached - 1, graph.num_vertices)  # but for the path of no edge


@takes_graph
def global_efficiency(
    graph: GraphLike, *, k: int | None = None, weights: Any = None, seed: int = 0
) -> SampledMean:
    """Return the global efficiency: the mean inverse distance over all pairs of vertices.

    Parameters
    ----------
    graph : Graph
        In a directed graph, paths follow the edges.
    k : int, optional
        Number of random vertices to estimate from, by the paths to them; exact by default.
        A larger ``k`` is more accurate and takes longer.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. They take one search per vertex.
    seed : int
        Seed of the random vertices. The same seed draws the same vertices on every engine.

    Returns
    -------
    float
        Pairs without a path add 0. Unweighted, from 0 to 1. 0 for fewer than two vertices. Its
        attribute ``interval`` is as of `average_shortest_path_length`.

    See Also
    --------
    average_shortest_path_length : The mean distance.

    Notes
    -----
    O(n + m) time per source: O(n (n + m)) exact, O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> round(global_efficiency(Graph.from_edges([0, 1, 2], [1, 2, 3])), 3)
    0.722
    """
    totals, _ = _sums(graph, k, weights, seed, inverse=True)
    n = graph.num_vertices
    return ratio(totals, np.full(len(totals), n - 1), n)


def _sums(
    graph: AnyGraph, k: Any, weights: Any, seed: Any, *, inverse: bool
) -> tuple[np.ndarray, np.ndarray]:
    """The sums over the paths to each of k vertices, and the numbers of paths.

    Without k, there are all vertices, and each has the mean of these.
    """
    seed = int(check_seed(seed))
    if k is not None:
        return sums_of(graph, check_sample(graph, k, seed), weights, inverse=inverse)
    n = graph.num_vertices
    sums = distance_sums(graph, None, None, weights, seed, inverse=inverse)
    total, reached = (float(reduce_all(graph, part, reduce=ADD)) for part in sums)
    return np.full(n, total / max(n, 1)), np.full(n, reached / max(n, 1))

"""Mean distance and mean inverse distance [1] over pairs of vertices, exact or sampled.

Unweighted, 512 searches run at once (`edgewise.algorithms.centrality.distance_sums`). With k random
sources, the mean over the pairs that begin at one of them estimates the mean over all. Means over
sources lie in [0, D], D the largest of them; the estimate is then within
D * sqrt(ln(2 / p) / (2 k)) with probability 1 - p (Hoeffding's bound).

[1] V. Latora, M. Marchiori. Efficient behavior of small-world networks. Physical Review Letters
    87, 2001.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.centrality.distance_sums import distance_sums
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
) -> float:
    """Return the mean distance over all ordered pairs of distinct vertices.

    Parameters
    ----------
    graph : Graph
        In a directed graph, paths follow the edges.
    k : int, optional
        Number of random sources to estimate from; exact by default.
        A larger ``k`` is more accurate and takes longer.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. They take one search per source.
    on_disconnected : {"raise", "ignore"}
        Whether to raise an error if some vertex cannot reach another, as in NetworkX.
        With "ignore", only pairs with a path count.
    seed : int
        Seed of the random sources. The same seed draws the same sources on every engine.

    Returns
    -------
    float
        0 if no pair has a path.

    Raises
    ------
    ValueError
        If a source does not reach all vertices, unless ``on_disconnected`` is "ignore".

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
    """
    check_choice(on_disconnected, "on_disconnected", ("raise", "ignore"))
    total, reached, sources = _sums(graph, k, weights, seed, inverse=False)
    missing = sources * graph.num_vertices - reached
    if missing and on_disconnected == "raise":
        raise ValueError(
            f"average_shortest_path_length needs a graph in which paths join all vertices, but "
            f"{missing} pairs have none; on_disconnected='ignore' skips such pairs"
        )
    pairs = reached - sources  # the pairs of a vertex with itself do not count
    return total / pairs if pairs else 0.0


@takes_graph
def global_efficiency(
    graph: GraphLike, *, k: int | None = None, weights: Any = None, seed: int = 0
) -> float:
    """Return the global efficiency: the mean inverse distance over all pairs of vertices.

    Parameters
    ----------
    graph : Graph
        In a directed graph, paths follow the edges.
    k : int, optional
        Number of random sources to estimate from; exact by default.
        A larger ``k`` is more accurate and takes longer.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. They take one search per source.
    seed : int
        Seed of the random sources. The same seed draws the same sources on every engine.

    Returns
    -------
    float
        Pairs without a path add 0. Unweighted, from 0 to 1. 0 for fewer than two vertices.

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
    total, _, sources = _sums(graph, k, weights, seed, inverse=True)
    pairs = sources * (graph.num_vertices - 1)
    return total / pairs if pairs > 0 else 0.0


def _sums(
    graph: AnyGraph, k: Any, weights: Any, seed: Any, *, inverse: bool
) -> tuple[float, int, int]:
    """The sum over all pairs with a path, the number of these pairs, and that of sources."""
    sums = distance_sums(graph, None, k, weights, int(check_seed(seed)), inverse=inverse)
    total, reached = (float(reduce_all(graph, part, reduce=ADD)) for part in sums)
    return total, round(reached), graph.num_vertices if k is None else k

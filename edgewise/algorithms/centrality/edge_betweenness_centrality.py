"""Betweenness centrality of edges, by Brandes' accumulation [1]; see `betweenness_centrality`.

[1] U. Brandes. A faster algorithm for betweenness centrality. J. Math. Sociology 25(2), 2001.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.centrality.betweenness_centrality import drawn_sources, pair_scale
from edgewise.algorithms.centrality.length_counts import is_tight, length_counts, metric_for
from edgewise.algorithms.centrality.path_counts import FAR, path_counts, wide_times
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checkpoints import resumable
from edgewise.base.observe import notify
from edgewise.graph.edges import other_direction, per_edge
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import advance, explore
from edgewise.operators.exploring import beside

__all__ = ["edge_betweenness_centrality"]


@takes_graph
def edge_betweenness_centrality(
    graph: GraphLike,
    *,
    k: int | None = None,
    sources: Any = None,
    normalized: bool = True,
    weights: Any = None,
    seed: int = 0,
) -> Any:
    """Return the betweenness centrality of each edge.

    The betweenness of an edge sums, over all pairs of vertices, the fraction of their shortest
    paths that run along the edge.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    k : int, optional
        Number of random sources to estimate from; all vertices by default.
        A larger ``k`` is more accurate and takes longer. Estimates are scaled as in NetworkX.
    sources : array of int or str, optional
        Count only the paths that start at these vertices (ids or labels), without scaling up.
    normalized : bool
        Whether to divide by the number of pairs of vertices.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must be positive.
    seed : int
        Seed of the random sources. The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64 over edges
        In the order of ``graph.edges()``.

    See Also
    --------
    betweenness_centrality : The betweenness centrality of each vertex.

    Notes
    -----
    Unweighted, a source takes O(n + m) time: O(n (n + m)) in all, or O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> edge_betweenness_centrality(path, normalized=False).tolist()
    [3.0, 4.0, 3.0]
    """
    chosen, metric = drawn_sources(graph, k, sources, seed), metric_for(graph, weights)
    lengths = edge_weights(graph, weights)
    score, left = graph.full_arcs(0.0), chosen
    if metric is None and beside(graph, len(chosen)):
        more = explore(graph, chosen, _along_edge, paths=True, each="edge", sums=score)
        left = [chosen[i] for i in more.tolist()]
    turn = 0
    with resumable(graph, "edge betweenness") as loop:
        while turn < len(left):
            _, turn = loop((score,), turn)
            source = left[turn]
            if metric is None:
                paths, depth, share, wide = path_counts(graph, source)
                along = _wide_along if wide else _along
                advance(graph, None, along, (score, paths, depth, share), output=None)
            else:
                state = (score, lengths, *length_counts(graph, source, weights, metric))
                advance(graph, None, _along_tight, state, output=None)
            notify(turn, source=source, total=len(left))
            turn += 1
    if not graph.directed:
        score = score + other_direction(graph, score)  # no path runs along a loop
    scale = pair_scale(graph, graph.num_vertices, k, chosen, normalized, False)
    return per_edge(graph, score) * scale


def _along_edge(source, target, edge, search, paths, share):
    return paths * share


def _along(source, target, edge, score, paths, depth, share):
    if depth[source] < FAR and depth[target] == depth[source] + 1:
        score[edge] += paths[source] * share[target]
    return False


def _along_tight(source, target, edge, score, lengths, paths, distance, behind):
    if paths[source] > 0.0 and is_tight(distance[source], lengths[edge], distance[target]):
        score[edge] += paths[source] * (behind[target] + 1.0 / paths[target])
    return False


def _wide_along(source, target, edge, score, paths, depth, share):
    if depth[source] < FAR and depth[target] == depth[source] + 1:
        score[edge] += wide_times(paths[source], share[target])
    return False

"""Betweenness centrality of vertices, by Brandes' accumulation [1].

Each source adds the dependencies of its shortest paths, in linear work if unweighted. On small
graphs and graphs of large diameter many searches run side by side (`explore`). On other graphs they
run one after another (`path_counts`). With weights there is one shortest-path search per source, as
in `sssp` (`length_counts`).

[1] U. Brandes. A faster algorithm for betweenness centrality. J. Math. Sociology 25(2), 2001.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.centrality.distance_sums import check_sample
from edgewise.algorithms.centrality.length_counts import length_counts, metric_for
from edgewise.algorithms.centrality.path_counts import FAR, path_counts, wide_inverse, wide_times
from edgewise.base import atomic
from edgewise.base.checkpoints import resumable
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.transfer import host
from edgewise.operators import compute, explore
from edgewise.operators.exploring import beside

__all__ = ["betweenness_centrality", "drawn_sources", "pair_scale"]


@takes_graph
def betweenness_centrality(
    graph: GraphLike,
    *,
    k: int | None = None,
    sources: Any = None,
    normalized: bool = True,
    endpoints: bool = False,
    weights: Any = None,
    seed: int = 0,
) -> Any:
    """Return the betweenness centrality of each vertex.

    The betweenness of v sums, over all pairs of other vertices, the fraction of their shortest
    paths that pass through v.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    k : int, optional
        Number of random sources to estimate from; all vertices by default.
        A larger ``k`` is more accurate and takes longer. Estimates are scaled as in NetworkX.
    sources : array of int or str, optional
        Count only the paths that start at these vertices (ids or labels), without scaling up.
        This is NetworkX's ``betweenness_centrality_subset`` with all vertices as targets.
    normalized : bool
        Whether to divide by the number of pairs of other vertices.
    endpoints : bool
        Whether the two ends of a path count as lying on it.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must be positive. With float weights, two paths are equally long if
        their float64 sums are equal.
    seed : int
        Seed of the random sources. The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64 over vertices
        Unweighted results have the same bits for the same sources, device and number of threads.
        Weighted results are equal up to rounding.

    Raises
    ------
    TypeError
        If both ``k`` and ``sources`` are given.
    ValueError
        If a length is not positive.

    See Also
    --------
    edge_betweenness_centrality : The betweenness centrality of each edge.

    Notes
    -----
    Unweighted, a source takes O(n + m) time: O(n (n + m)) in all, or O(k (n + m)) with ``k``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> betweenness_centrality(path, normalized=False).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    chosen, metric = drawn_sources(graph, k, sources, seed), metric_for(graph, weights)
    score, ends = graph.full(0.0), float(bool(endpoints))
    together = metric is None and beside(graph, len(chosen))
    left = _beside(graph, chosen, score, bool(endpoints)) if together else chosen
    turn = 0
    with resumable(graph, "betweenness") as loop:
        while turn < len(left):
            _, turn = loop((score,), turn)
            source = left[turn]
            if metric is None:
                paths, depth, share, wide = path_counts(graph, source)
                compute(graph, None, _wide_credit if wide else _credit,
                        (score, paths, share, depth, ends))  # fmt: skip
                reached = depth != FAR
            else:
                paths, _, behind = length_counts(graph, source, weights, metric)
                reached = paths > 0.0
                paths[source] = 0.0
                compute(graph, None, _credit_behind, (score, paths, behind, ends))
            if endpoints:
                score[source] += int(reached.sum()) - 1
            notify(turn, source=source, total=len(left))
            turn += 1
    n = graph.num_vertices
    return score * pair_scale(
        graph, n if endpoints else n - 1, k, chosen, normalized, not endpoints
    )


def _beside(graph: AnyGraph, chosen: list[int], score: Any, endpoints: bool) -> list[int]:
    """Add what all sources give; those with too many paths to count are left."""
    if not endpoints:
        more = explore(graph, chosen, _credit_one, paths=True, sums=score)
    else:
        reached = graph.xp.zeros(len(chosen), np.int64)
        more = explore(graph, chosen, _credit_with_ends, reached, paths=True, sums=score)
        reached[more] = 1
        ends = np.bincount(chosen, host(reached) - 1, graph.num_vertices)
        score += graph.xp.asarray(ends)
    return [chosen[i] for i in more.tolist()]


def drawn_sources(graph: AnyGraph, k: int | None, sources: Any, seed: int) -> list[int]:
    """Return the given sources, the sampled ones, or all vertices."""
    if k is not None and sources is not None:
        raise TypeError("give k or sources, not both")
    if sources is not None:
        return check_vertices(graph, sources, "sources").tolist()
    return check_sample(graph, k, seed).tolist()


def pair_scale(
    graph: AnyGraph, others: int, k: int | None, chosen: Any, normalized: bool, apart: bool
) -> Any:
    """Return NetworkX's factors; with ``apart``, a sampled source has one pair fewer."""
    if others < 2:
        return 1.0
    drawn = others if k is None else k

    def factor(sources: int) -> float:
        if sources < 1:
            return float("nan")
        pairs = sources * (others - 1)
        return 1 / pairs if normalized else others / (sources * (1 if graph.directed else 2))

    if k is None or not apart:
        return factor(drawn)
    scale = graph.full(factor(drawn))
    scale[chosen] = factor(drawn - 1)
    return scale


def _credit_one(v, search, depth, paths, share):
    return paths * (share - 1.0 / paths) if depth > 0 else 0.0


def _credit_with_ends(v, search, depth, paths, share, reached):
    atomic.add(reached, search, 1)
    return paths * (share - 1.0 / paths) + 1.0 if depth > 0 else 0.0


def _credit(v, score, paths, share, depth, endpoint):
    if 0 < depth[v] < FAR:
        score[v] += paths[v] * (share[v] - 1.0 / paths[v]) + endpoint


def _wide_credit(v, score, paths, share, depth, endpoint):
    if 0 < depth[v] < FAR:
        score[v] += endpoint
        if share[v] != wide_inverse(paths[v]):  # something lies behind v
            score[v] += wide_times(paths[v], share[v]) - 1.0


def _credit_behind(v, score, paths, behind, endpoint):
    if paths[v] > 0.0:
        score[v] += paths[v] * behind[v] + endpoint

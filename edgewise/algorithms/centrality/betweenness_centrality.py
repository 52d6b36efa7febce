"""Betweenness centrality by Brandes' accumulation [1], of vertices and of edges.

Each source adds what its shortest paths carry: `path_counts` finds that by hops, in linear work per
source, `length_counts` by length, after a search as `sssp` makes it.

[1] U. Brandes. A faster algorithm for betweenness centrality. J. Math. Sociology 25(2), 2001.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.centrality.distance_sums import check_sample
from edgewise.algorithms.centrality.length_counts import is_tight, length_counts, metric_for
from edgewise.algorithms.centrality.path_counts import FAR, path_counts, wide_inverse, wide_times
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_one_device
from edgewise.base.observe import notify
from edgewise.graph.edges import per_edge
from edgewise.graph.foreign import takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.operators import advance, compute

__all__ = ["betweenness_centrality", "edge_betweenness_centrality"]


@takes_graph
def betweenness_centrality(
    graph: Any,
    *,
    k: int | None = None,
    sources: Any = None,
    normalized: bool = True,
    endpoints: bool = False,
    weights: Any = "unit",
    seed: int = 0,
) -> Any:
    """The share of shortest paths that pass through every vertex.

    Parameters
    ----------
    graph : Graph
    k : int, optional
        Estimate from ``k`` sources drawn by ``seed``, scaled as NetworkX does; all if not given.
    sources : array of int or str, optional
        Only paths that start here, not scaled up (NetworkX's ``betweenness_centrality_subset`` with
        all vertices as targets).
    normalized : bool
        Divide by the number of pairs of other vertices.
    endpoints : bool
        Count the ends of a path as on it.
    weights : "unit", None or array over edges
        Lengths: all one, the graph's own, or these. They must be positive; of floats, paths count
        as equally long where float64 adds them up to the same number.
    seed : int
        The same seed draws the same sources on every engine.

    Returns
    -------
    array of float64
        By hops, the same bits for the same sources, device and number of threads; by length, the
        same to rounding.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> betweenness_centrality(path, normalized=False).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    chosen, metric = _sources(graph, k, sources, seed), metric_for(graph, weights)
    score, ends = graph.full(0.0), float(bool(endpoints))
    for turn, source in enumerate(chosen):
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
        notify(turn, source=source, total=len(chosen))
    n = graph.num_vertices
    return score * _scale(graph, n if endpoints else n - 1, k, chosen, normalized, not endpoints)


@takes_graph
def edge_betweenness_centrality(
    graph: Any,
    *,
    k: int | None = None,
    sources: Any = None,
    normalized: bool = True,
    weights: Any = "unit",
    seed: int = 0,
) -> Any:
    """The share of shortest paths that run along every edge.

    Parameters are those of `betweenness_centrality`. Returns an array over edges, in the order of
    ``graph.edges()``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> edge_betweenness_centrality(path, normalized=False).tolist()
    [3.0, 4.0, 3.0]
    """
    check_one_device(graph, "edge_betweenness_centrality")
    chosen, metric = _sources(graph, k, sources, seed), metric_for(graph, weights)
    xp, lengths = graph.xp, edge_weights(graph, weights)
    score = xp.zeros(graph.num_arcs)
    for turn, source in enumerate(chosen):
        if metric is None:
            paths, depth, share, wide = path_counts(graph, source)
            along = _wide_along if wide else _along
            advance(graph, None, along, (score, paths, depth, share), output=None)
        else:
            state = (score, lengths, *length_counts(graph, source, weights, metric))
            advance(graph, None, _along_tight, state, output=None)
        notify(turn, source=source, total=len(chosen))
    if not graph.directed:
        loops = graph.reverse_edge == xp.arange(graph.num_arcs)
        score = xp.where(loops, score, score + score[graph.reverse_edge])
    scale = _scale(graph, graph.num_vertices, k, chosen, normalized, False)
    return per_edge(graph, score) * scale


def _sources(graph: Any, k: int | None, sources: Any, seed: int) -> list[int]:
    if k is not None and sources is not None:
        raise TypeError("give k or sources, not both")
    if sources is not None:
        return check_vertices(graph, sources, "sources").tolist()
    return check_sample(graph, k, seed).tolist()


def _scale(
    graph: Any, others: int, k: int | None, chosen: Any, normalized: bool, apart: bool
) -> Any:
    """NetworkX's factors; a sampled source has one pair fewer (``apart``)."""
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


def _credit(v, score, paths, share, depth, endpoint):
    if 0 < depth[v] < FAR:
        score[v] += paths[v] * (share[v] - 1.0 / paths[v]) + endpoint


def _wide_credit(v, score, paths, share, depth, endpoint):
    if 0 < depth[v] < FAR:
        score[v] += endpoint
        if share[v] != wide_inverse(paths[v]):  # something lies behind v
            score[v] += wide_times(paths[v], share[v]) - 1.0


def _along(source, target, edge, score, paths, depth, share):
    if depth[source] < FAR and depth[target] == depth[source] + 1:
        score[edge] += paths[source] * share[target]
    return False


def _credit_behind(v, score, paths, behind, endpoint):
    if paths[v] > 0.0:
        score[v] += paths[v] * behind[v] + endpoint


def _along_tight(source, target, edge, score, lengths, paths, distance, behind):
    if paths[source] > 0.0 and is_tight(distance[source], lengths[edge], distance[target]):
        score[edge] += paths[source] * (behind[target] + 1.0 / paths[target])
    return False


def _wide_along(source, target, edge, score, paths, depth, share):
    if depth[source] < FAR and depth[target] == depth[source] + 1:
        score[edge] += wide_times(paths[source], share[target])
    return False

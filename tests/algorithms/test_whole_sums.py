"""Whole weights whose sums pass 2**63, and float sums past the range: refused, or summed wider."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import (
    Graph,
    all_pairs_shortest_paths,
    closeness_centrality,
    maximum_flow,
    minimum_cut,
    minimum_spanning_tree,
    sssp,
)
from edgewise.base.ranges import whole_sum
from edgewise.communities import label_propagation, leiden, louvain
from edgewise.matching import heavy_perfect, maximum_weight_bipartite
from edgewise.operators import Sets, cover
from edgewise.sensing import TrafficMatrix, total

HUGE = 2**62
DIAMOND = ([0, 0, 1, 2], [1, 2, 3, 3])


@pytest.mark.parametrize("directed", [False, True])
def test_flows_and_cuts(directed):
    graph = Graph.from_edges(*DIAMOND, np.full(4, HUGE), directed=directed)
    for function in (maximum_flow, minimum_cut):
        with pytest.raises(ValueError, match="weights must keep flows within int64, but one"):
            function(graph, 0, target=3)
        wide = function(graph.with_weights(graph.edges()[2] * 1.0), 0, target=3)
        assert wide.value == 2.0**63


@pytest.mark.parametrize("directed", [False, True])
def test_capacities_without_limit_beside_others(directed):
    """As large as they come, where the others keep the flow small."""
    endless = 2**63 - 1
    for weights in ([5, 7, endless, endless], [endless, endless, 5, 7]):
        graph = Graph.from_edges(*DIAMOND, np.array(weights), directed=directed)
        flow = maximum_flow(graph, 0, 3)
        assert flow.value == minimum_cut(graph, 0, 3).value == 12
        assert flow.side.tolist() == [True, *[weights[0] == endless] * 2, False]
        assert sorted(flow.flow[flow.flow > 0].tolist()) == [5, 5, 7, 7]


def test_a_tree_heavier_than_int64():
    tree = minimum_spanning_tree(Graph.from_edges([0, 1, 2], [1, 2, 3], np.full(3, HUGE)))
    assert tree.weight == 3 * HUGE
    tree = minimum_spanning_tree(Graph.from_edges([0, 1, 2], [1, 2, 3], np.full(3, -HUGE)))
    assert tree.weight == -3 * HUGE


def test_communities():
    graph = Graph.from_edges([0, 0, 1], [1, 2, 2], np.full(3, HUGE))
    for function in (label_propagation, louvain, leiden):
        assert function(graph, weights="weight").tolist() == [0, 0, 0]
    assert label_propagation(graph, weights="weight", schedule="all", max_iter=9).tolist() == [
        0,
        0,
        0,
    ]


def test_covers():
    sets = Sets.from_rows([[0], [0, 1]], num_vertices=2)
    for weights in (np.full(2, HUGE), np.full(2, 2**63, np.uint64)):
        with pytest.raises(ValueError, match="weights must keep sums within int64"):
            cover(sets, 1, weights=weights)
    with pytest.raises(ValueError, match="weights must keep sums within int64"):
        cover(sets, 2, weights=[2**61, 2**61], bounds=True)
    assert cover(sets, 1, weights=[2**61, 2**61]).gains.tolist() == [2**62]


def test_traffic():
    one = TrafficMatrix.from_links([1, 2], [2, 3], [HUGE, 1])
    with pytest.raises(ValueError, match="packets must keep sums within int64"):
        total([one, one])
    with pytest.raises(ValueError, match="packets must keep sums within int64"):
        TrafficMatrix.from_links([1, 1], [2, 2], [HUGE, HUGE])
    assert total([one]).num_packets == HUGE + 1


@pytest.mark.parametrize("full", [False, True])
def test_exact_matchings(full):
    """In float64 the two matchings would weigh the same."""
    weights = np.array([2**53, 2**53 + 1, 2**53 + 1, 2**53 + 1])
    graph = Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 3], weights)
    with pytest.raises(ValueError, match=r"weights must keep prices below 2\*\*53"):
        maximum_weight_bipartite(graph, full=full)
    small = graph.with_weights(graph.edges()[2] - 2**53)
    assert maximum_weight_bipartite(small, full=full).weight == 2


def test_heavy_perfect_matchings():
    graph = Graph.from_edges([0, 0, 1, 1], [2, 3, 2, 3], np.array([1, 1, 1, -1]) * HUGE)
    with pytest.raises(ValueError, match="weights must keep sums of four weights within int64"):
        heavy_perfect(graph)


def test_exact_sums():
    for values in ([2**63 - 1] * 5, [-(2**63)] * 3 + [7], [-(2**63), 2**63 - 1], [3, -4], []):
        assert whole_sum(np.array(values, np.int64)) == sum(values)
    assert whole_sum(np.array([2**64 - 1] * 3, np.uint64)) == 3 * (2**64 - 1)


def test_float_lengths_that_overflow():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1e308, 1e308, 1.0], directed=True)
    message = "weights must keep distances within float64, but a path along the edge 1 -> 2"
    for function in (lambda g: sssp(g, 0), all_pairs_shortest_paths):
        with pytest.raises(ValueError, match=message):
            function(graph)
    with pytest.raises(ValueError, match=message):  # which goes along edges backwards
        closeness_centrality(graph, weights="weight")
    named = Graph.from_edges(list("abc"), list("bcd"), [1e308, 1e308, 1.0], directed=True)
    with pytest.raises(ValueError, match="along the edge b -> c exceeds its range"):
        sssp(named, "a")


def test_float_lengths_that_just_fit():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1e308, 1e308, 1.5e308], directed=True)
    assert sssp(graph, 0).distance.tolist() == [0.0, 1e308, 1.5e308]
    graph = Graph.from_edges([0, 1], [1, 2], [1e308, np.inf], directed=True)
    assert sssp(graph, 0).distance.tolist() == [0.0, 1e308, np.inf], "no way, as given"

"""LFR communities: degrees, sizes and mixing are those asked for."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.generators import lfr_benchmark


def mixing(graph, labels):
    """The share of edges between communities, overall and per vertex."""
    sources, targets, _ = graph.arcs()
    outside = labels[sources] != labels[targets]
    per_vertex = np.bincount(sources, outside, graph.num_vertices)
    return outside.mean(), per_vertex / np.maximum(graph.degrees(), 1)


@pytest.mark.parametrize("mu", [0.0, 0.1, 0.3, 0.6, 0.9, 1.0])
def test_mixing(mu, edge_set):
    graph, labels = lfr_benchmark(3000, mu=mu, seed=1)
    assert all(u != v for u, v in edge_set(graph))
    overall, per_vertex = mixing(graph, labels)
    assert abs(overall - mu) < 0.01
    # Each vertex mixes by mu, up to the rounding of its inside degree.
    assert np.abs(per_vertex - mu).max() < 0.3
    assert np.abs(per_vertex - mu).mean() < 0.05


def test_sizes_lie_in_their_range_and_follow_the_power_law():
    _, labels = lfr_benchmark(200000, min_community=20, max_community=100, tau2=1.5, seed=3)
    sizes = np.bincount(labels)
    assert sizes.min() >= 20
    assert sizes.max() <= 100
    k = np.arange(20, 101)
    law = k**-1.5 / (k**-1.5).sum()
    assert abs(sizes.mean() - (k * law).sum()) < 1
    assert abs((sizes < 40).mean() - law[k < 40].sum()) < 0.03


@pytest.mark.parametrize(("average", "largest"), [(8.0, 60), (15.0, 50), (20.5, 90)])
def test_degrees_have_their_mean_and_power_law(average, largest):
    n, tau = 50000, 2.5
    graph, _ = lfr_benchmark(
        n, tau1=tau, average_degree=average, max_degree=largest, max_community=120, seed=5
    )
    degrees = graph.degrees()
    assert abs(degrees.mean() - average) < 0.02 * average
    assert degrees.max() <= largest
    # Above the smallest degree, the ratio of two tails follows from the exponent.
    k = np.arange(1, largest + 1)
    law = k**-tau
    low, high = int(average), int(1.5 * average)
    expected = law[k >= high].sum() / law[k >= low].sum()
    observed = (degrees >= high).sum() / (degrees >= low).sum()
    assert abs(observed - expected) < 0.03


def test_nearly_all_ends_are_paired_even_in_dense_communities():
    graph, labels = lfr_benchmark(
        2000, mu=0.05, average_degree=18, max_degree=25, min_community=25, max_community=30, seed=2
    )
    assert abs(graph.degrees().mean() - 18) < 0.4
    assert abs(mixing(graph, labels)[0] - 0.05) < 0.01


def test_communities_are_scattered_over_the_ids():
    _, labels = lfr_benchmark(5000, seed=2)
    assert (np.diff(labels) == 0).mean() < 0.05


def test_one_community_and_equal_sizes():
    graph, labels = lfr_benchmark(
        60, mu=0, average_degree=5, max_degree=10, min_community=60, max_community=60
    )
    assert set(labels.tolist()) == {0}
    assert 4 < graph.degrees().mean() < 6
    _, labels = lfr_benchmark(1000, max_degree=20, min_community=50, max_community=50)
    assert set(np.bincount(labels).tolist()) == {50}


def test_seeds():
    one, two = lfr_benchmark(500, seed=1), lfr_benchmark(500, seed=2)
    assert lfr_benchmark(500, seed=1).graph == one.graph
    assert one.graph != two.graph
    assert (one.communities != two.communities).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n must be at least 1"),
        ({"mu": 1.2}, "mu must be a number from 0 to 1"),
        ({"max_community": 10}, "max_community must be at least min_community = 20, got 10"),
        ({"max_community": 5000}, "max_community must be at most n = 1000, got 5000"),
        ({"max_degree": 200}, r"max_community must exceed .* = 160, got 100"),
        ({"average_degree": 90}, "average_degree must lie between .* max_degree = 50, got 90"),
        ({"average_degree": 0.5}, "average_degree must lie between"),
        ({"min_community": 99, "max_community": 99}, "n = 1000 cannot be divided into"),
        ({"min_community": 0}, "min_community must be at least 1"),
        ({"n": 100, "min_community": 100}, "mu must be 0 when all 100 vertices form one"),
        ({"tau1": float("inf")}, "tau1 must be finite"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        lfr_benchmark(**{"n": 1000, **arguments})

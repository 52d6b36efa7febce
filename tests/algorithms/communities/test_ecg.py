"""`ecg`: connected communities, nearer to the truth than those of one run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, Trace, generators, observe, threads
from edgewise.communities import ecg, leiden, normalized_mutual_info_score
from tests.algorithms.communities.partitions import pieces
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


def check(graph, label):
    """Communities are connected, and called by their smallest vertex."""
    assert label.dtype == graph.indices.dtype and label.shape == (graph.num_vertices,)
    names, first = np.unique(label, return_index=True)
    assert names.tolist() == first.tolist()
    assert pieces(graph, label) == len(names)


@pytest.mark.slow
@settings(max_examples=40)
@given(graphs(directed=False, lengths=st.integers(0, 5)), st.sampled_from(TEAMS), st.integers(0, 9))
def test_any_graph(graph, team, seed):
    with threads(team):
        check(graph, ecg(graph, runs=3, seed=seed))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    label = ecg(graph)
    check(graph, label)
    if name in ("clique", "one edge", "star"):
        assert not label.any()
    if name == "two cliques":
        assert label.tolist() == [0, 0, 0, 0, 4, 5, 5, 5, 5]


@pytest.mark.parametrize("mu", [pytest.param(0.3, marks=pytest.mark.slow), 0.5])
def test_the_truth_is_found_where_modularity_merges(mu):
    graph, truth = generators.lfr_benchmark(3000, mu=mu, seed=2)[:2]
    assert normalized_mutual_info_score(ecg(graph, seed=1), truth) > 0.995
    assert normalized_mutual_info_score(leiden(graph), truth) < 0.99


@pytest.mark.slow
def test_votes_of_all_for_all_are_no_weights():
    graph = random_graph(300, 1200)
    with threads(1):
        found = ecg(graph, min_weight=1, seed=3)
        assert found.tolist() == leiden(graph.without_self_loops(), seed=3).tolist()


@pytest.mark.slow
def test_the_same_at_any_number_of_threads():
    graph, found = random_graph(1000, 4000), []
    for team in TEAMS:
        with threads(team):
            found.append(ecg(graph, seed=4, runs=4, deterministic=True).tolist())
    assert found[0] == found[1] == found[2]


def test_runs_are_told_of():
    graph = shape("clique")
    with observe(Trace()) as trace:
        ecg(graph, runs=5)
    assert sum(row.get("phase") == "vote" for row in trace.rows) == 5


@pytest.mark.slow
def test_weights_and_wide_ids():
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [9.0, 0.5, 9.0, 0.5])
    assert ecg(graph).tolist() == [0, 0, 2, 2]
    assert ecg(graph, weights=np.zeros(graph.num_edges)).tolist() == [0, 1, 2, 3]
    graph = shape("two cliques")
    wide = Graph(graph.indptr, graph.indices.astype(np.int64))
    assert ecg(wide).tolist() == ecg(graph).tolist()


def test_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
    with pytest.raises(ValueError, match="runs must be at least 1, got 0"):
        ecg(graph, runs=0)
    with pytest.raises(ValueError, match="min_weight must be a number from 0 to 1, got 2"):
        ecg(graph, min_weight=2)
    with pytest.raises(ValueError, match="ecg needs an undirected graph"):
        ecg(shape("path", directed=True))
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=rf"weights must .*, got {bad} on .*1 .* 2"):
            ecg(Graph.from_edges([0, 1], [1, 2], [1.0, bad]))

"""`local_community`: ranks by a linear system, the cut against all cuts, planted communities."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph
from edgewise.algorithms.communities.local_community import _pushed
from edgewise.communities import conductance, local_community
from edgewise.generators import karate_club, planted_partition, random_weights, rmat
from tests.algorithms.communities.partitions import dense
from tests.algorithms.samples import SHAPES, shape

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier


def plain(graph):
    return graph.without_self_loops()


@pytest.mark.parametrize("weighted", [False, True])
def test_ranks_are_those_of_the_walk_less_what_is_left(weighted):
    """Of each vertex, by its degree, at most ``tol`` is missing."""
    graph = plain(rmat(6, edge_factor=4, seed=2))
    graph = random_weights(graph, seed=3) if weighted else graph
    matrix, alpha, floor = dense(graph), 0.8, 1e-4
    degree = matrix.sum(1)
    source = int(degree.argmax())
    walk = matrix / np.where(degree > 0, degree, 1)[:, None]
    start = np.eye(len(matrix))[source]
    exact = (1 - alpha) * np.linalg.solve(np.eye(len(matrix)) - alpha * walk.T, start)
    rank, found, touched = _pushed(graph, np.array([source]), alpha, floor)
    assert set(np.flatnonzero(rank)) <= set(touched)
    np.testing.assert_allclose(found[touched], degree[touched])
    missing = exact - rank
    assert (missing >= -1e-12).all() and (missing <= floor * degree + 1e-12).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_the_cut_is_the_best_of_all_prefixes(weighted):
    graph = plain(rmat(6, edge_factor=3, seed=5))
    graph = random_weights(graph, seed=3) if weighted else graph
    for source in np.flatnonzero(graph.degrees() > 0)[:12]:
        found = local_community(graph, source, tol=1e-3)
        whole = dense(graph).sum()
        floor = 1e-3 * graph.num_arcs / whole
        rank, degree, _ = _pushed(graph, np.array([source]), 0.85, floor)
        order = np.flatnonzero(rank)
        order = order[np.argsort(-rank[order] / degree[order], kind="stable")]
        best = np.inf
        for size in range(1, len(order) + 1):
            members = np.zeros(graph.num_vertices, bool)
            members[order[:size]] = True
            if degree[order[:size]].sum() < whole * (1 - 1e-12):
                best = min(best, conductance(graph, members, weights="weight"))
        assert conductance(graph, found, weights="weight") == pytest.approx(best)


def test_planted_communities():
    graph, truth = planted_partition(40, 50, p_in=0.3, p_out=0.001, seed=1)
    for source in range(0, 2000, 173):
        found = local_community(graph, source)
        assert (found == (truth == truth[source])).mean() > 0.995
    several = local_community(graph, [0, 1, 2], tol=1e-4)
    assert (several == (truth == truth[0])).mean() > 0.995


def test_weights_decide():
    """A ring of four, in pairs by heavy edges."""
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [9.0, 0.1, 9.0, 0.1])
    assert local_community(graph, 0).tolist() == [True, True, False, False]
    by_size = [local_community(graph, 0, weights=graph.edges()[2] * scale) for scale in (1e-9, 1e9)]
    assert by_size[0].tolist() == by_size[1].tolist() == [True, True, False, False]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for source in range(min(graph.num_vertices, 3)):
        found = local_community(graph, source)
        assert found.dtype == bool and found.shape == (graph.num_vertices,) and found.any()


def test_wrong_calls_say_why():
    club = karate_club()
    for source, error, words in (
        (99, ValueError, "sources must be a vertex id from 0 to 33, got 99"),
        ([0, 99], ValueError, "sources must be a vertex id"),
        ([], ValueError, "sources must name at least one vertex"),
        (0.5, TypeError, "sources must be a vertex id"),
    ):
        with pytest.raises(error, match=words):
            local_community(club, source)
    with pytest.raises(ValueError, match="alpha must be at most 0.999"):
        local_community(club, 0, alpha=1)
    with pytest.raises(ValueError, match="tol must be at least 1e-12"):
        local_community(club, 0, tol=1e-30)
    with pytest.raises(ValueError, match="local_community needs an undirected graph"):
        local_community(Graph.from_edges([0], [1], directed=True), 0)

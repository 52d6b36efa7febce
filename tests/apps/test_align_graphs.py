"""Alignments of permuted and noisy copies: the share of vertices that is found."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, generators
from edgewise.apps import align_graphs
from edgewise.graph.transfer import host
from tests.operators.engines import no_gpu

SOCIAL = generators.barabasi_albert(300, 4, seed=2)


def copy(graph: Graph, noise: float, seed: int = 0):
    """The graph with other ids and some other edges, and the new ids."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(graph.num_vertices)
    sources, targets, _ = graph.edges()
    kept = rng.random(len(sources)) >= noise
    more = rng.integers(0, graph.num_vertices, (2, int((~kept).sum())))
    us = np.r_[order[sources[kept]], more[0]]
    vs = np.r_[order[targets[kept]], more[1]]
    return Graph.from_edges(us, vs, num_vertices=graph.num_vertices).without_self_loops(), order


def preserved(first: Graph, second: Graph, mates: np.ndarray) -> int:
    """One edge at a time."""
    return sum(
        mates[u] >= 0 and mates[v] >= 0 and second.has_edge(int(mates[u]), int(mates[v]))
        for u, v in zip(*first.edges()[:2], strict=True)
    )


def test_a_permuted_copy_is_found():
    other, order = copy(SOCIAL, 0.0)
    found = align_graphs(SOCIAL, other)
    assert found.overlap == SOCIAL.num_edges == preserved(SOCIAL, other, found.vertices)
    assert (found.vertices == order).mean() > 0.97  # the others are symmetric


@pytest.mark.parametrize(("noise", "least"), [(0.02, 0.9), (0.05, 0.75)])
def test_a_noisy_copy_is_found(noise, least):
    other, order = copy(SOCIAL, noise)
    found = align_graphs(SOCIAL, other)
    assert (found.vertices == order).mean() > least
    assert found.overlap == max(found.rounds) == preserved(SOCIAL, other, found.vertices)
    used = found.vertices[found.vertices >= 0]
    assert len({*used.tolist()}) == len(used)


def test_what_is_known_helps():
    """Where all degrees are equal, a few known pairs decide."""
    graph = generators.random_regular(200, 6, seed=1)
    other, order = copy(graph, 0.0)
    known = np.zeros((200, 200))
    known[np.arange(20), order[:20]] = 1
    assert (align_graphs(graph, other, similarity=known).vertices == order).mean() > 0.95
    assert (align_graphs(graph, other, max_iter=2).vertices == order).mean() < 0.5


def test_graphs_of_two_sizes_and_none():
    part = SOCIAL.subgraph(np.arange(200))
    found = align_graphs(part, SOCIAL)
    assert found.vertices.shape == (200,) and (found.vertices >= 0).sum() > 150
    empty = Graph.from_edges([], [])
    assert align_graphs(empty, part).vertices.shape == (0,)
    assert align_graphs(part, empty).vertices.tolist() == [-1] * 200
    lonely = Graph.from_edges([], [], num_vertices=2)
    assert align_graphs(lonely, lonely).overlap == 0


@pytest.mark.gpu
def test_on_a_gpu():
    """Rounds are exact sums and one strict order of pairs: the same on every engine."""
    if reason := no_gpu():
        pytest.skip(reason)
    other, order = copy(SOCIAL, 0.02)
    known = np.zeros((300, 300))
    known[np.arange(20), order[:20]] = 1
    for options in ({}, {"similarity": known}):
        here = align_graphs(SOCIAL, other, **options)
        there = align_graphs(SOCIAL.to("cuda"), other.to("cuda"), **options)
        assert (host(there.vertices) == here.vertices).all() and there.rounds == here.rounds
    with pytest.raises(ValueError, match="second must be on cuda:0 as first is, got cpu"):
        align_graphs(SOCIAL.to("cuda"), other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"similarity": np.ones((2, 2))}, "similarity must have shape"),
        ({"similarity": np.full((300, 300), -1.0)}, "finite and not negative"),
        ({"similarity": "same"}, "similarity must be a matrix"),
        ({"max_iter": 0}, "max_iter must"),
        ({"num_candidates": 0}, "num_candidates must"),
    ],
)
def test_wrong_arguments_are_named(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        align_graphs(SOCIAL, SOCIAL, **options)
    with pytest.raises(ValueError, match="second must be undirected"):
        align_graphs(SOCIAL, Graph.from_edges([0], [1], directed=True))

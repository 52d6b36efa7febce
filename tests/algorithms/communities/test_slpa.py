"""SLPA: the rounds of the definition, known overlapping communities, and equal seeds."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, communities, generators
from edgewise.base.random import shuffling, uniform
from edgewise.base.threads import threads
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


def slow(graph, rounds, min_share, seed, weights=None):
    """The same draws, vertex by vertex: memberships with their shares."""
    n = graph.num_vertices
    amounts = np.ones(graph.num_arcs, np.int64) if weights is None else weights[graph.arc_to_edge]
    memory = [[v] for v in range(n)]
    for turn in range(1, rounds + 1):
        factor, shift = shuffling(max(n, 1), seed, turn)
        spoken = [one[int(uniform(seed, v, turn) * turn)] for v, one in enumerate(memory)]
        for v in range(n):
            votes = Counter()
            for e in range(graph.indptr[v], graph.indptr[v + 1]):
                votes[spoken[graph.indices[e]]] += amounts[e].item()
            rank = {label: (-votes[label], (label * factor + shift) % n) for label in votes}
            memory[v].append(min(rank, key=rank.get) if rank else v)
    found = {}
    for v, one in enumerate(memory):
        counts = Counter(one)
        most = max(counts.values())
        kept = {c: k for c, k in counts.items() if k >= min_share * len(one) or k == most}
        for label, count in kept.items():
            found.setdefault(label, {})[v] = count / sum(kept.values())
    return found


def check(graph, found, wanted):
    lists = [
        dict(zip(found.row(i).tolist(), shares.round(9).tolist(), strict=True))
        for i, shares in enumerate(np.split(found.shares, found.indptr[1:-1]))
    ] if found.num_communities else []  # fmt: skip
    expected = [{v: round(share, 9) for v, share in one.items()} for one in wanted.values()]
    key = lambda one: sorted(one.items())  # noqa: E731
    assert sorted(lists, key=key) == sorted(expected, key=key)
    assert (found.counts() > 0).all()


@given(graphs(directed=False), st.integers(1, 12), st.sampled_from([0.0, 0.1, 0.4, 1.0]))
def test_any_graph(graph, rounds, min_share):
    found = communities.slpa(graph, num_rounds=rounds, min_share=min_share, seed=rounds)
    check(graph, found, slow(graph, rounds, min_share, rounds))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    check(graph, communities.slpa(graph, num_rounds=7), slow(graph, 7, 0.1, 0))


def test_weights_and_threads():
    graph = random_graph(120, 500, seed=3)
    graph = generators.random_weights(graph, "integer", low=0, high=4, seed=1)
    wanted = slow(graph, 9, 0.2, 5, graph.edges()[2])
    for team in (1, 3):
        with threads(team):
            found = communities.slpa(graph, weights="weight", num_rounds=9, min_share=0.2, seed=5)
        check(graph, found, wanted)


def test_known_communities():
    graph, known = generators.planted_partition(10, 40, p_in=0.4, p_out=0.005, seed=1)
    found = communities.slpa(graph, min_share=0.5, seed=2)
    first = np.empty(graph.num_vertices, np.int64)
    for number, members in enumerate(found.lists()):
        first[members] = number
    assert communities.normalized_mutual_info_score(known, first) > 0.95


def test_vertices_between_two_cliques_overlap():
    """Two cliques of 12 vertices share two."""
    pairs = [(u, v) for low in (0, 10) for u in range(low, low + 12) for v in range(low, u)]
    graph = Graph.from_edges(*zip(*pairs, strict=True))
    shared = Counter()
    for seed in range(20):
        shared.update(
            {*communities.slpa(graph, min_share=0.2, seed=seed).overlap().vertices.tolist()}
        )
    assert {v for v, _ in shared.most_common(2)} == {10, 11}


def test_errors():
    graph = generators.path(4)
    for wrong in ({"num_rounds": 0}, {"min_share": 1.5}, {"min_share": -0.1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            communities.slpa(graph, **wrong)
    with pytest.raises(ValueError, match="undirected"):
        communities.slpa(generators.gnm_random(5, 6, directed=True))
    with pytest.raises(ValueError, match="negative"):
        communities.slpa(Graph.from_edges([0], [1], [-1.0]), weights="weight")

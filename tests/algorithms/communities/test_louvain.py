"""`louvain`: modularity as good as a sequential one's, of every kind of graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from edgewise import generators
from edgewise.base.threads import threads
from edgewise.communities import louvain
from edgewise.graph import Graph
from tests.algorithms.samples import SHAPES, TEAMS, random_graph, shape, to_networkx

GRAPHS = {
    "karate": generators.karate_club().with_weights(None),
    "planted": generators.planted_partition(20, 50, p_in=0.3, p_out=0.004, seed=1).graph,
    "random": random_graph(200, 900),
    "directed": random_graph(200, 900, directed=True),
}


def quality(graph, label, **options):
    """NetworkX's modularity."""
    parts = [set(np.flatnonzero(label == one).tolist()) for one in np.unique(label)]
    return nx.community.modularity(to_networkx(graph), parts, **options)


def check_named(label):
    """Each community is named by its smallest vertex."""
    for v, name in enumerate(label.tolist()):
        assert label[name] == name <= v


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", GRAPHS)
def test_as_good_as_one_vertex_after_the_other(name, team):
    graph = GRAPHS[name]
    with threads(team):
        label = louvain(graph)
    check_named(label)
    best = max(quality(graph, _of(nx.community.louvain_communities(to_networkx(graph), seed=seed),
                                  graph)) for seed in range(2))  # fmt: skip
    assert quality(graph, label) > best - 0.03


def _of(parts, graph):
    label = np.empty(graph.num_vertices, np.int64)
    for part in parts:
        label[list(part)] = min(part)
    return label


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape(name, directed):
    graph = shape(name, directed=directed)
    label = louvain(graph)
    check_named(label)
    if name == "two cliques":
        assert label.tolist() == [0, 0, 0, 0, 4, 5, 5, 5, 5]


def test_weights_and_resolution():
    graph = GRAPHS["planted"]
    rng = np.random.default_rng(1)
    weighted = graph.with_weights(rng.integers(1, 5, graph.num_edges))
    assert quality(weighted, louvain(weighted)) > 0.5
    counts = [len(np.unique(louvain(graph, resolution=r))) for r in (0.01, 1.0, 30.0)]
    assert counts[0] < counts[1] <= 21 < counts[2]
    ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1.0, 9.0, 1.0, 9.0])
    assert louvain(ring).tolist() == [0, 1, 1, 0]
    assert len(np.unique(louvain(ring, weights="unit"))) == 2


def test_a_loop_counts_twice_in_the_degree():
    graph = Graph.from_edges([0, 0, 1, 2], [0, 1, 2, 2], [9.0, 1.0, 1.0, 9.0])
    label = louvain(graph)
    assert quality(graph, label) == pytest.approx(max(
        quality(graph, np.array(other)) for other in ([0, 0, 0], [0, 0, 2], [0, 1, 1], [0, 1, 2])
    ))  # fmt: skip


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_weights_name_their_edge(bad):
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, bad])
    with pytest.raises(ValueError, match=r"weights must be finite and not negative, got .*1 -> 2"):
        louvain(graph)

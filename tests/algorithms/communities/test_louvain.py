"""`louvain`: modularity as good as a sequential one's, of every kind of graph."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from edgewise import generators
from edgewise.base.threads import threads
from edgewise.communities import louvain, louvain_partitions
from edgewise.distributed import Grid, distribute
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph
from tests.algorithms.samples import SHAPES, TEAMS, random_graph, shape, to_networkx
from tests.tiers import later

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


@pytest.mark.parametrize("name", ["planted", "directed"])
def test_one_seed_gives_one_result_in_rounds(name):
    """For every number of threads, and as good."""
    graph, found = GRAPHS[name], []
    for team in TEAMS:
        with threads(team):
            found.append(louvain(graph, deterministic=True, seed=3))
    assert (found[0] == found[1]).all() and (found[0] == found[2]).all()
    assert quality(graph, found[0]) > quality(graph, louvain(graph)) - 0.02


@pytest.mark.parametrize("deterministic", [False, later(True)])
@pytest.mark.parametrize(
    "options",
    [
        {"vertex_following": True},
        later({"coloring": True}),
        {"minimum_label": True},
        {"threshold_scaling": False, "refine": False},
        {"early_termination": 0.25},
    ],
    ids=lambda options: next(iter(options)),
)
def test_heuristics(options, deterministic):
    graph = GRAPHS["planted"]
    label = louvain(graph, deterministic=deterministic, **options)
    check_named(label)
    assert quality(graph, label) > 0.73


def test_ends_follow_their_neighbor():
    star = shape("star")
    levels, _ = louvain_partitions(star, vertex_following=True)
    assert levels[0].tolist() == [0] * star.num_vertices
    pair = shape("one edge")
    assert louvain(pair, vertex_following=True).tolist() == [0, 0]


def test_levels_merge_and_get_better():
    graph = GRAPHS["random"]
    levels, found = louvain_partitions(graph, deterministic=True)
    assert (levels[-1] == louvain(graph, deterministic=True)).all()
    counts = [len(np.unique(one)) for one in levels]
    assert counts == sorted(counts, reverse=True) and len(levels) > 1
    for fine, coarse in pairwise(levels[:-1]):
        assert (coarse == coarse[fine]).all(), "what was together stays together"
    assert found == sorted(found)
    assert found[-1] == pytest.approx(quality(graph, levels[-1]))
    once = louvain_partitions(graph, max_level=1)
    assert len(once.levels) == 1


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [1, 4])
def test_on_a_grid(ranks):
    graph = GRAPHS["planted"]
    found = run_threads(lambda comm: np.asarray(louvain(distribute(graph, grid=Grid(comm)))), ranks)
    check_named(found[0])
    assert quality(graph, found[0]) > quality(graph, louvain(graph)) * 0.995


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
    weighted = graph.with_weights(rng.integers(1, 5, graph.num_edges) * 1.0)
    assert quality(weighted, louvain(weighted)) > 0.5
    counts = [len(np.unique(louvain(graph, resolution=r))) for r in (0.01, 1.0, 30.0)]
    assert counts[0] < counts[1] <= 21 < counts[2]
    ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1.0, 9.0, 1.0, 9.0])
    assert louvain(ring).tolist() == [0, 1, 1, 0]
    assert len(np.unique(louvain(ring, weights=None))) == 2


def test_a_loop_counts_twice_in_the_degree():
    graph = Graph.from_edges([0, 0, 1, 2], [0, 1, 2, 2], [9.0, 1.0, 1.0, 9.0])
    label = louvain(graph)
    assert quality(graph, label) == pytest.approx(max(
        quality(graph, np.array(other)) for other in ([0, 0, 0], [0, 0, 2], [0, 1, 1], [0, 1, 2])
    ))  # fmt: skip


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_weights_name_their_edge(bad):
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, bad])
    with pytest.raises(ValueError, match=r"weights must (not )?be .*, got .* on .*1 - 2"):
        louvain(graph)


def test_wrong_calls():
    graph = GRAPHS["karate"]
    with pytest.raises(ValueError, match=r"early_termination must lie in \[0, 1\), got 1"):
        louvain(graph, early_termination=1)
    with pytest.raises(TypeError, match="coloring must be"):
        louvain(graph, coloring=np.ones(2))
    with pytest.raises(ValueError, match="max_level"):
        louvain(graph, max_level=0)

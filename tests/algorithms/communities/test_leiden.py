"""`leiden`: communities are connected, whatever the graph, and as good as the best we know."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, generators, read, threads
from edgewise.algorithms.communities.climbing import split
from edgewise.algorithms.communities.hierarchy import Level
from edgewise.algorithms.communities.refining import refined, refined_in_rounds
from edgewise.communities import (
    constant_potts,
    infomap,
    leiden,
    leiden_partitions,
    louvain,
    modularity,
)
from tests.algorithms.communities.partitions import pieces, sums
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def check(graph, label):
    """Communities are connected, and called by their smallest vertex."""
    assert label.dtype == graph.indices.dtype and label.shape == (graph.num_vertices,)
    names, first = np.unique(label, return_index=True)
    assert names.tolist() == first.tolist()
    assert pieces(graph, label) == len(names)


@given(graphs(directed=False, most=20), st.sampled_from(TEAMS), st.integers(0, 99),
       st.sampled_from([0, 0.01, 1]))  # fmt: skip
def test_connected_whatever_the_graph(graph, team, seed, theta):
    with threads(team):
        label = leiden(graph, seed=seed, theta=theta, tol=0, max_iter=3)
    check(graph, label)
    assert sums(graph, label) >= -1e-9


@pytest.mark.slow
@given(graphs(directed=True, most=20), st.sampled_from(TEAMS), st.booleans())
def test_connected_whatever_the_directions(graph, team, deterministic):
    with threads(team):
        check(graph, leiden(graph, tol=0, max_iter=3, deterministic=deterministic))


@pytest.mark.slow
@settings(max_examples=50)
@given(graphs(directed=False, lengths=st.integers(0, 5)), st.sampled_from([0.1, 1.0, 3.0]))
def test_any_weights(graph, resolution):
    for objective in ("modularity", "constant_potts"):
        label = leiden(graph, objective=objective, resolution=resolution)
        check(graph, label)
    if graph.num_arcs:  # at least as good as everyone alone
        alone = np.arange(graph.num_vertices)
        quality = constant_potts(graph, label, resolution=resolution)
        assert quality >= constant_potts(graph, alone, resolution=resolution) - 1e-9


@pytest.mark.slow
@settings(max_examples=50)
@given(graphs(directed=False, most=20), st.integers(0, 99))
def test_groups_are_connected_parts_of_communities(graph, seed):
    graph = graph.without_self_loops()
    degree = graph.degrees().astype(float)
    label = np.arange(graph.num_vertices) % 3
    rate = 0.2 / max(graph.num_arcs, 1)
    for team in TEAMS:
        with threads(team):
            for refine in (refined, refined_in_rounds):
                groups = refine(Level(graph, (degree,)), label, rate, 0.01, seed)
                assert pieces(graph, groups.label) == len(np.unique(groups.label))
                assert (label[groups.label] == label).all()
                found = np.bincount(groups.label, degree, graph.num_vertices)
                assert found.tolist() == groups.sums[0].tolist()
    parts = split(graph, label)
    assert pieces(graph, label) == len(np.unique(parts)) and (label[parts] == label).all()


@pytest.mark.parametrize("directed", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for team in TEAMS:
        with threads(team):
            label = leiden(graph)
        check(graph, label)
        if name in ("clique", "one edge", "star") and not directed:
            assert not label.any()
        if name == "two cliques":
            assert label.tolist() == [0, 0, 0, 0, 4, 5, 5, 5, 5]


def test_planted_communities():
    graph, block = generators.planted_partition(8, 50, p_in=0.3, p_out=0.01, seed=1)
    for seed in range(3):
        assert leiden(graph, seed=seed).tolist() == (50 * block).tolist()
    assert (
        leiden(graph, objective="constant_potts", resolution=0.05).tolist() == (50 * block).tolist()
    )


@pytest.mark.slow
def test_no_resolution_limit_for_the_constant_potts_model():
    """A ring of 40 cliques of 5: modularity joins neighbors, the density model does not."""
    n, size = 40, 5
    clique = [(i, j) for i in range(size) for j in range(i)]
    edges = [(size * c + i, size * c + j) for c in range(n) for i, j in clique]
    edges += [(size * c, (size * (c + 1) + 1) % (n * size)) for c in range(n)]
    graph = Graph.from_edges(*np.array(edges).T)
    cliques = np.arange(n * size) // size * size
    assert leiden(graph, objective="constant_potts", resolution=0.5).tolist() == cliques.tolist()
    found = leiden(graph, tol=0)
    assert len(np.unique(found)) < n and modularity(graph, found) > modularity(graph, cliques)
    assert leiden(graph, resolution=3.0).tolist() == cliques.tolist()


@pytest.mark.slow
def test_as_good_as_networkx():
    graph = random_graph(400, 2000, seed=5)
    parts = nx.community.louvain_communities(nx.Graph(zip(*graph.edges()[:2], strict=True)), seed=1)
    label = np.arange(400)
    for part in parts:
        label[list(part)] = min(part)
    for team in TEAMS:
        with threads(team):
            found = leiden(graph)
        assert modularity(graph, found) > modularity(graph, label) - 0.005


@pytest.mark.slow
def test_directions_count():
    """Two cycles of three with edges from one into the other: nothing comes back."""
    graph = Graph.from_edges([0, 1, 2, 3, 4, 5, 2], [1, 2, 0, 4, 5, 3, 3], directed=True)
    assert leiden(graph).tolist() == [0, 0, 0, 3, 3, 3]
    big = random_graph(300, 1200, directed=True, seed=2)
    found = leiden(big)
    check(big, found)
    assert modularity(big, found) > modularity(big, leiden(big.to_undirected())) - 0.01


@pytest.mark.slow
def test_weights_and_scale():
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [9.0, 0.5, 9.0, 0.5])
    assert leiden(graph).tolist() == [0, 0, 2, 2]
    assert leiden(graph, weights=9.5 - graph.edges()[2]).tolist() == [0, 1, 1, 0]
    other = random_graph(200, 800, seed=3)
    drawn = np.random.default_rng(1).integers(0, 4, other.num_edges)
    heavy = other.with_weights(drawn * 1024.0)
    with threads(1):
        assert leiden(heavy).tolist() == leiden(other.with_weights(drawn * 1.0)).tolist()
    assert leiden(other.with_weights(np.zeros(other.num_edges))).tolist() == list(range(200))


@pytest.mark.slow
def test_one_thread_and_seed_give_one_result():
    graph = random_graph(2000, 8000)
    with threads(1):
        assert leiden(graph, seed=4).tolist() == leiden(graph, seed=4).tolist()


@pytest.mark.slow
def test_the_same_at_any_number_of_threads():
    for graph in (random_graph(2000, 8000), random_graph(500, 2000, directed=True)):
        found = []
        for team in TEAMS:
            with threads(team):
                found.append(leiden(graph, seed=4, deterministic=True).tolist())
        assert found[0] == found[1] == found[2]
        check(graph, np.array(found[0], graph.indices.dtype))
        quality = modularity(graph, found[0]), modularity(graph, leiden(graph))
        assert quality[0] > quality[1] - 0.03


@pytest.mark.slow
def test_wide_ids():
    graph = shape("two cliques")
    wide = Graph(graph.indptr, graph.indices.astype(np.int64))
    assert leiden(wide).tolist() == leiden(graph).tolist()


def test_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
    with pytest.raises(ValueError, match="objective must be one of 'modularity', 'constant_potts'"):
        leiden(graph, objective="surprise")
    for name in ("resolution", "tol", "theta"):
        with pytest.raises(ValueError, match=f"{name} must be a finite number, at least 0, got -1"):
            leiden(graph, **{name: -1})
    with pytest.raises(ValueError, match="max_iter must be at least 1, got 0"):
        leiden(graph, max_iter=0)
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match=rf"weights must .*, got {bad} on .*1 .* 2"):
            leiden(Graph.from_edges([0, 1], [1, 2], [1.0, bad]))


#: What igraph's Leiden method was reported to reach in 10 iterations.
KNOWN = {
    "com-dblp.csv.gz": 0.838,
    "cond-mat-2005.weighted.txt.gz": 0.746,
    "LFR_N100000_mu0.3.csv.gz": 0.594,
    "LFR_N100000_mu0.5.csv.gz": 0.542,
}


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")  # two weights of cond-mat are infinite
@pytest.mark.parametrize("name", KNOWN)
def test_real_graphs(name, shared_graphs):
    """On the mean of ten runs, for threads that meet otherwise find other communities: one run in
    eight on cond-mat and LFR 0.3 is more than 0.002 below, and another above."""
    graph = read(shared_graphs / name)
    graph = graph.to_undirected().with_weights(None).without_self_loops()
    for tol, less in ((5e-4, 0.006), (1e-4, 0.002)):
        found = [leiden(graph, tol=tol, seed=seed) for seed in range(10)]
        check(graph, found[0])
        quality = [modularity(graph, label) for label in found]
        assert np.mean(quality) > KNOWN[name] - less
        assert min(quality) > KNOWN[name] - 0.01


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("method", [louvain, leiden, infomap])
def test_blocks_that_were_planted(method, shared_graphs):
    """All 44 blocks, to the vertex by their sizes: the file of the truth numbers vertices otherwise
    than that of the edges."""
    name = "simulated_blockmodel_graph_50000_nodes"
    graph = read(shared_graphs / f"{name}.tsv.gz", columns=(0, 1)).with_weights(None)
    truth = np.loadtxt(shared_graphs / f"{name}_truePartition.tsv.gz", np.int64)[:, 1]
    found = np.unique(method(graph), return_counts=True)[1]
    assert sorted(found.tolist()) == sorted(np.unique(truth, return_counts=True)[1].tolist())


@pytest.mark.slow
def test_groups_of_many_threads_are_connected():
    """Whoever would be swapped or lost on the way would show here."""
    graph = random_graph(20_000, 60_000).without_self_loops()
    degree = graph.degrees().astype(float)
    label = np.arange(20_000) % 2
    with threads(8):
        for seed in range(10):
            groups = refined(Level(graph, (degree,)), label, 1e-6, 0.01, seed)
            assert pieces(graph, groups.label) == len(np.unique(groups.label))
            found = np.bincount(groups.label, degree, graph.num_vertices)
            assert found.tolist() == groups.sums[0].tolist()


@pytest.mark.parametrize(
    "objective", ["modularity", pytest.param("constant_potts", marks=pytest.mark.slow)]
)
def test_hierarchy(objective):
    graph, block = generators.planted_partition(8, 50, p_in=0.3, p_out=0.01, seed=1)
    options = {"objective": objective, "resolution": 1.0 if objective == "modularity" else 0.05}
    levels, quality = leiden_partitions(graph, **options)
    assert levels[-1].tolist() == (50 * block).tolist() and len(levels) == len(quality) > 1
    sizes = []
    for level in levels:
        check(graph, level)
        sizes.append(len(np.unique(level)))
        assert (levels[-1][level] == levels[-1]).all(), "groups are parts of communities"
    for fine, coarse in zip(levels[:-1], levels[1:], strict=True):
        assert (coarse[fine] == coarse).all(), "and of the larger groups"
    assert sizes == sorted(sizes, reverse=True) and quality[-1] == max(quality)
    alone = leiden_partitions(Graph([0, 0, 0], []), **options)
    assert [one.tolist() for one in alone.levels] == [[0, 1]]

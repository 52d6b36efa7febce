"""`betweenness_centrality` and `edge_betweenness_centrality`: Brandes by the book, and NetworkX."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import (
    Graph,
    Trace,
    betweenness_centrality,
    edge_betweenness_centrality,
    generators,
    observe,
    threads,
)
from edgewise.algorithms.centrality.distance_sums import check_sample
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.verify import brandes, edge_pairs, networkx_scale
from tests.tiers import later

FLAGS = st.booleans()
NETWORKX = tuple(map(int, nx.__version__.split(".")[:2]))


def close(found, known) -> None:
    np.testing.assert_allclose(found, known, rtol=1e-10, atol=1e-12)


def along_both(graph, arcs):
    """An undirected edge's number is the sum of its two directions'; a loop is only one."""
    if graph.directed:
        return arcs
    back = graph.reverse_arc
    found = np.where(back == np.arange(len(arcs)), arcs, arcs + arcs[back])
    return found[graph.edge_to_arc]


def close_pairs(graph, found, known) -> None:
    found = edge_pairs(graph, found)
    known = {pair if pair in found else pair[::-1]: value for pair, value in known.items()}
    assert found.keys() == known.keys()
    close([found[pair] for pair in found], [known[pair] for pair in found])


@given(graphs(most=9), FLAGS, FLAGS, st.sampled_from(TEAMS))
@settings(max_examples=60)
def test_exact_as_networkx(graph, normalized, endpoints, team):
    options = {"normalized": normalized, "endpoints": endpoints}
    known = nx.betweenness_centrality(to_networkx(graph), **options)
    with threads(team):
        found = betweenness_centrality(graph, **options)
    close(found, [known[v] for v in range(graph.num_vertices)])


@given(graphs(most=9), FLAGS, st.sampled_from(TEAMS))
@settings(max_examples=60)
def test_edges_as_networkx(graph, normalized, team):
    known = nx.edge_betweenness_centrality(to_networkx(graph), normalized=normalized)
    with threads(team):
        found = edge_betweenness_centrality(graph, normalized=normalized)
    close_pairs(graph, found, known)


@pytest.mark.parametrize("team", [later(1), 2, later(3)])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed, team):
    graph = shape(name, directed=directed)
    other = to_networkx(graph)
    known = nx.betweenness_centrality(other)
    with threads(team):
        close(betweenness_centrality(graph), [known[v] for v in range(graph.num_vertices)])
        close_pairs(
            graph, edge_betweenness_centrality(graph), nx.edge_betweenness_centrality(other)
        )


@pytest.mark.parametrize("directed", [False, True])
def test_wide_levels_on_a_team(directed):
    graph = random_graph(3000, 20_000, directed=directed)
    sources = [0, 5, 1234]
    vertices, arcs = brandes(graph, sources)
    scale = 1 if directed else 0.5
    arcs = along_both(graph, arcs)
    for team in TEAMS:
        with threads(team):
            found = betweenness_centrality(graph, sources=sources, normalized=False)
            close(found, scale * vertices)
            found = edge_betweenness_centrality(graph, sources=sources, normalized=False)
            close(found, scale * arcs)


@given(graphs(most=9), st.data(), FLAGS, FLAGS)
@settings(max_examples=60)
def test_sampled_sources_are_scaled_as_networkx_does(graph, data, normalized, endpoints):
    n = graph.num_vertices
    k, seed = data.draw(st.integers(1, n)), data.draw(st.integers(0, 5))
    with observe(Trace()) as trace:
        found = betweenness_centrality(
            graph, k=k, seed=seed, normalized=normalized, endpoints=endpoints
        )
    assert trace.rows[-1]["done"] == trace.rows[-1]["total"] == k
    chosen = check_sample(graph, k, seed).tolist()
    assert len(set(chosen)) == k
    raw, arcs = brandes(graph, chosen, endpoints=endpoints)
    scale = networkx_scale(graph, k=k, chosen=chosen, normalized=normalized, ends=endpoints)
    close(found, raw * scale)
    of_edges = edge_betweenness_centrality(graph, k=k, seed=seed, normalized=normalized)
    scale = networkx_scale(graph, k=k, chosen=chosen, normalized=normalized, ends=True)
    close(of_edges, along_both(graph, arcs) * scale)


class Sampler(random.Random):
    """Draws the sources that it was told."""

    def __init__(self, chosen):
        super().__init__(0)
        self.chosen = chosen

    def sample(self, population, k):
        assert k == len(self.chosen)
        return self.chosen


@pytest.mark.skipif(NETWORKX < (3, 6), reason="NetworkX before 3.6 scales samples in another way")
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
def test_sampled_as_networkx_from_the_same_sources(directed, normalized):
    graph = random_graph(40, 120, directed=directed)
    other, options = to_networkx(graph), {"k": 7, "normalized": normalized}
    found = betweenness_centrality(graph, seed=3, **options)
    chosen = check_sample(graph, 7, 3).tolist()
    known = nx.betweenness_centrality(other, seed=Sampler(chosen), **options)
    close(found, [known[v] for v in range(40)])
    found = betweenness_centrality(graph, seed=3, endpoints=True, **options)
    known = nx.betweenness_centrality(other, seed=Sampler(chosen), endpoints=True, **options)
    close(found, [known[v] for v in range(40)])
    found = edge_betweenness_centrality(graph, seed=3, **options)
    known = nx.edge_betweenness_centrality(other, seed=Sampler(chosen), **options)
    close_pairs(graph, found, known)


def test_one_sampled_source_knows_nothing_of_itself():
    found = betweenness_centrality(shape("cycle"), k=1, seed=1)
    assert np.isnan(found).sum() == 1


def test_all_vertices_sampled_is_exact():
    graph = random_graph(30, 60)
    close(betweenness_centrality(graph, k=30), betweenness_centrality(graph))
    close(edge_betweenness_centrality(graph, k=30), edge_betweenness_centrality(graph))


def test_the_seed_decides_the_sample_alone():
    graph = random_graph(200, 600)
    first = betweenness_centrality(graph, k=5, seed=1)
    for team in TEAMS:
        with threads(team):
            np.testing.assert_array_equal(betweenness_centrality(graph, k=5, seed=1), first)
    assert not np.allclose(betweenness_centrality(graph, k=5, seed=2), first)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("normalized", [False, True])
def test_chosen_sources_as_networkxs_subset(directed, normalized):
    graph = random_graph(40, 120, directed=directed)
    other, sources = to_networkx(graph), [3, 0, 17]
    known = nx.betweenness_centrality_subset(other, sources, range(40), normalized=normalized)
    found = betweenness_centrality(graph, sources=sources, normalized=normalized)
    close(found, [known[v] for v in range(40)])
    close(betweenness_centrality(graph, sources=np.array(sources), normalized=normalized), found)
    known = nx.edge_betweenness_centrality_subset(other, sources, range(40), normalized=normalized)
    found = edge_betweenness_centrality(graph, sources=sources, normalized=normalized)
    close_pairs(graph, found, known)


def test_one_entry_per_edge():
    graph = random_graph(60, 150)
    assert edge_betweenness_centrality(graph).shape == (graph.num_edges,)


def diamonds(count: int) -> Graph:
    """Diamonds in a row: 2**count shortest paths from end to end."""
    start = 3 * np.arange(count)
    sources = np.concatenate([start, start, start + 1, start + 2])
    targets = np.concatenate([start + 1, start + 2, start + 3, start + 3])
    return Graph.from_edges(sources, targets)


@pytest.mark.parametrize("count", [60, 1500, 2100])
def test_very_many_paths(count):
    """Beyond 2**53 counts are rounded, beyond 2**1990 they are wide."""
    graph, sources = diamonds(count), [0, 1, 90]
    vertices, arcs = brandes(graph, sources)
    for team in TEAMS:
        with threads(team):
            found = betweenness_centrality(graph, sources=sources, normalized=False)
            close(found, vertices / 2)
            found = edge_betweenness_centrality(graph, sources=sources, normalized=False)
            close(found, along_both(graph, arcs) / 2)


def fan(levels: int, width: int, *, directed: bool) -> Graph:
    """Levels of which everyone leads to the next, skewed: some vertices have few paths behind."""
    at, ahead = np.divmod(np.arange(levels * width * width), width)
    level, u = np.divmod(at, width)
    keep = (u + ahead + level) % 3 > 0
    keep |= u == ahead
    sources, targets = level * width + u, (level + 1) * width + ahead
    first = np.full(width, (levels + 1) * width)
    sources, targets = np.r_[sources[keep], first], np.r_[targets[keep], np.arange(width)]
    return Graph.from_edges(sources, targets, directed=directed)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("levels", [100, 1000])
def test_counts_that_float64_cannot_hold(levels, directed):
    graph = fan(levels, 8, directed=directed)
    sources = [graph.num_vertices - 1, 3]
    vertices, arcs = brandes(graph, sources)
    scale = 1 if directed else 0.5
    for team in TEAMS:
        with threads(team):
            found = betweenness_centrality(graph, sources=sources, normalized=False)
            np.testing.assert_allclose(found, scale * vertices, rtol=1e-9, atol=1e-9)
            found = edge_betweenness_centrality(graph, sources=sources, normalized=False)
            known = scale * along_both(graph, arcs)
            np.testing.assert_allclose(found, known, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("function", [betweenness_centrality, edge_betweenness_centrality])
@pytest.mark.parametrize("name", ["grid", "fan", "wide fan", "random"])
def test_the_same_bits_every_time(function, name):
    """Path counts beyond 2**53, so that the order of additions would show."""
    graph = {
        "grid": lambda: generators.grid_2d(150, 150),
        "fan": lambda: fan(40, 60, directed=False),
        "wide fan": lambda: fan(500, 20, directed=True),
        "random": lambda: random_graph(3000, 20_000),
    }[name]()
    for team in TEAMS:
        with threads(team):
            first = function(graph, k=2, seed=5)
            for _ in range(5):
                np.testing.assert_array_equal(function(graph, k=2, seed=5), first)


@pytest.mark.slow
def test_a_grid_of_two_thousand_by_two_thousand():
    """From a corner: binomial counts of up to 2**3996 paths, and credits that add up."""
    side = 2000
    graph = generators.grid_2d(side, side)
    found = betweenness_centrality(graph, sources=[0], normalized=False).reshape(side, side) * 2
    i, j = np.indices((side, side))
    # A path to a vertex at distance d has d - 1 vertices inside.
    distance = (i + j).ravel()
    assert found.sum() == pytest.approx((distance[1:] - 1).sum(), rel=1e-8)
    np.testing.assert_allclose(found, found.T, rtol=1e-7, atol=1e-6)
    # All vertices of one level carry, together, the paths to all that lie deeper.
    level = np.bincount(distance, found.ravel())
    deeper = np.bincount(distance)[::-1].cumsum()[::-1]
    np.testing.assert_allclose(level[1:-1], deeper[2:], rtol=1e-8)
    # Along the border, every step is one of two ways with known chances.
    share = binomial_shares(side, 40)
    np.testing.assert_allclose(found[0, 1:40], share[1:40], rtol=1e-8)


def binomial_shares(side: int, count: int) -> np.ndarray:
    """How many paths from the corner pass the vertices (0, 1), (0, 2), ... of the border, each.

    To (a, b) there are C(a + b, a) paths, C(a + b - j, a) of them over (0, j).
    """
    from scipy.special import gammaln

    a, b = np.indices((side, side))
    share = np.zeros(count)
    for j in range(1, count):
        there = (b >= j) & (a + b > j)
        x, y = a[there], b[there]
        chance = gammaln(x + y - j + 1) - gammaln(y - j + 1) - gammaln(x + y + 1) + gammaln(y + 1)
        share[j] = np.exp(chance).sum()
    return share


def test_nothing_is_changed_and_weights_do_not_matter():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 0.0, 9.0])
    before = graph.copy()
    assert betweenness_centrality(graph).tolist() == [0, 0, 0]
    assert edge_betweenness_centrality(graph, normalized=False).tolist() == [1] * 3
    assert graph == before


def test_observer_hears_of_every_source():
    with observe(Trace()) as trace:
        betweenness_centrality(shape("cycle"))
    assert trace.rows[-1]["done"] == trace.rows[-1]["total"] == 9
    lengths = np.ones(shape("cycle").num_edges)
    with observe(Trace()) as trace:
        betweenness_centrality(shape("cycle"), weights=lengths)
    assert [row["source"] for row in trace.rows if "source" in row] == list(range(9))


@pytest.mark.parametrize("function", [betweenness_centrality, edge_betweenness_centrality])
def test_errors(function):
    graph = shape("cycle")
    with pytest.raises(TypeError, match="give k or sources, not both"):
        function(graph, k=2, sources=[1])
    with pytest.raises(ValueError, match=r"k must be at most the number of vertices \(9\), got 10"):
        function(graph, k=10)
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        function(graph, k=0)
    with pytest.raises(TypeError, match="k must be a whole number, got 2.0"):
        function(graph, k=2.0)
    with pytest.raises(ValueError, match=r"sources\[1\] must be a vertex id from 0 to 8, got 9"):
        function(graph, sources=[0, 9])
    with pytest.raises(TypeError, match="sources must be vertex ids"):
        function(graph, sources=[0.5])
    with pytest.raises(TypeError, match="seed must be a whole number, got 'x'"):
        function(graph, k=2, seed="x")


@pytest.mark.slow
@given(graphs(most=9, lengths=st.integers(1, 4)), FLAGS, FLAGS, st.sampled_from(TEAMS))
@settings(max_examples=60)
def test_by_length_as_networkx(graph, normalized, endpoints, team):
    options, other = {"normalized": normalized, "endpoints": endpoints}, to_networkx(graph)
    known = nx.betweenness_centrality(other, weight="weight", **options)
    of_edges = nx.edge_betweenness_centrality(other, weight="weight", normalized=normalized)
    with threads(team):
        found = betweenness_centrality(graph, weights="weight", **options)
        close(found, [known[v] for v in range(graph.num_vertices)])
        halves = betweenness_centrality(graph, weights=graph.edges()[2] / 2, **options)
        close(halves, found)
        along = edge_betweenness_centrality(graph, weights="weight", normalized=normalized)
    close_pairs(graph, along, of_edges)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
def test_by_length_on_a_team(directed):
    """Lengths with many equally long paths, from a few sources, as NetworkX's subset has it."""
    graph = random_graph(300, 1500, directed=directed)
    u, v, _ = graph.arcs()
    graph = Graph(graph.indptr, graph.indices, 1 + (u + v) % 3, directed=directed)
    other, sources = to_networkx(graph), [0, 5, 123]
    known = nx.betweenness_centrality_subset(other, sources, range(300), weight="weight")
    for team in TEAMS:
        with threads(team):
            found = betweenness_centrality(
                graph, sources=sources, weights="weight", normalized=False
            )
        close(found, [known[v] for v in range(300)])


@pytest.mark.slow
def test_lengths_of_one_are_hops():
    graph = random_graph(60, 150)
    ones = np.ones(graph.num_edges)
    close(betweenness_centrality(graph, weights=ones), betweenness_centrality(graph))
    close(edge_betweenness_centrality(graph, weights=ones), edge_betweenness_centrality(graph))


def test_lengths_must_be_positive():
    graph = Graph.from_edges([0, 1], [1, 2], [1, 0])
    for function in (betweenness_centrality, edge_betweenness_centrality):
        with pytest.raises(ValueError, match=r"weights must be positive: .* got 0 on edge 1 \(1 -"):
            function(graph, weights="weight")
        function(graph)

"""`sssp`: the laws of its answer under all kinds of lengths, NetworkX's and SciPy's distances."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, Trace, bfs, observe, sssp, threads
from edgewise.graph.edges import Arcs
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.verify import check_paths
from tests.tiers import later

FAR = np.iinfo(np.int64).max
TIES = st.sampled_from([0.0, 0.0, 1.0, 1.0, 2.0, 3.5])
ODD = st.sampled_from([0.0, 5e-324, 1e-300, 1e-17, 0.1, 1.0, 1e17, 1e300, np.inf])


@given(graphs(lengths=TIES), st.integers(0, 11), st.sampled_from(TEAMS))
def test_ties_and_zeros(graph, source, team):
    source %= graph.num_vertices
    with threads(team):
        paths = sssp(graph, source)
    check_paths(graph, source, paths, graph.weights)
    known = nx.single_source_dijkstra_path_length(to_networkx(graph), source)
    assert paths.distance.tolist() == [known.get(v, np.inf) for v in range(graph.num_vertices)]


@given(graphs(lengths=ODD), st.integers(0, 11))
def test_tiny_huge_and_infinite(graph, source):
    source %= graph.num_vertices
    check_paths(graph, source, sssp(graph, source), graph.weights)


@given(graphs(lengths=st.floats(0, 1e6)), st.floats(1e-3, 1e9))
@settings(max_examples=50)
def test_any_delta_gives_the_same(graph, delta):
    paths = sssp(graph, 0, delta=delta)
    check_paths(graph, 0, paths, graph.weights)
    assert paths.distance.tolist() == sssp(graph, 0).distance.tolist()


@pytest.mark.parametrize("dtype", [later(np.int32), np.int64, later(np.float32), np.float64])
@pytest.mark.parametrize("directed", [False, True])
def test_agrees_with_scipy(dtype, directed):
    from scipy.sparse.csgraph import dijkstra

    graph = random_graph(3000, 20_000, directed=directed)
    lengths = symmetric_lengths(graph, dtype)
    weighted = graph.with_weights(Arcs(lengths))
    for source in (0, 2999):
        known = dijkstra(weighted.to_scipy().astype(np.float64), indices=source)
        for team in TEAMS:
            with threads(team):
                paths = sssp(weighted, source)
            check_paths(graph, source, paths, lengths)
            if weighted.weights.dtype.kind == "i":
                assert paths.distance.dtype == np.int64
                known = np.where(np.isinf(known), float(FAR), known)
            else:
                assert paths.distance.dtype == np.float64
            np.testing.assert_allclose(paths.distance.astype(np.float64), known, rtol=1e-12)


@pytest.mark.parametrize("team", TEAMS)
def test_road_like_lengths(team):
    """Long and thin: many buckets, few vertices in each."""
    from scipy.sparse.csgraph import dijkstra

    side = np.arange(100 * 100).reshape(100, 100)
    sources = np.concatenate([side[:, :-1].ravel(), side[:-1].ravel()])
    targets = np.concatenate([side[:, 1:].ravel(), side[1:].ravel()])
    lengths = np.random.default_rng(1).uniform(0.1, 10, len(sources))
    graph = Graph.from_edges(sources, targets, lengths)
    with threads(team):
        paths = sssp(graph, 0)
    check_paths(graph, 0, paths, graph.weights)
    np.testing.assert_allclose(paths.distance, dijkstra(graph.to_scipy(), indices=0))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_unit_lengths_are_hops(name, directed):
    graph = shape(name, directed=directed)
    source = graph.num_vertices // 2
    paths, levels = sssp(graph, source), bfs(graph, source)
    check_paths(graph, source, paths)
    assert paths.distance.dtype == np.int64
    assert np.minimum(paths.distance, 2**31 - 1).tolist() == levels.distance.tolist()


def test_unit_and_array_override_the_graphs_own():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 9.0])
    assert sssp(graph, 0).distance.tolist() == [0, 1, 2]
    assert sssp(graph, 0, weights=None).distance.tolist() == [0, 1, 1]
    lengths = graph.edges()[2] * 2
    before = lengths.copy()
    paths = sssp(graph, 0, weights=lengths)
    assert paths.distance.tolist() == [0, 2, 4]
    assert lengths.tolist() == before.tolist()
    plain = Graph.from_edges([0, 1, 0], [1, 2, 2])
    assert sssp(plain, 0, weights=lengths).parent.tolist() == [0, 0, 1]
    assert sssp(plain, 0, weights=[5, 5, 1]).distance.dtype == np.int64


@given(graphs(directed=False, most=8), st.data())
@settings(max_examples=50)
def test_an_array_has_one_entry_per_edge(graph, data):
    """It holds for both directions of an undirected edge."""
    one = st.integers(0, 5).map(float)
    lengths = data.draw(st.lists(one, min_size=graph.num_edges, max_size=graph.num_edges))
    paths = sssp(graph, 0, weights=lengths)
    check_paths(graph, 0, paths, np.array(lengths)[graph.arc_to_edge])


def test_zero_cycles_form_a_tree():
    """A clique and a ring at distance 3, all of zero length inside, entered by one edge each."""
    n = 60
    ring = [(i, (i + 1) % n, 0.0) for i in range(n)]
    clique = [(n + i, n + j, 0.0) for i in range(8) for j in range(i)]
    entries = [(n + 8, 5, 3.0), (n + 8, n + 3, 3.0), (n + 8, n + 9, 0.0), (n + 9, n + 8, 0.0)]
    for directed in (False, True):
        sources, targets, lengths = zip(*ring, *clique, *entries, strict=True)
        graph = Graph.from_edges(sources, targets, lengths, directed=directed)
        for team in TEAMS:
            with threads(team):
                check_paths(graph, n + 8, sssp(graph, n + 8), graph.weights)


def test_everything_at_distance_zero_on_a_team():
    graph = random_graph(3000, 20_000)
    lengths = np.zeros(graph.num_arcs)
    for team in TEAMS:
        with threads(team):
            paths = sssp(graph, 0, weights=lengths[graph.edge_to_arc])
        check_paths(graph, 0, paths, lengths)


def test_absorbed_lengths_form_a_tree():
    """1e17 + 1 == 1e17: edges that add length and yet change nothing."""
    n = 50
    sources = np.arange(n)
    lengths = np.array([1e17] + [1.0] * (n - 1))
    graph = Graph.from_edges(sources, sources + 1, lengths)
    paths = sssp(graph, 0)
    check_paths(graph, 0, paths, graph.weights)
    assert paths.distance[1:].tolist() == [1e17] * n


def test_infinite_lengths_lead_nowhere():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1.0, np.inf, 1.0])
    paths = sssp(graph, 0)
    assert paths.distance.tolist() == [0, 1, np.inf, np.inf]
    assert paths.parent.tolist() == [0, 0, -1, -1]


def test_float32_lengths_add_up_in_float64():
    graph = Graph.from_edges(np.arange(1000), np.arange(1000) + 1, np.full(1000, 0.1, np.float32))
    assert sssp(graph, 0).distance[1000] == pytest.approx(1000 * float(np.float32(0.1)), rel=1e-12)


def test_integer_lengths_are_exact():
    big = 2**60 + 1
    graph = Graph.from_edges([0, 1], [1, 2], np.array([big, big + 2]))
    assert sssp(graph, 0).distance.tolist() == [0, big, 2 * big + 2]
    narrow = Graph.from_edges([0, 1], [1, 2], np.full(2, 2**31 - 1, np.int32))
    assert sssp(narrow, 0).distance.tolist() == [0, 2**31 - 1, 2**32 - 2]


def test_integer_distances_that_overflow_are_an_error():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([2**62, 2**62, 1]))
    with pytest.raises(ValueError, match="weights must .*int64"):
        sssp(graph, 0)


def test_path_and_labels():
    graph = Graph.from_edges(["a", "b", "a"], ["b", "c", "c"], [1, 1, 5])
    paths = sssp(graph, graph.vertex("a"))
    assert graph.label(paths.path_to(graph.vertex("c"))).tolist() == ["a", "b", "c"]
    assert graph.table(paths).loc["c", "distance"] == 2


def test_nothing_is_changed():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 0.0, 9.0])
    before = graph.copy()
    sssp(graph, 0)
    assert graph == before


def test_observer_hears_of_progress():
    graph = random_graph(3000, 20_000)
    with observe(Trace()) as trace:
        sssp(graph.with_weights(Arcs(symmetric_lengths(graph, np.float64))), 0)
    assert trace.rows and trace.rows[-1]["edges"] > 0


@pytest.mark.parametrize("bad", [-1.0, -1e-300, -np.inf, np.nan])
def test_bad_lengths_are_named(bad):
    graph = Graph.from_edges([0, 2, 1], [1, 3, 2], [1.0, bad, 2.0], directed=True)
    with pytest.raises(ValueError, match=r"weights must .* on edge 2 \(2 -> 3\)"):
        sssp(graph, 0)
    with pytest.raises(ValueError, match=r"weights must .* on edge 2 \(2 -> 3\)"):
        sssp(graph, 0)  # a second time too: nothing was kept
    with pytest.raises(ValueError, match=r"weights must .* on edge 1 \(1 -> 2\)"):
        sssp(graph, 0, weights=[1.0, bad, 0.0])
    assert sssp(graph, 0, weights=None).distance.tolist() == [0, 1, 2, 3]


def test_negative_integers_are_named():
    graph = Graph.from_edges([0, 1], [1, 2], [1, -2], directed=True)
    with pytest.raises(ValueError, match=r"got -2 on edge 1 \(1 -> 2\)"):
        sssp(graph, 0)


def test_other_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, 2.0])
    with pytest.raises(ValueError, match="source must be a vertex id from 0 to 2, got 3"):
        sssp(graph, 3)
    with pytest.raises(ValueError, match=r"weights must have one entry per edge \(2\), .* got 3"):
        sssp(graph, 0, weights=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="weights must name a column .* got 'length'"):
        sssp(graph, 0, weights="length")
    with pytest.raises(TypeError, match="weights must be real numbers"):
        sssp(graph, 0, weights=[1j] * 2)
    for delta in (0, -1.0, np.nan):
        with pytest.raises(ValueError, match="delta must be a finite number, positive"):
            sssp(graph, 0, delta=delta)


def symmetric_lengths(graph: Graph, dtype: type) -> np.ndarray:
    """Lengths from 0 to 99, the same both ways where the graph is undirected."""
    u, v, _ = graph.arcs()
    low, high = (u, v) if graph.directed else (np.minimum(u, v), np.maximum(u, v))
    return ((low.astype(np.int64) * 7919 + high * 104_729) % 100).astype(dtype)

"""`label_propagation`: every label is a best one in the end, and communities are found."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, Trace, generators, observe, read, threads
from edgewise.communities import label_propagation, modularity, normalized_mutual_info_score
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape
from tests.algorithms.test_small_graphs import both_ways


def check(graph, label, weights="weight"):
    """Labels are the smallest vertices of their communities, and no other one is more frequent."""
    assert label.dtype == graph.indices.dtype and label.shape == (graph.num_vertices,)
    for name in np.unique(label).tolist():
        assert np.flatnonzero(label == name)[0] == name
    u, v, own = graph.arcs()
    weights = own if isinstance(weights, str) else weights
    weights = np.ones(graph.num_arcs) if weights is None else weights
    votes = [Counter() for _ in range(graph.num_vertices)]
    for a, b, weight in zip(u.tolist(), v.tolist(), weights.tolist(), strict=True):
        votes[a][int(label[b])] += weight
    for vertex, count in enumerate(votes):
        assert count[int(label[vertex])] == max(count.values(), default=0)


def alike(graph, **options):
    """The labels by weight, which are the same as of a small graph and as of a large one."""
    options = {"weights": "weight", **options}
    small, large = both_ways(graph, lambda one: label_propagation(one, **options))
    assert small.dtype == large.dtype and small.tolist() == large.tolist()
    return small


def sparse(mu, n=100_000, max_community=700):
    """Known communities in a graph of which most vertices have two or three edges."""
    return generators.lfr_benchmark(
        n, mu=mu, tau1=3.0, average_degree=4.3, max_degree=max_community - 100 or 50,
        min_community=30, max_community=max_community, seed=1,
    ).graph  # fmt: skip


@given(graphs(directed=False), st.sampled_from(TEAMS), st.integers(0, 99))
def test_any_graph(graph, team, seed):
    with threads(team):
        check(graph, alike(graph, seed=seed))


@given(graphs(directed=False, lengths=st.integers(0, 5)), st.integers(0, 9))
def test_any_weights(graph, seed):
    check(graph, alike(graph, seed=seed))


@given(graphs(directed=False, lengths=st.sampled_from([0.0, 0.5, 1.0, 1e300])),
       st.integers(0, 2**64 - 1), st.integers(0, 50))  # fmt: skip
def test_after_any_round(graph, seed, rounds):
    alike(graph, seed=seed, max_iter=rounds)
    alike(graph, seed=seed, max_iter=rounds, weights=None)


@pytest.mark.parametrize("dtype", [np.int32, np.uint16, np.float32])
def test_types_of_weights(dtype):
    graph = random_graph(500, 2000)
    weights = np.random.default_rng(1).integers(0, 4, graph.num_edges).astype(dtype)
    found = alike(graph, weights=weights)
    assert found.tolist() == label_propagation(graph, weights=weights.astype(np.int64)).tolist()


def test_sums_beyond_float64():
    """Votes that only whole numbers tell apart from others."""
    graph = random_graph(60, 200)
    heavy = 2**53 + np.random.default_rng(2).integers(0, 3, graph.num_edges)
    alike(graph, weights=heavy)


def test_observers_change_nothing():
    graph = random_graph(300, 700)
    with observe(Trace()) as small:
        found = label_propagation(graph)
    assert found.tolist() == label_propagation(graph).tolist()
    with pytest.MonkeyPatch.context() as patch, observe(Trace()) as large:
        patch.setattr("edgewise.base.threads.SERIAL_WORK", 0)
        label_propagation(graph)
    rounds = [[row["iteration"] for row in trace.rows if row.get("phase") == "spread"]
              for trace in (small, large)]  # fmt: skip
    assert rounds[0] == rounds[1]


def test_one_thread_can_be_interrupted():
    """An observer that raises ends the call between two rounds."""

    def stop(iteration, **counts):
        if iteration == 3:
            raise KeyboardInterrupt

    with observe(stop), pytest.raises(KeyboardInterrupt):
        label_propagation(random_graph(300, 700))


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    found = label_propagation(graph)
    check(graph, found)
    for team in TEAMS:
        with threads(team):
            assert alike(graph).tolist() == found.tolist()


def test_equal_for_every_number_of_threads():
    graph = random_graph(4000, 20_000)
    for seed in (0, 7):
        found = []
        for team in TEAMS:
            with threads(team):
                found.append(alike(graph, seed=seed).tolist())
        assert found[0] == found[1] == found[2]
        check(graph, np.array(found[0], graph.indices.dtype))


def test_seeds_differ():
    graph = sparse(0.4, n=1000, max_community=100)
    found = {tuple(label_propagation(graph, seed=seed).tolist()) for seed in range(5)}
    assert len(found) == 5


def test_cliques_joined_by_an_edge():
    clique = [(i, j) for i in range(6) for j in range(i)]
    edges = [(10 * a + i, 10 * a + j) for a in range(4) for i, j in clique]
    edges += [(10 * a, 10 * a + 11) for a in range(3)]
    u, v = np.array(edges).T
    graph = Graph.from_edges(u, v)
    label = label_propagation(graph)
    assert all(label[10 * a + i] == 10 * a for a in range(4) for i in range(6))
    assert label[6] == 6, "an isolated vertex is a community"


def test_planted_communities():
    graph, block = generators.planted_partition(4, 50, p_in=0.3, p_out=0.01, seed=1)
    for seed in range(3):
        label = label_propagation(graph, seed=seed)
        check(graph, label)
        assert label.tolist() == (50 * block).tolist()


def test_sparse_graphs_do_not_fall_to_pieces():
    """Where ties keep labels, there are 900 communities, of a modularity of 0.54."""
    graph = sparse(0.1, n=5000, max_community=150)
    label = label_propagation(graph)
    check(graph, label)
    assert modularity(graph, label) > 0.8 and len(np.unique(label)) < 150


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.1, 0.2, 0.3, 0.4, 0.5])
def test_at_least_as_good_as_networkit(mu):
    compare_with_networkit(sparse(mu))


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", ["com-dblp", "LFR_N100000_mu0.3", "LFR_N100000_mu0.5"])
@pytest.mark.filterwarnings("ignore:.*was not read")
def test_real_graphs_at_least_as_good_as_networkit(name, shared_graphs):
    compare_with_networkit(read(shared_graphs / f"{name}.csv.gz", format="edges"))


def compare_with_networkit(graph):
    networkit = pytest.importorskip("networkit")
    graph = graph.with_weights(None).without_self_loops()
    u, v, _ = graph.edges()
    n, ends = graph.num_vertices, (u.astype(np.uint64), v.astype(np.uint64))
    other = networkit.GraphFromCoo((np.ones(len(u)), ends), n=n, directed=False)
    known = networkit.community.PLP(other).run().getPartition()
    known = np.unique(known.getVector(), return_inverse=True)[1]
    assert modularity(graph, label_propagation(graph)) >= modularity(graph, known)


def test_both_sides_of_a_bipartite_graph_come_to_rest():
    """Where all look in every round, the sides swap their labels for ever."""
    left, right = np.divmod(np.arange(400), 20)
    graph = Graph.from_edges(left, right + 20)
    assert label_propagation(graph).tolist() == [0] * 40


def test_heavy_edges_hold_together():
    """A cycle of four with two heavy edges, whose ends go together."""
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [9.0, 0.5, 9.0, 0.5])
    assert label_propagation(graph, weights="weight").tolist() == [0, 0, 2, 2]
    assert label_propagation(graph).tolist() == label_propagation(graph.with_weights(None)).tolist()
    light = 9.5 - graph.edges()[2]
    assert label_propagation(graph, weights=light).tolist() == [0, 1, 1, 0]


def test_a_loop_is_a_vote_for_oneself():
    graph = Graph.from_edges([0, 0, 1], [0, 1, 1], [5, 1, 5])
    assert label_propagation(graph, weights="weight").tolist() == [0, 1]
    plain = graph.without_self_loops()
    assert label_propagation(plain, weights="weight").tolist() == [0, 0]


def test_it_goes_on_until_all_labels_are_best():
    """A path whose labels spread from one end: each of its weights is more than all before."""
    n = 300
    graph = Graph.from_edges(np.arange(n - 1), np.arange(1, n), np.arange(n - 1, 0.0, -1))
    with observe(Trace()) as trace:
        label = label_propagation(graph, weights="weight")
    rounds = [row for row in trace.rows if row.get("phase") == "spread"]
    assert len(rounds) > 100 and label.tolist() == [0] * n
    check(graph, label)
    assert label_propagation(graph, weights="weight", max_iter=100).tolist() != label.tolist()


def test_few_rounds_and_none():
    graph = shape("path")
    assert label_propagation(graph, max_iter=0).tolist() == list(range(150))
    assert len(set(label_propagation(graph, max_iter=1).tolist())) > 75


def test_errors():
    graph = Graph.from_edges([0, 1], [1, 2], [1.0, -1.0])
    with pytest.raises(ValueError, match="weights must not be negative or NaN"):
        label_propagation(graph, weights="weight")
    with pytest.raises(ValueError, match="max_iter must be at least 0"):
        label_propagation(graph, max_iter=-1)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        label_propagation(graph, seed=0.5)
    with pytest.raises(ValueError, match="label_propagation needs an undirected graph"):
        label_propagation(shape("path", directed=True))


def all_at_once(graph, rounds):
    """The same by counting; a label's group is named by its smallest vertex."""
    label = list(range(graph.num_vertices))
    for _ in range(rounds):
        votes = [Counter(label[u] for u in graph.neighbors(v).tolist()) for v in range(len(label))]
        label = [min(one, key=lambda x, one=one: (-one[x], x)) if one else label[v]
                 for v, one in enumerate(votes)]  # fmt: skip
    return [label.index(x) for x in label]


@given(graphs(directed=False), st.integers(0, 4))
@settings(max_examples=30)
def test_all_at_once(graph, rounds):
    found = label_propagation(graph, max_iter=rounds, schedule="all")
    assert found.tolist() == all_at_once(graph, rounds)


def test_all_at_once_needs_an_end():
    with pytest.raises(ValueError, match="max_iter must be given with schedule"):
        label_propagation(shape("star"), schedule="all")
    with pytest.raises(
        ValueError, match="schedule must be one of 'half', 'all', 'asynchronous', got 'some'"
    ):
        label_propagation(shape("star"), schedule="some")


@given(graphs(directed=False, lengths=st.integers(0, 5)), st.integers(0, 9))
def test_asynchronous_labels_of_any_graph(graph, seed):
    options = {"schedule": "asynchronous", "seed": seed}
    check(graph, label_propagation(graph, weights="weight", **options))
    check(graph, label_propagation(graph, **options), weights=None)


@pytest.mark.parametrize("name", SHAPES)
def test_asynchronous_labels_of_shapes(name):
    for seed in range(3):
        check(shape(name), label_propagation(shape(name), schedule="asynchronous", seed=seed), None)


def test_asynchronous_labels_find_communities():
    graph, known = generators.planted_partition(8, 50, p_in=0.4, p_out=0.005, seed=1)
    found = {}
    for seed in range(4):
        for team in (1, 3):
            with threads(team):
                one = label_propagation(graph, schedule="asynchronous", seed=seed)
            assert found.setdefault(seed, one.tolist()) == one.tolist()
        assert normalized_mutual_info_score(known, one) > 0.9
    rough = label_propagation(random_graph(300, 900), schedule="asynchronous", max_iter=1)
    assert len(set(map(tuple, found.values()))) > 0 and rough.num_communities > 1
    assert label_propagation(graph, schedule="asynchronous", max_iter=0).num_communities == 400
    with pytest.raises(ValueError, match="schedule must be"):
        label_propagation(graph, schedule="other")

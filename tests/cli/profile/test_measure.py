"""What a profile measures, against NetworkX and against counting by hand."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.cli.profile import STEPS, measure
from edgewise.cli.profile.core_kernels import core_numbers
from edgewise.cli.profile.degrees import degrees, log_bins, thin
from edgewise.cli.profile.distances import distances, percentile
from edgewise.cli.profile.structure import cores, sizes
from edgewise.cli.profile.triangles import triangles
from edgewise.generators import barabasi_albert, grid_2d, karate_club, rmat
from edgewise.graph import Graph
from edgewise.graph.labels import Labels


@pytest.fixture(scope="module")
def karate():
    return measure(karate_club())


def test_sizes_and_degrees(karate):
    assert karate["sizes"]["vertices"] == 34
    assert karate["sizes"]["edges"] == 78
    degree = karate["degrees"]["degree"]
    known = sorted(dict(nx.karate_club_graph().degree).values())
    assert (degree["min"], degree["max"]) == (1, 17)
    assert degree["median"] == known[16]
    assert degree["mean"] == pytest.approx(156 / 34)
    assert sum(one["count"] for one in degree["bins"]) == 34
    assert degree["points"][0] == [1, 1, 34]


def test_karate_against_networkx(karate):
    known = nx.karate_club_graph()
    assert karate["components"]["count"] == 1
    assert karate["distances"]["exact"]
    assert karate["distances"]["longest"] == nx.diameter(known)
    assert karate["distances"]["mean"] == pytest.approx(nx.average_shortest_path_length(known))
    assert karate["triangles"]["total"] == sum(nx.triangles(known).values()) // 3
    assert karate["triangles"]["transitivity"] == pytest.approx(nx.transitivity(known))
    assert karate["triangles"]["average_clustering"] == pytest.approx(nx.average_clustering(known))
    assert karate["cores"]["degeneracy"] == max(nx.core_number(known).values())
    rank = nx.pagerank(known, weight=None)
    top = [row["vertex"] for row in karate["ranks"]["top"]]
    assert top == sorted(rank, key=rank.get, reverse=True)[:10]
    assert karate["ranks"]["top"][0]["degree"] == 16 + (top[0] == 33)


def test_every_step_is_timed_and_announced():
    heard = []
    found = measure(grid_2d(3, 3), step=heard.append)
    assert tuple(heard) == STEPS == tuple(found["timings"])


def test_directed_graph():
    known = nx.gnp_random_graph(40, 0.06, seed=3, directed=True)
    found = measure(Graph.from_networkx(known))
    assert found["sizes"]["reciprocity"] == pytest.approx(nx.overall_reciprocity(known))
    assert found["components"]["count"] == nx.number_weakly_connected_components(known)
    assert found["degrees"]["in"]["max"] == max(dict(known.in_degree).values())
    lengths = [d for _, row in nx.all_pairs_shortest_path_length(known) for d in row.values() if d]
    assert found["distances"]["mean"] == pytest.approx(np.mean(lengths))
    assert found["distances"]["reachable"] == pytest.approx(len(lengths) / (40 * 39))
    beneath = nx.Graph(known)
    assert found["triangles"]["transitivity"] == pytest.approx(nx.transitivity(beneath))
    assert found["cores"]["degeneracy"] == max(nx.core_number(beneath).values())


ODD = {
    "empty": Graph.from_edges([], [], num_vertices=0),
    "one": Graph.from_edges([], [], num_vertices=1),
    "isolated": Graph.from_edges([], [], num_vertices=5),
    "loop": Graph.from_edges([0], [0]),
    "edge": Graph.from_edges([0], [1]),
    "arc": Graph.from_edges([0], [1], directed=True),
    "negative": Graph.from_edges([0, 1, 2], [1, 2, 2], [-1.0, 2.0, 0.5]),
    "infinite": Graph.from_edges([0, 1], [1, 2], [np.inf, 2.0]),
    "named": Graph.from_edges(["a", "<b>"], ["<b>", "c&d"], directed=True),
    "no arcs": Graph.from_edges([], [], num_vertices=3, directed=True),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_graphs_give_a_json_document(name):
    found = measure(ODD[name])
    json.dumps(found, allow_nan=False)
    assert found["sizes"]["vertices"] == ODD[name].num_vertices


@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=60), st.integers(12, 14)
)
def test_core_numbers_are_networkxs(pairs, n):
    known = nx.Graph()
    known.add_nodes_from(range(n))
    known.add_edges_from((u, v) for u, v in pairs if u != v)
    ends = np.array(list(known.edges), np.int64).reshape(-1, 2)
    graph = Graph.from_edges(ends[:, 0], ends[:, 1], num_vertices=n)
    expected = [core for _, core in sorted(nx.core_number(known).items())]
    assert core_numbers(graph.indptr, graph.indices).tolist() == expected


def test_core_sizes_count_what_is_inside():
    found = cores(karate_club())
    core = np.array(list(nx.core_number(nx.karate_club_graph()).values()))
    assert found["sizes"] == [[k, int((core >= k).sum())] for k in range(core.max() + 1)]
    inner = nx.k_core(nx.karate_club_graph())
    assert found["innermost_density"] == pytest.approx(nx.density(inner))


def test_loops_count_twice_in_degrees_and_never_in_density():
    graph = Graph.from_edges([0, 0, 1], [0, 1, 2])
    assert degrees(graph)["degree"]["max"] == 3
    assert sizes(graph)["density"] == pytest.approx(2 / 3)
    assert sizes(graph)["self_loops"] == 1


def test_effective_diameter_lies_between_hops():
    assert percentile(np.array([0, 80, 20])) == pytest.approx(1.5)
    assert percentile(np.array([0, 95, 5])) == pytest.approx(90 / 95)
    assert percentile(np.array([0, 0])) is None


def test_long_paths_use_wider_bins():
    n = 5000
    graph = Graph.from_edges(np.arange(n - 1), np.arange(1, n))
    found = distances(graph, samples=40, seed=1)
    assert found["histogram"]["width"] > 1
    assert len(found["histogram"]["share"]) <= 1024
    assert sum(found["histogram"]["share"]) == pytest.approx(1)
    low, high = found["mean_interval"]
    assert low < (n + 1) / 3 < high
    assert found["longest"] == n - 1  # the second sweep starts from an end
    # 90% of the pairs of a path are within (1 - sqrt(0.1)) of its length
    low, high = found["effective_diameter_interval"]
    assert low < n * (1 - 0.1**0.5) < high


def test_sampled_distances_bracket_the_exact_ones():
    graph = rmat(9, seed=2)
    exact = distances(graph, samples=512, seed=0)
    assert exact["exact"]
    inside = 0
    for seed in range(20):
        found = distances(graph, samples=48, seed=seed)
        low, high = found["mean_interval"]
        inside += low <= exact["mean"] <= high
        assert found["longest"] <= exact["longest"]
    assert inside >= 15  # 95% intervals: fewer than 15 of 20 happens once in 30,000


def test_same_seed_same_profile():
    graph = rmat(10, seed=4)
    first, second = (measure(graph, samples=20, seed=9) for _ in range(2))
    first.pop("timings")
    second.pop("timings")
    assert first == second


def test_sampled_triangles_bracket_the_exact_ones():
    graph = barabasi_albert(3000, 6, seed=5)
    exact = triangles(graph, seed=0)
    found = triangles(graph, seed=1, exact_work=0)
    assert exact["exact"]
    assert not found["exact"]
    for name in ("total", "transitivity", "average_clustering"):
        low, high = found[f"{name}_interval"]
        margin = (high - low) / 2  # twice the interval: a miss is one in ten thousand
        assert low - margin <= exact[name] <= high + margin
        assert high - low < 0.25 * exact[name]


def test_weights_are_not_followed_unless_told():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.0, 1.0, 500.0])
    plain = measure(graph)["ranks"]
    assert not plain["weighted"]
    assert plain == measure(Graph.from_edges([0, 1, 2], [1, 2, 0]))["ranks"]
    weighted = measure(graph, weights="weight")["ranks"]
    assert weighted["weighted"]
    assert weighted["top"][-1]["vertex"] == 1
    assert not measure(karate_club(), weights="weight")["ranks"]["weighted"]
    with pytest.raises(ValueError, match="weights must name a column of the graph, got 'cost'"):
        measure(graph, weights="cost")


def test_ids_and_those_that_do_not_occur():
    assert measure(karate_club())["sizes"]["ids"] == {"low": 0, "high": 33, "missing": 0}
    gaps = Graph.from_edges([2, 9], [5, 2], labels=True)
    assert measure(gaps)["sizes"]["ids"] == {"low": 2, "high": 9, "missing": 5}
    offset = karate_club().with_labels(Labels.range(1, 34))
    assert measure(offset)["sizes"]["ids"] == {"low": 1, "high": 34, "missing": 0}
    names = measure(Graph.from_edges(["a", "b"], ["b", "c"]))["sizes"]
    assert names["ids"] == {"names": ["a", "b", "c"]}
    assert names["labeled"]


def test_top_vertices_have_labels_and_both_degrees():
    graph = Graph.from_edges([10, 30], [20, 20], labels=True, directed=True)
    first = measure(graph)["ranks"]["top"][0]
    assert (first["vertex"], first["in_degree"], first["out_degree"]) == (20, 2, 0)


def test_log_bins_and_thin():
    values = np.arange(0, 100)
    bins = log_bins(values, np.ones(100))
    assert bins[0] == {"low": 1, "high": 1, "count": 1}
    assert sum(one["count"] for one in bins) == 99
    few = thin(np.arange(1, 10**6), 50)
    assert len(few) <= 50
    assert few[0] == 0
    assert few[-1] == 10**6 - 2

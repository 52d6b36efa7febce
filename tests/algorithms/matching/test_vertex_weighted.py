"""`vertex_weighted`: k/(k + 1) of the greatest total value, by paths as short as promised."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import verify_matching, vertex_weighted
from edgewise.base.errors import DeviceError
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from tests.algorithms.matching.optimum import edge_list
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def greatest_value(graph: Graph, values) -> float:
    """An edge weighs what its two ends do: the heaviest matching, by NetworkX."""
    known = nx.Graph()
    for u, v, _ in edge_list(graph):
        known.add_edge(u, v, weight=int(values[u]) + int(values[v]))
    return sum(known[u][v]["weight"] for u, v in nx.max_weight_matching(known))


def by_hand(graph: Graph, values, k: int) -> list[int]:
    """The same search without any bookkeeping: for each vertex, all paths of at most 2k - 1."""
    near = {v: set() for v in range(graph.num_vertices)}
    for u, v, _ in edge_list(graph):
        near[u].add(v)
        near[v].add(u)
    mate = [-1] * len(near)
    order = sorted(near, key=lambda v: (-values[v], v))
    for u in (v for v in order if near[v]):
        if mate[u] >= 0:
            continue
        paths = [(w,) for w in near[u] if mate[w] < 0]
        if k == 2:
            paths += [
                (w, v) for v in near[u] if mate[v] >= 0 for w in near[mate[v]] - {u} if mate[w] < 0
            ]
        if paths:
            w, *through = min(
                paths, key=lambda p: (order.index(p[0]), len(p), *map(order.index, p))
            )
            if through:
                (v,) = through
                x = mate[v]
                mate[u], mate[v], mate[x], mate[w] = v, u, w, x
            else:
                mate[u], mate[w] = w, u
    return mate


def check(graph: Graph, values, k: int) -> None:
    found = vertex_weighted(graph, values, max_path_length=2 * k - 1)
    assert found.mate.dtype == graph.indices.dtype
    assert verify_matching(graph, found.mate, weights=None).maximal
    chosen = found.mate >= 0
    assert found.cardinality == chosen.sum() // 2
    assert found.weight == pytest.approx(np.asarray(values, float)[chosen].sum())
    assert found.weight >= k / (k + 1) * greatest_value(graph, values) - 1e-9
    assert found.mate.tolist() == by_hand(graph, values, k)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, k):
    graph = shape(name)
    for seed in range(3):
        check(graph, np.random.default_rng(seed).integers(0, 9, graph.num_vertices), k)


@given(graphs(directed=False), st.sampled_from([1, 2]), st.sampled_from(TEAMS), st.data())
@settings(max_examples=200)
def test_small_graphs(graph, k, team, data):
    n = graph.num_vertices
    values = data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))
    with ew.threads(team):
        check(graph, np.array(values), k)


@pytest.mark.parametrize("seed", range(5))
def test_random_graphs(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(120, 60 * (seed + 1), seed=seed)
    for k in (1, 2):
        check(graph, rng.integers(0, 1000, 120), k)
        check(graph, rng.integers(0, 3, 120), k)


def test_k():
    path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    values = [0, 7, 7, 7]
    assert vertex_weighted(path, values, max_path_length=1).weight == 14
    assert vertex_weighted(path, values, max_path_length=3).weight == 21


def test_weights_of_edges_play_no_part():
    graph = random_graph(100, 400, seed=1)
    values = np.random.default_rng(0).random(100)
    weighted = graph.with_weights(np.arange(graph.num_edges) - 5.0)
    assert (
        vertex_weighted(weighted, values).mate.tolist()
        == vertex_weighted(graph, values).mate.tolist()
    )


@pytest.mark.slow
def test_wide_ids():
    narrow = random_graph(300, 2000, seed=2)
    wide = Graph(narrow.indptr, narrow.indices)
    wide._keep(indices=frozen(narrow.indices.astype(np.int64)))
    values = np.random.default_rng(0).random(300).astype(np.float32)
    found = vertex_weighted(wide, values)
    assert found.mate.dtype == np.int64
    assert found.mate.tolist() == vertex_weighted(narrow, values).mate.tolist()


def test_errors():
    path = Graph.from_edges([0, 1], [1, 2])
    for values in ([1, 2], [1, -1, 2], [1, np.nan, 2], [1, 2, np.inf]):
        with pytest.raises(ValueError, match="vertex_weights must"):
            vertex_weighted(path, values)
    with pytest.raises(TypeError, match="vertex_weights must be numbers"):
        vertex_weighted(path, ["a", "b", "c"])
    for length in (0, 2):
        with pytest.raises(ValueError, match="max_path_length must be"):
            vertex_weighted(path, [1, 2, 3], max_path_length=length)
    with pytest.raises(ValueError, match="undirected"):
        vertex_weighted(Graph.from_edges([0], [1], directed=True), [1, 1])


def test_on_the_cpu_alone():
    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(
        DeviceError, match=r'vertex_weighted needs a graph in host memory.*graph.to\("cpu"\)'
    ):
        vertex_weighted(Elsewhere(), [1.0])

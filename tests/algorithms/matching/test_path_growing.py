"""`path_growing`: a maximal matching of half the greatest weight, the best on its own paths."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import path_growing, verify_matching
from edgewise.base.errors import DeviceError
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from tests.algorithms.matching.optimum import check_matching, edge_list, greatest_weight
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape

WEIGHTS = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 1e16, 5e-324])


def on_paths(graph: Graph, weights="weight") -> float:
    """Grow the paths in plain Python; the greatest weight of a matching of their edges alone."""
    near: dict[int, list] = {v: [] for v in range(graph.num_vertices)}
    for u, v, w in edge_list(graph, weights):
        near[u].append((v, w))
        near[v].append((u, w))
    used, paths = set(), nx.Graph()
    for v in near:
        while v not in used:
            used.add(v)
            ahead = [(w, -u) for u, w in near[v] if u not in used and w > 0]
            if not ahead:
                break
            weight, u = max(ahead)
            paths.add_edge(v, -u, weight=weight)
            v = -u
    return sum(paths[u][v]["weight"] for u, v in nx.max_weight_matching(paths))


def check(graph: Graph, weights="weight") -> None:
    found = path_growing(graph, weights=weights)
    check_matching(graph, found, weights)
    assert verify_matching(graph, found, weights=weights).maximal
    assert found.weight >= on_paths(graph, weights) * (1 - 1e-12)
    assert found.weight >= greatest_weight(graph, weights) / 2 * (1 - 1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name))


@given(graphs(directed=False, lengths=WEIGHTS), st.sampled_from(TEAMS))
def test_small_graphs(graph, team):
    with ew.threads(team):
        check(graph)


def test_a_path_is_solved():
    """Also with small weights far behind large ones, which one sum would round off."""
    weights = np.r_[np.full(200, 1e17), 1.0, 3.0, 3.0, 1.0, 5.0, 7.0, 3.0]
    path = Graph.from_edges(np.arange(len(weights)), np.arange(1, len(weights) + 1), weights)
    found = path_growing(path)
    pairs = [(v, m) for v, m in enumerate(found.mate.tolist()) if v < m and v >= 200]
    assert sum(weights[v] for v, _ in pairs) == 12
    assert found.weight == pytest.approx(greatest_weight(path), rel=1e-15)


def test_random_graphs():
    graph = random_graph(150, 900, seed=1)
    u, v, _ = graph.edges()
    weights = ((u * v) % 13 - 1).astype(np.float64)
    check(graph, weights)
    unit = path_growing(graph.with_weights(weights), weights=None)
    assert unit.mate.tolist() == path_growing(graph).mate.tolist()


@pytest.mark.slow
def test_wide_ids_and_integers():
    narrow = random_graph(300, 2000, seed=2)
    weights = np.random.default_rng(3).integers(-3, 50, narrow.num_edges)
    wide = narrow.with_weights(weights)
    wide._keep(indices=frozen(narrow.indices.astype(np.int64)))
    found, same = path_growing(wide), path_growing(narrow.with_weights(weights * 1.0))
    assert found.mate.dtype == np.int64 and wide.weights.dtype == np.int64
    assert found.mate.tolist() == same.mate.tolist() and found.weight == same.weight


def test_errors():
    graph = Graph.from_edges([0, 1], [1, 2], weights=[1.0, np.nan])
    with pytest.raises(ValueError, match="finite"):
        path_growing(graph)
    with pytest.raises(ValueError, match="undirected"):
        path_growing(Graph.from_edges([0], [1], directed=True))


def test_on_the_cpu_alone():
    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(
        DeviceError, match=r'path_growing needs a graph in host memory.*graph.to\("cpu"\)'
    ):
        path_growing(Elsewhere())

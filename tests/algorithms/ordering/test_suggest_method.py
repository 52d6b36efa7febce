"""What is suggested for graphs of which the study says what they want."""

from __future__ import annotations

from importlib import import_module

import networkx as nx
import numpy as np
import pytest

from edgewise import ordering
from edgewise.algorithms.ordering.suggest_method import clustering, nearness
from edgewise.generators import (
    barabasi_albert,
    complete,
    cycle,
    grid_2d,
    lfr_benchmark,
    rmat,
    star,
    urand,
)
from edgewise.graph.lookup import are_joined
from edgewise.operators import engines
from tests.algorithms.ordering.oracles import GRAPHS
from tests.algorithms.samples import to_networkx


def shuffled(graph, seed=1):
    return graph.permute(ordering.random_order(graph, seed=seed))


@pytest.fixture
def _any_size(monkeypatch):
    """As if nothing were small enough to fit the cache."""
    monkeypatch.setattr(engines, "_CACHED", 0)


@pytest.mark.parametrize("name", GRAPHS)
def test_small_graphs_are_left_alone(name):
    assert ordering.suggest_method(GRAPHS[name]) == "natural"


@pytest.mark.usefixtures("_any_size")
def test_by_kind_of_graph():
    mesh = grid_2d(100, 100)
    assert ordering.suggest_method(mesh) == "natural", "its gaps are small as it is"
    assert ordering.suggest_method(shuffled(mesh)) == "reverse_cuthill_mckee"
    assert ordering.suggest_method(urand(11, seed=1)) == "natural", "there is nothing to find"
    assert ordering.suggest_method(rmat(11, seed=1)) == "degree", "there are hubs, and nothing else"
    assert ordering.suggest_method(shuffled(lfr_benchmark(3000, mu=0.1).graph)) == "rabbit"
    hubs = barabasi_albert(3000, 4)
    assert ordering.suggest_method(hubs) == ordering.suggest_method(shuffled(hubs)) == "degree", (
        "however stored"
    )


def test_a_gpu_reads_the_values_of_millions_fast(monkeypatch):
    graph, module = rmat(16, seed=1), import_module("edgewise.algorithms.ordering.suggest_method")
    assert ordering.suggest_method(graph) == "degree"
    there = engines.Place("cuda:0", np)
    monkeypatch.setattr(module, "cached_values", lambda graph: engines.cached_values(there))
    assert ordering.suggest_method(graph) == "natural"
    monkeypatch.setattr(engines, "_CACHED_ON_GPU", 0)
    assert ordering.suggest_method(graph) == "degree"


@pytest.mark.usefixtures("_any_size")
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    assert ordering.suggest_method(GRAPHS[name]) != "auto"


def test_nearness_of_random_orders_is_one():
    for graph in (grid_2d(200, 200), urand(14, seed=1), barabasi_albert(20000, 4)):
        near = nearness(shuffled(graph))
        assert near == pytest.approx(1, abs=0.1)
    assert nearness(grid_2d(200, 200)) < 0.3 and nearness(cycle(50000)) < 0.15


def test_clustering_beyond_chance():
    assert clustering(complete(50)) == pytest.approx(0, abs=0.05), "degrees explain all of it"
    assert clustering(star(50)) == pytest.approx(0, abs=0.05)
    assert clustering(rmat(11, seed=1)) == pytest.approx(0, abs=0.05)
    assert clustering(caves := lfr_benchmark(3000, mu=0.1).graph) > 0.2
    twin = to_networkx(caves)
    assert clustering(caves) == pytest.approx(nx.average_clustering(twin), abs=0.05)


def test_edges_are_found():
    graph = GRAPHS["random"]
    n = graph.num_vertices
    u, v = (ends.ravel() for ends in np.meshgrid(np.arange(n), np.arange(n)))
    found = are_joined(graph, u, v)
    assert found.sum() == graph.num_arcs
    assert all(graph.has_edge(int(a), int(b)) for a, b in zip(u[found], v[found], strict=True))

"""`global_minimum_cut`: the best of all subsets, and Stoer and Wagner's value."""

from __future__ import annotations

from itertools import combinations

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, core_number, global_minimum_cut, threads
from edgewise.algorithms.flows import global_minimum_cut as module
from edgewise.generators import random_regular
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx


def across(graph, side):
    """The capacity between a side and the rest."""
    u, v, capacity = graph.edges()
    capacity = np.ones(len(u), np.int64) if capacity is None else capacity
    return capacity[side[u] != side[v]].sum()


def by_subsets(graph):
    n = graph.num_vertices
    sides = (np.isin(np.arange(n), [0, *more]) for size in range(n - 1)
             for more in combinations(range(1, n), size))  # fmt: skip
    return min(across(graph, side) for side in sides)


def check(graph, best=None):
    found = global_minimum_cut(graph)
    assert found.side.dtype == bool and 0 < found.side.sum() <= graph.num_vertices / 2
    assert across(graph, found.side) == pytest.approx(found.value, rel=1e-12)
    if best is not None:
        assert found.value == pytest.approx(best, rel=1e-9)
    return found


@given(graphs(directed=False, lengths=st.integers(0, 5), most=8), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    if graph.num_vertices > 1:
        with threads(team):
            check(graph, by_subsets(graph))


@pytest.mark.slow
@given(graphs(directed=False, lengths=st.sampled_from([0.1, 1 / 3, 1e-9, 1e9, 0.0]), most=8))
def test_weights_of_all_magnitudes(graph):
    if graph.num_vertices > 1:
        check(graph, by_subsets(graph))


@pytest.mark.parametrize("name", [name for name, (n, _) in SHAPES.items() if n > 1])
def test_shapes(name):
    graph = shape(name)
    theirs = to_networkx(graph)
    theirs.remove_edges_from(nx.selfloop_edges(theirs))
    check(graph, nx.stoer_wagner(theirs)[0] if nx.is_connected(theirs) else 0)


@pytest.mark.parametrize("kind", [np.int32, np.float32])
def test_larger_graphs(kind):
    """Many rounds: a ring of dense parts, with thin edges between them."""
    rng = np.random.default_rng(3)
    parts, size = 12, 20
    ends = [i * size + rng.integers(0, size, (2, 150)) for i in range(parts)]
    ring = np.arange(0, parts * size, size)
    u = np.concatenate([*(pair[0] for pair in ends), ring, ring + 7])
    v = np.concatenate([*(pair[1] for pair in ends), np.roll(ring, -1) + 3, np.roll(ring, 4) + 5])
    weights = np.concatenate([rng.integers(3, 9, parts * 150), np.full(2 * parts, 2)]).astype(kind)
    graph = Graph.from_edges(u, v, weights, self_loops="drop")
    check(graph, nx.stoer_wagner(to_networkx(graph))[0])


def test_the_same_cut_for_every_number_of_threads():
    graph = random_graph(3000, 30_000, seed=5)
    graph = graph.subgraph(core_number(graph) > 3)
    found = []
    for team in TEAMS:
        with threads(team):
            found.append(check(graph))
    assert all((found[0].side == other.side).all() for other in found)
    ours = list(zip(*(ends.tolist() for ends in graph.edges()[:2]), strict=True))
    assert found[0].value == igraph.Graph(graph.num_vertices, ours).mincut().value > 0


@pytest.mark.parametrize("small", [0, 64])
def test_regular_graphs(monkeypatch, small):
    """Contraction makes little progress there, so that flows take over."""
    monkeypatch.setattr(module, "_SMALL", small)
    graph = random_regular(200, 4, seed=1)
    check(graph, nx.stoer_wagner(to_networkx(graph))[0])
    assert check(random_regular(5000, 6, seed=2)).value == 6
    u, v, _ = graph.edges()
    ends = np.r_[u, u + 200, [0, 1, 2]], np.r_[v, v + 200, [200, 201, 202]]
    found = check(Graph.from_edges(*ends), 3)  # two such graphs, and three edges between them
    assert found.side.tolist() == [True] * 200 + [False] * 200


@given(graphs(directed=False, lengths=st.integers(1, 3), most=9))
def test_any_graph_by_flows(graph):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SMALL", 1)
        patch.setattr(module, "_PATIENCE", 0)
        if graph.num_vertices > 1:
            check(graph, by_subsets(graph))


def test_large_whole_numbers_and_labels():
    graph = Graph.from_edges(["a", "b", "c", "a"], ["b", "c", "d", "c"],
                             [2**60, 2**60 + 1, 2**59 + 1, 3])  # fmt: skip
    found = global_minimum_cut(graph)
    assert found.value == 2**59 + 1 and found.side.tolist() == [False, False, False, True]
    assert global_minimum_cut(graph, weights=None).value == 1


def test_wrong_arguments():
    with pytest.raises(ValueError, match="graph must have at least two vertices, got 1"):
        global_minimum_cut(shape("one loop"))
    with pytest.raises(ValueError, match="needs an undirected graph"):
        global_minimum_cut(shape("path", directed=True))
    with pytest.raises(ValueError, match="weights must not be negative or NaN"):
        global_minimum_cut(shape("path"), weights=-np.ones(149))
    with pytest.raises(ValueError, match="weights must keep sums within int64"):
        global_minimum_cut(shape("path"), weights=np.full(149, 2**62))

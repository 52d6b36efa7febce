"""`maximum_flow` and `minimum_cut`: a flow and a cut of one value prove each other."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise import Graph, maximum_flow, minimum_cut, threads
from edgewise.algorithms.flows import dinic
from edgewise.generators import grid_2d
from edgewise.operators import sequential as module
from tests.algorithms.samples import (
    SHAPES,
    TEAMS,
    graphs,
    random_graph,
    shape,
    small_and_large,
    to_networkx,
)

#: Along augmenting paths alone, and by push-relabel alone.
way = small_and_large(dinic, "_LONG")


def check(graph, source, target, team=2):
    """The laws of a flow, and a cut that shows that there is no greater one."""
    n, (u, v, capacity) = graph.num_vertices, graph.edges()
    capacity = np.ones(len(u), np.int64) if capacity is None else capacity
    with threads(team):
        found = maximum_flow(graph, source, target)
        cut = minimum_cut(graph, source, target)
    flow, side = found.flow, found.side
    assert flow.dtype.kind == capacity.dtype.kind and (abs(flow) <= capacity).all()
    net = np.zeros(n) + np.bincount(u, flow, n) - np.bincount(v, flow, n)
    net[[source, target]] -= found.value, -found.value
    np.testing.assert_allclose(net, 0, atol=1e-9)
    assert (flow >= 0).all() or not graph.directed
    assert side[source] and not side[target]
    crossing = side[u] & ~side[v] if graph.directed else side[u] != side[v]
    assert capacity[crossing].sum() == pytest.approx(found.value, abs=1e-12)
    assert cut.value == pytest.approx(found.value, rel=1e-12)
    assert cut.side.tolist() == side.tolist()
    return found


@pytest.mark.slow
@given(graphs(lengths=st.integers(0, 5)), st.data(), st.sampled_from(TEAMS))
def test_any_graph(graph, data, team):
    if graph.num_vertices > 1:
        ends = st.lists(st.integers(0, graph.num_vertices - 1), min_size=2, max_size=2, unique=True)
        check(graph, *data.draw(ends), team)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name, (n, _) in SHAPES.items() if n > 1])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for source, target in ((0, graph.num_vertices - 1), (1, 0)):
        check(graph, source, target)


def test_the_side_is_that_of_networkx():
    graph = random_graph(200, 900, directed=True, seed=3)
    graph = graph.with_weights(np.random.default_rng(1).integers(0, 20, graph.num_edges))
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(200))
    for u, v, capacity in zip(*(part.tolist() for part in graph.arcs()), strict=True):
        theirs.add_edge(u, v, capacity=capacity)
    value, (side, _) = nx.minimum_cut(theirs, 0, 100)
    found = minimum_cut(graph, 0, 100)
    assert found.value == value and set(np.flatnonzero(found.side).tolist()) == side


@pytest.mark.parametrize("directed", [False, True])
def test_larger_graphs_give_one_flow(directed):
    """Whole capacities: the same flow for every number of threads."""
    graph = random_graph(2000, 12_000, directed=directed)
    graph = graph.with_weights(np.random.default_rng(1).integers(1, 50, graph.num_edges))
    first, *others = (check(graph, 0, 1500, team) for team in TEAMS)
    assert all((one.flow == first.flow).all() for one in others)
    road = grid_2d(30, 40)
    check(road.with_weights(np.random.default_rng(2).integers(1, 9, road.num_edges)), 0, 1199)


@pytest.mark.slow
@given(graphs(lengths=st.floats(0, 5)), st.data())
def test_capacities_that_are_no_whole_numbers(graph, data):
    if graph.num_vertices > 1:
        ends = st.lists(st.integers(0, graph.num_vertices - 1), min_size=2, max_size=2, unique=True)
        check(graph, *data.draw(ends))


@pytest.mark.parametrize("looks", [1, 500, 5000, 20_000, 60_000])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_augmenting_paths_then_push_relabel(monkeypatch, looks, kind):
    """Wherever one ends and the other begins, value and side are the same."""
    grid = grid_2d(20, 30)
    grid = grid.with_weights(np.random.default_rng(2).integers(1, 99, grid.num_edges).astype(kind))
    skewed = random_graph(300, 2000, directed=True)
    skewed = skewed.with_weights(
        np.random.default_rng(1).integers(0, 20, skewed.num_edges).astype(kind)
    )
    for graph, source, target in ((grid, 310, 599), (skewed, 0, 200)):
        whole = minimum_cut(graph, source, target)
        monkeypatch.setattr(dinic, "_LONG", looks)
        found = check(graph, source, target)
        monkeypatch.undo()
        assert found.value == whole.value and found.side.tolist() == whole.side.tolist()


@given(graphs(lengths=st.integers(0, 5)), st.data(), st.integers(0, 200))
def test_any_graph_has_the_value_of_networkx(graph, data, looks):
    if graph.num_vertices == 1:
        return
    ends = st.lists(st.integers(0, graph.num_vertices - 1), min_size=2, max_size=2, unique=True)
    source, target = data.draw(ends)
    best = nx.maximum_flow_value(to_networkx(graph), source, target, capacity="weight")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dinic, "_LONG", looks)
        assert check(graph, source, target).value == best


def test_large_graphs_take_augmenting_paths_first(monkeypatch):
    """A graph that is not small, directed, and capacities of all types."""
    monkeypatch.setattr(module.threads, "SERIAL_WORK", 0)
    graph = random_graph(200, 900, directed=True)
    weights = np.random.default_rng(1).integers(1, 50, graph.num_edges)
    values = {check(graph.with_weights(weights.astype(kind)), 0, 150).value
              for kind in (np.int32, np.int64, np.float32, np.float64)}  # fmt: skip
    assert len(values) == 1
    with ew.observe(ew.Trace()) as trace:
        maximum_flow(graph, 0, 150)
    assert "searches" in trace.rows[0]


def test_control_c_ends_the_search(monkeypatch):
    def stopped(kernel, arrays, **_):
        control = np.zeros(512, np.int64)
        control[0] = 1
        kernel(0, 1, control, arrays)

    monkeypatch.setattr(module, "launch", stopped)
    residual = np.ones(4, np.int64)
    found = dinic.augment(Graph.from_edges([0, 1], [1, 2]), residual, 0, 2)
    assert found == (0, None) and residual.tolist() == [1] * 4


def test_labels_and_large_capacities():
    pipes = Graph.from_edges(["a", "b", "a"], ["b", "c", "c"], [2**61, 2**60 + 1, 3], directed=True)
    found = maximum_flow(pipes, "a", "c")
    assert found.value == 2**60 + 4 and isinstance(found.value, int)
    assert maximum_flow(pipes, "c", "a").value == 0
    assert maximum_flow(pipes, "a", "c", weights=None).value == 2


def test_wrong_arguments():
    graph = shape("path")
    with pytest.raises(ValueError, match="target must differ from source, got 3"):
        maximum_flow(graph, 3, 3)
    with pytest.raises(ValueError, match="must differ from source, got 'ann' for both"):
        maximum_flow(Graph.from_edges(["ann"], ["bob"]), 0, "ann")
    with pytest.raises(ValueError, match="target must be a vertex id from 0 to 149, got 150"):
        minimum_cut(graph, 0, 150)
    with pytest.raises(ValueError, match="weights must not be negative or NaN, got -1.0 on edge"):
        minimum_cut(graph, 0, 1, weights=-np.ones(graph.num_edges))
    with pytest.raises(ValueError, match="weights must be finite, got inf on edge"):
        minimum_cut(graph, 0, 1, weights=np.full(graph.num_edges, np.inf))

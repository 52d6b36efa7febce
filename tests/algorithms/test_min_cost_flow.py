"""`min_cost_flow`: the laws of a flow, and potentials that prove that none is cheaper."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, maximum_flow, min_cost_flow
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


def check(graph, demand=None, capacity=None, close=0.0):
    """Conservation, capacities, and complementary slackness."""
    n, (u, v, cost) = graph.num_vertices, graph.edges()
    cost = np.ones(len(u), np.int64) if cost is None else cost
    found = min_cost_flow(graph, demand=demand, capacity=capacity)
    wanted = np.zeros(n) if demand is None else np.asarray(demand)
    limit = np.full(len(u), np.inf) if capacity is None else np.asarray(capacity)
    flow, size = found.flow, close * max(1.0, float(abs(wanted).max(initial=0)))
    assert (flow >= -size).all() and (flow <= limit + size).all()
    into = np.bincount(v, flow, n) - np.bincount(u, flow, n)
    np.testing.assert_allclose(into, wanted, atol=size)
    reduced = cost + found.potentials[u] - found.potentials[v]
    slack = close * max(1.0, float(abs(cost).max(initial=0))) * n
    assert (reduced[flow < limit - size] >= -slack).all()
    assert (reduced[flow > size] <= slack).all()
    assert found.cost == pytest.approx((cost * flow).sum(), rel=1e-9, abs=1e-9)
    return found


def possible(theirs, demand, capacity):
    for node, amount in enumerate(demand):
        theirs.nodes[node]["demand"] = amount
    for (u, v), limit in zip(theirs.edges, capacity, strict=True):
        theirs[u][v]["capacity"] = limit
    try:
        return nx.min_cost_flow_cost(theirs)
    except (nx.NetworkXUnfeasible, nx.NetworkXUnbounded) as error:
        return type(error)


@given(graphs(directed=True, lengths=st.integers(-5, 5), most=7), st.data())
def test_any_graph(graph, data):
    n, m = graph.num_vertices, graph.num_edges
    demand = np.array(data.draw(st.lists(st.integers(-4, 4), min_size=n, max_size=n)))
    demand[-1] -= demand.sum()
    limits = st.sampled_from([0, 1, 2, 5, 9, np.inf])
    capacity = np.array(data.draw(st.lists(limits, min_size=m, max_size=m)))
    theirs = nx.DiGraph()
    theirs.add_nodes_from(range(n))
    theirs.add_weighted_edges_from(zip(*(part.tolist() for part in graph.edges()), strict=True))
    best = possible(theirs, demand.tolist(), capacity.tolist())
    if best is nx.NetworkXUnfeasible:
        with pytest.raises(ValueError, match="demand must be met by a flow"):
            min_cost_flow(graph, demand=demand, capacity=capacity)
    elif best is nx.NetworkXUnbounded:
        with pytest.raises(ValueError, match="a cycle of negative cost"):
            min_cost_flow(graph, demand=demand, capacity=capacity)
    else:
        found = check(graph, demand, capacity)
        assert found.flow.dtype == np.int64 and found.cost == best


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph, n = shape(name, directed=True), SHAPES[name][0]
    demand = np.zeros(n, int)
    if n and name not in ("two vertices", "disconnected", "two cliques"):
        ends = (n - 1, 0) if name in ("backward path", "clique") else (0, n - 1)
        ends = (0, 1) if name == "edge and loops" else ends
        demand[ends[0]] -= 1
        demand[ends[1]] += 1
    assert check(graph, demand).cost >= 0


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_larger_graphs(kind):
    """A flow of the largest value at the smallest cost, with costs below zero."""
    graph, rng = random_graph(500, 5000, directed=True), np.random.default_rng(1)
    capacity = rng.integers(1, 20, graph.num_edges)
    graph = graph.with_weights((rng.integers(-3, 50, graph.num_edges) / 7).astype(kind))
    demand = np.zeros(500, kind)
    value = maximum_flow(graph, 0, 400, weights=capacity).value
    demand[[0, 400]] = -value, value
    found = check(graph, demand, capacity.astype(kind), 0.0 if kind is np.int64 else 1e-11)
    assert found.flow.dtype == kind and value > 0


def test_transport_between_many_vertices():
    """Every sender reaches every receiver; the best assignment is known."""
    rng = np.random.default_rng(5)
    cost = rng.integers(0, 1000, (40, 40))
    u, v = np.divmod(np.arange(1600), 40)
    graph = Graph.from_edges(u, 40 + v, cost.ravel(), directed=True)
    found = check(graph, np.repeat([-1, 1], 40))
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(cost)
    assert found.cost == cost[rows, columns].sum() and found.flow.max() == 1


def test_labels_and_exact_costs():
    graph = Graph.from_edges(["a", "b"], ["b", "c"], [2**40, -3], directed=True)
    found = min_cost_flow(graph, demand={"a": -(2**30), "c": 2**30})
    assert found.cost == 2**70 - 3 * 2**30 and isinstance(found.cost, int)
    assert min_cost_flow(graph, demand={"a": -2, "c": 2}, weights=None).cost == 4


def test_wrong_arguments():
    graph = shape("path", directed=True)
    wrong = {
        "demand must sum to 0, got 150": {"demand": np.ones(150, int)},
        "demand must have one entry per vertex": {"demand": [1, 2]},
        "demand must be finite": {"demand": np.full(150, np.nan)},
        "capacity must not be negative or NaN, got -1.0 on edge 0": {"capacity": -np.ones(149)},
        "capacity must have one entry per edge": {"capacity": [1]},
        "weights must be finite, got inf on edge 0": {"weights": np.full(149, np.inf)},
        "weights must keep costs below": {"weights": np.full(149, 2**50)},
        "demand must keep flows below": {"demand": {0: -(2**53), 1: 2**53}},
        "demand must be met by a flow": {"demand": {0: 1, 1: -1}},
    }
    for message, given_ in wrong.items():
        with pytest.raises(ValueError, match=message):
            min_cost_flow(graph, **given_)
    with pytest.raises(ValueError, match="needs a directed graph"):
        min_cost_flow(shape("path"))
    ring = Graph.from_edges([0, 1], [1, 0], [1, -2], directed=True)
    with pytest.raises(ValueError, match="a cycle of negative cost"):
        min_cost_flow(ring)
    assert min_cost_flow(ring, capacity=[7, np.inf]).cost == -7

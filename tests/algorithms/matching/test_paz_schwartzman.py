"""`paz_schwartzman`: the optimum lies between weight and bound, and they are not far apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.algorithms.matching import paz_schwartzman, paz_schwartzman_stream
from edgewise.base.errors import DeviceError
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from tests.algorithms.matching.optimum import check_matching, edge_list, greatest_weight
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape

WEIGHTS = st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0, 1e9, 5e-324])
EPSILONS = st.sampled_from([0, 0.01, 0.1, 1.0, 5.0])


def by_hand(edges, n: int, epsilon: float) -> tuple[list[int], float]:
    """The textbook's version: the mates, and the sum of the prices."""
    price, stack, mate = [0.0] * n, [], [-1] * n
    for u, v, w in edges:
        if u != v and w > 0 and w > (1 + epsilon / 2) * (price[u] + price[v]):
            more = w - price[u] - price[v]
            stack.append((u, v))
            price[u] += more
            price[v] += more
    for u, v in reversed(stack):
        if mate[u] < 0 and mate[v] < 0:
            mate[u], mate[v] = v, u
    return mate, sum(price)


def check(graph: Graph, epsilon: float, weights="weight") -> None:
    found = paz_schwartzman(graph, weights=weights, epsilon=epsilon)
    check_matching(graph, found, weights)
    edges = edge_list(graph, weights)
    assert found.mate.tolist() == by_hand(edges, graph.num_vertices, epsilon)[0]
    best = greatest_weight(graph, weights)
    assert found.weight <= best * (1 + 1e-12)
    assert best <= found.upper_bound * (1 + 1e-12)
    assert found.upper_bound <= (2 + epsilon) * found.weight * (1 + 1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    check(shape(name), 0.1)


@given(graphs(directed=False, lengths=WEIGHTS), EPSILONS, st.sampled_from(TEAMS))
def test_small_graphs(graph, epsilon, team):
    with ew.threads(team):
        check(graph, epsilon)


@given(graphs(directed=False, lengths=WEIGHTS), EPSILONS, st.data())
def test_streams(graph, epsilon, data):
    """In any order, either way round, some of it twice, in blocks of any size."""
    edges = data.draw(st.permutations(edge_list(graph) + edge_list(graph)[:3]))
    edges = [(v, u, w) if data.draw(st.booleans()) else (u, v, w) for u, v, w in edges]
    size = data.draw(st.integers(1, 5))
    blocks = [
        tuple(map(list, zip(*edges[i : i + size], strict=True))) for i in range(0, len(edges), size)
    ]
    n = graph.num_vertices
    found = paz_schwartzman_stream(iter(blocks), num_vertices=n, epsilon=epsilon)
    mate, prices = by_hand(edges, n, epsilon)
    assert found.mate.tolist() == mate
    check_matching(graph, found)
    best = greatest_weight(graph)
    assert best <= found.upper_bound * (1 + 1e-12)
    assert found.upper_bound <= (1 + epsilon / 2) * prices * (1 + 1e-12)
    assert found.upper_bound <= (2 + epsilon) * found.weight * (1 + 1e-12)


def test_blocks(monkeypatch):
    """Rows that are cut by the ends of blocks."""
    graph = random_graph(150, 900, seed=1)
    graph = graph.with_weights(np.random.default_rng(0).integers(1, 99, graph.num_edges))
    whole = paz_schwartzman(graph)
    monkeypatch.setitem(paz_schwartzman.__globals__, "_BLOCK", 7)
    cut = paz_schwartzman(graph)
    assert cut.mate.tolist() == whole.mate.tolist() and cut.upper_bound == whole.upper_bound
    check(graph, 0.1)


def test_bound_of_a_stream_is_lowered_by_a_second_look():
    graph = random_graph(150, 900, seed=2)
    u, v, _ = graph.edges()
    stream = paz_schwartzman_stream([(u, v, None)], num_vertices=150)
    found = paz_schwartzman(graph)
    assert found.mate.tolist() == stream.mate.tolist()
    assert greatest_weight(graph) <= found.upper_bound < stream.upper_bound


def test_epsilon_saves_stack():
    """Weights that double along a star: none is passed over, and the last one is taken."""
    star = Graph.from_edges(np.zeros(50, int), np.arange(1, 51), 2.0 ** np.arange(50))
    assert paz_schwartzman(star).mate[0] == 50
    near = Graph.from_edges(np.zeros(50, int), np.arange(1, 51), 1 + np.arange(50) / 1000)
    assert paz_schwartzman(near, epsilon=0).mate[0] == 50
    found = paz_schwartzman(near, epsilon=0.1)
    assert found.mate[0] == 1 and found.weight == 1 and found.upper_bound == pytest.approx(1.049)


def test_weights():
    graph = random_graph(100, 500, seed=3)
    u, v, _ = graph.edges()
    weights = ((u * v) % 13 - 1).astype(np.float64)
    check(graph, 0.5, weights)
    unit = paz_schwartzman(graph.with_weights(weights), weights=None)
    assert unit.mate.tolist() == paz_schwartzman(graph).mate.tolist()


@pytest.mark.slow
def test_wide_ids():
    narrow = random_graph(300, 2000, seed=4)
    wide = Graph(narrow.indptr, narrow.indices)
    wide._keep(indices=frozen(narrow.indices.astype(np.int64)))
    found, same = paz_schwartzman(wide), paz_schwartzman(narrow)
    assert found.mate.dtype == np.int64 and same.mate.dtype == np.int32
    assert found.mate.tolist() == same.mate.tolist() and found.upper_bound == same.upper_bound


def test_errors():
    path = Graph.from_edges([0, 1], [1, 2], weights=[1.0, np.inf])
    with pytest.raises(ValueError, match="finite"):
        paz_schwartzman(path)
    with pytest.raises(ValueError, match="undirected"):
        paz_schwartzman(Graph.from_edges([0], [1], directed=True))
    for epsilon in (-0.1, np.nan, np.inf):
        with pytest.raises(ValueError, match="epsilon"):
            paz_schwartzman(path, weights=None, epsilon=epsilon)
    for block, match in [
        (([0, 1], [1], None), "equal lengths"),
        (([0], [3], None), "ends must be"),
        (([-1], [2], None), "ends must be"),
        (([0], [2], [np.nan]), "finite"),
    ]:
        with pytest.raises(ValueError, match=match):
            paz_schwartzman_stream([block], num_vertices=3)


@pytest.mark.parametrize(
    ("blocks", "match"),
    [
        ([([0.0], [1.7], None)], "sources of a block must be vertex ids .* got float64"),
        ([([0], [1.7], None)], "targets of a block must be vertex ids .* got float64"),
        ([([True], [False], None)], "sources of a block must be vertex ids .* got bool"),
        ([(["0"], ["1"], None)], "sources of a block must be vertex ids"),
        ([([[0]], [[1]], None)], r"sources of a block must .* got int64 of shape \(1, 1\)"),
        ([([0], [1], ["x"])], "weights must be real numbers"),
        ([([0], [1])], r"blocks must be tuples \(sources, targets, weights\), got .* as block 0"),
        ([3], "blocks must be tuples"),
        (3, "blocks must be an iterable of blocks, got 3"),
    ],
)
def test_blocks_that_are_none(blocks, match):
    with pytest.raises(TypeError, match=match):
        paz_schwartzman_stream(blocks, num_vertices=3)


@pytest.mark.parametrize("epsilon", ["0.1", None, [1]])
def test_epsilon_is_a_number(epsilon):
    with pytest.raises(TypeError, match="epsilon must be a finite number, at least 0, got"):
        paz_schwartzman_stream([], num_vertices=3, epsilon=epsilon)


def test_on_the_cpu_alone():
    class Elsewhere:
        device, engine, one_device = "cuda:0", "local", True

    with pytest.raises(
        DeviceError, match=r'paz_schwartzman needs a graph in host memory.*graph.to\("cpu"\)'
    ):
        paz_schwartzman(Elsewhere())

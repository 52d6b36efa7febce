"""`shortest_path`: a path of the graph, as short as NetworkX says; none where there is none."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, shortest_path
from edgewise.generators import grid_2d, road
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape, to_networkx

LENGTHS = st.sampled_from([0.0, 0.25, 1.0, 1.5, 7.0])


def check(graph, source, target, *, weights=None, **options):
    theirs = to_networkx(graph)
    path = shortest_path(graph, source, target, weights=weights, **options)
    try:
        length = nx.shortest_path_length(theirs, source, target, weight=weights)
    except nx.NetworkXNoPath:
        assert path == []
        return
    assert path[0] == source and path[-1] == target and len({*path}) == len(path)
    steps = list(zip(path, path[1:], strict=False))
    assert all(theirs.has_edge(*step) for step in steps)
    assert sum(theirs.edges[step].get(weights, 1) for step in steps) == length


@given(graphs(lengths=LENGTHS), st.data())
def test_any_graph(graph, data):
    vertex = st.integers(0, graph.num_vertices - 1)
    source, target = data.draw(vertex), data.draw(vertex)
    check(graph, source, target)
    check(graph, source, target, weights="weight")
    theirs = to_networkx(graph)
    exact = nx.shortest_path_length(theirs.reverse() if graph.directed else theirs, target,
                                    weight="weight")  # fmt: skip
    part = data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=graph.num_vertices,
                              max_size=graph.num_vertices))  # fmt: skip
    bound = [
        exact.get(v, np.inf) * f if f else 0.0 for v, f in enumerate(part)
    ]  # consistent or not
    check(graph, source, target, weights="weight", estimate=bound)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for target in {0, graph.num_vertices // 2, graph.num_vertices - 1}:
        check(graph, 0, target)
        check(graph, target, 0)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("directed", [False, True])
def test_larger_graphs(directed, dtype):
    graph = random_graph(3000, 9000, directed=directed)
    graph = graph.with_weights(
        np.random.default_rng(1).integers(0, 9, graph.num_edges).astype(dtype)
    )
    for source, target in np.random.default_rng(2).integers(0, 3000, (20, 2)).tolist():
        check(graph, source, target)
        check(graph, source, target, weights="weight")


def test_a_road_with_an_estimate():
    width = 40
    graph = road(width, width, seed=3)
    low = graph.weights.min()
    x, y = np.divmod(np.arange(width * width), width)
    for target in (0, 777, 1599):
        bound = low * np.hypot(x - x[target], y - y[target]) * 0.5
        one = shortest_path(graph, 5, target, weights="weight")
        assert one == shortest_path(graph, 5, target, weights="weight", estimate=bound)
    assert len(shortest_path(grid_2d(9, 9), 0, 80, estimate=np.zeros(81))) == 17
    steps = lambda v, t: abs(v // 9 - t // 9) + abs(v % 9 - t % 9)  # noqa: E731
    assert len(shortest_path(grid_2d(9, 9), 3, 80, estimate=steps)) == 14


def test_infinite_huge_and_wrong_lengths():
    ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1.0, np.inf, 5.0, 1.0])
    assert shortest_path(ring, 1, 2, weights="weight") == [1, 0, 3, 2]
    cut = Graph.from_edges([0, 1], [1, 2], [1.0, np.inf])
    assert shortest_path(cut, 0, 2, weights="weight") == []
    assert shortest_path(cut, 0, 2, weights="weight", estimate=[0, 0, 0]) == []
    large = Graph.from_edges([0, 1, 0], [1, 2, 2], [2**58, 2**58, 2**60])
    assert shortest_path(large, 0, 2, weights="weight") == [0, 1, 2]
    with pytest.raises(ValueError, match="weights must not be negative or NaN, got -1"):
        shortest_path(cut, 0, 2, weights=[-1.0, 1.0])
    with pytest.raises(ValueError, match="weights must keep distances within float64"):
        shortest_path(cut, 0, 2, weights=[1e308, 1e308])
    assert shortest_path(ring, 1, 2, weights=[9e307, 9e307, 1.0, 1.0]) == [1, 2]


def test_arguments():
    names = Graph.from_edges(["Rome", "Oslo"], ["Oslo", "Bonn"], directed=True)
    assert list(names.label(shortest_path(names, "Rome", "Bonn"))) == ["Rome", "Oslo", "Bonn"]
    assert shortest_path(names, "Bonn", "Rome") == []
    with pytest.raises(ValueError, match="target must"):
        shortest_path(names, 0, 3)
    for wrong in ([0.0, 1.0], [0.0, np.nan, 0.0]):
        with pytest.raises(ValueError, match="estimate must have one number per vertex"):
            shortest_path(names, 0, 1, estimate=wrong)

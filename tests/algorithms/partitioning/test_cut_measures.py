"""Edge cut, communication volume and boundary: against loops over all edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph
from edgewise.base.parallel import threads
from edgewise.generators import grid_2d, star
from edgewise.partitioning import Parts, boundary, communication_volume, edge_cut
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


def looped(graph, parts):
    """The three measures, edge by edge."""
    sources, targets, weights = graph.arcs()
    weights = np.ones(len(sources)) if weights is None else weights
    cut, around, at = 0.0, set(), set()
    for u, v, weight in zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True):
        if parts[u] != parts[v]:
            cut += weight if graph.directed else weight / 2
            around.add((u, parts[v]))
            at |= {u, v}
    return cut, len(around), np.isin(np.arange(graph.num_vertices), sorted(at))


def check(graph, parts):
    cut, volume, at = looped(graph, parts)
    assert edge_cut(graph, parts) == pytest.approx(cut, abs=1e-12)
    assert communication_volume(graph, parts) == volume
    found = boundary(graph, parts)
    assert found.dtype == bool
    np.testing.assert_array_equal(found, at)


@given(graphs(lengths=st.integers(0, 5)), st.data())
def test_any_graph(graph, data):
    n = graph.num_vertices
    check(graph, np.array(data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), int))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check(graph, np.arange(graph.num_vertices) % 3)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("k", [2, 61, 62, 63, 125, 1000, 3000])
def test_more_parts_than_fit_into_a_word(k, directed):
    graph = random_graph(1000, 20_000, directed=directed)
    parts = np.random.default_rng(k).integers(0, k, 1000) * (1 if k < 3000 else 10**15)
    for count in (1, 2):
        with threads(count):
            check(graph, parts)


def test_a_hub_with_a_part_per_neighbor():
    parts = np.arange(501)[::-1]
    assert communication_volume(star(500), parts) == 1000
    assert edge_cut(star(500), parts) == 500


def test_weights_and_kinds_of_arrays():
    graph = Graph.from_edges([0, 1, 1, 2, 2], [1, 2, 2, 2, 3], [2.0, 3.0, 4.0, 9.0, 0.5])
    assert edge_cut(graph, [0, 0, 1, 1]) == 7.0
    assert edge_cut(graph, Parts([0, 0, 1, 1]), weights=None) == 1.0  # parallel edges were summed
    assert edge_cut(graph, np.array([0, 0, 1, 1], np.uint8), weights=[1, 8, 2, 4]) == 8.0
    assert edge_cut(grid_2d(30, 30), np.arange(900) // 450) == 30


def test_wrong_arguments():
    graph = grid_2d(2, 2)
    for call in (edge_cut, communication_volume, boundary):
        with pytest.raises(ValueError, match=r"parts must have one entry per vertex \(4\)"):
            call(graph, [0, 1, 0])
        with pytest.raises(TypeError, match="parts must be whole numbers"):
            call(graph, [0.0, 1.0, 0.0, 1.0])
        with pytest.raises(ValueError, match="parts must not be negative, got -1"):
            call(graph, [0, -1, 0, 0])
    with pytest.raises(ValueError, match="weights must not be negative"):
        edge_cut(graph, [0, 1, 0, 1], weights=[-1.0, 1.0, 1.0, 1.0])

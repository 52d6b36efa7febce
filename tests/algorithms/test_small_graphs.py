"""Small graphs, which one thread walks through alone, get what large ones get."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import edgewise as ew
from edgewise.base import threads
from edgewise.operators.sequential import is_small
from tests.algorithms.samples import SHAPES, graphs, shape

CALLS = {
    "bfs": lambda graph: ew.bfs(graph, 0).distance.tolist() if graph.num_vertices else [],
    "connected_components": lambda graph: ew.connected_components(graph).tolist(),
    "core_number": lambda graph: ew.core_number(graph).tolist(),
    "is_bipartite": ew.is_bipartite,
    "minimum_cut": lambda graph: _listed(_cut(graph)) if graph.num_vertices > 1 else [],
    "reverse_cuthill_mckee": lambda graph: ew.ordering.reverse_cuthill_mckee(graph).tolist(),
    "minimum_spanning_tree": lambda graph: _listed(ew.minimum_spanning_tree(graph)),
    "label_propagation": lambda graph: ew.communities.label_propagation(graph, seed=3).tolist(),
    "modularity": lambda graph: round(
        ew.communities.modularity(graph, np.arange(graph.num_vertices) % 3), 12
    ),
}


def _listed(found):
    return [part.tolist() if hasattr(part, "tolist") else part for part in found]


def _cut(graph):
    return ew.minimum_cut(graph, 0, graph.num_vertices - 1)


def both_ways(graph, call):
    """What a call gives as on a small graph, and as on a large one."""
    found = []
    for work in (1 << 15, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(threads, "SERIAL_WORK", work)
            assert is_small(graph) is (work > 0)
            found.append(call(graph))
    return found


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, call):
    small, large = both_ways(shape(name), call)
    assert small == large


@given(graphs(directed=False, most=12))
@settings(max_examples=60)
def test_random_graphs(graph):
    for call in CALLS.values():
        small, large = both_ways(graph, call)
        assert small == large


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
def test_weights_with_ties(dtype):
    draw = np.random.default_rng(3)
    graph = ew.generators.gnm_random(200, 900, seed=2)
    weights = draw.integers(-3, 4, graph.num_edges).astype(dtype)
    graph = graph.with_weights(weights)
    small, large = both_ways(graph, CALLS["minimum_spanning_tree"])
    assert small == large


def test_weakly_connected():
    graph = ew.generators.gnm_random(300, 250, directed=True, seed=1)
    small, large = both_ways(graph, lambda one: ew.weakly_connected_components(one).tolist())
    assert small == large


@pytest.mark.parametrize("odd", [False, True])
def test_a_bipartite_graph_that_one_thread_leaves_to_all(odd):
    graph = ew.generators.grid_2d(400, 400)
    if odd:
        source, target, _ = graph.edges()
        last = graph.num_vertices - 1
        graph = ew.Graph.from_edges([*source, last], [*target, last - 401])
    assert graph.num_arcs > 1 << 18
    assert ew.is_bipartite(graph) is not odd

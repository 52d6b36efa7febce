"""The measures over edges and over neighborhoods against their definitions, on every engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import ordering, threads
from edgewise.graph import Graph
from tests.algorithms.ordering.oracles import GRAPHS, measures
from tests.algorithms.samples import graphs, random_graph
from tests.distributed.grids import on_ranks

NAMES = list(measures(Graph([0], [])))
#: Those that run on a grid, where rows are not sorted by position.
ON_GRID = [name for name in NAMES if name not in ("log_gap", "line_span", "page_span")]


def found(graph, order=None):
    return {name: getattr(ordering, name)(graph, order) for name in NAMES}


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    graph = GRAPHS[name]
    assert found(graph) == pytest.approx(measures(graph))
    order = np.random.default_rng(1).permutation(graph.num_vertices)
    assert found(graph, order) == pytest.approx(measures(graph, order))


@given(graphs(), st.randoms())
def test_any_graph_and_order(graph, random):
    order = [*range(graph.num_vertices)]
    random.shuffle(order)
    assert found(graph, order) == pytest.approx(measures(graph, order))


def test_the_measure_of_an_order_is_that_of_the_permuted_graph():
    graph = random_graph(300, 900, seed=2).with_labels([f"v{i:03}" for i in range(300)])
    order = ordering.random_order(graph, seed=4)
    assert found(graph, order) == found(graph.permute(order))


def test_equal_for_any_number_of_threads():
    graph = random_graph(3000, 20000, seed=2)
    order = ordering.random_order(graph, seed=4)
    with threads(1):
        alone = found(graph, order)
    with threads(3):
        assert found(graph, order) == alone


def test_blocks_of_any_size():
    graph = GRAPHS["random"]
    assert ordering.line_span(graph, per_line=1) == ordering.page_span(graph, per_page=1)
    assert ordering.line_span(graph, per_line=10**6) == 1
    with pytest.raises(ValueError, match="per_line must be at least 1, got 0"):
        ordering.line_span(graph, per_line=0)


@pytest.mark.parametrize("name", NAMES)
def test_an_order_must_be_one(name):
    measure, graph = getattr(ordering, name), Graph.from_edges([0, 1], [1, 2])
    for order, what in (([0, 1, 1], "each of 0 to 2 once"), ([0, 1], "each of 0 to 2 once")):
        with pytest.raises(ValueError, match=what):
            measure(graph, order)
    with pytest.raises(TypeError, match="must be vertex ids"):
        measure(graph, [0.5, 1, 2])


@pytest.mark.parametrize("shape", [(1, 1), (2, 2)])
def test_on_a_grid(shape):
    graph = random_graph(90, 300, seed=6)
    order = ordering.random_order(graph, seed=1)
    wanted = {name: measures(graph, order)[name] for name in ON_GRID}

    def all_of_them(there):
        places = there.xp.asarray(order)
        return tuple(float(getattr(ordering, name)(there, places)) for name in ON_GRID)

    assert on_ranks(all_of_them, shape, graph) == pytest.approx(tuple(wanted.values()))


def test_what_a_grid_refuses():
    graph = random_graph(20, 40, seed=6)
    with pytest.raises(ValueError, match="log_gap runs on one device"):
        on_ranks(lambda there: ordering.log_gap(there), (2, 2), graph)
    with pytest.raises(ValueError, match="positions must hold each of 0 to 19 once"):
        on_ranks(lambda there: ordering.bandwidth(there, there.full(3)), (2, 2), graph)
    directed = random_graph(20, 40, directed=True)
    with pytest.raises(ValueError, match="profile of a directed graph runs on one device"):
        on_ranks(lambda there: ordering.profile(there), (1, 2), directed)

"""`star` and `acyclic`: no path of four vertices, and no cycle, has two colors."""

from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import coloring, generators
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.base.errors import DeviceError
from edgewise.graph import Graph
from tests.algorithms.coloring.oracles import GRAPHS, breaks
from tests.algorithms.samples import graphs, random_graph, shape

KINDS = {"star": coloring.star, "acyclic": coloring.acyclic}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, kind):
    graph = GRAPHS[name]
    colors = KINDS[kind](graph)
    assert len(colors) == graph.num_vertices
    if graph.num_vertices < 6:
        assert not breaks(graph, colors, kind)
    else:
        assert coloring.verify_coloring(graph, colors, kind=kind).valid


@given(graphs(directed=False, most=7), st.sampled_from(ORDERS), st.sampled_from([*KINDS]))
def test_any_small_graph(graph, order, kind):
    assert not breaks(graph, KINDS[kind](graph, order=order, seed=1), kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ORDERS)
def test_orders(order, kind):
    for seed in range(4):
        graph = random_graph(150, 500, seed=seed)
        colors = KINDS[kind](graph, order=order, seed=seed)
        assert coloring.verify_coloring(graph, colors, kind=kind).valid


def test_known_numbers():
    assert coloring.star(shape("path")).num_colors == 3
    assert coloring.acyclic(shape("path")).num_colors == 2
    assert coloring.star(shape("star")).num_colors == 2
    for color in KINDS.values():
        assert color(shape("clique")).num_colors == 12
        assert color(shape("empty")).num_colors == 0
    assert coloring.acyclic(shape("cycle")).num_colors == 3
    tree = generators.balanced_tree(3, 5)
    assert coloring.acyclic(tree).num_colors == 2
    assert 3 <= coloring.star(tree).num_colors <= 5


def test_fewer_colors_than_distance_2():
    mesh = generators.grid_2d(30, 30)
    acyclic, star, far = (
        one(mesh).num_colors for one in (coloring.acyclic, coloring.star, coloring.distance_2)
    )
    assert 3 <= acyclic <= star <= far


def test_hubs_take_linear_time():
    """A path beside two hubs. Reading the rows of the hubs at all vertices takes far longer."""
    n, path = 50_000, np.arange(1, 50_000)
    hubs = np.repeat([0, n], [n - 1, n - 1])
    graph = Graph.from_edges(
        np.concatenate([path[:-1], hubs]), np.concatenate([path[1:], path, path])
    )
    for kind, color in KINDS.items():
        begin = time.process_time()
        colors = color(graph, order="natural")
        assert time.process_time() - begin < 2
        assert coloring.verify_coloring(graph, colors, kind=kind).valid
        assert colors.num_colors <= 6


@given(graphs(directed=False, most=4), st.sampled_from([*KINDS]))
def test_no_coloring_has_fewer_colors_than_the_bound(graph, kind):
    bound = KINDS[kind](graph).lower_bound
    for colors in product(range(bound - 1), repeat=graph.num_vertices):
        assert breaks(graph, colors, kind)


def test_bounds_count_edges():
    """Any two of three colors induce a forest: at most n - 1 edges, 2 n - 3 in all."""
    assert coloring.acyclic(shape("cycle")).lower_bound == 3
    assert coloring.star(generators.grid_2d(30, 30)).lower_bound == 3
    dense = generators.complete_bipartite(20, 20)
    assert coloring.acyclic(dense).lower_bound == 13 <= coloring.acyclic(dense).num_colors


def test_errors():
    for name, color in KINDS.items():
        with pytest.raises(ValueError, match=f"{name} needs an undirected graph"):
            color(shape("path", directed=True))
        with pytest.raises(ValueError, match="order must be one of"):
            color(shape("path"), order="fast")

        class Elsewhere:
            device, engine, one_device = "cuda:0", "local", True

        with pytest.raises(DeviceError, match=f"{name} needs a graph in host memory"):
            color(Elsewhere())

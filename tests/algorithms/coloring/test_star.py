"""`star` and `acyclic`: no path of four vertices, and no cycle, has two colors."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from edgewise import coloring, generators
from edgewise.algorithms.coloring.orders import ORDERS
from edgewise.base.errors import DeviceError
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

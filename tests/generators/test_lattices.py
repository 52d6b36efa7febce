"""Grids and meshes against NetworkX's."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from edgewise.generators import banded, grid_2d, grid_3d, triangular_mesh


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("shape", [(0, 4), (1, 1), (1, 5), (2, 2), (2, 6), (3, 3), (4, 7)])
def test_grid_2d_is_networkx_grid(shape, periodic, same_as):
    expected = nx.grid_2d_graph(*shape, periodic=periodic)
    names = {(i, j): i * shape[1] + j for i, j in expected}
    same_as(grid_2d(*shape, periodic=periodic), nx.relabel_nodes(expected, names))


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 4), (3, 3, 3), (1, 4, 2)])
def test_grid_3d_is_networkx_grid(shape, periodic, same_as):
    rows, columns, layers = shape
    expected = nx.empty_graph(0)
    for part in (rows, columns, layers):
        line = nx.cycle_graph(part) if periodic and part > 2 else nx.path_graph(part)
        expected = nx.cartesian_product(expected, line) if len(expected) else line
    flat = {
        v: (v[0][0] * columns + v[0][1]) * layers + v[1] for v in expected.nodes
    }  # products nest: ((i, j), k)
    same_as(
        grid_3d(rows, columns, layers=layers, periodic=periodic), nx.relabel_nodes(expected, flat)
    )


@pytest.mark.parametrize("periodic", [False, True])
def test_diagonals_join_everything_one_step_away(periodic, edge_set):
    shape = np.array([4, 3, 5])
    graph = grid_3d(4, 3, layers=5, periodic=periodic, diagonals=True)
    places = np.stack(np.unravel_index(np.arange(60), shape), axis=1)
    apart = np.abs(places[:, None] - places[None])
    if periodic:
        apart = np.minimum(apart, shape - apart)
    u, v = np.nonzero(np.triu(apart.max(axis=2) == 1))
    assert edge_set(graph) == set(zip(u.tolist(), v.tolist(), strict=True))


def test_diagonals_in_2d_make_the_kings_graph(same_as):
    expected = nx.strong_product(nx.path_graph(4), nx.path_graph(6))
    names = {(i, j): i * 6 + j for i, j in expected}
    same_as(grid_2d(4, 6, diagonals=True), nx.relabel_nodes(expected, names))


@pytest.mark.parametrize("diagonals", ["same", "alternate", "random"])
def test_mesh_is_a_planar_triangulation(diagonals, as_networkx):
    rows, columns = 6, 9
    mesh = as_networkx(triangular_mesh(rows, columns, diagonals=diagonals))
    squares = (rows - 1) * (columns - 1)
    assert mesh.number_of_edges() == rows * (columns - 1) + columns * (rows - 1) + squares
    assert nx.check_planarity(mesh)[0]
    assert sum(nx.triangles(mesh).values()) // 3 >= 2 * squares


def test_alternate_mesh_is_networkx_triangular_lattice(same_as):
    rows, columns = 5, 4
    expected = nx.triangular_lattice_graph(rows - 1, 2 * (columns - 1))
    names = {(i, j): j * columns + i for i, j in expected}
    same_as(
        triangular_mesh(rows, columns, diagonals="alternate"), nx.relabel_nodes(expected, names)
    )


def test_random_diagonals_are_fair_and_follow_the_seed():
    one = triangular_mesh(100, 100, diagonals="random", seed=1)
    assert one == triangular_mesh(100, 100, diagonals="random", seed=1)
    assert one != triangular_mesh(100, 100, diagonals="random", seed=2)
    sources, targets, _ = one.edges()
    falling = (targets - sources == 101).sum()
    assert abs(falling - 99 * 99 / 2) < 4 * 99 / 2


@pytest.mark.parametrize("diagonals", ["same", "alternate", "random"])
def test_periodic_mesh_triangulates_the_torus(diagonals, as_networkx):
    mesh = as_networkx(triangular_mesh(6, 7, diagonals=diagonals, periodic=True))
    assert mesh.number_of_edges() == 3 * 42
    assert nx.is_connected(mesh)


@pytest.mark.parametrize("width", [0, 1, 2, 5, 9, 20])
@pytest.mark.parametrize("n", [0, 1, 2, 10])
def test_band_joins_near_numbers(n, width, edge_set):
    near = {(u, v) for u in range(n) for v in range(u + 1, n) if v - u <= width}
    assert edge_set(banded(n, width)) == near


def distance_2(graph):
    """The sets of vertices within two steps of each vertex, without itself."""
    near = [set(graph.neighbors(v).tolist()) for v in range(graph.num_vertices)]
    return [(near[v].union(*(near[u] for u in near[v]))) - {v} for v in range(len(near))]


@pytest.mark.parametrize(
    ("shape", "diagonals", "one", "two"),
    [
        ((5, 6), False, 2, 5),
        ((5, 6), True, 4, 9),
        ((3, 4, 5), False, 2, 7),
        ((3, 4, 5), True, 8, 27),
    ],
)
def test_stencils_have_the_stated_numbers(shape, diagonals, one, two, as_networkx):
    if len(shape) == 2:
        graph = grid_2d(*shape, diagonals=diagonals)
    else:
        graph = grid_3d(*shape[:2], layers=shape[2], diagonals=diagonals)
    places = np.unravel_index(np.arange(graph.num_vertices), shape)
    period, steps = (2, (1, 2, 4)) if diagonals else (None, (1, 1, 1))
    parts = [place % period if period else place for place in places]
    first = sum(step * part for step, part in zip(steps, parts, strict=False)) % one
    period, steps = (3, (1, 3, 9)) if diagonals else (None, (1, 2, 3))
    parts = [place % period if period else place for place in places]
    second = sum(step * part for step, part in zip(steps, parts, strict=False)) % two
    far = distance_2(graph)
    for v in range(graph.num_vertices):
        assert first[v] not in first[graph.neighbors(v)]
        assert second[v] not in second[list(far[v])]
    # as many are needed: a clique, and a closed neighborhood
    assert max(map(len, nx.find_cliques(as_networkx(graph)))) == one
    assert graph.degrees().max() + 1 == two


@pytest.mark.parametrize("width", [1, 3])
def test_bands_have_the_stated_numbers(width, as_networkx):
    graph, v = banded(20, width), np.arange(20)
    assert all(u % (width + 1) != w % (width + 1) for u, w in as_networkx(graph).edges)
    for u, near in enumerate(distance_2(graph)):
        assert v[u] % (2 * width + 1) not in v[list(near)] % (2 * width + 1)
    assert max(map(len, nx.find_cliques(as_networkx(graph)))) == width + 1
    assert graph.degrees().max() + 1 == 2 * width + 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: grid_2d(-1, 3), "rows must be at least 0, got -1"),
        (lambda: grid_2d(3, -1), "columns must be at least 0"),
        (lambda: grid_3d(2, 2, layers=-3), "layers must be at least 0"),
        (lambda: banded(-1, 3), "n must be at least 0"),
        (lambda: banded(3, -1), "width must be at least 0"),
        (lambda: triangular_mesh(3, 3, diagonals="up"), "diagonals must be one of 'same'"),
        (lambda: triangular_mesh(2, 5, periodic=True), "periodic needs rows and columns of at"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()

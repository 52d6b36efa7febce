"""`partitioning.coarsen`: mappings, weights and sizes of every level."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph
from edgewise.algorithms.partitioning.cluster_rounds import clusters
from edgewise.base.random import hashed
from edgewise.generators import grid_2d, path, rmat, star
from edgewise.partitioning import coarsen

METHODS = ["clustering", "matching", "aggregates"]


def check(graph, mass=None, weights=None, **options):
    """The levels, once each is found to be the contraction of the one before."""
    if weights is not None:
        options["weights"] = weights
    levels = coarsen(graph, vertex_weights=mass, **options)
    mass = np.ones(graph.num_vertices) if mass is None else np.asarray(mass, float)
    assert levels.all_graphs[0] is graph and (levels.vertex_weights[0] == mass).all()
    u, v = graph.edges()[:2]
    w = np.ones(len(u)) if weights is None else weights
    below = levels.all_graphs[1:], levels.mappings, levels.vertex_weights[1:]
    for small, mapping, heavy in zip(*below, strict=True):
        mass = np.bincount(mapping, mass)
        assert (heavy == mass).all() and small.num_vertices == len(mass)
        u, v = mapping[u], mapping[v]
        u, v, w = u[u != v], v[u != v], w[u != v]
        expected = np.zeros((len(mass), len(mass)))
        np.add.at(expected, (u, v), w)
        found = np.zeros_like(expected)
        np.add.at(found, tuple(small.edges()[:2]), small.edges()[2] if len(u) else 0.0)
        assert np.allclose(found + found.T, expected + expected.T)
    return levels


@pytest.mark.parametrize("method", METHODS)
def test_levels_are_contractions(method):
    rng = np.random.default_rng(1)
    for graph in (grid_2d(20, 20), path(70), rmat(9, seed=1), star(300)):
        levels = check(graph, method=method, min_vertices=20)
        assert levels.all_graphs[-1].num_vertices < 0.6 * graph.num_vertices
        check(graph, rng.integers(0, 5, graph.num_vertices), method=method, min_vertices=20)
        check(graph, weights=rng.integers(0, 4, graph.num_edges).astype(float), method=method,
              min_vertices=20)  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_stars_and_isolated_vertices_shrink(method):
    assert check(star(1000), method=method, min_vertices=30).all_graphs[-1].num_vertices <= 60
    alone = Graph.from_edges([], [], num_vertices=500)
    assert check(alone, method=method, min_vertices=30).all_graphs[-1].num_vertices <= 60


@pytest.mark.parametrize("method", METHODS)
def test_no_vertex_becomes_too_heavy(method):
    levels = check(rmat(10, seed=2), method=method, min_vertices=4, max_weight=12)
    assert levels.vertex_weights[-1].max() <= 12


@pytest.mark.parametrize("method", METHODS[:2])
def test_heavy_edges_are_merged_first(method):
    u = np.arange(99)
    weights = np.where(u % 2 == 0, 10.0, 1.0)
    levels = check(Graph.from_edges(u, u + 1), weights=weights, method=method, min_vertices=60)
    assert (levels.mappings[0][::2] == levels.mappings[0][1::2]).all()


@pytest.mark.parametrize("method", METHODS)
def test_small_graphs_stay(method):
    for graph in (Graph.from_edges([], [], num_vertices=0), path(3), Graph.from_edges([0], [0])):
        assert len(check(graph, method=method).all_graphs) == 1


@pytest.mark.parametrize("method", METHODS)
def test_repeats_for_any_number_of_threads(method):
    graph, found = rmat(12, seed=5), []
    for count in (1, 2):
        with ew.threads(count):
            found.append(coarsen(graph, method=method, seed=3))
    assert all((a == b).all() for a, b in zip(found[0].mappings, found[1].mappings, strict=True))


def test_aggregates_shrink_by_a_factor_at_every_level():
    sizes = [one.num_vertices for one in coarsen(grid_2d(60, 60), method="aggregates").all_graphs]
    assert len(sizes) == 3 and all(b < a / 4 for a, b in zip(sizes, sizes[1:], strict=False))


def test_aggregates_are_those_of_coloring():
    graph = grid_2d(15, 15)
    mapping = coarsen(graph, method="aggregates", min_vertices=100, max_weight=30).mappings[0]
    root = ew.coloring.aggregates(graph, seed=int(hashed(0, 0)) & (1 << 63) - 1)
    assert ((mapping[:, None] == mapping) == (root[:, None] == root)).all()


@pytest.mark.parametrize("graph", [grid_2d(25, 25), star(400), rmat(9, seed=3)])
def test_clusters_in_rounds(graph):
    """Groups on a GPU: within the limit, named by a member, and few."""
    mass = np.random.default_rng(3).integers(0, 4, graph.num_vertices).astype(float)
    group = clusters(graph, mass, 9.0, 5)
    assert np.bincount(group, mass).max() <= 9 and (group[group] == group).all()
    assert len(np.unique(group)) < 0.75 * graph.num_vertices
    with ew.threads(2):
        assert (clusters(graph, mass, 9.0, 5) == group).all()


def test_values_are_projected():
    levels = coarsen(grid_2d(20, 20), min_vertices=20)
    ids = np.arange(levels.all_graphs[-1].num_vertices)
    assert (np.bincount(levels.project(ids)) == levels.vertex_weights[-1]).all()
    assert (levels.project(np.arange(400), 0) == np.arange(400)).all()
    assert "400 -> " in repr(levels)


def test_refusals():
    with pytest.raises(ValueError, match="to_undirected"):
        coarsen(Graph.from_edges([0], [1], directed=True))
    with pytest.raises(ValueError, match="method"):
        coarsen(path(3), method="halving")
    with pytest.raises(ValueError, match="weights must not be negative"):
        coarsen(path(3), weights=[-1.0, 1.0])
    with pytest.raises(ValueError, match="min_vertices"):
        coarsen(path(3), min_vertices=0)

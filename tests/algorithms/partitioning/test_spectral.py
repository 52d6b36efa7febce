"""Spectral partitions: balance, known cuts, components, and eigenvectors against a dense solver."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph, partitioning as pt
from edgewise.algorithms.partitioning.embedding import laplacian_eigenvectors
from edgewise.algorithms.partitioning.smoothed_aggregation import aggregates
from edgewise.base.parallel import threads
from edgewise.generators import grid_2d, grid_3d, path, star
from tests.algorithms.samples import SHAPES, random_graph, shape

LAPLACIANS = ["combinatorial", "normalized", "generalized"]
PRECONDITIONERS = ["jacobi", "polynomial", "multigrid"]


@pytest.mark.parametrize("name", SHAPES)
def test_balance_on_shapes(name):
    graph = shape(name)
    n = graph.num_vertices
    for k in (1, 2, 3, 7):
        parts = pt.spectral(graph, k)
        assert parts.k == k and len(parts) == n
        assert set(parts.sizes().tolist()) <= {n // k, -(-n // k)}


@pytest.mark.parametrize("laplacian", LAPLACIANS)
@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
def test_eigenvectors_are_those_of_a_dense_solver(laplacian, preconditioner):
    graph = grid_2d(23, 40)
    weights = 1.0 + (graph.arcs()[0].astype(int) * graph.arcs()[1] % 7)
    options = {"laplacian": laplacian, "preconditioner": preconditioner, "seed": 3}
    found = laplacian_eigenvectors(graph, weights, 4, tol=1e-3, max_iter=300, **options)
    sources, targets, _ = graph.arcs()
    dense = np.zeros((920, 920))
    dense[sources, targets] = weights
    degrees = dense.sum(axis=1)
    dense = np.diag(degrees) - dense
    root = np.ones(920) if laplacian == "combinatorial" else degrees**-0.5
    wanted = np.linalg.eigvalsh(root[:, None] * dense * root)[1:5]
    np.testing.assert_allclose(found.values, wanted, rtol=1e-4)
    scale = {"normalized": root[:, None] * dense * root}.get(laplacian, dense)
    mass = degrees[:, None] if laplacian == "generalized" else 1.0
    left = scale @ found.vectors - mass * found.vectors * found.values
    assert np.abs(left).max() < 1e-3


@pytest.mark.parametrize("cuts", ["inertial", "multi_jagged"])
def test_a_strip_is_cut_straight(cuts):
    graph = grid_2d(12, 96)
    assert pt.edge_cut(graph, pt.spectral(graph, 2, cuts=cuts)) == 12
    most = {"inertial": 36, "multi_jagged": 60}[cuts]  # along the strip, or also across
    assert pt.edge_cut(graph, pt.spectral(graph, 4, cuts=cuts)) <= most


def test_two_clusters():
    planted = ew.generators.planted_partition(2, 300, p_in=0.1, p_out=0.002, seed=5)
    parts = pt.spectral(planted.graph, 2)
    assert min((parts == planted.communities).sum(), (parts != planted.communities).sum()) < 3


def test_components_come_first():
    """Four cubes need no cut for four parts, and one in two only where sizes demand it."""
    cube = grid_3d(6, 6, layers=6)
    u, v, _ = cube.edges()
    shifts = 216 * np.arange(4)[:, None]
    graph = Graph.from_edges((u + shifts).ravel(), (v + shifts).ravel(), num_vertices=900)
    graph4 = graph.subgraph(np.arange(864))
    assert pt.edge_cut(graph4, pt.spectral(graph4, 4)) == 0
    assert pt.edge_cut(graph4, pt.spectral(graph4, 2)) == 0
    parts = pt.spectral(graph4, 8)
    assert (
        4 * 36 <= pt.edge_cut(graph4, parts) <= 7 * 36
    )  # three equal eigenvalues: in any direction
    assert (parts.sizes() == 108).all()
    parts = pt.spectral(graph, 5)  # 36 isolated vertices fill the last part
    assert (parts.sizes() == 180).all()


def test_equal_eigenvalues():
    """Of a square, a cycle and a hypercube most come in groups."""
    for graph, k, most in (
        (grid_2d(20, 20), 4, 80),
        (ew.generators.cycle(1000), 8, 8),
        (ew.generators.hypercube(10), 2, 1100),
    ):
        parts = pt.spectral(graph, k)
        assert np.ptp(parts.sizes()) <= 1
        assert pt.edge_cut(graph, parts) <= most


def test_weights_of_edges_and_vertices():
    graph = grid_2d(4, 40)
    sources, targets, _ = graph.edges()
    light = (np.minimum(sources, targets) % 40 == 13) & (np.abs(sources - targets) == 1)
    weighted = graph.with_weights(np.where(light, 1e-3, 1.0))
    masses = np.where(np.arange(160) % 40 < 14, 26, 14)
    parts = pt.spectral(weighted, 2, vertex_weights=masses)
    assert pt.edge_cut(weighted, parts) == pytest.approx(4e-3)
    cut_off = graph.with_weights(np.where(light, 0.0, 1.0))
    assert pt.edge_cut(cut_off, pt.spectral(cut_off, 2, vertex_weights=masses)) == 0
    again = pt.spectral(graph.with_weights(np.where(light, 1e-3, 1.0) * 2.0**600), 2)
    np.testing.assert_array_equal(again, pt.spectral(weighted, 2))


def test_irregular_graphs_and_the_same_seed():
    graph = random_graph(3000, 12_000, seed=1)
    parts = pt.spectral(graph, 6, seed=4)
    assert np.ptp(parts.sizes()) <= 1
    shuffled = np.random.default_rng(0).permutation(parts)
    assert pt.edge_cut(graph, parts) < 0.9 * pt.edge_cut(graph, shuffled)
    with threads(1):
        np.testing.assert_array_equal(parts, pt.spectral(graph, 6, seed=4))
    assert np.ptp(pt.spectral(star(2000), 3).sizes()) <= 1


def test_aggregates_are_balls():
    graph = grid_2d(30, 31)
    groups = aggregates(graph, 5)
    assert 930 / 13 <= groups.max() + 1 <= 930 / 4
    quality = pt.quality(graph, groups)
    assert quality.disconnected_parts == 0 and quality.empty_parts == 0


def test_wrong_arguments():
    graph = path(10)
    for options, text in (
        ({"k": 0}, "k must be at least 1"),
        ({"laplacian": "signed"}, "laplacian must be one of"),
        ({"preconditioner": "ilu"}, "preconditioner must be one of"),
        ({"cuts": "none"}, "cuts must be one of"),
        ({"tol": 0}, "tol must be a finite number, positive"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"vectors": 0}, "vectors must be at least 1"),
        ({"vertex_weights": [1]}, "vertex_weights must have one entry per vertex"),
        ({"weights": np.full(9, -1.0)}, "weights must not be negative"),
    ):
        with pytest.raises(ValueError, match=text):
            pt.spectral(graph, **{"k": 2, **options})
    with pytest.raises(ValueError, match="spectral needs an undirected graph"):
        pt.spectral(Graph.from_edges([0], [1], directed=True), 2)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "k", "metis"), [("4elt", 16, 1087), ("copter2", 16, 20068), ("copter2", 2, 2079)]
)
def test_cuts_of_meshes_beside_metis(shared_graphs, name, k, metis):
    """Cuts of METIS 5 with an imbalance of 3 percent."""
    graph = ew.read(shared_graphs / f"{name}.graph.gz")
    parts = pt.spectral(graph, k)
    assert pt.imbalance(graph, parts) < 0.002
    assert pt.edge_cut(graph, parts) < 1.4 * metis

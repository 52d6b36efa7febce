"""Reverse Cuthill-McKee on long graphs, and beside SciPy; `test_levels` has what is odd."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse.csgraph

import edgewise
from edgewise import ordering
from edgewise.generators import cycle, grid_2d, path
from edgewise.graph import Graph
from tests.algorithms.ordering.oracles import cuthill_mckee


def test_long_components():
    """Meshes, paths and a ring side by side, shuffled: several searches for their ends."""
    parts = [grid_2d(4, 50), grid_2d(3, 30), path(90), cycle(70), path(1), grid_2d(2, 2)]
    ends, n = [], 0
    for part in parts:
        ends.append(np.stack(part.edges()[:2]) + n)
        n += part.num_vertices
    graph = Graph.from_edges(*np.concatenate(ends, axis=1), num_vertices=n)
    for seed in range(3):
        shuffled = graph.permute(ordering.random_order(graph, seed=seed))
        assert ordering.reverse_cuthill_mckee(shuffled).tolist() == cuthill_mckee(shuffled)


def test_a_shuffled_mesh():
    """The bandwidth of a grid is its shorter side; SciPy does not find a better one."""
    graph = grid_2d(20, 90)
    graph = graph.permute(ordering.random_order(graph, seed=1))
    order = ordering.reverse_cuthill_mckee(graph)
    theirs = np.argsort(scipy.sparse.csgraph.reverse_cuthill_mckee(graph.to_scipy().tocsr(), True))
    assert ordering.bandwidth(graph, order) <= min(22, ordering.bandwidth(graph, theirs))
    assert ordering.profile(graph, order) <= ordering.profile(graph, theirs)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("name", ["rotor", "luxembourg"])
def test_beside_scipy_on_real_meshes(name, shared_graphs):
    file = {"rotor": "rotor.graph.gz", "luxembourg": "luxembourg_osm.mtx.gz"}[name]
    how = {"format": "edges"} if name == "luxembourg" else {}
    graph = edgewise.read(shared_graphs / file, **how)
    order = ordering.reverse_cuthill_mckee(graph)
    theirs = np.argsort(scipy.sparse.csgraph.reverse_cuthill_mckee(graph.to_scipy().tocsr(), True))
    for measure in (ordering.bandwidth, ordering.profile):
        assert measure(graph, order) <= measure(graph, theirs)

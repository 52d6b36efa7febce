"""Road-like networks: connected, part of the grid, as long as they should be."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from edgewise.generators import grid_2d, road, road_coordinates


@pytest.mark.parametrize("removals", [0.0, 0.3, 0.4, 0.8, 1.0])
def test_connected_part_of_the_grid(removals, edge_set, as_networkx):
    graph = road(25, 40, removals=removals, seed=6)
    assert graph.num_vertices == 1000
    assert nx.is_connected(as_networkx(graph))
    assert edge_set(graph) <= edge_set(grid_2d(25, 40))


def test_share_of_streets():
    all_streets = grid_2d(200, 200).num_edges
    assert road(200, 200, removals=0).num_edges == all_streets
    assert road(200, 200, removals=1).num_edges == 200 * 200 - 1
    kept = road(200, 200, removals=0.2).num_edges
    # At this density nearly nothing falls apart, so nearly nothing comes back.
    assert 0.79 < kept / all_streets < 0.82
    assert 1.15 < road(200, 200).num_edges / 40000 < 1.3


def test_removed_streets_are_not_those_of_one_direction():
    sources, targets, _ = road(200, 200, removals=1).edges()
    across = (targets - sources == 1).mean()
    assert 0.47 < across < 0.53


def test_weights_are_lengths_in_both_directions():
    graph = road(20, 30, seed=8)
    places = road_coordinates(20, 30, seed=8)
    sources, targets, weights = graph.arcs()
    assert np.allclose(weights, np.hypot(*(places[sources] - places[targets]).T))
    assert weights.dtype == np.float64
    assert 0 < weights.min() < weights.max() < 2


def test_positions_lie_around_the_grid():
    places = road_coordinates(20, 30, seed=8)
    corner = np.stack([np.arange(600) % 30, np.arange(600) // 30], axis=1)
    moves = places - corner
    assert np.abs(moves).max() <= 0.35
    assert np.abs(moves.mean(axis=0)).max() < 0.05
    assert abs(np.corrcoef(moves.T)[0, 1]) < 0.15


def test_seed_and_small_sizes():
    assert road(10, 10, seed=1) == road(10, 10, seed=1)
    assert road(10, 10, seed=1) != road(10, 10, seed=2)
    assert road(1, 1).num_edges == 0
    assert road(1, 6).num_edges == 5
    assert road(0, 6).num_vertices == 0


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="removals must be a number from 0 to 1, got 1.5"):
        road(3, 3, removals=1.5)
    with pytest.raises(ValueError, match="rows must be at least 0"):
        road(-3, 3)
    with pytest.raises(ValueError, match="columns must be at least 0"):
        road_coordinates(3, -3)

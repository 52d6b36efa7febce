"""Reverse Cuthill-McKee against a queue that sorts by degree, and beside SciPy."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import scipy.sparse.csgraph
from hypothesis import given

import edgewise
from edgewise import ordering, threads
from edgewise.algorithms.ordering import levels
from edgewise.generators import cycle, grid_2d, path
from edgewise.graph import Graph
from tests.algorithms.ordering import oracles
from tests.algorithms.ordering.oracles import GRAPHS, is_order
from tests.algorithms.samples import graphs, random_graph


def by_queue(graph):
    """From the ends of all components (George and Liu), by parent, degree and id; reversed."""
    degree, rows = graph.symmetrize().degrees().tolist(), oracles.neighborhoods(graph)
    parts = oracles.components(rows)
    starts, last = [min(part, key=lambda v: (degree[v], v)) for part in parts], [-1] * len(parts)
    tried = []
    for _ in range(3):
        depths = [oracles.depths(rows, start) for start in starts]
        widths = Counter(level for depth in depths for level in depth.values() if level)
        tried.append((max(widths.values(), default=0), starts.copy()))
        if tried[-1][0] > len(rows) / 10:
            break
        deepest = [max(depth.values()) for depth in depths]
        grown = [i for i in range(len(parts)) if deepest[i] > last[i]]
        if not grown:
            break
        last = deepest
        for i in grown:
            ends = [v for v in parts[i] if depths[i][v] == deepest[i]]
            starts[i] = min(ends, key=lambda v: (degree[v], v))
    chosen = min(tried, key=lambda one: one[0], default=(0, []))[1]
    listed = [v for start in chosen for v in oracles.queue(rows, start, degree.__getitem__)]
    return oracles.places(listed[::-1])


@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name):
    order = ordering.reverse_cuthill_mckee(GRAPHS[name])
    assert is_order(GRAPHS[name], order) and order.tolist() == by_queue(GRAPHS[name])


@given(graphs())
def test_any_graph(graph):
    assert ordering.reverse_cuthill_mckee(graph).tolist() == by_queue(graph)


@pytest.mark.parametrize("wide", [0, 64, 10**9])
def test_wide_levels_narrow_levels_and_both(wide, monkeypatch):
    monkeypatch.setattr(levels, "_WIDE", wide)
    graph = random_graph(2000, 6000, seed=1)
    wanted = by_queue(graph)
    for team in (1, 3):
        with threads(team):
            assert ordering.reverse_cuthill_mckee(graph).tolist() == wanted


def test_long_components():
    """Meshes, paths and a ring side by side, shuffled: several searches for their ends."""
    parts = [grid_2d(4, 50), grid_2d(3, 30), path(90), cycle(70), path(1), grid_2d(2, 2)]
    ends, n = [], 0
    for part in parts:
        ends.append(np.stack(part.edges()[:2]) + n)
        n += part.num_vertices
    graph = Graph.from_edges(*np.concatenate(ends, axis=1), num_vertices=n)
    for seed in range(3):
        shuffled = graph.permute(ordering.random(graph, seed=seed))
        assert ordering.reverse_cuthill_mckee(shuffled).tolist() == by_queue(shuffled)


def test_a_shuffled_mesh():
    """The bandwidth of a grid is its shorter side; SciPy does not find a better one."""
    graph = grid_2d(20, 90)
    graph = graph.permute(ordering.random(graph, seed=1))
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

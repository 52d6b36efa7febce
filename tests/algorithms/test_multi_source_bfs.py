"""`multi_source_bfs`: a row for each source, as `bfs` gives it."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, bfs, generators, multi_source_bfs, threads
from edgewise.algorithms.traversal import bit_parallel
from edgewise.operators import exploring
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def one_by_one(graph, sources, max_depth=None):
    rows = [bfs(graph, int(s), max_depth=max_depth).distance for s in sources]
    return np.stack(rows) if rows else np.zeros((0, graph.num_vertices), np.int32)


@given(graphs(), st.data(), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_as_one_by_one(graph, data, team):
    sources = data.draw(st.lists(st.integers(0, graph.num_vertices - 1), max_size=70))
    depth = data.draw(st.sampled_from([None, 0, 1, 3]))
    with threads(team):
        found = multi_source_bfs(graph, sources, max_depth=depth)
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, one_by_one(graph, sources, depth))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("count", [1, 64, 65, 512, 700])
def test_words_and_sweeps(count, directed):
    """Bits that are left over, whole words, and more sources than one sweep takes."""
    graph = random_graph(900, 2500, directed=directed)
    sources = np.random.default_rng(count).integers(0, 900, count)
    for team in TEAMS:
        with threads(team):
            found = multi_source_bfs(graph, sources)
        few = np.arange(0, count, max(1, count // 12))
        np.testing.assert_array_equal(found[few], one_by_one(graph, sources[few]))


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    sources = np.arange(graph.num_vertices)
    np.testing.assert_array_equal(multi_source_bfs(graph, sources), one_by_one(graph, sources))


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("directed", [False, True])
def test_ways_too_long_to_share(directed, beside, monkeypatch):
    """Three hundred levels, and four sources: each search goes alone, as far as it may."""
    monkeypatch.setattr(exploring, "_LARGE", 1)
    monkeypatch.setattr(exploring, "_MANY", 2)
    for module in (
        exploring,
        bit_parallel,
        import_module(f"{bit_parallel.__package__}.multi_source_bfs"),
    ):
        monkeypatch.setattr(module, "beside", lambda graph, count: beside)
    u = np.arange(300)
    graph = Graph.from_edges(u, u + 1, directed=directed, num_vertices=303)
    sources, ids = np.array([0, 299, 300, 302]), np.arange(303)
    starts = sources[:, None]
    hops = ids - starts if directed else abs(ids - starts)
    apart = (hops < 0) | ((ids > 300) | (starts > 300)) & (hops != 0)
    hops = np.where(apart, np.iinfo(np.int32).max, hops)
    for depth in (None, 80):
        found = multi_source_bfs(graph, sources, max_depth=depth)
        wanted = hops if depth is None else np.where(hops > depth, np.iinfo(np.int32).max, hops)
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.slow
def test_long_ways_and_short_ones():
    for graph in (generators.grid_2d(70, 90), generators.rmat(12, seed=3)):
        sources = np.arange(0, graph.num_vertices, 97)
        np.testing.assert_array_equal(multi_source_bfs(graph, sources), one_by_one(graph, sources))


def test_labels_and_errors():
    graph = Graph.from_edges(["a", "b"], ["b", "c"])
    assert multi_source_bfs(graph, ["c"]).ravel().tolist() == [2, 1, 0]
    assert multi_source_bfs(graph, []).shape == (0, 3)
    with pytest.raises(ValueError, match=r"sources\[1\] must be a vertex id from 0 to 2, got 3"):
        multi_source_bfs(graph, [0, 3])
    with pytest.raises(ValueError, match="max_depth must be at least 0, got -1"):
        multi_source_bfs(graph, [0], max_depth=-1)

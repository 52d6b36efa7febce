"""`bfs`: the laws of its answer, and NetworkX's distances."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph, Trace, bfs, observe, threads
from edgewise.algorithms.traversal import bfs as home
from tests.algorithms.samples import (
    SHAPES,
    TEAMS,
    graphs,
    random_graph,
    shape,
    small_and_large,
    to_networkx,
)
from tests.algorithms.verify import check_paths, hops

FAR = 2**31 - 1

way = small_and_large(home, "_ALONE")


@given(graphs(), st.integers(0, 11), st.sampled_from(TEAMS))
def test_any_graph(graph, source, team):
    source %= graph.num_vertices
    with threads(team):
        paths = bfs(graph, source)
    check_paths(graph, source, paths)
    assert paths.distance.tolist() == hops(graph, source)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    for source in {0, graph.num_vertices // 2, graph.num_vertices - 1}:
        for team in TEAMS:
            with threads(team):
                paths = bfs(graph, source)
            check_paths(graph, source, paths)
            assert paths.distance.tolist() == hops(graph, source)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("team", TEAMS)
def test_agrees_with_networkx(directed, team):
    graph = random_graph(3000, 20_000, directed=directed)
    other = to_networkx(graph)
    for source in (0, 17, 2999):
        with threads(team):
            paths = bfs(graph, source)
        check_paths(graph, source, paths)
        known = nx.single_source_shortest_path_length(other, source)
        assert paths.distance.tolist() == [known.get(v, FAR) for v in range(3000)]


def test_wide_frontiers_and_deep_ones_in_one_search():
    """A grid with a hub in its far corner: narrow rounds, then a wide one, then narrow again."""
    side = np.arange(60 * 60).reshape(60, 60)
    sources = np.concatenate([side[:, :-1].ravel(), side[:-1].ravel(), np.full(4000, 3599)])
    leaves = np.arange(3600, 7600)
    targets = np.concatenate([side[:, 1:].ravel(), side[1:].ravel(), leaves])
    tail = np.arange(7600, 8000)
    sources = np.concatenate([sources, [7599], tail[:-1]])
    targets = np.concatenate([targets, [7600], tail[1:]])
    graph = Graph.from_edges(sources, targets)
    for team in TEAMS:
        with threads(team):
            paths = bfs(graph, 0)
        check_paths(graph, 0, paths)
        assert paths.distance[[3599, 7600, 7999]].tolist() == [118, 120, 519]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 148, 149, 1000])
def test_max_depth(depth, directed):
    for name in ("path", "star", "disconnected", "clique"):
        graph = shape(name, directed=directed)
        source = graph.num_vertices - 1
        paths = bfs(graph, source, max_depth=depth)
        known = hops(graph, source, depth)
        assert paths.distance.tolist() == known
        assert [p >= 0 for p in paths.parent.tolist()] == [d < FAR for d in known]
        for v, p in enumerate(paths.parent.tolist()):
            assert p < 0 or v == source or known[p] + 1 == known[v]


def test_max_depth_on_a_team():
    graph = random_graph(3000, 20_000)
    for depth in (1, 2, 3):
        with threads(2):
            assert bfs(graph, 0, max_depth=depth).distance.tolist() == hops(graph, 0, depth)


def test_result_types_and_path():
    paths = bfs(shape("path"), np.int32(149))
    assert paths.distance.dtype == np.int32 and paths.parent.dtype == np.int32
    assert paths.path_to(0) == list(range(149, -1, -1))
    assert paths.path_to(149) == [149]
    assert bfs(shape("disconnected"), 0).path_to(4) == []


def test_labels_are_translated_by_the_graph():
    graph = Graph.from_edges(["ann", "bob"], ["bob", "eve"])
    paths = bfs(graph, graph.vertex("eve"))
    assert graph.label(paths.path_to(graph.vertex("ann"))).tolist() == ["eve", "bob", "ann"]


def test_weights_do_not_matter_and_nothing_is_changed():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 9.0])
    before = graph.copy()
    assert bfs(graph, 0).distance.tolist() == [0, 1, 1]
    assert graph == before


def test_observer_sees_every_round():
    graph = shape("path")
    with observe(Trace()) as trace:
        bfs(graph, 0)
    assert [row["iteration"] for row in trace.rows] == list(range(150))
    assert all(row["frontier"] == 1 for row in trace.rows)


def test_observer_can_stop_the_search():
    def stop(iteration, **counts):
        raise InterruptedError("enough")

    graph = random_graph(3000, 20_000)
    with pytest.raises(InterruptedError, match="enough"), observe(stop):
        bfs(graph, 0)
    check_paths(graph, 0, bfs(graph, 0))


@pytest.mark.parametrize("source", [-1, 3, 2**40])
def test_source_out_of_range(source):
    with pytest.raises(ValueError, match=f"source must be a vertex id from 0 to 2, got {source}"):
        bfs(Graph.from_edges([0, 1], [1, 2]), source)


def test_other_errors():
    graph = Graph.from_edges([0, 1], [1, 2])
    with pytest.raises(TypeError, match="source must be a vertex id .* got 'bob'"):
        bfs(graph, "bob")
    with pytest.raises(TypeError, match="source must be a vertex id .* got 1.0"):
        bfs(graph, 1.0)
    with pytest.raises(ValueError, match="source must be a vertex id, but the graph has none"):
        bfs(shape("empty"), 0)
    with pytest.raises(ValueError, match="max_depth must be at least 0, got -1"):
        bfs(graph, 0, max_depth=-1)
    with pytest.raises(TypeError, match="max_depth must be a whole number, got 1.5"):
        bfs(graph, 0, max_depth=1.5)


def test_a_path_to_no_vertex():
    paths = bfs(shape("path"), 0)
    assert paths.path_to(3) == [0, 1, 2, 3]
    for target, rule in ((1005, "at most 149"), (-1, "at least 0")):
        with pytest.raises(ValueError, match=f"target must be {rule}, got {target}"):
            paths.path_to(target)

"""`edge_disjoint_paths` and `node_disjoint_paths`: disjoint, and as many as a cut allows."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from edgewise import (
    edge_connectivity,
    edge_disjoint_paths,
    node_connectivity,
    node_disjoint_paths,
)
from edgewise.generators import karate_club
from tests.algorithms.samples import SHAPES, graphs, random_graph, shape


def check(graph, source, target, k=None):
    edges = {*zip(*(ends.tolist() for ends in graph.arcs()[:2]), strict=True)}
    for function, count in (
        (edge_disjoint_paths, edge_connectivity(graph, source=source, target=target)),
        (node_disjoint_paths, node_connectivity(graph, source=source, target=target)),
    ):
        found = function(graph, source, target, k=k)
        paths = found.lists()
        assert len(paths) == (count if k is None else min(count, k))
        assert found.complete == (len(paths) == count)
        steps = Counter()
        for path in paths:
            assert (path[0], path[-1]) == (source, target) and len({*path}) == len(path)
            assert {*zip(path, path[1:], strict=False)} <= edges
            pairs = zip(path, path[1:], strict=False)
            steps.update(pairs if graph.directed else map(frozenset, pairs))
        assert not steps or max(steps.values()) == 1
        if function is node_disjoint_paths:
            inner = Counter(v for path in paths for v in path[1:-1])
            assert not inner or max(inner.values()) == 1


@given(graphs(), st.data(), st.sampled_from([None, 1, 2]))
def test_any_graph(graph, data, k):
    if graph.num_vertices > 1:
        ends = st.lists(st.integers(0, graph.num_vertices - 1), min_size=2, max_size=2, unique=True)
        check(graph, *data.draw(ends), k)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name, (n, _) in SHAPES.items() if n > 1])
def test_shapes(name, directed):
    check(shape(name, directed=directed), 0, SHAPES[name][0] - 1)


@pytest.mark.parametrize("directed", [False, True])
def test_larger_graphs(directed):
    graph = random_graph(2000, 30_000, directed=directed)
    check(graph, 0, 1)
    check(graph, 0, 1500, k=3)
    check(karate_club(), 33, 0)


def test_wrong_arguments():
    graph = shape("cycle")
    with pytest.raises(ValueError, match="target must differ from source, got 2 for both"):
        edge_disjoint_paths(graph, 2, 2)
    with pytest.raises(ValueError, match="k must be at least 1, got 0"):
        node_disjoint_paths(graph, 2, 3, k=0)

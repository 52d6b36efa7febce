"""`forest_roots`: roots found one step after the other, and circles found out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Trace, forest_roots, observe, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def smallest(graph):
    """The parents by default, edge by edge."""
    parents = np.arange(graph.num_vertices)
    for u, v in zip(*(side.tolist() for side in graph.arcs()[:2]), strict=True):
        parents[u], parents[v] = min(parents[u], v), min(parents[v], u)
    return parents


def roots(parents):
    """Step by step; None if there is a circle."""
    found = []
    for v in range(len(parents)):
        steps = 0
        while parents[v] != v:
            v, steps = int(parents[v]), steps + 1
            if steps > len(parents):
                return None
        found.append(v)
    return found


@given(graphs(), st.sampled_from(TEAMS))
def test_any_graph(graph, team):
    with threads(team):
        found = forest_roots(graph)
    assert found.dtype == graph.indices.dtype
    assert found.tolist() == roots(smallest(graph))


@given(st.data())
def test_any_parents(data):
    n = data.draw(st.integers(1, 9))
    parents = data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    graph, expected = shape("path").subgraph(range(n)), roots(parents)
    if expected is None:
        with pytest.raises(ValueError, match="parents must lead to roots"):
            forest_roots(graph, parents=parents)
    else:
        assert forest_roots(graph, parents=parents).tolist() == expected


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    assert forest_roots(graph).tolist() == roots(smallest(graph))


def test_large_forests():
    graph, rng = random_graph(4000, 6000), np.random.default_rng(1)
    parents = np.maximum(np.arange(4000) - rng.integers(1, 9, 4000), 0)
    before, expected = parents.copy(), roots(smallest(graph))
    for team in TEAMS:
        with threads(team):
            assert forest_roots(graph).tolist() == expected
            assert not forest_roots(graph, parents=parents).any()
    assert (parents == before).all()


def test_a_chain_takes_as_many_rounds_as_its_length_has_digits():
    graph = shape("path")
    with observe(Trace()) as trace:
        assert not forest_roots(graph, parents=np.maximum(np.arange(150) - 1, 0)).any()
    assert [row["changed"] for row in trace.rows] == [148, 147, 145, 141, 133, 117, 85, 21, 0]


@pytest.mark.parametrize("length", [2, 3, 4, 64, 100])
def test_circles(length):
    """Those whose length is a power of two come to rest too, at the wrong place."""
    parents = np.arange(150)
    parents[:length] = (parents[:length] + 1) % length
    with pytest.raises(ValueError, match="parents must lead to roots"):
        forest_roots(shape("path"), parents=parents)


@pytest.mark.parametrize("wrong", [[-1] * 9, [9] * 9, [2**32] * 9, [0] * 8, [0.5] * 9])
def test_what_is_no_parent(wrong):
    with pytest.raises(ValueError, match="parents must be vertex ids from 0 to 8, one per vertex"):
        forest_roots(shape("cycle"), parents=np.array(wrong))

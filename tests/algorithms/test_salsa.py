"""`salsa`: the limit of the walk itself, and the proportions that it is known by."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, salsa, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape


def walked(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both chains of the walk from an even start, multiplied until they stand still."""
    forth = a / np.maximum(a.sum(axis=1), 1e-300)[:, None]
    back = a.T / np.maximum(a.sum(axis=0), 1e-300)[:, None]
    ends = []
    for chain, there in ((forth @ back, a.any(axis=1)), (back @ forth, a.any(axis=0))):
        for _ in range(40):
            chain = chain @ chain
            chain /= np.maximum(chain.sum(axis=1, keepdims=True), 1e-300)  # as rounding goes
        start = there / max(there.sum(), 1)
        ends.append(start @ chain)
    return ends[0], ends[1]


def check(graph: Graph, found, a: np.ndarray | None = None) -> None:
    known = walked(matrix(graph) if a is None else a)
    for one, other in zip(found, known, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)


@given(graphs(), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_limit_of_the_walk(graph, team):
    with threads(team):
        check(graph, salsa(graph))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    check(graph, salsa(graph))


@pytest.mark.slow
@given(graphs(lengths=st.sampled_from([0.0, 0.5, 3.0])), st.data())
@settings(max_examples=40)
def test_weights_and_circles(graph, data):
    n = graph.num_vertices
    circle = data.draw(st.lists(st.integers(0, n - 1)))
    a = matrix(graph)
    check(graph, salsa(graph))
    rest = [v for v in range(n) if v not in circle]
    a[rest] = 0
    check(graph, salsa(graph, circle=circle), a)


@pytest.mark.slow
def test_the_same_for_any_number_of_threads():
    graph = random_graph(2000, 3000, directed=True)
    found = []
    for team in TEAMS:
        with threads(team):
            found.append(salsa(graph))
    for other in found[1:]:
        for one, known in zip(other, found[0], strict=True):
            np.testing.assert_allclose(one, known, rtol=1e-12)


def test_wrong_circles():
    graph = shape("star")
    with pytest.raises(ValueError, match=r"circle\[1\] must be a vertex id from 0 to 39, got 40"):
        salsa(graph, circle=[0, 40])
    with pytest.raises(TypeError, match="circle must be vertex ids"):
        salsa(graph, circle=[0.5])

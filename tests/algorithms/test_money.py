"""`money`: the equations of the thesis, round by round, with full matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import Graph, money, threads
from tests.algorithms.dense import matrix
from tests.algorithms.samples import SHAPES, TEAMS, graphs, shape


def by_equations(graph: Graph, source: int, circle=None, alpha=0.85, rounds=7):
    n = graph.num_vertices
    a = matrix(graph)
    if circle is not None:
        a[[v for v in range(n) if v not in (*circle, source)]] = 0
    followed, followers = np.maximum(a.sum(axis=1), 1), np.maximum(a.sum(axis=0), 1)
    similarity, relevance = np.eye(n)[source], np.zeros(n)
    for _ in range(rounds):
        relevance = a.T @ (similarity / followed)
        similarity = alpha * (a @ (relevance / followers)) + (1 - alpha) * np.eye(n)[source]
    return similarity, relevance


def check(found, known) -> None:
    for one, other in zip(found, known, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)


@given(graphs(), st.sampled_from(TEAMS), st.data())
@settings(max_examples=40)
def test_as_the_equations_say(graph, team, data):
    vertex = st.integers(0, graph.num_vertices - 1)
    source, circle = data.draw(vertex), data.draw(st.lists(vertex))
    with threads(team):
        check(money(graph, source, circle=circle), by_equations(graph, source, circle))
        check(money(graph, source, max_iter=0), (np.eye(graph.num_vertices)[source],
                                                 np.zeros(graph.num_vertices)))  # fmt: skip


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    last = graph.num_vertices - 1
    for alpha, rounds in ((0, 1), (0.7, 4), (0.8, 5)):
        known = by_equations(graph, last, alpha=alpha, rounds=rounds)
        check(money(graph, last, alpha=alpha), known)


def test_wrong_arguments():
    graph = shape("star")
    for alpha, text in ((1, "at most 0.999, got 1"), (1.5, "from 0 to 1, got 1.5")):
        with pytest.raises(ValueError, match=f"alpha must be .*{text}"):
            money(graph, 0, alpha=alpha)
    with pytest.raises(ValueError, match="source must be a vertex id from 0 to 39, got 40"):
        money(graph, 40)

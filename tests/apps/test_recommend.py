"""Recommendations: the stages by full matrices, what is never recommended, and hidden edges."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, money, personalized_pagerank, salsa, threads
from edgewise.apps import recommend
from tests.algorithms.samples import random_graph
from tests.operators.engines import no_gpu


def by_stages(graph: Graph, user: int, size: int, method: str) -> list[int]:
    """The same with ranks of all vertices, and sorting."""
    rank = personalized_pagerank(graph, user, weights=None)
    circle = np.argsort(-rank, kind="stable")[:size]
    circle = circle[rank[circle] > 0]
    if method == "money":
        score = money(graph, user, circle=circle).relevance
    else:
        score = salsa(graph, circle=circle, weights=None).authorities
    score[[user, *graph.neighbors(user).tolist()]] = 0
    best = np.argsort(-score.round(12), kind="stable")
    return best[score[best] > 0].tolist()


@pytest.mark.parametrize("method", ["money", "salsa"])
def test_as_the_stages_one_by_one(method):
    graph = random_graph(150, 1200, directed=True)
    for user in (0, 3, 149):
        for size in (1000, 12):
            found = recommend(graph, user, k=500, method=method, circle_size=size, tol=1e-12)
            known = by_stages(graph, user, size, method)
            assert sorted(found.vertices.tolist()) == sorted(known)
            scores = np.zeros(150)
            scores[found.vertices] = found.scores
            assert (np.diff(scores[known]) <= 1e-12).all(), "in the order of the scores"
            assert user in found.circle


def test_never_oneself_nor_whom_one_follows():
    graph = random_graph(100, 900, directed=True).with_labels([f"v{i}" for i in range(100)])
    for user in range(0, 100, 9):
        found = recommend(graph, f"v{user}", k=30, circle_size=20)
        known = {user, *graph.neighbors(user).tolist()}
        assert not known & set(found.vertices.tolist()) and len(found.labels) <= 30
        assert found.labels == [f"v{v}" for v in found.vertices.tolist()]
        assert (np.diff(found.scores) <= 0).all() and (found.scores > 0).all()


def test_stages_are_timed():
    found = recommend(random_graph(100, 900, directed=True), 5, method="salsa")
    assert list(found.seconds) == ["pagerank", "circle", "salsa", "total"]
    *stages, total = found.seconds.values()
    assert sum(stages) == pytest.approx(total) and min(stages) >= 0


def test_who_follows_nobody_gets_nothing():
    graph = Graph.from_edges([0, 1], [1, 2], directed=True)
    for method in ("money", "salsa"):
        found = recommend(graph, 2, method=method)
        assert found.labels == [] and found.circle.tolist() == [2]


def test_nothing_is_transposed(monkeypatch):
    graph = random_graph(200, 900, directed=True)
    monkeypatch.setattr(Graph, "transposed", property(lambda self: pytest.fail("it is")))
    for method in ("money", "salsa"):
        recommend(graph, 0, circle_size=50, method=method)


@pytest.mark.slow
def test_the_same_for_any_number_of_threads():
    graph = random_graph(3000, 30_000, directed=True)
    found = []
    for team in (1, 2, 3):
        with threads(team):
            found.append(recommend(graph, 7, circle_size=200))
    for other in found[1:]:
        np.testing.assert_allclose(other.scores, found[0].scores, rtol=1e-9)


def test_wrong_arguments():
    graph = Graph.from_edges([0, 1], [1, 2], directed=True)
    for given, text in (
        ({"source": 3}, "source must be a vertex id from 0 to 2, got 3"),
        ({"k": 0}, "k must be at least 1"),
        ({"method": "hits"}, "method must be one of 'money', 'salsa', got 'hits'"),
        ({"circle_size": 0}, "circle_size must be at least 1"),
        ({"alpha": 1.0}, "alpha must be at most 0.999"),
        ({"tol": 1e-20}, "tol must be at least 1e-12"),
    ):
        with pytest.raises(ValueError, match=text):
            recommend(graph, **{"source": 0, **given})


@pytest.mark.gpu
def test_on_a_gpu():
    if reason := no_gpu():
        pytest.skip(reason)
    graph = random_graph(3000, 30_000, directed=True)
    for method in ("money", "salsa"):
        here = recommend(graph, 7, circle_size=200, method=method)
        there = recommend(graph.to("cuda"), 7, circle_size=200, method=method)
        np.testing.assert_allclose(there.scores.get(), here.scores, rtol=1e-9)

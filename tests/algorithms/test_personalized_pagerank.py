"""`personalized_pagerank`: `pagerank` with a personalization, one after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import ConvergenceError, pagerank, personalized_pagerank, threads
from tests.algorithms.samples import TEAMS, graphs, random_graph, shape
from tests.algorithms.verify import solved_pagerank

TIGHT = {"tol": 1e-12, "max_iter": 3000}


def at(n: int, v: int) -> np.ndarray:
    return np.eye(n)[v]


@given(graphs(), st.sampled_from([0.0, 0.5, 0.85]), st.sampled_from(TEAMS), st.data())
@settings(max_examples=40)
def test_every_row_solves_its_equations(graph, alpha, team, data):
    n = graph.num_vertices
    sources = data.draw(st.lists(st.integers(0, n - 1), max_size=5))
    sink = data.draw(st.sampled_from([None, {0: 1.0, n - 1: 3.0}]))
    with threads(team):
        found = personalized_pagerank(graph, sources, alpha=alpha, dangling=sink, **TIGHT)
    assert found.shape == (len(sources), n)
    for j, source in enumerate(sources):
        jump = at(n, source)
        known = pagerank(graph, alpha=alpha, personalization=jump, dangling=sink, **TIGHT)
        np.testing.assert_allclose(found[j], known, atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_all_ways_to_say_where():
    graph = random_graph(200, 600, directed=True)
    known = pagerank(graph, personalization={3: 1.0}, **TIGHT)
    for source in (3, np.int64(3), {3: 2.0}, at(200, 3)):
        np.testing.assert_allclose(personalized_pagerank(graph, source, **TIGHT), known, atol=1e-11)
    for source in ([3, 5], (3, 5), np.array([3, 5]), [at(200, 3), {5: 1}]):
        found = personalized_pagerank(graph, source, **TIGHT)
        assert found.shape == (2, 200)
        np.testing.assert_allclose(found[0], known, atol=1e-11)
    named = shape("path").with_labels([f"v{i}" for i in range(150)])
    np.testing.assert_array_equal(
        personalized_pagerank(named, ["v7", "v9"])[1], personalized_pagerank(named, [7, 9])[1]
    )


def test_the_equations_of_one():
    graph = random_graph(60, 150, directed=True)
    known = solved_pagerank(graph, alpha=0.85, jump=at(60, 4))
    np.testing.assert_allclose(personalized_pagerank(graph, 4, **TIGHT), known, atol=1e-10)


@pytest.mark.slow
def test_more_than_a_sweep_takes():
    graph = random_graph(300, 900, directed=True)
    sources = np.arange(150) * 2
    found = personalized_pagerank(graph, sources, **TIGHT)
    for j in (0, 63, 64, 149):
        known = personalized_pagerank(graph, int(sources[j]), **TIGHT)
        np.testing.assert_allclose(found[j], known, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("directed", [False, True])
def test_the_default_is_as_exact_as_pagerank(directed):
    graph = random_graph(3000, 9000, directed=directed)
    found = personalized_pagerank(graph, [0, 7, 2999])
    for j, source in enumerate((0, 7, 2999)):
        known = personalized_pagerank(graph, source, **TIGHT)
        assert np.abs(found[j] - known).sum() < 1e-8 * 0.85 / 0.15


@pytest.mark.slow
def test_weights():
    graph = random_graph(200, 1200, directed=True)
    u, v, _ = graph.arcs()
    weights = ((u + v) % 5).astype(float)
    found = personalized_pagerank(graph, [1, 2], weights=weights, **TIGHT)
    for j in (0, 1):
        known = personalized_pagerank(graph, j + 1, weights=weights, **TIGHT)
        np.testing.assert_allclose(found[j], known, atol=1e-10)


def test_without_convergence_the_work_is_kept():
    graph = random_graph(300, 900, directed=True)
    for source in (2, [2, 3]):
        with pytest.raises(ConvergenceError, match="personalized_pagerank did not conv") as caught:
            personalized_pagerank(graph, source, max_iter=3)
        assert caught.value.iterations == 3
        np.testing.assert_allclose(caught.value.best.sum(axis=-1), 1)


def test_wrong_arguments():
    graph = shape("cycle")
    for source in (9, [0, 9]):
        with pytest.raises(ValueError, match="sources must be a vertex id from 0 to 8, got 9"):
            personalized_pagerank(graph, source)
    with pytest.raises(ValueError, match="alpha must be below 1 for many sources"):
        personalized_pagerank(graph, [0, 1], alpha=1)
    with pytest.raises(TypeError, match="sources must be a vertex id"):
        personalized_pagerank(graph, None)

"""`pagerank`: its linear equations, NetworkX's numbers, and what happens without convergence."""

from __future__ import annotations

import sys

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise import ConvergenceError, Graph, Trace, observe, pagerank, threads
from tests.algorithms.samples import SHAPES, TEAMS, graphs, random_graph, shape, to_networkx
from tests.algorithms.verify import solved_pagerank
from tests.tiers import later

TIGHT = {"tol": 1e-14, "max_iter": 2000}
MODULE = sys.modules["edgewise.algorithms.ranking.pagerank"]


def as_array(ranks: dict) -> np.ndarray:
    return np.array([ranks[v] for v in range(len(ranks))])


@given(graphs(), st.sampled_from([0.0, 0.5, 0.85]), st.sampled_from(TEAMS))
@settings(max_examples=40)
def test_solves_its_equations(graph, alpha, team):
    with threads(team):
        rank = pagerank(graph, alpha=alpha, tol=1e-11, max_iter=1000)
    np.testing.assert_allclose(rank, solved_pagerank(graph, alpha=alpha), atol=1e-9)
    assert rank.sum() == pytest.approx(1)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", [name for name in SHAPES if name != "empty"])
def test_shapes(name, directed):
    graph = shape(name, directed=directed)
    known = as_array(nx.pagerank(to_networkx(graph), tol=1e-12, max_iter=1000))
    for team in TEAMS:
        with threads(team):
            rank = pagerank(graph, tol=1e-12, max_iter=1000)
        np.testing.assert_allclose(rank, known, rtol=0, atol=1e-8)


@pytest.mark.parametrize("directed", [False, True])
def test_agrees_with_networkx_at_every_tolerance(directed):
    """The same iteration: equal even where it is far from converged. NetworkX stops at n * tol."""
    graph = random_graph(3000, 20_000, directed=directed)
    other = to_networkx(graph)
    for tol in (1, 1e-3, 1e-8):
        known = as_array(nx.pagerank(other, tol=tol / 3000, max_iter=500))
        for team in TEAMS:
            with threads(team):
                rank = pagerank(graph, tol=tol, max_iter=500)
            np.testing.assert_allclose(rank, known, rtol=1e-9)
            assert rank.sum() == pytest.approx(1, abs=1e-12)


def test_large_graphs_begin_in_single_precision(monkeypatch):
    graph = random_graph(3000, 20_000, directed=True)
    known = {tol: pagerank(graph, tol=tol) for tol in (1e-3, 1e-8, 1e-12)}
    monkeypatch.setattr(MODULE, "_LARGE", 0)
    for tol, other in known.items():
        rank = pagerank(graph, tol=tol)
        assert rank.dtype == np.float64 and rank.sum() == pytest.approx(1, abs=1e-7)
        np.testing.assert_allclose(rank, other, rtol=0, atol=tol)


def test_rounds_in_single_precision_do_not_end_it(monkeypatch):
    """Float32 cannot see changes below its rounding: whoever stops has seen them in float64."""
    graph = random_graph(3000, 20_000, directed=True)
    monkeypatch.setattr(MODULE, "_LARGE", 0)
    widths = []

    def watched(graph, message, flow, *rest, **options):
        widths.append(flow.dtype.itemsize)
        return sweep(graph, message, flow, *rest, **options)

    sweep = MODULE.sweep
    monkeypatch.setattr(MODULE, "sweep", watched)
    for tol in (10, 1e-3, 1e-8, 1e-15):  # 10 is met at once
        widths.clear()
        pagerank(graph, tol=tol)
        assert widths[0] == 4 and widths[-1] == 8
        assert widths == sorted(widths)


@pytest.mark.parametrize("copies", [1, 100, 10_000])
def test_the_default_is_as_exact_on_large_graphs(copies):
    """Many copies of one graph: ranks that are known, and as many rounds as one copy takes."""
    one = random_graph(100, 300, directed=True)
    u, v, _ = one.arcs()
    shift = 100 * np.arange(copies)[:, None]
    graph = Graph.from_edges((u + shift).ravel(), (v + shift).ravel(), directed=True,
                             num_vertices=100 * copies)  # fmt: skip
    assert (graph.num_arcs > MODULE._LARGE) == (copies == 10_000)
    with observe(Trace()) as trace:
        rank = pagerank(graph).reshape(copies, 100)
    assert len(trace.rows) > 20 and trace.rows[-1]["error"] < 1e-8
    known = solved_pagerank(one)
    np.testing.assert_allclose(rank * copies, np.tile(known, (copies, 1)), rtol=1e-6)
    assert np.abs(rank - known / copies).sum() < 6e-8


@pytest.mark.parametrize("single", [False, True])
def test_a_tolerance_beyond_float64_is_not_met(monkeypatch, single):
    """Nothing pretends to be that exact: the error keeps ranks that are as good as can be."""
    graph = random_graph(3000, 20_000, directed=True)
    monkeypatch.setattr(MODULE, "_LARGE", 0 if single else 1 << 60)
    with pytest.raises(ConvergenceError) as caught:
        pagerank(graph, tol=1e-18)
    error = caught.value
    assert error.iterations == 1000 and error.error < 1e-14
    np.testing.assert_allclose(error.best, pagerank(graph, tol=1e-14), rtol=1e-12)


def test_the_same_bits_for_any_number_of_threads():
    graph = random_graph(20_000, 100_000, directed=True)
    ranks = []
    for team in TEAMS:
        with threads(team):
            ranks.append(pagerank(graph))
    np.testing.assert_array_equal(ranks[1], ranks[0])
    np.testing.assert_array_equal(ranks[2], ranks[0])


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("dtype", [np.float64, later(np.int64)])
def test_weights(directed, dtype):
    graph = random_graph(500, 2000, directed=directed)
    u, v, _ = graph.edges()
    weights = ((u + v) % 7).astype(dtype)
    known = as_array(nx.pagerank(to_networkx(graph, weights), tol=1e-12, max_iter=500))
    own = pagerank(graph.with_weights(weights), **TIGHT)
    np.testing.assert_allclose(own, known, rtol=0, atol=1e-8)
    given_array = pagerank(graph, weights=weights, **TIGHT)
    np.testing.assert_allclose(given_array, own, rtol=0, atol=1e-13)
    unit = pagerank(graph.with_weights(weights), weights=None, **TIGHT)
    np.testing.assert_allclose(unit, pagerank(graph, **TIGHT), rtol=0, atol=1e-13)


@given(graphs(directed=False, most=8), st.data())
@settings(max_examples=40)
def test_an_array_has_one_entry_per_edge(graph, data):
    one = st.integers(0, 5).map(float)
    size = graph.num_edges
    weights = np.array(data.draw(st.lists(one, min_size=size, max_size=size)))
    known = solved_pagerank(graph, lengths=weights[graph.arc_to_edge])
    np.testing.assert_allclose(pagerank(graph, weights=weights, **TIGHT), known, atol=1e-9)


def test_huge_and_tiny_weights_keep_their_proportions():
    graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 0, 0], directed=True)
    known = pagerank(graph, weights=[1.0, 3.0, 1.0, 1.0], **TIGHT)
    for scale in (1e280, 1e-280):
        rank = pagerank(graph, weights=np.array([1.0, 3.0, 1.0, 1.0]) * scale, **TIGHT)
        np.testing.assert_allclose(rank, known, rtol=1e-9)
    for scale in (1e308, 5e-310):
        with pytest.raises(ValueError, match="weights must add up to between"):
            pagerank(graph, weights=np.array([1.0, 1.0, 1.0, 1.0]) * scale)


def test_personalization_and_dangling_as_networkx():
    graph = random_graph(300, 900, directed=True)
    other = to_networkx(graph)
    rng = np.random.default_rng(5)
    jump, sink = rng.random(300), rng.random(300)
    options = {"tol": 1e-12, "max_iter": 500}
    named = {"personalization": dict(enumerate(jump)), "dangling": dict(enumerate(sink))}
    for chosen in ({"personalization"}, {"dangling"}, {"personalization", "dangling"}):
        dicts = {name: named[name] for name in chosen}
        known = as_array(nx.pagerank(other, **options, **dicts))
        arrays = {name: as_array(values) for name, values in dicts.items()}
        for given_as in (dicts, arrays):
            rank = pagerank(graph, **TIGHT, **given_as)
            np.testing.assert_allclose(rank, known, rtol=0, atol=1e-8)


def test_partial_dict_and_scale():
    graph = shape("disconnected")
    options = {"tol": 1e-12, "max_iter": 1000, "personalization": {0: 1, 4: 3}}
    known = as_array(nx.pagerank(to_networkx(graph), **options))
    rank = pagerank(graph, personalization={0: 1, 4: 3}, **TIGHT)
    np.testing.assert_allclose(rank, known, rtol=0, atol=1e-8)
    np.testing.assert_allclose(
        pagerank(graph, personalization=np.array([1e-200, 0, 0, 0, 3e-200, 0, 0]), **TIGHT), rank
    )


def test_nothing_is_changed():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 0.0, 9.0], directed=True)
    before, jump = graph.copy(), np.array([3.0, 1.0, 0.0])
    pagerank(graph, personalization=jump, dangling=jump)
    assert graph == before and jump.tolist() == [3.0, 1.0, 0.0]


def test_no_vertices():
    assert pagerank(shape("empty")).tolist() == []


def test_without_convergence_the_work_is_kept():
    graph = random_graph(300, 900, directed=True)
    with pytest.raises(ConvergenceError, match="pagerank did not converge in 3 iter") as caught:
        pagerank(graph, tol=1e-12, max_iter=3)
    error = caught.value
    assert (error.algorithm, error.iterations) == ("pagerank", 3)
    with observe(Trace()) as trace:
        rank = pagerank(graph, tol=trace_tolerance(graph, 3))
    assert len(trace.rows) == 3
    np.testing.assert_array_equal(error.best, rank)
    assert error.error == trace.rows[-1]["error"] > 0


def trace_tolerance(graph: Graph, rounds: int) -> float:
    """A tolerance that is met after so many rounds."""
    with observe(Trace()) as trace:
        pagerank(graph, **TIGHT)
    errors = [row["error"] for row in trace.rows]
    return (errors[rounds - 1] + errors[rounds - 2]) / 2


def test_no_rounds_at_all():
    with pytest.raises(ConvergenceError, match="in 0 iterations") as caught:
        pagerank(shape("star"), max_iter=0)
    assert caught.value.best.tolist() == [1 / 40] * 40


def test_observer_hears_the_error_of_every_round():
    graph = random_graph(300, 900)
    with observe(Trace()) as trace:
        pagerank(graph, tol=1e-10)
    errors = [row["error"] for row in trace.rows]
    assert [row["iteration"] for row in trace.rows] == list(range(len(errors)))
    assert errors[-1] < 1e-10 <= errors[-2]


@pytest.mark.parametrize("alpha", [-0.1, 1.1, np.nan])
def test_bad_alpha(alpha):
    with pytest.raises(ValueError, match="alpha must be a number from 0 to 1"):
        pagerank(shape("star"), alpha=alpha)


@pytest.mark.parametrize("name", ["personalization", "dangling"])
def test_bad_proportions(name):
    graph = shape("cycle")
    with pytest.raises(ValueError, match=rf"{name} must have one entry per vertex \(9\)"):
        pagerank(graph, **{name: [1.0, 2.0]})
    for bad in ([-1.0] + [2.0] * 8, [0.0] * 9, [np.nan] * 9, [np.inf] * 9):
        with pytest.raises(ValueError, match=f"{name} must be non-negative"):
            pagerank(graph, **{name: bad})
    for vertex in (-1, 9):
        with pytest.raises(ValueError, match=f"{name} must be a vertex id from 0 to 8, got"):
            pagerank(graph, **{name: {0: 1.0, vertex: 1.0}})
    with pytest.raises(TypeError, match=f"{name} must be a vertex id .* got 'bob'"):
        pagerank(graph, **{name: {"bob": 1.0}})


def test_other_errors():
    graph = shape("cycle")
    for tol in (-1e-9, np.nan):
        with pytest.raises(ValueError, match="tol must be a finite number, at least 0"):
            pagerank(graph, tol=tol)
    with pytest.raises(ValueError, match="max_iter must be at least 0, got -1"):
        pagerank(graph, max_iter=-1)
    with pytest.raises(TypeError, match="max_iter must be a whole number"):
        pagerank(graph, max_iter=10.0)
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="weights must be non-negative and finite"):
            pagerank(graph, weights=[bad] + [1.0] * 8)
    with pytest.raises(ValueError, match=r"weights must have one entry per edge \(9\), .* got 3"):
        pagerank(graph, weights=[1.0] * 3)

"""Strides of PageRank: the answers of plain rounds, in fewer of them, however hard the case."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import ConvergenceError, Graph, generators, pagerank, personalized_pagerank
from edgewise.base.observe import observe
from tests.algorithms.samples import graphs
from tests.tiers import later

GRID = generators.grid_2d(40, 40)
CLIQUE = generators.complete(30)


def solved(graph, alpha, jump, weights=None, sink=None):
    """The ranks by a dense solver."""
    n = graph.num_vertices
    flow = np.zeros((n, n))
    sources, targets, _ = graph.arcs()
    np.add.at(flow, (targets, sources), 1.0 if weights is None else weights)
    leaving = flow.sum(0)
    flow[:, leaving == 0] = (jump if sink is None else sink)[:, None]
    flow[:, leaving > 0] /= leaving[leaving > 0]
    return np.linalg.solve(np.eye(n) - alpha * flow, (1 - alpha) * jump)


def rounds(function, *args, **options):
    """How many rounds it takes, and the result."""
    count = 0

    def heard(*args, **options):
        nonlocal count
        count += 1

    with observe(heard):
        result = function(*args, **options)
    return count, result


def plainly(graph, alpha, tol, jump):
    """How many plain rounds it takes from the jumps on."""
    n, (sources, targets, _), degree = graph.num_vertices, graph.arcs(), graph.row_lengths()
    rank, share = jump, 1 / np.maximum(degree, 1)
    for count in range(1, 100_000):
        total = np.bincount(targets, (rank * share)[sources], n) + rank[degree == 0].sum() * jump
        new = alpha * total + (1 - alpha) * jump
        if abs(new - rank).sum() < tol:
            return count
        rank = new
    raise AssertionError


@given(graphs(), st.sampled_from([0.3, 0.85, 0.97]), st.integers(0, 2**32))
def test_the_ranks_are_those_of_a_solver(graph, alpha, seed):
    if graph.num_vertices == 0:
        return
    rng, n = np.random.default_rng(seed), graph.num_vertices
    jump, sink = rng.random(n) ** 4, rng.random(n) ** 4
    jump, sink, tol = jump / jump.sum(), sink / sink.sum(), 1e-10
    options = {"alpha": alpha, "tol": tol, "max_iter": 10_000, "weights": None}
    rank = pagerank(graph, personalization=jump, dangling=sink, **options)
    bound = tol * alpha / (1 - alpha) + 1e-11 / (1 - alpha)
    assert abs(rank - solved(graph, alpha, jump, sink=sink)).sum() <= bound
    assert (rank >= 0).all()
    rows = personalized_pagerank(graph, [0, jump], **options)
    for row, start in zip(rows, (np.eye(n)[0], jump), strict=True):
        assert abs(row - solved(graph, alpha, start)).sum() <= bound


@pytest.mark.parametrize("alpha", [0.85, 0.99, 0.999])
def test_weights_that_differ_by_direction(alpha):
    rng, n = np.random.default_rng(5), CLIQUE.num_vertices
    weights = rng.random(CLIQUE.num_arcs) ** 8 + 1e-9  # far from symmetric
    both = Graph(CLIQUE.indptr, CLIQUE.indices, directed=True)
    rank = pagerank(both, alpha=alpha, weights=weights, tol=1e-11, max_iter=100_000)
    known = solved(CLIQUE, alpha, np.full(n, 1 / n), weights)
    assert abs(rank - known).sum() < 1e-11 / (1 - alpha)


@pytest.mark.parametrize(("alpha", "share"), [(0.85, 0.4), (0.99, 0.15), later(0.999, 0.06)])
def test_an_undirected_graph_takes_a_fraction_of_the_rounds(alpha, share):
    start = np.eye(GRID.num_vertices)[7]
    took, rank = rounds(pagerank, GRID, alpha=alpha, personalization=start, max_iter=100_000)
    assert took <= share * plainly(GRID, alpha, 1e-8, start)
    assert abs(rank - solved(GRID, alpha, start)).sum() <= 1e-8 * alpha / (1 - alpha)


def test_quick_rounds_stay_plain():
    start = np.eye(CLIQUE.num_vertices)[0]
    took, _ = rounds(pagerank, CLIQUE, personalization=start)
    assert took <= plainly(CLIQUE, 0.85, 1e-8, start)


@pytest.mark.parametrize(("period", "share"), [(3, 0.2), (4, 1.1), (5, 1.1), (997, 1.1)])
def test_directed_cycles_take_hardly_more_rounds_where_strides_are_of_no_use(period, share):
    v = np.arange(3 * period)
    graph = Graph.from_edges(v, v // period * period + (v + 1) % period, directed=True)
    start = np.random.default_rng(1).random(len(v))
    start /= start.sum()
    took, _ = rounds(pagerank, graph, personalization=start)
    assert took <= share * plainly(graph, 0.85, 1e-8, start)


def test_what_cannot_be_reached_has_no_rank():
    graph = Graph.from_edges([0, 1, 3, 4], [1, 2, 4, 5])
    assert (pagerank(graph, personalization={0: 1})[3:] == 0).all()
    assert (personalized_pagerank(graph, 0)[3:] == 0).all()
    assert (personalized_pagerank(graph, [0, 1])[:, 3:] == 0).all()


@pytest.mark.parametrize("alpha", [0.85, 0.99, 0.999])
@pytest.mark.parametrize("graph", [GRID, CLIQUE])
def test_near_the_limit_of_rounding(graph, alpha):
    start = np.eye(graph.num_vertices)[7]
    options = {"alpha": alpha, "personalization": start, "max_iter": 20_000}
    rank = pagerank(graph, tol=2e-15, **options)
    assert abs(rank - solved(graph, alpha, start)).sum() <= 1e-14 / (1 - alpha)


@pytest.mark.parametrize("alpha", [0.85, later(0.999)])
def test_large_graphs_begin_in_float32(alpha):
    graph = generators.grid_2d(600, 600)  # of more than a million arcs
    options = {"alpha": alpha, "personalization": {5: 1}, "max_iter": 10_000}
    rank = pagerank(graph, weights=None, **options)
    weighted = graph.with_weights(np.ones(graph.num_edges))  # all in float64
    exact = pagerank(weighted, **{**options, "tol": 1e-11})
    assert abs(rank - exact).sum() <= 1.1e-8 * alpha / (1 - alpha)


@pytest.mark.parametrize("directed", [False, True])
def test_whenever_it_is_cut_short_the_work_is_kept(directed):
    graph = generators.grid_2d(600, 600)
    graph = Graph(graph.indptr, graph.indices, directed=directed)
    known = pagerank(graph, tol=1e-12)
    for count in range(1, 24):
        with pytest.raises(ConvergenceError) as failed:
            pagerank(graph, max_iter=count, tol=1e-13)
        assert abs(failed.value.best - known).sum() <= 0.85**count + 1e-6
        assert failed.value.best.sum() == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("directed", [False, True])
def test_without_a_tolerance_rounds_are_plain(directed):
    graph = Graph.from_edges([0, 1, 2, 2, 3], [1, 2, 0, 3, 4], directed=directed)
    flow = np.zeros((5, 5))
    sources, targets, _ = graph.arcs()
    flow[targets, sources] = 1 / graph.row_lengths()[sources]
    flow[:, graph.row_lengths() == 0] = 1 / 5
    rank = np.full(5, 1 / 5)
    for _ in range(40):
        rank = 0.85 * flow @ rank + 0.15 / 5
    with pytest.raises(ConvergenceError) as failed:
        pagerank(graph, tol=0, max_iter=40)
    np.testing.assert_allclose(failed.value.best, rank, rtol=1e-14)

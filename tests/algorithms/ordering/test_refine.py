"""Refinement: every change that it reports is what the measures say, and none makes it worse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise
from edgewise import ordering, threads
from edgewise.algorithms.ordering.completion import Work, desired
from edgewise.generators import grid_2d
from tests.algorithms.ordering.oracles import GRAPHS, is_order, measures, neighborhoods
from tests.algorithms.samples import graphs, random_graph
from tests.operators.engines import no_gpu

pytestmark = pytest.mark.slow  # many kernels; the doctests are in the first tier

METRICS = ("linear_gap", "log_gap")
COMPLETIONS = ("parallel", "sequential")
BOTH = [(metric, how) for metric in METRICS for how in COMPLETIONS]


def refined(graph, order=None, **options):
    """The new order, and what it has gained as reported."""
    told = []
    with edgewise.observe(lambda iteration, **counts: told.append(counts)):
        found = ordering.refine(graph, order, **options)
    return found, sum(one["gain"] for one in told if one.get("phase") == "swaps")


def check(graph, order, metric, **options):
    before = None if order is None else np.array(order)
    found, gain = refined(graph, order, metric=metric, **options)
    assert is_order(graph, found) and gain >= 0
    old, new = measures(graph, order)[metric], measures(graph, found)[metric]
    if metric == "linear_gap":
        assert new == old - gain
    else:
        assert new <= old and new == pytest.approx(old - gain, rel=1e-12, abs=1e-9)
    assert order is None or np.array_equal(before, order), "the order given has been changed"
    return found


@pytest.mark.parametrize(("metric", "completion"), BOTH)
@pytest.mark.parametrize("name", GRAPHS)
def test_odd_graphs(name, metric, completion):
    graph = GRAPHS[name]
    shuffled = np.random.default_rng(1).permutation(graph.num_vertices)
    for order in (None, shuffled):
        check(graph, order, metric, completion=completion, fraction=1.0)
        check(graph, order, metric, completion=completion)


@pytest.mark.slow
@given(graphs(most=20), st.sampled_from(BOTH), st.floats(0, 1), st.data())
def test_any_graph(graph, how, fraction, data):
    order = data.draw(st.permutations(range(graph.num_vertices)))
    check(graph, order, how[0], completion=how[1], fraction=fraction)


@pytest.mark.parametrize("metric", METRICS)
def test_desired_swaps_are_the_best(metric):
    """Of all swaps with a neighbor, tried out one by one, the one that gains most."""
    graph = random_graph(60, 150, seed=2).without_self_loops()
    work = Work.begin(graph, metric == "linear_gap", 1, 10**9)
    wanting = set(desired(work, np.arange(60, dtype=np.int32)).tolist())
    before = measures(graph)[metric]
    for u, row in enumerate(neighborhoods(graph)):
        changes = {}
        for v in row:
            order = np.arange(60)
            order[u], order[v] = v, u
            changes[v] = measures(graph, order)[metric] - before
        best = min(changes.values(), default=0.0)
        assert (u in wanting) == (best < -1e-9)  # there are no smaller changes
        if u in wanting:
            assert changes[int(work.partner[u])] == pytest.approx(best, abs=1e-9)
            assert work.gain(int(work.change[u])) == pytest.approx(-best, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_any_number_of_threads(metric):
    graph = random_graph(4000, 20000, seed=5)
    order = ordering.random_order(graph, seed=1)
    found = []
    for team in (1, 2, 3):
        with threads(team):
            found.append(refined(graph, order, metric=metric, fraction=1.0))
    assert all(np.array_equal(found[0][0], one) and gain == found[0][1] for one, gain in found)
    measure = getattr(ordering, metric)
    rounding = 0 if metric == "linear_gap" else 1e-12
    now, then = measure(graph, found[0][0]), measure(graph, order)
    assert now == pytest.approx(then - found[0][1], rel=rounding, abs=0)
    assert found[0][1] > 0.03 * then


def test_the_seed_decides_between_equals():
    """In a grid stored row by row many swaps gain the same."""
    graph = grid_2d(30, 30)
    first, second, other = (ordering.refine(graph, fraction=1, seed=s) for s in (1, 1, 2))
    assert np.array_equal(first, second) and not np.array_equal(first, other)


@pytest.mark.parametrize("completion", COMPLETIONS)
def test_fractions(completion):
    graph = random_graph(300, 1200, seed=4)
    gains = []
    for fraction in (0, 1e-9, 0.3, 1.0):
        order, gain = refined(graph, fraction=fraction, completion=completion)
        moved = int((order != np.arange(300)).sum())
        assert (fraction > 0 or moved == 0) and (fraction > 1e-3 or moved <= 2)
        gains.append(gain)
    assert gains == sorted(gains)


def test_a_hub_is_left_out():
    """Nobody swaps with a vertex of a higher degree; the vertex itself may still look."""
    star = GRAPHS["star"]
    shuffled = np.random.default_rng(0).permutation(40)
    assert ordering.refine(star, shuffled, fraction=0.5, max_degree=1).tolist() == shuffled.tolist()


def test_a_path_becomes_shorter_again_and_again():
    graph = GRAPHS["path"]
    order = np.random.default_rng(0).permutation(150)
    first = last = ordering.linear_gap(graph, order)
    for _ in range(20):
        order = ordering.refine(graph, order, metric="linear_gap", fraction=1)
        now = ordering.linear_gap(graph, order)
        assert now <= last
        last = now
    assert last < 0.7 * first


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"metric": "gap"}, "metric must be one of 'linear_gap', 'log_gap', got 'gap'"),
        ({"completion": "both"}, "completion must be one of 'parallel', 'sequential', got 'both'"),
        ({"fraction": 1.5}, "fraction must be a number from 0 to 1, got 1.5"),
        ({"positions": [0, 0, 1]}, "positions must hold each of 0 to 2 once"),
        ({"max_degree": -1}, "max_degree must be at least 0, got -1"),
    ],
)
def test_wrong_arguments(options, reason):
    with pytest.raises(ValueError, match=reason):
        ordering.refine(GRAPHS["duplicates"], **options)
    with pytest.raises(TypeError, match="fraction must be a number from 0 to 1, got 'all'"):
        ordering.refine(GRAPHS["duplicates"], fraction="all")


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(("metric", "completion"), BOTH)
def test_real_graphs(metric, completion, shared_graphs):
    graph = edgewise.read(shared_graphs / "rotor.graph.gz")
    measure = getattr(ordering, metric)
    order, gain = refined(graph, metric=metric, completion=completion, fraction=1)
    before, after = measure(graph), measure(graph, order)
    assert after == pytest.approx(before - gain, rel=1e-12)
    assert after < 0.97 * before


@pytest.mark.gpu
@pytest.mark.parametrize(("metric", "completion"), BOTH)
def test_on_a_gpu(metric, completion):
    """The same order: changes are whole numbers."""
    if reason := no_gpu():
        pytest.skip(reason)
    graph = random_graph(4000, 20000, seed=5)
    there = graph.to("cuda")
    here, gain = refined(graph, metric=metric, completion=completion)
    found, same = refined(there, metric=metric, completion=completion)
    assert type(found) is type(there.indices)
    found = np.asarray(found.get() if hasattr(found, "get") else found)
    assert np.array_equal(found, here) and gain == same

"""`sample`: which edges are drawn, against the same draws one by one in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

from edgewise import random
from edgewise.base.threads import threads
from edgewise.operators import frontier
from tests.operators import oracles
from tests.operators.engines import sample
from tests.operators.graphs import SMALL, random_graph

GRAPH = random_graph(300, 3000, 3)
TEAMS = pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])
STEPS = (np.arange(GRAPH.num_arcs) * 7919 % 11) / 4.0  # some are zero


def rows_of(graph, mode):
    """For every vertex the (neighbor, edge) of its row."""
    rows = [[] for _ in range(graph.num_vertices)]
    for u, v, e in oracles.walked(graph, mode):
        rows[u].append((v, e))
    return [sorted(row) if mode != "both" else row for row in rows]


def distinct(v, degree, count, seed):
    """Places drawn without replacement: Floyd's for a few, else with the chance that is left."""
    found, count = set(), min(count, degree)
    if count * count > 4 * degree:
        for j in range(degree):
            if random.integer(degree - j, seed, v, j) < count - len(found):
                found.add(j)
    else:
        for last in range(degree - count, degree):
            place = int(random.integer(last + 1, seed, v, last))
            found.add(last if place in found else place)
    return sorted(found)


def any_place(v, degree, count, seed):
    return [int(random.integer(degree, seed, v, j)) for j in range(count if degree else 0)]


def earliest(v, weights, count, seed):
    times = {
        j: -math.log(1.0 - random.uniform(seed, v, j)) / w for j, w in enumerate(weights) if w > 0
    }
    return sorted(sorted(times, key=times.get)[:count])


def drawn_again(v, weights, count, seed):
    if not any(weights):
        return []
    totals = np.cumsum(weights)
    shares = 1.0 - random.uniform(seed, v, np.arange(count))
    return np.searchsorted(totals, shares * totals[-1]).tolist()


def check(found, graph, members, choose, *given, mode="out", weights=None):
    """Are these the places that ``choose`` gives for each member's row?

    It is given the vertex, the length of its row or the weights there, and what else there is.
    """
    rows = rows_of(graph, mode)
    lists = []
    for v in members:
        row = rows[v]
        known = len(row) if weights is None else [weights[e] for _, e in row]
        lists.append([row[j] for j in choose(v, known, *given)])
    assert np.diff(found.indptr).tolist() == list(map(len, lists))
    assert found.neighbors.tolist() == [u for one in lists for u, _ in one]
    assert found.arcs.tolist() == [e for one in lists for _, e in one]
    assert found.neighbors.dtype == graph.indices.dtype


@TEAMS
def test_uniform(team):
    members = frontier(GRAPH, np.arange(0, 300, 2))
    with threads(team):
        for seed in (0, 5):
            for count in (0, 1, 2, 30):
                options = {"weights": None, "seed": seed}
                found = sample(GRAPH, members, count, **options)
                check(found, GRAPH, range(0, 300, 2), distinct, count, seed)
                found = sample(GRAPH, None, count, replace=True, **options)
                check(found, GRAPH, range(300), any_place, count, seed)
    found = sample(GRAPH, None, fraction=0.3, weights=None)
    check(found, GRAPH, range(300), lambda v, n: distinct(v, n, math.ceil(0.3 * n), 0))


@TEAMS
def test_by_weight(team):
    with threads(team):
        for count in (0, 1, 3, 30):
            found = sample(GRAPH, None, count, weights=STEPS, seed=4)
            check(found, GRAPH, range(300), earliest, count, 4, weights=STEPS)
            found = sample(GRAPH, None, count, weights=STEPS, seed=4, replace=True)
            check(found, GRAPH, range(300), drawn_again, count, 4, weights=STEPS)
            assert (STEPS[found.arcs] > 0).all()


@pytest.mark.parametrize("mode", ["in", "both"])
def test_edges_and_own_weights(mode):
    graph = SMALL["random, directed"]
    everyone, own = range(graph.num_vertices), oracles.weight_list(graph)
    found = sample(graph, None, 2, mode=mode, weights=None, seed=1)
    check(found, graph, everyone, distinct, 2, 1, mode=mode)
    found = sample(graph, None, 2, mode=mode, seed=1)
    check(found, graph, everyone, earliest, 2, 1, mode=mode, weights=own)


def test_an_edge_frontier_stands_for_targets():
    start = frontier(GRAPH, edges=[0, 1, 5])
    found = sample(GRAPH, start, 2, weights=None)
    check(found, GRAPH, np.unique(GRAPH.indices[[0, 1, 5]]), distinct, 2, 0)


def test_all_are_as_likely_as_they_should_be():
    """The star's center draws 4 of 20 in many seeds; by weight the first draw has its share."""
    star = SMALL["star"]
    degree = int(star.degrees()[0])
    center, weights = frontier(star, 0), np.ones(star.num_arcs)
    weights[:degree] = np.arange(degree) % 3
    for options, chances in (
        ({"k": 4, "weights": None}, np.full(degree, 4 / degree)),
        ({"k": 1, "weights": weights}, weights[:degree] / weights[:degree].sum()),
        (
            {"k": 1, "weights": weights, "replace": True},
            weights[:degree] / weights[:degree].sum(),
        ),
    ):
        hits, turns = np.zeros(degree), 300
        for seed in range(turns):
            hits[sample(star, center, seed=seed, **options).arcs] += 1
        spread = np.sqrt(turns * chances * (1 - chances))
        assert (np.abs(hits - turns * chances) <= 4.5 * spread).all()


def test_wrong_weights():
    for wrong in (-1.0, np.nan, np.inf):
        weights = STEPS.copy()
        weights[7] = wrong
        with pytest.raises(ValueError, match=f"must be finite and not negative, got {wrong}"):
            sample(GRAPH, None, 2, weights=weights)


def test_no_edges():
    for name in ("empty", "no edges"):
        graph = SMALL[name]
        found = sample(graph, None, 3)
        assert found.indptr.tolist() == [0] * (graph.num_vertices + 1) and len(found.arcs) == 0

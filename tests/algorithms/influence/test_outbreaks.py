"""Outbreaks that are drawn: as often and as large as the models say, by enumeration."""

from itertools import product

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph
from edgewise.algorithms.influence.diffusion import chances, course
from edgewise.algorithms.influence.laws import law_of
from edgewise.algorithms.influence.outbreaks import draw, uniform_starts
from tests.algorithms.influence.exact import cascade, epidemic

COUNT = 20_000
#: Two ways from 0 to 3, a circle, and a vertex that nobody reaches.
ENDS = [0, 0, 1, 2, 3, 4, 5], [1, 2, 3, 3, 4, 0, 1]
WEIGHTS = [0.3, 0.6, 0.5, 0.4, 0.7, 0.9, 0.2]


def graph_of(directed=True):
    return Graph.from_edges(*ENDS, weights=WEIGHTS, directed=directed)


def drawn(graph, model, starts, *, probability="weight", timed=False, recovery=None):
    law = law_of(graph, chances(graph, model, probability), course(model, recovery, None))
    return draw(graph, law, np.tile(starts, (COUNT, 1)), seed=11, timed=timed)


def shares(graph, outbreaks):
    return np.bincount(outbreaks.vertices, minlength=graph.num_vertices) / COUNT


def reached(graph, sources, live):
    seen, todo = set(sources), list(sources)
    while todo:
        v = todo.pop()
        for e in range(graph.indptr[v], graph.indptr[v + 1]):
            if live[e] and int(graph.indices[e]) not in seen:
                seen.add(int(graph.indices[e]))
                todo.append(int(graph.indices[e]))
    return [v in seen for v in range(graph.num_vertices)]


def close(found, exact):
    """Within five standard deviations."""
    slack = 5 * np.sqrt(np.maximum(exact * (1 - exact), 1e-12) / COUNT)
    assert (np.abs(found - exact) <= slack).all(), (found, exact)


@pytest.mark.parametrize("sources", [[0], [4, 5]])
def test_independent_cascades_are_those_of_all_live_edge_graphs(sources):
    graph = graph_of()
    exact = np.zeros(graph.num_vertices)
    for live in product([False, True], repeat=graph.num_arcs):
        exact += np.prod(np.where(live, graph.weights, 1 - graph.weights)) * np.array(
            reached(graph, sources, live)
        )
    close(shares(graph, drawn(graph, "independent_cascade", sources)), exact)


def test_linear_threshold_lets_each_vertex_listen_to_one():
    graph = graph_of()
    into = [[e for e in range(graph.num_arcs) if graph.indices[e] == v]
            for v in range(graph.num_vertices)]  # fmt: skip
    exact = np.zeros(graph.num_vertices)
    for picks in product(*[[*edges, None] for edges in into]):
        chance = 1.0
        for edges, pick in zip(into, picks, strict=True):
            chance *= 1 - graph.weights[edges].sum() if pick is None else graph.weights[pick]
        live = [e in picks for e in range(graph.num_arcs)]
        exact += chance * np.array(reached(graph, [0, 5], live))
    outbreaks = drawn(graph, "linear_threshold", [0, 5])
    close(shares(graph, outbreaks), exact)
    for i in range(100):  # nobody is reached twice
        row = slice(outbreaks.begin[outbreaks.rows[i]], outbreaks.begin[outbreaks.rows[i + 1]])
        assert len(set(outbreaks.targets[row].tolist())) == len(outbreaks.targets[row])


def test_who_recovers_passes_on_along_all_edges_or_none():
    star = Graph.from_edges([0, 0], [1, 2], directed=True)
    p, recovery = 0.3, 0.25
    found = drawn(star, "sir", [0], probability=p, recovery=recovery)
    passed = p / (p + recovery - p * recovery)
    close(shares(star, found), np.array([1, passed, passed]))
    days = np.arange(1, 400)  # both, if it lasts so many steps
    both = (recovery * (1 - recovery) ** (days - 1) * (1 - (1 - p) ** days) ** 2).sum()
    close((np.diff(found.rows) == 3).mean(), both)


@pytest.mark.parametrize("model", ["independent_cascade", "sir", "seir"])
def test_times_are_those_of_simulations(model):
    graph, steps = Graph.from_edges([0, 1, 1, 2, 3], [1, 2, 3, 4, 4]), 8
    if model == "independent_cascade":
        exact = cascade(graph, [0], 0.4)[1]
    else:
        susceptible = epidemic(graph, [0], 0.4, model, None, None, steps)[:, 0]
        exact = graph.num_vertices - susceptible
    outbreaks = drawn(graph, model, [0], probability=0.4, timed=True)
    for step in range(min(steps + 1, len(exact))):
        row = np.repeat(np.arange(COUNT), np.diff(outbreaks.rows))
        by_then = np.bincount(row[outbreaks.times <= step], minlength=COUNT)
        slack = 5 * by_then.std() / COUNT**0.5 + 1e-9
        assert by_then.mean() == pytest.approx(exact[step], abs=slack)


def test_edges_lead_from_place_to_place():
    graph = graph_of()
    outbreaks = drawn(graph, "independent_cascade", [0, 5])
    sources, targets, _ = graph.arcs()
    place = np.repeat(np.arange(len(outbreaks.vertices)), np.diff(outbreaks.begin))
    row = np.searchsorted(outbreaks.rows, place, side="right") - 1
    assert (sources[outbreaks.edges] == outbreaks.vertices[place]).all()
    at = outbreaks.rows[row] + outbreaks.targets
    assert (targets[outbreaks.edges] == outbreaks.vertices[at]).all()
    assert (outbreaks.vertices[outbreaks.rows[:-1]] == 0).all()
    assert (outbreaks.vertices[outbreaks.rows[:-1] + 1] == 5).all()


def test_the_same_for_any_number_of_threads():
    graph = graph_of(directed=False)
    found = []
    for count in (1, 2):
        with ew.threads(count):
            found.append(drawn(graph, "seir", [0], probability=0.2, timed=True))
    for a, b in zip(*found, strict=True):
        assert (a == b).all()


def test_where_outbreaks_begin_says_nothing_about_edges():
    pair = Graph.from_edges([0], [1], directed=True)
    law = law_of(pair, chances(pair, "independent_cascade", 0.5), None)
    outbreaks = draw(pair, law, uniform_starts(pair, COUNT, 11), seed=11)
    close((np.diff(outbreaks.rows) == 2).mean(), np.array(0.25))


def test_random_starts_are_among_those_asked_for():
    graph = graph_of()
    anywhere = uniform_starts(graph, COUNT, 5)
    assert set(anywhere.ravel().tolist()) == set(range(6))
    assert set(uniform_starts(graph, 100, 5, [2, 4]).ravel().tolist()) == {2, 4}

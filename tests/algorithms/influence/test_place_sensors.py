"""Sensors: the choice beside a plain greedy one and beside all choices there are."""

from itertools import combinations

import numpy as np
import pytest

import edgewise as ew
from edgewise import Graph
from edgewise.algorithms.influence.diffusion import chances
from edgewise.algorithms.influence.laws import law_of
from edgewise.algorithms.influence.outbreaks import draw, uniform_starts
from edgewise.algorithms.influence.place_sensors import _greedy, _seen, _worth

GOALS = ("likelihood", "time", "affected")


def random_graph(seed, directed=True):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 10))
    return Graph.from_edges(*rng.integers(n, size=(2, 2 * n)), directed=directed, num_vertices=n)


def drawn(graph, count=60):
    law = law_of(graph, chances(graph, "independent_cascade", 0.5), None)
    return draw(graph, law, uniform_starts(graph, count, 3), seed=3, timed=True)


def each(outbreaks):
    """Vertices with their times, one dictionary for each outbreak."""
    for low, high in zip(outbreaks.rows[:-1], outbreaks.rows[1:], strict=True):
        row = slice(low, high)
        yield dict(
            zip(outbreaks.vertices[row].tolist(), outbreaks.times[row].tolist(), strict=True)
        )


def value(outbreaks, chosen, goal):
    """What the sensors are worth, by what each goal says."""
    total, horizon = 0, int(outbreaks.times.max()) + 1
    for times in each(outbreaks):
        noticed = min((times[v] for v in chosen if v in times), default=None)
        if noticed is not None:
            total += {
                "likelihood": 1,
                "time": horizon - noticed,
                "affected": sum(time >= noticed for time in times.values()),
            }[goal]
    return total


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("seed", range(8))
def test_lazy_greedy_is_greedy_and_near_the_best(goal, seed):
    graph, k = random_graph(seed), 3
    outbreaks = drawn(graph)
    n = graph.num_vertices
    worth = _worth(outbreaks, goal, int(outbreaks.times.max()))
    chosen, gains, bound = _greedy(outbreaks, worth, np.ones(n, bool), k)
    plain = []
    for gain in gains:
        sums = [value(outbreaks, [*plain, v], goal) for v in range(n)]
        best = int(np.argmax(sums))
        assert sums[best] - value(outbreaks, plain, goal) == gain
        plain.append(best)
    assert chosen.tolist() == plain
    most = max(value(outbreaks, some, goal) for some in combinations(range(n), k))
    assert (1 - 1 / np.e) * most <= gains.sum() <= most <= bound


@pytest.mark.parametrize("goal", GOALS)
def test_what_is_seen_is_counted_in_fresh_outbreaks(goal):
    graph = random_graph(5)
    outbreaks = drawn(graph)
    worth = _worth(outbreaks, goal, int(outbreaks.times.max()))
    (detected, time, affected), kept = _seen(outbreaks, worth, [0, 2], graph.num_vertices)
    assert kept == value(outbreaks, [0, 2], goal)
    noticed = [min((t[v] for v in (0, 2) if v in t), default=None) for t in each(outbreaks)]
    known = [t for t in noticed if t is not None]
    assert detected == pytest.approx(len(known) / 60)
    assert time == pytest.approx(np.mean(known))
    reached = [sum(t is None or one < t for one in times.values())
               for t, times in zip(noticed, each(outbreaks), strict=True)]  # fmt: skip
    assert affected == pytest.approx(np.mean(reached))


def test_as_many_outbreaks_as_a_choice_takes():
    graph = ew.generators.rmat(12, seed=1)
    found = ew.influence.place_sensors(graph, 5)
    few = ew.influence.place_sensors(graph, 5, samples=200)
    assert found.detected >= 0.88 * found.gains.sum()  # drawn until it is so: no luck of a few
    assert few.detected < 0.5 * few.gains.sum()


def test_goals_differ():
    # From 0 in one step to 1, on to 2, and there to 3, 4 and 5; every outbreak begins at 0 or at 6.
    graph = Graph.from_edges([0, 1, 2, 2, 2, 6], [1, 2, 3, 4, 5, 3], directed=True)
    sure = {"probability": 1.0, "sources": [0, 6], "candidates": [1, 2, 3], "samples": 200}
    often = ew.influence.place_sensors(graph, 1, objective="likelihood", **sure)
    assert (often.chosen.tolist(), often.detected) == ([3], 1.0)
    early = ew.influence.place_sensors(graph, 1, objective="affected", **sure)
    assert early.chosen.tolist() == [1]
    assert early.time == 1 and early.detected < 1
    both = ew.influence.place_sensors(graph, 3, objective="time", **sure)
    assert both.chosen.tolist() == [3, 1]  # a third would not notice anything sooner
    assert both.upper_bound == pytest.approx(both.gains.sum())


def test_the_same_for_any_number_of_threads_and_for_a_seed():
    graph = ew.generators.watts_strogatz(60, 4, p=0.2, seed=1)
    found = []
    for count in (1, 2):
        with ew.threads(count):
            found.append(
                ew.influence.place_sensors(graph, 4, model="sir", probability=0.2, samples=200)
            )
    assert found[0].chosen.tolist() == found[1].chosen.tolist()
    assert found[0][2:] == found[1][2:]
    other = ew.influence.place_sensors(graph, 4, model="sir", probability=0.2, samples=200, seed=1)
    assert other.upper_bound != found[0].upper_bound


def test_graphs_without_anything():
    empty = ew.influence.place_sensors(Graph.from_edges([], []), 2)
    assert len(empty.chosen) == 0 and empty.detected == 0
    alone = ew.influence.place_sensors(Graph.from_edges([], [], num_vertices=3), 5, samples=100)
    assert sorted(alone.chosen.tolist()) == [0, 1, 2] and alone.detected == 1
    none = ew.influence.place_sensors(Graph.from_edges([0], [1]), 0, samples=10)
    assert len(none.chosen) == 0 and none.detected == 0 and np.isnan(none.time)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"k": -1}, "k must be at least 0, got -1"),
        (
            {"objective": "soon"},
            "objective must be one of 'likelihood', 'time', 'affected', got 'soon'",
        ),
        ({"samples": 0}, "samples must be at least 1, got 0"),
        ({"candidates": [9]}, r"candidates\[0\] must be a vertex id from 0 to 1, got 9"),
        ({"sources": []}, "sources must"),
        ({"model": "gossip"}, "model must be one of"),
        ({"recovery_probability": 0.1}, "recovery_probability has no meaning"),
    ],
)
def test_errors_name_the_argument(options, says):
    with pytest.raises(ValueError, match=says):
        ew.influence.place_sensors(Graph.from_edges([0], [1]), **{"k": 1, **options})

"""Keys that are drawn by their scores, empty keys, and what a score reads at the key to stay with.

The oracle adds the same noise, so that engines and numbers of threads must draw the same keys;
frequencies are compared with the exact probabilities.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import edgewise as ew
from edgewise.base.threads import threads
from edgewise.operators import ADD, frontier
from tests.operators import oracles
from tests.operators.engines import for_rows, reduce_neighbors, settle
from tests.operators.functions import at_home, one, only_weight, spread
from tests.operators.graphs import SMALL, any_graph, star
from tests.operators.test_keyed import KEYS, SIZES, keys_of, put, stays_of
from tests.operators.test_reduce_neighbors import EVERY_SMALL, floats, some

SCORE = {"choose": at_home, "by_key": {"size": SIZES}, "params": {"scale": 0.25}}


def check(graph, members, **how):
    """The operators and the oracle agree on the key, and on its score, which has no noise."""
    n, asked = graph.num_vertices, range(graph.num_vertices) if members is None else members
    values, own, key, stay = floats(graph), np.arange(n) / 4, keys_of(graph), stays_of(graph)
    if how.get("skip_empty"):
        values[::3] = 0.0
    rows = oracles.grouped(graph, asked, spread, values, key, reduce=ADD)
    wanted = oracles.chosen(rows, at_home, own, stay=stay, by_key={"size": SIZES},
                            params={"scale": 0.25}, **how)  # fmt: skip
    options = {"reduce": ADD, "own": own, "key": key, "stay": stay, "mode": "in", **SCORE, **how}
    start = None if members is None else frontier(graph, members)
    found = reduce_neighbors(graph, start, spread, values, **options)
    finished = np.full(n, -1), np.full(n, -np.inf)
    for_rows(graph, start, spread, put, finished, values=values, **options)
    for v in asked:
        k, score = wanted[v]
        assert (found.key[v], found.total[v]) == (k, -np.inf if score is None else score)
    assert finished[0].tolist() == found.key.tolist()
    assert finished[1].tolist() == found.total.tolist()
    return found.key


@EVERY_SMALL
@pytest.mark.parametrize("skip_empty", [False, True])
def test_the_noise_of_every_key_is_known(graph, skip_empty):
    check(graph, None, temperature=2.0, seed=5, skip_empty=skip_empty)
    check(graph, some(graph), temperature=0.25, seed=2**64 - 1, skip_empty=skip_empty)


@EVERY_SMALL
def test_what_is_at_the_key_to_stay_with(graph):
    check(graph, None)
    check(graph, some(graph), skip_empty=True)


@settings(max_examples=20)
@given(graph=any_graph(), seed=st.integers(-(2**63), 2**64 - 1))
def test_random_graphs(graph, seed):
    check(graph, None, temperature=1.0, seed=seed, skip_empty=True)


def test_another_seed_draws_others_and_no_temperature_the_best():
    graph = SMALL["random"]
    drawn = [check(graph, None, temperature=3.0, seed=seed).tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    best = check(graph, None).tolist()
    assert best == check(graph, None, temperature=0).tolist()
    assert best == check(graph, None, temperature=1e-12, seed=3).tolist() != drawn[0]


def log_of(key, weight):
    return math.log(weight) if weight > 0 else -math.inf


WEIGHTS = np.array([1.0, 2.0, 0.0, 5.0, 12.0, 0.25])
MANY = 40_000


def bipartite():
    """Every one of many vertices beside the same six, which have a key each."""
    sources = np.repeat(np.arange(MANY), len(WEIGHTS))
    targets = np.tile(np.arange(len(WEIGHTS)) + MANY, MANY)
    return ew.Graph.from_edges(sources, targets, directed=True)


def assert_likely(keys, temperature):
    """Chi-square with four degrees of freedom: above 30 in one of two hundred thousand samples."""
    chances = WEIGHTS ** (1 / temperature)
    wanted = chances / chances.sum() * len(keys)
    counts = np.bincount(keys, minlength=len(WEIGHTS))
    assert counts[2] == 0, "of weight 0"
    present = wanted > 0
    assert ((counts - wanted)[present] ** 2 / wanted[present]).sum() < 30


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_keys_are_drawn_with_their_probabilities(temperature):
    graph, members = bipartite(), np.arange(MANY)
    key = np.maximum(np.arange(graph.num_vertices) - MANY, 0)
    how = {"reduce": ADD, "key": key, "choose": log_of, "by_key": {"weight": WEIGHTS},
           "mode": "out", "temperature": temperature}  # fmt: skip
    start = frontier(graph, members)
    found = [reduce_neighbors(graph, start, one, graph.full(0.0), seed=seed, **how).key[:MANY]
             for seed in (7, 8)]  # fmt: skip
    for keys in found:
        assert_likely(keys, temperature)
    same, chances = np.mean(found[0] == found[1]), WEIGHTS ** (1 / temperature)
    wanted = ((chances / chances.sum()) ** 2).sum()
    assert abs(same - wanted) < 5 * math.sqrt(wanted / MANY), "seeds are independent"


@pytest.mark.parametrize("synchronous", [False, True])
@pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])
def test_settle_draws_with_the_same_probabilities(team, synchronous):
    """Keys are vertices there; each pass draws anew."""
    graph = bipartite()
    n = graph.num_vertices
    weight, home = np.zeros(n), np.arange(n)
    weight[MANY:] = WEIGHTS
    found = []
    for passes in (1, 2):
        key, drawn, active = home.copy(), np.full(n, -1), np.zeros(n, np.int8)
        active[:MANY] = 1
        with threads(team):
            settle(graph, active, one, remember, (drawn, active), reduce=ADD, key=key,
                   choose=log_of, by_key={"weight": weight}, temperature=1.0, dtype=np.int64,
                   passes=passes, seed=3, synchronous=synchronous)  # fmt: skip
        found.append(drawn[:MANY] - MANY)
        assert_likely(found[-1], 1.0)
    assert np.mean(found[0] == found[1]) < 0.6


def remember(v, key, score, drawn, active):
    drawn[v], active[v] = key, 1
    return 1


@pytest.mark.parametrize("team", [1, 2, 3])
def test_very_long_rows(team):
    """A hub's keys are looked through by all threads together."""
    graph = star(70_000)
    n = graph.num_vertices
    key = np.random.default_rng(2).integers(0, 50_000, n)
    stay, sizes = key[::-1].copy(), np.arange(50_000) % 5 / 2
    options = {"reduce": ADD, "own": np.arange(n) / 4, "key": key, "stay": stay, **SCORE,
               "by_key": {"size": sizes}, "temperature": 1.5, "seed": 9}  # fmt: skip
    values = np.arange(n) % 16 / 16
    with threads(team):
        found = reduce_neighbors(graph, frontier(graph, 0), spread, values, **options)
    rows = oracles.grouped(graph, [0], spread, values, key, reduce=ADD)
    wanted = oracles.chosen(rows[:1], at_home, options["own"], stay=stay, temperature=1.5, seed=9,
                            by_key={"size": sizes}, params={"scale": 0.25})  # fmt: skip
    assert (found.key[0], found.total[0]) == wanted[0]


def test_one_key_and_none():
    """A row with one key draws that; if none is possible, it is the least; no row draws none."""
    graph = ew.Graph.from_edges([0, 0, 1, 1], [4, 5, 4, 5], directed=True, num_vertices=6)
    key = np.array([0, 0, 0, 0, 3, 3])
    options = {"reduce": ADD, "choose": log_of, "mode": "out", "temperature": 1.0, "seed": 1}
    for weights, score in ((np.ones(5), 0.0), (np.zeros(5), -np.inf)):
        found = reduce_neighbors(graph, None, one, graph.full(0.0), key=key,
                                 by_key={"weight": weights}, **options)  # fmt: skip
        assert found.key.tolist() == [3, 3, -1, -1, -1, -1]
        assert found.total.tolist() == [score, score, *[-np.inf] * 4]
    key[4:] = 2, 1
    found = reduce_neighbors(graph, None, one, graph.full(0.0), key=key,
                             by_key={"weight": np.zeros(5)}, **options)  # fmt: skip
    assert found.key.tolist()[:2] == [1, 1]


@pytest.mark.parametrize("choose", ["max", "min"])
def test_empty_keys_are_no_candidates(choose):
    graph = ew.Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2], weights=[0.0, 2.0, 3.0, 0.0])
    key, stay = np.array([0, 1, 2, 3]), np.array([-1, 3, -1, -1])
    how = {"reduce": ADD, "choose": choose, "mode": "out"}
    found = reduce_neighbors(graph, None, only_weight, graph.full(0.0), key=key, skip_empty=True,
                             **how)  # fmt: skip
    assert found.key.tolist() == [3 if choose == "max" else 2, -1, 0, 0]
    assert found.total.tolist() == [3.0 if choose == "max" else 2.0, 0.0, 2.0, 3.0]
    found = reduce_neighbors(graph, None, only_weight, graph.full(0.0), key=key, stay=stay,
                             skip_empty=True, **how)  # fmt: skip
    assert found.key[1] == 3, "the key to stay with is a candidate all the same"


@pytest.mark.parametrize("temperature", [None, 0.5])
@pytest.mark.parametrize("synchronous", [False, True])
def test_settle_as_for_rows(temperature, synchronous):
    """One pass in which nothing changes that others read."""
    graph = SMALL["random"]
    n = graph.num_vertices
    key, own = keys_of(graph), np.arange(n) / 4
    for stay in (stays_of(graph).clip(-1, KEYS - 1), np.full(n, -1)):
        for skip_empty in (False, True):
            values = floats(graph)
            values[::3] = 0.0
            options = {"reduce": ADD, "own": own, "values": values, "key": key, "stay": stay,
                       **SCORE, "by_key": {"size": np.resize(SIZES, n)}, "mode": "in",
                       "temperature": temperature, "skip_empty": skip_empty}  # fmt: skip
            kept = np.full(n, 7), np.full(n, 7.0)
            settle(graph, np.ones(n, np.int8), spread, note, kept, passes=1, seed=4,
                   synchronous=synchronous, **options)  # fmt: skip
            wanted = np.full(n, 7), np.full(n, 7.0)
            seed = int(ew.random.bits(4, 0, 1))
            for_rows(graph, None, spread, put, wanted, seed=seed, **options)
            assert kept[0].tolist() == wanted[0].tolist()
            assert kept[1].tolist() == wanted[1].tolist()


def note(v, key, score, keys, scores):
    keys[v], scores[v] = key, score
    return 0


def at_ease(total, staying_size):
    return total - staying_size


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"temperature": -1.0}, ValueError, "temperature must be a finite number, at least 0"),
        ({"temperature": "hot"}, TypeError, "temperature must be a finite number"),
        ({"temperature": 1.0, "seed": 1.5}, TypeError, "seed must be a whole number, got 1.5"),
        ({"temperature": 1.0, "choose": "max"}, TypeError, "temperature is for a score"),
        ({"skip_empty": np.ones(2)}, TypeError, "skip_empty must be"),
        ({"skip_empty": True, "choose": None}, TypeError, "skip_empty belongs to choose"),
        ({"skip_empty": True, "choose": "absent"}, TypeError, "skip_empty belongs to choose"),
        ({"stay": None}, TypeError, "stay is missing: choose names staying"),
        ({"choose": at_ease, "stay": None}, TypeError, "stay is missing: choose names what by_key"),
        ({"by_key": {"size": SIZES, "rest": SIZES}}, TypeError, "by_key has 'rest', which choose"),
        ({"params": {"scale": 1.0, "staying_size": 2.0}}, ValueError, "reserved name"),
    ],
)
@pytest.mark.host
def test_refusals(change, error, text):
    graph = SMALL["path"]
    key = keys_of(graph)
    given = {"reduce": ADD, "key": key, "stay": key, **SCORE, **change}
    if not callable(given["choose"]):
        given.update(by_key=None, params=None, stay=None)
    if given["choose"] is at_ease:
        given.update(params=None)
    with pytest.raises(error, match=text):
        reduce_neighbors(graph, None, spread, floats(graph), **given)

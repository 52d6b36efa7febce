"""`settle`: vertices act on the best key of their rows, pass after pass, until little changes."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise.base import atomic
from edgewise.base.errors import CompileError
from edgewise.base.random import hashed, mix
from edgewise.base.threads import threads
from edgewise.operators import ADD, MIN
from tests.operators import oracles
from tests.operators.engines import settle
from tests.operators.graphs import SMALL, random_graph, star

EVERY_TEAM = pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])


def along(weight):
    return weight


def as_it_is(key):
    return np.float64(key)


def climb(v, key, score, label):
    """Take the largest label among one's own and the neighbors'."""
    if key <= label[v]:
        return 0
    label[v] = key
    return 1


def in_one_part(turn, active):
    return (active,)


def largest_in_component(graph):
    label = np.arange(graph.num_vertices)
    for _ in range(graph.num_vertices):
        for u, v, _ in oracles.walked(graph, "both"):
            label[u] = label[v] = max(label[u], label[v])
    return label.tolist()


CLIMB = {"reduce": ADD, "choose": as_it_is, "dtype": np.float64, "passes": 1000}


@EVERY_TEAM
@pytest.mark.parametrize("parts", [1, 3, in_one_part])
@pytest.mark.parametrize("name", [name for name in SMALL if "directed" not in name])
def test_passes_go_on_until_all_are_at_rest(name, parts, team):
    graph = SMALL[name]
    n = graph.num_vertices
    label, active = np.arange(n), np.ones(n, np.int8)
    with threads(team):
        gain = settle(graph, active, along, climb, label, key=label, stay=label, parts=parts,
                      **CLIMB)  # fmt: skip
    assert label.tolist() == largest_in_component(graph)
    assert not active.any()
    assert gain >= np.count_nonzero(label != np.arange(n)), "every move counts, several of one too"


@EVERY_TEAM
def test_hubs_wake_their_neighbors(team):
    graph = star(200)
    for parts in (1, in_one_part):
        label, active = np.arange(201), np.zeros(201, np.int8)
        active[0] = 1  # the hub alone: all others are woken by its move
        with threads(team):
            settle(graph, active, along, climb, label, key=label, stay=label, parts=parts, **CLIMB)
        assert (label == 200).all()


def test_only_active_vertices_act_and_only_so_often():
    graph = ew.generators.path(6)
    for passes, wanted in ((0, [0, 1, 2, 3, 4, 5]), (1, [1, 1, 2, 3, 4, 5])):
        label, active = np.arange(6), np.array([1, 0, 0, 0, 0, 0], np.int8)
        options = {**CLIMB, "passes": passes}
        settle(graph, active, along, climb, label, key=label, stay=label, **options)
        assert label.tolist() == wanted


def test_a_pass_that_gains_little_is_the_last():
    graph = ew.generators.path(50)
    for tol, moved in ((0, True), (10**6, False)):
        label, active = np.arange(50), np.zeros(50, np.int8)
        active[48] = 1
        settle(graph, active, along, climb, label, key=label, stay=label, tol=tol, **CLIMB)
        assert (label == 49).all() == moved


@pytest.mark.host
@pytest.mark.parametrize("choose", ["max", "min", "score"])
@pytest.mark.parametrize("mode", ["out", "in"])
@pytest.mark.parametrize("stays", [True, False])
def test_one_thread_goes_by_id(choose, mode, stays):
    graph = random_graph(60, 240, directed=mode == "in", seed=3)
    graph = graph.with_weights(np.random.default_rng(2).integers(0, 4, graph.num_edges))
    key = np.random.default_rng(4).integers(0, 60, 60)
    size = np.bincount(key, minlength=60).astype(np.float64)
    wanted, gains = by_hand(graph, key.copy(), size.copy(), choose, mode, stays)
    options = {"stay": key} if stays else {}
    if choose == "score":
        options["by_key"] = {"size": size}
    with threads(1):
        gain = settle(graph, np.ones(60, np.int8), along, swap, (key, size), reduce=ADD, key=key,
                      choose=less_crowded if choose == "score" else choose, mode=mode, passes=3,
                      dtype=np.float64, **options)  # fmt: skip
    assert key.tolist() == wanted
    assert gain == pytest.approx(gains, rel=1e-12)


def less_crowded(total, size):
    return total / size


def swap(v, key, score, label, size):
    if key < 0 or key == label[v]:
        return 0.0
    atomic.add(size, label[v], -1.0)
    atomic.add(size, key, 1.0)
    label[v] = key
    return score


def by_hand(graph, key, size, choose, mode, stays):
    weights, rows = oracles.weight_list(graph), [[] for _ in key]
    for u, v, e in oracles.walked(graph, mode):
        rows[u].append((v, weights[e]))
    active, gains = np.ones(len(key), bool), 0.0
    for _ in range(3):
        before = gains
        for v in np.flatnonzero(active):  # of one chunk: who is woken acts in the next pass
            row = rows[v]
            active[v], totals = False, {int(key[v]): 0.0} if stays else {}
            for u, weight in row:
                totals[int(key[u])] = totals.get(int(key[u]), 0.0) + weight
            sign = -1 if choose == "min" else 1
            rated = {c: t / size[c] if choose == "score" else t for c, t in totals.items()}
            if not rated:
                continue
            best = max(rated, key=lambda c: (sign * rated[c], -c))
            if best == key[v]:
                continue
            size[key[v]] -= 1
            size[best] += 1
            key[v] = best
            gains += rated[best]
            if rated[best] != 0:
                for u, _ in row:
                    active[u] |= key[u] != best
        if gains <= before:
            break
    return key.tolist(), gains


@pytest.mark.host
def test_many_threads_on_a_sparse_graph_need_no_large_tables():
    graph, label = ew.generators.path(300), np.arange(300)
    with threads(64):
        settle(graph, np.ones(300, np.int8), along, climb, label, key=label, stay=label, **CLIMB)
    assert (label == 299).all()


@pytest.mark.host
def test_observers_hear_of_every_pass_and_change_nothing():
    graph = random_graph(200, 600, seed=5)
    found = []
    for watch in (False, True):
        label, trace = np.arange(200), ew.Trace()
        with threads(1), ew.observe(trace if watch else lambda *_, **__: None):
            gain = settle(graph, np.ones(200, np.int8), along, climb, label, key=label, stay=label,
                          phase="climb", **CLIMB)  # fmt: skip
        found.append((label.tolist(), gain))
    assert found[0] == found[1]
    assert [row["iteration"] for row in trace.rows] == list(range(len(trace.rows)))
    assert sum(row["gain"] for row in trace.rows) == found[1][1]
    assert {row["phase"] for row in trace.rows} == {"climb"}


def moved(v, key, score, label):
    if key < 0 or key == label[v]:
        return 0
    label[v] = key
    return 1


def larger(total, size, other):
    return total * 1e-3 + size + other


@EVERY_TEAM
@pytest.mark.parametrize("parts", [1, in_one_part])
def test_masses_are_where_their_vertices_are(parts, team):
    """Also where they land later: most go to the largest group, whose total is far larger."""
    graph = random_graph(3000, 24_000, seed=3)
    label, mass = np.arange(3000), np.arange(3000) % 7 + 1.0
    mass[:4], count = 1e9, np.ones(3000, np.int64)
    size, other, active = mass.copy(), count.copy(), np.ones(3000, np.int8)
    with threads(team):
        settle(graph, active, along, moved, label, reduce=ADD, key=label, stay=label,
               choose=larger, by_key={"size": size, "other": other},
               masses={"size": mass, "other": count}, dtype=np.float64, passes=4,
               parts=parts)  # fmt: skip
    assert len(np.unique(label)) < 1500
    assert size.tolist() == np.bincount(label, mass, 3000).tolist()
    assert other.tolist() == np.bincount(label, minlength=3000).tolist()


def by_majority(total, staying, size, staying_size):
    return total - staying + (staying_size - size) / 64


def go(v, key, score, label):
    if not score > 0:
        return 0.0
    label[v] = key
    return score


def together(graph, parts, passes, seed):
    """Synchronous passes by definition: labels, sizes of groups, who is active, and the gain."""
    n = graph.num_vertices
    label, active, size, gains = np.arange(n), np.ones(n, bool), np.ones(n), 0.0
    rows = [[] for _ in range(n)]
    weights = oracles.weight_list(graph)
    for u, v, e in oracles.walked(graph, "out"):
        rows[u].append((v, weights[e]))
    for turn in range(passes):
        mark, found = hashed(seed + turn, n), 0.0
        part_of = (mix(np.arange(n).astype(np.uint64) ^ mark) >> np.uint64(33)) % np.uint64(parts)
        for part in range(parts):
            goes = {}
            for v in np.flatnonzero(active & (part_of == part)):
                totals = {label[v]: 0.0}
                for u, weight in rows[v]:
                    totals[label[u]] = totals.get(label[u], 0.0) + weight
                home = label[v]
                score = {c: by_majority(total, totals[home], size[c], size[home])
                         for c, total in totals.items()}  # fmt: skip
                active[v], best = False, min(score, key=lambda c: (-score[c], c))
                if score[best] > 0:
                    goes[v], found = best, found + score[best]
            for v, c in goes.items():
                size[label[v]] -= 1
                size[c] += 1
                label[v] = c
            for v in goes:
                for u, _ in rows[v]:
                    active[u] = True
        gains += found
        if found <= 0:
            break
    return label.tolist(), size.tolist(), active.tolist(), gains


@pytest.mark.parametrize("team", [1, 2, pytest.param(64, marks=pytest.mark.host)])
@pytest.mark.parametrize("parts", [1, 5])
def test_synchronous_passes_are_the_same_for_all(team, parts):
    """Whatever the number of threads and the engine; those of a part see what was before it."""
    for graph in (SMALL["random"], star(90), random_graph(900, 4000, seed=4)):
        n = graph.num_vertices
        label, size, active = np.arange(n), np.ones(n), np.ones(n, np.int8)
        with threads(team):
            gain = settle(graph, active, along, go, label, reduce=ADD, key=label, stay=label,
                          choose=by_majority, by_key={"size": size}, masses={"size": np.ones(n)},
                          dtype=np.float64, parts=parts, passes=3, synchronous=True,
                          seed=11)  # fmt: skip
        wanted = together(graph, parts, 3, 11)
        found = label.tolist(), size.tolist(), (active != 0).tolist()
        assert found == wanted[:3]
        assert gain == pytest.approx(wanted[3], rel=1e-12)


@pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])
def test_synchronous_parts_of_the_callers_own(team):
    graph = random_graph(300, 900, seed=6)
    found = []
    for parts in (1, in_one_part):
        label, active = np.arange(300), np.ones(300, np.int8)
        with threads(team):
            settle(graph, active, along, climb, label, key=label, stay=label, parts=parts,
                   synchronous=True, **CLIMB)  # fmt: skip
        found.append((label.tolist(), active.tolist()))
    assert found[0] == found[1]
    assert found[0][0] == largest_in_component(graph)


def test_no_vertices():
    graph, none = ew.generators.path(0), np.arange(0)
    assert settle(graph, np.ones(0, np.int8), along, climb, none, key=none, **CLIMB) == 0


def nothing(v, key, score, label):
    label[v] = key


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"key": np.array([0, 1, -1])}, ValueError, "key must hold vertex ids, 0 to 2, got -1"),
        ({"key": np.array([0, 1, 3])}, ValueError, "key must hold vertex ids, 0 to 2, got 3"),
        ({"key": np.array([0, 1, 2], np.int16)}, TypeError, "int32 or int64"),
        ({"key": None}, TypeError, "key must be an array of vertex ids, got None"),
        ({"active": np.ones(3)}, TypeError, "active must be of int8, got float64"),
        ({"active": np.ones(2, np.int8)}, ValueError, "active"),
        ({"choose": None}, TypeError, "choose is missing"),
        ({"parts": 0}, ValueError, "parts"),
        ({"passes": -1}, ValueError, "passes"),
        ({"tol": "much"}, TypeError, "tol"),
        ({"masses": [1]}, TypeError, "masses must be a dict of names to arrays"),
        ({"masses": {"size": np.ones(3)}}, TypeError, "masses has 'size', which by_key does not"),
        ({"finish": nothing}, CompileError, "nothing .* it must give a number, what was gained"),
        ({"synchronous": np.ones(2)}, TypeError, "synchronous must be True or False"),
        ({"synchronous": True, "state": "a view"}, ValueError, "state must have key itself"),
    ],
)
@pytest.mark.host
def test_refusals(change, error, text):
    graph, label = ew.generators.path(3), np.arange(3)
    given = {"active": np.ones(3, np.int8), "finish": climb, "key": label, **CLIMB, **change}
    active, finish = given.pop("active"), given.pop("finish")
    state = label[:] if given.pop("state", None) else label
    with pytest.raises(error, match=text):
        settle(graph, active, along, finish, state, **given)


def test_other_monoids():
    """The least weight to each group counts; the group of the greatest of these is chosen."""
    graph = ew.Graph.from_edges([0, 0, 0], [1, 2, 3], [5.0, 2.0, 7.0])
    label, active = np.array([0, 1, 1, 3]), np.array([1, 0, 0, 0], np.int8)
    settle(graph, active, along, take_it, label, reduce=MIN, key=label, choose="max",
           dtype=np.float64, passes=1)  # fmt: skip
    assert label.tolist() == [3, 1, 1, 3]


def take_it(v, key, score, label):
    label[v] = key
    return 1

"""`for_rows`: every member's row reduced, and one call of finish with the total."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base import atomic
from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, ARGMAX, MAX, Monoid, frontier
from tests.operators import oracles
from tests.operators.engines import for_rows
from tests.operators.functions import best_sender, spread
from tests.operators.graphs import SMALL, random_graph, star

EVERY_TEAM = pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])


def keep(v, total, out, calls):
    out[v] = total
    atomic.add(calls, v, 1)


def rows_of(graph, mode="out"):
    """For every vertex its (neighbor, weight, edge) along its row."""
    weights = oracles.weight_list(graph)
    rows = [[] for _ in range(graph.num_vertices)]
    for u, v, e in oracles.walked(graph, mode):
        rows[u].append((v, weights[e], e))
    return rows


@EVERY_TEAM
@pytest.mark.parametrize("name", SMALL)
def test_the_total_of_every_row(name, team):
    graph = SMALL[name]
    values = np.arange(1.0, graph.num_vertices + 1)
    wanted = [sum(values[u] * w for u, w, _ in row) for row in rows_of(graph)]
    out, calls = graph.full(-1.0), graph.full(0, np.int64)
    with threads(team):
        for_rows(graph, None, spread, keep, (out, calls), reduce=ADD, values=values)
    np.testing.assert_allclose(out, wanted, rtol=1e-12)
    assert calls.tolist() == [1] * graph.num_vertices, "also where a row is empty"


def test_only_members_are_finished():
    graph = SMALL["random"]
    values, out, calls = graph.full(1.0), graph.full(-1.0), graph.full(0, np.int64)
    members = np.flatnonzero(np.arange(graph.num_vertices) % 3 == 1)
    for_rows(graph, frontier(graph, members), spread, keep, (out, calls), reduce=ADD, values=values)
    assert np.flatnonzero(calls).tolist() == members.tolist()
    assert (out[calls == 0] == -1).all()
    none = frontier(graph, np.zeros(graph.num_vertices, bool))
    for_rows(graph, none, spread, keep, (out, calls), reduce=ADD, values=values)
    assert calls.sum() == len(members)


def follow(v, best, score, leader, least):
    if best[0] > score[v] + least:
        leader[v] = best[1]


@pytest.mark.parametrize("mode", ["out", "in"])
def test_tuples_params_and_edges(mode):
    graph = SMALL["random, directed"]
    score = np.random.default_rng(1).permutation(graph.num_vertices).astype(np.float64)
    for least in (0.0, 3.0):
        leader = np.arange(graph.num_vertices)
        for_rows(graph, None, best_sender, follow, (score, leader), reduce=ARGMAX, values=score,
                 params={"least": least}, mode=mode, dtype=(np.float64, np.int64))  # fmt: skip
        for v, row in enumerate(rows_of(graph, mode)):
            best = max((score[u], u) for u, _, _ in row) if row else (-np.inf, v)
            assert leader[v] == (best[1] if best[0] > score[v] + least else v)


def heavier(weight, source, own, total, price, taken):
    """The heaviest edge to a neighbor that is dearer, read at any place; see `total`."""
    if weight <= total[0] or taken[source // 2] or price[source] < price[own]:
        return total
    return weight, source


def bill(v, best, price, taken, paid):
    if best[1] >= 0:
        atomic.add(paid, 0, price[best[1]])


_HEAVIEST = Monoid((0.0, -1), lambda old, new: new if new[0] > old[0] else old, idempotent=True)


@EVERY_TEAM
def test_reads_anywhere_and_what_has_come_so_far(team):
    """Without values ``own`` is the vertex; params have any length; finish writes anywhere."""
    graph = SMALL["random"].with_weights(None)
    u, v, _ = graph.arcs()
    graph = graph.with_weights(np.random.default_rng(2).permutation(graph.num_edges) + 1.0)
    n = graph.num_vertices
    price, taken, paid = np.arange(n) % 7 + 1.0, np.arange(n) % 5 == 0, np.zeros(1)
    total = 0.0
    for v, row in enumerate(rows_of(graph)):
        best = max(
            ((w, u) for u, w, _ in row if not taken[u // 2] and price[u] >= price[v]),
            default=None,
        )
        total += 0.0 if best is None else price[best[1]]
    with threads(team):
        for_rows(graph, None, heavier, bill, (price, taken, paid), reduce=_HEAVIEST,
                 params={"price": price, "taken": taken})  # fmt: skip
    assert paid[0] == total


def note(v, found, out):
    out[v] = found


def test_a_monoid_that_stops_early():
    graph, label = SMALL["random"], SMALL["random"].full(7, np.int64)
    out = graph.full(0, np.int64)
    for_rows(graph, None, lambda value: value, note, out, reduce=ANY, values=label)
    assert out.tolist() == [7 if d else -1 for d in graph.degrees()]


@pytest.mark.host
@pytest.mark.parametrize("team", [1, 3])
def test_long_rows_go_in_pieces(team):
    graph = star(70_000).with_weights(np.arange(1.0, 70_001))
    values, out, calls = graph.full(1.0), graph.full(0.0), graph.full(0, np.int64)
    with threads(team):
        for_rows(graph, None, spread, keep, (out, calls), reduce=ADD, values=values)
    assert out.max() == 70_000 * 70_001 / 2 and (calls == 1).all()


@pytest.mark.host
def test_equal_for_every_number_of_threads():
    graph = random_graph(400, 3000, 5)
    values, found = np.random.default_rng(4).random(graph.num_vertices), []
    for team in (1, 2, 3):
        out, calls = graph.full(0.0), graph.full(0, np.int64)
        with threads(team):
            for_rows(graph, None, spread, keep, (out, calls), reduce=ADD, values=values)
        found.append(out.tolist())
    assert found[0] == found[1] == found[2]


class TestErrors:
    graph = SMALL["path"]

    def fails(self, error, said, message=spread, finish=keep, **options):
        state = (self.graph.full(0.0), self.graph.full(0, np.int64))
        options = {"reduce": ADD, "values": self.graph.full(0.0), **options}
        with pytest.raises(error, match=said):
            for_rows(self.graph, None, message, finish, state, **options)

    def test_functions(self):
        self.fails(TypeError, "finish must be a function, got None", finish=None)
        self.fails(TypeError, r"finish must take 4 argument", finish=lambda v, total: None)
        self.fails(TypeError, "message may name value, weight", message=lambda values: 1)
        self.fails(TypeError, "params has 'alpha', which no function", params={"alpha": 1})

    def test_values(self):
        self.fails(TypeError, "values is missing: message names value", values=None)
        self.fails(ValueError, "values must have one entry per vertex", values=np.zeros(3))
        self.fails(ValueError, "mode must be", mode="up")
        self.fails(TypeError, "dtype is missing", message=lambda weight: weight, values=None,
                   reduce=MAX)  # fmt: skip
        self.fails(ValueError, "values must be as many arrays as reduce combines",
                   dtype=(np.float64, np.float64))  # fmt: skip

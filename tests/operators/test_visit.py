"""`advance` in edge form: every edge of the frontier once, and what the visits picked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base import atomic
from edgewise.base.errors import CompileError
from edgewise.base.threads import threads
from edgewise.graph.csr import frozen
from edgewise.operators import Frontier, frontier
from tests.operators import oracles
from tests.operators.engines import advance
from tests.operators.functions import tally
from tests.operators.graphs import SMALL, any_graph, star, weighted

EVERY_SMALL = pytest.mark.parametrize("graph", SMALL.values(), ids=SMALL)


def check(graph, members, *, mode="out", neighbors=None, output="vertices"):
    """Visit with `tally`, and compare its calls and the next frontier with a loop."""
    seen, total = np.zeros(graph.num_arcs, np.int64), graph.full(0)
    start = None if members is None else frontier(graph, members)
    result = advance(
        graph, start, tally, (seen, total), mode=mode, neighbors=neighbors, output=output
    )
    chosen = set(range(graph.num_vertices) if members is None else members)
    expected_seen, expected_total, picked = seen * 0, total * 0, set()
    for u, row in rows(graph, mode).items():
        for v, e in row[neighbors or slice(None)] if u in chosen else ():
            expected_seen[e] += 1
            expected_total[v] += u
            if (u + v) % 2 == 0 and output:
                picked.add(v if output == "vertices" else e)
    np.testing.assert_array_equal(seen, expected_seen)
    np.testing.assert_array_equal(total, expected_total)
    assert result.kind == (output or "vertices")
    assert sorted(result.ids.tolist()) == sorted(picked)
    return result


def rows(graph, mode):
    result: dict[int, list] = {}
    for u, v, e in oracles.walked(graph, mode):
        result.setdefault(u, []).append((v, e))
    return result


@EVERY_SMALL
@pytest.mark.parametrize("mode", ["out", "in", "both"])
@pytest.mark.parametrize("output", ["vertices", "edges", None])
def test_every_edge_is_visited_once(graph, mode, output):
    check(graph, None, mode=mode, output=output)
    check(graph, [v for v in range(graph.num_vertices) if v % 3], mode=mode, output=output)


@pytest.mark.parametrize(
    "neighbors",
    [slice(0, 1), slice(1, 3), slice(2, None), slice(None, 2), slice(3, 1), slice(9, 9)],
)
def test_a_slice_of_every_neighbor_list(neighbors):
    for graph in (SMALL["random, directed"], star(200)):
        with threads(2):
            check(graph, None, neighbors=neighbors)


@pytest.mark.parametrize("team", [1, 2, 3])
def test_teams_of_any_size_agree_on_skewed_degrees(team):
    """A hub of over 2**14 edges is walked by all threads together."""
    leaves = 20_000
    graph = weighted(np.repeat([0, 1], leaves), np.tile(np.arange(2, leaves + 2), 2))
    seen, total = np.zeros(graph.num_arcs, np.int64), graph.full(0)
    with threads(team):
        picked = advance(graph, None, tally, (seen, total))
    sources, targets, _ = graph.arcs()
    assert (seen == 1).all()
    np.testing.assert_array_equal(
        total, np.bincount(targets, sources, graph.num_vertices).astype(int)
    )
    assert sorted(picked.ids.tolist()) == np.unique(targets[(sources + targets) % 2 == 0]).tolist()


def test_edge_frontiers_go_in_and_come_out():
    """E -> E, E -> V and V -> E: an edge frontier walks on from the targets of its mode."""
    graph = SMALL["random, directed"]
    chosen = np.arange(0, graph.num_arcs, 5)
    targets = set(graph.indices[chosen].tolist())
    for output in ("vertices", "edges"):
        seen, total = np.zeros(graph.num_arcs, np.int64), graph.full(0)
        start = frontier(graph, edges=chosen)
        result = advance(graph, start, tally, (seen, total), output=output)
        arcs = [(u, v, e) for u, v, e in oracles.walked(graph) if u in targets]
        assert np.flatnonzero(seen).tolist() == [e for _, _, e in arcs]
        kept = [(v, e) for u, v, e in arcs if (u + v) % 2 == 0]
        expected = {v if output == "vertices" else e for v, e in kept}
        assert sorted(result.ids.tolist()) == sorted(expected)
        assert result.size == (graph.num_vertices if output == "vertices" else graph.num_arcs)


@settings(max_examples=40)
@given(
    graph=any_graph(),
    mode=st.sampled_from(["out", "in", "both"]),
    output=st.sampled_from(["vertices", "edges", None]),
    data=st.data(),
)
def test_random_graphs(graph, mode, output, data):
    members = data.draw(st.sets(st.integers(0, graph.num_vertices - 1)).map(sorted))
    check(graph, members, mode=mode, output=output)


def claim(source, target, edge, owner):
    """Only one of all who ask first gets the target."""
    return atomic.cas(owner, target, -1, source) == -1


@pytest.mark.parametrize("team", [1, 2, 3])
def test_compare_and_swap_lets_one_win(team):
    hubs = weighted(np.repeat(np.arange(3), 4000), np.tile(np.arange(3, 4003), 3))
    for graph in (star(5000), hubs):
        owner = graph.full(-1)
        with threads(team):
            won = advance(graph, None, claim, owner)
        assert sorted(won.ids.tolist()) == list(range(graph.num_vertices))
        arcs = {(u, v) for u, v, _ in oracles.walked(graph)}
        assert all((int(owner[v]), v) in arcs for v in range(graph.num_vertices))


def scaled(source, target, edge, out, factor, offset):
    row = out[source : source + 1]
    row[0] = source * factor + offset


def test_numbers_slices_and_no_answer():
    """State may be numbers; a visit without an answer goes with ``output=None``."""
    graph = SMALL["path"]
    out = graph.full(0.0)
    picked = advance(graph, None, scaled, (out, 2, np.float64(0.5)), output=None)
    assert out.tolist() == [2 * v + 0.5 for v in range(9)]
    assert picked.empty()


def added(source, target, edge, total):
    atomic.add(total, target, 1)


def swapped(source, target, edge, total):
    return atomic.cas(total, target, 0, 1) == 0


def lowered(source, target, edge, total):
    atomic.min(total, target, -1)


def exchanged(source, target, edge, total):
    atomic.exch(total, target, 1)


class TestErrors:
    graph = SMALL["path"]
    state = (np.zeros(16, np.int64), np.zeros(9, np.int64))

    def fails(self, error, pattern, start=None, function=tally, state=None, **options):
        with pytest.raises(error, match=pattern):
            advance(self.graph, start, function, self.state if state is None else state, **options)

    def test_what_belongs_to_the_message_form(self):
        for name, value in (
            ("source_values", np.zeros(9)),
            ("where", tally),
            ("weights", None),
            ("depths", np.zeros(9, np.int32)),
            ("direction", "push"),
        ):
            self.fails(TypeError, f"{name} belongs to the message form", **{name: value})
        advance(self.graph, None, tally, self.state, direction="".join(["au", "to"]))

    def test_choices(self):
        self.fails(ValueError, "output must be one of 'vertices', 'edges'", output="ids")
        self.fails(ValueError, "mode must be one of", mode="up")
        self.fails(TypeError, "neighbors must be a slice with step 1", neighbors=3)
        self.fails(TypeError, "neighbors must be a slice with step 1", neighbors=slice(0, 4, 2))
        self.fails(TypeError, "neighbors must be a slice", neighbors=slice(0.5, 2))
        self.fails(ValueError, "neighbors must count from the front", neighbors=slice(-1, None))

    @pytest.mark.host
    def test_state(self):
        self.fails(TypeError, r"values\[1\] must be an array or a number", state=(np.zeros(3), "a"))
        read_only = np.zeros(9)
        read_only.flags.writeable = False
        self.fails(
            CompileError, "scaled .*writes to an array that is read-only", function=scaled,
            state=(read_only, 1, 1.0), output=None,
        )  # fmt: skip
        for function in (added, swapped, lowered, exchanged):
            self.fails(
                CompileError, f"{function.__name__} .*writes to an array that is read-only",
                function=function, state=(frozen(np.zeros(9, np.int64)),), output=None,
            )  # fmt: skip

    def test_frontier(self):
        self.fails(TypeError, "frontier must be a Frontier or None", start=3)
        other = Frontier(4, ids=np.arange(4, dtype=np.int32))
        self.fails(ValueError, "frontier is of a graph with 4 vertices", start=other)

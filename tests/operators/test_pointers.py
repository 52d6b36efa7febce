"""`look_up` and `deliver`: what a vertex reads from, and sends to, the vertex it points at."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.operators import ADD, AND, ANY, ARGMIN, MAX, MIN, OR, frontier
from edgewise.operators.results import several
from tests.operators.engines import deliver, look_up
from tests.operators.functions import APART, MIXED, PRODUCT, UNION
from tests.operators.graphs import SMALL, random_graph

TEAMS = pytest.mark.parametrize("team", [1, 2, 3])
GRAPH = random_graph(3000, 9000, 1)
RNG = np.random.default_rng(2)
#: Many vertices point at few, so that threads meet.
CROWDED = RNG.integers(0, 40, 3000)


#: So few members that targets are listed; and so many that all vertices are looked through.
MEMBERS = {"some": RNG.permutation(3000)[:60], "one": [17], "none": [], "many": range(0, 3000, 2)}


@np.errstate(over="ignore")
def settled(values, at, messages, reduce, members=range(3000)):
    """One message after the other; the values, and the vertices that changed."""
    before, result = several(values), [one.copy() for one in several(values)]
    for v in members:
        if at[v] >= 0:
            new = tuple(a.dtype.type(b[v]) for a, b in zip(result, several(messages), strict=True))
            old = tuple(array[at[v]] for array in result)
            if len(old) == 1:
                old, new = old[0], new[0]
            if reduce.early_exit and old != reduce.identity_for(result[0].dtype):
                continue
            for array, one in zip(result, several(reduce.combine(old, new)), strict=True):
                array[at[v]] = one
    changed = np.logical_or.reduce([a != b for a, b in zip(before, result, strict=True)])
    return tuple(result), np.flatnonzero(changed).tolist()


def delivered(values, at, messages, reduce, members=range(3000), start=None):
    """Is what `deliver` does what one message after the other does?"""
    expected, changed = settled(values, at, messages, reduce, members)
    mine = tuple(array.copy() for array in several(values))
    given = mine if isinstance(values, tuple) else mine[0]
    found = deliver(GRAPH, given, at, messages, reduce=reduce, frontier=start)
    assert found.ids.tolist() == changed
    for array, wanted in zip(mine, expected, strict=True):
        assert array.dtype == wanted.dtype and array.tolist() == wanted.tolist()


class TestLookUp:
    @TEAMS
    @pytest.mark.parametrize("ids", [np.int64, np.int32])
    def test_values_of_the_vertices_pointed_at(self, team, ids):
        values = RNG.random(3000)
        for at in (RNG.integers(0, 3000, 3000).astype(ids), CROWDED.astype(ids)):
            with threads(team):
                assert look_up(GRAPH, values, at).tolist() == values[at].tolist()

    def test_pointers_to_pointers(self):
        parent = np.arange(3000) // 2
        before = parent.copy()
        found = look_up(GRAPH, parent, parent)
        assert found.dtype == parent.dtype and found.tolist() == (before // 2).tolist()
        assert parent.tolist() == before.tolist()

    def test_out(self):
        values, at, out = RNG.integers(0, 9, 3000), CROWDED.copy(), np.zeros(3000, np.int64)
        expected = values[at].tolist()
        assert look_up(GRAPH, values, at, out=out) is out and out.tolist() == expected
        assert look_up(GRAPH, values, at, out=at) is at and at.tolist() == expected

    @TEAMS
    @pytest.mark.parametrize("members", MEMBERS.values(), ids=MEMBERS)
    def test_members_only(self, team, members):
        values, at = RNG.integers(1, 9, 3000), CROWDED.copy()
        start, members = frontier(GRAPH, np.array(members, int)), np.array(members, int)
        at[np.setdiff1d(np.arange(3000), members)] = -7  # nobody looks
        for out in (None, np.full(3000, 5)):
            expected = np.zeros(3000, np.int64) if out is None else out.copy()
            expected[members] = values[at[members]]
            with threads(team):
                found = look_up(GRAPH, values, at, frontier=start, out=out)
            assert found.tolist() == expected.tolist()

    def test_several_arrays(self):
        values = RNG.random(3000), RNG.integers(0, 9, 3000)
        first, second = look_up(GRAPH, values, CROWDED)
        assert first.tolist() == values[0][CROWDED].tolist()
        assert second.tolist() == values[1][CROWDED].tolist()
        out = np.zeros(3000), np.zeros(3000, np.int64)
        look_up(GRAPH, values, CROWDED, frontier=frontier(GRAPH, [3, 8]), out=out)
        assert np.flatnonzero(out[0]).tolist() == [3, 8] and out[0][8] == first[8]
        assert out[1][3] == second[3]

    def test_no_vertices(self):
        assert look_up(SMALL["empty"], np.empty(0), np.empty(0, np.int64)).tolist() == []

    @pytest.mark.parametrize("wrong", [-1, 3000, -(2**40), 2**40])
    def test_ids_that_are_none(self, wrong):
        at = CROWDED.copy()
        at[2500] = wrong
        out, rule = np.full(3000, 7), "at must hold vertex ids from 0 to 2999"
        for start in (None, frontier(GRAPH, [1, 2500])):
            with pytest.raises(ValueError, match=f"{rule}, got {wrong} at vertex 2500"):
                look_up(GRAPH, CROWDED, at, frontier=start, out=out)
        assert (out == 7).all(), "nothing is written"
        with pytest.raises(ValueError, match=rule):
            look_up(GRAPH, CROWDED, at)

    def test_errors(self):
        values, at = np.zeros(3000), np.zeros(3000, np.int64)
        with pytest.raises(TypeError, match="at must be an array of integers, got dtype float64"):
            look_up(GRAPH, values, values)
        with pytest.raises(ValueError, match=r"at must have one entry per vertex \(3000\)"):
            look_up(GRAPH, values, at[:9])
        with pytest.raises(TypeError, match="out must have the dtype of values"):
            look_up(GRAPH, values, at, out=at)
        with pytest.raises(ValueError, match=r"out must be as many arrays as values \(2\), got 1"):
            look_up(GRAPH, (values, values), at, out=values.copy())
        with pytest.raises(TypeError, match="at must be an array of integers, got a tuple"):
            look_up(GRAPH, values, (at, at))
        with pytest.raises(ValueError, match="frontier must hold vertices here"):
            look_up(GRAPH, values, at, frontier=frontier(GRAPH, edges=0))

    @pytest.mark.host
    def test_out_is_not_values(self):
        values = np.zeros(3000, np.int64)
        with pytest.raises(ValueError, match="out must not be values itself"):
            look_up(GRAPH, values, values, out=values)


class TestDeliver:
    @TEAMS
    @pytest.mark.parametrize(
        ("reduce", "dtype"),
        [(MIN, np.int64), (MAX, np.int32), (ADD, np.int64), (ADD, np.float64)]
        + [pytest.param(r, t, marks=pytest.mark.slow) for r in (MIN, MAX) for t in "IQfd?"]
        + [pytest.param(r, t, marks=pytest.mark.slow) for r in (ADD, OR, AND) for t in "iIQ?"],
    )
    def test_messages_meet(self, team, reduce, dtype):
        values = RNG.integers(0, 90, 3000).astype(dtype)
        messages = RNG.integers(0 if dtype in ("I", "Q") else -9, 99, 3000)
        for at in (CROWDED, CROWDED % 7 - 1, np.full(3000, -1), np.arange(3000)[::-1].copy()):
            with threads(team):
                delivered(values, at, messages, reduce)

    @TEAMS
    @pytest.mark.parametrize("members", MEMBERS.values(), ids=MEMBERS)
    def test_members_only(self, team, members):
        at = CROWDED % 9 - 1
        at[np.setdiff1d(np.arange(3000), members)] = -7  # nobody looks
        values, start = RNG.integers(0, 90, 3000), frontier(GRAPH, np.array(members, int))
        with threads(team):
            for reduce in (MIN, ADD):
                for _ in range(2):  # what is kept with the graph is clean
                    delivered(values, at, CROWDED, reduce, members, start)

    @pytest.mark.parametrize("team", [1, 3])
    @pytest.mark.parametrize("members", [range(3000), MEMBERS["some"]], ids=["all", "some"])
    def test_any_monoid(self, team, members):
        start = None if len(members) == 3000 else frontier(GRAPH, members)
        at, keys = CROWDED % 9 - 1, RNG.integers(-9, 9, 3000)
        ids = np.arange(3000)
        with threads(team):
            for reduce, values, messages in (
                (UNION, keys, ids),
                (PRODUCT, keys.astype(np.int64), 1 - 2 * (ids % 2)),
                (MAX, keys.astype(np.int8), ids % 50),
                (ARGMIN, (keys, ids), (keys[::-1].copy(), ids - 9)),
                (APART, (keys, keys.copy(), ids / 4), (ids, keys, keys)),
                (MIXED, (keys, keys.copy(), ids / 4), (ids, keys, keys)),
            ):
                delivered(values, at, messages, reduce, members, start)

    @TEAMS
    @pytest.mark.parametrize("reduce", [ARGMIN, MIXED, APART], ids=["ARGMIN", "MIXED", "APART"])
    def test_all_send_to_one(self, team, reduce):
        keys, ids = RNG.integers(0, 1000, 3000), np.arange(3000)
        count = len(reduce.identity)
        values = tuple(np.full(3000, 500) for _ in range(count))
        with threads(team):
            delivered(values, np.zeros(3000, np.int64), (keys, ids, keys)[:count], reduce)

    def test_the_first_message_wins(self):
        values = np.where(np.arange(3000) % 2, -1, 99)
        for start in (None, frontier(GRAPH, MEMBERS["some"])):
            members = range(3000) if start is None else MEMBERS["some"]
            mine = values.copy()
            found = deliver(GRAPH, mine, CROWDED, np.arange(3000), reduce=ANY, frontier=start)
            reached = {CROWDED[v] for v in members if CROWDED[v] % 2}
            assert found.ids.tolist() == sorted(reached)
            assert all(CROWDED[mine[v]] == v and mine[v] in members for v in reached)
            assert (np.delete(mine, sorted(reached)) == np.delete(values, sorted(reached))).all()

    def test_what_is_sent_is_from_before_the_call(self):
        """All three arrays are one: hooking in FastSV."""
        parent = RNG.permutation(3000)
        for reduce in (MIN, ADD):
            for members in (range(3000), MEMBERS["some"]):
                mine, start = parent.copy(), frontier(GRAPH, np.array(members))
                deliver(GRAPH, mine, mine, mine, reduce=reduce, frontier=start)
                (expected,), _ = settled(parent, parent, parent, reduce, members)
                assert mine.tolist() == expected.tolist()

    def test_what_adds_up_to_nothing_is_no_change(self):
        at, messages = np.zeros(3000, np.int64), np.zeros(3000)
        messages[:2] = 4, -4
        values = np.full(3000, 7.0)
        assert deliver(GRAPH, values, at, messages, reduce=ADD).empty()
        assert (values == 7).all()
        values[0] = np.nan
        assert deliver(GRAPH, values, at, messages, reduce=ADD).empty(), "NaN stays NaN"

    def test_as_few_vertices_as_wake_a_team(self, monkeypatch):
        """A sixteenth of them is work, too: what a team has found must be gathered by that team."""
        monkeypatch.setattr("edgewise.base.threads.SERIAL_WORK", 1 << 14)
        graph, at = random_graph(16_000, 9000, 1), np.arange(16_000)[::-1].copy()
        values, messages = np.full(16_000, 16_000), np.arange(16_000)
        with threads(2):
            changed = deliver(graph, values, at, messages, reduce=MIN)
        assert changed.ids.tolist() == list(range(16_000)) and values.tolist() == at.tolist()

    def test_no_vertices(self):
        none = np.empty(0, np.int64)
        assert deliver(SMALL["empty"], none, none, none, reduce=MIN).empty()

    @pytest.mark.parametrize("wrong", [-2, 3000])
    def test_ids_that_are_none(self, wrong):
        at, values = CROWDED.copy(), np.zeros(3000)
        at[2500] = wrong
        rule = f"from 0 to 2999, or -1 to send nothing, got {wrong} at vertex 2500"
        for reduce in (ADD, MAX):
            for start in (None, frontier(GRAPH, [1, 2500])):
                with pytest.raises(ValueError, match=rule):
                    deliver(GRAPH, values, at, np.ones(3000), reduce=reduce, frontier=start)
        assert not values.any(), "nothing is delivered"

    @pytest.mark.slow
    def test_among_unsigned_ids_is_no_minus_one(self):
        values = np.zeros(3000)
        with pytest.raises(ValueError, match="from 0 to 2999"):
            deliver(GRAPH, values, np.full(3000, 2**64 - 1, np.uint64), values, reduce=ADD)

    def test_errors(self):
        values, at = np.zeros(3000), np.zeros(3000, np.int64)
        with pytest.raises(TypeError, match="reduce must be a Monoid such as MIN or ADD"):
            deliver(GRAPH, values, at, values, reduce=min)
        with pytest.raises(TypeError, match="at must be an array of integers"):
            deliver(GRAPH, values, values, values, reduce=MIN)
        with pytest.raises(ValueError, match=r"messages must be as many arrays as values \(1\)"):
            deliver(GRAPH, values, at, (values, values), reduce=MIN)
        with pytest.raises(ValueError, match="values must be as many arrays as reduce combines"):
            deliver(GRAPH, values, at, values, reduce=ARGMIN)
        with pytest.raises(TypeError, match="frontier must be a Frontier or None"):
            deliver(GRAPH, values, at, values, reduce=MIN, frontier=[0])

    @pytest.mark.host
    def test_values_are_changed(self):
        values, at = np.zeros(3000), np.zeros(3000, np.int64)
        values.flags.writeable = False
        with pytest.raises(ValueError, match="values is changed by this call"):
            deliver(GRAPH, values, at, values, reduce=MIN)

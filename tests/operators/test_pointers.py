"""`look_up` and `deliver`: what a vertex reads from, and sends to, the vertex it points at."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.threads import threads
from edgewise.operators import ADD, ANY, MAX, MIN
from tests.operators.engines import deliver, look_up
from tests.operators.graphs import SMALL, random_graph

TEAMS = pytest.mark.parametrize("team", [1, 2, 3])
GRAPH = random_graph(3000, 9000, 1)
RNG = np.random.default_rng(2)
#: Many vertices point at few, so that threads meet.
CROWDED = RNG.integers(0, 40, 3000)


def settled(values, at, messages, reduce):
    """One message after the other; the values, and the vertices that changed."""
    result = values.copy()
    for target, message in zip(at.tolist(), messages.tolist(), strict=True):
        if target >= 0:
            result[target] = reduce.combine(result[target], values.dtype.type(message))
    return result, np.flatnonzero(result != values).tolist()


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

    def test_no_vertices(self):
        assert look_up(SMALL["empty"], np.empty(0), np.empty(0, np.int64)).tolist() == []

    @pytest.mark.parametrize("wrong", [-1, 3000, -(2**40), 2**40])
    def test_ids_that_are_none(self, wrong):
        at = CROWDED.copy()
        at[2500] = wrong
        with pytest.raises(ValueError, match="at must hold vertex ids from 0 to 2999"):
            look_up(GRAPH, CROWDED, at)

    def test_errors(self):
        values, at = np.zeros(3000), np.zeros(3000, np.int64)
        with pytest.raises(TypeError, match="at must be an array of integers, got dtype float64"):
            look_up(GRAPH, values, values)
        with pytest.raises(ValueError, match=r"at must have one entry per vertex \(3000\)"):
            look_up(GRAPH, values, at[:9])
        with pytest.raises(TypeError, match="out must have the dtype of values"):
            look_up(GRAPH, values, at, out=at)

    @pytest.mark.host
    def test_out_is_not_values(self):
        values = np.zeros(3000, np.int64)
        with pytest.raises(ValueError, match="out must not be values itself"):
            look_up(GRAPH, values, values, out=values)


class TestDeliver:
    @TEAMS
    @pytest.mark.parametrize("reduce", [MIN, MAX, ADD])
    def test_messages_meet(self, team, reduce):
        for dtype in (np.int32, np.int64, np.float64):
            values = RNG.integers(0, 90, 3000).astype(dtype)
            messages = RNG.integers(-9, 99, 3000)
            for at in (CROWDED, CROWDED % 7 - 1, np.full(3000, -1), np.arange(3000)[::-1].copy()):
                expected, changed = settled(values, at, messages, reduce)
                mine = values.copy()
                with threads(team):
                    last = deliver(GRAPH, mine, at, messages, reduce=reduce)
                assert mine.tolist() == expected.tolist()
                assert sorted(last.ids.tolist()) == changed

    def test_what_is_sent_is_from_before_the_call(self):
        """All three arrays are one: hooking in FastSV."""
        parent = RNG.permutation(3000)
        for reduce in (MIN, ADD):
            mine = parent.copy()
            deliver(GRAPH, mine, mine, mine, reduce=reduce)
            assert mine.tolist() == settled(parent, parent, parent, reduce)[0].tolist()

    def test_what_adds_up_to_nothing_is_no_change(self):
        at, messages = np.zeros(3000, np.int64), np.zeros(3000)
        messages[:2] = 4, -4
        values = np.full(3000, 7.0)
        assert deliver(GRAPH, values, at, messages, reduce=ADD).empty()
        assert (values == 7).all()
        values[0] = np.nan
        assert deliver(GRAPH, values, at, messages, reduce=ADD).empty(), "NaN stays NaN"

    def test_no_vertices(self):
        none = np.empty(0, np.int64)
        assert deliver(SMALL["empty"], none, none, none, reduce=MIN).empty()

    @pytest.mark.parametrize("wrong", [-2, 3000])
    def test_ids_that_are_none(self, wrong):
        at, values = CROWDED.copy(), np.zeros(3000)
        at[2500] = wrong
        with pytest.raises(ValueError, match="from 0 to 2999, or -1 to send nothing"):
            deliver(GRAPH, values, at, np.ones(3000), reduce=ADD)
        assert not values.any(), "nothing is delivered"

    def test_errors(self):
        values, at = np.zeros(3000), np.zeros(3000, np.int64)
        with pytest.raises(TypeError, match="reduce must be MIN, MAX or ADD"):
            deliver(GRAPH, values, at, values, reduce=ANY)
        with pytest.raises(TypeError, match="at must be an array of integers"):
            deliver(GRAPH, values, values, values, reduce=MIN)
        with pytest.raises(TypeError, match="values must be numbers of 32 or 64 bits"):
            deliver(GRAPH, at.astype(np.int8), at, values, reduce=MIN)

    @pytest.mark.host
    def test_values_are_changed(self):
        values, at = np.zeros(3000), np.zeros(3000, np.int64)
        values.flags.writeable = False
        with pytest.raises(ValueError, match="values is changed by this call"):
            deliver(GRAPH, values, at, values, reduce=MIN)

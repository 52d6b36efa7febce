"""Windows of time and snapshots, against lists of contacts."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise import Graph

CONTACTS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-5, 20)), max_size=15
)


def timed(contacts, directed=True):
    us, vs, ts = np.array(contacts, int).reshape(-1, 3).T
    return Graph.from_edges(us, vs, directed=directed, num_vertices=5, edge_columns={"time": ts},
                            duplicates={"time": "list"})  # fmt: skip


def pairs(graph):
    return {(int(u), int(v)) for u, v in zip(*graph.edges()[:2], strict=True)}


@given(CONTACTS, st.integers(-6, 21), st.integers(-6, 21))
def test_a_window_has_the_edges_of_its_contacts(contacts, t0, t1):
    part = timed(contacts).window(t0, t1)
    assert pairs(part) == {(u, v) for u, v, t in contacts if t0 <= t < t1}
    assert part.num_vertices == 5


@given(CONTACTS, st.integers(1, 9))
def test_snapshots_cover_every_contact_once(contacts, step):
    found = [*timed(contacts).snapshots(step)]
    if not contacts:
        assert found == []
        return
    first = min(t for _, _, t in contacts)
    for turn, (begin, part) in enumerate(found):
        assert begin == first + turn * step
        inside = {(u, v) for u, v, t in contacts if begin <= t < begin + step}
        assert pairs(part) == inside
    assert found[-1][0] <= max(t for _, _, t in contacts) < found[-1][0] + step


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_snapshots_of_dates(unit):
    """As those of numbers, with limits between two values of the column's unit, too."""
    rng, base, hour = np.random.default_rng(3), np.datetime64("2024-02-28", "D"), timedelta(hours=1)
    contacts = rng.integers(0, [5, 5, 9], (12, 3))
    us, vs, days = contacts.T
    dates = (base + days.astype("m8[D]")).astype(f"M8[{unit}]")
    graph = Graph.from_edges(us, vs, directed=True, num_vertices=5, edge_columns={"day": dates},
                             duplicates={"day": "list"})  # fmt: skip
    plain = timed(contacts * [1, 1, 24])
    for hours, wide, start in [(24, 24, None), (36, 50, None), (17, 9, -7), (60, 5, 29)]:
        begin = {} if start is None else {"start": base + np.timedelta64(start, "h")}
        found = [*graph.snapshots(hours * hour, width=wide * hour, time="day", **begin)]
        expected = [*plain.snapshots(hours, width=wide, start=start)]
        assert [pairs(part) for _, part in found] == [pairs(part) for _, part in expected]
        assert [at for at, _ in found] == [base + np.timedelta64(at, "h") for at, _ in expected]
    none = Graph.from_edges([], [], num_vertices=2, edge_columns={"day": dates[:0]})
    assert [*none.snapshots(hour, time="day")] == []


def test_dates_weights_and_missing_times():
    days = np.array(["2024-01-01", "2024-02-01", "NaT"], "datetime64[s]")
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], edge_columns={"day": days})
    assert pairs(graph.window("2024-01-15", "2025-01-01", time="day")) == {(1, 2)}
    with pytest.raises(TypeError, match="t0 must be a date"):
        graph.window(None, "2024-01-01", time="day")
    with pytest.raises(TypeError, match="step must be a duration"):
        graph.snapshots(3, time="day")
    with pytest.raises(ValueError, match="width must be positive"):
        graph.snapshots(timedelta(1), width=timedelta(0), time="day")
    with pytest.raises(TypeError, match="start must be a date"):
        graph.snapshots(timedelta(1), start=5, time="day")
    with pytest.raises(TypeError, match="step must be a finite number"):
        timed([(0, 1, 5)]).snapshots(timedelta(1))
    weighted = Graph.from_edges([0, 1], [1, 2], [3.0, 4.0])
    assert pairs(weighted.window(4, 5, time="weight")) == {(1, 2)}
    gaps = Graph.from_edges([0, 1], [1, 2], edge_columns={"time": [1.0, np.nan]})
    assert pairs(gaps.window(0, 9)) == {(0, 1)}


def test_bad_arguments():
    graph = Graph.from_edges([0], [1], edge_columns={"time": [4], "name": ["x"]})
    with pytest.raises(ValueError, match="time must name a column of edges"):
        graph.window(0, 1, time="year")
    with pytest.raises(TypeError, match="time must name a column of numbers"):
        graph.window(0, 1, time="name")
    with pytest.raises(TypeError, match="time must be the name"):
        graph.window(0, 1, time=3)
    with pytest.raises(TypeError, match="t1 must be a number"):
        graph.window(0, "late")
    with pytest.raises(ValueError, match="step must be"):
        graph.snapshots(0)

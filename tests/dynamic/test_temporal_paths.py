"""Earliest arrivals against a scan of all contacts, until nothing changes."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, strategies as st

import edgewise as ew
from edgewise.dynamic import earliest_arrival, temporally_reachable

CONTACTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-3, 12)), max_size=25
)


def oracle(contacts, n, source, start, duration, directed):
    arrival = np.full(n, np.inf)
    arrival[source] = start
    both = contacts if directed else [*contacts, *((v, u, t) for u, v, t in contacts)]
    changed = True
    while changed:
        changed = False
        for u, v, t in both:
            if arrival[u] <= t and t + duration < arrival[v]:
                arrival[v], changed = t + duration, True
    return arrival


def timed(contacts, n, directed):
    us, vs, ts = np.array(contacts, int).reshape(-1, 3).T
    return ew.Graph.from_edges(us, vs, directed=directed, num_vertices=n,
                               edge_columns={"time": ts}, duplicates={"time": "list"})  # fmt: skip


@given(CONTACTS, st.sampled_from([None, -1, 4]), st.integers(0, 3), st.booleans())
def test_earliest_arrivals(contacts, start, duration, directed):
    graph = timed(contacts, 6, directed)
    begin = -np.inf if start is None else start
    expected = oracle(contacts, 6, 0, begin, duration, directed)
    found = earliest_arrival(graph, 0, start=start, duration=duration)
    assert found.tolist() == expected.tolist()
    reached = temporally_reachable(graph, 0, start=start, duration=duration, end=7)
    assert reached.tolist() == (expected <= 7).tolist()


def test_messages_of_a_college(shared_graphs):
    """One pass over contacts in the order of time, of which no two are at once for one vertex."""
    rows = np.loadtxt(shared_graphs / "CollegeMsg.txt.gz", dtype=np.int64)
    us, vs, ts = rows.T
    graph = ew.Graph.from_edges(us, vs, directed=True, edge_columns={"time": ts}, labels=True,
                                duplicates={"time": "list"})  # fmt: skip
    assert (graph.num_vertices, graph.num_edges) == (1899, 20296)
    us, vs = graph.vertex(us), graph.vertex(vs)
    source, contacts = int(us[0]), [*zip(us.tolist(), vs.tolist(), ts.tolist(), strict=True)]
    expected = oracle(sorted(contacts, key=lambda one: one[2]), 1899, source, -np.inf, 1, True)
    assert earliest_arrival(graph, source, duration=1).tolist() == expected.tolist()
    week = 7 * 86400
    parts = [*graph.snapshots(week)]
    assert len(parts) == -(-(int(ts.max() - ts.min()) + 1) // week)
    begin, part = parts[3]
    inside = (ts >= begin) & (ts < begin + week)
    assert part.num_edges == len({*zip(us[inside].tolist(), vs[inside].tolist(), strict=True)})


def test_bad_arguments():
    graph = timed([(0, 1, 3)], 2, True)
    with pytest.raises(ValueError, match="source must be"):
        earliest_arrival(graph, 5)
    with pytest.raises(ValueError, match="duration must be"):
        earliest_arrival(graph, 0, duration=-1)
    with pytest.raises(TypeError, match="start must be a number"):
        earliest_arrival(graph, 0, start="soon")
    with pytest.raises(ValueError, match="time must name a column"):
        earliest_arrival(graph, 0, time="when")
    empty = timed([], 3, False)
    assert temporally_reachable(empty, 1).tolist() == [False, True, False]


@given(CONTACTS, st.sampled_from([None, -1, 4]), st.integers(0, 3), st.booleans(),
       st.sampled_from(["D", "s", "ns"]))  # fmt: skip
def test_dates_are_as_numbers(contacts, start, duration, directed, unit):
    """Days from a date on, in three units; the duration is in hours."""
    first, day = np.datetime64("2024-02-27"), np.timedelta64(1, "D")
    us, vs, ts = np.array(contacts, int).reshape(-1, 3).T
    dates = (first + ts * day).astype(f"M8[{unit}]")
    graph = ew.Graph.from_edges(us, vs, directed=directed, num_vertices=6,
                                edge_columns={"time": dates},
                                duplicates={"time": "list"})  # fmt: skip
    begin = None if start is None else (first + start * day).item()
    options = {"start": begin, "duration": timedelta(days=duration) if duration else 0}
    expected = oracle(contacts, 6, 0, -np.inf if start is None else start, duration, directed)
    if contacts:
        found = earliest_arrival(graph, 0, **options)
        expected[0] = min(ts) if start is None else start
        known = expected < np.inf
        assert np.isnat(found).tolist() == (~known).tolist()
        assert (found[known] == first + expected[known].astype(int) * day).all()
        reached = temporally_reachable(graph, 0, end=first + 7 * day, **options)
        expected[0] = -np.inf if start is None else start
        assert reached.tolist() == (expected <= 7).tolist()
        assert temporally_reachable(graph, 0, **options).tolist() == known.tolist()


def test_dates_of_finer_units_are_not_cut():
    days = np.array(["2024-05-03", "2024-05-07"], "M8[D]")
    graph = ew.Graph.from_edges([0, 1], [1, 2], edge_columns={"time": days})
    late = earliest_arrival(graph, 0, start="2024-05-03T00:01")
    assert np.isnat(late).tolist() == [False, True, True] and late[0] == np.datetime64(
        "2024-05-03T00:01"
    )
    found = earliest_arrival(graph, 0, start="2024-05-01", duration=np.timedelta64(36, "h"))
    assert found.tolist() == [datetime(2024, 5, 1), datetime(2024, 5, 4, 12),
                              datetime(2024, 5, 8, 12)]  # fmt: skip
    end = datetime(2024, 5, 8, 11)
    assert temporally_reachable(graph, 0, duration=timedelta(hours=36), end=end).tolist() == [
        True, True, False,
    ]  # fmt: skip
    nanos = pytest.importorskip("pandas").Timestamp("2024-05-03T00:00:00.000000001")
    assert temporally_reachable(graph, 0, start=nanos).tolist() == [True, False, False]


def test_bad_dates():
    days = np.array(["2024-05-03", "2024-05-07"], "M8[D]")
    graph = ew.Graph.from_edges([0, 1], [1, 2], edge_columns={"time": days})
    for options, message in [
        ({"start": 3}, "start must be a date"), ({"start": "soon"}, "start must be a date"),
        ({"start": np.datetime64("NaT")}, "start must be a date"),
        ({"duration": 2}, "duration must be a duration such as datetime.timedelta"),
        ({"duration": np.timedelta64(1, "M")}, "duration must be a duration"),
    ]:  # fmt: skip
        with pytest.raises(TypeError, match=message):
            earliest_arrival(graph, 0, **options)
    with pytest.raises(ValueError, match="duration must not be negative"):
        earliest_arrival(graph, 0, duration=timedelta(days=-1))
    with pytest.raises(TypeError, match="end must be a date"):
        temporally_reachable(graph, 0, end=5)
    with pytest.raises(TypeError, match="duration"):
        earliest_arrival(timed([(0, 1, 3)], 2, True), 0, duration=timedelta(days=1))

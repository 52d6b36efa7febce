"""Unusual windows: events are found and named, steady traffic is left in peace."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.sensing import (
    Packets,
    Quantities,
    anomalies,
    baseline,
    build_windows,
    describe_anomalies,
)

SIZE = 1 << 12
SOURCES, DESTINATIONS = 3000, 2000


def steady(count, seed=0, size=SIZE):
    """Packets of power-law sources and destinations, as windows of ``size``."""
    rng = np.random.default_rng(seed)
    ends = [
        rng.choice(most, count * size, p=law / law.sum()).astype(np.uint32)
        for most in (SOURCES, DESTINATIONS)
        for law in [1.0 / (np.arange(most) + 2.0)]
    ]
    return Packets(ends[0], ends[1] + np.uint32(1 << 20))


def scan(packets, window):
    """One source knocks at 1,000 doors, once each."""
    at = slice(window * SIZE + 100, window * SIZE + 1100)
    packets.source[at] = 77
    packets.destination[at] = np.arange(1000, dtype=np.uint32) + (2 << 20)


def flood(packets, window):
    """One link takes half of the packets."""
    at = slice(window * SIZE, window * SIZE + SIZE // 2)
    packets.source[at], packets.destination[at] = 500, (1 << 20) + 900


def flood_from_many(packets, window):
    """A destination gets a packet from each of 2,000 sources."""
    at = slice(window * SIZE, window * SIZE + 2000)
    packets.source[at] = np.arange(2000, dtype=np.uint32) + (1 << 24)
    packets.destination[at] = (1 << 20) + 900


def counted(packets, size=SIZE):
    """The quantities of windows, by pairs that are sorted (no kernel)."""
    rows = []
    for first in range(0, packets.num_packets, size):
        part = packets.cut(first, first + size)
        links, on_link = np.unique(np.stack(part[:2]), axis=1, return_counts=True)
        row = [part.num_packets, links.shape[1], on_link.max()]
        for end, link_end in zip(part[:2], links, strict=True):
            _, sums = np.unique(end, return_counts=True)
            row += [len(sums), sums.max(), np.unique(link_end, return_counts=True)[1].max()]
        rows.append(row)
    return Quantities(*np.array(rows).T)


@pytest.mark.parametrize(
    ("event", "kind", "first"),
    [
        (scan, "scan", "max_source_fan_out"),
        (flood, "flood", "max_link_packets"),
        (flood_from_many, "flood from many", "max_destination_packets"),
    ],
)
@pytest.mark.parametrize("count", [6, 40])
def test_events_are_found_and_named(event, kind, first, count):
    packets = steady(count)
    event(packets, 4)
    flags = anomalies(counted(packets))
    assert describe_anomalies(flags) == {4: kind}
    assert flags[0].quantity == first
    assert flags[0].kind == kind
    assert f"{flags[0].value:,}" in flags[0].text
    assert flags[0].value > flags[0].usual_high


def test_windows_are_taken_as_they_come():
    packets = steady(8)
    scan(packets, 3)
    assert describe_anomalies(anomalies(build_windows(packets, SIZE))) == {3: "scan"}


def test_two_events_in_one_window_have_both_names():
    packets = steady(12)
    flood(packets, 7)
    packets.source[7 * SIZE + 2100 : 7 * SIZE + 3100] = 77
    packets.destination[7 * SIZE + 2100 : 7 * SIZE + 3100] = np.arange(1000) + (2 << 20)
    assert describe_anomalies(anomalies(counted(packets))) == {7: "scan and flood"}


def test_a_quarter_of_the_windows_may_be_unusual():
    packets = steady(21)
    for window in range(2, 20, 3):
        flood(packets, window)
    assert describe_anomalies(anomalies(counted(packets))) == dict.fromkeys(
        range(2, 20, 3), "flood"
    )


def test_steady_power_law_traffic_raises_no_alarm():
    """Counted, not modeled: 40 reports of 25 windows of real draws, without one flag."""
    whole = counted(steady(1000, seed=3, size=256), 256)
    for part in range(0, 1000, 25):
        assert anomalies(Quantities(*(values[part : part + 25] for values in whole))) == []
    assert anomalies(whole) == []


@pytest.mark.parametrize("count", [5, 6, 7, 8, 10, 15, 30, 100, 1000])
def test_false_alarms_are_rare(count):
    """Quantities that vary by chance, each with its own spread: one report in 20 at most."""
    rng = np.random.default_rng(count)
    reports = 300 if count < 1000 else 60
    alarms = 0
    for _ in range(reports):
        spread = rng.uniform(0.05, 1.0, 9)
        logs = 9 + spread[:, None] * rng.standard_normal((9, count))
        alarms += bool(anomalies(Quantities(*np.exp(logs).astype(np.int64))))
    assert alarms <= reports / 20


def test_few_windows_say_nothing():
    packets = steady(4)
    flood(packets, 2)
    assert baseline(counted(packets)) is None
    assert anomalies(counted(packets)) == []
    assert anomalies(Quantities(*np.zeros((9, 0), np.int64))) == []


def test_a_last_window_that_is_shorter_is_judged_only_by_what_it_has_more():
    packets = steady(8)
    short = packets.cut(0, 7 * SIZE + 100)
    assert anomalies(counted(short)) == []
    short.source[7 * SIZE :] = 5
    short.destination[7 * SIZE :] = np.arange(100) + (1 << 25)
    assert anomalies(counted(short)) == []
    packets.source[7 * SIZE : 7 * SIZE + 3000] = 5
    packets.destination[7 * SIZE : 7 * SIZE + 3000] = np.arange(3000) + (1 << 25)
    assert describe_anomalies(anomalies(counted(packets.cut(0, 7 * SIZE + 3500)))) == {7: "scan"}


def test_windows_by_time_have_bursts_and_silence():
    rows = np.array([[1000, 400, 30, 90, 60, 20, 80, 50, 9]] * 30).T
    rows[:, 10] *= 8
    rows[:, 20] = 0
    flags = anomalies(Quantities(*rows))
    assert describe_anomalies(flags) == {10: "burst", 20: "silence"}
    assert "0 packets came" in next(flag.text for flag in flags if flag.window == 20)
    rows[:, 10] = [1600, 990, 30, 90, 660, 600, 680, 50, 9]
    assert describe_anomalies(anomalies(Quantities(*rows)))[10] == "scan"


def test_other_ids_change_nothing():
    packets = steady(8)
    scan(packets, 5)
    turned = Packets(*(~end for end in packets[:2]))
    assert anomalies(counted(packets)) == anomalies(counted(turned))


def test_quantities_of_one_matrix_are_refused():
    with pytest.raises(ValueError, match="windows must have quantities with an entry per window"):
        anomalies(Quantities(*range(9)))


def test_a_capture_may_begin_and_end_amid_a_window():
    packets = np.array([30, *[1000] * 20, 40])
    windows = Quantities(*(packets // part for part in range(1, 10)))
    assert anomalies(windows) == []
    packets[5] = 30
    windows = Quantities(*(packets // part for part in range(1, 10)))
    assert {flag.window for flag in anomalies(windows)} == {5}

"""Windows of packets: their matrices, what is counted of them, and their sums."""

from __future__ import annotations

import signal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.threads import threads
from edgewise.sensing import Packets, TrafficMatrix, build_windows, total
from edgewise.sensing.cpu import large, loose, measure, merge, ranks, windows as engine
from edgewise.sensing.running import RunningTotal
from edgewise.sensing.windows import NEVER
from tests.sensing import plain
from tests.sensing.plain import assert_same

FAR = 2**63 + 5  # the id of an IPv6 address


def drawn(count, ids, seed=0, wide=False):
    """Packets between a few ids, of which the first do most."""
    rng = np.random.default_rng(seed)
    ends = (rng.random((2, count)) ** 3 * ids).astype(np.uint64)
    if wide:
        ends[ends % 3 == 0] += np.uint64(FAR)
        return Packets(*ends)
    return Packets(*(ends * np.uint64(2654435761) % np.uint64(2**32)).astype(np.uint32))


def check(packets, size):
    found = build_windows(packets, size)
    bounds = np.append(np.arange(0, packets.num_packets, size), packets.num_packets)
    wanted = plain.build(packets.source, packets.destination, bounds)
    assert_same((found.links, found.bounds, found.quantities, found.distributions), wanted)
    return found


@st.composite
def some_packets(draw):
    """A few packets between a few ids: of 32 bits, or of 64 with some far ones."""
    wide = draw(st.booleans())
    known = [0, 1, 2, 3, 1 << 16, 2**32 - 1] + ([FAR, FAR + 1, 2**64 - 1] if wide else [])
    pairs = draw(st.lists(st.tuples(st.sampled_from(known), st.sampled_from(known)), max_size=60))
    ends = np.array(pairs, np.uint64).reshape(-1, 2).T
    return Packets(*ends.astype(np.uint64 if wide else np.uint32))


@given(some_packets(), st.data(), st.integers(1, 2))
def test_windows_are_as_counted_by_hand(packets, data, team):
    cuts = data.draw(st.lists(st.integers(0, packets.num_packets), max_size=6))
    bounds = np.array([0, *sorted(cuts), packets.num_packets])
    with threads(team):
        found = build_windows(packets, bounds)
    wanted = plain.build(packets.source, packets.destination, bounds)
    assert_same((found.links, found.bounds, found.quantities, found.distributions), wanted)


@given(some_packets(), st.integers(1, 70), st.integers(0, 99))
def test_quantities_are_the_same_under_any_permutation(packets, size, seed):
    ids = np.unique(np.concatenate((packets.source, packets.destination)))
    names = np.random.default_rng(seed).permutation(len(ids)).astype(np.uint64)
    names = names * np.uint64(0x9E3779B97F4A7C15)  # odd, so no two become one
    renamed = Packets(*(names[np.searchsorted(ids, end)] for end in packets[:2]))
    one, other = build_windows(packets, size), build_windows(renamed, size)
    assert_same(other.quantities, one.quantities)
    assert_same(other.distributions, one.distributions)


@pytest.mark.parametrize("wide", [False, True])
def test_windows_of_all_sizes(wide):
    packets = drawn(6000, 500, wide=wide)
    for size in (1, 33, 1000, 3000, 6000, 7000):  # by insertion, by few digits and by all
        check(packets, size)


def test_links_of_many_packets():
    """More than a word has space for, alone and between others, or one; in one network, or many."""
    packets = drawn(1 << 17, 300)
    packets.source[::2], packets.destination[::2] = 7, 9
    check(packets, 1 << 17)
    check(drawn(1 << 15, 1 << 20), 1 << 15)  # hardly two packets of one link
    check(Packets(packets.source % 200, packets.destination % 200 + 2**31), 50_000)


def test_ranks_of_more_ids_than_were_expected(monkeypatch):
    monkeypatch.setattr(ranks, "_LEAST", 8)
    ends = drawn(1 << 15, 3000, wide=True)[:2]
    ends[0][:3] = 0, 2**64 - 1, 2**63
    for team in (1, 2):
        with threads(team):
            *found, ids = ranks.narrow(*ends)
        np.testing.assert_array_equal(ids, np.unique(np.concatenate(ends)))
        for rank, end in zip(found, ends, strict=True):
            np.testing.assert_array_equal(ids[rank], end)


def test_windows_do_not_depend_on_threads():
    packets = drawn(1 << 16, 5000)
    with threads(1):
        one = check(packets, 1 << 13)
    with threads(2):
        two = check(packets, 1 << 13)
        assert one.total() == two.total() == build_windows(packets, packets.num_packets)[0]
        assert_same(two.doubled().quantities, build_windows(packets, 1 << 14).quantities)


def test_one_large_window_is_built_from_pieces(monkeypatch):
    packets = drawn(1 << 13, 700)
    monkeypatch.setattr(engine, "CACHED", 600)
    monkeypatch.setattr(engine, "_PIECE", 512)
    monkeypatch.setattr(loose, "_WAVE", 700)
    for size in (500, 1000, 1 << 13):
        check(packets, size)


@pytest.mark.parametrize(("ids", "big"), [(1 << 16, 1 << 16), (1 << 12, 1 << 16), (1 << 16, 500)])
def test_large_windows_are_measured_by_all_threads(monkeypatch, ids, big):
    """Of many destinations, of few, and of those that have a good part of all links."""
    packets = drawn(1 << 17, ids)
    wanted = check(packets, 1 << 17)
    monkeypatch.setattr(measure, "CACHED", 1 << 10)
    monkeypatch.setattr(large, "big_bucket", lambda size, team: big)
    for team in (1, 2):
        with threads(team):
            found = engine.measure(wanted.links, wanted.bounds)
        assert_same(found, (wanted.quantities, wanted.distributions))


@pytest.mark.slow
def test_counts_beyond_32_bits():
    packets = np.array([1 << 33, 1, 1 << 32], np.int64)
    links = plain.Links(np.uint32([1, 1, 2]), np.uint32([1, 2, 1]), packets)
    assert_same(engine.measure(links, np.array([0, 2, 3])), plain.measure(links, [0, 2, 3]))


@given(some_packets(), st.data(), st.integers(1, 2))
def test_sums_of_any_groups(packets, data, team):
    size = data.draw(st.integers(1, 20))
    found = build_windows(packets, size)
    cuts = data.draw(st.lists(st.integers(0, len(found)), max_size=4))
    groups = np.array([0, *sorted(cuts), len(found)])
    with threads(team):
        sums = engine.summed(found.links, found.bounds, groups)
    assert_same(sums, plain.summed(found.links, found.bounds, groups))


@pytest.mark.parametrize("wide", [False, True])
def test_sums_in_parts(monkeypatch, wide):
    monkeypatch.setattr(merge, "_PART", 64)
    monkeypatch.setattr(merge, "_RUNS", 8)
    monkeypatch.setattr(loose, "_WAVE", 300)
    packets = drawn(20000, 300, wide=wide)
    found = build_windows(packets, 600)
    for team in (1, 2):
        with threads(team):
            assert found.total() == build_windows(packets, 20000)[0]
            for groups in (np.array([0, 3, 3, 31, len(found)]), np.arange(len(found) + 1)):
                sums = engine.summed(found.links, found.bounds, groups)
                assert_same(sums, plain.summed(found.links, found.bounds, groups))


@pytest.mark.parametrize("most", [1, 1 << 8, 1 << 20, 1 << 50])
@pytest.mark.parametrize("spread", [1, 1 << 12, 1 << 22])
def test_sums_of_many_with_large_counts(most, spread):
    """As words where a link's packets have space beside its key, or several words; else merged."""
    rng = np.random.default_rng(most)
    ends = (rng.integers(0, 1000, (2, 9, 500)) * spread).astype(np.uint32)
    packets = rng.integers(1, most + 1, 4500)
    bounds = np.arange(0, 4501, 500)
    links, bounds = plain.summed(plain.Links(*ends.reshape(2, -1), packets), bounds, np.arange(10))
    for groups in ([0, 9], [0, 4, 4, 9]):
        found = engine.summed(links, bounds, np.array(groups))
        assert_same(found, plain.summed(links, bounds, groups))
    bounds = np.concatenate(([0], bounds[5:]))  # one of half of the links, and four
    links, bounds = plain.summed(links, bounds, np.arange(len(bounds)))
    found = engine.summed(links, bounds, np.array([0, 5]))
    assert_same(found, plain.summed(links, bounds, [0, 5]))


def test_sums_of_many_to_one_network():
    """Destinations that differ in their last bits alone, from sources that differ in the first."""
    rng = np.random.default_rng(0)
    source, destination = rng.integers(0, 6, 20_000) << 24, rng.integers(0, 1 << 11, 20_000)
    packets = Packets(source.astype(np.uint32), destination.astype(np.uint32))
    assert build_windows(packets, 1000).total() == build_windows(packets, 20_000)[0]


def test_doubling_reaches_the_total():
    times = np.arange(1000, dtype=np.int64)
    packets = drawn(1000, 50)._replace(time=times)
    found = build_windows(packets, 100)
    while len(found) > 1:
        before, found = found, found.doubled()
        assert len(found) == (len(before) + 1) // 2
        assert found.quantities.valid_packets.sum() == 1000
    assert found[0] == build_windows(packets, 1000)[0]
    assert (found[0].start, found[0].stop) == (0, 999)
    assert_same(found[0].distributions(), build_windows(packets, 1000)[0].distributions())


@pytest.mark.parametrize(
    "packets",
    [
        Packets(np.uint32([]), np.uint32([])),
        Packets(np.uint32([2**32 - 1]), np.uint32([0])),
        Packets(np.uint32([7, 7, 8]), np.uint32([7, 7, 8])),  # to themselves
        Packets(np.full(5000, 2**32 - 1, np.uint32), np.full(5000, 2**32 - 1, np.uint32)),
        Packets(np.uint64([FAR]), np.uint64([2**64 - 1])),
        Packets(np.uint64([3, 3]), np.uint64([4, 4])),
    ],
    ids=["none", "one", "loops", "one-link", "far", "near-in-64-bits"],
)
def test_odd_packets(packets):
    for size in (2000, 500):
        found = check(packets, size)
        assert found.total().num_packets == packets.num_packets
        assert found.total() == TrafficMatrix.from_packets(packets)


def test_windows_without_packets_have_no_times():
    packets = Packets(np.uint32([1, 2, 3]), np.uint32([2, 3, 1]), np.array([50, 60, 70]))
    found = build_windows(packets, [0, 0, 2, 2, 3, 3])
    assert found.start.tolist() == [NEVER, 50, NEVER, 70, NEVER]
    assert found.stop.tolist() == [NEVER, 60, NEVER, 70, NEVER]
    assert (found[0].start, found[1].start, found[1].stop) == (None, 50, 60)
    double = found.doubled()
    assert double.start.tolist() == [50, 70, NEVER]
    assert double.stop.tolist() == [60, 70, NEVER]
    assert (found.total().start, found.total().stop) == (50, 70)


def test_windows_of_packets_in_no_order_of_time():
    times = np.array([50, 40, 70, 10, 20, 30])
    packets = Packets(*np.ones((2, 6), np.uint32), times)
    found = build_windows(packets, [0, 3, 5, 5, 6])
    assert found.start.tolist() == [40, 10, NEVER, 30]
    assert found.stop.tolist() == [70, 20, NEVER, 30]
    double = found.doubled()
    assert (double.start.tolist(), double.stop.tolist()) == ([10, 30], [70, 30])
    assert (found.total().start, found.total().stop) == (10, 70)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=12), st.data())
def test_times_of_windows_wherever_they_begin(times, data):
    inside = data.draw(st.lists(st.integers(0, len(times)), max_size=8).map(sorted))
    bounds = [0, *inside, len(times)]
    found = build_windows(Packets(*np.ones((2, len(times)), np.uint32), np.array(times)), bounds)
    for i, (low, high) in enumerate(pairwise(bounds)):
        own = times[low:high] or [NEVER]
        assert (found.start[i], found.stop[i]) == (min(own), max(own))


def test_slices_are_windows():
    found = build_windows(drawn(1000, 40), 100)
    part = found[3:-2]
    assert len(part) == 5
    assert part[0] == found[3]
    assert part[-1] == found[7]
    assert part.total() == total([found[i] for i in range(3, 8)])
    assert len(found[4:2]) == 0
    assert [matrix.num_packets for matrix in found] == [100] * 10
    assert found[2].quantities() == found.quantities.window(2)
    with pytest.raises(ValueError, match="steps of 1, got 2"):
        found[::2]
    with pytest.raises(ValueError, match="window must be at most 9, got 10"):
        found[10]


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (0, "window must be at least 1, got 0"),
        (2.5, "window must be a whole number, got 2.5"),
        ([0, 2], "from 0 to the number of packets \\(3\\).* got 0 to 2"),
        ([0, 2, 1, 3], "must ascend"),
        ([0.0, 3.0], "window must be a whole number or an array of them"),
    ],
)
def test_wrong_sizes(size, message):
    packets = Packets(np.uint32([1, 2, 3]), np.uint32([2, 3, 1]))
    with pytest.raises((TypeError, ValueError), match=message):
        build_windows(packets, size)


def test_wrong_packets():
    with pytest.raises(ValueError, match="IPv6 addresses in a table"):
        build_windows(Packets(np.uint64([1]), np.uint64([1]), wide=np.zeros((1, 2), np.uint64)))
    with pytest.raises(ValueError, match="one entry each .* source 1, destination 2"):
        build_windows(Packets(np.uint32([1]), np.uint32([1, 2])))
    with pytest.raises(ValueError, match="one entry each .* destination 1, time 2"):
        build_windows(Packets(np.uint32([1]), np.uint32([1]), np.array([1, 2])))
    with pytest.raises(TypeError, match="source must be ids"):
        build_windows(Packets(np.array([1.5]), np.uint32([1])))
    with pytest.raises(ValueError, match="destination must be ids of 0 or more, got -1"):
        build_windows(Packets(np.array([1]), np.array([-1])))


@pytest.mark.parametrize("waiting", [1, 200, 1 << 20])
@pytest.mark.parametrize("wide", [False, True])
def test_a_running_total_is_the_total(waiting, wide):
    packets = drawn(3000, 60, wide=wide)._replace(time=np.arange(3000))
    running, found = RunningTotal(waiting), build_windows(packets, 100)
    assert running.result().num_links == 0
    seen = []
    for first in range(0, 30, 4):
        running.add(found[first : first + 4])
        if first % 3 == 0:  # what was given stays as it was
            seen.append((running.result(), found[: first + 4].total()))
    running.add(found[:0])
    assert running.result() == found.total() == total([found[:7], found[7], found[8:]])
    assert running.result().span == (0, 2999)
    assert running.result().source.dtype == packets.source.dtype
    for one, other in seen:
        assert one == other


def test_a_running_total_takes_ids_of_both_widths():
    running = RunningTotal(10)
    for kind in (np.uint32, np.uint64, np.uint32):
        running.add(build_windows(Packets(kind([1, 2]), kind([2, 1])), 1))
    assert running.result().packets.tolist() == [3, 3]
    assert running.result().source.dtype == np.uint64


@pytest.mark.slow
def test_an_interrupt_is_heard():
    """Amid windows, sums and the measures of a large matrix; what comes after is as usual."""
    packets = drawn(1 << 21, 1 << 19)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            while True:
                build_windows(packets, 1 << 19).total().quantities()
    finally:
        signal.signal(signal.SIGALRM, before)
    assert build_windows(packets)[0] == build_windows(packets.cut(0, 1 << 17))[0]

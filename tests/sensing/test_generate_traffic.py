"""Synthetic traffic: the same for any batch and thread, by the law that was asked for."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.sensing import Event, Packets, assign_ids, generate_traffic, read_packets, write_pcap
from edgewise.sensing.packets import WIDE


def whole(count: int, **options) -> Packets:
    """All packets in one batch."""
    return next(generate_traffic(count, batch_size=count, **options))


def joined(batches) -> list[np.ndarray]:
    batches = list(map(assign_ids, batches))
    return [np.concatenate([getattr(one, name) for one in batches])
            for name in ("source", "destination", "time")]  # fmt: skip


EVENTS = (Event("scan", 100, 400), Event("flood", 700, 200, 0.9))


@settings(max_examples=15)
@given(batch=st.integers(1, 3000), team=st.integers(1, 4), ipv6=st.sampled_from([0.0, 0.25]))
def test_the_same_for_any_batch_and_team(batch, team, ipv6):
    options = {"sources": 500, "destinations": 700, "events": EVENTS, "ipv6": ipv6, "seed": 5}
    expected = joined([whole(2500, **options)])
    with threads(team):
        found = joined(generate_traffic(2500, batch_size=batch, **options))
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


def test_seeds_differ_and_times_rise():
    first, second = (whole(1000, seed=seed, rate=2e6, start=10**18) for seed in (1, 2))
    assert not np.array_equal(first.source, second.source)
    assert np.all(np.diff(first.time) >= 0)
    assert 0 <= first.time[0] - 10**18 < 500 and 499_000 <= first.time[-1] - 10**18 < 500_000
    assert whole(10, times=False).time is None


def test_addresses_are_public_and_distinct():
    """With as many draws as it takes to see all: a permutation joins no two."""
    packets = whole(1 << 16, sources=500, destinations=300, links=0, exponent=0, seed=3)
    source, destination = (np.unique(ids) for ids in packets[:2])
    assert (len(source), len(destination)) == (500, 300)
    assert not len(np.intersect1d(source, destination))
    first = np.unique(source >> 24)
    assert len(first) > 100 and first.min() >= 1 and first.max() < 224
    assert not {10, 127, 172, 192} & set(first.tolist())
    assert len(np.unique(source & 0xFF)) > 150


@pytest.mark.parametrize(
    ("ranks", "exponent", "offset", "links"),
    [
        (300, 1.0, 0.0, False),
        (50, 2.5, 3.0, False),
        (1 << 20, 0.8, 10.0, False),
        (300, 0.5, 0.0, True),
        (1 << 20, 0.8, 10.0, True),
    ],
)
def test_ranks_follow_the_law(ranks, exponent, offset, links):
    """Counts, busiest first, beside the law, in groups large enough to compare."""
    count = 1 << 18
    options = {"exponent": exponent, "offset": offset, "seed": 8}
    if links:  # among so many addresses hardly two links have the same ends
        packets = whole(count, sources=2**31, destinations=2**31, links=ranks, **options)
    else:
        packets = whole(count, sources=ranks, destinations=1, links=0, **options)
    ends = packets.source.astype(np.uint64) << np.uint64(32) | packets.destination
    found = np.sort(np.unique(ends, return_counts=True)[1])[::-1]
    chance = (np.arange(1, ranks + 1) + offset) ** -exponent
    expected = count * chance / chance.sum()
    assert abs(found[0] - expected[0]) < 6 * np.sqrt(expected[0])
    for edge in (3, 10, 30):
        assert abs(found[:edge].sum() - expected[:edge].sum()) < 6 * np.sqrt(expected[:edge].sum())
    seen = (1 - np.exp(-expected)).sum()  # how many ranks are drawn at least once
    assert abs(len(found) - seen) < 6 * np.sqrt(seen) + 3


@pytest.mark.parametrize(
    ("ranks", "exponent", "offset"),
    [(1, 1.0, 1.0), (2, 0.0, 0.0), (1000, 1.0, 0.0), (1 << 17, 1.2, 1.0), (1 << 20, 3.0, 0.0)],
)
def test_the_table_has_the_chances_of_the_law(ranks, exponent, offset):
    """The chance to go beyond a rank, by the table of quantiles and by the law itself."""
    from edgewise.sensing.cpu.traffic import CELL_BITS, DRAW_BITS
    from edgewise.sensing.generate_traffic import _nodes

    nodes = _nodes(ranks, exponent, offset)
    assert nodes[-1] == 0 and np.all(np.diff(nodes) <= 0) and nodes[0] <= ranks
    steps = 1 + np.arange(1 << CELL_BITS) / (1 << CELL_BITS)
    draws = np.minimum(np.append(np.outer(2.0 ** np.arange(-DRAW_BITS, 1), steps), 2), 1)
    chance = (np.arange(1, ranks + 1) + offset) ** -exponent
    beyond = np.cumsum(chance[::-1])[::-1] / chance.sum()
    edges = np.unique(np.geomspace(1, ranks, 100).astype(int))[:-1]
    found = np.interp(edges, nodes[::-1], draws[::-1])
    assert np.allclose(found, beyond[edges], rtol=1e-3, atol=1e-11)


def test_a_scan_and_a_flood():
    size = 10_000
    events = [Event("scan", 20_000, size, 0.8), Event("flood", 50_000, size)]
    packets = whole(80_000, events=events, seed=1)
    scan, flood = packets.cut(20_000, 30_000), packets.cut(50_000, 60_000)
    ids, counts = np.unique(scan.source, return_counts=True)
    who, most = ids[counts.argmax()], counts.max()
    assert 7800 < most < 8300
    targets = scan.destination[scan.source == who]
    assert len(np.unique(targets)) == most
    ids, counts = np.unique(flood.destination, return_counts=True)
    assert 4800 < counts.max() < 5700
    hit = flood.destination == ids[counts.argmax()]
    assert len(np.unique(flood.source[hit])) > 4800
    usual = whole(80_000, seed=1)
    outside = np.r_[:20_000, 30_000:50_000, 60_000:80_000]
    assert np.array_equal(packets.source[outside], usual.source[outside])


def test_ipv6_stands_in_the_table():
    packets = whole(20_000, ipv6=0.3, sources=1000, destinations=1000, links=0, seed=2)
    far = packets.source >= WIDE
    assert 0.28 < far.mean() < 0.32 and np.array_equal(far, packets.destination >= WIDE)
    rows = np.concatenate([packets.source[far], packets.destination[far]]) - np.uint64(WIDE)
    assert np.array_equal(np.unique(rows), np.arange(len(packets.wide)))
    assert len(np.unique(packets.wide, axis=0)) == len(packets.wide) <= 2000
    assert set((packets.wide[:, 0] >> np.uint64(61)).tolist()) == {1}  # 2000::/3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"packets": -1}, "packets must be at least 0, got -1"),
        ({"sources": 0}, "sources must be at least 1, got 0"),
        ({"destinations": 1 << 40}, "destinations must be at most"),
        ({"links": -1}, "links must be at least 0, got -1"),
        ({"exponent": 17}, "exponent must be at most 16, got 17"),
        ({"offset": -1}, "offset must be at least 0, got -1"),
        ({"rate": 0}, "rate must be greater than 0, got 0"),
        ({"rate": 1e-9, "packets": 1 << 40}, "rate must let"),
        ({"ipv6": 2}, "ipv6 must be a number from 0 to 1, got 2"),
        ({"events": [Event("storm", 0, 1)]}, "kind of an event must be one of 'scan', 'flood'"),
        ({"events": [Event("scan", 0, 0)]}, "packets of an event must be at least 1, got 0"),
        ({"events": [Event("scan", 1 << 40, 1)]}, "first of an event must be below packets"),
        ({"events": [("scan", 0, 1)]}, "events must be of type Event"),
        ({"batch_size": 0}, "batch_size must be at least 1, got 0"),
        ({"seed": 0.5}, "seed must be a whole number, got 0.5"),
    ],
)
def test_misuse_is_told_before_the_first_packet(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        generate_traffic(**{"packets": 10, **options})


def frames(content: bytes, second: int) -> list[tuple]:
    """A plain parser of what `write_pcap` writes: time, addresses and ports, checksums checked."""
    found, place = [], 24
    while place < len(content):
        seconds, part, size, length = struct.unpack_from("<IIII", content, place)
        frame = content[place + 16 : place + 16 + size]
        assert size == length == len(frame)
        kind, ip = struct.unpack_from(">H", frame, 12)[0], frame[14:]
        wide = kind == 0x86DD
        header, rest = (ip[:40], ip[40:]) if wide else (ip[:20], ip[20:])
        ends = (header[8:24], header[24:40]) if wide else (header[12:16], header[16:20])
        if wide:
            assert checksum(header[8:] + struct.pack(">II", len(rest), 17) + rest) == 0
        else:
            assert kind == 0x0800 and checksum(header) == 0
        found.append((seconds * 10**9 + part * (10**9 // second), *ends,
                      *struct.unpack_from(">HH", rest)))  # fmt: skip
        place += 16 + size
    return found


def checksum(data: bytes) -> int:
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


@pytest.mark.parametrize("ipv6", [0.0, 0.4])
def test_a_capture_holds_the_packets(ipv6):
    packets = whole(300, ipv6=ipv6, seed=4, start=1_700_000_000 * 10**9)
    ports = np.arange(300, dtype=np.uint16)
    packets = packets._replace(source_port=ports, destination_port=ports[::-1])
    stream = io.BytesIO()
    assert write_pcap([packets.cut(0, 100), packets.cut(100, 300)], stream, nanoseconds=True) == 300

    def address(x) -> bytes:
        if x < WIDE:
            return int(x).to_bytes(4, "big")
        return packets.wide[int(x) - WIDE].astype(">u8").tobytes()

    expected = [
        (int(packets.time[i]), address(packets.source[i]), address(packets.destination[i]),
         i, 299 - i) for i in range(300)
    ]  # fmt: skip
    assert frames(stream.getvalue(), 10**9) == expected


@pytest.mark.parametrize("ipv6", [0.0, pytest.param(0.4, marks=pytest.mark.slow)])
def test_our_own_reader_finds_them_again(tmp_path, ipv6):
    packets = whole(5000, ipv6=ipv6, seed=6)
    write_pcap(packets, tmp_path / "a.pcap.gz", nanoseconds=True)
    found = read_packets(tmp_path / "a.pcap.gz")
    for one, other in zip(joined([found]), joined([packets]), strict=True):
        assert np.array_equal(one, other)


def test_captures_without_times_or_with_what_they_cannot_hold(tmp_path):
    ids = np.arange(3, dtype=np.uint32)
    write_pcap(Packets(ids, ids), tmp_path / "a.pcap")
    content = (tmp_path / "a.pcap").read_bytes()
    assert content[:4] == bytes.fromhex("d4c3b2a1")
    assert [one[0] for one in frames(content, 10**6)] == [0, 1000, 2000]
    far = np.array([WIDE, WIDE + 1, 5], np.uint64)
    with pytest.raises(ValueError, match="of the same family"):
        write_pcap(Packets(far, far[::-1]), io.BytesIO())
    with pytest.raises(ValueError, match="rows of the table"):
        write_pcap(Packets(far[:1], far[:1]), io.BytesIO())
    with pytest.raises(ValueError, match="times from 1970 to 2106"):
        write_pcap(Packets(ids, ids, np.arange(3) - 1), io.BytesIO())

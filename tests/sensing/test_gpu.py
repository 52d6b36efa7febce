"""Windows on a GPU are those of the CPU, bit for bit; for the simulator see `tests.cuda.cases`."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.sensing import Packets, TrafficMatrix, build_windows, total
from tests.operators.engines import no_gpu

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(bool(no_gpu()), reason=str(no_gpu())),
]


def some_packets(count, kind=np.uint32, seed=0):
    """Power laws of sources and destinations, with the largest ids of all among them."""
    draw = np.random.default_rng(seed)
    ends = (draw.pareto(0.7, (2, count)) * 5).astype(np.uint64) % np.uint64(1 << 20)
    ends *= np.uint64(0x9E3779B97F4A7C15)
    ends = ends if kind is np.uint64 else ends >> np.uint64(32)
    ends[:, : count // 50] = np.iinfo(kind).max
    ends[0, count // 3 : count // 2] = 5  # a scan
    ends[1, count // 3 : count // 2] = np.arange(count // 2 - count // 3)
    return Packets(*ends.astype(kind), np.arange(count) * 1000)


def same(here, there):
    assert there.device == "cuda:0"
    there = there.to("cpu")
    for name in ("links", "quantities", "distributions"):
        for one, other in zip(getattr(here, name), getattr(there, name), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
    for name in ("bounds", "start", "stop"):
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name))


@pytest.mark.parametrize("kind", [np.uint32, np.uint64])
@pytest.mark.parametrize("size", [1 << 17, 99_991, 700])
def test_as_on_the_cpu(kind, size):
    packets = some_packets(400_000, kind)
    here, there = build_windows(packets, size), build_windows(packets, size, device="cuda")
    same(here, there)
    same(here.doubled(), there.doubled())
    whole = there.total()
    assert whole == here.total()
    assert whole.quantities() == here.total().quantities()
    np.testing.assert_array_equal(whole.distributions(), here.total().distributions())


def test_long_windows():
    packets = some_packets(3_000_000)
    same(build_windows(packets, 2_500_000), build_windows(packets, 2_500_000, device="cuda"))


def test_windows_of_one_packet_and_of_none():
    packets = some_packets(3000)
    same(build_windows(packets, 1), build_windows(packets, 1, device="cuda"))
    bounds = [0, 0, 1000, 1000, 1001, 3000, 3000]
    same(build_windows(packets, bounds), build_windows(packets, bounds, device="cuda"))
    none = packets.cut(0, 0)
    assert len(build_windows(none, 5, device="cuda")) == 0
    assert build_windows(none, [0, 0, 0], device="cuda").quantities.unique_links.tolist() == [0, 0]


@pytest.mark.parametrize("pattern", ["distinct", "flood", "scan", "rain"])
def test_tables_that_are_full_and_links_that_are_hot(pattern):
    import cupy

    from edgewise.sensing.cuda.windows import survey

    count = 1 << 23  # more distinct links than all tables of one window hold at once
    numbers = np.arange(count, dtype=np.uint32)
    one = np.zeros(count, np.uint32)
    ends = {"distinct": (numbers, numbers[::-1].copy()), "flood": (one, one),
            "scan": (one, numbers), "rain": (numbers, one)}[pattern]  # fmt: skip
    windows = build_windows(Packets(*ends), count, device="cuda")  # in parts
    whole = survey(*map(cupy.asarray, ends), np.array([0, count]))  # not so
    links = 1 if pattern == "flood" else count
    for facts in (windows.quantities.window(0), whole.quantities.window(0)):
        assert facts.valid_packets == count
        assert (facts.unique_links, facts.max_link_packets) == (links, count // links)
        assert facts.unique_sources == (count if pattern in ("distinct", "rain") else 1)
        assert facts.unique_destinations == (count if pattern in ("distinct", "scan") else 1)
        assert facts.max_source_fan_out == (count if pattern == "scan" else 1)
        assert facts.max_destination_fan_in == (count if pattern == "rain" else 1)
    source, destination, packets = windows.to("cpu").links
    np.testing.assert_array_equal(source, ends[0][:links])
    np.testing.assert_array_equal(np.sort(destination), np.sort(ends[1][:links]))
    assert int(packets.sum()) == count


def test_packets_beyond_32_bits():
    matrix = TrafficMatrix.from_links([1, 1, 2], [5, 6, 5], [2**40, 3 * 2**31, 2**31 + 7])
    there = matrix.to("cuda")
    assert there.quantities() == matrix.quantities()
    np.testing.assert_array_equal(there.distributions(), matrix.distributions())
    assert there + there == matrix + matrix
    assert total([there] * 5) == total([matrix] * 5)


@pytest.mark.parametrize("locked", [False, True])
def test_streams_give_what_is_asked_for_in_order(locked):
    import cupyx

    from edgewise.sensing.cuda.running import Running
    from edgewise.sensing.cuda.stream import stream
    from edgewise.sensing.cuda.windows import survey

    packets = some_packets(1_000_003)
    if locked:
        columns = [cupyx.empty_pinned(packets.num_packets, np.uint32) for _ in range(2)]
        for column, given in zip(columns, packets, strict=False):
            column[:] = given
        packets = Packets(*columns)
    size = 1 << 17
    cuts = [packets.cut(at, at + size) for at in range(0, packets.num_packets, size)]
    sums = Running(1 << 10)

    def analyze(batch):
        found = survey(batch.source, batch.destination, np.array([0, 1000, batch.num_packets]))
        sums.add(found)
        return found.quantities.unique_links

    for in_flight in (1, 3):
        several = list(stream(iter(cuts), "cuda", analyze, in_flight=in_flight))
        assert [links.get().tolist() for links in several] == [
            build_windows(cut, [0, 1000, cut.num_packets]).quantities.unique_links.tolist()
            for cut in cuts
        ]
    source, destination, counts = build_windows(packets, packets.num_packets).links
    found = sums.links()
    np.testing.assert_array_equal(found.source.get(), source)
    np.testing.assert_array_equal(found.destination.get(), destination)
    np.testing.assert_array_equal(found.packets.get(), 2 * counts)


def test_an_error_ends_a_stream():
    from edgewise.sensing.cuda.stream import stream

    def fail(batch):
        raise ValueError(f"batch of {batch.num_packets}")

    with pytest.raises(ValueError, match="batch of 10"):
        list(stream([some_packets(10)] * 5, "cuda", fail))

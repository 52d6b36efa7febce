"""Sensing end to end: the same answers however packets come, and clear ends when they do not."""

from __future__ import annotations

import io
import struct
import threading
import weakref

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.sensing import (
    Chain,
    Levels,
    Packets,
    Table,
    Tally,
    Total,
    TrafficMatrix,
    assign_ids,
    build_windows,
    chain,
    sense,
    window,
    write_pcap,
    write_records,
)
from edgewise.sensing.packets import WIDE

FIELDS = ("valid_packets", "unique_links", "max_link_packets", "unique_sources",
          "max_source_packets", "max_source_fan_out", "unique_destinations",
          "max_destination_packets", "max_destination_fan_in")  # fmt: skip


def traffic(count, seed=0, kind=np.uint32, gap=1000):
    draw = np.random.default_rng(seed)
    ends = (draw.zipf(1.5, (2, count)) % 50).astype(kind)
    return Packets(*ends, draw.integers(0, gap, count).cumsum())


def same(one, other):
    """Two answers agree in everything that is counted."""
    for name in ("quantities", "distributions"):
        for a, b in zip(getattr(one.windows, name), getattr(other.windows, name), strict=True):
            np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(one.windows.start, other.windows.start)
    np.testing.assert_array_equal(one.windows.stop, other.windows.stop)
    assert one.quantities == other.quantities
    for a, b in zip(one.distributions, other.distributions, strict=True):
        np.testing.assert_array_equal(a, b)
    assert one.total == other.total
    assert one.total.source.dtype == other.total.source.dtype
    assert (one.total.start, one.total.stop) == (other.total.start, other.total.stop)
    assert (one.levels, one.late, one.empty) == (other.levels, other.late, other.empty)
    return True


def by_pandas(packets, size):
    """The quantities of every window, by groups of a table."""
    frame = pd.DataFrame({"s": packets.source, "d": packets.destination})
    frame["w"] = np.arange(len(frame)) // size
    links = frame.groupby(["w", "s", "d"]).size().rename("n").reset_index()
    sources = links.groupby(["w", "s"]).n.agg(["sum", "size"]).groupby("w")
    destinations = links.groupby(["w", "d"]).n.agg(["sum", "size"]).groupby("w")
    columns = [links.groupby("w").n.agg(["sum", "size", "max"])]
    for side in (sources, destinations):
        columns += [side.size(), side["sum"].max(), side["size"].max()]
    return pd.concat(columns, axis=1).to_numpy().T


def test_quantities_of_windows_are_those_of_pandas():
    packets = traffic(5000)
    found = sense(packets, window=700, batch_size=1000)
    np.testing.assert_array_equal(np.stack(found.windows.quantities), by_pandas(packets, 700))
    np.testing.assert_array_equal(found.quantities, by_pandas(packets, 5000)[:, 0])
    assert found.windows.quantities._fields == FIELDS
    assert found.total == TrafficMatrix.from_packets(packets)
    assert (found.tally.packets, found.tally.ipv4) == (5000, 5000)


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(0, 300),
    size=st.integers(1, 120),
    batch=st.integers(1, 150),
    in_flight=st.integers(1, 4),
    timed=st.booleans(),
    partial=st.booleans(),
)
def test_answers_do_not_depend_on_batches(count, size, batch, in_flight, timed, partial):
    packets = traffic(count, seed=count)
    said = f"{size * 500}ns" if timed else size
    options = {"window": said, "partial": partial, "levels": not timed}
    whole = sense(packets, batch_size=1 << 20, in_flight=1, **options)
    assert same(sense(packets, batch_size=batch, in_flight=in_flight, **options), whole)


@pytest.mark.parametrize("team", [1, 2])
def test_answers_do_not_depend_on_threads(team):
    packets = traffic(40_000, gap=10)
    with threads(team):
        found = sense(packets, window=9000, batch_size=8000, levels=True)
    assert same(found, sense(packets, window=9000, levels=True, in_flight=1))


def test_batches_say_in_how_many_parts(tmp_path):
    packets = traffic(1000)
    seen = []

    def look(part):
        seen.append(part.num_packets)
        return part

    whole = sense(packets, window=300)
    assert same(sense(packets, window=300, num_batches=3, anonymize=look), whole)
    assert seen == [334, 334, 332]
    write_records(packets, tmp_path / "a.packets")
    assert same(sense(tmp_path / "a.packets", window=300, num_batches=7), whole)
    with pytest.raises(ValueError, match="num_batches needs packets of a known number"):
        sense(iter([packets]), num_batches=3)
    with pytest.raises(
        ValueError, match="num_batches must not be given with batch_size, got 3 and 5"
    ):
        sense(packets, num_batches=3, batch_size=5)


def test_windows_run_on_across_files_and_generators(tmp_path):
    packets = traffic(3000)
    whole = sense(packets, window=512)
    files = []
    for i, (low, high) in enumerate([(0, 100), (100, 101), (101, 2000), (2000, 3000)]):
        files.append(tmp_path / f"{i}.packets{'.gz' if i == 2 else ''}")
        write_records(packets.cut(low, high), files[-1])
    found = sense(files, window=512)
    assert same(found, whole)
    assert (found.tally.files, found.tally.packets) == (4, 3000)
    parts = (packets.cut(low, low + 77) for low in range(0, 3000, 77))
    assert same(sense(parts, window=512), whole)


def test_captures_and_open_files(tmp_path):
    capture = pcap([(1, 2), (1, 2), (3, 2)])
    found = sense(io.BytesIO(capture), window="1s")
    assert found.quantities.valid_packets == 3
    assert found.total.packets.tolist() == [2, 1]
    (tmp_path / "a.pcap").write_bytes(capture)
    seen = []
    again = sense(str(tmp_path / "a.pcap"), window="1s", progress=lambda *told: seen.append(told))
    assert same(again, found)
    assert seen[-1] == (len(capture), len(capture)) and again.tally.bytes_read == len(capture)
    sense(io.BytesIO(capture), window="1s", progress=lambda *told: seen.append(told))
    assert seen[-1] == (len(capture), None)
    several = chain(tmp_path.glob("*.pcap")) | window(2)  # which can be gone through once
    [total] = several.into(Total())
    assert total.packets.tolist() == [2, 1]


def pcap(pairs, start=1_600_000_000):
    """A capture of raw IP with a packet a second for every pair of addresses."""
    data = struct.pack("<IHH8xII", 0xA1B2C3D4, 2, 4, 65535, 101)
    for i, (source, destination) in enumerate(pairs):
        head = bytes.fromhex("450000140000000040110000")
        packet = head + struct.pack(">II", source, destination)
        data += struct.pack("<IIII", start + i, 0, len(packet), len(packet)) + packet
    return data


def test_levels_are_windows_of_whole_powers():
    packets = traffic(1000)
    found = sense(packets, window=64, batch_size=200, levels=True)
    assert [(level.packets, level.windows) for level in found.levels] == [
        (64, 15), (128, 7), (256, 3), (512, 1),
    ]  # fmt: skip
    for level in found.levels:
        many = build_windows(packets.cut(0, level.packets * level.windows), level.packets)
        rows = np.stack(many.quantities)
        np.testing.assert_allclose(level.mean, rows.mean(axis=1))
        np.testing.assert_array_equal(level.largest, rows.max(axis=1))
    assert sense(packets, window=64).levels == []


def test_windows_larger_than_what_is_held(monkeypatch):
    monkeypatch.setattr("edgewise.sensing.cutting.HELD", 100)
    packets = traffic(2000)
    found = sense(packets, window=900, batch_size=64, levels=True)
    monkeypatch.setattr("edgewise.sensing.cutting.HELD", 1 << 22)
    assert same(found, sense(packets, window=900, levels=True))
    whole = sense(packets, window=1 << 40)
    assert len(whole.windows) == 1
    assert whole.quantities == found.quantities


def test_windows_of_time_leave_gaps_out_and_count_late_packets():
    ids = np.arange(6, dtype=np.uint32)
    times = np.array([12, 19, 20, 18, 61, 75]) * 10**9
    found = sense(Packets(ids, ids, times), window="10s")
    assert found.windows.quantities.valid_packets.tolist() == [2, 2, 1, 1]
    assert (found.windows.start // 10**9).tolist() == [12, 20, 61, 75]
    assert (found.windows.stop // 10**9).tolist() == [19, 20, 61, 75]
    assert (found.late, found.empty) == (1, 3)
    cut = sense(Packets(ids, ids, times), window="10s", partial=False)
    assert cut.windows.quantities.valid_packets.tolist() == [2, 1]


def test_ipv6_and_families():
    ids = np.array([7, WIDE, WIDE + 1, 7], np.uint64)
    wide = np.array([[1, 2], [3, 4]], np.uint64)
    packets = Packets(ids, ids[::-1].copy(), np.arange(4), wide)
    found = sense(packets, window=2, batch_size=1)
    assert (found.tally.ipv4, found.tally.ipv6) == (2, 2)
    assert found.total == TrafficMatrix.from_packets(assign_ids(packets))
    four, six = (sense(packets, family=family) for family in ("ipv4", "ipv6"))
    assert (four.quantities.valid_packets, six.quantities.valid_packets) == (2, 2)
    assert (four.total.source.dtype, six.total.source.dtype) == (np.uint32, np.uint64)
    assert sense(traffic(9), family="ipv6").quantities.valid_packets == 0


def test_the_type_of_ids_does_not_depend_on_who_is_in_the_batch():
    """An IPv6 address in one batch leaves windows and sums of other batches as they are."""
    first, second = traffic(100), traffic(100, seed=1)
    far = second._replace(source=second.source.astype(np.uint64) | np.uint64(WIDE))
    mixed = Packets(*(np.concatenate(pair) for pair in zip(first[:3], far[:3], strict=True)))
    assert same(sense([first, far], window=30), sense(mixed, window=30))
    wide = first._replace(source=first.source.astype(np.uint64))
    assert same(sense(wide, window=30), sense(first, window=30))


def test_anonymizing_changes_no_quantity():
    packets = traffic(2000)

    def turned(part):
        return part._replace(source=part.source ^ 0xABCD, destination=part.destination ^ 0xABCD)

    found, plain = sense(packets, window=300, anonymize=turned), sense(packets, window=300)
    assert found.quantities == plain.quantities
    assert found.total == plain.total.permuted(lambda ids: ids ^ 0xABCD)
    assert "anonymized" in found.seconds


def test_matrices_of_all_windows_are_saved_whole_or_not_at_all(tmp_path):
    files = pytest.importorskip("edgewise.sensing.matrix_files")
    packets = traffic(1000)
    sense(packets, window=300, batch_size=128, folder=tmp_path / "windows")
    names = sorted(path.name for path in (tmp_path / "windows").iterdir())
    assert names == ["00000000.ewt", "00000001.ewt", "00000002.ewt", "00000003.ewt"]
    for i, name in enumerate(names):
        expected = TrafficMatrix.from_packets(packets.cut(300 * i, 300 * (i + 1)))
        saved = files.read_matrix(tmp_path / "windows" / name)
        assert saved == expected
        assert (saved.start, saved.stop) == (expected.start, expected.stop)

    def fails(part):
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        sense(packets, anonymize=fails, folder=tmp_path / "other")
    with pytest.raises(FileExistsError, match="it is there already"):
        sense(packets, folder=tmp_path / "windows")
    assert [path.name for path in tmp_path.iterdir()] == ["windows"]


def test_errors_name_the_file_and_leave_no_thread(tmp_path):
    before = threading.active_count()
    for name, pairs in (("a", [(1, 2)] * 5), ("b", [(3, 4)] * 5)):
        (tmp_path / f"{name}.pcap").write_bytes(pcap(pairs))
    files = [tmp_path / "a.pcap", tmp_path / "b.pcap"]

    def no_threes(part):
        if 3 in part.source:
            raise ValueError("a three")
        return part

    with pytest.raises(ValueError, match="a three") as caught:
        sense(files, batch_size=2, anonymize=no_threes)
    assert f"of {tmp_path / 'b.pcap'}" in caught.value.__notes__[0]
    (tmp_path / "b.pcap").write_bytes(pcap([(1, 2)] * 5)[:-3])
    with pytest.raises(ValueError, match=r"b\.pcap"):
        sense(files)
    kept = sense(files, on_bad_file="skip")
    assert (kept.quantities.valid_packets, len(kept.tally.damage)) == (9, 1)
    assert threading.active_count() == before


def test_own_stages_and_own_folds(tmp_path):
    """A chain in parts, with a function of one's own in it."""
    packets = traffic(1000)
    write_records(packets, tmp_path / "a.packets")
    tally = Tally()

    def from_even(part):
        return part.where(part.source % 2 == 0)

    class Busiest:
        value = 0

        def add(self, windows):
            self.value = max(self.value, int(windows.quantities.max_link_packets.max()))

        def result(self):
            return self.value

    stages = chain(tmp_path / "a.packets", batch_size=100, tally=tally) | from_even | window(64)
    table, total, levels, busiest = stages.into(Table(), Total(), Levels(64), Busiest())
    kept = packets.where(packets.source % 2 == 0)
    assert same(
        sense(kept, window=64, levels=True), sense(kept, window=64, levels=True, batch_size=10)
    )
    assert total == TrafficMatrix.from_packets(kept)
    assert table.quantities.valid_packets.sum() == kept.num_packets
    assert busiest == table.quantities.max_link_packets.max()
    assert levels[0].windows == kept.num_packets // 64
    assert tally.packets == 1000
    assert repr(stages) == "read | from_even | window"


def test_memory_stays_bounded():
    """Batches that are through are let go of: only a few are alive at any time."""
    alive, most = 0, 0

    def gone():
        nonlocal alive
        alive -= 1

    def batches():
        nonlocal alive, most
        for i in range(30):
            part = traffic(1000, seed=i)
            part = part._replace(source=part.source.copy())
            weakref.finalize(part.source, gone)
            alive += 1
            most = max(most, alive)
            yield part

    sense(batches(), window=300, batch_size=1000, in_flight=2)
    assert most <= 2 + 3  # in flight; what windows are built of, and the generator's own


def test_nothing_at_all():
    found = sense([])
    assert (len(found.windows), found.quantities.valid_packets, found.total.num_links) == (0, 0, 0)
    assert len(found.to_pandas()) == 0


def test_to_frame():
    frame = sense(traffic(100), window=30).to_pandas()
    assert list(frame.columns) == ["start", "stop", *FIELDS]
    assert frame.valid_packets.tolist() == [30, 30, 30, 10]
    assert str(frame.start.dt.tz) == "UTC"
    bare = traffic(10)._replace(time=None)
    assert list(sense(bare, window=3).to_pandas().columns) == list(FIELDS)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"window": "often"}, ValueError, "window must be a number of packets, as 2^17, or a time"),
        ({"window": "1s", "levels": True}, ValueError, "levels must be of windows of packets"),
        ({"family": "ipx"}, ValueError, "family must be one of"),
        ({"on_bad_file": "cry"}, ValueError, "on_bad_file must be one of"),
        ({"device": "tpu"}, ValueError, "device must be 'cpu', 'cuda'"),
        ({"device": ["cpu", "cuda"]}, ValueError, "device must be 'cpu' or GPUs, not both"),
        ({"device": 3}, TypeError, "device must be a name or a list of names, got 3"),
        ({"batch_size": 0}, ValueError, "batch_size must be at least 1, got 0"),
        ({"in_flight": 0}, ValueError, "in_flight must be at least 1, got 0"),
        ({"anonymize": "key"}, TypeError, "anonymize must be a function of packets, got str"),
    ],
)
def test_misuse_is_told(options, error, says):
    with pytest.raises(error) as caught:
        sense(traffic(3), **options)
    assert says.lower() in str(caught.value).lower()


def test_what_is_no_input(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        sense(tmp_path / "none.pcap")
    with pytest.raises(IsADirectoryError, match="folder"):
        sense([tmp_path])
    with pytest.raises(TypeError, match="packets must be Packets one after the other, got 3"):
        sense([1, 2, 3][2:])
    with pytest.raises(TypeError, match="packets must be of NumPy arrays; .* got list"):
        sense(Packets([1], [2]))
    with pytest.raises(TypeError, match="anonymize must return Packets, got 5"):
        sense(traffic(3), anonymize=lambda packets: 5)
    with pytest.raises(TypeError, match="packets must be files or Packets"):
        sense(3)


IDS, TIMES = np.arange(10, dtype=np.uint32), np.arange(10) * 10**9


def test_times_may_be_seconds_or_dates():
    """Ten windows of a second each, however the times are given."""
    wanted = sense(Packets(IDS, IDS, TIMES + 10**15), window="1s")
    assert len(wanted.windows) == 10
    for time in ((TIMES + 10**15) / 1e9, (TIMES + 10**15).astype("datetime64[ns]"),
                 (np.arange(10) + 10**6).astype("datetime64[s]")):  # fmt: skip
        found = sense(Packets(IDS, IDS, time), window="1s")
        assert np.array_equal(found.windows.start, wanted.windows.start)


@pytest.mark.parametrize(
    ("packets", "error", "says"),
    [
        (Packets(IDS, IDS[:5]), ValueError, "one entry each .* source 10, destination 5"),
        (Packets(IDS, IDS, TIMES[:5]), ValueError, "one entry each .* time 5"),
        (Packets(IDS, IDS, protocol=IDS[:3]), ValueError, "one entry each .* protocol 3"),
        (Packets(IDS, IDS, np.full(10, np.nan)), ValueError, "time must be .* got nan for packet"),
        (Packets(IDS, IDS, np.full(10, 1e300)), ValueError, "time must be .* got 1e\\+300"),
        (Packets(IDS, IDS, np.full(10, "NaT", "M8[s]")), ValueError, "time must be .* got NaT"),
        (Packets(IDS, IDS, np.full(10, "2900", "M8[D]")), ValueError, "time must be .* got 2900"),
        (Packets(IDS, IDS, IDS > 3), TypeError, "time must be whole nanoseconds"),
        (Packets(IDS * 0.5, IDS), TypeError, "source must be ids"),
    ],
)  # fmt: skip
def test_packets_are_checked_at_every_door(packets, error, says, tmp_path):
    doors = [
        lambda: sense(packets, window=4),
        lambda: sense([packets], window=4, anonymize=lambda one: packets),
        lambda: list(Chain([packets]) | window(4)),
        lambda: build_windows(packets._replace(protocol=None), 4),
        lambda: write_records(packets, tmp_path / "a.packets"),
        lambda: write_pcap(packets, tmp_path / "a.pcap"),
    ]
    if packets.protocol is not None:
        del doors[3]
    for door in doors:
        with pytest.raises(error, match=says):
            door()
    assert not list(tmp_path.iterdir())


def test_anonymize_gives_packets():
    with pytest.raises(TypeError, match="anonymize must return Packets, got None"):
        sense(traffic(3), anonymize=lambda packets: None)

"""Packet records: what is written comes back, and damage is told with its place."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.errors import FileFormatError
from edgewise.sensing import Packets, iter_records, write_records
from edgewise.sensing.packets import WIDE
from edgewise.sensing.records import is_records


def some(count: int, *, times: bool = True, table: int = 0, seed: int = 0) -> Packets:
    rng = np.random.default_rng(seed)
    kind = np.uint64 if table else np.uint32
    ends = [rng.integers(0, 2**32, count).astype(kind) for _ in range(2)]
    if table:
        for ids in ends:
            far = rng.random(count) < 0.5
            ids[far] = rng.integers(0, table, far.sum()).astype(np.uint64) | np.uint64(WIDE)
    wide = rng.integers(0, 2**64, (table, 2), dtype=np.uint64) if table else None
    time = np.sort(rng.integers(0, 2**60, count)) if times else None
    return Packets(*ends, time, wide)


def addresses(packets: Packets) -> list:
    """Sources and destinations with IPv6 addresses whole."""

    def one(x):
        return int(x) if packets.wide is None or x < WIDE else tuple(packets.wide[int(x) - WIDE])

    return [(one(s), one(d)) for s, d in zip(packets.source, packets.destination, strict=True)]


@settings(max_examples=25, deadline=None)
@given(
    counts=st.lists(st.integers(0, 40), max_size=4),
    times=st.booleans(),
    table=st.sampled_from([0, 3]),
    batch=st.integers(1, 50),
)
def test_what_is_written_comes_back(counts, times, table, batch):
    given = [some(n, times=times, table=table, seed=i) for i, n in enumerate(counts)]
    stream = io.BytesIO()
    assert write_records(given, stream) == sum(counts)
    assert is_records(stream.getvalue())
    stream.seek(0)
    found = list(iter_records(stream, batch_size=batch))
    assert all(part.num_packets <= batch for part in found)
    assert sum(map(addresses, found), []) == sum(map(addresses, given), [])
    if times and found:
        assert np.array_equal(*(np.concatenate([x.time for x in y]) for y in (found, given)))
    assert times or all(part.time is None for part in found)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_files_plain_and_compressed(tmp_path, suffix):
    path, packets = tmp_path / f"a.packets{suffix}", some(1000)
    write_records(iter([packets, some(10, table=2)]), path)
    first, second = iter_records(path)
    assert np.array_equal(first.source, packets.source) and first.source.dtype == np.uint32
    assert np.array_equal(first.time, packets.time)
    assert second.wide.shape == (2, 2) and second.source.dtype == np.uint64
    assert not first.source.flags.writeable
    assert next(iter_records(path, times=False)).time is None


def test_blocks_are_bounded_and_share_no_table(tmp_path):
    count = (1 << 20) + 5
    ids = np.full(count, WIDE, np.uint64)
    ids[-5:] = WIDE + 29
    table = np.arange(60, dtype=np.uint64).reshape(30, 2)
    write_records(Packets(ids, ids, wide=table), tmp_path / "a.packets")
    first, last = iter_records(tmp_path / "a.packets", batch_size=1 << 30)
    assert (first.num_packets, last.num_packets) == (1 << 20, 5)
    assert addresses(last) == [((58, 59), (58, 59))] * 5 and len(last.wide) == 1


def test_an_error_leaves_nothing(tmp_path):
    def failing():
        yield some(10)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(failing(), tmp_path / "a.packets")
    assert not list(tmp_path.iterdir())


def whole() -> bytes:
    stream = io.BytesIO()
    write_records([some(30), some(20, table=4)], stream)
    return stream.getvalue()


def test_every_cut_is_noticed():
    content = whole()
    for size in range(len(content)):
        with pytest.raises(FileFormatError) as caught:
            list(iter_records(io.BytesIO(content[:size])))
        assert caught.value.offset is not None and caught.value.offset <= size


def test_every_changed_byte_is_noticed():
    content = whole()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x41
        with pytest.raises(FileFormatError) as caught:
            list(iter_records(io.BytesIO(changed)))
        assert caught.value.offset is not None and caught.value.offset <= place


def test_damage_is_told_with_its_place(tmp_path):
    path, content = tmp_path / "a.packets", bytearray(whole())
    content[64 + 64 + 3] ^= 1
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=r"a\.packets, byte 128: the column 'source' of 120"):
        list(iter_records(path))
    assert len(list(iter_records(path, verify=False))) == 2
    path.write_bytes(whole() + b"more")
    with pytest.raises(FileFormatError, match="there is more after the end"):
        list(iter_records(path))
    path.write_bytes(b"no records at all")
    with pytest.raises(FileFormatError, match="byte 0: no packet records"):
        list(iter_records(path))
    (tmp_path / "a.packets.gz").write_bytes(b"\x1f\x8b broken")
    with pytest.raises(FileFormatError, match="the archive is damaged"):
        list(iter_records(tmp_path / "a.packets.gz"))


def test_ids_beyond_the_table_are_refused():
    packets = some(20, table=4)
    packets.source[3] = WIDE + 4
    stream = io.BytesIO()
    write_records(packets, stream)
    stream.seek(0)
    with pytest.raises(FileFormatError, match="an address that is not there"):
        list(iter_records(stream))


def test_what_cannot_be_written_is_refused():
    ids = np.arange(3)
    with pytest.raises(TypeError, match=r"source must be ids \(integers\), got dtype float64"):
        write_records(Packets(ids * 0.5, ids), io.BytesIO())
    with pytest.raises(ValueError, match="source must be ids of 0 or more, got -2"):
        write_records(Packets(-ids, ids), io.BytesIO())
    with pytest.raises(ValueError, match="one entry each in every array"):
        write_records(Packets(ids.astype("u4"), ids[:2].astype("u4")), io.BytesIO())
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        next(iter_records(io.BytesIO(), batch_size=0))

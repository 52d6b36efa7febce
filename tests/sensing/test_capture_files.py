"""Where captures come from: files, archives, pipes, streams; damage; the shared captures."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import random
import shutil
import subprocess
import threading
import tracemalloc
from decimal import Decimal
from ipaddress import ip_address

import numpy as np
import pyarrow
import pytest

from benchmarks.sensing.reading import measure_reading, reading_table
from edgewise.base.errors import FileFormatError
from edgewise.sensing import Packets, Tally, iter_packets, read_packets, write_records
from edgewise.sensing.packets import WIDE
from tests.conftest import ROOT
from tests.sensing.build import ends, enhanced, ethernet, interface, ipv4, ipv6, pcap, pcapng

CAPTURES = ROOT.parent / "shared" / "data" / "captures"
PACKETS = [ipv4(f"10.0.{i % 7}.{i % 251}", "9.9.9.9") for i in range(2000)]
PACKETS[::5] = [ipv6(f"2001:db8::{i:x}", "::1") for i in range(400)]
NOISE = random.Random(0).randbytes(1 << 19)
FRAMES = [ethernet(packet) for packet in PACKETS]
PCAP = pcap(FRAMES)
PCAPNG = pcapng(interface(), *(enhanced(frame, 1000000 * i) for i, frame in enumerate(FRAMES)))


def zstd(content):
    sink = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


ARCHIVES = {"plain": bytes, "gz": gzip.compress, "zst": zstd, "bz2": bz2.compress,
            "xz": lzma.compress}  # fmt: skip


def same(one, other):
    for a, b in zip(one, other, strict=True):
        assert (a is None) == (b is None)
        assert a is None or (a.dtype == b.dtype and np.array_equal(a, b))


@pytest.mark.parametrize("archive", ARCHIVES)
@pytest.mark.parametrize("content", [PCAP, PCAPNG], ids=["pcap", "pcapng"])
def test_archives(content, archive, tmp_path, monkeypatch):
    """By their bytes, whatever their name; in parts that end anywhere."""
    path = tmp_path / "capture"
    packed = ARCHIVES[archive](content)
    path.write_bytes(packed)
    expected, tally, seen = read_packets(io.BytesIO(content)), Tally(), []
    same(read_packets(path, tally=tally, progress=lambda *told: seen.append(told)), expected)
    assert seen[-1] == (len(packed), len(packed)) and tally.bytes_read == len(packed)
    assert tally.damaged == 0
    monkeypatch.setattr("edgewise.sensing.capture_bytes._BLOCK", 1000)
    monkeypatch.setattr("edgewise.sensing.capture_bytes._PART", 777)
    same(read_packets(path), expected)
    same(read_packets(io.BytesIO(packed)), expected)


@pytest.mark.parametrize("archive", ["gz", "zst", "bz2", "xz"])
def test_damaged_archives(archive, tmp_path):
    """What could be decompressed is kept, but for a part of 64 KiB at most."""
    content, path = pcap([*FRAMES, FRAMES[1] + NOISE], most=1 << 20), tmp_path / "a"
    packed = ARCHIVES[archive](content)
    flipped = bytearray(packed)
    flipped[-(1 << 16)] ^= 0x55
    least = 0 if archive == "bz2" else 2000  # that has blocks of 900 kB, whole or not at all
    for damaged in (packed[: -len(NOISE) // 2], packed[:-3], bytes(flipped)):
        if archive in ("zst", "bz2") and len(damaged) == len(packed):
            continue  # that has no checksum, or one that is looked at last
        path.write_bytes(damaged)
        with pytest.raises(FileFormatError, match=r"a, byte \d+: the archive is damaged \("):
            read_packets(path)
        tally = Tally()
        kept = read_packets(path, on_bad_file="skip", tally=tally)
        assert least <= kept.num_packets == tally.packets <= 2001
        assert len(tally.damage) == 1 and 0 <= tally.damaged <= len(content)
        path.write_bytes(damaged[:20])
        assert read_packets(path, on_bad_file="skip").num_packets == 0


def test_archives_of_several_members():
    half = len(PCAP) // 2
    packed = gzip.compress(PCAP[:half]) + gzip.compress(PCAP[half:])
    assert read_packets(io.BytesIO(packed)).num_packets == 2000


def test_memory_is_bounded(tmp_path):
    """An archive that holds a thousand times its size is read in little memory."""
    with gzip.open(tmp_path / "a.pcap.gz", "wb", compresslevel=1) as file:
        file.write(PCAP)
        for _ in range(64):
            file.write(bytes(1 << 20))  # records of empty frames
    tally = Tally()
    tracemalloc.start()
    try:
        for _ in iter_packets(tmp_path / "a.pcap.gz", batch_size=1000, tally=tally):
            pass
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert tally.packets == 2000 + (64 << 16) == tally.cut + 2000
    assert peak < 20 << 20


def test_pipes(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(PCAP))
    writer.start()
    same(read_packets(path), read_packets(io.BytesIO(PCAP)))
    writer.join()


def test_streams_that_give_little_at_a_time():
    class Dribble(io.RawIOBase):
        def __init__(self):
            self.rest = io.BytesIO(PCAPNG)

        def read(self, size=-1):
            return self.rest.read(min(size, 7))

    stream = Dribble()
    same(read_packets(stream), read_packets(io.BytesIO(PCAPNG)))
    assert not stream.closed


@pytest.mark.parametrize("batch", [1, 7, 999, 2000, 5000])
def test_batches(batch, tmp_path):
    (tmp_path / "a").write_bytes(PCAP)
    (tmp_path / "b").write_bytes(PCAPNG)
    files, tally, seen = [tmp_path / "a", tmp_path / "b"], Tally(), []
    options = {"batch_size": batch, "tally": tally, "ports": True}
    batches = list(iter_packets(files, progress=lambda *told: seen.append(told), **options))
    assert [one.num_packets for one in batches] == [batch] * (4000 // batch) + (
        [4000 % batch] if 4000 % batch else []
    )
    assert (tally.files, tally.packets, tally.ipv6) == (2, 4000, 800)
    total = len(PCAP) + len(PCAPNG)
    assert seen == sorted(seen) and seen[-1] == (tally.bytes_read, total) == (total, total)
    for one in batches:
        assert (one.wide is None) == (one.source.dtype == np.uint32)
        assert one.source.dtype == one.destination.dtype
        if one.wide is not None:
            assert max(one.source.max(), one.destination.max()) < WIDE + len(one.wide)
    # all at once: the tables of the batches are one
    joined, whole = read_packets(files, batch_size=batch), read_packets(files)
    far = whole.source >= WIDE
    assert np.array_equal(joined.source >= WIDE, far) and np.array_equal(joined.time, whole.time)
    for a, b in zip(joined[:2], whole[:2], strict=True):
        assert np.array_equal(a[~far], b[~far])
        found = [one.wide[(ids[far] ^ WIDE).astype(int)] for one, ids in ((joined, a), (whole, b))]
        assert np.array_equal(*found)


def test_files_after_a_damaged_one(tmp_path):
    paths = [tmp_path / name for name in ("a.pcap", "b.pcap", "c.pcap", "d.pcap")]
    for path, content in zip(paths, (PCAP, PCAP[:-1], b"", PCAPNG), strict=True):
        path.write_bytes(content)
    last = 16 + len(FRAMES[-1])
    with pytest.raises(FileFormatError) as error:
        list(iter_packets(paths))
    assert str(error.value) == (
        f"{paths[1]}, byte {len(PCAP) - last}: cut short: the file ends inside of this record"
    )
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)
    tally = Tally()
    assert read_packets(paths, on_bad_file="skip", tally=tally).num_packets == 5999 == tally.packets
    assert tally.damaged == last - 1 and [one.path for one in tally.damage] == list(
        map(str, paths[1:3])
    )


def test_packet_records(tmp_path):
    packets = read_packets(io.BytesIO(PCAP))
    write_records(packets, tmp_path / "a.packets")
    write_records(packets, tmp_path / "a.packets.gz")
    (tmp_path / "a.pcap").write_bytes(PCAP)
    for name in ("a.packets", "a.packets.gz"):
        tally = Tally()
        same(read_packets(tmp_path / name, tally=tally), packets)
        assert (tally.packets, tally.ipv4, tally.ipv6) == (2000, 1600, 400)
        assert tally.bytes_read == (tmp_path / name).stat().st_size
        four = read_packets(tmp_path / name, family="ipv4")
        same(four, read_packets(io.BytesIO(PCAP), family="ipv4"))
        assert read_packets(tmp_path / name, family="ipv6", times=False).num_packets == 400
        both = read_packets(
            [tmp_path / "a.pcap", tmp_path / name, tmp_path / "a.pcap"], batch_size=1700
        )
        assert both.num_packets == 6000 and np.array_equal(both.time[2000:4000], packets.time)
        with pytest.raises(ValueError, match="ports must be False for packet records, which have"):
            read_packets(tmp_path / name, ports=True)
    write_records(packets._replace(time=None), tmp_path / "c.packets")
    assert read_packets(tmp_path / "c.packets").time is None
    with pytest.raises(ValueError, match="times must be False where some files have times"):
        read_packets([tmp_path / "a.packets", tmp_path / "c.packets"])
    content = (tmp_path / "a.packets").read_bytes()
    (tmp_path / "b.packets").write_bytes(content[:-70])
    tally = Tally()
    with pytest.raises(FileFormatError, match=r"b\.packets, byte \d+: "):
        read_packets(tmp_path / "b.packets")
    read_packets(tmp_path / "b.packets", on_bad_file="skip", tally=tally)
    assert [one.path for one in tally.damage] == [str(tmp_path / "b.packets")]


def test_misuse(tmp_path):
    path = tmp_path / "a.pcap"
    path.write_bytes(PCAP)
    with pytest.raises(FileNotFoundError, match="there is no file .*b.pcap"):
        iter_packets([path, tmp_path / "b.pcap"])  # before anything is read
    with pytest.raises(IsADirectoryError, match="is a folder, not a capture"):
        iter_packets(tmp_path)
    with pytest.raises(TypeError, match="files must be a path, a binary stream or several, got 7"):
        iter_packets(7)
    with pytest.raises(TypeError, match="files must be paths or binary streams, got 7"):
        iter_packets([7])
    with pytest.raises(TypeError, match="files must be open for reading bytes, got str"):
        read_packets(io.StringIO("abcdefghijkl"))
    with pytest.raises(ValueError, match="family must be one of 'ip', 'ipv4', 'ipv6', got 'ipx'"):
        iter_packets(path, family="ipx")
    with pytest.raises(ValueError, match="on_bad_file must be one of 'raise', 'skip', got 'keep'"):
        iter_packets(path, on_bad_file="keep")
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        iter_packets(path, batch_size=0)
    with pytest.raises(TypeError, match="progress must be a function or None, got 1"):
        iter_packets(path, progress=1)
    path.write_bytes(b"PK\x03\x04 and so on")
    for damage in ("raise", "skip"):  # what is no capture is not a damaged one
        with pytest.raises(FileFormatError, match=r"a\.pcap, byte 0: no capture: ") as caught:
            read_packets(path, on_bad_file=damage)
        told = str(caught.value).removeprefix(str(path))  # whose folder may have any number
        assert "50" not in told  # it may be a file with a key


def test_nothing_to_read():
    empty = read_packets(io.BytesIO(pcap([])), ports=True)
    assert [column.dtype.name for column in empty if column is not None] == [
        "uint32", "uint32", "int64", "uint8", "uint16", "uint16",
    ]  # fmt: skip
    assert empty.num_packets == 0 and list(iter_packets([])) == []
    assert isinstance(read_packets([], times=False), Packets)


def test_reading_is_measured(tmp_path):
    pytest.importorskip("dpkt")
    rows = measure_reading(tmp_path, packets=300, trials=1, sample=50)
    assert [row.library for row in rows].count("dpkt") == 4 and len(rows) == 9
    assert all(row.rate > 0 for row in rows) and list(tmp_path.iterdir()) == []
    assert reading_table(rows).count("| pcap") == 5


def facts():
    """The captures beside the checkout with what is known of each."""
    manifest = CAPTURES.parent / "MANIFEST.tsv"
    lines = manifest.read_text().splitlines() if manifest.exists() else []
    for row in (line.split("\t") for line in lines):
        if row[1].startswith("captures/"):
            known = next(cell for cell in row if cell.startswith("packets="))
            pairs = (item.strip().split("=") for item in known.split(";"))
            yield row[1].removeprefix("captures/"), dict(pairs)


FACTS = dict(facts())


@pytest.mark.data
@pytest.mark.skipif(not FACTS, reason="there are no shared captures")
@pytest.mark.parametrize("name", FACTS)
def test_shared_captures(name):
    known, tally = FACTS[name], Tally()
    packets = read_packets(CAPTURES / name, family="ipv4", tally=tally)
    links, counts = np.unique(np.stack(packets[:2]), axis=1, return_counts=True)
    found = {
        "packets": tally.packets,
        "ipv4": tally.ipv4,
        "links": len(counts),
        "sources": len(np.unique(links[0])),
        "dests": len(np.unique(links[1])),
        "maxlink": counts.max(),
    }
    assert found == {key: int(known[key]) for key in found}
    assert packets.num_packets == tally.ipv4 and tally.damage == []


@pytest.mark.data
@pytest.mark.skipif(not FACTS, reason="there are no shared captures")
@pytest.mark.parametrize("name", FACTS)
def test_dpkt_agrees(name):
    """Packet by packet: time, both addresses, protocol and ports."""
    dpkt = pytest.importorskip("dpkt")
    expected = []
    with open(CAPTURES / name, "rb") as file:
        for time, frame in dpkt.pcap.UniversalReader(file):
            packet = dpkt.ethernet.Ethernet(frame).data if len(frame) >= 14 else None
            if isinstance(packet, (dpkt.ip.IP, dpkt.ip6.IP6)):
                inner = packet.data
                ports = getattr(inner, "sport", 0), getattr(inner, "dport", 0)
                pair = (str(ip_address(packet.src)), str(ip_address(packet.dst)))
                expected.append((round(time * 10**6), *pair, packet.p, *ports))
    found = read_packets(CAPTURES / name, ports=True)
    pairs = (list(column) for column in zip(*ends(found), strict=True))
    columns = [(found.time // 1000).tolist(), *pairs, *(column.tolist() for column in found[4:])]
    assert list(zip(*columns, strict=True)) == expected


@pytest.mark.data
@pytest.mark.skipif(not FACTS, reason="there are no shared captures")
@pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")
@pytest.mark.parametrize("name", ["ndpi-1kxun.pcap", "packets-http_espn.pcapng", "ndpi-teams.pcap"])
def test_tshark_agrees(name):
    """Packet by packet: time, both addresses of the outermost IP header."""
    fields = ("frame.time_epoch", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst")
    wanted = [word for field in fields for word in ("-e", field)]
    command = ["tshark", "-n", "-r", str(CAPTURES / name), "-T", "fields", "-E", "occurrence=f"]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=True)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    valid = [row for row in rows if row[1] or row[3]]
    expected = [(Decimal(row[0]), row[1] or row[3], row[2] or row[4]) for row in valid]
    tally = Tally()
    packets = read_packets(CAPTURES / name, tally=tally)
    assert tally.packets == len(rows) and packets.num_packets == len(expected)
    times = (Decimal(time) / 10**9 for time in packets.time.tolist())
    found = [(time, *pair) for time, pair in zip(times, ends(packets), strict=True)]
    assert found == expected

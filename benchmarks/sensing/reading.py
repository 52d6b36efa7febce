"""Reading captures: packets a second on one core, from files that the system has in memory.

The same file is read by dpkt, the plain way its documentation shows; of that only the first packets
are timed, it has the same speed anywhere.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Reading", "measure_reading", "reading_table", "write_capture"]

#: Sizes of captured frames: only what headers need, or as on the Internet.
SIZES = {"short": (58,), "mixed": (66, 66, 90, 590, 1514, 1514)}


class Reading(NamedTuple):
    """One row: so many packets, of a file of so many bytes, took so long."""

    name: str
    library: str
    packets: int
    bytes: int
    seconds: float

    @property
    def rate(self) -> float:
        """Packets a second."""
        return self.packets / self.seconds


def measure_reading(
    folder: Path, packets: int = 1 << 20, trials: int = 5, sample: int = 1 << 15
) -> list[Reading]:
    """Write captures to ``folder`` and read them; best of ``trials``, by turns with dpkt.

    dpkt reads the first ``sample`` packets of each.
    """
    from edgewise.base.threads import threads

    rows = []
    for sizes in SIZES:
        for form in ("pcap", "pcapng"):
            path = folder / f"{sizes}.{form}"
            write_capture(path, packets, SIZES[sizes])
            size = path.stat().st_size
            with threads(1):
                _ours(path)  # compiles, and brings the file into memory
                best = [float("inf")] * 2
                for _ in range(trials):
                    best[0] = min(best[0], _timed(packets, _ours, path))
                    best[1] = min(best[1], _timed(sample, _dpkts, path, sample))
            name = f"{form}, {sizes} frames"
            rows.append(Reading(name, "Edgewise", packets, size, best[0]))
            rows.append(Reading(name, "dpkt", sample, size * sample // packets, best[1]))
            if form == "pcap" and sizes == "short":
                packed = folder / f"{sizes}.{form}.gz"
                packed.write_bytes(gzip.compress(path.read_bytes(), 1))
                seconds = min(_timed(packets, _ours, packed) for _ in range(trials))
                rows.append(Reading(f"{name}, gzip", "Edgewise", packets, size, seconds))
                packed.unlink()
            path.unlink()
    return rows


def reading_table(rows: list[Reading]) -> str:
    """The rows in Markdown: million packets a second, and how many times faster than dpkt."""
    from benchmarks.report import table

    rates = {(row.name, row.library): row.rate for row in rows}
    lines = []
    for name in dict.fromkeys(row.name for row in rows):
        ours, theirs = rates[name, "Edgewise"], rates.get((name, "dpkt"))
        beside = [f"{theirs / 1e6:.3f}", f"{ours / theirs:.0f}"] if theirs else ["", ""]
        lines.append([name, f"{ours / 1e6:.1f}", *beside])
    return table(["capture", "Edgewise, one core", "dpkt", "times faster"], lines, words=1)


def _timed(packets: int, read: Callable[..., int], *args: Any) -> float:
    start = time.perf_counter()
    found = read(*args)
    seconds = time.perf_counter() - start
    if found != packets:
        raise AssertionError(f"{found} packets were read, {packets} written")
    return seconds


def _ours(path: Path) -> int:
    from edgewise.sensing import iter_packets

    return sum(packets.num_packets for packets in iter_packets(path, family="ipv4"))


def _dpkts(path: Path, count: int) -> int:
    import dpkt

    form = dpkt.pcapng if path.suffix == ".pcapng" else dpkt.pcap
    found: list[Any] = []
    with open(path, "rb") as file:
        for stamp, frame in islice(form.Reader(file), count):
            packet = dpkt.ethernet.Ethernet(frame).data
            if isinstance(packet, dpkt.ip.IP):
                found.append((stamp, packet.src, packet.dst))
    return len(found)


def write_capture(path: Path, packets: int, sizes: tuple[int, ...], seed: int = 0) -> None:
    """A capture of UDP over IPv4 over Ethernet, of frames of these sizes; pcap or pcapng."""
    rng = np.random.default_rng(seed)
    size = rng.choice(sizes, packets)
    frame = bytes(12) + bytes.fromhex("0800 4500 0000 0000 0000 4011 0000") + bytes(8)
    frame += bytes.fromhex("1234 0035 0008 0000")
    stamp = 1_600_000_000_000_000 + np.arange(packets) * 7
    if path.suffix == ".pcapng":
        start = bytes.fromhex("0a0d0d0a 1c000000 4d3c2b1a 01000000 ffffffffffffffff 1c000000")
        start += bytes.fromhex("01000000 14000000 01000000 00000000 14000000")
        padded = size + -size % 4 + 32
        words = [6, padded, 0, stamp >> 32, stamp & 0xFFFFFFFF, size, size]
    else:
        start = bytes.fromhex("d4c3b2a1 02000400 00000000 00000000 00000400 01000000")
        padded = size + 16
        words = [stamp // 1_000_000, stamp % 1_000_000, size, size]
    offset = len(start) + np.concatenate([[0], np.cumsum(padded)])
    data = np.zeros(offset[-1], np.uint8)
    data[: len(start)] = np.frombuffer(start, np.uint8)
    for i, word in enumerate(words):
        _scatter(data, offset[:-1] + 4 * i, np.broadcast_to(word, packets))
    if path.suffix == ".pcapng":
        _scatter(data, offset[1:] - 4, padded)
    first = offset[:-1] + 4 * len(words)
    for k, value in enumerate(frame):
        if value:
            data[first + k] = value
    ends = rng.integers(0, 2**16, (2, packets)) ** 2
    for k, one in zip((26, 30), ends, strict=True):
        _scatter(data, first + k, one.astype(np.uint32).byteswap())
    _scatter(data, first + 16, (size - 14).astype(np.uint16).byteswap(), 2)
    data.tofile(path)


def _scatter(data: np.ndarray, places: np.ndarray, values: np.ndarray, count: int = 4) -> None:
    """Put little-endian numbers of ``count`` bytes at places."""
    for k in range(count):
        data[places + k] = (values >> 8 * k) & 0xFF

"""Packets as a capture file (.pcap) that every tool reads: Ethernet, IPv4 or IPv6, UDP.

Each packet becomes the shortest frame with its addresses, its ports and right checksums: 42 bytes
for IPv4, 62 for IPv6, and 16 more for the record [1]. Frames are made by all threads, a few
megabytes at a time.

[1] G. Harris, M. Richardson. PCAP Capture File Format. Internet-Draft draft-ietf-opsawg-pcap.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.operators import for_each
from edgewise.sensing.packets import WIDE, Packets, checked
from edgewise.sensing.records import output

__all__ = ["write_pcap"]

_PART = 1 << 17
_MICRO, _NANO, _ETHERNET = 0xA1B2C3D4, 0xA1B23C4D, 1
_UDP, _HOPS = 17, 64
_LATEST = 2**32 * 1_000_000_000


def write_pcap(
    packets: Iterable[Packets],
    path: str | os.PathLike | BinaryIO,
    *,
    nanoseconds: bool = False,
) -> int:
    """Write packets to a capture file (pcap) and return the number of packets written.

    Parameters
    ----------
    packets : iterable of Packets
        Batches in the order of the file, or one `Packets`, with IPv6 addresses in ``wide``. Packets
        without times are one microsecond apart from 1970 on. Packets without ports get port 9. All
        are written as UDP, whatever their protocol was.
    path : path or binary file
        The file to write. It appears only once it is complete. A suffix such as ``.gz`` or ``.zst``
        compresses it.
    nanoseconds : bool
        Whether to store times in nanoseconds; otherwise in microseconds, which older tools can
        read.

    Returns
    -------
    int
        The number of packets written.

    Examples
    --------
    >>> import io
    >>> ids, stream = np.arange(3, dtype=np.uint32), io.BytesIO()
    >>> write_pcap(Packets(ids, ids), stream), len(stream.getvalue())
    (3, 198)
    """
    batches = [packets] if isinstance(packets, Packets) else packets
    magic, unit = (_NANO, 1) if nanoseconds else (_MICRO, 1000)
    with output(path) as out:
        out.write(struct.pack("<IHHiIII", magic, 2, 4, 0, 0, 1 << 18, _ETHERNET))
        total = 0
        for one in map(checked, batches):
            for low in range(0, one.num_packets, _PART):
                part = one.cut(low, low + _PART)
                out.write(_frames(part, total, unit).data)
                total += part.num_packets
    return total


def _frames(packets: Packets, first: int, unit: int) -> np.ndarray:
    """The records of some packets, one after the other."""
    from edgewise.sensing.cpu.udp import Columns, Templates, fill

    source, destination = (np.asarray(ids).astype(np.uint64) for ids in packets[:2])
    time = packets.time
    if time is None:
        time = (first + np.arange(len(source))) * 1000
    table = np.empty((0, 2), np.uint64) if packets.wide is None else packets.wide
    far = _check(source, destination, time, len(table))
    sizes = np.where(far, len(_FRAMES[1]), len(_FRAMES[0]))
    starts = offsets(sizes)
    ports = [
        np.empty(0, np.uint16) if packets.source_port is None else np.array(one, np.uint16)
        for one in (packets.source_port, packets.destination_port)
    ]
    out = np.empty(starts[-1], np.uint8)
    columns = Columns(source, destination, np.array(time, np.int64), np.array(table), *ports)
    for_each(len(source), fill, (Templates(*_FRAMES, *_SUMS), starts, unit, columns, out))
    return out


def _check(source: np.ndarray, destination: np.ndarray, time: Any, rows: int) -> np.ndarray:
    """Which packets are IPv6; an error for what no capture can hold."""
    far = source >= WIDE
    if not np.array_equal(far, destination >= WIDE):
        raise ValueError("packets must have a source and a destination of the same family")
    for ids in (source, destination):
        known = np.where(far, ids < WIDE + rows, ids < 2**32)
        if not known.all():
            raise ValueError(
                "packets must have ids that are IPv4 addresses, or rows of the table of IPv6 "
                f"addresses, got {int(ids[~known][0])}"
            )
    if len(source) and not (time.min() >= 0 and time.max() < _LATEST):
        raise ValueError("packets must have times from 1970 to 2106, got others")
    return far


def _template(header: bytes, kind: int) -> np.ndarray:
    """A record and its frame, with zeros where packets differ."""
    frame = bytes(6) + bytes([2, 0, 0, 0, 0, 1]) + struct.pack(">H", kind)
    frame += header + struct.pack(">HHHH", 0, 0, 8, 0)
    record = struct.pack("<IIII", 0, 0, len(frame), len(frame))
    return np.frombuffer(record + frame, np.uint8)


_HEADERS = (
    struct.pack(">BBHHHBBHII", 0x45, 0, 28, 0, 0x4000, _HOPS, _UDP, 0, 0, 0),
    struct.pack(">IHBB32x", 6 << 28, 8, _UDP, _HOPS),
)
_FRAMES = (_template(_HEADERS[0], 0x0800), _template(_HEADERS[1], 0x86DD))
#: Of the words of IPv4's header, and of those of UDP's and what is counted with it over IPv6.
_SUMS = (np.uint64(sum(struct.unpack(">10H", _HEADERS[0]))), np.uint64(8 + 8 + _UDP))

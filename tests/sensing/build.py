"""Captures made byte by byte: addresses in frames of every link layer, in files of every format."""

from __future__ import annotations

import struct
from ipaddress import IPv6Address, ip_address

from edgewise.sensing.packets import WIDE

SECOND = 1_000_000_000


def ipv4(source, destination, protocol=17, payload=b"\x12\x34\x00\x35", *, options=b"", fragment=0):
    """A packet of IPv4; ``options`` are whole words. If it is too long to say it says 0."""
    size = 20 + len(options) + len(payload)
    head = struct.pack(
        ">BBHHHBBH4s4s", 0x45 + len(options) // 4, 0, size if size < 65536 else 0, 7, fragment,
        64, protocol, 0, ip_address(source).packed, ip_address(destination).packed,
    )  # fmt: skip
    return head + options + payload


def ipv6(source, destination, protocol=17, payload=b"\x12\x34\x00\x35", *, extensions=()):
    """A packet of IPv6; ``extensions`` are pairs of a number and the rest of that header."""
    numbers = [number for number, _ in extensions] + [protocol]
    rest = b"".join(
        bytes([after]) + body for (_, body), after in zip(extensions, numbers[1:], strict=True)
    )
    return struct.pack(
        ">IHBB16s16s", 6 << 28, len(rest) + len(payload), numbers[0], 64,
        ip_address(source).packed, ip_address(destination).packed,
    ) + rest + payload  # fmt: skip


def ethernet(packet, *tags, kind=None):
    """A frame of Ethernet, with VLAN tags of the given types."""
    kind = kind_of(packet) if kind is None else kind
    kinds = [*tags, kind]
    tagged = b"".join(struct.pack(">HH", 5, after) for after in kinds[1:])
    return bytes(12) + struct.pack(">H", kinds[0]) + tagged + packet


def cooked(packet, *tags):
    """A frame of Linux's cooked captures, version 1."""
    return struct.pack(">HHH8s", 0, 1, 6, bytes(8)) + ethernet(packet, *tags)[12:]


def cooked_2(packet):
    """The same, version 2."""
    return struct.pack(">HHIHBB8s", kind_of(packet), 0, 1, 1, 0, 6, bytes(8)) + packet


def loopback(packet, order=">", six=30):
    """A frame of a loopback interface."""
    return struct.pack(f"{order}I", 2 if packet[0] >> 4 == 4 else six) + packet


def kind_of(packet):
    return 0x0800 if packet[:1] and packet[0] >> 4 == 4 else 0x86DD


def pcap(frames, link=1, *, order="<", magic=0xA1B2C3D4, most=65535, version=(2, 4)):
    """A pcap file; a frame is bytes, or bytes and its time in nanoseconds."""
    unit = 1 if magic == 0xA1B23C4D else 1000
    parts = [struct.pack(f"{order}IHHiIII", magic, *version, 0, 0, most, link)]
    for frame, time in timed(frames):
        seconds, rest = divmod(time, SECOND)
        head = struct.pack(f"{order}IIII", seconds, rest // unit, len(frame), len(frame))
        parts += [head, bytes(8) if magic == 0xA1B2CD34 else b"", frame]
    return b"".join(parts)


def timed(frames):
    return [one if isinstance(one, tuple) else (one, i * SECOND) for i, one in enumerate(frames)]


def block(kind, body, order="<"):
    """A block of a pcapng file."""
    body += bytes(-len(body) % 4)
    size = struct.pack(f"{order}I", len(body) + 12)
    return struct.pack(f"{order}I", kind) + size + body + size


def section(order="<", options=b"", version=(1, 0)):
    head = struct.pack(f"{order}IHHq", 0x1A2B3C4D, *version, -1)
    return block(0x0A0D0D0A, head + options, order)


def option(code, value, order="<"):
    return struct.pack(f"{order}HH", code, len(value)) + value + bytes(-len(value) % 4)


def interface(link=1, order="<", options=b"", most=0):
    return block(1, struct.pack(f"{order}HHI", link, 0, most) + options, order)


def enhanced(frame, ticks=0, which=0, order="<", options=b""):
    words = (which, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame))
    return block(6, struct.pack(f"{order}5I", *words) + padded(frame) + options, order)


def simple(frame, order="<", size=None):
    size = len(frame) if size is None else size
    return block(3, struct.pack(f"{order}I", size) + frame, order)


def obsolete(frame, ticks=0, which=0, order="<"):
    words = (which, 0, ticks >> 32, ticks & 0xFFFFFFFF, len(frame), len(frame))
    return block(2, struct.pack(f"{order}HH4I", *words) + frame, order)


def padded(frame):
    return frame + bytes(-len(frame) % 4)


def pcapng(*blocks, order="<"):
    return section(order) + b"".join(blocks)


def ends(packets):
    """The addresses of packets as pairs of text."""

    def name(one):
        if one < WIDE:
            return str(ip_address(int(one)))
        high, low = packets.wide[int(one) - WIDE].tolist()
        return str(IPv6Address(high << 64 | low))

    return [(name(u), name(v)) for u, v in zip(*packets[:2], strict=True)]

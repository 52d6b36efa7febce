"""Packets as the bytes of a capture: Ethernet, IPv4 or IPv6, UDP, and nothing in it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined

__all__ = ["Columns", "Templates", "fill"]

_8, _16, _32, _WORD = map(np.uint64, (8, 16, 32, 0xFFFF))
_WIDE, _SECOND = np.uint64(1 << 63), 1_000_000_000
_RECORD, _IP, _DISCARD = 16, 30, np.uint64(9)


class Templates(NamedTuple):
    """A frame of IPv4 and one of IPv6 with zeros for addresses, ports, times and checksums.

    The sums are those of the 16-bit words that the checksum of IPv4's header, and of UDP over IPv6,
    is made from.
    """

    near: Any
    far: Any
    near_sum: np.uint64
    far_sum: np.uint64


class Columns(NamedTuple):
    """Packets by column; ``wide`` are the IPv6 addresses, and there may be no ports."""

    source: Any
    destination: Any
    time: Any
    wide: Any
    source_port: Any
    destination_port: Any


@inlined
def fill(i, templates, starts, unit, packets, out):
    """Write frame i to ``out`` from ``starts[i]`` on: a template, then what is its own.

    ``unit`` is the nanoseconds in a unit of the fraction of a second.
    """
    source, destination, time, wide, ports, far_ports = packets
    near, far, near_sum, far_sum = templates
    at, ip = starts[i], starts[i] + _IP
    port, far_port = _DISCARD, _DISCARD
    if len(ports):
        port, far_port = np.uint64(ports[i]), np.uint64(far_ports[i])
    template = near if source[i] < _WIDE else far
    for j in range(len(template)):
        out[at + j] = template[j]
    little(out, at, np.uint64(time[i] // _SECOND))
    little(out, at + 4, np.uint64(time[i] % _SECOND // unit))
    if source[i] < _WIDE:
        big(out, ip + 12, source[i], 4)
        big(out, ip + 16, destination[i], 4)
        both = near_sum + words(source[i]) + words(destination[i])
        big(out, ip + 10, checksum(both), 2)
        ip += 20
    else:
        both = far_sum + port + far_port
        for k, host in enumerate((source[i], destination[i])):
            for half in range(2):
                word = wide[np.int64(host ^ _WIDE), half]
                big(out, ip + 8 + 16 * k + 8 * half, word, 8)
                both += words(word)
        check = checksum(both)
        big(out, ip + 46, check if check else _WORD, 2)  # 0 stands for none
        ip += 40
    big(out, ip, port, 2)
    big(out, ip + 2, far_port, 2)


@inlined
def checksum(total):
    """The Internet checksum of words with this sum."""
    for _ in range(4):
        total = (total & _WORD) + (total >> _16)
    return ~total & _WORD


@inlined
def words(value):
    """The sum of the four 16-bit words of a number."""
    return (
        (value & _WORD) + (value >> _16 & _WORD) + (value >> _32 & _WORD) + (value >> np.uint64(48))
    )


@inlined
def little(out, at, value):
    """Four bytes, the lowest first."""
    for j in range(4):
        out[at + j] = np.uint8(value >> np.uint64(8 * j))


@inlined
def big(out, at, value, size):
    """The lowest ``size`` bytes of a number, the highest first."""
    for j in range(size):
        out[at + j] = np.uint8(value >> np.uint64(8 * (size - 1 - j)))

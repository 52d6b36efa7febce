"""Formats of captures: pcap, of either order of bytes and micro- or nanoseconds, and pcapng.

A format goes through the content with a compiled walk (`edgewise.sensing.cpu.pcap`, `.pcapng`) that
finds frames until there is no space for more, the data at hand ends, or something cannot be; and
puts that into words.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.base.parallel import launch
from edgewise.sensing.capture_bytes import Content

__all__ = ["Pcap", "Pcapng", "Step", "is_capture", "open_capture"]

#: The first word of a pcap file: nanoseconds that a fraction counts, bytes of a record's header.
_PCAP = {0xA1B2C3D4: (1000, 16), 0xA1B23C4D: (1, 16), 0xA1B2CD34: (1000, 24)}
_SECTION = b"\n\r\r\n"
_INTERFACES = 1 << 16  # of a section; more are not believed
_USUAL_MOST = 1 << 18  # bytes of a frame, if the file does not say more


class Step(NamedTuple):
    """What a walk found: so many frames, up to this place."""

    found: int
    at: int
    short: bool  #: is the next record not all there?
    fault: str | None = None  #: what is wrong with the next record, if anything


def is_capture(head: bytes) -> bool:
    """Are these the first bytes of a capture?

    >>> is_capture(bytes.fromhex("d4c3b2a1")), is_capture(b"PK..")
    (True, False)
    """
    return head[:4] == _SECTION or _order(head) is not None


def open_capture(content: Content) -> Pcap | Pcapng:
    """The format of a capture."""
    head = content.data[:4].tobytes()
    if head == _SECTION:
        return Pcapng()
    order = _order(head)
    if order is None:
        reason = "cut short in its first bytes" if head else "an empty file"
        raise FileFormatError(content.name, content.broken or reason, offset=0)
    return Pcap(content, order)


def _order(head: bytes) -> str | None:
    """The order of bytes of a pcap file by its first word."""
    for order in "<>":
        if len(head) >= 4 and struct.unpack(f"{order}I", head[:4])[0] in _PCAP:
            return order
    return None


class Pcap:
    """A pcap file: a header of 24 bytes, then records."""

    def __init__(self, content: Content, order: str):
        head = content.data[:24].tobytes()
        if len(head) < 24:
            reason = content.broken or "cut short in the header of the file"
            raise FileFormatError(content.name, reason, offset=0)
        magic, major, minor, most, link = struct.unpack(f"{order}IHH8xII", head)
        if major != 2:
            reason = f"version {major}.{minor} of pcap is not known, only 2"
            raise FileFormatError(content.name, reason, offset=4)
        from edgewise.sensing.cpu.pcap import STATE, Records
        from edgewise.sensing.cpu.pcapng import LARGEST

        self.start = 24
        unit, header = _PCAP[magic]
        largest = max(_USUAL_MOST, min(most, LARGEST))
        self._records = Records(order == ">", unit, header, largest, link & 0xFFFF)
        self._state = np.zeros(STATE, np.int64)

    def walk(self, content: Content, at: int, frames: Any, capacity: int) -> Step:
        """Find up to ``capacity`` frames from byte ``at`` of the data at hand on."""
        from edgewise.sensing.cpu import pcap

        self._state[pcap.AT] = at
        walk = (content.data, self._records, capacity, frames, self._state)
        launch(pcap.walk_records, *walk, work=capacity, team=1)
        at, count, status = map(int, self._state[:3])
        fault = None
        if status == pcap.HUGE:
            order = ">" if self._records.big else "<"
            (size,) = struct.unpack(f"{order}I", content.data[at + 8 : at + 12].tobytes())
            most = self._records.largest
            fault = f"a record claims a frame of {size} bytes, more than the largest of {most}"
        return Step(count, at, status == pcap.SHORT, fault)


class Pcapng:
    """A pcapng file: blocks."""

    def __init__(self) -> None:
        from edgewise.sensing.cpu import pcapng

        self.start = 0
        self._interfaces = np.zeros((16, pcapng.FIELDS), np.int64)
        self._state = np.zeros(pcapng.STATE, np.int64)

    def walk(self, content: Content, at: int, frames: Any, capacity: int) -> Step:
        """Find up to ``capacity`` frames from byte ``at`` of the data at hand on."""
        from edgewise.sensing.cpu import pcap, pcapng

        self._state[pcap.AT] = at
        walk = (content.data, capacity, self._interfaces, frames, self._state)
        launch(pcapng.walk_blocks, *walk, work=capacity, team=1)
        at, count, status = map(int, self._state[:3])
        if status == pcapng.FULL and len(self._interfaces) < _INTERFACES:
            status = pcap.FILLED
            self._interfaces = np.concatenate([self._interfaces, np.zeros_like(self._interfaces)])
        return Step(count, at, status == pcap.SHORT, _fault(status))


def _fault(status: int) -> str | None:
    """What is wrong with a block, if anything."""
    from edgewise.sensing.cpu import pcapng

    return {
        pcapng.FULL: f"a section of more than {_INTERFACES} interfaces",
        pcapng.SIZE: "a block has a length that no block has",
        pcapng.TAIL: "the two lengths of a block differ",
        pcapng.ORDER: "a section has no mark for the order of bytes",
        pcapng.VERSION: "a section of a version that is not known, only 1",
        pcapng.BODY: "a block is too short for what it is",
        pcapng.OPTION: "an option is longer than its block",
        pcapng.CLOCK: "an interface has a clock finer than 10**-18 or 2**-62 seconds",
        pcapng.INTERFACE: "a packet of an interface that was not described",
        pcapng.CAPTURED: "a packet is longer than its block",
    }.get(status)

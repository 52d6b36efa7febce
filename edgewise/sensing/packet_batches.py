"""Batches of packets under way: arrays that fill up, and what is counted meanwhile."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.base.parallel import launch
from edgewise.sensing.packets import WIDE, Packets
from edgewise.sensing.unread import link_of, name_of

__all__ = ["Batch", "Options", "Tally"]

_FRAMES = 1 << 13  # at a time: what a walk has touched is still in the cache for the decoder


@dataclass
class Tally:
    """Counts of the packets and files read so far, updated during reading."""

    files: int = 0  #: files opened
    bytes_read: int = 0  #: bytes as stored in the files, compressed or not
    packets: int = 0  #: all captured packets: the sum of the next four counts
    ipv4: int = 0
    ipv6: int = 0
    other: int = 0  #: packets without an IP header, such as ARP; see ``unread``
    cut: int = 0  #: packets truncated before the end of their addresses
    damaged: int = 0  #: bytes skipped, from the damaged place of a file to its end
    damage: list[FileFormatError] = field(default_factory=list)  #: the errors of damaged files
    unread: dict[str, int] = field(default_factory=dict)  #: the kinds of the ``other`` packets


class Options(NamedTuple):
    """What is asked for."""

    family: str
    batch: int
    times: bool
    ports: bool
    inner: bool = False  #: addresses of the innermost tunnel


class Batch:
    """Buffers for the packets of one batch, and the batch when it is full.

    Frames that a walk has found are in ``frames``; `take` decodes them.
    """

    def __init__(self, options: Options, tally: Tally):
        from edgewise.sensing.cpu import frames

        self.options, self.tally = options, tally
        self.unknown: dict[int, int] = {}  # packets of link layers that are not read
        capacity = min(_FRAMES, options.batch)
        self.frames, self._unread = frames.new_frames(capacity), np.empty(capacity, np.int32)
        self._counts = np.zeros(frames.COUNTS, np.int64)
        six = 0 if options.family == "ipv4" else options.batch
        self._far, self._table = np.empty(six, np.int64), np.empty((2 * six, 2), np.uint64)
        self._slots = np.empty(frames.SLOTS, np.int64)
        self._renew()

    @property
    def filled(self) -> int:
        """How many packets there are."""
        return int(self._counts[0])

    @property
    def free(self) -> int:
        """For how many frames there is space."""
        return min(len(self.frames.start), self.options.batch - self.filled)

    def take(self, data: np.ndarray, count: int) -> None:
        """Add the packets of the first ``count`` of ``frames``, which are in ``data``."""
        from edgewise.sensing.cpu import frames

        family, deep = self.options.family, self.options.inner
        wanted = frames.Wanted(family != "ipv6", family != "ipv4", deep)
        launch(frames.decode, data, self.frames, count, wanted, self._rows, self._counts,
               work=count, team=1)  # fmt: skip
        tally, counts = self.tally, self._counts.tolist()
        tally.packets += count
        tally.ipv4 += counts[frames.IPV4]
        tally.ipv6 += counts[frames.IPV6]
        tally.other += counts[frames.OTHER]
        tally.cut += counts[frames.CUT]
        for kind, many in Counter(self._unread[: counts[frames.OTHER]].tolist()).items():
            name, link = name_of(kind), link_of(kind)
            tally.unread[name] = tally.unread.get(name, 0) + many
            if link is not None:
                self.unknown[link] = self.unknown.get(link, 0) + many
        self._counts[frames.IPV4 :] = 0

    def packets(self) -> Packets:
        """The packets so far; the next ones go to new arrays."""
        rows, (count, far, used) = self._rows, self._counts[:3].tolist()
        source, destination = rows.source[:count], rows.destination[:count]
        wide = None
        if far:
            wide, places = self._table[:used].copy(), self._far[:far]
            source, destination = source.astype(np.uint64), destination.astype(np.uint64)
            source[places] |= np.uint64(WIDE)
            destination[places] |= np.uint64(WIDE)
        time = rows.time[:count] if self.options.times else None
        ports = (rows.protocol, rows.source_port, rows.destination_port)
        self._renew()
        return Packets(
            source, destination, time, wide,
            *(column[:count] if self.options.ports else None for column in ports),
        )  # fmt: skip

    def chosen(self, packets: Packets) -> Packets:
        """Count packets that were read elsewhere, and keep those that are asked for."""
        far = packets.source >= WIDE if packets.source.dtype == np.uint64 else None
        six = 0 if far is None else int(np.count_nonzero(far))
        self.tally.packets += packets.num_packets
        self.tally.ipv6 += six
        self.tally.ipv4 += packets.num_packets - six
        if self.options.family == "ip" or (far is None and self.options.family == "ipv4"):
            return packets
        if far is None:
            return packets.cut(0, 0)
        if self.options.family == "ipv6":
            return packets.where(far)
        four = packets.where(~far)
        source, destination = (ids.astype(np.uint32) for ids in four[:2])
        return Packets(source, destination, four.time)

    def _renew(self) -> None:
        """New arrays; those of addresses are used again."""
        from edgewise.sensing.cpu import frames

        size, options = self.options.batch, self.options
        ported = size if options.ports else 0
        source, destination = np.empty((2, size), np.uint32)
        time = np.empty(size if options.times else 0, np.int64)
        protocol, (first, second) = np.empty(ported, np.uint8), np.empty((2, ported), np.uint16)
        self._rows = frames.Rows(
            *(source, destination, time, protocol, first, second),
            *(self._far, self._table, self._slots, self._unread),
        )
        self._slots[:] = -1
        self._counts[:] = 0

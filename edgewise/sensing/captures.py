"""Packets of captures: pcap and pcapng files, compressed or not, and packet records.

A file is mapped, or streamed where it is compressed or a pipe. A compiled walk finds frames, a
compiled decoder their addresses (`edgewise.sensing.cpu`); both look at every length before they
believe it. A pass touches the headers of each packet once; memory is that of a few batches.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.base.errors import FileFormatError
from edgewise.io.files import compression
from edgewise.sensing.capture_bytes import Content, Mapped, Reader, open_content
from edgewise.sensing.formats import is_capture, open_capture
from edgewise.sensing.packet_batches import Batch, Options, Tally
from edgewise.sensing.packets import WIDE, Packets
from edgewise.sensing.records import is_records, iter_records

__all__ = ["Tally", "iter_packets", "read_packets"]

_FAMILIES = ("ip", "ipv4", "ipv6")
ADDRESSES = ("outer", "inner")
_CUT = "cut short: the file ends inside of this record"


def iter_packets(
    files: Any,
    *,
    family: str = "ip",
    batch_size: int = 1 << 20,
    times: bool = True,
    ports: bool = False,
    addresses: str = "outer",
    on_bad_file: str = "raise",
    progress: Callable[[int, int | None], Any] | None = None,
    tally: Tally | None = None,
) -> Iterator[Packets]:
    """Return an iterator over batches of packets from captures, in the order of the files.

    Parameters
    ----------
    files : path, binary stream, or iterable of these
        Captures (pcap, pcapng) and packet records, plain or compressed (gzip, Zstandard, bzip2,
        xz). The format is detected from the first bytes, not from the name. A plain file is
        memory-mapped and must not be truncated during reading.
    family : {"ip", "ipv4", "ipv6"}
        Which packets to return; other packets are only counted.
    batch_size : int
        The maximum number of packets per batch.
    times : bool
        Whether to return times. Packet records may have none.
    ports : bool
        Whether to return protocols and ports. Packet records, which have none, raise an error.
    addresses : {"outer", "inner"}
        Which addresses of tunneled packets (IP in IP, GRE, VXLAN, Geneve, GTP-U) to return: those
        of the outermost IP header, which are the ends of the tunnel, or those of the innermost.
    on_bad_file : {"raise", "skip"}
        What to do if a file is damaged or truncated. "raise" raises the error. "skip" keeps the
        packets before the damage, records the error in ``tally``, and continues with the next file.
    progress : callable, optional
        Called as ``progress(done, total)`` after each batch and each file, with numbers of bytes;
        the total is None if a file is a stream.
    tally : Tally, optional
        Filled with counts.

    Yields
    ------
    Packets
        Ids are uint32 in a batch without IPv6. Otherwise, ids from ``2**63`` on are rows of the
        table ``wide``: see `assign_ids`.

    Raises
    ------
    FileFormatError
        If a file is not a capture, or is damaged. The message names the file, the byte and the
        reason.

    Warns
    -----
    UserWarning
        If packets have an unsupported link layer, with their share. ``tally.unread`` lists all
        kinds of packets without an IP header.

    Examples
    --------
    >>> import io, struct
    >>> capture = struct.pack("<IHH8xII", 0xA1B2C3D4, 2, 4, 65535, 101)  # a pcap of raw IP
    >>> packet = bytes.fromhex("4500001400000000401100000a0000010a000002")
    >>> capture += 3 * (struct.pack("<IIII", 1600000000, 0, 20, 20) + packet)
    >>> [packets] = iter_packets(io.BytesIO(capture))
    >>> packets.source.tolist(), packets.destination[0] - packets.source[0]
    ([167772161, 167772161, 167772161], np.uint32(1))
    >>> tally = Tally()
    >>> [packets] = iter_packets(io.BytesIO(capture[:-1]), on_bad_file="skip", tally=tally)
    >>> packets.num_packets, tally.packets, tally.damaged
    (2, 2, 35)
    """
    listed = _listed(files)
    batch_size = check_count(batch_size, "batch_size", 1, 1 << 30)
    family = check_choice(family, "family", _FAMILIES)
    keep = check_choice(on_bad_file, "on_bad_file", ("raise", "skip")) == "skip"
    inner = check_choice(addresses, "addresses", ADDRESSES) == "inner"
    flags = check_flag(times, "times"), check_flag(ports, "ports")
    options = Options(family, batch_size, *flags, inner)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function or None, got {progress!r:.80}")
    return _packets(listed, options, keep, progress, Tally() if tally is None else tally)


def read_packets(files: Any, **options: Any) -> Packets:
    """Return all packets of captures as one batch; see `iter_packets` for the options.

    Examples
    --------
    >>> import io, struct
    >>> capture = struct.pack("<IHH8xII", 0xA1B2C3D4, 2, 4, 65535, 101)
    >>> read_packets(io.BytesIO(capture)).num_packets
    0
    """
    batches = list(iter_packets(files, **options))
    if not batches:
        wanted = Options("ip", 1, options.get("times", True), options.get("ports", False))
        return Batch(wanted, Tally()).packets()
    return batches[0] if len(batches) == 1 else _joined(batches)


def _listed(files: Any) -> list[Any]:
    """One file or many as a list; paths must exist."""
    if isinstance(files, (str, os.PathLike)) or hasattr(files, "read"):
        files = [files]
    if not isinstance(files, Iterable):
        raise TypeError(f"files must be a path, a binary stream or several, got {files!r}")
    listed = list(files)
    for file in listed:
        if isinstance(file, (str, os.PathLike)):
            path = Path(file)
            if path.is_dir():
                raise IsADirectoryError(f"{path} is a folder, not a capture")
            if not path.exists():
                raise FileNotFoundError(f"there is no file {path}")
        elif not hasattr(file, "read"):
            raise TypeError(f"files must be paths or binary streams, got {file!r}")
    return listed


def _packets(
    files: list[Any], options: Options, keep: bool, progress: Any, tally: Tally
) -> Iterator[Packets]:
    """The batches of file after file; one batch may hold packets of several."""
    batch, done, before = Batch(options, tally), 0, tally.bytes_read
    whole = all(not hasattr(file, "read") and Path(file).is_file() for file in files)
    total = sum(Path(file).stat().st_size for file in files) if whole else None

    def told(read: int) -> None:
        tally.bytes_read = before + done + read
        if progress is not None:
            progress(done + read, total)

    for file in files:
        with open_content(file) as content:
            tally.files += 1
            _check_known(content)
            try:
                for packets, at in _content_packets(content, file, batch):
                    told(content.passed(at))
                    yield packets
            except FileFormatError as error:
                if not keep:
                    raise
                tally.damaged += _length(content) - (error.offset or 0)
                tally.damage.append(error)
            told(content.passed(len(content.data)))
            done = tally.bytes_read - before
    if batch.filled:
        yield batch.packets()


def _check_known(content: Content) -> None:
    """Refuse what is no capture, which is another thing than a damaged one."""
    head = content.data[:8].tobytes()
    if len(head) >= 4 and not (is_capture(head) or is_records(head)):
        reason = "no capture: it begins neither as pcap nor as pcapng or packet records do"
        raise FileFormatError(content.name, reason, offset=0)  # its bytes may be those of a key


def _content_packets(content: Content, file: Any, batch: Batch) -> Iterator[tuple[Packets, int]]:
    """The batches that one file fills, and the place up to where it was read for each."""
    if is_records(content.data[:8].tobytes()):
        if batch.filled:
            yield batch.packets(), 0
        yield from _record_packets(content, file, batch)
        return
    form = open_capture(content)
    at, fault = form.start, None
    while fault is None:
        step = form.walk(content, at, batch.frames, batch.free)
        batch.take(content.data, step.found)
        at, fault = step.at, step.fault
        content.passed(at)
        if batch.free == 0:
            yield batch.packets(), at
        if step.short:
            if not content.more(at):
                fault = content.broken or (_CUT if at < len(content.data) else None)
                break
            at = 0
    _warn_of_links(content, batch)
    if fault is not None:
        raise FileFormatError(content.name, fault, offset=content.base + at)


def _record_packets(content: Content, file: Any, batch: Batch) -> Iterator[tuple[Packets, int]]:
    """The same of packet records: a map of a plain file gives them without a copy."""
    if batch.options.ports:
        raise ValueError(f"ports must be False for packet records, which have none: {content.name}")
    plain = isinstance(content, Mapped) and compression(file) is None
    source: Any = file if plain else Reader(content)
    at = 0
    for packets in iter_records(source, batch_size=batch.options.batch, times=batch.options.times):
        at += sum(column.nbytes for column in packets[:3] if column is not None)
        packets = batch.chosen(packets)
        if packets.num_packets:
            yield packets, min(at, len(content.data)) if plain else 0


def _length(content: Content) -> int:
    """The bytes of the content, as far as they can be had."""
    while content.more(len(content.data)):
        pass
    return content.base + len(content.data)


def _warn_of_links(content: Content, batch: Batch) -> None:
    """Warn of packets whose link layer is not read, with their share of all that were read."""
    if batch.unknown:
        shown = ", ".join(map(str, sorted(batch.unknown)[:5]))
        share = f"{sum(batch.unknown.values()):,} of {batch.tally.packets:,} so far"
        batch.unknown.clear()
        warnings.warn(
            f"{content.name}: packets of link layer {shown} are counted, not read ({share})",
            stacklevel=4,
        )


def _joined(batches: list[Packets]) -> Packets:
    """Batches as one; rows of a table are counted on from the tables before."""
    if len({packets.time is None for packets in batches}) > 1:
        raise ValueError("times must be False where some files have times and others have none")
    ends: list[list[np.ndarray]] = [[], []]
    tables, rows = [], 0
    for packets in batches:
        for column, ids in zip(ends, packets[:2], strict=True):
            if rows and packets.wide is not None:
                ids = np.where(ids >= WIDE, ids + np.uint64(rows), ids)
            column.append(ids)
        if packets.wide is not None:
            tables.append(packets.wide)
            rows += len(packets.wide)
    rest = (
        None if one[0] is None else np.concatenate(one)
        for one in zip(*(packets[4:] for packets in batches), strict=True)
    )
    source, destination = map(np.concatenate, ends)
    times = None if batches[0].time is None else np.concatenate([one.time for one in batches])
    wide = np.concatenate(tables) if tables else None
    return Packets(source, destination, times, wide, *rest)

"""Packet records: packets as columns in a file that opens by memory map, without a copy.

A header, then blocks of up to 2**20 packets, each with a header and its columns one after the
other, then an end that says how many packets there are: a file that was cut short is noticed even
between two blocks. Headers have 64 bytes, columns begin at multiples of 64 and are filled up with
zeros. All numbers are little-endian.

    offset  header of the file
    0       magic: 89 'E' 'W' 'P' 0D 0A 1A 0A
    8       version: uint16, 1; then zeros

    offset  header of a block
    0       'PKTS', or 'END.' for the end, which has no columns
    4       bytes of an id: uint16, 4 or 8
    6       uint16, 1 if there are times
    8       number of packets: int64; of the whole file at the end
    16      rows of the table of IPv6 addresses: int64
    24      sums of the columns source, destination, time and table: four uint64
    56      CRC-32 of the 56 bytes before it: uint32; then zeros

    column       items  dtype
    source       n      uint32 or uint64, by the bytes of an id
    destination  n      as source
    time         n      int64, nanoseconds since 1970; may be missing
    table        k, 2   uint64: the IPv6 addresses that ids of this block refer to (`Packets.wide`)

The sum of a column is that of its 64-bit words, at the speed of memory: it finds a changed byte,
not an attacker, and is computed for the columns that are read. Ports and protocols have no column.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.errors import FileFormatError
from edgewise.io.archives import decompress
from edgewise.io.files import atomic_write, compression, map_bytes
from edgewise.sensing.packets import WIDE, Packets, checked

__all__ = ["MAGIC", "count_records", "is_records", "iter_records", "output", "write_records"]

#: The first bytes of a file of packet records.
MAGIC = b"\x89EWP\r\n\x1a\n"

_VERSION, _SIZE, _BLOCK = 1, 64, 1 << 20
_START, _HEAD = struct.Struct("<8sH54x"), struct.Struct("<4sHHqqQQQQ")
_MARK, _END = b"PKTS", b"END."


def iter_records(
    file: str | os.PathLike | BinaryIO,
    *,
    batch_size: int = _BLOCK,
    times: bool = True,
    verify: bool = True,
) -> Iterator[Packets]:
    """Return an iterator over batches of packets from a file of records, as read-only views.

    Parameters
    ----------
    file : path or binary file
        A plain file is memory-mapped; one with a compression suffix is decompressed during reading.
        An open file is read from its current position and need not be seekable.
    batch_size : int
        The maximum number of packets per batch. A batch never spans two blocks of the file.
    times : bool
        Whether to read the times, if there are any; otherwise their column is skipped.
    verify : bool
        Whether to verify the checksums of the columns. Lengths are always checked.

    Yields
    ------
    Packets
        ``wide`` holds the IPv6 addresses of the block, if it has any.

    Raises
    ------
    FileFormatError
        If the file is not a file of records, is truncated or damaged, with the byte offset. Packets
        returned before the error are valid.

    Examples
    --------
    >>> import tempfile
    >>> ids = np.arange(5, dtype=np.uint32)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     total = write_records([Packets(ids, ids[::-1])], f"{folder}/a.packets")
    ...     batches = iter_records(f"{folder}/a.packets", batch_size=3)
    ...     total, [part.source.tolist() for part in batches]
    (5, [[0, 1, 2], [3, 4]])
    """
    batch_size = check_count(batch_size, "batch_size", 1)
    if not isinstance(file, (str, os.PathLike)):
        source = _Source(str(getattr(file, "name", "packet records")), _stream(file.read))
        yield from _batches(source, batch_size, times, verify)
    elif (suffix := compression(file)) is None:
        source = _Source(str(file), _memory(map_bytes(file)))
        yield from _batches(source, batch_size, times, verify)
    else:
        with open(file, "rb") as raw:
            source = _Source(str(file), _stream(_reader(str(file), decompress(raw, suffix))))
            yield from _batches(source, batch_size, times, verify)


def write_records(packets: Iterable[Packets], path: str | os.PathLike | BinaryIO) -> int:
    """Write packets to a file of records and return the number of packets written.

    Parameters
    ----------
    packets : iterable of Packets
        Batches in the order of the file, or one `Packets`. Ports and protocols are not stored.
    path : path or binary file
        The file to write. It appears only once it is complete. A suffix such as ``.gz`` or ``.zst``
        compresses it.

    Returns
    -------
    int
        The number of packets written.

    Examples
    --------
    >>> import io
    >>> ids, stream = np.arange(3, dtype=np.uint32), io.BytesIO()
    >>> write_records(Packets(ids, ids, time=np.arange(3)), stream)
    3
    >>> stream.seek(0)
    0
    >>> next(iter_records(stream)).time.tolist()
    [0, 1, 2]
    """
    batches = [packets] if isinstance(packets, Packets) else packets
    with output(path) as out:
        out.write(_START.pack(MAGIC, _VERSION))
        total = 0
        for one in map(checked, batches):
            for low in range(0, one.num_packets, _BLOCK):
                _write_block(out, _on_host(one.cut(low, low + _BLOCK)))
            total += one.num_packets
        out.write(_sealed(_HEAD.pack(_END, 0, 0, total, 0, 0, 0, 0, 0)))
    return total


def output(file: str | os.PathLike | BinaryIO) -> AbstractContextManager[BinaryIO]:
    """What to write to: a file that appears whole or not at all, or the open one that is given."""
    return atomic_write(file) if isinstance(file, (str, os.PathLike)) else nullcontext(file)


def is_records(start: bytes) -> bool:
    """Do these bytes begin a file of packet records?

    >>> is_records(MAGIC + b"..."), is_records(b"PK")
    (True, False)
    """
    return bytes(start[: len(MAGIC)]) == MAGIC


def count_records(file: Any) -> int | None:
    """How many packets a plain file of records says at its end it has; None for other files."""
    if not isinstance(file, (str, os.PathLike)) or compression(file) is not None:
        return None
    data = map_bytes(file)
    last = data[-_SIZE:].tobytes()
    if not is_records(data[:_SIZE].tobytes()) or last != _sealed(last[: _HEAD.size]):
        return None
    mark, _, _, count, *_ = _HEAD.unpack_from(last)
    return count if mark == _END else None


class _Source(NamedTuple):
    """Where bytes come from: ``take(count)`` gives the next ones, fewer at the end."""

    name: str
    take: Callable[[int], np.ndarray]


class _Block(NamedTuple):
    """What the header of a block says, and at which byte its columns begin."""

    width: int
    timed: bool
    packets: int
    rows: int
    sums: tuple[int, ...]
    offset: int


def _batches(source: _Source, batch: int, times: bool, verify: bool) -> Iterator[Packets]:
    """The blocks of a file in parts of at most ``batch`` packets."""
    _check_start(source)
    seen, offset = 0, _SIZE
    while True:
        head = source.take(_SIZE).tobytes()
        block = _opened(source, head, offset)
        if block is None:
            break
        offset += _SIZE
        packets, offset = _columns(source, block, times, verify)
        for low in range(0, block.packets, batch):
            yield packets.cut(low, low + batch)
        seen += block.packets
    said = _HEAD.unpack_from(head)[3]
    if said != seen:
        raise _wrong(source, f"the end says {said} packets, and {seen} came before", offset)
    if source.take(1).size:
        raise _wrong(source, "there is more after the end of the records", offset + _SIZE)


def _check_start(source: _Source) -> None:
    start = source.take(_SIZE).tobytes()
    if not is_records(start):
        raise _wrong(source, "no packet records: the first bytes are not theirs", 0)
    if len(start) < _SIZE:
        raise _wrong(source, "cut short in the header of the file", len(start))
    version = _START.unpack(start)[1]
    if version != _VERSION:
        raise _wrong(source, f"version {version} of packet records, known is {_VERSION}", 8)
    if start != _START.pack(MAGIC, _VERSION):
        raise _wrong(source, "the header of the file is damaged", 10)


def _opened(source: _Source, head: bytes, offset: int) -> _Block | None:
    """The header of a block, every number checked; None for the end."""
    if len(head) < _SIZE:
        raise _wrong(source, "cut short: no block and no end of the records", offset + len(head))
    mark, width, columns, count, rows, *sums = _HEAD.unpack_from(head)
    if head != _sealed(head[: _HEAD.size]):
        raise _wrong(source, "the header of a block is damaged", offset)
    if mark == _END:
        return None
    sound = mark == _MARK and width in (4, 8) and columns in (0, 1) and 0 < count <= _BLOCK
    if not sound or not 0 <= rows <= (2 * count if width == 8 else 0):
        raise _wrong(source, "the header of a block says what cannot be", offset)
    return _Block(width, columns == 1, count, rows, tuple(sums), offset + _SIZE)


def _columns(source: _Source, block: _Block, times: bool, verify: bool) -> tuple[Packets, int]:
    """The packets of a block, and where it ends."""
    ids = f"<u{block.width}"
    kinds = [("source", ids, block.packets), ("destination", ids, block.packets)]
    kinds += [("time", "<i8", block.packets)] if block.timed else []
    kinds += [("table", "<u8", 2 * block.rows)] if block.rows else []
    found, offset = {}, block.offset
    for name, dtype, items in kinds:
        size = items * np.dtype(dtype).itemsize
        data = source.take(_filled(size))
        if data.size < _filled(size):
            raise _wrong(source, f"cut short in the column {name!r}", offset + data.size)
        if name != "time" or times:
            expected = block.sums[_COLUMNS.index(name)]
            if verify and _sum(data) != expected:
                raise _wrong(source, f"the column {name!r} of {size} bytes is damaged", offset)
            found[name] = data[:size].view(dtype)
        offset += _filled(size)
    table = found["table"].reshape(-1, 2) if block.rows else None
    if table is not None:
        last = max(int(found[name].max()) for name in ("source", "destination"))
        if last >= WIDE + block.rows:
            raise _wrong(source, "an id refers to an address that is not there", block.offset)
    return Packets(found["source"], found["destination"], found.get("time"), table), offset


_COLUMNS = ("source", "destination", "time", "table")


def _on_host(packets: Packets) -> Packets:
    """Ends, times and addresses of packets in host memory."""
    source, destination, time, wide = map(_host, packets[:4])
    return Packets(source, destination, time, None if wide is not None and not len(wide) else wide)


def _host(column: Any) -> Any:
    """A column in host memory, where it may be already."""
    return column.get() if hasattr(column, "get") else column


def _write_block(out: Any, packets: Packets) -> None:
    """One block: the header, with the sums, then the columns."""
    wide = packets.wide
    if wide is not None and len(wide) > 2 * packets.num_packets:
        packets = _narrowed(packets)
        wide = packets.wide
    columns = [packets.source, packets.destination, packets.time, wide]
    width = packets.source.itemsize
    kinds = (f"<u{width}", f"<u{width}", "<i8", "<u8")
    data = [
        None if column is None else _bytes(column, kind)
        for column, kind in zip(columns, kinds, strict=True)
    ]
    sums = (0 if one is None else _sum(one) for one in data)
    rows = 0 if wide is None else len(wide)
    timed = packets.time is not None
    out.write(_sealed(_HEAD.pack(_MARK, width, timed, packets.num_packets, rows, *sums)))
    for one in data:
        if one is not None:
            out.write(one.data)
            out.write(bytes(_filled(one.size) - one.size))


def _narrowed(packets: Packets) -> Packets:
    """The same packets with the addresses alone that they refer to: parts share a table."""
    used = np.zeros(len(packets.wide), bool)
    ends = [packets.source.copy(), packets.destination.copy()]
    far = [ids >= WIDE for ids in ends]
    rows = [
        (ids[one] ^ np.uint64(WIDE)).astype(np.int64) for ids, one in zip(ends, far, strict=True)
    ]
    for row in rows:
        used[row] = True
    place = np.cumsum(used) - 1
    for ids, one, row in zip(ends, far, rows, strict=True):
        ids[one] = place[row].astype(np.uint64) | np.uint64(WIDE)
    wide = packets.wide[used]
    return packets._replace(source=ends[0], destination=ends[1], wide=wide if len(wide) else None)


def _bytes(column: np.ndarray, kind: str) -> np.ndarray:
    return np.ascontiguousarray(column, kind).reshape(-1).view(np.uint8)


def _sum(data: np.ndarray) -> int:
    """The sum of the 64-bit words of some bytes; what is missing to the last word is zero."""
    whole = data.size & -8
    rest = data[whole:].tobytes()
    first = int(np.add.reduce(data[:whole].view("<u8"), dtype=np.uint64))
    return (first + int.from_bytes(rest, "little")) & 0xFFFFFFFFFFFFFFFF


def _sealed(head: bytes) -> bytes:
    """A header of a block with its checksum behind."""
    return head + struct.pack("<II", zlib.crc32(head), 0)


def _filled(size: int) -> int:
    """``size`` up to the next multiple of 64."""
    return (size + _SIZE - 1) // _SIZE * _SIZE


def _memory(data: np.ndarray) -> Callable[[int], np.ndarray]:
    """Bytes that are all there, as views."""
    place = 0

    def take(count: int) -> np.ndarray:
        nonlocal place
        part = data[place : place + count]
        place += part.size
        return part

    return take


def _stream(read: Callable[[int], Any]) -> Callable[[int], np.ndarray]:
    """Bytes of an open file, which may give fewer at a time than asked for."""

    def take(count: int) -> np.ndarray:
        found = bytearray()
        while len(found) < count and (part := read(count - len(found))):
            found += part
        data = np.frombuffer(found, np.uint8)
        data.flags.writeable = False
        return data

    return take


def _reader(path: str, parts: Iterator[Any]) -> Callable[[int], bytes]:
    """The content of an archive, which comes in parts of any size, as the ``read`` of a file."""
    left = memoryview(b"")

    def read(count: int) -> Any:
        nonlocal left
        if not left:
            try:
                left = memoryview(next(parts, b""))
            except (EOFError, OSError, ValueError, zlib.error) as error:
                reason = str(error) or type(error).__name__
                raise FileFormatError(path, f"the archive is damaged ({reason})") from None
        part, left = left[:count], left[count:]
        return part

    return read


def _wrong(source: _Source, reason: str, offset: int) -> FileFormatError:
    return FileFormatError(source.name, reason, offset=offset)

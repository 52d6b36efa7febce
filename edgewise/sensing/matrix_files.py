"""Traffic matrices in files: our compact format, Matrix Market, and GraphBLAS's own.

`write_matrix` and `read_matrix` go by the suffix: ``.ewt`` is ours and described here, ``.mtx`` and
``.grb`` are in `edgewise.sensing.matrix_formats`. A file is written whole or not at all. A second
suffix, as in ``.mtx.gz``, compresses it.

An .ewt file has a header and four sections of whole numbers. Each section is written with as few of
1, 2, 4 or 8 bytes a number as do (none, if all are 0), all lowest bytes first, then all second ones
and so on, in one frame of Zstandard. All numbers are little-endian.

    offset  header
    0       magic: 89 'E' 'W' 'T' 0D 0A 1A 0A
    8       version: uint16, 1
    10      bytes of an id: uint16, 4 or 8
    12      uint32: 1 if there is a start, and 2 if there is a stop
    16      number of links, and of distinct sources: two int64
    32      start and stop, nanoseconds since 1970: two int64
    48      four sections of 16 bytes each: bytes of a number (uint32), CRC-32 of the frame
            (uint32), bytes of the frame (int64)
    112     CRC-32 of the 112 bytes before it: uint32, uint32 zero

    section       items    numbers
    sources       sources  differences of the ascending sources, the first as it is
    fan-outs      sources  the links of each source, less 1
    destinations  links    a source's first one as it is, then differences, less 1
    packets       links    the packets of each link, less 1
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.io.files import (
    atomic_write,
    byte_limit,
    max_bytes as limited,
    naming,
    plain_suffix,
    read_bytes,
)
from edgewise.sensing.matrix import TrafficMatrix

__all__ = ["read_matrix", "save_soon", "write_matrix"]

_MAGIC = b"\x89EWT\r\n\x1a\n"
_START, _SECTION, _END = struct.Struct("<8sHHIqqqq"), struct.Struct("<IIq"), struct.Struct("<II")
_NAMES = ("sources", "fan-outs", "destinations", "packets")
_HEADER_SIZE = _START.size + len(_NAMES) * _SECTION.size + _END.size
_WIDTHS = (0, 1, 2, 4, 8)
_ONE = np.uint64(1)


def write_matrix(matrix: TrafficMatrix, path: str | os.PathLike) -> None:
    """Write a traffic matrix to a file, which appears only once it is complete.

    Parameters
    ----------
    matrix : TrafficMatrix
        The matrix, on any device.
    path : path
        The file; its suffix determines the format. ``.ewt`` is Edgewise's own, with a few bytes per
        link. ``.mtx`` is Matrix Market text, with ids from 1. ``.grb`` is the GraphBLAS
        serialization, which needs python-graphblas and ids below 2**60. A further suffix ``.gz``,
        ``.bz2``, ``.xz`` or ``.zst`` compresses the file.

    Raises
    ------
    ValueError
        If the suffix is unknown, or if a ``.grb`` file cannot hold the ids.
    ImportError
        If a ``.grb`` file is requested and python-graphblas is not installed.

    Examples
    --------
    >>> import tempfile
    >>> matrix = TrafficMatrix.from_links([7, 1, 7], [9, 7, 8], [10, 20, 30], start=5, stop=6)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_matrix(matrix, f"{folder}/window.ewt")
    ...     back = read_matrix(f"{folder}/window.ewt")
    >>> back == matrix, back.start, back.stop
    (True, 5, 6)
    """
    if not isinstance(matrix, TrafficMatrix):
        raise TypeError(f"matrix must be a TrafficMatrix, got {type(matrix).__name__}")
    form = _form(path)
    content = form.prepared(matrix.to("cpu"))
    with atomic_write(path) as file:
        form.write(content, file)


def is_saved(start: bytes) -> bool:
    """Are these the first bytes of an .ewt file?

    >>> is_saved(_MAGIC + b"..."), is_saved(b"PK")
    (True, False)
    """
    return start.startswith(_MAGIC)


def save_soon(matrix: TrafficMatrix, path: Path) -> None:
    """Write an .ewt file as `write_matrix` does, but without waiting until the disk has it.

    For one of many in a folder that is being filled: nobody else writes there.
    """
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with naming(path), open(draft, "wb") as file:
            file.writelines(_pack(matrix))
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def read_matrix(path: str | os.PathLike, *, max_bytes: int | None = None) -> TrafficMatrix:
    """Return the traffic matrix in an ``.ewt``, ``.mtx`` or ``.grb`` file.

    Parameters
    ----------
    path : path
        The file; its suffix determines the format, as in `write_matrix`. Duplicate entries of a
        Matrix Market file are summed. Each entry of a pattern matrix counts as one packet.
    max_bytes : int, optional
        The maximum size of the file after decompression, in bytes. By default 100 times its size,
        but at least 1 GiB.

    Returns
    -------
    TrafficMatrix
        The matrix, in host memory.

    Raises
    ------
    FileFormatError
        If the file is damaged, truncated or in another format. GraphBLAS does not check its input.
        `write_matrix` adds a checksum to ``.grb`` files, but a damaged or malicious file of another
        program can crash the process.
    """
    form = _form(path)
    with limited(max_bytes):
        return form.read(Path(path), read_bytes(path))


class _Form(NamedTuple):
    """A format: what a matrix gives to be written, how that is written, and how it is read."""

    prepared: Callable[[TrafficMatrix], Any]
    write: Callable[[Any, BinaryIO], Any]
    read: Callable[[Path, np.ndarray], TrafficMatrix]


def _form(path: str | os.PathLike) -> _Form:
    """The format that a suffix names."""
    from edgewise.sensing import matrix_formats

    forms = {
        ".ewt": _Form(_pack, lambda content, file: file.writelines(content), _unpack),
        ".mtx": _Form(
            lambda matrix: matrix, matrix_formats.write_market, matrix_formats.read_market
        ),
        ".grb": _Form(
            matrix_formats.to_blob,
            lambda content, file: file.write(content),
            matrix_formats.of_blob,
        ),
    }
    suffix = plain_suffix(path)
    if suffix not in forms:
        known = ", ".join(map(repr, forms))
        raise ValueError(f"path must end in one of {known}, got {str(path)!r}")
    return forms[suffix]


def _pack(matrix: TrafficMatrix) -> list[Any]:
    """The header and the frames of an .ewt file."""
    source, destination = matrix.source.astype(np.uint64), matrix.destination.astype(np.uint64)
    links = len(source)
    first = np.flatnonzero(np.concatenate(([links > 0], source[1:] != source[:-1])))
    steps = np.diff(destination, prepend=destination[:1]) - _ONE
    steps[first] = destination[first]
    sources = np.diff(source[first], prepend=np.uint64(0))
    fans = np.diff(first, append=links).astype(np.uint64) - _ONE
    sections = [sources, fans, steps, matrix.packets.astype(np.uint64) - _ONE]
    head, frames = b"", []
    for width, frame in map(_frame, sections):
        head += _SECTION.pack(width, zlib.crc32(frame), len(frame))
        frames.append(frame)
    times = (matrix.start, matrix.stop)
    flags = sum(1 << i for i, time in enumerate(times) if time is not None)
    start = (_MAGIC, 1, matrix.source.itemsize, flags, links, len(first))
    head = _START.pack(*start, *(time or 0 for time in times)) + head
    return [head + _END.pack(zlib.crc32(head), 0), *frames]


def _frame(numbers: np.ndarray) -> tuple[int, Any]:
    """The bytes that a number takes, and the compressed section."""
    import pyarrow

    most = int(numbers.max()) if len(numbers) else 0
    width = next(width for width in _WIDTHS if most < 1 << 8 * width)
    if width == 0:
        return 0, b""
    planes = numbers.astype(f"<u{width}").view(np.uint8).reshape(-1, width).T
    return width, pyarrow.compress(planes.tobytes(), codec="zstd", asbytes=True)


class _Section(NamedTuple):
    width: int
    checksum: int
    size: int


def _unpack(path: Path, data: np.ndarray) -> TrafficMatrix:
    """The matrix of an .ewt file; whatever is wrong with it is one kind of error."""
    head = data[:_HEADER_SIZE].tobytes()
    if head[: len(_MAGIC)] != _MAGIC:
        raise FileFormatError(path, "not an .ewt file: it does not start with the .ewt signature")
    if len(head) < _HEADER_SIZE:
        raise FileFormatError(path, f"truncated: {len(head)} bytes, the header has {_HEADER_SIZE}")
    if _END.unpack_from(head, _HEADER_SIZE - _END.size) != (zlib.crc32(head[: -_END.size]), 0):
        raise FileFormatError(path, "damaged: the header does not have its checksum")
    _, version, itemsize, flags, links, sources, *times = _START.unpack_from(head)
    if version != 1:
        reason = f"version {version} of the .ewt format, but this Edgewise reads 1 alone"
        raise FileFormatError(path, reason)
    sections = [_Section(*one) for one in _SECTION.iter_unpack(head[_START.size : -_END.size])]
    _check_header(path, len(data), itemsize, flags, links, sources, sections)
    numbers, at = [], _HEADER_SIZE
    for name, section, items in zip(
        _NAMES, sections, (sources, sources, links, links), strict=True
    ):
        frame = data[at : at + section.size]
        at += section.size
        if zlib.crc32(frame.data) != section.checksum:
            raise FileFormatError(path, f"damaged: section {name} does not have its checksum")
        numbers.append(_numbers(path, name, frame, section.width, items))
    start, stop = (time if flags >> i & 1 else None for i, time in enumerate(times))
    try:
        firsts, fans, steps, packets = numbers
        source, destination = _ends(firsts, fans, steps, links, f"u{itemsize}")
        packets = (packets + _ONE).view(np.int64)
        return TrafficMatrix(source, destination, packets, start=start, stop=stop)
    except ValueError as error:
        raise FileFormatError(path, f"damaged: {error}") from None


def _check_header(
    path: Path, size: int, itemsize: int, flags: int, links: int, sources: int,
    sections: list[_Section],
) -> None:  # fmt: skip
    """That the fields of a header go together, and with the size of the file."""
    sound = itemsize in (4, 8) and flags < 4
    sound = sound and 0 <= sources <= links and (sources == 0) == (links == 0)
    sound = sound and all(one.width in _WIDTHS and one.size >= 0 for one in sections)
    if not sound:
        raise FileFormatError(path, "damaged: the header has impossible fields")
    end = _HEADER_SIZE + sum(one.size for one in sections)
    if size != end:
        what = "truncated" if size < end else "not an .ewt file or damaged"
        raise FileFormatError(path, f"{what}: {size} bytes, but its header says {end}")
    most = byte_limit(size)
    if links * (2 * itemsize + 8) > most:
        reason = f"the matrix takes more than {most} bytes; pass max_bytes= to allow more"
        raise FileFormatError(path, reason)


def _numbers(path: Path, name: str, frame: np.ndarray, width: int, items: int) -> np.ndarray:
    """A section, decompressed."""
    import pyarrow

    if width == 0 or items == 0:
        if len(frame):
            raise FileFormatError(path, f"damaged: section {name} has bytes and no numbers")
        return np.zeros(items, np.uint64)
    try:
        content = pyarrow.decompress(
            pyarrow.py_buffer(frame), decompressed_size=items * width, codec="zstd"
        )
    except (OSError, ValueError) as error:
        raise FileFormatError(path, f"damaged: section {name}: {error}") from None
    planes = np.frombuffer(content, np.uint8).reshape(width, items)
    return np.ascontiguousarray(planes.T).view(f"<u{width}").ravel().astype(np.uint64)


def _ends(
    sources: np.ndarray, fans: np.ndarray, steps: np.ndarray, links: int, dtype: str
) -> tuple[np.ndarray, np.ndarray]:
    """The sources and destinations of the links; ValueError if there can be no such."""
    if len(fans) and int(fans.max()) >= links:
        raise ValueError(f"a source has {int(fans.max()) + 1} of {links} links")
    counts = fans.astype(np.int64) + 1
    first = offsets(counts)[:-1]
    if counts.sum() != links:
        raise ValueError(f"the sources have {counts.sum()} of {links} links")
    # sums wrap around at 2**64, and so do the differences to where a source begins
    sums = np.cumsum(steps + _ONE, dtype=np.uint64)
    destination = sums - np.repeat(sums[first] - steps[first], counts)
    ids = np.repeat(np.cumsum(sources, dtype=np.uint64), counts), destination
    for one in ids:
        if links and int(one.max()) > np.iinfo(dtype).max:
            raise ValueError(f"an id has more than {8 * np.dtype(dtype).itemsize} bits")
    return ids[0].astype(dtype), ids[1].astype(dtype)

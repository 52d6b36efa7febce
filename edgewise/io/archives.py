"""Compressed files, a part at a time: gzip, bzip2, xz and Zstandard.

Every stream of an archive must be whole, and nothing else may follow it.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

__all__ = ["compressor", "decompress"]

_BLOCK = 1 << 22
_DICTIONARY = 1 << 30  # no xz tool makes an archive that needs more to be read


def decompress(file: Any, suffix: str, block: int = _BLOCK) -> Iterator[Any]:
    """The content of a compressed file, in parts of at most ``block`` bytes.

    ``file`` is open for reading bytes; one without a descriptor may be closed in the end. Of a
    damaged file comes what stands before the part with the damage.

    Raises
    ------
    EOFError
        If it ends too early.
    OSError, ValueError, zlib.error
        If it is no such archive, or a damaged one.
    """
    descriptor = _descriptor(file)
    if descriptor is not None:
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode) and status.st_size == 0:
            raise EOFError("it is empty")
    return _DECOMPRESS[suffix](file, block)


def _descriptor(file: Any) -> int | None:
    """The system's number of an open file, if it has one."""
    try:
        return file.fileno()
    except io.UnsupportedOperation:
        return None


def _gunzip(file: Any, block: int) -> Iterator[bytes]:
    """The members of a gzip file; zeros may follow each."""
    import zlib

    stream, data = zlib.decompressobj(31), file.read(block)
    while data:
        part = stream.decompress(data, block)
        while part:
            yield part
            part = stream.decompress(stream.unconsumed_tail, block)
        if stream.eof:
            data, stream = stream.unused_data.lstrip(b"\0"), zlib.decompressobj(31)
            while not data and (more := file.read(block)):
                data = more.lstrip(b"\0")
        else:
            data = file.read(block)
            if not data:
                raise EOFError("it ended before the end-of-stream marker")


def _bunzip(file: Any, block: int) -> Iterator[bytes]:
    import bz2

    return _streams(file, block, bz2.BZ2Decompressor)


def _unxz(file: Any, block: int) -> Iterator[bytes]:
    import lzma

    try:
        stream = partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, _DICTIONARY)
        yield from _streams(file, block, stream)
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from None


def _streams(file: Any, block: int, decompressor: Callable[[], Any]) -> Iterator[bytes]:
    """What the streams hold, one after the other."""
    stream, data = decompressor(), file.read(block)
    while True:
        if stream.eof:
            data = stream.unused_data or file.read(block)
            if not data:
                return
            stream = decompressor()
        elif stream.needs_input and not data:
            data = file.read(block)
            if not data:
                raise EOFError("it ended before the end-of-stream marker")
        yield stream.decompress(data, block)
        data = b""


def _unzstd(file: Any, block: int) -> Iterator[Any]:
    import pyarrow

    descriptor = _descriptor(file)
    # Arrow closes what it reads from: give it a file of its own
    with (
        nullcontext(file) if descriptor is None else open(os.dup(descriptor), "rb") as copy,
        pyarrow.CompressedInputStream(copy, "zstd") as stream,
    ):
        while part := stream.read_buffer(block):  # read() leaks its bytes if it fails
            yield memoryview(part)


_DECOMPRESS: dict[str, Callable[[Any, int], Iterator[Any]]] = {
    ".gz": _gunzip,
    ".bz2": _bunzip,
    ".xz": _unxz,
    ".zst": _unzstd,
}


@contextmanager
def compressor(raw: Any, suffix: str | None) -> Iterator[Any]:
    """``raw`` itself, or a file that compresses into it; ``raw`` stays open."""
    if suffix is None:
        yield raw
    elif suffix == ".gz":
        import gzip

        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as file:
            yield file
    elif suffix == ".bz2":
        import bz2

        with bz2.BZ2File(raw, "wb") as file:
            yield file
    elif suffix == ".xz":
        import lzma

        with lzma.LZMAFile(raw, "wb") as file:
            yield file
    else:
        import pyarrow

        # Arrow closes what it writes to: give it a file of its own
        with (
            open(os.dup(raw.fileno()), "wb") as copy,
            pyarrow.CompressedOutputStream(copy, "zstd") as file,
        ):
            yield file

"""Files as bytes: compressed or mapped input, and output that appears whole or not at all.

`read_bytes` gives the content of a file as a read-only ``uint8`` array: a memory map of a plain
file, or what was packed into a ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` file. `atomic_write` gives a
binary file to write to, which takes its name only when all is written; a suffix that names a
compression compresses. A damaged archive is a `FileFormatError`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError

__all__ = ["COMPRESSIONS", "atomic_write", "compression", "plain_suffix", "read_bytes"]

#: The suffixes of compressed files.
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")


def read_bytes(path: str | os.PathLike) -> np.ndarray:
    """The whole content of a file, decompressed, as a read-only array of bytes.

    Parameters
    ----------
    path : path
        A file; ``.gz`` (also of several members), ``.bz2``, ``.xz`` and ``.zst`` files are
        decompressed.

    Returns
    -------
    numpy.ndarray of uint8
        A memory map where the file is plain: opening costs nothing, reading loads the pages.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    FileFormatError
        If a compressed file is truncated or damaged.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a graph file")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    suffix = compression(path)
    if suffix is None:
        return _mapped(path)
    content = _decompress(path, suffix)
    return np.frombuffer(content, np.uint8)


@contextmanager
def atomic_write(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """A binary file to write to, that gets its name only if the block ends well.

    The bytes go to a hidden file in the same folder, which is synchronised and then renamed; an
    error or an interrupt removes it and leaves an older file of that name as it was. Devices and
    pipes are written to directly.

    Parameters
    ----------
    path : path
        Where the file goes; ``.gz``, ``.bz2``, ``.xz`` and ``.zst`` compress.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_write(Path(folder) / "a.txt.gz") as file:
    ...         _ = file.write(b"1 2")
    ...     read_bytes(Path(folder) / "a.txt.gz").tobytes()
    b'1 2'
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {target.parent}")
    if target.exists() and not target.is_file():
        with open(target, "wb") as raw, _compressor(raw, compression(path)) as file:
            yield file
        return
    hidden = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with open(hidden, "xb") as raw:
            with _compressor(raw, compression(path)) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
        if target.exists():
            os.chmod(hidden, stat.S_IMODE(target.stat().st_mode))
        os.replace(hidden, target)
    except BaseException:
        hidden.unlink(missing_ok=True)
        raise


def compression(path: str | os.PathLike) -> str | None:
    """The suffix of ``path`` that names a compression, or None.

    >>> compression("graph.txt.GZ"), compression("graph.txt")
    ('.gz', None)
    """
    suffix = Path(path).suffix.lower()
    return suffix if suffix in COMPRESSIONS else None


def plain_suffix(path: str | os.PathLike) -> str:
    """The suffix of ``path`` once that of a compression is taken off, in lower case.

    >>> plain_suffix("graph.MTX.gz"), plain_suffix("graph")
    ('.mtx', '')
    """
    path = Path(path)
    return (path.with_suffix("") if compression(path) else path).suffix.lower()


def _mapped(path: Path) -> np.ndarray:
    import mmap

    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return np.frombuffer(file.read(), np.uint8)
        if status.st_size == 0:
            return np.frombuffer(b"", np.uint8)
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def _decompress(path: Path, suffix: str) -> bytes:
    """The content of a compressed file; whatever is wrong with the archive is one kind of error."""
    import zlib

    try:
        return _DECOMPRESS[suffix](path.read_bytes())
    except (EOFError, OSError, ValueError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the file could not be read at all
        kind = suffix[1:]
        reason = str(error) or type(error).__name__
        if isinstance(error, EOFError) or "ended before" in reason or "runcated" in reason:
            raise FileFormatError(path, f"the {kind} archive is truncated ({reason})") from None
        raise FileFormatError(path, f"not a sound {kind} archive ({reason})") from None


def _gunzip(data: bytes) -> bytes:
    import gzip

    if not data:
        raise EOFError("it is empty")
    return gzip.decompress(data)


def _bunzip(data: bytes) -> bytes:
    import bz2

    return _streams(data, bz2.BZ2Decompressor)


def _unxz(data: bytes) -> bytes:
    import lzma

    try:
        return _streams(data, partial(lzma.LZMADecompressor, lzma.FORMAT_XZ))
    except lzma.LZMAError as error:
        raise ValueError(str(error)) from None


def _streams(data: bytes, decompressor: Callable[[], Any]) -> bytes:
    """All streams of an archive; each must be whole, and nothing else may follow one."""
    parts: list[bytes] = []
    while data or not parts:
        stream = decompressor()
        parts.append(stream.decompress(data))
        if not stream.eof:
            raise EOFError("it ended before the end-of-stream marker")
        data = stream.unused_data
    return b"".join(parts)


def _unzstd(data: bytes) -> bytes:
    import pyarrow

    if not data:
        raise EOFError("it is empty")
    return pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd").read()


_DECOMPRESS = {".gz": _gunzip, ".bz2": _bunzip, ".xz": _unxz, ".zst": _unzstd}


@contextmanager
def _compressor(raw: Any, suffix: str | None) -> Iterator[Any]:
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

"""Files as bytes: compressed or plain input, and output that appears whole or not at all.

`read_bytes` gives the content of a file as a read-only ``uint8`` array of its own: what others do
to the file meanwhile is an error or goes unseen, never a crash. `map_bytes` gives a memory map,
which costs nothing to open but shows what becomes of the file. `atomic_write` gives a binary file
to write to, which takes its name only when all is written. Files with a suffix of `COMPRESSIONS`
are decompressed, up to `max_bytes`, and compressed; a damaged archive is a `FileFormatError`.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.errors import FileFormatError
from edgewise.base.memory import free_memory
from edgewise.base.parallel import get_threads
from edgewise.base.read_at import read_at
from edgewise.io.archives import compressor, decompress
from edgewise.io.drafts import drop, new_draft, rename

__all__ = [
    "COMPRESSIONS",
    "atomic_write",
    "byte_limit",
    "compression",
    "map_bytes",
    "max_bytes",
    "naming",
    "open_bytes",
    "plain_suffix",
    "read_bytes",
]

#: The suffixes of compressed files.
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zst")

_BLOCK = 1 << 22
_EXPANSION, _LEAST_LIMIT = 100, 1 << 30
_limit: ContextVar[int | None] = ContextVar("edgewise_max_bytes", default=None)


@contextmanager
def max_bytes(limit: int | None) -> Iterator[None]:
    """Refuse what decompresses to more than ``limit`` bytes inside the ``with`` block.

    None, the default, allows 100 times the size of the archive, at least 1 GiB, but no more than
    half of the memory that is free.
    """
    token = _limit.set(None if limit is None else check_count(limit, "max_bytes", 1))
    try:
        yield
    finally:
        _limit.reset(token)


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
        A copy in memory; only a plain file of more than a quarter of the free memory is mapped
        instead, and must not be cut short while it is read.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    FileFormatError
        If the file changes while it is read, or a compressed one is truncated, damaged or holds
        more than `max_bytes`.
    """
    path = _existing(path)
    suffix = compression(path)
    with open(path, "rb", buffering=0) as file:
        before = os.fstat(file.fileno())
        if suffix is not None:
            data = _decompressed(path, file, suffix, before.st_size)
        elif not stat.S_ISREG(before.st_mode):
            data = _joined(path, iter(lambda: file.read(_BLOCK), b""), "pipe", 1 << 63)
        elif before.st_size > free_memory() // 4:
            return map_bytes(path)
        else:
            data = _copied(path, file, before.st_size)
        after = os.fstat(file.fileno())
    if stat.S_ISREG(before.st_mode) and (before.st_size, before.st_mtime_ns) != (
        after.st_size,
        after.st_mtime_ns,
    ):
        raise FileFormatError(path, "the file was changed while it was read")
    return data


def map_bytes(path: str | os.PathLike) -> np.ndarray:
    """The content of a plain file as a memory map; of a compressed one as `read_bytes` gives it.

    Opening costs nothing, reading loads the pages. Whoever cuts the file short in place takes the
    pages away, which ends the process at its next look at them.
    """
    path = _existing(path)
    if compression(path) is not None:
        return read_bytes(path)
    import mmap

    with open(path, "rb", buffering=0) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            return _joined(path, iter(lambda: file.read(_BLOCK), b""), "pipe", 1 << 63)
        if status.st_size == 0:
            return np.frombuffer(b"", np.uint8)
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def open_bytes(path: str | os.PathLike) -> BinaryIO:
    """A file to read parts of: itself if it is plain, else what `read_bytes` gives of it."""
    path = _existing(path)
    if compression(path) is None and path.is_file():
        return open(path, "rb")
    return io.BytesIO(read_bytes(path).data)


def byte_limit(size: int) -> int:
    """How many bytes an archive of ``size`` bytes may hold; see `max_bytes`."""
    chosen = _limit.get()
    if chosen is not None:
        return chosen
    return min(max(_EXPANSION * size, _LEAST_LIMIT), free_memory() // 2)


@contextmanager
def atomic_write(path: str | os.PathLike) -> Iterator[BinaryIO]:
    """A binary file to write to, that gets its name only if the block ends well.

    The bytes go to a hidden file in the same folder, which is synchronized and then renamed; an
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
        with (
            naming(path),
            open(target, "wb") as device,
            compressor(device, compression(path)) as file,
        ):
            yield file
        return
    with naming(path), new_draft(target) as raw:
        try:
            with compressor(raw, compression(path)) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
            if target.exists():
                os.chmod(raw.name, stat.S_IMODE(target.stat().st_mode))
            rename(raw, target)
        except BaseException:
            drop(raw)
            raise


@contextmanager
def naming(path: str | os.PathLike) -> Iterator[None]:
    """Errors of the system (a full disk, a quota) say which file could not be written."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        if error.errno is None:  # Arrow's
            raise OSError(f"cannot write {path}: {error}") from error
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error


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


def _existing(path: str | os.PathLike) -> Path:
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a graph file")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    return path


def _copied(path: Path, file: Any, size: int) -> np.ndarray:
    """A plain file's bytes, read by all threads."""
    from concurrent.futures import ThreadPoolExecutor

    data = np.empty(size, np.uint8)
    whole = data.data

    def fill(low: int) -> None:
        part = whole[low : low + _BLOCK]
        while len(part):
            got = read_at(file.fileno(), part, low)
            if got == 0:
                raise FileFormatError(path, "the file was cut short while it was read")
            part, low = part[got:], low + got

    parts = range(0, size, _BLOCK)
    if len(parts) == 1:
        fill(0)
    elif parts:
        with ThreadPoolExecutor(min(get_threads(), len(parts))) as pool:
            list(pool.map(fill, parts))
    data.flags.writeable = False
    return data


def _decompressed(path: Path, file: Any, suffix: str, size: int) -> np.ndarray:
    """The content of a compressed file; whatever is wrong with the archive is one kind of error."""
    import zlib

    try:
        return _joined(path, decompress(file, suffix), suffix[1:], size)
    except FileFormatError:
        raise
    except (EOFError, OSError, ValueError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the file could not be read at all
        kind = suffix[1:]
        reason = str(error) or type(error).__name__
        if isinstance(error, EOFError) or "ended before" in reason or "runcated" in reason:
            raise FileFormatError(path, f"the {kind} archive is truncated ({reason})") from None
        raise FileFormatError(path, f"not a sound {kind} archive ({reason})") from None


def _joined(path: Path, parts: Iterator[Any], kind: str, size: int) -> np.ndarray:
    """Parts that come one after another as one array, as long as they are no more than allowed."""
    most = byte_limit(size)
    content = bytearray()
    for part in parts:
        content += part
        if len(content) > most:
            raise FileFormatError(
                path, f"the {kind} holds more than {most} bytes; pass max_bytes= to allow more"
            )
    data = np.frombuffer(content, np.uint8)
    data.flags.writeable = False
    return data

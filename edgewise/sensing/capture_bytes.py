"""The bytes of a capture, wherever they are: mapped from a file, or streamed, decompressed.

`open_content` looks at the first bytes, not at the name. A plain file is mapped, and its `data` is
all of it. What is compressed, a pipe or a stream comes in parts: `data` is what is at hand, from
byte ``base`` on, and `more` drops what is done with and fetches some more, so memory stays bounded.
"""

from __future__ import annotations

import io
import mmap
import os
import stat
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.io.archives import decompress

__all__ = ["Content", "Mapped", "Reader", "open_content"]

_BLOCK = 1 << 22
_PART = 1 << 16  # bytes before a damage of an archive that may be lost
_RELEASE = 1 << 25
_ADVISES = hasattr(mmap.mmap, "madvise")  # not on Windows
_ARCHIVES = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"BZh": ".bz2", b"\xfd7zXZ": ".xz"}


@contextmanager
def open_content(file: Any) -> Iterator[Content]:
    """The content of a file (a path, or a stream open for reading bytes, which stays open)."""
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb", buffering=0) as raw:
            status = os.fstat(raw.fileno())
            if not stat.S_ISREG(status.st_mode):
                yield _streamed(str(file), raw)
            elif _archive(raw.read(8)) is not None:
                raw.seek(0)
                yield _streamed(str(file), raw)
            else:
                mapping = _map(raw) if status.st_size else None  # nothing cannot be mapped
                yield Mapped(str(file), mapping)
    else:
        name = getattr(file, "name", None)
        yield _streamed(str(name) if isinstance(name, (str, Path)) else "<stream>", file)


class Content(ABC):
    """Bytes of a capture that are at hand, and how to get more.

    Attributes
    ----------
    name : str
        What errors call it.
    data : numpy.ndarray of uint8
        Read-only.
    base : int
        The bytes of the content that came before ``data``.
    broken : str or None
        Why no more could be had, where that was not the end.
    """

    name: str
    data: np.ndarray
    base: int = 0
    broken: str | None = None

    @abstractmethod
    def more(self, at: int) -> bool:
        """Drop the bytes before ``at`` and get more; False, and all stays, if there are none."""

    @abstractmethod
    def passed(self, at: int) -> int:
        """Note that bytes before ``at`` are done with; how many of the stored file those take."""


class Mapped(Content):
    """A plain file: all of it is at hand. Pages that were passed are given back to the system."""

    def __init__(self, name: str, mapping: mmap.mmap | None):
        self.name, self._mapping, self._released = name, mapping, 0
        self.data = np.frombuffer(b"" if mapping is None else mapping, np.uint8)

    def more(self, at: int) -> bool:
        return False

    def passed(self, at: int) -> int:
        low, high = self._released, at & -_RELEASE
        if self._mapping is not None and high > low:
            if _ADVISES:
                self._mapping.madvise(mmap.MADV_DONTNEED, low, high - low)
            self._released = high
        return at


class Streamed(Content):
    """Content that comes in parts."""

    def __init__(self, name: str, raw: _Counted, parts: Iterator[Any]):
        self.name, self._raw, self._parts = name, raw, parts
        self.data = np.frombuffer(b"", np.uint8)
        self.more(0)

    def more(self, at: int) -> bool:
        rest = self.data[at:]
        wanted, found, size = max(len(rest), _BLOCK), [rest], 0
        while size < wanted and (part := self._part()):
            found.append(np.frombuffer(part, np.uint8))
            size += len(part)
        if size:
            self.data, self.base = np.concatenate(found), self.base + at
            self.data.flags.writeable = False
        return size > 0

    def passed(self, at: int) -> int:
        return self._raw.count

    def _part(self) -> Any:
        """The next part that is not empty; nothing at the end, or where the archive is broken."""
        if self.broken is not None:
            return b""
        try:
            return next((part for part in self._parts if len(part)), b"")
        except (EOFError, OSError, ValueError, zlib.error) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # the file could not be read at all
            self.broken = f"the archive is damaged ({str(error) or type(error).__name__})"
            return b""


class Reader:
    """Content as a file that is read from its start to its end."""

    def __init__(self, content: Content):
        self.name, self._content, self._at = content.name, content, 0

    def read(self, size: int) -> bytes:
        """At most ``size`` bytes; none at the end."""
        if self._at == len(self._content.data) and self._content.more(self._at):
            self._at = 0
        part = self._content.data[self._at : self._at + size].tobytes()
        self._at += len(part)
        return part


class _Counted(io.RawIOBase):
    """A file with some first bytes put back, that counts what was read; not its owner."""

    def __init__(self, head: bytes, file: Any):
        self._head, self._file, self.count = head, file, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._head[: len(buffer)] or self._file.read(len(buffer))
        self._head = self._head[len(part) :]
        buffer[: len(part)] = part
        self.count += len(part)
        return len(part)


def _streamed(name: str, file: Any) -> Streamed:
    head = b""
    while len(head) < 8 and (part := file.read(8 - len(head))):
        if not isinstance(part, bytes):
            raise TypeError(f"files must be open for reading bytes, got {type(part).__name__}")
        head += part
    raw, suffix = _Counted(head, file), _archive(head)
    if suffix is None:
        return Streamed(name, raw, iter(lambda: raw.read(4 * _PART), b""))
    return Streamed(name, raw, decompress(raw, suffix, _PART))


def _archive(head: bytes) -> str | None:
    """The suffix of files that start so, if they are compressed ones."""
    return next((suffix for mark, suffix in _ARCHIVES.items() if head.startswith(mark)), None)


def _map(raw: Any) -> mmap.mmap:
    """A map of a file; arrays over it may outlive all else, so it is theirs to close."""
    mapping = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
    if _ADVISES:
        mapping.madvise(mmap.MADV_SEQUENTIAL)
    return mapping

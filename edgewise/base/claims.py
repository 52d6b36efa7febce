"""One process compiles a kernel; others that need it at the same moment wait, and find it on disk.

Ranks of one machine do all the same, so without this each would compile every kernel, and all
would be as slow as the cores they share. A claim is a lock on one byte of a file beside the
kernels: the system takes it back from a process that ends, however it does. Where there are no
such locks everybody compiles, and so does who has waited for a minute, or for one who failed.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from edgewise.base.compiling import compiling
from edgewise.base.store import own_folder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["Claim", "claim", "claimed"]

_PATIENCE = 60.0  # seconds
_STEP = 0.005  # seconds


class Claim:
    """The claim to one kernel, until `end`."""

    def __init__(self, file: int):
        self._file = file

    def end(self) -> None:
        os.close(self._file)


def claim(key: str) -> Claim | None:
    """The claim to the kernel of this key, if no process has it now.

    Otherwise None, after that process has ended its claim.
    """
    try:
        folder = own_folder()
        if folder is None or fcntl is None:
            return None
        file = os.open(folder / ".claims", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    ours = False
    try:
        place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:7], "big")
        ours = _lock(file, fcntl.LOCK_EX, place)
        if not ours:
            _wait(file, place)
    except OSError:  # a file system without locks
        pass
    finally:
        if not ours:
            os.close(file)
    return Claim(file) if ours else None


@contextmanager
def claimed(key: str) -> Iterator[None]:
    """The block has the claim to this kernel, or begins when another process has ended its own."""
    ours = claim(key)
    try:
        yield
    finally:
        if ours is not None:
            ours.end()


def _wait(file: int, place: int) -> None:
    """Until nobody has the lock; many may wait for one, and all go on at once."""
    end = time.monotonic() + _PATIENCE
    with compiling(kernels=0):
        while not _lock(file, fcntl.LOCK_SH, place) and time.monotonic() < end:
            time.sleep(_STEP)


def _lock(file: int, kind: int, place: int) -> bool:
    """Lock this byte, unless another process has it. Closing the file gives it back."""
    try:
        fcntl.lockf(file, kind | fcntl.LOCK_NB, 1, place)
    except (BlockingIOError, PermissionError):
        return False
    return True

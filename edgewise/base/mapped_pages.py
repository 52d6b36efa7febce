"""Pages of mapped files, released before a process holds more memory than a limit.

What the system reads of a mapped file stays in the memory of the process until memory is short. A
thread looks at the resident memory of the process many times a second. Before it has grown by the
limit, the thread unmaps the pages of the files (``madvise`` with ``MADV_DONTNEED``): kernels that
read them again find them in the system's cache, or read them from the disk. Nothing is lost, as the
files hold all of it; other memory of the process is not touched.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["MappedPages"]

#: Pages are released when they take half of what other memory leaves of the limit, since more are
#: mapped before the thread looks again; this part of the limit is theirs in any case.
_LEAST = 1 / 16
_RATE = 32 << 30  # bytes per second by which a process may grow
_SHORTEST, _LONGEST = 0.0005, 0.02  # seconds between two looks


class MappedPages:
    """The mapped files of one graph, whose process is not to grow by more than ``limit`` bytes.

    ``folder`` is where arrays that do not fit are kept, in files without names.
    """

    def __init__(self, limit: int, folder: Path):
        if not hasattr(mmap, "MADV_DONTNEED") or not os.path.exists("/proc/self/statm"):
            raise OSError("a memory limit for mapped files needs Linux")
        self.limit, self.folder, self.releases = limit, folder, 0
        self._maps: list[weakref.ref[mmap.mmap]] = []
        self.restart()
        threading.Thread(target=_watch, args=(weakref.ref(self),), daemon=True).start()

    def restart(self) -> None:
        """Count the growth of the process from now on."""
        self._resident, self._mapped = _memory()

    def add(self, mapping: mmap.mmap) -> None:
        """Watch one more mapped file, as long as it is mapped; in small pages."""
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            with suppress(OSError):  # a kernel without huge pages
                mapping.madvise(mmap.MADV_NOHUGEPAGE)
        self._maps.append(weakref.ref(mapping, self._maps.remove))

    def empty(self, size: int, dtype: Any) -> np.ndarray:
        """An array in a file that is mapped and watched, and goes with the array.

        >>> pages = MappedPages(1 << 20, Path("."))
        >>> array = pages.empty(3, np.int32)
        >>> array[:] = 7
        >>> pages.release()
        >>> array.tolist(), pages.releases
        ([7, 7, 7], 1)
        """
        count = max(size * np.dtype(dtype).itemsize, 1)
        with tempfile.TemporaryFile(dir=self.folder, prefix=".edgewise-") as file:
            os.posix_fallocate(file.fileno(), 0, count)  # an error here, not when pages are written
            mapping = mmap.mmap(file.fileno(), count)
        self.add(mapping)
        return np.frombuffer(mapping, dtype, size)

    def release(self) -> None:
        """Unmap all pages now."""
        self.releases += 1
        for reference in list(self._maps):
            mapping = reference()
            if mapping is not None:
                mapping.madvise(mmap.MADV_DONTNEED)

    def look(self) -> float:
        """Release the pages if the process has grown too much; the seconds until the next look."""
        resident, mapped = _memory()
        own = resident - mapped - (self._resident - self._mapped)
        left = max((self.limit - own) // 2, int(_LEAST * self.limit)) - (mapped - self._mapped)
        if left <= 0:
            self.release()
        return min(max(left / _RATE, _SHORTEST), _LONGEST)


def _watch(reference: weakref.ref[MappedPages]) -> None:
    while (pages := reference()) is not None:
        pause = pages.look()
        del pages
        time.sleep(pause)


def _memory() -> tuple[int, int]:
    """The resident memory of this process, and what of it are pages of files, in bytes."""
    with open("/proc/self/statm", "rb") as file:
        _, resident, shared, *_ = file.read().split()
    return int(resident) * mmap.PAGESIZE, int(shared) * mmap.PAGESIZE

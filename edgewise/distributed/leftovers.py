"""Files of shared memory that MPICH's killed jobs have left behind: the next job removes them.

`edgewise.distributed.world` removes the name of its job's file once all ranks have mapped it. What
is left is from jobs that were killed while MPI started, and from other programs.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

__all__ = ["FILES", "mapped_files", "remove_leftovers"]

FILES = Path("/dev/shm")
_NAME = re.compile(r"mpich_shm_[0-9a-f]+_\d+")
_SETTLED_S = 60.0  # all ranks of a job that lives have mapped its file by then


def remove_leftovers(since: float | None = None) -> None:
    """Remove this user's files that no process has mapped, if they are a minute old.

    With ``since``, those that were made after that time, whatever their age: by a job that has
    ended.
    """
    found = [path for path in _paths() if _is_due(path, since)]
    if found:
        used = {path for maps in Path("/proc").glob("[0-9]*/maps") for path in mapped_files(maps)}
        for path in set(found) - used:
            with contextlib.suppress(OSError):
                path.unlink()


def mapped_files(maps: str | Path = "/proc/self/maps") -> set[Path]:
    """The files of shared memory of MPICH that a process has mapped."""
    with contextlib.suppress(OSError), open(maps) as file:
        return {FILES / name for name in _NAME.findall(file.read())}
    return set()


def _paths() -> list[Path]:
    with contextlib.suppress(OSError):
        return [path for path in FILES.iterdir() if _NAME.fullmatch(path.name)]
    return []


def _is_due(path: Path, since: float | None) -> bool:
    with contextlib.suppress(OSError):
        about = path.stat()
        settled = about.st_mtime < time.time() - _SETTLED_S if since is None else (
            about.st_mtime >= since)  # fmt: skip
        return about.st_uid == os.getuid() and settled
    return False

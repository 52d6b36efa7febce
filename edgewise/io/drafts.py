"""Drafts: the hidden files that writers fill and then rename, and those that killed ones leave.

A draft of ``graph.ew`` is ``.graph.ew.PID-RANDOM.tmp``, beside it; that of a folder is one.
Its writer holds a lock on it until it has its name; the system drops the lock when the process
ends, however that happens. So a draft that can be locked belongs to nobody, and `remove_dead`
removes it: no process number is trusted, since numbers come again. Where a file system has no
locks, and on Windows, drafts stay.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["draft_folder", "drop", "lock", "new_draft", "remove_dead", "rename"]

_DRAFT = re.compile(r"\.(.+)\.[0-9]+-[0-9a-f]{8}\.tmp", re.DOTALL)


def new_draft(target: Path) -> BinaryIO:
    """A new, locked file beside ``target``, open for writing; its ``name`` is its path.

    Drafts of the same target whose writers are gone are removed first.
    """
    remove_dead(target.parent, target.name)
    while True:
        file = open(_new_name(target), "x+b")  # noqa: SIM115
        try:
            # somebody who cleans up may be faster than the lock: then it is gone, or will be
            if lock(file.fileno()) is not False and os.fstat(file.fileno()).st_nlink:
                return file
        except BaseException:
            os.unlink(file.name)
            file.close()
            raise
        file.close()


def rename(draft: BinaryIO, target: Path) -> None:
    """Give a draft its name, while it is locked; Windows renames no open file."""
    if sys.platform == "win32":
        draft.close()
    os.replace(draft.name, target)


def drop(draft: BinaryIO) -> None:
    """Remove a draft, if it is still there; Windows removes no open file."""
    try:
        if sys.platform == "win32":
            draft.close()
    finally:
        Path(draft.name).unlink(missing_ok=True)


@contextmanager
def draft_folder(target: Path) -> Iterator[Path]:
    """A new folder beside ``target``, locked in the block; removed if that fails.

    The block renames it. Drafts of the same target whose writers are gone are removed first.
    """
    remove_dead(target.parent, target.name)
    while True:
        draft = _new_name(target)
        draft.mkdir()
        if fcntl is None:
            try:
                yield draft
                return
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
        try:
            descriptor = os.open(draft, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # somebody cleans up, as above
            continue
        try:
            if lock(descriptor) is not False and draft.exists():
                yield draft
                return
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        finally:
            os.close(descriptor)


def remove_dead(folder: str | os.PathLike[str], name: str | None = None) -> list[Path]:
    """Remove the drafts in a folder whose writers are gone; the paths of those removed.

    Parameters
    ----------
    folder : path
    name : str, optional
        Only drafts of the file of this name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     left = Path(folder) / ".graph.ew.4711-0123abcd.tmp"
    ...     left.touch()
    ...     with new_draft(Path(folder) / "other.ew"):
    ...         [path.name for path in remove_dead(folder)]
    ['.graph.ew.4711-0123abcd.tmp']
    """
    removed: list[Path] = []
    if fcntl is None:
        return removed
    with os.scandir(os.fspath(folder)) as entries:
        for entry in entries:
            found = _DRAFT.fullmatch(entry.name)
            if found and name in (None, found[1]) and _remove_if_dead(entry.path):
                removed.append(Path(entry.path))
    return sorted(removed)


def _remove_if_dead(path: Any) -> bool:
    try:
        access = os.O_RDONLY if stat.S_ISDIR(os.lstat(path).st_mode) else os.O_RDWR
        draft = os.open(path, access | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:  # finished meanwhile, or not ours
        return False
    try:
        mode = os.fstat(draft).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) or not lock(draft):
            return False
        if stat.S_ISDIR(mode):
            shutil.rmtree(path)
        else:
            os.unlink(path)
        return True
    except OSError:
        return False
    finally:
        os.close(draft)


def _new_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")


def lock(descriptor: int) -> bool | None:
    """Lock a file that nobody else has locked: True or False; None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return None

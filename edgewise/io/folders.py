"""Folders that appear whole or not at all.

As with files (`edgewise.io.files.atomic_write`), the content goes to a hidden draft beside the
target, which takes its name when all is there. The draft is locked while its writer lives; those of
writers that were killed are removed by the next one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["atomic_folder"]


@contextmanager
def atomic_folder(path: str | os.PathLike) -> Iterator[Path]:
    """A folder to fill, that gets its name only if the block ends well.

    Parameters
    ----------
    path : path
        Where the folder goes. An empty one may be there; anything else is left as it is, and is an
        error before the work.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with atomic_folder(f"{home}/results") as draft:
    ...         _ = (draft / "a.txt").write_text("all")
    ...     sorted(os.listdir(home)), os.listdir(f"{home}/results")
    (['results'], ['a.txt'])
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        what = "a folder with something in it" if target.is_dir() else "a file"
        raise FileExistsError(f"cannot write the folder {path}: it is there already, {what}")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {target.parent}")
    _remove_dead(target)
    draft = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    draft.mkdir()
    try:
        with _locked(draft):
            yield draft
            os.replace(draft, target)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _remove_dead(target: Path) -> None:
    """Remove the drafts of this folder whose writers are gone."""
    for left in target.parent.glob(f".{_plain(target.name)}.*-*.tmp"):
        if left.is_dir() and not left.is_symlink():
            with suppress(OSError), _locked(left):
                shutil.rmtree(left, ignore_errors=True)


def _plain(name: str) -> str:
    """A name with nothing in it that a pattern of names takes for more than itself."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; an OSError if another process does."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)

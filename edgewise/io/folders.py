"""Folders that appear whole or not at all.

As with files (`edgewise.io.files.atomic_write`), the content goes to a hidden draft beside the
target, which takes its name when all is there (see `edgewise.io.drafts`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from edgewise.io.drafts import draft_folder

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
    with draft_folder(target) as draft:
        yield draft
        if sys.platform == "win32" and target.exists():  # it replaces no folder, even an empty one
            target.rmdir()
        os.replace(draft, target)

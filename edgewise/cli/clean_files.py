"""``edgewise clean-files [FOLDER]``: remove what killed writers have left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from edgewise.cli.terminal import number, show

__all__ = ["clean_files"]


def clean_files(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder to clean, without subfolders.")
    ] = Path(),
    quiet: bool = False,
) -> None:
    """Remove hidden, unfinished files and folders left by killed writers."""
    from edgewise.io.drafts import remove_dead

    if not folder.is_dir():
        raise NotADirectoryError(f"there is no folder {folder}")
    removed = remove_dead(folder)
    if not quiet:
        for path in removed:
            show(f"removed {path}")
        show(f"{number(len(removed))} unfinished files removed")

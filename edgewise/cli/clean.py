"""``edgewise clean [FOLDER]``: remove what killed writers have left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from edgewise.cli.terminal import number, show

__all__ = ["clean"]


def clean(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to look; not in the folders inside.")
    ] = Path(),
    quiet: bool = False,
) -> None:
    """Remove the hidden, unfinished files and folders of writers that were killed."""
    from edgewise.io.drafts import remove_dead

    if not folder.is_dir():
        raise NotADirectoryError(f"there is no folder {folder}")
    removed = remove_dead(folder)
    if not quiet:
        for path in removed:
            show(f"removed {path}")
        show(f"{number(len(removed))} unfinished files removed")

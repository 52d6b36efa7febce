"""``edgewise bench``: measure beside other libraries, from a checkout of the repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import edgewise.base

__all__ = ["bench"]


def bench(
    suite: Annotated[str, typer.Argument(help="The benchmark suite, as gap or growth.")] = "gap",
    options: Annotated[
        list[str] | None, typer.Argument(help="The options of the suite, after --.")
    ] = None,
) -> None:
    """Compare the speed of Edgewise with other libraries (in a checkout of the repository)."""
    root = Path(edgewise.base.__file__).parents[2]
    if not (root / "benchmarks" / "__main__.py").exists():
        raise FileNotFoundError(
            "the benchmarks come with a checkout of the repository, not with the installed "
            f"package: there is no {root / 'benchmarks'}"
        )
    done = subprocess.run([sys.executable, "-m", "benchmarks", suite, *(options or [])], cwd=root)
    raise typer.Exit(done.returncode)

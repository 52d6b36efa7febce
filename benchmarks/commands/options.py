"""What the commands share: the program, its options, and where results go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

__all__ = [
    "RESULTS",
    "Limit",
    "Names",
    "Output",
    "Quick",
    "Threads",
    "Trials",
    "app",
    "chosen",
    "console",
    "folder_for",
    "publish",
]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="The command line: ``python -m benchmarks COMMAND``; ``--help`` lists the commands.",
)
console = Console()

RESULTS = Path(__file__).resolve().parents[1] / "results"

Names = Annotated[str, typer.Option(help="Names with commas between; all by default.")]
Trials = Annotated[int, typer.Option(min=1, help="Turns that every peer takes in a row.")]
Limit = Annotated[float, typer.Option(min=1, help="Seconds after which a run is given up.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads for the peers that have them.")]
Quick = Annotated[bool, typer.Option("--quick", help="Small graphs, one turn; for trying it out.")]
Output = Annotated[Path | None, typer.Option(help="Where the results go; not into the docs then.")]


def chosen(text: str, default, option: str, allowed=()) -> list[str]:
    """The names in an option, each checked."""
    names = [name.strip() for name in text.split(",") if name.strip()] or list(default)
    allowed = default if allowed == () else allowed
    for name in names:
        if allowed is not None and name not in allowed:
            raise typer.BadParameter(f"{name!r} is none of {', '.join(allowed)}", param_hint=option)
    return names


def folder_for(quick: bool, output: Path | None) -> Path:
    """Trials go elsewhere than the results that the docs show."""
    return output or (RESULTS.parent / "data" / "quick" if quick else RESULTS)


def publish(folder: Path) -> None:
    """Write the pages anew that show the results, unless these went elsewhere."""
    if folder == RESULTS:
        from docs import tables

        tables.main([])

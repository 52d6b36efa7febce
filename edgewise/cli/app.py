"""The application: every command in its place. Each command is one module of this folder."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from edgewise import __version__
from edgewise.cli import (
    anonymize_table,
    bench,
    clean_files,
    compile,
    convert,
    demo,
    doctor,
    fuzzy_join,
    generate,
    info,
    launch,
    protein_families,
    recommend,
    run,
    simulate_grid,
)
from edgewise.cli.help import HelpGroup
from edgewise.cli.options import command
from edgewise.cli.profile import command as profile
from edgewise.cli.sense import command as sense

__all__ = ["app"]

_ORDER = (
    *("info", "convert", "generate", "run", "recommend", "simulate-grid", "launch"),
    *("profile", "sense", "fuzzy-join", "protein-families", "anonymize"),
    *("bench", "compile", "clean-files", "doctor", "demo"),
)


class _InOrder(HelpGroup):
    """Lists the commands in our order, not groups after plain commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=_ORDER.index)


app = typer.Typer(
    name="edgewise",
    cls=_InOrder,
    help="Large-scale graph analytics.",
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Analyze large graphs: inspect, convert or generate them, and run algorithms."""
    if version:
        print(f"edgewise {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


command(app)(info.info)
command(app)(convert.convert)
app.add_typer(generate.group, name="generate")
app.add_typer(run.group, name="run")
command(app)(recommend.recommend)
app.add_typer(simulate_grid.group, name="simulate-grid")
command(app)(launch.launch)
command(app)(profile.profile)
command(app)(sense.sense)
command(app)(fuzzy_join.fuzzy_join)
command(app)(protein_families.protein_families)
command(app)(anonymize_table.anonymize)
command(app)(bench.bench)
command(app)(compile.compile)
command(app)(clean_files.clean_files)
command(app)(doctor.doctor)
command(app)(demo.demo)

"""The application: every command in its place. Each command is one module of this folder."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from edgewise import __version__
from edgewise.cli import (
    bench,
    clean,
    compile,
    convert,
    demo,
    doctor,
    generate,
    info,
    join,
    recommend,
    run,
    simulate,
)
from edgewise.cli.help import HelpGroup
from edgewise.cli.options import command
from edgewise.cli.profile import command as profile
from edgewise.cli.sense import command as sense

__all__ = ["app"]

_ORDER = (
    *("info", "convert", "generate", "run", "recommend", "simulate", "profile", "sense", "join"),
    *("bench", "compile", "clean", "doctor", "demo"),
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
    """Large-scale graph analytics: look at a graph, convert it, generate one, run algorithms."""
    if version:
        print(f"edgewise {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


command(app)(info.info)
command(app)(convert.convert)
app.add_typer(generate.group, name="generate")
app.add_typer(run.group, name="run")
command(app)(recommend.recommend)
app.add_typer(simulate.group, name="simulate")
command(app)(profile.profile)
command(app)(sense.sense)
command(app)(join.join)
command(app)(bench.bench)
command(app)(compile.compile)
command(app)(clean.clean)
command(app)(doctor.doctor)
command(app)(demo.demo)

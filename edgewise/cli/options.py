"""The options that commands share: threads, quiet, traceback, and those of `reading`.

`command` registers a plain function as a command. It adds ``--threads``, ``--quiet`` and
``--traceback``, and turns a parameter of type `GraphFile` into the file argument and the options
of reading, so that a command says ``file.read()`` and nothing else about them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from edgewise.base.threads import set_threads
from edgewise.cli.help import HelpCommand
from edgewise.cli.reading import FILE, READING, GraphFile, take_options
from edgewise.cli.words import flags_of, speak

__all__ = ["command", "with_shared_options"]

SHARED = "Options of every command"


def command(group: typer.Typer, name: str | None = None, **settings: Any) -> Callable:
    """Register a function as a command of the group, with the shared options."""

    def register(function: Callable) -> Callable:
        group.command(name, cls=HelpCommand, **settings)(with_shared_options(function))
        return function

    return register


def with_shared_options(function: Callable) -> Callable:
    """A function for typer: ``function`` with the shared options added and acted upon."""
    own = inspect.signature(function, eval_str=True).parameters
    takes_quiet, takes_threads = "quiet" in own, "threads" in own
    file = next((name for name, one in own.items() if one.annotation is GraphFile), None)

    def run(context: typer.Context, **values: Any) -> None:
        names: dict[str, str] = {}
        speak(flags_of(context.command), names)
        set_threads(values["threads"])
        if not takes_threads:
            values.pop("threads")
        values.pop("traceback")  # main looks for it on the command line
        if not takes_quiet:
            values.pop("quiet")
        if file is not None:
            values[file] = GraphFile(values[file], names, **take_options(values))
        function(**values)

    parameters = []
    for name, parameter in own.items():
        if name == file:
            parameters.append(parameter.replace(annotation=FILE))
        elif name not in ("quiet", "threads"):
            parameters.append(parameter)
    more = (READING if file is not None else []) + _SHARED
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters] + more
    parameters.insert(0, _CONTEXT)
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def _option(name: str, kind: Any, default: Any, *flags: str, **settings: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, typer.Option(*flags, **settings)],
    )


_CONTEXT = inspect.Parameter(
    "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
)
_SHARED = [
    _option(
        "threads",
        int | None,
        None,
        "--threads",
        min=1,
        max=1024,
        metavar="N",
        help="CPU threads to use (default: one per core).",
        show_default=False,
        rich_help_panel=SHARED,
    ),
    _option(
        "quiet",
        bool,
        False,
        "--quiet",
        "-q",
        help="Draw no progress, say nothing but the result.",
        rich_help_panel=SHARED,
    ),
    _option(
        "traceback",
        bool,
        False,
        "--traceback",
        help="After an error, show where it came from.",
        rich_help_panel=SHARED,
    ),
]

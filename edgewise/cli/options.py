"""The options that commands share: threads, quiet, traceback, force, and those of `reading`.

`command` registers a plain function as a command. It adds ``--threads``, ``--quiet`` and
``--traceback``, and turns a parameter of type `GraphFile` into the file argument and the options
of reading, so that a command says ``file.read()`` and nothing else about them. A command that
reads files and writes one gets ``--force``: without it, no output may be a file that is read.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from edgewise.base.threads import set_threads
from edgewise.cli.help import HelpCommand
from edgewise.cli.reading import FILE, READING, GraphFile, take_options
from edgewise.cli.usage_errors import flags_of, speak

__all__ = ["command", "with_shared_options"]

SHARED = "Options of every command"
_OUTPUTS = ("output", "report", "plot", "edges")  # parameters that name a file to write
_INPUTS = ("files", "left", "graph", "sequences")  # those that name one to read


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

    outputs = [name for name in _OUTPUTS if name in own]
    overwrites = outputs and (file is not None or not own.keys().isdisjoint(_INPUTS))

    def run(context: typer.Context, **values: Any) -> None:
        names: dict[str, str] = {}
        speak(flags_of(context.command), names)
        if overwrites and not values.pop("force"):
            _keep_inputs(values, outputs)
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
    more = (READING if file is not None else []) + ([_FORCE] if overwrites else []) + _SHARED
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters] + more
    parameters.insert(0, _CONTEXT)
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def _keep_inputs(values: dict[str, Any], outputs: list[str]) -> None:
    """ValueError if an output is one of the files that other options name, by any path."""
    written = {identity: values[name] for name in outputs for identity in _files(values[name])}
    for name, value in values.items():
        for identity in () if name in outputs else _files(value):
            if identity in written:
                raise ValueError(
                    f"{written[identity]} is also read, and its content would be lost; "
                    "write to another file, or overwrite it with --force"
                )


def _files(value: Any) -> Iterator[tuple[int, int]]:
    """The identities (device and inode) of the regular files that a value names."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, (str, os.PathLike)) and os.path.isfile(one):
            found = os.stat(one)
            yield found.st_dev, found.st_ino


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
_FORCE = _option(
    "force", bool, False, "--force", help="Overwrite a file even if the command also reads it."
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
        help="The number of CPU threads (default: one per core).",
        show_default=False,
        rich_help_panel=SHARED,
    ),
    _option(
        "quiet",
        bool,
        False,
        "--quiet",
        "-q",
        help="Print only the result, without progress.",
        rich_help_panel=SHARED,
    ),
    _option(
        "traceback",
        bool,
        False,
        "--traceback",
        help="Print the traceback of an error.",
        rich_help_panel=SHARED,
    ),
]

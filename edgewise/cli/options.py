"""The options that commands share: threads, quiet, traceback, and how to read a graph file.

`command` registers a plain function as a command. It adds ``--threads``, ``--quiet`` and
``--traceback``, and turns a parameter of type `GraphFile` into the file argument and the options
of reading, so that a command says ``file.read()`` and nothing else about them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from edgewise.base.threads import set_threads

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["GraphFile", "command", "with_shared_options"]

SHARED, READING = "Options of every command", "Reading the file"


class GraphFile:
    """A graph file named on the command line, and how to read it."""

    def __init__(self, path: Path, **options: Any):
        self.path, self.options = path, options

    @property
    def has_checksums(self) -> bool:
        """Can it be read with ``verify=True``?"""
        from edgewise.io import format_of

        return format_of(self.path, self.options["format"]) == "ew"

    def read(self, **more: Any) -> Graph:
        """Read the graph, with the options given on the command line."""
        from edgewise.io import read

        return read(self.path, **self.options, **more)


def command(group: typer.Typer, name: str | None = None, **settings: Any) -> Callable:
    """Register a function as a command of the group, with the shared options."""

    def register(function: Callable) -> Callable:
        group.command(name, **settings)(with_shared_options(function))
        return function

    return register


def with_shared_options(function: Callable) -> Callable:
    """A function for typer: ``function`` with the shared options added and acted upon."""
    own = inspect.signature(function, eval_str=True).parameters
    takes_quiet, takes_threads = "quiet" in own, "threads" in own
    file = next((name for name, one in own.items() if one.annotation is GraphFile), None)

    def run(**values: Any) -> None:
        set_threads(values["threads"])
        if not takes_threads:
            values.pop("threads")
        values.pop("traceback")  # main looks for it on the command line
        if not takes_quiet:
            values.pop("quiet")
        if file is not None:
            chosen = {name: values.pop(name) for name in ("format", "directed", "on_bad_line")}
            columns = _columns(values.pop("columns"))
            values[file] = GraphFile(values[file], columns=columns, **chosen)
        function(**values)

    parameters = []
    for name, parameter in own.items():
        if name == file:
            parameters.append(parameter.replace(annotation=_FILE))
        elif name not in ("quiet", "threads"):
            parameters.append(parameter)
    more = (_READING if file is not None else []) + _SHARED
    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters] + more
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__name__, run.__doc__ = function.__name__, function.__doc__
    return run


def _columns(text: str | None) -> tuple[int | str, ...] | None:
    """``0,1,2`` as numbers, ``from,to`` as names."""
    if text is None:
        return None
    names = [part.strip() for part in text.split(",")]
    return tuple(int(one) for one in names) if all(map(str.isdigit, names)) else tuple(names)


def _option(name: str, kind: Any, default: Any, *flags: str, **settings: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, typer.Option(*flags, **settings)],
    )


_FILE = Annotated[Path, typer.Argument(metavar="FILE", help="A graph file.", show_default=False)]
_READING = [
    _option(
        "format",
        str | None,
        None,
        "--format",
        help="The file's format, if its suffix does not tell.",
        metavar="NAME",
        rich_help_panel=READING,
    ),
    _option(
        "columns",
        str | None,
        None,
        "--columns",
        help="Columns of source, target and weight: 0,1,2 in edge lists, names in tables.",
        metavar="A,B[,W]",
        rich_help_panel=READING,
    ),
    _option(
        "directed",
        bool | None,
        None,
        "--directed/--undirected",
        help="How to read the edges, if the file does not say.",
        show_default=False,
        rich_help_panel=READING,
    ),
    _option(
        "on_bad_line",
        str,
        "error",
        "--on-bad-line",
        help="What to do with a malformed line: error or skip.",
        metavar="CHOICE",
        rich_help_panel=READING,
    ),
]
_SHARED = [
    _option(
        "threads",
        int | None,
        None,
        "--threads",
        min=1,
        max=1024,
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

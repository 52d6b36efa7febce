"""Graph files on the command line: which options there are, and which of them a format has.

An option that a format's reader does not take is an error that says which ones it does. Columns
are counted from 1 here, as the notes about a file and tools such as ``cut`` and ``awk`` do.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from edgewise.base.errors import FileFormatError
from edgewise.cli.streams import is_stream, no_graph, sniff, spool
from edgewise.graph.build import DUPLICATES
from edgewise.io import READABLE, STREAMED, WITH_VERTEX_COLUMNS
from edgewise.io.dialect import HEADERS, IDS
from edgewise.io.notes import WARNED, Note, collect

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = [
    "FILE",
    "MEMORY",
    "READING",
    "GraphFile",
    "flags_of_format",
    "note_records",
    "say_note",
    "take_options",
]

PANEL = "Reading the file"


class GraphFile:
    """A graph file named on the command line, and how to read it; ``notes`` are its reader's."""

    def __init__(self, path: Path, names: dict[str, str] | None = None, **given: Any):
        self.given_path, self._given = path, {k: v for k, v in given.items() if v is not None}
        self._names = {} if names is None else names  # better ones, for messages
        self.notes: list[Note] = []

    @property
    def name(self) -> str:
        """What to call the file."""
        return "standard input" if is_stream(self.given_path) else str(self.given_path)

    @cached_property
    def path(self) -> Path:
        """The file itself; that of standard input is a temporary one."""
        if not is_stream(self.given_path):
            return self.given_path
        path = spool()
        self._names[str(path)] = self.name
        return path

    @cached_property
    def format(self) -> str:
        """The name of the file's format, by option, by suffix or, of a stream, by its start."""
        from edgewise.io import format_of

        if "format" in self._given:
            return self._given["format"]
        try:
            return format_of(self.path, None)
        except ValueError:
            if said := no_graph(self.path):
                raise ValueError(f"{self.name}: {said}") from None
            found = sniff(self.path)
            if found is not None and is_stream(self.given_path):
                return found
        looks = f"it looks like --format {found}" if found else "use --format"
        raise ValueError(
            f"{self.name}: the suffix does not determine the format; {looks} "
            f"(of {', '.join(READABLE)})"
        )

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options for the reader of the format, checked against those that it has."""
        given = {key: value for key, value in self._given.items() if key != "format"}
        known = _known(self.format)
        if "vertex_table" in known & set(given):
            known = known | {"vertex_columns"}  # of the table
        columns, weight = given.pop("columns", None), given.pop("weight", None)
        made = dict(given)
        for key in ("edge_columns", "vertex_columns"):
            if key in made:
                made[key] = _names(made[key])
        if given.get("delimiter") in ("tab", "\\t"):
            made["delimiter"] = "\t"
        if "directed" not in known and made.pop("directed", False):
            raise ValueError(
                f"{self.name}: {self.format} files say themselves whether they are directed; "
                "--undirected drops directions"
            )
        if "labels" in made and "labels" not in known and "names" in known:
            made["names"] = made.pop("labels")
        if weight is not None and "columns" not in known and "weight" in known:
            made["weight"] = weight  # an attribute of the format's edges
        elif columns is not None or weight is not None:
            made["columns"] = _columns(columns, weight)
        for key in made:
            if key not in known:
                weight_alone = key == "columns" and columns is None
                flag = _flag("weight" if weight_alone else key, made[key])
                has = f"they have {', '.join(flags_of_format(self.format))}"
                raise ValueError(f"{self.name}: {self.format} files have no {flag}; {has}")
        return {_TABLE.get(key, key): value for key, value in made.items()}

    def keep_columns(self, names: Sequence[str]) -> None:
        """Read these columns of edges too, if the format has to be asked for columns."""
        given = self.options.get("edge_columns", [])
        if names and given is not True and "edge_columns" in _known(self.format):
            self.options["edge_columns"] = [*dict.fromkeys([*given, *names])]

    def limit(self, memory: str | None) -> None:
        """Read the graph with a memory limit, if one is given."""
        if memory is None:
            return
        if "memory" not in _own(self.format):
            within = f" --memory {memory}" if self.format in STREAMED else ""
            raise ValueError(
                f"{self.name}: --memory is for .ew files; edgewise convert {self.given_path} "
                f"graph.ew{within} makes one"
            )
        self.options["memory"] = memory

    def read(self, **more: Any) -> Graph:
        """Read the graph, with the options given on the command line."""
        from edgewise.io import read

        with self.listening():
            try:
                graph = read(self.path, format=self.format, **self.options, **more)
            except FileFormatError as error:
                may_skip = "on_bad_line" in _known(self.format) - set(self.options)
                if may_skip and (error.line or 1) > 1:
                    reason = (
                        f"{error.reason} (--on-bad-line skip leaves such lines out){self._looks}"
                    )
                    raise FileFormatError(error.path, reason, error.line) from error
                raise FileFormatError(error.path, error.reason + self._looks, error.line) from error
        return graph.to_undirected() if graph.directed and self.drops_directions else graph

    @property
    def _looks(self) -> str:
        """A word about another format, if the file begins as its files do."""
        try:
            found = None if "format" in self._given else sniff(self.path)
        except (OSError, ValueError):
            found = None
        like = found not in (None, "edges", "csv", self.format)  # these two look like many others
        return f"; it looks like --format {found}" if like else ""

    @property
    def drops_directions(self) -> bool:
        """Is the file to be read as undirected, and its format has no option for that?"""
        return self._given.get("directed") is False and "directed" not in self.options

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Keep the notes of what reads the file in this block."""
        with collect() as self.notes:
            yield
        if "edge_columns" in self.options:
            self.notes = [one for one in self.notes if one.kind != "columns"]

    def tell(self, *, quiet: bool) -> None:
        """Say on standard error what may be a mistake, unless nothing is to be said."""
        for one in [] if quiet else self.notes:
            if one.kind in WARNED:
                print(f"edgewise: note: {self.name}: {say_note(one)}", file=sys.stderr)

    @property
    def has_checksums(self) -> bool:
        """Can it be read with ``verify=True``?"""
        return self.format == "ew"

    @property
    def bytes(self) -> int:
        """How large the file is."""
        return self.path.stat().st_size


def say_note(note: Note) -> str:
    """A note with the option that says otherwise.

    >>> say_note(Note("columns", "column 3 was not read", "", "--weight 3"))
    'column 3 was not read; --weight 3 takes it as the weight'
    >>> say_note(Note("columns", "column 'kind' was not read", "edge_columns=True keeps it"))
    "column 'kind' was not read; --edge-columns all keeps it"
    """
    does = {
        "columns --weight": "takes it as the weight",
        "columns --columns": "leaves it out",
        "header --header": "reads it as an edge",
        "repeats --directed": "tells directions apart",
    }
    then = does.get(f"{note.kind} {note.option.partition(' ')[0]}", "says otherwise")
    said = f"{note.text}; {note.option} {then}" if note.option else note.text
    keeps = re.search("edge_columns=True (keeps .*)", note.python)
    return f"{said}; --edge-columns all {keeps[1]}" if keeps else said


def note_records(notes: Sequence[Note]) -> list[dict[str, str]]:
    """Notes for a document; that about ids is left out, as ids are reported themselves."""
    return [
        {"kind": one.kind, "text": say_note(one), "option": one.option}
        for one in notes
        if one.kind != "ids"
    ]


def take_options(values: dict[str, Any]) -> dict[str, Any]:
    """Take the options of reading out of a command's values."""
    return {option.name: values.pop(option.name) for option in READING}


def flags_of_format(name: str) -> list[str]:
    """The options that a format has, ``--directed/--undirected`` as one.

    >>> "--header" in flags_of_format("csv"), "--header" in flags_of_format("ew")
    (True, False)
    """
    known = _known(name)
    found = [_FLAGS[option.name] for option in READING if option.name in known]
    if "directed" not in known:
        found.insert(0, "--undirected")
    if "columns" in known and "weight" not in known:
        found.append(_FLAGS["weight"])
    if "names" in known:
        found.append(_FLAGS["names"])
    return found


def _known(name: str) -> set[str]:
    """The options that the reader of a format has."""
    beside = set() if name in WITH_VERTEX_COLUMNS else {*_TABLE}
    own = _own(name) - {"suffix", "symmetrize"}
    return own | beside | {"max_bytes"}  # the last ones are options of `read` itself


def _own(name: str) -> set[str]:
    """The parameters of a format's reader."""
    reader = import_module(READABLE[name].module).read
    return set(list(inspect.signature(reader).parameters)[1:])


def _names(text: str) -> bool | list[str]:
    """``all`` as True, ``a,b`` as names."""
    return True if text == "all" else [part.strip() for part in text.split(",")]


def _columns(text: str | None, weight: str | None) -> tuple[int | str | None, ...]:
    """``1,2,3`` as numbers from 0, ``from,to`` as names; then the column of the weight."""
    ends = [None, None] if text is None else [_column(part.strip()) for part in text.split(",")]
    return tuple(ends if weight is None else [*ends[:2], _column(weight)])


def _column(text: str) -> int | str:
    if not text.isdigit():
        return text
    if int(text) == 0:
        raise ValueError("--columns and --weight count from 1; there is no column 0")
    return int(text) - 1


def _flag(name: str, value: Any = None) -> str:
    """The flag of an option, given its name in Python."""
    flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
    if "/" in flag and isinstance(value, bool):
        return flag.split("/")[0 if value else 1]
    return flag


#: Options of `read` for a table of vertices, by their names here: algorithms have --vertices.
_TABLE = {"vertex_table": "vertices", "vertex_key": "vertex"}
#: The flags of the options, by their names in Python.
_FLAGS = {"names": "--labels/--no-labels"}


def _option(name: str, kind: Any, flags: str, text: str, **settings: Any) -> inspect.Parameter:
    _FLAGS[name] = flags
    if get_origin(kind) is Literal:
        settings.setdefault("metavar", "|".join(get_args(kind)))
    option = typer.Option(flags, help=text, show_default=False, rich_help_panel=PANEL, **settings)
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )


FILE = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A graph file; - is standard input.", show_default=False),
]
MEMORY = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="Map an .ew file within this memory limit, as 4GiB, or stop before it is exceeded.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
READING = [
    _option(
        "format", Literal[tuple(READABLE)], "--format",
        f"The format, if the suffix does not determine it: {', '.join(READABLE)}.", metavar="NAME",
    ),
    _option(
        "columns", str, "--columns",
        "The columns of source, target and weight: 1,2,3 or their names.", metavar="A,B[,W]",
    ),
    _option(
        "weight", str, "--weight",
        "The column or attribute of the weights: a number from 1, or its name.", metavar="W",
    ),
    _option(
        "edge_columns", str, "--edge-columns",
        "Further columns or attributes of edges to keep: all, or their names.", metavar="all|A,B",
    ),
    _option(
        "vertex_columns", str, "--vertex-columns",
        "Attributes of vertices to keep: all, or their names.", metavar="all|A,B",
    ),
    _option(
        "vertex_table", Path, "--vertex-table",
        "A second file, with a row per vertex: CSV, Parquet or Arrow.", metavar="FILE",
    ),
    _option(
        "vertex_key", str, "--vertex-key",
        "The column of --vertex-table with their labels (default: the first).", metavar="NAME",
    ),
    _option(
        "header", Literal[HEADERS], "--header",  # type: ignore[valid-type]
        "What the first line holds: an edge, column names, counts, or text to skip.",
    ),
    _option(
        "delimiter", str, "--delimiter", "The delimiter between columns: a character, or tab.",
        metavar="CHAR",
    ),
    _option(
        "decimal", Literal[".", ","], "--decimal", "The decimal separator of weights.",
    ),
    _option(
        "directed", bool, "--directed/--undirected",
        "Read edges as directed or undirected (default: from the file).",
    ),
    _option(
        "ids", Literal[IDS], "--ids",  # type: ignore[valid-type]
        "The type of the ids; as_is makes every number up to the largest a vertex.",
    ),
    _option(
        "labels", bool, "--labels/--no-labels", "Always or never keep ids as labels."
    ),
    _option(
        "label", str, "--label", "The vertex attribute of the labels.", metavar="NAME"
    ),
    _option(
        "num_vertices", int, "--num-vertices", "The number of vertices; ids are 0 to N - 1.",
        metavar="N", min=0,
    ),
    _option(
        "duplicates", Literal[DUPLICATES], "--duplicates",  # type: ignore[valid-type]
        "How the weights of duplicate edges are combined.",
    ),
    _option(
        "self_loops", Literal[("keep", "drop")], "--self-loops",  # type: ignore[valid-type]
        "Keep or drop self-loops.",
    ),
    _option(
        "on_bad_line", Literal[("raise", "skip")], "--on-bad-line",  # type: ignore[valid-type]
        "What to do with a malformed line.",
    ),
    _option(
        "max_bytes", int, "--max-bytes", "The maximum size after decompression, in bytes.",
        metavar="N", min=1,
    ),
]  # fmt: skip

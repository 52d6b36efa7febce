"""``-`` in place of a file name: standard input and output, and what format a stream has.

What comes from standard input is put into a temporary file, as readers map files into memory; what
goes to standard output is written to one first, so that an error leaves nothing half-written there.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

import typer

from edgewise.graph import Graph
from edgewise.io import FORMATS
from edgewise.io.files import COMPRESSIONS, atomic_write, read_bytes

__all__ = [
    "COMMENT",
    "OUTPUT_FORMAT",
    "check_output",
    "is_stream",
    "open_output",
    "sniff",
    "spool",
    "write_graph",
]

_STREAM = Path("-")
_FormatName: Any = Literal[tuple(FORMATS)]
OUTPUT_FORMAT = Annotated[
    _FormatName | None,
    typer.Option(
        "--output-format",
        metavar="NAME",
        help=f"The format to write, if the suffix does not determine it: {', '.join(FORMATS)}.",
        show_default=False,
    ),
]
_MARKS = {  # the first bytes of files that can be told by them
    b"\x89EWG\r\n": "ew",
    b"%%MatrixMarket": "matrix_market",
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"PK\x03\x04": "npz",
    b"\xe2\x9b\xbe gt": "graph_tool",
    b"nkbg00": "networkit",
}
_PACKED = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"(\xb5/\xfd": ".zst", b"\xfd7zXZ\0": ".xz"}


COMMENT = Annotated[
    bool,
    typer.Option(
        "--comment", help="Store in a comment what CSV cannot hold, such as isolated vertices."
    ),
]


def is_stream(path: Path | None) -> bool:
    """Is this ``-``?"""
    return path == _STREAM


def spool() -> Path:
    """All of standard input as a file, which lasts as long as the process."""
    folder = tempfile.TemporaryDirectory(prefix="edgewise-")
    _kept.append(folder)
    path = Path(folder.name) / "input"
    with open(path, "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, 1 << 20)
    with open(path, "rb") as file:
        start = file.read(8)
    for mark, suffix in _PACKED.items():
        if start.startswith(mark) and suffix in COMPRESSIONS:
            return path.rename(path.with_name(f"input{suffix}"))
    return path


_kept: list[Any] = []  # removed when the process ends


def sniff(path: Path) -> str | None:
    """The format of a file by its first bytes, or None where these do not tell.

    METIS and adjacency lists look like edge lists, and GAP's files like anything.
    """
    start = read_bytes(path)[:4096].tobytes()
    for mark, name in _MARKS.items():
        if start.startswith(mark):
            return name
    try:
        text = start.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(start) - 4:  # a letter cut at the end is none
            return None
        text = start[: error.start].decode("utf-8")
    if re.match(r"\s*<", text):
        return next((name for name in ("graphml", "gexf") if f"<{name}" in text), None)
    if re.search(r"^p \w+ \d+ \d+\s*$", text, re.MULTILINE):
        return "dimacs"
    if re.match(r"\s*(?:#.*\s+)*graph\s*\[|\s*Creator\b", text):
        return "gml"
    if re.match(r"\s*(?:(?://|#).*\s+)*(?:strict\s+)?(?:di)?graph\b[^[]*\{", text, re.IGNORECASE):
        return "dot"
    if re.match(r"\s*(?:%.*\s+)*\*vertices\b", text, re.IGNORECASE):
        return "pajek"
    if re.match(r"\s*[\[{]", text):  # JSON
        return None
    rows = [line for line in text.splitlines()[:20] if line.strip() and line[0] not in "#%"]
    if rows and all("," in line or ";" in line for line in rows):
        return "csv"
    return "edges" if rows and all(len(line.split()) > 1 for line in rows[:-1] or rows) else None


def no_graph(path: Path) -> str | None:
    """What a file holds by its first bytes, and who takes it, if that is traffic and no graph."""
    from edgewise.sensing.formats import is_capture
    from edgewise.sensing.matrix_files import is_saved
    from edgewise.sensing.records import is_records

    start = read_bytes(path)[:16].tobytes()
    if is_capture(start) or is_records(start):
        return "it holds packets, not a graph: `edgewise sense` counts who sends to whom"
    if is_saved(start):
        return (
            "it holds a traffic matrix: edgewise.sensing.read_matrix(path).to_graph() makes a graph"
        )
    return None


@contextmanager
def open_output(path: Path) -> Iterator[BinaryIO]:
    """A file that appears whole or not at all; ``-`` is standard output."""
    if not is_stream(path):
        with atomic_write(path) as file:
            yield file
        return
    with tempfile.TemporaryFile() as file:
        yield file  # type: ignore[misc]
        file.seek(0)
        _print_bytes(file)


def check_output(path: Path, format: str | None, *, comment: bool = False) -> str:
    """The format that a graph is to be written in; an error before the work if none is known."""
    name = _output_format(path, format)
    if comment and name != "csv":
        raise ValueError(f"--comment applies to csv files, not to {name} files")
    return name


def _output_format(path: Path, format: str | None) -> str:
    from edgewise.io import format_of

    if format is not None:
        return format
    if is_stream(path):
        raise ValueError(
            f"standard output has no suffix: --output-format NAME, one of {', '.join(FORMATS)}"
        )
    try:
        return format_of(path, None, FORMATS)
    except ValueError:
        raise ValueError(
            f"{path}: the suffix does not determine the format: --output-format NAME, one of "
            f"{', '.join(FORMATS)}"
        ) from None


def write_graph(graph: Graph, path: Path, format: str | None, *, comment: bool = False) -> None:
    """Write a graph to a file or, with the format given, to standard output."""
    from edgewise.io import write

    name = check_output(path, format)
    options: dict[str, Any] = {"comment": True} if comment else {}
    if not is_stream(path):
        write(graph, path, format=name, **options)
        return
    with tempfile.TemporaryDirectory(prefix="edgewise-") as folder:
        made = Path(folder) / f"output{FORMATS[name].suffixes[0]}"
        write(graph, made, format=name, **options)
        with open(made, "rb") as file:
            _print_bytes(file)


def _print_bytes(file: Any) -> None:
    sys.stdout.flush()
    shutil.copyfileobj(file, sys.stdout.buffer, 1 << 20)
    sys.stdout.buffer.flush()

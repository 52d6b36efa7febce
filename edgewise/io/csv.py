"""CSV tables of edges with a header: a column of sources, one of targets, perhaps one of weights.

A file without quotes goes through the parallel parser of `edgewise.io.parse`; one with quotes
through Python's ``csv`` module, which also knows quoted line ends. CSV keeps edges alone: neither
direction nor vertices without an edge; `read` takes ``directed`` and ``num_vertices``.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.arrays import label_column
from edgewise.io.files import read_bytes
from edgewise.io.parse import Layout, Rows, parse
from edgewise.io.text import (
    check_columns,
    lines,
    look_like_names,
    not_utf8,
    shown,
    split_line,
    text_start,
    to_graph,
    usual_width,
    warn_skipped,
    write_rows,
)

__all__ = ["check_delimiter", "pick_columns", "read", "read_header", "take_sample", "write"]

_NAMES = ("source", "target", "weight")
_WHOLE = re.compile(r"[0-9]{1,19}")
_NUMBER = re.compile(
    r"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE
)
_NEEDS_QUOTES = re.compile(r'[\x00-\x1f",]|^\s|\s$|^$')


def read(
    path: Path,
    *,
    columns: Sequence[int | str] | None = None,
    directed: bool = False,
    on_bad_line: str = "error",
    header: bool = True,
    delimiter: str = ",",
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: bool | None = None,
) -> Graph:
    """Read a CSV file.

    Parameters
    ----------
    path : Path
    columns : sequence of two or three str or int, optional
        The names, or numbers from 0, of the columns of source, target and weight. By default
        ``source`` and ``target`` (in any case of letters) if there are such columns, otherwise the
        first two; and ``weight`` if there is such a column.
    directed : bool
    on_bad_line : {"error", "skip"}
    header : bool
        Does the first line hold the columns' names?
    delimiter : str
        The one character between columns.
    ids : {"auto", "int", "str"}
        Are ids numbers or names? By default names if most of the first lines have one that is no
        whole number.
    num_vertices, duplicates, self_loops, symmetrize, labels
        As in `Graph.from_edges`.

    Returns
    -------
    Graph
        Weights are int64 if all are whole numbers of that size, otherwise float64.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "roads.csv"
    ...     _ = path.write_text('from,to,km\\n"Aachen","Bonn",92\\n"Bonn","Celle",341.5\\n')
    ...     graph = read(path, columns=("from", "to", "km"))
    >>> graph.labels.values.tolist(), graph.weights.tolist()
    (['Aachen', 'Bonn', 'Celle'], [92.0, 92.0, 341.5, 341.5])
    """
    check_choice(ids, "ids", ("auto", "int", "str"))
    if num_vertices is not None:
        check_count(num_vertices, "num_vertices")
    split = check_delimiter(delimiter)
    data = read_bytes(path)
    start, line, titles = read_header(path, data, header, delimiter)
    sample = take_sample(data, start, line, delimiter)
    picked = pick_columns(path, columns, titles if header else None)
    width = len(titles) if header else usual_width(sample)
    as_names = ids == "str" or (ids == "auto" and look_like_names(sample, picked))
    high = 2**63 - 1 if num_vertices is None else num_vertices - 1
    layout = Layout(picked, width, split, b"", high=high, names=as_names)
    if re.search(b'"', data[start:].data):
        rows = _parse_quoted(path, data, layout, start, line, on_bad_line)
    else:
        rows = parse(path, data, layout, start=start, line=line, on_bad_line=on_bad_line)
    return to_graph(
        rows,
        directed=directed,
        num_vertices=num_vertices,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        labels=labels,
    )


def write(graph: Graph, file: BinaryIO) -> None:
    """Write the columns ``source``, ``target`` and, if there are weights, ``weight``.

    Labelled vertices are written by their labels, integers or strings; a string is quoted where it
    must be. Vertices without an edge are not kept.
    """
    sources, targets, weights = graph.edges()
    columns = [sources, targets] if weights is None else [sources, targets, weights]
    file.write(",".join(_NAMES[: len(columns)]).encode() + b"\n")
    if graph.labels is not None:
        values = label_column(graph.labels)
        columns[:2] = values.take(sources), values.take(targets)
        if graph.labels.dtype == object and any(map(_NEEDS_QUOTES.search, values.to_pylist())):
            if "" in values.to_pylist():
                raise ValueError("CSV cannot hold an empty label")
            text = io.TextIOWrapper(file, "utf-8", newline="")
            rows = zip(*(column.tolist() for column in columns), strict=True)
            csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(rows)
            text.flush()
            text.detach()
            return
    write_rows(file, columns, ",")


def check_delimiter(delimiter: str) -> bytes:
    """The delimiter as a byte, if it can be one."""
    if not isinstance(delimiter, str) or not re.fullmatch(r"[\t -~]", delimiter):
        raise ValueError(f"delimiter must be one ASCII character, got {delimiter!r}")
    if delimiter in '"0123456789+-.eE':
        raise ValueError(f"delimiter must not be a quote or part of a number, got {delimiter!r}")
    return delimiter.encode()


def read_header(
    path: Path, data: np.ndarray, header: bool, delimiter: str
) -> tuple[int, int, list[str]]:
    """Where the rows start, on which line, and the titles of the columns."""
    if len(data) == 0:
        raise FileFormatError(path, "the file is empty")
    start = text_start(data)
    if not header:
        return start, 1, []
    for line in lines(data, start):
        if line.content:
            break
    titles = [title.decode("utf-8", "replace").strip() for title in _split(line.content, delimiter)]
    if all(_NUMBER.fullmatch(title) for title in titles):
        reason = f"expected a header of column names, got {shown(line.content)}; pass header=False"
        raise FileFormatError(path, f"{reason} if there is none", line.number)
    if len(titles) < 2:
        reason = f"expected at least two columns between {delimiter!r}, got {shown(line.content)}"
        raise FileFormatError(path, f"{reason}; pass delimiter= or format='edges'", line.number)
    return line.after, line.number + 1, titles


def _split(content: bytes, delimiter: str) -> list[bytes]:
    """The columns of one line, with or without quotes."""
    if b'"' not in content:
        return split_line(content, delimiter.encode())
    text = content.decode("utf-8", "replace")
    try:
        row = next(csv.reader([text], delimiter=delimiter, skipinitialspace=True))
    except csv.Error:  # which the parser finds again, and says where
        return split_line(content, delimiter.encode())
    return [column.encode() for column in row]


def pick_columns(
    path: Path, columns: Sequence[int | str] | None, titles: list[str] | None
) -> tuple[int, int, int]:
    """The numbers of the columns of source, target and weight (-1: none)."""
    known = [] if titles is None else [title.lower() for title in titles]
    if columns is None:
        if not {"source", "target"} <= set(known):
            first, second = 0, 1
        else:
            first, second = known.index("source"), known.index("target")
        weight = known.index("weight") if "weight" in known else -1
        return first, second, weight if weight not in (first, second) else -1
    picked: list[int] = []
    for column in columns:
        if not isinstance(column, str):
            picked.append(column)
        elif titles is None:
            raise ValueError(f"columns must be numbers for a file without header, got {column!r}")
        elif titles.count(column) != 1:
            count = "several columns" if column in titles else "no column"
            raise FileFormatError(path, f"{count} named {column!r}; there are: {', '.join(titles)}")
        else:
            picked.append(titles.index(column))
    found = check_columns(picked)
    if titles is not None and max(found) >= len(titles):
        raise FileFormatError(path, f"no column {max(found)}: there are only {len(titles)}")
    return found


def _parse_quoted(
    path: Path, data: np.ndarray, layout: Layout, start: int, line: int, on_bad_line: str
) -> Rows:
    """What `edgewise.io.parse.parse` does, for a file with quotes."""
    import pyarrow

    kept: list[list] = [[], [], []]
    skipped = 0
    for number, row in _rows(path, data, layout, start, line):
        reason = _fault(row, layout)
        if reason is None:
            for values, column in zip(kept, layout.columns, strict=True):
                if column >= 0:
                    values.append(row[column])
        elif on_bad_line == "skip":
            skipped += 1
        else:
            raise FileFormatError(path, reason, number)
    warn_skipped(path, skipped)
    if layout.names:
        sources, targets = (pyarrow.array(values, pyarrow.large_string()) for values in kept[:2])
    else:
        sources, targets = (np.array([*map(int, values)], np.int64) for values in kept[:2])
    if layout.columns[2] < 0:
        return Rows(sources, targets, None)
    if all(_WHOLE.fullmatch(value.strip().lstrip("-+")) for value in kept[2]):
        exact = [int(value) for value in kept[2]]
        if all(-(2**63) <= value < 2**63 for value in exact):
            return Rows(sources, targets, np.array(exact, np.int64))
    return Rows(sources, targets, np.array([*map(float, kept[2])], np.float64))


def _rows(
    path: Path, data: np.ndarray, layout: Layout, start: int, line: int
) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line it ends on."""
    text = io.TextIOWrapper(io.BytesIO(data[start:].data), "utf-8", newline="")
    delimiter = layout.delimiter.decode()
    reader = csv.reader(text, delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            if row:
                yield line + reader.line_num - 1, row
    except csv.Error as error:
        raise FileFormatError(path, str(error), line + reader.line_num - 1) from None
    except UnicodeDecodeError:
        raise not_utf8(path, data) from None


def _fault(row: list[str], layout: Layout) -> str | None:
    """Why a row does not fit the layout, if it does not."""
    first, second, weight = layout.columns
    if len(row) != layout.width:
        return f"expected {layout.width} columns, found {len(row)}"
    for column in (row[first], row[second]):
        if layout.names:
            if not column:
                return "expected a vertex name, got ''"
        elif not _WHOLE.fullmatch(column.strip()):
            return f"expected a vertex id (a whole number from 0), got {shown(column.encode())}"
        elif int(column) > layout.high:
            return f"vertex id {column.strip()} is not in the range 0..{layout.high}"
    if weight >= 0 and not _NUMBER.fullmatch(row[weight].strip()):
        return f"expected a number as weight, got {shown(row[weight].encode())}"
    return None


def take_sample(data: np.ndarray, start: int, line: int, delimiter: str) -> list[list[bytes]]:
    """The fields of the first rows."""
    first = itertools.islice(lines(data, start, line), 100)
    return [_split(line.content, delimiter) for line in first if line.content]

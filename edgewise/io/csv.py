"""CSV tables of edges with column names: sources, targets and optionally weights.

A file without quotes is read by the parallel parser of `edgewise.io.parse`. One with quotes is read
by Python's ``csv`` module, which also handles quoted line ends. A directed graph has a column
``type`` with the entries ``directed``, as in Gephi. CSV has no standard place for isolated
vertices; a comment above the column names can hold them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.binary import label_column
from edgewise.io.csv_columns import TextOptions, has_type, read_columns, write_columns
from edgewise.io.dialect import Style, read_head
from edgewise.io.edge_columns import SWAP, check_names, is_number
from edgewise.io.files import read_bytes
from edgewise.io.header import header_lines
from edgewise.io.left_out import count_isolated, warn_left_out
from edgewise.io.parse import Layout, Rows, parse
from edgewise.io.text import not_utf8, shown, warn_skipped, write_rows
from edgewise.io.text_graph import to_graph

__all__ = ["STYLE", "read", "write"]

STYLE = Style(comments=b"", titles=True, delimiters=b",\t;|")
_KEEPERS = ".ew files and comment=True keep them"
_DIGITS = re.compile(r"\s*-?[0-9]+\s*")
_WHOLE = re.compile(r"[0-9]{1,19}")
_NEEDS_QUOTES = re.compile(r'[\x00-\x1f",]|^\s|\s$|^$')


def read(
    path: Path,
    *,
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    header: str = "auto",
    delimiter: str | None = None,
    decimal: str | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: bool | None = None,
    edge_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return the graph in a CSV file.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of two or three str or int, optional
        The names, or numbers from 0, of the columns of source, target and weight. By default these
        are ``source`` and ``target``, ``src`` and ``dst``, ``u`` and ``v``, or ``from`` and ``to``
        (in any letter case; the last not after two others), otherwise the first two. A column
        ``weight`` is used if present. None stands for the default source or target, as in ``(None,
        None, "km")``.
    directed : bool, optional
        Whether edges are directed. By default this follows a column ``type`` (``directed`` or
        ``undirected``), the Edgewise header or a SNAP comment (``# Directed graph``), and is
        otherwise False.
    on_bad_line : {"raise", "skip"}
        What to do with a malformed line.
    header : {"auto", "names", "none", "counts", "skip"}
        What the first line holds: column names; an edge; the numbers of vertices and of lines; or
        text to skip. By default it holds names, unless it holds numbers.
    delimiter : str, optional
        The single character between columns. By default it is detected among comma, tab, semicolon
        and bar, or is white space.
    decimal : {".", ","}, optional
        The decimal separator of weights. By default it is a comma if another delimiter separates
        the columns and the first weights have commas, as in ``1;2;0,5``; otherwise a point.
    ids, num_vertices, duplicates, self_loops, symmetrize, labels
        As in `edgewise.io.edge_list.read`. Each id that occurs is a vertex, unless ``num_vertices``
        or ``ids="as_is"`` is given.
    edge_columns : bool or list of str
        The other columns that the edges keep: for True all of them, but no ``type`` that says
        whether edges are directed. The file is then read by
        Arrow, which finds the types. Empty fields, ``NA``, ``null`` and ``\\N`` are missing
        values. Columns without names are called ``f0``, ``f1``, ....

    Returns
    -------
    Graph
        Weights are int64 if all are integers of that size, otherwise float64.

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
    data = read_bytes(path)
    if edge_columns is not False:
        given = {"directed": directed, "duplicates": duplicates, "self_loops": self_loops,
                 "symmetrize": symmetrize, "labels": labels, "num_vertices": num_vertices,
                 "edge_columns": edge_columns}  # fmt: skip
        text = TextOptions(header, delimiter, decimal, ids, on_bad_line)
        return read_columns(path, data, columns, text, given)
    head = read_head(
        path,
        data,
        STYLE,
        columns=columns,
        directed=directed,
        header=header,
        delimiter=delimiter,
        ids=ids,
        num_vertices=num_vertices,
        decimal=decimal,
    )
    quoted = head.layout.delimiter and re.search(b'"', data[head.start :].data)
    reader = _parse_quoted if quoted else parse
    rows = reader(
        path, data, head.layout, start=head.start, line=head.line, on_bad_line=on_bad_line
    )
    return to_graph(
        path,
        head,
        rows,
        on_bad_line=on_bad_line,
        num_vertices=num_vertices,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        labels=labels,
    )


def write(graph: Graph, file: BinaryIO, *, comment: bool = False) -> None:
    """Write the columns ``source``, ``target`` and, if needed, ``weight`` and ``type``.

    ``type`` marks a directed graph. Labeled vertices are written as their labels, integers or
    strings; strings are quoted if necessary. Isolated vertices are omitted with a warning.

    Parameters
    ----------
    graph : Graph
        The graph to write.
    file : binary file
        The open file.
    comment : bool
        Whether to write the Edgewise header (see `edgewise.io.header`) first, which preserves
        everything. Other readers must then skip it, as ``pandas.read_csv(path, comment="#")`` does.

    Examples
    --------
    >>> from io import BytesIO
    >>> write(Graph.from_edges(["a"], ["b, c"], [7], directed=True), file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    source,target,weight,type
    "a","b, c",7,"directed"
    """
    check_names(graph)
    sources, targets, weights = graph.edges()
    columns: dict[str, Any] = {"source": sources, "target": targets}
    if weights is not None:
        columns["weight"] = weights
    warn_left_out("CSV files", _left_out(graph, comment), _KEEPERS)
    if graph.columns is not None and graph.columns.edges is not None:
        if comment:
            file.writelines(header_lines(graph, "#", every=False))
        write_columns(graph, file, directed=graph.directed and not comment)
        return
    if comment:
        file.writelines(header_lines(graph, "#", every=False))
    elif graph.directed:
        columns["type"] = np.full(len(sources), "directed", object)
    file.write(",".join(columns).encode() + b"\n")
    if graph.labels is not None:
        values = label_column(graph.labels)
        columns |= {"source": values.take(sources), "target": values.take(targets)}
        if graph.labels.dtype == object and any(map(_NEEDS_QUOTES.search, values.to_pylist())):
            if "" in values.to_pylist():
                raise ValueError("CSV cannot hold an empty label")
            text = io.TextIOWrapper(file, "utf-8", newline="")
            rows = zip(*(column.tolist() for column in columns.values()), strict=True)
            csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(rows)
            text.flush()
            text.detach()
            return
    write_rows(file, [*columns.values()], ",")


def _left_out(graph: Graph, comment: bool) -> Iterator[str]:
    """What the file does not tell."""
    values = [] if graph.labels is None else label_column(graph.labels).to_pylist()
    if graph.labels is not None and graph.labels.dtype == object:
        odd = not comment and any(map(_DIGITS.fullmatch, values))
    else:
        odd = bool(values) and not 0 <= min(values) <= max(values) < 2**63
    if odd:
        yield "the type of labels"
    if graph.columns is not None and graph.columns.vertices is not None:
        yield "vertex columns"
    if comment:
        return
    if graph.directed and (graph.num_edges == 0 or has_type(graph)):
        yield "direction"
    if graph.num_edges == 0 and graph.weights is not None:
        yield "weights"
    if count_isolated(graph):
        yield "isolated vertices"


def _parse_quoted(
    path: Path, data: np.ndarray, layout: Layout, *, start: int, line: int, on_bad_line: str
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
    if layout.decimal == b",":
        kept[2] = [value.translate(SWAP) for value in kept[2]]
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
            return layout.not_an_id(column.encode())
        elif int(column) > layout.high:
            return f"vertex id {column.strip()} is not in the range 0..{layout.high}"
    if weight >= 0 and not is_number(row[weight], layout.decimal):
        return f"expected a number as weight, got {shown(row[weight].encode())}"
    return None

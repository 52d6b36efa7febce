"""What stands above the rows of a text of edges, and how its rows are to be read.

`read_head` looks at the first lines of an edge list or a CSV file and settles what its caller
leaves open: what separates columns, whether the first row holds titles or the numbers of vertices
and rows, which columns are source, target and weight, whether ids are numbers or names, and the
direction that a comment of SNAP or KONECT gives. `take_counts` decides, once the rows are known,
whether a first row of two numbers was a header. What was decided is said with `edgewise.io.notes`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.errors import FileFormatError
from edgewise.io.edge_columns import NUMBER, find_decimal, pick_columns, refuse_commas, tell_unread
from edgewise.io.header import Header, parse_header
from edgewise.io.notes import note
from edgewise.io.parse import Layout, Rows
from edgewise.io.text import (
    Line,
    check_columns,
    lines,
    look_like_names,
    only,
    shown,
    split_line,
    text_start,
    usual_width,
)

__all__ = ["HEADERS", "IDS", "Head", "Style", "read_head", "settle_counts", "take_counts"]

HEADERS = ("auto", "none", "names", "counts", "skip")
IDS = ("auto", "int", "str", "as_is")
_DIRECTION = re.compile(rb"#\s*(un)?directed graph\b|%\s*(?:(sym)|asym)\b", re.IGNORECASE)
#: KONECT's word for a third column of weights.
_WEIGHTED = re.compile(rb"%\s*(?:a?sym|bip)\s+(?:(?:multi)?(?:pos)?(?:weighted|signed)|positive)\b")
_BIPARTITE = re.compile(rb"%\s*bip\b")
_SEPARATOR = re.compile(rb'"?sep=([\t -~])"?', re.IGNORECASE)  # a line above CSV for Excel
_SAMPLE, _HEAD = 100, 1 << 20


class Style(NamedTuple):
    """How a format differs from the others."""

    #: The bytes that start a comment on any line; above the rows ``#`` and a blank always do.
    comments: bytes
    #: Do files have a row of titles, unless all that stands there are numbers?
    titles: bool
    #: The delimiters to choose from; without any, white space or commas.
    delimiters: bytes = b""
    #: The column of the source, if titles do not say; that of the target follows.
    first: int = 0
    #: Is the column after these the weight? None: if there is one.
    weighted: bool | None = False


class Head(NamedTuple):
    """How to read the rows, which start at byte ``start`` on line ``line``."""

    start: int
    line: int
    layout: Layout
    own: Header
    directed: bool
    #: "int", "str" or "as_is"
    ids: str
    #: The numbers of vertices and of rows that a header declares.
    num_vertices: int | None = None
    num_rows: int | None = None
    #: The first row, if it may be a header of two numbers, and whether it is parsed as a row.
    counts: tuple[int, int] | None = None
    counts_parsed: bool = False
    #: Did the caller say which columns to read?
    columns_given: bool = False
    #: The column that says in the first rows whether edges are directed; -1 if none does.
    way_column: int = -1


def read_head(
    path: Path,
    data: np.ndarray,
    style: Style,
    *,
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    header: str = "auto",
    delimiter: str | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    decimal: str | None = None,
) -> Head:
    """Settle how to read the rows; the options are those of `edgewise.read`."""
    check_choice(header, "header", HEADERS)
    check_choice(ids, "ids", IDS)
    if num_vertices is not None:
        check_count(num_vertices, "num_vertices")
    split = None if delimiter is None else _check_delimiter(delimiter)
    if columns is not None and not any(c is None or isinstance(c, str) for c in columns):
        check_columns(columns)  # type: ignore[arg-type]
    if len(data) == 0:
        raise FileFormatError(path, "the file is empty")
    if bytes(data[:2]) in (b"\xff\xfe", b"\xfe\xff"):
        raise FileFormatError(path, "this is UTF-16 text; save it as UTF-8")
    comments, sample = _first_lines(data, style)
    own = parse_header(path, (one._replace(content=one.content[1:].lstrip()) for one in comments))
    if sample and style.titles and (said := _SEPARATOR.fullmatch(sample[0].content)):
        split, sample = split or said[1], sample[1:]
    if split is None:
        split = _sniff(sample, style.delimiters) if style.delimiters else _semicolon(sample)
    rows = [_fields(line.content, split) for line in sample]
    header = _kind_of_header(header, style, rows, own)
    titles, counts, n, m = None, None, own.num_vertices, own.num_edges
    if header == "names" and rows:
        titles = [title.decode("utf-8", "replace").strip() for title in rows[0]]
        _check_titles(path, titles, sample[0], split)
    elif header == "counts" and rows:
        n, m = _declared(path, rows[0], sample[0])
    elif header == "maybe counts":
        counts = int(rows[0][0]), int(rows[0][1])
    first = sample[0] if sample else Line(1, text_start(data), 0, b"")
    weighted = bool(own.weights) if own.ids else style.weighted
    if weighted is None or any(_WEIGHTED.match(one.content) for one in comments):
        weighted = min(map(len, rows), default=0) > 2
    if any(_BIPARTITE.match(one.content) for one in comments):
        note("bipartite", "the comment '% bip' says that both columns number vertices of their "
             "own, but an id in both is read as one", "give the second other ids")  # fmt: skip
    first_column = 0 if own.ids else style.first
    picked = pick_columns(path, columns, titles, weighted=weighted, first=first_column)
    strict = columns is None or style.titles  # must all rows have the same number of columns?
    parsed = header == "none" or (counts is not None and _may_be_a_row(rows, picked, strict))
    start, line = (first.start, first.number) if parsed else (first.after, first.number + 1)
    rows = rows if parsed else rows[1:]
    if header == "names" and style.titles is False:
        note("header", f"line {first.number} is read as a header of titles",
             'header="none" reads it as an edge', "--header none")  # fmt: skip
    point = find_decimal(rows, split, picked[2], decimal)
    if not split:
        refuse_commas(path, sample if parsed else sample[1:], picked[2])
    width = len(titles) if titles is not None else usual_width(rows)
    kind = _type_column(titles, rows)
    if columns is None:
        width = max(width, max(picked) + 1)
        there = range(first_column, width)
        tell_unread(picked, titles, rows, [k for k in there if k != kind], split)
    hint = "ids='str' reads ids as names" if ids == "auto" else ""
    if ids == "auto":
        ids = own.ids or ("str" if look_like_names(rows, picked) else "int")
    ranged = own.labels == "range" and num_vertices is None and ids != "as_is"
    if own.labels == "none" or ranged:
        declared = own.num_vertices  # ids are positions, or counted from another number than 0
    else:
        declared = n if header == "counts" else None
    most = declared if num_vertices is None else num_vertices
    if header == "counts" and num_vertices is None:
        most = (n or 0) + 1  # they may be counted from 1
    layout = Layout(
        picked,
        width=width if strict else 0,
        delimiter=split,
        comments=style.comments,
        names=ids == "str",
        low=own.first if ranged else 0,
        high=2**63 - 1 if most is None else most - 1 + (own.first if ranged else 0),
        weights="real" if own.weights.startswith("float") else "any",
        hint=hint,
        decimal=point,
    )
    way = _direction(directed, own, comments)
    types = [row[kind] for row in rows if len(row) > kind >= 0]
    if directed is None and types:
        way = _direction_of_type(path, types, line)
    return Head(
        start,
        line,
        layout,
        own,
        way,
        ids,
        declared,
        m,
        counts,
        counts_parsed=counts is not None and parsed,
        columns_given=columns is not None,
        way_column=kind,
    )


def take_counts(path: Path, head: Head, rows: Rows, skip: bool = False) -> tuple[Head, Rows]:
    """The head and the rows, once it is known whether the first row was a header of counts."""
    if head.counts is None:
        return head, rows
    rest = Rows(*(None if c is None else c[1:] for c in rows)) if head.counts_parsed else rows
    ends = [part for part in rest[:2] if len(part) and not head.layout.names]
    low = min((int(part.min()) for part in ends), default=0)
    high = max((int(part.max()) for part in ends), default=-1)
    fits = settle_counts(path, head, len(rest.sources), low, high, skip)
    if fits is None:
        return head._replace(counts=None), rows
    return head._replace(counts=None, num_vertices=fits), rest


def settle_counts(
    path: Path, head: Head, count: int, low: int, high: int, skip: bool = False
) -> int | None:
    """The number of vertices, if the first row was a header of counts above ``count`` rows."""
    n, m = head.counts or (0, 0)
    if not _fits(n, m, count, low, high):
        if not head.counts_parsed and not skip:
            reason = f"expected {head.layout.width} columns, found 2"
            raise FileFormatError(path, reason, head.line - 1)
        return None
    number = head.line if head.counts_parsed else head.line - 1
    note("header", f"line {number} ({n} {m}) is read as the numbers of vertices and of edges",
         'header="none" reads it as an edge', "--header none")  # fmt: skip
    return n


def _fits(n: int, m: int, count: int, low: int, high: int) -> bool:
    """May these be the numbers of vertices and of rows, or of edges given both ways?"""
    if high < 0 or count not in (m, 2 * m):  # no rows, or names
        return False
    exact = high == n - 1 or (low > 0 and high == n)
    return exact or (count == m and high < n <= 2 * (high + 1))


def _first_lines(data: np.ndarray, style: Style) -> tuple[list[Line], list[Line]]:
    """The comments above the first row, and the first rows."""
    comments: list[Line] = []
    sample: list[Line] = []
    for line in lines(data, text_start(data)):
        mark = line.content[:1]
        if mark and (mark in style.comments or (not sample and line.content[:2] == b"# ")):
            if not sample:
                comments.append(line)
        elif line.content:
            sample.append(line)
        if len(sample) > _SAMPLE or (sample and line.number > _HEAD):
            break
    return comments, sample


def _kind_of_header(header: str, style: Style, rows: list[list[bytes]], own: Header) -> str:
    """What the first row is: as the caller says, or by its look."""
    if header != "auto":
        return header
    if not rows or own.ids:
        return "names" if style.titles and rows else "none"
    if not any(NUMBER.fullmatch(field.decode("utf-8", "replace")) for field in rows[0][:2]):
        if style.titles:
            return "names"
        below = rows[1:]
        return "names" if below and _all_whole(below) and len(rows[0]) > 1 else "none"
    if len(rows[0]) == 2 and len(rows) > 1 and all(_whole(field) for field in rows[0]):
        return "maybe counts"
    return "none"


def _may_be_a_row(rows: list[list[bytes]], picked: tuple[int, int, int], strict: bool) -> bool:
    """May a first row of two columns be read as the others are?"""
    widths = {len(row) for row in rows[1:]}
    return 2 in widths or len(widths) > 1 if strict else max(picked) < 2


def _all_whole(rows: list[list[bytes]]) -> bool:
    return all(len(row) > 1 and _whole(row[0]) and _whole(row[1]) for row in rows)


def _whole(field: bytes) -> bool:
    return field.isdigit() and len(field) < 19


def _sniff(sample: list[Line], delimiters: bytes) -> bytes:
    """The delimiter that cuts the first lines into most columns, alike.

    Of equals the first, but for the comma, which may stand before fractions or in names.
    """
    best, most = delimiters[:1], 1
    contents = [line.content for line in sample[:20]]
    for choice in (delimiters[k : k + 1] for k in range(len(delimiters))):
        widths = {len(_fields(content, choice)) for content in contents}
        width = widths.pop() if len(widths) == 1 else 1
        if width > most or (width == most > 1 and best == b","):
            best, most = choice, width
    if most == 1 and delimiters and contents and all(len(split_line(c)) > 1 for c in contents):
        return best if any(best in content for content in contents) else b""
    return best


def _semicolon(sample: list[Line]) -> bytes:
    """A semicolon if it cuts all first lines of an edge list into as many words, else nothing."""
    rows = [split_line(line.content, b";") for line in sample]
    words = all(re.fullmatch(rb"\S+", word) for row in rows for word in row)
    return b";" if words and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1 else b""


def _check_delimiter(delimiter: str) -> bytes:
    """The delimiter as a byte, if it can be one."""
    if not isinstance(delimiter, str) or not re.fullmatch(r"[\t -~]", delimiter):
        raise ValueError(f"delimiter must be one ASCII character, got {delimiter!r}")
    if delimiter in '"0123456789+-.eE':
        raise ValueError(f"delimiter must not be a quote or part of a number, got {delimiter!r}")
    return delimiter.encode()


def _fields(content: bytes, delimiter: bytes) -> list[bytes]:
    """The columns of one line, with or without quotes."""
    if b'"' not in content or not delimiter:
        return split_line(content, delimiter)
    text = content.decode("utf-8", "replace")
    try:
        row = next(csv.reader([text], delimiter=delimiter.decode(), skipinitialspace=True))
    except csv.Error:  # which the parser finds again, and says where
        return split_line(content, delimiter)
    return [column.encode() for column in row]


def _check_titles(path: Path, titles: list[str], line: Line, delimiter: bytes) -> None:
    if all(NUMBER.fullmatch(title) for title in titles):
        reason = f"expected a header of column names, got {shown(line.content)}; pass header='none'"
        raise FileFormatError(path, f"{reason} if there is none", line.number)
    if len(titles) < 2:
        between = f"between {delimiter.decode()!r}" if delimiter else "between blanks"
        reason = f"expected at least two columns {between}, got {shown(line.content)}"
        raise FileFormatError(path, f"{reason}; pass delimiter= or format='edges'", line.number)


def _declared(path: Path, fields: list[bytes], line: Line) -> tuple[int, int]:
    if len(fields) < 2:
        reason = f"expected the numbers of vertices and edges, got {shown(line.content)}"
        raise FileFormatError(path, reason, line.number)
    n = only(path, fields[0], "the number of vertices", line.number)
    return n, only(path, fields[1], "the number of edges", line.number)


def _type_column(titles: list[str] | None, rows: list[list[bytes]]) -> int:
    """The column ``type``, as Gephi has it, that says whether edges are directed; -1 if none."""
    known = [] if titles is None else [title.lower() for title in titles]
    if "type" not in known:
        return -1
    column = known.index("type")
    values = {row[column].lower() for row in rows if len(row) > column}
    return column if values <= {b"directed", b"undirected"} else -1


def _direction_of_type(path: Path, values: list[bytes], line: int) -> bool:
    ways = {value.lower() == b"directed" for value in values}
    if len(ways) > 1:
        reason = "the column 'type' mixes directed and undirected edges; pass directed="
        raise FileFormatError(path, reason, line)
    way = ways.pop()
    note("direction", f"{'directed' if way else 'undirected'}, as the column 'type' says",
         f"directed={not way} says otherwise", "--undirected" if way else "--directed")  # fmt: skip
    return way


def _direction(directed: bool | None, own: Header, comments: list[Line]) -> bool:
    """The direction that the caller, our header or a comment gives; else undirected."""
    if directed is not None:
        return directed
    if own.directed is not None:
        return own.directed
    for comment in comments:
        if found := _DIRECTION.match(comment.content):
            way = found[1] is None and found[2] is None
            word = "directed" if way else "undirected"
            note("direction", f"{word}, as the comment {shown(comment.content)} says",
                 f"directed={not way} says otherwise",
                 "--undirected" if way else "--directed")  # fmt: skip
            return way
    return False

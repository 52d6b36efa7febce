"""Which columns of a text of edges are the source, the target and the weight.

By default those that are titled so, otherwise the first two; what is left out is said with
`edgewise.io.notes`, as it may be a weight. Parquet and Arrow files follow the same titles.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.titles import find_ends
from edgewise.io.notes import note
from edgewise.io.text import Line, check_columns, shown

__all__ = [
    "NUMBER",
    "SWAP",
    "check_names",
    "find_decimal",
    "is_number",
    "pick_columns",
    "refuse_commas",
    "say_unread",
    "tell_unread",
]

NUMBER = re.compile(
    r"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|inf|infinity|nan)", re.IGNORECASE
)
_COMMA = re.compile(rb"[-+]?[0-9]+,[0-9]+")
#: Points for commas and commas for points.
SWAP = str.maketrans(",.", ".,")
#: Titles of numbers that are no weights: those of the rows.
_NO_WEIGHTS = ("", "id", "index", "unnamed: 0")


def pick_columns(
    path: Path,
    columns: Sequence[int | str | None] | None,
    titles: list[str] | None,
    *,
    weighted: bool,
    first: int = 0,
) -> tuple[int, int, int]:
    """The numbers of the columns of source, target and weight (-1: none)."""
    known = [] if titles is None else [title.lower() for title in titles]
    first, second = find_ends(known) or (first, first + 1)
    if columns is None:
        weight = known.index("weight") if "weight" in known else second + 1 if weighted else -1
        return first, second, weight if weight not in (first, second) else -1
    picked: list[int] = []
    for place, column in enumerate(columns):
        if column is None and place < 2:
            picked.append((first, second)[place])
        elif not isinstance(column, str):
            picked.append(column)  # type: ignore[arg-type]
        elif titles is None:
            raise ValueError(f"columns must be numbers for a file without header, got {column!r}")
        elif titles.count(column) != 1:
            count = "several columns" if column in titles else "no column"
            raise FileFormatError(path, f"{count} named {column!r}; there are: {', '.join(titles)}")
        else:
            picked.append(titles.index(column))
    found = check_columns(picked)
    if titles is not None and max(found) >= len(titles):
        raise FileFormatError(path, f"there are only {len(titles)} columns: {', '.join(titles)}")
    return found


def check_names(graph: Graph) -> None:
    """Raise ValueError if a table of edges would have a column that is read as something else.

    >>> check_names(Graph.from_edges([0], [1]).with_columns(edges={"Weight": [5]}))
    Traceback (most recent call last):
    ValueError: a column of edges must not be called 'Weight' in tables without weights: ...
    """
    table = None if graph.columns is None else graph.columns.edges
    for name in () if table is None else table.column_names:
        if name in ("source", "target"):
            reason = "in tables, as the ends of edges are"
        elif name.lower() == "weight" and graph.weights is None:
            reason = "in tables without weights: it would be read as the weights"
        else:
            continue
        raise ValueError(f"a column of edges must not be called {name!r} {reason}")


def tell_unread(
    picked: tuple[int, int, int],
    titles: list[str] | None,
    rows: list[list[bytes]],
    there: Iterable[int],
    delimiter: bytes = b"",
) -> None:
    """Note which columns are left out, and how the first that holds numbers becomes the weight."""
    unread = [k for k in there if k not in picked]
    if not unread:
        return
    if titles is None and _numbers_lines(picked, rows):
        note("columns", "column 1 seems to number the lines", "columns=(1, 2) leaves it out",
             "--columns 2,3")  # fmt: skip
        return

    def numeric(k: int) -> bool:
        point = find_decimal(rows, delimiter, k)
        return bool(values := _texts(rows, k)) and all(is_number(one, point) for one in values)

    say_unread(unread, picked, titles, numeric)


def find_decimal(
    rows: list[list[bytes]], delimiter: bytes, weight: int, decimal: str | None = None
) -> bytes:
    """What stands before the fractions of a column of weights: a point, or a comma.

    A comma where the caller says so, or where it is not the delimiter, some of the first weights
    have one, and all are numbers with it.
    """
    if decimal is not None:
        check_choice(decimal, "decimal", (".", ","))
        if decimal == "," and delimiter in (b"", b","):
            raise ValueError("decimal=',' needs another delimiter between columns")
        return decimal.encode()
    values = _texts(rows, weight) if weight >= 0 and delimiter not in (b"", b",") else []
    comma = any("," in one for one in values) and all(is_number(one, b",") for one in values)
    return b"," if comma else b"."


def refuse_commas(path: Path, sample: Iterable[Line], weight: int) -> None:
    """Refuse ``1 2 0,5``, of which blanks and commas would cut the weight 0."""
    for line in sample if weight >= 0 else ():
        words = line.content.split()
        if (
            len(words) > weight
            and _COMMA.fullmatch(words[weight])
            and b"," not in b"".join(words[:weight])
        ):
            reason = f"the weight {shown(words[weight])} has a comma, which parts columns here"
            hint = "pass delimiter=' ' or '\\t' if it is a decimal comma"
            raise FileFormatError(path, f"{reason}; {hint}", line.number)


def is_number(text: str, decimal: bytes) -> bool:
    """Is this a number, with a point or a comma before its fraction?

    >>> is_number("0,5", b","), is_number("0.5", b","), is_number("1.000,5", b",")
    (True, False, False)
    """
    if decimal == b",":
        text = text.translate(SWAP)
    return NUMBER.fullmatch(text.strip()) is not None


def _texts(rows: list[list[bytes]], column: int) -> list[str]:
    return [row[column].decode("utf-8", "replace") for row in rows if len(row) > column]


def say_unread(
    unread: Sequence[int],
    picked: tuple[int, int, int],
    titles: list[str] | None,
    numeric: Callable[[int], bool],
) -> None:
    """Note that some columns are left out; the first that is ``numeric`` may be the weight."""
    names = [f"{k + 1}" if titles is None else repr(titles[k]) for k in unread[:5]]
    more = ", ..." if len(unread) > 5 else ""
    text = (
        f"column {names[0]} was" if len(unread) == 1 else f"columns {', '.join(names)}{more} were"
    )
    python = option = ""
    for k in unread if picked[2] < 0 else ():
        if numeric(k) and (titles is None or titles[k].lower() not in _NO_WEIGHTS):
            pick = (
                picked[:2] + (k,) if titles is None else tuple(titles[c] for c in (*picked[:2], k))
            )
            python = f"columns={pick} takes it as the weight"
            option = f"--weight {k + 1 if titles is None else shlex.quote(titles[k])}"
            break
    if titles is not None:
        keeps = f"edge_columns=True keeps {'it' if len(unread) == 1 else 'them'}"
        python = f"{python}; {keeps}" if python else keeps
    note("columns", f"{text} not read", python, option)


def _numbers_lines(picked: tuple[int, int, int], rows: list[list[bytes]]) -> bool:
    """Does a first column count up by one, beside two others that hold ids?"""
    if picked[:2] != (0, 1) or len(rows) < 5 or min(map(len, rows)) < 3:
        return False
    if not all(field.isdigit() and len(field) < 19 for row in rows for field in row[:3]):
        return False
    first, second = ([int(row[k]) for row in rows] for k in (0, 1))
    counts_up = all(b - a == 1 for a, b in zip(first, first[1:], strict=False))
    return counts_up and any(b - a != 1 for a, b in zip(first, second, strict=True))

"""CSV tables of edges with all their columns, read and written by Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.dialect import Style, read_head
from edgewise.io.text import warn_skipped

__all__ = ["MISSING", "TextOptions", "column_names", "csv_fields", "has_type", "parse_rows",
           "read_columns", "write_columns", "write_table"]  # fmt: skip

_STYLE = Style(comments=b"", titles=True, delimiters=b",\t;|")
_WAY = ("undirected", "directed")
#: The fields that stand for a missing value.
MISSING = ["", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "\\N"]


class TextOptions(NamedTuple):
    """How the text is laid out; see `edgewise.io.csv.read`."""

    header: str
    delimiter: str | None
    decimal: str | None
    ids: str
    on_bad_line: str


def read_columns(
    path: Path, data: np.ndarray, columns: Sequence[Any] | None, text: TextOptions, given: Any
) -> Graph:
    """The graph of a file, with columns of its edges; ``given`` is for `Graph.from_arrow`."""
    head = read_head(
        path, data, _STYLE, columns=columns, directed=given["directed"], header=text.header,
        delimiter=text.delimiter, ids=text.ids, num_vertices=given["num_vertices"],
        decimal=text.decimal,
    )  # fmt: skip
    table = _parsed(path, data, head, text)
    names = table.column_names
    picked = [names[place] for place in head.layout.columns if place >= 0]
    options = {**given, "directed": head.directed}
    if given["edge_columns"] is True and head.way_column >= 0:
        way = table.column(names[head.way_column])
        if {str(one).lower() for one in way.unique().to_pylist()} <= {"directed", "undirected"}:
            table = table.drop_columns([names[head.way_column]])
    if text.ids == "as_is":
        options["labels"] = False
    elif options["labels"] is None and options["num_vertices"] is None:
        options["labels"] = True  # a vertex is every id that occurs
    if text.ids == "str":
        for name in picked[:2]:
            at = table.column_names.index(name)
            table = table.set_column(at, name, table.column(name).cast("string"))
    weight = {"weight": picked[2]} if len(picked) > 2 else {"weight": None}
    try:
        graph = Graph.from_arrow(table, source=picked[0], target=picked[1], **weight, **options)
    except (TypeError, ValueError, OverflowError) as error:
        raise FileFormatError(path, str(error)) from None
    if graph.labels is not None and graph.labels.range_start == 0:
        return graph.with_labels(None)
    return graph


def _parsed(path: Path, data: np.ndarray, head: Any, text: TextOptions) -> Any:
    """The rows of the file as a table, with the titles of the file if it has some."""
    names = column_names(path, data, head)
    return parse_rows(path, data[head.start :], names, head, text.on_bad_line)


def column_names(path: Path, data: Any, head: Any) -> list[str]:
    """The titles of the columns, or f0, f1, ... if there are none."""
    layout = head.layout
    delimiter = (layout.delimiter or b" ").decode()
    lines = bytes(data[: head.start]).decode("utf-8", "replace").splitlines()
    titled = [line for line in lines if line.strip() and not line.startswith(("#", "%"))]
    names: list[str] = next(iter(csv_fields(titled[-1], delimiter)), []) if titled else []
    if len(names) != layout.width:
        names = [f"f{i}" for i in range(layout.width)]
    if len(set(names)) != len(names):
        raise FileFormatError(path, f"columns must have distinct names, got {', '.join(names)}")
    return names


def parse_rows(
    path: Path, data: np.ndarray, names: list[str], head: Any, on_bad_line: str,
    types: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """Lines as a table; Arrow finds the types of columns that ``types`` does not name."""
    import pyarrow
    from pyarrow import csv

    skipped: list[int] = []

    def skip(row: Any) -> str:
        skipped.append(1)
        return "skip"

    try:
        table = csv.read_csv(
            pyarrow.py_buffer(data.tobytes()),
            csv.ReadOptions(column_names=names),
            csv.ParseOptions(
                delimiter=(head.layout.delimiter or b" ").decode(), newlines_in_values=True,
                invalid_row_handler=skip if on_bad_line == "skip" else None,
            ),
            csv.ConvertOptions(
                null_values=MISSING, strings_can_be_null=True, column_types=types,
                decimal_point=head.layout.decimal.decode(),
            ),
        )  # fmt: skip
    except pyarrow.ArrowException as error:
        raise FileFormatError(path, str(error), head.line) from None
    if types is None:
        warn_skipped(path, len(skipped))
    return table


def csv_fields(line: str, delimiter: str) -> Any:
    """The fields of one line, without quotes."""
    import csv

    return ([one.strip() for one in row] for row in csv.reader([line], delimiter=delimiter))


def write_columns(graph: Graph, file: BinaryIO, *, directed: bool) -> None:
    """Write source, target, weight and all columns of edges; ``type`` marks a directed graph.

    A column of that name is written as it is, so that there is no mark.
    """
    import pyarrow

    table = graph.to_arrow()
    for name in graph.edges.columns:
        said = name.lower() == "type" and {*map(str, table.column(name).unique().to_pylist())}
        if said and said <= {"directed", "undirected"} and said != {_WAY[graph.directed]}:
            raise ValueError(
                f"a column {name!r} of CSV files says if edges are directed: rename it"
            )
    if directed and not has_type(graph):
        kinds = pyarrow.array(np.full(table.num_rows, "directed", object))
        table = table.append_column("type", kinds)
    write_table(table, file)


def has_type(graph: Graph) -> bool:
    """Whether a column of edges has the name of the column that marks directed graphs."""
    return any(name.lower() == "type" for name in graph.edges.columns)


def write_table(table: Any, file: BinaryIO) -> None:
    """Write a table as CSV; categories as their values.

    ValueError for columns of lists, and for names that a line of titles cannot hold.
    """
    import pyarrow
    from pyarrow import csv

    for at, field in enumerate(table.schema):
        if field.name != field.name.strip() or len(field.name.splitlines()) > 1:
            raise ValueError(f"CSV cannot hold a column called {field.name!r}")
        if pyarrow.types.is_dictionary(field.type):
            table = table.set_column(at, field.name, table.column(at).cast(field.type.value_type))
        elif pyarrow.types.is_nested(field.type):
            raise ValueError(f"CSV cannot hold the column {field.name!r} of {field.type}")
    csv.write_csv(table, file, csv.WriteOptions(quoting_style="needed"))

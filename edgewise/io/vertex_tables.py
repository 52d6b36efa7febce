"""Tables of vertices in CSV, Parquet and Arrow files, beside a file of edges.

One column, the key, holds the labels of the vertices, the others are columns. A CSV file needs a
line of titles; its key is read as text where the ends of edges are names, so that ``NA`` and
``007`` stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.vertex_rows import as_table, find_key, join_vertices
from edgewise.io.arrow import check_memory, opened
from edgewise.io.binary import label_column
from edgewise.io.csv_columns import MISSING, csv_fields, write_table
from edgewise.io.files import plain_suffix, read_bytes
from edgewise.io.parquet_parts import Parts, is_parts

__all__ = ["VertexTable", "check_suffix", "write_vertices"]

_WRITTEN = (".csv", ".parquet", ".arrow", ".feather")
_SUFFIXES = (*_WRITTEN, ".tsv")
_DELIMITERS = ",\t;|"
#: Options of readers that say which vertices there are, as the table does.
_EXCLUDED = ("labels", "num_vertices", "memory")


class VertexTable(NamedTuple):
    """A table of vertices to read with a graph: a path or a frame, its key, and its columns."""

    source: Any
    vertex: str | None
    columns: bool | Sequence[str]

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise ValueError before anything is read, if the options of the graph exclude a table."""
        for name in _EXCLUDED:
            if options.get(name) is not None:
                raise ValueError(f"{name} cannot be given with vertices")
        if options.get("ids") == "as_is":
            raise ValueError("ids='as_is' cannot be given with vertices")
        if self._is_file and not self._in_parts:
            check_suffix(self.source)
            if not os.path.exists(self.source):
                raise FileNotFoundError(f"there is no file {self.source}")

    def join(self, graph: Graph) -> Graph:
        """The graph with the columns of the table, and with vertices that only the table has."""
        if not self._is_file:
            return self._joined(graph, as_table(self.source))
        text = graph.labels is not None and graph.labels.dtype == object
        path = Path(self.source) if "://" not in str(self.source) else self.source
        try:
            return self._joined(graph, self._read(path, text))
        except FileFormatError:
            raise
        except ValueError as error:
            raise FileFormatError(path, str(error)) from None

    @property
    def _is_file(self) -> bool:
        return isinstance(self.source, (str, os.PathLike))

    @property
    def _in_parts(self) -> bool:
        return is_parts(self.source)

    def _joined(self, graph: Graph, table: Any) -> Graph:
        key, others = self._picked(table.column_names)
        return join_vertices(graph, table.select([key, *others]), key)

    def _picked(self, names: list[str]) -> tuple[str, list[str]]:
        """The key and the other columns to read."""
        key = find_key(names, self.vertex)
        if self.columns is True or self.columns is False:
            return key, [name for name in names if name != key] if self.columns else []
        chosen = [self.columns] if isinstance(self.columns, str) else [*self.columns]
        for name in chosen:
            if names.count(name) != 1 or name == key:
                raise ValueError(
                    f"vertex_columns must name other columns of vertices, got {name!r}; there "
                    f"are: {', '.join(map(repr, names))}"
                )
        return key, chosen

    def _read(self, path: Any, text: bool) -> Any:
        import pyarrow
        from pyarrow import ipc, parquet

        try:
            if self._in_parts:
                parts = Parts(path)
                key, others = self._picked(parts.schema.names)
                table = parts.table([key, *others])
            elif plain_suffix(path) in (".csv", ".tsv"):
                return self._read_csv(path, text)
            elif plain_suffix(path) == ".parquet":
                file = parquet.ParquetFile(opened(path), page_checksum_verification=True)
                key, others = self._picked(file.schema_arrow.names)
                check_memory(path, file.metadata, [key, *others])
                table = file.read([key, *others])
            else:
                table = ipc.open_file(opened(path)).read_all()
            table.validate(full=True)
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise FileFormatError(path, f"damaged, or not a table of vertices: {error}") from None
        return table

    def _read_csv(self, path: Path, text: bool) -> Any:
        """The key, as text if ``text``, and the other columns, whose types Arrow finds."""
        import pyarrow
        from pyarrow import compute, csv

        data = read_bytes(path)
        start, line, number = _titles(path, data)
        delimiter = max(_DELIMITERS, key=line.count)
        names: list[str] = next(iter(csv_fields(line, delimiter)), [])
        if len(set(names)) != len(names):
            raise FileFormatError(
                path, f"columns must have distinct names, got {', '.join(names)}", number
            )
        key, others = self._picked(names)
        content = pyarrow.py_buffer(data[start:].tobytes())

        def parsed(wanted: list[str], missing: list[str], types: dict[str, Any]) -> Any:
            return csv.read_csv(
                content, csv.ReadOptions(column_names=names),
                csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
                csv.ConvertOptions(include_columns=wanted, column_types=types, null_values=missing,
                                   strings_can_be_null=True),
            )  # fmt: skip

        if not len(content):
            kind = pyarrow.string() if text else pyarrow.int64()
            return pyarrow.table({one: pyarrow.array([], kind) for one in [key, *others]})
        table = parsed([key], [""], {key: pyarrow.string()} if text else {})
        if text:
            table = table.set_column(0, key, compute.utf8_trim_whitespace(table.column(0)))
        rest = parsed(others, MISSING, {}) if others else table.select([])
        for name in others:
            table = table.append_column(name, rest.column(name))
        return table


def check_suffix(path: Any, *, writing: bool = False) -> str:
    """The suffix of a table of vertices; ValueError for a file of another format."""
    known = _WRITTEN if writing else _SUFFIXES
    if (suffix := plain_suffix(path)) not in known:
        raise ValueError(f"vertices must be a file that ends in {', '.join(known)}, got {path}")
    return suffix


def _titles(path: Path, data: np.ndarray) -> tuple[int, str, int]:
    """Where the rows begin, and the line of titles above them with its number."""
    start, number = 0, 0
    while start < len(data):
        rest = data[start : start + (1 << 20)].tobytes()
        line, _, _ = rest.partition(b"\n")
        start, number = start + len(line) + 1, number + 1
        try:
            title = line.decode("utf-8-sig" if number == 1 else "utf-8").strip("\r")
        except UnicodeDecodeError:
            raise FileFormatError(path, "the text is not UTF-8", number) from None
        if title.strip() and not title.startswith(("#", "%")):
            return min(start, len(data)), title, number
    raise FileFormatError(path, "there must be a line with the names of columns")


def write_vertices(graph: Graph, file: BinaryIO, suffix: str) -> None:
    """Write the labels of the vertices, or their ids, as the column ``vertex``, and all columns."""
    import pyarrow
    from pyarrow import parquet

    own = np.arange(graph.num_vertices) if graph.labels is None else label_column(graph.labels)
    table = pyarrow.table({"vertex": own})
    columns: Any = None if graph.columns is None else graph.columns.vertices
    for name in () if columns is None else columns.column_names:
        if name == "vertex":
            raise ValueError("a column of vertices must not be called 'vertex', as the labels are")
        table = table.append_column(name, columns.column(name))
    if suffix == ".csv":
        write_table(table, file)
    elif suffix == ".parquet":
        parquet.write_table(table, file, write_page_checksum=True)
    else:
        options = pyarrow.ipc.IpcWriteOptions(compression="lz4" if suffix == ".feather" else None)
        with pyarrow.ipc.new_file(file, table.schema, options=options) as writer:
            writer.write_table(table)

"""Edges of a file in pieces: edge lists, CSV, Parquet and Arrow, without the whole file in memory.

A piece comes with the place in the file after it, where reading can resume. `TextPieces` reads
whole lines by the parser of `edgewise.io.parse`, also from compressed files; `TablePieces` reads
record batches. Ends are vertex ids: names need `edgewise.read` with ``memory``.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.errors import FileFormatError
from edgewise.graph.csr import as_weights
from edgewise.graph.labels import Labels
from edgewise.io.archives import decompress
from edgewise.io.dialect import Head, read_head, settle_counts
from edgewise.io.files import compression
from edgewise.io.header import cast_weights
from edgewise.io.parse import Rows, parse
from edgewise.io.text import check_size, lines
from edgewise.io.text_graph import declared

__all__ = ["Ends", "Place", "TablePieces", "TextPieces", "Vertices"]

_HEAD = 1 << 22  # bytes that hold the comments and the first lines

#: Where reading resumes: bytes and lines of a text, or rows of a table and nothing.
Place = tuple[int, int]


class Ends(NamedTuple):
    """The ends of the edges so far: how many edges there are, the least and the largest id."""

    edges: int = 0
    low: int = 0
    high: int = -1


class Vertices(NamedTuple):
    """Which ids are vertices: ``total`` from ``first`` on, or (-1) those that occur."""

    total: int = -1
    first: int = 0
    labels: Labels | None = None


class TextPieces:
    """An edge list or a CSV file; ``options`` are those of its reader."""

    def __init__(self, path: Path, style: Any, options: dict[str, Any]):
        self.path, self._suffix = path, compression(path)
        known = set(inspect.signature(read_head).parameters)
        start = np.frombuffer(next(self._parts(_HEAD), b""), np.uint8)
        self.head: Head = read_head(
            path, start, style, **{name: one for name, one in options.items() if name in known}
        )
        self.directed, self.num_vertices = self.head.directed, options.get("num_vertices")
        own = self.head.own
        self.ours = bool(own.ids)  # does a header of ours say what the graph is?
        if self.head.layout.names:
            raise ValueError(
                f"{path}: ids must be integers with memory=, but they are names; "
                "read(path, memory=) numbers the names in a Parquet or Arrow file"
            )
        if own.labels in ("int", "str") or own.named:
            raise ValueError(f"{path}: memory cannot be given for a file that orders its vertices")
        self.begin: Place = self.head.start, self.head.line
        self._first: Any = None
        if self.head.counts_parsed:  # two numbers: a header or an edge, as `finish` finds out
            line = next(lines(start, self.head.start, self.head.line))
            self._first, self.begin = start[line.start : line.after], (line.after, line.number + 1)

    def estimate(self, place: Place, rows: int) -> int | None:
        """About how many rows there are, if ``rows`` end at ``place``; None if unknown."""
        if self._suffix is not None or rows == 0:
            return None
        return int(os.stat(self.path).st_size / max(place[0] - self.begin[0], 1) * rows) + 1

    def share(self, place: Place) -> str:
        """How much of the file was read, for people."""
        size = os.stat(self.path).st_size
        return f"{place[0] >> 20} MiB" if self._suffix else f"{place[0] / max(size, 1):.0%}"

    def pieces(self, after: Place, size: int) -> Iterator[tuple[Rows, Place]]:
        """The rows after a place in the file, in pieces of about ``size`` bytes."""
        offset, line = after
        left = b""
        for part in self._parts(size, offset):
            data = left + part
            end = data.rfind(b"\n") + 1
            left = data[end:]
            if end:
                yield self._parsed(data[:end], line), (offset + end, line + data.count(b"\n"))
                offset, line = offset + end, line + data.count(b"\n")
        if left:
            yield self._parsed(left, line), (offset + len(left), line + 1)

    def _parts(self, size: int, skip: int = 0) -> Iterator[bytes]:
        """The bytes of the file, decompressed, without the first ones."""
        with open(self.path, "rb", buffering=0) as file:
            if self._suffix is None:
                file.seek(skip)
                while part := file.read(size):
                    yield part
                return
            try:
                for part in decompress(file, self._suffix, size):
                    if skip < len(part):
                        yield bytes(part[skip:])
                    skip = max(skip - len(part), 0)
            except (EOFError, OSError, ValueError) as error:
                reason = f"the {self._suffix[1:]} archive is damaged or truncated ({error})"
                raise FileFormatError(self.path, reason) from None

    def _parsed(self, data: Any, line: int) -> Rows:
        layout = self.head.layout
        if layout.delimiter and b'"' in data:
            line += data[: data.index(b'"')].count(b"\n")
            raise FileFormatError(self.path, "fields in quotes cannot be read with memory=", line)
        rows = parse(self.path, np.frombuffer(data, np.uint8), layout, line=line)
        own = self.head.own
        if own.weights and rows.weights is not None and not self.head.columns_given:
            rows = rows._replace(weights=cast_weights(self.path, rows.weights, own.weights))
        return rows

    def finish(self, ends: Ends) -> tuple[Vertices, Rows | None]:
        """Which ids are vertices, once all others are known; and the first row if it is an edge."""
        path, head, n, first = self.path, self.head, self.num_vertices, None
        own, count, low, high = head.own, *ends
        if head.counts is not None:
            fits = settle_counts(path, head, count, low, high)
            if fits is not None:
                head = head._replace(num_vertices=fits)
            elif self._first is not None:
                first = self._parsed(self._first.tobytes(), head.line)
                both = [int(first.sources[0]), int(first.targets[0])]
                low = min(both) if count == 0 else min(*both, low)
                count, high = count + 1, max(*both, high)
        if head.num_rows not in (None, count):
            reason = f"the header promises {head.num_rows} edges, but {count} follow"
            raise FileFormatError(path, reason, max(head.line - 1, 1))
        if own.labels == "range" and n is None and head.ids != "as_is":
            total = own.num_vertices or 0
            check_size(path, total, count, own.line)
            return Vertices(total, 0, Labels.range(own.first, total)), first
        if n is None and head.num_vertices is not None:
            total, start = declared(path, head, count, low, high)
            return Vertices(total, start, Labels.range(1, total) if start else None), first
        if n is None and head.ids != "as_is":
            return Vertices(), first
        if n is None:
            check_size(path, high + 1, count)
        return Vertices(high + 1 if n is None else n), first


class TablePieces:
    """A Parquet or Arrow file; ``options`` are those of its reader."""

    begin: Place = (0, 0)

    def __init__(self, path: Path, suffix: str, options: dict[str, Any]):
        import pyarrow

        from edgewise.io.arrow import check_columns, find_columns, opened
        from edgewise.io.table_note import read_note
        from edgewise.io.table_streams import open_table

        if compression(path) is not None:
            raise ValueError(f"{path}: memory cannot be given for a compressed {suffix} file")
        self.path, self._as_is = path, options.get("ids", "auto") == "as_is"
        check_choice(options.get("ids", "auto"), "ids", ("auto", "as_is"))
        self.num_vertices = options.get("num_vertices")
        if self.num_vertices is not None:
            check_count(self.num_vertices, "num_vertices")
        try:
            self._table = open_table(suffix, opened(path))
        except (pyarrow.ArrowException, OSError) as error:
            raise FileFormatError(path, f"damaged, or not a table: {error}") from None
        schema = self._table.schema
        self._names = find_columns(path, schema, check_columns(options.get("columns")))
        self._note = read_note(path, schema.metadata or {})
        note, given = self._note, options.get("directed")
        self.ours = note.labeled
        self.directed = note.directed if given is None else given
        if note.labeled and note.first is None:
            raise ValueError(f"{path}: memory cannot be given for a file that orders its vertices")
        for name in self._names[:2]:
            if not pyarrow.types.is_integer(schema.field(name).type):
                raise ValueError(
                    f"{path}: ids must be integers with memory=, but {name!r} holds "
                    f"{schema.field(name).type}; read(path, memory=) numbers names"
                )

    def estimate(self, place: Place, rows: int) -> int | None:
        """About how many rows there are."""
        known = self._table.num_rows
        return os.stat(self.path).st_size // 8 if known is None else known

    def share(self, place: Place) -> str:
        """How much of the table was read, for people."""
        known = self._table.num_rows
        return f"{place[0]:,} rows" if not known else f"{place[0] / known:.0%}"

    def pieces(self, after: Place, size: int) -> Iterator[tuple[Rows, Place]]:
        """The rows after a place in the table, in pieces of at most about ``size`` bytes."""
        import pyarrow

        at, step = 0, max(size // 24, 1)
        try:
            for batch in self._table.batches(self._names):
                for low in range(0, len(batch), step):
                    some = batch.slice(low, step)
                    at += len(some)
                    if at > after[0]:
                        yield self._rows(some.slice(max(len(some) - at + after[0], 0)), at), (at, 0)
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            raise FileFormatError(self.path, f"damaged: {error}") from None

    def _rows(self, batch: Any, end: int) -> Rows:
        columns = [batch.column(name) for name in self._names]
        for name, column in zip(self._names, columns, strict=True):
            if column.null_count:
                gap = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
                row = end - len(column) + gap
                raise FileFormatError(
                    self.path, f"column {name!r} has no value in row {row}, counted from 0"
                )
        arrays = [column.to_numpy(zero_copy_only=False) for column in columns]
        try:
            weights = as_weights(arrays[2]) if len(arrays) == 3 else None
        except (TypeError, ValueError) as error:
            raise FileFormatError(self.path, str(error)) from None
        first = (self._note.first or 0) if self.num_vertices is None else 0
        if first:
            arrays = [end.astype(np.int64) - first for end in arrays[:2]]
        return Rows(arrays[0], arrays[1], weights)

    def finish(self, ends: Ends) -> tuple[Vertices, None]:
        """Which ids are vertices."""
        note, n = self._note, self.num_vertices
        if n is None and note.num_vertices is not None:
            check_size(self.path, n := note.num_vertices, ends.edges)
            labels = Labels.range(note.first, n) if note.labeled else None  # type: ignore[arg-type]
            return Vertices(n, 0, labels), None
        if n is None and not self._as_is:
            return Vertices(), None
        return Vertices(ends.high + 1 if n is None else n), None

"""Parquet and Arrow files with names of vertices, read in pieces within a memory limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.table_note import read_note

__all__ = ["Table", "open_table", "read_stream"]

_BUFFER = 1 << 20  # bytes of a column that are read at once


class Table(NamedTuple):
    """An open Parquet or Arrow file: its schema, its number of rows if known, columns in pieces."""

    schema: Any
    num_rows: int | None
    batches: Callable[[list[str]], Iterator[Any]]


def open_table(suffix: str, data: Any) -> Table:
    """The table in an open file, of which a piece is in memory at a time."""
    from pyarrow import ipc, parquet

    if suffix == ".parquet":
        file = parquet.ParquetFile(
            data, page_checksum_verification=True, pre_buffer=False, buffer_size=_BUFFER
        )

        def groups(names: list[str]) -> Iterator[Any]:
            for group in range(file.num_row_groups):  # a reader of all would keep what it has read
                yield from file.iter_batches(row_groups=[group], columns=names)

        return Table(file.schema_arrow, file.metadata.num_rows, groups)
    opened = ipc.open_file(data)
    count = opened.num_record_batches

    def records(names: list[str]) -> Iterator[Any]:
        return (opened.get_batch(k) for k in range(count))

    return Table(opened.schema, None, records)


def read_stream(
    path: Path, suffix: str, data: Any, find: Callable[..., list[str]], memory: int | str,
    options: dict[str, Any],
) -> Graph:  # fmt: skip
    """The graph of a table of names; ``find(path, schema)`` gives its two or three columns."""
    import pyarrow

    try:
        table = open_table(suffix, data)
        names = find(path, table.schema)
        schema = table.schema
        note = read_note(path, schema.metadata or {})
        if note.isolated:
            raise ValueError(f"{path}: memory cannot be given for a file that orders its vertices")
        for name in names[:2]:
            if pyarrow.types.is_integer(schema.field(name).type):
                raise ValueError(
                    f"{path}: memory is for names of vertices, but {name!r} holds integers: "
                    "edgewise.convert(path, 'graph.ew', memory=...) makes a file that "
                    "edgewise.read('graph.ew', memory=...) maps"
                )
        if options["directed"] is None:
            options["directed"] = note.directed
        kept = pyarrow.schema([schema.field(name) for name in names])
        reader = pyarrow.RecordBatchReader.from_batches(
            kept, (batch.select(names) for batch in table.batches(names))
        )
        weight = names[2] if len(names) == 3 else None
        return Graph.from_arrow(
            reader, source=names[0], target=names[1], weight=weight, memory=memory, **options
        )
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"damaged, or not a table of names: {error}") from None

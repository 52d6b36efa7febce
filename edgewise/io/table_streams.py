"""Parquet and Arrow files with names of vertices, read in pieces within a memory limit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.table_note import read_note

__all__ = ["read_stream"]

_BUFFER = 1 << 20  # bytes of a column that are read at once


def read_stream(
    path: Path, suffix: str, data: Any, find: Callable[..., list[str]], memory: int | str,
    options: dict[str, Any],
) -> Graph:  # fmt: skip
    """The graph of a table of names; ``find(path, schema)`` gives its two or three columns."""
    import pyarrow
    from pyarrow import ipc, parquet

    try:
        if suffix == ".parquet":
            file = parquet.ParquetFile(
                data, page_checksum_verification=True, pre_buffer=False, buffer_size=_BUFFER
            )
            schema = file.schema_arrow
            names = find(path, schema)
            batches = (  # a reader of all groups would keep what it has read
                batch
                for group in range(file.num_row_groups)
                for batch in file.iter_batches(row_groups=[group], columns=names)
            )
        else:
            opened = ipc.open_file(data)
            schema = opened.schema
            names = find(path, schema)
            batches = (opened.get_batch(k) for k in range(opened.num_record_batches))
        note = read_note(path, schema.metadata or {})
        if note.isolated:
            raise ValueError(f"{path}: memory cannot be given for a file that orders its vertices")
        for name in names[:2]:
            if pyarrow.types.is_integer(schema.field(name).type):
                raise ValueError(
                    f"{path}: memory is for names of vertices, but {name!r} holds integers"
                )
        if options["directed"] is None:
            options["directed"] = note.directed
        kept = pyarrow.schema([schema.field(name) for name in names])
        reader = pyarrow.RecordBatchReader.from_batches(
            kept, (batch.select(names) for batch in batches)
        )
        weight = names[2] if len(names) == 3 else None
        return Graph.from_arrow(
            reader, source=names[0], target=names[1], weight=weight, memory=memory, **options
        )
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"damaged, or not a table of names: {error}") from None

"""CSV files with columns of edges onto a grid: each rank parses its lines with Arrow.

A rank sees the values of its own lines, and Arrow finds their types. Where ranks disagree, a column
gets the first type after theirs, in Arrow's own order, that the lines of all ranks have. So the
types, and the graph, are those of `edgewise.read`. No field may hold a line end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.parquet_read import graph_of_rows
from edgewise.distributed.shares import together
from edgewise.distributed.text_files import File
from edgewise.graph.csr import as_weights
from edgewise.graph.data_frames import other_columns
from edgewise.io.csv_columns import column_names, parse_rows
from edgewise.io.dialect import Head
from edgewise.io.table_note import Note

__all__ = ["read_columns"]


def read_columns(
    file: File, head: Head, edge_columns: bool | Sequence[str], on_bad_line: str, **options: Any
) -> GridGraph:
    """The graph of a CSV file with columns of its edges; ``options`` as for `graph_of_rows`."""
    path, world = file.path, file.grid.world
    with together(world, f"reading {path}"):
        low, end = file.range(head.start)
        data = file.data[low:end]
        _refuse_open_quotes(path, data)
        names = column_names(path, file.data, head)
        picked = [names[place] for place in head.layout.columns if place >= 0]
        try:
            others = other_columns(names, picked, edge_columns)
            if edge_columns is True and head.way_column >= 0:
                others.remove(names[head.way_column])
        except ValueError as error:
            raise FileFormatError(path, str(error)) from None
        table = _parsed(path, data, names, head, on_bad_line, None)
        wanted, ladder = [*dict.fromkeys(picked + others)], [*_ladder()]
        for name in wanted:
            if (kind := str(table.schema.field(name).type)) not in ladder:
                raise FileFormatError(path, f"column {name!r} is no text: Arrow finds {kind}")
    found = [ladder.index(str(table.schema.field(name).type)) for name in wanted]
    places = world.gather_objects(found)
    common = dict(zip(wanted, (max(every) for every in zip(*places, strict=True)), strict=True))
    for name in wanted:
        while True:  # the last type takes all values
            fits, column = _as_type(path, data, names, head, on_bad_line, table, name, common[name])
            if min(world.counts(int(fits))):
                break
            common[name] += 1
        table = table.set_column(names.index(name), name, column)
    with together(world, f"reading {path}"):
        us, vs = (_ends(path, table, name) for name in picked[:2])
        weights = None
        if len(picked) == 3:
            values = _filled(path, table, picked[2]).to_numpy()
            weights = as_weights(values, len(us), name=picked[2])
    kept = table.select(others) if others else None
    total = sum(world.counts(len(us)))
    edges = (us, vs, weights)
    return graph_of_rows(file.grid, path, edges, Note(), total, kept, **options, **file.places)


def _ladder() -> dict[str, Any]:
    """The types that Arrow finds in text, by their names, in the order in which it tries them."""
    import pyarrow as pa

    zoned = (pa.timestamp(unit, "UTC") for unit in ("s", "ns"))
    kinds = [pa.null(), pa.int64(), pa.bool_(), pa.date32(), pa.time32("s"), pa.timestamp("s"),
             pa.timestamp("ns"), *zoned, pa.float64(), pa.string()]  # fmt: skip
    return {str(kind): kind for kind in kinds}


def _parsed(
    path: Path, data: np.ndarray, names: list[str], head: Head, on_bad_line: str,
    types: dict[str, Any] | None,
) -> Any:  # fmt: skip
    """A rank's lines as a table, which may have none."""
    import pyarrow

    if data.tobytes().strip():
        return parse_rows(path, data, names, head, on_bad_line, types)
    kinds = {name: pyarrow.null() for name in names} | (types or {})
    return pyarrow.table({name: pyarrow.array([], kinds[name]) for name in names})


def _as_type(
    path: Path, data: np.ndarray, names: list[str], head: Head, on_bad_line: str, table: Any,
    name: str, place: int,
) -> tuple[bool, Any]:  # fmt: skip
    """Whether the values of a column have the type at this place of the ladder, and the column."""
    column, kind = table.column(name), [*_ladder().values()][place]
    if column.type == kind:
        return True, column
    types = {one: table.schema.field(one).type for one in names} | {name: kind}
    try:
        return True, _parsed(path, data, names, head, on_bad_line, types).column(name)
    except FileFormatError:
        return False, None


def _refuse_open_quotes(path: Path, data: np.ndarray) -> None:
    """ValueError if a field may go on in the next line: a line with an odd number of quotes."""
    quotes = np.flatnonzero(data == 34)
    lines = np.searchsorted(np.flatnonzero(data == 10), quotes)
    if (np.bincount(lines) % 2).any():
        raise ValueError(
            f"{path}: CSV with line ends in quotes cannot be cut into ranges; "
            f"`edgewise convert {path} FILE.ew --edge-columns all` makes a file that can"
        )


def _filled(path: Path, table: Any, name: str) -> Any:
    column = table.column(name)
    if column.null_count:
        raise FileFormatError(path, f"column {name!r} must not have missing values")
    return column


def _ends(path: Path, table: Any, name: str) -> np.ndarray:
    column = _filled(path, table, name)
    if len(column) == 0:
        return np.zeros(0, np.int64)
    if str(column.type) != "int64":
        raise ValueError(
            f"{path}: column {name!r} holds names of vertices; a grid takes whole numbers, which "
            f"`edgewise convert {path} FILE.ew --edge-columns all` gives them"
        )
    return column.to_numpy()

"""Parquet files and folders onto a grid: each rank reads row groups of its own.

The row groups of all files, in the order of the files, are cut into runs of about as many rows, one
run for each rank. So the rows come by rank in the order of `edgewise.read`, and the graph is the
same. A file with one row group is read by one rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.distributed.declared_sizes import check_rows
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import GridLabels, number_occurring
from edgewise.distributed.shares import place, together
from edgewise.distributed.text_files import File
from edgewise.graph.csr import as_weights
from edgewise.graph.ids import vertex_ids
from edgewise.graph.labels import Labels
from edgewise.io.arrow import check_columns, find_columns, more_columns
from edgewise.io.notes import tell_repeats
from edgewise.io.parquet_parts import Parts
from edgewise.io.table_note import Note, read_note
from edgewise.io.text import check_size
from edgewise.io.text_graph import tell_ids

__all__ = ["graph_of_rows", "read_parquet"]


def read_parquet(
    file: File, *,
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    edge_columns: bool | Sequence[str] = False,
) -> GridGraph:  # fmt: skip
    """The graph in a Parquet file or a folder of them; see `edgewise.distributed.read`."""
    path, parts, grid = file.path, file.data, file.grid
    world = grid.world
    with together(world, f"reading the head of {path}"):
        check_choice(ids, "ids", ("auto", "as_is"))
        schema = parts.schema
        names = find_columns(
            path, parts.in_files, check_columns(columns), tell=edge_columns is False
        )
        others = more_columns(path, schema, names, edge_columns)
        note = read_note(path, schema.metadata or {})
        _refuse_names(path, schema, names, note)
    groups, total = _share(parts, grid)
    directed = note.directed if directed is None else directed
    known = note.num_vertices if num_vertices is None else num_vertices
    weights = schema.field(names[2]).type.to_pandas_dtype() if len(names) > 2 else None
    check_rows(file, total, arcs=2 - directed, num_vertices=known, weights=weights,
               edge_columns=8 * len(others))  # fmt: skip
    with together(world, f"reading {path}"):
        table = _rows(path, parts, names + others, groups)
        us, vs = (_ends(path, table, name, sum(map(len, groups.values()))) for name in names[:2])
        weights = None if len(names) == 2 else as_weights(_filled(path, table, names[2]), len(us))
    graph = graph_of_rows(
        grid, path, (us, vs, weights), note, total, table.select(others) if others else None,
        ids=ids, num_vertices=num_vertices, directed=directed, duplicates=duplicates,
        self_loops=self_loops, **file.places,
    )  # fmt: skip
    if not note.labeled and self_loops == "keep":
        tell_repeats(graph, total, weights is not None, duplicates)
    return graph


def _refuse_names(path: Any, schema: Any, names: list[str], note: Note) -> None:
    """ValueError for vertices that a grid cannot number."""
    from pyarrow import types

    reason = ""
    for name in names[:2]:
        if not reason and not types.is_integer(schema.field(name).type):
            reason = f"column {name!r} holds names of vertices; a grid takes whole numbers"
    if note.ordered:
        reason = "its vertices are listed in an order of their own; a grid takes them ascending"
    if reason:
        raise ValueError(f"{path}: {reason}, which `edgewise convert {path} FILE.ew` gives them")


def _share(parts: Parts, grid: Grid) -> tuple[dict[int, list[int]], int]:
    """The row groups of this rank by file, and the rows of all ranks."""
    world, files = grid.world, range(len(parts.files))
    with together(world, f"reading the footers of {parts.path}"):
        mine = parts.rows(files[world.rank :: world.size])  # each rank those of some files
    rows: list[list[int]] = [[] for _ in files]
    for rank, some in enumerate(world.gather_objects(mine)):
        rows[rank :: world.size] = some
    owners = owners_of([count for file in rows for count in file], world.size)
    groups, at = {}, 0
    for file, counts in enumerate(rows):
        ranks = owners[at : at + len(counts)]
        groups[file] = np.flatnonzero(ranks == world.rank).tolist()
        at += len(counts)
    return groups, sum(map(sum, rows))


def owners_of(rows: list[int], ranks: int) -> np.ndarray:
    """The rank of each row group: that in whose share of the rows the middle of the group lies.

    >>> owners_of([10, 10, 10, 10, 40], 4).tolist()
    [0, 0, 1, 1, 3]
    """
    counts = np.array(rows, np.int64)
    middles = 2 * np.cumsum(counts) - counts
    return (middles * ranks // max(2 * int(counts.sum()), 1)).clip(0, ranks - 1)


def _rows(path: Any, parts: Parts, names: list[str], groups: dict[int, list[int]]) -> Any:
    """A rank's rows, checked to be sound."""
    import pyarrow

    try:
        table = parts.table(names, groups)
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError, MemoryError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"not Parquet files, or damaged: {error}") from None
    return table


def _filled(path: Any, table: Any, name: str) -> np.ndarray:
    if table.column(name).null_count:
        raise FileFormatError(path, f"column {name!r} has rows without a value")
    return table.column(name).to_numpy()


def _ends(path: Any, table: Any, name: str, groups: int) -> np.ndarray:
    values = _filled(path, table, name)
    return values if groups else values.astype(np.int32)


def graph_of_rows(
    grid: Grid, path: Any, edges: tuple[Any, Any, Any], note: Note, total: int, kept: Any, *,
    ids: str, num_vertices: int | None, **options: Any,
) -> GridGraph:  # fmt: skip
    """What `edgewise.io.arrow` makes of the rows of all ranks, ``total`` in all."""
    world = grid.world
    columns = None if kept is None else (kept, None)
    us, vs, weights = edges
    if note.labeled and num_vertices is None:
        labels: Labels | GridLabels | None
        if note.first is not None:
            n = note.num_vertices or 0
            check_size(path, n, total)
            us, vs = (np.asarray(one, np.int64) - note.first for one in (us, vs))
            labels = Labels.range(note.first, n)
        else:
            alone = np.array(note.isolated if world.rank == 0 else (), np.int64)
            (us, vs, _), n, labels = number_occurring(world, us, vs, alone)
        return _placed(grid, path, (us, vs, weights), n, labels, columns, options)
    if num_vertices is None:
        num_vertices = note.num_vertices
        check_size(path, num_vertices or 0, total)
    if num_vertices is None and ids == "auto":
        (us, vs), n, labels = number_occurring(world, us, vs)
        graph = _placed(grid, path, (us, vs, weights), n, labels, columns, options)
        tell_ids(graph)
        return graph
    return _placed(grid, path, edges, num_vertices, None, columns, options)


def _placed(
    grid: Grid, path: Any, edges: tuple[Any, Any, Any], n: int | None, labels: Any, columns: Any,
    options: dict[str, Any],
) -> GridGraph:  # fmt: skip
    with together(grid.world, f"reading {path}"):
        us, vs, most, _ = vertex_ids(*edges[:2], n, labels=False)
    n = max(grid.world.counts(most)) if n is None else n
    return place(grid, us, vs, edges[2], n, labels, columns=columns, **options)

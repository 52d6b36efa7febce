"""Results of a grid as a folder of Parquet files, one for each rank.

On this machine's filesystem the folder appears once it is complete, as a file does. On others, such
as S3, the parts are there before the file ``_SUCCESS``, which is written when all are complete.
"""

from __future__ import annotations

import os
import posixpath
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.columns import fetch_rows
from edgewise.distributed.gathering import range_of_ids
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.labels import GridLabels, share_of
from edgewise.distributed.shares import together
from edgewise.graph.attribute_tables import select
from edgewise.graph.transfer import host
from edgewise.io.folders import atomic_folder
from edgewise.io.left_out import warn_left_out
from edgewise.io.parquet_parts import place_of
from edgewise.io.table_note import KEY, Note, pack

__all__ = ["write_parquet"]


def write_parquet(result: Any, folder: str | os.PathLike, *, filesystem: Any = None) -> None:
    """Write a result to a folder of Parquet files, one written by each rank. Collective.

    Parameters
    ----------
    result : VertexArray, ArcArray, NamedTuple or dict of VertexArray, or GridGraph
        Arrays over vertices become columns beside ``vertex``, the label or id. An array over edges
        becomes the column ``value`` beside ``source`` and ``target``. A graph becomes a table of
        edges, with weights and columns of edges, which `read` and `edgewise.read` restore.
    folder : path or str
        The new or empty folder, or its URI, such as ``s3://bucket/ranks``; the same on all ranks.
    filesystem : pyarrow.fs.FileSystem or fsspec filesystem, optional
        Where the folder is; by default this machine's, or the URI says it.

    Raises
    ------
    RankError
        On every rank, if any rank cannot write. On a grid of one rank, the original error is
        raised.
    ValueError
        If a graph has labels that do not ascend, or that are not numbers.

    Examples
    --------
    >>> import tempfile
    >>> from edgewise.distributed.draws import generate
    >>> from edgewise.distributed.grid import Grid
    >>> from edgewise.distributed.rank_threads import run_threads
    >>> def program(comm):
    ...     graph = generate("rmat", grid=Grid(comm), scale=4)
    ...     write_parquet({"degree": graph.degrees()}, folder)
    >>> with tempfile.TemporaryDirectory() as home:
    ...     folder = f"{home}/degrees"
    ...     _ = run_threads(program, 2)
    ...     sorted(os.listdir(folder))
    ['part-00000.parquet', 'part-00001.parquet']
    """
    named = _named(result)
    graph = result if isinstance(result, GridGraph) else next(iter(named.values())).graph
    world = graph.grid.world
    world.check_same("folder", str(folder))
    world.check_same("the columns of result", list(named))
    if isinstance(result, GridGraph):
        table = _edges(graph, None)
    elif isinstance(result, ArcArray):
        table = _edges(graph, result)
    else:
        table = _vertices(graph, named)
    _write(world, table, folder, filesystem)


def _named(result: Any) -> dict[str, Any]:
    """The arrays of a result by name; none for a graph."""
    if isinstance(result, GridGraph):
        return {}
    if isinstance(result, (VertexArray, ArcArray)):
        return {"value": result}
    fields = dict(result) if isinstance(result, dict) else getattr(result, "_asdict", dict)()
    arrays = {name: one for name, one in fields.items() if one is not None}
    if not arrays or not all(isinstance(one, VertexArray) for one in arrays.values()):
        raise TypeError(
            "result must be an array over vertices or edges, a NamedTuple or dict of arrays over "
            f"vertices, or a graph on a grid, got {type(result).__name__}"
        )
    if len({one.graph.number for one in arrays.values()}) > 1:
        raise ValueError("the arrays of result must be over the vertices of one graph")
    if "vertex" in arrays:
        raise ValueError("a column of result must not be called 'vertex', which holds the vertices")
    return arrays


def _vertices(graph: GridGraph, arrays: dict[str, VertexArray]) -> Any:
    """The rows of this rank's range of vertices."""
    import pyarrow

    low, high = share_of(graph.grid.world, graph.num_vertices)
    columns: dict[str, Any] = {"vertex": _labels(graph, low, high)}
    for name, array in arrays.items():
        values = np.ascontiguousarray(range_of_ids(array)[1])
        if values.ndim == 1:
            columns[name] = pyarrow.array(values)
        else:
            flat = pyarrow.array(values.reshape(-1))
            columns[name] = pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1])
    return pyarrow.table(columns)


def _labels(graph: GridGraph, low: int, high: int) -> np.ndarray:
    """The labels of a rank's range of vertices, or their ids."""
    labels = graph.labels
    if isinstance(labels, GridLabels):
        return labels.values
    ids = np.arange(low, high)
    return ids if labels is None else np.asarray(labels.label(ids))


def _edges(graph: GridGraph, values: ArcArray | None) -> Any:
    """The edges of this rank, each on one rank alone, with an array or what the graph has."""
    import pyarrow

    columns = [host(one.local).astype(np.int64) for one in (graph.sources, graph.indices)]
    mine = np.ones(len(columns[0]), bool) if graph.directed else columns[0] <= columns[1]
    note = Note(graph.directed, graph.num_vertices)
    ends = [one[mine] for one in columns]
    if graph.labels is not None:
        note, ends = _with_labels(graph, note, ends)
    made = {"source": pyarrow.array(ends[0]), "target": pyarrow.array(ends[1])}
    if values is not None:
        made["value"] = pyarrow.array(host(values.local)[mine])
    elif graph.weights is not None:
        made["weight"] = pyarrow.array(host(graph.weights.local)[mine])
    if values is None and graph.columns is not None:
        if graph.columns.vertices is not None and graph.grid.rank == 0:
            warn_left_out("Tables of edges", ["vertex columns"], ".ew files keep them")
        if graph.columns.edges is not None:
            kept = select(graph.columns.edges, np.flatnonzero(mine))
            made |= dict(zip(kept.column_names, kept.columns, strict=True))
    return pyarrow.table(made, metadata={KEY: pack(note)} if values is None else None)


def _with_labels(graph: GridGraph, note: Note, ends: list[np.ndarray]) -> tuple[Note, list]:
    """The note of a graph with labels, and the labels of the ends of edges."""
    import pyarrow

    world, n = graph.grid.world, graph.num_vertices
    labels: Any = graph.labels
    if (first := labels.range_start) is not None:
        return note._replace(labeled=True, first=first), [one + first for one in ends]
    low, high = share_of(world, n)
    mine = _labels(graph, low, high)
    with together(world, "looking at its labels"):
        if mine.dtype.kind not in "iu":
            raise ValueError("labels must be whole numbers for Parquet files of a grid")
    every = world.gather_objects((mine[:1].tolist(), mine[-1:].tolist(), _ascends(mine)))
    between = [one for start, end, _ in every for one in (*start, *end)]
    if not all(one[2] for one in every) or between != sorted(between):
        raise ValueError("labels must ascend for Parquet files of a grid; .ew files keep any order")
    touched = (graph.row_lengths() + graph.column_lengths()) > 0
    alone = world.gather_objects(mine[~range_of_ids(touched)[1]].tolist())
    isolated = [label for some in alone for label in some] if world.rank == 0 else []
    starts = np.array([n * k // world.size for k in range(world.size)])
    ids, places = np.unique(np.concatenate(ends), return_inverse=True)
    ranks = np.searchsorted(starts, ids, side="right") - 1
    table = fetch_rows(world, pyarrow.table({"label": mine}), ranks, ids - starts[ranks])
    values = table.column("label").to_numpy()[places]
    count = len(ends[0])
    return note._replace(labeled=True, isolated=isolated), [values[:count], values[count:]]


def _ascends(values: np.ndarray) -> bool:
    return bool((values[1:] > values[:-1]).all())


def _write(world: Any, table: Any, folder: Any, filesystem: Any) -> None:
    """One part of each rank, and the name of the folder or the mark of success at the end."""
    from pyarrow import fs

    part = f"part-{world.rank:05}.parquet"
    with together(world, f"writing {folder}"):
        place, base = place_of(folder, filesystem)
    if isinstance(place, fs.LocalFileSystem):
        _write_here(world, table, Path(base), part)
        return
    with together(world, f"writing {folder}"):
        inside = fs.FileSelector(base, allow_not_found=True, recursive=True)
        if world.rank == 0 and place.get_file_info(inside):
            raise FileExistsError(f"cannot write {folder}: there is something in it already")
        if world.rank == 0:
            place.create_dir(base)
    with together(world, f"writing {folder}"):
        _write_part(table, place, posixpath.join(base, part))
    with together(world, f"writing {folder}"):
        if world.rank == 0:
            with place.open_output_stream(posixpath.join(base, "_SUCCESS")) as mark:
                mark.write(b"")


def _write_here(world: Any, table: Any, folder: Path, part: str) -> None:
    """Into a draft that rank 0 makes and renames."""
    from pyarrow import fs

    with ExitStack() as stack:
        draft = None
        with together(world, f"writing {folder}"):
            if world.rank == 0:
                draft = str(stack.enter_context(atomic_folder(folder)))
        draft = world.gather_objects(draft)[0]
        with together(world, f"writing {folder}"):
            _write_part(table, fs.LocalFileSystem(), posixpath.join(draft, part))
    world.barrier()


def _write_part(table: Any, place: Any, path: str) -> None:
    from pyarrow import parquet

    parquet.write_table(table, path, filesystem=place, write_page_checksum=True)

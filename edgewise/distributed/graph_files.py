"""Graph files onto a grid: every rank reads its own range of bytes, nobody the whole file.

Text is cut at line ends (see `edgewise.distributed.text_files`), an ``.ew`` file by arcs. Each rank
needs the file, at the same path and of the same content.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.distributed.estimating import check_free, estimate
from edgewise.distributed.file_bytes import COMPARE, FileBytes, fingerprint
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import share_of, spread_labels
from edgewise.distributed.layout import Layout as Places
from edgewise.distributed.mapped_rows import check_place, map_rows
from edgewise.distributed.parquet_read import read_parquet
from edgewise.distributed.shares import Arcs, bring, together
from edgewise.distributed.text_files import File, read_dimacs, read_matrix_market, read_text
from edgewise.graph.attribute_tables import Columns, select
from edgewise.graph.csr import frozen
from edgewise.graph.ids import as_ids
from edgewise.io import FORMATS, check_options, ew, format_of
from edgewise.io.binary import unpack_labels
from edgewise.io.files import compression, map_bytes
from edgewise.io.notes import collect, warn_of
from edgewise.io.parquet_parts import Parts

__all__ = ["read"]


def read(
    path: str | os.PathLike,
    *,
    grid: Grid,
    format: str | None = None,
    distribution: str = "striped",
    seed: int = 0,
    device: str = "cpu",
    compare: str = "samples",
    memory: int | str | None = None,
    scratch: str | os.PathLike | None = None,
    algorithm: str | None = None,
    **options: Any,
) -> GridGraph:
    """Read a graph from a file onto a grid.

    Parameters
    ----------
    path : path
        An uncompressed file that all ranks can access: an edge list, CSV without quotes, Matrix
        Market, DIMACS or ``.ew``; or a Parquet file, or a folder of them, of which each rank reads
        row groups of its own, also by a URI such as ``s3://bucket/folder``.
        Vertices are the integers that occur or that the format declares.
        Ids with gaps or offsets become labels, which are distributed. Names in an ``.ew`` file are
        not read, and its vertices are identified by position. Its columns are read, each rank those
        of its own arcs and vertices. Of Parquet and CSV files, ``edge_columns`` are read; from
        others, a grid reads no columns.
    grid : Grid
        The grid of ranks.
    format : str, optional
        "edges", "csv", "matrix_market", "dimacs", "parquet" or "ew"; by default the suffix
        determines it.
    distribution : {"striped", "block", "random"}
        How vertices are assigned to ranks; ``seed`` determines the random assignment.
    device : str
        The device of each rank's block.
    compare : {"samples", "all"}
        How the file is compared across ranks. "samples" compares its first and last bytes and 64
        samples between them. "all" compares all bytes, so every rank reads the whole file.
    memory : int or str, optional
        The memory limit of each rank in bytes, or as "4GiB", once the graph is built. Rows are then
        mapped from files in ``scratch``, and algorithms that need more raise MemoryError before
        they start. Building takes as much memory as without it. Needs Linux.
    scratch : path, optional
        A folder on a local disk of each rank, for ``memory``: 4 or 8 bytes per arc, and weights.
        The files have no names and vanish with the graph or the process.
    algorithm : str, optional
        The algorithm that will run, such as "pagerank". If it and the graph may not fit into free
        memory, rank 0 warns; see `estimate`.
    **options
        The options of `edgewise.read` that apply on a grid: ``columns``, ``directed``,
        ``on_bad_line``, ``header``, ``delimiter``, ``ids`` (``"as_is"``: ids are positions),
        ``num_vertices``, ``duplicates`` and ``self_loops``; for CSV and Parquet also
        ``edge_columns``, and for Parquet ``filesystem``, one of pyarrow or fsspec.

    Returns
    -------
    GridGraph
        A graph equal to the result of `edgewise.read`, on any grid.

    Raises
    ------
    RankError
        On every rank, if any rank cannot read the file or finds an error in it, or if its file or
        options differ from those of rank 0. On a grid of one rank, the original error is raised.
    MemoryError
        On every rank, before edges are read, if the graph cannot fit into free memory. The edges
        of an edge list without a header are estimated from samples.
    """
    world, filesystem = grid.world, options.get("filesystem")
    world.check_same("the memory limit of read", memory)
    with together(world, "checking where its rows go"):
        check_place(memory, scratch, device)
    path = path if "://" in str(path) else Path(path)
    with together(world, f"opening {path}"):
        table = filesystem is not None or format_of(Path(path), format, place=path) == "parquet"
    places = {"distribution": distribution, "seed": seed}
    if table:
        file = File(Path(path), None, grid, places, algorithm)
        graph = _parquet(path, file, format, compare, options).to(device)
        return graph if memory is None else map_rows(graph, memory, scratch or "")
    assert isinstance(path, Path)
    with together(world, f"opening {path}"):
        reader, options = _reader(path, format, options)
        data = map_bytes(path) if reader is _ew else FileBytes(path)
        sum_of_bytes = fingerprint(data, compare)
    world.check_same(f"the size of {path}", len(data))
    world.check_same(f"the content of {path}", sum_of_bytes)
    world.check_same("the options of read", (format, distribution, seed, sorted(options.items())))
    file = File(path, data, grid, places, algorithm)
    with warn_of(path, options) if world.rank == 0 else collect():  # one rank speaks for all
        graph = reader(file, **options).to(device)
    return graph if memory is None else map_rows(graph, memory, scratch or "")


def _parquet(
    path: Any, file: File, format: str | None, compare: str, options: dict[str, Any]
) -> GridGraph:
    """A Parquet file, or a folder of them."""
    world = file.grid.world
    options = {key: value for key, value in options.items() if value is not None}
    filesystem = options.pop("filesystem", None)
    with together(world, f"opening {path}"):
        if format not in (None, "parquet"):
            raise ValueError(f"filesystem is for Parquet files, got the format {format!r}")
        if options.get("on_bad_line") == "raise":
            del options["on_bad_line"]
        check_options(read_parquet, "reading", "parquet", Path(path), options)
        parts = Parts(path, filesystem)
        content = parts.fingerprint(check_choice(compare, "compare", COMPARE))
    world.check_same(f"the files of {path}", content)
    world.check_same("the options of read", (format, file.places, sorted(options.items())))
    with warn_of(path, options) if world.rank == 0 else collect():
        return read_parquet(file._replace(path=path, data=parts), **options)


def _reader(path: Path, format: str | None, options: dict[str, Any]) -> tuple[Callable, dict]:
    """The function that reads the file, and its options."""
    name = format_of(path, format)
    if name not in _READERS:
        known = ", ".join(f"{one} ({' '.join(FORMATS[one].suffixes)})" for one in _READERS)
        raise ValueError(
            f"{path}: a grid reads {known}, not {name}; `edgewise convert {path} FILE.ew` makes "
            "a file that it reads"
        )
    if suffix := compression(path):
        raise ValueError(
            f"{path}: a {suffix} file cannot be cut into ranges; decompress it, or make it a file "
            f"that can: `edgewise convert {path} FILE.ew`"
        )
    options = {key: value for key, value in options.items() if value is not None}
    for one in ("edge_columns", "vertex_columns"):
        if options.get(one, False) is False:
            options.pop(one, None)
        elif name != "csv" or one != "edge_columns":
            raise ValueError(
                f"{one}: a grid reads columns of .ew, Parquet and CSV files, not of {path}; "
                f"`edgewise convert {path} FILE.ew --edge-columns all` makes one"
            )
    if options.get("on_bad_line", "raise") == "raise":
        options.pop("on_bad_line", None)
    else:
        check_choice(options["on_bad_line"], "on_bad_line", ("raise", "skip"))
    reader = _READERS[name]
    return reader, check_options(reader, "reading", name, path, options)


def _ew(file: File) -> GridGraph:
    path, grid = file.path, file.grid
    with together(grid.world, f"reading {path}"):
        header = ew.read_header(path, file.data)
        arrays = ew.views_of(path, file.data, header)
        worth = ew.weights_of(path, arrays)
        kind = None if worth is None else worth.dtype
        need = estimate(*header[1:3], grid=grid.shape, weights=kind,
                        algorithm=file.algorithm)  # fmt: skip
    check_free(grid.world, need)
    with together(grid.world, f"reading {path}"):
        n, m, (indptr, indices) = *header[1:3], ew.rows_of(path, arrays, header)
        if indptr[0] != 0 or indptr[-1] != m:
            raise FileFormatError(path, "damaged: indptr does not go from 0 to the number of arcs")
        begin, end = (n * k // grid.size for k in (grid.rank, grid.rank + 1))
        if (np.diff(indptr[begin : end + 1]) < 0).any():
            raise FileFormatError(path, "damaged: the row starts do not ascend")
        low, high = (m * k // grid.size for k in (grid.rank, grid.rank + 1))
        first = int(np.searchsorted(indptr, low, side="right")) - 1
        last = int(np.searchsorted(indptr, high, side="left"))
        lengths = np.diff(indptr[first : last + 1].clip(low, high))
        targets = indices[low:high]
        if low == high:
            lengths = lengths[:0]
        if (lengths < 0).any() or lengths.sum() != high - low:
            raise FileFormatError(path, "damaged: the row starts do not ascend")
        if len(targets) and not 0 <= targets.min() <= targets.max() < n:
            raise FileFormatError(path, f"damaged: a target is not among the {n} vertices")
        rows = np.arange(first, first + len(lengths), dtype=targets.dtype)
        sources, targets = as_ids(np.repeat(rows, lengths), targets)
        weights = None if worth is None else frozen(worth[low:high])
        low, high = share_of(grid.world, n)
        values = arrays["labels"][low:high] if "labels" in arrays else None
        start = {name: array for name, array in arrays.items() if name == "first"}
        labels: Any = unpack_labels(path, start, n)
        upper = np.ones(len(sources), bool) if header.directed else sources <= targets
    if values is not None:
        labels = spread_labels(grid.world, np.array(values), n)
    places, lists = Places(n, grid.shape, **file.places), [Arcs(sources, targets, weights)]
    if not {"edgecols", "vertcols"} & {*arrays}:
        return bring(grid, places, lists, directed=header.directed, labels=labels)
    starts = offsets(grid.world.counts(int(upper.sum())))
    with together(grid.world, f"reading the columns of {path}"):
        columns = ew.tables_of(path, arrays, (int(starts[-1]), n), trusted=True)
    if columns.edges is not None:
        rows = starts[grid.rank] + np.arange(int(upper.sum()))
        us, vs = sources[upper], targets[upper]
        some = None if weights is None else weights[upper]
        lists = [Arcs(us, vs, some, rows=rows)]
        if not header.directed:
            lists.append(Arcs(us, vs, some, "down", loops=False, rows=rows))
    graph = bring(
        grid, places, lists, directed=header.directed, labels=labels,
        table=None if columns.edges is None else lambda rows: select(columns.edges, rows),
    )  # fmt: skip
    edges = None if graph.columns is None else graph.columns.edges
    graph.columns = Columns(edges, select(columns.vertices, graph.ids))
    return graph


_READERS: dict[str, Callable[..., GridGraph]] = {
    "edges": read_text,
    "csv": read_text,
    "matrix_market": read_matrix_market,
    "dimacs": read_dimacs,
    "ew": _ew,
}

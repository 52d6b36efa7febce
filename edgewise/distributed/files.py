"""Graph files onto a grid: every rank reads its own range of bytes, nobody the whole file.

Text is cut at line ends: a line belongs to the rank in whose range the newline before it lies. A
rank that finds a fault says the line of the file: only then the ranks count the lines before. An
``.ew`` file is cut by arcs. Each rank needs the file, at the same path and of the same content.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.errors import FileFormatError
from edgewise.distributed.contents import fingerprint
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.layout import Layout as Places
from edgewise.distributed.shares import Arcs, bring, from_edges, together
from edgewise.graph.csr import frozen
from edgewise.graph.ids import as_ids
from edgewise.io import FORMATS, check_options, csv, edge_list, ew, format_of, heads, matrix_market
from edgewise.io.files import compression, map_bytes
from edgewise.io.header import cast_weights
from edgewise.io.parse import Layout, Rows, parse
from edgewise.io.text import check_size

__all__ = ["read"]

_WINDOW = 1 << 16


def read(
    path: str | os.PathLike,
    grid: Grid,
    *,
    format: str | None = None,
    distribution: str = "striped",
    seed: int = 0,
    device: str = "cpu",
    compare: str = "samples",
    **options: Any,
) -> GridGraph:
    """Read a graph from a file onto a grid.

    Parameters
    ----------
    path : path
        A file that all ranks see: an edge list, CSV without quotes, Matrix Market or ``.ew``, not
        compressed. Vertices are whole numbers; labels of an ``.ew`` file stay there.
    grid : Grid
    format : str, optional
        "edges", "csv", "matrix_market" or "ew"; by default the suffix decides.
    distribution : {"striped", "block", "random"}
        Which vertices go together; ``seed`` draws the random one.
    device : str
        Where each rank's block is to live.
    compare : {"samples", "all"}
        What of the file must be the same on all ranks: its first and last bytes and 64 samples
        between them, or all bytes, for which every rank reads the whole file.
    **options
        Those of `edgewise.read` for the format, as far as they make sense on a grid: ``columns``,
        ``directed``, ``on_bad_line``, ``header``, ``num_vertices``, ``duplicates``,
        ``self_loops``, and ``delimiter`` for CSV.

    Returns
    -------
    GridGraph
        Equal to `edgewise.read` of the file.

    Raises
    ------
    RankError
        On every rank, if one of them cannot read the file, finds a fault in it, or has another file
        or other options than rank 0. On a grid of one rank it is the error itself.
    """
    path, world = Path(path), grid.world
    with together(world, f"opening {path}"):
        reader, options = _reader(path, format, options)
        data = map_bytes(path)
        sum_of_bytes = fingerprint(data, compare)
    world.check_same(f"the size of {path}", len(data))
    world.check_same(f"the content of {path}", sum_of_bytes)
    world.check_same("the options of read", (format, distribution, seed, sorted(options.items())))
    file = _File(path, data, grid, {"distribution": distribution, "seed": seed})
    return reader(file, **options).to(device)


class _File(NamedTuple):
    """A mapped file, the grid that reads it, and where its vertices are to go."""

    path: Path
    data: np.ndarray
    grid: Grid
    places: dict[str, Any]

    def rows(self, layout: Layout, start: int, line: int, on_bad_line: str) -> Rows:
        """The edges in this rank's range of the lines from byte ``start``, which is ``line``."""
        world = self.grid.world
        low, high = self.range(start)
        nothing = np.zeros(0, np.int32)
        rows, error = Rows(nothing, nothing, None), None
        try:
            rows = parse(self.path, self.data[:high], layout, start=low, on_bad_line=on_bad_line)
        except Exception as caught:
            error = caught
        if max(world.counts(int(error is not None))):
            before = sum(world.counts(_newlines(self.data[low:high]))[: world.rank])
            with together(world, f"reading {self.path}"):
                if isinstance(error, FileFormatError) and error.line is not None:
                    number = line + before + error.line - 1
                    raise FileFormatError(self.path, error.reason, number) from None
                if error is not None:
                    raise error
        return rows

    def range(self, start: int) -> tuple[int, int]:
        """Where this rank's lines begin and end."""
        rank, size = self.grid.rank, self.grid.size
        ends = (start + (len(self.data) - start) * k // size for k in (rank, rank + 1))
        low, high = (at if at == start else _line_start(self.data, at) for at in ends)
        return low, high

    def total(self, rows: Rows) -> int:
        """How many rows all ranks have."""
        return sum(self.grid.world.counts(len(rows.sources)))

    def graph(self, rows: Rows, **options: Any) -> GridGraph:
        sources, targets, weights = rows
        return from_edges(self.grid, sources, targets, weights, **options, **self.places)


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
    if options.get("on_bad_line", "error") == "error":
        options.pop("on_bad_line", None)
    else:
        check_choice(options["on_bad_line"], "on_bad_line", ("error", "skip"))
    reader = _READERS[name]
    return reader, check_options(reader, "reading", name, path, options)


def _text(
    file: _File,
    *,
    suffix: str = ".txt",
    columns: Sequence[int | str] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "error",
    header: str = "auto",
    delimiter: str | None = None,
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
) -> GridGraph:
    path, data, world = file.path, file.data, file.grid.world
    style = edge_list.STYLE._replace(weighted=suffix == ".wel")
    if suffix == ".csv":
        style = csv.STYLE
    with together(world, f"reading the head of {path}"):
        head = heads.read_head(
            path,
            data,
            style,
            columns=columns,
            directed=directed,
            header=header,
            delimiter=delimiter,
            num_vertices=num_vertices,
        )
        _refuse_names(path, head.own.labelled or head.layout.names)
        low, end = file.range(head.start)
        if style.titles and re.search(b'"', data[low:end].data):
            raise ValueError(
                f"{path}: CSV with quotes cannot be cut into ranges; "
                f"`edgewise convert {path} FILE.ew` makes a file that can"
            )
    rows = file.rows(head.layout, head.start, head.line, on_bad_line)
    total = file.total(rows)
    if head.num_rows not in (None, total) and on_bad_line == "error":
        reason = f"the header promises {head.num_rows} edges, but {total} follow"
        raise FileFormatError(path, reason, max(head.line - 1, 1))
    if head.num_vertices is not None and num_vertices is None:
        check_size(path, head.num_vertices, total, 1)
    if head.own.weights and columns is None:
        with together(world, f"reading {path}"):
            rows = rows._replace(weights=cast_weights(path, rows.weights, head.own.weights))
    return file.graph(
        rows,
        directed=head.directed,
        num_vertices=head.num_vertices if num_vertices is None else num_vertices,
        duplicates=duplicates,
        self_loops=self_loops,
    )


def _matrix_market(
    file: _File,
    *,
    directed: bool | None = None,
    on_bad_line: str = "error",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
) -> GridGraph:
    path, world = file.path, file.grid.world
    with together(world, f"reading the head of {path}"):
        head = matrix_market.read_head(path, file.data)
        n = head.size if num_vertices is None else check_count(num_vertices, "num_vertices")
        if n < head.size:
            raise ValueError(
                f"num_vertices must be at least the matrix's size {head.size}, got {n}"
            )
        if head.symmetry == "skew-symmetric" and directed is False:
            raise ValueError(f"{path}: a skew-symmetric matrix cannot be read with directed=False")
        pattern = head.field == "pattern"
        layout = Layout(
            (0, 1, -1 if pattern else 2),
            width=2 if pattern else 3,
            comments=b"%",
            low=1,
            high=head.size,
            weights=matrix_market._FIELDS[head.field],
        )
    rows = file.rows(layout, head.line.after, head.line.number + 1, on_bad_line)
    total = file.total(rows)
    if total != head.entries and on_bad_line == "error":
        reason = f"the header promises {head.entries} entries, but {total} follow"
        raise FileFormatError(path, reason, head.line.number)
    if num_vertices is None:
        check_size(path, n, total, head.line.number)
    skew = head.symmetry == "skew-symmetric"
    with together(world, f"reading {path}"):
        sources, targets, weights = rows
        if head.field == "integer" and weights is not None and weights.dtype.kind != "i":
            raise FileFormatError(path, "an integer entry does not fit in 64 bits")
        if skew and (sources == targets).any():
            raise FileFormatError(path, "a skew-symmetric matrix has no entries on the diagonal")
    if directed is None:
        directed = head.symmetry != "symmetric"
    if not directed or head.symmetry == "general":
        options = {"duplicates": duplicates, "self_loops": self_loops}
        return file.graph(rows, directed=directed, num_vertices=n, **options)
    mirrored = -weights if skew and weights is not None else weights
    lists = [
        Arcs(sources, targets, weights, loops=self_loops == "keep"),
        Arcs(targets, sources, mirrored, loops=False),
    ]
    places = Places(n, file.grid.shape, **file.places)
    return bring(file.grid, places, lists, directed=True, duplicates=duplicates)


def _ew(file: _File) -> GridGraph:
    path, grid = file.path, file.grid
    with together(grid.world, f"reading {path}"):
        header = ew.read_header(path, file.data)
        arrays = ew.views_of(path, file.data, header)
        n, m, indptr = header.num_vertices, header.num_arcs, arrays["indptr"]
        if indptr[0] != 0 or indptr[-1] != m:
            raise FileFormatError(path, "damaged: indptr does not go from 0 to the number of arcs")
        begin, end = (n * k // grid.size for k in (grid.rank, grid.rank + 1))
        if (np.diff(indptr[begin : end + 1]) < 0).any():
            raise FileFormatError(path, "damaged: the row starts do not ascend")
        low, high = (m * k // grid.size for k in (grid.rank, grid.rank + 1))
        first = int(np.searchsorted(indptr, low, side="right")) - 1
        last = int(np.searchsorted(indptr, high, side="left"))
        lengths = np.diff(indptr[first : last + 1].clip(low, high))
        targets = arrays["indices"][low:high]
        if low == high:
            lengths = lengths[:0]
        if (lengths < 0).any() or lengths.sum() != high - low:
            raise FileFormatError(path, "damaged: the row starts do not ascend")
        if len(targets) and not 0 <= targets.min() <= targets.max() < n:
            raise FileFormatError(path, f"damaged: a target is not among the {n} vertices")
        rows = np.arange(first, first + len(lengths), dtype=targets.dtype)
        sources, targets = as_ids(np.repeat(rows, lengths), targets)
        weights = frozen(arrays["weights"][low:high]) if "weights" in arrays else None
    places = Places(n, grid.shape, **file.places)
    return bring(grid, places, [Arcs(sources, targets, weights)], directed=header.directed)


_READERS: dict[str, Callable[..., GridGraph]] = {
    "edges": _text,
    "csv": _text,
    "matrix_market": _matrix_market,
    "ew": _ew,
}


def _refuse_names(path: Path, named: Any) -> None:
    if named:
        raise ValueError(
            f"{path}: its vertices have labels; a grid takes whole numbers from 0, which "
            f"`edgewise convert {path} FILE.ew` gives them"
        )


def _line_start(data: np.ndarray, at: int) -> int:
    """Where the first line starts that does not start before ``at``."""
    for low in range(at - 1, len(data), _WINDOW):
        ends = np.flatnonzero(data[low : low + _WINDOW] == 10)
        if len(ends):
            return low + int(ends[0]) + 1
    return len(data)


def _newlines(data: np.ndarray) -> int:
    parts = range(0, len(data), _WINDOW)
    return sum(int(np.count_nonzero(data[low : low + _WINDOW] == 10)) for low in parts)

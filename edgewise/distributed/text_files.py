"""Text files onto a grid: every rank parses its range of lines, then all number the vertices.

A line belongs to the rank in whose range the newline before it lies. A rank that finds a fault says
the line of the file: only then the ranks count the lines before. The rules are those of
`edgewise.io.text_graph`: vertices are the ids that occur on any rank, unless the caller or a header
declares them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.errors import FileFormatError
from edgewise.base.random import mix
from edgewise.distributed.declared_sizes import check_rows, declared_rows, fewest_rows
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import GridLabels, number_occurring
from edgewise.distributed.layout import Layout as Places
from edgewise.distributed.shares import Arcs, bring, place, together
from edgewise.graph.csr import index_dtype
from edgewise.graph.ids import as_ids, vertex_ids
from edgewise.graph.labels import Labels
from edgewise.io import csv, dimacs, edge_list, matrix_market
from edgewise.io.dialect import Head, read_head, settle_counts
from edgewise.io.header import cast_weights, counted_labels
from edgewise.io.notes import tell_repeats
from edgewise.io.parse import Layout, Rows, parse
from edgewise.io.text import check_size
from edgewise.io.text_graph import tell_ids

__all__ = ["File", "read_dimacs", "read_matrix_market", "read_text"]

_WINDOW = 1 << 16


class File(NamedTuple):
    """A file, the grid that reads it, and where its vertices are to go."""

    path: Path
    data: Any  # its bytes: an array, or what gives slices of one
    grid: Grid
    places: dict[str, Any]
    algorithm: str | None = None  # what will run, for estimates of memory

    def rows(self, layout: Layout, start: int, line: int, on_bad_line: str) -> Rows:
        """The edges in this rank's range of the lines from byte ``start``, which is ``line``."""
        world = self.grid.world
        low, high = self.range(start)
        nothing, text = np.zeros(0, np.int32), np.zeros(0, np.uint8)
        rows, error = Rows(nothing, nothing, None), None
        try:
            text = self.data[low:high]
            rows = parse(self.path, text, layout, on_bad_line=on_bad_line)
        except Exception as caught:
            error = caught
        if max(world.counts(int(error is not None))):
            before = sum(world.counts(_newlines(text))[: world.rank])
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

    def extent(self, rows: Rows) -> tuple[int, int]:
        """The least and the largest id of all ranks; 0 and -1 if there are none."""
        world, ends = self.grid.world, [part for part in rows[:2] if len(part)]
        low = min(world.counts(min((int(part.min()) for part in ends), default=2**63 - 1)))
        high = max(world.counts(max((int(part.max()) for part in ends), default=-1)))
        return (low, high) if high >= 0 else (0, -1)

    def graph(
        self, rows: Rows, n: int, labels: Labels | GridLabels | None = None, **options: Any
    ) -> GridGraph:
        """The graph of rows whose ends are vertices 0 to n - 1."""
        kind = index_dtype(n)
        us, vs = as_ids(
            rows.sources.astype(kind, copy=False), rows.targets.astype(kind, copy=False)
        )
        return place(self.grid, us, vs, rows.weights, n, labels, **options, **self.places)


def read_text(
    file: File,
    *,
    suffix: str = ".txt",
    columns: Sequence[int | str] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    header: str = "auto",
    delimiter: str | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    edge_columns: bool | Sequence[str] = False,
) -> GridGraph:
    """An edge list, or a CSV file; one with quotes only with ``edge_columns``."""
    path, data, world = file.path, file.data, file.grid.world
    style = edge_list.style_of(suffix)
    if suffix == ".csv":
        style = csv.STYLE
    with together(world, f"reading the head of {path}"):
        head = read_head(
            path,
            data,
            style,
            columns=columns,
            directed=directed,
            header=header,
            delimiter=delimiter,
            ids=ids,
            num_vertices=num_vertices,
        )
        _refuse_names(path, head)
    options = {"directed": head.directed, "duplicates": duplicates, "self_loops": self_loops}
    if edge_columns is not False:
        from edgewise.distributed.csv_read import read_columns  # which imports this module

        return read_columns(
            file, head, edge_columns, on_bad_line, ids=ids, num_vertices=num_vertices, **options
        )
    with together(world, f"reading the head of {path}"):
        low, end = file.range(head.start)
        if head.layout.delimiter and re.search(b'"', data[low:end].data):
            raise ValueError(
                f"{path}: CSV with quotes cannot be cut into ranges; "
                f"`edgewise convert {path} FILE.ew` makes a file that can"
            )
    with together(world, f"reading {path}"):
        about = head.num_rows and declared_rows(data, head.num_rows)
        about = about or fewest_rows(data, head.start)
    kind = np.float64 if head.layout.columns[2] >= 0 else None
    known = head.num_vertices if num_vertices is None else num_vertices
    check_rows(file, about, arcs=2 - head.directed, num_vertices=known, weights=kind)
    rows, skip = file.rows(head.layout, head.start, head.line, on_bad_line), on_bad_line == "skip"
    head, rows = _take_counts(file, head, rows, skip)
    total = file.total(rows)
    graph = _graph_of(file, head, rows, total, num_vertices, options, skip=skip)
    if not head.own.ids and self_loops == "keep":
        tell_repeats(graph, total, graph.weights is not None, duplicates)
    return graph


def _graph_of(
    file: File, head: Head, rows: Rows, total: int, num_vertices: int | None,
    options: dict[str, Any], *, skip: bool,
) -> GridGraph:  # fmt: skip
    """What `edgewise.io.text_graph.to_graph` makes of the rows of all ranks, ``total`` in all."""
    path, world, own = file.path, file.grid.world, head.own
    if head.num_rows not in (None, total) and not skip:
        reason = f"the header promises {head.num_rows} edges, but {total} follow"
        raise FileFormatError(path, reason, max(head.line - 1, 1))
    if own.weights and rows.weights is not None and not head.columns_given:
        with together(world, f"reading {path}"):
            rows = rows._replace(weights=cast_weights(path, rows.weights, own.weights))
    if own.labeled and num_vertices is None and head.ids != "as_is":
        if own.labels != "range":
            return _labeled(file, head, rows, options, skip=skip)
        n = own.num_vertices or 0
        check_size(path, n, total, own.line)
        return file.graph(rows, n, Labels.range(own.first, n), **options)
    if num_vertices is None and head.num_vertices is not None:
        return _declared(file, head, rows, total, options)
    if num_vertices is not None or head.ids == "as_is":
        with together(world, f"reading {path}"):
            most = vertex_ids(rows.sources, rows.targets, num_vertices, labels=False)[2]
        return file.graph(rows, max(world.counts(most)), **options)
    (us, vs), n, labels = number_occurring(world, rows.sources, rows.targets)
    graph = file.graph(Rows(us, vs, rows.weights), n, labels, **options)
    tell_ids(graph)
    return graph


def _take_counts(file: File, head: Head, rows: Rows, skip: bool) -> tuple[Head, Rows]:
    """`edgewise.io.dialect.take_counts` of the rows of all ranks."""
    if head.counts is None:
        return head, rows
    rest, counts = rows, file.grid.world.counts(len(rows.sources))
    first = next((k for k, count in enumerate(counts) if count), 0)
    if head.counts_parsed and file.grid.rank == first:
        rest = Rows(*(None if one is None else one[1:] for one in rows))
    fits = settle_counts(file.path, head, file.total(rest), *file.extent(rest), skip)
    if fits is None:
        return head._replace(counts=None), rows
    return head._replace(counts=None, num_vertices=fits), rest


def _declared(file: File, head: Head, rows: Rows, total: int, options: dict[str, Any]) -> GridGraph:
    """The graph where a header says how many vertices there are, counted from 0 or from 1."""
    n, line = head.num_vertices or 0, max(head.line - 1, 1)
    check_size(file.path, n, total, line)
    low, high = file.extent(rows)
    if high > n or (high == n and low == 0):
        reason = f"the header promises {n} vertices, but there is a vertex id {high}"
        raise FileFormatError(file.path, reason, line)
    if high < n or head.ids == "as_is":
        return file.graph(rows, max(n, high + 1), **options)
    us, vs = (part - part.dtype.type(1) for part in (rows.sources, rows.targets))
    graph = file.graph(Rows(us, vs, rows.weights), n, Labels.range(1, n), **options)
    tell_ids(graph)
    return graph


def _labeled(
    file: File, head: Head, rows: Rows, options: dict[str, Any], *, skip: bool
) -> GridGraph:
    """The graph of a file of ours whose vertices are integers with gaps, some without an edge."""
    own, world = head.own, file.grid.world
    named = np.array(own.named if world.rank == 0 else (), np.int64)
    (us, vs, _), n, labels = number_occurring(world, rows.sources, rows.targets, named)
    if n != own.num_vertices and not skip:
        reason = f"the header promises {own.num_vertices} labels, there are {n}"
        raise FileFormatError(file.path, reason, own.line)
    return file.graph(Rows(us, vs, rows.weights), n, labels, **options)


def read_matrix_market(
    file: File,
    *,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
) -> GridGraph:
    """A square matrix in coordinate form."""
    path, world = file.path, file.grid.world
    with together(world, f"reading the head of {path}"):
        head = matrix_market.read_head(path, file.data)
        n = head.size if num_vertices is None else check_count(num_vertices, "num_vertices")
        if n < head.size:
            raise ValueError(
                f"num_vertices must be at least the matrix's size {head.size}, got {n}"
            )
        labels = counted_labels(path, head.own, n, ids)
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
    arcs = 2 - (head.symmetry == "general" and directed is not False)
    check_rows(file, declared_rows(file.data, head.entries), arcs=arcs, num_vertices=n,
               weights=None if pattern else np.float64)  # fmt: skip
    rows = file.rows(layout, head.line.after, head.line.number + 1, on_bad_line)
    total = file.total(rows)
    if total != head.entries and on_bad_line == "raise":
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
        if head.own.weights and weights is not None:
            weights = cast_weights(path, weights, head.own.weights)
    zero = int(ids == "as_is")
    n, sources, targets = n + zero, sources + zero, targets + zero
    if directed is None:
        directed = head.symmetry != "symmetric"
    if not directed or head.symmetry == "general":
        options = {"duplicates": duplicates, "self_loops": self_loops}
        rows = Rows(sources, targets, weights)
        graph = file.graph(rows, n, labels, directed=directed, **options)
    else:
        mirrored = -weights if skew and weights is not None else weights
        lists = [
            Arcs(sources, targets, weights, loops=self_loops == "keep"),
            Arcs(targets, sources, mirrored, loops=False),
        ]
        places = Places(n, file.grid.shape, **file.places)
        graph = bring(file.grid, places, lists, directed=True, duplicates=duplicates, labels=labels)
        total = 2 * total - sum(world.counts(int((sources == targets).sum())))
    if self_loops == "keep":
        tell_repeats(graph, total, graph.weights is not None, duplicates)
    return graph


def read_dimacs(
    file: File,
    *,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
) -> GridGraph:
    """A ``.gr`` file."""
    path, world = file.path, file.grid.world
    with together(world, f"reading the head of {path}"):
        size, arcs, line, own = dimacs._head(path, file.data)
        n = size if num_vertices is None else check_count(num_vertices, "num_vertices")
        if n < size:
            raise ValueError(f"num_vertices must be at least the file's {size}, got {n}")
        labels = counted_labels(path, own, n, ids)
    layout = Layout((1, 2, 3), width=4, comments=b"c", prefix=b"a", low=1, high=size)
    ways = 2 if directed is False and own.directed is not False else 1
    check_rows(file, declared_rows(file.data, arcs), arcs=ways, num_vertices=n, weights=np.float64)
    rows = file.rows(layout, line.after, line.number + 1, on_bad_line)
    total = file.total(rows)
    if total != arcs and on_bad_line == "raise":
        reason = f"the header promises {arcs} arcs, but {total} follow"
        raise FileFormatError(path, reason, line.number)
    if num_vertices is None:
        check_size(path, n, total, line.number)
    if own.labels:
        with together(world, f"reading {path}"):
            weights = cast_weights(path, rows.weights, own.weights) if own.weights else None
            rows = rows._replace(weights=weights)
    if directed is None:
        directed = own.directed is not False
    both = own.directed is False and not directed
    if both:
        rows = _one_way(file, rows)
    zero = int(ids == "as_is")
    rows = rows._replace(sources=rows.sources + zero, targets=rows.targets + zero)
    options: dict[str, Any] = {"duplicates": duplicates, "self_loops": self_loops}
    graph = file.graph(rows, n + zero, labels, directed=directed, **options)
    if self_loops == "keep" and not both:
        tell_repeats(graph, total, graph.weights is not None, duplicates)
    return graph


def _one_way(file: File, rows: Rows) -> Rows:
    """One direction of edges that a file has in both; a sum over all ranks tells if they agree."""
    us, vs = (part.astype(np.uint64) for part in (rows.sources, rows.targets))
    weights = np.zeros(len(us)) if rows.weights is None else rows.weights.astype(np.float64)
    with np.errstate(over="ignore"):
        marks = mix(mix(np.minimum(us, vs)) ^ np.maximum(us, vs)) ^ mix(weights.view(np.uint64))
        sums = [mix(marks[us < vs]).sum(), mix(marks[us > vs]).sum()]
    ways = file.grid.world.allreduce(np.array(sums, np.uint64), "sum")
    if ways[0] != ways[1]:
        reason = "not the undirected graph of its comment: an edge is there in one direction alone"
        raise FileFormatError(file.path, reason)
    kept = us <= vs
    return Rows(*(None if one is None else one[kept] for one in rows))


def _refuse_names(path: Path, head: Head) -> None:
    """Names, and numbers in an order of their own, are nothing that ranks could agree on."""
    own = head.own
    pairs = zip(own.named, own.named[1:], strict=False)
    if head.layout.names or own.labels == "str":
        reason = "its vertices have names; a grid takes whole numbers"
    elif len(own.named) == own.num_vertices and any(one > other for one, other in pairs):  # type: ignore[operator]
        reason = "its vertices are listed in an order of their own; a grid takes them ascending"
    else:
        return
    raise ValueError(f"{path}: {reason}, which `edgewise convert {path} FILE.ew` gives them")


def _line_start(data: Any, at: int) -> int:
    """Where the first line starts that does not start before ``at``."""
    for low in range(at - 1, len(data), _WINDOW):
        ends = np.flatnonzero(data[low : low + _WINDOW] == 10)
        if len(ends):
            return low + int(ends[0]) + 1
    return len(data)


def _newlines(data: np.ndarray) -> int:
    parts = range(0, len(data), _WINDOW)
    return sum(int(np.count_nonzero(data[low : low + _WINDOW] == 10)) for low in parts)

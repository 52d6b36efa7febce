"""METIS graph files (.graph): a header ``n m [fmt [ncon]]``, then one line of neighbors per vertex.

``fmt`` has three digits: whether vertices have sizes, whether they have ``ncon`` weights, and
whether edges have weights. Vertex sizes and weights are checked and omitted with a note. Graphs
are undirected: each edge is on the lines of both its ends. A blank line is an isolated vertex, and
``%`` starts a comment. The file counts from 1, so vertices have the labels 1 to n, unless an
Edgewise header among the first comments (see `edgewise.io.header`) says otherwise.

Format: G. Karypis. METIS: a software package for partitioning unstructured graphs. Manual 5.1.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.cpu.random import bits
from edgewise.base.cpu.team import grab, share
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch, threads
from edgewise.graph import Graph
from edgewise.graph.arrays import RowArrays
from edgewise.graph.edges import Arcs
from edgewise.io.binary import rows_sorted
from edgewise.io.decimal import whole
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, counted_labels, header_lines, read_above
from edgewise.io.notes import note
from edgewise.io.parse import cut
from edgewise.io.text import Line, lines, only, shown, text_start

__all__ = ["read", "write"]

_NUMBER, _RANGE, _LOOP, _ODD, _SHORT, _EXTRA = range(1, 7)
_REASONS = {
    _NUMBER: "expected a whole number, got {token}",
    _RANGE: "neighbor {token} is not in the range 1..{n}",
    _LOOP: "the vertex lists itself, which METIS forbids",
    _ODD: "the last neighbor has no weight",
    _SHORT: "the vertex has fewer sizes and weights than the header promises",
    _EXTRA: "the header promises {n} vertices, but more lines follow",
}
_BLOCK = 1 << 22


def read(path: Path, *, ids: str = "auto") -> Graph:
    """Return the graph in a METIS file.

    Parameters
    ----------
    path : Path
        The file.
    ids : {"auto", "as_is"}
        With ``"as_is"`` ids are vertex ids: there are no labels, and vertex 0 is isolated.

    Returns
    -------
    Graph
        An undirected graph with the labels 1 to n, and int64 weights if the edges have weights. A
        file written by `write` restores the original graph.

    Raises
    ------
    FileFormatError
        If a line is malformed, or the numbers of vertices or edges differ from the header. Also if
        an edge is not on the lines of both its ends with the same weight.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.graph"
    ...     _ = path.write_text("% a path with weights\\n3 2 001\\n2 7\\n1 7 3 5\\n2 5\\n")
    ...     [column.tolist() for column in read(path).edges()]
    [[0, 1], [1, 2], [7, 5]]
    """
    data = read_bytes(path)
    head = _head(path, data)
    if head.extra:
        note("columns", "the sizes and weights of vertices were not read")
    labels = counted_labels(path, head.own, head.n, ids)
    text = data[head.line.after :]
    bounds, first = cut(path, text, head.line.number + 1)
    chunks = len(bounds) - 1
    step = 2 if head.weighted else 1
    counts = np.zeros((chunks + 1, 2), np.int64)
    launch(_measure, text, bounds, counts[1:], head.extra, step, work=len(text))
    places = np.cumsum(counts, axis=0)
    found, arcs = places[-1].tolist()
    ended = head.extra == 0 and (len(text) == 0 or text[-1] == 10)  # by a blank last line
    if found + ended < head.n:
        reason = f"the header promises {head.n} vertices, but only {found} lines follow"
        raise FileFormatError(path, reason, head.line.number)
    indptr, indices = np.full(head.n + 1, arcs), np.empty(arcs, np.int32)
    weights = np.empty(arcs if head.weighted else 0, np.int64)
    report = np.zeros((chunks, 3), np.int64)
    rows = RowArrays(indptr, indices, weights)
    launch(_fill, text, bounds, places, head.extra, step, rows, report, work=len(text))
    faults = np.flatnonzero(report[:, 0])
    if len(faults):
        fault, line, at = report[faults[0]]
        token = shown(b"".join(bytes(text[at : at + 99]).split(maxsplit=1)[:1]))
        reason = _REASONS[fault].format(token=token, n=head.n)
        line += head.line.number + 1 + first[faults[0]]
        raise FileFormatError(path, reason, int(line))
    if arcs != 2 * head.m:
        reason = f"the header promises {head.m} edges, so {2 * head.m} neighbors, but {arcs} follow"
        raise FileFormatError(path, reason, head.line.number)
    graph = _undirected(path, data, head, indptr, indices, weights if head.weighted else None)
    if head.own.weights and graph.weights is not None:
        graph = graph.with_weights(Arcs(cast_weights(path, graph.weights, head.own.weights)))
    if ids == "as_is":
        below = np.concatenate([[0], graph.indptr])
        return Graph(below, graph.indices + 1, graph.weights, directed=False)
    return graph if labels is None else graph.with_labels(labels)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write an undirected graph without self-loops; labels become comments.

    Raises
    ------
    ValueError
        If the graph is directed, has a self-loop, or has weights that are not positive integers.
    """
    if graph.directed:
        raise ValueError("METIS holds undirected graphs; graph.to_undirected() makes one")
    if graph.num_self_loops:
        raise ValueError("METIS holds no self-loops; graph.without_self_loops() drops them")
    weights = graph.weights
    if weights is not None and (weights.dtype.kind != "i" or (weights < 1).any()):
        raise ValueError("METIS holds weights that are integers from 1; set others by with_weights")
    fmt = "" if weights is None else " 001"
    file.writelines(header_lines(graph, "%", every=True))
    file.write(f"{graph.num_vertices} {graph.num_edges}{fmt}\n".encode())
    indptr = graph.indptr
    low = 0
    while low < graph.num_vertices:
        high = max(int(np.searchsorted(indptr, indptr[low] + _BLOCK, "right")) - 1, low + 1)
        arcs = slice(indptr[low], indptr[high])
        sizes = np.empty(high - low, np.int64)
        numbers = np.full(0, 0) if weights is None else weights[arcs].astype(np.int64)
        rows = indptr[low : high + 1] - indptr[low]
        neighbors = graph.indices[arcs].astype(np.int64)
        launch(_row_sizes, rows, neighbors, numbers, sizes, work=len(neighbors))
        starts = offsets(sizes)
        text = np.empty(starts[-1], np.uint8)
        launch(_write_rows, rows, neighbors, numbers, starts, text, work=len(neighbors))
        file.write(text.data)
        low = high


class _Head(NamedTuple):
    """What the header, here ``line``, says; ``extra`` is the count of numbers before neighbors."""

    n: int
    m: int
    extra: int
    weighted: bool
    line: Line
    own: Header


def _head(path: Path, data: np.ndarray) -> _Head:
    own, line = read_above(path, lines(data, text_start(data)), b"%")
    if line is None:
        raise FileFormatError(path, "there is no header 'VERTICES EDGES [FMT [NCON]]'")
    words = line.content.split()
    if not 2 <= len(words) <= 4:
        reason = f"expected 'VERTICES EDGES [FMT [NCON]]', got {shown(line.content)}"
        raise FileFormatError(path, reason, line.number)
    n = only(path, words[0], "the number of vertices", line.number)
    if n > 2**31:
        raise FileFormatError(path, f"{n} vertices are more than 2**31", line.number)
    m = only(path, words[1], "the number of edges", line.number)
    fmt = words[2].rjust(3, b"0") if len(words) > 2 else b"000"
    if len(fmt) != 3 or not set(fmt) <= set(b"01"):
        reason = f"fmt must be up to three digits 0 or 1, got {shown(words[2])}"
        raise FileFormatError(path, reason, line.number)
    constraints = 1
    if len(words) == 4:
        constraints = only(path, words[3], "the number of vertex weights", line.number, 1)
    sizes, weights, weighted = (flag == ord("1") for flag in fmt)
    if own.num_vertices not in (None, n):
        reason = f"the comment says {own.num_vertices} vertices, the header {n}"
        raise FileFormatError(path, reason, own.line)
    return _Head(n, m, sizes + weights * constraints, weighted, line, own)


_ENDS = np.zeros(256, np.uint8)
_ENDS[list(b" \t\r\v\f")] = 1
_ENDS[10] = 2


@kernel(borrows=True)
def _measure(me, team, control, text, bounds, counts, extra, step):
    """Per chunk: the number of vertices and of neighbors."""
    while True:
        chunk, limit = grab(control, 0, 1, len(counts))
        if chunk == limit:
            return
        pos, end = bounds[chunk], bounds[chunk + 1]
        while pos < end:
            comment, tokens, inside = text[pos] == 37, 0, False
            while pos < end and text[pos] != 10:
                ink = _ENDS[text[pos]] == 0
                tokens += ink and not inside
                inside = ink
                pos += 1
            pos += 1
            if not comment:
                counts[chunk, 0] += 1
                counts[chunk, 1] += max(tokens - extra, 0) // step


@kernel(borrows=True)
def _fill(me, team, control, text, bounds, places, extra, step, rows, report):
    """Parse chunk after chunk; a fault ends the work of all."""
    indptr, indices, weights = rows
    while True:
        chunk, limit = grab(control, 0, 1, len(report))
        if chunk == limit:
            return
        pos, end, line = bounds[chunk], bounds[chunk + 1], 0
        vertex, arc = places[chunk]
        while pos < end:
            if text[pos] != 37:
                if vertex < len(indptr):
                    indptr[vertex] = arc
                fault, pos, after = _fill_line(
                    text, pos, end, len(indptr) - 1, extra, step, vertex, arc, indices, weights
                )
                if fault:
                    report[chunk, 0], report[chunk, 1], report[chunk, 2] = fault, line, pos
                    grab(control, 0, len(report), len(report))  # nobody starts another chunk
                    return
                vertex, arc = vertex + 1, after
            while pos < end and text[pos] != 10:
                pos += 1
            pos += 1
            line += 1


@helper(forceinline=True)
def _fill_line(text, pos, end, n, extra, step, vertex, arc, indices, weights):
    """The neighbors on one line: ``(fault or 0, position, the next free arc)``."""
    fault, column, neighbor = 0, 0, 0
    while True:
        while pos < end and _ENDS[text[pos]] == 1:
            pos += 1
        if pos >= end or text[pos] == 10:
            break
        if vertex >= n:
            fault = _EXTRA
            break
        begin = pos
        pos, value, found = whole(text, pos, end, _ENDS)
        if found != 1:
            fault = _NUMBER
        elif column >= extra:
            if (column - extra) % step == 0:
                neighbor = value - 1
                if not 0 <= neighbor < n:
                    fault = _RANGE
                elif neighbor == vertex:
                    fault = _LOOP
            else:
                weights[arc] = value
            if fault == 0 and (column - extra) % step == step - 1:
                indices[arc] = neighbor
                arc += 1
        if fault:
            pos = begin
            break
        column += 1
    if fault == 0 and vertex < n:
        if column < extra:
            fault = _SHORT
        elif (column - extra) % step:
            fault = _ODD
    return fault, pos, arc


def _undirected(path, data, head, indptr, indices, weights) -> Graph:
    """The graph, if every edge stands on the lines of both its ends."""
    if not rows_sorted(indptr, indices):
        sources = np.repeat(np.arange(head.n, dtype=np.int32), np.diff(indptr))
        graph = Graph.from_edges(
            sources, indices, weights, directed=True, num_vertices=head.n, duplicates="first"
        )
        if graph.num_arcs < len(indices):
            keys = np.sort(sources * np.int64(head.n) + indices)
            u, v = divmod(int(keys[1:][keys[1:] == keys[:-1]][0]), head.n)
            _refuse(path, data, head, u, f"neighbor {v + 1} stands there twice")
        indptr, indices, weights = graph.indptr, graph.indices, graph.weights
    plain = np.empty(0, np.int64) if weights is None else weights
    with threads(get_threads()):  # so that the team is as large as the array
        sums = np.zeros((get_threads(), 2), np.uint64)
        launch(_add_up, indptr, indices, plain, sums, work=len(indices))
    graph = Graph(indptr, indices, weights, directed=False)
    if len(set(sums.sum(axis=0).tolist())) > 1:
        _explain(path, data, head, graph)
    return graph


@kernel(borrows=True)
def _add_up(me, team, control, indptr, indices, weights, sums):
    """Sum a hash of each edge over the arcs that go up, and over those that go down.

    Each direction has no arc twice, so the sums agree if they hold the same edges; if not, they
    differ but for a chance of 2**-64.
    """
    low, high = share(me, team, len(indptr) - 1)
    up, down = np.uint64(0), np.uint64(0)
    for u in range(low, high):
        for e in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[e])
            weight = np.uint64(weights[e]) if len(weights) else np.uint64(0)
            if u < v:
                up += bits(np.uint64(u), np.uint64(v), weight)
            else:
                down += bits(np.uint64(v), np.uint64(u), weight)
    sums[me, 0], sums[me, 1] = up, down


def _explain(path: Path, data: np.ndarray, head: _Head, graph: Graph) -> NoReturn:
    """The error for a graph whose arcs do not all have their opposite."""
    graph = Graph(graph.indptr, graph.indices, graph.weights, directed=True)
    back = graph.transposed
    here, there = (
        np.repeat(np.arange(head.n), np.diff(g.indptr)) * head.n + g.indices for g in (graph, back)
    )
    lone = np.setdiff1d(here, there)
    if len(lone):
        u, v = divmod(int(lone[0]), head.n)
        _refuse(path, data, head, u, f"neighbor {v + 1} does not list vertex {u + 1} in return")
    arc = int(np.argmax(graph.weights != back.weights))  # type: ignore[arg-type]
    u, v = divmod(int(here[arc]), head.n)
    _refuse(path, data, head, u, f"neighbor {v + 1} gives the edge another weight")


def _refuse(path: Path, data: np.ndarray, head: _Head, vertex: int, reason: str) -> NoReturn:
    """An error on the line of a vertex."""
    for line in lines(data, head.line.after, head.line.number + 1):
        if data[line.start] != ord("%"):
            if vertex == 0:
                raise FileFormatError(path, reason, line.number)
            vertex -= 1
    raise FileFormatError(path, reason)


@helper
def _digits(value):
    count = 1
    while value >= 10:
        value //= 10
        count += 1
    return count


@kernel(borrows=True)
def _row_sizes(me, team, control, indptr, neighbors, weights, sizes):
    """The bytes of each line: the numbers and a space or newline after each."""
    low, high = share(me, team, len(indptr) - 1)
    for u in range(low, high):
        size = 1 if indptr[u] == indptr[u + 1] else 0
        for e in range(indptr[u], indptr[u + 1]):
            size += _digits(neighbors[e] + 1) + 1
            if len(weights):
                size += _digits(weights[e]) + 1
        sizes[u] = size


@kernel(borrows=True)
def _write_rows(me, team, control, indptr, neighbors, weights, offsets, text):
    low, high = share(me, team, len(indptr) - 1)
    for u in range(low, high):
        pos = offsets[u]
        for e in range(indptr[u], indptr[u + 1]):
            pos = _put(text, pos, neighbors[e] + 1)
            if len(weights):
                pos = _put(text, pos, weights[e])
        text[offsets[u + 1] - 1] = 10


@helper
def _put(text, pos, value):
    """Write a number and a space; the position after them."""
    after = pos + _digits(value)
    text[after] = 32
    for i in range(after - 1, pos - 1, -1):
        text[i] = 48 + value % 10
        value //= 10
    return after + 1

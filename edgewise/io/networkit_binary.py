"""NetworKit's binary files (.nkb), versions 2 and 3 [1].

    8 bytes   the mark "nkbg003", and a zero
    uint64    checksum (unused), features, n, chunks, and where each section starts
    features  bit 0: directed; bits 1 to 3: type of the weights; bit 4: edges have ids
    n bytes   flags of the vertices, then the first vertex of each chunk but the first
    lists     offsets of the chunks but the first, the number of arcs, then for each vertex the
              number of its neighbors and these, all as varints
    weights   offsets of the chunks, and the weights in the order of the lists

A varint has as many bytes as its first one has trailing zeros, and one more; the bits above the
lowest 1 are the value, and eight bytes after a first one of zeros. The lists of an undirected graph
have each edge at its greater end. Lists of the other direction, which follow, and ids of edges are
not needed. NetworKit up to 11.2 flags vertices that exist with 1, later ones with 0.

[1] https://github.com/networkit/networkit/blob/master/networkit/cpp/io/NetworkitBinaryGraph.md
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from edgewise.base.cache import helper, kernel
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.files import read_bytes
from edgewise.io.left_out import warn_left_out
from edgewise.io.notes import graph_of_edges

__all__ = ["read", "write"]

_MARKS = {b"nkbg002\0": 2, b"nkbg003\0": 3}
_HEADER = {2: 80, 3: 96}
_NONE, _UNSIGNED, _SIGNED, _DOUBLE, _FLOAT = range(5)
_TRUNCATED, _TOO_MANY, _NO_VERTEX = -1, -2, -3
_REASONS = {
    _TRUNCATED: "truncated: the lists do not end",
    _TOO_MANY: "the lists have other numbers of neighbors than the file promises",
    _NO_VERTEX: "a neighbor is no vertex, or stands at the lesser end of its edge",
}


def read(
    path: Path,
    *,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
) -> Graph:
    """Return the graph in a NetworKit binary file.

    Parameters
    ----------
    path : Path
        The file.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.

    Returns
    -------
    Graph
        Integer weights are int64, others float64 or float32. Vertices marked as deleted are left
        out; the ids of the others are then the labels.

    Raises
    ------
    FileFormatError
        If the file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.nkb"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges([0, 1], [1, 2], [0.5, 2.5]), file)
    ...     read(path).edges()[2].tolist()
    [0.5, 2.5]
    """
    data = read_bytes(path)
    version = _MARKS.get(data[:8].tobytes())
    if version is None or len(data) < _HEADER[version]:
        raise FileFormatError(path, f"not a binary file of NetworKit, version 2 or 3: {data[:8]!r}")
    _, features, n, chunks, base, lists, _, values = data[8:72].view("<u8").tolist()
    directed, kind = bool(features & 1), features >> 1 & 7
    if kind > _FLOAT:
        raise FileFormatError(path, f"the type of the weights must be at most 4, got {kind}")
    if n == 0:
        weights = None if kind == _NONE else np.zeros(0, _dtype(kind))
        return Graph.from_edges([], [], weights, directed=directed, num_vertices=0)
    if not 1 <= chunks <= max(n, 1) or n > len(data):
        raise FileFormatError(path, f"{chunks} chunks of {n} vertices are declared")
    offsets = 8 * (chunks - 1)
    flags = _part(path, data, base, n) & 1
    count = int(_part(path, data, lists + offsets, 8).view("<u8")[0])
    start = lists + offsets + 8
    if count > len(data) - start:
        raise FileFormatError(path, f"truncated: {count} arcs are declared")
    sources, targets = np.empty(count, np.int64), np.empty(count, np.int64)
    end = np.array([start])
    launch(_neighbors, data, n, directed, sources, targets, end, work=1)
    if end[0] < 0:
        raise FileFormatError(path, _REASONS[int(end[0])])
    weights = None if kind == _NONE else _weights(path, data, values + offsets, kind, count)
    graph = graph_of_edges(
        sources,
        targets,
        weights,
        directed=directed,
        num_vertices=n,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
    )
    return _without_deleted(path, graph, flags, sources, targets)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph in the binary format of NetworKit 11: version 3, in one chunk.

    The format cannot store labels, which are omitted with a warning. Weights of type int32 are read
    back as int64.
    """
    warn_left_out("NetworKit's binary files", ["labels"] if graph.labels is not None else [],
                  ".ew files keep them")  # fmt: skip
    n, weights, kind = graph.num_vertices, graph.weights, _kind(graph.weights)
    halves = []
    if graph.directed:
        back = graph.transposed
        other = None if weights is None else weights[back.arc_ids]
        halves = [(graph.indptr, graph.indices, weights), (back.indptr, back.indices, other)]
    else:
        sources = np.repeat(np.arange(n), np.diff(graph.indptr))
        for chosen in (graph.indices <= sources, graph.indices >= sources):
            indptr = offsets(np.bincount(sources[chosen], minlength=n))
            some = None if weights is None else weights[chosen]
            halves.append((indptr, graph.indices[chosen], some))
    sections = [np.ones(n, np.uint8).tobytes()]
    for indptr, indices, _ in halves:
        lists = np.insert(indices.astype(np.uint64), indptr[:-1], np.diff(indptr).astype(np.uint64))
        sections.append(len(indices).to_bytes(8, "little") + _varints(lists))
    sections += [_encoded(one, kind) for *_, one in halves if one is not None]
    starts = (_HEADER[3] + offsets([len(one) for one in sections])).tolist()
    starts = [*starts[: len(sections)], *[0] * (7 - len(sections))] if n else [0] * 7
    header = [0, int(graph.directed) | kind << 1, n, min(n, 1), *starts]
    file.write(b"nkbg003\0" + np.array(header, "<u8").tobytes())
    file.writelines(sections if n else [bytes(8)])


def _part(path: Path, data: np.ndarray, start: int, size: int) -> np.ndarray:
    if start + size > len(data):
        reason = f"truncated: {size} bytes are declared at {start} of {len(data)}"
        raise FileFormatError(path, reason)
    return data[start : start + size]


def _dtype(kind: int) -> str:
    return {_DOUBLE: "<f8", _FLOAT: "<f4"}.get(kind, "<i8")


def _kind(weights: np.ndarray | None) -> int:
    """In which form weights are written."""
    if weights is None:
        return _NONE
    if weights.dtype.kind == "f":
        return _FLOAT if weights.dtype == np.float32 else _DOUBLE
    return _SIGNED if weights.min(initial=0) < 0 else _UNSIGNED


def _weights(path: Path, data: np.ndarray, start: int, kind: int, count: int) -> np.ndarray:
    if kind in (_DOUBLE, _FLOAT):
        dtype = np.dtype(_dtype(kind))
        part = _part(path, data, start, count * dtype.itemsize)
        return part.view(dtype).astype(dtype.newbyteorder("="))
    _part(path, data, start, count)
    found, end = np.empty(count, np.uint64), np.array([start])
    launch(_numbers, data, found, end, work=1)
    if end[0] < 0:
        raise FileFormatError(path, "truncated: the weights do not end")
    if kind == _SIGNED:  # 0, -1, 1, -2, 2 are 0, 1, 2, 3, 4
        half, odd = (found >> np.uint64(1)).astype(np.int64), (found & np.uint64(1)).astype(bool)
        return np.where(odd, ~half, half)
    if (found >> np.uint64(63)).any():
        raise FileFormatError(path, f"a weight of {found.max()} does not fit in 63 bits")
    return found.astype(np.int64)


def _encoded(weights: np.ndarray, kind: int) -> bytes:
    if kind in (_DOUBLE, _FLOAT):
        return weights.astype(_dtype(kind)).tobytes()
    exact = weights.astype(np.int64)
    if kind == _SIGNED:
        exact = (exact << 1) ^ (exact >> 63)
    return _varints(exact.view(np.uint64))


def _varints(values: np.ndarray) -> bytes:
    """Unsigned numbers one after the other, each in as many bytes as it needs."""
    sizes = np.ones(len(values), np.int64)
    for k in range(1, 9):
        sizes += values >> np.uint64(7 * k) > 0
    starts = offsets(sizes)
    out = np.zeros(starts[-1], np.uint8)
    for size in range(1, 10):
        chosen = np.flatnonzero(sizes == size)
        words, first = values[chosen], size == 9
        if not first:
            words = (words << np.uint64(1) | np.uint64(1)) << np.uint64(size - 1)
        for k in range(first, size):
            byte = words >> np.uint64(8 * (k - first)) & np.uint64(255)
            out[starts[chosen] + k] = byte
    return out.tobytes()


def _without_deleted(
    path: Path, graph: Graph, flags: np.ndarray, sources: np.ndarray, targets: np.ndarray
) -> Graph:
    """The graph of the vertices that exist: those flagged as are the ends of edges."""
    if flags.min() == flags.max():
        return graph
    used = np.unique(np.concatenate((flags[sources], flags[targets])))
    if len(used) != 1:
        raise FileFormatError(path, "vertices are flagged as deleted, which no edge tells apart")
    there = np.flatnonzero(flags == used[0])
    return graph.subgraph(there).with_labels(Labels(there))


@helper(forceinline=True)
def _varint(data, pos):
    """The position after the varint at ``pos``, -1 if it does not end, and its value."""
    first = np.uint64(data[pos])
    size = 1
    while size < 9 and first >> np.uint64(size - 1) & np.uint64(1) == np.uint64(0):
        size += 1
    if pos + size > len(data):
        return -1, np.uint64(0)
    value = np.uint64(0)
    for k in range(size - 1, 0, -1):
        value = value << np.uint64(8) | np.uint64(data[pos + k])
    if size < 9:
        value = value << np.uint64(8 - size) | first >> np.uint64(size)
    return pos + size, value


@kernel(borrows=True)
def _numbers(me, team, control, data, found, end):
    """Varints one after the other; their end, or -1 if the file ends before."""
    if me > 0:
        return
    pos = end[0]
    for k in range(len(found)):
        if pos < 0 or pos >= len(data):
            pos = -1
            break
        pos, found[k] = _varint(data, pos)
    end[0] = pos


@kernel(borrows=True)
def _neighbors(me, team, control, data, n, directed, sources, targets, end):
    """The arcs of all lists; the end of these, or what is wrong with them."""
    if me > 0:
        return
    pos, count = end[0], 0
    for u in range(n):
        if pos >= len(data):
            end[0] = _TRUNCATED
            return
        pos, degree = _varint(data, pos)
        if pos < 0 or degree > np.uint64(len(sources) - count):
            end[0] = _TRUNCATED if pos < 0 else _TOO_MANY
            return
        for _ in range(np.int64(degree)):
            if pos >= len(data):
                end[0] = _TRUNCATED
                return
            pos, v = _varint(data, pos)
            if pos < 0 or v >= np.uint64(n) or (not directed and v > np.uint64(u)):
                end[0] = _TRUNCATED if pos < 0 else _NO_VERTEX
                return
            sources[count], targets[count] = u, np.int64(v)
            count += 1
    end[0] = pos if count == len(sources) else _TOO_MANY

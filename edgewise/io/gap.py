"""The GAP benchmark's serialized graphs: .sg, and .wsg with weights of 32 bits [1].

    bool      directed (1 byte)
    int64     number of arcs m (an undirected edge is two)
    int64     number of vertices n
    int64     offsets[n + 1]
    int32     neighbors[m]; in .wsg pairs of neighbor and weight
    a directed graph then has the offsets and neighbors of the transpose, too

GAP itself writes sorted rows without self-loops and duplicates. Reading accepts rows in any order,
and of duplicates keeps the one with the smallest weight, as GAP does when it builds a graph.

[1] S. Beamer, K. Asanovic, D. Patterson. The GAP Benchmark Suite. arXiv:1508.03619, 2015.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.binary import check_ranges, sort_rows, validated
from edgewise.io.files import read_bytes
from edgewise.io.left_out import warn_left_out

__all__ = ["read", "write"]

_COUNTS = np.dtype([("directed", "u1"), ("arcs", "<i8"), ("vertices", "<i8")])
_OFFSET, _NEIGHBOR = np.dtype("<i8"), np.dtype("<i4")
_PAIR = np.dtype([("neighbor", "<i4"), ("weight", "<i4")])


def read(path: Path, *, suffix: str) -> Graph:
    """Return the graph in a file serialized by the GAP benchmark's converter or by `write`.

    Parameters
    ----------
    path : path
        The file.
    suffix : {".sg", ".wsg"}
        Whether the neighbors have weights.

    Returns
    -------
    Graph
        Weights from a .wsg file are int32.

    Raises
    ------
    FileFormatError
        If the file's size, offsets or neighbors do not match its counts, or if it is marked as
        undirected and an arc has no reverse arc.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.sg"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges([0, 1], [1, 2]), file, suffix=".sg")
    ...     read(path, suffix=".sg").num_edges
    2
    """
    data = read_bytes(path)
    directed, num_vertices, num_arcs = _counts(path, data)
    entry = _PAIR if suffix == ".wsg" else _NEIGHBOR
    half = _OFFSET.itemsize * (num_vertices + 1) + entry.itemsize * num_arcs
    size = _COUNTS.itemsize + half * (2 if directed else 1)
    if len(data) != size:
        what = "truncated" if len(data) < size else "too long"
        raise FileFormatError(
            path,
            f"{what}: {len(data)} bytes, but a {'directed' if directed else 'undirected'} {suffix} "
            f"file of {num_vertices} vertices and {num_arcs} arcs has {size}",
        )
    offsets, entries = _half(data, _COUNTS.itemsize, num_vertices, num_arcs, entry)
    neighbors, weights = entries, None
    if suffix == ".wsg":
        neighbors, weights = entries["neighbor"], entries["weight"].astype(np.int32)
    indptr, indices = offsets.astype(np.int64), neighbors.astype(np.int32)
    check_ranges(path, indptr, indices)
    if directed:
        start = _COUNTS.itemsize + half
        _check_transpose(path, indices, _half(data, start, num_vertices, num_arcs, entry)[0])
    indptr, indices, weights = sort_rows(indptr, indices, weights, "min")
    graph = Graph(indptr, indices, weights, directed=directed)
    return graph if directed else validated(path, graph)


def write(graph: Graph, file: BinaryIO, *, suffix: str) -> None:
    """Write a graph in the serialized format of the GAP benchmark.

    The format cannot store labels, and .sg cannot store weights. Both are omitted with a warning.

    Parameters
    ----------
    graph : Graph
        The graph to write. A .wsg file needs integer weights of at most 32 bits.
    file : binary file
        The open file.
    suffix : {".sg", ".wsg"}
        Whether to write weights.

    Raises
    ------
    ValueError
        If the weights do not match the suffix, or if vertices or weights do not fit in 32 bits.
    """
    _check_writable(graph, suffix)
    lost = ["labels"] if graph.labels is not None else []
    if suffix == ".sg" and graph.weights is not None:
        lost.append("weights")
        graph = graph.with_weights(None)
    warn_left_out(f"{suffix} files", lost, ".ew files keep them")
    counts = np.array([(graph.directed, graph.num_arcs, graph.num_vertices)], _COUNTS)
    file.write(counts.tobytes())
    _write_half(file, graph.indptr, graph.indices, graph.weights)
    if graph.directed:
        transpose = graph.transposed
        weights = None if graph.weights is None else graph.weights[transpose.arc_ids]
        _write_half(file, transpose.indptr, transpose.indices, weights)


def _counts(path: Path, data: np.ndarray) -> tuple[bool, int, int]:
    """Whether directed, the number of vertices, the number of arcs."""
    if len(data) < _COUNTS.itemsize:
        raise FileFormatError(path, f"truncated: {len(data)} bytes, the counts alone have 17")
    directed, num_arcs, num_vertices = data[: _COUNTS.itemsize].view(_COUNTS)[0].item()
    if directed > 1 or num_arcs < 0 or not 0 <= num_vertices < 2**31:
        raise FileFormatError(
            path,
            f"not a serialized GAP graph: it would be directed={directed} with "
            f"{num_vertices} vertices and {num_arcs} arcs",
        )
    return bool(directed), num_vertices, num_arcs


def _half(
    data: np.ndarray, start: int, num_vertices: int, num_arcs: int, entry: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """Views of the offsets and the neighbors that lie at ``start``; they need not be aligned."""
    middle = start + _OFFSET.itemsize * (num_vertices + 1)
    end = middle + entry.itemsize * num_arcs
    return data[start:middle].view(_OFFSET), data[middle:end].view(entry)


def _check_transpose(path: Path, indices: np.ndarray, offsets: np.ndarray) -> None:
    """That the second half's offsets count the arcs into each vertex."""
    degrees = np.bincount(indices, minlength=len(offsets) - 1)
    if offsets[0] != 0 or not np.array_equal(np.diff(offsets), degrees):
        raise FileFormatError(path, "the incoming offsets disagree with the outgoing neighbors")


def _check_writable(graph: Graph, suffix: str) -> None:
    """That the format can hold the graph."""
    if graph.num_vertices >= 2**31:
        raise ValueError(f"{suffix} files number vertices in 32 bits, got {graph.num_vertices}")
    weights = graph.weights
    if suffix == ".sg":
        return
    if weights is None:
        raise ValueError(".wsg files need weights: write a .sg file, or give the graph weights")
    if weights.dtype.kind != "i":
        raise ValueError(f".wsg files hold weights of type int32, got {weights.dtype}")
    limits = np.iinfo(np.int32)
    if len(weights) and not limits.min <= weights.min() <= weights.max() <= limits.max:
        raise ValueError(
            f".wsg files hold weights of type int32, got weights from {weights.min()} "
            f"to {weights.max()}"
        )


def _write_half(
    file: BinaryIO, indptr: np.ndarray, indices: np.ndarray, weights: np.ndarray | None
) -> None:
    file.write(np.ascontiguousarray(indptr, _OFFSET).data)
    if weights is None:
        file.write(np.ascontiguousarray(indices, _NEIGHBOR).data)
        return
    pairs = np.empty(len(indices), _PAIR)
    pairs["neighbor"], pairs["weight"] = indices, weights
    file.write(pairs.view(np.uint8).data)

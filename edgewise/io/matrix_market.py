"""Matrix Market coordinate files: pattern, integer or real; general, symmetric or skew-symmetric.

Entry (i, j) is the arc from i to j. The file counts from 1, so vertices have the labels 1 to n,
unless an Edgewise header (see `edgewise.io.header`) among the comments says otherwise. A general
matrix is a directed graph. A symmetric matrix, of which the file holds one triangle, is undirected.
A skew-symmetric matrix is directed; each entry has an opposite with negated weight.

Format: R. F. Boisvert, R. Pozo, K. A. Remington. The Matrix Market exchange formats. NISTIR 5935.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, counted_labels, header_lines, read_above
from edgewise.io.notes import tell_repeats
from edgewise.io.parse import Layout, parse
from edgewise.io.text import (
    Line,
    check_size,
    lines,
    only,
    shown,
    split_line,
    text_start,
    write_rows,
)

__all__ = ["read", "read_head", "write"]

_FIELDS = {"pattern": "any", "integer": "whole", "real": "real", "double": "real"}
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")


def read(
    path: Path,
    *,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
) -> Graph:
    """Return the graph of a square matrix in coordinate format.

    Parameters
    ----------
    path : Path
        The file.
    directed : bool, optional
        Whether edges are directed; by default False for a symmetric matrix and True for others. A
        symmetric matrix read as directed has both arcs of each entry. Each entry of a general
        matrix read as undirected is one edge. A skew-symmetric matrix is always directed.
    on_bad_line : {"raise", "skip"}
        What to do with a malformed line. With ``"skip"`` the number of entries is not checked.
    ids : {"auto", "as_is"}
        With ``"as_is"`` ids are vertex ids: there are no labels, and vertex 0 is isolated.
    num_vertices : int, optional
        The number of vertices, at least the size of the matrix, which is the default.
    duplicates, self_loops
        As in `Graph.from_edges`.

    Returns
    -------
    Graph
        A graph with the labels 1 to n. Weights are int64 for an integer matrix and float64 for a
        real one; a pattern has none. A file written by `write` restores the original graph.

    Raises
    ------
    FileFormatError
        If the banner is missing, or the matrix is not square or not supported. Also if the number
        of entries differs from the header, or if an entry is malformed or out of range.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.mtx"
    ...     _ = path.write_text(
    ...         "%%MatrixMarket matrix coordinate real symmetric\\n3 3 2\\n2 1 0.5\\n3 3 4\\n"
    ...     )
    ...     graph = read(path)
    >>> graph.directed, [column.tolist() for column in graph.edges()]
    (False, [[0, 2], [1, 2], [0.5, 4.0]])
    >>> graph.label(0), graph.vertex(3)
    (1, 2)
    """
    data = read_bytes(path)
    head = read_head(path, data)
    n = head.size if num_vertices is None else check_count(num_vertices, "num_vertices")
    if n < head.size:
        raise ValueError(f"num_vertices must be at least the matrix's size {head.size}, got {n}")
    if head.symmetry == "skew-symmetric" and directed is False:
        raise ValueError(f"{path}: a skew-symmetric matrix cannot be read with directed=False")
    pattern = head.field == "pattern"
    layout = Layout(
        (0, 1, -1 if pattern else 2),
        width=2 if pattern else 3,
        comments=b"%",
        low=1,
        high=head.size,
        weights=_FIELDS[head.field],
    )
    start, line = head.line.after, head.line.number + 1
    rows = parse(path, data, layout, start=start, line=line, on_bad_line=on_bad_line)
    sources, targets, weights = rows
    if len(sources) != head.entries and on_bad_line == "raise":
        reason = f"the header promises {head.entries} entries, but {len(sources)} follow"
        raise FileFormatError(path, reason, head.line.number)
    if head.field == "integer" and weights is not None and weights.dtype.kind != "i":
        raise FileFormatError(path, "an integer entry does not fit in 64 bits")
    if num_vertices is None:
        check_size(path, n, len(sources), head.line.number)
    if directed is None:
        directed = head.symmetry != "symmetric"
    if directed and head.symmetry != "general":
        sources, targets, weights = _mirrored(path, sources, targets, weights, head.symmetry)
    if head.own.weights and weights is not None:
        weights = cast_weights(path, weights, head.own.weights)
    labels = counted_labels(path, head.own, n, ids)
    zero = int(ids == "as_is")
    graph = Graph.from_edges(
        *(sources + zero, targets + zero, weights),
        directed=directed,
        num_vertices=n + zero,
        duplicates=duplicates,
        self_loops=self_loops,
    )
    if self_loops == "keep":
        tell_repeats(graph, len(sources), weights is not None, duplicates)
    return graph if labels is None else graph.with_labels(labels)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write the adjacency matrix, as symmetric for an undirected graph; labels become comments."""
    sources, targets, weights = graph.edges()
    field = "pattern" if weights is None else "integer" if weights.dtype.kind == "i" else "real"
    symmetry = "general" if graph.directed else "symmetric"
    n = graph.num_vertices
    file.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
    file.writelines(header_lines(graph, "%", every=True))
    file.write(f"{n} {n} {len(sources)}\n".encode())
    rows, columns = (sources, targets) if graph.directed else (targets, sources)  # lower triangle
    entries = [rows + np.int64(1), columns + np.int64(1)]
    write_rows(file, entries if weights is None else [*entries, weights])


class _Head(NamedTuple):
    """What the banner and the size line, here ``line``, say."""

    field: str
    symmetry: str
    size: int
    entries: int
    line: Line
    own: Header


def read_head(path: Path, data: np.ndarray) -> _Head:
    """The banner and the sizes."""
    above = lines(data, text_start(data))
    banner = next(above, Line(1, 0, 0, b""))
    words = banner.content.decode("ascii", "replace").lower().split()
    if not words or words[0] != "%%matrixmarket":
        reason = f"expected a %%MatrixMarket banner, got {shown(banner.content)}"
        raise FileFormatError(path, f"{reason}; format='edges' reads a file without banner", 1)
    if len(words) != 5:
        raise FileFormatError(path, "the %%MatrixMarket banner must have five words", 1)
    _, kind, form, field, symmetry = words
    if (kind, form) != ("matrix", "coordinate"):
        raise FileFormatError(path, f"only 'matrix coordinate' is read, not '{kind} {form}'", 1)
    if field not in _FIELDS or symmetry not in _SYMMETRIES:
        reason = f"only real, integer and pattern, {', '.join(_SYMMETRIES)} matrices are read"
        raise FileFormatError(path, f"{reason}, not {field} {symmetry}", 1)
    if field == "pattern" and symmetry == "skew-symmetric":
        raise FileFormatError(path, "a pattern cannot be skew-symmetric", 1)
    own, line = read_above(path, above, b"%")
    if line is None:
        raise FileFormatError(path, "there is no line with the matrix's size")
    counts = split_line(line.content)
    if len(counts) != 3:
        reason = f"expected the numbers of rows, columns and entries, got {shown(line.content)}"
        raise FileFormatError(path, reason, line.number)
    names = ("the number of rows", "the number of columns", "the number of entries")
    rows, columns, entries = (
        only(path, raw, name, line.number) for raw, name in zip(counts, names, strict=True)
    )
    if rows != columns:
        reason = f"the matrix is {rows} by {columns}; a graph's is square"
        raise FileFormatError(path, reason, line.number)
    if own.num_vertices not in (None, rows):
        reason = f"the comment says {own.num_vertices} vertices, the matrix has {rows} rows"
        raise FileFormatError(path, reason, own.line)
    return _Head(field, symmetry, rows, entries, line, own)


def _mirrored(path: Path, sources, targets, weights, symmetry: str) -> tuple:
    """Each entry and its opposite; the diagonal once."""
    off = sources != targets
    if symmetry == "skew-symmetric" and not off.all():
        raise FileFormatError(path, "a skew-symmetric matrix has no entries on the diagonal")
    if weights is not None:
        opposite = weights if symmetry == "symmetric" else -weights
        weights = np.concatenate([weights, opposite[off]])
    ends = np.concatenate([sources, targets[off]]), np.concatenate([targets, sources[off]])
    return *ends, weights

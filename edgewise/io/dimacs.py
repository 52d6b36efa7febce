"""DIMACS shortest path files (.gr): ``p sp n m``, then ``a u v w`` for each arc; ``c`` comments.

The file counts from 1, so vertices have the labels 1 to n, unless an Edgewise header among the
comments (``c edgewise ...``, see `edgewise.io.header`) says otherwise. The header also marks an
undirected or unweighted graph, which the format cannot express.

Format: 9th DIMACS Implementation Challenge, Shortest Paths. 2006.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, counted_labels, header_lines, read_above
from edgewise.io.notes import tell_repeats
from edgewise.io.parse import Layout, parse
from edgewise.io.text import Line, check_size, lines, only, shown, text_start, write_rows

__all__ = ["read", "write"]


def read(
    path: Path,
    *,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
) -> Graph:
    """Return the graph in a ``.gr`` file.

    Parameters
    ----------
    path : Path
        The file.
    directed : bool, optional
        Whether each line is an arc, as the format specifies, or an undirected edge. By default this
        follows the Edgewise header, and is otherwise True.
    on_bad_line : {"raise", "skip"}
        What to do with a malformed line. With ``"skip"`` the number of arcs is not checked.
    ids : {"auto", "as_is"}
        With ``"as_is"`` ids are vertex ids: there are no labels, and vertex 0 is isolated.
    num_vertices : int, optional
        The number of vertices, at least that of the file, which is the default.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`. If a file lists each road in both directions, ``directed=False,
        symmetrize="given"`` or ``duplicates="min"`` makes it one undirected edge.

    Returns
    -------
    Graph
        A graph with the labels 1 to n. Weights are int64 if all are integers of that size,
        otherwise float64. A file written by `write` restores the original graph.

    Raises
    ------
    FileFormatError
        If the number of arcs differs from the header, or a line is malformed or out of range.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.gr"
    ...     _ = path.write_text("c roads\\np sp 3 2\\na 1 2 70\\na 2 3 25\\n")
    ...     graph = read(path)
    >>> [column.tolist() for column in graph.arcs()], graph.label(0)
    ([[0, 1], [1, 2], [70, 25]], 1)
    """
    data = read_bytes(path)
    size, arcs, line, own = _head(path, data)
    n = size if num_vertices is None else check_count(num_vertices, "num_vertices")
    if n < size:
        raise ValueError(f"num_vertices must be at least the file's {size}, got {n}")
    labels = counted_labels(path, own, n, ids)
    layout = Layout((1, 2, 3), width=4, comments=b"c", prefix=b"a", low=1, high=size)
    rows = parse(
        path, data, layout, start=line.after, line=line.number + 1, on_bad_line=on_bad_line
    )
    if len(rows.sources) != arcs and on_bad_line == "raise":
        reason = f"the header promises {arcs} arcs, but {len(rows.sources)} follow"
        raise FileFormatError(path, reason, line.number)
    if num_vertices is None:
        check_size(path, n, len(rows.sources), line.number)
    weights = rows.weights
    if own.labels:
        weights = cast_weights(path, weights, own.weights) if own.weights else None
    if directed is None:
        directed = own.directed is not False
    both = own.directed is False and symmetrize is None and not directed
    zero = int(ids == "as_is")
    try:
        graph = Graph.from_edges(
            *(rows.sources + zero, rows.targets + zero, weights),
            directed=directed,
            num_vertices=n + zero,
            duplicates=duplicates,
            self_loops=self_loops,
            symmetrize="given" if both else symmetrize,
        )
    except ValueError as error:
        if not both:
            raise
        raise FileFormatError(path, f"not the undirected graph of its comment: {error}") from None
    if self_loops == "keep" and not both and symmetrize != "given":
        tell_repeats(graph, len(rows.sources), weights is not None, duplicates)
    return graph if labels is None else graph.with_labels(labels)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write each arc, an undirected edge in both directions; labels become comments.

    An unweighted edge is written with weight 1. Float weights are written unchanged, although the
    format specifies integers.

    Examples
    --------
    >>> from io import BytesIO
    >>> write(Graph.from_edges([0], [1]), file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    c edgewise vertices: 2 edges: 1 directed: no weights: none labels: none
    p sp 2 2
    a 1 2 1
    a 2 1 1
    """
    sources, targets, weights = graph.arcs()
    file.writelines(header_lines(graph, "c", every=True))
    file.write(f"p sp {graph.num_vertices} {len(sources)}\n".encode())
    if weights is None:
        weights = np.ones(len(sources), np.int8)
    marks = np.full(len(sources), "a", object)
    write_rows(file, [marks, sources + np.int64(1), targets + np.int64(1), weights])


def _head(path: Path, data: np.ndarray) -> tuple[int, int, Line, Header]:
    """The numbers of vertices and arcs, the line that says them, and our header above it."""
    own, line = read_above(path, lines(data, text_start(data)), b"c")
    if line is None:
        raise FileFormatError(path, "there is no line 'p sp' with the numbers of vertices and arcs")
    words = line.content.split()
    if len(words) != 4 or words[:2] != [b"p", b"sp"]:
        raise FileFormatError(
            path, f"expected 'p sp VERTICES ARCS', got {shown(line.content)}", line.number
        )
    n = only(path, words[2], "the number of vertices", line.number)
    if own.num_vertices not in (None, n):
        reason = f"the comment says {own.num_vertices} vertices, the line 'p sp' {n}"
        raise FileFormatError(path, reason, own.line)
    return n, only(path, words[3], "the number of arcs", line.number), line, own

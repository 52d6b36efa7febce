"""DIMACS shortest path files (.gr): ``p sp n m``, then ``a u v w`` for every arc; ``c`` comments.

Ids are counted from 1 in the file and from 0 here.

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
from edgewise.io.parse import Layout, parse
from edgewise.io.text import Line, check_size, lines, only, shown, text_start, write_rows

__all__ = ["read", "write"]


def read(
    path: Path,
    *,
    directed: bool = True,
    on_bad_line: str = "error",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
) -> Graph:
    """Read a ``.gr`` file.

    Parameters
    ----------
    path : Path
    directed : bool
        Whether each line is an arc, as the format means it, or an undirected edge.
    on_bad_line : {"error", "skip"}
        With ``"skip"`` the number of arcs is not checked.
    num_vertices : int, optional
        At least the file's number, which is the default.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`. Files that hold a road in both directions make one undirected
        edge of it with ``directed=False, symmetrize="given"`` or ``duplicates="min"``.

    Returns
    -------
    Graph
        With int64 weights; float64 if one is no whole number of that size.

    Raises
    ------
    FileFormatError
        If the number of arcs disagrees with the header, or a line is malformed or out of range.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "small.gr"
    ...     _ = path.write_text("c roads\\np sp 3 2\\na 1 2 70\\na 2 3 25\\n")
    ...     [column.tolist() for column in read(path).arcs()]
    [[0, 1], [1, 2], [70, 25]]
    """
    data = read_bytes(path)
    size, arcs, line = _head(path, data)
    n = size if num_vertices is None else check_count(num_vertices, "num_vertices")
    if n < size:
        raise ValueError(f"num_vertices must be at least the file's {size}, got {n}")
    layout = Layout((1, 2, 3), width=4, comments=b"c", prefix=b"a", low=1, high=size)
    rows = parse(
        path, data, layout, start=line.after, line=line.number + 1, on_bad_line=on_bad_line
    )
    if len(rows.sources) != arcs and on_bad_line == "error":
        reason = f"the header promises {arcs} arcs, but {len(rows.sources)} follow"
        raise FileFormatError(path, reason, line.number)
    if num_vertices is None:
        check_size(path, n, len(rows.sources), line.number)
    return Graph.from_edges(
        *rows,
        directed=directed,
        num_vertices=n,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
    )


def write(graph: Graph, file: BinaryIO) -> None:
    """Write every arc, an undirected edge in both directions; labels are not kept.

    An edge without weight is written with weight 1, and floats as they are, though the format
    speaks of whole numbers.
    """
    sources, targets, weights = graph.arcs()
    file.write(f"p sp {graph.num_vertices} {len(sources)}\n".encode())
    if weights is None:
        weights = np.ones(len(sources), np.int8)
    marks = np.full(len(sources), "a", object)
    write_rows(file, [marks, sources + np.int64(1), targets + np.int64(1), weights])


def _head(path: Path, data: np.ndarray) -> tuple[int, int, Line]:
    """The numbers of vertices and arcs, and the line that says them."""
    for line in lines(data, text_start(data)):
        if line.content and not line.content.startswith(b"c"):
            break
    else:
        raise FileFormatError(path, "there is no line 'p sp' with the numbers of vertices and arcs")
    words = line.content.split()
    if len(words) != 4 or words[:2] != [b"p", b"sp"]:
        raise FileFormatError(
            path, f"expected 'p sp VERTICES ARCS', got {shown(line.content)}", line.number
        )
    n = only(path, words[2], "the number of vertices", line.number)
    return n, only(path, words[3], "the number of arcs", line.number), line

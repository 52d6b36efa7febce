"""Edge lists as text: one edge a line, as SNAP and many others publish them.

Columns stand between white space or commas; lines that start with ``#`` or ``%`` are comments. Ids
are whole numbers of up to 63 bits or names without white space. `write` puts a first comment before
the edges (``# edgewise vertices: 5 edges: 4 directed: no weights: float64 labels: none``); `read`
takes from it what its options leave open and checks the count: a graph comes back as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from edgewise.graph import Graph
from edgewise.io.dialect import Style, read_head
from edgewise.io.files import read_bytes
from edgewise.io.header import header_lines
from edgewise.io.nodes import check_words
from edgewise.io.parse import parse
from edgewise.io.text import write_rows
from edgewise.io.text_graph import to_graph

__all__ = ["read", "style_of", "write"]

_STYLE = Style(comments=b"#%", titles=False)
#: What is different by suffix: ``.cedge`` files number their edges.
_STYLES = {
    ".wel": _STYLE._replace(weighted=True),
    ".cedge": _STYLE._replace(first=1, weighted=True),
}


def read(
    path: Path,
    *,
    suffix: str = ".txt",
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "error",
    header: str = "auto",
    delimiter: str | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: bool | None = None,
) -> Graph:
    """Read an edge list.

    Parameters
    ----------
    path : Path
    columns : sequence of two or three int or str, optional
        The columns of the source, the target and the weight, numbers from 0 or titles; other
        columns are not read. By default the first two, and for ``.wel`` files the weight in the
        third, for ``.cedge`` files those after the edge's number; where a comment of KONECT says
        that edges have weights (``% asym posweighted``), the third is the weight. Then every line
        must have as many columns as most of the first lines. None stands for the usual source or
        target, as in ``(None, None, 3)``.
    directed : bool, optional
        By default as our own header or a comment of SNAP (``# Directed graph``) or KONECT
        (``% asym``) says, otherwise False.
    on_bad_line : {"error", "skip"}
    header : {"auto", "none", "names", "counts", "skip"}
        What the first line that is not a comment holds: an edge; titles of the columns; the number
        of vertices and the number of lines to follow, which is checked; or something to skip. By
        default its look decides: words above numbers are titles, and two numbers that are right as
        counts are counts.
    delimiter : str, optional
        The one character between columns; by default white space or commas, or semicolons where
        they part the words of all first lines. Beside one, weights may have decimal commas.
    ids : {"auto", "int", "str", "as_is"}
        Are ids numbers or names? By default names if most of the first lines have one that is no
        whole number. A vertex is made of every id that occurs; numbers that are not 0 to n - 1
        become labels. With ``"as_is"`` ids are positions, and those that do not occur are vertices
        too.
    num_vertices : int, optional
        Ids are positions below it.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.
    labels : bool, optional
        True: ids become labels even if they are 0 to n - 1. False: as ``ids="as_is"``.

    Returns
    -------
    Graph
        Weights are int64 if all are whole numbers of that size, otherwise float64.

    Raises
    ------
    FileFormatError
        With the line and the reason, at the first line that is not as described above.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "friends.txt"
    ...     _ = path.write_text("# who whom since\\nann bob 2001\\nbob eve 1999\\n")
    ...     graph = read(path, columns=(0, 1, 2), directed=True)
    >>> graph.labels.values.tolist(), graph.weights.tolist()
    (['ann', 'bob', 'eve'], [2001, 1999])
    """
    data = read_bytes(path)
    style = style_of(suffix)
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
    rows = parse(path, data, head.layout, start=head.start, line=head.line, on_bad_line=on_bad_line)
    return to_graph(
        path,
        head,
        rows,
        on_bad_line=on_bad_line,
        num_vertices=num_vertices,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        labels=labels,
    )


def style_of(suffix: str) -> Style:
    """How edge lists of a suffix are read."""
    return _STYLES.get(suffix, _STYLE)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write each edge on a line: source, target and, if there is one, the weight.

    Labelled vertices are written by their labels, whole numbers or names; a name that holds white
    space or a comma, or starts as a comment does, is a ValueError.

    Examples
    --------
    >>> from io import BytesIO
    >>> write(Graph.from_edges([0, 1], [1, 3], [0.5, 2.0]), file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    # edgewise vertices: 4 edges: 2 directed: no weights: float64 labels: none
    0 1 0.5
    1 3 2.0
    """
    sources, targets, weights = graph.edges()
    if graph.labels is not None:
        values = check_words(graph.labels, "an edge list")
        sources, targets = values.take(sources), values.take(targets)
    file.writelines(header_lines(graph, "#", every=False))
    write_rows(file, [sources, targets] + ([] if weights is None else [weights]))

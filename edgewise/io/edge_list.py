"""Edge lists as text: one edge per line, as in SNAP and KONECT.

Columns are separated by white space or commas. Lines that start with ``#`` or ``%`` are comments.
Ids are non-negative integers below 2**63, or names without white space. `write` puts a comment
before the edges (``# edgewise vertices: 5 edges: 4 directed: no weights: float64 labels: none``).
`read` uses it for options that are not given, and checks the count, so that the graph is restored.
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
    ".abc": _STYLE._replace(weighted=None),
    ".wel": _STYLE._replace(weighted=True),
    ".cedge": _STYLE._replace(first=1, weighted=True),
}


def read(
    path: Path,
    *,
    suffix: str = ".txt",
    columns: Sequence[int | str | None] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    header: str = "auto",
    delimiter: str | None = None,
    ids: str = "auto",
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: bool | None = None,
) -> Graph:
    """Return the graph in an edge list.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of two or three int or str, optional
        The columns of the source, the target and the weight, as numbers from 0 or names. By default
        the first two. In ``.wel`` files the third is the weight, in ``.abc`` files if there is one,
        and ``.cedge`` files begin with the edge number. The third is also the weight if a KONECT
        comment declares weights (``% asym posweighted``). Then every line must have as many columns
        as most of the first lines. None
        stands for the default source or target, as in ``(None, None, 3)``.
    directed : bool, optional
        Whether edges are directed. By default this follows the Edgewise header or a comment of SNAP
        (``# Directed graph``) or KONECT (``% asym``), and is otherwise False.
    on_bad_line : {"raise", "skip"}
        What to do with a malformed line.
    header : {"auto", "none", "names", "counts", "skip"}
        What the first line that is not a comment holds: an edge; column names; the numbers of
        vertices and of lines, which are checked; or text to skip. By default it is detected: words
        above numbers are names, and two numbers that are correct counts are counts.
    delimiter : str, optional
        The single character between columns. By default white space or commas, or semicolons if
        they separate all first lines. With a given delimiter, weights may have decimal commas.
    ids : {"auto", "int", "str", "as_is"}
        Whether ids are numbers or names. By default they are names if most of the first lines have
        an id that is not an integer. Each id that occurs is a vertex; integers other than 0 to n -
        1 become labels. With ``"as_is"`` ids are vertex ids, and those that do not occur are
        isolated vertices.
    num_vertices : int, optional
        The number of vertices; ids are then vertex ids below it.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.
    labels : bool, optional
        True: ids become labels even if they are 0 to n - 1. False: as ``ids="as_is"``.

    Returns
    -------
    Graph
        Weights are int64 if all are integers of that size, otherwise float64.

    Raises
    ------
    FileFormatError
        If a line is malformed; names the line and the reason.

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
    """Write one edge per line: source, target and, if there are weights, the weight.

    Labeled vertices are written as their labels, integers or names. ValueError is raised if a name
    holds white space or a comma, or starts like a comment.

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

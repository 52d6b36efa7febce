"""Edge lists as text: one edge a line, as SNAP and many others publish them.

Columns stand between white space or commas; lines that start with ``#`` or ``%`` are comments. Ids
are whole numbers of up to 63 bits or names without white space. `write` puts a first comment before
the edges (``# edgewise vertices: 5 edges: 4 directed: no weights: float64 labels: none``); `read`
takes from it what its options leave open and checks the count: a graph comes back as it was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.arrays import label_column
from edgewise.io.files import read_bytes
from edgewise.io.header import (
    Header,
    cast_weights,
    header_lines,
    in_header_order,
    parse_header,
)
from edgewise.io.parse import Layout, parse
from edgewise.io.text import (
    Line,
    check_columns,
    check_size,
    lines,
    look_like_names,
    only,
    shown,
    split_line,
    text_start,
    to_graph,
    usual_width,
    write_rows,
)

__all__ = ["read", "read_head", "write"]

_UNFIT = re.compile(r"[\x00-\x20,]")
_SAMPLE, _HEAD = 100, 1 << 20


def read(
    path: Path,
    *,
    suffix: str = ".txt",
    columns: Sequence[int] | None = None,
    directed: bool | None = None,
    on_bad_line: str = "error",
    header: str = "none",
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
    columns : sequence of two or three int, optional
        The columns of the source, the target and the weight, from 0; other columns are ignored. By
        default the first two, and for ``.wel`` files the weight in the third; then every line must
        have as many columns as most of the first lines.
    directed : bool, optional
        By default as our own header says, otherwise False.
    on_bad_line : {"error", "skip"}
    header : {"none", "skip", "counts"}
        What the first line that is not a comment holds: an edge; something to skip; or the number
        of vertices and the number of lines to follow, which is checked.
    ids : {"auto", "int", "str"}
        Are ids numbers or names? By default names if most of the first lines have one that is no
        whole number.
    num_vertices, duplicates, self_loops, symmetrize, labels
        As in `Graph.from_edges`.

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
    check_choice(header, "header", ("none", "skip", "counts"))
    check_choice(ids, "ids", ("auto", "int", "str"))
    if num_vertices is not None:
        check_count(num_vertices, "num_vertices")
    picked = None if columns is None else check_columns(columns)
    data = read_bytes(path)
    head = read_head(path, data, header)
    own = head.own
    if picked is None:
        weighted = own.weights if own.ids else suffix == ".wel"
        picked = (0, 1, 2 if weighted else -1)
    if ids == "auto":
        ids = own.ids or ("str" if look_like_names(head.sample, picked) else "int")
    ranged = own.labels == "range" and labels is None and num_vertices is None
    known = own.labels == "none" or ranged
    declared = own.num_vertices if known else head.num_vertices
    n = declared if num_vertices is None else num_vertices
    layout = Layout(
        picked,
        width=max(usual_width(head.sample), max(picked) + 1) if columns is None else 0,
        names=ids == "str",
        low=own.first if ranged else 0,
        high=2**63 - 1 if n is None else n - 1 + (own.first if ranged else 0),
        weights="real" if own.weights.startswith("float") else "any",
    )
    rows = parse(path, data, layout, start=head.start, line=head.line, on_bad_line=on_bad_line)
    skip = on_bad_line == "skip"
    if head.num_rows not in (None, len(rows.sources)) and not skip:
        reason = f"the header promises {head.num_rows} edges, but {len(rows.sources)} follow"
        raise FileFormatError(path, reason, max(head.line - 1, 1))
    if declared is not None and num_vertices is None:
        check_size(path, declared, len(rows.sources), 1)
    if own.weights and columns is None:
        rows = rows._replace(weights=cast_weights(path, rows.weights, own.weights))
    graph = to_graph(
        rows,
        isolated=own.named,
        directed=bool(own.directed) if directed is None else directed,
        num_vertices=n,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        labels=(own.labels in ("int", "str") or None) if labels is None else labels,
    )
    if ranged:
        return graph.with_labels(Labels.range(own.first, graph.num_vertices))
    return graph if labels is not None or skip else in_header_order(path, graph, own)


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
        values = label_column(graph.labels)
        _check_names("int" if graph.labels.dtype.kind in "iu" else "str", values)
        sources, targets = values.take(sources), values.take(targets)
    file.writelines(header_lines(graph, "#", every=False))
    write_rows(file, [sources, targets] + ([] if weights is None else [weights]))


class _Head(NamedTuple):
    """What the first lines say: where the edges start, and the columns of the first edges."""

    start: int
    line: int
    sample: list[list[bytes]]
    own: Header
    num_vertices: int | None
    num_rows: int | None


def read_head(path: Path, data: np.ndarray, header: str) -> _Head:
    """What stands above the first edge, and a sample of what follows."""
    if len(data) == 0:
        raise FileFormatError(path, "the file is empty")
    comments: list[Line] = []
    sample: list[Line] = []
    for line in lines(data, text_start(data)):
        if line.content[:1] in (b"#", b"%"):
            if not sample:
                comments.append(line._replace(content=line.content[1:].lstrip()))
        elif line.content:
            sample.append(line)
        if len(sample) > _SAMPLE or line.number > _HEAD:
            break
    n, m = None, None
    if header != "none" and sample:
        first = sample.pop(0)
        if header == "counts":
            counts = split_line(first.content)
            if len(counts) < 2:
                reason = f"expected the numbers of vertices and edges, got {shown(first.content)}"
                raise FileFormatError(path, reason, first.number)
            n = only(path, counts[0], "the number of vertices", first.number)
            m = only(path, counts[1], "the number of edges", first.number)
        start, number = first.after, first.number + 1
    elif sample:
        start, number = sample[0].start, sample[0].number
    else:
        start, number = text_start(data), 1
    own = parse_header(path, comments)
    columns = [split_line(line.content) for line in sample]
    return _Head(start, number, columns, own, n, own.num_edges if m is None else m)


def _check_names(kind: str, values: Any) -> None:
    """ValueError for labels that the columns of an edge list cannot hold."""
    if kind == "int":
        wrong = [value for value in values.to_pylist() if not 0 <= value < 2**63]
    else:
        wrong = [v for v in values.to_pylist() if not v or v[0] in "#%" or _UNFIT.search(v)]
    if wrong:
        raise ValueError(
            f"an edge list cannot hold the label {wrong[0]!r}: labels must be whole numbers from 0 "
            "or names without white space and commas; CSV and Parquet hold any name"
        )

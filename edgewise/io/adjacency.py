"""Adjacency lists (.adj, .adjlist), as in NetworkX: a vertex and its neighbors per line.

``u v1 v2 ...`` stands for the edges from u to each v. A line of one word is a vertex. Words are
separated by white space or commas; a word that starts with ``#`` begins a comment. An undirected
edge may be on the line of one end or of both. There are no weights. `write` adds the Edgewise
header (see `edgewise.io.header`), so that the graph is restored.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, header_lines, parse_header
from edgewise.io.left_out import warn_left_out
from edgewise.io.lists import Lists, parse_lists
from edgewise.io.nodes import check_words
from edgewise.io.text import Line, lines, split_line, text_start

__all__ = ["read", "write"]

_COMMENT = re.compile(rb"[\s,]#")
_SAMPLE, _WORDS = 100, 1 << 22


def read(
    path: Path,
    *,
    directed: bool | None = None,
    on_bad_line: str = "raise",
    ids: str = "auto",
    self_loops: str = "keep",
    symmetrize: str | None = None,
) -> Graph:
    """Return the graph in an adjacency list.

    Parameters
    ----------
    path : Path
        The file.
    directed : bool, optional
        Whether edges are directed; by default as in the Edgewise header, otherwise False.
    on_bad_line : {"raise", "skip"}
        What to do with a malformed line.
    ids : {"auto", "int", "str", "as_is"}
        Whether ids are numbers or names. By default they are names if most of the first lines have
        an id that is not an integer. With ``"as_is"`` ids are vertex ids. Otherwise each id that
        occurs is a vertex, and ids other than 0 to n - 1 become labels.
    self_loops, symmetrize
        As in `Graph.from_edges`.

    Returns
    -------
    Graph
        An unweighted graph; vertices are numbered by ascending ids.

    Raises
    ------
    FileFormatError
        If an id is not an integer where most are; names the line and the reason.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "friends.adjlist"
    ...     _ = path.write_text("# who knows whom\\nann bob eve\\nbob eve\\nkim\\n")
    ...     graph = read(path)
    >>> graph.labels.values.tolist(), graph.num_edges
    (['ann', 'bob', 'eve', 'kim'], 3)
    """
    check_choice(ids, "ids", ("auto", "int", "str", "as_is"))
    data = read_bytes(path)
    if len(data) == 0:
        raise FileFormatError(path, "the file is empty")
    header, first, sample = _head(path, data)
    own = bool(header.labels) and on_bad_line == "raise" and ids in ("auto", header.ids)
    if ids == "auto":
        ids = header.ids or ("str" if _look_like_names(sample) else "int")
    low, high = 0, 2**63 - 1
    if own and header.labels in ("none", "range"):
        low, high = header.first, header.first + (header.num_vertices or 0) - 1
    found = parse_lists(
        *(path, data),
        start=first.start,
        line=first.number,
        names=ids == "str",
        low=low,
        high=high,
        on_bad_line=on_bad_line,
    )
    options = {
        "directed": bool(header.directed) if directed is None else directed,
        "self_loops": self_loops,
        "symmetrize": symmetrize,
    }
    return _listed(path, header, found, options) if own else _occurring(path, found, ids, options)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write one line per vertex; an undirected edge is on the line of its smaller vertex.

    Labeled vertices are written as their labels, integers or names. ValueError is raised if a name
    holds white space or a comma, or starts like a comment. Weights are omitted with a warning.

    Examples
    --------
    >>> from io import BytesIO
    >>> write(Graph.from_edges([0, 0, 1], [1, 2, 2], num_vertices=4), file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    # edgewise vertices: 4 edges: 3 directed: no weights: none labels: none
    0 1 2
    1 2
    2
    3
    """
    import pyarrow
    import pyarrow.compute as pc

    names = None if graph.labels is None else check_words(graph.labels, "an adjacency list")
    lost = [] if graph.weights is None else ["weights"]
    warn_left_out("adjacency lists", lost, "edge lists (.txt) keep them")
    file.write(next(header_lines(graph.with_weights(None), "#", every=False)))
    low, indptr = 0, graph.indptr
    while low < graph.num_vertices:
        high = max(int(np.searchsorted(indptr, indptr[low] + _WORDS, "right")) - 1, low + 1)
        high = min(high, low + _WORDS)
        rows = np.arange(low, high)
        sources = np.repeat(rows, np.diff(indptr[low : high + 1]))
        targets = graph.indices[indptr[low] : indptr[high]].astype(np.int64)
        if not graph.directed:
            once = sources <= targets
            sources, targets = sources[once], targets[once]
        lengths = np.bincount(sources - low, minlength=len(rows)) + 1
        words = np.insert(targets, offsets(lengths - 1)[:-1], rows)
        column = pyarrow.array(words)
        texts = pc.cast(column if names is None else names.take(column), pyarrow.large_string())
        lists = pyarrow.LargeListArray.from_arrays(offsets(lengths), texts)
        joined = pc.binary_join(lists, pyarrow.scalar(" ", pyarrow.large_string()))
        file.write("\n".join(joined.to_pylist()).encode() + b"\n")
        low = high


def _head(path: Path, data: np.ndarray) -> tuple[Header, Line, list[list[bytes]]]:
    """Our header, the first line with words, and the words of the first lines."""
    comments: list[Line] = []
    sample: list[Line] = []
    for line in lines(data, text_start(data)):
        if line.content[:1] == b"#":
            if not sample:
                comments.append(line._replace(content=line.content[1:].lstrip()))
        elif line.content:
            sample.append(line)
        if len(sample) >= _SAMPLE:
            break
    first = sample[0] if sample else Line(1, text_start(data), 0, b"")
    words = [split_line(_COMMENT.split(line.content)[0]) for line in sample]
    return parse_header(path, comments), first, words


def _look_like_names(sample: list[list[bytes]]) -> bool:
    """Have most of the first lines a word that is no whole number?"""
    numbers = [all(word.lstrip(b"-").isdigit() for word in words) for words in sample]
    return 2 * sum(numbers) < len(numbers)


def _listed(path: Path, header: Header, found: Lists, options: dict[str, Any]) -> Graph:
    """The graph of a file of ours, whose lines are in the order of the vertices."""
    heads, counts, tails = found
    n = len(heads)
    if (n, len(tails)) != (header.num_vertices, header.num_edges):
        reason = f"the header promises {header.num_vertices} lines and {header.num_edges} edges"
        raise FileFormatError(path, f"{reason}, but there are {n} and {len(tails)}", header.line)
    if header.labels in ("none", "range"):
        if not np.array_equal(heads, np.arange(n)):
            raise FileFormatError(path, "the lines are not in the order of the vertices")
        labels = Labels.range(header.first, n) if header.labels == "range" else None
        sources, targets = np.repeat(heads, counts), tails
    else:
        known, (numbers, targets) = Labels.encode(heads, tails)
        if len(known) != n or len(np.unique(numbers)) != n:
            raise FileFormatError(path, "the labels at the lines' starts are not all, once each")
        place = np.empty(n, np.int64)
        place[numbers] = np.arange(n)
        sources, targets = np.repeat(np.arange(n), counts), place[targets]
        labels = known.take(numbers)
    graph = Graph.from_edges(sources, targets, num_vertices=n, **options)
    return graph if labels is None else graph.with_labels(labels)


def _occurring(path: Path, found: Lists, ids: str, options: dict[str, Any]) -> Graph:
    """The graph whose vertices are the words that occur, or, as they are, all up to the largest."""
    heads, counts, tails = found
    if ids == "as_is":
        n = int(max(heads.max(initial=-1), tails.max(initial=-1))) + 1
        if n > max(1 << 22, 1000 * (len(heads) + len(tails))):
            reason = f"id {n - 1} is too large for a position in so small a file"
            raise FileFormatError(path, f"{reason}; ids='int' makes labels of the ids")
        return Graph.from_edges(np.repeat(heads, counts), tails, num_vertices=n, **options)
    labels, (numbers, targets) = Labels.encode(heads, tails)
    sources = np.repeat(numbers, counts)
    graph = Graph.from_edges(sources, targets, num_vertices=len(labels), **options)
    return graph if labels.range_start == 0 or len(labels) == 0 else graph.with_labels(labels)

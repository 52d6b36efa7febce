"""Pajek networks (.net, and the first network of a project, .paj).

``*Vertices n`` starts a list of vertices, numbered from 1, with optional names. Arcs and edges
follow in any order: ``*Arcs`` and ``*Edges`` (lines ``u v [weight ...]``), ``*Arcslist`` and
``*Edgeslist`` (``u v1 v2 ...``), and ``*Matrix`` (n rows of n values; nonzero values are arcs). A
network with arcs is directed, and each of its edges is two arcs. Names are the labels if all
vertices have distinct names; otherwise the numbers 1 to n are. Coordinates, colors, times and
relations are not read. ``%`` starts a comment line, and ``&#228;`` stands for a character.

Format: V. Batagelj, A. Mrvar. Pajek: reference manual.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.binary import label_column
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, header_labels, header_lines, parse_header
from edgewise.io.lists import parse_lists
from edgewise.io.nodes import choose_labels, escaped, unescaped, weight_column, write_lines
from edgewise.io.notes import tell_repeats
from edgewise.io.parse import Layout, Rows, parse
from edgewise.io.text import (
    Line,
    lines,
    only,
    shown,
    split_line,
    text_start,
    write_rows,
)

__all__ = ["read", "write"]

_SECTION = re.compile(rb"(?:\A|\n)[ \t]*\*([A-Za-z]*)([^\n]*)")
_VERTEX = re.compile(rb'([0-9]+)(?:\s+(?:"([^"]*)"|([^\s"]+))|\s*$)')
_NUMBER = re.compile(rb"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf|nan)", re.I)
_UNFIT = re.compile(r'[\x00-\x1f\x7f"]|&(?=[#A-Za-z])')
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_COMMENTS, _SAMPLE = b"%/", 100
_OTHER = ("partition", "vector", "permutation", "cluster", "hierarchy")


def read(
    path: Path,
    *,
    directed: bool | None = None,
    weight: bool = True,
    labels: bool = True,
    ids: str = "auto",
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
) -> Graph:
    """Return the graph in a Pajek network.

    Parameters
    ----------
    path : Path
        The file.
    directed : bool, optional
        Whether edges are directed; by default True if the network has arcs. With False, each arc is
        an undirected edge.
    weight : bool
        Whether values of arcs and edges are weights; a missing value counts as 1. The graph is
        unweighted if there are no values, or if a matrix holds only 0 and 1.
    labels : bool
        Whether the names of the vertices are their labels. If not, or if names are missing or not
        distinct, the labels are the numbers 1 to n.
    ids : {"auto", "as_is"}
        With ``"as_is"`` the numbers are vertex ids: there are no labels, and vertex 0 is isolated.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.

    Returns
    -------
    Graph

    Raises
    ------
    FileFormatError
        If there are no vertices or a line is malformed; names the line and the reason.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "roads.net"
    ...     _ = path.write_text('*Vertices 2\\n1 "Bonn"\\n2 "New York"\\n*Arcs\\n2 1 6067.5\\n')
    ...     graph = read(path)
    >>> graph.directed, graph.labels.values.tolist(), graph.weights.tolist()
    (True, ['Bonn', 'New York'], [6067.5])
    """
    check_choice(ids, "ids", ("auto", "as_is"))
    data = read_bytes(path)
    header, network = _parse(path, data)
    n = network.size
    if directed is None:
        directed = network.directed
    sources, targets, weights = network.edges(directed)
    if not weight:
        weights = None
    elif header.weights:
        given = np.ones(len(sources), np.int64) if weights is None else weights
        weights = cast_weights(path, given, header.weights)
    named: Labels | None = None
    if ids == "auto":
        named = _labels(path, header, network.names if labels else [], n)
    first = int(ids == "as_is")
    graph = Graph.from_edges(
        sources + first,
        targets + first,
        weights,
        directed=directed,
        num_vertices=n + first,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
    )
    if self_loops == "keep" and symmetrize != "given":
        tell_repeats(graph, len(sources), weights is not None, duplicates)
    return graph if named is None else graph.with_labels(named)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph as a Pajek network, with labels as names.

    Examples
    --------
    >>> from io import BytesIO
    >>> write(Graph.from_edges(["Bonn"], ["New York"], [6067.5]), file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    % edgewise vertices: 2 edges: 1 directed: no weights: float64 labels: str
    *Vertices 2
    1 "Bonn"
    2 "New York"
    *Edges
    1 2 6067.5
    """
    n, labels = graph.num_vertices, graph.labels
    numbers = np.arange(1, n + 1)
    names: Any = numbers if labels is None else label_column(labels)
    if labels is not None and labels.dtype == object:
        names = [escaped(name, _UNFIT) for name in names.to_pylist()]
    file.write(next(header_lines(graph, "%", every=False)))
    file.write(f"*Vertices {n}\n".encode())
    write_lines(file, n, numbers, ' "', names, '"')
    file.write(b"*Arcs\n" if graph.directed else b"*Edges\n")
    sources, targets, weights = graph.edges()
    rows = [sources + np.int64(1), targets + np.int64(1)]
    write_rows(file, rows if weights is None else [*rows, weights])


class _Section(NamedTuple):
    """A part of a file: its name, the rest of its first line, and where its lines are."""

    name: str
    rest: bytes
    line: int
    start: int
    end: int


class _Network(NamedTuple):
    """Vertices, and the rows of each section of arcs or edges."""

    size: int
    names: list[str]
    sections: list[str]
    parts: list[Rows]

    @property
    def directed(self) -> bool:
        return any(name not in ("edges", "edgeslist") for name in self.sections)

    def edges(self, directed: bool) -> Rows:
        """All rows together; in a directed graph an edge is two arcs, a loop one."""
        parts = list(self.parts)
        for name, rows in zip(self.sections, self.parts, strict=True):
            if directed and name in ("edges", "edgeslist"):
                off = rows.sources != rows.targets
                weights = None if rows.weights is None else rows.weights[off]
                parts.append(Rows(rows.targets[off], rows.sources[off], weights))
        nothing = np.empty(0, np.int64)
        sources = np.concatenate([rows.sources for rows in parts] or [nothing])
        targets = np.concatenate([rows.targets for rows in parts] or [nothing])
        if all(rows.weights is None for rows in parts):
            return Rows(sources, targets, None)
        filled = [
            np.ones(len(rows.sources), np.int64) if rows.weights is None else rows.weights
            for rows in parts
        ]
        return Rows(sources, targets, np.concatenate(filled))


def _parse(path: Path, data: np.ndarray) -> tuple[Header, _Network]:
    """Our header, and the first network of the file."""
    header = _header(path, data)
    network, outside = None, False
    for section in _sections(data):
        name = section.name
        if name == "network" or (name == "vertices" and network is not None and not outside):
            if network is not None:
                warnings.warn(f"{path}: only the first network was read", stacklevel=4)
                break
            outside = False
        if name in _OTHER:
            outside = True  # what follows describes something else than a network
        elif name == "vertices" and not outside:
            network = _vertices(path, data, section)
        elif name in _READERS and not outside:
            if network is None:
                raise FileFormatError(path, f"*{name} before *Vertices", section.line)
            network.sections.append(name)
            network.parts.append(_READERS[name](path, data, section, network.size))
        elif not outside and name != "network":
            raise FileFormatError(path, f"unknown section '*{name}'", section.line)
    if network is None:
        raise FileFormatError(path, "there is no line '*Vertices' with the number of vertices")
    rows = sum(len(part.sources) for part in network.parts)
    if network.size > max(1 << 22, 1000 * rows, len(network.names)):
        reason = f"{network.size} vertices are declared, with {rows} edges and without names"
        raise FileFormatError(path, reason)
    if header.labels and (network.size, rows) != (header.num_vertices, header.num_edges):
        reason = f"the header promises {header.num_vertices} vertices and {header.num_edges} edges"
        reason += f", but there are {network.size} and {rows}"
        raise FileFormatError(path, reason, header.line)
    return header, network


def _header(path: Path, data: np.ndarray) -> Header:
    """Our header; nothing but comments may stand above the first section."""
    comments: list[Line] = []
    for line in lines(data, text_start(data)):
        if line.content.startswith(b"*"):
            break
        if line.content and line.content[0] not in _COMMENTS:
            reason = f"expected '*Vertices' or '*Network', got {shown(line.content)}"
            raise FileFormatError(path, reason, line.number)
        comments.append(line._replace(content=line.content[1:].lstrip()))
    return parse_header(path, comments)


def _sections(data: np.ndarray) -> Iterator[_Section]:
    """The sections one after the other."""
    base = text_start(data)
    found = list(_SECTION.finditer(data[base:].data))
    ends = [base + match.start() + 1 for match in found[1:]] + [len(data)]
    number, counted = 1, 0
    for match, end in zip(found, ends, strict=False):
        at = base + match.end()
        number, counted = number + int(np.count_nonzero(data[counted:at] == 10)), at
        start = min(at + 1, len(data))
        yield _Section(match[1].decode().lower(), match[2].strip(), number, start, max(start, end))


def _vertices(path: Path, data: np.ndarray, section: _Section) -> _Network:
    """A network without edges: the number of vertices and their names."""
    counts = section.rest.split()
    if not counts:
        raise FileFormatError(path, "expected the number of vertices", section.line)
    n = only(path, counts[0], "the number of vertices", section.line)
    names: dict[int, str] = {}
    for line in _content(data, section):
        found = _VERTEX.match(line.content)
        if not found:
            reason = f"expected a vertex and its name, got {shown(line.content)}"
            raise FileFormatError(path, reason, line.number)
        vertex = _vertex(path, found[1], n, line.number)
        if vertex in names:
            raise FileFormatError(path, f"vertex {vertex + 1} is listed twice", line.number)
        raw = found[3] if found[2] is None else found[2]
        try:
            if raw is not None:
                names[vertex] = unescaped(raw.decode())
        except UnicodeDecodeError as error:
            reason = f"a name is not UTF-8 text: {error.reason}"
            raise FileFormatError(path, reason, line.number) from None
    in_order = [names[vertex] for vertex in range(n)] if len(names) == n else []
    return _Network(n, in_order, [], [])


def _content(data: np.ndarray, section: _Section) -> Iterator[Line]:
    """The lines of a section that are neither blank nor comments."""
    for line in lines(data[: section.end], section.start, section.line + 1):
        if line.content and line.content[0] not in _COMMENTS:
            yield line


def _rows(path: Path, data: np.ndarray, section: _Section, n: int) -> Rows:
    """Lines ``u v [weight ...]``: on all threads if all have a weight, or none has."""
    sample = (split_line(line.content) for line in islice(_content(data, section), _SAMPLE))
    weighted = max(map(len, sample), default=2) > 2
    columns, width = ((0, 1, 2), 0) if weighted else ((0, 1, -1), 2)
    layout = Layout(columns, width, comments=_COMMENTS, low=1, high=n)
    try:
        text = data[: section.end]
        return parse(path, text, layout, start=section.start, line=section.line + 1)
    except FileFormatError:  # or a file of both kinds of lines: the slower way tells
        return _mixed_rows(path, data, section, n)


def _mixed_rows(path: Path, data: np.ndarray, section: _Section, n: int) -> Rows:
    """Lines of which some have a weight, one by one."""
    ends: list[list[int]] = [[], []]
    weights = []
    for line in _content(data, section):
        words = split_line(line.content)
        if len(words) < 2:
            reason = f"expected two vertices, got {shown(line.content)}"
            raise FileFormatError(path, reason, line.number)
        for column, word in zip(ends, words[:2], strict=True):
            column.append(_vertex(path, word, n, line.number))
        weights.append(words[2] if len(words) > 2 else b"1")
        if not _NUMBER.fullmatch(weights[-1]):
            reason = f"expected a number as weight, got {shown(weights[-1])}"
            raise FileFormatError(path, reason, line.number)
    sources, targets = (np.array(column, np.int64) for column in ends)
    return Rows(sources, targets, weight_column(path, weights))


def _vertex(path: Path, word: bytes, n: int, line: int) -> int:
    """The vertex with a number, counted from 0."""
    if not word.isdigit():
        raise FileFormatError(path, f"expected a vertex (a whole number), got {shown(word)}", line)
    if len(word) > 18 or not 1 <= int(word) <= n:
        raise FileFormatError(path, f"vertex {shown(word)} is not in the range 1..{n}", line)
    return int(word) - 1


def _neighbors(path: Path, data: np.ndarray, section: _Section, n: int) -> Rows:
    """Lines ``u v1 v2 ...``."""
    heads, counts, tails = parse_lists(
        *(path, data[: section.end]),
        start=section.start,
        line=section.line + 1,
        low=1,
        high=n,
        comments=_COMMENTS,
    )
    return Rows(np.repeat(heads, counts), tails, None)


def _matrix(path: Path, data: np.ndarray, section: _Section, n: int) -> Rows:
    """Rows of a matrix, which may go over several lines."""
    values: list[bytes] = []
    for line in _content(data, section):
        words = split_line(line.content)
        if not all(map(_NUMBER.fullmatch, words)):
            wrong = next(word for word in words if not _NUMBER.fullmatch(word))
            raise FileFormatError(path, f"expected a number, got {shown(wrong)}", line.number)
        values += words
    if len(values) != n * n:
        reason = f"a matrix of {n} vertices has {n * n} values, but {len(values)} follow"
        raise FileFormatError(path, reason, section.line)
    matrix = weight_column(path, values).reshape(n, n)
    sources, targets = np.nonzero(matrix)
    weights = matrix[sources, targets]
    return Rows(sources, targets, None if (weights == 1).all() else weights)


_READERS = {
    "arcs": _rows,
    "edges": _rows,
    "arcslist": _neighbors,
    "edgeslist": _neighbors,
    "matrix": _matrix,
}


def _labels(path: Path, header: Header, names: list[str], n: int) -> Labels | None:
    """The labels: as our header says, the names, or the numbers."""
    if header.labels in ("none", "range"):
        return header_labels(path, header)
    if header.labels == "int":
        if not all(map(_WHOLE.fullmatch, names)):
            raise FileFormatError(path, "a label is no whole number", header.line)
        return header_labels(path, header._replace(named=tuple(map(int, names))))
    return choose_labels(path, np.arange(1, n + 1), names, header)[1]

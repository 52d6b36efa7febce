"""The sections of a Pajek network: vertices, arcs and edges. See `edgewise.io.pajek`."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.io.header import Header, parse_header
from edgewise.io.lists import parse_lists
from edgewise.io.nodes import unescaped, weight_column
from edgewise.io.parse import Layout, Rows, parse
from edgewise.io.text import Line, lines, only, shown, split_line, text_start

__all__ = ["SHAPES", "Network", "parse_network"]

_SECTION = re.compile(rb"(?:\A|\n)[ \t]*\*([A-Za-z]*)([^\n]*)")
_VERTEX = re.compile(rb'([0-9]+)(?:\s+(?:"([^"]*)"|([^\s"]+))|\s*$)')
_ENDS = re.compile(rb"\s*(\S+)\s+(\S+)(?:\s+([^\s\"]+))?")
_WORD = re.compile(rb'"([^"]*)"|(\[[^\]]*\])|([^\s"]+)')
_NUMBER = re.compile(rb"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf|nan)", re.I)
_RELATION = re.compile(rb':\s*([0-9]+)(?:\s+"([^"]*)")?')
_COMMENTS, _SAMPLE = b"%/", 100
_OTHER = ("partition", "vector", "permutation", "cluster", "hierarchy")
#: The shapes of vertices, which stand before the pairs of keys and values.
SHAPES = ("ellipse", "box", "diamond", "triangle", "cross", "empty", "house", "man", "woman")


class _Section(NamedTuple):
    """A part of a file: its name, the rest of its first line, and where its lines are."""

    name: str
    rest: bytes
    line: int
    start: int
    end: int


class Network(NamedTuple):
    """Vertices, and the rows of each section of arcs or edges."""

    size: int
    names: list[str]
    sections: list[str]
    parts: list[Rows]
    #: The other values of each vertex, and of each line of arcs or edges, if they are wanted.
    vertex_rows: list[dict[str, str]]
    edge_rows: list[list[dict[str, str]]]

    @property
    def directed(self) -> bool:
        return any(name not in ("edges", "edgeslist") for name in self.sections)

    def attributes(self, directed: bool) -> list[dict[str, str]]:
        """The other values of all rows of `edges`."""
        parts = [
            rows or [{}] * len(part.sources)
            for rows, part in zip(self.edge_rows, self.parts, strict=True)
        ]
        for name, part, rows in zip(self.sections, self.parts, [*parts], strict=True):
            if directed and name in ("edges", "edgeslist"):
                off = (part.sources != part.targets).tolist()
                parts.append([row for row, kept in zip(rows, off, strict=True) if kept])
        return [row for rows in parts for row in rows]

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


def parse_network(path: Path, data: np.ndarray, columns: bool) -> tuple[Header, Network]:
    """Our header, and the first network of the file, with all values if ``columns``."""
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
            network = _vertices(path, data, section, columns)
        elif name in _READERS and not outside:
            if network is None:
                raise FileFormatError(path, f"*{name} before *Vertices", section.line)
            network.sections.append(name)
            found: list[dict[str, str]] = []
            network.edge_rows.append(found)
            reader = _READERS[name]
            if columns and reader is _rows:
                reader = partial(_mixed_rows, found=found)
            network.parts.append(reader(path, data, section, network.size))
            if columns and (relation := _RELATION.match(section.rest)):
                found = found or [{} for _ in network.parts[-1].sources]
                name_of = (relation[2] or relation[1]).decode("utf-8", "replace")
                network.edge_rows[-1] = [{"relation": unescaped(name_of), **row} for row in found]
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


def _vertices(path: Path, data: np.ndarray, section: _Section, columns: bool) -> Network:
    """A network without edges: the number of vertices and their names."""
    counts = section.rest.split()
    if not counts:
        raise FileFormatError(path, "expected the number of vertices", section.line)
    n = only(path, counts[0], "the number of vertices", section.line)
    names: dict[int, str] = {}
    values: dict[int, dict[str, str]] = {}
    for line in _content(data, section):
        found = _VERTEX.match(line.content)
        if not found:
            reason = f"expected a vertex and its name, got {shown(line.content)}"
            raise FileFormatError(path, reason, line.number)
        vertex = _vertex(path, found[1], n, line.number)
        if vertex in names:
            raise FileFormatError(path, f"vertex {vertex + 1} is listed twice", line.number)
        if columns:
            values[vertex] = _vertex_values(path, line.content[found.end() :], line.number)
        raw = found[3] if found[2] is None else found[2]
        try:
            if raw is not None:
                names[vertex] = unescaped(raw.decode())
        except UnicodeDecodeError as error:
            reason = f"a name is not UTF-8 text: {error.reason}"
            raise FileFormatError(path, reason, line.number) from None
    in_order = [names[vertex] for vertex in range(n)] if len(names) == n else []
    rows: list[dict[str, str]] = []
    if columns and n <= max(1 << 22, len(names)):
        rows = [values.get(vertex, {}) for vertex in range(n)]
    return Network(n, in_order, [], [], rows, [])


def _vertex_values(path: Path, text: bytes, line: int) -> dict[str, str]:
    """What follows the name of a vertex: coordinates, a shape, pairs of keys and values."""
    words, found = _words(path, text, line)
    for name in ("x", "y", "z"):
        if words and _NUMBER.fullmatch(words[0].encode()):
            found[name] = words.pop(0)
    if words and (len(words) % 2 or words[0] in SHAPES):
        found["shape"] = words.pop(0)
    return {**found, **_pairs(path, words, line)}


def _words(path: Path, text: bytes, line: int) -> tuple[list[str], dict[str, str]]:
    """The words of a line, and its times, such as ``[1-5]``, which have no key."""
    words: list[str] = []
    found: dict[str, str] = {}
    try:
        for quoted, times, plain in (one.groups() for one in _WORD.finditer(text)):
            if times is not None:
                found["times"] = times.decode()
            else:
                words.append(unescaped((plain if quoted is None else quoted).decode()))
    except UnicodeDecodeError as error:
        reason = f"a value is not UTF-8 text: {error.reason}"
        raise FileFormatError(path, reason, line) from None
    return words, found


def _pairs(path: Path, words: list[str], line: int) -> dict[str, str]:
    """Keys with their values."""
    if len(words) % 2:
        reason = f"expected pairs of a key and a value, got {' '.join(words)!r}"
        raise FileFormatError(path, reason, line)
    return dict(zip(words[::2], words[1::2], strict=True))


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


def _mixed_rows(
    path: Path, data: np.ndarray, section: _Section, n: int, found: list | None = None
) -> Rows:
    """Lines of which some have a weight, one by one; ``found`` gets what else they hold."""
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
        if found is not None:
            start = _ENDS.match(line.content)
            rest = b"" if start is None else line.content[start.end() :]
            more, times = _words(path, rest, line.number)
            found.append({**times, **_pairs(path, more, line.number)})
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


_READERS: dict[str, Any] = {
    "arcs": _rows,
    "edges": _rows,
    "arcslist": _neighbors,
    "edgeslist": _neighbors,
    "matrix": _matrix,
}

"""graph-tool's binary files (.gt), of either byte order [1].

    bytes     the mark "⛾ gt", the version 1, the byte order (0 little, 1 big)
    string    a comment; a string is its length, a uint64, and its bytes
    bool      directed
    uint64    the number n of vertices
    n lists   of neighbors: a uint64 that counts them, then each in 1, 2, 4 or 8 bytes, as n needs
    uint64    the number of property maps (NetworKit leaves out all that follows)
    each map  its kind (0 of the graph, 1 of vertices, 2 of edges), name, type, and values

An edge is in one list, also in an undirected graph. The edge property map ``weight`` holds the
weights. The vertex property map ``label``, ``name`` or ``_graphml_vertex_id`` holds the labels, if
they are distinct. Other maps are skipped. `write` puts the Edgewise header (see
`edgewise.io.header`) into the comment.

[1] https://graph-tool.skewed.de/static/doc/gt_format.html
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.binary import label_column
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, header_lines, parse_header
from edgewise.io.nodes import check_attribute, tell_unread_attributes
from edgewise.io.notes import graph_of_edges
from edgewise.io.text import Line, shown

__all__ = ["read", "write"]

_MARK = "⛾ gt".encode()
_GRAPH, _VERTEX, _EDGE = range(3)
#: The types of values by their numbers: those of fixed size, then strings, vectors, objects.
_FIXED = ("u1", "i2", "i4", "i8", "f8", "long double")
_STRING, _VECTOR, _VECTOR_OF_STRINGS, _OBJECT = 6, 7, 13, 14
_SIZES = (1, 2, 4, 8, 8, 16)
_KEPT = {"u1": np.int32, "i2": np.int32, "i4": np.int32, "i8": np.int64, "f8": np.float64}
_LABELS = ("label", "name", "_graphml_vertex_id")


class _Map(NamedTuple):
    """A property map: the number of its type and where its values start, and their lengths."""

    kind: int
    at: int
    lengths: np.ndarray | None


def read(
    path: Path,
    *,
    weight: str | None = "weight",
    label: str | None = "auto",
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
) -> Graph:
    """Return the graph in a graph-tool file.

    Parameters
    ----------
    path : Path
        The file.
    weight : str or None
        The edge property map of the weights. The graph is unweighted for None, and if the default
        ``weight`` is missing. Any other map must exist.
    label : str or None
        The vertex property map of the labels, strings or integers; by default ``label``, ``name``
        or ``_graphml_vertex_id``. There are no labels for None, or if values are not distinct.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.

    Returns
    -------
    Graph
        16-bit and boolean weights become int32, and long doubles float64.

    Raises
    ------
    FileFormatError
        If the file is damaged, or if a requested map has values of another type.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.gt"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges(["ann", "bob"], ["bob", "eve"], [2, 3]), file)
    ...     graph = read(path)
    >>> graph.labels.values.tolist(), graph.edges()[2].tolist()
    (['ann', 'bob', 'eve'], [2, 3])
    """
    file = _File(path, read_bytes(path))
    directed, degrees, targets = file.adjacency()
    n, m = len(degrees), len(targets)
    maps = file.maps(n, m)
    edges, vertices = ({k[1]: one for k, one in maps.items() if k[0] == kind} for kind in (2, 1))
    check_attribute(path, "edge", weight, "weight", edges)
    check_attribute(path, "node", label, "auto", vertices)
    header, weights = file.header, None
    if weight is not None and weight in edges:
        weights = file.numbers(weight, edges[weight], m)
        if header.weights and weight == "weight":
            weights = cast_weights(path, weights, header.weights)
    elif weight is not None:
        tell_unread_attributes([name for name, one in edges.items() if 0 < one.kind < _STRING])
    graph = graph_of_edges(
        np.repeat(np.arange(n), degrees),
        targets,
        weights,
        directed=directed,
        num_vertices=n,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
    )
    return graph.with_labels(file.labels(label, vertices, n))


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph in the format of graph-tool, with weights and labels as property maps.

    Weights of type float32 are written as doubles.
    """
    n = graph.num_vertices
    sources, targets, weights = graph.edges()
    comment = next(header_lines(graph, "", every=False)).strip()
    file.write(_MARK + b"\x01\x00" + _string(comment) + bytes([graph.directed]) + _count(n))
    neighbors = np.asarray(targets).astype(f"<u{_width(n)}")
    file.write(_interleaved(np.bincount(sources, minlength=n), neighbors.view(np.uint8), _width(n)))
    maps = []
    if weights is not None:
        kind = 2 if weights.dtype == np.int32 else 3 if weights.dtype.kind == "i" else 4
        maps.append(
            (bytes([_EDGE]), _string(b"weight"), kind, weights.astype(f"<{_FIXED[kind]}").tobytes())
        )
    if graph.labels is not None:
        column = label_column(graph.labels)
        if graph.labels.dtype == object or graph.labels.dtype == np.uint64:
            texts = [str(one).encode() for one in column.to_pylist()]
            body = np.frombuffer(b"".join(texts), np.uint8)
            kind, values = _STRING, _interleaved(np.array([*map(len, texts)], np.int64), body, 1)
        else:
            kind, values = 3, column.to_numpy().astype("<i8").tobytes()
        maps.append((bytes([_VERTEX]), _string(b"label"), kind, values))
    file.write(_count(len(maps)))
    for owner, name, kind, values in maps:
        file.write(owner + name + bytes([kind]) + values)


def _width(n: int) -> int:
    """In how many bytes a neighbor stands."""
    return next(width for width in (1, 2, 4, 8) if n <= 1 << 8 * width)


def _count(number: int) -> bytes:
    return number.to_bytes(8, "little")


def _string(text: bytes) -> bytes:
    return _count(len(text)) + text


def _interleaved(lengths: np.ndarray, body: np.ndarray, unit: int) -> bytes:
    """Lists one after the other, each behind its length."""
    out = np.empty(8 * len(lengths) + len(body), np.uint8)
    inside = _inside(lengths, unit, len(out))
    out[inside], out[~inside] = body, lengths.astype("<u8").view(np.uint8)
    return out.tobytes()


def _inside(lengths: np.ndarray, unit: int, size: int) -> np.ndarray:
    """Which bytes of lists are their items, and not their lengths."""
    inside = np.ones(size, np.bool_)
    starts = 8 * np.arange(len(lengths)) + unit * offsets(lengths)[:-1]
    inside[(starts[:, None] + np.arange(8)).ravel()] = False
    return inside


class _File:
    """The bytes of a file, read from its start on."""

    def __init__(self, path: Path, data: np.ndarray):
        self.path, self.data = path, data
        if bytes(data[:6]) != _MARK:
            raise FileFormatError(path, f"not a file of graph-tool: it starts with {data[:6]!r}")
        self.pos, self.big = 6, False
        version, order = self.byte("version", 1), self.byte("byte order")
        if version == 0:
            raise FileFormatError(path, "version 0 of the format is not known, only 1")
        self.big = order == 1
        comment = self.text()
        self.header: Header = parse_header(path, [Line(1, 0, 0, comment)])

    def take(self, size: int) -> np.ndarray:
        """The next bytes."""
        if size > len(self.data) - self.pos:
            reason = f"truncated: {size} bytes are declared at {self.pos} of {len(self.data)}"
            raise FileFormatError(self.path, reason)
        self.pos += size
        return self.data[self.pos - size : self.pos]

    def byte(self, name: str, most: int = 1) -> int:
        value = int(self.take(1)[0])
        if value > most:
            raise FileFormatError(self.path, f"the {name} must be at most {most}, got {value}")
        return value

    def count(self) -> int:
        return int.from_bytes(self.take(8).tobytes(), "big" if self.big else "little")

    def text(self) -> bytes:
        return self.take(self.count()).tobytes()

    def lists(self, count: int, unit: int) -> np.ndarray:
        """The lengths of the next lists, whose items have ``unit`` bytes; they are passed over."""
        if count > (len(self.data) - self.pos) // 8:
            raise FileFormatError(self.path, f"truncated: {count} lists are declared")
        lengths, end = np.zeros(count, np.int64), np.array([self.pos])
        launch(_walk, self.data, unit, self.big, lengths, end, work=1)
        if end[0] < 0:
            raise FileFormatError(self.path, f"truncated: list {-end[0] - 1} has no end")
        self.pos = int(end[0])
        return lengths

    def adjacency(self) -> tuple[bool, np.ndarray, np.ndarray]:
        """Whether directed, the number of neighbors of each vertex, and all of these."""
        directed, n = self.byte("direction") == 1, self.count()
        start, unit = (self.pos, _width(min(n, 1 << 64)))
        degrees = self.lists(n, unit)
        part = self.data[start : self.pos]
        raw = part[_inside(degrees, unit, len(part))]
        targets = raw.view(f"{self.order}u{unit}")
        if len(targets) and int(targets.max()) >= n:
            arc = int((targets >= n).argmax())
            reason = f"arc {arc} goes to vertex {targets[arc]}, but there are {n} vertices"
            raise FileFormatError(self.path, reason)
        return directed, degrees, targets.astype(np.int64)

    @property
    def order(self) -> str:
        return ">" if self.big else "<"

    def maps(self, n: int, m: int) -> dict[tuple[int, str], _Map]:
        """All property maps, by what they are about and their name."""
        found: dict[tuple[int, str], _Map] = {}
        for _ in range(self.count() if self.pos < len(self.data) else 0):
            owner = self.byte("kind of a property map", _EDGE)
            name = self.text().decode("utf-8", "replace")
            kind, at = self.byte("type of a property map", _OBJECT), self.pos
            lengths = self.skip(kind, (1, n, m)[owner])
            found[owner, name] = _Map(kind, at, lengths)
        if self.pos < len(self.data):
            raise FileFormatError(self.path, f"too long: {len(self.data) - self.pos} bytes follow")
        return found

    def skip(self, kind: int, count: int) -> np.ndarray | None:
        """Pass over the values of a map; the lengths of those that have one."""
        if kind < _STRING:
            self.take(_SIZES[kind] * count)
            return None
        if kind != _VECTOR_OF_STRINGS:
            vector = _VECTOR <= kind < _VECTOR_OF_STRINGS
            return self.lists(count, _SIZES[kind - _VECTOR] if vector else 1)
        for _ in range(count):
            self.lists(self.count(), 1)
        return None

    def numbers(self, name: str, one: _Map, count: int) -> np.ndarray:
        """The values of a map as weights."""
        if one.kind >= _STRING:
            raise FileFormatError(
                self.path, f"the property map {shown(name.encode())} is no number"
            )
        raw = self.data[one.at : one.at + _SIZES[one.kind] * count]
        kind = _FIXED[one.kind]
        if kind != "long double":
            return raw.view(f"{self.order}{kind}").astype(_KEPT[kind])
        if self.big or sys.byteorder == "big" or np.dtype(np.longdouble).itemsize != 16:
            raise FileFormatError(self.path, "weights that are long doubles of another machine")
        with np.errstate(over="ignore", invalid="ignore"):
            return raw.view(np.longdouble).astype(np.float64)

    def labels(self, label: str | None, maps: dict[str, _Map], n: int) -> Labels | None:
        """The labels that our header promises, or else those of the first map that has some."""
        header = self.header
        if header.labels and header.num_vertices != n:
            reason = f"{header.num_vertices} vertices are declared, there are {n}"
            raise FileFormatError(self.path, reason)
        if header.labels == "range" and label == "auto":
            return Labels.range(header.first, n)
        if label is None or n == 0 or (header.labels == "none" and label == "auto"):
            return None
        for name in _LABELS if label == "auto" else (label,):
            values = self.values(maps[name], n) if name in maps else None
            if values is not None and len(set(values)) == n:
                return self.as_labels(values, header.labels == "int")
        if header.labels in ("int", "str"):
            raise FileFormatError(self.path, "the declared labels are missing")
        return None

    def values(self, one: _Map, n: int) -> list[Any] | None:
        """The values of a map that may be labels: strings or integers."""
        if 0 < one.kind < 4:
            return self.numbers("", one, n).tolist()
        if one.kind != _STRING or one.lengths is None:
            return None
        ends = one.at + np.cumsum(one.lengths + 8)
        try:
            return [
                self.data[end - length : end].tobytes().decode()
                for end, length in zip(ends.tolist(), one.lengths.tolist(), strict=True)
            ]
        except UnicodeDecodeError as error:
            raise FileFormatError(self.path, f"a label is not UTF-8: {error.reason}") from None

    def as_labels(self, values: list[Any], whole: bool) -> Labels:
        if not whole or not isinstance(values[0], str):
            return Labels(values)
        try:
            return Labels(np.array([*map(int, values)], np.uint64))
        except (OverflowError, ValueError) as error:
            raise FileFormatError(self.path, f"a label is no integer: {error}") from None


@kernel(borrows=True)
def _walk(me, team, control, data, unit, big, lengths, end):
    """The lengths of lists, and where the last ends; -(k + 1) if list k does not end."""
    if me > 0:
        return
    pos = end[0]
    for k in range(len(lengths)):
        length = np.uint64(0)
        if pos + 8 <= len(data):
            for i in range(8):
                byte = data[pos + (i if big else 7 - i)]
                length = (length << np.uint64(8)) | np.uint64(byte)
        if pos + 8 > len(data) or length > np.uint64((len(data) - pos - 8) // unit):
            end[0] = -(k + 1)
            return
        lengths[k] = np.int64(length)
        pos += 8 + np.int64(length) * unit
    end[0] = pos

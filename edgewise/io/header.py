"""The comment that Edgewise writes into text files, so that a graph comes back as it was.

It stands behind the comment mark of the format, above the edges:

    edgewise vertices: 5 edges: 4 directed: no weights: float64 labels: none

``weights`` is their type, or ``none``; ``labels`` is ``none``, ``1..5`` (consecutive numbers),
``int`` or ``str``. Labels that are not consecutive may follow, one a comment line, in the order of
the vertices:

    vertex: Aachen

In a format that names vertices where it lists the edges, these are the vertices without an edge, or
all if they do not ascend; in a format that counts its vertices they are always all. A label that a
line cannot hold as it is stands there as a JSON string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.binary import label_column
from edgewise.io.text import Line, shown

__all__ = [
    "Header",
    "cast_weights",
    "counted_labels",
    "header_labels",
    "header_lines",
    "in_header_order",
    "named_vertices",
    "parse_header",
    "read_above",
]

_START, _VERTEX, _COLUMNS = b"edgewise vertices: ", b"vertex: ", b"edgewise columns: "
_HEADER = re.compile(
    rb"edgewise vertices: (\d{1,18}) edges: (\d{1,18}) directed: (yes|no) "
    rb"weights: (none|int32|int64|float32|float64) "
    rb"labels: (none|int|str|(-?\d{1,19})\.\.(-?\d{1,19}))"
)
_WHOLE = re.compile(rb"-?[0-9]{1,20}")
_UNFIT = re.compile(r'[\x00-\x1f\x7f]|^\s|\s$|^"|^$')


class Header(NamedTuple):
    """What our own comment says; the defaults are those of a foreign file."""

    num_vertices: int | None = None
    num_edges: int | None = None
    directed: bool | None = None
    #: The type of the weights; empty if there are none.
    weights: str = ""
    #: "none", "range", "int" or "str"; empty in a foreign file.
    labels: str = ""
    #: The first label of a range.
    first: int = 0
    #: The labels that have a line of their own.
    named: tuple[int | str, ...] = ()
    #: The line where it stands.
    line: int = 1
    #: Name, type and key of each column of edges, and of vertices; see `edgewise.io.attributes`.
    edge_columns: tuple[tuple[str, str, str], ...] = ()
    vertex_columns: tuple[tuple[str, str, str], ...] = ()

    @property
    def ids(self) -> str:
        """What the ids in the file are, "int" or "str"; empty in a foreign file."""
        return {"": "", "str": "str"}.get(self.labels, "int")

    @property
    def labeled(self) -> bool:
        """Do the vertices have labels, which are not their positions?"""
        return self.labels not in ("", "none")


def header_lines(graph: Graph, mark: str, *, every: bool) -> Iterator[bytes]:
    """The comment lines to write above the edges.

    Parameters
    ----------
    graph : Graph
    mark : str
        What starts a comment in the format.
    every : bool
        Whether labels stand in these lines alone, so that each vertex needs its own.

    Examples
    --------
    >>> graph = Graph.from_edges([0], [1]).with_labels(Labels(["Aachen", "New York"]))
    >>> print(b"".join(header_lines(graph, "%", every=True)).decode(), end="")
    % edgewise vertices: 2 edges: 1 directed: no weights: none labels: str
    % vertex: Aachen
    % vertex: New York
    """
    weights = "none" if graph.weights is None else graph.weights.dtype.name
    yield (
        f"{mark} edgewise vertices: {graph.num_vertices} edges: {graph.num_edges} "
        f"directed: {'yes' if graph.directed else 'no'} weights: {weights} "
        f"labels: {_kind(graph.labels)}\n"
    ).encode()
    for name in named_vertices(graph, every=every):
        text = str(name)
        text = json.dumps(text, ensure_ascii=False) if _UNFIT.search(text) else text
        yield f"{mark} vertex: {text}\n".encode()


def named_vertices(graph: Graph, *, every: bool) -> list[int | str]:
    """The labels that need a line: all, or those that no edge tells."""
    labels = graph.labels
    if labels is None or labels.range_start is not None:
        return []
    values = label_column(labels)
    if not every and _ascend(labels):
        values = values.take(
            np.flatnonzero((graph.row_lengths() == 0) & (graph.column_lengths() == 0))
        )
    return values.to_pylist()


def parse_header(path: Path, comments: Iterable[Line]) -> Header:
    """What our header says, if it is among the comments, which are given without their mark.

    Raises
    ------
    FileFormatError
        If the header, or the line of a vertex, is damaged.
    """
    found, head, named = None, Line(0, 0, 0, b""), []
    columns: tuple[Any, Any] = (), ()
    for line in comments:
        if found and line.content.startswith(_VERTEX):
            named.append(_label(path, line, found[5] == b"str"))
        elif found and line.content.startswith(_COLUMNS):
            columns = _noted_columns(path, line)
        elif not found and line.content.startswith(_START):
            head, found = line, _HEADER.fullmatch(line.content)
            if not found:
                raise FileFormatError(path, f"damaged header {shown(line.content)}", line.number)
    if not found:
        return Header()
    n, m, directed, weights, labels, first, last = found.groups()
    if first is not None and int(last) - int(first) + 1 != int(n):
        reason = f"{int(n)} vertices cannot have the labels {shown(labels)}"
        raise FileFormatError(path, reason, head.number)
    return Header(
        int(n),
        int(m),
        directed == b"yes",
        "" if weights == b"none" else weights.decode(),
        labels.decode() if first is None else "range",
        int(first or 0),
        tuple(named),
        head.number,
        *columns,
    )


def read_above(path: Path, above: Iterable[Line], mark: bytes) -> tuple[Header, Line | None]:
    """Our header, if it is among the first comments, and the first line that is no comment."""
    comments: list[Line] = []
    for line in above:
        if line.content and not line.content.startswith(mark):
            return parse_header(path, comments), line
        comments.append(line._replace(content=line.content[len(mark) :].lstrip()))
    return parse_header(path, comments), None


def header_labels(path: Path, header: Header) -> Labels | None:
    """The labels of a file whose vertices are counted, as its header tells them."""
    n = header.num_vertices or 0
    if header.labels == "range":
        return Labels.range(header.first, n)
    if not header.labeled:
        return None
    if len(header.named) != n:
        reason = f"the header promises {n} labels, there are {len(header.named)}"
        raise FileFormatError(path, reason, header.line)
    try:
        return Labels(_column(header))
    except (OverflowError, ValueError) as error:
        raise FileFormatError(path, str(error), header.line) from None


def counted_labels(path: Path, header: Header, n: int, ids: str) -> Labels | None:
    """The labels of n vertices that a file counts from 1.

    They are those of our own header; in a foreign file 1 to n. With ``ids="as_is"`` there are none,
    since positions are then equal to ids and position 0 is an extra vertex.
    """
    check_choice(ids, "ids", ("auto", "as_is"))
    if ids == "as_is" or n == 0 or header.labels == "none":
        return None
    if not header.labels:
        return Labels.range(1, n)
    if header.labels == "range":
        return Labels.range(header.first, n)
    labels = header_labels(path, header)
    if n != header.num_vertices:
        raise ValueError(
            f"num_vertices must be the file's {header.num_vertices}, since they are named, got {n}"
        )
    return labels


def in_header_order(path: Path, graph: Graph, header: Header) -> Graph:
    """A graph that was read by its labels, with the vertices numbered as the header lists them."""
    n = graph.num_vertices
    if header.labels == "none" or header.num_vertices is None:
        return graph
    if n != header.num_vertices:
        reason = f"the header promises {header.num_vertices} labels, there are {n}"
        raise FileFormatError(path, reason, header.line)
    if len(header.named) != n or _ascend(header_labels(path, header)):
        return graph
    known = Labels.range(0, n) if graph.labels is None else graph.labels
    new_ids = np.empty(n, np.int64)
    new_ids[known.vertex(_column(header))] = np.arange(n)
    return graph.with_labels(known).permute(new_ids)


def cast_weights(path: Path, weights: Any, dtype: str) -> np.ndarray:
    """The weights in the type that our header names."""
    if dtype.startswith("int"):
        limits = np.iinfo(dtype)
        if weights.dtype.kind != "i" or (
            len(weights) and (weights.min() < limits.min or weights.max() > limits.max)
        ):
            raise FileFormatError(path, f"some weights are not {dtype}, as the header says", 1)
    with np.errstate(over="ignore"):
        return weights.astype(dtype)


def _column(header: Header) -> Any:
    """The named labels as one column; integers of 64 bits, with or without sign."""
    if header.labels == "str":
        return list(header.named)
    signed = all(label < 2**63 for label in header.named)  # type: ignore[operator]
    return np.array(header.named, np.int64 if signed else np.uint64)


def _kind(labels: Labels | None) -> str:
    if labels is None:
        return "none"
    if labels.range_start is not None:
        return f"{labels.range_start}..{labels.range_start + len(labels) - 1}"
    return "int" if labels.dtype.kind in "iu" else "str"


def _ascend(labels: Any) -> bool:
    """Are labels in the order in which a reader numbers them?"""
    values = labels.values.tolist()
    return labels.range_start is not None or all(map(lambda a, b: a < b, values, values[1:]))


def _noted_columns(path: Path, line: Line) -> tuple[Any, Any]:
    """Name, type and key of each column of edges, and of each one of vertices."""
    try:
        noted = json.loads(line.content[len(_COLUMNS) :])
        found = [tuple(map(tuple, noted[part])) for part in ("edges", "vertices")]
        whole = all(
            len(one) == 3 and all(isinstance(text, str) for text in one)
            for part in found
            for one in part
        )
        unique = all(len({one[i] for one in part}) == len(part) for part in found for i in (0, 2))
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        whole = unique = False
    if not (whole and unique):
        raise FileFormatError(path, f"damaged columns {shown(line.content)}", line.number)
    return found[0], found[1]


def _label(path: Path, line: Line, text: bool) -> int | str:
    """The label on a line of its own."""
    raw = line.content[len(_VERTEX) :]
    if not text:
        if not _WHOLE.fullmatch(raw) or not -(2**63) <= int(raw) < 2**64:
            raise FileFormatError(
                path, f"expected a label (a whole number), got {shown(raw)}", line.number
            )
        return int(raw)
    try:
        name = json.loads(raw) if raw.startswith(b'"') else raw.decode()
        name.encode()  # a JSON string may hold half a character
    except (ValueError, AttributeError):
        raise FileFormatError(path, f"not a label: {shown(raw)}", line.number) from None
    return name

"""Pajek networks (.net, and the first network of a project, .paj).

``*Vertices n`` starts a list of vertices, numbered from 1, with optional names. Arcs and edges
follow in any order: ``*Arcs`` and ``*Edges`` (lines ``u v [weight ...]``), ``*Arcslist`` and
``*Edgeslist`` (``u v1 v2 ...``), and ``*Matrix`` (n rows of n values; nonzero values are arcs). A
network with arcs is directed, and each of its edges is two arcs. Names are the labels if all
vertices have distinct names; otherwise the numbers 1 to n are. ``%`` starts a comment line, and
``&#228;`` stands for a character.

If the caller asks for them, other values become columns: ``x``, ``y`` and ``z`` are coordinates,
``shape`` and ``times`` have no key in the file, and others, such as ``ic Red``, are pairs of a key
and a value. ``relation`` is the name, or else the number, of a section ``*Arcs :2 "likes"``.

Format: V. Batagelj, A. Mrvar. Pajek: reference manual.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.labels import Labels
from edgewise.io.attributes import Attribute, attributes_of, columns_line, columns_of, joined
from edgewise.io.binary import label_column
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, header_labels, header_lines
from edgewise.io.nodes import choose_labels, escaped, write_lines
from edgewise.io.notes import tell_repeats
from edgewise.io.pajek_sections import SHAPES, parse_network
from edgewise.io.text import write_rows

__all__ = ["read", "write"]

_UNFIT = re.compile(r'[\x00-\x1f\x7f"]|&(?=[#A-Za-z])')
_WHOLE = re.compile(r"-?[0-9]{1,20}")
_PLACES = ("x", "y", "z")
#: Words that mean something else where a key may stand.
_RESERVED = (*SHAPES, "inf", "nan", "infinity")


def read(
    path: Path,
    *,
    directed: bool | None = None,
    weight: bool = True,
    labels: bool = True,
    ids: str = "auto",
    duplicates: str | Mapping[str, str] = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
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
    edge_columns, vertex_columns : bool or list of str
        The other values of arcs and edges, and of vertices, to keep as columns: all for True.

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
    columns = edge_columns is not False or vertex_columns is not False
    header, network = parse_network(path, data, columns)
    n = network.size
    if directed is None:
        directed = network.directed
    sources, targets, weights = network.edges(directed)
    if not weight or (header.labels and not header.weights):
        weights = None
    elif header.weights:
        given = np.ones(len(sources), np.int64) if weights is None else weights
        weights = cast_weights(path, given, header.weights)
    named: Labels | None = None
    if ids == "auto":
        named = _labels(path, header, network.names if labels else [], n)
    first = int(ids == "as_is")
    in_edges = columns_of(path, network.attributes(directed) if columns else [], edge_columns,
                          "edge_columns", header.edge_columns)  # fmt: skip
    in_nodes = columns_of(path, [*[{}] * first, *network.vertex_rows], vertex_columns,
                          "vertex_columns", header.vertex_columns)  # fmt: skip
    graph = Graph.from_edges(
        sources + first,
        targets + first,
        weights,
        directed=directed,
        num_vertices=n + first,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        edge_columns=in_edges,
        vertex_columns=in_nodes,
    )
    if self_loops == "keep" and symmetrize != "given":
        tell_repeats(graph, len(sources), weights is not None, duplicates)
    return graph if named is None else graph.with_labels(named)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph as a Pajek network, with labels as names.

    Columns become pairs of a key and a value; ``x``, ``y`` and ``z`` are coordinates.

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
    in_edges = attributes_of(graph, "edges", "Pajek files", reserved=_RESERVED)
    in_nodes = attributes_of(graph, "vertices", "Pajek files", reserved=_RESERVED)
    file.write(next(header_lines(graph, "%", every=False)))
    if line := columns_line(in_edges, in_nodes):
        file.write(f"% {line}\n".encode())
    file.write(f"*Vertices {n}\n".encode())
    write_lines(file, n, numbers, ' "', names, '"', *_vertex_parts(in_nodes))
    file.write(b"*Arcs\n" if graph.directed else b"*Edges\n")
    sources, targets, weights = graph.edges()
    rows = [sources + np.int64(1), targets + np.int64(1)]
    texts = joined(in_edges, " ", _quoted)
    if texts is None:
        write_rows(file, rows if weights is None else [*rows, weights])
    else:
        value: Any = "1" if weights is None else weights
        write_lines(file, len(sources), rows[0], " ", rows[1], " ", value, texts)


def _vertex_parts(found: list[Attribute]) -> list[Any]:
    """What follows the name of each vertex: coordinates if all have some, then pairs."""
    places = {one.key: one for one in found if one.key in _PLACES and one.number
              and not one.texts.null_count}  # fmt: skip
    if not {"x", "y"} <= {*places}:
        places = {}
    parts: list[Any] = []
    for key in _PLACES:
        parts += [" ", places[key].texts] if key in places else []
    pairs = joined([one for one in found if one.key not in places], " ", _quoted)
    return parts if pairs is None else [*parts, pairs]


def _quoted(text: str) -> str:
    return f'"{escaped(text, _UNFIT)}"'


def _labels(path: Path, header: Header, names: list[str], n: int) -> Labels | None:
    """The labels: as our header says, the names, or the numbers."""
    if header.labels in ("none", "range"):
        return header_labels(path, header)
    if header.labels == "int":
        if not all(map(_WHOLE.fullmatch, names)):
            raise FileFormatError(path, "a label is no whole number", header.line)
        return header_labels(path, header._replace(named=tuple(map(int, names))))
    return choose_labels(path, np.arange(1, n + 1), names, header)[1]

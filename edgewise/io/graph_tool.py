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
they are distinct. Other maps become columns if the caller asks for them: numbers, booleans, strings
and lists of these, never Python objects. Missing values have their own map, since graph-tool has
none: ``missing:year`` is true where ``year`` is missing. `write` puts the Edgewise header (see
`edgewise.io.header`) into the comment.

[1] https://graph-tool.skewed.de/static/doc/gt_format.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.attributes import Attribute, attributes_of, columns_line, restored
from edgewise.io.binary import label_column
from edgewise.io.files import read_bytes
from edgewise.io.graph_tool_file import (
    FIXED,
    MARK,
    OBJECT,
    STRING,
    File,
    PropertyMap,
    interleaved,
    width,
)
from edgewise.io.header import cast_weights, header_lines
from edgewise.io.nodes import check_attribute, tell_unread_attributes
from edgewise.io.notes import graph_of_edges, note

__all__ = ["read", "write"]

_VERTEX, _EDGE = 1, 2
#: The numbers of graph-tool's types, by those of Arrow; other columns are stored as strings.
_KINDS = {"bool": 0, "int8": 1, "uint8": 1, "int16": 1, "uint16": 2, "int32": 2, "uint32": 3,
          "int64": 3, "halffloat": 4, "float": 4, "double": 4}  # fmt: skip
#: The map that says where a column has no values.
_MISSING = "missing:"


def read(
    path: Path,
    *,
    weight: str | None = "weight",
    label: str | None = "auto",
    duplicates: str | Mapping[str, str] = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
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
    edge_columns, vertex_columns : bool or list of str
        The property maps of edges and vertices to keep as columns: all of them for True.

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
    file = File(path, read_bytes(path))
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
        tell_unread_attributes([name for name, one in edges.items() if 0 < one.kind < STRING])
    labels, used = file.labels(label, vertices, n), None if weights is None else weight
    graph = graph_of_edges(
        np.repeat(np.arange(n), degrees),
        targets,
        weights,
        directed=directed,
        num_vertices=n,
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        edge_columns=_columns(file, edges, m, edge_columns, "edge_columns", used),
        vertex_columns=_columns(file, vertices, n, vertex_columns, "vertex_columns",
                                file.used_label),
    )  # fmt: skip
    return graph.with_labels(labels)


def _columns(
    file: File, maps: dict[str, PropertyMap], count: int, wanted: bool | Sequence[str], given: str,
    used: str | None,
) -> dict[str, Any] | None:  # fmt: skip
    """Property maps as columns, all or some; without the one that is used otherwise."""
    if wanted is False:
        return None
    import pyarrow
    import pyarrow.compute as pc

    noted = file.header.edge_columns if given == "edge_columns" else file.header.vertex_columns
    kinds = {key: (name, kind) for name, kind, key in noted}
    hidden = {f"{_MISSING}{key}" for key in kinds}
    keys = {kinds.get(key, (key,))[0]: key for key in maps if key != used and key not in hidden}
    if wanted is True:
        names = [name for name, key in keys.items() if maps[key].kind != OBJECT]
        if objects := [*keys.keys() - {*names}]:
            note("objects", f"property maps of Python objects were not read: {sorted(objects)}")
    else:
        names = [wanted] if isinstance(wanted, str) else [*wanted]
    columns: dict[str, Any] = {}
    for name in names:
        if name not in keys:
            known = ", ".join(map(repr, keys)) or "none"
            reason = f"{given} must name property maps, got {name!r}; there are: {known}"
            raise FileFormatError(file.path, reason)
        key = keys[name]
        column = file.column(key, maps[key], count)
        if key in kinds:
            if (missing := maps.get(f"{_MISSING}{key}")) is not None:
                there = pc.invert(file.column(key, missing, count))
                column = pc.if_else(there, column, pyarrow.scalar(None, column.type))
            column = restored(file.path, column, name, kinds[key][1])
        columns[name] = column
    return columns or None


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph in the format of graph-tool: weights, labels and columns are property maps.

    Weights of type float32 are written as doubles.
    """
    n = graph.num_vertices
    sources, targets, weights = graph.edges()
    in_edges = attributes_of(graph, "edges", "graph-tool files", reserved=("weight",), words=None)
    in_nodes = attributes_of(graph, "vertices", "graph-tool files", reserved=("label",),
                             words=None)  # fmt: skip
    comment = next(header_lines(graph, "", every=False)).strip()
    if line := columns_line(in_edges, in_nodes):
        comment += f"\n{line}".encode()
    file.write(MARK + b"\x01\x00" + _string(comment) + bytes([graph.directed]) + _count(n))
    neighbors = np.asarray(targets).astype(f"<u{width(n)}")
    file.write(interleaved(np.bincount(sources, minlength=n), neighbors.view(np.uint8), width(n)))
    maps = []
    if weights is not None:
        kind = 2 if weights.dtype == np.int32 else 3 if weights.dtype.kind == "i" else 4
        maps.append(
            (bytes([_EDGE]), _string(b"weight"), kind, weights.astype(f"<{FIXED[kind]}").tobytes())
        )
    if graph.labels is not None:
        column = label_column(graph.labels)
        if graph.labels.dtype == object or graph.labels.dtype == np.uint64:
            kind, values = STRING, _strings(column.to_pylist())
        else:
            kind, values = 3, column.to_numpy().astype("<i8").tobytes()
        maps.append((bytes([_VERTEX]), _string(b"label"), kind, values))
    maps += _column_maps(graph, "edges", in_edges)
    maps += _column_maps(graph, "vertices", in_nodes)
    file.write(_count(len(maps)))
    for owner, name, kind, values in maps:
        file.write(owner + name + bytes([kind]) + values)


def _column_maps(graph: Graph, part: str, found: Sequence[Attribute]) -> Iterator[Any]:
    """The property maps of columns: owner, name, number of the type, and values."""
    owner = bytes([_EDGE if part == "edges" else _VERTEX])
    for one in found:
        column = getattr(graph.columns, part).column(one.name).combine_chunks()
        kind = _KINDS.get(str(column.type), STRING)
        if kind == STRING:
            values = _strings(one.texts.fill_null("").to_pylist())
        else:
            numbers = column.fill_null(False if kind == 0 else 0).to_numpy(zero_copy_only=False)
            values = numbers.astype(f"<{FIXED[kind]}").tobytes()
        yield owner, _string(one.key.encode()), kind, values
        if column.null_count:
            missing = column.is_null().to_numpy(zero_copy_only=False).astype("u1")
            yield owner, _string(f"{_MISSING}{one.key}".encode()), 0, missing.tobytes()


def _strings(texts: Sequence[Any]) -> bytes:
    coded = [str(one).encode() for one in texts]
    body = np.frombuffer(b"".join(coded), np.uint8)
    return interleaved(np.array([*map(len, coded)], np.int64), body, 1)


def _count(number: int) -> bytes:
    return number.to_bytes(8, "little")


def _string(text: bytes) -> bytes:
    return _count(len(text)) + text

"""GraphML (.graphml) and GEXF (.gexf), read and written by NetworkX.

If all nodes have distinct values of ``label`` (in GraphML also ``name``), these are the labels;
otherwise the node ids are. Ids that are all integers become integers, and 0 to n - 1 are the
vertices themselves. The weight of an edge is an attribute. Other attributes become columns if the
caller asks for them. `write` uses labels as ids and stores the Edgewise header (see
`edgewise.io.header`) and the types of columns (`edgewise.io.xml_columns`) in a graph attribute, so
that the types of weights, labels and columns are restored. XML has one line end: a carriage return
in a text comes back as a line feed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs
from edgewise.graph.labels import Labels
from edgewise.io.binary import label_column
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, header_lines, parse_header
from edgewise.io.nodes import check_attribute, integer_column, tell_unread_attributes
from edgewise.io.notes import note, tell_repeats
from edgewise.io.text import Line
from edgewise.io.xml_columns import NOT_XML, Noted, every_key, plain_columns

__all__ = ["read", "write"]

_LABELS = {".graphml": ("label", "name"), ".gexf": ("label",)}
_NOTE = {".graphml": "edgewise", ".gexf": "name"}
_EDGE = re.compile(rb"<(?:\w+:)?edge[\s/>]")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}", re.ASCII)


def read(
    path: Path,
    *,
    suffix: str,
    weight: str | None = "weight",
    label: str | None = "auto",
    node_type: type | None = None,
    duplicates: str = "sum",
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return the graph in a GraphML or GEXF file.

    Parameters
    ----------
    path : path
        The file.
    suffix : {".graphml", ".gexf"}
        The format of the file.
    weight : str or None
        The edge attribute of the weights; an edge without it gets weight 1. The graph is unweighted
        for None, and if no edge has the default ``weight``. If no edge has another attribute, it is
        an error.
    label : str or None
        The node attribute of the labels; by default ``label``, or ``name`` in GraphML. Ids are the
        labels for None, and if values are missing or not distinct.
    node_type : {None, int, str}
        If given, ids are the labels, as integers or strings. By default ids are integers if all of
        them are numbers, otherwise strings.
    duplicates : {"sum", "min", "max", "first", "raise"}
        How the weights of parallel edges are combined.
    edge_columns, vertex_columns : bool or list of str
        The attributes of edges and nodes to keep as columns: all of them for True.

    Returns
    -------
    Graph
        A graph that is directed if the file says so.

    Raises
    ------
    FileFormatError
        If the file is not well-formed XML (with the line), is not a graph, or has invalid values.
    ImportError
        If NetworkX is not installed.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.graphml"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges(["ann", "bob"], ["bob", "eve"]), file, suffix=".graphml")
    ...     read(path, suffix=".graphml").labels.values.tolist()
    ['ann', 'bob', 'eve']
    """
    networkx = _networkx(suffix)
    if node_type not in (None, int, str):
        raise ValueError(f"node_type must be None, int or str, got {node_type!r}")
    load = networkx.read_graphml if suffix == ".graphml" else networkx.read_gexf
    content = io.BytesIO(read_bytes(path).data)
    try:
        named = load(content, node_type=str)
    except ParseError as error:
        raise FileFormatError(path, f"not well-formed XML: {error}", error.position[0]) from None
    except Exception as error:  # NetworkX raises many kinds on XML that is no graph
        reason = str(error) or type(error).__name__
        raise FileFormatError(path, f"not a {suffix[1:]} graph: {reason}") from None
    header = _header(path, named.graph.get(_NOTE[suffix], ""))
    noted = Noted(path, header.edge_columns, header.vertex_columns)
    if header.labels and suffix == ".gexf":  # which NetworkX writes beside the ids
        for _, data in named.nodes(data=True):
            data.pop("label", None)
        for *_, data in named.edges(data=True):
            data.pop("id", None)
    noted.rename(named)
    attributes = {key: value for *_, data in named.edges(data=True) for key, value in data.items()}
    if named.size():
        check_attribute(path, "edge", weight, "weight", attributes)
    if len(named):
        check_attribute(path, "node", label, "auto", every_key(named))
    if weight == "weight" and edge_columns is False:
        _tell_unread(attributes)
    if header.labels and node_type is None:
        node_type = str if header.labels == "str" else int
    names = None
    if node_type is None and label is not None:
        names = _names(named, _LABELS[suffix] if label == "auto" else (label,))
    try:
        ids = _ids(path, named, node_type)
        numbered = networkx.relabel_nodes(named, dict(zip(named, range(len(ids)), strict=True)))
        graph = Graph.from_networkx(
            numbered, weight=weight, duplicates=duplicates,
            edge_columns=noted.there(edge_columns, "edges", attributes),
            vertex_columns=noted.there(vertex_columns, "vertices", every_key(named)),
        )  # fmt: skip
    except (TypeError, ValueError) as error:
        raise FileFormatError(path, getattr(error, "reason", str(error))) from None
    if named.is_multigraph():
        _tell_parallel(graph, named, content.getvalue(), duplicates)
    graph = noted.restored(graph, edge_columns, vertex_columns)
    return _finish(path, graph, ids, names, header if weight == "weight" else Header())


def write(graph: Graph, file: BinaryIO, *, suffix: str) -> None:
    """Write a graph as GraphML or GEXF, with labels as ids, or vertex ids without labels.

    Parameters
    ----------
    graph : Graph
        The graph to write. Labels must be 64-bit integers or strings.
    file : binary file
        The open file.
    suffix : {".graphml", ".gexf"}
        The format of the file.

    Raises
    ------
    ValueError
        If the labels are of another type or hold control characters, which XML cannot store. Also
        if integer weights exceed 2**53, which GEXF rounds.
    ImportError
        If NetworkX is not installed.
    """
    networkx = _networkx(suffix)
    _check_writable(graph, suffix)
    plain, line = plain_columns(graph, "GraphML files" if suffix == ".graphml" else "GEXF files")
    named = plain.to_networkx()
    first = next(header_lines(graph, "", every=False)).decode().strip()
    named.graph[_NOTE[suffix]] = f"{first}\n{line}" if line else first
    if suffix == ".graphml":
        networkx.write_graphml_xml(named, file)
    else:
        networkx.write_gexf(named, file)


def _networkx(suffix: str) -> Any:
    try:
        import networkx
    except ImportError:
        raise ImportError(f"{suffix} files need NetworkX: pip install networkx") from None
    return networkx


def _tell_unread(attributes: dict[str, Any]) -> None:
    """Note which attributes of edges may be weights, if none is called so."""
    found = [
        name for name, value in attributes.items()
        if type(value) in (int, float) and name not in ("id", "weight")
    ]  # fmt: skip
    if "weight" not in attributes:
        tell_unread_attributes(found)


def _tell_parallel(graph: Graph, named: Any, content: bytes, duplicates: str) -> None:
    """Note that parallel edges are merged, and which of them NetworkX has not kept."""
    weighted = graph.weights is not None
    tell_repeats(graph, named.number_of_edges(), weighted, duplicates, things="edges")
    there = len(_EDGE.findall(re.sub(rb"(?s)<!--.*?-->", b"", content)))
    lost = there - named.number_of_edges()
    if lost > 0:
        note("parallel", f"{lost:,} of {there:,} edges were not read: parallel edges share an id")


def _header(path: Path, text: Any) -> Header:
    """What our header says, if it stands in the attribute where `write` puts it."""
    lines = str(text).encode("utf-8", "replace").split(b"\n")
    return parse_header(path, [Line(1, 0, 0, one) for one in lines])


def _names(graph: Any, attributes: tuple[str, ...]) -> list[Any] | None:
    """The first attribute that all nodes have, if no two share it: integers, or text."""
    for attribute in attributes:
        found = [value for _, value in graph.nodes(data=attribute)]
        if found and None not in found and len(set(map(str, found))) == len(found):
            whole = all(type(value) is int and abs(value) < 2**63 for value in found)
            return found if whole else [*map(str, found)]
    return None


def _ids(path: Path, graph: Any, node_type: type | None) -> list[Any]:
    """The nodes' ids: as integers if all are, unless the caller wants another type."""
    odd = [name for name in graph if not _WHOLE.fullmatch(name)]
    if node_type is int and odd:
        raise FileFormatError(path, f"node {odd[0]!r} is not a whole number")
    if odd or node_type is str:
        return list(graph)
    numbers = [*map(int, graph)]
    if min(numbers, default=0) >= -(2**63) and max(numbers, default=0) < 2**64:
        return numbers
    if node_type is int:
        raise FileFormatError(path, "an id does not fit in 64 bits")
    return list(graph)


def _finish(
    path: Path, graph: Graph, ids: list[Any], names: list[Any] | None, header: Header
) -> Graph:
    """The graph, whose nodes are numbered as they are listed, with its labels and weights."""
    if header.labels and header.num_vertices != graph.num_vertices:
        reason = f"{header.num_vertices} vertices are declared, there are {graph.num_vertices}"
        raise FileFormatError(path, reason)
    if header.labels:
        graph = graph.with_weights(Arcs(_cast(path, graph, header.weights)))
    if names is not None and [*map(str, names)] != [*map(str, ids)]:
        return graph.with_labels(Labels(names))
    if not ids or isinstance(ids[0], str):
        return graph.with_labels(Labels(ids)) if ids else graph
    numbers = integer_column(path, ids)
    if header.labels == "int":
        return graph.with_labels(Labels(numbers))
    if header.labels != "range" and numbers.min() == 0 and numbers.max() == len(ids) - 1:
        return graph.permute(numbers)
    ascending = (numbers[1:] > numbers[:-1]).all()
    return graph.with_labels(Labels.ascending(numbers) if ascending else Labels(numbers))


def _cast(path: Path, graph: Graph, dtype: str) -> np.ndarray | None:
    """The weights in the type that our header names; GEXF has them all as float64."""
    if not dtype:
        return None
    given = np.ones(graph.num_arcs, np.int64) if graph.weights is None else graph.weights
    if dtype.startswith("int") and given.dtype.kind == "f":
        whole = (given == np.floor(given)) & (np.abs(given) < 2.0**63)
        given = given.astype(np.int64) if whole.all() else given
    return cast_weights(path, given, dtype)


def _check_writable(graph: Graph, suffix: str) -> None:
    if graph.labels is not None:
        for name in label_column(graph.labels).to_pylist():
            if isinstance(name, str) and NOT_XML.search(name):
                raise ValueError(f"label {name!r} has a character that XML cannot hold")
    weights = graph.weights
    if suffix == ".graphml" or weights is None or weights.dtype.kind == "f":
        return
    if len(weights) and max(-int(weights.min()), int(weights.max())) > 2**53:
        raise ValueError("GEXF holds weights as float64, but some exceed 2**53")

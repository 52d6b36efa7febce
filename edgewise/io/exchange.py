"""GraphML (.graphml) and GEXF (.gexf), read and written by NetworkX.

A node's name is its ``id`` in the file; an edge's weight is an attribute. Names that are all whole
numbers become integers: 0 to n - 1 are then simply the vertices, others are labels. GEXF has
weights of float64 only. Other attributes are left behind.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.arrays import label_column
from edgewise.io.files import read_bytes

__all__ = ["read", "write"]

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}", re.ASCII)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read(
    path: Path,
    *,
    suffix: str,
    weight: str | None = "weight",
    node_type: type | None = None,
    duplicates: str = "sum",
) -> Graph:
    """Read a GraphML or GEXF file.

    Parameters
    ----------
    path : path
    suffix : {".graphml", ".gexf"}
    weight : str or None
        The edge attribute to take as weight: 1 where an edge lacks it; if all lack it, or for
        None, the graph has no weights.
    node_type : {None, int, str}
        What the names of the nodes are; by default int if all of them look so, otherwise str.
    duplicates : {"sum", "min", "max", "first", "error"}
        What becomes of parallel edges.

    Returns
    -------
    Graph
        As directed as the file says.

    Raises
    ------
    FileFormatError
        If the file is not well-formed XML (with its line), not a graph, or has bad values.
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
        graph = networkx.relabel_nodes(named, _integers(named)) if node_type is not str else named
    except ParseError as error:
        raise FileFormatError(path, f"not well-formed XML: {error}", error.position[0]) from None
    except Exception as error:  # NetworkX raises many kinds on XML that is no graph
        reason = str(error) or type(error).__name__
        raise FileFormatError(path, f"not a {suffix[1:]} graph: {reason}") from None
    if node_type is int and (names := [name for name in graph if not isinstance(name, int)]):
        raise FileFormatError(path, f"node {names[0]!r} is not a whole number")
    try:
        return Graph.from_networkx(graph, weight=weight, duplicates=duplicates)
    except (TypeError, ValueError) as error:
        raise FileFormatError(path, str(error)) from None


def write(graph: Graph, file: BinaryIO, *, suffix: str) -> None:
    """Write a graph as GraphML or GEXF, by labels if it has them, else by vertex ids.

    Parameters
    ----------
    graph : Graph
        Its labels, if any, must be integers of 64 bits or strings.
    file : binary file
    suffix : {".graphml", ".gexf"}

    Raises
    ------
    ValueError
        If the labels are of another kind or hold control characters, which XML has not, or if
        integer weights are beyond 2**53, which GEXF rounds.
    ImportError
        If NetworkX is not installed.
    """
    networkx = _networkx(suffix)
    _check_writable(graph, suffix)
    if suffix == ".graphml":
        networkx.write_graphml_xml(graph.to_networkx(), file)
    else:
        networkx.write_gexf(graph.to_networkx(), file)


def _networkx(suffix: str) -> Any:
    try:
        import networkx
    except ImportError:
        raise ImportError(f"{suffix} files need NetworkX: pip install networkx") from None
    return networkx


def _integers(graph: Any) -> dict[str, int]:
    """The nodes' names as integers, if all are."""
    whole = all(_WHOLE.fullmatch(name) for name in graph)
    return {name: int(name) for name in graph} if whole else {}


def _check_writable(graph: Graph, suffix: str) -> None:
    if graph.labels is not None:
        for name in label_column(graph.labels).to_pylist():
            if isinstance(name, str) and _NOT_XML.search(name):
                raise ValueError(f"label {name!r} has a character that XML cannot hold")
    weights = graph.weights
    if suffix == ".graphml" or weights is None or weights.dtype.kind == "f":
        return
    if len(weights) and max(-int(weights.min()), int(weights.max())) > 2**53:
        raise ValueError("GEXF holds weights as float64, but some exceed 2**53")

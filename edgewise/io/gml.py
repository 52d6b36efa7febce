"""GML, the Graph Modelling Language (.gml): nested lists of keys and values.

A ``graph`` holds nodes, each with an ``id``, and edges between ids, from ``source`` to ``target``;
``directed 1`` makes it directed. If all nodes have distinct values of ``label``, these are the
labels; otherwise the ids are. The ``weight`` or ``value`` of an edge is its weight. Other keys
become columns if the caller asks for them; ``graphics [ x 1 ]`` becomes the column ``graphics.x``.
``#`` starts a comment, and ``&#228;`` or ``&auml;`` stands for a character.

An edge or node in its plain form takes one match of a regular expression; others are parsed key by
key.

Format: M. Himsolt. GML: a portable graph file format. University of Passau, 1997.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.graph import Graph
from edgewise.io.attributes import attributes_of, columns_line, columns_of, in_order, joined
from edgewise.io.binary import label_column
from edgewise.io.files import read_bytes
from edgewise.io.gml_parser import Parser
from edgewise.io.header import cast_weights, header_lines
from edgewise.io.nodes import (
    check_attribute,
    choose_labels,
    escaped,
    integer_column,
    node_numbers,
    write_lines,
)
from edgewise.io.notes import tell_repeats

__all__ = ["read", "write"]

_UNFIT = re.compile(r'[^ -~]|[&"]')
#: The keys that nodes and edges have in every file.
_NODE_KEYS, _EDGE_KEYS = ("id", "label"), ("source", "target", "weight", "value")


def read(
    path: Path,
    *,
    directed: bool | None = None,
    weight: str | None = "auto",
    label: str | None = "label",
    duplicates: str | Mapping[str, str] = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return the graph in a GML file.

    Parameters
    ----------
    path : Path
        The file.
    directed : bool, optional
        Whether edges are directed; by default as in the file, otherwise False.
    weight : str or None
        The key of the edge weights; an edge without it gets weight 1. By default ``weight``, or
        ``value`` if no edge has a ``weight``. None: no weights. A key that no edge has is an error.
    label : str or None
        The key of the node labels. Ids are the labels for None, and if values are missing or not
        distinct. Ids 0 to n - 1 are not labels but the vertices themselves.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.
    edge_columns, vertex_columns : bool or list of str
        The keys of edges and nodes to keep as columns: all of them for True. Of keys in lists that
        occur more than once, such as the points of a line, the first is kept.

    Returns
    -------
    Graph
        A graph whose vertices are numbered in the order of the nodes in the file.

    Raises
    ------
    FileFormatError
        If the file is malformed, two nodes have the same id, or an edge ends at an unknown node;
        names the line and the reason.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "roads.gml"
    ...     _ = path.write_text(
    ...         'graph [ node [ id 1 label "K&#246;ln" ] node [ id 2 label "Bonn" ]'
    ...         "  edge [ source 1 target 2 value 28.5 ] ]"
    ...     )
    ...     graph = read(path)
    >>> graph.labels.values.tolist(), graph.weights.tolist()
    (['Köln', 'Bonn'], [28.5, 28.5])
    """
    columns = edge_columns is not False or vertex_columns is not False
    file = Parser(path, read_bytes(path), weight, label, columns)
    file.parse()
    ids, header = integer_column(path, file.ids), file.header
    vertices, labels = choose_labels(path, ids, file.names if label is not None else [], header)
    ends = (np.array(column, ids.dtype) for column in (file.sources, file.targets))
    sources, targets = (vertices[node_numbers(ids, column)] for column in ends)
    weights = file.weights()
    if len(sources):
        check_attribute(path, "edge", weight, "auto", [] if weights is None else [str(weight)])
    if len(ids):
        check_attribute(path, "node", label, "label", [str(label)] if any(file.names) else [])
    if header.weights and weight == "auto":
        given = np.empty(0, np.int64) if weights is None else weights
        weights = cast_weights(path, given, header.weights)
    own, named = bool(header.labels), labels is not None and labels.dtype == object
    title = file.node_keys.get((label or "").lower().encode(), "")
    said = [str(one) for one in ids.tolist()]
    unused = not own and not named and any(file.names) and file.names != said
    in_nodes = columns_of(path, file.node_rows, vertex_columns, "vertex_columns",
                          header.vertex_columns, strings=file.strings,
                          left_out=() if unused else (title,))  # fmt: skip
    in_edges = columns_of(path, file.edge_rows, edge_columns, "edge_columns", header.edge_columns,
                          strings=file.strings, left_out=(file.weight_key,))  # fmt: skip
    graph = Graph.from_edges(
        sources,
        targets,
        weights,
        directed=file.directed if directed is None else directed,
        num_vertices=len(ids),
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        edge_columns=in_edges,
        vertex_columns=in_order(in_nodes, vertices),
    )
    if self_loops == "keep" and symmetrize != "given":
        tell_repeats(graph, len(sources), weights is not None, duplicates, things="edges")
    return graph if labels is None else graph.with_labels(labels)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph as GML, with integer labels as ids and strings as labels.

    Columns become keys of edges and nodes.

    Examples
    --------
    >>> from io import BytesIO
    >>> graph = Graph.from_edges(["Köln"], ["Bonn"], [28.5], directed=True)
    >>> write(graph, file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    # edgewise vertices: 2 edges: 1 directed: yes weights: float64 labels: str
    graph [
      directed 1
      node [ id 0 label "Bonn" ]
      node [ id 1 label "K&#246;ln" ]
      edge [ source 1 target 0 weight 28.5 ]
    ]
    """
    n, labels = graph.num_vertices, graph.labels
    ids: Any = np.arange(n)
    names = ids
    sources, targets, weights = graph.edges()
    if labels is not None:
        values = label_column(labels)
        if labels.dtype == object:
            names = [escaped(name, _UNFIT) for name in values.to_pylist()]
        else:
            ids = names = values.to_numpy()
            sources, targets = ids[sources], ids[targets]
    in_edges = attributes_of(graph, "edges", "GML files", reserved=_EDGE_KEYS)
    in_nodes = attributes_of(graph, "vertices", "GML files", reserved=_NODE_KEYS)
    file.write(next(header_lines(graph, "#", every=False)))
    if line := columns_line(in_edges, in_nodes):
        file.write(f"# {line}\n".encode())
    file.write(f"graph [\n  directed {int(graph.directed)}\n".encode())
    more = [] if (texts := joined(in_nodes, " ", _quoted)) is None else [texts]
    write_lines(file, n, "  node [ id ", ids, ' label "', names, '"', *more, " ]")
    ends = ["  edge [ source ", sources, " target ", targets]
    more = [] if weights is None else [" weight ", weights]
    more += [] if (texts := joined(in_edges, " ", _quoted)) is None else [texts]
    write_lines(file, len(sources), *ends, *more, " ]")
    file.write(b"]\n")


def _quoted(text: str) -> str:
    return f'"{escaped(text, _UNFIT)}"'

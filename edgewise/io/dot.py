"""DOT, the language of Graphviz (.dot, .gv): graphs as statements about nodes and edges.

A ``digraph`` is directed, a ``graph`` is not; ``a -> b -> {c d}`` is a chain of edges that ends in
a group. The id of a node is its label, an integer if all ids are; ``label="label"`` uses that
attribute. The attribute ``weight`` of an edge, or its default, is the weight. In a ``strict`` graph
a repeated edge replaces the weight. Other attributes become columns if the caller asks for them.
Ports are not read.

An edge in its plain form takes one match of a regular expression; other statements are parsed token
by token.

Format: https://graphviz.org/doc/info/lang.html
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.attributes import attributes_of, columns_line, columns_of, in_order, joined
from edgewise.io.binary import label_column
from edgewise.io.dot_parser import Parser
from edgewise.io.files import read_bytes
from edgewise.io.header import cast_weights, header_lines
from edgewise.io.nodes import (
    check_attribute,
    choose_labels,
    fit_64_bits,
    integer_column,
    write_lines,
)
from edgewise.io.notes import tell_repeats

__all__ = ["read", "write"]

_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}", re.ASCII)


def read(
    path: Path,
    *,
    directed: bool | None = None,
    weight: str | None = "weight",
    label: str | None = None,
    duplicates: str | Mapping[str, str] = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    edge_columns: bool | Sequence[str] = False,
    vertex_columns: bool | Sequence[str] = False,
) -> Graph:
    """Return the first graph in a DOT file.

    Parameters
    ----------
    path : Path
    directed : bool, optional
        Whether edges are directed; by default True for a ``digraph``.
    weight : str or None
        The edge attribute of the weights; an edge without it gets weight 1. The graph is unweighted
        for None, and if no edge has the default ``weight``. Any other attribute must occur.
    label : str or None
        The node attribute of the labels. Ids are the labels for None, and if values are missing or
        not distinct. Ids 0 to n - 1 are not labels but the vertices themselves.
    duplicates, self_loops, symmetrize
        As in `Graph.from_edges`.
    edge_columns, vertex_columns : bool or list of str
        The attributes of edges and nodes to keep as columns, defaults included: all for True.

    Returns
    -------
    Graph
        A graph whose vertices are numbered in the order of their first occurrence in the file.

    Raises
    ------
    FileFormatError
        If the file is malformed; names the line and the reason.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "build.dot"
    ...     _ = path.write_text("digraph { parse -> {types names} -> emit [weight=2] }")
    ...     graph = read(path)
    >>> graph.labels.values.tolist(), graph.num_edges, graph.weights.tolist()
    (['parse', 'types', 'names', 'emit'], 4, [2, 2, 2, 2])
    """
    columns = edge_columns is not False or vertex_columns is not False
    file = Parser(path, read_bytes(path), weight, label, columns)
    file.parse()
    header = file.header
    names, titles = file.texts(file.names), [] if label is None else file.texts(file.labels)
    whole = (
        header.labels != "str"
        and all(map(_WHOLE.fullmatch, names))
        and fit_64_bits([*map(int, names)])
    )
    if header.labels not in ("", "str") and not whole:
        raise FileFormatError(path, "the header promises integers as ids", header.line)
    ids = integer_column(path, [*map(int, names)]) if whole else np.arange(len(names))
    if whole and not header.labels:
        titles = titles if any(titles) else []
    elif not whole:
        titles = titles if None not in titles and len(set(titles)) == len(names) else names
    vertices, labels = choose_labels(path, ids, titles, header)
    if len(names):
        check_attribute(path, "node", label, None, [str(label)] if any(file.labels) else [])
    weights = file.weights()
    if len(file.sources):
        check_attribute(path, "edge", weight, "weight", [] if weights is None else [str(weight)])
    if header.weights and weight == "weight":
        given = np.empty(0, np.int64) if weights is None else weights
        weights = cast_weights(path, given, header.weights)
    in_nodes = columns_of(path, file.rows(file.node_rows), vertex_columns, "vertex_columns",
                          header.vertex_columns, left_out=(label,) if label else ())  # fmt: skip
    left_out = (weight,) if weights is not None and weight else ()
    in_edges = columns_of(path, file.rows(file.edge_rows), edge_columns, "edge_columns",
                          header.edge_columns, left_out=left_out)  # fmt: skip
    graph = Graph.from_edges(
        vertices[np.array(file.sources, np.int64)],
        vertices[np.array(file.targets, np.int64)],
        weights,
        directed=file.directed if directed is None else directed,
        num_vertices=len(names),
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
        edge_columns=in_edges,
        vertex_columns=in_order(in_nodes, vertices),
    )
    if self_loops == "keep" and symmetrize != "given":
        count = len(file.sources)
        tell_repeats(graph, count, weights is not None, duplicates, things="edges")
    return graph if labels is None else graph.with_labels(labels)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph as DOT, with labels as ids, or vertex ids without labels.

    Columns become attributes of edges and nodes.

    Examples
    --------
    >>> from io import BytesIO
    >>> write(Graph.from_edges(["Köln"], ["Bonn"], [28.5], directed=True), file := BytesIO())
    >>> print(file.getvalue().decode().strip())
    // edgewise vertices: 2 edges: 1 directed: yes weights: float64 labels: str
    digraph {
      "Bonn";
      "Köln";
      "Köln" -> "Bonn" [weight=28.5];
    }
    """
    sources, targets, weights = graph.edges()
    ids: Any = np.arange(graph.num_vertices)
    mark = ""
    if graph.labels is not None:
        ids = label_column(graph.labels)
        if graph.labels.dtype == object:
            ids, mark = np.array([_escaped(one) for one in ids.to_pylist()], object), '"'
        else:
            ids = ids.to_numpy()
    in_edges = attributes_of(graph, "edges", "DOT files", reserved=("weight",), words=None)
    in_nodes = attributes_of(graph, "vertices", "DOT files", words=None)
    file.write(next(header_lines(graph, "//", every=False)))
    if line := columns_line(in_edges, in_nodes):
        file.write(f"// {line}\n".encode())
    file.write(b"digraph {\n" if graph.directed else b"graph {\n")
    texts = _attributes(in_nodes)
    more = [f"{mark};"] if texts is None else [f"{mark} [", texts, " ];"]
    write_lines(file, len(ids), f"  {mark}", ids, *more)
    arrow = f"{mark} -> {mark}" if graph.directed else f"{mark} -- {mark}"
    texts = _attributes(in_edges)
    if texts is not None:
        more = [f"{mark} [", *([] if weights is None else ["weight=", weights]), texts, " ];"]
    else:
        more = [f"{mark};"] if weights is None else [f"{mark} [weight=", weights, "];"]
    write_lines(file, len(sources), f"  {mark}", ids[sources], arrow, ids[targets], *more)
    file.write(b"}\n")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _attributes(found: list[Any]) -> Any:
    """The attributes of each node or edge as text, each behind a blank; None if there are none."""
    quoted = [one._replace(key=f'"{_escaped(one.key)}"') for one in found]
    return joined(quoted, "=", lambda text: f'"{_escaped(text)}"', quote_numbers=True)

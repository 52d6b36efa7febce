"""DOT, the language of Graphviz (.dot, .gv): graphs as statements about nodes and edges.

A ``digraph`` is directed, a ``graph`` is not; ``a -> b -> {c d}`` is a chain of edges that ends in
a group. The id of a node is its label, an integer if all ids are; ``label="label"`` uses that
attribute. The attribute ``weight`` of an edge, or its default, is the weight. In a ``strict`` graph
a repeated edge replaces the weight. Ports and other attributes are not read.

An edge in its plain form takes one match of a regular expression; other statements are parsed token
by token.

Format: https://graphviz.org/doc/info/lang.html
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.io.binary import label_column
from edgewise.io.dot_tokens import NUMERAL, WORD, Tokens
from edgewise.io.files import read_bytes
from edgewise.io.header import Header, cast_weights, header_lines, parse_header
from edgewise.io.nodes import (
    attribute_key,
    check_attribute,
    choose_labels,
    fit_64_bits,
    integer_column,
    tell_unread_attributes,
    weight_column,
    write_lines,
)
from edgewise.io.notes import note, tell_repeats
from edgewise.io.text import lines, not_utf8, shown, text_start

__all__ = ["read", "write"]

_REAL = rb"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf|nan)"
_ID = rb'(?:"([^"\\]*+)"|(' + WORD + rb"|" + NUMERAL + rb"))"
_EDGE = re.compile(
    rb"\s*+" + _ID + rb"\s*+(--|->)\s*+" + _ID + rb"\s*+"
    rb'(?:\[\s*+weight\s*+=\s*+("?)(' + _REAL + rb')\6\s*+\]\s*+)?(?:;|(?=[\w"}]))',
    re.I,
)
_NUMBER = re.compile(_REAL, re.I)
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,19}", re.ASCII)
_KEYWORDS = (b"graph", b"digraph", b"subgraph", b"node", b"edge", b"strict")
#: Attributes of edges that are numbers and say how to draw.
_DRAWING = {
    "arrowsize", "fontsize", "headclip", "id", "labelangle", "labeldistance", "labelfontsize",
    "layer", "minlen", "nojustify", "penwidth", "showboxes", "tailclip",
}  # fmt: skip
_DEEPEST = 1000  # groups in groups
_LEAST_WORK, _WORK = 1 << 22, 64  # edges between groups and members, at least and for each byte


def read(
    path: Path,
    *,
    directed: bool | None = None,
    weight: str | None = "weight",
    label: str | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
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
    file = _Parser(path, read_bytes(path), weight, label)
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
    graph = Graph.from_edges(
        vertices[np.array(file.sources, np.int64)],
        vertices[np.array(file.targets, np.int64)],
        weights,
        directed=file.directed if directed is None else directed,
        num_vertices=len(names),
        duplicates=duplicates,
        self_loops=self_loops,
        symmetrize=symmetrize,
    )
    if self_loops == "keep" and symmetrize != "given":
        count = len(file.sources)
        tell_repeats(graph, count, weights is not None, duplicates, things="edges")
    return graph if labels is None else graph.with_labels(labels)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph as DOT, with labels as ids, or vertex ids without labels.

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
            texts = (one.replace("\\", "\\\\").replace('"', '\\"') for one in ids.to_pylist())
            ids, mark = np.array([*texts], object), '"'
        else:
            ids = ids.to_numpy()
    file.write(next(header_lines(graph, "//", every=False)))
    file.write(b"digraph {\n" if graph.directed else b"graph {\n")
    write_lines(file, len(ids), f"  {mark}", ids, f"{mark};")
    arrow = f"{mark} -> {mark}" if graph.directed else f"{mark} -- {mark}"
    more = [f"{mark};"] if weights is None else [f"{mark} [weight=", weights, "];"]
    write_lines(file, len(sources), f"  {mark}", ids[sources], arrow, ids[targets], *more)
    file.write(b"}\n")


class _Scope:
    """What stands between braces: its nodes, its defaults, and the statement that is open."""

    def __init__(self, outer: _Scope | None, nodes: dict[int, None]):
        self.outer, self.nodes = outer, nodes
        self.edge: dict[bytes, bytes] = {} if outer is None else dict(outer.edge)
        self.node: dict[bytes, bytes] = {} if outer is None else dict(outer.node)
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.chain: list[list[int]] = []  # the ends of a chain of edges, each a group of nodes
        self.given: dict[bytes, bytes] | None = None  # the attributes of the statement
        self.wanted = False  # is an operator, or a comma, without what follows it?


class _Parser(Tokens):
    """Takes a file apart: names and labels of nodes, ends and weights of edges."""

    def __init__(self, path: Path, data: np.ndarray, weight: str | None, label: str | None):
        super().__init__(path, data)
        self.header, self.directed, self.strict = Header(), False, False
        self.names: dict[bytes, int] = {}
        self.labels: list[bytes | None] = []
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.values: list[bytes | None] = []
        self.unread: dict[str, bool] = {}
        self.groups: dict[bytes, dict[int, None]] = {}
        self.work = 0
        self.weight, self.label = attribute_key(weight), attribute_key(label)

    def parse(self) -> None:
        """The first graph in the file."""
        pos = text_start(self.data)
        above = itertools.takewhile(lambda one: one.content[:2] == b"//", lines(self.data, pos))
        comments = (line._replace(content=line.content[2:].lstrip()) for line in above)
        self.header = parse_header(self.path, comments)
        self.own = bool(self.header.labels)
        kind, word, at, pos = self.token(pos)
        if kind == "word" and word.lower() == b"strict":
            self.strict = True
            kind, word, at, pos = self.token(pos)
        if kind != "word" or word.lower() not in (b"graph", b"digraph"):
            self.expect("graph or digraph", at)
        self.directed = word.lower() == b"digraph"
        kind, word, at, pos = self.token(pos)
        if kind in ("word", "id"):
            kind, word, at, pos = self.token(self.joined(kind, word, pos)[1])
        if word != b"{" or kind != "mark":
            self.expect("{", at)
        pos = self.statements(pos)
        if self.token(pos)[0] != "end":
            note("graphs", "what follows the first graph was not read")
        found, header = (len(self.names), len(self.sources)), self.header
        if header.labels and found != (header.num_vertices, header.num_edges):
            reason = f"the header promises {header.num_vertices} nodes and {header.num_edges} edges"
            reason += f", but there are {found[0]} and {found[1]}"
            raise FileFormatError(self.path, reason, header.line)
        if self.weight == b"weight" and not any(self.values):
            numeric = [name for name, number in self.unread.items() if number]
            tell_unread_attributes([name for name in numeric if name not in _DRAWING])

    def statements(self, pos: int) -> int:
        """All statements of the graph whose text starts at ``pos``; the position after it."""
        scope = _Scope(None, {})
        plain = _EDGE.match if self.weight == b"weight" else re.compile(b"(?!)").match
        arrow = b"->" if self.directed else b"--"
        while True:
            if not scope.chain and (found := plain(self.text, pos)) and found[3] == arrow:
                first, second = found[1] or found[2] or b"", found[4] or found[5] or b""
                if first.lower() not in _KEYWORDS and second.lower() not in _KEYWORDS:
                    ends = self.node(scope, first), self.node(scope, second)
                    self.edge(*ends, found[7] or scope.edge.get(b"weight"), pos)
                    pos = found.end()
                    continue
            kind, word, at, pos = self.token(pos)
            if kind == "end":
                self.refuse("the file ends before the last }", None)
            if kind != "mark":
                scope, pos = self.word(scope, kind, word, at, pos)
            elif word == b"}":
                self.finish(scope, at)
                if scope.outer is None:
                    return pos
                nodes, scope = scope.nodes, scope.outer
                self.spend(len(nodes), at)
                scope.nodes.update(nodes)
                self.operand(scope, [*nodes], at)
            elif word == b"{":
                scope = self.open(scope, {}, at)
            elif word == b"[":
                given, pos = self.attributes(pos)
                if not scope.chain or scope.wanted:
                    self.expect("a node", at)
                scope.given = {**(scope.given or {}), **given}
            elif word == b";":
                self.finish(scope, at)
            elif word in (b"--", b"->", b","):
                if word not in (b",", arrow):
                    kind = "digraph" if self.directed else "graph"
                    self.refuse(f"a {kind} has edges {arrow.decode()}, got {word.decode()}", at)
                if not scope.chain or scope.wanted or scope.given is not None:
                    self.expect("a node", at)
                if word != b",":
                    scope.chain.append([])
                scope.wanted = True
            else:
                self.expect("a statement", at)

    def word(self, scope: _Scope, kind: str, word: bytes, at: int, pos: int) -> tuple[_Scope, int]:
        """A statement, or a part of one, that starts with a word or an id."""
        key = word.lower() if kind == "word" else b""
        if key == b"subgraph":
            kind, name, _, after = self.token(pos)
            nodes: dict[int, None] = {}
            if kind in ("word", "id"):
                name, pos = self.joined(kind, name, after)
                nodes = self.groups.setdefault(name, nodes)
            kind, mark, _, after = self.token(pos)
            if (kind, mark) == ("mark", b"{"):
                return self.open(scope, nodes, at), after
            self.spend(len(nodes), at)
            self.operand(scope, [*nodes], at)
            return scope, pos
        if key in (b"graph", b"node", b"edge"):
            self.finish(scope, at)
            _, mark, begin, pos = self.token(pos)
            if mark != b"[":
                self.expect("[", begin)
            given, pos = self.attributes(pos)
            if key != b"graph":
                (scope.node if key == b"node" else scope.edge).update(given)
            return scope, pos
        if key in _KEYWORDS:
            self.expect("a statement", at)
        name, pos = self.joined(kind, word, pos)
        kind, mark, _, after = self.token(pos)
        if (kind, mark) == ("mark", b"=") and not scope.wanted:  # an attribute of the graph
            self.finish(scope, at)
            return scope, self.id(after, "a value")[1]
        while (kind, mark) == ("mark", b":"):  # a port
            pos = self.id(after, "a port")[1]
            kind, mark, _, after = self.token(pos)
        self.operand(scope, [self.node(scope, name)], at)
        return scope, pos

    def open(self, scope: _Scope, nodes: dict[int, None], at: int) -> _Scope:
        if scope.depth >= _DEEPEST:
            self.refuse(f"groups in groups, more than {_DEEPEST:,} deep", at)
        return _Scope(scope, nodes)

    def operand(self, scope: _Scope, nodes: list[int], at: int) -> None:
        """A node or a group: the next end of a chain, or the start of a statement."""
        if not scope.wanted:
            self.finish(scope, at)
            scope.chain.append([])
        scope.chain[-1] += nodes
        scope.wanted = False

    def finish(self, scope: _Scope, at: int) -> None:
        """The edges or the label that a statement, which ends at ``at``, gives."""
        if scope.wanted:
            self.expect("a node", at)
        given = scope.given or {}
        attributes = {**scope.edge, **given} if len(scope.chain) > 1 else given
        for left, right in itertools.pairwise(scope.chain):
            self.spend(len(left) * len(right), at)
            value = attributes.get(self.weight) if self.weight is not None else None
            for u, v in itertools.product(left, right):
                self.edge(u, v, value, at)
        if len(scope.chain) > 1:
            for name, value in attributes.items():
                title, number = name.decode("utf-8", "replace"), _NUMBER.fullmatch(value)
                self.unread[title] = self.unread.get(title, True) and number is not None
        elif self.label is not None and self.label in given:
            for u in scope.chain[0]:
                self.labels[u] = given[self.label]
        scope.chain, scope.given = [], None

    def node(self, scope: _Scope, name: bytes) -> int:
        u = self.names.setdefault(name, len(self.names))
        if u == len(self.labels):
            self.labels.append(None if self.label is None else scope.node.get(self.label))
        scope.nodes[u] = None
        return u

    def edge(self, u: int, v: int, value: bytes | None, at: int) -> None:
        if value is not None and not _NUMBER.fullmatch(value):
            self.refuse(f"{(self.weight or b'').decode()} must be a number, got {shown(value)}", at)
        self.sources.append(u)
        self.targets.append(v)
        self.values.append(value)

    def weights(self) -> np.ndarray | None:
        """Those of all edges, once a strict graph has each edge once."""
        if self.strict:
            last: dict[tuple[int, int], bytes | None] = {}
            for u, v, value in zip(self.sources, self.targets, self.values, strict=True):
                ends = (u, v) if self.directed or u <= v else (v, u)
                last[ends] = last.get(ends) if value is None else value
            self.sources, self.targets = [u for u, _ in last], [v for _, v in last]
            self.values = [*last.values()]
        if all(value is None for value in self.values):
            return None
        return weight_column(self.path, [value or b"1" for value in self.values])

    def texts(self, names: Any) -> list[Any]:
        try:
            return [None if name is None else name.decode() for name in names]
        except UnicodeDecodeError:
            raise not_utf8(self.path, self.data) from None

    def spend(self, count: int, at: int) -> None:
        """Refuse a small file that makes a great many edges out of groups."""
        self.work += count
        if self.work > max(_LEAST_WORK, _WORK * len(self.data)):
            self.refuse(f"groups give more than {_WORK} edges for each byte of the file", at)

"""The statements of DOT: nodes and edges with their attributes. See `edgewise.io.dot`."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.io.dot_tokens import NUMERAL, WORD, Tokens
from edgewise.io.header import Header, parse_header
from edgewise.io.nodes import attribute_key, tell_unread_attributes, weight_column
from edgewise.io.notes import note
from edgewise.io.text import lines, not_utf8, shown, text_start

__all__ = ["Parser"]

_REAL = rb"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf|nan)"
_ID = rb'(?:"([^"\\]*+)"|(' + WORD + rb"|" + NUMERAL + rb"))"
_EDGE = re.compile(
    rb"\s*+" + _ID + rb"\s*+(--|->)\s*+" + _ID + rb"\s*+"
    rb'(?:\[\s*+weight\s*+=\s*+("?)(' + _REAL + rb')\6\s*+\]\s*+)?(?:;|(?=[\w"}]))',
    re.I,
)
_NUMBER = re.compile(_REAL, re.I)
_KEYWORDS = (b"graph", b"digraph", b"subgraph", b"node", b"edge", b"strict")
#: Attributes of edges that are numbers and say how to draw.
_DRAWING = {
    "arrowsize", "fontsize", "headclip", "id", "labelangle", "labeldistance", "labelfontsize",
    "layer", "minlen", "nojustify", "penwidth", "showboxes", "tailclip",
}  # fmt: skip
_DEEPEST = 1000  # groups in groups
_LEAST_WORK, _WORK = 1 << 22, 64  # edges between groups and members, at least and for each byte


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


class Parser(Tokens):
    """Takes a file apart: names and labels of nodes, ends and weights of edges.

    With ``columns``, ``node_rows`` and ``edge_rows`` have all attributes of each.
    """

    def __init__(
        self, path: Path, data: np.ndarray, weight: str | None, label: str | None,
        columns: bool = False,
    ):  # fmt: skip
        super().__init__(path, data)
        self.columns = columns
        self.node_rows: list[dict[bytes, bytes]] = []
        self.edge_rows: list[dict[bytes, bytes]] = []
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
                    value = found[7] or scope.edge.get(b"weight")
                    self.edge(*ends, value, pos, scope.edge)
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
                self.edge(u, v, value, at, attributes)
        if len(scope.chain) > 1:
            for name, value in attributes.items():
                title, number = name.decode("utf-8", "replace"), _NUMBER.fullmatch(value)
                self.unread[title] = self.unread.get(title, True) and number is not None
        elif given:
            for u in scope.chain[0]:
                if self.label is not None and self.label in given:
                    self.labels[u] = given[self.label]
                if self.columns:
                    self.node_rows[u].update(given)
        scope.chain, scope.given = [], None

    def node(self, scope: _Scope, name: bytes) -> int:
        u = self.names.setdefault(name, len(self.names))
        if u == len(self.labels):
            self.labels.append(None if self.label is None else scope.node.get(self.label))
            if self.columns:
                self.node_rows.append(dict(scope.node))
        scope.nodes[u] = None
        return u

    def edge(self, u: int, v: int, value: bytes | None, at: int, given: dict) -> None:
        if value is not None and not _NUMBER.fullmatch(value):
            self.refuse(f"{(self.weight or b'').decode()} must be a number, got {shown(value)}", at)
        self.sources.append(u)
        self.targets.append(v)
        self.values.append(value)
        if self.columns:
            self.edge_rows.append(given)

    def weights(self) -> np.ndarray | None:
        """Those of all edges, once a strict graph has each edge once."""
        if self.strict:
            last: dict[tuple[int, int], bytes | None] = {}
            rows: dict[tuple[int, int], dict[bytes, bytes]] = {}
            given = self.edge_rows or [{}] * len(self.sources)
            for u, v, value, row in zip(
                self.sources, self.targets, self.values, given, strict=True
            ):
                ends = (u, v) if self.directed or u <= v else (v, u)
                last[ends] = last.get(ends) if value is None else value
                rows[ends] = {**rows.get(ends, {}), **row} if row else rows.get(ends, {})
            self.sources, self.targets = [u for u, _ in last], [v for _, v in last]
            self.values, self.edge_rows = [*last.values()], [*rows.values()]
        if all(value is None for value in self.values):
            return None
        return weight_column(self.path, [value or b"1" for value in self.values])

    def rows(self, rows: list[dict[bytes, bytes]]) -> list[dict[str, str]]:
        """Attributes as text."""
        keys = {key: self.texts([key])[0] for row in rows for key in row}
        return [
            {keys[key]: one for key, one in zip(row, self.texts(row.values()), strict=True)}
            for row in rows
        ]

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

"""The text of GML, taken apart: nodes and edges with their keys. See `edgewise.io.gml`."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.io.header import Header, parse_header
from edgewise.io.nodes import attribute_key, tell_unread_attributes, unescaped, weight_column
from edgewise.io.notes import note
from edgewise.io.text import lines, shown, text_start

__all__ = ["Parser"]

_GAP = rb"(?:\s++|#[^\n]*+)*+"
_PAIR = re.compile(
    _GAP + rb"(?:([a-z_]\w*+)" + _GAP + rb'(?:(\[)|"([^"]*)"|([-+.\w]+))|(\])|(\Z))', re.I
)
_NUMBER = rb"[-+]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf|nan)"
_EDGE = re.compile(
    rb"\s*edge\s*\[\s*source\s+([0-9]{1,18})\s+target\s+([0-9]{1,18})\s*"
    rb"(?:(weight|value)\s+(" + _NUMBER + rb")\s*)?\]",
    re.I,
)
_NODE = re.compile(rb'\s*node\s*\[\s*id\s+([0-9]{1,18})\s*(?:label\s+"([^"]*)"\s*)?\]', re.I)
_WHOLE, _REAL = re.compile(rb"[-+]?[0-9]{1,20}"), re.compile(_NUMBER, re.I)
_WEIGHTS = (b"weight", b"value")
_NO_WEIGHTS = ("id", "key", "source", "target")

_DEEPEST = 1 << 17  # lists in lists
_NAMED = 8  # of these, the keys are read


class Parser:
    """Takes a file apart: ids and names of nodes, ends and weights of edges.

    With ``columns``, ``node_rows`` and ``edge_rows`` have the other keys of each with their values.
    ``strings`` are keys whose values stand in quotes.
    """

    def __init__(
        self, path: Path, data: np.ndarray, weight: str | None, label: str | None,
        columns: bool = False,
    ):  # fmt: skip
        self.columns = columns
        self.node_rows: list[dict[str, str]] = []
        self.edge_rows: list[dict[str, str]] = []
        self.strings: set[str] = set()
        self.node_keys: dict[bytes, str] = {}  # as they stand in the file
        self.edge_keys: dict[bytes, str] = {}
        self.weight_key = ""
        self.path, self.data, self.text = path, data, data.data
        self.header = Header()
        self.directed = False
        self.ids: list[int] = []
        self.names: list[str | None] = []
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.places: list[int] = []  # where each edge stands
        key = (attribute_key(weight) or b"").lower()
        keys = _WEIGHTS if weight == "auto" else () if weight is None else (key,)
        self.values: dict[bytes, list[bytes | None]] = {key: [] for key in keys}
        self.label = (attribute_key(label) or b"").lower()
        self.unread: dict[str, bool] = {}  # other keys of edges, and whether they are numbers

    def parse(self) -> None:
        """The first graph in the file."""
        pos = text_start(self.data)
        above = itertools.takewhile(lambda one: one.content[:1] == b"#", lines(self.data, pos))
        comments = (line._replace(content=line.content[1:].lstrip()) for line in above)
        self.header = parse_header(self.path, comments)
        while True:
            key, value, nested, pos = self.pair(pos)
            if key is None:
                self.refuse("there is no 'graph [ ... ]' in the file", pos if value else None)
            if key == b"graph" and nested:
                break
            pos = self.skip(pos) if nested else pos
        pos = self.elements(pos)
        while (after := _PAIR.match(self.text, pos)) and after[1]:
            if after[1].lower() == b"graph" and after[2]:
                note("graphs", "what follows the first graph was not read")
                break
            pos = self.skip(after.end()) if after[2] else after.end()
        self.check()

    def elements(self, pos: int) -> int:
        """All nodes and edges of the graph whose list starts at ``pos``; the position after it."""
        never = re.compile(b"(?!)")
        plain = not self.columns
        edge = (_EDGE if plain and (*self.values,) == _WEIGHTS else never).match
        node = (_NODE if plain and self.label == b"label" else never).match
        while True:
            if found := edge(self.text, pos):
                source, target, kind, value = found.groups()
                self.places.append(pos)
                self.sources.append(int(source))
                self.targets.append(int(target))
                for key, column in self.values.items():
                    column.append(value if kind is not None and kind.lower() == key else None)
                pos = found.end()
            elif found := node(self.text, pos):
                self.ids.append(int(found[1]))
                self.names.append(self.name(found[2]))
                pos = found.end()
            else:
                at = pos
                name, value, nested, pos = self.pair(pos)
                if name is None and value is None:
                    self.refuse("the file ends before the graph's last ]", None)
                if name is None:
                    return pos
                pos = self.element(name, value, nested, at, pos)

    def element(self, key: bytes, value: bytes, nested: bool, at: int, pos: int) -> int:
        """A node, an edge, or something else that stands at ``at``; the position after it."""
        if key == b"directed" and not nested:
            if value not in (b"0", b"1"):
                self.refuse(f"directed must be 0 or 1, got {shown(value)}", at)
            self.directed = value == b"1"
        if not nested:
            return pos
        if key not in (b"node", b"edge"):
            return self.skip(pos)
        spelled = self.node_keys if key == b"node" else self.edge_keys
        fields, pos = self.block(pos, spelled)
        if key == b"node":
            self.ids.append(self.whole(fields, b"id", "a node", at))
            self.names.append(self.name(fields.get(self.label, (None,))[0]))
            self.keep(self.node_rows, spelled, fields, (b"id",))
        else:
            self.keep(self.edge_rows, spelled, fields, (b"source", b"target"))
            self.places.append(at)
            self.sources.append(self.whole(fields, b"source", "an edge", at))
            self.targets.append(self.whole(fields, b"target", "an edge", at))
            for name, column in self.values.items():
                column.append(self.real(fields, name))
            for name, (text, _) in fields.items():
                if b"." in name:  # in a list
                    continue
                title = name.decode("utf-8", "replace")
                numbers = self.unread.get(title, title not in _NO_WEIGHTS)
                self.unread[title] = numbers and _REAL.fullmatch(text) is not None
        return pos

    def keep(
        self, rows: list[dict[str, str]], spelled: dict[bytes, str], fields: dict,
        known: tuple[bytes, ...],
    ) -> None:  # fmt: skip
        """Keep the other keys of a node or an edge, if columns are wanted."""
        if self.columns:
            there = {key: one for key, (one, _) in fields.items() if key not in known}
            rows.append({spelled[key]: self.name(one, "value") or ""
                         for key, one in there.items()})  # fmt: skip

    def weights(self) -> np.ndarray | None:
        """Those of the first key that an edge has."""
        for key, column in self.values.items():
            if any(value is not None for value in column):
                self.weight_key = self.edge_keys.get(key, "")
                return weight_column(self.path, [value or b"1" for value in column])
        if (*self.values,) == _WEIGHTS:
            tell_unread_attributes([name for name, number in self.unread.items() if number])
        return None

    def pair(self, pos: int) -> tuple[bytes | None, Any, bool, int]:
        """The next key and value, whether the value is a list, and the position after.

        There is no key at the end of a list, where the value is its bracket, or of the file.
        """
        found = _PAIR.match(self.text, pos)
        if not found:
            gap = re.compile(_GAP).match(self.text, pos)
            at = gap.end() if gap else pos
            token = bytes(self.data[at : at + 40]).split(b"\n")[0]
            self.refuse(f"expected a key and its value, got {shown(token)}", at)
        key, nested, quoted, plain, closing, _ = found.groups()
        if key is None:
            return None, closing, False, found.end()
        value = quoted if plain is None else plain
        return key.lower(), value, nested is not None, found.end()

    def block(
        self, pos: int, spelled: dict[bytes, str]
    ) -> tuple[dict[bytes, tuple[bytes, int]], int]:
        """The keys of a list that starts at ``pos``, each with its value and where it stands.

        Where columns are wanted, a key in a list has the name of the list before it: graphics.x.
        """
        fields: dict[bytes, tuple[bytes, int]] = {}
        begin, inside = pos, ""
        while True:
            at = pos
            key, value, nested, pos = self.pair(pos)
            if key is None:
                if value is None:
                    self.refuse("the file ends inside this list", begin)
                if not inside:
                    return fields, pos
                inside = inside[: inside.rfind(".", 0, -1) + 1]
            elif nested and self.columns and inside.count(".") < _NAMED:
                inside += f"{self.raw(key, at)}."
            elif nested:
                pos = self.skip(pos)
            else:
                name = inside.lower().encode() + key
                fields.setdefault(name, (value, at))
                if self.columns:
                    spelled.setdefault(name, inside + self.raw(key, at))
                    if self.data[pos - 1] == 34:  # its value ends in a quote
                        self.strings.add(spelled[name])

    def raw(self, key: bytes, at: int) -> str:
        """A key as it stands in the file."""
        found = _PAIR.match(self.text, at)
        return (key if found is None else found[1]).decode("utf-8", "replace")

    def skip(self, pos: int) -> int:
        """The position after a list that starts at ``pos``."""
        depth, begin = 1, pos
        while depth:
            key, value, nested, pos = self.pair(pos)
            if key is None and value is None:
                self.refuse("the file ends inside this list", begin)
            depth += nested - (key is None)
            if depth > _DEEPEST:
                self.refuse(f"lists in lists, more than {_DEEPEST:,} deep", begin)
        return pos

    def whole(self, fields: dict, key: bytes, owner: str, at: int) -> int:
        if key not in fields:
            self.refuse(f"{owner} has no {key.decode()}", at)
        value, at = fields[key]
        if not _WHOLE.fullmatch(value) or not -(2**63) <= int(value) < 2**64:
            self.refuse(f"{key.decode()} must be a whole number of 64 bits, got {shown(value)}", at)
        return int(value)

    def real(self, fields: dict, key: bytes) -> bytes | None:
        value, at = fields.get(key, (None, 0))
        if value is not None and not _REAL.fullmatch(value):
            self.refuse(f"{key.decode()} must be a number, got {shown(value)}", at)
        return value

    def name(self, raw: bytes | None, what: str = "label") -> str | None:
        if raw is None:
            return None
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            reason = f"{what} {shown(raw)} is not UTF-8 text: {error.reason}"
            raise FileFormatError(self.path, reason) from None
        return unescaped(text)

    def check(self) -> None:
        """That ids are distinct, edges end at nodes, and there are as many as the header says."""
        known = set(self.ids)
        if len(known) < len(self.ids):
            counts = Counter(self.ids)
            self.refuse(f"two nodes have the id {max(counts, key=counts.__getitem__)}", None)
        for column in (self.sources, self.targets):
            if not known.issuperset(column):
                k = next(k for k, end in enumerate(column) if end not in known)
                self.refuse(f"an edge ends at {column[k]}, which is no node", self.places[k])
        found, header = (len(self.ids), len(self.sources)), self.header
        if header.labels and found != (header.num_vertices, header.num_edges):
            reason = f"the header promises {header.num_vertices} nodes and {header.num_edges} edges"
            reason += f", but there are {found[0]} and {found[1]}"
            raise FileFormatError(self.path, reason, header.line)

    def refuse(self, reason: str, pos: int | None) -> NoReturn:
        """An error on the line where the ink after ``pos`` is; the file's last line for None."""
        if pos is None:
            pos = len(self.data)
        while pos < len(self.data) and self.data[pos] in b" \t\r\n":
            pos += 1
        raise FileFormatError(self.path, reason, int(np.count_nonzero(self.data[:pos] == 10)) + 1)

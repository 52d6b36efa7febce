"""The tokens of DOT: ids, marks, and lists of attributes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.io.text import shown

__all__ = ["NUMERAL", "WORD", "Tokens"]

_GAP = rb"(?:\s++|//[^\n]*+|/\*(?s:.*?)\*/|(?m:^)#[^\n]*+)*+"
NUMERAL = rb"-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?+)(?![\w.\x80-\xff])"
WORD = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_TOKEN = re.compile(
    _GAP + rb"(?:(->|--|[][{};,=:+])|(" + WORD + rb")|(" + NUMERAL + rb')|"((?:[^"\\]|\\(?s:.))*+)"'
    rb"|(<)|(\Z))"
)
_BRACKET, _ESCAPED = re.compile(rb"[<>]"), re.compile(rb"\\(\r?\n|.)", re.S)


class Tokens:
    """A text that is taken apart from positions on; errors say the line."""

    def __init__(self, path: Path, data: np.ndarray):
        self.path, self.data, self.text = path, data, data.data
        self.own = False  # is this a file of ours?

    def attributes(self, pos: int) -> tuple[dict[bytes, bytes], int]:
        """The attributes in brackets, the first of which is behind ``pos``."""
        found: dict[bytes, bytes] = {}
        while True:
            kind, word, at, after = self.token(pos)
            if (kind, word) == ("mark", b"]"):
                return found, after
            if kind == "mark" and word in (b";", b","):
                pos = after
                continue
            if kind == "end":
                self.refuse("the file ends before the last ]", None)
            name, pos = self.id(pos, "an attribute or ]")
            kind, word, at, after = self.token(pos)
            value = b"true"
            if (kind, word) == ("mark", b"="):
                value, pos = self.id(after, "a value")
            found[name] = value

    def id(self, pos: int, wanted: str) -> tuple[bytes, int]:
        """The id at ``pos`` and the position after it."""
        kind, word, at, after = self.token(pos)
        if kind not in ("word", "id"):
            self.expect(wanted, at)
        return self.joined(kind, word, after)

    def joined(self, kind: str, word: bytes, pos: int) -> tuple[bytes, int]:
        """An id with the quoted parts that a + adds to it."""
        parts = [word]
        while kind == "id" and (after := self.token(pos))[:2] == ("mark", b"+"):
            kind, word, at, pos = self.token(after[3])
            if kind != "id":
                self.expect("a quoted string", at)
            parts.append(word)
        return b"".join(parts), pos

    def token(self, pos: int) -> tuple[str, bytes, int, int]:
        """The next token: its kind (mark, word, id, end), its text, where it starts and ends."""
        found = _TOKEN.match(self.text, pos)
        if not found:
            gap = re.compile(_GAP).match(self.text, pos)
            self.expect("a statement", gap.end() if gap else pos)
        mark, word, numeral, quoted, html, _ = found.groups()
        at, end = found.start(found.lastindex or 0), found.end()
        if mark is not None:
            return "mark", mark, at, end
        if word is not None:
            return "word", word, at, end
        if numeral is not None:
            return "id", numeral, at, end
        if quoted is not None:
            return "id", _ESCAPED.sub(self.escape, quoted) if b"\\" in quoted else quoted, at, end
        if html is None:
            return "end", b"", end, end
        depth, end = 1, at + 1
        while depth:
            bracket = _BRACKET.search(self.text, end)
            if bracket is None:
                self.refuse("the file ends before the last >", at)
            depth, end = depth + (1 if bracket[0] == b"<" else -1), bracket.end()
        return "id", bytes(self.data[at:end]), at, end

    def escape(self, found: re.Match) -> bytes:
        """What a backslash and a character stand for: as Graphviz has it, more in our own files."""
        after = found[1]
        if after.endswith(b"\n"):
            return b""
        return after if after == b'"' or (after == b"\\" and self.own) else found[0]

    def expect(self, wanted: str, at: int) -> NoReturn:
        token = bytes(self.data[at : at + 40]).split(b"\n")[0]
        self.refuse(f"expected {wanted}, got {shown(token) if token else 'the end'}", at)

    def refuse(self, reason: str, pos: int | None) -> NoReturn:
        end = len(self.data) if pos is None else pos
        line = int(np.count_nonzero(self.data[:end] == 10)) + 1
        raise FileFormatError(self.path, reason, line)

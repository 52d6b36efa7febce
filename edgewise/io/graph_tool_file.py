"""The bytes of graph-tool's files: adjacency and property maps. See `edgewise.io.graph_tool`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.errors import FileFormatError
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.graph.labels import Labels
from edgewise.io.header import Header, parse_header
from edgewise.io.text import Line, shown

__all__ = ["FIXED", "MARK", "OBJECT", "STRING", "File", "PropertyMap", "interleaved", "width"]

MARK = "⛾ gt".encode()
_EDGE = 2
#: The types of values by their numbers: those of fixed size, then strings, vectors, objects.
FIXED = ("u1", "i2", "i4", "i8", "f8", "long double")
STRING, _VECTOR, _VECTOR_OF_STRINGS, OBJECT = 6, 7, 13, 14
_SIZES = (1, 2, 4, 8, 8, 16)
_KEPT = {"u1": np.int32, "i2": np.int32, "i4": np.int32, "i8": np.int64, "f8": np.float64}
_LABELS = ("label", "name", "_graphml_vertex_id")


class PropertyMap(NamedTuple):
    """A property map: the number of its type and where its values start, and their lengths."""

    kind: int
    at: int
    lengths: np.ndarray | None


class File:
    """The bytes of a file, read from its start on."""

    def __init__(self, path: Path, data: np.ndarray):
        self.path, self.data = path, data
        if bytes(data[:6]) != MARK:
            raise FileFormatError(path, f"not a file of graph-tool: it starts with {data[:6]!r}")
        self.pos, self.big = 6, False
        version, order = self.byte("version", 1), self.byte("byte order")
        if version == 0:
            raise FileFormatError(path, "version 0 of the format is not known, only 1")
        self.big = order == 1
        comment = self.text()
        lines = (Line(1, 0, 0, part) for part in comment.split(b"\n"))
        self.header: Header = parse_header(path, lines)
        self.used_label: str | None = None  # the map whose values are the labels

    def take(self, size: int) -> np.ndarray:
        """The next bytes."""
        if size > len(self.data) - self.pos:
            reason = f"truncated: {size} bytes are declared at {self.pos} of {len(self.data)}"
            raise FileFormatError(self.path, reason)
        self.pos += size
        return self.data[self.pos - size : self.pos]

    def byte(self, name: str, most: int = 1) -> int:
        value = int(self.take(1)[0])
        if value > most:
            raise FileFormatError(self.path, f"the {name} must be at most {most}, got {value}")
        return value

    def count(self) -> int:
        return int.from_bytes(self.take(8).tobytes(), "big" if self.big else "little")

    def text(self) -> bytes:
        return self.take(self.count()).tobytes()

    def lists(self, count: int, unit: int) -> np.ndarray:
        """The lengths of the next lists, whose items have ``unit`` bytes; they are passed over."""
        if count > (len(self.data) - self.pos) // 8:
            raise FileFormatError(self.path, f"truncated: {count} lists are declared")
        lengths, end = np.zeros(count, np.int64), np.array([self.pos])
        launch(_walk, self.data, unit, self.big, lengths, end, work=1)
        if end[0] < 0:
            raise FileFormatError(self.path, f"truncated: list {-end[0] - 1} has no end")
        self.pos = int(end[0])
        return lengths

    def adjacency(self) -> tuple[bool, np.ndarray, np.ndarray]:
        """Whether directed, the number of neighbors of each vertex, and all of these."""
        directed, n = self.byte("direction") == 1, self.count()
        start, unit = (self.pos, width(min(n, 1 << 64)))
        degrees = self.lists(n, unit)
        part = self.data[start : self.pos]
        raw = part[_inside(degrees, unit, len(part))]
        targets = raw.view(f"{self.order}u{unit}")
        if len(targets) and int(targets.max()) >= n:
            arc = int((targets >= n).argmax())
            reason = f"arc {arc} goes to vertex {targets[arc]}, but there are {n} vertices"
            raise FileFormatError(self.path, reason)
        return directed, degrees, targets.astype(np.int64)

    @property
    def order(self) -> str:
        return ">" if self.big else "<"

    def maps(self, n: int, m: int) -> dict[tuple[int, str], PropertyMap]:
        """All property maps, by what they are about and their name."""
        found: dict[tuple[int, str], PropertyMap] = {}
        for _ in range(self.count() if self.pos < len(self.data) else 0):
            owner = self.byte("kind of a property map", _EDGE)
            name = self.text().decode("utf-8", "replace")
            kind, at = self.byte("type of a property map", OBJECT), self.pos
            lengths = self.skip(kind, (1, n, m)[owner])
            found[owner, name] = PropertyMap(kind, at, lengths)
        if self.pos < len(self.data):
            raise FileFormatError(self.path, f"too long: {len(self.data) - self.pos} bytes follow")
        return found

    def skip(self, kind: int, count: int) -> np.ndarray | None:
        """Pass over the values of a map; the lengths of those that have one."""
        if kind < STRING:
            self.take(_SIZES[kind] * count)
            return None
        if kind != _VECTOR_OF_STRINGS:
            vector = _VECTOR <= kind < _VECTOR_OF_STRINGS
            return self.lists(count, _SIZES[kind - _VECTOR] if vector else 1)
        for _ in range(count):
            self.lists(self.count(), 1)
        return None

    def numbers(self, name: str, one: PropertyMap, count: int) -> np.ndarray:
        """The values of a map as weights."""
        if one.kind >= STRING:
            raise FileFormatError(
                self.path, f"the property map {shown(name.encode())} is no number"
            )
        return self.numbers_of(self.data[one.at : one.at + _SIZES[one.kind] * count], one.kind)

    def numbers_of(self, raw: np.ndarray, number: int) -> np.ndarray:
        """Bytes as numbers of one type."""
        kind = FIXED[number]
        if kind != "long double":
            return raw.view(f"{self.order}{kind}").astype(_KEPT[kind])
        if self.big or sys.byteorder == "big" or np.dtype(np.longdouble).itemsize != 16:
            raise FileFormatError(self.path, "weights that are long doubles of another machine")
        with np.errstate(over="ignore", invalid="ignore"):
            return raw.view(np.longdouble).astype(np.float64)

    def column(self, name: str, one: PropertyMap, count: int) -> Any:
        """The values of a map as an Arrow array: numbers, booleans, strings, or lists of these."""
        import pyarrow

        if one.kind < STRING:
            numbers = self.numbers(name, one, count)
            exact = {1: np.int16}.get(one.kind, numbers.dtype)
            return pyarrow.array(numbers.astype(bool if one.kind == 0 else exact))
        if one.kind == OBJECT:
            reason = f"the property map {shown(name.encode())} holds Python objects"
            raise FileFormatError(self.path, f"{reason}, which are not read")
        try:
            if one.kind == _VECTOR_OF_STRINGS:
                return pyarrow.array(self.string_lists(one, count), pyarrow.list_(pyarrow.string()))
            if one.kind == STRING:
                return pyarrow.array(self.values(one, count), pyarrow.string())
        except UnicodeDecodeError as error:
            reason = f"the property map {shown(name.encode())} is not UTF-8: {error.reason}"
            raise FileFormatError(self.path, reason) from None
        lengths = np.zeros(0, np.int64) if one.lengths is None else one.lengths
        unit = _SIZES[one.kind - _VECTOR]
        size = 8 * len(lengths) + unit * int(lengths.sum())
        raw = self.data[one.at : one.at + size][_inside(lengths, unit, size)]
        items = self.numbers_of(np.ascontiguousarray(raw), one.kind - _VECTOR)
        items = items.astype(bool) if one.kind == _VECTOR else items
        return pyarrow.LargeListArray.from_arrays(offsets(lengths), pyarrow.array(items))

    def string_lists(self, one: PropertyMap, count: int) -> list[list[str]]:
        """The values of a map of lists of strings."""
        end, self.pos = self.pos, one.at
        found = [[self.text().decode() for _ in range(self.count())] for _ in range(count)]
        self.pos = end
        return found

    def labels(self, label: str | None, maps: dict[str, PropertyMap], n: int) -> Labels | None:
        """The labels that our header promises, or else those of the first map that has some."""
        header = self.header
        if header.labels and header.num_vertices != n:
            reason = f"{header.num_vertices} vertices are declared, there are {n}"
            raise FileFormatError(self.path, reason)
        if header.labels == "range" and label == "auto":
            return Labels.range(header.first, n)
        if label is None or n == 0 or (header.labels == "none" and label == "auto"):
            return None
        for name in _LABELS if label == "auto" else (label,):
            values = self.values(maps[name], n) if name in maps else None
            if values is not None and len(set(values)) == n:
                self.used_label = name
                return self.as_labels(values, header.labels == "int")
        if header.labels in ("int", "str"):
            raise FileFormatError(self.path, "the declared labels are missing")
        return None

    def values(self, one: PropertyMap, n: int) -> list[Any] | None:
        """The values of a map that may be labels: strings or integers."""
        if 0 < one.kind < 4:
            return self.numbers("", one, n).tolist()
        if one.kind != STRING or one.lengths is None:
            return None
        ends = one.at + np.cumsum(one.lengths + 8)
        try:
            return [
                self.data[end - length : end].tobytes().decode()
                for end, length in zip(ends.tolist(), one.lengths.tolist(), strict=True)
            ]
        except UnicodeDecodeError as error:
            raise FileFormatError(self.path, f"a label is not UTF-8: {error.reason}") from None

    def as_labels(self, values: list[Any], whole: bool) -> Labels:
        if not whole or not isinstance(values[0], str):
            return Labels(values)
        try:
            return Labels(np.array([*map(int, values)], np.uint64))
        except (OverflowError, ValueError) as error:
            raise FileFormatError(self.path, f"a label is no integer: {error}") from None


def width(n: int) -> int:
    """In how many bytes a neighbor stands."""
    return next(width for width in (1, 2, 4, 8) if n <= 1 << 8 * width)


def interleaved(lengths: np.ndarray, body: np.ndarray, unit: int) -> bytes:
    """Lists one after the other, each behind its length."""
    out = np.empty(8 * len(lengths) + len(body), np.uint8)
    inside = _inside(lengths, unit, len(out))
    out[inside], out[~inside] = body, lengths.astype("<u8").view(np.uint8)
    return out.tobytes()


def _inside(lengths: np.ndarray, unit: int, size: int) -> np.ndarray:
    """Which bytes of lists are their items, and not their lengths."""
    inside = np.ones(size, np.bool_)
    starts = 8 * np.arange(len(lengths)) + unit * offsets(lengths)[:-1]
    inside[(starts[:, None] + np.arange(8)).ravel()] = False
    return inside


@kernel(borrows=True)
def _walk(me, team, control, data, unit, big, lengths, end):
    """The lengths of lists, and where the last ends; -(k + 1) if list k does not end."""
    if me > 0:
        return
    pos = end[0]
    for k in range(len(lengths)):
        length = np.uint64(0)
        if pos + 8 <= len(data):
            for i in range(8):
                byte = data[pos + (i if big else 7 - i)]
                length = (length << np.uint64(8)) | np.uint64(byte)
        if pos + 8 > len(data) or length > np.uint64((len(data) - pos - 8) // unit):
            end[0] = -(k + 1)
            return
        lengths[k] = np.int64(length)
        pos += 8 + np.int64(length) * unit
    end[0] = pos

"""The note of Edgewise in the metadata of Parquet and Arrow files."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from edgewise.base.errors import FileFormatError

__all__ = ["KEY", "Note", "pack", "read_note"]

KEY = b"edgewise"
_LONGEST_NOTE = 50_000_000  # readers of Parquet refuse metadata of 100 MB


class Note(NamedTuple):
    """What `write` notes about a graph; the defaults are those of a foreign file."""

    directed: bool = False
    num_vertices: int | None = None
    labeled: bool = False
    #: The labels of vertices without an edge; of all, in their order, if ``ordered``.
    isolated: Sequence[int | str] = ()
    ordered: bool = False
    #: The first label, if they are consecutive.
    first: int | None = None


def pack(note: Note) -> bytes:
    """The note as JSON with a checksum."""
    told = note._asdict()
    for name in ("ordered", "first"):  # which an older Edgewise does not know
        if told[name] == Note._field_defaults[name]:
            del told[name]
    content = json.dumps(told).encode()
    if len(content) > _LONGEST_NOTE:
        raise ValueError(
            f"a table cannot keep the labels of {len(note.isolated)} vertices without edges; "
            "write an .ew file"
        )
    return b"%s %08x" % (content, zlib.crc32(content))


def read_note(path: Path, metadata: dict[bytes, bytes]) -> Note:
    """The note in the metadata of a file; that of a foreign file if it has none."""
    if KEY not in metadata:
        return Note()
    content, _, checksum = metadata[KEY].rpartition(b" ")
    if checksum != b"%08x" % zlib.crc32(content):
        raise FileFormatError(path, "the note of Edgewise in the metadata is damaged")
    try:
        note = Note(**json.loads(content))
    except (TypeError, ValueError, RecursionError):
        raise FileFormatError(path, "the metadata has a note of another Edgewise") from None
    if not _possible(note):
        raise FileFormatError(path, "the note of Edgewise in the metadata has impossible values")
    return note


def _possible(note: Note) -> bool:
    n, isolated = note.num_vertices, note.isolated
    return (
        type(note.directed) is bool
        and type(note.labeled) is bool
        and (n is None or (type(n) is int and 0 <= n <= 2**31))
        and type(note.ordered) is bool
        and (note.first is None or (type(note.first) is int and n is not None))
        and isinstance(isolated, (list, tuple))
        and {type(label) for label in isolated} in (set(), {int}, {str})
    )

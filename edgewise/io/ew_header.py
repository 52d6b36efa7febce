"""The header of an .ew file and the places of its sections: see `edgewise.io.ew`."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from edgewise.base.bit_blocks import BLOCK
from edgewise.base.errors import FileFormatError

__all__ = ["ALIGNMENT", "COLUMNS", "HEADER_SIZE", "INDICES", "POINTERS", "Header", "Section",
           "pack_header", "read_header", "views_of"]  # fmt: skip

_MAGIC = b"\x89EWG\r\n\x1a\n"
_ORDER, _SWAPPED = 0xFEFF, 0xFFFE
_VERSIONS = (1, 2, 3, 4, 5)
HEADER_SIZE, ALIGNMENT = 512, 64
_START = struct.Struct("=8sHHIqqII")
_SECTION = struct.Struct("=8s8sqII")
_MOST_SECTIONS = (HEADER_SIZE - 4 - _START.size) // _SECTION.size

_WEIGHTS = ("float32", "float64", "int32", "int64")
#: The sections in the order of the file, and the dtypes that each may have.
_DTYPES = {
    "indptr": ("int64",),
    **{f"ptr{name}": ("uint64",) for name in ("words", "heads", "tops")},
    "indices": ("int32", "int64"),
    **{f"idx{name}": ("uint64",) for name in ("words", "heads", "tops")},
    "weights": _WEIGHTS,
    "wcodes": ("uint8", "uint16"),
    "wtable": _WEIGHTS,
    "first": ("int64",),
    "labels": ("int64", "uint64"),
    "offsets": ("int64",),
    "text": ("uint8",),
    "edgecols": ("uint8",),
    "vertcols": ("uint8",),
}
COLUMNS = ["edgecols", "vertcols"]
_PARTS = ["words", "heads", "tops"]
POINTERS, INDICES = ([f"{one}{part}" for part in _PARTS] for one in ("ptr", "idx"))


class Section(NamedTuple):
    """One array of the file."""

    name: str
    dtype: np.dtype
    items: int
    checksum: int


class Header(NamedTuple):
    """What the header says."""

    directed: bool
    num_vertices: int
    num_arcs: int
    sections: list[Section]

    @property
    def compressed(self) -> bool:
        """Are the columns in blocks?"""
        return any(section.name == INDICES[0] for section in self.sections)


def pack_header(header: Header) -> bytes:
    """The 512 bytes of a header."""
    names = {section.name for section in header.sections}
    version = 2 if "first" in names else 1  # an older Edgewise reads what it knows
    version = 3 if names & set(COLUMNS) else version
    version = 4 if header.compressed else version
    version = 5 if "wcodes" in names else version
    counts = header.num_vertices, header.num_arcs, len(header.sections)
    content = _START.pack(_MAGIC, _ORDER, version, int(header.directed), *counts, 0)
    for name, dtype, items, checksum in header.sections:
        content += _SECTION.pack(name.encode(), dtype.name.encode(), items, checksum, 0)
    content += b"\0" * (HEADER_SIZE - 4 - len(content))
    return content + struct.pack("=I", zlib.crc32(content))


def read_header(path: Path, data: np.ndarray) -> Header:
    """What the header says, once its checksum and its rules are checked."""
    content = data[:HEADER_SIZE].tobytes()
    if content[: len(_MAGIC)] != _MAGIC:
        raise FileFormatError(path, "not an .ew file: it does not start with the .ew signature")
    if len(content) < HEADER_SIZE:
        raise FileFormatError(path, f"truncated: {len(content)} bytes, the header alone has 512")
    _, order, version, flags, num_vertices, num_arcs, count, zero = _START.unpack_from(content)
    if order == _SWAPPED:
        raise FileFormatError(path, "written on a machine of the other byte order")
    if (checksum := zlib.crc32(content[:-4])) != struct.unpack("=I", content[-4:])[0]:
        raise FileFormatError(path, f"damaged: the header's checksum is not {checksum:#010x}")
    if version not in _VERSIONS:
        raise FileFormatError(
            path, f"version {version} of the .ew format, but this Edgewise reads only 1 to 5"
        )
    known = order == _ORDER and flags in (0, 1) and zero == 0 and count <= _MOST_SECTIONS
    if not known or num_vertices < 0 or num_arcs < 0:
        raise FileFormatError(path, "damaged: the header has impossible fields")
    entries = (_SECTION.unpack_from(content, _START.size + i * _SECTION.size) for i in range(count))
    sections = [_section(path, entry) for entry in entries]
    _check_sections(path, sections, num_vertices, num_arcs)
    return Header(flags == 1, num_vertices, num_arcs, sections)


def _section(path: Path, entry: tuple[bytes, bytes, int, int, int]) -> Section:
    name = entry[0].rstrip(b"\0").decode("latin-1")
    dtype = entry[1].rstrip(b"\0").decode("latin-1")
    if name not in _DTYPES:
        raise FileFormatError(path, f"damaged: unknown section {name!r}")
    if dtype not in _DTYPES[name]:
        raise FileFormatError(path, f"damaged: section {name} cannot have type {dtype!r}")
    return Section(name, np.dtype(dtype), entry[2], entry[3])


def _check_sections(path: Path, sections: list[Section], num_vertices: int, num_arcs: int) -> None:
    """That the sections are those of one graph, each of the right size."""
    names = [section.name for section in sections]
    sizes = {
        "indptr": num_vertices + 1,
        "indices": num_arcs,
        "ptrheads": -(-(num_vertices + 1) // BLOCK),
        "idxheads": -(-num_arcs // BLOCK),
        "weights": num_arcs,
        "wcodes": num_arcs,
        "first": 1,
        "labels": num_vertices,
        "offsets": num_vertices + 1,
    }
    allowed = [["first"], ["labels"], ["offsets", "text"], []]
    starts = POINTERS if names[:1] == POINTERS[:1] else ["indptr"]
    columns = INDICES if INDICES[0] in names else ["indices"]
    rows = starts + columns
    rest = names[len(rows) :]
    rest = rest[1:] if rest[:1] == ["weights"] else rest
    rest = rest[2:] if rest[:2] == ["wcodes", "wtable"] and columns == INDICES else rest
    for name in COLUMNS[::-1]:
        rest = rest[:-1] if rest[-1:] == [name] else rest
    mixed = starts == POINTERS and columns != INDICES
    if names[: len(rows)] != rows or mixed or rest not in allowed:
        raise FileFormatError(path, f"damaged: the sections cannot be {', '.join(names)}")
    for section in sections:
        if section.items != sizes.get(section.name, section.items) or section.items < 0:
            raise FileFormatError(
                path, f"damaged: section {section.name} cannot have {section.items} items"
            )
    width = "int32" if num_vertices < 2**31 else "int64"
    if columns == ["indices"] and sections[1].dtype != width:
        raise FileFormatError(path, f"damaged: indices must be {width} at {num_vertices} vertices")


def views_of(path: Path, data: np.ndarray, header: Header) -> dict[str, np.ndarray]:
    """The sections as views of the file, whose size must be exactly theirs."""
    places, end = [], HEADER_SIZE
    for section in header.sections:
        begin = end + -end % ALIGNMENT
        end = begin + section.items * section.dtype.itemsize
        places.append((section, begin, end))
    if len(data) != end:
        what = "truncated" if len(data) < end else "not an .ew file or damaged"
        raise FileFormatError(path, f"{what}: {len(data)} bytes, but its header says {end}")
    return {section.name: data[a:b].view(section.dtype) for section, a, b in places}

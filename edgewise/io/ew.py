"""The .ew format: the arrays of a graph in one file that opens by memory map.

A header of 512 bytes, then sections, each at the next multiple of 64 bytes, the last ending the
file. All numbers are in the byte order of the machine that wrote them, which the header marks.

    offset  header
    0       magic: 89 'E' 'W' 'G' 0D 0A 1A 0A
    8       byte order: uint16 FEFF
    10      version: uint16; 4 if the rows are compressed, 3 if there are columns, 2 if there is a
            section ``first``, otherwise 1
    12      flags: uint32, 1 = directed
    16      number of vertices n: int64
    24      number of arcs m: int64
    32      number of sections: uint32, then uint32 zero
    40      sections, 32 bytes each: name (8 bytes), dtype (8 bytes), items (int64),
            CRC-32 of its bytes (uint32), uint32 zero
    508     CRC-32 of the 508 bytes before it: uint32

    section       items  dtype
    indptr        n + 1  int64
    indices       m      int32, or int64 from 2**31 vertices on
    weights       m      float32, float64, int32 or int64; may be missing
    first         1      int64; the first of labels that are consecutive integers
    labels        n      int64 or uint64; for other integer labels
    offsets       n + 1  int64; where each label starts in, and the last ends, for string labels:
    text          any    uint8, UTF-8
    edgecols      any    uint8; an Arrow IPC file of the columns of edges
    vertcols      any    uint8; one of the columns of vertices

A compressed graph has three sections of uint64 for ``indices``, and for ``indptr`` unless there are
2**32 arcs or more; `edgewise.base.bit_blocks` describes them:

    ptrwords, ptrheads, ptrtops        the row starts
    idxwords, idxheads, idxtops        the columns

Opening checks the header, its checksum and the size of the file. It also checks the rows in one
pass on all threads, so that a damaged or malicious file cannot cause an access outside the arrays.
That pass takes about a third of the time of a breadth-first search. ``trusted=True`` skips it, so
that the cost does not depend on the size of the graph. ``verify=True`` also verifies the checksums
of the arrays and all rules of a graph, and detects any damage.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from edgewise.base.bit_blocks import BLOCK, Blocks, check_blocks
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.attribute_tables import Columns
from edgewise.graph.csr import index_dtype
from edgewise.graph.memory_limit import keep_within, watched
from edgewise.graph.stored import Stored, around
from edgewise.graph.validate import check_rows
from edgewise.io.binary import check_labels, pack_labels, unpack_labels, validated
from edgewise.io.files import map_bytes, read_bytes

__all__ = ["ALIGNMENT", "HEADER_SIZE", "Header", "Section", "pack_header", "read", "read_header"]
__all__ += ["rows_of", "views_of", "write"]

_MAGIC = b"\x89EWG\r\n\x1a\n"
_ORDER, _SWAPPED = 0xFEFF, 0xFFFE
_VERSIONS = (1, 2, 3, 4)
HEADER_SIZE, ALIGNMENT = 512, 64
_START = struct.Struct("=8sHHIqqII")
_SECTION = struct.Struct("=8s8sqII")
_MOST_SECTIONS = (HEADER_SIZE - 4 - _START.size) // _SECTION.size

#: The sections in the order of the file, and the dtypes that each may have.
_DTYPES = {
    "indptr": ("int64",),
    **{f"ptr{name}": ("uint64",) for name in ("words", "heads", "tops")},
    "indices": ("int32", "int64"),
    **{f"idx{name}": ("uint64",) for name in ("words", "heads", "tops")},
    "weights": ("float32", "float64", "int32", "int64"),
    "first": ("int64",),
    "labels": ("int64", "uint64"),
    "offsets": ("int64",),
    "text": ("uint8",),
    "edgecols": ("uint8",),
    "vertcols": ("uint8",),
}
_COLUMNS = ["edgecols", "vertcols"]
_PARTS = ["words", "heads", "tops"]
_POINTERS, _INDICES = ([f"{one}{part}" for part in _PARTS] for one in ("ptr", "idx"))


def read(
    path: Path, *, verify: bool = False, trusted: bool = False, memory_map: bool = True,
    memory: int | str | None = None,
) -> Graph:  # fmt: skip
    """Return the graph in an .ew file, with arrays that are views of the memory-mapped file.

    Parameters
    ----------
    path : path
        The file. A compressed file is decompressed into memory.
    verify : bool
        Whether to check everything: checksums, the symmetry of undirected graphs, and labels.
    trusted : bool
        Whether to skip the check of the rows, for a file from a trusted source. Opening then reads
        only the header. If the file is damaged, algorithms may crash the process.
    memory_map : bool
        Whether the arrays are views of the mapped file, or copies in memory. Replacing the file, as
        `write` does, is safe. If it is changed in place, results are wrong or the process crashes.
    memory : int or str, optional
        The memory limit in bytes, or as "4GiB": pages of the file are released in time, and
        algorithms that need more raise MemoryError before they start. Needs Linux.

    Returns
    -------
    Graph
        A graph with read-only arrays.

    Raises
    ------
    FileFormatError
        If the file is not an .ew file, has another version or byte order, or is damaged or
        truncated. Also if row starts decrease, rows do not ascend, or neighbors are out of range.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.ew"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges([0, 1], [1, 2]), file)
    ...     read(path, verify=True).num_edges
    2
    """
    data = map_bytes(path) if memory_map else read_bytes(path)
    pages = None if memory is None else watched(path, data, memory)
    header = read_header(path, data)
    arrays = views_of(path, data, header)
    weights = arrays.get("weights")
    if verify:
        _check_checksums(path, arrays, header)
    indptr, indices = rows = rows_of(path, arrays, header, trusted=trusted and not verify)
    if not verify and not trusted:
        _check_rows(path, indptr, indices)
        _check_offsets(path, arrays)
    if indptr[0] != 0 or indptr[-1] != header.num_arcs:
        raise FileFormatError(path, "damaged: indptr does not go from 0 to the number of arcs")
    labels = unpack_labels(path, arrays, header.num_vertices)
    if header.compressed:
        graph = around(Graph, rows, weights, directed=header.directed, labels=labels)
    else:
        graph = Graph(indptr, indices, weights, directed=header.directed, labels=labels)
    if any(name in arrays for name in _COLUMNS):
        counts = graph.num_edges, graph.num_vertices
        graph._keep(columns=tables_of(path, arrays, counts, trusted=trusted))
    keep_within(graph, pages)
    if not verify:
        return graph
    check_labels(path, labels)
    return validated(path, graph)


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph in the .ew format.

    Parameters
    ----------
    graph : Graph
        The graph to write. Labels must be 64-bit integers or strings.
    file : binary file
        The open file.

    Raises
    ------
    ValueError
        If the labels are of another type.
    """
    arrays: dict[str, Any] = {}
    for name, parts, array in zip(("indptr", "indices"), (_POINTERS, _INDICES), graph.stored,
                                  strict=True):  # fmt: skip
        blocks = isinstance(array, Blocks)
        arrays.update(zip(parts, array.parts(), strict=True) if blocks else [(name, array)])
    if graph.weights is not None:
        arrays["weights"] = graph.weights
    arrays.update(pack_labels(graph.labels))
    for name, table in zip(_COLUMNS, graph.columns or (), strict=False):
        if table is not None:
            arrays[name] = _packed(table)
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    size = file.write(_header(graph, arrays))
    for array in arrays.values():
        file.write(b"\0" * (-size % ALIGNMENT))
        file.write(array.data)
        size += -size % ALIGNMENT + array.nbytes


def rows_of(
    path: Path, arrays: dict[str, np.ndarray], header: Header, *, trusted: bool = False
) -> Stored:
    """The row starts and the columns: arrays, or blocks that reach no further than their words."""
    n, m = header.num_vertices, header.num_arcs
    found: list[Any] = []
    kinds = np.int64, index_dtype(n)
    for name, parts, size, kind in zip(("indptr", "indices"), (_POINTERS, _INDICES), (n + 1, m),
                                       kinds, strict=True):  # fmt: skip
        if name in arrays:
            found.append(arrays[name])
            continue
        words, heads, tops = (arrays[part] for part in parts)
        try:
            if not trusted:
                check_blocks(words, heads, tops, size)
        except ValueError as error:
            raise FileFormatError(path, f"damaged: {name}: {error}") from None
        found.append(Blocks(words, heads, tops, size, kind))
    return Stored(*found)


def _packed(table: Any) -> np.ndarray:
    """A table as the bytes of an Arrow IPC file."""
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return np.frombuffer(sink.getvalue(), np.uint8)


def tables_of(
    path: Path, arrays: dict[str, np.ndarray], counts: tuple[int, int], *, trusted: bool
) -> Columns:
    """The columns of edges and vertices, so many of each, as views of the file."""
    import pyarrow

    tables: list[Any] = [None, None]
    for i, name in enumerate(_COLUMNS):
        if name in arrays:
            try:
                tables[i] = pyarrow.ipc.open_file(pyarrow.py_buffer(arrays[name])).read_all()
                if not trusted:
                    tables[i].validate(full=True)
            except (pyarrow.ArrowException, OSError, ValueError) as error:
                raise FileFormatError(path, f"damaged: section {name}: {error}") from None
            if tables[i].num_rows != counts[i]:
                reason = f"section {name} has {tables[i].num_rows} rows, but {counts[i]} are needed"
                raise FileFormatError(path, f"damaged: {reason}")
    return Columns(*tables)


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
        return any(section.name == _INDICES[0] for section in self.sections)


def _header(graph: Graph, arrays: dict[str, np.ndarray]) -> bytes:
    """The 512 bytes that describe ``arrays``."""
    sections = [Section(name, array.dtype, array.size, zlib.crc32(array.data))
                for name, array in arrays.items()]  # fmt: skip
    return pack_header(Header(graph.directed, graph.num_vertices, graph.num_arcs, sections))


def pack_header(header: Header) -> bytes:
    """The 512 bytes of a header."""
    names = {section.name for section in header.sections}
    version = 2 if "first" in names else 1  # an older Edgewise reads what it knows
    version = 3 if names & set(_COLUMNS) else version
    version = 4 if header.compressed else version
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
            path, f"version {version} of the .ew format, but this Edgewise reads only 1 to 4"
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
        "first": 1,
        "labels": num_vertices,
        "offsets": num_vertices + 1,
    }
    allowed = [["first"], ["labels"], ["offsets", "text"], []]
    starts = _POINTERS if names[:1] == _POINTERS[:1] else ["indptr"]
    columns = _INDICES if _INDICES[0] in names else ["indices"]
    rows = starts + columns
    rest = names[len(rows) :]
    rest = rest[1:] if rest[:1] == ["weights"] else rest
    for name in _COLUMNS[::-1]:
        rest = rest[:-1] if rest[-1:] == [name] else rest
    mixed = starts == _POINTERS and columns != _INDICES
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


def _check_rows(path: Path, indptr: np.ndarray, indices: np.ndarray) -> None:
    try:
        check_rows(indptr, indices, len(indptr) - 1)
    except ValueError as error:
        raise FileFormatError(path, f"damaged: {error}") from None


def _check_offsets(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """That the places of string labels are in order; their text is looked at when it is used."""
    if "offsets" in arrays:
        offsets, size = arrays["offsets"], len(arrays["text"])
        if offsets[0] != 0 or offsets[-1] != size or (offsets[1:] < offsets[:-1]).any():
            raise FileFormatError(path, f"damaged: labels must go from 0 to {size}, in order")


def _check_checksums(path: Path, arrays: dict[str, np.ndarray], header: Header) -> None:
    for section in header.sections:
        found: Any = zlib.crc32(arrays[section.name].data)
        if found != section.checksum:
            raise FileFormatError(
                path,
                f"damaged: section {section.name} has checksum {found:#010x}, "
                f"but its header says {section.checksum:#010x}",
            )

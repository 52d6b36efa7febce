"""The .ew format: the arrays of a graph in one file that opens by memory map.

A header of 512 bytes, then sections, each at the next multiple of 64 bytes, the last ending the
file. All numbers are in the byte order of the machine that wrote them, which the header marks.

    offset  header
    0       magic: 89 'E' 'W' 'G' 0D 0A 1A 0A
    8       byte order: uint16 FEFF
    10      version: uint16; 5 if weights are coded, 4 if the rows are compressed, 3 if there are
            columns, 2 if there is a section ``first``, otherwise 1
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

Its weights may be two sections: ``wcodes``, m codes of uint8 or uint16, and ``wtable``, the weights
that they stand for.

Opening checks the header, its checksum and the size of the file. It also checks the rows in one
pass on all threads, so that a damaged or malicious file cannot cause an access outside the arrays.
That pass takes about a third of the time of a breadth-first search. ``trusted=True`` skips it, so
that the cost does not depend on the size of the graph. ``verify=True`` also verifies the checksums
of the arrays and all rules of a graph, and detects any damage.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.bit_blocks import Blocks, check_blocks
from edgewise.base.coded import Coded
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.attribute_tables import Columns
from edgewise.graph.csr import index_dtype
from edgewise.graph.memory_limit import keep_within, watched
from edgewise.graph.stored import Stored, around
from edgewise.graph.validate import check_rows
from edgewise.io.binary import check_labels, pack_labels, unpack_labels, validated
from edgewise.io.ew_header import (
    ALIGNMENT,
    COLUMNS,
    HEADER_SIZE,
    INDICES,
    POINTERS,
    Header,
    Section,
    pack_header,
    read_header,
    views_of,
)
from edgewise.io.files import map_bytes, read_bytes

__all__ = ["ALIGNMENT", "HEADER_SIZE", "Header", "Section", "pack_header", "read", "read_header"]
__all__ += ["rows_of", "views_of", "weights_of", "write"]


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
    if verify:
        _check_checksums(path, arrays, header)
    indptr, indices = rows = rows_of(path, arrays, header, trusted=trusted and not verify)
    weights = weights_of(path, arrays, trusted=trusted and not verify)
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
    if any(name in arrays for name in COLUMNS):
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
    for name, parts, array in zip(("indptr", "indices"), (POINTERS, INDICES), graph.stored,
                                  strict=True):  # fmt: skip
        blocks = isinstance(array, Blocks)
        arrays.update(zip(parts, array.parts(), strict=True) if blocks else [(name, array)])
    weights = graph.stored_weights
    if isinstance(weights, Coded):
        arrays.update(wcodes=weights.codes, wtable=weights.table)
    elif weights is not None:
        arrays["weights"] = weights
    arrays.update(pack_labels(graph.labels))
    for name, table in zip(COLUMNS, graph.columns or (), strict=False):
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
    for name, parts, size, kind in zip(("indptr", "indices"), (POINTERS, INDICES), (n + 1, m),
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


def weights_of(path: Path, arrays: dict[str, np.ndarray], *, trusted: bool = False) -> Any:
    """The weights: None, an array, or codes that lie in their table."""
    if "wcodes" not in arrays:
        return arrays.get("weights")
    codes, table = arrays["wcodes"], arrays["wtable"]
    if not trusted and len(codes) and int(codes.max()) >= len(table):
        raise FileFormatError(path, f"damaged: wcodes must be below {len(table)}, the table's size")
    return Coded(codes, table)


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
    for i, name in enumerate(COLUMNS):
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


def _header(graph: Graph, arrays: dict[str, np.ndarray]) -> bytes:
    """The 512 bytes that describe ``arrays``."""
    sections = [Section(name, array.dtype, array.size, zlib.crc32(array.data))
                for name, array in arrays.items()]  # fmt: skip
    return pack_header(Header(graph.directed, graph.num_vertices, graph.num_arcs, sections))


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

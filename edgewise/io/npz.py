"""SciPy sparse matrices (.npz): entry (u, v) of a square csr, csc or coo matrix is the arc u -> v.

`write` gives a csr matrix that `scipy.sparse.load_npz` reads, with additional entries ``directed``,
``weighted`` and the labels (``labels`` or ``first``, or ``offsets`` and ``text``, as in .ew files).
A matrix without them is read as a directed graph whose entries are the weights, unless they are
booleans. Duplicate entries of a coo matrix are summed, as in SciPy. Stored zeros are edges of
weight zero. Nothing is unpickled.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.errors import FileFormatError
from edgewise.graph import Graph
from edgewise.graph.csr import as_weights, index_dtype
from edgewise.io.binary import (
    check_labels,
    check_ranges,
    pack_labels,
    sort_rows,
    unpack_labels,
    validated,
)
from edgewise.io.files import byte_limit, open_bytes
from edgewise.io.text import check_size

__all__ = ["read", "write"]

_NEEDED = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
}
_OWN = ("directed", "weighted", "first", "labels", "offsets", "text")
# A deflated byte expands to at most 1032.
_MOST_EXPANSION = 1100


def read(path: Path, *, directed: bool | None = None, num_vertices: int | None = None) -> Graph:
    """Return the graph of a square sparse matrix.

    Parameters
    ----------
    path : path
        The file.
    directed : bool, optional
        Whether the graph is directed; by default as stored by `write`, otherwise True. An
        undirected graph needs a symmetric matrix.
    num_vertices : int, optional
        The size of the matrix. It is required for a matrix of over 4 million rows with less than
        one entry per thousand rows, so that a file cannot demand large amounts of memory.

    Returns
    -------
    Graph

    Raises
    ------
    FileFormatError
        If the file is not a sparse matrix, or if the matrix is rectangular, damaged or complex.
        Also if the graph is undirected and the matrix asymmetric.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "path.npz"
    ...     with open(path, "wb") as file:
    ...         write(Graph.from_edges([0, 1], [1, 2]), file)
    ...     read(path).num_edges
    2
    """
    arrays = _read_arrays(path)
    kind, size = _shape(path, arrays)
    if directed is None:
        directed = _flag(path, arrays, "directed", True)
    if num_vertices is None:
        check_size(path, size, max(len(arrays[name]) for name in _NEEDED[kind]))
    elif check_count(num_vertices, "num_vertices") != size:
        raise ValueError(f"num_vertices must be the matrix's size {size}, got {num_vertices}")
    weights = _weights(path, arrays)
    indptr, indices, weights = _compressed(path, kind, arrays, size, weights)
    labels = unpack_labels(path, arrays, size)
    check_labels(path, labels)
    graph = Graph(indptr, indices, weights, directed=directed, labels=labels)
    return graph if directed else validated(path, graph)


def write(graph: Graph, file: BinaryIO, *, compressed: bool = True) -> None:
    """Write a graph as a SciPy sparse matrix; without weights, all entries are 1.

    Parameters
    ----------
    graph : Graph
        The graph to write. Labels must be 64-bit integers or strings.
    file : binary file
        The open file.
    compressed : bool
        Whether to compress the arrays: smaller and slower.
    """
    weights = graph.weights
    n = graph.num_vertices
    arrays = {
        "format": np.array(b"csr"),
        "shape": np.array([n, n]),
        "indptr": graph.indptr,
        "indices": graph.indices,
        "data": np.ones(graph.num_arcs, np.int8) if weights is None else weights,
        "directed": np.array(graph.directed),
        "weighted": np.array(weights is not None),
        **pack_labels(graph.labels),
    }
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(_Stream(file), "w", method) as archive:  # type: ignore[call-overload]
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)


class _Stream:
    """A file that the zip writer does not try to go back in: a compressing file cannot."""

    def __init__(self, file: BinaryIO):
        self.write, self.flush = file.write, file.flush


def _read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of the archive that a sparse matrix or `write` has."""
    wanted = {"format", "shape", *_OWN}.union(*_NEEDED.values())
    with open_bytes(path) as file:
        if file.read(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
            raise FileFormatError(path, "not an .npz file: it does not start as a zip archive")
        try:
            return _arrays(path, file, wanted)
        except FileFormatError:
            raise
        except Exception as error:  # readers of zip and .npy raise a dozen kinds on junk
            reason = str(error) or type(error).__name__
            raise FileFormatError(path, f"damaged .npz archive: {reason}") from None


def _arrays(path: Path, file: BinaryIO, wanted: set[str]) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(file) as archive:
        members = {m.filename.removesuffix(".npy"): m for m in archive.infolist()}
        members = {name: member for name, member in members.items() if name in wanted}
        size, most = sum(m.file_size for m in members.values()), byte_limit(file.seek(0, 2))
        if size > most:
            raise FileFormatError(
                path,
                f"the arrays take {size} bytes, more than {most}; pass max_bytes= to allow more",
            )
        return {name: _array(archive, member) for name, member in members.items()}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    """One array, no larger than its part of the archive can hold."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{member.filename} has an unknown compression")
    if member.file_size > _MOST_EXPANSION * (member.compress_size + 1):
        raise ValueError(f"{member.filename} cannot have {member.file_size} bytes")
    with archive.open(member) as file:
        _check_length(file, member)
    with archive.open(member) as file:
        array = np.lib.format.read_array(file, allow_pickle=False)
        if file.read(1):
            raise ValueError(f"{member.filename} has bytes after its array")
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _check_length(file: Any, member: zipfile.ZipInfo) -> None:
    """That the header of an array asks for no more than there is: NumPy takes memory for it."""
    version = np.lib.format.read_magic(file)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
    if read_header is None:  # 3.0 is for names of fields, which no array here has
        raise ValueError(f"{member.filename} has version {version} of the .npy format")
    shape, _, dtype = read_header(file)
    if math.prod(shape) * dtype.itemsize > member.file_size:
        raise ValueError(f"{member.filename} is too short for an array of shape {shape}")


def _shape(path: Path, arrays: Mapping[str, np.ndarray]) -> tuple[str, int]:
    """The matrix's format and its number of rows, which must be that of its columns."""
    if "format" not in arrays or "shape" not in arrays:
        raise FileFormatError(path, "not a sparse matrix: it has no 'format' or no 'shape'")
    kind = arrays["format"].tobytes().replace(b"\0", b"").decode("latin-1")
    if kind not in _NEEDED:
        raise FileFormatError(path, f"a matrix of format {kind!r}; only csr, csc, coo are read")
    for name in _NEEDED[kind]:
        if name not in arrays:
            raise FileFormatError(path, f"a {kind} matrix without {name!r}")
        if arrays[name].ndim != 1:
            raise FileFormatError(path, f"{name} must have one dimension, got {arrays[name].ndim}")
        if name != "data" and arrays[name].dtype.kind not in "iu":
            raise FileFormatError(path, f"{name} must be integers, got {arrays[name].dtype}")
    shape = arrays["shape"]
    if shape.shape != (2,) or shape.dtype.kind not in "iu" or shape.min() < 0:
        raise FileFormatError(path, f"the shape must be two counts, got {shape.tolist()}")
    if shape[0] != shape[1]:
        raise FileFormatError(path, f"a graph needs a square matrix, got {shape[0]} x {shape[1]}")
    return kind, int(shape[0])


def _flag(path: Path, arrays: Mapping[str, np.ndarray], name: str, default: bool) -> bool:
    if name not in arrays:
        return default
    if arrays[name].shape != () or arrays[name].dtype != bool:
        raise FileFormatError(path, f"{name!r} must be one boolean")
    return bool(arrays[name])


def _weights(path: Path, arrays: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """The entries as weights; None where they are booleans or `write` had none."""
    if not _flag(path, arrays, "weighted", True) or arrays["data"].dtype == bool:
        return None
    try:
        return as_weights(arrays["data"], name="data")
    except (TypeError, ValueError) as error:
        raise FileFormatError(path, str(error)) from None


def _compressed(
    path: Path,
    kind: str,
    arrays: Mapping[str, np.ndarray],
    num_vertices: int,
    weights: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The matrix as compressed rows, sorted, with equal places summed."""
    minor, major = arrays[_NEEDED[kind][1]], arrays[_NEEDED[kind][2]]
    stored = len(arrays["data"])
    if kind == "coo":
        sources, targets = minor, major
    else:
        if len(major) != num_vertices + 1:
            raise FileFormatError(
                path, f"indptr must have {num_vertices + 1} entries, got {len(major)}"
            )
        # SciPy allows space after the last entry.
        stored = min(stored, len(minor), max(int(major[-1]), 0))
        minor, weights = minor[:stored], None if weights is None else weights[:stored]
        check_ranges(path, major, minor)
        if kind == "csr":
            indices = minor.astype(index_dtype(num_vertices), copy=False)
            return sort_rows(major.astype(np.int64), indices, weights, "sum")
        columns = np.repeat(np.arange(num_vertices), np.diff(major))
        sources, targets = minor, columns
    if not len(sources) == len(targets) == stored:
        raise FileFormatError(
            path, f"{stored} entries, but {len(sources)} rows and {len(targets)} columns"
        )
    for name, ids in (("row", sources), ("column", targets)):
        if stored and (ids.min() < 0 or ids.max() >= num_vertices):
            raise FileFormatError(
                path,
                f"{name}s must be from 0 to {num_vertices - 1}, got {ids.min()} to {ids.max()}",
            )
    if num_vertices > 2**31:
        raise FileFormatError(path, f"too many vertices for a {kind} matrix: {num_vertices}")
    graph = Graph.from_edges(
        sources, targets, weights, directed=True, num_vertices=num_vertices, duplicates="sum"
    )
    return graph.indptr, graph.indices, graph.weights

"""What the binary formats share: checks of CSR arrays that come from a file, and labels as arrays.

Integer labels are one array ``labels``, or for consecutive ones ``first``, the first of them alone;
strings are ``text``, all their UTF-8 bytes, and ``offsets``, where each starts and the last ends.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from edgewise.base.errors import FileFormatError
from edgewise.base.once import cached_property
from edgewise.graph import Graph
from edgewise.graph.csr import frozen
from edgewise.graph.labels import Labels
from edgewise.graph.validate import survey

__all__ = [
    "check_labels",
    "check_ranges",
    "label_column",
    "pack_labels",
    "rows_sorted",
    "sort_rows",
    "unpack_labels",
    "validated",
]

_BLOCK = 1 << 22
_LABEL_TYPES = {
    "first": ("int64",),
    "labels": ("int64", "uint64"),
    "offsets": ("int64",),
    "text": ("uint8",),
}


def check_ranges(path: str | os.PathLike, indptr: np.ndarray, indices: np.ndarray) -> None:
    """That the offsets ascend from 0 to the number of arcs and the neighbors are vertices.

    Raises
    ------
    FileFormatError
        That names the first vertex or arc which breaks a rule.
    """
    n, m = len(indptr) - 1, len(indices)
    found = survey(indptr, indices, n)
    if found.in_order and found.in_range:
        return
    if indptr[0] != 0 or indptr[-1] != m:
        raise FileFormatError(
            path, f"the offsets must go from 0 to {m} arcs, got {indptr[0]} to {indptr[-1]}"
        )
    for low in range(0, n, _BLOCK):
        part = indptr[low : low + _BLOCK + 1]
        if (falls := part[1:] < part[:-1]).any():
            vertex = low + int(falls.argmax())
            raise FileFormatError(path, f"the offsets must ascend, but fall after vertex {vertex}")
    for low in range(0, m, _BLOCK):
        part = indices[low : low + _BLOCK]
        if part.min() < 0 or part.max() >= n:
            arc = int(((part < 0) | (part >= n)).argmax())
            raise FileFormatError(
                path, f"arc {low + arc} goes to vertex {part[arc]}, but there are {n} vertices"
            )


def rows_sorted(indptr: np.ndarray, indices: np.ndarray) -> bool:
    """Whether every row is strictly ascending, that is sorted and free of duplicates.

    >>> rows_sorted(np.array([0, 2, 3]), np.array([0, 1, 0]))
    True
    >>> rows_sorted(np.array([0, 2, 3]), np.array([1, 1, 0]))
    False
    """
    return survey(indptr, indices, len(indptr) - 1).ascending


def sort_rows(
    indptr: np.ndarray, indices: np.ndarray, weights: np.ndarray | None, duplicates: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The same arcs with every row strictly ascending, duplicates merged as in `from_edges`."""
    if rows_sorted(indptr, indices):
        return indptr, indices, weights
    n = len(indptr) - 1
    sources = np.repeat(np.arange(n, dtype=indices.dtype), np.diff(indptr))
    graph = Graph.from_edges(
        sources, indices, weights, directed=True, num_vertices=n, duplicates=duplicates
    )
    return graph.indptr, graph.indices, graph.weights


def validated(path: str | os.PathLike, graph: Graph) -> Graph:
    """The graph, if it obeys all rules of `Graph.validate`; an error that names the file if not."""
    try:
        graph.validate()
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None
    return graph


def pack_labels(labels: Labels | None) -> dict[str, np.ndarray]:
    """Labels as arrays, if there are any.

    >>> packed = pack_labels(Labels(["ant", "bee"]))
    >>> packed["offsets"].tolist(), packed["text"].tobytes()
    ([0, 3, 6], b'antbee')
    """
    if labels is None:
        return {}
    if labels.range_start is not None:
        return {"first": np.array([labels.range_start], np.int64)}
    column = label_column(labels)
    if labels.dtype.kind in "iu":
        return {"labels": column.to_numpy()}
    _, offsets, text = column.buffers()
    return {
        "offsets": np.frombuffer(offsets, np.int64, len(column) + 1),
        "text": np.frombuffer(b"" if text is None else text, np.uint8),
    }


def label_column(labels: Labels) -> Any:
    """Labels as an Arrow array of int64, uint64 or strings.

    Raises
    ------
    ValueError
        If they are neither all integers nor all strings.
    """
    import pyarrow

    if labels.dtype.kind in "iu":
        kind = np.uint64 if labels.dtype == np.uint64 else np.int64
        return pyarrow.array(labels.values.astype(kind, copy=False))
    try:
        return pyarrow.array(labels.values.tolist(), pyarrow.large_string())
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"only labels that are all integers or all strings can be written: {error}"
        ) from None


def unpack_labels(
    path: str | os.PathLike, arrays: Mapping[str, np.ndarray], num_vertices: int
) -> Labels | None:
    """What `pack_labels` has packed; strings are decoded at their first use.

    Raises
    ------
    FileFormatError
        If the arrays do not fit. That the labels are distinct is left to `check_labels`.
    """
    sizes = {"first": 1, "labels": num_vertices, "offsets": num_vertices + 1}
    for name in set(_LABEL_TYPES) & set(arrays):
        array = arrays[name]
        if array.ndim != 1 or len(array) != sizes.get(name, len(array)):
            raise FileFormatError(path, f"{name!r} cannot have shape {array.shape}")
        if array.dtype.name not in _LABEL_TYPES[name]:
            raise FileFormatError(path, f"{name!r} cannot have type {array.dtype}")
    if "first" in arrays:
        try:
            return Labels.range(int(arrays["first"][0]), num_vertices)
        except ValueError as error:
            raise FileFormatError(path, str(error)) from None
    if "labels" in arrays:
        return Labels._trusted(arrays["labels"])
    if "offsets" in arrays and "text" in arrays:
        return _Strings(path, arrays["offsets"], arrays["text"])
    return None


def check_labels(path: str | os.PathLike, labels: Labels | None) -> None:
    """That labels from a file are sound and distinct."""
    if labels is None:
        return
    try:
        Labels(labels.values)
    except FileFormatError:
        raise
    except ValueError as error:
        raise FileFormatError(path, str(error)) from None


class _Strings(Labels):
    """String labels that stay in a file until one is asked for."""

    _path: str | os.PathLike
    _offsets: np.ndarray
    _text: np.ndarray

    def __init__(self, path: str | os.PathLike, offsets: np.ndarray, text: np.ndarray):
        self.__dict__.update(_path=path, _offsets=offsets, _text=text)

    @cached_property
    def values(self) -> np.ndarray:  # type: ignore[override]
        import pyarrow

        buffers = [None, pyarrow.py_buffer(self._offsets), pyarrow.py_buffer(self._text)]
        count = len(self._offsets) - 1
        try:
            array = pyarrow.Array.from_buffers(pyarrow.large_string(), count, buffers)
            array.validate(full=True)
        except pyarrow.ArrowInvalid as error:
            raise FileFormatError(self._path, f"the labels are damaged: {error}") from None
        return frozen(array.to_numpy(zero_copy_only=False))

    @classmethod
    def _trusted(cls, values: np.ndarray) -> Labels:
        return Labels._trusted(values)

    def __len__(self) -> int:
        return len(self._offsets) - 1

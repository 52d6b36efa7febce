"""Labels in columns, as users have them: to arrays, and to the numbers 0..n-1.

Integers, floats, dates and strings are numbered in ascending order; other hashable objects (tuples,
or several types at once) in order of first appearance. Integers are sorted by radix on all threads,
or marked in an array where they are few and lie close together; Arrow strings are encoded by Arrow,
other labels go through a dict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from edgewise.base.checks import check_unmasked
from edgewise.base.parallel import get_threads, launch, sort
from edgewise.graph.uuids import with_text

__all__ = ["check_present", "column", "encode", "is_integer"]


#: So many integers that lie close together are numbered without sorting.
_FEW = 1 << 22


def encode(
    columns: Sequence[Any], names: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The distinct labels of some columns, the number of each entry, and where columns end."""
    columns = [with_text(one) for one in columns]
    if columns and all(map(_is_arrow_text, columns)):
        values, ids = _encode_arrow(columns, names)
    else:
        arrays = [column(c, name) for c, name in zip(columns, names, strict=True)]
        values, ids = _encode(arrays, names)
    return values, ids, np.cumsum([len(c) for c in columns])[:-1]


def column(values: Any, name: str) -> np.ndarray:
    """Labels as a one-dimensional array; Python integers become int64 where they fit.

    A list of several types stays a list of objects: 1 and "1" are different labels.
    """
    if isinstance(values, (list, tuple)):
        kinds = set(map(type, values))
        plain = kinds <= {int, float} or (len(kinds) == 1 and kinds <= {bool})
        scalar = all(issubclass(kind, np.generic) for kind in kinds)
        found = np.asarray(values) if plain or scalar else _objects(values)
        # integers beyond int64 must not become floats
        values = _objects(values) if kinds == {int} and found.dtype.kind == "f" else found
    check_unmasked(values, name)
    values = np.asarray(with_text(values))
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {values.shape}")
    if values.dtype.kind == "c":
        raise TypeError(f"{name} must be vertex ids or labels, got dtype {values.dtype}")
    if len(values) == 0 and values.dtype.kind in "fO":
        return values.astype(np.int64)
    if values.dtype == object and all(map(is_integer, values)):
        for kind in (np.int64, np.uint64):
            try:
                return values.astype(kind)
            except OverflowError:
                pass
    return values


def is_integer(value: Any) -> bool:
    """Is this a whole number, of Python or of NumPy?"""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _objects(values: Any) -> np.ndarray:
    array = np.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _encode(arrays: list[np.ndarray], names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    for array, name in zip(arrays, names, strict=True):
        check_present(array, name)
    kinds = {array.dtype.kind for array in arrays}
    if kinds <= {"i", "u"}:
        together = np.concatenate(arrays) if arrays else np.empty(0, np.int64)
        if together.dtype.kind in "iu":
            return _encode_integers(together)
    elif len(kinds) == 1 and kinds <= set("bfMm") or _fit_float64(arrays):
        return np.unique(np.concatenate(arrays), return_inverse=True)
    return _encode_objects(arrays, names)


def _fit_float64(arrays: list[np.ndarray]) -> bool:
    """Are these integers and floats that float64 tells apart?"""
    return all(
        array.dtype.kind == "f"
        or (array.dtype.kind in "iu" and bool((abs(array.astype(np.float64)) < 2**53).all()))
        for array in arrays
    )


def _encode_integers(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    kind = np.uint64 if values.dtype == np.uint64 else np.int64
    if 0 < len(values) <= _FEW and values.min() >= 0 and values.max() < 2 * len(values):
        used = np.zeros(int(values.max()) + 1, np.bool_)
        used[values] = True
        return np.flatnonzero(used).astype(kind), (used.cumsum(dtype=np.int32) - 1)[values]
    from edgewise.graph.cpu.labels import number

    keys = values.astype(kind)
    positions = np.arange(len(keys), dtype=np.uint32 if len(keys) < 2**32 else np.uint64)
    sort(keys, positions)
    found = np.zeros(get_threads(), np.int64)
    distinct = np.empty_like(keys)
    ids = np.empty(len(keys), np.int32 if len(keys) < 2**31 else np.int64)
    launch(number, keys, positions, found, distinct, ids, work=len(keys), team=len(found))
    return distinct[: found.sum()].copy(), ids


def _encode_objects(arrays, names) -> tuple[np.ndarray, np.ndarray]:
    table: dict[Any, int] = {}
    parts = []
    for array, name in zip(arrays, names, strict=True):
        try:
            numbers = [table.setdefault(label, len(table)) for label in array.tolist()]
        except TypeError as error:
            raise TypeError(f"{name} must hold hashable labels: {error}") from None
        parts.append(np.array(numbers, np.int64))
    ids = np.concatenate(parts) if parts else np.empty(0, np.int64)
    values = list(table)
    if not all(isinstance(label, str) for label in values):
        return _objects(values), ids
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = np.empty(len(values), np.int64)
    rank[order] = np.arange(len(values))
    return _objects([values[i] for i in order]), rank[ids]


def check_present(array: np.ndarray, name: str) -> None:
    """None, NaN and the like mark missing values; they make no labels."""
    missing = np.zeros(0, bool)
    if array.dtype == object:
        missing = np.fromiter(map(_is_missing, array), bool, len(array))
    elif array.dtype.kind in "fMm":
        missing = array != array
    if missing.any():
        at = int(np.argmax(missing))
        raise ValueError(f"{name}[{at}] is missing ({array[at]}): it cannot be a label")


def _is_missing(label: Any) -> bool:
    if label is None or type(label).__name__ == "NAType":
        return True
    return isinstance(label, (float, np.floating, np.datetime64)) and bool(label != label)


def _is_arrow_text(values: Any) -> bool:
    kind = str(getattr(values, "type", ""))
    return hasattr(values, "dictionary_encode") and ("string" in kind or "utf8" in kind)


def _encode_arrow(columns, names) -> tuple[np.ndarray, np.ndarray]:
    import pyarrow as pa
    import pyarrow.compute as pc

    for values, name in zip(columns, names, strict=True):
        if values.null_count:
            at = pc.index(pc.is_null(values), True).as_py()
            raise ValueError(f"{name}[{at}] is missing (null): it cannot be a label")
    chunks: list[Any] = []
    for values in columns:
        whole = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        chunks += whole.chunks if isinstance(whole, pa.ChunkedArray) else [whole]
    chunks = [chunk.cast(pa.large_string()) for chunk in chunks]
    text = pa.chunked_array(chunks, pa.large_string())
    if len(text):
        encoded = text.dictionary_encode().combine_chunks()
    else:  # which Arrow 18 does not combine
        encoded = pa.array([], pa.large_string()).dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0)
    order = pc.sort_indices(encoded.dictionary).to_numpy()
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    values = encoded.dictionary.take(pa.array(order)).to_numpy(zero_copy_only=False)
    return values.astype(object), rank[encoded.indices.to_numpy()]

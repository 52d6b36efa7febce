"""Labels: what a graph's vertices are called outside, and how that maps to 0..n-1.

Integers, floats, dates and strings are numbered in ascending order; other hashable objects (tuples,
or several types at once) in order of first appearance, sources before targets. Integers are sorted
by radix on all threads, Arrow strings are encoded by Arrow, other labels go through a dict.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from edgewise.graph.csr import frozen

__all__ = ["Labels", "column"]


class Labels:
    """Names of the vertices 0..n-1.

    Parameters
    ----------
    values : array or list
        The label of each vertex, in order of the vertex ids; no two alike.

    Examples
    --------
    >>> labels = Labels(["ant", "bee", "cat"])
    >>> labels.vertex("bee"), labels.vertex(["cat", "ant"]).tolist()
    (1, [2, 0])
    >>> labels.label(2), labels.label([0, 1]).tolist()
    ('cat', ['ant', 'bee'])
    """

    def __init__(self, values: Any):
        values = column(values, "labels")
        if values.dtype.kind in "US":
            values = values.astype(object)
        self.__dict__["values"] = frozen(values)
        if not self._ascending:
            self._check_distinct()

    @classmethod
    def encode(cls, *columns: Any, names: tuple[str, ...] = ()) -> tuple[Labels, list[np.ndarray]]:
        """Number the labels in some columns: the labels, and each column as ids.

        ``names`` are the columns' names for error messages.

        >>> labels, (sources, targets) = Labels.encode([70, 20], [20, 500])
        >>> labels.values.tolist(), sources.tolist(), targets.tolist()
        ([20, 70, 500], [1, 0], [0, 2])
        """
        names = names or tuple(f"column {i}" for i in range(len(columns)))
        if columns and all(map(_is_arrow_text, columns)):
            values, ids = _encode_arrow(columns, names)
        else:
            arrays = [column(c, name) for c, name in zip(columns, names, strict=True)]
            values, ids = _encode(arrays, names)
        ends = np.cumsum([len(c) for c in columns])
        make = cls.ascending if values.dtype.kind in "iu" else cls._trusted
        return make(values), np.split(ids, ends[:-1])

    @classmethod
    def range(cls, start: int, count: int) -> Labels:
        """The labels start, start + 1, ...: ids that are counted from another number than 0.

        They take no memory, however many there are.

        >>> labels = Labels.range(1, 10**12)
        >>> labels.vertex(1), labels.label([0, 41]).tolist(), labels
        (0, [1, 42], Labels([1, 2, 3, ...], 1,000,000,000,000 in all))
        """
        return _Range(int(start), int(count))

    @classmethod
    def ascending(cls, values: np.ndarray) -> Labels:
        """Labels of distinct integers in ascending order: a `range` where there are no gaps.

        >>> Labels.ascending(np.array([3, 4, 5])).range_start, Labels.ascending(np.array([3, 5]))
        (3, Labels([3, 5], 2 in all))
        """
        if len(values) and int(values[-1]) < 2**63:
            first, last = int(values[0]), int(values[-1])
            if last - first == len(values) - 1:
                return cls.range(first, len(values))
        return cls._trusted(values)

    @classmethod
    def _trusted(cls, values: np.ndarray) -> Labels:
        labels = cls.__new__(cls)
        labels.__dict__["values"] = frozen(values)
        return labels

    values: np.ndarray
    #: The first label if these are a `range`, else None.
    range_start: int | None = None

    def vertex(self, label: Any) -> Any:
        """The id of one label, or of each in a list or array; ValueError if there is none.

        >>> Labels([10, 20, 30]).vertex(20)
        1
        """
        if isinstance(label, list) or (hasattr(label, "__array__") and np.ndim(label)):
            return self._find(column(label, "label"))
        return int(self._find(column([label], "label"))[0])

    def label(self, ids: Any) -> Any:
        """The label of one vertex, or of each in a list or array.

        >>> Labels(["ant", "bee"]).label(1)
        'bee'
        """
        ids = np.asarray(ids)
        if ids.size == 0:
            return np.empty(0, self.dtype)
        if ids.dtype.kind not in "iu":
            raise TypeError(f"ids must be vertex ids (integers), got dtype {ids.dtype}")
        if ids.min() < 0 or ids.max() >= len(self):
            wrong = ids.min() if ids.min() < 0 else ids.max()
            raise ValueError(f"ids must be vertex ids from 0 to {len(self) - 1}, got {wrong}")
        found = self._at(ids)
        return found.item() if isinstance(found, np.generic) else found

    def take(self, ids: np.ndarray) -> Labels:
        """The labels of some distinct vertices, in that order."""
        return Labels._trusted(self._at(np.asarray(ids)))

    def _at(self, ids: np.ndarray) -> Any:
        return self.values[ids]

    @property
    def dtype(self) -> np.dtype:
        """The labels' type: ``object`` for strings and mixed labels."""
        return self.values.dtype

    @cached_property
    def _ascending(self) -> bool:
        values = self.values
        return values.dtype != object and bool((values[1:] > values[:-1]).all())

    @cached_property
    def _order(self) -> np.ndarray:
        return np.argsort(self.values, kind="stable")

    @cached_property
    def _index(self) -> dict[Any, int]:
        return {label: i for i, label in enumerate(self.values.tolist())}

    def _check_distinct(self) -> None:
        _check_present(self.values, "labels")
        if self.dtype == object:
            repeated = len(self._index) < len(self)
        else:
            ordered = self.values[self._order]
            repeated = bool((ordered[1:] == ordered[:-1]).any())
        if repeated:
            raise ValueError("labels must be distinct")

    def _find(self, wanted: np.ndarray) -> np.ndarray:
        """Ids of labels; the search that suits the kind of labels."""
        if self.dtype == object:
            ids = [self._index.get(label, -1) for label in wanted.tolist()]
            found = np.array(ids, np.int64)
        else:
            if wanted.dtype == object and self.dtype.kind in "Mm":
                wanted = wanted.astype(self.dtype)
            found = self._search(wanted)
        if (found < 0).any():
            missing = wanted[np.argmax(found < 0)]
            missing = missing.item() if isinstance(missing, np.generic) else missing
            from edgewise.graph.lookup import unknown_label

            raise ValueError(unknown_label(self, missing))
        return found

    def _search(self, wanted: np.ndarray) -> np.ndarray:
        if len(self) == 0 or wanted.dtype.kind in "OUST":
            return np.full(len(wanted), -1)
        same = np.ones(len(wanted), bool)
        if wanted.dtype.kind in "iu" and self.dtype.kind in "iu":
            limits = np.iinfo(self.dtype)
            same = (wanted >= limits.min) & (wanted <= limits.max)
            wanted = np.where(same, wanted, 0).astype(self.dtype)
        sorter = None if self._ascending else self._order
        at = np.searchsorted(self.values, wanted, sorter=sorter)
        at[at == len(self)] = 0
        ids = at if sorter is None else sorter[at]
        return np.where(same & (self.values[ids] == wanted), ids, -1)

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Labels):
            return NotImplemented
        if self is other:
            return True
        if self.dtype != other.dtype or len(self) != len(other):
            return False
        if self.range_start is not None and other.range_start is not None:
            return self.range_start == other.range_start
        return bool(np.array_equal(self.values, other.values))

    def __hash__(self) -> int:
        return hash((Labels, len(self), self.dtype))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"Labels are frozen: cannot set {name!r}")

    def __reduce__(self) -> Any:
        return Labels._trusted, (self.values,)

    def __repr__(self) -> str:
        few = ", ".join(map(repr, self._at(np.arange(min(3, len(self)))).tolist()))
        return f"Labels([{few}{', ...' if len(self) > 3 else ''}], {len(self):,} in all)"


class _Range(Labels):
    """The integers from ``start`` on; ``values`` are made when somebody asks for them."""

    range_start: int
    _count: int
    dtype = np.dtype(np.int64)  # type: ignore[assignment]

    def __init__(self, start: int, count: int):
        if count < 0 or not -(2**63) <= start <= 2**63 - count:
            raise ValueError(f"labels must be a range of 64-bit integers, got {start}, {count}")
        self.__dict__.update(range_start=start, _count=count)

    @property
    def values(self) -> np.ndarray:  # type: ignore[override]
        return frozen(np.arange(self.range_start, self.range_start + len(self)))

    def _at(self, ids: np.ndarray) -> Any:
        return ids.astype(np.int64) + self.range_start

    @property
    def _ascending(self) -> bool:  # type: ignore[override]
        return True

    def _search(self, wanted: np.ndarray) -> np.ndarray:
        if wanted.dtype.kind not in "iufb":
            return np.full(len(wanted), -1)
        start, last = self.range_start, self.range_start + len(self) - 1
        known = (wanted >= start) & (wanted <= last) & (wanted == np.floor(wanted))
        return np.where(known, np.where(known, wanted, start).astype(np.int64) - start, -1)

    def __len__(self) -> int:
        return self._count

    def __reduce__(self) -> Any:
        return Labels.range, (self.range_start, len(self))


def check_every(labels: Any, count: int) -> None:
    """ValueError unless there are no labels, or one for each of so many vertices."""
    if labels is not None and len(labels) != count:
        raise ValueError(f"labels must name every vertex ({count}), got {len(labels)} labels")


def column(values: Any, name: str) -> np.ndarray:
    """Labels as a one-dimensional array; Python integers become int64 where they fit.

    A list of several types stays a list of objects: 1 and "1" are different labels.
    """
    if isinstance(values, (list, tuple)):
        kinds = set(map(type, values))
        plain = kinds <= {int} or kinds <= {int, float} or (len(kinds) == 1 and kinds <= {bool})
        scalar = all(issubclass(kind, np.generic) for kind in kinds)
        values = np.asarray(values) if plain or scalar else _objects(values)
    values = np.asarray(values)
    if values.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {values.shape}")
    if values.dtype.kind == "c":
        raise TypeError(f"{name} must be vertex ids or labels, got dtype {values.dtype}")
    if len(values) == 0 and values.dtype.kind in "fO":
        return values.astype(np.int64)
    if values.dtype == object and all(map(is_integer, values)):
        try:
            return values.astype(np.int64)
        except OverflowError:
            return values
    return values


def is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _objects(values: Any) -> np.ndarray:
    array = np.empty(len(values), object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def _encode(arrays: list[np.ndarray], names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    for array, name in zip(arrays, names, strict=True):
        _check_present(array, name)
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
    from edgewise.base.cpu.sort import sort
    from edgewise.base.threads import get_threads, launch
    from edgewise.graph.cpu.labels import number

    keys = values.astype(np.uint64 if values.dtype == np.uint64 else np.int64)
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


def _check_present(array: np.ndarray, name: str) -> None:
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
    encoded = pa.chunked_array(chunks, pa.large_string()).dictionary_encode().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else pa.array([], pa.large_string())
        encoded = encoded.dictionary_encode() if len(encoded) == 0 else encoded
    order = pc.sort_indices(encoded.dictionary).to_numpy()
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    values = encoded.dictionary.take(pa.array(order)).to_numpy(zero_copy_only=False)
    return values.astype(object), rank[encoded.indices.to_numpy()]

"""Labels: what a graph's vertices are called outside, and how that maps to 0..n-1.

`edgewise.graph.encoding` says in which order labels are numbered.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any
from uuid import UUID

import numpy as np

from edgewise.base.once import cached_property
from edgewise.graph.csr import frozen
from edgewise.graph.encoding import check_present, column, encode
from edgewise.graph.uuids import other_form

__all__ = ["Labels", "TextLabels", "check_every"]


class Labels:
    """The labels of the vertices 0..n-1.

    Parameters
    ----------
    values : array or list
        The label of each vertex, in the order of the vertex ids. Labels must be distinct.

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
        """Return the labels found in several columns, and each column as vertex ids.

        ``names`` are the names of the columns, used in error messages.

        >>> labels, (sources, targets) = Labels.encode([70, 20], [20, 500])
        >>> labels.values.tolist(), sources.tolist(), targets.tolist()
        ([20, 70, 500], [1, 0], [0, 2])
        """
        values, ids, ends = encode(
            columns, names or tuple(f"column {i}" for i in range(len(columns)))
        )
        make = cls.ascending if values.dtype.kind in "iu" else cls._trusted
        return make(values), np.split(ids, ends)

    @classmethod
    def range(cls, start: int, count: int) -> Labels:
        """Return the labels start, start + 1, ..., for ids that do not begin at 0.

        They take no memory, whatever their number.

        >>> labels = Labels.range(1, 10**12)
        >>> labels.vertex(1), labels.label([0, 41]).tolist(), labels
        (0, [1, 42], Labels([1, 2, 3, ...], 1,000,000,000,000 in all))
        """
        return _Range(int(start), int(count))

    @classmethod
    def ascending(cls, values: np.ndarray) -> Labels:
        """Return labels made of distinct ascending integers; a `range` if there are no gaps.

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
        """Return the vertex id of a label, or of each label in a list or array.

        Raises
        ------
        ValueError
            If a label is unknown.

        >>> Labels([10, 20, 30]).vertex(20)
        1
        """
        if isinstance(label, list) or (hasattr(label, "__array__") and np.ndim(label)):
            return self._find(column(label, "label"))
        return int(self._find(column([label], "label"))[0])

    def label(self, ids: Any) -> Any:
        """Return the label of a vertex, or of each vertex in a list or array.

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
        """Return the labels of distinct vertices, in the given order."""
        return Labels._trusted(self._at(np.asarray(ids)))

    def _at(self, ids: np.ndarray) -> Any:
        return self.values[ids]

    @property
    def dtype(self) -> np.dtype:
        """The type of the labels; ``object`` for strings and mixed labels."""
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
        check_present(self.values, "labels")
        if self.dtype == object:
            try:
                repeated = len(self._index) < len(self)
            except TypeError as error:
                raise TypeError(f"labels must be hashable: {error}") from None
        else:
            ordered = self.values[self._order]
            repeated = bool((ordered[1:] == ordered[:-1]).any())
        if repeated:
            raise ValueError("labels must be distinct")

    def find(self, wanted: np.ndarray) -> np.ndarray:
        """Return the ids of an array of labels, -1 for labels that no vertex has.

        >>> Labels([10, 20, 30]).find(np.array([30, 40])).tolist()
        [2, -1]
        """
        if self.dtype == object:
            found = [self._index.get(label, -1) for label in wanted.tolist()]
            return np.array(found, np.int64)
        if wanted.dtype == object and self.dtype.kind in "Mm":
            wanted = wanted.astype(self.dtype)
        return self._search(wanted)

    def _find(self, wanted: np.ndarray) -> np.ndarray:
        """Ids of labels, all of which must be there."""
        found = self.find(wanted)
        if (found < 0).any() and self.dtype == object:
            _find_uuids(self._index, wanted, found)
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


class TextLabels(Labels):
    """Distinct ascending strings in an Arrow array, which takes a fraction of Python's memory.

    ``values`` are made anew when somebody asks for all of them.

    >>> import pyarrow
    >>> labels = TextLabels(pyarrow.chunked_array([["ant", "bee"], ["cat"]]))
    >>> labels.vertex(["cat", "ant"]).tolist(), labels.label(1), labels == Labels(["ant", "bee"])
    ([2, 0], 'bee', False)
    """

    dtype = np.dtype(object)  # type: ignore[assignment]
    _array: Any

    def __init__(self, array: Any):
        self.__dict__["_array"] = array

    @property
    def values(self) -> np.ndarray:  # type: ignore[override]
        return frozen(self._array.to_numpy().astype(object))

    @property
    def _ascending(self) -> bool:  # type: ignore[override]
        return False  # which is asked of numbers

    def _at(self, ids: np.ndarray) -> Any:
        found = self._array.take(np.atleast_1d(ids)).to_numpy().astype(object)
        return found if np.ndim(ids) else found[0]

    def _find(self, wanted: np.ndarray) -> np.ndarray:
        found = np.full(len(wanted), -1, np.int64)
        for i, label in enumerate(wanted.tolist()):
            label = str(label) if isinstance(label, UUID) else label
            if isinstance(label, str):
                place = bisect_left(range(len(self)), label.encode(), key=self._bytes_at)
                if place < len(self) and self._array[place].as_py() == label:
                    found[i] = place
        if (found < 0).any():
            from edgewise.graph.lookup import unknown_label

            raise ValueError(unknown_label(self, wanted[np.argmax(found < 0)]))
        return found

    def _bytes_at(self, i: int) -> bytes:
        return self._array[i].as_py().encode()

    def __len__(self) -> int:
        return len(self._array)

    def __reduce__(self) -> Any:
        return TextLabels, (self._array,)


def _find_uuids(index: dict[Any, int], wanted: np.ndarray, found: np.ndarray) -> None:
    """Put in the ids of labels that are UUIDs where text was given, or the other way around."""
    for at in np.flatnonzero(found < 0).tolist():
        found[at] = index.get(other_form(wanted[at]), -1)


def check_every(labels: Any, count: int, *others: Any) -> None:
    """ValueError unless there are no labels, or one for each of so many vertices.

    TypeError unless they are `Labels`, or of the ``others``.
    """
    if labels is None:
        return
    if not isinstance(labels, Labels) and not isinstance(labels, others):
        raise TypeError(f"labels must be Labels or None, got {type(labels).__name__}")
    if len(labels) != count:
        raise ValueError(f"labels must name every vertex ({count}), got {len(labels)} labels")

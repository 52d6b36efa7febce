"""Label arrays with methods for their groups: the results of component and community functions.

A `Partition` is a NumPy array with one label per vertex, the smallest vertex of its group. It can
be used wherever an array can. A slice, a comparison or a sum of one is a plain array. On a GPU and
on a grid, component and community functions return that engine's own array instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.graph.result_html import partition_html
from edgewise.graph.transfer import host

__all__ = ["Components", "Partition", "as_components", "plain", "shown"]


class Partition(np.ndarray):
    """An array of labels over vertices; vertices with equal labels form a group."""

    _word = "groups"

    def __new__(cls, labels: Any) -> Any:
        found = np.asarray(host(labels))
        if found.ndim != 1 or found.dtype.kind not in "iu":
            raise TypeError(f"labels must be one integer per vertex, got {labels!r:.80}")
        return found.view(cls)

    @property
    def labels(self) -> np.ndarray:
        """The labels as a plain array that shares memory with this one."""
        return self.view(np.ndarray)

    def sizes(self) -> np.ndarray:
        """Return the number of vertices in each group, in ascending order of the labels.

        >>> Partition([0, 0, 2, 0]).sizes().tolist()
        [3, 1]
        """
        labels = self.labels
        if len(labels) and labels.min() >= 0 and labels.max() < len(labels):
            counts = np.bincount(labels)
            return counts[counts > 0]
        return np.unique(labels, return_counts=True)[1]

    def groups(self) -> list[np.ndarray]:
        """Return the vertices of each group in ascending order, as a list of arrays.

        The groups are in ascending order of their labels, as in `sizes`.

        >>> [group.tolist() for group in Partition([0, 0, 2, 0]).groups()]
        [[0, 1, 3], [2]]
        """
        ends = np.cumsum(self.sizes())
        return np.split(np.argsort(self.labels, kind="stable"), ends[:-1]) if len(ends) else []

    def _facts(self) -> str:
        return f"{len(self.sizes()):,} {self._word} of {len(self):,} vertices"

    def __repr__(self) -> str:
        if self.ndim != 1:
            return repr(self.labels)
        return f"{type(self).__name__}({self._facts()})\n{shown(self.labels)}"

    def __str__(self) -> str:
        return str(self.labels)

    def _repr_html_(self) -> str | None:
        if self.ndim != 1:
            return None  # the text is shown
        return partition_html(type(self).__name__, self._word, self.sizes(), *self._more())

    def _more(self) -> list[tuple[str, str]]:
        """Further rows of what notebooks show."""
        return []

    def __getitem__(self, key: Any) -> Any:
        return self.labels[plain(key)]

    def __array_finalize__(self, made_from: Any) -> None:
        if isinstance(made_from, Partition):  # a copy
            self.__dict__.update(made_from.__dict__)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*plain(inputs), **plain(options))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return function(*plain(args), **plain(options))

    def __reduce__(self) -> Any:
        return _restored, (type(self), self.labels, self._kept())

    def _kept(self) -> dict[str, Any]:
        """Return the attributes that are pickled with the labels."""
        return {}


def plain(value: Any) -> Any:
    """Return the value with every partition in it replaced by a plain array."""
    if isinstance(value, Partition):
        return value.labels
    if type(value) in (tuple, list):
        return type(value)(map(plain, value))
    return {key: plain(one) for key, one in value.items()} if type(value) is dict else value


def shown(array: Any) -> str:
    """Return the text of an array as results show it: one line, or its first and last entries."""
    if not isinstance(array, np.ndarray):
        return repr(array)
    return np.array2string(array, threshold=24, edgeitems=8)


def _restored(kind: type, labels: np.ndarray, kept: dict[str, Any]) -> Any:
    found: Any = labels.view(kind)
    found.__dict__.update(kept)
    return found


def _on_plain(name: str) -> Any:
    method = getattr(np.ndarray, name)

    def call(self: Partition, *args: Any, **options: Any) -> Any:
        return method(self.labels, *plain(args), **plain(options))

    call.__name__, call.__doc__ = name, method.__doc__
    return call


_PLAIN = (
    "argpartition argsort astype choose compress copy flatten nonzero ravel repeat reshape "
    "searchsorted squeeze take transpose"
)
for _name in _PLAIN.split():
    setattr(Partition, _name, _on_plain(_name))


class Components(Partition):
    """The component of each vertex, named by its smallest vertex: an array with extra methods.

    >>> import edgewise as ew
    >>> ew.connected_components(ew.Graph.from_edges([0, 3], [2, 4]))
    Components(3 components of 5 vertices)
    [0 1 0 3 3]
    """

    _word = "components"

    @property
    def num_components(self) -> int:
        """The number of components."""
        return len(self.sizes())


def as_components(labels: Any) -> Any:
    """Return host labels as `Components`, and arrays of other engines unchanged."""
    return labels.view(Components) if type(labels) is np.ndarray else labels

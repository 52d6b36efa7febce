"""Dicts whose items are made when something asks for them.

A `LazyDict` is a dict for every purpose. It holds arrays until a method needs all items; then it
fills itself once and becomes a `FilledDict`, whose methods are those of `dict`. Looking up single
keys fills nothing. Copies and pickles are plain dicts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Protocol

__all__ = ["FilledDict", "LazyDict"]


class Items(Protocol):
    """What a `LazyDict` is made from."""

    def __len__(self) -> int:
        """The number of items."""

    def find(self, key: Any) -> Any:
        """The value of a key in a tuple of one, or None."""

    def pairs(self, few: bool = False) -> Iterable[tuple[Any, Any]]:
        """All keys and values, in order; or some of the first."""


class FilledDict(dict):
    """A dict that once was lazy."""

    __slots__ = ("_items",)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)

    def copy(self) -> dict:
        """Return a plain dict with the same items."""
        return dict(self)


class LazyDict(FilledDict):
    """A dict that is not filled yet.

    >>> from edgewise.networkx.node_items import Every
    >>> import networkx as nx
    >>> from edgewise.networkx.compact import compact
    >>> import numpy as np
    >>> lazy = LazyDict(Every(compact(nx.path_graph(3)), np.array([0.5, 1.5, 2.5])))
    >>> lazy[1], len(lazy), 7 in lazy, lazy == {0: 0.5, 1: 1.5, 2: 2.5}
    (1.5, 3, False, True)
    """

    __slots__ = ()

    def __init__(self, items: Items):
        self._items = items
        if len(items):  # the encoder of json asks C whether a dict is empty
            dict.update(self, islice(items.pairs(few=True), 1))

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: Any) -> bool:
        return self._items.find(key) is not None

    def __getitem__(self, key: Any) -> Any:
        found = self._items.find(key)
        if found is None:
            raise KeyError(key)
        return found[0]

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, or the default."""
        found = self._items.find(key)
        return default if found is None else found[0]


def _fill(lazy: LazyDict) -> None:
    items = lazy._items
    if type(lazy) is LazyDict:
        dict.update(lazy, items.pairs())
        lazy.__class__ = FilledDict  # type: ignore[assignment]


def _filled(name: str) -> Any:
    """A method of `FilledDict` that fills first."""
    method = getattr(FilledDict, name)

    def call(self: LazyDict, *args: Any, **options: Any) -> Any:
        _fill(self)
        return method(self, *args, **options)

    call.__name__, call.__doc__ = name, method.__doc__
    return call


for _name in (
    *("__delitem__", "__eq__", "__ior__", "__iter__", "__ne__", "__or__", "__reduce_ex__"),
    *("__repr__", "__reversed__", "__ror__", "__setitem__", "clear", "copy", "items", "keys"),
    *("pop", "popitem", "setdefault", "update", "values"),
):
    setattr(LazyDict, _name, _filled(_name))
LazyDict.__hash__ = None  # type: ignore[assignment]

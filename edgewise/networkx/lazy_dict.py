"""Dicts whose items are made when something asks for them.

A `LazyDict` holds arrays until a method needs all items; then it fills itself once and becomes a
`FilledDict`, whose methods are those of `dict`. Looking up single keys fills nothing. Copies and
pickles are plain dicts. Few items are made at once, in a plain dict.

C code may read the storage of a dict without a call of its methods. Until the dict is filled, the
storage holds one key and value that raise a `TypeError` wherever they are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

__all__ = ["FilledDict", "LazyDict", "lazy_dict"]


class Items(Protocol):
    """What a `LazyDict` is made from."""

    #: A dict of at most so many items is filled at once, which takes about 0.1 ms.
    eager: int

    def __len__(self) -> int:
        """The number of items."""

    def find(self, key: Any) -> Any:
        """The value of a key in a tuple of one, or None."""

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """All keys and values, in order."""


def lazy_dict(items: Items) -> dict:
    """Items as a plain dict if they are few, or else as a `LazyDict`."""
    return dict(items.pairs()) if len(items) <= items.eager else LazyDict(items)


class _Unfilled:
    """The key and value in the storage of a `LazyDict` until it is filled."""

    __slots__ = ()


def _refuse(*_: Any) -> Any:
    raise TypeError("this code reads the storage of a result that is not filled: take dict(result)")


for _name in ("str", "repr", "bool", "len", "iter", "float", "int", "index", "reduce_ex", "lt"):
    setattr(_Unfilled, f"__{_name}__", _refuse)
_UNFILLED = _Unfilled()


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
        if len(items):  # the encoder of json reads whether the storage is empty
            dict.__setitem__(self, _UNFILLED, _UNFILLED)

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
    found = dict(lazy._items.pairs()) if type(lazy) is LazyDict else {}
    if type(lazy) is LazyDict:  # no other thread was faster
        dict.clear(lazy)
        dict.update(lazy, found)
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

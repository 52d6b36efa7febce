"""Public calls on a grid: every rank must make the same one, with the same arguments.

`check_call` compares a hash of the function and its arguments in one reduction of 16 bytes. Only if
the hashes differ do the ranks exchange what they have, and every rank raises a `RankError` that
names the argument. Arrays that each rank has a part of, and frontiers, count by their type alone.
"""

from __future__ import annotations

import hashlib
import reprlib
from collections.abc import Callable
from functools import cache, partial
from inspect import Signature, signature
from os import PathLike, fspath
from types import FunctionType
from typing import Any

import numpy as np

from edgewise.base.bytecode import code_content
from edgewise.distributed.comm import Communicator, RankError

__all__ = ["check_call", "content"]

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))


def check_call(world: Communicator, function: Callable, args: tuple, options: dict) -> None:
    """RankError on every rank, unless all ranks are about to make this call."""
    try:
        bound = _signature(function).bind(*args, **options)
    except TypeError:  # the call itself says why
        given = dict(enumerate(args)) | options
    else:
        bound.apply_defaults()
        given = bound.arguments
    name = function.__name__
    check_alike(world, name, {str(key): value for key, value in given.items()})


def check_alike(world: Communicator, name: str, given: dict[str, Any]) -> None:
    """RankError on every rank, unless all have the same ``name`` and the same values by name."""
    parts = {key: content(value) for key, value in given.items()}
    digest = hashlib.blake2b(repr((name, parts)).encode(), digest_size=8).digest()
    number = int.from_bytes(digest, "little", signed=True)
    with world.phase("control"):
        least, most = world.allreduce(np.array([number, ~number], np.int64), "min").tolist()
    if least == ~most:
        return
    every = world.gather_objects((name, parts, {key: _shown(given[key]) for key in given}))
    (first, mine, texts), *others = every
    for rank, (other, theirs, words) in enumerate(others, 1):
        if other != first:
            raise RankError(f"rank 0 calls {first}(), rank {rank} calls {other}()")
        for key in mine | theirs:
            if mine.get(key) != theirs.get(key):
                here, there = _unlike(texts.get(key, "none"), words.get(key, "none"))
                raise RankError(
                    f"{name}: {key} must be the same on all ranks: rank 0 has {here}, "
                    f"rank {rank} has {there}"
                )


@cache
def _signature(function: Callable) -> Signature:
    return signature(function)


def content(value: Any) -> Any:
    """What must be the same on all ranks: a value of plain types, whose repr they compare.

    >>> content([np.int64(3), {"b": 1, "a": None}]) == content([3, {"a": None, "b": 1}])
    True
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, (list, tuple)):
        return [content(one) for one in value]
    if isinstance(value, dict):
        return sorted(((content(key), content(one)) for key, one in value.items()), key=repr)
    if isinstance(value, (set, frozenset)):
        return sorted(map(content, value), key=repr)
    if hasattr(value, "alike"):  # of a grid: what all ranks share of it
        return [type(value).__name__, content(value.alike())]
    if isinstance(value, np.ndarray) or hasattr(value, "__cuda_array_interface__"):
        return _array(value if isinstance(value, np.ndarray) else value.get())
    return _function(value) or _other(value)


def _array(array: np.ndarray) -> list:
    if array.dtype.hasobject:
        return content(array.tolist())
    data = np.ascontiguousarray(array).view(np.uint8).data if array.size else b""
    return [array.dtype.str, array.shape, hashlib.blake2b(data, digest_size=8).hexdigest()]


def _function(value: Any) -> list | None:
    """A function by its code, its defaults and what it closes over; not by its globals."""
    if isinstance(value, partial):
        return content([value.func, value.args, value.keywords])
    function = getattr(value, "py_func", value)
    if not isinstance(function, FunctionType):
        return None
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    held = [one if isinstance(one, _PLAIN) else type(one).__name__ for one in cells]
    return [code_content(function.__code__)[0], content(function.__defaults__), held]


def _other(value: Any) -> list:
    named = value if isinstance(value, type) else type(value)
    path = [fspath(value)] if isinstance(value, PathLike) else []
    return [named.__module__, named.__qualname__, *path]


def _shown(value: Any) -> Any:
    """A value in a message: its text, or for something of a grid its parts by name."""
    if hasattr(value, "alike"):
        return {"a": type(value).__name__} | value.alike()
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    return reprlib.repr(value.item() if isinstance(value, np.generic) else value)


def _unlike(here: Any, there: Any) -> tuple[str, str]:
    """Two values in words; of things of a grid that in which they differ.

    >>> _unlike({"a": "GridGraph", "vertices": 4}, {"a": "GridGraph", "vertices": 5})
    ('one with vertices=4', 'one with vertices=5')
    """
    if isinstance(here, dict) and isinstance(there, dict) and here["a"] == there["a"]:
        names = [name for name in here if here[name] != there[name]]
        first, second = (
            "one with " + ", ".join(f"{name}={one[name]}" for name in names)
            for one in (here, there)
        )
        return first, second
    first, second = (f"a {one['a']}" if isinstance(one, dict) else one for one in (here, there))
    return first, "one with other content" if first == second else second

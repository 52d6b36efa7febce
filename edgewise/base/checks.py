"""Checks at the public door: each error names the argument, the rule and the value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = [
    "check_bytes",
    "check_choice",
    "check_count",
    "check_directed",
    "check_dtype",
    "check_flag",
    "check_fraction",
    "check_number",
    "check_one_device",
    "check_undirected",
    "check_unmasked",
    "check_vertex",
    "fitting_integers",
]

_MOST = 2**63 - 1  # what arrays and kernels can count


def check_vertex(graph: Any, vertex: Any, name: str = "source") -> int:
    """``vertex`` as an int, if the graph has it: an integer is a position, a string a label."""
    if isinstance(vertex, str):
        if graph.labels is None:
            raise TypeError(
                f"{name} must be a vertex id (a whole number), got {vertex!r}: "
                "the graph has no labels"
            )
        try:
            return graph.labels.vertex(vertex)
        except ValueError as error:
            raise ValueError(f"{name}{str(error).removeprefix('label')}") from None
    if isinstance(vertex, (bool, np.bool_)) or not isinstance(vertex, (int, np.integer)):
        raise TypeError(
            f"{name} must be a vertex id (a whole number), got {vertex!r}; "
            "graph.vertex(label) gives the id of a label"
        )
    if not 0 <= vertex < graph.num_vertices:
        if graph.num_vertices == 0:
            raise ValueError(f"{name} must be a vertex id, but the graph has none; got {vertex}")
        hint = f"; graph.vertex({vertex}) gives that of a label" if graph.labels is not None else ""
        last = graph.num_vertices - 1
        raise ValueError(f"{name} must be a vertex id from 0 to {last}, got {vertex}{hint}")
    return int(vertex)


def check_count(value: Any, name: str, least: int = 0, most: int | None = None) -> int:
    """``value`` as an int that is at least ``least``, and at most ``most`` (or 2**63 - 1)."""
    if type(value) is int and least <= value <= (_MOST if most is None else most):
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    if value > (_MOST if most is None else most):
        raise ValueError(f"{name} must be at most {_MOST if most is None else most}, got {value}")
    return int(value)


def check_bytes(value: Any, name: str, least: int = 1) -> int:
    """A number of bytes, given as one or as text, that is at least ``least``.

    >>> check_bytes("1.5 GiB", "memory"), check_bytes("64kb", "memory"), check_bytes(4096, "memory")
    (1610612736, 64000, 4096)
    """
    count: Any = value
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{1,15})?)\s*([kmgt]?)(i?)b?\s*", value.lower())
        if not found or (found[3] and not found[2]):
            raise ValueError(f"{name} must be a number of bytes, as 1GiB or 500MB, got {value!r}")
        base = 1024 if found[3] else 1000
        count = int(float(found[1]) * base ** " kmgt".index(found[2] or " "))
    if isinstance(count, (bool, np.bool_)) or not isinstance(count, (int, np.integer)):
        raise TypeError(f"{name} must be a number of bytes, as 1GiB or 500MB, got {value!r}")
    if count < least:
        raise ValueError(f"{name} must be at least {least} bytes, got {value!r}")
    if count > _MOST:
        raise ValueError(f"{name} must be at most {_MOST} bytes, got {value!r}")
    return int(count)


def check_fraction(value: Any, name: str) -> float:
    """``value`` as a float from 0 to 1."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number from 0 to 1, got {value!r}") from None
    except OverflowError:
        number = np.inf
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a number from 0 to 1, got {value!r}")
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")
    return number


def check_number(value: Any, name: str, *, positive: bool = False) -> float:
    """``value`` as a finite float that is at least 0, or ``positive``."""
    rule = "positive" if positive else "at least 0"
    if isinstance(value, (complex, np.complexfloating)):
        raise TypeError(f"{name} must be a finite number, {rule}, got {value!r:.80}")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a finite number, {rule}, got {value!r:.80}") from None
    except OverflowError:
        number = np.inf
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} must be a finite number, {rule}, got {value!r:.80}")
    if not (number > 0 if positive else number >= 0) or number == np.inf:
        raise ValueError(f"{name} must be a finite number, {rule}, got {value!r:.80}")
    return number


def check_choice(value: Any, name: str, choices: Iterable[str]) -> str:
    """``value``, if it is one of the named choices."""
    if not isinstance(value, str) or value not in (choices := tuple(choices)):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
    return value


def check_dtype(dtype: Any, name: str = "dtype") -> None:
    """TypeError unless it is None or names a type of numbers that kernels have."""
    try:
        kind = np.dtype(np.float64 if dtype is None else dtype)
    except (TypeError, ValueError):
        kind = np.dtype(object)
    if kind.kind not in "biuf":
        raise TypeError(f"{name} must be a type of numbers, got {dtype!r}")
    if kind.kind == "f" and kind.itemsize not in (4, 8):
        raise TypeError(f"{name} must be float32 or float64, got {kind}")


def check_flag(value: Any, name: str) -> bool:
    """``value`` as a bool."""
    try:
        return bool(value)
    except (TypeError, ValueError):  # an array, say
        raise TypeError(f"{name} must be True or False, got {value!r}") from None


def check_unmasked(array: Any, name: str) -> None:
    """TypeError if it is a masked array, whose mask nothing here reads."""
    if isinstance(array, np.ndarray) and isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"{name} must be a plain array, got a masked one; array.filled(value) replaces what is "
            "masked, array.compressed() leaves it out"
        )


def check_undirected(graph: Any, name: str) -> None:
    """An error that names the function, if the graph is directed."""
    if graph.directed:
        raise ValueError(f"{name} needs an undirected graph; graph.to_undirected() makes one")


def check_directed(graph: Any, name: str) -> None:
    """An error that names the function, if the graph is undirected."""
    if not graph.directed:
        raise ValueError(f"{name} needs a directed graph, and this one is undirected")


def check_one_device(graph: Any, name: str) -> None:
    """An error that names the function, if the graph is spread over a grid."""
    if not graph.one_device:
        raise ValueError(f"{name} runs on one device, and this graph is on a grid of ranks")


def fitting_integers(array: np.ndarray, name: str, dtype: np.dtype) -> np.ndarray:
    """The array in an integer type that holds all of its values; an error if it does not.

    >>> fitting_integers(np.array([3, 1]), "indices", np.dtype(np.int32)).dtype
    dtype('int32')
    """
    if array.dtype.kind not in "iu" and len(array):
        raise TypeError(f"{name} must be integers, got dtype {array.dtype}")
    if len(array) and not np.can_cast(array.dtype, dtype):
        limits = np.iinfo(dtype)
        for value in (int(array.min()), int(array.max())):
            if not limits.min <= value <= limits.max:
                raise ValueError(f"{name} must fit {dtype}, got {value}")
    return array.astype(dtype, copy=False)

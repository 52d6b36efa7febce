"""What kernels of all engines do with the elements of arrays: read, write, cast, compare.

State is one array, a tuple of two to four, or nothing (None); which one it is decides what is
compiled, so nothing remains in a kernel of what nobody asks for. Each function here makes functions
for one engine, which ``overload``, the engine's own, tells what to compile by types. As they are
written they run in plain Python: so does the simulator of CUDA.

>>> import numpy as np
>>> take, put = access(lambda function: lambda typed: typed)
>>> values = np.zeros(3), np.ones(3, np.int64)
>>> put(values, 1, (0.5, 7))
>>> [float(one) for one in take(values, 1)], take(None, 1)
([0.5, 7.0], 0)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.operators.fitting import cut_off

__all__ = ["access", "casting", "changer", "edge_access", "is_nothing",
           "sameness"]  # fmt: skip


def access(overload: Any) -> tuple[Any, Any]:
    """``take(values, i)``, the element or the tuple of elements, and ``put(values, i, new)``.

    Of nothing the elements are 0.
    """

    def take(values, i):
        if isinstance(values, tuple):
            return tuple(one[i] for one in values)
        return 0 if values is None else values[i]

    def put(values, i, new):
        if not isinstance(values, tuple):
            values[i] = new
            return
        for one, element in zip(values, new, strict=True):
            one[i] = element

    @overload(take)
    def _take(values, i):
        if is_nothing(values):
            return lambda values, i: 0
        if not _is_tuple(values):
            return lambda values, i: values[i]
        return {
            1: lambda values, i: (values[0][i],),
            2: lambda values, i: (values[0][i], values[1][i]),
            3: lambda values, i: (values[0][i], values[1][i], values[2][i]),
            4: lambda values, i: (values[0][i], values[1][i], values[2][i], values[3][i]),
        }[len(values)]

    @overload(put)
    def _put(values, i, new):
        def one(values, i, new):
            values[i] = new

        def two(values, i, new):
            values[0][i] = new[0]
            values[1][i] = new[1]

        def three(values, i, new):
            values[0][i] = new[0]
            values[1][i] = new[1]
            values[2][i] = new[2]

        def four(values, i, new):
            values[0][i] = new[0]
            values[1][i] = new[1]
            values[2][i] = new[2]
            values[3][i] = new[3]

        return {2: two, 3: three, 4: four}[len(values)] if _is_tuple(values) else one

    return take, put


def casting(overload: Any, error: Any) -> Any:
    """``cast(like, new)``: a number, or a tuple of numbers, in the types of others or of arrays.

    Compiling fails with ``error`` if fractions would be cut off.
    """

    def cast(like, new):
        if isinstance(like, tuple):
            return tuple(map(cast, like, new))
        return like.dtype.type(new) if hasattr(like, "dtype") else type(like)(new)

    @overload(cast)
    def _cast(like, new):
        if _is_tuple(like):
            return {
                2: lambda like, new: (cast(like[0], new[0]), cast(like[1], new[1])),
                3: lambda like, new: (
                    cast(like[0], new[0]), cast(like[1], new[1]), cast(like[2], new[2])),
                4: lambda like, new: (
                    cast(like[0], new[0]), cast(like[1], new[1]),
                    cast(like[2], new[2]), cast(like[3], new[3])),
            }[len(like)]  # fmt: skip
        kept = getattr(like, "dtype", like)
        kind = np.dtype(kept.name).type
        if type(new).__name__ == "Float" and not issubclass(kind, np.floating):
            raise error(cut_off(new, kept))
        return lambda like, new: kind(new)

    return cast


def sameness(overload: Any) -> Any:
    """``same(a, b)``: equal, where a NaN equals a NaN: from NaN to NaN is no change."""

    def same(a, b):
        if isinstance(a, tuple):
            return all(map(same, a, b))
        return a == b or (a != a and b != b)

    @overload(same)
    def _same(a, b):
        if _is_tuple(a):
            return {
                2: lambda a, b: same(a[0], b[0]) and same(a[1], b[1]),
                3: lambda a, b: same(a[0], b[0]) and same(a[1], b[1]) and same(a[2], b[2]),
                4: lambda a, b: same(a[:2], b[:2]) and same(a[2:], b[2:]),
            }[len(a)]
        if type(a).__name__ == "Float":
            return lambda a, b: a == b or (a != a and b != b)
        return lambda a, b: a == b

    return same


def edge_access(overload: Any) -> tuple[Any, Any]:
    """``weight_at(weights, e)``, 1 where there are none, and ``edge_at(edge_ids, e)``.

    The latter is the id of the edge at a position of an adjacency, which is the position itself
    where there are no ids.
    """

    def weight_at(weights, e):
        return 1 if weights is None else weights[e]

    def edge_at(edge_ids, e):
        return np.int64(e) if edge_ids is None else np.int64(edge_ids[e])

    @overload(weight_at)
    def _weight_at(weights, e):
        if is_nothing(weights):
            return lambda weights, e: 1
        return lambda weights, e: weights[e]

    @overload(edge_at)
    def _edge_at(edge_ids, e):
        if is_nothing(edge_ids):
            return lambda edge_ids, e: np.int64(e)
        return lambda edge_ids, e: np.int64(edge_ids[e])

    return weight_at, edge_at


def changer(combine: Any, early_exit: bool, same: Any, swap: Any, compile: Any) -> Any:
    """``change(values, v, old, sent, identity)``: combine a message into an array, atomically.

    What is there then, and whether it is new. ``old`` is what the array was seen to hold;
    ``swap(values, v, old, new)`` exchanges it if it still does, and says if so and what was there.
    With ``early_exit`` what is not the identity stays.
    """

    @compile
    def change(values, v, old, sent, identity):
        while True:
            if early_exit and not same(old, identity):
                return old, False
            new = values.dtype.type(combine(old, sent))
            if same(new, old):
                return new, False
            done, old = swap(values, v, old, new)
            if done:
                return new, True

    return change


def is_nothing(kind: Any) -> bool:
    """Is it the type of None, with any engine?"""
    return type(kind).__name__ == "NoneType"


def _is_tuple(kind: Any) -> bool:
    """Is it the type of a tuple, with any engine?"""
    return hasattr(kind, "types")

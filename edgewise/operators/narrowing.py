"""Do whole numbers fit where narrower ones are kept? Asked at the operators' door.

Numba makes 64 bits of ``value + 1``, also where ``value`` has 32, so the type of a message does not
tell whether it fits. What it is made of does: `check_narrowing` refuses a message of more bits
than are kept if it computes with something that has more bits as well, such as weights of int64
beside state of int32. A message that says its own type, as ``np.int32(weight % 7)`` does, is taken
at its word. Inside `edgewise.check_bounds` every message is looked at. State of 64 bits costs
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.check_bounds import debugging
from edgewise.base.compiling import compile_errors
from edgewise.base.errors import CompileError
from edgewise.graph.csr import CSR
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.weight_columns import stored_column
from edgewise.operators.functions import Function, compiled, looking
from edgewise.operators.recall import keep, recall
from edgewise.operators.results import is_record, several

__all__ = ["check_narrowing"]

_WEIGHTS = ("weight", "onward", "weight_u", "weight_v")


def check_narrowing(
    graph: AnyGraph | CSR, message: Any, kept: Any, *, value: Any = None, own: Any = None,
    weights: Any = "weight",
) -> Any:  # fmt: skip
    """The message, if it fits ``kept``, the types of what it is combined with.

    ``value``, ``own`` and ``weights`` are as the operator takes them. Under `edgewise.check_bounds`
    the message that is returned raises OverflowError where a number does not fit.
    """
    narrow = [kind for kind in kept if kind.kind in "iu" and kind.itemsize < 8]
    if not narrow or message is None:
        return message
    given = {"value": value, "own": own, **dict.fromkeys(_WEIGHTS, _weights(graph, weights))}
    names = [name for name in message.names if name not in given and name not in _IDS]
    given.update(zip(names, message.params, strict=False))
    wide = [name for name in message.names if _is_wide(given.get(name), narrow)]
    if wide:
        key = ("fits", *kept, *((name, *_kinds(given.get(name))) for name in message.names))
        if recall(message.given, key) is None:
            _check_type(message, kept, given, wide)
            keep(message.given, key, True)
    if debugging() and len(kept) == 1:
        return message._replace(given=_looking(message.given, narrow[0]))
    return message


def _kinds(given: Any) -> list[Any]:
    """What the type of an argument depends on."""
    if is_record(given):
        return [type(given), *(kind for one in given for kind in _kinds(one))]
    if isinstance(given, tuple) or getattr(given, "ndim", 0) > 0:
        return [(np.dtype(one.dtype), one.ndim) for one in several(given)]
    return [type(given)]


def _weights(graph: AnyGraph | CSR, weights: Any) -> Any:
    """The weights that an operator takes for such an argument; None for none."""
    return stored_column(graph, weights) if isinstance(weights, str) else weights


#: What messages name beside arrays: ids and counts, which fit or are no sums.
_IDS = ("source", "target", "edge", "column", "level", "u", "v", "common", "edge_u", "edge_v")


def _is_wide(array: Any, narrow: list[np.dtype]) -> bool:
    """Are all arrays of whole numbers here of more bits than are kept?"""
    if is_record(array) or not getattr(array, "ndim", 0) and not isinstance(array, tuple):
        return False
    kinds = [np.dtype(one.dtype) for one in several(array)]
    return all(k.kind in "iu" and not np.can_cast(k, one) for k in kinds for one in narrow)


def _check_type(message: Function, kept: Any, given: dict[str, Any], wide: list[str]) -> None:
    """CompileError if the message has more bits than are kept, and takes them from ``wide``.

    It does if it becomes a float where these are floats; what is compared alone does not.
    """
    from numba import types

    function = compiled(message.given, "message")
    found = _returned(function, [_type_of(name, given.get(name)) for name in message.names])
    if found is None:
        return  # it does not compile: the engine says why
    as_floats = [_type_of(name, given.get(name), name in wide) for name in message.names]
    moved = _returned(function, as_floats) or [types.float64] * len(found)
    for part, as_float, kind in zip(found, moved, kept, strict=False):
        whole = isinstance(part, types.Integer) and kind.kind in "iu"
        if whole and part.bitwidth > 8 * kind.itemsize and isinstance(as_float, types.Float):
            code = function.py_func.__code__
            raise CompileError(
                f"{function.py_func.__name__} ({code.co_filename}:{code.co_firstlineno}) returns "
                f"{part}, made of {wide[0]}, which {kind} may not hold; give dtype={part} or "
                f"values of {part}, or return np.{kind}(...) if all fit"
            )


def _type_of(name: str, given: Any, as_float: bool = False) -> Any:
    """The type that a message gets for a name: of an element, or of a whole param."""
    from numba import typeof, types
    from numba.np.numpy_support import from_dtype

    if given is None:
        return types.int64
    if is_record(given):
        return types.NamedTuple([_type_of(name, one) for one in given], type(given))
    if name not in ("value", "own", *_WEIGHTS) and not getattr(given, "ndim", 0):
        return typeof(given)
    kinds = [types.float64 if as_float else from_dtype(np.dtype(a.dtype)) for a in several(given)]
    if name not in ("value", "own", *_WEIGHTS):
        return types.Array(kinds[0], given.ndim, "C")
    return types.Tuple(kinds) if isinstance(given, tuple) else kinds[0]


def _returned(function: Any, arguments: list[Any]) -> list[Any] | None:
    """The types that a compiled function returns for such arguments; None if it cannot."""
    from numba import types

    try:
        function.compile(tuple(arguments))
        found: Any = function.overloads[tuple(arguments)].signature.return_type
    except compile_errors():  # the engine explains it
        return None
    return list(found) if isinstance(found, types.BaseTuple) else [found]  # type: ignore


def _looking(given: Callable, kind: np.dtype) -> Any:
    """A message that raises OverflowError for numbers that the type does not hold."""
    from edgewise.base.cache import helper

    inside, limits = compiled(given, "message"), np.iinfo(kind)
    low, high = int(limits.min), int(limits.max)

    def look(*every):
        new = inside(*every)
        if new < low or new > high:
            raise OverflowError("a message does not fit")
        return new

    return looking(helper(look), given)

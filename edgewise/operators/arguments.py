"""Arguments at the operators' door, checked once for all engines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_dtype, check_unmasked
from edgewise.graph.kinds import AnyGraph, Placed
from edgewise.graph.weight_columns import WEIGHT, column
from edgewise.operators.engines import Place
from edgewise.operators.functions import (
    TRAVERSAL_NAMES,
    Function,
    check_takes,
    parameters,
    plain_function,
)
from edgewise.operators.recall import keep, recall
from edgewise.operators.results import is_record, several

__all__ = [
    "DIRECTIONS",
    "check_edges",
    "check_params",
    "check_used",
    "function_by_position",
    "message_function",
    "overlap",
    "plain_on_host",
    "share_memory",
    "shown",
    "state_arrays",
    "state_tuple",
    "table_of",
]

DIRECTIONS = ("auto", "push", "pull")
#: The widest state: numbers of a row.
COLUMNS = 64

_TYPES = [np.dtype(code) for code in "?bBhHiIlLqQfd"]
_PLAIN = frozenset(_TYPES)
_LEAST, _MOST = -(2**63), 2**63 - 1
_NUMBERS = frozenset((int, float, bool, *(dtype.type for dtype in _TYPES)))


def check_params(graph: Placed, params: Any) -> dict[str, Any]:
    """``params`` as kernels take them: numbers of 64 bits, arrays as they are."""
    if params is None:
        return {}
    if not isinstance(params, dict):
        raise TypeError(
            f"params must be a dict of names to numbers, arrays or records, got {shown(params)}"
        )
    for name in params:
        if not isinstance(name, str) or name in (*TRAVERSAL_NAMES, "column", "level"):
            raise ValueError(f"params must not use the reserved name {name!r}")
    return {name: _param(graph, name, value) for name, value in params.items()}


def _param(graph: Placed, name: Any, value: Any) -> Any:
    if type(value) is float:
        return np.float64(value)
    if is_record(value):
        members = zip(value._fields, value, strict=True)
        return value._make([_param(graph, f"{name}.{field}", one) for field, one in members])
    if isinstance(value, (bool, np.bool_)):
        return np.bool_(value)
    if isinstance(value, (int, np.integer)):
        if not -(2**63) <= value < 2**63:
            return np.uint64(value) if 0 <= value < 2**64 else _too_large(name, value)
        return np.uint64(value) if isinstance(value, np.uint64) else np.int64(value)
    if isinstance(value, (float, np.floating)):
        return np.float64(value)
    if not isinstance(value, graph.xp.ndarray):
        hint = ""
        if hasattr(value, "gather"):
            hint = ": what is spread over the ranks goes into values, sources or own"
        elif hasattr(value, "dtype"):
            hint = f", which is not on the graph's device ({graph.device})"
        raise TypeError(
            f"params[{name!r}] must be a number or an array, got {type(value).__name__}{hint}"
        )
    return table_of(graph, value, f"params[{name!r}]")


def table_of(graph: Placed, value: Any, name: str) -> Any:
    """An array of any length that functions read, checked."""
    usual = type(value) is np.ndarray and graph.xp is np
    if usual and value.dtype in _PLAIN and value.flags.c_contiguous:
        return value
    check_unmasked(value, name)
    if not isinstance(value, graph.xp.ndarray):
        raise TypeError(f"{name} must be an array, got {type(value).__name__}")
    _check_floats(value, name)
    if value.dtype not in _TYPES:
        raise TypeError(f"{name} must hold plain numbers, got dtype {value.dtype}")
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} must be contiguous; pass a copy of the slice")
    return value


def _too_large(name: str, value: Any) -> Any:
    raise OverflowError(f"params[{name!r}] must fit into 64 bits, got {value}")


def check_used(params: dict[str, Any], *functions: Function | None) -> None:
    """TypeError if a param is named by none of the functions."""
    if not params:
        return
    named = {name for function in functions if function is not None for name in function.names}
    for name in params:
        if name not in named:
            raise TypeError(f"params has {name!r}, which no function of this call names")


def message_function(
    message: Callable, params: dict[str, Any], names: tuple[str, ...], argument: str = "message"
) -> Function:
    """A message, which names what it needs among ``names`` and ``params``."""
    key = ("message", names, *params)
    known = recall(message, key)
    if known is not None:
        return Function(message, known, _values(known, params))
    found = parameters(plain_function(message, argument))
    _check_names(params, names)
    for name in found:
        if name not in names and name not in params:
            allowed = ", ".join((*names, *params))
            raise TypeError(
                f"{argument} may name {allowed} here; "
                f"{getattr(message, '__name__', message)!r} has a parameter {name!r}"
            )
    keep(message, key, found)
    return Function(message, found, _values(found, params))


def _values(names: tuple[str, ...], params: dict[str, Any]) -> tuple:
    """The params that a function names, in its order."""
    return tuple([params[name] for name in names if name in params]) if params else ()


def _check_names(params: dict[str, Any], taken: tuple[str, ...]) -> None:
    """ValueError if a param has the name of something that a function is given anyway."""
    for name in params:
        if name in taken:
            raise ValueError(f"params must not use the reserved name {name!r}")


def function_by_position(
    function: Callable | None,
    argument: str,
    leading: tuple[str, ...],
    params: dict[str, Any],
    names: tuple[str, ...] = (),
) -> Function | None:
    """A function whose first parameters stand for ``leading``, whatever they are called.

    The others are among ``names`` and ``params``.
    """
    if function is None:
        return None
    key = ("by position", leading, names, *params)
    known = recall(function, key)
    if known is not None:
        return Function(function, known, _values(known[len(leading) :], params))
    source = plain_function(function, argument)
    _check_names(params, leading)
    given = {name: params[name] for name in parameters(source)[len(leading) :] if name in params}
    more = [name for name in parameters(source)[len(leading) :] if name in names or name in given]
    taken = parameters(source)[len(leading) : len(leading) + len(more)]
    if tuple(more) == taken:  # whatever follows must have defaults
        check_takes(source, argument, len(leading) + len(more))
    else:
        check_takes(source, argument, len(leading))
    found = keep(function, key, (*leading, *taken))
    return Function(function, found, _values(taken, given))


def state_arrays(
    graph: AnyGraph,
    values: Any,
    name: str,
    *,
    writable: bool = False,
    columns: bool = False,
    length: int | None = None,
) -> Any:
    """An array over vertices, or a tuple of two to four, checked.

    With ``columns``, one array may have several columns; ``length`` is that of arrays over
    something else than the graph's vertices.
    """
    if type(values) is np.ndarray and graph.xp is np and graph.engine == "local":
        # What nearly all are: found so sooner than by all that follows.
        n = graph.num_vertices if length is None else length
        if values.shape == (n,) and values.dtype in _PLAIN and values.flags.carray:
            return values
    if isinstance(values, tuple):
        if not 2 <= len(values) <= 4:
            raise ValueError(f"{name} must be one array or a tuple of 2 to 4, got {len(values)}")
        for i, one in enumerate(values):
            state_arrays(graph, one, f"{name}[{i}]", writable=writable, length=length)
            if writable and any(share_memory(graph, one, other) for other in values[:i]):
                raise ValueError(f"{name}[{i}] must be an array of its own, not one before it")
        return values
    held = _held(graph, values, name)
    n = graph.num_vertices if length is None else length
    wide = columns and values.ndim == 2 and values.shape[0] == n
    if values.shape != (n,) and not wide:
        raise ValueError(f"{name} must have one entry per vertex ({n}), got shape {values.shape}")
    if wide and not 1 <= values.shape[1] <= COLUMNS:
        raise ValueError(f"{name} must have 1 to {COLUMNS} columns, got {values.shape[1]}")
    if writable and not getattr(held.flags, "writeable", True):
        raise ValueError(f"{name} is changed by this call, but the array is read-only")
    _check_floats(values, name)
    if values.dtype not in _TYPES or not values.dtype.isnative:
        raise TypeError(f"{name} must hold plain numbers or booleans, got dtype {values.dtype}")
    if not held.flags.c_contiguous:
        raise ValueError(f"{name} must be contiguous; pass a copy of the slice")
    return values


def _check_floats(array: Any, name: str) -> None:
    """TypeError if it is an array of floats of a type that kernels do not have."""
    dtype: Any = getattr(array, "dtype", None)
    if getattr(dtype, "kind", "") == "f" and dtype.itemsize not in (4, 8):
        check_dtype(dtype, name)


def _held(graph: Any, values: Any, name: str) -> Any:
    """The array itself, or what this rank of a grid holds of it."""
    check_unmasked(values, name)
    if graph.engine != "local":
        return graph.part_of(values, name)
    if not isinstance(values, graph.xp.ndarray):
        kind = "a NumPy array"
        if graph.xp is not np:
            kind = (
                f"an array on the graph's device ({graph.device}; graph.xp.asarray brings it there)"
            )
        raise TypeError(f"{name} must be {kind}, got {type(values).__name__}")
    return values


def share_memory(graph: Any, one: Any, other: Any) -> bool:
    """May a change of one of two arrays over vertices be one of the other?"""
    if graph.engine != "local":
        one, other = (getattr(array, "local", array) for array in (one, other))
        return graph.block.xp.may_share_memory(one, other)
    return overlap(one, other)


def overlap(one: Any, other: Any) -> bool:
    """Do two contiguous arrays of one device share memory? CuPy's own answer takes its time."""
    if isinstance(one, np.ndarray):
        return np.may_share_memory(one, other)
    first, second = one.data.ptr, other.data.ptr
    return bool(first < second + other.nbytes and second < first + one.nbytes)


def shown(value: Any) -> str:
    """A value in an error: of an array its type and shape, which are the same on every engine."""
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"an array of {value.dtype} of shape {value.shape}"
    return f"{value!r:.80}"


def plain_on_host(state: tuple, records: bool = True) -> bool:
    """Is it all numbers and NumPy arrays of plain numbers, and ``records`` of these?"""
    for one in state:
        kind = type(one)
        if kind is np.ndarray:
            good = one.dtype in _PLAIN
        elif kind is int:
            good = _LEAST <= one <= _MOST
        elif records and hasattr(one, "_fields"):
            good = plain_on_host(one, records=False)
        else:
            good = kind in _NUMBERS
        if not good:
            return False
    return True


def state_tuple(graph: Placed, state: Any, name: str = "state") -> tuple:
    """What is given to a user's function, as a tuple: arrays, numbers, and records of them.

    A record (a NamedTuple) is one argument, whose members the function calls by name.
    """
    if is_record(state):
        _check_state(graph, state, name)
        return (state,)
    arrays = several(state)
    for i, one in enumerate(arrays):
        if type(one) is np.ndarray and one.dtype in _PLAIN and graph.xp is np:
            continue
        _check_state(graph, one, f"{name}[{i}]")
    return arrays


def _check_state(graph: Placed, one: Any, name: str) -> None:
    """Is it an array on the graph's device, a number, or a record of these?"""
    if is_record(one):
        usual = graph.xp is np
        for field, member in zip(one._fields, one, strict=True):
            if usual and type(member) is np.ndarray and member.dtype in _PLAIN:
                continue
            if isinstance(member, tuple):
                raise TypeError(f"{name}.{field} must be an array or a number, got a tuple")
            _check_state(graph, member, f"{name}.{field}")
        return
    _check_floats(one, name)
    if graph.engine != "local":
        return
    check_unmasked(one, name)
    if not isinstance(one, (graph.xp.ndarray, np.generic, int, float, bool)):
        raise TypeError(
            f"{name} must be an array or a number, an array on {Place.named(graph)}, "
            f"got {type(one).__name__}"
        )
    if isinstance(one, int) and not _LEAST <= one <= _MOST:
        raise ValueError(f"{name} must fit in 64 bits with a sign, got {shown(one)}")
    if isinstance(one, graph.xp.ndarray) and graph.xp is not np and not one.flags.c_contiguous:
        raise ValueError(f"{name} must be contiguous; pass a copy of the slice")


def check_edges(graph: AnyGraph, mode: Any, weights: Any = None) -> None:
    """Is it one of the ways along edges? And does a name of weights stand for a column?

    Arrays of weights are looked at by engines, where a function names ``weight``.
    """
    check_choice(mode, "mode", ("out", "in", "both"))
    if isinstance(weights, str) and weights != WEIGHT:
        column(graph, weights)

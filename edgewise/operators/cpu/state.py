"""State and members as kernels on CPU threads take them."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.bit_blocks import Blocks
from edgewise.operators.frontier import Frontier, check_members, vertex_members
from edgewise.operators.results import in_record, is_record, several

__all__ = [
    "check_members",
    "edges_from",
    "fixed",
    "frozen",
    "listed",
    "state_tuple",
    "vertex_members",
]

_PLAIN = (np.ndarray, np.generic, Blocks, int, float, bool)
#: Ids that Python goes through one by one.
_FEW = 16


def listed(members: Frontier | None, size: int) -> tuple[np.ndarray, int]:
    """The ids of members as kernels take them, and how many there are; none stand for all.

    One type, read-only, whoever they are: so a kernel is compiled once.
    """
    dtype = np.int32 if size < 2**31 else np.int64
    if members is None:
        return _ALL[dtype], size
    ids = frozen(np.ascontiguousarray(members.ids, dtype))
    return ids, len(ids)


def edges_from(indptr: np.ndarray, ids: np.ndarray) -> int:
    """How many edges leave these vertices."""
    if len(ids) <= _FEW:  # NumPy takes longer to begin
        at = indptr.item
        return sum([at(v + 1) - at(v) for v in ids.tolist()])
    return int((indptr[ids + 1] - indptr[ids]).sum())


def frozen(values: Any) -> Any:
    """Read-only views of an array or a tuple of arrays: so a kernel is compiled once for both."""
    if isinstance(values, tuple):
        return tuple(map(frozen, values))
    view = values.view()
    view.flags.writeable = False
    return view


def fixed(params: tuple) -> tuple:
    """The params of a function as kernels take them: numbers, and arrays that are read-only."""
    return tuple(
        frozen(one) if isinstance(one, np.ndarray) else in_record(_fixed, one) for one in params
    )


def _fixed(one: Any) -> Any:
    return frozen(one) if isinstance(one, np.ndarray) else one


def state_tuple(state: Any, name: str = "state") -> tuple:
    """What is given to a user's function, as a tuple: arrays, numbers, and records of them."""
    arrays = (state,) if is_record(state) else several(state)
    for i, one in enumerate(arrays):
        if isinstance(one, _PLAIN):
            continue
        for member in one if is_record(one) else (one,):
            if not isinstance(member, _PLAIN):
                kind = type(member).__name__
                raise TypeError(f"{name}[{i}] must be an array or a number, got {kind}")
    return arrays


_ALL = {dtype: frozen(np.empty(0, dtype)) for dtype in (np.int32, np.int64)}

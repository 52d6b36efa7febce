"""Keys and what rates them: the part of their contracts that operators by key share.

`reduce_neighbors` and `for_rows` reduce a row apart for each key, and of the keys keep the best: by
the total, or by a score of the caller's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_unmasked
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import message_function, shown, state_arrays, table_of

__all__ = ["SCORE_NAMES", "Choosing", "check_choosing", "checked_ids"]

#: What a score may name, beside what is given by key and params.
SCORE_NAMES = ("total", "key", "own", "staying")


#: The types that ids have.
_IDS = frozenset(map(np.dtype, (np.int32, np.int64)))


class Choosing(NamedTuple):
    """What chooses among keys: a word or a `Function`, and the arrays that this reads at a key."""

    choose: Any
    by_key: dict[str, Any]


def check_choosing(
    graph: AnyGraph, choose: Any, by_key: Any, stay: Any, named: dict[str, Any],
    words: tuple[str, ...],
) -> Choosing:  # fmt: skip
    """The choice among keys; ``named`` are the params, ``words`` what it may be but a score."""
    keyed = _check_by_key(graph, by_key, choose, named)
    if not callable(choose):
        if choose is not None:
            check_choice(choose, "choose", words)
        return Choosing(choose, {})
    score = message_function(choose, {**named, **keyed}, SCORE_NAMES, "choose")
    score = score._replace(params=tuple(named[name] for name in score.names if name in named))
    for name in keyed:
        if name not in score.names:
            raise TypeError(f"by_key has {name!r}, which choose does not name")
    if "staying" in score.names and stay is None:
        raise TypeError("stay is missing: choose names staying, the total under that key")
    return Choosing(score, {name: keyed[name] for name in score.names if name in keyed})


def _check_by_key(graph: AnyGraph, by_key: Any, choose: Any, params: Any) -> dict[str, Any]:
    """The arrays that a score reads at the key."""
    if by_key is None:
        return {}
    if not callable(choose):
        raise TypeError("by_key is for a score: give a function as choose with it")
    if not isinstance(by_key, dict):
        raise TypeError(f"by_key must be a dict of names to arrays, got {shown(by_key)}")
    for name in by_key:
        if name in SCORE_NAMES or name in params:
            raise ValueError(f"by_key must have names of their own, got {name!r}")
    for name, array in by_key.items():
        if graph.engine != "local" and hasattr(array, "gather"):  # spread over the vertices
            state_arrays(graph, array, f"by_key[{name!r}]")
        else:
            table_of(graph, array, f"by_key[{name!r}]")
            if array.ndim != 1:
                raise ValueError(f"by_key[{name!r}] must have one dimension, got {array.ndim}")
    return by_key


def checked_ids(graph: AnyGraph, given: Any, name: str, length: int | None = None) -> Any:
    """Keys, or what to stay with: integers, one for each vertex (or as many as ``length``)."""
    usual = type(given) is np.ndarray and graph.xp is np and length is None
    if usual and given.dtype in _IDS and given.flags.c_contiguous:
        return state_arrays(graph, given, name)
    check_unmasked(given, name)
    try:
        ids = graph.xp.ascontiguousarray(graph.xp.asarray(given))
    except ValueError:  # of lists of different lengths
        raise TypeError(f"{name} must be an array of integers, got {given!r:.80}") from None
    state_arrays(graph, ids, name, length=length)
    if ids.dtype.kind not in "iu" or not np.can_cast(ids.dtype, np.int64):
        raise TypeError(
            f"{name} must be an array of integers that int64 holds, got dtype {ids.dtype}"
        )
    return ids

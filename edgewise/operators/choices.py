"""Keys and what rates them: the part of their contracts that operators by key share.

`reduce_neighbors`, `for_rows` and `settle` reduce a row apart for each key, and of the keys keep
one: the best by the total, or by a score of the caller's; or one drawn at random by its score.

A draw adds noise to the scores and keeps the best: with noise of Gumbel's distribution that is
softmax sampling [1]. The noise is a hash of the seed, the member and the key, so what is drawn does
not depend on the order of the keys, and is the same on every engine.

[1] E. Gumbel. Statistical theory of extreme values and some practical applications. 1954.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_flag, check_number, check_unmasked
from edgewise.base.random import check_seed
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import message_function, shown, state_arrays, table_of

__all__ = [
    "NOISE",
    "SCORE_NAMES",
    "Choosing",
    "Drawing",
    "better_by",
    "check_choosing",
    "check_drawing",
    "check_skipping",
    "checked_ids",
    "gumbel",
    "score_names",
]

#: What a score may name, beside what is given by key and params.
SCORE_NAMES = ("total", "key", "own", "staying")


#: The types that ids have.
_IDS = frozenset(map(np.dtype, (np.int32, np.int64)))


class Choosing(NamedTuple):
    """What chooses among keys: a word or a `Function`, and the arrays that this reads at a key."""

    choose: Any
    by_key: dict[str, Any]


class Drawing(NamedTuple):
    """A draw instead of the best: of keys by ``exp(score / temperature)``."""

    temperature: np.float64
    seed: np.uint64
    ids: Any = None  # what members are called, where that is not their number


#: The noise of two keys differs by less than this.
NOISE = 41.0
_12, _SCALE = np.uint64(12), 2.0**-52


def gumbel(word):
    """Noise of Gumbel's distribution from 64 random bits: between -3.7 and 36.8."""
    return -np.log(-np.log((np.float64(word >> _12) + 0.5) * _SCALE))


@cache
def better_by(least: bool, compiled: Any) -> Any:
    """Return ``better(new, key, best, best_key)``, compiled for an engine by this decorator.

    Is a key that is rated so better than another? Ties go to the least key; NaN is the worst.
    """

    @compiled
    def better(new, key, best, best_key):  # no branch: which is best is hard to predict
        ahead = new < best if least else new > best
        alike = (new == best) | ((new != new) & (best != best))
        return ahead | ((best != best) & (new == new)) | (alike & (key < best_key))

    return better


def check_drawing(temperature: Any, seed: Any, choose: Any) -> Drawing | None:
    """The draw that is asked for; None for the best key."""
    if temperature is None:
        return None
    if not callable(choose):
        raise TypeError("temperature is for a score: give a function as choose with it")
    temperature = check_number(temperature, "temperature")
    return Drawing(np.float64(temperature), check_seed(seed)) if temperature > 0 else None


def check_skipping(skip_empty: Any, choose: Any) -> bool:
    """The flag, for a call that chooses among totals."""
    skip_empty = check_flag(skip_empty, "skip_empty")
    if skip_empty and (choose is None or (isinstance(choose, str) and choose == "absent")):
        raise TypeError('skip_empty belongs to choose: give "max", "min" or a score with it')
    return skip_empty


def score_names(by_key: Any) -> tuple[str, ...]:
    """What a score is given before its params, where it reads these arrays at a key."""
    return (*SCORE_NAMES, *by_key, *(f"staying_{name}" for name in by_key))


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
    score = message_function(choose, named, score_names(keyed), "choose")
    read = {name: one for name, one in keyed.items() if {name, f"staying_{name}"} & {*score.names}}
    for name in keyed:
        if name not in read:
            raise TypeError(f"by_key has {name!r}, which choose does not name")
    if "staying" in score.names and stay is None:
        raise TypeError("stay is missing: choose names staying, the total under that key")
    if stay is None and any(name.startswith("staying_") for name in score.names):
        raise TypeError("stay is missing: choose names what by_key has at that key")
    return Choosing(score, read)


def _check_by_key(graph: AnyGraph, by_key: Any, choose: Any, params: Any) -> dict[str, Any]:
    """The arrays that a score reads at the key."""
    if by_key is None:
        return {}
    if not callable(choose):
        raise TypeError("by_key is for a score: give a function as choose with it")
    if not isinstance(by_key, dict):
        raise TypeError(f"by_key must be a dict of names to arrays, got {shown(by_key)}")
    for name in by_key:
        if name in SCORE_NAMES or {name, f"staying_{name}"} & {*params}:
            raise ValueError(f"by_key must not use the reserved name {name!r}")
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

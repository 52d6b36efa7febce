"""Users' functions and weights as a block's operators take them.

A block knows local numbers alone, so where a message names ``source`` or ``target`` the ids go
along as one more param, and the message is told the id. ``level`` is a param as well: a block runs
one round.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from edgewise.graph.weight_columns import WEIGHT, column
from edgewise.operators.functions import TRAVERSAL_NAMES, Function, compiled

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["chosen_weights", "localized", "with_ids", "with_own"]

#: What a block's operators give to functions by these names.
_GIVEN = (*TRAVERSAL_NAMES, "column")


def localized(graph: GridGraph, function: Function | None, level: Any = None) -> Any:
    """A message, or a function of one value, for the block's operators."""
    if function is None:
        return None
    names, known = function.names, iter(function.params)
    if "edge" in names:
        raise ValueError("message names edge, but arcs on a grid have no numbers; use weights")
    params = tuple(
        level if name == "level" else next(known) for name in names if name not in _GIVEN
    )
    function = function._replace(params=params)
    return with_ids(function, graph.ids) if {"source", "target"} & {*names} else function


def with_ids(message: Function, ids: Any) -> Function:
    """A message that is told a number where it names ``source`` or ``target``, and looks their ids
    up in ``ids``."""
    names, given = message.names, message.given
    width = taken = len(names)
    for place in (names.index(name) for name in ("source", "target") if name in names):
        given = _looking(compiled(given, "message"), place, place, width, taken)
        taken = width + 1
    return Function(given, (*names, "ids"), (*message.params, ids))


def with_own(message: Function, before: Any) -> Function:
    """A message that names ``own`` and ``target``, and reads its own value in ``before``."""
    names, given = message.names, compiled(message.given, "message")
    own, target, width = names.index("own"), names.index("target"), len(names)
    function = _looking(given, own, target, width, width)
    return Function(function, (*names, "before"), (*message.params, before))


@cache
def _looking(message: Any, place: int, key: int, width: int, taken: int) -> Any:
    """The message; its argument at a place is looked up, by that at ``key``, in number ``width``.

    It takes so many arguments: number ``width``, too, if it looks something up itself.
    """
    after = place + 1

    def call(*given):
        return message(*given[:place], given[width][given[key]], *given[after:taken])

    return call


def chosen_weights(graph: GridGraph, weights: Any) -> Any:
    """What ``weights=`` means for the block: None, a column's name, or the part of an array."""
    from edgewise.distributed.arrays import ArcArray

    if isinstance(weights, str) and weights != WEIGHT:
        weights = column(graph, weights)
    if weights is None or isinstance(weights, str):
        return weights
    if not isinstance(weights, ArcArray):
        raise TypeError(
            "weights on a grid must be a column's name, an array over its arcs, or None, "
            f"got {type(weights).__name__}"
        )
    return weights.local

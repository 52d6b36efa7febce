"""Messages on a grid: ``source`` is the vertex's id, though a block knows local numbers alone."""

from __future__ import annotations

from functools import cache
from typing import Any

from edgewise.operators.functions import compiled, parameters

__all__ = ["chosen_weights", "localized"]


def localized(graph: Any, message: Any, values: Any) -> tuple[Any, Any]:
    """The message for the block's operators, and what its ``value`` reads there.

    Where a message names ``source``, the ids travel as one more array beside the values.
    """
    names = parameters(message)
    if "edge" in names:
        raise ValueError("message names edge, but arcs on a grid have no numbers; use weights")
    if "source" not in names:
        return message, values
    several = isinstance(values, tuple)
    if "value" not in names:
        return _adapted(compiled(message, "message"), names, 0), graph.ids
    width = len(values) if several else 1
    if width == 4:
        raise ValueError("values may be three arrays at most if the message names source too")
    adapted = _adapted(compiled(message, "message"), names, width if several else -1)
    return adapted, (*values, graph.ids) if several else (values, graph.ids)


@cache
def _adapted(message: Any, names: tuple[str, ...], width: int) -> Any:
    """The same message in terms of ``value``: all of it is the id (0), or its last member is."""
    value = {0: "value", -1: "value[0]"}.get(width) or "({},)".format(
        ", ".join(f"value[{k}]" for k in range(width))
    )
    source = {0: "value", -1: "value[1]"}.get(width) or f"value[{width}]"
    given = {"value": value, "source": source, "weight": "weight", "own": "own"}
    taken = ["value", *(name for name in ("weight", "own") if name in names)]
    text = f"lambda {', '.join(taken)}: message({', '.join(given[name] for name in names)})"
    return eval(text, {"message": message, "__name__": __name__})


def chosen_weights(graph: Any, weights: Any) -> Any:
    """What ``weights=`` means for the block: None (its own), "unit", or the part of an array."""
    from edgewise.distributed.arrays import ArcArray

    if weights is None or isinstance(weights, str):
        return weights
    if not isinstance(weights, ArcArray):
        raise TypeError(
            "weights on a grid must be None, 'unit' or an array over its arcs, "
            f"got {type(weights).__name__}"
        )
    return weights.local

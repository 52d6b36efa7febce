"""`reduce_neighbors` with ``key=`` on CPU threads: what is asked for, and by whom."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import helper, inlined
from edgewise.base.check_bounds import debugging
from edgewise.graph import Graph
from edgewise.operators.adjacency import second_step
from edgewise.operators.choices import score_names
from edgewise.operators.cpu.absent import absent
from edgewise.operators.cpu.chosen import Choice, Ending, chosen, keep
from edgewise.operators.cpu.gather import Hops, Sending, plan_walk
from edgewise.operators.cpu.grouped import grouped
from edgewise.operators.cpu.rating import at_key
from edgewise.operators.cpu.state import listed, vertex_members
from edgewise.operators.functions import (
    MESSAGE_NAMES,
    TWO_STEP_NAMES,
    Function,
    compiled,
    naming_failures,
    picker,
    plain,
)
from edgewise.operators.requests import Neighborhood
from edgewise.operators.results import Chosen

__all__ = ["choice_of", "keyed"]


def keyed(graph: Graph, rows: Any, request: Neighborhood, ended: Any = None) -> Any:
    """See `edgewise.operators.reduce_neighbors`; ``rows`` are those of the first step.

    ``ended`` is a compiled function of the member, the best key, how it is rated, and the state
    that is with it: it takes these, and nothing is returned.
    """
    n, via, message = graph.num_vertices, request.via, request.message
    members = None if request.frontier is None else vertex_members(graph, request.frontier)
    names = () if message is None else message.names
    onward = None if via is None else second_step(via, names)
    walk = Hops(rows, onward, *listed(members, n))
    plan = plan_walk(graph, via, walk, request.mode, n if via is None else via.shape[1])
    key = request.keys
    if key is not None and key.dtype not in (np.int32, np.int64):
        key = key.astype(np.int64)
    if request.choose == "absent":
        found = request.out[0] if request.out else np.full(n, -1, np.int64)
        absent(walk, plan, key, found)
        return Chosen(found, None)
    values, reduce = request.values, request.reduce
    own = values if request.own is None else request.own
    read = (values if "value" in names else None, own if "own" in names else None, key)
    identity = reduce.identity_for(np.dtype(request.dtype or values.dtype))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    send = plain(message, MESSAGE_NAMES if via is None else TWO_STEP_NAMES)
    sending = Sending(send, combine, read, identity, message.params)
    score = request.choose if isinstance(request.choose, Function) else None
    if score is not None and debugging():
        _check_keys(request)
    finishing = request.finishing
    with naming_failures(message, combine, score, ended and ended[0],
                         finishing and finishing.function):  # fmt: skip
        if request.choose is None:
            return grouped(n, walk, plan, sending, request.sort, finishing)
        unset = (np.int64(-1), identity if score is None else np.float64(-np.inf))
        choice = choice_of(request, own)
        if ended is not None:
            chosen(walk, plan, sending, choice, Ending(ended[0], unset, ended[1]))
            return None
        out = request.out or tuple(np.full(n, one) for one in unset)
        chosen(walk, plan, sending, choice, Ending(keep, unset, out))
        return Chosen(*out)


def choice_of(request: Neighborhood, own: Any) -> Choice:
    """What rates the keys of a request."""
    score = request.choose
    if not isinstance(score, Function):
        return Choice(_total, score == "min", None, (), request.stay, (), None,
                      request.skip_empty)  # fmt: skip
    own = own if "own" in score.names else None
    tables = tuple(request.by_key.values())
    draw = request.draw and tuple(request.draw)
    return Choice(_rate(score, tuple(request.by_key)), False, own, tables, request.stay,
                  score.params, draw, request.skip_empty)  # fmt: skip


def _check_keys(request: Neighborhood) -> None:
    """Are keys positions in the arrays that the score reads?"""
    for name, array in request.by_key.items():
        for what, keys, least in (("key", request.key, 0), ("stay", request.stay, None)):
            if keys is None or keys.size == 0:
                continue
            wrong = keys.max() if keys.max() >= len(array) else keys.min()
            if wrong >= len(array) or (least is not None and wrong < least):
                raise IndexError(
                    f"{what} must hold positions in by_key[{name!r}], 0 to {len(array) - 1}, "
                    f"got {wrong}"
                )


@helper
def _total(total, key, own, staying, by_key, params):
    return total


def _rate(score: Function, tables: tuple[str, ...]) -> Any:
    """A score as a function of a total, a key, own, what `staying_at` gives, the arrays that are
    read at the key, and params.
    """
    inside = picker(score, score_names(tables), "choose")
    if inside not in _rates:
        _rates[inside] = inlined(
            lambda total, key, own, staying, by_key, params: inside(
                (
                    total,
                    key,
                    own,
                    staying[0],
                    *at_key(by_key, np.uint64(key)),
                    *staying[1:],
                    *params,
                )  # fmt: skip
            )
        )
    return _rates[inside]


_rates: dict[Any, Any] = {}

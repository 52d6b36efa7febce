"""One round of `propagate` on a grid: who sends to whom within a block, and what is exchanged."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.distributed.elementwise import caster, taker
from edgewise.distributed.exchange import agree, reduce_along, share, unique
from edgewise.distributed.frontier import block_frontier
from edgewise.distributed.landing import landed
from edgewise.distributed.operators.reduce_neighbors import found_on, scratch
from edgewise.distributed.operators.views import View, into_view, one_way, out_view
from edgewise.operators import ANY, filter, for_each
from edgewise.operators.engines import run
from edgewise.operators.functions import Function, compiled
from edgewise.operators.requests import Neighborhood, Traversal
from edgewise.operators.results import several

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["Call", "apart", "check_named", "one_round", "picked", "repeats"]


class Call(NamedTuple):
    """What stays the same from round to round."""

    graph: GridGraph
    block: Traversal  # one round over the parts of this rank
    pattern: str
    everyone: bool  # did all vertices send at the start?

    @property
    def reduce(self) -> Any:
        return self.block.reduce

    @property
    def values(self) -> tuple:
        return several(self.block.values)

    @property
    def read(self) -> Any:
        """What ``value`` reads."""
        return self.block.values if self.block.sources is None else self.block.sources


def one_round(call: Call, active: Any, direction: str) -> Any:
    """One round on all ranks: the local numbers of the vertices that changed."""
    flows, reduce = _flows(call, direction), call.reduce
    # Who listens is asked of the values from before the round, so nothing may change in between.
    asked = call.block.where is not None and len(flows) > 1 and not reduce.early_exit
    if asked or not reduce.idempotent:
        return apart(call, active, direction)
    if direction == "pull" and repeats(call):
        members = None if active is None else _listeners(call, active)
        parts = [_pulled(call, view, members) for view in flows]
    else:
        parts = [_in_place(call, view, active, direction) for view in flows]
    return unique(call.graph, parts)


def repeats(call: Call) -> bool:
    """May those send that are not active? If all did once, and saying it again changes nothing."""
    again = call.everyone and call.block.wake is None
    return again and call.reduce.idempotent and not call.reduce.early_exit


def check_named(names: tuple[str, ...], reduce: Any) -> None:
    """Refuse what only whoever looks at its neighbors could tell, and only a sender could name."""
    if {"own", "target"} <= {*names} and not reduce.idempotent:
        raise ValueError(
            "message names own and target, which on a grid only an idempotent monoid may do"
        )


def _flows(call: Call, direction: str) -> list[View]:
    """The views of the block to walk: one, or two for both directions of a directed graph."""
    graph, flows, edges, weights = call.graph, [], call.block.mode, call.block.weights
    backward = edges == "in" and one_way(graph, weights)
    if not backward:
        flows.append(out_view(graph, direction, weights))
    if backward or (edges == "both" and graph.directed):
        flows.append(into_view(graph, direction, weights))
    return flows


def _advance(call: Call, view: View, active: Any, direction: str, **changes: Any) -> Any:
    """The round within a block: the local numbers that changed."""
    view.tell_work(call.graph, active)
    members = None if active is None else block_frontier(call.graph, active)
    request = call.block._replace(
        frontier=members, mode="out", weights=view.weights, direction=direction, wake=None,
        **changes,
    )  # fmt: skip
    return run(view.rows, "propagate")(view.rows, request).ids


def _gather(call: Call, view: View, members: Any, message: Function, out: Any, dtype: Any) -> Any:
    """Members look at their neighbors within a block."""
    view.tell_work(call.graph, members)
    some = None if members is None else block_frontier(call.graph, members)
    request = Neighborhood(
        some, message, call.read, call.reduce, call.block.values, mode="out",
        weights=view.weights, dtype=dtype, out=out,
    )  # fmt: skip
    return run(view.rows, "reduce_neighbors")(view.rows, request)


def _in_place(call: Call, view: View, active: Any, direction: str) -> Any:
    found = _advance(call, view, active, direction)
    return agree(call.graph, view.side, found, call.values, call.reduce, call.pattern)


def _pulled(call: Call, view: View, members: Any) -> Any:
    """Members look at all their neighbors; what is not new changes nothing."""
    graph, xp = call.graph, call.graph.block.xp
    types: Any = tuple(array.dtype for array in call.values)
    found = _gather(call, view, members, call.block.message, None,
                    types if len(types) > 1 else types[0])  # fmt: skip
    place = graph.numbering.slice(view.side)
    ids = xp.arange(place.start, place.stop, dtype=np.int32)
    if members is not None:
        ids = members[(members >= place.start) & (members < place.stop)]
    arriving = several(found)
    ids = _listening(call, ids, arriving)
    changed = landed(graph, call.reduce, call.values, ids, tuple(one[ids] for one in arriving))
    return agree(graph, view.side, changed, call.values, call.reduce, call.pattern)


def _listeners(call: Call, active: Any) -> Any:
    """The vertices that an active one can reach: they are who must look again."""
    graph = call.graph
    marks = graph.block.xp.zeros(graph.numbering.size, bool)
    marking = Traversal(None, Function(_mark, ()), marks, ANY, mode=call.block.mode,
                        weights=None, max_iter=1)  # fmt: skip
    turn = call._replace(block=marking)
    return unique(graph, [_in_place(turn, view, active, "push") for view in _flows(turn, "push")])


def apart(call: Call, active: Any, direction: str, done: Any = None) -> Any:
    """Messages add up from the identity; then the totals land, all at once.

    ``done`` masks vertices that do not listen, whatever their values are. Messages that name their
    targets' values are gathered by the targets, because what is added up says nothing of these.
    """
    graph, reduce, pattern = call.graph, call.reduce, call.pattern
    looks = "own" in call.block.message.names
    members = _listeners(call, active) if looks and active is not None else None
    landing: list[tuple] = []
    with ExitStack() as stack:
        for view in _flows(call, "pull" if looks else direction):
            totals, touched = stack.enter_context(scratch(graph, call.values, reduce))
            if looks:
                found = _looked(call, view, active, members, totals)
                touched.append(slice(None) if members is None else members)
            else:
                target = totals if isinstance(call.block.values, tuple) else totals[0]
                found = _advance(call, view, active, direction, values=target, sources=call.read,
                                 where=None)  # fmt: skip
                touched.append(found)
            ids = reduce_along(graph, view.side, found, totals, reduce, pattern, apart=True)
            touched.append(ids)
            ids = ids if done is None else ids[~done[ids]]
            landing.append((view.side, _listening(call, ids, totals), totals))
        return _land(call, landing)


def _looked(call: Call, view: View, active: Any, members: Any, totals: tuple) -> Any:
    """Members look at their active neighbors; those that heard something."""
    graph, message = call.graph, call.block.message
    if active is not None:
        sends = graph.block.xp.zeros(graph.numbering.size, bool)
        sends[active] = True
        message = _from_active(message, sends, call.reduce.identity_for(
            *(array.dtype for array in totals)))  # fmt: skip
    out = totals if isinstance(call.block.values, tuple) else totals[0]
    _gather(call, view, members, message, out, None)
    some = None if members is None else block_frontier(graph, members)
    return found_on(graph, view.side, totals, call.reduce, some)


def _land(call: Call, landing: list[tuple]) -> Any:
    """Combine totals into the state, and hand it on; who has changed."""
    graph, reduce = call.graph, call.reduce
    before = [array.copy() for array in call.values] if len(landing) > 1 else None
    parts = []
    for side, ids, totals in landing:
        changed = landed(graph, reduce, call.values, ids, tuple(one[ids] for one in totals))
        parts += [changed, share(graph, side, changed, call.values, call.pattern)]
    changed = unique(graph, parts)
    if before is None:
        return changed
    differs = graph.block.xp.zeros(len(changed), bool)
    for new, old in zip(call.values, before, strict=True):
        other = new[changed] != old[changed]
        differs |= other if other.ndim == 1 else other.any(axis=1)
    return changed[differs]


def _listening(call: Call, ids: Any, totals: tuple) -> Any:
    """Those of the ids that listen; of rows, the numbers that do not listen get nothing."""
    where, values = call.block.where, call.values[0]
    if where is None or len(ids) == 0 or values.ndim == 1:
        return picked(call, where, ids)
    width = values.shape[1]
    nothing = call.reduce.identity_for(values.dtype)
    state = (ids, width, nothing, values.reshape(-1), totals[0].reshape(-1), *where.params)
    silence = _silencing(compiled(where.given, "where"))
    for_each(len(ids) * width, silence, state, device=call.graph.device)
    return ids


def picked(call: Call, function: Function | None, ids: Any) -> Any:
    """Those of the ids whose value a function picks; a row, if it picks one of its numbers."""
    if function is None or len(ids) == 0:
        return ids
    given, values = compiled(function.given, "where"), call.values
    if values[0].ndim == 2:
        pick = _picks_row(given)
        state: tuple = (values[0].shape[1], values[0].reshape(-1))
    else:
        pick, state = _picks(given, len(values)), values
    members = block_frontier(call.graph, ids)
    return filter(call.graph.block, members, pick, (*state, *function.params)).ids


@cache
def _picks(function: Any, width: int) -> Any:
    take = taker(width)
    return lambda v, *rest: function(take(rest[:width], v), *rest[width:])


@cache
def _picks_row(function: Any) -> Any:
    def picks(v, width, values, *params):
        found = False
        for at in range(v * width, (v + 1) * width):
            if function(values[at], *params):
                found = True
        return found

    return picks


@cache
def _silencing(where: Any) -> Any:
    def silence(i, ids, width, nothing, values, totals, *params):
        at = ids[i // width] * width + i % width
        if not where(values[at], *params):
            totals[at] = nothing

    return silence


def _from_active(message: Function, sends: Any, nothing: Any) -> Function:
    """The message of an active neighbor; others say nothing."""
    names, width = message.names, len(message.names)
    more = () if "source" in names else ("source",)
    source = names.index("source") if "source" in names else width
    kinds = tuple(type(one) for one in several(nothing))
    given = _guarded(compiled(message.given, "message"), source, width, width + len(more), nothing,
                     kinds)  # fmt: skip
    return Function(given, (*names, *more, "sends"), (*message.params, sends))


@cache
def _guarded(message: Any, source: int, width: int, last: int, nothing: Any, kinds: tuple) -> Any:
    cast = caster(kinds)

    def call(*given):
        return cast(message(*given[:width])) if given[last][given[source]] else nothing

    return call


def _mark():
    return True

"""`propagate` and the message form of `advance` on a grid: expand locally, then one exchange.

Idempotent monoids change the state in place and send what changed; others add their messages up
apart, and the group's total lands on the state once. Where all vertices have sent, a pull by any
other than an `ANY`-like monoid looks at those with a changed neighbor alone; they are found by a
push of marks.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.observe import notify
from edgewise.distributed.arrays import local_state
from edgewise.distributed.elements import taker
from edgewise.distributed.exchange import agree, reduce_along, share, unique
from edgewise.distributed.frontier import GridFrontier, block_frontier, local_members
from edgewise.distributed.landing import landed
from edgewise.distributed.operators.messages import chosen_weights
from edgewise.distributed.operators.views import View, into_view, out_view
from edgewise.distributed.tuning import tuning
from edgewise.operators import ANY, advance, filter, propagate as local_propagate, reduce_neighbors
from edgewise.operators.functions import compiled, parameters
from edgewise.operators.requests import Traversal

__all__ = ["propagate"]

# Pull once the frontier has more than 1/_ALPHA of the edges not yet explored, push again once it
# is less than 1/_BETA of the vertices (Beamer, Asanovic, Patterson, SC 2012).
_ALPHA, _BETA = 14, 24


class _Call(NamedTuple):
    """What stays the same from round to round."""

    graph: Any
    message: Any
    values: tuple
    reduce: Any
    sources: Any
    where: Any
    edges: str
    weights: Any
    pattern: str
    everyone: bool  # did all vertices send at the start?

    @property
    def state(self) -> Any:
        return self.values if isinstance(self.reduce.identity, tuple) else self.values[0]


def propagate(graph, request: Traversal) -> GridFrontier:
    """See `edgewise.operators.propagate`."""
    if (
        request.wake is not None
        or request.levels is not None
        or "own" in request.message.names
        or request.message.params
        or (request.where is not None and request.where.params)
    ):
        raise NotImplementedError("own, params, wake and levels on a grid")
    frontier, message, values = request.frontier, request.message.given, request.values
    where = None if request.where is None else request.where.given
    reduce, sources, depths = request.reduce, request.sources, request.depths
    edges, weights, direction = request.edges, request.weights, request.direction
    priority, schedule, max_rounds = request.priority, request.schedule, request.max_rounds
    chosen = tuning()
    state = local_state(graph, values, "values")
    read = None if sources is None else local_state(graph, sources, "sources")
    depth = None if depths is None else local_state(graph, depths, "depths")
    if graph.alone and read is None:
        members = local_members(graph, frontier)
        rest = local_propagate(graph.whole, members, message, state, reduce=reduce, where=where,
                               edges=edges, weights=chosen_weights(graph, weights), depths=depth,
                               direction=direction, priority=priority, schedule=schedule,
                               max_rounds=max_rounds)  # fmt: skip
        return GridFrontier(graph, rest.ids, len(rest))
    adapted, seen = _localized(graph, message, state if read is None else read)
    active = local_members(graph, frontier)
    ids = None if active is None else active.ids
    call = _Call(
        graph, adapted, state if isinstance(state, tuple) else (state,), reduce,
        None if seen is state else seen, where, edges, chosen_weights(graph, weights),
        chosen.pattern, ids is None,
    )  # fmt: skip
    direction = chosen.direction if direction == "auto" else direction
    count = graph.num_vertices if frontier is None else len(frontier)
    if priority is not None:
        return _by_priority(call, ids, float(priority), max_rounds)
    queues = chosen.queues or not _repeats(call)
    rounds = _Rounds(graph, reduce, direction, ids, count)
    while rounds.count and (max_rounds is None or rounds.number < max_rounds):
        changed = _round(call, rounds.active if queues else None, rounds.way())
        rounds.next(changed)
        if depth is not None:
            depth[changed] = rounds.number
        notify(rounds.number - 1, frontier=rounds.count, direction=rounds.last)
    return GridFrontier(graph, rounds.active, rounds.count)


class _Rounds:
    """Who is active, how many they are, and which way the next round goes."""

    def __init__(self, graph: Any, reduce: Any, direction: str, active: Any, count: int):
        self.graph, self.active, self.count, self.number = graph, active, count, 0
        self.direction = direction if direction != "auto" or reduce.early_exit else "push"
        self.last, self.edges, self.unexplored = "push", 0, graph.num_arcs
        self._degrees: Any = None
        if self.direction == "auto":
            self._degrees = graph.degrees().local
            self._measure()

    def way(self) -> str:
        """Push or pull, the same on every rank."""
        if self.direction != "auto":
            self.last = self.direction
        elif self.last == "push":
            self.last = "pull" if self.edges * _ALPHA > self.unexplored else "push"
        else:
            self.last = "push" if self.count * _BETA < self.graph.num_vertices else "pull"
        return self.last

    def next(self, changed: Any) -> None:
        self.active, self.number = changed, self.number + 1
        self._measure()

    def _measure(self) -> None:
        """How many are active, and their edges; each vertex is counted by its owner."""
        graph, world = self.graph, self.graph.grid.world
        own, ids = graph.own, self.active
        mine = own if ids is None else ids[(ids >= own.start) & (ids < own.stop)]
        here = own.stop - own.start if ids is None else len(mine)
        edges = 0 if self._degrees is None else int(self._degrees[mine].sum())
        with world.phase("control"):
            self.count, self.edges = map(
                int, world.allreduce(np.array([here, edges], np.int64), "sum")
            )
        self.unexplored -= self.edges


def _round(call: _Call, active: Any, direction: str) -> Any:
    """One round on all ranks: the local numbers of the vertices that changed."""
    flows, reduce = _flows(call, direction), call.reduce
    # Who listens is asked of the values from before the round, so nothing may change in between.
    asked = call.where is not None and len(flows) > 1 and not reduce.early_exit
    if asked or not reduce.idempotent:
        return _apart(call, flows, active, direction)
    if direction == "pull" and _repeats(call):
        members = None if active is None else _listeners(call, active)
        parts = [_pulled(call, view, members) for view in flows]
    else:
        parts = [_in_place(call, view, active, direction) for view in flows]
    return unique(call.graph, parts)


def _repeats(call: _Call) -> bool:
    """May those send that are not active? If all did once, and saying it again changes nothing."""
    return call.everyone and call.reduce.idempotent and not call.reduce.early_exit


def _flows(call: _Call, direction: str) -> list[View]:
    """The views of the block to walk: one, or two for both directions of a directed graph."""
    graph, flows = call.graph, []
    if call.edges != "in" or not graph.directed:
        flows.append(out_view(graph, direction, call.weights))
    if call.edges != "out" and graph.directed:
        flows.append(into_view(graph, direction, call.weights))
    return flows


def _in_place(call: _Call, view: View, active: Any, direction: str) -> Any:
    graph = call.graph
    view.tell_work(graph, active)
    members = None if active is None else block_frontier(graph, active)
    found = advance(view.rows, members, call.message, call.state, reduce=call.reduce,
                    sources=call.sources, where=call.where, weights=view.weights,
                    direction=direction)  # fmt: skip
    return agree(graph, view.side, found.ids, call.values, call.reduce, call.pattern)


def _pulled(call: _Call, view: View, members: Any) -> Any:
    """Members look at all their neighbors; what is not new changes nothing."""
    graph = call.graph
    view.tell_work(graph, members)
    some = None if members is None else block_frontier(graph, members)
    seen = call.state if call.sources is None else call.sources
    types: Any = tuple(array.dtype for array in call.values)
    types = types if len(types) > 1 else types[0]
    found = reduce_neighbors(view.rows, some, call.message, seen, reduce=call.reduce, edges="out",
                             weights=view.weights, dtype=types)  # fmt: skip
    place = graph.numbering.slice(view.side)
    xp = graph.block.xp
    ids = xp.arange(place.start, place.stop, dtype=np.int32)
    if members is not None:
        ids = members[(members >= place.start) & (members < place.stop)]
    ids = _listening(call, ids)
    arriving = found if isinstance(found, tuple) else (found,)
    changed = landed(graph, call.reduce, call.values, ids, tuple(one[ids] for one in arriving))
    return agree(graph, view.side, changed, call.values, call.reduce, call.pattern)


def _listeners(call: _Call, active: Any) -> Any:
    """The vertices that an active one can reach: they are who must look again."""
    graph = call.graph
    marks = graph.block.xp.zeros(graph.numbering.size, bool)
    found = []
    for view in _flows(call._replace(weights="unit"), "push"):
        view.tell_work(graph, active)
        reached = advance(view.rows, block_frontier(graph, active), _mark, marks, reduce=ANY,
                          direction="push")  # fmt: skip
        found.append(agree(graph, view.side, reached.ids, (marks,), ANY, call.pattern))
    return unique(graph, found)


def _apart(call: _Call, flows: list[View], active: Any, direction: str) -> Any:
    """Messages add up from the identity; then the totals land, all at once."""
    graph, reduce = call.graph, call.reduce
    types = tuple(array.dtype for array in call.values)
    identity = reduce.identity_for(*types)
    members = None if active is None else block_frontier(graph, active)
    seen = call.state if call.sources is None else call.sources
    landing = []
    for view in flows:
        view.tell_work(graph, active)
        totals = tuple(
            graph.block.xp.full(graph.numbering.size, one, kind)
            for one, kind in zip(_several(identity), types, strict=True)
        )
        target = totals if isinstance(call.reduce.identity, tuple) else totals[0]
        found = advance(view.rows, members, call.message, target, reduce=reduce, sources=seen,
                        weights=view.weights, direction=direction)  # fmt: skip
        ids = reduce_along(graph, view.side, found.ids, totals, reduce, call.pattern, apart=True)
        landing.append((view.side, _listening(call, ids), totals))
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
        differs |= new[changed] != old[changed]
    return changed[differs]


def _listening(call: _Call, ids: Any) -> Any:
    if call.where is None or len(ids) == 0:
        return ids
    picks = _listens(compiled(call.where, "where", 1), len(call.values))
    return filter(call.graph.block, block_frontier(call.graph, ids), picks, call.values).ids


@cache
def _listens(where: Any, width: int) -> Any:
    take = taker(width)
    return lambda v, *values: where(take(values, v))


def _by_priority(call: _Call, ids: Any, delta: float, max_rounds: Any) -> Any:
    """Rounds over the active vertices whose value is within the current step of ``delta``."""
    graph, sign = call.graph, call.reduce.order
    xp, world = graph.block.xp, graph.grid.world
    values, waiting = call.values[0], xp.zeros(graph.numbering.size, bool)
    waiting[slice(None) if ids is None else ids] = True
    pending = xp.flatnonzero(waiting)
    number, bound = 0, -np.inf
    while True:
        keys = sign * values[pending].astype(np.float64)
        nearest = float(keys.min()) if len(keys) else np.inf
        here = np.array([nearest, -float(len(pending) > 0)])
        with world.phase("control"):
            nearest, some = world.allreduce(here, "min").tolist()
        if not some or (max_rounds is not None and number >= max_rounds):
            break
        if nearest >= bound:  # the next step that is not empty
            bound = max((np.floor(nearest / delta) + 1) * delta, np.nextafter(nearest, np.inf))
        near = (keys < bound) | (keys == np.inf)
        active = pending[near]
        waiting[active] = False
        waiting[_round(call, active, "push")] = True
        pending, number = xp.flatnonzero(waiting), number + 1
        notify(number - 1, bound=bound)
    left = np.array([int(waiting[graph.own].sum())], np.int64)
    return GridFrontier(graph, pending, int(world.allreduce(left, "sum")[0]))


def _mark():
    return True


def _several(one: Any) -> tuple:
    return one if isinstance(one, tuple) else (one,)


def _localized(graph: Any, message: Any, values: Any) -> tuple[Any, Any]:
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

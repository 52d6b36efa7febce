"""`propagate` and the message form of `advance` on a grid: expand locally, then one exchange.

Idempotent monoids change the state in place and send what changed; others add their messages up
apart, and the group's total lands on the state once. Where all vertices have sent, a pull by any
other than an `ANY`-like monoid looks at those with a changed neighbor alone; they are found by a
push of marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checkpoints import resumable
from edgewise.base.observe import notify
from edgewise.distributed.arrays import local_state
from edgewise.distributed.frontier import GridFrontier, local_members
from edgewise.distributed.operators.messages import chosen_weights, localized, with_own
from edgewise.distributed.operators.rounds import (
    Call,
    apart,
    check_named,
    one_round,
    picked,
    repeats,
)
from edgewise.distributed.tuning import tuning
from edgewise.operators.engines import run
from edgewise.operators.requests import Traversal

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["propagate"]

# Pull once the frontier has more than 1/_ALPHA of the edges not yet explored, push again once it
# is less than 1/_BETA of the vertices (Beamer, Asanovic, Patterson, SC 2012).
_ALPHA, _BETA = 14, 24


def propagate(graph, request: Traversal) -> GridFrontier:
    """See `edgewise.operators.propagate`."""
    here = _in_parts(graph, request)
    names = request.message.names
    check_named(names, request.reduce)
    block = _block_request(graph, here)
    if request.max_iter == 1 and {"own", "target"} <= {*names} and np.ndim(here.values) == 1:
        block = block._replace(message=with_own(block.message, here.values.copy()))
    if graph.alone and request.max_iter != 1:
        rest = run(graph.whole, "propagate")(graph.whole, here)
        return GridFrontier(graph, rest.ids, len(rest))
    chosen, members = tuning(), here.frontier
    ids = None if members is None else members.ids
    call = Call(graph, block, chosen.pattern, ids is None)
    if here.levels is not None:
        return _by_levels(call, here, ids)
    if here.priority is not None:
        return _by_priority(call, ids, float(here.priority))
    queues = chosen.queues or not repeats(call)
    direction = chosen.direction if here.direction == "auto" else here.direction
    direction = "push" if "target" in names else direction  # only senders know it
    count = graph.num_vertices if request.frontier is None else len(request.frontier)
    rounds = _Rounds(graph, here.reduce, direction, ids, count)
    state = (*call.values, here.depths)
    with resumable(None if here.max_iter == 1 else graph, "propagate") as loop:
        while rounds.count and (here.max_iter is None or rounds.number < here.max_iter):
            rounds.resume(*loop(state, *rounds.kept())[1:])
            changed = one_round(call, rounds.active if queues else None, rounds.way())
            if here.depths is not None:
                here.depths[changed] = rounds.number + 1
            rounds.next(picked(call, call.block.wake, changed))
            notify(rounds.number - 1, frontier=rounds.count, direction=rounds.last)
    return GridFrontier(graph, rounds.active, rounds.count)


def _in_parts(graph: GridGraph, request: Traversal) -> Traversal:
    """The request over what this rank has."""

    def part(name: str) -> Any:
        given = getattr(request, name)
        return None if given is None else local_state(graph, given, name)

    return request._replace(
        frontier=local_members(graph, request.frontier), values=part("values"),
        sources=part("sources"), levels=part("levels"), depths=part("depths"),
        weights=chosen_weights(graph, request.weights),
    )  # fmt: skip


def _block_request(graph: GridGraph, here: Traversal, level: Any = None) -> Traversal:
    """One round of it, with functions for the block."""
    return here._replace(
        frontier=None, message=localized(graph, here.message, level),
        where=localized(graph, here.where, level), wake=localized(graph, here.wake, level),
        levels=None, depths=None, priority=None, schedule="bucketed", max_iter=1,
    )  # fmt: skip


class _Rounds:
    """Who is active, how many they are, and which way the next round goes."""

    def __init__(self, graph: GridGraph, reduce: Any, direction: str, active: Any, count: int):
        self.graph, self.active, self.count, self.number = graph, active, count, 0
        self.direction = direction if direction != "auto" or reduce.early_exit else "push"
        self.last, self.edges, self.unexplored = "push", 0, graph.num_arcs
        if self.direction == "auto":
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

    def kept(self) -> tuple:
        """All that the next rounds depend on."""
        return self.active, self.count, self.number, self.last, self.edges, self.unexplored

    def resume(self, active: Any, count: int, number: int, last: str, *edges: int) -> None:
        """Go on from what `kept` has returned."""
        self.active, self.count, self.number, self.last = active, count, number, last
        self.edges, self.unexplored = edges

    def next(self, changed: Any) -> None:
        self.active, self.number = changed, self.number + 1
        self._measure()

    def _measure(self) -> None:
        """How many are active, counted by owners, and their edges, each counted where it is."""
        graph, world = self.graph, self.graph.grid.world
        own, ids, edges = graph.own, self.active, 0
        here = own.stop - own.start if ids is None else int(
            ((ids >= own.start) & (ids < own.stop)).sum())  # fmt: skip
        if self.direction == "auto":
            indptr = graph.block.indptr
            edges = graph.block.num_arcs if ids is None else int(
                (indptr[ids + 1] - indptr[ids]).sum())  # fmt: skip
        with world.phase("control"):
            self.count, self.edges = map(
                int, world.allreduce(np.array([here, edges], np.int64), "sum")
            )
        self.unexplored -= self.edges


def _by_levels(call: Call, here: Traversal, ids: Any) -> GridFrontier:
    """Peeling: the level is the least value of those that have not sent, over all ranks."""
    graph, values, levels = call.graph, here.values, here.levels
    xp, world, size = graph.block.xp, graph.grid.world, graph.numbering.size
    pending, sent = xp.arange(size) if ids is None else ids, xp.zeros(size, bool)
    number = 0
    direction = "push" if here.direction == "auto" else here.direction
    with resumable(graph, "propagate by levels") as loop:
        while True:
            _, pending, sent, number = loop((values, levels), pending, sent, number)
            pending = pending[values[pending] == values[pending]]  # NaN never comes down to a level
            level = _least(graph, values[pending])
            if level is None:
                return GridFrontier(graph, pending, 0)
            turn = call._replace(block=_block_request(graph, here, level))
            active = pending[values[pending] <= level]
            some = True
            while some:
                levels[active], sent[active] = level, True
                changed = apart(turn, active, direction, sent)
                active = changed[values[changed] <= level]
                with world.phase("control"):
                    some = bool(world.allreduce(np.array([len(active)], np.int64), "max")[0])
            notify(number, level=level.item())
            pending, number = pending[~sent[pending]], number + 1


def _least(graph: GridGraph, values: Any) -> Any:
    """The least of the values of all ranks; None if there are none."""
    world, some = graph.grid.world, np.array([len(values) > 0], np.int64)
    kind = values.dtype
    most = np.inf if kind.kind == "f" else np.iinfo(kind).max
    least = np.array([values.min().item() if len(values) else most], kind)
    with world.phase("control"):
        if not world.allreduce(some, "max")[0]:
            return None
        return world.allreduce(least, "min")[0]


def _by_priority(call: Call, ids: Any, delta: float) -> GridFrontier:
    """Rounds over the active vertices whose value is within the current step of ``delta``."""
    graph, sign = call.graph, call.reduce.order
    xp, world = graph.block.xp, graph.grid.world
    values, waiting = call.values[0], xp.zeros(graph.numbering.size, bool)
    waiting[slice(None) if ids is None else ids] = True
    pending = xp.flatnonzero(waiting)
    number, bound = 0, -np.inf
    with resumable(graph, "propagate by priority") as loop:
        while True:
            _, pending, waiting, number, bound = loop(
                (*call.values,), pending, waiting, number, bound
            )
            keys = sign * values[pending].astype(np.float64)
            nearest = float(keys.min()) if len(keys) else np.inf
            here = np.array([nearest, -float(len(pending) > 0)])
            with world.phase("control"):
                nearest, some = world.allreduce(here, "min").tolist()
            if not some:
                return GridFrontier(graph, pending, 0)
            if nearest >= bound:  # the next step that is not empty
                bound = max((np.floor(nearest / delta) + 1) * delta, np.nextafter(nearest, np.inf))
            near = (keys < bound) | (keys == np.inf)
            active = pending[near]
            waiting[active] = False
            waiting[one_round(call, active, "push")] = True
            pending, number = xp.flatnonzero(waiting), number + 1
            notify(number - 1, bound=bound)

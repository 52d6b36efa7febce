"""The passes of `settle` as calls of other operators, for engines that have no kernel for them.

In place (`in_passes`) a part of a pass is one call of `for_rows` on one device. Synchronous passes
(`in_rounds`) take operators that every engine has, a grid too.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.base.checkpoints import resumable
from edgewise.base.observe import notify
from edgewise.base.random import hashed, mix
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.engines import CROWD, members_at_once, run
from edgewise.operators.functions import Function, finish_names
from edgewise.operators.helpers import inner
from edgewise.operators.members import compute, filter, reduce_all
from edgewise.operators.monoids import ADD, MAX
from edgewise.operators.pointers import deliver
from edgewise.operators.requests import Rows, Settling
from edgewise.operators.results import in_record
from edgewise.operators.traversal import advance

__all__ = ["carrier", "drawn", "in_passes", "in_rounds", "renewed"]

#: Rows up to this length wake their neighbors themselves; the gains of all members are added up in
#: so many places; fewer members than this act in one part where thousands act at once.
_SHORT, _PLACES, _FEW = 64, 1024, 64

_mix = inner(mix)


def in_passes(graph: Graph, request: Settling) -> float:
    """`settle` in place, one call of `for_rows` for each part of a pass."""
    asked, active = request.rows, request.active
    walked = graph.transposed if asked.mode == "in" else graph
    hubs = filter(graph, None, _is_long, walked.indptr)
    gains, moved, total = graph.xp.zeros(_PLACES), graph.xp.zeros(len(active), np.int8), 0.0
    more = (active, moved, gains, walked.indptr, walked.indices, asked.key, *request.masses)
    rows = _acting(asked, more)
    for turn in range(request.passes):
        members = filter(graph, None, _is_set, active)
        if members.empty():
            break
        gains.fill(0)
        rows = rows._replace(draw=request.draw(turn))
        for part in _parts(graph, request, turn, members):
            run(graph, "for_rows")(graph, rows._replace(frontier=part))
        if len(waking := filter(graph, hubs, _is_set, moved) if len(hubs) else hubs):
            compute(graph, waking, _clear, moved)
            advance(graph, waking, _wake, (active, asked.key), mode=asked.mode, output=None)
        gain = float(gains.sum())
        total += gain
        notify(turn, phase=request.phase, gain=gain)
        if gain <= request.tol:
            break
    return total


def in_rounds(graph: AnyGraph, request: Settling) -> float:
    """A synchronous `settle`, by operators that every engine has."""
    asked, active, key, masses = request.rows, request.active, request.rows.key, request.masses
    after, gains = key.copy(), graph.full(0.0)
    state = renewed((*asked.state, *asked.finish.params), key, after)
    finish = _noting(asked.finish.given, len(state))
    state = (*state, gains, active)
    names = finish_names("key", "score", states=len(state))
    rows = asked._replace(finish=Function(finish, names), state=state)
    ways = [(totals, mass, -mass) for totals, mass in zip(masses[::2], masses[1::2], strict=True)]
    found, turn = 0.0, 0
    whole = None if callable(request.parts) else graph  # these parts have a state of their own
    with resumable(whole, "settle") as loop:
        while turn < request.passes:
            _, found, turn = loop((key, after, active, *masses[::2]), found, turn)
            gain, rows = 0.0, rows._replace(draw=request.draw(turn))
            for members in _rounds(graph, request, turn):
                if members.empty():
                    continue
                run(graph, "for_rows")(graph, rows._replace(frontier=members))
                gain += float(reduce_all(graph, gains, reduce=ADD, frontier=members))
                moved = filter(graph, members, _differs, (after, key))
                if moved.empty():
                    continue
                for totals, _, lost in ways:
                    deliver(graph, totals, key, lost, reduce=ADD, frontier=moved)
                compute(graph, moved, _copy, (key, after))
                for totals, mass, _ in ways:
                    deliver(graph, totals, key, mass, reduce=ADD, frontier=moved)
                if graph.edge_form:
                    advance(graph, moved, _mark, active, mode=asked.mode, output=None)
                else:
                    advance(graph, moved, _one, active, reduce=MAX, mode=asked.mode)
            notify(turn, phase=request.phase, gain=gain)
            found += gain
            turn += 1
            if gain <= request.tol:
                break
    return found


def _rounds(graph: AnyGraph, request: Settling, turn: int) -> Any:
    """Who acts in a synchronous pass, one part after the other."""
    active = request.active
    if callable(request.parts):
        parts = request.parts(turn, filter(graph, None, _is_set, active))
        return (filter(graph, part, _is_set, active) for part in parts)
    return drawn(graph, None, active, request.seed + turn, request.parts)


def renewed(state: tuple, key: Any, after: Any) -> tuple:
    """The state of a finish that writes to ``after`` instead of the key, also in records."""

    return tuple(in_record(lambda one: after if one is key else one, one) for one in state)


@cache
def _noting(finish: Any, count: int) -> Any:
    """A finish that notes what was gained."""
    act = inner(getattr(finish, "py_func", finish))

    def acts(v, key, score, *given):
        gains, active = given[count:]
        active[v] = 0
        gains[v] = act(v, key, score, *given[:count])

    return acts


def drawn(
    graph: AnyGraph, members: Any, active: Any, seed: int, count: int, take: bool = False
) -> Any:
    """Some active members, drawn by a hash, then others, until all had their turn.

    If they are to be taken, those drawn are active no more.
    """
    n, how = graph.num_vertices, _is_taken if take else _is_drawn
    mark, ids = hashed(seed, n), graph.xp.arange(n)
    for part in range(count):
        yield filter(graph, members, how, (active, ids, mark, part, count))


def _parts(graph: Graph, request: Settling, turn: int, members: Any) -> Any:
    """Who acts in a pass in place, one part after the other.

    They are not active any more when their rows are read: who changes later activates them again.
    """
    parts, seed, active = request.parts, request.seed, request.active
    if callable(parts):
        for part in parts(turn, members):
            compute(graph, part, _clear, active)
            yield part
    elif members_at_once(graph) >= CROWD and len(members) >= _FEW:
        yield from drawn(graph, members, active, seed + turn, 2 * parts, take=True)
    elif turn == 0 and parts > 1:
        yield from drawn(graph, members, active, seed, parts, take=True)
    else:
        active.fill(0)
        yield members


def _acting(asked: Rows, more: tuple) -> Rows:
    """The rows, with a finish that also counts gains and wakes neighbors."""
    given, state = asked.finish, (*asked.state, *asked.finish.params)
    names = finish_names("key", "score", states=len(state) + len(more))
    finish = Function(_action(given.given, len(state), len(more) - 6), names)
    return asked._replace(finish=finish, state=(*state, *more))


@cache
def _action(finish: Any, count: int, carried: int) -> Any:
    act, carry = inner(getattr(finish, "py_func", finish)), carrier(carried)
    past = count + 6

    def acts(v, key, score, *given):
        active, moved, gains, indptr, indices, keys = given[count:past]
        before = keys[v]
        gain = act(v, key, score, *given[:count])
        if keys[v] != before:
            carry(given[past:], v, before, keys[v])
        if gain != 0:
            atomic.add(gains, v // 64 * 8 % _PLACES, gain)
            if indptr[v + 1] - indptr[v] > _SHORT:
                moved[v] = 1  # its neighbors are woken after the pass
            else:
                for e in range(indptr[v], indptr[v + 1]):
                    if keys[indices[e]] != keys[v]:
                        active[indices[e]] = 1

    return acts


@cache
def carrier(count: int) -> Any:
    """``carry(arrays, v, old, new)``: move the masses of v; ``count`` is that of the arrays."""
    if count == 0:
        return inner(_nothing)
    total, mass, others = count - 2, count - 1, carrier(count - 2)

    @inner
    def carry(arrays, v, old, new):
        others(arrays, v, old, new)
        atomic.add(arrays[total], old, -arrays[mass][v])
        atomic.add(arrays[total], new, arrays[mass][v])

    return carry


def _nothing(arrays, v, old, new):
    pass


def _is_long(v, indptr):
    return indptr[v + 1] - indptr[v] > _SHORT


def _is_set(v, active):
    return active[v] != 0


def _differs(v, after, key):
    return after[v] != key[v]


def _copy(v, into, values):
    into[v] = values[v]


def _one():
    return 1


def _mark(source, target, edge, active):
    active[target] = 1


def _clear(v, active):
    active[v] = 0


def _wake(source, target, edge, active, key):
    if key[target] != key[source]:
        active[target] = 1


@inner
def _is_drawn(v, active, ids, mark, part, parts):
    if active[v] == 0:
        return False
    return np.int64(_mix(np.uint64(ids[v]) ^ mark) >> np.uint64(33)) % parts == part


def _is_taken(v, active, ids, mark, part, parts):
    if not _is_drawn(v, active, ids, mark, part, parts):
        return False
    active[v] = 0
    return True

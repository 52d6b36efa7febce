"""`deliver` on CPU threads: one launch that checks all pointers, combines, and lets messages land.

Every thread has an equal part of the members, and lists in its part of ``touched`` the targets
that it was the first to reach, or with very many members all that it finds marked in its part of
the vertices. Work arrays stay with the graph; what was touched is cleaned on the way.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import types

from edgewise.base import atomic
from edgewise.base.cache import inlined, kernel
from edgewise.base.compiler import overload
from edgewise.base.cpu.atomics import exchange, load, pause, store
from edgewise.base.cpu.team import barrier, share, stopped
from edgewise.base.threads import get_threads, launch
from edgewise.operators.cpu.filter import gathered
from edgewise.operators.cpu.inner import cast, changer, put, same, stamped, take
from edgewise.operators.cpu.state import frozen, listed
from edgewise.operators.cpu.walk import member
from edgewise.operators.cpu.workspace import Workspace, workspace
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.indirection import no_vertex, way_of
from edgewise.operators.results import several

__all__ = ["deliver"]

#: Messages between two looks whether the launch was stopped.
_CHUNK = 1 << 16


def deliver(graph, request) -> Frontier:
    """See `edgewise.operators.deliver`."""
    values, at, _, reduce, frontier = request
    n, (ids, count) = graph.num_vertices, listed(frontier, graph.num_vertices)
    way = way_of(graph, request, count)
    identity = reduce.identity_for(*(one.dtype for one in several(values)))
    combine = compiled(reduce.combine, "reduce.combine", 2)
    run = deliver_kernel(combine, way.at_once, reduce.early_exit)
    touched, team = np.empty(n if way.dense else count, ids.dtype), get_threads()
    kept, wrong = np.zeros(team + 1, np.int64), np.full(1, n)
    least, work = -1 if at.dtype.kind == "i" else 0, count + (n >> 4 if way.dense else 0)
    width = np.dtype(
        getattr(graph, "id_dtype", ids.dtype)
    ).itemsize  # as for traversals: it is one workspace
    with naming_failures(combine), workspace(graph, np.dtype(f"u{width}")) as space:
        beside, locks = (None, None) if way.at_once else _beside(space, values, identity)
        mail = Mail(ids, count, frozen(way.at), frozen(way.messages), least, way.dense)
        landing = Landing(values, identity, beside, locks, space.marks)
        launch(run, mail, landing, touched, kept, wrong, work=work, team=team)
    if wrong[0] < n:
        raise no_vertex(n, wrong[0], at, nothing=True)
    changed = gathered(touched, kept, work)
    return Frontier._trusted(n, ids=changed if way.dense else np.sort(changed))


class Mail(NamedTuple):
    """Who sends what where; ``least`` is the least pointer allowed, ``dense``: there are many."""

    ids: np.ndarray
    size: int
    at: np.ndarray
    messages: Any
    least: int
    dense: bool


class Landing(NamedTuple):
    """Where messages land, and where they are combined before, with locks for tuples and marks."""

    values: Any
    identity: Any
    beside: Any
    locks: Any
    marks: np.ndarray


def _beside(space: Workspace, values: Any, identity: Any) -> tuple[Any, Any]:
    """Arrays in which messages are combined, holding the identity, and locks for tuples of them."""
    if not isinstance(values, tuple):
        return space.filled(values.dtype, identity), None
    pairs = zip(values, identity, strict=True)
    return tuple(space.filled(array.dtype, one) for array, one in pairs), space.locks


@cache
def deliver_kernel(combine, at_once, early_exit):
    """The kernel for one monoid and one of the two ways."""
    receive, settle = (_at_once if at_once else _apart)(combine, early_exit)

    @kernel(borrows=True)
    def give(me, team, control, mail, landing, touched, kept, wrong):
        ids, count, at, messages, least, dense = mail
        marks, n = landing.marks, len(at)
        low, high = share(me, team, count)
        for i in range(low, high):
            v = member(ids, i)
            if not least <= np.int64(at[v]) < n:
                atomic.min(wrong, 0, v)
        if not barrier(control, team) or load(wrong, 0) < n:
            return
        last = low
        for start in range(low, high, _CHUNK):
            if stopped(control):
                return
            for i in range(start, min(start + _CHUNK, high)):
                v = member(ids, i)
                target = np.int64(at[v])
                if target < 0:
                    continue
                sent = cast(landing.values, take(messages, v))
                if not receive(landing, target, sent, team == 1):
                    continue
                if dense:
                    marks[target] = 1
                elif not stamped(marks, target, np.int8(1)):
                    touched[last] = target
                    last += 1
        if not barrier(control, team):
            return
        if dense:
            low, last = share(me, team, n)
        mine = low
        for i in range(low, last):
            target = i if dense else np.int64(touched[i])
            if marks[target] != 0:
                marks[target] = 0
                if settle(landing, target):
                    touched[mine] = target
                    mine += 1
        kept[me + 1] = mine - low
        if me == 0:
            kept[0] = team

    return give


def _at_once(combine, early_exit):
    """``receive`` combines a message in and says if that made a change; it then stays one."""
    update, change = changer(combine, early_exit), _changer(combine, early_exit)

    @inlined
    def receive(landing, target, sent, alone):
        if alone:
            return change(landing.values, target, sent, landing.identity)
        old = load(landing.values, target)
        return update(landing.values, target, old, sent, landing.identity)[1]

    @inlined
    def settle(landing, target):
        return True

    return receive, settle


def _apart(combine, early_exit):
    """``receive`` combines a message with the others; `settle` lands them: has that made a change?

    One array is updated by compare-and-swap; a tuple of arrays under the target's lock.
    """
    update, change = changer(combine, early_exit), _changer(combine, early_exit)

    def merge(beside, locks, target, sent, identity):
        raise TypeError("only for compiled code")

    @overload(merge)
    def _merge(beside, locks, target, sent, identity):
        if isinstance(beside, types.Array):

            def one(beside, locks, target, sent, identity):
                update(beside, target, load(beside, target), sent, identity)

            return one

        def several(beside, locks, target, sent, identity):
            while exchange(locks, target, 1) != 0:
                pause()
            change(beside, target, sent, identity)
            store(locks, target, 0)

        return several

    @inlined
    def receive(landing, target, sent, alone):
        if alone:
            change(landing.beside, target, sent, landing.identity)
        else:
            merge(landing.beside, landing.locks, target, sent, landing.identity)
        return True

    @inlined
    def settle(landing, target):
        total = take(landing.beside, target)
        put(landing.beside, target, landing.identity)
        return change(landing.values, target, total, landing.identity)

    return receive, settle


def _changer(combine, early_exit):
    """``change(values, v, sent, identity) -> changed?`` for an element that nobody else changes."""

    @inlined
    def change(values, v, sent, identity):
        old = take(values, v)
        if early_exit and not same(old, identity):
            return False
        new = cast(values, combine(old, sent))
        if same(new, old):
            return False
        put(values, v, new)
        return True

    return change

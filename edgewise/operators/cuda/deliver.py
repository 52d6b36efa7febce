"""`deliver` on CUDA: one launch that checks all pointers, combines, and lets messages land.

A few members take one block. The targets reached are listed; with very many members all vertices
are looked through for them instead. Work arrays stay with the graph; what was touched is cleaned
on the way.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, exch, fence, load, max as higher, min as lower, store
from edgewise.base.cuda.device import host
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.compute import member_reader
from edgewise.operators.cuda.inner import (
    caster,
    dtypes_of,
    merger,
    putter,
    sameness,
    taker,
    updater,
)
from edgewise.operators.cuda.state import (
    FEW,
    WRONG,
    counters,
    launch,
    listed,
    meet,
    nothing,
)
from edgewise.operators.cuda.workspace import Workspace, workspace
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.indirection import no_vertex, way_of
from edgewise.operators.monoids import MAX, MIN
from edgewise.operators.results import several

__all__ = ["deliver"]

#: The counters beside `WRONG`: how many targets were reached, how many of them have changed.
_REACHED, _CHANGED = 1, 2


class Work(NamedTuple):
    """Where a delivery is worked out."""

    marks: Any  # per vertex: has a message come?
    beside: Any  # the messages combined, where they land later
    locks: Any
    reached: Any  # the targets reached; in the end the changed ones in order, if they are few
    changed: Any  # the targets that have changed; with very many members, per vertex: has it?
    counts: Any


def deliver(graph, request) -> Frontier:
    """See `edgewise.operators.deliver`."""
    values, at, _, reduce, frontier = request
    xp, n, (ids, count) = graph.xp, graph.num_vertices, listed(graph, frontier)
    way, dtypes = way_of(graph, request, count), dtypes_of(values)
    identity, id_type = reduce.identity_for(*dtypes), np.int32 if n < 2**31 else np.int64
    if count == 0:
        return Frontier.trusted(n, ids=xp.empty(0, id_type))
    at_once = way.at_once and dtypes[0].itemsize >= 4
    combine = compiled(reduce.combine, "reduce.combine", 2)
    run = deliver_kernel(translated(combine), dtypes, at_once, reduce.early_exit, way.dense,
                         frontier is None)  # fmt: skip
    if way.dense:
        reached, changed = nothing(), xp.empty(n, np.uint8)
    else:
        reached, changed = xp.empty(count, id_type), xp.empty(count, id_type)
    least = -1 if at.dtype.kind == "i" else 0
    with naming_failures(combine), counters(graph) as (counts, control):
        with workspace(graph) as space:
            marks = space.array("marks", n, np.int32, "zeros")
            beside, locks = _beside(space, values, identity, at_once)
            work = Work(marks, beside, locks, reached, changed, counts)
            launch(run, count, control, ids, count, way.at, way.messages, values, identity, work,
                   least)  # fmt: skip
            wrong, _, total = host(counts).tolist()
        if wrong < n:
            raise no_vertex(n, wrong, at, nothing=True)
    if way.dense:
        found = xp.flatnonzero(changed).astype(id_type)
    else:
        found = reached[:total] if count <= FEW else xp.sort(changed[:total])
    return Frontier.trusted(n, ids=found)


def _beside(space: Workspace, values: Any, identity: Any, at_once: bool) -> tuple[Any, Any]:
    """Arrays in which messages are combined, holding the identity, and locks for them."""
    if at_once:
        return nothing(), nothing()
    pairs = zip(several(values), several(identity), strict=True)
    beside = tuple(space.filled(space.n, array.dtype, one) for array, one in pairs)
    locked = len(beside) > 1 or beside[0].dtype.itemsize < 4
    locks = space.array("locks", space.n, np.int32, "zeros") if locked else nothing()
    return beside if isinstance(values, tuple) else beside[0], locks


@cache
def deliver_kernel(combine, dtypes, at_once, early_exit, dense, everyone) -> Any:
    """The kernel for one monoid and types, for one of the two ways, by a list or without."""
    member, take, cast = member_reader(everyone), taker(len(dtypes)), caster(dtypes)
    receive = _receiver(combine, dtypes, at_once, early_exit)
    settle = device(lambda *args: True) if at_once else _settler(combine, dtypes, early_exit)

    @device
    def look_through(values, identity, work):
        """Land what has come at any vertex."""
        for target in range(cuda.grid(1), len(work.marks), cuda.gridsize(1)):
            differs = False
            if work.marks[target] != 0:
                work.marks[target] = 0
                differs = settle(values, work, target, identity)
            work.changed[target] = 1 if differs else 0

    @device
    def go_through(values, identity, work):
        """Land what has come at the vertices listed."""
        for i in range(cuda.grid(1), load(work.counts, _REACHED), cuda.gridsize(1)):
            target = np.int64(work.reached[i])
            work.marks[target] = 0
            if settle(values, work, target, identity):
                work.changed[add(work.counts, _CHANGED, 1)] = target

    @device
    def in_order(work):
        """One block: list those that have changed by their ids."""
        cuda.syncthreads()
        count = load(work.counts, _CHANGED)
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            one, place = work.changed[i], 0
            for j in range(count):
                if work.changed[j] < one:
                    place += 1
            work.reached[place] = one

    land, arrange = go_through, in_order
    if dense:
        land, arrange = look_through, device(lambda work: None)

    @kernel(cooperative=True)
    def give(ids, count, at, messages, values, identity, work, least, control, blocks):
        n = np.int64(len(at))
        if cuda.grid(1) == 0:
            work.counts[_REACHED] = 0
            work.counts[_CHANGED] = 0
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            v = member(ids, i)
            target = np.int64(at[v])
            if target < least or target >= n:
                lower(work.counts, WRONG, v)
        meet(control, blocks)
        if load(work.counts, WRONG) < n:
            return
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            v = member(ids, i)
            target = np.int64(at[v])
            if target < 0:
                continue
            if receive(values, work, target, cast(take(messages, v)), identity):
                if dense:
                    work.marks[target] = 1
                elif exch(work.marks, target, np.int32(1)) == 0:
                    work.reached[add(work.counts, _REACHED, 1)] = target
        meet(control, blocks)
        land(values, identity, work)
        if blocks == 1:
            arrange(work)

    return give


def _receiver(combine, dtypes, at_once, early_exit) -> Any:
    """``receive(values, work, target, sent, identity)``: combine in; has a change to be expected?

    A change that is made at once stays one.
    """
    if at_once:
        update = _instruction(combine, dtypes[0]) or updater(combine, dtypes[0], early_exit)
        return device(
            lambda values, work, target, sent, identity: update(values, target, sent, identity)
        )
    merge = _locked(combine, dtypes, early_exit)
    if len(dtypes) == 1 and dtypes[0].itemsize >= 4:
        if early_exit:
            update = updater(combine, dtypes[0], True)
            merge = device(
                lambda work, target, sent, identity: update(work.beside, target, sent, identity)
            )
        else:
            plain = merger(combine, dtypes)
            merge = device(
                lambda work, target, sent, identity: plain(work.beside, target, sent, work.locks)
            )

    @device
    def receive(values, work, target, sent, identity):
        merge(work, target, sent, identity)
        return True

    return receive


def _instruction(combine, dtype) -> Any:
    """The GPU's own minimum or maximum, where the monoid is that; a look costs less than it."""
    if combine is translated(MIN.combine):
        update, better = lower, device(lambda new, old: new < old)
    elif combine is translated(MAX.combine):
        update, better = higher, device(lambda new, old: new > old)
    else:
        return None

    @device
    def improve(values, target, sent, identity):
        if not better(sent, load(values, target)):
            return False
        return better(sent, update(values, target, sent))

    return improve


def _locked(combine, dtypes, early_exit) -> Any:
    """``merge(work, target, sent, identity)`` under the target's lock."""
    take, put, cast = taker(len(dtypes)), putter(len(dtypes)), caster(dtypes)
    same = sameness(dtypes)

    @device
    def merge(work, target, sent, identity):
        waiting = True
        while waiting:  # no thread of a warp may spin while another one holds the lock
            if exch(work.locks, target, np.int32(1)) == 0:
                fence()
                old = take(work.beside, target)
                if not early_exit or same(old, identity):
                    put(work.beside, target, cast(combine(old, sent)))
                fence()
                store(work.locks, target, np.int32(0))
                waiting = False

    return merge


def _settler(combine, dtypes, early_exit) -> Any:
    """``settle(values, work, target, identity)``: land what was combined; did that change it?"""
    take, put, cast = taker(len(dtypes)), putter(len(dtypes)), caster(dtypes)
    same = sameness(dtypes)

    @device
    def settle(values, work, target, identity):
        before, total = take(values, target), take(work.beside, target)
        put(work.beside, target, identity)
        if early_exit and not same(before, identity):
            return False
        after = cast(combine(before, total))
        if same(after, before):
            return False
        put(values, target, after)
        return True

    return settle

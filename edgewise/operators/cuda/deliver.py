"""`deliver` on CUDA: one launch that checks all pointers, combines, and lets messages land.

A few members take one block. The targets reached are listed; with very many members all vertices
are looked through for them instead. Work arrays stay with the graph; what was touched is cleaned
on the way.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, exch, load, max as higher, min as lower
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.compute import member_reader, pointer_checker
from edgewise.operators.cuda.inner import cast, changer, dtypes_of, merger, put, same, take
from edgewise.operators.cuda.state import (
    FEW,
    WRONG,
    Counters,
    counters,
    launch,
    listed,
    nothing,
    synchronize,
    tell,
    told,
)
from edgewise.operators.cuda.totals import Totals, joiner
from edgewise.operators.cuda.workspace import Workspace, workspace
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, naming_failures
from edgewise.operators.indirection import no_vertex, way_of
from edgewise.operators.monoids import MAX, MIN
from edgewise.operators.results import several

__all__ = ["deliver"]

#: The counters beside `WRONG`: how many targets were reached, how many of them have changed.
_REACHED, _CHANGED = 1, 2


class Mail(NamedTuple):
    """What is delivered, and where to."""

    at: Any
    least: Any  # what stands for no target
    messages: Any
    values: Any
    beside: Any  # where messages are combined, if not in the values
    identity: Any
    found: Any  # who has changed


class Merging(NamedTuple):
    """How messages become one."""

    combine: Any
    parts: tuple[Any, ...]
    missing: Any  # the identity of a monoid with early exit
    at_once: bool  # in the values themselves?


class Work(NamedTuple):
    """Where a delivery is worked out."""

    marks: Any  # per vertex: has a message come?
    locks: Any
    reached: Any  # the targets reached
    changed: Any  # if they are few, those of them that have changed
    counts: Any
    report: Any


def deliver(graph, request) -> Frontier:
    """See `edgewise.operators.deliver`."""
    values, at, _, reduce, frontier = request
    xp, n, (ids, count) = graph.xp, graph.num_vertices, listed(graph, frontier)
    way, dtypes = way_of(graph, request, count), dtypes_of(values)
    identity, id_type = reduce.identity_for(*dtypes), np.int32 if n < 2**31 else np.int64
    if count == 0:
        return Frontier._trusted(n, ids=xp.empty(0, id_type))
    at_once = way.at_once and dtypes[0].itemsize >= 4
    combine = compiled(reduce.combine, "reduce.combine", 2)
    missing = identity if reduce.early_exit else None
    how = Merging(translated(combine), reduce.parts, missing, at_once)
    run = deliver_kernel(how, dtypes, way.dense, frontier is None)
    found = xp.empty(n, np.uint8) if way.dense else xp.empty(count, id_type)
    least = -1 if at.dtype.kind == "i" else 0
    with naming_failures(combine), counters(graph) as one:
        with workspace(graph) as space:
            beside, locked = _beside(space, values, identity, at_once)
            work = _work(space, locked, one, found, count, way.dense)
            mail = Mail(way.at, least, way.messages, values, beside, identity, found)
            launch(run, count, one.control, ids, count, mail, work)
            wrong, _, total = told(one, count)
        if wrong < n:
            raise no_vertex(n, wrong, at, nothing=True)
    if way.dense:
        found = xp.flatnonzero(found).astype(id_type)
    elif total < count:
        found = found[:total]
    return Frontier._trusted(n, ids=found if way.dense or count <= FEW else xp.sort(found))


def _beside(space: Workspace, values: Any, identity: Any, at_once: bool) -> tuple[Any, bool]:
    """Arrays in which messages are combined, holding the identity; do they need locks?"""
    if at_once:
        return nothing(), False
    pairs = zip(several(values), several(identity), strict=True)
    beside = tuple(space.filled(space.n, array.dtype, one) for array, one in pairs)
    if isinstance(values, tuple):
        return beside, True
    return beside[0], values.dtype.itemsize < 4


def _work(
    space: Workspace, locked: bool, one: Counters, found: Any, count: int, dense: bool
) -> Any:
    """The arrays to work in; those for a few members stay the same, laid out for launches."""
    ends = one.counts, one.report.words

    def make() -> Work:
        marks = space.array("marks", space.n, np.int32, "zeros")
        locks = space.array("locks", space.n, np.int32, "zeros") if locked else nothing()
        if dense or count > FEW:
            reached = nothing() if dense else space.xp.empty(count, found.dtype)
            return Work(marks, locks, reached, nothing(found.dtype.type), *ends)
        reached = space.array("reached", FEW, found.dtype)
        return Work(marks, locks, reached, space.array("changed", FEW, found.dtype), *ends)

    if dense or count > FEW:
        return make()
    return space.laid_out(("deliver", locked, found.dtype.char, id(one.counts)), make)


@cache
def deliver_kernel(how, dtypes, dense, everyone) -> Any:
    """The kernel for one monoid and types, for one of the two ways, by a list or without."""
    combine, parts, missing, at_once = how
    member, check = member_reader(everyone), pointer_checker(everyone)
    if missing is not None:
        combine = _first(combine, dtypes, missing)
    receive = _receiver(combine, dtypes, parts, at_once)
    settle = device(lambda mail, target: True) if at_once else _settler(combine)

    @device
    def look_through(count, mail, work):
        """Land what has come at any vertex; say of each whether it has changed."""
        for target in range(cuda.grid(1), len(work.marks), cuda.gridsize(1)):
            differs = False
            if work.marks[target] != 0:
                work.marks[target] = 0
                differs = settle(mail, target)
            mail.found[target] = 1 if differs else 0

    @device
    def go_through(mail, work, changed):
        """Land what has come at the vertices listed; list those that have changed."""
        for i in range(cuda.grid(1), load(work.counts, _REACHED), cuda.gridsize(1)):
            target = np.int64(work.reached[i])
            work.marks[target] = 0
            if settle(mail, target):
                changed[add(work.counts, _CHANGED, 1)] = target

    @device
    def in_order(work, found):
        """One block: list those that have changed by their ids."""
        cuda.syncthreads()
        count = load(work.counts, _CHANGED)
        for i in range(cuda.threadIdx.x, count, cuda.blockDim.x):
            one, place = work.changed[i], 0
            for j in range(count):
                if work.changed[j] < one:
                    place += 1
            found[place] = one

    @device
    def by_list(count, mail, work):
        if count <= FEW:
            go_through(mail, work, work.changed)
            in_order(work, mail.found)
        else:
            go_through(mail, work, mail.found)

    land = look_through if dense else by_list

    @kernel(cooperative=True)
    def give(ids, count, mail, work, control, blocks):
        if cuda.grid(1) == 0:
            work.counts[_REACHED] = 0
            work.counts[_CHANGED] = 0
        check(ids, count, mail.at, mail.least, work.counts)
        synchronize(control, blocks)
        if load(work.counts, WRONG) < len(mail.at):
            tell(work.counts, work.report, blocks)
            return
        for i in range(cuda.grid(1), count, cuda.gridsize(1)):
            v = member(ids, i)
            target = np.int64(mail.at[v])
            if target < 0:
                continue
            if receive(mail, work, target, cast(mail.values, take(mail.messages, v))):
                if dense:
                    work.marks[target] = 1
                elif exch(work.marks, target, np.int32(1)) == 0:
                    work.reached[add(work.counts, _REACHED, 1)] = target
        synchronize(control, blocks)
        land(count, mail, work)
        tell(work.counts, work.report, blocks)

    return give


def _receiver(combine, dtypes, parts, at_once) -> Any:
    """``receive(mail, work, target, sent)``: combine a message in.

    It says whether the target may have changed; a change that is made at once stays one.
    """
    if at_once:
        update = _instruction(combine) or changer(combine)

        @device
        def change(mail, work, target, sent):
            old = load(mail.values, target)
            return update(mail.values, target, old, sent, mail.identity)[1]

        return change
    merge = merger(combine, dtypes, parts)

    @device
    def receive(mail, work, target, sent):
        merge(mail.beside, target, sent, work.locks)
        return True

    return receive


def _first(combine, dtypes, missing) -> Any:
    """A monoid with early exit: what is there already stays."""
    join = joiner(Totals(combine, dtypes, True))
    return device(lambda old, new: join(old, new, missing))


def _instruction(combine) -> Any:
    """The GPU's own minimum or maximum, where the monoid is that; a look costs less than it."""
    if combine is translated(MIN.combine):
        update, better = lower, device(lambda new, old: new < old)
    elif combine is translated(MAX.combine):
        update, better = higher, device(lambda new, old: new > old)
    else:
        return None

    @device
    def improve(values, target, old, sent, identity):
        changed = better(sent, old) and better(sent, update(values, target, sent))
        return sent, changed

    return improve


def _settler(combine) -> Any:
    """``settle(mail, target)``: land what was combined; was that a change?"""

    @device
    def settle(mail, target):
        before, total = take(mail.values, target), take(mail.beside, target)
        put(mail.beside, target, mail.identity)
        after = cast(mail.values, combine(before, total))
        if same(after, before):
            return False
        put(mail.values, target, after)
        return True

    return settle

"""`advance` and `propagate` in message form on CPU threads: workspace, launches, reports.

A launch runs rounds until the frontier is empty or a limit ends it. When somebody observes, it
comes back after some rounds or edges, reports each round, and goes on.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import threads
from edgewise.base.check_bounds import debugging
from edgewise.base.observe import notify, observed
from edgewise.base.threads import launch, uncrowded
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu import rounds
from edgewise.operators.cpu.state import edges_from, fixed
from edgewise.operators.cpu.steps import Data, Functions, Params
from edgewise.operators.cpu.workspace import workspace
from edgewise.operators.frontier import Frontier, vertex_members
from edgewise.operators.functions import TRAVERSAL_NAMES, compiled, naming_failures, plain
from edgewise.operators.recall import keep, recall
from edgewise.operators.requests import Traversal

__all__ = ["propagate"]

_DIRECTIONS = {"auto": -1, "push": rounds.PUSH, "pull": rounds.PULL}
#: From so many times the work of other kernels on threads share a search: they synchronize in each
#: round.
_SHARED = 4
_TRACED_ROUNDS, _BUDGET, _FOREVER = 1024, 1 << 21, 1 << 62
_NO_PARAMS = Params()
_NO_STAMPS, _NO_DEPTHS = np.zeros(0, np.int64), np.zeros(0, np.int32)


def propagate(graph, request: Traversal) -> Frontier:
    """See `edgewise.operators.propagate`; ``sources`` and one round make it `advance`."""
    members = vertex_members(graph, request.frontier)
    combine = compiled(request.reduce.combine, "reduce.combine", 2)
    with naming_failures(*_given(request), combine):
        if request.levels is not None:
            from edgewise.operators.cpu.levels import peel

            return peel(graph, members, request, combine)
        if request.priority is not None:
            from edgewise.operators.cpu.buckets import prioritized

            return prioritized(graph, members, request, combine)
        return _traverse(graph, members, request, combine)


def _traverse(graph, members, request: Traversal, combine) -> Frontier:
    """Round after round, as far as they may go."""
    reduce, arrays, message = request.reduce, request.values, request.message
    single = isinstance(arrays, np.ndarray)
    wide = single and arrays.ndim == 2
    # Who listens is asked of the values from before the round, so `where` keeps them apart.
    at_once = reduce.idempotent and single and (request.where is None or reduce.early_exit)
    where, wake = plain(request.where, ("value",), "where"), plain(request.wake, ("value",), "wake")
    key = (combine, where, wake, message.names, reduce.early_exit, at_once, wide, debugging())
    functions = None if wide else recall(message.given, key)
    if functions is None:
        functions = Functions(
            plain(message, (*TRAVERSAL_NAMES, "column") if wide else TRAVERSAL_NAMES),
            combine,
            where,
            wake,
            reduce.early_exit,
            at_once,
            wide,
            reduce.absorbing_for(arrays.dtype) if wide and at_once else None,
        )
        if not wide:
            keep(message.given, key, functions)
    identity = (
        reduce.identity_for(arrays.dtype)
        if single
        else reduce.identity_for(*(one.dtype for one in arrays))
    )
    ways = _Ways(graph, request)
    run = _one_round if request.max_iter == 1 else _rounds
    with workspace(graph, ways.id_type) as space:
        data = Data(
            _sources(request, wide),
            arrays.reshape(-1) if wide else arrays,
            identity,
            _params(request),
            _NO_STAMPS if reduce.early_exit and at_once and not wide else space.stamps,
            _NO_DEPTHS if request.depths is None else request.depths,
            None if at_once else _sums(space, arrays, identity),
            None if single else space.locks,
            arrays.shape[1] if wide else 1,
        )
        return run(members, functions, data, ways, space, request.max_iter)


def _given(request):
    """The user's functions; None for those that are not given."""
    return request.message, request.where, request.wake


def _params(request):
    """What the functions' params are; none, as a rule."""
    given = _given(request)
    if not any(one is not None and one.params for one in given):
        return _NO_PARAMS
    return Params(*(() if one is None else fixed(one.params) for one in given))


def _sources(request, wide):
    """What messages read; None where they do not."""
    if "value" not in request.message.names:
        return None
    sent = request.values if request.sources is None else request.sources
    return sent.reshape(-1) if wide else sent


class _Ways:
    """The edges that leave a vertex; and those that enter one, from when somebody pulls.

    They are there from the start where they take no making: of an undirected graph, whose arrays
    are the same both ways unless weights are an array.
    """

    def __init__(self, graph, request):
        direction, edges, names = request.direction, request.mode, request.message.names
        self._all = lambda: adjacency(graph, edges, request.weights, names, True)
        free = not graph.directed and (
            request.weights is None or isinstance(request.weights, str) or "weight" not in names
        )
        if free or "edge" in names:  # with edge ids the two differ in type
            self.out, self.into = self._all()
            self.both = True
        else:
            self.out, _ = adjacency(graph, edges, request.weights, names, False)
            self.into, self.both = self.out, False
        limited = getattr(graph, "_pages", None) is not None  # the transpose may not fit
        pull = direction != "push" and (
            not graph.directed
            or direction == "pull"
            or (request.reduce.early_exit and not limited)
            or edges != "out"
            or "transposed" in graph.__dict__
        )
        self.forced = _DIRECTIONS[direction] if pull else rounds.PUSH
        self.id_type = self.out.indices.dtype

    def complete(self) -> None:
        if not self.both:
            self.into, self.both = self._all()[1], True


def _rounds(members, functions, data, ways, space, max_rounds) -> Frontier:
    """Rounds until the frontier is empty, or there were enough of them."""
    from edgewise.operators.cpu.traverse import traverse_kernel

    kernel, n, arcs = traverse_kernel(functions), space.n, len(ways.out.indices)
    state, (scratch, team) = _start(members, ways, space), rounds.make_scratch(space, ways.out)
    max_rounds = _FOREVER if max_rounds is None else max_rounds
    if state[rounds.FORM] == rounds.PULL:
        scratch.bitmaps[0][:] = members.bits
    else:
        scratch.queues[0][: len(members)] = members.ids
    work, watched = arcs + n, observed()
    work = work if work >= _SHARED * threads.SERIAL_WORK else 0
    trace = np.zeros((_TRACED_ROUNDS if watched else 1, 3), np.int64)
    reported = 0
    while state[rounds.COUNT] > 0 and state[rounds.TURN] < max_rounds:
        if state[rounds.MODE] == rounds.PULL:
            ways.complete()
        alone = work > 0 and _small(state)  # then nobody is woken for it
        # Where the caller takes part, a signal is noticed between launches alone.
        limited = watched or alone or threads.brief(work, team)
        budget = state[rounds.VISITED] + _BUDGET if limited else _FOREVER
        limits = np.array([max_rounds, ways.forced, budget, arcs, alone, ways.both], np.int64)
        progress = rounds.Progress(state, limits, trace)
        launch(kernel, ways.out, ways.into, data, scratch, progress, work=0 if alone else work,
               team=_synchronizing(team, work, space.turns))  # fmt: skip
        for row in range(state[rounds.TRACED]):
            size, visited, mode = trace[row].tolist()
            notify(reported, frontier=size, edges=visited, direction=("push", "pull")[mode])
            reported += 1
        state[rounds.TRACED] = 0
    space.stamp += int(state[rounds.TURN])
    space.turns = max(1, int(state[rounds.TURN]))
    side, count = state[rounds.SIDE], int(state[rounds.COUNT])
    if state[rounds.FORM] == rounds.PULL:
        return Frontier._trusted(n, bits=scratch.bitmaps[side].copy(), count=count)
    return Frontier._trusted(n, ids=_signed(scratch.queues[side][:count].copy()))


def _synchronizing(team, work, turns) -> int:
    """How many of a team to launch, if the search takes as many rounds as the last one did."""
    if work > turns * rounds.LONG:
        return team
    return uncrowded(min(team, max(2, work // (turns * rounds.SHORT))))


def _one_round(members, functions, data, ways, space, max_rounds) -> Frontier:
    """One round, by a kernel that does no more."""
    from edgewise.operators.cpu.traverse import round_kernel

    n, state = space.n, _start(members, ways, space)
    mode, size = int(state[rounds.MODE]), int(state[rounds.COUNT])
    if size == 0:
        return Frontier._trusted(n, ids=_signed(np.empty(0, space.id_type)))
    kernel, edges = round_kernel(functions, mode), int(state[rounds.EDGES])
    if mode == rounds.PULL:
        ways.complete()
        following, work = np.zeros(-(-n // 64), np.uint64), len(ways.out.indices) + n
        launch(kernel, ways.into, data, members.bits, following, state, work=work)
        found = Frontier._trusted(n, bits=following, count=int(state[rounds.AWAKE]))
        edges = int(state[rounds.VISITED])
    else:
        scratch, team = rounds.make_scratch(space, ways.out)
        scratch.queues[0][:size] = members.ids
        launch(kernel, ways.out, data, scratch, state, work=edges, team=team)
        count, side = int(state[rounds.TAIL] + state[rounds.PLACED]), 1 - state[rounds.SIDE]
        found = Frontier._trusted(n, ids=_signed(scratch.queues[side][:count].copy()))
    space.stamp += 1
    if observed():
        notify(0, frontier=size, edges=edges, direction=("push", "pull")[mode])
    return found


def _start(members, ways, space) -> np.ndarray:
    """The state before the first round: the frontier in the form it came in."""
    out, forced = ways.out, ways.forced
    state = np.zeros(rounds.STATE_WORDS, np.int64)
    state[rounds.COUNT] = len(members)
    state[rounds.LEFT] = len(out.indices)
    state[rounds.STAMP] = space.stamp
    if members.dense and forced != rounds.PUSH and _many(members, forced):
        state[rounds.FORM] = state[rounds.MODE] = rounds.PULL
        return state
    edges = edges_from(out.indptr, members.ids)
    state[rounds.MODE] = rounds.PULL if edges > len(out.indices) // 2 else rounds.PUSH
    state[rounds.EDGES] = edges
    if forced >= 0:
        state[rounds.MODE] = forced
    return state


def _many(members, forced) -> bool:
    """Is it worth while to look at every vertex, for one of these beside it?"""
    return forced == rounds.PULL or len(members) > members.size // rounds.BETA


def _small(state) -> bool:
    """What `rounds.small` says: one thread alone is done sooner."""
    few = state[rounds.COUNT] <= rounds.SMALL and state[rounds.EDGES] <= rounds.SMALL_EDGES
    return bool(few and state[rounds.MODE] == state[rounds.FORM] == rounds.PUSH)


def _sums(space, arrays, identity):
    """Where messages are added up before they settle."""
    if isinstance(arrays, np.ndarray):
        return space.filled(arrays.dtype, identity, arrays.size // max(space.n, 1))
    pairs = zip(arrays, identity, strict=True)
    return tuple(space.filled(a.dtype, one) for a, one in pairs)


def _signed(ids: np.ndarray) -> np.ndarray:
    return ids.view(np.int32 if ids.dtype.itemsize == 4 else np.int64)

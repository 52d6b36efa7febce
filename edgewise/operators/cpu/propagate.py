"""`advance` and `propagate` in message form on CPU threads: checks, workspace, launches, reports.

A launch runs rounds until the frontier is empty or a limit ends it. When somebody observes, it
comes back after some rounds or edges, reports each round, and goes on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import threads
from edgewise.base.checks import check_choice, check_count
from edgewise.base.observe import notify, observed
from edgewise.base.threads import get_threads, launch
from edgewise.operators.adjacency import adjacency
from edgewise.operators.cpu import rounds
from edgewise.operators.cpu.state import state_arrays, vertex_members
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import compiled, message_names, naming_failures, plain_message
from edgewise.operators.monoids import check_monoid

__all__ = ["propagate"]

_DIRECTIONS = {"auto": -1, "push": rounds.PUSH, "pull": rounds.PULL}
_TRACED_ROUNDS, _BUDGET, _FOREVER = 1024, 1 << 21, 1 << 62


def propagate(
    graph, frontier, message, values, reduce, sources, where, edges, weights, depths,
    direction, priority, schedule, max_rounds,
) -> Frontier:  # fmt: skip
    """See `edgewise.operators.propagate`; ``sources`` and one round make it `advance`."""
    names = message_names(message)
    if "own" in names:
        raise TypeError("message may name value, weight, source, edge here; 'own' has no meaning")
    check_monoid(reduce)
    check_choice(direction, "direction", _DIRECTIONS)
    check_choice(schedule, "schedule", ("bucketed", "near_far"))
    if priority is None and schedule != "bucketed":
        raise TypeError(f"schedule {schedule!r} belongs to priority: give a priority with it")
    n = graph.num_vertices
    arrays = state_arrays(values, n, "values", writable=True)
    sent = arrays if sources is None else state_arrays(sources, n, "sources")
    max_rounds = _FOREVER if max_rounds is None else check_count(max_rounds, "max_rounds")
    depths = _depths(depths, n)
    members = vertex_members(graph, frontier)
    message, where = compiled(message, "message"), compiled(where, "where", 1)
    combine = compiled(reduce.combine, "reduce.combine", 2)
    if priority is not None:
        from edgewise.operators.cpu.buckets import prioritized

        if len(depths):
            raise TypeError("depths has no meaning with priority: there are no rounds")
        if direction == "pull":
            raise TypeError("direction 'pull' has no meaning with priority: it pushes")
        with naming_failures(message, where, combine):
            return prioritized(graph, members, message, names, arrays, reduce, combine, where,
                               edges, weights, priority, schedule, max_rounds)  # fmt: skip
    pull = direction != "push" and (
        not graph.directed
        or direction == "pull"
        or reduce.early_exit
        or edges != "out"
        or "transposed" in graph.__dict__
    )
    out, into = adjacency(graph, edges, weights, names, pull)
    forced = _DIRECTIONS[direction] if pull else rounds.PUSH
    with naming_failures(message, where, combine):
        return _traverse(graph, members, message, names, arrays, sent, reduce, combine, where,
                         out, into, depths, forced, max_rounds)  # fmt: skip


def _traverse(graph, members, message, names, arrays, sent, reduce, combine, where, out, into,
              depths, forced, max_rounds) -> Frontier:  # fmt: skip
    n = graph.num_vertices
    single = isinstance(arrays, np.ndarray)
    # Who listens is asked of the values from before the round, so `where` keeps them apart.
    at_once = reduce.idempotent and single and (where is None or reduce.early_exit)
    functions = (plain_message(message), combine, where, reduce.early_exit, at_once)
    identity = reduce.identity_for(*(a.dtype for a in ((arrays,) if single else arrays)))
    sums, locks = (None, None) if at_once else _sums(arrays, identity, n)
    stamps = np.zeros(0 if reduce.early_exit and at_once else n, np.int64)
    data = (sent if "value" in names else None, arrays, identity, stamps, depths, sums, locks)
    run = _one_round if max_rounds == 1 else _rounds
    return run(members, functions, data, out, into, forced, n, max_rounds)


def _rounds(members, functions, data, out, into, forced, n, max_rounds) -> Frontier:
    """Rounds until the frontier is empty, or there were enough of them."""
    from edgewise.operators.cpu.traverse import traverse_kernel

    kernel, arcs, id_type = traverse_kernel(*functions), len(out.indices), out.indices.dtype
    queues = (np.empty(n, id_type), np.empty(n, id_type))
    bitmaps = (np.empty(-(-n // 64), np.uint64), np.empty(-(-n // 64), np.uint64))
    state = _start(members, out, forced)
    if state[rounds.FORM] == rounds.PULL:
        bitmaps[0][:] = members.bits
    else:
        queues[0][: len(members)] = members.ids
    heavy, buffers, team = _room(out)
    work, watched = arcs + n, observed()
    # Where the caller takes part, a signal is noticed between launches alone.
    brief = watched or work < threads.BRIEF_WORK
    trace = np.zeros((_TRACED_ROUNDS if watched else 1, 3), np.int64)
    reported = 0
    while state[rounds.COUNT] > 0 and state[rounds.TURN] < max_rounds:
        budget = state[rounds.VISITED] + _BUDGET if brief else _FOREVER
        limits = np.array([max_rounds, forced, budget, arcs], np.int64)
        launch(kernel, out, into, data, queues, bitmaps, buffers, heavy, state, limits, trace,
               work=work, team=team)  # fmt: skip
        for row in range(state[rounds.TRACED]):
            size, visited, mode = trace[row].tolist()
            notify(reported, frontier=size, edges=visited, direction=("push", "pull")[mode])
            reported += 1
        state[rounds.TRACED] = 0
    side, count = state[rounds.SIDE], int(state[rounds.COUNT])
    if state[rounds.FORM] == rounds.PULL:
        return Frontier.trusted(n, bits=bitmaps[side], count=count)
    return Frontier.trusted(n, ids=_signed(queues[side][:count].copy()))


def _one_round(members, functions, data, out, into, forced, n, max_rounds) -> Frontier:
    """One round, by a kernel that does no more."""
    from edgewise.operators.cpu.traverse import round_kernel

    state = _start(members, out, forced)
    mode, size = int(state[rounds.MODE]), int(state[rounds.COUNT])
    if size == 0:
        return Frontier.trusted(n, ids=_signed(np.empty(0, out.indices.dtype)))
    kernel, edges = round_kernel(*functions, mode), int(state[rounds.EDGES])
    if mode == rounds.PULL:
        following = np.zeros(-(-n // 64), np.uint64)
        launch(kernel, into, data, members.bits, following, state, work=len(out.indices) + n)
        found = Frontier.trusted(n, bits=following, count=int(state[rounds.AWAKE]))
        edges = int(state[rounds.VISITED])
    else:
        queues = (np.empty(n, out.indices.dtype), np.empty(n, out.indices.dtype))
        queues[0][:size] = members.ids
        heavy, buffers, team = _room(out)
        launch(kernel, out, data, *queues, buffers, heavy, state, work=edges, team=team)
        count = int(state[rounds.TAIL] + state[rounds.PLACED])
        found = Frontier.trusted(n, ids=_signed(queues[1 - state[rounds.SIDE]][:count].copy()))
    if observed():
        notify(0, frontier=size, edges=edges, direction=("push", "pull")[mode])
    return found


def _room(out) -> tuple[np.ndarray, np.ndarray, int]:
    """Where vertices of very many edges are noted, the threads' buffers, how many threads."""
    team, id_type = get_threads(), out.indices.dtype
    heavy = np.empty(len(out.indices) // rounds.HEAVY_DEGREE + 1, id_type)
    return heavy, np.zeros((team, rounds.BUFFER + 64), id_type), team  # no cache line is shared


def _start(members, out, forced) -> np.ndarray:
    """The state before the first round: the frontier in the form it came in."""
    state = np.zeros(rounds.STATE_WORDS, np.int64)
    state[rounds.COUNT] = len(members)
    state[rounds.LEFT] = len(out.indices)
    if members.dense and forced != rounds.PUSH:
        state[rounds.FORM] = state[rounds.MODE] = rounds.PULL
        return state
    ids = members.ids
    edges = int((out.indptr[ids + 1] - out.indptr[ids]).sum()) if len(ids) else 0
    state[rounds.MODE] = rounds.PULL if edges > len(out.indices) // 2 else rounds.PUSH
    state[rounds.EDGES] = edges
    if forced >= 0:
        state[rounds.MODE] = forced
    return state


def _sums(arrays, identity, n):
    """Where messages are added up before they settle."""
    if isinstance(arrays, np.ndarray):
        return np.full(n, identity, arrays.dtype), None
    sums = tuple(np.full(n, one, a.dtype) for a, one in zip(arrays, identity, strict=True))
    return sums, np.zeros(n, np.int8)


def _depths(depths: Any, n: int) -> np.ndarray:
    if depths is None:
        return np.empty(0, np.int32)
    if not isinstance(depths, np.ndarray) or depths.dtype != np.int32 or depths.shape != (n,):
        raise TypeError(f"depths must be an int32 array of {n} entries, got {depths!r:.80}")
    return state_arrays(depths, n, "depths", writable=True)


def _signed(ids: np.ndarray) -> np.ndarray:
    return ids.view(np.int32 if ids.dtype.itemsize == 4 else np.int64)

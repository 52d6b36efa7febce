"""`pair` on CUDA: checks, workspace, launches; the kernels are in `pointing`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify, observed
from edgewise.operators.cuda.memory import check_work
from edgewise.operators.cuda.plan import whole_plan
from edgewise.operators.cuda.pointing import (
    ALIVE,
    COMMITTED,
    CUT,
    STATE_WORDS,
    THREADS,
    TURN,
    UNKNOWN,
    VISITED,
    WORDS,
    pairing_kernel,
)
from edgewise.operators.cuda.ranking import Shape
from edgewise.operators.cuda.state import along, state_arrays

__all__ = ["bitmap", "pair"]

#: Rounds after which a launch comes back, so that a signal is noticed; one, if watched.
_ROUNDS = 1 << 14


def pair(graph: Any, mates: Any, weights: Any) -> None:
    """See `edgewise.operators.pair`."""
    check_undirected(graph, "pair")
    mates = state_arrays(graph, mates, "mates")
    if mates.dtype != graph.indices.dtype:
        raise TypeError(f"mates must be of type {graph.indices.dtype}, got {mates.dtype}")
    xp, n = graph.xp, graph.num_vertices
    if graph.num_arcs == 0:
        return
    rows, _ = along(graph, "out", weights, ("weight",), False)
    kernel = pairing_kernel(Shape.of(rows.arrays[1], rows.arrays[2], rows.weighted))
    check_work("pair", (8 * n, mates.dtype), (n // 32, np.uint32))
    plan = whole_plan(graph, "out", rows.arrays[0], CUT)
    alive = (plan.ids.copy(), xp.empty_like(plan.ids), xp.empty_like(plan.ids))
    pointers = xp.full(n, UNKNOWN, mates.dtype)
    fresh = not bool((mates >= 0).any())
    taken = xp.zeros(-(-n // 32), xp.uint32) if fresh else bitmap(xp, mates >= 0)
    watched = observed()
    known = np.zeros(STATE_WORDS, np.int64)
    known[ALIVE : ALIVE + 4] = [count for _, count in plan.spans]
    words = xp.asarray(np.concatenate([known, np.zeros(3 * WORDS + 1, np.int64)]))
    state, counters = words[:STATE_WORDS], words[STATE_WORDS:-1]
    begins = tuple(begin for begin, _ in plan.spans)
    arguments = ((*rows.arrays[:3], np.uint64(0)), mates, pointers, taken, fresh, alive, begins,
                 counters, state, words[-1:].view(np.int32),
                 1 if watched else _ROUNDS)  # fmt: skip
    while known[ALIVE : ALIVE + 4].any():
        if known[TURN] > 0:
            words[-1] = 0
        kernel.fill(THREADS, *arguments)
        before, known = known, state.get() if hasattr(state, "get") else state.copy()
        committed = int(known[COMMITTED] - before[COMMITTED]) // 2
        visited = int(known[VISITED] - before[VISITED])
        if watched and (committed or visited):  # in the last one those with mates leave
            notify(int(known[TURN]) - 1, committed=committed, visited=visited)


def bitmap(xp: Any, mask: Any) -> Any:
    """The mask as bits in words of 32, the first the lowest."""
    words = xp.zeros(-(-len(mask) // 32), xp.uint32)
    packed = xp.packbits(mask, bitorder="little")
    words.view(xp.uint8)[: len(packed)] = packed
    return words

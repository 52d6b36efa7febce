"""The two steps of `refine`: desired swaps, and their completion, in parallel or in turn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ordering import swaps
from edgewise.algorithms.ordering.swap_change import UNITS, Positions, swap_change
from edgewise.base.observe import notify
from edgewise.base.random import bits
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.operators import ADD, ARGMIN, Frontier, advance, compute, filter, for_rows, multisplit
from edgewise.operators.sequential import sequential

__all__ = ["Work", "desired", "in_parallel", "in_turn"]

#: So many swaps are tried at once at least.
_BATCH = 1 << 9
#: About so many items are touched to judge one.
_STEPS = 1 << 8


class Work(NamedTuple):
    """The graph as it is stored in its first order, without loops, and arrays over its vertices."""

    graph: AnyGraph
    order: Any  # the position of each
    places: Any  # over edges: the positions of a row's neighbors, ascending
    linear: bool  # the sum is of gaps, not of their logarithms
    least: int  # what a swap must gain
    most: int  # the highest degree of neighbors that are tried
    partner: Any  # with whom each wants to swap, -1 for nobody
    change: Any  # what that would change

    @classmethod
    def begin(cls, graph: AnyGraph, linear: bool, least: int, most: int) -> Work:
        """Nobody has moved."""
        ids = graph.vertex_ids(graph.id_dtype)
        partner, change = graph.full(-1, ids.dtype), graph.full(0, np.int64)
        return cls(graph, ids, graph.indices.copy(), linear, least, most, partner, change)

    @property
    def positions(self) -> Positions:
        """What a swap is judged by."""
        graph = self.graph
        return Positions(graph.indptr, graph.indices, self.order, self.places, self.linear)

    def gain(self, change: int) -> float:
        """By how much the measure falls."""
        return -change / (1 if self.linear else UNITS)


def desired(work: Work, members: Any) -> Any:
    """Note the swap that is best for each of these vertices; those who have one that gains."""
    graph = work.graph
    looking = Frontier._trusted(graph.num_vertices, ids=members)
    for_rows(
        graph, looking, _offer, _choose, (work.partner, work.change), reduce=ARGMIN,
        weights=None, dtype=np.int64,
        params={"at": work.positions, "most": work.most, "least": work.least},
    )  # fmt: skip
    return filter(graph, looking, _has, work.partner).ids


def _offer(total, source, own, at, most):
    """What the swap of ``own`` and its neighbor ``source`` changes, and who that is, if it is best.

    (It takes in ``total``, so that so long a function is compiled for one edge at a time.)
    """
    change = np.int64(0)
    if np.int64(at.indptr[source + 1]) - np.int64(at.indptr[source]) <= most:
        change = swap_change(own, source, at)
    if change < total[0] or (change == total[0] and source < total[1]):
        return change, np.int64(source)
    return total


def _choose(u, best, partner, change, least):
    partner[u] = best[1] if best[0] <= -least else -1
    change[u] = best[0]


def _has(u, partner):
    return partner[u] >= 0


def in_parallel(work: Work, wanted: Any, seed: Any) -> float:
    """Make the swaps that these vertices want, the best first, as long as they gain; the gain.

    Batches grow while half of a batch can be made together, and shrink when it is less than a
    quarter.
    """
    graph, n, xp = work.graph, work.graph.num_vertices, work.graph.xp
    wanted = wanted[xp.argsort(bits(seed, wanted), kind="stable")]
    wanted = wanted[xp.argsort(work.change[wanted], kind="stable")]
    rank = graph.full(0, wanted.dtype)
    rank[wanted] = xp.arange(len(wanted), dtype=wanted.dtype)
    claims = xp.full(graph.num_arcs + n, 2**62, np.int64)
    now, spare = xp.arange(n, dtype=work.order.dtype), xp.empty_like(work.places)
    left, begin, batch, gain, turn = wanted[:0], 0, _BATCH, 0.0, 0
    while len(left) or begin < len(wanted):
        end = begin + max(batch - len(left), 0)
        tried = Frontier._trusted(n, ids=xp.concatenate((left, wanted[begin:end])))
        heavy: dict[str, Any] = {"work": _STEPS * len(tried)}
        state = (work.partner, work.change, work.positions, work.least)
        standing = filter(graph, tried, swaps.stands, state, **heavy)
        rivals = (work.partner, work.positions, rank, claims, turn)
        compute(graph, standing, swaps.contend, (*rivals, False), **heavy)
        won = (*rivals, True)
        lost, made = multisplit(graph, standing, swaps.contend, won, num_buckets=2, **heavy)
        _make(work, made, now, spare)
        gained = work.gain(int(work.change[made.ids].sum()))
        notify(turn, phase="swaps", wanted=len(standing), swaps=len(made), gain=gained)
        if 2 * len(made) > len(standing):
            batch *= 2
        elif 4 * len(made) < len(standing):
            batch = max(batch // 2, _BATCH)
        left, begin, gain, turn = lost.ids, end, gain + gained, turn + 1
    return gain


def _make(work: Work, made: Any, now: Any, spare: Any) -> None:
    """Make swaps that touch no slot together, and sort the rows in which something moved."""
    graph, xp = work.graph, work.graph.xp
    state = (work.partner, work.order, now)
    compute(graph, made, swaps.exchange, state)
    ends = xp.concatenate((made.ids, work.partner[made.ids].astype(made.ids.dtype)))
    moved = Frontier._trusted(graph.num_vertices, ids=ends)
    rows = advance(graph, moved, _always, ())
    for_rows(
        graph, rows, swaps.is_moved, swaps.merge, (graph.indptr, work.places, now, spare),
        reduce=ADD, params={"order": work.order, "now": now}, weights=None, dtype=np.int64,
    )  # fmt: skip
    compute(graph, made, swaps.settle, state)


def _always(source, target, edge):
    return True


def in_turn(work: Work, wanted: Any, seed: Any) -> float:
    """Make the swaps that these vertices want one after the other, if they still gain; the gain.

    On one CPU thread: from a GPU what it needs is copied to the host, and back.
    """
    there = work.graph.to("cpu")
    members, partner, order, places = map(host, (wanted, work.partner, work.order, work.places))
    made = np.zeros(2, np.int64)
    at = Positions(there.indptr, there.indices, order, places, work.linear)
    state = (members, partner, at, work.least, made)
    sequential(swaps.in_turn, state, steps=len(members), work=_STEPS * len(members))
    work.order[:], work.places[:] = work.graph.xp.asarray(order), work.graph.xp.asarray(places)
    gain = work.gain(int(made[1]))
    notify(0, phase="swaps", wanted=len(wanted), swaps=int(made[0]), gain=gain)
    return gain

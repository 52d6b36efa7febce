"""The steps of `node2vec_walk` on a grid, where the last vertex's row is with another rank.

A rank has the rows of its vertices. Whether the last vertex u has an edge to a proposed one is a
question to the rank that owns u. All open questions are answered in one exchange. The walks that a
proposal fails for propose again, as on one device, with the same draws.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.walks.alias import landed, throw
from edgewise.base import random
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import rows_of
from edgewise.operators import for_each
from edgewise.operators.helpers import find_edge

__all__ = ["PATIENCE", "Bias", "biased_move"]

#: So many proposals are refused before the whole row is looked at.
PATIENCE = 100
#: Instead of the next vertex: an answer is missing, or the whole row must be looked at.
_ASKS, _STUCK = -2, -3


class Bias(NamedTuple):
    """p and q, and the probabilities of keeping a proposal: back to u, away from it, and near it.

    ``shrink`` is the share of going back in its own draw, which there is if ``own``.
    """

    p: float
    q: float
    back: float
    apart: float
    near: float
    shrink: float
    own: bool


class _Walks(NamedTuple):
    """Walks at this rank, and for each the proposals so far, the last one, and its answer."""

    numbers: Any
    at: Any
    before: Any
    tries: Any
    asked: Any
    answers: Any  # 1 if the last vertex has an edge to the proposed one, 2 if not, 0 if unknown
    out: Any


def biased_move(graph: Any, rows: Any, tables: Any, seed: Any, bias: Bias) -> Any:
    """Return the move of node2vec walks on a grid, where each rank has the rows of its vertices."""
    xp, mutual = rows.xp, not graph.directed

    def move(t: int, numbers: Any, at: Any, before: Any) -> Any:
        count, kind = len(numbers), rows.indices.dtype
        walks = _Walks(numbers, at, before, xp.zeros(count, np.int32), xp.zeros(count, kind),
                       xp.zeros(count, np.int8), xp.empty(count, kind))  # fmt: skip
        given = (t, rows.indptr, rows.indices, tables, seed, bias, mutual)
        going = xp.arange(count)
        while True:
            for_each(len(going), _propose, (going, walks, *given), device=graph.device)
            going = going[walks.out[going] == _ASKS]
            found = graph.have_edges(rows, before[going], walks.asked[going])
            if found is None:
                break
            walks.answers[going] = 2 - found.astype(np.int8)
        _look_through(graph, rows, walks, given)
        return walks.out

    return move


class _Nearby(NamedTuple):
    starts: Any  #: where the row of each walk begins in ``near``
    near: Any  #: is it a neighbor of the vertex before?


def _look_through(graph: Any, rows: Any, walks: _Walks, given: tuple[Any, ...]) -> None:
    """Draw the next vertex of walks that are stuck, from all neighbors and their factors."""
    xp, stuck = rows.xp, rows.xp.flatnonzero(walks.out == _STUCK)
    first = rows.indptr[walks.at[stuck]]
    starts = offsets(rows.indptr[walks.at[stuck] + 1] - first)
    owners = rows_of(starts, int(starts[-1]), np.int64, xp)
    arcs = first[owners] + xp.arange(int(starts[-1])) - starts[owners]
    near = graph.have_edges(rows, walks.before[stuck][owners], rows.indices[arcs])
    if near is not None:
        state = (stuck, _Nearby(starts, near), walks, *given[:-1])
        for_each(len(stuck), _draw_exactly, state, device=graph.device)


def _propose(i, going, walks, t, indptr, indices, tables, seed, bias, mutual):
    """Propose until a neighbor is kept, or it takes an answer to tell."""
    j, step = going[i], tables.step
    w, v, u, tries = walks.numbers[j], walks.at[j], np.int64(walks.before[j]), walks.tries[j]
    begin, degree = indptr[v], indptr[v + 1] - indptr[v]
    walks.out[j] = -1
    total = 0.0
    if degree > 0:
        total = tables.totals[v] if step > 0 else np.float64(degree)
    if not total > 0:
        return
    to_u = 0.0
    if bias.own and t > 1:
        e = find_edge(indptr, indices, v, u)
        to_u = 1.0 if mutual and step == 0 else tables.weights[e * step] if e >= 0 else 0.0
    following, answer = np.int64(walks.asked[j]), walks.answers[j]
    while True:
        height = random.uniform(seed, w, t, 3 * tries + 2)
        if answer == 0:
            if to_u > 0:  # what going back has beyond the others
                coin = random.uniform(seed, w, t, 3 * tries + 1)
                if coin * (total + to_u / bias.shrink) >= total:
                    following = u
                    break
            word = random.bits(seed, w, t, 3 * tries)
            following = landed(throw(word, begin, degree), indices, tables)
            if t == 1 or height < min(bias.back, min(bias.apart, bias.near)):
                break
            if following == u:
                if height < bias.back:
                    break
            elif height < min(bias.near, bias.apart):
                break
            elif height < max(bias.near, bias.apart):
                walks.tries[j], walks.asked[j] = tries, following
                following = np.int64(_ASKS)
                break
        elif height < (bias.near if answer == 1 else bias.apart):
            break
        answer = 0
        tries += 1
        if tries == PATIENCE:
            following = np.int64(_STUCK)
            break
    walks.out[j] = following
    walks.answers[j] = 0


def _draw_exactly(i, stuck, nearby, walks, t, indptr, indices, tables, seed, bias):
    """The neighbor at which the row's running sum reaches a share of its total."""
    j = stuck[i]
    v, u, step = walks.at[j], walks.before[j], tables.step
    share = 1.0 - random.uniform(seed, walks.numbers[j], t, -1)
    running, wanted, found = 0.0, 0.0, np.int64(-1)
    for turn in range(2):
        for e in range(indptr[v], indptr[v + 1]):
            x, weight = np.int64(indices[e]), tables.weights[e * step]
            if weight > 0 and (turn == 0 or running < wanted):
                factor = bias.q
                if x == u:
                    factor = bias.p
                elif nearby.near[nearby.starts[i] + e - indptr[v]]:
                    factor = 1.0
                running += weight / factor
                found = x
        if turn == 0:
            running, wanted = 0.0, share * running
    walks.out[j] = found

"""The refinement of a partition on one level: unconstrained rounds, then localized searches."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.partitioning.balancing import is_near, move, moves_of, rebalance
from edgewise.algorithms.partitioning.holding import excess
from edgewise.algorithms.partitioning.jet_rounds import jet_round
from edgewise.algorithms.partitioning.k_way_moves import search_all
from edgewise.algorithms.partitioning.part_links import fill, links_of
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["Effort", "improve"]

#: A candidate of a round may lose this share of the weight of its edges inside its part.
_RATIO = 0.25
#: A round counts as progress if it improves the cut by this share.
_PROGRESS = 0.001
#: The largest number of rounds.
_ROUNDS = 100


class Effort(NamedTuple):
    """How long to search."""

    stalled: int  # rounds end after so many without progress
    passes: int  # of localized searches, at most
    patience: int  # moves of a search without an improvement
    share: float  # no searches if vertices of the boundary have a larger share of the arcs


def improve(
    level: Any, part: np.ndarray, k: int, limit: Any, seed: Any, effort: Effort, mass: Any = None
) -> None:
    """Improve the partition in place; parts above the limit become lighter, if they can.

    With several weights per vertex, ``mass`` has a column for each and ``limit`` an element.
    """
    moves = moves_of(level, part, k, level.mass if mass is None else mass, limit)
    arcs, links = len(level.indices), links_of(level, k)
    state = level, links, moves, k, np.uint64(seed), effort
    sequential(_improve, state, steps=_ROUNDS, work=8 * (level.n + arcs), phase="refine")


def _improve(control, level, links, moves, k, seed, effort):
    n, part, cut = len(level.mass), moves.part, 0.0
    for v in range(n):
        if v & 4095 == 0 and not going(control, 0):
            return
        fill(v, level, part, links, k)
        for i in range(links.start[v], links.start[v] + links.count[v]):
            cut += 0.5 * links.link[i] if links.part[i] != part[v] else 0.0
    best, over, since = np.inf, np.inf, 0
    for turn in range(_ROUNDS):
        if since >= effort.stalled:
            break
        if not going(control, turn):
            return
        if turn > 0:
            cut -= jet_round(turn, _RATIO, level, links, moves, k)
        cut += rebalance(level, links, moves, k)
        since, extra = since + 1, excess(moves.load, moves.limit)
        if extra < over or (extra == over and cut < best):
            if extra < over or cut < (1.0 - _PROGRESS) * best:
                since = 0
            best, over = cut, extra
            _copy(part, moves.best)
    for v in range(n):
        if part[v] != moves.best[v]:
            move(v, np.int64(moves.best[v]), level, links, moves, k)
    near = 0
    for v in range(n):
        if is_near(v, part, links):
            near += level.indptr[v + 1] - level.indptr[v]
    if near > effort.share * len(level.indices):
        return
    for turn in range(effort.passes):
        gain = search_all(control, turn, level, links, moves, k, seed, effort.patience)
        best -= gain
        if gain <= _PROGRESS * best:
            break


@inner
def _copy(source, target):
    for v in range(len(source)):
        target[v] = source[v]

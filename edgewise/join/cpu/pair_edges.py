"""The edges of the rows of a pair: stored while there is space, else found when they are asked for.

Of a large pair the edges are millions, and a matching asks for few of them: a row begins with its
heaviest ones, those above the first of the `FLOORS` that leaves it any, and lighter ones are found
as soon as a search asks for them.
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.cpu.team import stopped
from edgewise.join.cpu.elements import find_edges
from edgewise.join.cpu.pair_arrays import (
    ALL,
    FLOORS,
    FREE,
    PARTIAL,
    SPARE,
    SPARE_END,
    SPARE_LEVEL,
)  # fmt: skip

__all__ = ["edges_of", "first_edges", "no_edges"]


@inner
def no_edges(pair):
    """Have none stored."""
    state = pair.scratch.state
    state[FREE], state[PARTIAL], state[SPARE] = 0, 0, -1


@inner
def first_edges(r, pair):
    """Find the heaviest edges of row r, and some if there are any: where they begin and end."""
    scratch, at, level = pair.scratch, pair.scratch.state[FREE], np.int64(pair.level) - 1
    end = at
    while end == at and level < ALL:
        level += 1
        end = find_edges(pair, r, level, at)
    scratch.level[r], scratch.begin[r] = level, -1
    _keep(r, pair, level, end)
    if level < ALL or scratch.begin[r] < 0:
        scratch.state[PARTIAL] += 1
    return at, end


@inner
def edges_of(r, pair, floor):
    """More edges of row r than those above ``floor``: begin, end, and the floor now.

    Of those that are not stored there are none, if stopped: so whatever asks for them is soon done.
    """
    scratch, level = pair.scratch, pair.scratch.level[r]
    while level < ALL and FLOORS[level] >= floor:
        level += 1
    if scratch.begin[r] >= 0 and level == scratch.level[r]:
        return scratch.begin[r], scratch.end[r], FLOORS[level]
    at = scratch.state[FREE]
    if scratch.state[SPARE] == r and scratch.state[SPARE_LEVEL] == level:
        return at, scratch.state[SPARE_END], FLOORS[level]
    if stopped(pair.control):
        return at, at, FLOORS[level]
    end = find_edges(pair, r, level, at)
    _keep(r, pair, level, end)
    return at, end, FLOORS[level]


@inner
def _keep(r, pair, level, end):
    """Store the edges of row r, which end there, if those of another row fit, too."""
    scratch, state = pair.scratch, pair.scratch.state
    if end + pair.columns <= len(scratch.worth):
        scratch.begin[r], scratch.end[r], scratch.level[r] = state[FREE], end, level
        state[FREE], state[SPARE] = end, -1
    else:
        state[SPARE], state[SPARE_LEVEL], state[SPARE_END] = r, level, end

"""Scores of pairs of sets on CPU threads, which take pairs from a queue.

For each pair: the elements that both have are set aside (for Jaccard similarity some greatest
matching has them as mates), the others make a graph, row by row. By edit similarity, letters alone
say of most pairs that they are not similar, then the most similar element of each row. As soon as
what the rows can have at most is less than the threshold asks for, the pair is done with; else a
matching gives the score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab, stopped
from edgewise.join.cpu.elements import closest, forget, hold, likely, set_same_aside
from edgewise.join.cpu.matching import (
    claim,
    free,
    greatest,
    greedy,
    locally_dominant,
    paz_schwartzman,
    take_free,
)
from edgewise.join.cpu.pair_arrays import (
    ALL,
    COLUMNS,
    EDGES,
    FLOORS,
    FREE,
    HELD,
    LATE,
    LISTED,
    POSTINGS,
    ROWS,
    Pair,
    make_room,
)
from edgewise.join.cpu.pair_edges import first_edges, no_edges

__all__ = ["Task", "verify_pairs"]

#: The methods of `edgewise.join.verify`, by number.
EXACT, BOUNDED, GREEDY, LOCALLY_DOMINANT, PAZ_SCHWARTZMAN = range(5)
_REJECTED, _NO_ROOM = -1.0, -2.0
_SMALL = 64  # rows and columns for which there is room at first
_FEW = 1 << 10  # edges for which there is
_LARGE = 1 << 20  # pairs of elements beyond which the heaviest edges are found first
_EACH = 128  # edges of a row for which there is room then, if there is memory


class Task(NamedTuple):
    """What is asked for."""

    threshold: float  #: less the tolerance
    edit: bool  #: edit similarity, not Jaccard
    method: int
    upper: bool  #: scores from above, not from below
    tokens: int  #: how many there are
    longest: int  #: letters of the longest element
    edges: int  #: how many a thread may store


@kernel
def verify_pairs(me, team, control, corpus, task, left, right, cuts, scores):
    """Write the scores of pairs, nan below the threshold; part k of the queue ends at cuts[k + 1].

    A pair that needs more room than there is comes again when there is.
    """
    head, flow = np.full(task.tokens, -1, np.int32), np.empty(task.longest, np.int8)
    room = make_room(head, flow, _SMALL, _SMALL, _FEW, _FEW, _FEW)
    while True:
        part, last = grab(control, 0, 1, len(cuts) - 1)
        if part == last:
            return
        at = cuts[part]
        while at < cuts[last]:
            at = _run(control, corpus, task, left, right, at, cuts[last], scores, room)
            if at < cuts[last]:
                need = room.state
                room = make_room(
                    head, flow, _more(len(room.shared), need[COLUMNS]),
                    _more(len(room.rest), need[ROWS]), _more(len(room.owner), need[POSTINGS]),
                    _more(len(room.worth), need[EDGES]), _more(len(room.source), need[LISTED]),
                )  # fmt: skip


@inner
def _more(have, need):
    return have if need <= have else max(need, 2 * have)


@inner
def _run(control, corpus, task, left, right, at, end, scores, room):
    """Do pairs from ``at`` on; the first that is not done, for lack of room."""
    for p in range(at, end):
        score = _score(control, corpus, task, np.int64(left[p]), np.int64(right[p]), room)
        if stopped(control):
            break
        if score == _NO_ROOM:
            forget(corpus, room)
            return np.int64(p)
        scores[p] = score if score >= task.threshold else np.nan
    return end


@inner
def _score(control, corpus, task, i, j, room):
    """The score of the sets i and j, or why there is none."""
    columns = corpus.left_starts[i + 1] - corpus.left_starts[i]
    size = corpus.right_starts[j + 1] - corpus.right_starts[j]
    both = columns + size
    # Of the matching: t / (1 + t) of all elements; a little less, for what is lost in sums.
    asked = task.threshold / (1.0 + task.threshold) * both * (1.0 - 1e-13)
    if columns == 0 or size == 0 or min(columns, size) < asked:
        return _REJECTED
    if columns > len(room.shared) or size > len(room.rest):
        room.state[COLUMNS], room.state[ROWS] = columns, size
        return _NO_ROOM
    large = size * columns > _LARGE
    if task.edit:
        rows, hope = size, _likely(corpus, i, j, large, asked, room)
    else:
        rows = np.int64(set_same_aside(corpus, i, j, room))
        hope, large = np.float64(rows), rows * columns > _LARGE
    same = size - rows
    weight = _REJECTED
    if same + min(hope, np.float64(columns - same)) >= asked:
        level = 0 if large and task.method != PAZ_SCHWARTZMAN else ALL
        pair = Pair(control, corpus, task.edit, level, i, rows, columns, room)
        if large or not task.edit or _near(pair, hope, asked):
            weight = _matched(pair, task, np.float64(columns - same), hope, asked - same)
    if same > 0:
        for c in range(columns):
            room.taken[c] = False
    if weight < 0.0:
        return weight
    weight += same
    return weight / (both - weight)


@inner
def _likely(corpus, i, j, large, asked, room):
    """All elements of the right set as rows; what they can have by their letters, -1 if too little.

    Of a large pair, the rows themselves will say it.
    """
    first, begin = corpus.left_starts[i], corpus.right_starts[j]
    columns, rows = corpus.left_starts[i + 1] - first, corpus.right_starts[j + 1] - begin
    for r in range(rows):
        room.rest[r], room.likely[r] = corpus.right_elements[begin + r], 1.0
    if large:
        return np.float64(rows)
    for c in range(columns):
        room.most_by_column[c] = 0.0
    by_row, by_column = 0.0, 0.0
    for r in range(rows):
        most = 0.0
        for c in range(columns):
            here = likely(corpus, room.rest[r], corpus.left_elements[first + c])
            most = max(most, here)
            room.most_by_column[c] = max(room.most_by_column[c], here)
        room.likely[r] = most
        by_row += most
    for c in range(columns):
        by_column += room.most_by_column[c]
    return by_row if by_column >= asked else -1.0


@inner
def _near(pair, hope, asked):
    """Could the rows have what is asked for, if each had the column that is most similar to it?"""
    total = 0.0
    for r in range(pair.rows):
        total += closest(pair, pair.room.rest[r])
        hope -= pair.room.likely[r]
        if total + hope < asked:
            return False
    return True


@inner
def _matched(pair, task, most, hope, least):
    """The weight of a matching of rows with at most ``most`` columns, or why there is none."""
    room = pair.room
    most = min(most, np.float64(pair.rows))
    if most == 0.0:
        return 0.0
    total = _connect(pair, task.edges, hope, least, most)
    if total < 0.0:
        return total
    by_column = 0.0
    for c in range(pair.columns):
        by_column += room.most_by_column[c]
    if pair.level < ALL:
        by_column += _not_found(pair)
    bound = min(most, min(total, by_column))
    if bound < least:
        return _REJECTED
    if task.method == EXACT or (task.method == BOUNDED and room.state[LATE] == 0):
        return greatest(pair, least, total)
    if task.method == BOUNDED:
        weight = take_free(pair)
        if weight < least:
            return greatest(pair, least, total)
    elif task.method == PAZ_SCHWARTZMAN:
        weight, bound = paz_schwartzman(pair)
    else:
        weight = greedy(pair) if task.method == GREEDY else locally_dominant(pair)
        bound = 2.0 * weight
    if weight < 0.0:
        return _NO_ROOM
    return min(bound, most) if task.upper else weight


@inner
def _not_found(pair):
    """By how much columns may be more similar to a row by edges that were not found."""
    room, floor, more = pair.room, 0.0, 0.0
    for r in range(pair.rows):
        floor = max(floor, FLOORS[room.level[r]])
    for c in range(pair.columns):
        if not room.taken[c]:
            more += max(floor - room.most_by_column[c], 0.0)
    return more


@inner
def _connect(pair, edges, hope, least, most):
    """Make the graph; the sum of what each row is most similar to, or why there is none.

    ``hope`` is what the sum can be at most.
    """
    room, state = pair.room, pair.room.state
    if not pair.edit and state[HELD] != pair.left:
        places = _places(pair.corpus, pair.left)
        if places > len(room.owner):
            state[POSTINGS] = places
            return _NO_ROOM
        hold(pair.corpus, pair.left, room)
    space = 2 * pair.columns
    if pair.level < ALL:
        space += min(edges, _EACH * pair.rows)
    free(pair)
    no_edges(pair)
    for c in range(pair.columns):
        room.most_by_column[c] = 0.0
    total, state[LATE] = 0.0, 0
    for r in range(pair.rows):
        if state[FREE] + space > len(room.worth) and (r == 0 or state[FREE] < edges):
            state[EDGES] = state[FREE] + space
            return _NO_ROOM
        space = 2 * pair.columns
        if r % 64 == 63 and stopped(pair.control):
            return _REJECTED
        low, high = first_edges(r, pair)
        best = claim(pair, r, low, high)
        hope -= room.likely[r] if pair.edit else 1.0
        total += best
        if min(total + hope, most) < least:
            return _REJECTED
    return total


@inner
def _places(corpus, i):
    """How many places the index of left set i may take: for its tokens, and one for each kind."""
    count = np.int64(0)
    for p in range(corpus.left_starts[i], corpus.left_starts[i + 1]):
        e = corpus.left_elements[p]
        count += corpus.element_starts[e + 1] - corpus.element_starts[e]
    return 2 * count

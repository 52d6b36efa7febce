"""Scores of pairs of sets on CPU threads, which take pairs from a queue.

For each pair: the elements that both have are set aside (for Jaccard similarity some greatest
matching has them as mates), the others make a graph, row by row. As soon as what the rows can have
at most is less than the threshold asks for, the pair is done with. Then a matching gives the score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab, stopped
from edgewise.join.cpu.elements import (
    edit_row,
    forget,
    hold,
    jaccard_row,
    likely_row,
    set_same_aside,
)  # fmt: skip
from edgewise.join.cpu.matching import (
    greatest,
    greedy,
    locally_dominant,
    paz_schwartzman,
    start,
    take_free,
)  # fmt: skip
from edgewise.join.cpu.room import COLUMNS, EDGES, HELD, POSTINGS, ROWS, make_room

__all__ = ["Flat", "Task", "verify_pairs"]

#: The methods of `edgewise.join.verify`, by number.
EXACT, BOUNDED, GREEDY, LOCALLY_DOMINANT, PAZ_SCHWARTZMAN = range(5)
_REJECTED, _NO_ROOM, _STOPPED = -1.0, -2.0, -3.0
_SMALL = 64  # what there is room for at first


class Flat(NamedTuple):
    """The arrays of a corpus, read-only."""

    left_starts: np.ndarray
    left_elements: np.ndarray
    right_starts: np.ndarray
    right_elements: np.ndarray
    element_starts: np.ndarray
    element_tokens: np.ndarray
    letters: np.ndarray
    letter_starts: np.ndarray


class Task(NamedTuple):
    """What is asked for."""

    threshold: float  #: less the tolerance
    edit: bool  #: edit similarity, not Jaccard
    method: int
    upper: bool  #: scores from above, not from below
    tokens: int  #: how many there are
    longest: int  #: letters of the longest element


@kernel
def verify_pairs(me, team, control, corpus, task, left, right, cuts, scores):
    """Write the scores of pairs, nan below the threshold; the queue gives ``cuts`` parts."""
    head, flow = np.full(task.tokens, -1, np.int32), np.empty(task.longest, np.int8)
    room = make_room(head, flow, _SMALL, _SMALL, 16 * _SMALL, 16 * _SMALL, 16 * _SMALL)
    while True:
        part, end = grab(control, 0, 1, len(cuts) - 1)
        if part == end:
            return
        at = cuts[part]
        while at < cuts[end]:
            at = _run(control, corpus, task, left, right, at, cuts[end], scores, room)
            if at < cuts[end]:
                need = room.state
                room = make_room(
                    head, flow, _more(len(room.shared), need[COLUMNS]),
                    _more(len(room.rest), need[ROWS]), _more(len(room.owner), need[POSTINGS]),
                    _more(len(room.worth), need[EDGES]),
                    _more(len(room.worth), need[EDGES]) if task.method >= GREEDY else 0,
                )  # fmt: skip


@inner
def _more(have, need):
    return have if need <= have else max(need, 2 * have)


@inner
def _run(control, corpus, task, left, right, at, end, scores, room):
    """Do pairs from ``at`` on; the first that is not done, for lack of room."""
    for p in range(at, end):
        score = _score(control, corpus, task, np.int64(left[p]), np.int64(right[p]), room)
        if score == _NO_ROOM:
            forget(corpus, room)
            return np.int64(p)
        if score == _STOPPED:
            return end
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
    state = room.state
    if columns > len(room.shared) or size > len(room.rest):
        state[COLUMNS], state[ROWS], state[POSTINGS], state[EDGES] = columns, size, 0, 0
        return _NO_ROOM
    if task.edit:
        rows, hope = size, _likely(corpus, i, j, room)
    else:
        rows = set_same_aside(corpus, i, j, room)
        hope = np.float64(rows)
    same = size - rows
    weight = _REJECTED
    if same + min(hope, np.float64(columns - same)) >= asked:
        weight = _matched(control, corpus, task, i, rows, columns, same, hope, asked, room)
    if same > 0:
        for c in range(columns):
            room.taken[c] = False
    if weight < 0.0:
        return weight
    weight += same
    return weight / (both - weight)


@inner
def _likely(corpus, i, j, room):
    """All elements of the right set as rows, and what they can have by the lengths of words."""
    begin, end = corpus.right_starts[j], corpus.right_starts[j + 1]
    hope = 0.0
    for p in range(begin, end):
        room.rest[p - begin] = corpus.right_elements[p]
        room.likely[p - begin] = likely_row(corpus, i, corpus.right_elements[p])
        hope += room.likely[p - begin]
    return hope


@inner
def _matched(control, corpus, task, i, rows, columns, same, hope, asked, room):
    """The weight of a matching of rows and columns, or why there is none."""
    least, most = asked - same, np.float64(min(rows, columns - same))
    if rows == 0 or most == 0.0:
        return 0.0
    total = _connect(control, corpus, task, i, rows, columns, hope, least, most, room)
    if total < 0.0:
        return total
    by_column = 0.0
    for c in range(columns):
        by_column += room.most_by_column[c]
    most = min(most, min(total, by_column))
    if most < least:
        return _REJECTED
    if task.method == GREEDY or task.method == LOCALLY_DOMINANT:
        weight = (
            greedy(rows, columns, room)
            if task.method == GREEDY
            else locally_dominant(rows, columns, room)
        )
        return min(2.0 * weight, np.float64(min(rows, columns - same))) if task.upper else weight
    if task.method == PAZ_SCHWARTZMAN:
        weight, bound = paz_schwartzman(rows, columns, room)
        return min(bound, np.float64(min(rows, columns - same))) if task.upper else weight
    late = start(rows, columns, room)
    if task.method == BOUNDED and late > 0:
        weight = take_free(rows, late, room)
        if weight >= least:
            return most if task.upper else weight
    weight = greatest(control, rows, late, least, total, room)
    return _STOPPED if np.isnan(weight) else weight


@inner
def _connect(control, corpus, task, i, rows, columns, hope, least, most, room):
    """Make the graph; the sum of what each row is most similar to, or why there is none."""
    state = room.state
    if not task.edit and state[HELD] != i:
        places = np.int64(0)
        for p in range(corpus.left_starts[i], corpus.left_starts[i + 1]):
            e = corpus.left_elements[p]
            places += corpus.element_starts[e + 1] - corpus.element_starts[e]
        if places > len(room.owner):
            state[COLUMNS], state[ROWS], state[POSTINGS], state[EDGES] = 0, 0, places, 0
            return _NO_ROOM
        hold(corpus, i, room)
    for c in range(columns):
        room.most_by_column[c] = 0.0
    total, at = 0.0, np.int64(0)
    for r in range(rows):
        if at + columns > len(room.worth):
            state[COLUMNS], state[ROWS], state[POSTINGS], state[EDGES] = 0, 0, 0, at + columns
            return _NO_ROOM
        if r % 64 == 63 and stopped(control):
            return _STOPPED
        if task.edit:
            end = edit_row(control, corpus, i, room.rest[r], at, room)
            hope -= room.likely[r]
        else:
            end = jaccard_row(corpus, i, room.rest[r], at, room)
            hope -= 1.0
        if end < 0:
            return _STOPPED
        best = 0.0
        for e in range(at, end):
            best = max(best, room.worth[e])
            c = room.indices[e]
            room.most_by_column[c] = max(room.most_by_column[c], room.worth[e])
        room.indptr[r], room.most[r], at = at, best, end
        total += best
        if min(total + hope, most) < least:
            return _REJECTED
    room.indptr[rows] = at
    return total

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
    make_scratch,
)
from edgewise.join.cpu.pair_edges import first_edges, no_edges

__all__ = ["Task", "verify_pairs"]

#: The methods of `edgewise.join.verify`, by number.
EXACT, BOUNDED, GREEDY, LOCALLY_DOMINANT, PAZ_SCHWARTZMAN = range(5)
_REJECTED, _NO_SPACE = -1.0, -2.0
_SMALL = 64  # rows and columns for which there is space at first
_FEW = 1 << 10  # edges for which there is
_LARGE = 1 << 20  # pairs of elements beyond which the heaviest edges are found first
_EACH = 128  # edges of a row for which there is space then, if there is memory


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

    A pair that needs more space than there is comes again when there is.
    """
    head, flow = np.full(task.tokens, -1, np.int32), np.empty(task.longest, np.int8)
    scratch = make_scratch(head, flow, _SMALL, _SMALL, _FEW, _FEW, _FEW)
    while True:
        part, last = grab(control, 0, 1, len(cuts) - 1)
        if part == last:
            return
        at = cuts[part]
        while at < cuts[last]:
            at = _run(control, corpus, task, left, right, at, cuts[last], scores, scratch)
            if at < cuts[last]:
                need = scratch.state
                scratch = make_scratch(
                    head,
                    flow,
                    _more(len(scratch.shared), need[COLUMNS]),
                    _more(len(scratch.rest), need[ROWS]),
                    _more(len(scratch.owner), need[POSTINGS]),
                    _more(len(scratch.worth), need[EDGES]),
                    _more(len(scratch.source), need[LISTED]),
                )


@inner
def _more(have, need):
    return have if need <= have else max(need, 2 * have)


@inner
def _run(control, corpus, task, left, right, at, end, scores, scratch):
    """Do pairs from ``at`` on; the first that is not done, for lack of space."""
    for p in range(at, end):
        score = _score(control, corpus, task, np.int64(left[p]), np.int64(right[p]), scratch)
        if stopped(control):
            break
        if score == _NO_SPACE:
            forget(corpus, scratch)
            return np.int64(p)
        scores[p] = score if score >= task.threshold else np.nan
    return end


@inner
def _score(control, corpus, task, i, j, scratch):
    """The score of the sets i and j, or why there is none."""
    columns = corpus.left_starts[i + 1] - corpus.left_starts[i]
    size = corpus.right_starts[j + 1] - corpus.right_starts[j]
    both = columns + size
    # Of the matching: t / (1 + t) of all elements; a little less, for what is lost in sums.
    asked = task.threshold / (1.0 + task.threshold) * both * (1.0 - 1e-13)
    if columns == 0 or size == 0 or min(columns, size) < asked:
        return _REJECTED
    if columns > len(scratch.shared) or size > len(scratch.rest):
        scratch.state[COLUMNS], scratch.state[ROWS] = columns, size
        return _NO_SPACE
    large = size * columns > _LARGE
    if task.edit:
        rows, hope = size, _likely(corpus, i, j, large, asked, scratch)
    else:
        rows = np.int64(set_same_aside(corpus, i, j, scratch))
        hope, large = np.float64(rows), rows * columns > _LARGE
    same = size - rows
    weight = _REJECTED
    if same + min(hope, np.float64(columns - same)) >= asked:
        level = 0 if large and task.method != PAZ_SCHWARTZMAN else ALL
        pair = Pair(control, corpus, task.edit, level, i, rows, columns, scratch)
        if large or not task.edit or _near(pair, hope, asked):
            weight = _matched(pair, task, np.float64(columns - same), hope, asked - same)
    if same > 0:
        for c in range(columns):
            scratch.taken[c] = False
    if weight < 0.0:
        return weight
    weight += same
    return weight / (both - weight)


@inner
def _likely(corpus, i, j, large, asked, scratch):
    """All elements of the right set as rows; what they can have by their letters, -1 if too little.

    Of a large pair, the rows themselves will say it.
    """
    first, begin = corpus.left_starts[i], corpus.right_starts[j]
    columns, rows = corpus.left_starts[i + 1] - first, corpus.right_starts[j + 1] - begin
    for r in range(rows):
        scratch.rest[r], scratch.likely[r] = corpus.right_elements[begin + r], 1.0
    if large:
        return np.float64(rows)
    for c in range(columns):
        scratch.most_by_column[c] = 0.0
    by_row, by_column = 0.0, 0.0
    for r in range(rows):
        most = 0.0
        for c in range(columns):
            here = likely(corpus, scratch.rest[r], corpus.left_elements[first + c])
            most = max(most, here)
            scratch.most_by_column[c] = max(scratch.most_by_column[c], here)
        scratch.likely[r] = most
        by_row += most
    for c in range(columns):
        by_column += scratch.most_by_column[c]
    return by_row if by_column >= asked else -1.0


@inner
def _near(pair, hope, asked):
    """Could the rows have what is asked for, if each had the column that is most similar to it?"""
    total = 0.0
    for r in range(pair.rows):
        total += closest(pair, pair.scratch.rest[r])
        hope -= pair.scratch.likely[r]
        if total + hope < asked:
            return False
    return True


@inner
def _matched(pair, task, most, hope, least):
    """The weight of a matching of rows with at most ``most`` columns, or why there is none."""
    scratch = pair.scratch
    most = min(most, np.float64(pair.rows))
    if most == 0.0:
        return 0.0
    total = _connect(pair, task.edges, hope, least, most)
    if total < 0.0:
        return total
    by_column = 0.0
    for c in range(pair.columns):
        by_column += scratch.most_by_column[c]
    if pair.level < ALL:
        by_column += _not_found(pair)
    bound = min(most, min(total, by_column))
    if bound < least:
        return _REJECTED
    if task.method == EXACT or (task.method == BOUNDED and scratch.state[LATE] == 0):
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
        return _NO_SPACE
    return min(bound, most) if task.upper else weight


@inner
def _not_found(pair):
    """By how much columns may be more similar to a row by edges that were not found."""
    scratch, floor, more = pair.scratch, 0.0, 0.0
    for r in range(pair.rows):
        floor = max(floor, FLOORS[scratch.level[r]])
    for c in range(pair.columns):
        if not scratch.taken[c]:
            more += max(floor - scratch.most_by_column[c], 0.0)
    return more


@inner
def _connect(pair, edges, hope, least, most):
    """Make the graph; the sum of what each row is most similar to, or why there is none.

    ``hope`` is what the sum can be at most.
    """
    scratch, state = pair.scratch, pair.scratch.state
    if not pair.edit and state[HELD] != pair.left:
        places = _places(pair.corpus, pair.left)
        if places > len(scratch.owner):
            state[POSTINGS] = places
            return _NO_SPACE
        hold(pair.corpus, pair.left, scratch)
    space = 2 * pair.columns
    if pair.level < ALL:
        space += min(edges, _EACH * pair.rows)
    free(pair)
    no_edges(pair)
    for c in range(pair.columns):
        scratch.most_by_column[c] = 0.0
    total, state[LATE] = 0.0, 0
    for r in range(pair.rows):
        if state[FREE] + space > len(scratch.worth) and (r == 0 or state[FREE] < edges):
            state[EDGES] = state[FREE] + space
            return _NO_SPACE
        space = 2 * pair.columns
        if r % 64 == 63 and stopped(pair.control):
            return _REJECTED
        low, high = first_edges(r, pair)
        best = claim(pair, r, low, high)
        hope -= scratch.likely[r] if pair.edit else 1.0
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

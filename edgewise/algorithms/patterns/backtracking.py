"""The search for matches below an edge: vertex by vertex, to a fixed depth.

At each position the candidates are the intersection of several rows, as in worst-case-optimal joins
[1]. The shortest row is scanned, between the bounds that symmetry breaking sets, and each candidate
is looked up in the others. Each search keeps its state in a few words of its own. One compiled
function therefore serves all patterns, on CPU threads and on a GPU.

[1] H. Ngo, E. Porat, C. Re, A. Rudra. Worst-case optimal join algorithms. J. ACM 65, 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.patterns.completions import completions
from edgewise.algorithms.patterns.match_candidates import (
    LABELLED,
    MOST,
    SIMPLE,
    WANTED,
    bounds,
    fits,
    shortest_row,
)
from edgewise.algorithms.patterns.plan import OUT
from edgewise.operators.helpers import inner

__all__ = ["WORDS", "Found", "from_edge"]

#: Words that a search keeps: who is matched; cursor, end and row of positions 2 to 4; and, for the
#: last position, how far it has come in the rows that candidates are looked up in.
WORDS = 32
_SOUGHT = 16


class Found(NamedTuple):
    """The number of matches that begin at each edge, and the matches as far as they fit."""

    counts: Any
    places: Any  # the first match of each edge among all
    vertices: Any


def from_edge(u, v, e, rows, low, kept, found):
    """Count the matches whose first two vertices are the ends of an edge, for `compute`.

    Matches are written while ``found`` has free entries. ``kept`` holds the state of the searches
    from edge ``low`` on.
    """
    rules, labels = rows.rules, rows.labels
    base, size = (e - low) * WORDS, len(rules)
    along = rules[1, 0] & OUT
    first, second = (u, v) if along else (v, u)
    number = np.int64(0)
    if rules[0, LABELLED] == 0 or labels[first] == rules[0, WANTED]:
        kept[base] = first
        kept[base + 1] = second
        if fits(1, second, kept, base, rows, np.int64(0 if along else 1), np.int64(-1)):
            if size > 2:
                number = _search(kept, base, rows, found.vertices, found.places[e])
            else:
                number = _written(kept, base, size, found.vertices, found.places[e])
    found.counts[e] = number


@inner
def _search(kept, base, rows, found, at):
    """The number of matches that begin with the first two vertices in ``kept``."""
    last, number, i = len(rows.rules) - 1, np.int64(0), np.int64(2)
    opened = True  # is position i new, with its row to be chosen?
    while i >= 2:
        place = base + MOST + 3 * (i - 2)
        if opened and i == last:
            number += _at_last(kept, base, rows, found, at + number)
            opened = False
            i -= 1
            continue
        if opened:
            low, high = bounds(i, kept, base, rows)
            begin, end, walked = shortest_row(i, kept, base, rows, low, high)
            kept[place], kept[place + 1], kept[place + 2] = begin, end, walked
        cursor, end, walked = kept[place], kept[place + 1], kept[place + 2]
        opened = False
        while cursor < end and not opened:
            w = np.int64(rows.into_indices[cursor] if walked & 1 else rows.indices[cursor])
            cursor += 1
            opened = fits(i, w, kept, base, rows, walked, np.int64(-1))
            kept[base + i] = w
        kept[place] = cursor
        i += 1 if opened else -1
    return number


@inner
def _at_last(kept, base, rows, found, at):
    """The number of vertices that complete a match."""
    last = len(rows.rules) - 1
    low, high = bounds(last, kept, base, rows)
    if rows.rules[last, SIMPLE] and (at + 1) * (last + 1) > len(found):
        return completions(kept, base, rows, low, high)
    begin, end, walked = shortest_row(last, kept, base, rows, low, high)
    number, sought = np.int64(0), base + _SOUGHT
    for j in range(last):
        kept[sought + 2 * j] = rows.indptr[kept[base + j]]
        kept[sought + 2 * j + 1] = rows.into_indptr[kept[base + j]]
    for e in range(begin, end):
        w = np.int64(rows.into_indices[e] if walked & 1 else rows.indices[e])
        if fits(last, w, kept, base, rows, walked, sought):
            kept[base + last] = w
            number += _written(kept, base, last + 1, found, at + number)
    return number


@inner
def _written(kept, base, size, found, at):
    """One match, written down if there is space."""
    if (at + 1) * size <= len(found):
        for j in range(size):
            found[at * size + j] = kept[base + j]
    return np.int64(1)

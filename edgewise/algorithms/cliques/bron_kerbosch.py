"""The search for maximal cliques from one vertex, over bit sets (Bron and Kerbosch with pivots).

P holds the candidates. X holds the excluded vertices: those already tried that are adjacent to all
chosen vertices. A clique is maximal if both are empty. P is a bit set over the neighbors after v. X
has two parts: a bit set of the members of P that were tried, and a list of the neighbors before v.
The first ``known`` entries of the list are adjacent to all chosen vertices: a step down moves these
to the front. Every vertex in P or in the list has a row of bits over P.

A node of the search tree is P, X, the candidates left to try, the list's length and the choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.cliques.degeneracy import (
    bits_of,
    first_of,
    set_known,
    tell_back,
)
from edgewise.algorithms.scratch import give_back, take_slot
from edgewise.base import atomic
from edgewise.base.bits import count_bits, lowest_bit
from edgewise.operators.helpers import inner, insert

__all__ = ["Limits", "Lists", "search", "size_of"]

_1, _ALL = np.uint64(1), np.uint64(2**64 - 1)


class Limits(NamedTuple):
    """The smallest size of a clique that counts, and the limits at which all searches stop."""

    least: int  # members of a clique
    cliques: int
    members: int  # of all cliques together
    found: Any  # how many cliques there are so far, and members


class Lists(NamedTuple):
    """The number and total size of the cliques that begin at each vertex, and where they go."""

    found: Any
    sizes: Any
    begin: Any  # the first place of each vertex in ``lengths``; empty if nothing is written
    place: Any  # the first place of each vertex in ``members``
    lengths: Any
    members: Any


def size_of(later: Any, before: Any) -> Any:
    """Return the number of words that a search takes, for numbers of neighbors or arrays."""
    width = (later + 63) >> 6
    return (later + before) * width + before + (later + 2) * (3 * width + 2)


def search(v, graph, limits, lists, space):
    """Count the cliques whose first vertex is v, and add up their sizes.

    If ``lists.begin`` has entries, the cliques are also written. ``space`` is a `Scratch`.
    """
    low, start, high = graph.indptr[v], graph.first[v], graph.indptr[v + 1]
    later, before = high - start, start - low
    if later + 1 < limits.least or (later == 0 and before > 0):
        return
    if limits.found[0] > limits.cliques or limits.found[1] > limits.members:
        return
    number = take_slot(space.busy)
    rows, width = number * space.size, bits_of(later)
    if later > 0:
        _rows(v, graph, space.words, rows, width)
    _walk(v, graph, limits, lists, space.words, (rows, width, later, before))
    atomic.add(limits.found, 0, lists.found[v])
    atomic.add(limits.found, 1, lists.sizes[v])
    give_back(space.busy, number)


@inner
def _rows(v, graph, words, rows, width):
    """The neighbors after v of every neighbor of v; of those after v first, then those before."""
    indptr, indices, first, _ = graph
    low, start, high = indptr[v], first[v], indptr[v + 1]
    later = high - start
    for i in range(rows, rows + (high - low) * width):
        words[i] = 0
    for i in range(later):
        u = np.int64(indices[start + i])
        set_known(words, rows, width, indices, (start, high), (first[u], indptr[u + 1]), i)
        tell_back(words, rows, width, i)
    for i in range(start - low):
        u = np.int64(indices[low + i])
        set_known(words, rows, width, indices, (start, high), (first[u], indptr[u + 1]), later + i)


@inner
def _walk(v, graph, limits, lists, words, shape):
    """Walk the tree below v."""
    rows, width, later, before = shape
    least, found, sizes = limits.least, lists.found, lists.sizes
    others = rows + (later + before) * width
    root = others + before
    step = 3 * width + 2
    known = np.int64(0)
    for i in range(before):
        if first_of(words, rows + (later + i) * width, width) >= 0:
            words[others + known] = later + i
            known += 1
    for part in range(width):
        words[root + part], words[root + width + part] = _ALL, 0
    if later & 63:
        words[root + width - 1] = (_1 << np.uint64(later & 63)) - _1
    words[root + 3 * width] = known
    depth, node, entering = 0, root, True
    while depth >= 0:
        if entering:
            known = np.int64(words[node + 3 * width])
            left = _shared(words, node, node, width)
            if left == 0 or depth + 1 + left < least:
                maximal = left == 0 and known == 0 and first_of(words, node + width, width) < 0
                if maximal and depth + 1 >= least:
                    if len(lists.begin) > 0:
                        _write(v, graph, words, (root, step, width), depth, lists)
                    found[v] += 1
                    sizes[v] += depth + 1
                    if found[v] > limits.cliques or sizes[v] > limits.members:
                        return
                depth, node, entering = depth - 1, node - step, False
                continue
            pivot = _pivot(words, rows, width, node, others, known, left)
            for part in range(width):
                row = words[rows + pivot * width + part]
                words[node + 2 * width + part] = words[node + part] & ~row
        u = first_of(words, node + 2 * width, width)
        if u < 0:
            depth, node, entering = depth - 1, node - step, False
            continue
        bit, part = _1 << np.uint64(u & 63), u >> 6
        words[node + 2 * width + part] &= ~bit
        words[node + part] &= ~bit
        child, row = node + step, rows + u * width
        for i in range(width):
            words[child + i] = words[node + i] & words[row + i]
            words[child + width + i] = words[node + width + i] & words[row + i]
        words[node + width + part] |= bit
        words[node + 3 * width + 1] = u
        known, kept = np.int64(words[node + 3 * width]), np.int64(0)
        for i in range(known):
            other = words[others + i]
            if words[rows + np.int64(other) * width + part] & bit:
                words[others + i], words[others + kept] = words[others + kept], other
                kept += 1
        words[child + 3 * width] = kept
        depth, node, entering = depth + 1, child, True


@inner
def _pivot(words, rows, width, node, others, known, left):
    """The vertex of P, of X or of the list that has the most neighbors in P."""
    best, pivot = np.int64(-1), np.int64(0)
    for i in range(known):
        u = np.int64(words[others + i])
        shared = _shared(words, rows + u * width, node, width)
        if shared > best:
            best, pivot = shared, u
            if best == left:
                return pivot
    for part in range(width):
        word = words[node + part] | words[node + width + part]
        while word != 0:
            u = np.int64(64 * part + lowest_bit(word))
            word &= word - _1
            shared = _shared(words, rows + u * width, node, width)
            if shared > best:
                best, pivot = shared, u
    return pivot


@inner
def _shared(words, row, node, width):
    """How many two sets have in common."""
    shared = np.int64(0)
    for i in range(width):
        shared += count_bits(words[row + i] & words[node + i])
    return shared


@inner
def _write(v, graph, words, tree, depth, lists):
    """Write the chosen vertices by their names, ascending: by insertion."""
    members, names = lists.members, graph.names
    root, step, width = tree
    lists.lengths[lists.begin[v] + lists.found[v]] = depth + 1
    start, low = graph.first[v], lists.place[v] + lists.sizes[v]
    members[low] = names[v]
    for i in range(depth):
        chosen = np.int64(words[root + i * step + 3 * width + 1])
        insert(members, low, low + i + 1, names[graph.indices[start + chosen]])

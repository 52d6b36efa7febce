"""The search for maximal cliques from one vertex, over bit sets (Bron and Kerbosch with pivots).

P are the candidates, X who has been tried before and knows all that are chosen: a clique is maximal
if both are empty. P is among the neighbors that come after v, a bit each. X is in two parts: bits
for those of P that were tried, and a list of the neighbors that come before v, of which the first
``known`` know all that are chosen: going down a step brings these to the front, going up leaves the
list as a set what it was. Everyone in P and in the list has a row of bits, whom of P it knows.

A node of the walk is P, X, what is left to try, how long the list is, and who was chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.cliques.neighborhoods import (
    bits_of,
    first_of,
    set_known,
    tell_back,
)
from edgewise.algorithms.rooms import give_back, take_room
from edgewise.base import atomic
from edgewise.base.bits import count_bits, lowest_bit
from edgewise.operators.helpers import inner, insert

__all__ = ["search", "size_of"]

_1, _ALL = np.uint64(1), np.uint64(2**64 - 1)


def size_of(later: Any, before: Any) -> Any:
    """The words that a search takes among so many: numbers, or arrays of them."""
    width = (later + 63) >> 6
    return (later + before) * width + before + (later + 2) * (3 * width + 2)


def search(
    v, indptr, indices, first, names, limits, found, sizes, begin, place, lengths, members, words,
    busy, size,
):  # fmt: skip
    """Note how many cliques have v as their first vertex, and how large they are together.

    ``limits`` are the least size that counts, how many cliques are enough and how many have been
    found, how many members are enough and how many they have: beyond that nobody goes on. Where
    ``begin`` has places, the cliques are written as well: their sizes to ``lengths`` from
    ``begin[v]`` on, who is in them to ``members`` from ``place[v]`` on.
    """
    low, start, high = indptr[v], first[v], indptr[v + 1]
    later, before, least = high - start, start - low, limits[0]
    if later + 1 < least or (later == 0 and before > 0):
        return
    if limits[2] > limits[1] or limits[4] > limits[3]:
        return
    room = take_room(busy)
    rows, width = room * size, bits_of(later)
    if later > 0:
        _rows(v, indptr, indices, first, words, rows, width)
    lists = (begin, place, lengths, members, names)
    _walk(v, start, indices, limits, found, sizes, lists, words, (rows, width, later, before))
    atomic.add(limits, 2, found[v])
    atomic.add(limits, 4, sizes[v])
    give_back(busy, room)


@inner
def _rows(v, indptr, indices, first, words, rows, width):
    """Whom every neighbor of v knows of those after v; these first, then those before."""
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
def _walk(v, start, indices, limits, found, sizes, lists, words, shape):
    """Walk the tree below v."""
    rows, width, later, before = shape
    least, most, room = limits[0], limits[1], limits[3]
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
                    if len(lists[0]) > 0:
                        _write(v, start, indices, words, (root, step, width), depth, found[v],
                               sizes[v], lists)  # fmt: skip
                    found[v] += 1
                    sizes[v] += depth + 1
                    if found[v] > most or sizes[v] > room:
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
    """Who of P, of X and of the list knows the most of P."""
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
def _write(v, start, indices, words, tree, depth, number, offset, lists):
    """Write who is chosen by their names, ascending: by insertion."""
    begin, place, lengths, members, names = lists
    root, step, width = tree
    lengths[begin[v] + number] = depth + 1
    low = place[v] + offset
    members[low] = names[v]
    for i in range(depth):
        chosen = np.int64(words[root + i * step + 3 * width + 1])
        insert(members, low, low + i + 1, names[indices[start + chosen]])

"""Cliques of four vertices, counted at the edges between their two largest vertices [1].

Vertices are numbered so that no vertex has many smaller neighbors (`orient`). For every vertex v,
rows of bits hold the edges among its smaller neighbors. Row i has a bit for each neighbor before
the i-th; a set bit is a triangle with v and the i-th neighbor. Every adjacent pair of set bits is a
clique of four. Their number is the number of bits that their own rows have in common with row i.

O(m sqrt(m)) work for the rows, which are built and read in parts that fit memory. Each triangle
takes at most sqrt(m) / 32 words more.

[1] N. Chiba, T. Nishizeki. Arboricity and subgraph listing algorithms. SIAM J. Computing 14(1),
    1985.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.cliques.degeneracy import bits_of
from edgewise.algorithms.scratch import own_scratch
from edgewise.base import atomic
from edgewise.base.bits import count_bits, lowest_bit
from edgewise.graph import Graph
from edgewise.graph.orient import orient
from edgewise.graph.transfer import like
from edgewise.operators import advance, compute
from edgewise.operators.helpers import first_from, inner

__all__ = ["count_quads"]

_1 = np.uint64(1)


def count_quads(graph: Graph) -> Any:
    """Return the number of cliques of four at their largest vertex, in the order of `orient`.

    >>> from edgewise.generators import complete
    >>> count_quads(complete(6)).tolist()
    [0, 0, 0, 1, 4, 10]
    """
    rows = orient(graph).rows
    rows = like(graph, rows.indptr, rows.indices, directed=True)
    ends, sizes, found = (graph.full(0, np.int64) for _ in range(3))
    compute(graph, None, _measure, (rows.indptr, rows.indices, ends, sizes))
    for part, space in own_scratch(sizes, graph.xp):
        state = (rows.indptr, rows.indices, ends, space.words, space.places, space.size)
        advance(rows, part, _set_row, state, output=None)
        advance(rows, part, _count, (*state, found), output=None)
    return found


def _measure(v, indptr, indices, ends, sizes):
    """Where the smaller neighbors of v end, and how many words their rows take; two have none."""
    ends[v] = first_from(indices, indptr[v], indptr[v + 1], v)
    if ends[v] - indptr[v] > 2:
        sizes[v] = _place(ends[v] - indptr[v])


@inner
def _place(i):
    """Where row i begins: row j has a bit for each of the j before it."""
    full, rest = (i - 1) >> 6, (i - 1) & 63
    return (32 * full + rest) * (full + 1)


def _set_row(v, u, e, indptr, indices, ends, words, places, size):
    """Which of the smaller neighbors of v are neighbors of u, too, and smaller?"""
    low, i = indptr[v], e - indptr[v]
    if e >= ends[v] or ends[v] - low <= 2:
        return
    row, at, end, place = places[v] - size + _place(i), indptr[u], ends[u], low
    for part in range(bits_of(i)):
        word, last = np.uint64(0), min(low + 64 * part + 64, e)
        while place < last and at < end:
            a, b = indices[place], indices[at]
            word |= np.uint64(a == b) << np.uint64((place - low) & 63)
            place += a <= b
            at += b <= a
        words[row + part] = word


def _count(v, u, e, indptr, indices, ends, words, places, size, found):
    """Add the bits that row i has in common with the rows of its members."""
    i = e - indptr[v]
    if e >= ends[v] or i < 2:
        return
    rows = places[v] - size
    row, total = rows + _place(i), np.int64(0)
    for part in range(bits_of(i)):
        word = words[row + part]
        while word != 0:
            j = 64 * part + lowest_bit(word)
            word &= word - _1
            other = rows + _place(j)
            for k in range(bits_of(j)):
                total += count_bits(words[row + k] & words[other + k])
    if total:
        atomic.add(found, v, total)

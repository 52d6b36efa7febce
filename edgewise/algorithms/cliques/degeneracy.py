"""The input of clique searches: a graph in degeneracy order, and bit sets.

Vertices are numbered by core number, then by degree, so that few neighbors of any vertex come after
it. A search from v is confined to these later neighbors. The edges among them are rows of bits.
Sets are ranges of words in one long array of uint64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.cores.core_number import core_number
from edgewise.base.bits import lowest_bit
from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids
from edgewise.operators.helpers import first_from, inner

__all__ = [
    "Ordered",
    "Rows",
    "bits_of",
    "first_of",
    "in_order",
    "set_known",
    "tell_back",
]

_1 = np.uint64(1)


class Rows(NamedTuple):
    """The rows of an ordered graph, for kernels: later neighbors begin at ``first[v]``."""

    indptr: Any
    indices: Any
    first: Any
    names: Any


class Ordered(NamedTuple):
    """A simple, unweighted graph in degeneracy order; ``first[v]`` starts v's later neighbors.

    ``names[v]`` is v's id in the original graph.
    """

    graph: Graph
    first: Any
    names: Any

    @property
    def later(self) -> Any:
        """The number of later neighbors of each vertex."""
        return self.graph.indptr[1:] - self.first

    @property
    def rows(self) -> Rows:
        """The rows of the graph, and where the later neighbors begin."""
        return Rows(self.graph.indptr, self.graph.indices, self.first, self.names)


def in_order(graph: Graph) -> Ordered:
    """Return an undirected graph in degeneracy order.

    >>> from edgewise.graph import Graph
    >>> ordered = in_order(Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2]))
    >>> ordered.names.tolist(), ordered.later.tolist()
    ([3, 1, 2, 0], [1, 2, 1, 0])
    """
    plain, xp = graph.with_weights(None).with_labels(None).without_self_loops(), graph.xp
    names = xp.lexsort(xp.stack((plain.row_lengths(), core_number(plain))))
    places = xp.empty_like(names)
    places[names] = xp.arange(len(names))
    ordered = plain.permute(places)
    rows = row_ids(ordered)
    before = xp.bincount(rows[ordered.indices < rows], minlength=len(names))
    return Ordered(ordered, ordered.indptr[:-1] + before, names)


@inner
def bits_of(size):
    """Return the number of words that hold ``size`` bits."""
    return (size + 63) >> 6


@inner
def first_of(words, at, width):
    """Return the first member of a set, or -1."""
    for part in range(width):
        if words[at + part] != 0:
            return np.int64(64 * part + lowest_bit(words[at + part]))
    return np.int64(-1)


@inner
def set_known(words, at, width, indices, members, others, i):
    """Set the bits of the members that are also in a list of others, in row i at ``at``.

    ``members`` and ``others`` are ascending ranges of ``indices``. Entries of the shorter are
    looked up in the longer.
    """
    low, high = members
    start, end = others
    row = at + i * width
    if 8 * (end - start) < high - low:
        for e in range(start, end):
            place = first_from(indices, low, high, indices[e])
            if place < high and indices[place] == indices[e]:
                _set(words, row, place - members[0])
            low = place
        return
    for e in range(low, high):
        start = first_from(indices, start, end, indices[e])
        if start == end:
            return
        if indices[start] == indices[e]:
            _set(words, row, e - members[0])


@inner
def tell_back(words, at, width, i):
    """Set bit i in the rows of all later vertices whose bits are set in row i."""
    for part in range(i >> 6, width):
        word = words[at + i * width + part]
        while word != 0:
            j = 64 * part + lowest_bit(word)
            word &= word - _1
            if j > i:
                _set(words, at + j * width, i)


@inner
def _set(words, row, j):
    words[row + (j >> 6)] |= _1 << np.uint64(j & 63)

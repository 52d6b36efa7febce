"""Random graphs of the same degrees: the ends of pairs of edges are swapped, many at a time [1].

In a sweep every edge meets another, by a random affine map of the edges' numbers, and a - b, c - d
becomes a - d, c - b or a - c, b - d, by a coin; but not if that makes a loop, an edge that is there
already, or one that another pair wants as well and comes before. So edges stay distinct in every
sweep, and the outcome depends on the seed alone. A table of all edges, with linear probing, is made
anew for each sweep: linear work.

[1] R. Milo, N. Kashtan, S. Itzkovitz, M. Newman, U. Alon. On the uniform generation of random
    graphs with prescribed degree sequences. 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import atomic, random
from edgewise.base.probing import is_key, key_at, probing
from edgewise.base.random import check_seed, mix, shuffling
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import compute
from edgewise.operators.helpers import inner
from edgewise.operators.items import Items

__all__ = ["rewired"]

_NONE = -1
_mix = inner(mix)


def rewired(graph: AnyGraph, sources: Any, targets: Any, sweeps: int, seed: int) -> tuple[Any, Any]:
    """The ends of as many edges among the vertices of a graph, after so many sweeps.

    The edges given are those of the graph, each once, without self-loops.

    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges(range(8), [1, 2, 3, 4, 5, 6, 7, 0])
    >>> u, v = rewired(ring, *ring.edges()[:2], 20, seed=1)
    >>> bool((u == ring.edges()[0]).all()), np.bincount(np.r_[u, v]).tolist()
    (False, [2, 2, 2, 2, 2, 2, 2, 2])
    """
    xp, n, count = graph.xp, graph.num_vertices, len(sources)
    a, b = sources.astype(np.int64), targets.astype(np.int64)
    pairs, edges = (Items(size, graph.device, xp) for size in (count // 2, count))
    size = 1 << max((2 * count).bit_length(), 4)
    table, wanted, owner = (xp.empty(size, np.int64) for _ in range(3))
    places = xp.empty((2, max(count // 2, 1)), np.int64)
    word = check_seed(seed)
    for turn in range(sweeps if count > 1 else 0):
        for array, fill in ((table, _NONE), (wanted, _NONE), (owner, count)):
            array.fill(fill)
        factor, shift = shuffling(count, seed, turn)
        compute(edges, None, _enter, (a, b, n, table))
        drawn = (n, count, factor, shift, word, turn)
        compute(pairs, None, _propose, (a, b, *drawn, table, wanted, owner, *places))
        compute(pairs, None, _swap, (a, b, n, count, factor, shift, wanted, owner, *places))
    return a, b


@inner
def _key(u, v, n):
    return min(u, v) * n + max(u, v)


@inner
def _home(table, key):
    """The first place to look for a key in a table."""
    return _mix(np.uint64(key)) & np.uint64(len(table) - 1)


def _put(table, at, key):
    return atomic.cas(table, at, _NONE, key)


_probe = probing(key_at, None, is_key, inner, _NONE)
_probe_or_put = probing(key_at, _put, is_key, inner, _NONE)


@inner
def _is_in(table, key):
    return _probe(table, _home(table, key), len(table) - 1, key)[1] == key


@inner
def _add(table, key):
    """Where a key stands in a table, once it is there."""
    return np.int64(_probe_or_put(table, _home(table, key), len(table) - 1, key)[0])


def _enter(e, a, b, n, table):
    _add(table, _key(a[e], b[e], n))


def _propose(i, a, b, n, count, factor, shift, seed, turn, table, wanted, owner, first, second):
    """Say which edges pair i wants, if it may have them."""
    e, f = (2 * i * factor + shift) % count, ((2 * i + 1) * factor + shift) % count
    u, v, w, x = a[e], b[e], a[f], b[f]
    drawn = random.bits(seed, i, turn)
    if drawn & np.uint64(1):
        v, w = w, v
    else:
        v, x = x, v
    one, other = _key(u, v, n), _key(w, x, n)
    first[i] = _NONE
    if u == v or w == x or one == other or drawn >> np.uint64(61) == np.uint64(0):
        return  # some leave it, or else only half of all graphs could come of an even number
    if _is_in(table, one) or _is_in(table, other):
        return
    first[i], second[i] = _add(wanted, one), _add(wanted, other)
    atomic.min(owner, first[i], i)
    atomic.min(owner, second[i], i)


def _swap(i, a, b, n, count, factor, shift, wanted, owner, first, second):
    """Let pair i have what it wants, if nobody before it wants the same."""
    if first[i] != _NONE and owner[first[i]] == i and owner[second[i]] == i:
        e, f = (2 * i * factor + shift) % count, ((2 * i + 1) * factor + shift) % count
        a[e], b[e] = wanted[first[i]] // n, wanted[first[i]] % n
        a[f], b[f] = wanted[second[i]] // n, wanted[second[i]] % n

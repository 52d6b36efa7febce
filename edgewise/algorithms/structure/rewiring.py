"""Random graphs with the same degrees: edge swaps, many at a time [1].

In a sweep a random affine map of the edge numbers pairs every edge with another. A coin decides
whether a - b, c - d becomes a - d, c - b or a - c, b - d. A swap is rejected if it creates a loop,
an existing edge, or an edge that an earlier pair also creates. Edges therefore stay distinct in
every sweep, and the result depends on the seed alone. A hash table of all edges, with linear
probing, is rebuilt for each sweep: linear work.

[1] R. Milo, N. Kashtan, S. Itzkovitz, M. Newman, U. Alon. On the uniform generation of random
    graphs with prescribed degree sequences. 2003.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic, random
from edgewise.base.probing import is_key, key_at, probing
from edgewise.base.random import check_seed, mix, shuffling
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["rewired"]

_NONE = -1
_mix = inner(mix)


def rewired(graph: AnyGraph, sources: Any, targets: Any, sweeps: int, seed: int) -> tuple[Any, Any]:
    """Return the ends of the rewired edges, after the given number of sweeps.

    The edges given are those of the graph, each once, without self-loops.

    >>> from edgewise.graph import Graph
    >>> ring = Graph.from_edges(range(8), [1, 2, 3, 4, 5, 6, 7, 0])
    >>> u, v = rewired(ring, *ring.edges()[:2], 20, seed=1)
    >>> bool((u == ring.edges()[0]).all()), np.bincount(np.r_[u, v]).tolist()
    (False, [2, 2, 2, 2, 2, 2, 2, 2])
    """
    xp, n, count = graph.xp, graph.num_vertices, len(sources)
    size = 1 << max((2 * count).bit_length(), 4)
    table, keys, owner = (xp.empty(size, np.int64) for _ in range(3))
    edges = _Edges(sources.astype(np.int64), targets.astype(np.int64), n, table)
    proposals = _Proposals(keys, owner, *xp.empty((2, max(count // 2, 1)), np.int64))
    word, each = check_seed(seed), partial(for_each, device=graph.device)
    for turn in range(sweeps if count > 1 else 0):
        for array, fill in ((table, _NONE), (keys, _NONE), (owner, count)):
            array.fill(fill)
        pairing = _Pairing(count, *shuffling(count, seed, turn))
        each(count, _enter, edges)
        each(count // 2, _propose, (edges, pairing, proposals, word, turn))
        each(count // 2, _swap, (edges, pairing, proposals))
    return edges.sources, edges.targets


class _Edges(NamedTuple):
    """The ends of every edge among ``n`` vertices, and a hash table of the edges."""

    sources: Any
    targets: Any
    n: int
    table: Any


class _Pairing(NamedTuple):
    """Pair i has edges 2 i and 2 i + 1 of an order; edge j is ``(factor * j + shift) % size``."""

    size: int
    factor: Any
    shift: Any


class _Proposals(NamedTuple):
    """A hash table of the edges that pairs propose, and for each place the first such pair.

    The proposals of pair i stand at the places ``first[i]`` and ``second[i]``.
    """

    keys: Any
    owner: Any
    first: Any
    second: Any


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


@inner
def _pair(i, pairing):
    """The two edges of pair i."""
    size, factor, shift = pairing
    return (2 * i * factor + shift) % size, ((2 * i + 1) * factor + shift) % size


def _enter(e, edges):
    _add(edges.table, _key(edges.sources[e], edges.targets[e], edges.n))


def _propose(i, edges, pairing, proposals, seed, turn):
    """Propose the edges of pair i with their ends swapped, if they may be."""
    first, second, n = proposals.first, proposals.second, edges.n
    e, f = _pair(i, pairing)
    u, v, w, x = edges.sources[e], edges.targets[e], edges.sources[f], edges.targets[f]
    drawn = random.bits(seed, i, turn)
    if drawn & np.uint64(1):
        v, w = w, v
    else:
        v, x = x, v
    one, other = _key(u, v, n), _key(w, x, n)
    first[i] = _NONE
    if u == v or w == x or one == other or drawn >> np.uint64(61) == np.uint64(0):
        return  # some leave it, or else only half of all graphs could come of an even number
    if _is_in(edges.table, one) or _is_in(edges.table, other):
        return
    first[i], second[i] = _add(proposals.keys, one), _add(proposals.keys, other)
    atomic.min(proposals.owner, first[i], i)
    atomic.min(proposals.owner, second[i], i)


def _swap(i, edges, pairing, proposals):
    """Put the edges that pair i proposes in place, if no pair before it proposes one of them."""
    keys, owner, n = proposals.keys, proposals.owner, edges.n
    one, other = proposals.first[i], proposals.second[i]
    if one != _NONE and owner[one] == i and owner[other] == i:
        e, f = _pair(i, pairing)
        edges.sources[e], edges.targets[e] = keys[one] // n, keys[one] % n
        edges.sources[f], edges.targets[f] = keys[other] // n, keys[other] % n

"""Kempe exchanges: the vertices of one color class move to others.

A vertex that has no free color gets one by an exchange: all vertices of colors a and b that are
connected to its neighbors of color a, by edges between these two colors, swap colors. That frees
color a, unless a neighbor of color b is among them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.random import bits
from edgewise.graph import Graph
from edgewise.operators.sequential import going, sequential

__all__ = ["empty_class"]

#: A chain is given up when it is longer, and a vertex after so many exchanges that fail.
_LONGEST, _TRIES = 1 << 12, 64


def empty_class(graph: Graph, color: Any, seed: int, turn: int) -> Any:
    """Return a coloring in which the smallest class has lost the vertices that could move.

    A class that is empty then is left out. ``turn`` varies the order of vertices and exchanges.

    >>> from edgewise.generators import path
    >>> empty_class(path(4), np.array([0, 1, 2, 0]), 0, 0).tolist()
    [1, 0, 1, 0]
    """
    color, sizes = color.copy(), np.bincount(color)
    k, n = len(sizes), graph.num_vertices
    target = int(sizes.argmin())
    members = np.flatnonzero(color == target)
    drawn = bits(seed, turn, members)
    order = np.argsort(drawn, kind="stable")
    members, starts = members[order], (drawn[order] % np.uint64(k * k)).astype(np.int64)
    scratch = (np.zeros(k, np.int64), np.full((2, n), -1), np.empty(min(n, _LONGEST), np.int64))
    state = (graph.indptr, graph.indices, color, members, starts, target, *scratch)
    sequential(_move_all, state, steps=len(members), work=graph.num_arcs, phase="kempe")
    return np.unique(color, return_inverse=True)[1].reshape(n).astype(np.int64)


def _move_all(control, indptr, indices, color, members, starts, target, counts, mark, chain):
    """mark[0][u] is the last attempt that reached u, and mark[1][u] the last v next to u.

    Vertex i begins with the pair of colors numbered starts[i].
    """
    attempt = 0
    for i in range(len(members)):
        if i % 16 == 0 and not going(control, i):
            return
        v = members[i]
        counts[:] = 0
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if u != v:
                counts[color[u]] += 1
                mark[1][u] = v
        free, tries = -1, 0
        for a in range(len(counts)):
            if a != target and counts[a] == 0:
                free = a
                break
        for step in range(len(counts) * len(counts)):
            pair = (starts[i] + step) % (len(counts) * len(counts))
            a, b = pair // len(counts), pair % len(counts)
            if free >= 0 or tries == _TRIES:
                break
            if a in (b, target) or b == target:
                continue
            tries += 1
            attempt += 1
            count = 0
            for e in range(indptr[v], indptr[v + 1]):
                u = np.int64(indices[e])
                if color[u] == a and mark[0][u] != attempt and count < len(chain):
                    mark[0][u] = attempt
                    chain[count] = u
                    count += 1
            done, fits = 0, counts[a] <= len(chain)
            while done < count and fits:
                w = chain[done]
                done += 1
                for e in range(indptr[w], indptr[w + 1]):
                    u = np.int64(indices[e])
                    if mark[0][u] == attempt or color[u] != a + b - color[w]:
                        continue
                    if count == len(chain) or (color[u] == b and mark[1][u] == v):
                        fits = False
                        break
                    mark[0][u] = attempt
                    chain[count] = u
                    count += 1
            if fits:
                for k in range(count):
                    color[chain[k]] = a + b - color[chain[k]]
                free = a
        if free >= 0:
            color[v] = free

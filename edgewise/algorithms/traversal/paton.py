"""A basis of cycles by Paton's algorithm [1], in the order in which NetworkX lists it.

A search takes the vertex found last. When it processes z, an edge to a vertex that is found but not
processed closes a cycle: from z along the tree to the first vertex that is adjacent to the other
end. The first pass counts, and the second writes. One CPU thread.

[1] K. Paton. An algorithm for finding a fundamental set of cycles for an undirected linear graph.
    Communications of the ACM 12(9), 1969.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.traversal.path_list import PathList
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.operators.helpers import find_edge, inner
from edgewise.operators.sequential import going, sequential

__all__ = ["basis_of"]


class _Cycles(NamedTuple):
    sizes: np.ndarray
    vertices: np.ndarray
    found: np.ndarray  #: the numbers of cycles and of their vertices so far


def basis_of(indptr: Any, targets: Any, ordered: Any, roots: Any) -> PathList:
    """The basis of the rows ``targets``, searched from the roots; ``ordered`` rows ascend."""
    n, m = len(indptr) - 1, len(targets)
    found, none = np.zeros(2, np.int64), np.empty(0, np.int64)
    stack, kept = np.empty(n, np.int64), (none, none)
    for phase in ("count", "list"):
        parents, done = np.full(n, -1, np.int64), np.zeros(n, np.bool_)
        state = (indptr, targets, ordered, roots, parents, done, stack, _Cycles(*kept, found))
        sequential(_paton, state, steps=n, work=4 * m, phase=phase)
        if phase == "count":
            if 8 * int(found.sum()) > free_memory():
                raise MemoryError(f"{found[0]:,} cycles exceed the free memory")
            kept = np.empty(found[0], np.int64), np.empty(found[1], np.int64)
            found[:] = 0
    return PathList(offsets(kept[0]), kept[1], True)


def _paton(control, indptr, targets, ordered, roots, parents, done, stack, cycles):
    """Count the cycles and their vertices in ``cycles.found``, or write them."""
    steps, size = 0, 0
    for root in roots:
        if parents[root] < 0:
            parents[root], stack[0], size = root, root, 1
        while size > 0:
            size -= 1
            z = stack[size]
            for e in range(indptr[z], indptr[z + 1]):
                steps += 1
                if steps % 1024 == 0 and not going(control, steps):
                    return
                other = np.int64(targets[e])
                if parents[other] < 0:
                    parents[other], stack[size] = z, other
                    size += 1
                elif not done[other]:
                    _close(indptr, ordered, parents, z, other, cycles)
            done[z] = True


@inner
def _close(indptr, ordered, parents, z, other, cycles):
    """The cycle of an edge: its ends, then the ancestors of z up to a neighbor of the other end."""
    sizes, vertices, found = cycles
    at, v, closed = found[1], z, z == other
    writing = len(sizes) > 0
    if writing:
        vertices[at] = other
    at += 1
    while not closed:
        if writing:
            vertices[at] = v
        at += 1
        closed = v != z and find_edge(indptr, ordered, v, other) >= 0
        v = parents[v]
    if writing:
        sizes[found[0]] = at - found[1]
    found[0] += 1
    found[1] = at

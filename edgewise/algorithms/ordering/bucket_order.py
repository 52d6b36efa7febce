"""Orders that remove one vertex after another: smallest last and others of ColPack [1].

Each vertex has a count, which falls by one when a neighbor is removed. The next vertex is one of
the smallest count (or the largest). Stacks, one per count, hold candidates; an entry is stale if
the count of its vertex has changed, and is skipped. Counts far above the smallest one are only
lowered: their vertices enter the stacks when the smallest count comes near. For incidence degrees,
where most entries would be stale, an array is kept sorted by swaps instead. O(n + m) time on one
CPU thread.

[1] A. Gebremedhin, D. Nguyen, M. Patwary, A. Pothen. ColPack: software for graph coloring and
    related problems in scientific computing. ACM TOMS 2013.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_one_device
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.sequential import going, sequential
from edgewise.operators.sorting import stable_order

__all__ = ["BUCKET_ORDERS", "Removal", "remove_all"]

#: The rules as numbers, which `_remove` compares.
BUCKET_ORDERS = {"smallest_last": 0, "incidence_degree": 1, "dynamic_largest_first": 2}
_LAST, _DYNAMIC = 0, 2
_GONE = 1 << 30  # the count of removed vertices
#: Counts up to so many above the smallest have stacks. 1 to 8 took about the same time.
_WINDOW = 4


class Removal(NamedTuple):
    """An order in host memory, and the neighbors of each vertex that come before it."""

    vertices: np.ndarray  # in their order
    ends: np.ndarray  # those before vertices[i] are earlier[ends[i] : ends[i + 1]]
    earlier: np.ndarray


class _Stacks(NamedTuple):
    head: np.ndarray
    entry: np.ndarray
    below: np.ndarray


def remove_all(graph: AnyGraph, rule: str) -> Removal:
    """Return the vertices in the order of a rule: one of `BUCKET_ORDERS`.

    The graph is undirected and on one device; one on a GPU is copied to host memory. Loops are
    ignored.

    >>> from edgewise.generators import path
    >>> remove_all(path(4), "smallest_last").vertices.tolist()
    [3, 2, 1, 0]
    """
    check_one_device(graph, f"the order {rule!r}")
    graph = graph.to("cpu")
    n, kind = graph.num_vertices, graph.id_dtype
    degrees = (2 * graph.row_lengths() - graph.degrees()).astype(np.int32)  # without loops
    most, ids = int(degrees.max(initial=0)), np.arange(n, dtype=kind)
    num_lists = (graph.num_arcs + graph.num_self_loops) // 2 + 1
    found = Removal(np.empty(n, kind), np.zeros(n + 1, np.int64), np.empty(num_lists, kind))
    if rule == "incidence_degree":
        found.vertices[:] = stable_order(most - degrees)
        place = np.empty(n, kind)
        place[found.vertices] = ids
        scratch = (np.full(n, most, np.int32), np.zeros(most + 1, np.int64), place)
        state: Any = (graph.indptr, graph.indices, *scratch, *found)
        sequential(_remove_by_incidence, state, steps=n, work=graph.num_arcs + n, phase=rule)
        return found
    stacks = (np.full(most + 1, -1, np.int64), np.empty(n + num_lists, kind),
              np.empty(n + num_lists, np.int64))  # fmt: skip
    state = (
        graph.indptr,
        graph.indices,
        degrees,
        _Stacks(*stacks),
        ids,
        found,
        BUCKET_ORDERS[rule],
    )
    sequential(_remove, state, steps=n, work=graph.num_arcs + n, phase=rule)
    return found


def _remove_by_incidence(control, indptr, indices, count, first, place, order, ends, earlier):
    """Vertices stand in ``order`` by count, those of count c from first[c] on.

    If first[c] lies among the removed, count c begins behind these. A vertex whose count falls
    swaps places with the first one of its count.
    """
    at, one = np.uint64(0), np.uint64(1)
    for i in range(len(order)):
        v, low = np.uint64(order[i]), np.uint64(i + 1)
        for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + one])):
            u = np.uint64(indices[e])
            here = np.uint64(place[u])
            if here >= low:
                c = np.uint64(count[u])
                front = max(np.uint64(first[c]), low)
                first[c], count[u] = front + one, c - one
                other = np.uint64(order[front])
                order[here], order[front] = other, u
                place[other], place[u] = here, front
            elif u != v:
                earlier[at] = u
                at += one
        ends[i + 1] = at
        if i % 1024 == 0 and not going(control, i):
            return


def _remove(control, indptr, indices, count, stacks, waiting, found, rule):
    """A stack is a list of entries: head[c] is its top, and below[i] the entry under entry i.

    The order smallest last is written from its end, and so are its lists of earlier neighbors.
    """
    (head, entry, below), (order, ends, earlier) = stacks, found
    n, last, step = len(order), rule == _LAST, -1 if rule == _LAST else 1
    at = len(earlier) - 1 if last else 0
    ends[n if last else 0] = at + last
    c, limit, left = (len(head) - 1 if rule == _DYNAMIC else 0), 0, n
    free, used, i = -1, 0, 0
    while i < n:
        if left and c >= limit:  # more vertices enter the stacks
            low, kept = _GONE, 0
            for k in range(left):
                v = waiting[k]
                if limit <= count[v] < _GONE:
                    waiting[kept] = v
                    kept += 1
                    low = min(low, count[v])
            limit = low + _WINDOW if last else _GONE
            for k in range(kept - 1, -1, -1):
                v = waiting[k]
                if count[v] < limit:
                    entry[used], below[used], head[count[v]] = v, head[count[v]], used
                    used += 1
            left, c = (kept, np.int64(low)) if last else (0, c)
            limit = -1 if rule == _DYNAMIC else limit
        top = head[c]
        if top < 0:
            c += -1 if rule == _DYNAMIC else 1
            continue
        head[c], below[top], free = below[top], free, top
        v = np.uint64(entry[top])
        now = count[v]
        if now != c:
            if now < c and rule == _DYNAMIC:  # it has kept its only entry
                free, below[top], head[now] = below[top], head[now], top
            continue
        count[v] = _GONE
        place = n - 1 - i if last else i
        order[place] = v
        for e in range(np.uint64(indptr[v]), np.uint64(indptr[v + np.uint64(1)])):
            u = np.uint64(indices[e])
            now = count[u]
            earlier[at] = u
            if (now < _GONE) == last:
                at += step
            if now < _GONE:
                now -= 1
                count[u] = now
                if now < limit:
                    top = free
                    if free < 0:
                        top = used
                        used += 1
                    else:
                        free = below[free]
                    entry[top], below[top], head[now] = u, head[now], top
                    c = min(c, np.int64(now))
        ends[place + (not last)] = at + last
        i += 1
        if i % 1024 == 0 and not going(control, i):
            return

"""The search for simple cycles: see `simple_cycles`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going

__all__ = ["NONE", "Search", "johnson"]

#: No way back.
NONE = 1 << 60


class Search(NamedTuple):
    """The rows in both directions, and the state of a search."""

    indptr: Any
    indices: Any
    back_indptr: Any
    back_indices: Any
    directed: bool
    longest: int
    bounded: bool
    alive: Any  # may be on a cycle with vertices from s on
    degree: Any  # in and out, of vertices that are alive
    on_path: Any
    need: Any
    path: Any
    cursor: Any
    best: Any  # the fewest edges back to s from a vertex on the path
    reached: Any
    queue: Any


def johnson(control, one, most, sizes, vertices, found):
    """The cycles of each vertex s among the vertices from s on."""
    n = len(one.alive)
    for v in range(n):  # a self-loop leads nowhere else
        for e in range(one.indptr[v], one.indptr[v + 1]):
            if one.indices[e] == v:
                one.degree[0, v] -= 1
                one.degree[1, v] -= 1
    for v in range(n):
        _peel(one, v, False)
    for s in range(n):
        for e in range(one.indptr[s], one.indptr[s + 1]):
            if one.indices[e] == s and one.longest > 0:
                one.path[0] = s
                if not _note(one, 1, most, sizes, vertices, found):
                    return
        if one.alive[s]:
            if one.directed:
                if not _from(control, one, s, -1, most, sizes, vertices, found):
                    return
            else:
                for e in range(one.indptr[s], one.indptr[s + 1]):
                    first = np.int64(one.indices[e])
                    if first == s or not one.alive[first]:
                        continue
                    if not _from(control, one, s, first, most, sizes, vertices, found):
                        return
            _peel(one, s, True)
        if s % 64 == 0 and not going(control, s):
            return


@inner
def _peel(one, v, always):
    """Remove a vertex, if it can be on no cycle or always, and others that this leaves so."""
    least = 1 if one.directed else 2
    if not one.alive[v] or not (always or one.degree[0, v] < least or one.degree[1, v] < least):
        return
    one.alive[v], one.queue[0], low, high = False, v, 0, 1
    while low < high:
        u = one.queue[low]
        low += 1
        for way in range(2):
            begin, end = one.indptr[u], one.indptr[u + 1]
            if way == 1:
                begin, end = one.back_indptr[u], one.back_indptr[u + 1]
            for e in range(begin, end):
                w = np.int64(one.indices[e] if way == 0 else one.back_indices[e])
                if one.alive[w]:
                    one.degree[1 - way, w] -= 1
                    if one.degree[1 - way, w] < least:
                        one.alive[w], one.queue[high] = False, w
                        high += 1


@inner
def _note(one, size, most, sizes, vertices, found):
    """Write the path as a cycle; False if there are enough."""
    if found[0] == most:
        found[2] = 1
        return False
    if found[0] < len(sizes) and found[1] + size <= len(vertices):
        sizes[found[0]] = size
        for i in range(size):
            vertices[found[1] + i] = one.path[i]
    found[0] += 1
    found[1] += size
    return True


@inner
def _distances(one, s, first):
    """Set ``need`` to the distance to s; in an undirected graph not over vertices up to first."""
    count, low = 0, 0
    for e in range(one.back_indptr[s], one.back_indptr[s + 1]):
        x = np.int64(one.back_indices[e])
        if one.alive[x] and x != s and x > first:
            one.need[x], one.reached[count] = 1, x
            count += 1
    while low < count:
        x = one.reached[low]
        low += 1
        if one.need[x] + 1 >= one.longest:
            continue
        for e in range(one.back_indptr[x], one.back_indptr[x + 1]):
            w = np.int64(one.back_indices[e])
            if one.alive[w] and w != s and one.need[w] == NONE:
                one.need[w], one.reached[count] = one.need[x] + 1, w
                count += 1
    return count


@inner
def _relax(one, v):
    """Lower the bounds of vertices that lead to v, off the path."""
    one.queue[0], low, high = v, 0, 1
    while low < high:
        x = one.queue[low]
        low += 1
        if one.need[x] + 1 >= one.longest:
            continue
        for e in range(one.back_indptr[x], one.back_indptr[x + 1]):
            w = np.int64(one.back_indices[e])
            if one.alive[w] and not one.on_path[w] and one.need[w] > one.need[x] + 1:
                one.need[w], one.queue[high] = one.need[x] + 1, w
                high += 1


@inner
def _from(control, one, s, first, most, sizes, vertices, found):
    """List the cycles that begin with s (and first); False if there are enough, or to stop."""
    count = _distances(one, s, first)
    bottom, depth, steps, fine = 0, 0, 0, True
    one.path[0], one.cursor[0], one.best[0], one.on_path[s] = s, one.indptr[s], NONE, True
    if first >= 0:
        bottom = depth = 1
        one.path[1], one.cursor[1], one.best[1] = first, one.indptr[first], NONE
        one.on_path[first] = True
        if one.need[first] + 1 > one.longest:
            one.cursor[1] = one.indptr[first + 1]
    while depth >= bottom and fine:
        steps += 1
        if steps % 1024 == 0 and not going(control, s):
            fine = False
        v, e = one.path[depth], one.cursor[depth]
        end, entered = one.indptr[v + 1], False
        while e < end and fine and not entered:
            w = np.int64(one.indices[e])
            e += 1
            if w == s:
                if depth > 0 and v > first:
                    fine = _note(one, depth + 1, most, sizes, vertices, found)
                    one.best[depth] = 1
            elif one.alive[w] and not one.on_path[w] and depth + 1 + one.need[w] <= one.longest:
                one.cursor[depth] = e
                depth += 1
                one.path[depth], one.cursor[depth], one.best[depth] = w, one.indptr[w], NONE
                one.on_path[w], entered = True, True
        if entered:
            continue
        one.on_path[v] = False
        if one.best[depth] < NONE:
            one.need[v] = one.best[depth]
            if depth > 0:
                one.best[depth - 1] = min(one.best[depth - 1], one.best[depth] + 1)
                _relax(one, v)
        else:
            one.need[v] = one.longest - depth + 1 if one.bounded else NONE
        depth -= 1
    for i in range(depth + 1):
        one.on_path[one.path[i]] = False
    for i in range(count):
        one.need[one.reached[i]] = NONE
    one.need[s] = NONE
    if first >= 0:
        one.need[first] = NONE
    return fine

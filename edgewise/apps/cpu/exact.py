"""Exact nearest neighbors on CPU threads: see `edgewise.apps.nearest_neighbors`.

A block of some queries and some points is one matrix product in float32, by NumPy. Threads walk its
rows; each keeps the least values that it has seen in a heap, the worst on top, so that most are
passed over after one comparison. What is kept is ranked in float64.
"""

from __future__ import annotations

import numpy as np

from edgewise.apps.nearest_neighbors import Points
from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch

__all__ = ["exact", "rank"]

_QUERIES, _POINTS = 512, 4096  # 8 MiB of products
_SPARE = 16  # kept beyond k
_GLANCE = 64  # products that are compared at once


def exact(points: Points, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the k nearest of every point, and the squares of their distances."""
    n, d = points.exact.shape
    kept = min(k + _SPARE, n - 1)
    ids, squares = np.empty((n, k), np.int32), np.empty((n, k))
    near, doubtful = np.empty((n, kept), np.int32), np.zeros(n, np.bool_)
    products = np.empty((_QUERIES, _POINTS), np.float32)
    largest = np.sqrt(points.squares.max())
    bound = np.empty(n)  # the least square that one that is not kept may have
    for begin in range(0, n, _QUERIES):
        end = min(begin + _QUERIES, n)
        heap = np.full((end - begin, kept), np.inf, np.float32)
        held = near[begin:end]
        held[:] = -1
        for first in range(0, n, _POINTS):
            last = min(first + _POINTS, n)
            block = products[: end - begin, : last - first]
            np.matmul(points.left[begin:end], points.right[first:last].T, out=block)
            launch(_select, block, begin, first, heap, held, work=block.size)
        mine = points.squares[begin:end]
        slack = points.rounding * (2 * np.sqrt(mine) * largest + largest**2)
        bound[begin:end] = np.inf if kept == n - 1 else heap[:, 0] + mine - slack
    bound *= (1 - 2.0**-40) / points.scale**2
    launch(rank, points.exact, near, bound, ids, squares, doubtful, work=n * kept * d)
    again = np.flatnonzero(doubtful)
    launch(_again, points.exact, again, ids, squares, work=len(again) * n * d)
    return ids, squares


@kernel
def _select(me, team, control, block, begin, first, heap, held):
    """Keep the least values of each row and who has them; nobody is a neighbor of itself."""
    count = heap.shape[1]
    while True:
        low, high = grab(control, 0, 16, block.shape[0])
        if low >= high:
            return
        for row in range(low, high):
            values, members, products = heap[row], held[row], block[row]
            worst, oneself = values[0], begin + row - first
            for start in range(0, len(products), _GLANCE):
                stop, lower = min(start + _GLANCE, len(products)), np.int32(0)
                for j in range(start, stop):
                    lower += np.int32(products[j] < worst)
                if lower:
                    for j in range(start, stop):
                        if products[j] < worst and j != oneself:
                            _sift(values, members, count, products[j], first + j)
                            worst = values[0]


@kernel
def rank(me, team, control, points, near, bound, ids, squares, doubtful):
    """The k nearest of those in ``near``, by distances in float64 and by id.

    Doubtful is whose last one is not nearer than ``bound`` for sure.
    """
    count, k = near.shape[1], ids.shape[1]
    far, who = np.empty(count), np.empty(count, np.int32)
    while True:
        low, high = grab(control, 0, 64, len(points))
        if low >= high:
            return
        for v in range(low, high):
            for i in range(count):
                u = near[v, i]
                square = _square(points, v, u)
                place = i
                while place > 0 and _after(far[place - 1], who[place - 1], square, u):
                    far[place], who[place] = far[place - 1], who[place - 1]
                    place -= 1
                far[place], who[place] = square, u
            for i in range(k):
                ids[v, i], squares[v, i] = who[i], far[i]
            doubtful[v] = not far[k - 1] < bound[v]


@kernel
def _again(me, team, control, points, again, ids, squares):
    """All distances in float64, for a few."""
    k = ids.shape[1]
    while True:
        low, high = grab(control, 0, 1, len(again))
        if low >= high:
            return
        v = again[low]
        far, who, size = squares[v], ids[v], 0
        for u in range(len(points)):
            if u == v:
                continue
            square = _square(points, v, u)
            if size < k or square < far[k - 1]:
                place = min(size, k - 1)
                while place > 0 and far[place - 1] > square:
                    far[place], who[place] = far[place - 1], who[place - 1]
                    place -= 1
                far[place], who[place] = square, u
                size = min(size + 1, k)


@inner
def _after(far, who, square, u):
    return far > square or (far == square and who > u)


@inner
def _square(points, v, u):
    total = 0.0
    for i in range(points.shape[1]):
        step = points[v, i] - points[u, i]
        total += step * step
    return total


@inner
def _sift(values, members, count, value, member):
    """Put a value in the place of the worst one."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= count:
            break
        if child + 1 < count and values[child + 1] > values[child]:
            child += 1
        if values[child] <= value:
            break
        values[place], members[place] = values[child], members[child]
        place = child
    values[place], members[place] = value, member

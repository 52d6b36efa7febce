"""Exact nearest neighbors on CPU threads: see `edgewise.apps.nearest_neighbors`.

The points are stored in small tiles, coordinate by coordinate. The products of a query with a whole
tile are computed in vector registers and stay in the nearest cache. Every thread takes some queries
through all tiles and keeps the smallest products of each in a heap, the largest on top. Most tiles
are skipped after one comparison. The candidates are ranked in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.apps.nearest_neighbors import Points
from edgewise.base.cache import helper, inner, kernel
from edgewise.base.cpu.team import grab
from edgewise.base.heap import binary_heap
from edgewise.base.insertion import has_more, insertion, read_pair, write_pair
from edgewise.base.threads import launch

__all__ = ["exact", "rank"]

_TILE, _QUERIES = 128, 64  # points of a tile; queries of a thread
_STEP = 4  # numbers of a point that are multiplied at once
_SPARE = 16  # kept beyond k
_U = np.uint64


def exact(points: Points, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The ids of the k nearest of every point, and the squares of their distances."""
    n, d = points.exact.shape
    kept = min(k + _SPARE, n - 1)
    ids, squares = np.empty((n, k), np.int32), np.empty((n, k))
    near, doubtful = np.full((n, kept), -1, np.int32), np.zeros(n, np.bool_)
    heaps = np.full((n, kept), np.inf, np.float32)
    launch(_scan, *_tiled(points), heaps, near, work=n * n * d)
    largest = np.sqrt(points.squares.max())
    slack = points.rounding * (2 * np.sqrt(points.squares) * largest + largest**2)
    #: the least square that one that is not kept may have
    bound = np.full(n, np.inf) if kept == n - 1 else heaps[:, 0] + points.squares - slack
    bound *= (1 - 2.0**-40) / points.scale**2
    launch(rank, points.exact, near, bound, ids, squares, doubtful, work=n * kept * d)
    again = np.flatnonzero(doubtful)
    launch(_again, points.exact, again, ids, squares, work=len(again) * n * d)
    return ids, squares


def _tiled(points: Points) -> tuple[np.ndarray, np.ndarray]:
    """Queries by rows, and points in tiles; there are zeros, and points that are far from all.

    These fill up the last numbers and the last tile.
    """
    n, width = points.left.shape
    padded, tiles = -(-width // _STEP) * _STEP, -(-n // _TILE)
    left, right = np.zeros((n, padded), np.float32), np.zeros((tiles * _TILE, padded), np.float32)
    left[:, :width], right[:n, :width] = points.left, points.right
    right[n:, width - 1] = np.inf
    return left, right.reshape(tiles, _TILE, padded).transpose(0, 2, 1).ravel()


@kernel
def _scan(me, team, control, left, tiles, heaps, near):
    """The least products of every query and who has them; nobody is a neighbor of itself."""
    n, padded = left.shape
    products, size = np.empty(2 * _TILE, np.float32), padded * _TILE
    while True:
        low, high = grab(control, 0, _QUERIES, n)
        if low >= high:
            return
        for first in range(0, n, _TILE):
            for v in range(low, high, 2):
                other = min(v + 1, high - 1)
                _multiply(left[v], left[other], tiles, _U(first // _TILE * size), products)
                _keep(products, 0, v, first, heaps[v], near[v])
                if other > v:
                    _keep(products, _TILE, other, first, heaps[other], near[other])


def _products_of_two(one, two, tiles, start, products):
    """The products of two queries with the points of the tile that starts there."""
    tile, step = _U(_TILE), _U(_STEP)
    for j in range(_U(2) * tile):
        products[j] = 0
    for i in range(_U(0), _U(len(one)), step):
        a, b, c, d = one[i], one[i + _U(1)], one[i + _U(2)], one[i + _U(3)]
        e, f, g, h = two[i], two[i + _U(1)], two[i + _U(2)], two[i + _U(3)]
        at = start + i * tile
        for j in range(tile):
            p, q = tiles[at + j], tiles[at + tile + j]
            r, s = tiles[at + _U(2) * tile + j], tiles[at + _U(3) * tile + j]
            products[j] += a * p + b * q + c * r + d * s
            products[tile + j] += e * p + f * q + g * r + h * s


_multiply: Any = helper(_products_of_two, _nrt=False, fastmath={"contract"})


def _is_nearer(data, item, other):
    """Is an item less far, or as far and of a lower id?"""
    return item[0] < other[0] or (item[0] == other[0] and item[1] < other[1])


_sink = binary_heap(has_more, read_pair, write_pair, inner).sink
_insert = insertion(_is_nearer, read_pair, write_pair, inner).insert


@inner
def _keep(products, start, v, first, values, members):
    """Put what is less than the worst of the heap in its place."""
    worst, lower = values[0], np.int32(0)
    for j in range(_U(start), _U(start + _TILE)):
        lower += np.int32(products[j] < worst)
    if lower:
        for j in range(_TILE):
            value = products[_U(start + j)]
            if value < worst and first + j != v:
                _sink((values, members), 0, len(values), (value, np.int32(first + j)))
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
                _insert((far, who), 0, i, (_square(points, v, u), u))
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
                _insert((far, who), 0, min(size, k - 1), (square, np.int32(u)))
                size = min(size + 1, k)


@inner
def _square(points, v, u):
    total = 0.0
    for i in range(points.shape[1]):
        step = points[v, i] - points[u, i]
        total += step * step
    return total

"""Exact nearest neighbors on CUDA: see `edgewise.apps.nearest_neighbors`.

A block of queries times all points, in parts, is one matrix product in float32, by CuPy. A block of
threads processes each row. Values below the largest candidate go to a buffer in shared memory. When
the buffer is nearly full, it is sorted together with the candidates. Value and id are one word, so
the order is that of (value, id). The candidates are ranked in float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from edgewise.apps.nearest_neighbors import Points
from edgewise.base.cuda.bitonic import bitonic_sort
from edgewise.base.cuda.device import array_module, simulated
from edgewise.base.cuda.kernels import kernel

__all__ = ["exact"]

_SPARE, _KEPT = 16, 128  # kept beyond k, and at the most
_THREADS, _WORDS = (8, 256) if simulated() else (128, 1024)  # threads of a row; words sorted
_EACH = 4  # products that a thread reads before all synchronize
_FULL = _WORDS - _KEPT - _EACH * _THREADS
_QUERIES, _PRODUCTS = 4096, 1 << 28
_SIGN, _ALL, _32 = np.uint32(1 << 31), np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(32)


def exact(points: Points, k: int) -> tuple[Any, Any]:
    """The ids of the k nearest of every point, and the squares of their distances."""
    xp = array_module()
    n, _ = points.exact.shape
    kept = min(k + _SPARE, n - 1)
    ids, squares = xp.empty((n, k), np.int32), xp.empty((n, k))
    width = max(min(n, _PRODUCTS // _QUERIES), 1)
    largest = float(xp.sqrt(points.squares.max()))
    for begin in range(0, n, _QUERIES):
        end = min(begin + _QUERIES, n)
        words = xp.full((end - begin, kept), _ALL, np.uint64)
        for first in range(0, n, width):
            block = points.left[begin:end] @ points.right[first : first + width].T
            _select(end - begin, _THREADS, block.view(np.uint32), begin, first, words)
        near = xp.sort((words & np.uint64(0xFFFFFFFF)).astype(np.int32), axis=1)
        mine = points.squares[begin:end]
        slack = points.rounding * (2 * xp.sqrt(mine) * largest + largest**2)
        bound = xp.full(end - begin, np.inf)
        if kept < n - 1:
            bound = (_value(words[:, -1], xp) + mine - slack) * (1 - 2.0**-40) / points.scale**2
        apart = points.exact[near] - points.exact[begin:end, None, :]
        far = (apart * apart).sum(axis=2)
        order = xp.argsort(far, axis=1, kind="stable")[:, :k]  # equal ones stay by id
        ids[begin:end] = xp.take_along_axis(near, order, axis=1)
        squares[begin:end] = xp.take_along_axis(far, order, axis=1)
        for row in xp.flatnonzero(~(squares[begin:end, -1] < bound)).tolist():
            _again(points.exact, begin + row, ids, squares, xp)
    return ids, squares


def _value(words: Any, xp: Any) -> Any:
    """The float32 at the top of each word, as float64."""
    top = (words >> _32).astype(np.uint32)
    return xp.where(top & _SIGN, top ^ _SIGN, ~top).view(np.float32).astype(np.float64)


def _again(points: Any, v: int, ids: Any, squares: Any, xp: Any) -> None:
    """All distances from one point in float64."""
    apart = points - points[v]
    far = (apart * apart).sum(axis=1)
    far[v] = np.inf
    order = xp.argsort(far, kind="stable")[: ids.shape[1]]
    ids[v], squares[v] = order, far[order]


@kernel
def _select(block, begin, first, words):
    """A row for each block of threads: its least products so far, ascending, with their columns."""
    row, me = cuda.blockIdx.x, cuda.threadIdx.x
    held = cuda.shared.array(_WORDS, np.uint64)
    count = cuda.shared.array(1, np.int32)
    kept, width = words.shape[1], block.shape[1]
    for i in range(me, _WORDS, _THREADS):
        held[i] = words[row, i] if i < kept else _ALL
    if me == 0:
        count[0] = 0
    cuda.syncthreads()
    for start in range(0, width, _EACH * _THREADS):
        worst = held[kept - 1]
        for i in range(_EACH):
            column = start + i * _THREADS + me
            if column < width and first + column != begin + row:
                value = block[row, column]
                value = ~value if value & _SIGN else value | _SIGN
                word = (np.uint64(value) << _32) | np.uint64(first + column)
                if word < worst:
                    held[_KEPT + cuda.atomic.add(count, 0, 1)] = word
        cuda.syncthreads()
        waiting, last = count[0], start + _EACH * _THREADS >= width
        cuda.syncthreads()  # before anyone adds to the count
        if waiting > _FULL or (last and waiting > 0):
            _sort(held, _WORDS, me)
            for i in range(kept + me, _WORDS, _THREADS):
                held[i] = _ALL
            if me == 0:
                count[0] = 0
            cuda.syncthreads()
    for i in range(me, kept, _THREADS):
        words[row, i] = held[i]


_sort = bitonic_sort(_THREADS)

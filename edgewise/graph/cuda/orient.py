"""`edgewise.graph.orient` on CUDA: the same numbering and rows, by one sort of 64-bit keys.

Every arc that goes to a smaller number becomes a key (row, column) in the new numbers, in any
order; the sorted keys are the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import cuda

from edgewise.base.cuda.bisection import row_of
from edgewise.base.cuda.device import check_memory, simulated
from edgewise.base.cuda.kernels import kernel
from edgewise.graph.csr import CSR
from edgewise.graph.cuda.build import columns, row_starts
from edgewise.graph.orient import SKEW, Oriented

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["orient"]

_THREADS = 16 if simulated() else 256
#: Arcs of a block.
_TILE = np.uint64(8 * _THREADS)
_STEP = np.uint64(_THREADS)
_0, _1 = np.uint64(0), np.uint64(1)


def orient(graph: Graph) -> Oriented:
    """See `edgewise.graph.orient`, which has checked the graph; arrays are on its device."""
    from edgewise.graph.transfer import wrap

    xp, n, ids = graph.xp, graph.num_vertices, graph.id_dtype
    if graph.longest_row * n <= SKEW * graph.num_arcs / 2:
        return Oriented(graph, None)
    check_memory(graph.num_arcs * 12 + n * 48, "orienting the graph")
    order = xp.argsort(-xp.diff(graph.indptr), kind="stable").astype(ids)
    rank = xp.empty(n, ids)
    rank[order] = xp.arange(n, dtype=ids)
    width = max((n - 1).bit_length(), 1)
    keys, used = xp.empty(graph.num_arcs // 2, np.uint64), xp.zeros(1, np.int64)
    blocks = -(-graph.num_arcs // int(_TILE))
    plain = np.uint32 if ids.itemsize == 4 else np.uint64
    collect(blocks, _THREADS, graph.indptr.view(np.uint64), graph.indices.view(plain),
            rank.view(plain), keys, used, np.uint64(width))  # fmt: skip
    keys = keys[: int(used[0])]
    keys.sort()
    indices, _ = columns(keys, width, ids, xp)
    number = int(graph.device.partition(":")[2] or 0)
    return Oriented(wrap(CSR, row_starts(keys, n, width, xp), indices, number=number), order)


@kernel
def collect(indptr, indices, rank, keys, used, width):
    """Keys of the arcs to smaller numbers, a tile of arcs per block, tiles in any order."""
    rows = cuda.shared.array(2, np.uint64)
    place = cuda.shared.array(2, np.int64)  # how many the block keeps, and where
    me, arcs = np.uint64(cuda.threadIdx.x), np.uint64(len(indices))
    base = np.uint64(cuda.blockIdx.x) * _TILE
    end = min(base + _TILE, arcs)
    if me < np.uint64(2):
        rows[me] = row_of(indptr, 0, len(indptr) - 1, base if me == _0 else end - _1)
        place[me] = 0
    cuda.syncthreads()
    found = 0
    e = base + me
    while e < end:
        u = np.uint64(row_of(indptr, rows[0], rows[1] + _1, e))
        found += 1 if rank[indices[e]] < rank[u] else 0
        e += _STEP
    mine = cuda.atomic.add(place, 0, found)
    cuda.syncthreads()
    if me == _0:
        place[1] = cuda.atomic.add(used, 0, place[0])
    cuda.syncthreads()
    at = np.uint64(place[1] + mine)
    e = base + me
    while e < end:
        u = np.uint64(row_of(indptr, rows[0], rows[1] + _1, e))
        row, column = np.uint64(rank[u]), np.uint64(rank[indices[e]])
        if column < row:
            keys[at] = (row << width) | column
            at += _1
        e += _STEP

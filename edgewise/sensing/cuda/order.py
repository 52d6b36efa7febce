"""Links sorted inside their segments on a GPU: dealt to buckets by samples, a block sorts each.

The buckets of a segment (a window, or some that are summed) are ranges of links, between some of a
sample that one block takes and sorts: with 8 samples or more to a bucket, hardly one has four times
the links that it should, and for so many a block has room. Buckets that are too large all the same,
as those of long segments are, become segments themselves. What comes too often to be split, as one
link in thousands of windows, is left to sorts of everything by 64 bits and then by segment.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cuda.device import array_module, simulated
from edgewise.base.cuda.kernels import device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.graph.device import host, rows_of
from edgewise.sensing.cuda.buckets import THREADS, Layout, Ranges, Tiles, deal, layout

__all__ = ["ordered", "ranges"]

_MEAN = 2 if simulated() else 512  # links that a bucket should have
_MOST = 4 if simulated() else 512  # buckets of a segment
_ROOM = 8 if simulated() else 2048  # links that a block sorts
_SAMPLES = 16 if simulated() else 4096  # that a block takes of a segment
_LANES = 2 if simulated() else 32  # threads that take samples of one piece
_LEVELS = 4  # of segments in segments

_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)
_ALL, _TAKEN = 0, 1  # words that a block shares


def ranges(bounds: np.ndarray) -> Layout:
    """Buckets for segments of so many links, or fewer."""
    return layout(bounds, _MEAN, _MOST)


def ordered(
    keys: Any, packets: Any, tiles: Tiles, pieces: Any, plan: Layout
) -> tuple[Any, Any, Any]:
    """The links of the tiles side by side, sorted inside each segment; and where these begin.

    ``pieces`` is where each segment's begin among the pieces of the tiles, and ``plan`` has the
    buckets (see `ranges`).
    """
    xp, segments, bounds = array_module(), len(pieces) - 1, None
    for _ in range(_LEVELS):
        splitters = xp.empty(len(plan.window), np.uint64)
        sample(len(pieces) - 1, THREADS, keys, tiles, pieces, plan.first, splitters)
        dealt = deal(Ranges(keys, packets, splitters), tiles, plan, len(keys))
        starts = dealt.starts
        bounds = starts[plan.first] if bounds is None else bounds
        sizes = starts[1:] - starts[:-1]
        most, count = host(xp.concatenate((sizes.max(keepdims=True), starts[-1:]))).tolist()
        keys, packets = dealt.keys[:count], dealt.packets[:count]
        if most <= _ROOM:
            sort(len(plan.window), THREADS, keys, packets, starts)
            return keys, packets, bounds
        plan = ranges(host(starts))
        tiles, pieces = plan.tiles, plan.pieces
    order = xp.argsort(keys, kind="stable")
    if segments > 1:
        owner = rows_of(bounds, len(keys), np.min_scalar_type(segments), xp)
        order = order[xp.argsort(owner[order], kind="stable")]
    return keys[order], packets[order], bounds


@device
def _exchange(keys, values, i, j, count):
    """Bring two links into order; those past the end are larger than all."""
    if j < count and keys[j] < keys[i]:
        keys[i], keys[j] = keys[j], keys[i]
        if len(values) > 0:
            values[i], values[j] = values[j], values[i]


@device
def _arrange(keys, values, count):
    """Sort in shared memory: the bitonic network whose exchanges all go one way."""
    me, bits = cuda.threadIdx.x, 0
    while (1 << bits) < count:
        bits += 1
    half = (1 << bits) >> 1
    for k in range(bits):  # runs of 2**k become runs of twice the length
        for t in range(me, half, THREADS):
            low, i = (t >> k) << (k + 1), t & ((1 << k) - 1)
            _exchange(keys, values, low + i, low + (2 << k) - 1 - i, count)
        cuda.syncthreads()
        for j in range(k - 1, -1, -1):
            for t in range(me, half, THREADS):
                i = ((t >> j) << (j + 1)) + (t & ((1 << j) - 1))
                _exchange(keys, values, i, i + (1 << j), count)
            cuda.syncthreads()


@kernel
def sample(links, tiles, pieces, first, splitters):
    """Choose the least link of each bucket of a segment but the first."""
    chosen = cuda.shared.array(_SAMPLES, np.uint64)
    words = cuda.shared.array(2, np.int32)
    me, s = cuda.threadIdx.x, cuda.blockIdx.x
    low, many = first[s], first[s + 1] - first[s]
    if many > 1:
        if me == 0:
            words[_ALL] = 0
            words[_TAKEN] = 0
        cuda.syncthreads()
        mine = 0
        for p in range(pieces[s] + me, pieces[s + 1], THREADS):
            mine += tiles.stop[p] - tiles.start[p]
        cuda.atomic.add(words, _ALL, np.int32(mine))
        cuda.syncthreads()
        step = np.int64(words[_ALL] + _SAMPLES - 1) // _SAMPLES
        for p in range(pieces[s] + me // _LANES, pieces[s + 1], THREADS // _LANES):
            i = tiles.start[p] + (step >> 1) + (me % _LANES) * step
            while i < tiles.stop[p]:
                at = cuda.atomic.add(words, _TAKEN, 1)
                if at < _SAMPLES:
                    chosen[at] = links[i]
                i += _LANES * step
        cuda.syncthreads()
        taken = np.int64(min(words[_TAKEN], _SAMPLES))
        _arrange(chosen, links[:0], taken)
        for b in range(me + 1, many, THREADS):
            splitters[low + b] = chosen[b * taken // many] if taken > 0 else _EMPTY


@kernel
def sort(links, packets, starts):
    """Sort the links of a bucket, and their packets along."""
    keys = cuda.shared.array(_ROOM, np.uint64)
    values = cuda.shared.array(_ROOM, np.int64)
    me, bucket = cuda.threadIdx.x, cuda.blockIdx.x
    start, count = starts[bucket], starts[bucket + 1] - starts[bucket]
    for i in range(me, count, THREADS):
        keys[i] = links[start + i]
        values[i] = packets[start + i]
    cuda.syncthreads()
    _arrange(keys, values, count)
    for i in range(me, count, THREADS):
        links[start + i] = keys[i]
        packets[start + i] = values[i]

"""Items of windows dealt to buckets on a GPU, by a hash of their keys.

The items of a window (packets by link, or links by one of their ends) go to so many buckets that
the distinct keys of one fit a hash table in a block's shared memory (see `tables`). Blocks deal
tiles of items: they count in shared memory how many go where, take space for that many in each
bucket, and put them there. Where in its bucket an item comes to stand is left to chance.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.device import array_module, current_device, simulated
from edgewise.base.cuda.kernels import Kernel, device, kernel
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.random import mix
from edgewise.base.offsets import offsets

__all__ = ["THREADS", "Dealt", "Ends", "Layout", "Pairs", "Tiles", "deal", "layout"]

THREADS = 4 if simulated() else 256  # of a block: a constant, so that loops need no division
_MEAN = 4 if simulated() else 1024  # items that a bucket should have; a table has twice the slots
_MOST = 4 if simulated() else 4096  # buckets of a window
_TILE = 8 if simulated() else 8192  # items that a block deals
_GROUP = 2 if simulated() else 8  # buckets whose links a block deals

_HALF, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)


class Tiles(NamedTuple):
    """What each block deals: pieces of items, of one window."""

    start: Any  #: where each piece's items begin
    stop: Any  #: where they end
    low: Any  #: the first piece of each tile
    high: Any  #: past its last piece
    window: Any  #: of each tile


class Layout(NamedTuple):
    """How the items of windows go to buckets; arrays on the device."""

    sizes: Any  #: items of each window
    tiles: Tiles  #: of the items
    first: Any  #: the first bucket of each window, and past the last one's
    window: Any  #: the window of each bucket
    groups: Tiles  #: of what is found in the buckets; where that stands is not known yet


class Pairs(NamedTuple):
    """Packets, whose keys are links."""

    source: Any
    destination: Any


class Ends(NamedTuple):
    """Links ``source << 32 | destination``, whose keys are the ends at a shift of 32 or 0."""

    links: Any
    packets: Any
    shift: Any


class Dealt(NamedTuple):
    """Items by bucket."""

    keys: Any  #: of packets; of links, the key in the upper half and the packets in the lower one
    packets: Any  #: of packets, space for how many each link has
    starts: Any  #: where each bucket's items begin, and past the last one's


def layout(bounds: np.ndarray) -> Layout:
    """Buckets for the items of windows, which begin at ``bounds``; those of late are kept."""
    if len(bounds) > 1 << 12:
        return _layout(bounds)
    return _kept_layout(current_device(), bounds.tobytes())


@lru_cache(16)
def _kept_layout(number: int, bounds: bytes) -> Layout:
    """For this device; it may be used on other streams than that on which it came there."""
    found, xp = _layout(np.frombuffer(bounds, np.int64)), array_module()
    if hasattr(xp, "cuda"):
        xp.cuda.get_current_stream().synchronize()
    return found


def _layout(bounds: np.ndarray) -> Layout:
    there = array_module().asarray
    sizes = np.diff(bounds)
    window, turn = _numbered(-(-sizes // _TILE))
    start = bounds[window] + turn * _TILE
    tile = np.arange(len(start))
    tiles = start, np.minimum(start + _TILE, bounds[window + 1]), tile, tile + 1, window
    buckets = np.clip(-(-sizes // _MEAN), 1, _MOST)
    first = offsets(buckets)
    owner, turn = _numbered(-(-buckets // _GROUP))
    low = first[owner] + turn * _GROUP
    groups = low[:0], low[:0], low, np.minimum(low + _GROUP, first[owner + 1]), owner
    return Layout(
        there(sizes),
        Tiles(*map(there, tiles)),
        there(first),
        there(np.repeat(np.arange(len(sizes)), buckets)),
        Tiles(*map(there, groups)),
    )


def _numbered(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For so many things of each owner: the owner, and the number of the thing among its own."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(offsets(counts)[:-1], counts)


def deal(items: Pairs | Ends, tiles: Tiles, plan: Layout, count: int) -> Dealt:
    """Bring items to the buckets of their keys; there are ``count`` items at most."""
    if count >= 1 << 31:
        raise ValueError(f"packets must be fewer than 2**31 at a time on a GPU, got {count}")
    xp, links, blocks = array_module(), isinstance(items, Pairs), len(tiles.window)
    counts = xp.zeros(len(plan.window), np.int64)
    count_kernel(links)(blocks, THREADS, items, tiles, plan.first, counts)
    starts = offsets(counts)
    dealt = Dealt(xp.empty(count, np.uint64), xp.empty(count if links else 0, np.int32), starts)
    deal_kernel(links)(blocks, THREADS, items, tiles, plan.first, starts[:-1].copy(), dealt)
    return dealt


@device
def _link(items, i):
    """The key of a packet."""
    return (np.uint64(items.source[i]) << _32) | np.uint64(items.destination[i])


@device
def _end(items, i):
    """The key of a link."""
    return (items.links[i] >> items.shift) & _HALF


@device
def _bucket(key, many):
    """Which of so many buckets a key goes to."""
    return np.int64(((mix(key) >> _32) * np.uint64(many)) >> _32)


@cache
def count_kernel(links: bool) -> Kernel:
    """How many items go to each bucket."""
    key_of = _link if links else _end

    @kernel
    def count(items, tiles, first, counts):
        here = cuda.shared.array(_MOST, np.int32)
        me, t = cuda.threadIdx.x, cuda.blockIdx.x
        low = first[tiles.window[t]]
        many = first[tiles.window[t] + 1] - low
        for b in range(me, many, THREADS):
            here[b] = 0
        cuda.syncthreads()
        for piece in range(tiles.low[t], tiles.high[t]):
            for i in range(tiles.start[piece] + me, tiles.stop[piece], THREADS):
                cuda.atomic.add(here, _bucket(key_of(items, i), many), 1)
        cuda.syncthreads()
        for b in range(me, many, THREADS):
            if here[b] > 0:
                cuda.atomic.add(counts, low + b, np.int64(here[b]))

    return count


@cache
def deal_kernel(links: bool) -> Kernel:
    """Put items into their buckets; ``free`` is where there is space in each."""
    key_of = _link if links else _end

    @kernel
    def put(items, tiles, first, free, dealt):
        here = cuda.shared.array(_MOST, np.int32)
        me, t = cuda.threadIdx.x, cuda.blockIdx.x
        low = first[tiles.window[t]]
        many = first[tiles.window[t] + 1] - low
        for b in range(me, many, THREADS):
            here[b] = 0
        cuda.syncthreads()
        for piece in range(tiles.low[t], tiles.high[t]):
            for i in range(tiles.start[piece] + me, tiles.stop[piece], THREADS):
                cuda.atomic.add(here, _bucket(key_of(items, i), many), 1)
        cuda.syncthreads()
        for b in range(me, many, THREADS):
            if here[b] > 0:
                here[b] = cuda.atomic.add(free, low + b, np.int64(here[b]))
        cuda.syncthreads()
        for piece in range(tiles.low[t], tiles.high[t]):
            for i in range(tiles.start[piece] + me, tiles.stop[piece], THREADS):
                key = key_of(items, i)
                at = cuda.atomic.add(here, _bucket(key, many), 1)
                dealt.keys[at] = key if links else (key << _32) | np.uint64(items.packets[i])

    return put

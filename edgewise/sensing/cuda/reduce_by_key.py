"""What follows from an order: equal links side by side are summed, and counted, on a GPU.

Sorting is CuPy's, by radix: links are put into the order of their 64 bits, and then, stably, of
their segments (windows, or sums of some). No thread has more to do where one link, or one end, has
most of the packets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.bits import bit_length
from edgewise.base.cuda.device import array_module, simulated
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.sensing.cuda.hash_partition import THREADS
from edgewise.sensing.quantities import BINS

__all__ = ["Runs", "count_values", "order_of", "runs"]

_BLOCKS = 2 if simulated() else 2048  # that count at once


class Runs(NamedTuple):
    """Equal keys side by side: an entry for each run."""

    first: Any  #: where it begins
    items: Any  #: how many there are
    packets: Any  #: and how many packets they have
    bounds: Any  #: where each segment's runs begin


def order_of(keys: Any, owner: Any) -> Any:
    """The order of keys inside segments, and these one after the other; None: there is one."""
    xp = array_module()
    order = xp.argsort(keys, kind="stable")
    return order if owner is None else order[xp.argsort(owner[order], kind="stable")]


def runs(keys: Any, packets: Any, bounds: Any) -> Runs:
    """Of some keys, one or more, sorted inside segments that begin at ``bounds``."""
    xp, count = array_module(), len(keys)
    new = xp.ones(count, bool)
    new[1:] = keys[1:] != keys[:-1]
    new[bounds[bounds < count]] = True
    first = xp.flatnonzero(new)
    stop = xp.append(first[1:], count)
    sums = xp.cumsum(packets)[stop - 1]
    sums[1:] -= sums[:-1].copy()
    return Runs(first, stop - first, sums, xp.searchsorted(first, bounds))


def count_values(values: Any, bounds: Any, most: Any, counts: Any) -> None:
    """The largest of the values of each segment, and their distribution; both are zero before."""
    segments = len(bounds) - 1
    if segments and len(values):
        parts = -(-_BLOCKS // segments)
        tally(segments * parts, THREADS, values, bounds, parts, most, counts)


@kernel
def tally(values, bounds, parts, most, counts):
    """Each block counts a part of the values of a segment."""
    bins = cuda.shared.array(BINS, np.int32)
    me, segment, part = cuda.threadIdx.x, cuda.blockIdx.x // parts, cuda.blockIdx.x % parts
    for i in range(me, BINS, THREADS):
        bins[i] = 0
    cuda.syncthreads()
    i, largest, ones = bounds[segment] + part * THREADS + me, 0, 0
    while i < bounds[segment + 1]:
        value = values[i]
        largest = max(largest, value)
        if value == 1:
            ones += 1
        else:
            cuda.atomic.add(bins, bit_length(value - 1), 1)
        i += parts * THREADS
    if ones > 0:
        cuda.atomic.add(bins, 0, np.int32(ones))
    if largest > most[segment]:  # which only grows
        cuda.atomic.max(most, segment, largest)
    cuda.syncthreads()
    for b in range(me, BINS, THREADS):
        if bins[b] > 0:
            cuda.atomic.add(counts, (segment, b), np.int64(bins[b]))

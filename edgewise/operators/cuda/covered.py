"""How many sets hold one of some vertices, on CUDA: a thread reads a row up to the first."""

from __future__ import annotations

import numpy as np

from edgewise.base.cuda.atomics import add
from edgewise.base.cuda.kernels import kernel
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.set_rows import take
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.sets import Sets

__all__ = ["covered"]


def covered(sets: Sets, mask: np.ndarray) -> int:
    """See `edgewise.operators.covering.covered`."""
    xp, count = sets.xp, len(sets)
    total = xp.zeros(1, np.int64)
    covered_kernel(blocks_for(count), THREADS, sets.data, sets.starts, xp.asarray(mask), total)
    return int(total[0])


@kernel
def covered_kernel(data, starts, mask, total):
    """A thread to each set."""
    i = cuda.grid(1)
    if i < len(starts):
        size, at = take(data, starts[i])
        found, v = np.int64(0), np.int64(-1)
        if size & 1:
            while found == 0 and v < len(mask) - 1:
                v += 1
                if mask[v] != 0:
                    found = (np.int64(data[at + (v >> 3)]) >> (v & 7)) & 1
        else:
            left = size >> 1
            while found == 0 and left > 0:
                gap, at = take(data, at)
                v += gap + 1
                left -= 1
                found = np.int64(mask[v])
        if found > 0:
            add(total, 0, 1)

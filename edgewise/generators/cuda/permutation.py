"""The random numbers and permutations of the CPU generators, as device functions.

They are the CPU's own functions, compiled once more with the names they call exchanged for their
device forms: an edge is then the same on both, bit for bit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.random import bits, twin
from edgewise.generators.cpu import permutation, random_edges

__all__ = ["below", "bits", "descend", "launch", "pair", "shuffled", "width"]

_THREADS = 16 if simulated() else 256


def width(size: int) -> np.uint64:
    """The number of bits that `shuffled` works on, as the CPU's function of this name has it."""
    return np.uint64(min(max(8, (size - 1).bit_length()), 64)) if size else np.uint64(64)


def launch(run: Any, count: int, *args: Any) -> None:
    """One thread for each of ``count`` items."""
    run(-(-count // _THREADS), _THREADS, *args)


shuffled = twin(permutation.shuffled, bits=bits)
below, descend = twin(permutation.below), twin(random_edges.descend)


@device
def pair(index):
    """As the CPU's function, which takes the square root from NumPy: there is none on a GPU."""
    v = np.int64((1.0 + math.sqrt(1.0 + 8.0 * index)) * 0.5)
    rank = np.int64(index)
    while v * (v - 1) // 2 > rank:
        v -= 1
    while v * (v + 1) // 2 <= rank:
        v += 1
    return rank - v * (v - 1) // 2, v

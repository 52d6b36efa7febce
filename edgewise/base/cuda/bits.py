"""The functions of `edgewise.base.bits` in CUDA kernels: the GPU's instructions."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import bits
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device

__all__ = ["bit_length", "count_bits", "lowest_bit"]

count_bits: Any = bits.count_bits
lowest_bit: Any = bits.lowest_bit
bit_length: Any = bits.bit_length

if not simulated():
    from numba import cuda
    from numba.cuda.extending import overload  # type: ignore[attr-defined]

    from edgewise.base.cpu.bits import register

    @device
    def count_bits(word):
        """How many bits are set."""
        return np.int64(cuda.popc(word))

    @device
    def lowest_bit(word):
        """The place of the lowest bit that is set."""
        return np.int64(cuda.popc((word & (~word + np.uint64(1))) - np.uint64(1)))

    @device
    def bit_length(word):
        """How many bits a word takes."""
        return np.int64(64) - np.int64(cuda.clz(np.int64(word)))

    register(overload, count_bits, lowest_bit, bit_length)

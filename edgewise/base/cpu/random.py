"""Makes the functions of `edgewise.base.random` callable from kernels."""

from __future__ import annotations

from numba.extending import register_jitable

from edgewise.base import random

__all__ = ["bits", "mix", "uniform"]

mix = register_jitable(random.mix)
bits = register_jitable(random.bits)
uniform = register_jitable(random.uniform)

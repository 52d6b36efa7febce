"""Random numbers that depend on (seed, id, round) alone, never on a thread or on an order.

`bits` mixes three 64-bit words into one (splitmix64's finalizer, once per word); every random
choice in the package is a function of it, so the same seed gives the same answer whatever the
number of threads. The functions are plain: they compile into kernels, and take NumPy arrays.

[1] G. Steele, D. Lea, C. Flood. Fast splittable pseudorandom number generators. OOPSLA 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["bits", "check_seed", "hashed", "mix", "uniform"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_SCALE = 1.0 / (1 << 53)


def mix(word):
    """Splitmix64's finalizer: a bijection on 64-bit words that looks random."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


def bits(seed, item, turn):
    """64 random bits for one item (any integer) in one turn; all three words are np.uint64."""
    return mix(mix(mix(seed + _GOLDEN) ^ item) + turn * _GOLDEN)


def uniform(seed, item, turn):
    """A float64 in [0, 1) for one item in one turn."""
    return (bits(seed, item, turn) >> _11) * _SCALE


def hashed(seed: Any, items: Any, turn: int = 0) -> np.ndarray:
    """`bits` for an array of items, from plain Python.

    >>> hashed(0, [1, 2]).dtype, len(set(hashed(0, range(1000)).tolist()))
    (dtype('uint64'), 1000)
    """
    with np.errstate(over="ignore"):
        return bits(check_seed(seed), np.asarray(items).astype(np.uint64), np.uint64(turn))


def check_seed(seed: Any) -> np.uint64:
    """The seed as 64 bits; a clear error for anything that is not a whole number."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed must be a whole number, got {seed!r}")
    return np.uint64(int(seed) & 0xFFFFFFFFFFFFFFFF)

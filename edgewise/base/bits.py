"""Bits of words of 64: how many are set, and where the lowest and the highest one are.

Compiled code of either engine may call these, and so may functions given to operators: each is one
instruction there, see `edgewise.base.cpu.bits` and `edgewise.base.cuda.bits`.

>>> count_bits(0b1011000), lowest_bit(0b1011000), bit_length(0b1011000)
(3, 3, 7)
"""

from __future__ import annotations

from typing import Any

__all__ = ["bit_length", "count_bits", "lowest_bit"]

_ALL = (1 << 64) - 1


def count_bits(word: Any) -> int:
    """Return how many bits of a word are set."""
    return (int(word) & _ALL).bit_count()


def lowest_bit(word: Any) -> int:
    """Return the place of the lowest bit that is set in a word, which is not 0."""
    number = int(word)
    return (number & -number).bit_length() - 1


def bit_length(word: Any) -> int:
    """Return how many bits a word takes: 0 for 0, else one more than the highest one's place."""
    return (int(word) & _ALL).bit_length()

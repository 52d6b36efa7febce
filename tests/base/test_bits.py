"""Bits of words, in plain Python, in compiled code, and in functions given to operators."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base import bits
from edgewise.base.cache import kernel
from edgewise.base.cpu import bits as instructions
from edgewise.base.threads import launch
from edgewise.operators import for_each

WORDS = [0, 1, 2, 3, 5, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1]


def expected(word: int) -> list[int]:
    """The number of bits, the lowest and the length, from the digits; no lowest one of 0 is -1."""
    digits = f"{word:b}"
    lowest = len(digits) - 1 - digits.rindex("1") if word else -1
    return [digits.count("1"), lowest, len(digits) if word else 0]


@kernel
def counted(me, team, control, words, found):
    for i in range(len(words)):
        found[i, 0] = instructions.count_bits(words[i])
        found[i, 1] = instructions.lowest_bit(words[i]) if words[i] else -1
        found[i, 2] = instructions.bit_length(words[i])


def note(i, words, found):
    found[i, 0] = bits.count_bits(words[i])
    found[i, 1] = bits.lowest_bit(words[i]) if words[i] != np.uint64(0) else -1
    found[i, 2] = bits.bit_length(words[i])


@pytest.mark.parametrize("word", [*WORDS, *map(np.uint64, WORDS)])
def test_in_plain_python(word):
    lowest = bits.lowest_bit(word) if word else -1
    assert [bits.count_bits(word), lowest, bits.bit_length(word)] == expected(int(word))


def test_in_kernels():
    words, found = np.array(WORDS, np.uint64), np.zeros((len(WORDS), 3), np.int64)
    launch(counted, words, found, team=1)
    assert found.tolist() == [expected(word) for word in WORDS]


def test_in_functions_given_to_operators():
    words, found = np.array(WORDS, np.uint64), np.zeros((len(WORDS), 3), np.int64)
    for_each(len(words), note, (words, found))
    assert found.tolist() == [expected(word) for word in WORDS]


def test_negative_numbers_count_as_words():
    assert bits.count_bits(-1) == 64
    assert bits.bit_length(np.int64(-1)) == 64
    assert bits.lowest_bit(np.int64(-(2**63))) == 63

"""Random numbers: splitmix64's known values, the same inside and outside kernels, and uniform."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.cache import kernel
from edgewise.base.cpu import random as compiled
from edgewise.base.random import (
    bits,
    check_seed,
    coins,
    first_half,
    flip,
    hashed,
    integer,
    mix,
    uniform,
)
from edgewise.base.threads import launch

GOLDEN = 0x9E3779B97F4A7C15
#: The first outputs of splitmix64 from seed 1234567, as its authors' C code prints them.
SPLITMIX = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_mix_is_splitmix64():
    with np.errstate(over="ignore"):
        state = np.uint64(1234567) + np.arange(1, 6, dtype=np.uint64) * np.uint64(GOLDEN)
        assert mix(state).tolist() == SPLITMIX
        assert int(mix(np.uint64(GOLDEN))) == 0xE220A8397B1DCDAF


def test_mix_is_a_bijection_on_what_it_is_given():
    with np.errstate(over="ignore"):
        assert len(np.unique(mix(np.arange(100_000, dtype=np.uint64)))) == 100_000


def test_bits_keep_their_values():
    """Results that people published with a seed must not change with a new version."""
    assert hashed(0, [0, 1]).tolist() == [bits_by_hand(0, 0, 0), bits_by_hand(0, 1, 0)]
    assert hashed(7, [5], turn=3).tolist() == [bits_by_hand(7, 5, 3)]
    assert hashed(-1, [-2], turn=1).tolist() == [bits_by_hand(2**64 - 1, 2**64 - 2, 1)]


def bits_by_hand(seed: int, item: int, turn: int) -> int:
    def finalizer(word: int) -> int:
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
        return word ^ (word >> 31)

    inside = finalizer(finalizer((seed + GOLDEN) % 2**64) ^ item)
    return finalizer((inside + turn * GOLDEN) % 2**64)


@kernel
def _fill(me, team, control, words, numbers, seed, turn):
    for i in range(len(words)):
        words[i] = compiled.bits(seed, np.uint64(i), turn)
        numbers[i] = compiled.uniform(seed, np.uint64(i), turn)


def test_the_same_inside_kernels():
    words, numbers = np.empty(1000, np.uint64), np.empty(1000)
    launch(_fill, words, numbers, np.uint64(42), np.uint64(3), work=0)
    assert words.tolist() == hashed(42, range(1000), 3).tolist()
    items = np.arange(1000, dtype=np.uint64)
    with np.errstate(over="ignore"):
        assert numbers.tolist() == uniform(np.uint64(42), items, np.uint64(3)).tolist()


def test_uniform_over_items_turns_and_seeds():
    """Means, variances and equal bins, along each of the three words."""
    n = 100_000
    count, zero = np.arange(n, dtype=np.uint64), np.uint64(0)
    with np.errstate(over="ignore"):
        draws = [uniform(zero, count, zero), uniform(zero, zero, count), uniform(count, zero, zero)]
    for drawn in draws:
        assert drawn.min() >= 0 and drawn.max() < 1
        assert abs(drawn.mean() - 1 / 2) < 5 / np.sqrt(12 * n)
        assert abs(drawn.var() - 1 / 12) < 0.002
        bins = np.bincount((drawn * 100).astype(int), minlength=100)
        chi_squared = ((bins - n / 100) ** 2 / (n / 100)).sum()
        assert 45 < chi_squared < 175  # 99 degrees of freedom, beyond five deviations
        assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.02
    assert abs(np.corrcoef(draws[0], draws[1])[0, 1]) < 0.02


def test_the_largest_uniform_is_below_one():
    top = (np.uint64(2**64 - 1) >> np.uint64(11)) * (1.0 / (1 << 53))
    assert top < 1
    with np.errstate(over="ignore"):
        word = bits(np.uint64(1), np.uint64(2), np.uint64(3))
        assert uniform(np.uint64(1), np.uint64(2), np.uint64(3)) == int(word) // 2**11 / 2**53


def test_numbers_of_any_kind_are_64_bits():
    assert bits(-1, 2**70 + 3).dtype == np.uint64 and bits(-1, 2**70 + 3) == bits(2**64 - 1, 3)
    assert bits(np.int8(-1), True) == bits(np.uint64(2**64 - 1), np.int16(1))
    ids = np.arange(-5, 5, dtype=np.int32)
    assert bits(3, ids).tolist() == [int(bits(3, one)) for one in ids.tolist()]
    assert bits(ids, 3, range(10)).tolist() == [bits(a, 3, b) for b, a in enumerate(ids.tolist())]
    assert integer(7, 3, ids).dtype == np.int64 and uniform(3, ids).dtype == np.float64
    assert bits(3, []).tolist() == []
    for wrong in (1.5, [0.5], "one", None):
        with pytest.raises(TypeError, match="seed and ids must be whole numbers"):
            bits(1, wrong)


def test_every_id_counts():
    several = [(), (1,), (2,), (1, 2), (2, 1), (1, 2, 0), (1, 2, 0, 0), (0, 0, 1), (0, 1, 0)]
    assert len({int(bits(5, *ids)) for ids in several}) == len(several)
    assert bits(5) == bits(5, 0) == bits(5, 0, 0) and bits(5, 9) == bits(5, 9, 0)


def test_whole_numbers_below_a_bound():
    """As exact arithmetic has it, and each as often as another: 9 degrees of freedom."""
    ids = np.arange(100_000)
    for bound in (1, 2, 10, 2**32 + 1, 2**63):
        expected = [int(bits(4, one)) * bound >> 64 for one in range(50)]
        assert integer(bound, 4, ids[:50]).tolist() == expected
    bins = np.bincount(integer(10, 4, ids), minlength=10)
    assert ((bins - 1e4) ** 2 / 1e4).sum() < 40
    assert integer(ids + 1, 4, ids).max() < 100_000
    for wrong in (0, -1, 2**63 + 1, np.array([1, 0])):
        with pytest.raises(ValueError, match="bound must lie in 1 to"):
            integer(wrong, 4)


def test_coins_compare_a_random_number_with_the_threshold():
    """By hand: coin j is the fraction whose digits are bit j of one draw after another."""
    digits = [int(bits(9, 2, 32 * 3 + turn)) for turn in range(32)]
    drawn = [int("".join(str(word >> j & 1) for word in digits), 2) for j in range(64)]
    for level in (0, 1, 5, 2**31, 3 * 2**29, 1234567890, 2**32 - 2):
        expected = sum((number < level) << j for j, number in enumerate(drawn))
        assert int(coins(level, 2**64 - 1, 9, 2, 3)) == expected
        assert int(coins(level, 0xF0F0, 9, 2, 3)) == expected & 0xF0F0
        with np.errstate(over="ignore"):
            words = np.uint64(level), np.uint64(2**64 - 1), first_half(*np.uint64([9, 2]))
            assert int(flip(*words, np.uint64(3))) == expected
    assert coins(2**32 - 1, 77, 9) == 77
    half, every = 2**31, 2**64 - 1
    assert coins(half, every, 9, 2) == coins(half, every, 9, 2, 0) == ~bits(9, 2, 0)
    assert coins(half, every, 9, 2, 3, 4) == ~bits(9, 2, 3, 128)


def test_coins_are_fair_and_apart():
    ids, every = np.arange(4000), 2**64 - 1
    for chance in (0.5, 0.1, 0.003):
        words = coins(round(chance * 2**32), every, 4, ids, 1)
        shown = np.unpackbits(words.view(np.uint8)).reshape(len(ids), 64)
        assert abs(shown.mean() - chance) < 5 * np.sqrt(chance / shown.size)
        assert abs(shown.mean(axis=0) - chance).max() < 5 * np.sqrt(chance / len(ids))
        both = (shown[:, :-1] & shown[:, 1:]).mean()
        assert abs(both - chance**2) < 5 * np.sqrt(chance**2 / shown.size)
    levels = np.linspace(0, 2**32 - 1, 50).astype(np.uint64)
    rising = coins(levels, every, 4, 1)
    assert not (rising[:-1] & ~rising[1:]).any() and rising[0] == 0 and rising[-1] == every
    assert (coins(levels, ids[:50], 4, 1) == (rising & ids[:50].astype(np.uint64))).all()
    with pytest.raises(TypeError, match="threshold must be whole numbers, got dtype float64"):
        coins(0.5, 1, 4)


@pytest.mark.parametrize("place", range(4))
def test_every_bit_of_every_word_turns_half_of_the_bits(place):
    """Avalanche: over 4,000 draws a bit turns 2,000 times, give or take 5 deviations of 32."""
    draws = np.arange(4000)
    words = [draws if i == place else i + 3 for i in range(4)]
    before = bits(*words)
    for turned in range(0, 64, 7):
        words[place] = draws.astype(np.uint64) ^ np.uint64(1 << turned)
        changed = (before ^ bits(*words))[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        counts = changed.sum(axis=0)
        assert abs(counts.astype(float) - 2000).max() < 160


def test_seeds():
    assert check_seed(5) == 5 and check_seed(np.int32(5)) == 5
    assert check_seed(-1) == 2**64 - 1 and check_seed(2**64 + 3) == 3
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="seed must be a whole number, got"):
            check_seed(wrong)

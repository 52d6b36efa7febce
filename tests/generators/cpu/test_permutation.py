"""Computed permutations: bijective, uniform, and pairs decoded exactly."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from edgewise.base.cache import kernel
from edgewise.generators.cpu.permutation import below, pair, shuffled, shuffled_block, width


@kernel
def images(seed, size, out):
    for position in range(len(out)):
        out[position] = shuffled(seed, np.uint64(position), size, width(size))


@kernel
def images_of_blocks(seed, size, out, images, waiting, slots):
    for first in range(0, len(out), len(images)):
        some = images[: min(len(images), len(out) - first)]
        shuffled_block(seed, np.uint64(first), size, width(size), some, waiting, slots)
        for k in range(len(some)):
            out[first + k] = some[k]


@kernel
def first_images(size, out):
    for seed in range(out.shape[0]):
        for position in range(out.shape[1]):
            key = np.uint64(seed)
            out[seed, position] = shuffled(key, np.uint64(position), size, width(size))


@kernel
def decoded(index):
    return pair(index)


@kernel
def drawn(size, words, out):
    for i in range(len(words)):
        out[i] = below(words[i], size)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 128, 129, 1000, 4096, 70001])
def test_shuffled_is_a_permutation(size):
    out = np.empty(size, np.int64)
    images(np.uint64(5), np.uint64(size), out)
    assert (np.sort(out) == np.arange(size)).all()


@pytest.mark.parametrize("size", [1, 3, 129, 4097, 70001])
def test_blocks_have_the_same_images(size):
    one, other = np.empty(size, np.int64), np.empty(size, np.int64)
    images(np.uint64(5), np.uint64(size), one)
    scratch = np.empty(64, np.uint64), np.empty(64, np.uint64), np.empty(64, np.int64)
    images_of_blocks(np.uint64(5), np.uint64(size), other, *scratch)
    assert (one == other).all()


@pytest.mark.parametrize(("size", "places"), [(3, 3), (4, 4), (5, 3), (10, 2), (40, 1), (300, 1)])
def test_every_beginning_is_equally_likely(size, places, chi_square):
    out = np.empty((40000, places), np.int64)
    first_images(np.uint64(size), out)
    code = out @ size ** np.arange(places)
    beginnings = np.array(list(permutations(range(size), places))) @ size ** np.arange(places)
    counts = np.bincount(code, minlength=size**places)[beginnings]
    assert counts.sum() == len(out)
    assert chi_square(counts, np.full(len(counts), len(out) / len(counts))) > 1e-4


def test_neighboring_positions_are_unrelated():
    out = np.empty(100000, np.int64)
    images(np.uint64(1), np.uint64(2**40 + 123), out)
    assert abs(np.corrcoef(out[:-1], out[1:])[0, 1]) < 0.015
    assert abs(out.mean() / 2**40 - 0.5) < 0.005


def test_pairs_are_numbered_without_gaps():
    pairs = [decoded(np.uint64(index)) for index in range(45)]
    assert sorted(pairs) == list(combinations(range(10), 2))


@pytest.mark.parametrize("v", [2**16, 2**27 + 1, 2**30 + 7, 2**31 - 1])
def test_pairs_are_exact_where_floats_are_not(v):
    first = v * (v - 1) // 2
    assert decoded(np.uint64(first)) == (0, v)
    assert decoded(np.uint64(first + v - 1)) == (v - 1, v)
    assert decoded(np.uint64(first - 1)) == (v - 2, v - 1)


@pytest.mark.parametrize("size", [1, 10, 2**32 - 1, 2**33])
def test_below_covers_its_range(size, chi_square):
    words = np.random.default_rng(1).integers(0, 2**64, 20000, np.uint64)
    words[:2] = 0, 2**64 - 1
    out = np.empty(len(words), np.int64)
    drawn(np.uint64(size), words, out)
    assert out.min() >= 0
    assert out.max() < size
    if size > 1:
        counts = np.bincount(out * 10 // size, minlength=10)
        assert chi_square(counts, np.full(10, 2000)) > 1e-4

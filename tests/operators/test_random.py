"""`edgewise.random` inside functions: on every engine the numbers of plain Python, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import edgewise as ew
from edgewise import random
from tests.operators.engines import compute
from tests.operators.graphs import SMALL

GRAPH = SMALL["random"]
IDS = np.arange(GRAPH.num_vertices)


def draw(v, words, shares, numbers, seed, bound):
    words[4 * v] = random.bits(seed)
    words[4 * v + 1] = random.bits(seed, v)
    tossed = ew.random.coins(v * 10**8, v - 1, seed, v, 2)
    words[4 * v + 3] = tossed ^ random.coins(v * 10**7, -1, seed, v, 2, 7) ^ random.coins(9, 1, v)
    words[4 * v + 2] = ew.random.bits(seed, v, -v, np.int32(7), seed)
    shares[v] = ew.random.uniform(seed, v, np.uint64(3))
    numbers[v] = random.integer(bound, seed, v, True)


def test_the_same_as_in_plain_python():
    for seed, bound in ((-5, 10), (2**62, 2**62)):
        words, shares = np.zeros(4 * len(IDS), np.uint64), np.zeros(len(IDS))
        numbers = np.zeros(len(IDS), np.int64)
        compute(GRAPH, None, draw, (words, shares, numbers, seed, bound))
        assert (words[0::4] == random.bits(seed)).all()
        assert (words[1::4] == random.bits(seed, IDS)).all()
        tossed = random.coins(IDS * 10**8, IDS - 1, seed, IDS, 2)
        tossed = tossed ^ random.coins(IDS * 10**7, -1, seed, IDS, 2, 7) ^ random.coins(9, 1, IDS)
        assert (words[3::4] == tossed).all()
        assert (words[2::4] == random.bits(seed, IDS, -IDS, 7, seed)).all()
        assert (shares == random.uniform(seed, IDS, 3)).all()
        assert (numbers == random.integer(bound, seed, IDS, 1)).all()


def test_errors():
    with pytest.raises(TypeError, match="seed and ids must be whole numbers, got dtype float64"):
        random.uniform(1, IDS / 2)
    with pytest.raises(TypeError, match="bound must be whole numbers, got dtype float64"):
        random.integer(2.5, 1)
    with pytest.raises(ValueError, match=r"bound must lie in 1 to 2\*\*63, got 0"):
        random.integer(0, 1)

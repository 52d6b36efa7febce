"""`normalized_mutual_info_score` and `adjusted_rand_score`: against counting all pairs.

The numbers in `KNOWN` are scikit-learn 1.9's.
"""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.communities import adjusted_rand_score, normalized_mutual_info_score


def rand_by_pairs(labels, truth):
    """Of all pairs: those alike in both, in one, in the other."""
    pairs = list(combinations(range(len(labels)), 2))
    one = [labels[i] == labels[j] for i, j in pairs]
    other = [truth[i] == truth[j] for i, j in pairs]
    both, a, b = sum(x and y for x, y in zip(one, other, strict=True)), sum(one), sum(other)
    chance = a * b / len(pairs) if pairs else 0
    return 1.0 if (a + b) / 2 == chance else (both - chance) / ((a + b) / 2 - chance)


def information_by_sums(labels, truth):
    n = len(labels)

    def share(test):
        return sum(map(test, range(n))) / n

    first = {x: share(lambda i, x=x: labels[i] == x) for x in labels}
    second = {y: share(lambda i, y=y: truth[i] == y) for y in truth}
    shared = 0.0
    for x, p in first.items():
        for y, q in second.items():
            both = share(lambda i, x=x, y=y: labels[i] == x and truth[i] == y)
            shared += both * log(both / (p * q)) if both else 0
    mean = -sum(p * log(p) for part in (first, second) for p in part.values()) / 2
    return shared / mean if mean > 1e-15 else 1.0


@given(st.lists(st.tuples(st.integers(-2, 3), st.integers(0, 4)), min_size=1, max_size=14))
def test_any_two_labelings(both):
    labels, truth = zip(*both, strict=True)
    assert adjusted_rand_score(labels, truth) == pytest.approx(rand_by_pairs(labels, truth))
    found = normalized_mutual_info_score(labels, truth)
    assert found == pytest.approx(information_by_sums(labels, truth), abs=1e-12)
    assert found == pytest.approx(normalized_mutual_info_score(truth, labels), abs=1e-12)


A = np.arange(100) * 7 % 10 // 2
B = np.arange(100) * 3 % 11
KNOWN = {"arithmetic": 0.012733075681118419, "geometric": 0.01298667299451879,
         "min": 0.015850096383940943, "max": 0.010640545734311163}  # fmt: skip
RAND = -0.054566123531640774


@pytest.mark.parametrize("average", KNOWN)
def test_averages(average):
    found = normalized_mutual_info_score(A, B, average_method=average)
    assert found == pytest.approx(KNOWN[average], rel=1e-12)


def test_rand_as_known():
    assert adjusted_rand_score(A, B) == pytest.approx(RAND, rel=1e-12)


def test_names_do_not_matter():
    words = np.array(["x", "y", "z", "u", "v"])[A]
    assert adjusted_rand_score(A, words) == normalized_mutual_info_score(words, A) == 1
    assert adjusted_rand_score(A - 2**62, A.astype(np.uint8)) == 1


def test_many_elements_do_not_overflow():
    """Products of numbers of pairs are beyond 64 bits from 100,000 elements on."""
    half = np.arange(400_000) // 200_000
    assert adjusted_rand_score(half, half) == 1
    assert abs(adjusted_rand_score(half, np.arange(400_000) % 2)) < 1e-5
    assert normalized_mutual_info_score(half, np.arange(400_000) % 2) < 1e-9


def test_nothing_divided():
    assert adjusted_rand_score([], []) == normalized_mutual_info_score([], []) == 1
    assert adjusted_rand_score([4], [5]) == normalized_mutual_info_score([4], [5]) == 1
    assert adjusted_rand_score([0, 0], [0, 1]) == normalized_mutual_info_score([0, 0], [0, 1]) == 0
    assert normalized_mutual_info_score([0, 0], [0, 1], average_method="min") == 0


def test_errors():
    with pytest.raises(ValueError, match="same length, got 2 and 3"):
        adjusted_rand_score([0, 1], [0, 1, 2])
    with pytest.raises(TypeError, match="labels_pred must be a list of whole numbers or texts"):
        normalized_mutual_info_score([0, 1], [0.5, 1.5])
    with pytest.raises(TypeError, match="labels_true must be a list"):
        adjusted_rand_score([[0], [1, 2]], [0, 1])
    with pytest.raises(ValueError, match="average_method must be one of 'arithmetic'"):
        normalized_mutual_info_score([0, 1], [0, 1], average_method="mean")

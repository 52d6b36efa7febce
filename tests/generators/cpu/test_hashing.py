"""The hash set of edges against Python's set."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.generators.cpu.hashing import contains, edge_key, insert, remove


@kernel
def play(keys, table, answers):
    """Toggle each key in turn; note whether it was there."""
    mask = len(table) - 1
    for i in range(len(keys)):
        answers[i] = contains(table, mask, keys[i])
        if answers[i]:
            remove(table, mask, keys[i])
        else:
            insert(table, mask, keys[i])


@kernel
def number(u, v, n):
    return edge_key(u, v, n)


def test_toggling_agrees_with_a_set():
    keys = np.random.default_rng(3).integers(0, 100, 400)
    table, answers = np.full(1024, -1), np.zeros(400, bool)
    play(keys, table, answers)
    known: set[int] = set()
    for key, answer in zip(keys.tolist(), answers, strict=True):
        assert answer == (key in known)
        known ^= {key}
    assert set(table[table >= 0].tolist()) == known


def test_keys_do_not_depend_on_the_direction():
    assert number(3, 8, 10) == number(8, 3, 10) == 38
    assert number(2**31 - 2, 2**31 - 1, 2**31) == (2**31 - 2) * 2**31 + 2**31 - 1

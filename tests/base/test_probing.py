"""Open addressing against a dict: one thread, several at once, and in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.atomics import compare_and_swap, load
from edgewise.base.probing import is_key, key_at, probing
from edgewise.base.threads import launch

LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
KEYS = [
    [],
    [5],
    [5, 5, 5],
    [8, 16, 24, 8, 32, 16],  # all of one home
    [7, 15, 7, 23],  # those of the last place go on at the first
    [MOST, LEAST, -1, 1, MOST, LEAST],
    np.random.default_rng(0).integers(1, 40, 200).tolist(),
]


def places_for(keys) -> int:
    """A power of two of places, at least twice as many as keys."""
    return 1 << max(3, (2 * len(set(keys))).bit_length())


def check(keys, table, found) -> None:
    """Every key has one place, which is told each time, and no other has it."""
    assert sorted(key for key in table if key) == sorted(set(keys))
    for key, place in zip(keys, found, strict=True):
        assert table[place] == key


def put(table, at, key):
    table[at] = key
    return 0


@pytest.mark.parametrize("keys", KEYS)
def test_plain(keys):
    table, found, new = [0] * places_for(keys), [], []
    probe = probing(key_at, put, is_key, lambda function: function)
    for key in keys:
        place, held = probe(table, key % len(table), len(table) - 1, key)
        assert held in (0, key)
        new.append(held == 0)
        found.append(int(place))
    check(keys, table, found)
    assert [*map(int, new)] == [int(key not in keys[:i]) for i, key in enumerate(keys)]
    lookup = probing(key_at, None, is_key, lambda function: function)
    before = list(table)
    for key in (*keys, 1000):
        held = lookup(table, key % len(table), len(table) - 1, key)[1]
        assert held == (key if key in keys else 0)
    assert table == before


def shared(table, at):
    return load(table, at)


def claim(table, at, key):
    return compare_and_swap(table, at, np.int64(0), key)[1]


PROBE = probing(shared, claim, is_key, inner)


@kernel
def insert_all(me, team, control, keys, table, found, new):
    """Every thread brings all keys, from another one on."""
    for i in range(len(keys)):
        j = (i + me * len(keys) // team) % len(keys)
        home = np.uint64(keys[j]) & np.uint64(len(table) - 1)
        place, held = PROBE(table, home, len(table) - 1, keys[j])
        found[me, j] = place
        new[me] += held == 0


@pytest.mark.parametrize("team", [1, 2, 4])
@pytest.mark.parametrize("keys", KEYS)
def test_threads_share_a_table(keys, team):
    table = np.zeros(places_for(keys), np.int64)
    found, new = np.zeros((team, len(keys)), np.int64), np.zeros(team, np.int64)
    launch(insert_all, np.array(keys, np.int64), table, found, new, work=1 << 30, team=team)
    for row in found.tolist():
        check(keys, table.tolist(), row)
    assert new.sum() == len(set(keys))  # each is new to one thread alone


def even(table, at, held, key):
    return held // 2 == key // 2


def store(table, at, key):
    table[at] = key
    return -1


def test_other_marks_of_free_places_and_other_keys():
    probe = probing(key_at, store, even, lambda function: function, free=-1)
    table = [-1] * 8
    places = [int(probe(table, key // 2 % 8, 7, key)[0]) for key in (0, 1, 16, 17, 2)]
    assert places == [0, 0, 1, 1, 2]
    assert table == [0, 16, 2, -1, -1, -1, -1, -1]

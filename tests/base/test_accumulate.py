"""The accumulators against a dict: any keys, many rounds, emptied in between."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.cache import kernel
from edgewise.base.cpu.accumulate import clear_table, find, new_table
from edgewise.base.threads import launch


@kernel
def _rounds(me, team, control, bounds, keys, amounts, most, found, totals, counts):
    """Add each round's amounts up by key; write its keys and totals where the round began."""
    table = new_table(most, totals)
    for i in range(len(bounds) - 1):
        for j in range(bounds[i], bounds[i + 1]):
            place = find(table, keys[j], 0)
            table[2][place] += amounts[j]
        counts[i] = table[3][0]
        for place in range(counts[i]):
            found[bounds[i] + place] = table[1][place]
            totals[bounds[i] + place] = table[2][place]
        clear_table(table)


def accumulate(rounds: list[list[tuple[int, int]]], dtype: type) -> list[dict[int, float]]:
    sizes = [len(pairs) for pairs in rounds]
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    flat = [pair for pairs in rounds for pair in pairs]
    keys = np.array([key for key, _ in flat], np.int64)
    amounts = np.array([amount for _, amount in flat]).astype(dtype)
    most = max([len({key for key, _ in pairs}) for pairs in rounds], default=0)
    found, totals = np.empty(len(flat), np.int64), np.empty(len(flat), dtype)
    counts = np.empty(len(rounds), np.int64)
    launch(_rounds, bounds, keys, amounts, most, found, totals, counts, work=0)
    slices = [slice(low, low + count) for low, count in zip(bounds[:-1], counts, strict=True)]
    return [dict(zip(found[s].tolist(), totals[s].tolist(), strict=True)) for s in slices]


def by_dict(rounds: list[list[tuple[int, int]]]) -> list[dict[int, float]]:
    result = []
    for pairs in rounds:
        sums: dict[int, float] = {}
        for key, amount in pairs:
            sums[key] = sums.get(key, 0) + amount
        result.append(sums)
    return result


PAIRS = st.tuples(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 8), st.integers(-99, 99))


@given(st.lists(st.lists(PAIRS, max_size=40), max_size=5))
def test_any_keys(rounds):
    assert accumulate(rounds, np.int64) == by_dict(rounds)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_full_and_nearly_empty_rounds_in_turn(dtype):
    """Both ways of emptying: all slots at once, and by walking back the few that were used."""
    rng = np.random.default_rng(0)
    rounds = []
    for size in (1000, 3, 1000, 0, 200, 1):
        keys = rng.integers(-(2**40), 2**40, size)
        rounds.append(
            [(int(key), int(key) % 7) for key in np.concatenate([keys, keys[: size // 2]])]
        )
    assert accumulate(rounds, dtype) == by_dict(rounds)


def test_keys_keep_the_order_of_their_arrival():
    found = accumulate([[(9, 1), (-4, 1), (9, 1), (0, 1), (-4, 1)]], np.int64)
    assert list(found[0]) == [9, -4, 0]

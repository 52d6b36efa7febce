"""The accumulators against a dict: any keys, many rounds, emptied in between."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.base.cache import kernel
from edgewise.base.cpu.accumulate import (
    claim,
    clear_table,
    find,
    key_at,
    new_tables,
    owner,
    shift_for,
    table_of,
)
from edgewise.base.cpu.team import barrier
from edgewise.base.threads import launch


@kernel(borrows=True)
def _rounds(me, team, control, bounds, keys, amounts, tables, found, totals, counts):
    """Add each round's amounts up by key; write its keys and totals where the round began."""
    table = table_of(tables, me)
    for i in range(len(bounds) - 1):
        shift = shift_for(bounds[i + 1] - bounds[i])
        for j in range(bounds[i], bounds[i + 1]):
            place = find(table, keys[j], shift, 0)
            table[1][place] += amounts[j]
        counts[i] = table[2][0]
        for k in range(counts[i]):
            place = table[2][k + 1]
            found[bounds[i] + k] = key_at(table[0], place)
            totals[bounds[i] + k] = table[1][place]
        clear_table(table)


@kernel(borrows=True)
def _together(me, team, control, keys, amounts, slots, totals, shift):
    """Every thread adds up the keys that are its own, all in one table."""
    for j in range(len(keys)):
        if owner(keys[j], team) == me:
            place = claim(slots, totals, keys[j], shift, 0)
            totals[place] += amounts[j]
    barrier(control, team)


def accumulate(rounds: list[list[tuple[int, int]]], dtype: type) -> list[dict[int, float]]:
    sizes = [len(pairs) for pairs in rounds]
    bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    flat = [pair for pairs in rounds for pair in pairs]
    keys = np.array([key for key, _ in flat], np.int64)
    amounts = np.array([amount for _, amount in flat]).astype(dtype)
    tables = new_tables(1, max(sizes, default=0), dtype)
    found, totals = np.empty(len(flat), np.int64), np.empty(len(flat), dtype)
    counts = np.empty(len(rounds), np.int64)
    launch(_rounds, bounds, keys, amounts, tables, found, totals, counts, work=0)
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
    """Nothing of a long round is left for a short one, nor the other way round."""
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


@pytest.mark.parametrize("team", [1, 3])
def test_a_table_for_all_threads(team):
    rng = np.random.default_rng(1)
    keys = np.concatenate([rng.integers(-500, 500, 5000), [-(2**63), 2**63 - 1, -(2**63)]])
    amounts = rng.integers(0, 9, len(keys))
    slots, totals, _ = (one[0] for one in new_tables(1, 2000, np.int64))
    shift = np.uint64(64 - 12)
    launch(_together, keys, amounts, slots, totals, shift, work=1 << 20, team=team)
    taken = np.flatnonzero(slots)
    found = {-(2**63) if at == 4096 else int(slots[at]) ^ -(2**63): totals[at] for at in taken}
    assert found == by_dict([list(zip(keys.tolist(), amounts.tolist(), strict=True))])[0]

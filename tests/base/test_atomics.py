"""Atomics from several threads at once, for every type: no update is lost, none counts twice."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import TypingError

import edgewise.base.cpu.atomics  # noqa: F401  (teaches kernels what `atomic` means)
from edgewise.base import atomic
from edgewise.base.cache import kernel
from edgewise.base.cpu.atomics import compare_and_swap, fetch_add, fetch_or, load, store
from edgewise.base.cpu.team import barrier
from edgewise.base.threads import launch, threads

INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
FLOATS = [np.float32, np.float64]
TEAM, ROUNDS = 4, 20_000


@kernel
def _hammer(me, team, control, cells, values, old, wins):
    """All five operations on shared cells; every thread has its own column of what they return."""
    if not barrier(control, team):
        return
    for i in range(len(values)):
        atomic.add(cells, 0, values[i])
        atomic.min(cells, 1, values[(i * 7 + me) % len(values)])
        atomic.max(cells, 2, values[(i * 7 + me) % len(values)])
        before = load(cells, 3)
        if atomic.cas(cells, 3, before, before + values[i]) == before:
            wins[me] += 1
        old[me, i] = atomic.exch(cells, 4, values[i])


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_all_operations_on_a_team(dtype):
    high = np.iinfo(dtype).max if np.issubdtype(dtype, np.integer) else 1e6
    low = 0 if dtype in FLOATS else np.iinfo(dtype).min
    values = np.ones(ROUNDS, dtype)
    values[11], values[1117] = min(high, 100), 2
    cells = np.array([0, min(high, 120), max(low, -100), 0, 0], dtype)
    old, wins = np.zeros((TEAM, ROUNDS), dtype), np.zeros(TEAM, np.int64)
    with threads(TEAM):
        launch(_hammer, cells, values, old, wins)
    total = TEAM * (ROUNDS - 2 + min(high, 100) + 2)
    assert cells[0] == np.array(int(total)).astype(dtype)
    assert cells[1] == 1 and cells[2] == min(high, 100)
    assert wins.sum() > 0
    given = np.sort(np.append(np.tile(values, TEAM), dtype(0)))
    returned = np.sort(np.append(old.ravel(), cells[4]))
    np.testing.assert_array_equal(returned, given)  # each exchanged value came back once


@kernel
def _count(me, team, control, cell, rounds):
    """Count by compare-and-swap, trying until it takes."""
    if not barrier(control, team):
        return
    for _ in range(rounds):
        before = load(cell, 0)
        while True:
            done, before = compare_and_swap(cell, 0, before, before + 1)
            if done:
                break


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_compare_and_swap_counts_every_win(dtype):
    cell = np.zeros(1, dtype)
    with threads(TEAM):
        launch(_count, cell, ROUNDS)
    assert cell[0] == TEAM * ROUNDS


@kernel
def _flags(me, team, control, flags, firsts, words):
    if not barrier(control, team):
        return
    for i in range(len(flags)):
        if not atomic.exch(flags, i, True):
            firsts[me] += 1
        fetch_or(words, i >> 6, np.uint64(1) << np.uint64(i & 63))


def test_flags_are_taken_once():
    flags, firsts = np.zeros(ROUNDS, bool), np.zeros(TEAM, np.int64)
    words = np.zeros(-(-ROUNDS // 64), np.uint64)
    with threads(TEAM):
        launch(_flags, flags, firsts, words)
    assert flags.all() and firsts.sum() == ROUNDS
    assert sum(int(word).bit_count() for word in words) == ROUNDS


@kernel
def _bits(me, team, control, cells, words, firsts):
    """Every thread sets all bits of some cells, then clears them."""
    if not barrier(control, team):
        return
    for i in range(len(cells)):
        for j in range(len(words)):
            if atomic.bit_or(cells, i, words[j]) & words[j] == 0:
                firsts[0, me] += 1
    if not barrier(control, team):
        return
    for i in range(1, len(cells)):
        for j in range(len(words)):
            if atomic.bit_and(cells, i, ~words[j]) & words[j] != 0:
                firsts[1, me] += 1


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64])
def test_bits_are_set_and_cleared_once(dtype):
    width, cells, firsts = 8 * np.dtype(dtype).itemsize, np.zeros(300, dtype), np.zeros((2, TEAM))
    words = np.array([1 << k for k in range(width - 1)]).astype(dtype)
    with threads(TEAM):
        launch(_bits, cells, words, firsts)
    assert firsts.sum(axis=1).tolist() == [300 * len(words), 299 * len(words)]
    assert cells[0] == (1 << (width - 1)) - 1 and not cells[1:].any()


@kernel
def _flag_bits(me, team, control, flags, old):
    old[0] = atomic.bit_or(flags, 0, True)
    old[1] = atomic.bit_and(flags, 1, False)
    old[2] = atomic.bit_and(flags, 2, True)


def test_bits_of_booleans():
    flags, old = np.array([False, True, True]), np.zeros(3, bool)
    launch(_flag_bits, flags, old, work=0)
    assert flags.tolist() == [True, False, True] and old.tolist() == [False, True, True]


def test_floats_have_no_bits():
    with pytest.raises(TypingError, match="bit_or"):
        launch(kernel(lambda me, team, control, cells: atomic.bit_or(cells, 0, 1)), np.zeros(1),
               work=0)  # fmt: skip


@kernel
def _odd_floats(me, team, control, cells):
    atomic.add(cells, 0, 1.0)
    atomic.min(cells, 1, 2.0)
    atomic.max(cells, 2, -np.inf)
    atomic.add(cells, 3, np.inf)
    atomic.cas(cells, 4, -0.0, 5.0)


def test_nan_and_signed_zero():
    """NaN is absorbed, not spun on; `cas` compares bits, so -0.0 is not 0.0."""
    cells = np.array([np.nan, np.nan, -1.0, 1.0, 0.0])
    launch(_odd_floats, cells, work=0)
    assert np.isnan(cells[:2]).all()
    assert cells[2:].tolist() == [-1.0, np.inf, 0.0]


@kernel
def _pass_on(me, team, control, data, flag, seen):
    """Message passing: what was written before a store is seen after the load."""
    if me == 0:
        for i in range(len(data)):
            data[i] = i + 1
            store(flag, 0, i + 1)
    elif me == 1:
        ready = 0
        while ready < len(data):
            ready = load(flag, 0)
            for i in range(ready):
                if data[i] != i + 1:
                    fetch_add(seen, 0, 1)


def test_load_and_store_order_what_is_around_them():
    data, flag, seen = np.zeros(300, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    with threads(2):
        launch(_pass_on, data, flag, seen)
    assert seen[0] == 0 and flag[0] == 300


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_the_same_in_plain_python(dtype):
    cells = np.array([5, 5, 5, 5, 5, 5], dtype)
    olds = [
        atomic.add(cells, 0, 2),
        atomic.min(cells, 1, 3),
        atomic.max(cells, 2, 3),
        atomic.exch(cells, 3, 9),
        atomic.cas(cells, 4, 5, 1),
        atomic.cas(cells, 5, 4, 1),
    ]
    assert olds == [5] * 6 and cells.tolist() == [7, 3, 5, 9, 1, 5]


def test_bits_in_plain_python():
    cells = np.array([5, 5])
    assert (atomic.bit_or(cells, 0, 10), atomic.bit_and(cells, 1, 6)) == (5, 5)
    assert cells.tolist() == [15, 4]

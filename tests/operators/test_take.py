"""`take`: members by rank until the budget of their key is spent."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.base.threads import threads
from edgewise.operators import Frontier, frontier
from tests.operators import oracles
from tests.operators.engines import take
from tests.operators.graphs import SMALL, path

GRAPH = path(400)
RNG = np.random.default_rng(3)
KEY = RNG.integers(-1, 6, 400)
RANK = RNG.integers(-9, 9, 400) / 4
RANK[RNG.random(400) < 0.1] = np.nan
RANK[:9] = -0.0
BUDGET = np.array([0, 7, 30, -1, 1000, 2])
WEIGHTS = {
    "none": None,
    "integers": RNG.integers(0, 5, 400),
    "small integers": RNG.integers(0, 5, 400).astype(np.uint8),
    "whole floats": RNG.integers(0, 5, 400) * 1.0,
    "fractions": RNG.random(400),
}


def check(members=None, rank=RANK, weight=None, crossing=False, budget=BUDGET):
    start = None if members is None else frontier(GRAPH, members)
    options = {"rank": rank, "weight": weight, "crossing": crossing}
    found = take(GRAPH, start, key=KEY, budget=budget, **options)
    everyone = range(400) if members is None else members
    assert found.ids.tolist() == oracles.taken(everyone, KEY, budget, **options)
    return found


@pytest.mark.parametrize("weight", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("crossing", [False, True])
def test_budgets(weight, crossing):
    for members in (None, [v for v in range(400) if v % 3], [5], []):
        check(members, weight=weight, crossing=crossing)
    check(weight=weight, crossing=crossing, budget=BUDGET + 0.5)


@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "u8", "f4"])
def test_ranks(dtype):
    check(rank=np.where(np.isnan(RANK), 3, abs(RANK)).astype(dtype), weight=WEIGHTS["integers"])
    check(rank=None, weight=WEIGHTS["integers"])


@settings(max_examples=30)
@given(data=st.data())
def test_budgets_of_any_size(data):
    draw = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    budget = draw.integers(-1, data.draw(st.sampled_from([3, 40, 400])), 6)
    weight = draw.integers(0, 4, 400) * draw.choice([1, 0.25])
    check(rank=draw.random(400), weight=weight, crossing=data.draw(st.booleans()), budget=budget)


def test_what_is_taken_covers_the_budget_or_stays_below_it():
    weight = WEIGHTS["integers"]
    below, over = (check(weight=weight, crossing=one).ids for one in (False, True))
    for k in (1, 2, 5):
        assert weight[below[KEY[below] == k]].sum() <= BUDGET[k]
        assert weight[over[KEY[over] == k]].sum() >= BUDGET[k]
    assert set(below[weight[below] > 0]) <= set(over)


@pytest.mark.host
def test_members_keep_their_order_and_threads_do_not_matter():
    ids = RNG.permutation(400)[:300].astype(np.int32)
    order = Frontier(400, ids=ids)
    for team in (1, 3):
        with threads(team):
            found = take(GRAPH, order, key=KEY, budget=BUDGET, rank=RANK)
        assert found.ids.tolist() == oracles.taken(ids.tolist(), KEY, BUDGET, RANK)


def test_nobody():
    empty = SMALL["empty"]
    none = np.zeros(0, np.int64)
    assert take(empty, None, key=none, budget=[]).empty()
    assert take(GRAPH, None, key=np.full(400, -1), budget=[]).empty()
    assert take(GRAPH, None, key=np.zeros(400, np.int64), budget=[np.nan]).empty()


class TestErrors:
    def fails(self, error, pattern, **options):
        with pytest.raises(error, match=pattern):
            take(GRAPH, None, **{"key": KEY, "budget": BUDGET, **options})

    def test_arguments(self):
        rule = r"key must be a position in budget \(2 keys\), got 5"
        self.fails(ValueError, rule, budget=[1, 2])
        self.fails(TypeError, "budget must be an array of numbers, one per key", budget=[[1]])
        self.fails(TypeError, "budget must be an array of numbers, one per key", budget="many")
        self.fails(TypeError, "key must be an array of integers", key=RANK)
        self.fails(ValueError, r"rank must have one entry per vertex \(400\)", rank=RANK[:3])
        self.fails(TypeError, "rank must be one array", rank=(RANK, RANK))
        self.fails(ValueError, "weight must not be negative", weight=KEY)
        self.fails(ValueError, "weight must not be negative or NaN", weight=RANK)
        self.fails(OverflowError, "weight must sum", weight=np.full(400, 2**60))
        with pytest.raises(ValueError, match="frontier must hold vertices"):
            take(GRAPH, frontier(GRAPH, edges=[0]), key=KEY, budget=BUDGET)

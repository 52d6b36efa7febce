"""Monoids: identities in every type, and the laws that engines rely on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from edgewise.operators import ADD, AND, ANY, ARGMAX, ARGMIN, MAX, MIN, OR, Monoid
from edgewise.operators.monoids import add_each, check_monoid
from tests.operators.functions import MIXED, PRODUCT, UNION

NUMBERS = st.integers(-50, 50)
PAIRS = st.tuples(NUMBERS, st.integers(0, 5))
SINGLE = {"MIN": MIN, "MAX": MAX, "ADD": ADD, "OR": OR, "AND": AND, "PRODUCT": PRODUCT,
          "UNION": UNION}  # fmt: skip


@pytest.mark.parametrize("monoid", SINGLE.values(), ids=SINGLE)
@given(a=NUMBERS, b=NUMBERS, c=NUMBERS)
def test_laws(monoid, a, b, c):
    combine, unset = monoid.combine, monoid.identity_for(np.int64).item()
    assert combine(unset, a) == combine(a, unset) == a
    assert combine(a, b) == combine(b, a)
    assert combine(combine(a, b), c) == combine(a, combine(b, c))
    if monoid.idempotent:
        assert combine(a, a) == a


@pytest.mark.parametrize("monoid", [ARGMIN, ARGMAX], ids=["ARGMIN", "ARGMAX"])
@given(a=PAIRS, b=PAIRS, c=PAIRS)
def test_laws_of_pairs(monoid, a, b, c):
    combine, unset = monoid.combine, monoid.identity_for(np.float64, np.int64)
    assert combine(unset, a) == combine(a, unset) == a == combine(a, a)
    assert combine(a, b) == combine(b, a)
    assert combine(combine(a, b), c) == combine(a, combine(b, c))
    assert combine(a, b)[0] == (min if monoid is ARGMIN else max)(a[0], b[0])


@pytest.mark.parametrize("wrong", [(ADD,), (ADD, MIN, MAX), (MIN, ADD), (ADD, 3), (ADD, ANY)])
def test_parts_are_a_monoid_for_each_value(wrong):
    def combine(old, new):
        return old[0] + new[0], old[1] + new[1]

    check_monoid(Monoid((0, 0), combine, parts=(ADD, ADD)))
    with pytest.raises(ValueError, match="parts of reduce must be"):
        check_monoid(Monoid((0, 0), combine, parts=wrong))
    with pytest.raises(ValueError, match="parts of reduce must be"):
        check_monoid(ADD._replace(parts=(ADD,)))


def test_sums_of_tuples():
    for count in (2, 3, 4):
        numbers = tuple(range(count))
        assert add_each(count).combine(numbers, numbers) == tuple(2 * one for one in numbers)
        assert add_each(count).identity == (0,) * count
        assert add_each(count).parts == (ADD,) * count
    with pytest.raises(ValueError, match="count must be .*4.*got 5"):
        add_each(5)


def test_identities():
    assert MIN.identity_for(np.float64) == np.inf and MAX.identity_for(np.float32) == -np.inf
    assert MIN.identity_for(np.int32) == 2**31 - 1 and MAX.identity_for(np.int64) == -(2**63)
    assert MIN.identity_for(np.uint8) == 255 and MAX.identity_for(np.uint8) == 0
    assert ADD.identity_for(np.int64) == 0
    assert ANY.identity_for(np.int32) == -1 and ANY.identity_for(np.float64) == np.inf
    assert ANY.identity_for(np.uint32) == 2**32 - 1 and not ANY.identity_for(np.bool_)
    assert MIN.identity_for(np.bool_) and not MAX.identity_for(np.bool_)
    assert OR.identity_for(np.uint64) == 0 and not OR.identity_for(np.bool_)
    assert AND.identity_for(np.int32) == -1 and AND.identity_for(np.bool_)
    assert AND.identity_for(np.uint64) == 2**64 - 1
    assert ARGMAX.identity_for(np.float64, np.int32) == (-np.inf, 2**31 - 1)
    assert type(MIN.identity_for(np.int32)) is np.int32


def test_identities_that_do_not_fit():
    with pytest.raises(ValueError, match=r"as reduce combines at once \(2\), got 1"):
        ARGMIN.identity_for(np.float64)
    with pytest.raises(ValueError, match=r"as reduce combines at once \(3\), got 2"):
        MIXED.identity_for(np.float64, np.float64)
    for monoid in (OR, AND):
        with pytest.raises(TypeError, match="reduce combines bits of integers or booleans"):
            monoid.identity_for(np.float64)
    for odd, dtype in ((0.5, np.int64), (np.nan, np.int32), (-1, np.uint8), (None, np.float64)):
        with pytest.raises(ValueError, match="the identity of reduce must be a number of"):
            Monoid(odd, max).identity_for(dtype)
    with pytest.raises(ValueError, match="identity must be one of 'lowest'"):
        Monoid("low", max).identity_for(np.int64)


def test_early_exit_needs_idempotence():
    first = Monoid(0, ADD.combine, early_exit=True)
    with pytest.raises(ValueError, match="reduce has early_exit, so it must be idempotent"):
        check_monoid(first)
    check_monoid(ANY)
    with pytest.raises(TypeError, match="reduce must be a Monoid of single values"):
        check_monoid(ARGMIN, single=True)

"""One rule for all forms: white space around elements is taken off, and empty ones are left out."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.join import fuzzy_join
from edgewise.join.corpus import corpus

FORMS = {
    "lists": ([["", "a b "], [" "], [], ["a b"], ["\ta b\u3000", " x"]], {}),
    "strings": ([";a b ", " ", "", "a b", "\ta b\u3000; x"], {"separator": ";"}),
}


def columns(form):
    pa = pytest.importorskip("pyarrow")
    given, options = FORMS[form]
    return pa.array(given), options


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("column", [False, True])
def test_all_forms_give_the_same_sets(form, column):
    given, options = columns(form) if column else FORMS[form]
    found = corpus(given, **options).left
    assert found.starts.tolist() == [0, 1, 1, 1, 2, 4]
    assert found.elements.tolist() == [0, 0, 0, 1]


def test_sets_of_empty_elements_join_with_nothing():
    for given, options in [([[""], [""]], {}), (["", ""], {"separator": ";"}), ([[" "], [""]], {})]:
        assert len(fuzzy_join(given, threshold=0.1, **options)) == 0


def test_normal_forms_have_no_white_space_around_them_either():
    pairs = fuzzy_join(
        [["\u2017"], ["\u0333"]], threshold=1.0, normalize_unicode=True
    )  # NFKC: " \u0333"
    assert pairs.score.tolist() == [1.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 2**64}, "top must be at most"),
        ({"k": 2**64}, "k must be at most"),
        ({"memory": 10**30}, "memory must be at most 9223372036854775807 bytes"),
        ({"threshold": 10**400}, r"threshold must be a number in \(0, 1\], got 1000"),
        ({"threshold": -(10**400)}, r"threshold must be a number in \(0, 1\], got -1000"),
    ],
)
def test_numbers_that_are_too_large(options, message):
    with pytest.raises(ValueError, match=message):
        fuzzy_join([["a"], ["a"]], **options)


def test_the_largest_numbers():
    for options in ({"top": 2**62}, {"k": np.int64(2**62)}, {"memory": 2**63 - 1}):
        assert fuzzy_join([["a"], ["a"]], **options).score.max() == 1.0

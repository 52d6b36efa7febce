"""Labels to ids and back, for every kind of label, against dicts and numpy.unique."""

from __future__ import annotations

import datetime
import pickle

import numpy as np
import pandas
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from edgewise.base.threads import threads
from edgewise.graph import Graph, Labels

KINDS = {
    "integers": [5, -7, 2**40, 0],
    "floats": [0.5, -1.5, 3.0],
    "strings": ["bee", "ant", "", "örn"],
    "bytes": [b"b", b"a"],
    "tuples": [(1, 2), (0, 5), (1,)],
    "mixed": ["1", 1, 2.5, ("a", 1)],
    "big": [2**70, 1, -(2**80)],
    "dates": list(np.array(["2020-05-01", "2019-01-01"], "M8[D]")),
    "python dates": [datetime.date(2020, 5, 1), datetime.date(2019, 1, 1)],
    "booleans": [True, False],
}


@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back(kind):
    values = KINDS[kind]
    labels, (ids, again) = Labels.encode(values, values[::-1])
    assert sorted(ids.tolist()) == list(range(len(values)))
    assert again.tolist() == ids.tolist()[::-1]
    assert list(labels.label(ids)) == values
    assert labels.vertex(values).tolist() == ids.tolist()
    for i, value in zip(ids, values, strict=True):
        assert labels.vertex(value) == i
        assert labels.label(i) == value
    assert pickle.loads(pickle.dumps(labels)) == labels


@pytest.mark.parametrize("kind", ["integers", "floats", "strings", "dates", "booleans"])
def test_ascending_order(kind):
    labels, _ = Labels.encode(KINDS[kind])
    assert labels.values.tolist() == sorted(np.array(KINDS[kind]).tolist())


def test_others_keep_the_order_of_appearance():
    labels, _ = Labels.encode(KINDS["mixed"], [9, "1"])
    assert labels.values.tolist() == [*KINDS["mixed"], 9]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=300),
    st.lists(st.integers(-3, 3), max_size=300),
    st.sampled_from([1, 2, 3]),
)
def test_integers_agree_with_numpy(wild, tame, team):
    wild, tame = np.array(wild, np.int64), np.array(tame, np.int64)
    distinct, inverse = np.unique(np.concatenate([wild, tame]), return_inverse=True)
    with threads(team):
        labels, (first, second) = Labels.encode(wild, tame)
    np.testing.assert_array_equal(labels.values, distinct)
    np.testing.assert_array_equal(np.concatenate([first, second]), inverse)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "uint64"])
def test_integer_types(dtype):
    labels, (ids,) = Labels.encode(np.array([9, 3, 9], dtype))
    assert labels.label(ids).tolist() == [9, 3, 9]


def test_signed_beside_unsigned():
    labels, (a, b) = Labels.encode(np.array([-1, 5]), np.array([5, 2**64 - 1], np.uint64))
    assert labels.label(np.concatenate([a, b])).tolist() == [-1, 5, 5, 2**64 - 1]


def test_integers_beside_floats():
    labels, (a, b) = Labels.encode([3, 1], [0.5, 3.0])
    assert labels.values.tolist() == [0.5, 1, 3]
    assert (a.tolist(), b.tolist()) == ([2, 1], [0, 2])
    labels, (a, b) = Labels.encode([2**53, 2**53 + 1], [0.5])
    assert labels.values.tolist() == [2**53, 2**53 + 1, 0.5]


def test_large_unsigned_are_told_apart():
    values = np.array([2**64 - 1, 2**64 - 2, 0], np.uint64)
    labels, (ids,) = Labels.encode(values)
    assert ids.tolist() == [2, 1, 0]
    assert labels.vertex(2**64 - 2) == 1
    assert labels.vertex(values).tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="got -1"):
        labels.vertex([-1])


@given(st.lists(st.text(max_size=3), min_size=1, max_size=50))
def test_strings_by_arrow_and_by_dict_agree(values):
    plain, (ids,) = Labels.encode(values)
    for kind in (pa.string(), pa.large_string()):
        column = pa.chunked_array([pa.array(values[:3], kind), pa.array(values[3:], kind)])
        arrow, (arrow_ids, _) = Labels.encode(column, pa.array(values, kind))
        assert arrow == plain
        assert arrow_ids.tolist() == ids.tolist()


def test_empty_columns():
    for empty in ([], np.array([], np.int64), pa.array([], pa.string()), np.array([], "U3")):
        labels, (ids,) = Labels.encode(empty)
        assert len(labels) == len(ids) == 0
    assert Labels([]).vertex([]).tolist() == []


def test_given_order_stays():
    labels = Labels([30, 10, 20])
    assert labels.vertex([10, 20, 30]).tolist() == [1, 2, 0]
    assert labels.label([0, 2]).tolist() == [30, 20]
    assert labels.take(np.array([2, 0])) == Labels([20, 30])


def test_numbers_that_equal_are_the_same_label():
    assert Labels([10, 20]).vertex(20.0) == 1
    assert Labels(np.array(["a", "b"])).vertex(np.str_("b")) == 1
    assert Labels([10, 20]).vertex(np.int32(20)) == 1


@pytest.mark.parametrize(
    ("values", "unknown"),
    [
        ([10, 20], 15),
        ([10, 20], "10"),
        (["a"], "b"),
        (["a"], 0),
        ([0.5], 0.25),
        ([], 3),
        ([1], 2**70),
    ],
)
def test_unknown_labels(values, unknown):
    for asked in (unknown, [unknown]):
        with pytest.raises(ValueError, match="label must be one of the graph's labels, got "):
            Labels(values).vertex(asked)


def test_errors():
    with pytest.raises(ValueError, match="labels must be distinct"):
        Labels([1, 2, 1])
    with pytest.raises(ValueError, match="labels must be distinct"):
        Labels(["a", "a"])
    with pytest.raises(ValueError, match=r"labels\[1\] is missing \(None\)"):
        Labels(["a", None])
    with pytest.raises(ValueError, match=r"sources\[1\] is missing \(nan\)"):
        Graph.from_edges([0.5, np.nan], [1.5, 2.5])
    with pytest.raises(ValueError, match=r"targets\[0\] is missing \(None\)"):
        Graph.from_edges(["a"], [None])
    with pytest.raises(ValueError, match=r"sources\[0\] is missing \(nan\)"):
        Graph.from_edges([np.nan, 1.5], [1, 2])
    with pytest.raises(ValueError, match=r"targets\[1\] is missing \(<NA>\)"):
        Graph.from_edges([1, 2], [1, pandas.NA])
    with pytest.raises(ValueError, match=r"column 0\[2\] is missing \(null\)"):
        Labels.encode(pa.array(["a", "b", None]))
    with pytest.raises(TypeError, match="sources must hold hashable labels"):
        Graph.from_edges([[1], [2]], [{}, {}], labels=True)
    with pytest.raises(ValueError, match="ids must be vertex ids from 0 to 1, got 2"):
        Labels(["a", "b"]).label([0, 2])
    with pytest.raises(TypeError, match="ids must be vertex ids"):
        Labels(["a", "b"]).label("a")
    with pytest.raises(AttributeError, match="frozen"):
        Labels([1]).values = []


def test_values_are_read_only_and_equality_sees_types():
    labels = Labels(["a", "b"])
    with pytest.raises(ValueError, match="read-only"):
        labels.values[0] = "z"
    assert labels != Labels(["b", "a"])
    assert Labels([1, 2]) != Labels(["1", "2"])
    assert hash(labels) == hash(Labels(["a", "b"]))
    assert repr(Labels(list(range(5)))) == "Labels([0, 1, 2, ...], 5 in all)"


def test_a_range_is_like_its_values_and_takes_no_memory():
    labels, listed = Labels.range(7, 4), Labels([7, 8, 9, 10])
    assert labels == listed and listed == labels and hash(labels) == hash(listed)
    assert labels != Labels.range(8, 4) and labels != Labels.range(7, 5)
    assert labels.vertex([10, 7]).tolist() == listed.vertex([10, 7]).tolist() == [3, 0]
    assert labels.take(np.array([2, 0])).values.tolist() == [9, 7]
    assert labels.label(3) == 10 and labels.label([]).dtype == np.int64
    assert pickle.loads(pickle.dumps(labels)) == labels
    assert (
        len(Labels.range(5, 2**40)) == 2**40 and Labels.range(5, 2**40).vertex(2**40) == 2**40 - 5
    )


@pytest.mark.parametrize("unknown", [6, 11, 7.5, "7", 2**70, -1, None])
def test_a_range_knows_its_labels_alone(unknown):
    with pytest.raises(ValueError, match="label"):
        Labels.range(7, 4).vertex(unknown)


def test_a_range_must_fit_64_bits():
    assert Labels.range(2**63 - 2, 2).label(1) == 2**63 - 1
    with pytest.raises(ValueError, match="64-bit"):
        Labels.range(2**63 - 1, 2)


def test_integers_without_gaps_become_a_range():
    assert Labels.encode([5, 4], [4, 6])[0].range_start == 4
    assert Labels.encode([5, 4], [4, 7])[0].range_start is None


def test_integers_beyond_int64_stay_integers():
    assert Labels([7, 3, 2**63 + 1]).dtype == np.uint64
    assert Labels([7, 3, 2**63 + 1]).vertex(2**63 + 1) == 2
    assert Labels([-7, 2**63 + 1]).values.tolist() == [-7, 2**63 + 1]
    labels, (ids,) = Labels.encode([2**63 + 1, 5])
    assert labels.label(int(ids[0])) == 2**63 + 1

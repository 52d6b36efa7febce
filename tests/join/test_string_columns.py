"""Collections in all their forms; and what is none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from edgewise.join.corpus import corpus

ROWS = [["ab", "cd"], [], ["cd"], None, ["é", "ab", "ab"]]


class Other:
    """A column of another library, which Arrow's interface alone shows."""

    def __init__(self, column):
        self.column = column

    def __len__(self):
        return len(self.column)

    def __iter__(self):
        raise AssertionError("a column is not read row by row")

    def __arrow_c_stream__(self, requested_schema=None):
        return self.column.__arrow_c_stream__(requested_schema)


class Polars:
    """What `as_members` knows of a column of Polars."""

    def __init__(self, column):
        self.column = column

    def __len__(self):
        return len(self.column)

    __iter__ = Other.__iter__

    def to_arrow(self):
        return self.column


STRINGS = [None if row is None else ";".join(row) for row in ROWS]
LISTS = pa.array([None, *ROWS])[1:]  # a slice
CHUNKS = pa.chunked_array([pa.array(ROWS[:2]), pa.array(ROWS[2:])])


@pytest.mark.parametrize(
    "sets",
    [
        ROWS,
        tuple(ROWS),
        [None if row is None else tuple(row) for row in ROWS],
        [None if row is None else np.array(row, dtype=str) for row in ROWS],
        [None if row is None else iter(row) for row in ROWS],
        (row for row in ROWS),
        np.array([*ROWS, 0], dtype=object)[:-1],
        pd.Series(ROWS),
        pd.Series([row if row is not None else np.nan for row in ROWS]),
        LISTS,
        LISTS.cast(pa.large_list(pa.large_string())),
        LISTS.cast(pa.list_(pa.dictionary(pa.int32(), pa.string()))),
        CHUNKS,
        pd.Series(CHUNKS, dtype=pd.ArrowDtype(CHUNKS.type)),
        Other(CHUNKS),
        Polars(LISTS.cast(pa.large_list(pa.large_string()))),
        pa.array(ROWS, pa.list_(pa.string_view())),
    ],
    ids=lambda sets: type(sets).__name__,
)
def test_sets_in_every_form(sets):
    assert_like_rows(corpus(sets))


@pytest.mark.parametrize(
    "sets",
    [
        STRINGS,
        pd.Series(STRINGS),
        pd.Series(STRINGS, dtype=object),
        pd.Series(STRINGS, dtype="category"),
        pd.Series(STRINGS, dtype="string"),
        pa.array(STRINGS),
        pa.array(["x", *STRINGS, "y"])[1:-1],
        pa.chunked_array([pa.array(STRINGS[:1]), pa.array(STRINGS[1:], pa.string())]),
        pa.array(STRINGS).dictionary_encode(),
        Other(pa.chunked_array([pa.array(STRINGS)])),
        Polars(pa.array(STRINGS, pa.large_string())),
        pa.array(STRINGS, pa.string_view()),
    ],
    ids=lambda sets: type(sets).__name__,
)
def test_strings_in_every_form(sets):
    assert_like_rows(corpus(sets, separator=";"))


def assert_like_rows(found):
    wanted = corpus([["ab", "cd"], [], ["cd"], [], ["é", "ab"]])
    assert found.left.starts.tolist() == [0, 2, 2, 3, 3, 5]
    assert found.left.elements.tolist() == [0, 1, 1, 0, 2]
    assert found.element_tokens.tolist() == wanted.element_tokens.tolist()
    assert found.frequency.tolist() == wanted.frequency.tolist()


@pytest.mark.parametrize(
    "sets", [[{"ab", "cd"}], [frozenset(["cd", "ab"])], [{"ab": 1, "cd": 2}.keys()]]
)
def test_python_sets(sets):
    assert corpus(sets).left.elements.tolist() == [0, 1]


@pytest.mark.parametrize(
    "nothing",
    [[], (), pd.Series([], dtype=object), pa.array([]), pa.array([], pa.list_(pa.string())),
     pa.chunked_array([], pa.string())],
)  # fmt: skip
def test_an_empty_collection(nothing):
    separator = ";" if isinstance(nothing, pa.ChunkedArray) else None
    found = corpus(nothing, nothing, separator=separator, metric="edit")
    assert found.left.starts.tolist() == found.right.starts.tolist() == [0]
    assert found.element_starts.tolist() == found.letter_starts.tolist() == [0]
    assert len(found.element_tokens) == len(found.frequency) == len(found.letters) == 0


@pytest.mark.parametrize("rows", [[None, None], [[], ()], pa.nulls(2), pa.array([[], None])])
def test_empty_sets(rows):
    assert corpus(rows).left.starts.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("left", "options", "message"),
    [
        ("abc", {}, "left must be a list or a column of sets of strings, got 'abc'"),
        (7, {}, "left must be a list or a column of sets of strings, got 7"),
        ({"a": ["b"]}, {}, "left must be a list or a column of sets of strings"),
        (pd.DataFrame({"a": ["b"]}), {}, "left must be one column, got a table"),
        (pa.table({"a": ["b"]}), {}, "left must be one column, got a table"),
        (["abc"], {}, "left holds strings: give separator"),
        (pa.array(["abc"]), {}, "left holds strings: give separator"),
        ([["a"], "abc"], {}, r"left\[1\] must be a list of strings .* got 'abc'"),
        ([["a"], None, 3], {}, r"left\[2\] must be a list of strings .* got 3"),
        ([{"a": 1}], {}, r"left\[0\] must be a list of strings .* got {'a': 1}"),
        ([b"a"], {}, r"left\[0\] must be a list of strings .* got b'a'"),
        ([["a"], ["b", 3]], {}, r"left\[1\] must hold strings alone, got \['b', 3\]"),
        ([["a", None]], {}, r"left\[0\] must hold strings alone"),
        ([["a", b"b"]], {}, r"left\[0\] must hold strings alone"),
        ([[["a"]]], {}, r"left\[0\] must hold strings alone"),
        (pa.array([["a"], ["a", None]]), {}, r"left\[1\] must hold strings alone, got a missing"),
        (pa.array([[1]]), {}, "left must be a column of lists of strings, got one of list"),
        (pa.array([1]), {}, "left must be a column of lists of strings, got one of int64"),
        ([["a"]], {"separator": ";"}, r"left\[0\] must be a string to cut at ';', got \['a'\]"),
        (["a", 3], {"separator": ";"}, r"left\[1\] must be a string to cut at ';', got 3"),
        (pa.array([["a"]]), {"separator": ";"}, "left must be a column of strings to cut at ';'"),
        ([["a"]], {"separator": 3}, "separator must be a string, got 3"),
    ],
)  # fmt: skip
def test_what_is_no_collection(left, options, message):
    with pytest.raises(TypeError, match=message):
        corpus(left, **options)


@pytest.mark.parametrize(
    ("left", "options", "message"),
    [
        ([["a"]], {"tokens": "letters"}, "tokens must be one of 'qgrams', 'words', got 'letters'"),
        ([["a"]], {"metric": "dice"}, "metric must be one of 'jaccard', 'edit'"),
        ([["a"]], {"metric": "edit", "tokens": "words"}, "tokens must be 'qgrams' for edit"),
        ([["a"]], {"q": 0}, "q must be at least 1, got 0"),
        ([["a"]], {"q": 256}, "q must be at most 255, got 256"),
        (["a"], {"separator": ""}, "separator must not be empty"),
        ([["a"], ["\ud800"]], {}, r"left\[1\] must have letters that UTF-8 has"),
        (["a", "\ud800"], {"separator": ";"}, r"left\[1\] must have letters that UTF-8 has"),
    ],
)
def test_what_cannot_be(left, options, message):
    with pytest.raises(ValueError, match=message):
        corpus(left, **options)


def test_the_right_side_is_named():
    with pytest.raises(TypeError, match=r"right\[0\] must be a list of strings"):
        corpus([["a"]], [3])


def test_invalid_utf8_in_a_column():
    broken = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.int32([0, 2])), pa.py_buffer(b"a\xff")]
    )
    with pytest.raises(ValueError, match="left must be valid UTF-8"):
        corpus(broken, separator=";")

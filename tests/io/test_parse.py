"""Lines of columns to arrays, against a slow and obvious parser, across chunks and threads."""

import random
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.base.threads import threads
from edgewise.io.parse import Layout, parse

PATH = Path("test.txt")


def run(text, layout=None, **options):
    data = np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8)
    return parse(PATH, data, layout or Layout(), **options)


def obvious(text, columns):
    """What `parse` must find, for text without bad lines."""
    found = []
    for line in text.split("\n"):
        if line.strip() and line.strip()[0] not in "#%":
            fields = re.split(r"\s*,\s*|\s+", line.strip())
            found.append([fields[column] for column in columns])
    return found


def mixed_text(rng, lines, ids=10**6):
    """Lines with all the freedom there is: comments, blanks, separators, line ends."""
    parts = []
    for _ in range(lines):
        one, other = rng.choices([" ", "\t", ",", " , ", "  "], k=2)
        u, v = rng.randrange(ids), rng.randrange(ids)
        parts.append(f"{rng.choice(['', ' '])}{u}{one}{v}{other}{rng.random()!r}")
        match rng.randrange(20):
            case 0:
                parts.append(f"# {'x' * rng.randrange(100)}")
            case 1:
                parts.append(" " * rng.randrange(3))
        parts[-1] += rng.choice(["", "\r", " "])
    return "\n".join(parts)


@pytest.mark.parametrize("team", [1, 2, 5])
def test_many_chunks(team):
    text = mixed_text(random.Random(team), 30000)
    assert len(text) > 4 * 2**18 - 2**17
    with threads(team):
        rows = run(text, Layout((0, 1, 2)))
    want = obvious(text, (0, 1, 2))
    assert rows.sources.tolist() == [int(row[0]) for row in want]
    assert rows.targets.tolist() == [int(row[1]) for row in want]
    assert rows.weights.tolist() == [float(row[2]) for row in want]


def test_lines_longer_than_a_chunk():
    filler = "x" * (3 * 2**18)
    text = f"0 1 a\n2 3 {filler}\n4 5 b\n# {filler}\n6 7 {filler}"
    assert run(text).sources.tolist() == [0, 2, 4, 6]


def test_a_newline_at_every_place_around_a_chunks_end():
    for size in range(2**18 - 6, 2**18 + 6):
        text = f"#{'x' * (size - 7)}\n1 2\n3 4\n5 6"
        assert run(text).targets.tolist() == [2, 4, 6]


def test_columns_in_any_order():
    rows = run("5 a 7.5 6\n", Layout((3, 0, 2)))
    assert (rows.sources.tolist(), rows.targets.tolist(), rows.weights.tolist()) == (
        [6],
        [5],
        [7.5],
    )


def test_the_type_of_ids():
    assert run("1 2147483647\n").targets.dtype == np.int32
    wide = run("1 2147483648\n3 9223372036854775807\n")
    assert wide.targets.tolist() == [2**31, 2**63 - 1]
    assert wide.sources.tolist() == [1, 3]


def test_a_skipped_line_leaves_no_trace():
    with pytest.warns(UserWarning, match="1 bad line was skipped"):
        rows = run("9223372036854775807 x\n1 2\n3 4294967296\n", on_bad_line="skip")
    assert rows.sources.tolist() == [1, 3]
    assert rows.targets.tolist() == [2, 2**32]


@pytest.mark.parametrize(
    ("tokens", "dtype"),
    [
        (["1", "-2", "+3"], np.int64),
        (["1", "9007199254740993", "-9223372036854775808"], np.int64),
        (["1", "9223372036854775808"], np.float64),
        (["1", "9" * 5000], np.float64),
        (["1", "2.0"], np.float64),
        (["1", "inf"], np.float64),
        (["4.9e-324", "1.00000000000000011102230246251565", "9007199254740993"], np.float64),
    ],
)
def test_the_type_of_weights(tokens, dtype):
    text = "".join(f"{token},0,1\n" for token in tokens)
    weights = run(text, Layout((1, 2, 0))).weights
    assert weights.dtype == dtype
    assert weights.tolist() == [
        dtype(token).item() for token in map(float if dtype is np.float64 else int, tokens)
    ]


def test_weights_of_a_wanted_type():
    assert run("0 1 2\n", Layout((0, 1, 2), weights="real")).weights.dtype == np.float64
    with pytest.raises(
        FileFormatError, match=r"line 2: expected a whole number as weight, got '2\.5'"
    ):
        run("0 1 2\n0 1 2.5\n", Layout((0, 1, 2), weights="whole"))


def test_names():
    rows = run("ann bob\nbob  c\u00e9l\n", Layout(names=True))
    assert rows.sources.to_pylist() == ["ann", "bob"]
    assert rows.targets.to_pylist() == ["bob", "c\u00e9l"]
    rows = run("New York ; Rome\n", Layout(names=True, delimiter=b";"))
    assert (rows.sources.to_pylist(), rows.targets.to_pylist()) == (["New York"], ["Rome"])
    with pytest.raises(FileFormatError, match="line 2: a name is not UTF-8 text"):
        run(b"a b\nc \xff\n", Layout(names=True))


def test_names_in_many_chunks():
    rng = np.random.default_rng(0)
    names = [f"{'n' * rng.integers(1, 9)}{rng.integers(999)}" for _ in range(100000)]
    text = "".join(f"{u}\t{v}\n" for u, v in zip(names[::2], names[1::2], strict=True))
    rows = run(text, Layout(names=True), start=0)
    assert rows.sources.to_pylist() == names[::2]
    assert rows.targets.to_pylist() == names[1::2]


BAD = [
    ("1\n", Layout(), "expected at least 2 columns, found 1"),
    ("1 2 3\n", Layout(width=2), "expected 2 columns, found 3"),
    ("1 2\n", Layout(width=3), "expected 3 columns, found 2"),
    ("1 2,\n", Layout(width=2), "expected 2 columns, found 3"),
    ("1,,2\n", Layout(), r"expected a vertex id \(a whole number from 0\), got ''"),
    (",1\n", Layout(), "got ''"),
    ("1 x\n", Layout(), r"expected a vertex id \(a whole number from 0\), got 'x'"),
    ("-1 2\n", Layout(), "got '-1'"),
    ("1.0 2\n", Layout(), r"got '1\.0'"),
    ("1 2x\n", Layout(), "got '2x'"),
    ("1 99999999999999999999\n", Layout(), "'99999999999999999999' does not fit in 63 bits"),
    ("1 5\n", Layout(high=4), r"vertex id '5' is not in the range 0\.\.4"),
    ("0 1\n", Layout(low=1, high=4), r"vertex id '0' is not in the range 1\.\.4"),
    ("1 2 y\n", Layout((0, 1, 2)), "expected a number as weight, got 'y'"),
    ("1 2 1e\n", Layout((0, 1, 2)), "expected a number as weight, got '1e'"),
    ("1 2 3\n", Layout((1, 2, -1), prefix=b"a"), "expected a line that starts with 'a', got '1'"),
    ("ab 2 3\n", Layout((1, 2, -1), prefix=b"a"), "starts with 'a', got 'ab'"),
    ("1 2;3\n", Layout(delimiter=b";"), "got '1 2'"),
    (";b\n", Layout(delimiter=b";", names=True), "expected a vertex name, got ''"),
    ("1 \u00e4\xb9\n", Layout(), "got '\u00e4\xb9'"),
    ("1 " + "z" * 200 + "\n", Layout(), r"got 'z{36}\.\.\.'"),
]


@pytest.mark.parametrize(("line", "layout", "reason"), BAD)
@pytest.mark.parametrize("before", [0, 1, 50000])
def test_a_bad_line_is_named(line, layout, reason, before):
    good = {
        b"a": "a 1 2\n",
        b";": "1;2\n",
    }.get(
        layout.prefix or layout.delimiter,
        " ".join("1" * max(layout.width, 3 if layout.columns[2] > 0 else 2)) + "\n",
    )
    text = "# c\n" + good * before + line + good * before
    with pytest.raises(FileFormatError, match=reason) as error:
        run(text, layout)
    assert error.value.line == before + 2
    assert error.value.path == "test.txt"
    with pytest.warns(UserWarning, match=r"test\.txt: 1 bad line was skipped"):
        rows = run(text, layout, on_bad_line="skip")
    assert len(rows.sources) == 2 * before


def test_the_first_of_several_bad_lines_is_named():
    lines = ["1 2"] * 200000
    for at in (60001, 60002, 130000, 199999):
        lines[at] = "1 ?"
    for team in (1, 2, 4):
        with threads(team), pytest.raises(FileFormatError) as error:
            run("\n".join(lines))
        assert error.value.line == 60002
    with pytest.warns(UserWarning, match="4 bad lines were skipped"):
        assert len(run("\n".join(lines), on_bad_line="skip").sources) == 199996


def test_zero_bytes_and_lone_returns():
    with pytest.raises(FileFormatError, match="line 2: a zero byte"):
        run(b"1 2 a\n3 4 \x00\n")
    with pytest.raises(FileFormatError, match="line 1: a carriage return"):
        run(b"1 2\r3 4\r")
    with pytest.warns(UserWarning, match="1 bad line"):
        assert run(b"1 2\n3 4\x00\n", on_bad_line="skip").sources.tolist() == [1]
    assert run(b"1 2\r\r\n3 4\r").sources.tolist() == [1, 3]


def test_start_and_line_count_from_there():
    with pytest.raises(FileFormatError, match="line 11: "):
        run("junk\n1 2\nx\n", start=5, line=10)
    rows = run("junk\nab c\n", Layout(names=True), start=5)
    assert rows.sources.to_pylist() == ["ab"]


@pytest.mark.parametrize("text", ["", "\n", "\n\n  \n", "# only\n% comments", "\r\n"])
def test_nothing_to_read(text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rows = run(text, Layout((0, 1, 2)))
    assert (len(rows.sources), len(rows.targets), len(rows.weights)) == (0, 0, 0)

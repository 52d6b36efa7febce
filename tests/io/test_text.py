"""What the text formats share: lines, columns, header counts, and rows of text."""

import io

import numpy as np
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.io.text import (
    check_columns,
    check_size,
    lines,
    look_like_names,
    only,
    shown,
    split_line,
    text_start,
    usual_width,
    write_rows,
)


def array(text):
    return np.frombuffer(text, np.uint8)


@pytest.mark.parametrize("size", [1, 4094, 4095, 4096, 4097, 70000])
def test_lines_of_any_length(size):
    text = b"a" * size + b"\n\n  b \r\nc"
    found = list(lines(array(text)))
    assert [line.content for line in found] == [b"a" * size, b"", b"b", b"c"]
    assert [line.number for line in found] == [1, 2, 3, 4]
    assert b"".join(text[line.start : line.after] for line in found) == text


def test_lines_from_a_place():
    assert [line[0::3] for line in lines(array(b"a\nb\nc\n"), 2, 7)] == [(7, b"b"), (8, b"c")]
    assert list(lines(array(b""))) == []


def test_a_byte_order_mark():
    assert text_start(array(b"\xef\xbb\xbfa")) == 3
    assert text_start(array(b"\xef\xbb")) == 0


@pytest.mark.parametrize(
    ("content", "delimiter", "columns"),
    [
        (b" 1  2\t3 ", b"", [b"1", b"2", b"3"]),
        (b"1 , 2,,3,", b"", [b"1", b"2", b"", b"3", b""]),
        (b"\t1\t\t2\t", b"\t", [b"", b"1", b"", b"2", b""]),
    ],
)
def test_columns_of_a_line(content, delimiter, columns):
    assert split_line(content, delimiter) == columns


def test_header_counts():
    assert only("f", b"12", "the count", 3) == 12
    for wrong in (b"", b"-1", b"1.5", b"x", b"9" * 19):
        with pytest.raises(FileFormatError, match="f, line 3: expected the count"):
            only("f", wrong, "the count", 3)
    with pytest.raises(FileFormatError, match="at least 2, got 1"):
        only("f", b"1", "the count", 3, 2)


def test_a_number_of_vertices_out_of_all_proportion():
    check_size("f", 1 << 22, 0, 1)
    check_size("f", 10**9, 10**6, 1)
    with pytest.raises(
        FileFormatError, match="1000000001 vertices are declared, with only 1000000"
    ):
        check_size("f", 10**9 + 1, 10**6, 1)


def test_guesses():
    assert usual_width([[b"1"], [b"1", b"2"], [b"3", b"4"]]) == 2
    assert usual_width([]) == 0
    assert look_like_names([[b"a", b"1"], [b"1", b"b"], [b"1", b"2"]], (0, 1, -1))
    assert not look_like_names([[b"a", b"1"], [b"1", b"2"]], (0, 1, -1))
    assert not look_like_names([[b"a"]], (0, 1, -1))
    assert check_columns([3, 1]) == (3, 1, -1)


def test_pieces_in_messages_are_printable():
    assert shown(b"\x00\xff") == r"'\x00\\xff'"
    assert len(shown(b"x" * 10**6)) < 50


def test_rows_of_text():
    file = io.BytesIO()
    floats = np.array([1.0, -0.5, 1e300, np.inf, np.nan, 1e16, 123456789.0])
    write_rows(file, [np.arange(7), floats, np.array(list("abcdefg"), object)], ";")
    rows = [line.split(";") for line in file.getvalue().decode().splitlines()]
    assert [row[0] for row in rows] == list("0123456")
    assert [float(row[1]) for row in rows[:4]] == floats[:4].tolist()
    assert all(set(row[1]) & set(".en") for row in rows)
    assert [row[2] for row in rows] == list("abcdefg")


def test_float32_is_written_short():
    file = io.BytesIO()
    write_rows(file, [np.array([0.1, 16777216.0], np.float32)])
    assert file.getvalue().split()[0] == b"0.1"
    assert np.float32(file.getvalue().split()[1].decode()) == 16777216.0


def test_many_rows():
    file = io.BytesIO()
    write_rows(file, [np.arange(2**20 + 5)])
    assert file.getvalue().split() == [b"%d" % i for i in range(2**20 + 5)]

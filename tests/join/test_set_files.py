"""Collections from files: CSV, Parquet, text; compressed, damaged, in other letters."""

from __future__ import annotations

import gzip
import itertools

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from edgewise.base.errors import FileFormatError
from edgewise.join.corpus import corpus
from edgewise.join.set_files import read_column

ROWS = [["J. Smith", "MIT"], [], ["Åsa; née Ö"], ["a,b", '"q"']]


def write(path, content):
    data = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.CSV", "a.tsv", "a.tab.gz"])
@pytest.mark.parametrize(("end", "mark"), [("\n", ""), ("\r\n", "\ufeff")])
def test_csv(tmp_path, name, end, mark):
    lines = ["id,who,x", "1,J. Smith | MIT|,2", ",,", '3,"Åsa; née Ö",', '4,"a,b|""q""",5', ""]
    if ".t" in name:
        lines = [line.replace(",", "\t").replace("a\tb", "a,b") for line in lines]
    path = write(tmp_path / name, mark + end.join(lines))
    found = read_column(path, "who", separator="|")
    assert found.to_pylist() == ROWS
    assert read_column(path, "id").to_pylist() == ["1", "", "3", "4"]
    assert corpus(found).left.starts.tolist() == [0, 2, 2, 3, 5]


def test_csv_with_lines_inside_of_quotes(tmp_path):
    path = write(tmp_path / "a.csv", '"a\nb",c\n"x\ny",2\n\n"",3\n')
    assert read_column(path, "a\nb").to_pylist() == ["x\ny", ""]
    assert read_column(path, "c").to_pylist() == ["2", "3"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_what_stands_between_columns_is_seen(tmp_path, delimiter):
    path = tmp_path / "a.csv"
    path.write_text('id,who\n1,a b\n2,5" pipe\n'.replace(",", delimiter))
    assert read_column(path, "who").to_pylist() == ["a b", '5" pipe']
    path.write_text("a;b\nc\n")  # of one column: lines
    assert read_column(path, separator=";").to_pylist() == [["a", "b"], ["c"]]


def test_empty_lines_of_one_column_are_empty_sets(tmp_path):
    path = write(tmp_path / "a.csv", "who\nx\n\ny\n")
    assert read_column(path, "who", separator=";").to_pylist() == [["x"], [], ["y"]]


def test_csv_without_rows(tmp_path):
    path = write(tmp_path / "a.csv", "who,x\n")
    assert read_column(path, "who", separator=";").to_pylist() == []


@pytest.mark.parametrize("rows", [ROWS, [None, ["a"]]])
def test_parquet_of_lists(tmp_path, rows):
    table = pa.table({"who": rows, "n": range(len(rows))})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=1)
    assert read_column(tmp_path / "a.parquet", "who", separator=";").to_pylist() == rows
    assert read_column(tmp_path / "a.parquet", "who").to_pylist() == rows


def test_parquet_of_strings(tmp_path):
    table = pa.table({"who": ["a;b", None, ""]})
    parquet.write_table(table, tmp_path / "a.parquet")
    found = read_column(tmp_path / "a.parquet", separator=";")
    assert found.to_pylist() == [["a", "b"], [], []]
    assert read_column(tmp_path / "a.parquet").to_pylist() == ["a;b", None, ""]


@pytest.mark.parametrize(
    ("text", "separator", "rows"),
    [
        ("1 2 3 \n4\n", " ", [["1", "2", "3"], ["4"]]),  # FIMI
        ("17 -1 4\r\n5\r\n\r\n6", " -1 ", [["17", "4"], ["5"], [], ["6"]]),  # BMS
        ("a;b\n\n c ; \n", ";", [["a", "b"], [], ["c"]]),
        ("\n", ";", [[]]),
        ("", ";", []),
        ("\ufeffa", ";", [["a"]]),
    ],
)
@pytest.mark.parametrize("name", ["a.dat", "a.csv", "a.txt.gz"])
def test_text(tmp_path, name, text, separator, rows):
    path = write(tmp_path / name, text)
    assert read_column(path, separator=separator).to_pylist() == rows
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    assert read_column(path).to_pylist() == (lines if lines[-1] else lines[:-1])


def test_other_letters(tmp_path):
    path = write(tmp_path / "a.csv", "who\nx\nné;é\n".encode("latin-1"))
    with pytest.raises(
        FileFormatError, match=r"a\.csv, line 3: byte 0xe9 is no utf-8; encoding_errors="
    ):
        read_column(path, "who", separator=";")
    found = read_column(path, "who", separator=";", encoding_errors="replace")
    assert found.to_pylist() == [["x"], ["n\ufffd", "\ufffd"]]
    found = read_column(path, "who", separator=";", encoding="latin-1")
    assert found.to_pylist() == [["x"], ["né", "é"]]
    with pytest.raises(ValueError, match="encoding must be one that Python knows, got 'utf-9'"):
        read_column(path, "who", encoding="utf-9")


@pytest.mark.parametrize(
    "broken", [b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80"]
)
@pytest.mark.parametrize("before", [b"", b"fine\n", "ä".encode() * 999 + b"\n\n"])
def test_invalid_utf8_names_the_line(tmp_path, broken, before):
    path = write(tmp_path / "a.txt", before + b"x" + broken)
    with pytest.raises(FileFormatError) as caught:
        read_column(path)
    assert caught.value.line == before.count(b"\n") + 1
    assert len(read_column(path, encoding_errors="replace")) == before.count(b"\n") + 1


@pytest.mark.parametrize(
    ("name", "content", "column", "message"),
    [
        ("a.csv", "x,y\n1,2\n", "z", "no column 'z' among 'x', 'y'"),
        ("a.csv", "x,x\n1,2\n", "x", "2 columns 'x' among 'x', 'x'"),
        ("a.csv", "x,y\n1,2\n", None, "give column: one of 'x', 'y' "),
        ("a.csv", 'x,y\n1,2\n3,"4\n5,6\n', "x", "line 3: a quote is open at the end of the file"),
        ("a.csv", 'x\n"' + "a\n" * 99_999, "x", "line 2: a quote is open"),
        ("a.csv", "", "x", "no column 'x' among none"),
        ("a.csv", "x,y\n1,2\n3\n", "x", "Row #3: Expected 2 columns, got 1"),
        ("a.csv", 'x,y\n"1,2\n', "x", "Row #2"),
        ("a.txt", "x\n", "x", "only .csv, .tsv, .tab, .parquet, .pq files have a column 'x'"),
        ("a.parquet", "PAR1", "x", "no Parquet file that can be read"),
        ("a.csv.gz", None, "x", "not a sound gz archive"),
    ],
)
def test_damaged_files(tmp_path, name, content, column, message):
    path = tmp_path / name
    if content is None:
        path.write_bytes(b"no archive")
    else:
        write(path, content)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_column(path, column)
    assert str(path) in str(caught.value)


def test_parquet_columns_that_do_not_fit(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"who": ["a"], "n": [1]}), path)
    with pytest.raises(FileFormatError, match="column 'n' must hold strings or lists of strings"):
        read_column(path, "n")
    with pytest.raises(FileFormatError, match="give column: one of 'who', 'n'"):
        read_column(path)


def test_no_file(tmp_path):
    for name, column in itertools.product(["a.csv", "a.parquet", "a.txt"], [None, "x"]):
        if (name, column) != ("a.txt", "x"):
            with pytest.raises(FileNotFoundError, match="there is no file"):
                read_column(tmp_path / name, column)


def test_odd_arguments(tmp_path):
    path = write(tmp_path / "a.txt", "x\n")
    with pytest.raises(
        ValueError, match="encoding_errors must be one of 'strict', 'replace', got 'ignore'"
    ):
        read_column(path, encoding_errors="ignore")
    with pytest.raises(ValueError, match="separator must not be empty"):
        read_column(path, separator="")


def test_a_cell_of_many_megabytes(tmp_path):
    path = write(tmp_path / "a.csv", "who,x\n" + "ab;" * 1_500_000 + ",1\ny,2\n")
    assert [len(row) for row in read_column(path, "who", separator=";").to_pylist()] == [1500000, 1]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "column", "separator", "sets", "members", "elements"),
    [
        ("yelp_sample.csv.gz", None, ";", 10_000, 62_964, 1_129),
        ("retail.dat.gz", None, " ", 88_162, 908_576, 16_470),
        ("BMS_WebView_1.txt.gz", None, " -1 ", 59_601, 149_638, 497),
        pytest.param(
            *("reddit_titles_4th.dat.gz", None, " ", 564_943, 5_605_627, 179_611),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_shared_collections(shared_sets, name, column, separator, sets, members, elements):
    """As their manifest counts them."""
    found = corpus(read_column(shared_sets / name, column, separator=separator))
    assert len(found.left.starts) - 1 == sets
    assert len(found.element_starts) - 1 == elements
    assert len(found.left.elements) == members

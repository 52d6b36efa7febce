"""``edgewise anonymize``: CSV and Parquet in and out; errors name the file and the column."""

from __future__ import annotations

import json

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")


def records(n: int = 60) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {f"c{i}": rng.integers(0, 3, n) for i in range(4)}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_in_and_out(tmp_path, suffix, edgewise):
    import pyarrow.csv
    import pyarrow.parquet

    write = {".csv": pyarrow.csv.write_csv, ".parquet": pyarrow.parquet.write_table}[suffix]
    read = {".csv": pyarrow.csv.read_csv, ".parquet": pyarrow.parquet.read_table}[suffix]
    table = pa.table({**records(), "wish": np.arange(60) % 4 + 1})
    source, target = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    write(table, source)
    done = edgewise("anonymize", source, "--k", "wish", "--max-iter", 2, "-o", target, "--json")
    assert done.code == 0, done.err
    document, released = json.loads(done.out), read(target)
    assert released.column_names == table.column_names[:-1]
    missing = sum(column.null_count for column in released.columns)
    assert document["suppressed_cells"] == missing > 0 and document["records"] == 60
    assert document["suppressed_fraction"] == pytest.approx(missing / 240)
    plain = edgewise("anonymize", source, "--k", 3, "--columns", "c0,c1", "--max-iter", 2)
    assert "suppressed cells" in plain.out and "2 or more" in plain.out
    stream = edgewise("anonymize", source, "--k", 2, "--max-iter", 1, "-o", "-")
    assert stream.out.count("\n") == 61


def test_kept_cells_of_text_files_are_unchanged(tmp_path, edgewise):
    """Whatever a cell looks like, its bytes are released, and nothing else is in quotes."""
    cells = ["00712", "1.0", "1e5", "NA", " x ", '"a, b"', '"say ""no"""', '"two\nlines"', '""',
             "2020-1-01", "true", "+7", "99999999999999999999", "é"]  # fmt: skip
    header, lines = b'zip,"a, b"\n', []
    for cell in cells:
        lines += 2 * [cell.encode() + b",\xe9 \n"]  # the second column is not UTF-8
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_bytes(b"\xef\xbb\xbf" + header + b"".join(lines))
    assert edgewise("anonymize", source, "--k", 2, "-o", target).code == 0
    assert target.read_bytes() == header + b"".join(lines)
    assert edgewise("anonymize", source, "--k", 2, "-o", tmp_path / "out.tsv").code == 0
    assert b'\n"two\nlines"\t\xe9 \n' in (tmp_path / "out.tsv").read_bytes()
    assert b"\na, b\t" in (tmp_path / "out.tsv").read_bytes()


def test_missing_and_suppressed_cells_are_counted_apart(tmp_path, edgewise):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("a,b,wish\n1,,2\n1,,2\n07,x,2\n07,y,2\n")
    done = edgewise("anonymize", source, "--k", "wish", "-o", target, "--json")
    document = json.loads(done.out)
    assert (document["suppressed_cells"], document["missing_cells"]) == (2, 2)
    assert target.read_text() == "a,b\n1,\n1,\n07,\n07,\n"
    source.write_text("a\n1\n2\n")  # a line of one suppressed cell is not empty
    assert edgewise("anonymize", source, "--k", 2, "-o", target, "--force").code == 0
    assert target.read_text() == 'a\n""\n""\n'


def test_what_is_wrong_is_named(tmp_path, edgewise):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3\n")
    (tmp_path / "b.csv").write_text("a,b\n1,2\n")
    (tmp_path / "k.csv").write_text("a,wish,none\n1,2,1\n3,two,\n")
    for arguments, message in (
        (("a.csv", "--k", "2"), "a.csv"),
        (("b.csv", "--k", "c"), "no column 'c'"),
        (("b.csv", "--k", "2"), "number of records"),
        (("k.csv", "--k", "wish"), "column 'wish' must be whole numbers, got 'two' for record 1"),
        (
            ("k.csv", "--k", "none"),
            "column 'none' must have k of every record, and 1 are missing, first of record 1",
        ),
        (("b.txt", "--k", "2"), ".csv, .tsv or .parquet"),
        (("b.csv", "--k", "1", "--json", "-o", "-"), "--json"),
        (("b.csv", "--k", "1", "-o", tmp_path / "b.csv"), "--force"),
    ):
        done = edgewise("anonymize", tmp_path / arguments[0], *arguments[1:])
        assert done.code != 0 and message in " ".join(done.err.split())

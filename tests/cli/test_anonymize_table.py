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


def test_what_is_wrong_is_named(tmp_path, edgewise):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3\n")
    (tmp_path / "b.csv").write_text("a,b\n1,2\n")
    for arguments, message in (
        (("a.csv", "--k", "2"), "a.csv"),
        (("b.csv", "--k", "c"), "no column 'c'"),
        (("b.csv", "--k", "2"), "number of records"),
        (("b.txt", "--k", "2"), ".csv, .tsv or .parquet"),
        (("b.csv", "--k", "1", "--json", "-o", "-"), "--json"),
        (("b.csv", "--k", "1", "-o", tmp_path / "b.csv"), "--force"),
    ):
        done = edgewise("anonymize", tmp_path / arguments[0], *arguments[1:])
        assert done.code != 0 and message in done.err.replace("\n", " ")

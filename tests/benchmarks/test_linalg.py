"""The benchmark of sparse products: its report, and the whole of it on a tiny matrix."""

from __future__ import annotations

import json

import pytest

from benchmarks.linalg import measure_linalg, measure_linalg_on_gpu
from benchmarks.linalg.beside import markdown
from benchmarks.linalg.problems import TASKS


def test_report_names_the_worst_row():
    row = {"graph": "a", "entries": 9, "task": "A*A", "ring": "plus_times", "total": 1.0,
           "date": "2026-01-01"}  # fmt: skip
    text = markdown([row | {"who": "Edgewise", "seconds": 1.0},
                     row | {"who": "SciPy", "seconds": 2.0},
                     row | {"who": "MKL", "seconds": 2.0, "total": 3.0}])  # fmt: skip
    assert "PASS: A*A on a takes 0.50 of SciPy's time" in text
    assert "MISS: A*A plus_times on a differs from MKL's" in text


def test_report_names_rows_without_a_time():
    row = {"entries": 9, "task": "A*A", "ring": "plus_times", "date": "2026-01-01"}
    timed, slow = {"seconds": 1.0, "total": 1.0}, {"note": ">12 s"}
    text = markdown([row | {"graph": graph, "who": who} | cell for graph, ours, theirs in (
        ("a", timed, timed), ("b", slow, slow), ("c", slow, timed), ("d", timed, slow),
    ) for who, cell in (("Edgewise", ours), ("SciPy", theirs))])  # fmt: skip
    said = "has no share of SciPy's time: Edgewise"
    assert f"OPEN: A*A on b {said} >12 s, SciPy >12 s." in text
    assert f"MISS: A*A on c {said} >12 s, SciPy 1 s." in text
    assert f"PASS: A*A on d {said} 1 s, SciPy >12 s." in text
    assert "MISS: A*A on a takes 1.00 of SciPy's time" in text


@pytest.mark.slow
def test_commands_on_tiny_matrices(tmp_path):
    told = []
    text = measure_linalg(["kron6"], 1, 120, tmp_path, told.append)
    rows = json.loads((tmp_path / "linalg.json").read_text())
    ours = [row for row in rows if row["who"] == "Edgewise"]
    assert len(ours) == len(TASKS)
    assert all("seconds" in row for row in ours)
    assert "differs from" not in text
    text = measure_linalg_on_gpu(1, tmp_path, told.append, device="cpu", quick=True)
    assert "A\\*A" in text

"""The benchmark of the backend runs, and says how many times faster it is."""

from __future__ import annotations

import json

import pytest

from benchmarks.networkx_backend import CALLS, measure_networkx
from benchmarks.networkx_conversion import measure_conversion


@pytest.mark.slow
def test_the_benchmark_runs(tmp_path):
    told: list[str] = []
    text = measure_networkx(["grid8"], 1, 1.0, tmp_path, told.append)
    rows = json.loads((tmp_path / "networkx.json").read_text())
    assert [row["call"] for row in rows] == [*CALLS]
    assert all(row["networkx"] > 0 < row["edgewise kept"] for row in rows)
    assert text.count("\n| grid8 |") == len(CALLS) and "64 nodes, 112 edges" in told[0]


@pytest.mark.slow
def test_conversions_and_imports_are_measured(tmp_path):
    told: list[str] = []
    text = measure_conversion(1, tmp_path, told.append, edges=2000)
    found = json.loads((tmp_path / "networkx-conversion.json").read_text())
    assert [row["nodes"] for row in found["conversion"]] == ["integers", "strings"]
    assert all(row["edges"] == 2000 and row["backend"] > 0 for row in found["conversion"])
    assert found["import"]["absent"] > 0 and found["import"]["installed"] > 0
    assert (tmp_path / "networkx-conversion.md").read_text() == text and len(told) == 3
    assert "| strings | 2,000 |" in text and "`import networkx` takes" in text

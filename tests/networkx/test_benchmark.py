"""The benchmark of the backend runs, and says how many times faster it is."""

from __future__ import annotations

import json

import pytest

from benchmarks.networkx_backend import CALLS, measure_networkx


@pytest.mark.slow
def test_the_benchmark_runs(tmp_path):
    told: list[str] = []
    text = measure_networkx(["grid8"], 1, 1.0, tmp_path, told.append)
    rows = json.loads((tmp_path / "networkx.json").read_text())
    assert [row["call"] for row in rows] == [*CALLS]
    assert all(row["networkx"] > 0 < row["edgewise kept"] for row in rows)
    assert text.count("\n| grid8 |") == len(CALLS) and "64 nodes, 112 edges" in told[0]

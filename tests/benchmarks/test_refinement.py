"""The benchmark of refinement on a tiny graph: every cell there, and none that makes it worse."""

from __future__ import annotations

import json

import pytest

from benchmarks import refinement


@pytest.mark.slow
def test_every_cell(tmp_path):
    told: list[str] = []
    text = refinement.measure_refinement(("mesh20",), "cpu", tmp_path, told.append)
    rows = json.loads((tmp_path / "refinement.json").read_text())["rows"]
    assert len(rows) == len(told) >= 6 and "| mesh20 | natural | linear_gap |" in text
    assert all(one["percent"] >= 0 for row in rows for one in row["cells"])
    assert all(len(row["cells"]) == 6 for row in rows)

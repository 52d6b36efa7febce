"""The benchmark of streams on a tiny graph: every answer there, with a time."""

from __future__ import annotations

import json

import pytest

from benchmarks import dynamic

pytestmark = pytest.mark.slow


def test_every_answer_is_measured(tmp_path):
    told: list[str] = []
    text = dynamic.measure_dynamic(("rmat8",), (4,), 1, "cpu", tmp_path, "command", told.append)
    rows = json.loads((tmp_path / "dynamic.json").read_text())["rows"]
    assert [row["answer"] for row in rows] == ["updated", "Stream.update", *dynamic.ANSWERS]
    assert all(cell["ours"] > 0 and cell["static"] > 0 for row in rows for cell in row["cells"])
    assert len(told) == len(rows) and "batch of 4" in text
    assert (tmp_path / "dynamic.md").read_text().endswith(text + "\n")

"""Benchmarks of small graphs, busy machines and many threads: they run and report."""

from __future__ import annotations

import json

import pytest

from benchmarks.busy import measure_busy
from benchmarks.small import measure_small
from benchmarks.threads import measure_threads

pytestmark = pytest.mark.slow


@pytest.mark.filterwarnings("ignore")  # those of other libraries
def test_small(tmp_path):
    pytest.importorskip("igraph")
    text = measure_small(2, 1, [], tmp_path, lambda line: None, quick=True)
    cells = json.loads((tmp_path / "small.json").read_text())
    assert {"betweenness_centrality", "bfs"} <= {cell["task"] for cell in cells}
    assert all(cell["ours"] > 0 and len(cell) > 6 for cell in cells)
    assert "| bfs | random 100 |" in text


def test_busy(tmp_path):
    text = measure_busy(2, 1, tmp_path, lambda line: None, quick=True)
    assert "core_number, R-MAT 10" in text and "times slower" in text


def test_threads(tmp_path):
    said = []
    measure_threads([1, 2], 10, 1, ["bfs", "core_number"], tmp_path, said.append)
    rows = json.loads((tmp_path / "threads.json").read_text())
    assert {row["graph"] for row in rows} == {"R-MAT 10", "road 50", "R-MAT 14"}
    assert all(set(row["ours"]) == {"1", "2"} for row in rows) and len(said) == len(rows)

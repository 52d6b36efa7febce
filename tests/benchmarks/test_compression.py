"""The benchmark of compressed graphs, on a small one."""

from __future__ import annotations

import json

import pytest

from benchmarks.compression import QUICK, measure_compression


@pytest.mark.slow
def test_it_measures_sizes_and_times(tmp_path):
    text = measure_compression(QUICK, 1, tmp_path, print)
    (found,) = json.loads((tmp_path / "compression.json").read_text())
    assert all(size["bytes"] < found["plain"] for size in found["sizes"])
    assert len(found["times"]) == 10 and all(row["compressed"] > 0 for row in found["times"])
    assert "| kron10 | natural | bfs |" in text

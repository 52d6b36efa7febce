"""The benchmark of graphs larger than a memory limit, on a small one."""

from __future__ import annotations

import json
import mmap
import os

import pytest

from benchmarks.outofcore import measure_outofcore

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (os.path.exists("/proc/self/io") and hasattr(mmap, "MADV_DONTNEED")),
        reason="needs Linux",
    ),
]


def test_rows_are_saved_one_by_one(tmp_path):
    """What was measured before an interrupt is in the files."""
    names, folder = ["bfs", "connected_components"], tmp_path / "results"

    def stop(text):
        if text.startswith("bfs:"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_outofcore(10, 8, "16MiB", names, tmp_path, folder, stop)
    (row,) = json.loads((folder / "outofcore-10.json").read_text())["times"]
    assert row["algorithm"] == "bfs" and row["cold"]["seconds"] > 0 and "inside" not in row
    assert "| bfs | – |" in (folder / "outofcore-10.md").read_text()

    text = measure_outofcore(10, 8, "16MiB", names, tmp_path, folder, print)
    rows = json.loads((folder / "outofcore-10.json").read_text())["times"]
    assert [row["algorithm"] for row in rows] == names and all(row["inside"] > 0 for row in rows)
    assert "| bfs | –" not in text

"""The benchmark of compressed graphs, on a small one."""

from __future__ import annotations

import json

import pytest

from benchmarks.bv_bits import bv_bits
from benchmarks.compression import QUICK, measure_compression
from edgewise.graph import Graph


def test_bits_of_webgraph_by_hand():
    """A row equal to the one before takes its degree (5), the reference (2) and no blocks (1)."""
    once = Graph.from_edges([0] * 3, [2, 5, 9], directed=True)
    twice = Graph.from_edges([0] * 3 + [1] * 3, [2, 5, 9] * 2, directed=True)
    assert bv_bits(twice) - bv_bits(once) == 8 - 1  # an empty row takes one bit
    run = Graph.from_edges([0] * 4, [2, 3, 4, 5], directed=True)
    # degree 5, no reference 1, one interval 3, from 0 + 2 (5), of least length 1; five empty rows
    assert bv_bits(run) == 5 + 1 + 3 + 5 + 1 + 5


@pytest.mark.slow
def test_it_measures_sizes_and_times(tmp_path):
    text = measure_compression(QUICK, 1, tmp_path, print)
    (found,) = json.loads((tmp_path / "compression.json").read_text())
    assert all(size["bytes"] < found["plain"] for size in found["sizes"])
    assert len(found["times"]) == 10 and all(row["compressed"] > 0 for row in found["times"])
    assert "| kron10 | natural | bfs |" in text and "natural, WebGraph's BV" in text
    assert [row["algorithm"] for row in found["weights"]] == [
        "sssp", "pagerank", "louvain", "locally_dominant"]  # fmt: skip
    assert all(row["coded"] > 0 for row in found["weights"])


def test_a_run_of_some_parts_keeps_the_others(tmp_path):
    path = tmp_path / "compression.json"
    time = {"algorithm": "bfs", "order": "natural", "plain": 1.0, "compressed": 2.5}
    path.write_text(json.dumps([{"graph": "kron10", "times": [time]}]))
    text = measure_compression(QUICK, 1, tmp_path, print, parts=["bv"])
    (found,) = json.loads(path.read_text())
    assert found["times"] == [time] and "| 2.50 |" in text and "sizes" not in found
    assert 0 < found["bv"]["natural"] < found["plain"]

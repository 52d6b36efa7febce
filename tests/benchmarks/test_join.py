"""The benchmark of fuzzy joins on a small collection: rows, kept ones, and the report."""

from __future__ import annotations

import json
import subprocess

import pytest

from benchmarks.graphs import MissingGraphError
from benchmarks.join import measure_join, measure_join_on_gpu
from benchmarks.join.peers import linked
from benchmarks.join.sets import Collection, load


def test_rows_are_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("EDGEWISE_PYTOKENJOIN", raising=False)
    told = []
    text = measure_join(["made-60"], 1, 120, tmp_path, told.append)
    (row,) = json.loads((tmp_path / "join.json").read_text())
    assert set(row["thresholds"]) == {"0.6", "0.7", "0.8", "0.9"}
    cells = [*row["thresholds"].values(), *row["shares"].values(), *row["methods"].values()]
    assert all("seconds" in cell for cell in cells), cells
    assert all(cell["memory"] >= 0 for cell in row["thresholds"].values())
    for name, cell in row["methods"].items():
        assert cell["precision"] == 1 if name.endswith("lower") else cell["recall"] == 1
    assert row["thresholds"]["0.6"]["linkage"]["recall"] > 0.8
    assert "names no Python" in row["pytokenjoin"]["note"]
    assert "| made-60 at 0.7 | greedy upper |" in text and "## Linkage" in text
    again = measure_join(["nothing"], 1, 120, tmp_path, told.append)
    assert "nothing is left out" in told[-1] and "| made-60 | 0.6 |" in again


def test_beside_a_device(tmp_path):
    text = measure_join_on_gpu(1, tmp_path, lambda line: None, device="cpu", quick=True)
    rows = json.loads((tmp_path / "join-cuda.json").read_text())
    assert all(row["found"] > 0 and row["other"] == row["difference"] == 0 for row in rows)
    assert "| 40 | exact | 100 |" in text


def test_collections():
    large = load("large-100")
    assert len(large.left) == len(large.right) == 5 and len(large.part(0.2).left) == 1
    made = load("made-60")
    assert len(made.left) == 60 and made.part(0.5) == made.part(0.5)
    assert len(made.part(0.5).left) == 30
    with pytest.raises(MissingGraphError, match="no collection"):
        load("nothing")


@pytest.mark.data
@pytest.mark.parametrize(("name", "count"), [("cddb", 300), ("DBLP-ACM", 2224)])
def test_known_matches(shared_sets, name, count):
    data = load(name)
    assert len(data.truth) == count
    sizes = len(data.left), len(data.right or data.left)
    assert all(a < sizes[0] and b < sizes[1] for a, b in data.truth)


def test_linkage_of_others(monkeypatch):
    """A tool that answers as `linkers.py` does: what it finds is compared with the truth."""
    rows = [{"title": f"t{i}", "names": "n", "year": "1"} for i in range(8)]
    truth = frozenset({(0, 1), (2, 3), (4, 5), (6, 7)})
    data = Collection("few", [["a"]] * 8, None, truth, (rows, None))
    monkeypatch.delenv("EDGEWISE_LINKERS", raising=False)
    assert "names no Python" in linked("splink", data, 10)["note"]
    said = subprocess.CompletedProcess(
        [], 0, '{"seconds": 1, "pairs": [[0, 1], [2, 4]], "peak": 9}'
    )
    monkeypatch.setenv("EDGEWISE_LINKERS", "python")
    monkeypatch.setattr("subprocess.run", lambda *_, **__: said)
    found = linked("splink", data, 10)
    assert found["pairs"] == 2 and found["linkage"] == {"recall": 0.25, "precision": 0.5}

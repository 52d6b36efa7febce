"""The benchmark of network sensing on few packets: all agree, and rows are kept."""

from __future__ import annotations

import json
from importlib.util import find_spec

import numpy as np
import pytest

from benchmarks.sensing import STAGES, beside, measure_sensing, measure_sensing_on_gpu
from benchmarks.sensing.graphblas import binned


@pytest.mark.slow
def test_all_agree(tmp_path, monkeypatch):
    told = []
    text = measure_sensing(300_000, list(STAGES), 1, 120, tmp_path, told.append)
    rows = json.loads((tmp_path / "sensing.json").read_text())["rows"]
    absent = "" if find_spec("graphblas") else "graphblas"  # in the extra for benchmarks alone
    cells = [cell for row in rows.values() for name, cell in row.items() if name != absent]
    notes = [cell["note"] for cell in cells]
    assert set(rows) == set(STAGES) and not any(notes), notes
    assert {*rows["analysis"]} == {*rows["whole"]} == {"edgewise", "graphblas", "pandas"}
    assert all(cell["seconds"] for cell in cells)
    assert "end to end from records" in text
    assert not list(tmp_path.glob(".sensing-*"))
    again = measure_sensing(300_000, ["records"], 1, 120, tmp_path, told.append)
    assert "| read a capture |" in again  # which was not measured again
    monkeypatch.setattr(beside, "_TOGETHER", 1000)  # libraries one after the other
    measure_sensing(300_000, ["analysis"], 1, 120, tmp_path, told.append)
    row = json.loads((tmp_path / "sensing.json").read_text())["rows"]["analysis"]
    present = [name for name in rows["analysis"] if name != absent]
    assert [name for name, cell in row.items() if cell["seconds"]] == present


@pytest.mark.slow
def test_beside_a_device(tmp_path):
    text = measure_sensing_on_gpu(300_000, 1, tmp_path, lambda line: None, device="cpu")
    assert "`sense` in 1 batch" in text and "`sense` in 10 batches" in text
    assert (tmp_path / "sensing-cuda.json").exists()


def test_bins():
    assert binned(np.array([1, 2, 3, 4, 5, 8, 9]))[:5].tolist() == [1, 1, 2, 2, 1]

"""The benchmark of protein families: its measures, and a run on a few sequences."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.proteins import beside, measure_families, on_gpu
from benchmarks.proteins.beside import scores


def test_measures():
    truth = np.array(["a", "a", "b", "b"])
    assert scores(np.array([3, 3, 7, 7]), truth) == {"recall": 1, "precision": 1, "f1": 1}
    assert scores(np.arange(4), truth)["f1"] == 0
    assert scores(np.zeros(4), truth) == {"recall": 1, "precision": 1 / 3, "f1": 0.5}


def test_run(tmp_path, monkeypatch):
    text = "MGSNKSKPKDASQRRRSLEPAENVHGAGGGAFPASQTPSKPASADGHRGPSAAFAPAAAEPKLFGGFNSSDTV"
    path = tmp_path / "some.fasta"
    path.write_text(f">a\n{text}\n>b\n{text}\n>c\n{text[::-1]}\n")
    monkeypatch.setattr(beside, "_labeled", lambda quick: (path, np.array([1, 1, 2])))
    monkeypatch.setattr(beside.shutil, "which", lambda name: None)
    told = []
    report = measure_families(60, tmp_path / "results", told.append)
    assert "| edgewise |" in report
    assert "1.000" in report
    assert (tmp_path / "results" / "proteins.json").exists()


@pytest.mark.parametrize("pairs", [1, 60])
def test_random_pairs(pairs):
    sequences, left, right = on_gpu._random(20, pairs)
    assert len(left) == len(right) == pairs
    assert max(left.max(), right.max()) < len(sequences.names)
    assert (sequences.lengths > 0).all()

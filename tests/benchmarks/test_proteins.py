"""The benchmark of protein families: its measures, and a run on a few sequences."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.proteins import beside, measure_families, on_gpu
from benchmarks.proteins.beside import scores
from benchmarks.proteins.simulated import simulate_families
from edgewise.apps import protein_families, read_fasta


def test_measures():
    truth = np.array(["a", "a", "b", "b"])
    assert scores(np.array([3, 3, 7, 7]), truth) == {"recall": 1, "precision": 1, "f1": 1}
    assert scores(np.arange(4), truth)["f1"] == 0
    assert scores(np.zeros(4), truth) == {"recall": 1, "precision": 1 / 3, "f1": 0.5}


def test_run(tmp_path, monkeypatch):
    text = "MGSNKSKPKDASQRRRSLEPAENVHGAGGGAFPASQTPSKPASADGHRGPSAAFAPAAAEPKLFGGFNSSDTV"
    path = tmp_path / "some.fasta"
    path.write_text(f">a\n{text}\n>b\n{text}\n>c\n{text[::-1]}\n")
    parts = {"tuning": np.array([True, True, False]), "test": np.array([False, False, True])}
    labeled = beside.Labeled("SCOP", path, np.array([1, 1, 2]), parts)
    monkeypatch.setattr(beside, "_scop", lambda place, quick: labeled)
    monkeypatch.setattr(beside.shutil, "which", lambda name: None)
    told = []
    report = measure_families(60, tmp_path / "results", told.append, quick=True)
    assert report.count("| edgewise |") == 2
    assert "1.000" in report
    assert "Steps of edgewise: seeds " in report
    rows = json.loads((tmp_path / "results" / "proteins.json").read_text())
    assert [row["set"] for row in rows] == ["SCOP"] * 3 + ["simulated"] * 3
    assert min(row["precision"] for row in rows) > 0.9


def test_settings_are_chosen_on_the_first_part():
    """Of all settings one finds the pair of the first part."""
    right, wrong = np.array([0, 0, 2]), np.arange(3)
    empty = np.empty(0)
    search = beside.Search(
        lambda evalue: beside.Hits(empty, empty, np.array([evalue]), empty),
        lambda hits, evalue: hits._replace(evalue=np.array([evalue])),
        lambda hits, inflation: right if (hits.evalue[0], inflation) == (1e-2, 2.0) else wrong,
    )
    parts = {"tuning": np.array([True, True, False]), "test": np.array([False, True, True])}
    row = beside._measured(search, beside.Labeled("", None, np.array([5, 5, 5]), parts))
    assert (row["evalue"], row["inflation"], row["f1"]) == (1e-2, 2.0, 0.5)
    assert row["parts"] == {"tuning": 1, "test": 0}


def test_hits_are_read_once_per_pair(tmp_path):
    path = tmp_path / "hits.tsv"
    path.write_text("a\tb\t1e-3\t30\nb\ta\t1e-4\t31\na\ta\t0\t99\nc\ta\t2\t20\n")
    hits = beside._read_hits(path, ["a", "b", "c"])
    assert list(zip(*(column.tolist() for column in hits[:4]), strict=True)) == [
        (0, 1, 1e-4, 31), (0, 2, 2, 20),
    ]  # fmt: skip


def test_simulated_families(tmp_path):
    families, distances = simulate_families(tmp_path / "some.fasta", 3, seed=1)
    sequences = read_fasta(tmp_path / "some.fasta")
    assert len(families) == len(distances) == len(sequences.names)
    assert len(set(families)) == 9
    found = protein_families(sequences, max_chance=1.0)
    assert scores(found.families, families)["f1"] > 0.8
    near = distances == "near"
    assert scores(found.families[near], families[near])["f1"] == 1


@pytest.mark.parametrize("pairs", [1, 60])
def test_random_pairs(pairs):
    sequences, left, right = on_gpu._random(20, pairs)
    assert len(left) == len(right) == pairs
    assert max(left.max(), right.max()) < len(sequences.names)
    assert (sequences.lengths > 0).all()

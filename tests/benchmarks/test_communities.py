"""The benchmark of communities on a tiny graph: all methods of ours, and another program."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from benchmarks.communities import measure_communities, measure_markov, measure_on_gpu
from benchmarks.communities.graphs import lfr_like

PROGRAM = """
import sys, numpy as np
ends = np.loadtxt(sys.argv[1], int)
np.savetxt(sys.argv[2], np.arange(ends.max() + 1) // 50, "%d")
print("took", 0.125)
"""


@pytest.mark.slow
def test_it_rates_everyone(tmp_path, monkeypatch):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = f"Other={sys.executable} {tmp_path / 'program.py'}"
    monkeypatch.setenv("EDGEWISE_COMMUNITIES", command)
    told = []
    text = measure_communities(["planted", "absent"], 1, 60, tmp_path, told.append)
    assert any(line.startswith("absent is left out") for line in told)
    found = json.loads((tmp_path / "communities.json").read_text())[0]["found"]
    assert found["Other "]["seconds"] == 0.125 and found["Other "]["nmi"] == pytest.approx(1)
    for name in ("louvain", "louvain, deterministic", "leiden", "label_propagation"):
        assert found[f"Edgewise {name}"]["modularity"] > 0.7
    assert "| Edgewise louvain |" in text and "| Other |" in text


@pytest.mark.slow
def test_beside_a_device(tmp_path):
    text = measure_on_gpu(1, tmp_path, lambda line: None, quick=True, device="cpu")
    assert "R-MAT 10" in text and "LFR-like" in text


def test_edges_among_communities():
    sources, targets = lfr_like(np, 5000, 20_000, 0.3)
    assert len(sources) == len(targets) == 20_000
    assert min(sources.min(), targets.min()) >= 0 and max(sources.max(), targets.max()) < 5000
    assert (abs(sources - targets) < 1000).mean() > 0.6


@pytest.mark.slow
def test_markov_clustering(tmp_path):
    text = measure_markov([], 60, tmp_path, lambda line: None, quick=True)
    row = json.loads((tmp_path / "markov.json").read_text())[0]
    assert row["clusters"] > 1 and row.get("ari", 1) > 0.99
    assert "| planted |" in text

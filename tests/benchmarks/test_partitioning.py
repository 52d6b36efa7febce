"""The benchmark of partitions on tiny graphs."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.partitioning import (
    Times,
    measure_balance,
    measure_fill,
    measure_partitioning,
    measure_partitioning_on_gpu,
)
from benchmarks.partitioning.graphs import arcs_of, quality
from benchmarks.partitioning.packages import METHODS
from benchmarks.partitioning.report import markdown


def test_quality_of_a_grid_in_stripes():
    grid = arcs_of("grid6")
    found = quality(grid, np.arange(36) // 12, 3)  # three stripes of two rows
    assert (found.cut, found.volume, found.imbalance) == (12, 24, 0)
    lopsided = quality(grid, np.arange(36) // 18 * 2, 3)
    assert lopsided.imbalance == pytest.approx(0.5)
    assert quality(grid, np.zeros(36, int), 1) == (0, 0, 0)
    for wrong in (np.zeros(35, int), np.full(36, 3), np.full(36, -1)):
        with pytest.raises(ValueError, match="parts must be 36 numbers from 0 to 2"):
            quality(grid, wrong, 3)
    with pytest.raises(ValueError, match="graph must be kron<scale>"):
        arcs_of("nowhere")


def row(who, cut, seconds, imbalance=0.0):
    return {"graph": "4elt", "n": 100, "m": 200, "k": 2, "who": who, "cut": [cut], "volume": [cut],
            "seconds": [seconds], "imbalance": [imbalance], "date": "2026-01-01"}  # fmt: skip


def test_report_compares_with_metis():
    text = markdown([row("Edgewise multilevel default", 90, 1.0), row("METIS k-way", 100, 2.0)])
    assert "| 4elt | 2 | 90, 1 s | 100, 2 s |" in text
    assert "| Edgewise multilevel default | 0.900 | 0.900 | 0.500 | 0 of 1 | 0.0 % |" in text
    assert "- PASS: the cut of Edgewise multilevel default is 0.900 of that of METIS" in text
    assert "- PASS: 0 of 1 partitions" in text
    text = markdown([row("Edgewise spectral", 150, 1.0, 0.04), row("METIS k-way", 100, 2.0)])
    assert "- MISS: the cut of Edgewise spectral is 1.500 of that of METIS" in text
    assert "- MISS: 1 of 1 partitions of ours have a part that is too large." in text


def test_a_method_that_does_not_end_counts_with_the_limit():
    late = row("Edgewise multilevel default", 90, 1.0) | {
        "cut": [], "seconds": [], "note": ">40 s", "k": 16}  # fmt: skip
    rows = [row("Edgewise multilevel default", 90, 1.0), row("KaMinPar default", 100, 1.0),
            late, row("KaMinPar default", 100, 2.5) | {"k": 16},
            row("METIS k-way", 100, 1.0), row("METIS k-way", 100, 1.0) | {"k": 16}]  # fmt: skip
    text = markdown(rows)
    assert "- MISS: the time of Edgewise multilevel default is at least 4.000 of that" in text
    assert "it did not end in time for 4elt with 16 parts, where the limit counts" in text
    assert "default is 0.900 of that of METIS k-way, geometric mean of 1 of 2 rows;" in text
    assert "Means: Edgewise over 1 seed, the others over 1 seed." in text


def test_methods_without_times():
    rows = [row("Edgewise spectral", 150, 1.0) | {"seconds": []}, row("SciPy LOBPCG", 120, 1.0)]
    text = markdown([*rows, row("METIS k-way", 100, 2.0)])
    assert "| 4elt | 2 | 150 | 100, 2 s | 120, 1 s |" in text
    assert "| Edgewise spectral | 1.500 | 1.500 |  | 0 of 1 |" in text


def test_balance_of_tiny_graphs(tmp_path):
    told = []
    text = measure_balance(["grid9"], (2, 3), 3, tmp_path, told.append, 60)
    assert "| grid9 |" in text and "- PASS: 0 of 6 partitions" in text and len(told) == 2
    measure_balance(["grid9"], (2,), 3, tmp_path, told.append, 60)
    assert len(told) == 2  # nothing anew
    text = measure_balance(["grid9"], (2, 3), 4, tmp_path, told.append, 60)
    assert "- PASS: 0 of 8 partitions" in text and "of 4 seeds" in told[2]


@pytest.mark.slow
def test_command_on_a_tiny_graph(tmp_path):
    told = []
    text = measure_partitioning(["grid8"], (2, 3), Times(1, 2, 120), tmp_path, told.append)
    rows = json.loads((tmp_path / "partitioning.json").read_text())
    ours = [one for one in rows if one["who"].startswith("Edgewise")]
    assert len(ours) == 2 * len(METHODS["Edgewise"])
    assert all(len(one["cut"]) == 2 and len(one["seconds"]) == 1 for one in ours)
    assert "- PASS: 0 of" in text
    few = ("Edgewise spectral",)
    measure_partitioning(["grid8"], (2,), Times(1, 2, 120), tmp_path, told.append, few)
    assert len(json.loads((tmp_path / "partitioning.json").read_text())) == len(rows)
    with pytest.raises(ValueError, match="only must name methods"):
        measure_partitioning(["grid8"], (2,), Times(1, 2, 120), tmp_path, told.append, ("best",))
    told.clear()
    measure_partitioning(["grid8"], (2,), Times(2, 3, 120, budget=0), tmp_path, told.append)
    assert any("no seed from 1 on" in line for line in told)
    fills = measure_fill(["grid15"], tmp_path, told.append)
    assert "| grid15 | 225 |" in fills and "COLAMD" in fills
    (filled,) = json.loads((tmp_path / "partitioning-fill.json").read_text())
    assert 0 < filled["nested_dissection"] < filled["COLAMD"]
    text = measure_partitioning_on_gpu(1, tmp_path, told.append, device="cpu", quick=True)
    assert "MISS: the parts" not in text and text.count("are balanced") == 4

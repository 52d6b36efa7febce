"""The benchmark beside scanpy on few cells: every number there, and UMAP's weights."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.single_cell import QUICK, connectivities, measure_single_cell


@pytest.mark.slow
def test_every_number(tmp_path):
    pytest.importorskip("igraph")
    told: list[str] = []
    text = measure_single_cell([*QUICK], 2, 60, tmp_path, told.append)
    (row,) = json.loads((tmp_path / "scanpy.json").read_text())
    assert len(row["runs"]) == 12 and "| 1,000 | 0.5 |" in text
    assert all(0 < run["ari"] <= 1 and run["seconds"] > 0 for run in row["runs"])


def test_weights_of_a_point_add_up_to_log2_k():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(200, 3))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    order = np.argsort(distances, axis=1)[:, 1:11]
    near = np.take_along_axis(distances, order, axis=1)
    matrix = connectivities(order, near).toarray()
    assert np.array_equal(matrix, matrix.T) and matrix.max() <= 1 + 1e-6
    assert np.allclose(matrix[np.arange(200), order[:, 0]], 1, atol=1e-6)

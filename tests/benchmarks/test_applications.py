"""The benchmark of applications: its oracles, and the whole of it on tiny problems."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.applications.beliefs import on_tree
from benchmarks.applications.study import PARTS, measure_applications
from benchmarks.applications.tasks import by_lpt


def test_exact_marginals_of_a_tree():
    parents, rng = np.array([0, 0, 0, 1]), np.random.default_rng(0)
    own, between = rng.random((4, 2)) + 0.1, np.array([[2.0, 1.0], [1.0, 3.0]])
    wanted = np.zeros((4, 2))
    for one in np.ndindex(2, 2, 2, 2):
        weight = np.prod(own[np.arange(4), one])
        for v in (1, 2, 3):
            weight *= between[one[parents[v]], one[v]]
        wanted[np.arange(4), one] += weight
    assert np.allclose(on_tree(parents, own, between), wanted / wanted.sum(axis=1, keepdims=True))


def test_the_longest_task_goes_first():
    allowed = np.array([[1, 1], [1, 0], [1, 1]])
    assert by_lpt(np.array([1.0, 3.0, 2.0]), allowed).tolist() == [3, 3]


def test_a_part_is_kept_and_told(tmp_path):
    told = []
    text = measure_applications(["tasks"], tmp_path, told.append, quick=True)
    rows = json.loads((tmp_path / "applications.json").read_text())
    assert len(rows) == len(told) > 3 and {row["part"] for row in rows} == {"tasks"}
    assert all(1 <= row["assign_tasks"] <= row["LPT"] <= row["random"] for row in rows)
    assert "| tasks | number | assign_tasks | LPT |" in text and text.startswith("## Tasks")


@pytest.mark.slow
def test_all_parts_on_tiny_problems(tmp_path):
    pytest.importorskip("igraph")
    text = measure_applications(list(PARTS), tmp_path, print, quick=True)
    assert text.count("## ") == len(PARTS)
    rows = json.loads((tmp_path / "applications.json").read_text())
    buses = {row["areas by"]: row["left"] for row in rows if row["part"] == "power-grid"}
    assert buses["communities (Leiden)"] < buses["random areas"]

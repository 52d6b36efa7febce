"""Globals that change in a process: new kernels have the new values, with and without files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import edgewise as ew

ROOT = Path(__file__).resolve().parents[2]
GRAPH = ew.Graph.from_edges([0, 1, 2], [1, 2, 0])
SCALE = 1.0


@numba.njit
def scaled(x):
    return x * SCALE


@numba.njit("float64(float64)")
def shifted(x):
    return scaled(x) + SCALE


def greatest(message):
    return ew.reduce_neighbors(GRAPH, None, message, np.ones(3), reduce=ew.MAX)[0]


def test_a_global_of_a_callee_that_changes(monkeypatch):
    def first(value):
        return shifted(value)

    def second(value):
        return shifted(value) * 1.0

    assert greatest(first) == 2.0
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 2.0)
    assert greatest(second) == 4.0
    assert greatest(first) == 2.0  # a kernel that is there keeps what it was compiled with


PROGRAM = """
import numba, numpy as np, edgewise as ew

K = 1.0

@numba.njit
def scaled(x):
    return x * K

graph = ew.Graph.from_edges([0, 1, 2], [1, 2, 0])
found = []
for message in (lambda value: scaled(value), lambda value: scaled(value) * 1.0):
    found += ew.reduce_neighbors(graph, None, message, np.ones(3), reduce=ew.MAX)[:1].tolist()
    K = 2.0
print(found)
"""


@pytest.mark.slow
def test_the_same_from_an_empty_folder_and_a_full_one(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = os.environ | {"EDGEWISE_CACHE_DIR": str(tmp_path / "kernels")}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, str(tmp_path / "program.py")]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            for _ in range(3)]  # fmt: skip
    assert [run.stdout for run in runs] == ["[1.0, 2.0]\n"] * 3

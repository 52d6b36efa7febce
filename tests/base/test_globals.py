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
from tests.operators.engines import no_gpu

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


@numba.njit
def again(x):
    return again(x - 1) if x > 1 else scaled(x)


def test_a_global_of_a_callee_that_changes_on_a_device(monkeypatch):
    """The functions that CUDA kernels are made of; compiling them takes no part in it."""
    from edgewise.base.cuda.kernels import translated

    def first(value):
        return shifted(value) + again(value)

    def second(value):
        return shifted(value) * again(value)

    def third(value):
        return again(value) - shifted(value)

    def scales(function):
        """The value of SCALE in each function that the device form of one calls."""
        plain = getattr(function, "py_func", function)
        scope = plain.__globals__
        below = [scope[name] for name in plain.__code__.co_names if name in CALLED]
        inner = [one for one in below if getattr(one, "py_func", one) is not plain]
        here = [scope["SCALE"]] if "SCALE" in plain.__code__.co_names else []
        return sum(map(scales, inner), here)

    before = translated(first)
    assert set(scales(before)) == {1.0} and len(scales(before)) == 3
    monkeypatch.setattr(sys.modules[__name__], "SCALE", 2.0)
    assert set(scales(translated(second))) == {2.0}
    assert set(scales(translated(third))) == {2.0}
    assert translated(first) is before and set(scales(before)) == {1.0}


CALLED = ("scaled", "shifted", "again")


PROGRAM = """
import sys, numba, numpy as np, edgewise as ew

K = 1.0

@numba.njit
def scaled(x):
    return x * K

graph = ew.Graph.from_edges([0, 1, 2], [1, 2, 0]).to(sys.argv[1])
found = []
for message in (lambda value: scaled(value), lambda value: scaled(value) * 1.0):
    ones = graph.full(1.0)
    found += ew.reduce_neighbors(graph, None, message, ones, reduce=ew.MAX)[:1].tolist()
    K = 2.0
print(found)
"""


@pytest.mark.parametrize(
    ("device", "environment"),
    [
        pytest.param("cpu", {}, marks=pytest.mark.slow),
        pytest.param("cuda", {}, marks=pytest.mark.gpu),
        pytest.param("cuda", {"NUMBA_ENABLE_CUDASIM": "1"}, id="simulator", marks=pytest.mark.slow),
    ],
)
def test_the_same_from_an_empty_folder_and_a_full_one(tmp_path, device, environment):
    if device == "cuda" and not environment and (reason := no_gpu()):
        pytest.skip(reason)
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = os.environ | {"EDGEWISE_CACHE_DIR": str(tmp_path / "kernels"), **environment}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, str(tmp_path / "program.py"), device]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            for _ in range(3)]  # fmt: skip
    assert [run.stdout for run in runs] == ["[1.0, 2.0]\n"] * 3

"""The CUDA engine without a GPU: in numba-cuda's simulator, and compiled to PTX.

Both need numba-cuda (the extra ``cuda``), and a process of their own: the simulator is chosen when
Numba is imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed"),
]

SIMULATED = """
import numpy as np
from edgewise.algorithms import ALGORITHMS
from edgewise.graph import Graph

rng = np.random.default_rng(0)
for n, m, directed in ((1, 0, False), (6, 8, False), (24, 50, False), (24, 50, True)):
    ends, lengths = rng.integers(0, n, (2, m)), rng.integers(1, 9, m)
    graph = Graph.from_edges(*ends, lengths, num_vertices=n, directed=directed)
    there = graph.to("cuda")
    assert there.device == "cuda:0" and there.to("cpu") == graph
    for row in ALGORITHMS.values():
        if "undirected" in row.needs and directed:
            continue
        arguments = (0,) if "source" in row.needs else ()
        options = {"k": min(n, 3)} if "seed" in row.needs else {}
        here = row.load()(graph, *arguments, **options)
        found = row.load()(there, *arguments, **options)
        here, found = (getattr(one, "distance", one) for one in (here, found))
        assert np.allclose(np.asarray(here, float), np.asarray(found, float)), row.name
print("all agree")
"""

COMPILED = """
import contextlib, sys
import numpy as np
from edgewise.base.cuda import compile, device, kernels
from edgewise.graph import Graph, device as moving

device.array_module, device.device_number = (lambda: np), (lambda name: 0)
device.check_memory = lambda *args: None
moving.on = lambda number: contextlib.nullcontext()
done = set()


class Stop(Exception):
    pass


def compiled(self, blocks, threads, *args):
    for capability in ((8, 0), (9, 0)):
        code = compile.bounded(compile.ptx(self.function, args, capability), self.bounds)
        assert compile.entry_name(code) and f"sm_{capability[0]}0".encode() in code
    done.add(self.function.__name__)
    raise Stop


kernels.Kernel.__call__, kernels.Kernel.resident = compiled, lambda self, *args: 1
from edgewise.algorithms import ALGORITHMS
from edgewise.operators import ADD, ARGMIN, advance, compute, filter, intersect, reduce_neighbors

graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1, 2, 3]).to("cuda")
pair = graph.full(1.0), graph.full(1)
calls = [
    lambda: ALGORITHMS["bfs"].load()(graph, 0),
    lambda: ALGORITHMS["sssp"].load()(graph, 0),
    lambda: ALGORITHMS["triangle_count"].load()(graph),
    lambda: ALGORITHMS["weakly_connected_components"].load()(graph),
    lambda: advance(graph, None, lambda value, weight: value * weight, pair[0], reduce=ADD),
    lambda: advance(graph, None, lambda value: (value[0], value[1]), pair, reduce=ARGMIN),
    lambda: filter(graph, None, lambda v, values: values[v] > 0, pair[0]),
    lambda: reduce_neighbors(graph, None, lambda value: value, pair[0], reduce=ADD),
]
for call in calls:
    try:
        call()
    except Stop:
        continue
    raise SystemExit("a call launched nothing")
print(len(done), "kernels")
"""


def run(script: str, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "EDGEWISE_CACHE_DIR": str(folder), **environment},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_every_algorithm_in_the_simulator(tmp_path):
    assert "all agree" in run(SIMULATED, tmp_path, NUMBA_ENABLE_CUDASIM="1")


def test_kernels_compile_without_a_gpu(tmp_path):
    pytest.importorskip("cuda.bindings.nvvm", reason="the CUDA compiler is not installed")
    assert "kernels" in run(COMPILED, tmp_path)

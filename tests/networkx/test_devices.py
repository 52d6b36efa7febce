"""The settings of the backend choose the device and the number of threads."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.script_times import environments

CODE = """
import networkx as nx
import edgewise as ew
from edgewise.graph import Graph

nx.config.warnings_to_ignore.add("cache")
G, moved = nx.karate_club_graph(), []
to = Graph.to
Graph.to = lambda graph, device: moved.append(device) or to(graph, device)
nx.config.backends.edgewise.device = "cuda"
rank = nx.pagerank(G, backend="edgewise")
parts = [*nx.connected_components(G, backend="edgewise")]
cores = nx.core_number(G, backend="edgewise")
assert len(parts) == 1 and max(cores.values()) == 4
wanted = nx.pagerank(G, backend="networkx")
assert all(abs(rank[v] - wanted[v]) < 1e-5 for v in G)
assert {type(value) for value in rank.values()} == {float}
print(moved, nx.dag_longest_path(nx.DiGraph([(0, 1)]), backend="edgewise"))
"""


@pytest.mark.slow
def test_a_gpu_is_used_where_it_is_asked_for(tmp_path):
    environment = environments(tmp_path)["off"] | {"NUMBA_ENABLE_CUDASIM": "1"}
    environment |= {"PATH": os.environ["PATH"]}
    command = [sys.executable, "-W", "ignore", "-c", CODE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("['cuda'")

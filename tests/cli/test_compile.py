"""``edgewise compile``: afterwards another process finds every kernel on disk."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from edgewise.cli.sample import sample_graph


@pytest.mark.slow
def test_compiled_ahead_means_no_compiling_later(tmp_path, barbell):
    environment = {**os.environ, "EDGEWISE_CACHE_DIR": str(tmp_path / "kernels")}

    def edgewise(*arguments):
        command = [sys.executable, "-m", "edgewise", *map(str, arguments)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return {path.name for path in (tmp_path / "kernels").glob("*.kernel")}

    ahead = edgewise("compile", "bfs")
    assert ahead
    reading = edgewise("info", barbell) - ahead
    later = edgewise("run", "bfs", barbell, "--source", 0)
    assert later <= ahead | reading


def test_unknown_algorithm(edgewise):
    done = edgewise("compile", "bsf")
    assert done.code == 1
    assert "'bsf'" in done.err


def test_algorithms_of_host_memory_are_refused_for_a_gpu(edgewise, monkeypatch):
    monkeypatch.setattr("edgewise.graph.Graph.to", lambda graph, device: graph)
    done = edgewise("compile", "maximal_cliques", "--device", "cuda")
    assert done.code == 1 and "maximal_cliques does not run on cuda" in done.err


def test_devices_that_are_none(edgewise):
    done = edgewise("compile", "bfs", "--device", "tpu")
    assert done.code == 1 and "tpu" in done.err


def test_algorithms_run_on_the_device(edgewise, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "edgewise.graph.Graph.to", lambda graph, device: f"{graph.directed} {device}"
    )
    monkeypatch.setattr(
        "edgewise.cli.compile.run_on_sample",
        lambda row, directed, weights, form: seen.append((row.name, form(sample_graph(directed)))),
    )
    done = edgewise("compile", "bfs", "pagerank", "--device", "cuda:0")
    assert done.code == 0
    assert set(seen) == {(n, f"{d} cuda:0") for n in ("bfs", "pagerank") for d in (True, False)}

"""``edgewise compile``: afterwards another process finds every kernel on disk."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


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

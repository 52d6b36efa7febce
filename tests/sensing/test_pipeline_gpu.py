"""The pipeline on GPUs gives the answers of the CPU, however packets come."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from edgewise.sensing import read_matrix, sense
from edgewise.sensing.packets import WIDE
from tests.conftest import ROOT
from tests.operators.engines import no_gpu
from tests.sensing.test_pipeline import same, traffic

gpu = [pytest.mark.gpu, pytest.mark.skipif(bool(no_gpu()), reason=str(no_gpu()))]


def devices():
    """Every GPU of this machine; twice over they cannot be named."""
    import cupy

    return [f"cuda:{i}" for i in range(cupy.cuda.runtime.getDeviceCount())]


class TestOnGPUs:
    pytestmark = gpu

    @pytest.mark.parametrize(
        "options",
        [
            {"window": 1 << 14},
            {"window": 10_007, "batch_size": 30_000},
            {"window": 1 << 12, "levels": True},
            {"window": "1ms", "batch_size": 50_000},
            {"window": "1ms", "partial": False},
        ],
    )
    def test_as_on_the_cpu(self, options):
        packets = traffic(300_000, gap=100)
        for device in ("cuda", devices()):
            assert same(sense(packets, device=device, **options), sense(packets, **options))

    def test_windows_in_parts_and_ids_of_64_bits(self, monkeypatch):
        monkeypatch.setattr("edgewise.sensing.cutting.HELD", 10_000)
        first, second = traffic(100_000), traffic(100_000, seed=1)
        far = second._replace(source=second.source.astype(np.uint64) | np.uint64(WIDE))
        options = {"window": 35_000, "batch_size": 8000}
        found = sense([first, far], device="cuda", **options)
        assert same(found, sense([first, far], **options))

    def test_matrices_of_windows_are_saved(self, tmp_path):
        packets = traffic(50_000)
        for device in ("cpu", "cuda"):
            sense(packets, window=9000, device=device, folder=tmp_path / device)
        for path in (tmp_path / "cpu").iterdir():
            assert read_matrix(path) == read_matrix(tmp_path / "cuda" / path.name)


@pytest.mark.slow
def test_in_the_simulator():
    """Links that go straight to the sum, and those that must be known window by window."""
    program = (
        "from tests.sensing.test_pipeline import same, traffic\n"
        "from edgewise.sensing import cutting, sense\n"
        "packets = traffic(30)\n"
        "for options in ({'window': 7}, {'window': '5us', 'partial': False}):\n"
        "    assert same(sense(packets, batch_size=12, device='cuda', **options),\n"
        "                sense(packets, batch_size=12, **options))\n"
        "cutting.HELD = 5\n"
        "assert same(sense(packets, batch_size=4, window=13, device='cuda'),\n"
        "            sense(packets, batch_size=4, window=13))\n"
    )
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr

"""First calls: no algorithm comes to need more kernels than the table in the docs says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import cold
from tests.tiers import later

ROOT = Path(__file__).resolve().parents[2]
#: An algorithm that is newer than the record has no limit yet.
RECORDED = {row["name"]: row["kernels"] for row in json.loads(cold.RECORD.read_text())["rows"]}
ROWS = [name for name in cold.rows() if name in RECORDED]


@pytest.fixture(scope="module")
def found(request) -> dict[str, int]:
    """The kernels of all rows that this run asks for."""
    here = [item for item in request.session.items if item.path == request.path]
    names = [item.callspec.params["name"] for item in here if hasattr(item, "callspec")]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.cold", "count", *names],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", [name if name in cold.FIRST else later(name) for name in ROWS])
def test_kernels_of_a_first_call(found, name):
    assert found[name] <= RECORDED[name], (
        f"{name} needs {found[name]} kernels instead of {RECORDED[name]}; if there is no way "
        "around that, measure again: python -m benchmarks cold"
    )


@pytest.mark.slow
def test_a_row_is_measured(tmp_path):
    told: list[str] = []
    text = cold.measure_cold(["degree_centrality"], tmp_path, told.append)
    assert len(told) == 2 and "| degree_centrality | " in text
    row = json.loads((tmp_path / "cold.json").read_text())["rows"][1]
    assert row["kernels"] > 0 and row["seconds"] > 0

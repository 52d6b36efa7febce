"""The figures at the end of a run: folders by processor time, kernels, the last record."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(folder: Path, *more: str) -> subprocess.CompletedProcess:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.figures",
        "-p",
        "no:cacheprovider",
    ]
    return subprocess.run(
        [*command, "--rootdir", str(folder), "-c", str(folder / "pytest.ini"), *more, str(folder)],
        cwd=ROOT,
        env={**os.environ, "EDGEWISE_CACHE_DIR": str(folder / "kernels")},
        capture_output=True,
        text=True,
    )


def test_figures_beside_the_last_record(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "busy").mkdir()
    (tmp_path / "busy" / "test_it.py").write_text("def test_it():\n    sum(range(30_000_000))\n")
    record = tmp_path / "figures.json"
    first = run(tmp_path, "--figures", str(record), "--record")
    assert first.returncode == 0, first.stdout + first.stderr
    figures = json.loads(record.read_text())["all"]
    assert figures["kernels"] == 0 and figures["folders"]["busy"] > 0
    second = run(tmp_path, "--figures", str(record))
    row = next(line for line in second.stdout.splitlines() if line.startswith("busy"))
    assert row.split()[1] == "1" and row.split()[3] == str(figures["folders"]["busy"])
    assert second.stdout.splitlines()[-1].startswith("1 passed")


def test_a_failure_fails(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert False\n")
    done = run(tmp_path, "--figures", str(tmp_path / "figures.json"))
    assert done.returncode == 1 and done.stdout.splitlines()[-1].startswith("1 failed")

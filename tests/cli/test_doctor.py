"""`edgewise doctor`: a sound installation, and what it says of one that is not."""

from __future__ import annotations

import json

import pytest

from edgewise.base import store
from edgewise.cli import doctor

WANTED = [
    "numpy>=2.0",
    'numba-cuda[cu13]>=0.30; extra == "gpu"',
    'mpich>=4.2; platform_system != "Windows" and extra == "mpi"',
    'ruff>=0.9; extra == "dev"',
]


@pytest.fixture
def installed(monkeypatch):
    """Versions of packages, which a test may change."""
    found = {"numpy": "2.3.1", "numba-cuda": "0.31.0"}

    def version(name):
        if name not in found:
            raise doctor.PackageNotFoundError(name)
        return found[name]

    monkeypatch.setattr(doctor, "requires", lambda name: WANTED)
    monkeypatch.setattr(doctor, "version", version)
    return found


def named(done):
    """The findings of a run with --json, by name."""
    return {one["name"]: one for one in json.loads(done.out)["findings"]}


def test_a_sound_installation(edgewise):
    done = edgewise("doctor")
    assert done.code == 0 and done.out.endswith("Everything that Edgewise needs is here.\n")
    for word in ("Edgewise", "Python", "numba", "kernel folder", "trial run", "works", "mpiexec"):
        assert word in done.out


def test_what_extras_lack_is_no_failure(edgewise, installed):
    done = edgewise("doctor", "--json")
    found = named(done)
    assert done.code == 0 and json.loads(done.out)["good"]
    assert found["mpich"]["good"] is None
    assert found["mpich"]["remedy"] == "pip install 'edgewise[mpi]'"
    assert found["numba-cuda"]["good"] is True
    assert "ruff" not in found, "for work on Edgewise alone"


def test_packages_that_are_missing_or_old(edgewise, installed):
    installed["numpy"] = "1.26.4"
    done = edgewise("doctor")
    assert done.code == 1 and "FAILED: 1.26.4, older than 2.0: pip install 'numpy>=2.0'" in done.out
    del installed["numpy"]
    found = named(edgewise("doctor", "--json"))
    assert found["numpy"]["good"] is False and found["numpy"]["found"] == "not installed"


def test_what_another_system_has_no_use_for(edgewise, installed, monkeypatch):
    monkeypatch.setattr(doctor.platform, "system", lambda: "Windows")
    assert "mpich" not in named(edgewise("doctor", "--json"))


def test_a_folder_that_is_not_installed(edgewise, monkeypatch):
    def requires(name):
        raise doctor.PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", requires)
    done = edgewise("doctor", "--json")
    assert done.code == 0 and named(done)["versions"]["good"] is None


def test_a_folder_that_cannot_be_written(edgewise, monkeypatch, tmp_path):
    monkeypatch.setattr(store, "cache_directory", lambda: tmp_path / "a" / "b")
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: path != tmp_path)
    found = named(edgewise("doctor", "--json"))["kernel folder"]
    assert found["good"] is False and "EDGEWISE_CACHE_DIR" in found["remedy"]


def test_a_compiler_that_fails(edgewise, monkeypatch):
    def broken(graph, source):
        raise RuntimeError("LLVM is gone")

    monkeypatch.setattr("edgewise.algorithms.traversal.bfs.bfs", broken)
    done = edgewise("doctor")
    assert done.code == 1 and "FAILED: RuntimeError: LLVM is gone" in done.out
    assert "1 of " in done.out


def test_no_mpiexec(edgewise, monkeypatch):
    def none():
        raise FileNotFoundError("mpiexec was not found: pip install mpich")

    monkeypatch.setattr("edgewise.distributed.launcher.find_mpiexec", none)
    done = edgewise("doctor", "--json")
    assert done.code == 0 and named(done)["mpiexec"]["good"] is None

"""What users install: the wheel and the source archive, built, installed alone, and used."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
USE = """
import edgewise as ew
graph = ew.generators.rmat(8, seed=1)
assert ew.connected_components(graph)[0] == 0
assert "site-packages" in ew.__file__, ew.__file__
print(ew.__version__)
"""

pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path) -> str:
    """What a command prints; its last lines, if it fails."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(one) for one in command], cwd=cwd, env=clean, capture_output=True, text=True
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with one wheel and one source archive."""
    pytest.importorskip("hatchling", reason="packages are built with hatchling")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    return folder


def test_the_wheel_holds_the_package_and_nothing_else(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    ours = {
        str(path.relative_to(ROOT))
        for folder in ("edgewise", "_edgewise_networkx")  # what NetworkX imports of the backend
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert ours <= names
    assert {"edgewise/py.typed", "edgewise/__init__.pyi"} <= names
    assert {name.split("/")[0] for name in names - ours} == {"edgewise-0.1.0.dist-info"}


def test_the_source_archive_can_be_built_and_tested(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "tests/conftest.py",
                 "docs/index.md", "examples/own_louvain.py", "Makefile"):  # fmt: skip
        assert name in names, name


def test_a_clean_environment_needs_nothing_but_the_wheel(built, tmp_path):
    venv.create(tmp_path, with_pip=True)
    python = tmp_path / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    install = [python, "-m", "pip", "install", "-q", next(built.glob("*.whl"))]
    done = subprocess.run([str(one) for one in install], capture_output=True, text=True)
    if "No matching distribution" in done.stderr or "connection" in done.stderr:
        pytest.skip("the packages that it needs could not be downloaded")
    assert done.returncode == 0, done.stderr
    assert run(python, "-c", USE, cwd=tmp_path) == "0.1.0\n"
    edgewise = python.parent / "edgewise"
    assert "Everything that Edgewise needs is here." in run(edgewise, "doctor", cwd=tmp_path)
    found = run(edgewise, "run", "triangle_count", "--help", cwd=tmp_path)
    assert "triangle" in found

"""The CUDA engine without a GPU: every kernel in numba-cuda's simulator, and compiled to PTX.

Both need numba-cuda (the extra ``test`` brings what it takes), and a process of their own: the
simulator is chosen when Numba is imported.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

import pytest

from tests.cuda.cases import GROUPS
from tests.cuda.runner import PACKAGE, kernels_of
from tests.operators.engines import no_gpu


def needs(package: str):
    """Skip where a package is not installed."""
    try:
        version(package)
    except PackageNotFoundError:
        return pytest.mark.skip(f"{package} is not installed")
    return lambda test: test


#: The same kernels as others, one application's, or many and slow to simulate.
LONG = ("algorithms", "building", "joins", "members", "nearest", "rows", "sensing")


@needs("numba-cuda")
@pytest.mark.parametrize(
    "group", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in GROUPS]
)
def test_as_on_cpu_threads_in_the_simulator(group):
    run("simulate", group, NUMBA_ENABLE_CUDASIM="1")


@needs("nvidia-nvvm")
@pytest.mark.slow
@pytest.mark.parametrize("capability", ["80", "90"])
@pytest.mark.parametrize("group", [name for name in GROUPS if name != "algorithms"])
def test_compiles_to_ptx_without_a_gpu(group, capability):
    """Each kernel once; those of the algorithms are the same, around other functions."""
    run("compile", group, capability)


@pytest.mark.gpu
@pytest.mark.parametrize("tool", ["memcheck", "racecheck"])
@pytest.mark.parametrize("group", [name for name in GROUPS if name != "algorithms"])
def test_every_kernel_under_compute_sanitizer(group, tool):
    """Small runs on the GPU; CuPy's kernels, which may have hazards of their own, are left out."""
    if reason := no_gpu():
        pytest.skip(reason)
    sanitizer = shutil.which("compute-sanitizer")
    if sanitizer is None:
        pytest.skip("compute-sanitizer is not installed")
    ours = ["--kernel-name-exclude", "kernel_substring=cupy_"]
    run("run", group, before=[sanitizer, "--tool", tool, *ours, "--error-exitcode", "86"])


def test_every_kernel_belongs_to_a_group():
    covered = {module for _, modules in GROUPS.values() for module in modules}
    for path in PACKAGE.rglob("cuda/*.py"):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        assert module in covered or not kernels_of(module), f"no group covers {module}"


def run(*arguments: str, before: Sequence[str] = (), **environment: str) -> None:
    done = subprocess.run(
        [*before, sys.executable, "-m", "tests.cuda.runner", *arguments],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=1200,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "kernels" in done.stdout

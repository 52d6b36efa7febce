"""Edgewise loads and runs where what Linux alone has is missing, as on macOS and Windows.

The other system is played: in a process of its own, other libraries are loaded first, then the
names that the system lacks are taken away. That finds names that are used without a guard, not
what another system does differently.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

#: By system: modules, names of os, and names of signal that it does not have.
LACKS: dict[str, tuple[str, str, str]] = {
    "darwin": (
        "",
        "memfd_create pidfd_open sched_getaffinity sched_setaffinity sched_getcpu",
        "",
    ),
    "win32": (
        "fcntl grp pty pwd resource termios",
        "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK environb fchmod fork getpgid getuid killpg "
        "memfd_create mkfifo pidfd_open pread preadv pwrite register_at_fork sched_getaffinity "
        "sched_setaffinity sched_getcpu setpgid setsid statvfs sysconf sysconf_names",
        "SIGALRM SIGHUP SIGKILL SIGQUIT SIGUSR1 pthread_sigmask",
    ),
}
#: Modules that start something, that need CuPy, or that are their package.
APART = ("__main__", "worker", "nccl", "__init__")

PLAY = """
import ctypes, importlib, multiprocessing, os, shutil, signal, subprocess, sys, tempfile
import llvmlite.binding, numba, numba.np.ufunc.parallel, numpy, pyarrow.compute, pyarrow.csv
import pyarrow.parquet, rich.progress, scipy.sparse.linalg, sklearn.manifold, typer
from types import SimpleNamespace

system, (modules, names, signals) = {played!r}
sys.platform = system
for name in modules.split():
    sys.modules[name] = None
for name in names.split():
    if hasattr(os, name):
        delattr(os, name)
for name in signals.split():
    delattr(signal, name)
if system == "win32":
    shutil._use_fd_functions = False
    def status(found):
        found._obj.total = found._obj.free = 1 << 50
        return 1
    ctypes.windll = SimpleNamespace(kernel32=SimpleNamespace(GlobalMemoryStatusEx=status))
    pause = ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value
    llvmlite.binding.add_symbol("Sleep", pause)
"""

IMPORT_ALL = """
import edgewise
for name in {modules!r}:
    importlib.import_module(name)
for name in edgewise.__all__:
    getattr(edgewise, name)
from edgewise.base.memory import free_memory, total_memory
assert 0 < free_memory() <= total_memory()
assert edgewise.get_threads() >= 1
"""

FILES = """
from pathlib import Path
from edgewise.io.files import atomic_write, read_bytes
from edgewise.io.folders import atomic_folder
from edgewise.sensing.keys import make_key, read_key
from edgewise.distributed.file_bytes import FileBytes
with tempfile.TemporaryDirectory() as name:
    folder, text = Path(name), b"0 1" * (3 << 20)
    for _ in range(2):  # the second time it replaces a file
        with atomic_write(folder / "a.txt") as file:
            file.write(text)
    assert read_bytes(folder / "a.txt").tobytes() == text
    assert FileBytes(folder / "a.txt")[3:9].tobytes() == text[3:9]
    try:
        with atomic_write(folder / "b.txt") as file:
            raise KeyError
    except KeyError:
        pass
    (folder / "c").mkdir()
    with atomic_folder(folder / "c") as draft:
        (draft / "d").touch()
    assert make_key(folder / "key") == read_key(folder / "key")
    assert sorted(os.listdir(folder)) == ["a.txt", "c", "key"]
    assert os.listdir(folder / "c") == ["d"]
os.environ["EDGEWISE_KEY"] = "0f" * 32
read_key()
from edgewise.distributed import launch
try:
    launch(print, ranks=2)
except OSError as error:
    assert "backend=" in str(error)
else:
    raise AssertionError("launch needs Linux")
"""

RUN = """
import edgewise as ew
graph = ew.generators.grid_2d(300, 300)
for team in (1, 2):
    with ew.threads(team):
        distance = ew.bfs(graph, 0).distance
    assert distance.max() == 598
"""


@pytest.mark.parametrize("system", sorted(LACKS))
def test_every_module_loads_and_files_are_written(system):
    folder = ROOT / "edgewise"
    names = [path.relative_to(ROOT).with_suffix("").parts for path in folder.rglob("*.py")]
    modules = sorted(
        ".".join(parts) for parts in names if "cuda" not in parts and parts[-1] not in APART
    )
    assert len(modules) > 400
    play(system, IMPORT_ALL.replace("{modules!r}", repr(modules)) + FILES)


@pytest.mark.slow
@pytest.mark.parametrize("system", sorted(LACKS))
def test_kernels_run_on_threads(system, tmp_path):
    """In a folder of their own: kernels that wait differ from those of Linux."""
    play(system, RUN, EDGEWISE_CACHE_DIR=str(tmp_path))


def play(system: str, program: str, **settings: str) -> None:
    code = PLAY.format(played=(system, LACKS[system])) + program
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | settings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr

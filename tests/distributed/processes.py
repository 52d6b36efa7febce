"""Ranks as processes, for tests: a limit of time, killing a rank, looking for what is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from edgewise.distributed.launcher import find_mpiexec

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 30

mpi = pytest.mark.skipif(find_spec("mpi4py") is None, reason="needs mpi4py")


def within_limit(call):
    """Run in a thread, so that a hang fails the test; give the exception back, and its text."""
    caught = []

    def run():
        try:
            call()
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LIMIT)
    assert not thread.is_alive(), "it hangs"
    assert caught, "nothing was raised"
    return caught[0]


def mpiexec(*words: str, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tests.distributed.faults", *words]
    return mpiexec_of(command, **environment)


def mpiexec_of(command: list[str], **environment: str) -> subprocess.CompletedProcess:
    command = [find_mpiexec(), "-n", "4", *command]
    environment = os.environ | environment
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, env=environment
    )


def wait_for(condition) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


def kill_rank(folder: Path, rank: int, delay: float, kind: str = "python", pick=max) -> None:
    """Kill a process of a rank, ``delay`` seconds after it was started.

    ``folder`` is in its environment or its command. A keeper (``pick=min``) has a child: that is
    the rank.
    """

    def found():
        mine = set()
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                words = path.read_bytes() + path.with_name("cmdline").read_bytes()
                name = path.with_name("comm").read_text()
            except OSError:
                continue
            known = os.fsencode(folder) in words and f"PMI_RANK={rank}\0".encode() in words
            if known and name.startswith(kind):
                mine.add(int(path.parent.name))
        return pick(mine, default=None)

    wait_for(found)
    time.sleep(delay)
    os.kill(found(), signal.SIGKILL)


def python(*words: str) -> subprocess.CompletedProcess:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=environment)


def left_behind(folder: Path) -> list[str]:
    """The processes whose commands name a file of this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in words:
            found.append(words.replace(b"\0", b" ").decode())
    return found

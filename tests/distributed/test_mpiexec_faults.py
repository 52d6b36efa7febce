"""Ranks that mpiexec starts: whatever goes wrong on one ends all, with a message that names it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from edgewise.distributed.launcher import find_mpiexec
from tests.distributed.processes import LIMIT, ROOT, kill_rank, mpi, mpiexec, mpiexec_of, wait_for
from tests.tiers import later


@mpi
def test_mpiexec_with_a_rank_that_raises():
    done = mpiexec("raises", "2")
    assert done.returncode != 0
    assert "edgewise: rank 2 of 4 failed: ValueError: no luck" in done.stderr
    assert "Traceback" in done.stderr


@mpi
def test_mpiexec_with_different_arguments_says_so_once():
    done = mpiexec("differ", "2")
    message = "edgewise: scale must be the same on all ranks: rank 0 has 10, rank 2 has 20"
    assert done.returncode != 0 and done.stderr.count(message) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@mpi
def test_mpiexec_with_all_failing_alike_says_so_once():
    done = mpiexec("all_raise")
    assert done.returncode != 0
    assert re.findall(r"rank \d of 4 failed: .*", done.stderr) == [
        "rank 0 of 4 failed: ValueError: all alike"
    ]


@mpi
@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("killed", "edgewise: rank 2 of 4 failed: killed by SIGKILL"),
        later("vanishes", "edgewise: rank 2 of 4 failed: ended without a word, with code 0"),
        later("stops", "edgewise: rank 2 has been stopped for 4 s"),
        later("returns", r"edgewise: rank 2 returned while rank [013] waits in allreduce\(\)"),
        later("exits", "edgewise: rank 2 of 4 ended before MPI started"),
        later("without_mpi4py", "ImportError: MPI needs mpi4py: .*"),
        later("cross", "edgewise: ranks 0, 1, 2, 3 have waited 4 s for one another: .*"),
    ],
)
def test_mpiexec_names_the_rank(program, message):
    done = mpiexec(program, "2", EDGEWISE_GRID_TIMEOUT="4")
    assert done.returncode != 0
    assert len(re.findall(f"^{message}$", done.stderr, re.MULTILINE)) == 1, done.stderr


@mpi
def test_mpiexec_ends_with_the_code_of_a_rank_that_leaves():
    done = mpiexec("leaves", "2")
    assert done.returncode == 3
    assert done.stderr.startswith("edgewise: rank 2 of 4 failed: sys.exit(3)\n")


@mpi
@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("leaves_by_raising", "sys.exit(3)"),
        later("leaves_by_quitting", "sys.exit(3)"),
        ("leaves_at_once", "ended without a word, with code 3"),
    ],
)
def test_mpiexec_ends_with_the_code_however_a_rank_leaves(program, message):
    start = time.monotonic()
    done = mpiexec(program, "2")
    assert done.returncode == 3, done.stderr
    assert done.stderr.startswith(f"edgewise: rank 2 of 4 failed: {message}\n")
    assert time.monotonic() - start < LIMIT / 2


@pytest.mark.slow
@mpi
@pytest.mark.parametrize(
    ("program", "words", "said"), [("leaves_early", ["2"], "3\n3\n3\n"), ("stays", ["2"], "")]
)
def test_mpiexec_with_a_rank_that_is_done_early(program, words, said):
    done = mpiexec(program, *words)
    assert (done.returncode, done.stdout, done.stderr) == (0, said, "")


@mpi
@pytest.mark.parametrize("delay", [0.5, later(1.0), later(2.0)])
def test_mpiexec_names_a_rank_whose_keeper_was_killed(delay, tmp_path):
    begun = tmp_path / "begun"

    def kill():
        wait_for(begun.exists)
        kill_rank(tmp_path, 2, delay, "python", min)

    threading.Thread(target=kill, daemon=True).start()
    done = mpiexec("works", str(2 * LIMIT), TMPDIR=str(tmp_path), BEGUN=str(begun))
    assert done.returncode != 0
    assert "edgewise: rank 2 of 4 failed: the process around it was killed\n" in done.stderr


@mpi
def test_mpiexec_whose_own_process_is_killed_ends_all(tmp_path):
    """The ranks do not go on without anybody who could end them."""
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [find_mpiexec(), "-n", "2", sys.executable]
    command += ["-m", "tests.distributed.faults", "works", str(2 * LIMIT)]
    with subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment
    ) as process:
        time.sleep(3)
        (below,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(below), signal.SIGKILL)
        assert process.wait(LIMIT) != 0
    wait_for(lambda: _with_word(f"TMPDIR={tmp_path}") == [])


def _with_word(word: str) -> list[int]:
    """The processes whose environment has a word."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if word.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found


@mpi
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (0, "rank 0 calls allreduce(sum, float64, 3), rank 2 calls allreduce(sum, float64, 4)"),
        later(1, "rank 0 calls allreduce(sum, float64, 3), rank 2 calls allreduce(min, float64, "),
        later(2, "rank 0 calls broadcast(root 0, float64, 3), rank 2 calls broadcast(root 1, "),
        (3, "rank 0 calls allreduce(sum, float64, 3), rank 2 calls counts()"),
        later(4, "rank 2 of 4 failed: ValueError: counts must be 4 numbers with the sum 4"),
    ],
)
def test_mpiexec_says_how_raw_calls_differ(kind, message):
    done = mpiexec("mismatched", "2", str(kind))
    assert done.returncode == 1 and f"edgewise: {message}" in done.stderr
    assert "error stack" not in done.stderr


@mpi
def test_mpiexec_leaves_no_shared_memory_behind():
    before = set(Path("/dev/shm").glob("mpich_shm_*"))
    assert mpiexec("killed", "2").returncode != 0
    assert set(Path("/dev/shm").glob("mpich_shm_*")) <= before


@pytest.mark.slow
@mpi
@pytest.mark.parametrize("program", ["all_leave", "all_leave_by_raising"])
def test_mpiexec_says_nothing_if_all_ranks_leave(program):
    done = mpiexec(program)
    assert (done.returncode, done.stderr) == (3, "")


@pytest.mark.slow
@mpi
def test_mpiexec_leaves_a_rank_that_computes_alone_but_says_so():
    done = mpiexec("lingers", "2", EDGEWISE_GRID_TIMEOUT="1")
    message = "edgewise: rank 0 has waited 1 s in allreduce() for rank 2, which computes\n"
    assert (done.returncode, done.stderr) == (0, message)


@pytest.mark.slow
@mpi
def test_mpiexec_without_a_limit_has_no_keepers():
    command = "import os; from edgewise.distributed import world; me = os.getpid(); world(); "
    command += "print(me == os.getpid())"
    for limit, alone in [("0", "True"), ("9", "False")]:
        done = mpiexec_of([sys.executable, "-c", command], EDGEWISE_GRID_TIMEOUT=limit)
        assert (done.stdout.count(alone), done.stderr) == (4, "")
    done = mpiexec_of([sys.executable, "-c", command], EDGEWISE_GRID_TIMEOUT="soon")
    assert "EDGEWISE_GRID_TIMEOUT must be a number of seconds" in done.stderr


@mpi
def test_interrupt_while_mpi_starts():
    """Three ranks are inside MPI's start, where Python does not see a signal."""
    command = [find_mpiexec(), "-n", "4", sys.executable]
    command += ["-m", "tests.distributed.faults", "sleeps_first", "2"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        time.sleep(2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) != 0


@mpi
@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_interrupt_at_any_time(number):
    """But in its first milliseconds, when mpiexec drops the signal and nobody hears of it."""
    command = [find_mpiexec(), "-n", "4", sys.executable]
    command += ["-m", "tests.distributed.faults", "works", str(2 * LIMIT)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        time.sleep((number + 1) / 8)
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT) != 0


@mpi
@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_mpiexec_with_a_rank_killed_at_any_time(number, tmp_path):
    rank, delay = number % 4, number / 6
    threading.Thread(target=kill_rank, args=(tmp_path, rank, delay), daemon=True).start()
    done = mpiexec("works", str(2 * LIMIT), TMPDIR=str(tmp_path))
    assert done.returncode != 0

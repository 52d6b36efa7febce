"""`launch`: whatever goes wrong on one rank, the error names it, and nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest

from edgewise.distributed.comm import RankError
from edgewise.distributed.launcher import launch
from tests.distributed import faults
from tests.distributed.processes import (
    LIMIT,
    ROOT,
    kill_rank,
    left_behind,
    mpi,
    python,
    wait_for,
    within_limit,
)
from tests.tiers import later


@mpi
@pytest.mark.parametrize(
    ("program", "message"),
    [
        (faults.raises, "rank 2 failed: ValueError: no luck"),
        later(faults.killed, "rank 2 failed: killed by SIGKILL"),
        later(faults.vanishes, "rank 2 failed: ended without a result"),
        later(faults.leaves_at_once, "rank 2 failed: ended without a result, with code 3"),
        later(faults.leaves_by_raising, "rank 2 failed: SystemExit: 3"),
        later(faults.differ, "scale must be the same on all ranks: rank 0 has 10, rank 2 has 20"),
    ],
)
def test_launch_names_the_rank(program, message, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    error = within_limit(lambda: launch(program, 2, ranks=4))
    assert type(error) is RankError and str(error) == message
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


@mpi
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("os.kill(os.getpid(), 9)", "rank 2 failed: killed by SIGKILL"),
        later("os._exit(3)", "rank 2 failed: ended without a result"),
        later("sys.modules['mpi4py'] = None", "rank 2 failed: ImportError: MPI needs mpi4py"),
    ],
)
def test_launch_names_a_rank_that_ends_before_mpi_starts(fault, message, tmp_path, monkeypatch):
    """Python imports a sitecustomize before anything else."""
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "sitecustomize.py").write_text(
        f"import os, sys\nif os.environ.get('PMI_RANK') == '2':\n    {fault}\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "path")
    (tmp_path / "jobs").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "jobs"))
    error = within_limit(lambda: launch(faults.works, 60, ranks=4))
    assert type(error) is RankError and str(error).startswith(message)
    assert left_behind(tmp_path / "jobs") == [] and list((tmp_path / "jobs").iterdir()) == []


@mpi
@pytest.mark.parametrize(
    ("program", "message"),
    [
        (faults.stops, "rank 2 has been stopped for 1.5 s"),
        later(faults.returns, r"rank 2 returned while rank [013] waits in allreduce\(\)"),
    ],
)
def test_launch_names_a_rank_that_others_wait_for_in_vain(program, message, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("EDGEWISE_GRID_TIMEOUT", "1.5")
    error = within_limit(lambda: launch(program, 2, ranks=4))
    assert type(error) is RankError and re.fullmatch(message, str(error))
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


@pytest.mark.slow
@mpi
def test_launch_leaves_a_rank_that_computes_alone_but_says_so(capsys, monkeypatch):
    monkeypatch.setenv("EDGEWISE_GRID_TIMEOUT", "1")
    assert launch(faults.lingers, 1, ranks=2, timeout=LIMIT) == [0, 1]
    said = "edgewise: rank 0 has waited 1 s in allreduce() for rank 1, which computes\n"
    assert capsys.readouterr().err == said


@mpi
@pytest.mark.parametrize(
    "number",
    [
        "SIGTERM",
        later("SIGINT"),
        later("SIGKILL"),
    ],
)
def test_ranks_end_with_the_process_that_launched_them(number, tmp_path):
    script = "from tests.distributed import faults; from edgewise.distributed import launch\n"
    script += "launch(faults.sleeps, 1, ranks=2)"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stderr=subprocess.DEVNULL
    ) as process:
        wait_for(lambda: list(tmp_path.glob("*/0.result")))
        process.send_signal(getattr(signal, number))
        assert process.wait(LIMIT) != 0
    wait_for(lambda: left_behind(tmp_path) == [])
    assert number == "SIGKILL" or list(tmp_path.iterdir()) == []


@mpi
@pytest.mark.slow
@pytest.mark.parametrize("number", range(24))
def test_launch_names_a_rank_killed_at_any_time(number, tmp_path, monkeypatch):
    """Within its first two seconds, in which Python and MPI start and the ranks begin to work."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rank, delay = number % 4, number / 12
    threading.Thread(target=kill_rank, args=(tmp_path, rank, delay), daemon=True).start()
    error = within_limit(lambda: launch(faults.works, LIMIT, ranks=4))
    assert str(error) == f"rank {rank} failed: killed by SIGKILL"
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


@mpi
@pytest.mark.parametrize("delay", [1.0, later(0.1), later(0.5), later(3.0)])
def test_launch_names_a_rank_whose_shell_was_killed(delay, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kill = threading.Thread(target=kill_rank, args=(tmp_path, 2, delay, "sh"), daemon=True)
    kill.start()
    error = within_limit(lambda: launch(faults.works, LIMIT, ranks=4))
    assert str(error) == "rank 2 failed: the process around it was killed"
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


@mpi
def test_launch_has_a_time_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    start = time.monotonic()
    error = within_limit(lambda: launch(faults.sleeps, 1, ranks=2, timeout=2))
    assert str(error) == "not done after 2 s: rank 1"
    assert time.monotonic() - start < 10
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


@pytest.mark.slow
@mpi
def test_launch_brings_an_odd_result_as_an_error():
    error = within_limit(lambda: launch(faults.odd_result, ranks=2))
    assert str(error) == "rank 1 failed: TypeError: not for pickling"


@mpi
def test_launch_shares_the_cores(monkeypatch):
    monkeypatch.delenv("EDGEWISE_NUM_THREADS", raising=False)
    each = max(1, len(os.sched_getaffinity(0)) // 2)
    assert launch(faults.threads, ranks=2, timeout=LIMIT) == [str(each)] * 2
    monkeypatch.setenv("EDGEWISE_NUM_THREADS", "3")
    assert launch(faults.threads, ranks=1, timeout=LIMIT) == ["3"]


@mpi
def test_launch_from_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from edgewise.distributed.launcher import launch\n"
        "class Result:\n    pass\n"
        "def rank(comm):\n    result = Result()\n    result.rank = comm.rank\n    return result\n"
        "if __name__ == '__main__':\n    print([r.rank for r in launch(rank, ranks=2)])\n"
    )
    assert python(str(script)).stdout == "[0, 1]\n"
    script.write_text(script.read_text().replace("if __name__ == '__main__':", "if True:"))
    done = python(str(script))
    assert done.returncode != 0 and "call it under if __name__" in done.stderr


def test_launch_checks_its_arguments():
    with pytest.raises(ValueError, match="ranks must be a whole number from 1, got 0"):
        launch(faults.pids, ranks=0)
    with pytest.raises(ValueError, match="backend must be one of mpi, threads, got 'smoke'"):
        launch(faults.pids, backend="smoke")
    with pytest.raises(ValueError, match="must be importable and picklable"):
        launch(lambda comm: None)

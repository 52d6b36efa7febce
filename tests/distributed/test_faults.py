"""Whatever goes wrong on one rank ends all of them, soon, with a message that names the rank."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from edgewise.distributed.comm import RankError
from edgewise.distributed.launcher import _find_mpiexec, launch
from edgewise.distributed.simulation import simulate
from edgewise.distributed.threads import World, run_threads
from tests.distributed import faults

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 30


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


mpi = pytest.mark.skipif(find_spec("mpi4py") is None, reason="needs mpi4py")


@pytest.fixture(params=[run_threads, simulate])
def run(request):
    return request.param


def test_a_rank_that_raises(run):
    told = {}

    def program(comm):
        try:
            faults.raises(comm, 2)
        except RankError as error:
            told[comm.rank] = str(error)
            raise

    error = within_limit(lambda: run(program, 4))
    assert type(error) is ValueError and error.__notes__ == ["raised on rank 2 of 4"]
    assert told == dict.fromkeys([0, 1, 3], "rank 2 failed: ValueError: no luck")


def test_a_rank_that_raises_in_its_group(run):
    """Ranks of another group hear of it too."""
    told = {}

    def program(comm):
        row = comm.split(comm.rank // 2, 0)
        if comm.rank == 3:
            raise KeyError("x")
        try:
            row.barrier()
            comm.barrier()
        except RankError as error:
            told[comm.rank] = str(error)

    assert type(within_limit(lambda: run(program, 4))) is KeyError
    assert told == dict.fromkeys([0, 1, 2], "rank 3 failed: KeyError: 'x'")


def test_fail(run):
    def program(comm):
        if comm.rank == 1:
            comm.fail(OSError("disk"))
        comm.barrier()

    assert type(within_limit(lambda: run(program, 3))) is OSError


MISMATCHES = {
    "rank 0 calls barrier(), rank 1 calls allreduce(sum, float64, 3)": lambda comm: (
        comm.allreduce(np.ones(3)) if comm.rank else comm.barrier()
    ),
    "rank 0 calls allreduce(sum, float64, 4), rank 1 calls allreduce(sum, float64, 3)": (
        lambda comm: comm.allreduce(np.ones(4 - comm.rank))
    ),
    "rank 0 calls allreduce(sum, int64, 3), rank 1 calls allreduce(sum, float32, 3)": (
        lambda comm: comm.allreduce(np.ones(3, [np.int64, np.float32][comm.rank]))
    ),
    "rank 0 calls allreduce(min, float64, 3), rank 1 calls allreduce(max, float64, 3)": (
        lambda comm: comm.allreduce(np.ones(3), ["min", "max"][comm.rank])
    ),
    "rank 0 calls broadcast(root 0, float64, 1), rank 1 calls broadcast(root 1, float64, 1)": (
        lambda comm: comm.broadcast(np.ones(1), comm.rank)
    ),
    "rank 0 calls allgatherv(float64, [1, 2]), rank 1 calls allgatherv(float64, [2, 1])": (
        lambda comm: comm.allgatherv(np.ones(1), [[1, 2], [2, 1]][comm.rank])
    ),
    "rank 1 returned while rank 0 waits in barrier()": lambda comm: comm.rank or comm.barrier(),
}


@pytest.mark.parametrize("message", MISMATCHES)
def test_different_calls(run, message):
    error = within_limit(lambda: run(MISMATCHES[message], 2))
    assert type(error) is RankError and str(error) == message


def test_groups_that_wait_for_one_another(run):
    def program(comm):
        row, column = comm.split(comm.rank // 2, 0), comm.split(comm.rank % 2, 0)
        for group in (row, column) if comm.rank in (0, 3) else (column, row):
            group.barrier()

    error = within_limit(lambda: run(program, 4))
    assert re.fullmatch(
        r"rank 0 waits in barrier\(\) for rank 1, which waits in barrier\(\) elsewhere", str(error)
    )


def test_different_arguments(run):
    error = within_limit(lambda: run(lambda comm: faults.differ(comm, 2), 4))
    assert type(error) is RankError
    assert str(error) == "scale must be the same on all ranks: rank 0 has 10, rank 2 has 20"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda comm: comm.allgatherv(np.ones(2), [1, 1]), "counts must hold the lengths"),
        (lambda comm: comm.alltoallv(np.ones(2), [1, 2]), "counts must be 2 numbers with the sum"),
        (lambda comm: comm.broadcast(np.ones(2), 2), "root must lie in 0..1, got 2"),
        (lambda comm: comm.allreduce(np.ones((2, 2))), "must be one-dimensional and contiguous"),
        (lambda comm: comm.allreduce(np.ones(9)[::2]), "must be one-dimensional and contiguous"),
    ],
)
def test_arguments_are_checked(run, call, message):
    error = within_limit(lambda: run(call, 2))
    assert type(error) is ValueError and message in str(error)


def test_no_ranks(run):
    with pytest.raises(ValueError, match="size must be at least 1, got 0"):
        run(print, 0)


def test_threads_have_a_time_limit():
    release = threading.Event()

    def program(comm):
        if comm.rank:
            release.wait(LIMIT)
        comm.barrier()

    error = within_limit(lambda: launch(program, ranks=2, backend="threads", timeout=0.2))
    release.set()
    assert str(error) == "not done after 0.2 s: rank 0 waits in barrier(), rank 1 runs"


def test_interrupt_ends_all_ranks(monkeypatch):
    begun, ended = threading.Event(), []

    def program(comm):
        begun.set()
        try:
            while True:
                comm.barrier()
        except RankError as error:
            ended.append(str(error))
            raise

    def interrupt(self):
        begun.wait(LIMIT)
        raise KeyboardInterrupt

    monkeypatch.setattr(World, "_begin", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_threads(program, 3)
    end = time.monotonic() + LIMIT
    while len(ended) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    assert set(ended) == {"the program was interrupted: KeyboardInterrupt"}


@mpi
@pytest.mark.parametrize(
    ("program", "message"),
    [
        (faults.raises, "rank 2 failed: ValueError: no luck"),
        (faults.killed, "rank 2 failed: killed by SIGKILL"),
        (faults.vanishes, "rank 2 failed: ended without a result"),
        (faults.differ, "scale must be the same on all ranks: rank 0 has 10, rank 2 has 20"),
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
        pytest.param(
            "os._exit(3)", "rank 2 failed: ended without a result", marks=pytest.mark.slow
        ),
        pytest.param(
            "sys.modules['mpi4py'] = None",
            "rank 2 failed: ImportError: MPI needs mpi4py",
            marks=pytest.mark.slow,
        ),
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
        (faults.returns, r"rank 2 returned while rank [013] waits in allreduce\(\)"),
    ],
)
def test_launch_names_a_rank_that_others_wait_for_in_vain(program, message, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("EDGEWISE_GRID_TIMEOUT", "1.5")
    error = within_limit(lambda: launch(program, 2, ranks=4))
    assert type(error) is RankError and re.fullmatch(message, str(error))
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


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
        pytest.param("SIGINT", marks=pytest.mark.slow),
        pytest.param("SIGKILL", marks=pytest.mark.slow),
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
def test_launch_has_a_time_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    start = time.monotonic()
    error = within_limit(lambda: launch(faults.sleeps, 1, ranks=2, timeout=2))
    assert str(error) == "not done after 2 s: rank 1"
    assert time.monotonic() - start < 10
    assert left_behind(tmp_path) == [] and list(tmp_path.iterdir()) == []


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
        ("vanishes", "edgewise: rank 2 of 4 failed: ended without a word, with code 0"),
        ("stops", "edgewise: rank 2 has been stopped for 1.5 s"),
        ("returns", r"edgewise: rank 2 returned while rank [013] waits in allreduce\(\)"),
        ("exits", "edgewise: rank 2 of 4 ended before MPI started"),
        ("without_mpi4py", "ImportError: MPI needs mpi4py: .*"),
    ],
)
def test_mpiexec_names_the_rank(program, message):
    done = mpiexec(program, "2", EDGEWISE_GRID_TIMEOUT="1.5")
    assert done.returncode != 0
    assert len(re.findall(f"^{message}$", done.stderr, re.MULTILINE)) == 1, done.stderr


@mpi
def test_mpiexec_leaves_a_rank_that_computes_alone_but_says_so():
    done = mpiexec("lingers", "2", EDGEWISE_GRID_TIMEOUT="1")
    message = "edgewise: rank 0 has waited 1 s in allreduce() for rank 2, which computes\n"
    assert (done.returncode, done.stderr) == (0, message)


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
    command = [_find_mpiexec(), "-n", "4", sys.executable]
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
    command = [_find_mpiexec(), "-n", "4", sys.executable]
    command += ["-m", "tests.distributed.faults", "works", str(2 * LIMIT)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        time.sleep(number / 8)
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


def mpiexec(*words: str, **environment: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tests.distributed.faults", *words]
    return mpiexec_of(command, **environment)


def mpiexec_of(command: list[str], **environment: str) -> subprocess.CompletedProcess:
    command = [_find_mpiexec(), "-n", "4", *command]
    environment = os.environ | environment
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT, env=environment
    )


def wait_for(condition) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.05)


def kill_rank(folder: Path, rank: int, delay: float) -> None:
    """Kill the Python process of a rank, ``delay`` seconds after it was started.

    ``folder`` is in its environment or its command. A keeper has a child: that is the rank.
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
            if known and name.startswith("python"):
                mine.add(int(path.parent.name))
        return max(mine, default=None)

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

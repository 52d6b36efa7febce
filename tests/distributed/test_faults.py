"""Whatever goes wrong on one rank ends all of them, soon, with a message that names the rank."""

from __future__ import annotations

import re
import threading
import time

import numpy as np
import pytest

from edgewise.distributed.comm import RankError
from edgewise.distributed.launcher import launch
from edgewise.distributed.rank_threads import World, run_threads
from edgewise.distributed.simulation import simulate_grid
from tests.distributed import faults
from tests.distributed.processes import LIMIT, within_limit


@pytest.fixture(params=[run_threads, simulate_grid])
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

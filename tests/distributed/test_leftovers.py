"""Shared memory that killed jobs left behind: the next job removes it, and nothing else."""

from __future__ import annotations

import mmap
import os
import time
from importlib.util import find_spec

import pytest

from edgewise.distributed.launcher import launch
from edgewise.distributed.leftovers import FILES, mapped_files, remove_leftovers
from tests.distributed import faults


@pytest.fixture
def leftover():
    """Makes files as MPICH does, so many seconds old, and removes what is left of them."""
    made = []

    def make(name: str, age: float):
        made.append(FILES / name)
        made[-1].write_bytes(bytes(4096))
        when = time.time() - age
        os.utime(made[-1], (when, when))
        return made[-1]

    yield make
    for path in made:
        path.unlink(missing_ok=True)


def test_old_files_that_nobody_maps_are_removed(leftover):
    old, fresh = leftover("mpich_shm_0badc0de_0", 100), leftover("mpich_shm_0badc0de_1", 0)
    mapped, other = leftover("mpich_shm_0badc0de_2", 100), leftover("mpich_shm_notes", 100)
    with mapped.open("r+b") as file, mmap.mmap(file.fileno(), 0):
        # jobs of other tests may run beside this one
        assert {one for one in mapped_files() if "0badc0de" in one.name} == {mapped}
        remove_leftovers()
        assert [path.exists() for path in (old, fresh, mapped, other)] == [False, True, True, True]
        remove_leftovers(since=time.time() - 50)  # by a job that has ended
        assert [path.exists() for path in (fresh, mapped)] == [False, True]


@pytest.mark.skipif(find_spec("mpi4py") is None, reason="needs mpi4py")
def test_the_next_job_removes_what_was_left(leftover):
    old = leftover("mpich_shm_0badc0de_3", 100)
    launch(faults.pids, ranks=2)
    assert not old.exists()

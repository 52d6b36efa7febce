"""One suite of programs for all communicators: threads, simulated ranks, and MPI."""

from __future__ import annotations

import sys

import pytest

from edgewise.distributed.launcher import launch
from edgewise.distributed.rank_threads import run_threads
from edgewise.distributed.simulation import simulate_grid
from tests.distributed.programs import PROGRAMS, device_arrays, run_all, run_all_in_pieces
from tests.tiers import later

SIZES = [1, 2, 3, 4, 6, 7]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_threads(name, size):
    run_threads(PROGRAMS[name], size)


@pytest.mark.parametrize("size", [*SIZES, 25])
@pytest.mark.parametrize("name", PROGRAMS)
def test_simulate(name, size):
    simulate_grid(PROGRAMS[name], size)


@pytest.mark.parametrize("ranks", [4, later(6)])
def test_mpi(ranks):
    pytest.importorskip("mpi4py")
    assert launch(run_all, ranks=ranks, timeout=60) == [list(PROGRAMS)] * ranks


@pytest.mark.slow
def test_mpi_in_pieces():
    pytest.importorskip("mpi4py")
    assert launch(run_all_in_pieces, ranks=3, timeout=60) == [["25"] * 3] * 3


@pytest.mark.parametrize("shared", [later(True), False])
def test_arrays_of_a_gpu(shared):
    """With a stand-in for CuPy: NCCL, if every rank has a GPU of its own, else host memory."""
    pytest.importorskip("mpi4py")
    kind = "MpiCommunicator" if shared else "NcclCommunicator"
    assert launch(device_arrays, shared, ranks=4, timeout=60) == [kind] * 4


def test_mpi_is_named_if_missing(monkeypatch):
    from edgewise.distributed import mpi

    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(ImportError, match=r"MPI needs mpi4py: pip install 'edgewise\[mpi\]'"):
        mpi.world()


@pytest.mark.gpu
def test_nccl_calls_with_one_rank():
    """NCCL with the one rank that one GPU allows; the public methods would not even call it."""
    cupy = pytest.importorskip("cupy")
    pytest.importorskip("mpi4py")
    if not cupy.cuda.is_available():
        pytest.skip("there is no GPU")
    from edgewise.distributed import mpi, nccl

    comm = nccl.best(mpi.MpiCommunicator(mpi._mpi().COMM_SELF), "cuda:0")
    assert isinstance(comm, nccl.NcclCommunicator)
    for dtype in "?bBhHiIlLqQfd":
        array = cupy.arange(5).astype(dtype)
        for op in ("sum", "min", "max"):
            total = comm._allreduce(array, op)
            assert total.dtype == array.dtype and (total == array).all()
        with comm.grouped():
            comm._broadcast(array[:2], 0)
            comm._broadcast(array[2:], 0)
        assert (comm._allgatherv(array, [5]) == array).all()
        found, counts = comm._alltoallv(array, [5])
        assert counts == [5] and (found == array).all()
        assert (array == cupy.arange(5).astype(dtype)).all()
    empty = cupy.empty(0)
    assert len(comm._allreduce(empty, "sum")) == len(comm._alltoallv(empty, [0])[0]) == 0
    comm.split(0, 0).barrier()

"""Simulated ranks: what they count equals the formulas, and clocks move as the model says."""

from __future__ import annotations

import time

import numpy as np
import pytest

from edgewise.distributed.pricing import MODELS, Model
from edgewise.distributed.simulation import simulate_grid

PLAIN = Model(
    name="plain",
    latency_s=1.0,
    bandwidth_bytes_per_s=100.0,
    ranks_per_node=2,
    node_latency_s=0.1,
    node_bandwidth_bytes_per_s=1000.0,
    edges_per_second=10.0,
    vertices_per_second=20.0,
)


def counted(program, size):
    report = simulate_grid(program, size, model=PLAIN).report
    assert report.total("sent") == report.total("received")
    return report


@pytest.mark.parametrize(("size", "steps"), [(2, 2), (3, 4), (4, 4), (5, 6), (8, 6), (16, 8)])
def test_allreduce(size, steps):
    report = counted(lambda comm: comm.allreduce(np.ones(size)), size)
    each = 2 * 8 * (size - 1)  # 2 n (g - 1) / g for n = 8 g bytes
    assert report.per_rank("messages").tolist() == [0] + [2] * (size - 1)
    assert report.per_rank("sent").tolist() == [each] * size
    assert report.collectives == {"allreduce": 1}
    if size > 2:  # more than one node: half of the link each
        assert report.time_s == pytest.approx(steps * 1.0 + each / 50)
    else:
        assert report.time_s == pytest.approx(steps * 0.1 + each / 1000)


def test_broadcast():
    report = counted(lambda comm: comm.broadcast(np.ones(10), 3), 6)
    assert report.total("messages") == 5
    assert report.per_rank("messages").tolist() == [1, 1, 1, 0, 1, 1]
    assert report.per_rank("received").tolist() == [80, 80, 80, 0, 80, 80]
    assert report.total("sent") == 5 * 80 and report.max("sent") == 80
    assert report.time_s == pytest.approx(3 * 1.0 + 80 / 50)


def test_allgatherv():
    counts = [3, 0, 2, 1, 4]
    total = 8 * sum(counts)
    report = counted(lambda comm: comm.allgatherv(np.ones(counts[comm.rank]), counts), 5)
    assert report.total("messages") == 2 * 4
    assert report.collectives == {"allgatherv": 1}
    assert report.per_rank("received").tolist() == [total - 24] + [total] * 4
    assert report.per_rank("sent").tolist() == [total, total, total + 16, total + 8, 32]
    assert report.time_s == pytest.approx(6 * 1.0 + (total + 32) / 50)


def test_allgatherv_pays_for_unknown_counts():
    report = counted(lambda comm: comm.allgatherv(np.ones(1)), 4)
    assert report.collectives == {"counts": 1, "allgatherv": 1}
    assert report.total("messages") == 2 * 2 * 3
    assert report.total("sent") == 2 * (3 * 8 + 3 * 32)


def test_alltoallv_counts_what_is_not_empty():
    def program(comm):
        counts = [0] * 4
        counts[comm.rank] = 9  # to itself: free
        counts[(comm.rank + 1) % 4] = comm.rank
        comm.alltoallv(np.ones(sum(counts), np.int32), counts)

    report = counted(program, 4)
    assert report.per_rank("messages").tolist() == [0, 1, 1, 1]
    assert report.per_rank("sent").tolist() == [0, 4, 8, 12]
    assert report.per_rank("received").tolist() == [12, 0, 4, 8]
    assert report.time_s == pytest.approx(3 * 1.0 + 12 / 50)


def test_barrier():
    report = counted(lambda comm: comm.barrier(), 7)
    assert (report.total("messages"), report.total("sent")) == (12, 0)
    assert report.time_s == pytest.approx(6.0)


def test_one_rank_pays_nothing():
    def program(comm):
        comm.barrier()
        comm.split(0, 0).allreduce(np.ones(5))

    report = counted(program, 1)
    assert (report.total("messages"), report.total("sent"), report.time_s) == (0, 0, 0)


def test_split_groups_pay_for_their_own_size():
    def program(comm):
        row = comm.split(comm.rank // 2, comm.rank)
        with comm.phase("rows"):
            row.allreduce(np.ones(2))

    report = counted(program, 6)
    assert report.collectives == {"split": 1, "allreduce": 3}
    assert report.total("messages", "rows") == 3 * 2
    assert report.per_rank("sent", "rows").tolist() == [16] * 6
    assert report.max("talking", "rows") == pytest.approx(2 * 0.1 + 16 / 1000)  # inside a node


def test_clocks_wait_for_the_last():
    def program(comm):
        comm.work(edges=10 * comm.rank, vertices=20)
        comm.barrier()
        if comm.rank == 0:
            comm.work(edges=50)

    report = counted(program, 3)
    np.testing.assert_allclose(report.per_rank("computing"), [6, 2, 3])
    np.testing.assert_allclose(report.per_rank("waiting"), [2, 1, 0])
    np.testing.assert_allclose(report.per_rank("talking"), [4, 4, 4])
    assert report.time_s == pytest.approx(3 + 4 + 5)
    assert (report.computation_s, report.communication_s) == pytest.approx((6, 4))
    assert report.per_rank("edges").tolist() == [50, 10, 20]


def test_phases_nest():
    def program(comm):
        comm.barrier()
        with comm.phase("outer"):
            comm.allreduce(np.ones(1))
            with comm.phase("inner"):
                comm.allreduce(np.ones(2))
            comm.work(edges=1)

    report = counted(program, 2)
    assert report.phases == ["other", "outer", "inner"]
    assert [report.max("sent", phase) for phase in report.phases] == [0, 8, 16]
    assert report.total("edges", "outer") == report.total("edges") == 2
    rows = report.rows()
    assert [row["phase"] for row in rows] == ["other", "outer", "inner", "all"]
    assert rows[-1]["bytes"] == sum(row["bytes"] for row in rows[:-1]) == report.total("sent")
    assert rows[-1]["messages"] == report.total("messages") == 6


def test_grouped_broadcasts_share_the_latency():
    def program(comm):
        with comm.grouped():
            for root in range(comm.size):
                comm.broadcast(np.ones(10), root)

    report = counted(program, 4)
    assert report.time_s == pytest.approx(2 * 1.0 + 4 * 80 / 50)
    assert report.total("messages") == 4 * 3


def test_a_function_costs_two_exchanges():
    report = counted(lambda comm: comm.allreduce(np.ones(8), np.fmax), 4)
    assert report.collectives == {"alltoallv": 1, "allgatherv": 1}


def test_measured_time_is_that_of_the_rank():
    def program(comm):
        end = time.process_time() + (0.1 if comm.rank == 1 else 0)
        while time.process_time() < end:
            pass
        comm.barrier()

    measured = counted(program, 3).per_rank("measured")
    assert 0.09 < measured[1] < 1 and max(measured[0], measured[2]) < 0.05


def test_runs_are_the_same_every_time():
    def program(comm):
        order.append(comm.rank)
        comm.split(comm.rank % 2, comm.rank).barrier()
        order.append(comm.rank)
        comm.barrier()
        order.append(comm.rank)

    orders = []
    for _ in range(3):
        order = []
        simulate_grid(program, 9)
        orders.append(order)
    assert orders[0] == orders[1] == orders[2]
    assert orders[0][:7] == list(range(7))


def test_hundreds_of_ranks_are_fast():
    def program(comm):
        for _ in range(5):
            total = comm.allreduce(np.array([comm.rank]))
            comm.barrier()
        return int(total[0])

    start = time.monotonic()
    run = simulate_grid(program, 400)
    assert run.results == [400 * 399 // 2] * 400
    assert run.report.total("messages") == 5 * 2 * 2 * 399
    assert time.monotonic() - start < 15


def test_kernels_compile_inside():
    def program(comm):
        import numba

        @numba.njit
        def triple(x):
            return 3 * x

        return comm.allreduce(np.array([triple(comm.rank)])).item()

    assert simulate_grid(program, 2).results == [3, 3]


def test_models():
    assert set(MODELS) == {"infiniband", "ethernet"}
    slow, fast = (
        simulate_grid(lambda comm: comm.allreduce(np.ones(10**4)), 12, model=name).report.time_s
        for name in ("ethernet", "infiniband")
    )
    assert slow > fast > 0
    with pytest.raises(ValueError, match="model must be one of infiniband, ethernet, got 'smoke'"):
        simulate_grid(lambda comm: None, 2, model="smoke")
    with pytest.raises(ValueError, match="edges_per_second must be positive, got 0"):
        Model("x", 0, 1, 1, 0, 1, 0, 1)
    with pytest.raises(ValueError, match="field must be one of"):
        counted(lambda comm: None, 1).total("bites")

"""What every communicator must do: programs that all ranks run, and that check their own results.

`run_all` runs them one after another, for implementations that are slow to start.
"""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.distributed.comm import RankError

DTYPES = "?bBhHiIlLqQfd"


def equal(found, wanted) -> None:
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype, (found.dtype, wanted.dtype)
    np.testing.assert_array_equal(found, wanted)


def numbers(rank: int, dtype: str, count: int = 5) -> np.ndarray:
    """Small numbers that differ by rank; those of all ranks are known to all."""
    values = (np.arange(count) * 7 + rank * 3) % 11
    return (values > 5) if dtype == "?" else values.astype(dtype)


def allreduce_all_types(comm):
    folds = {"sum": np.add, "min": np.minimum, "max": np.maximum}
    for dtype in DTYPES:
        mine = numbers(comm.rank, dtype)
        for op, fold in folds.items():
            wanted = numbers(0, dtype)
            for rank in range(1, comm.size):
                wanted = fold(wanted, numbers(rank, dtype))
            equal(comm.allreduce(mine, op), wanted)
        equal(mine, numbers(comm.rank, dtype))


def allreduce_wraps_around(comm):
    total = comm.allreduce(np.array([200], np.uint8))
    equal(total, np.array([200 * comm.size % 256], np.uint8))


def allreduce_is_the_same_bits_on_all(comm):
    mine = np.random.default_rng(comm.rank).standard_normal(1000) * 10.0**comm.rank
    total = comm.allreduce(mine)
    assert len(set(comm.gather_objects(total.tobytes()))) == 1


def allreduce_with_a_function_goes_by_rank(comm):
    def fold(a, b):
        return 2 * a + b

    for count in (0, 1, 2, 23):
        rows = [np.arange(count) + 10 * rank for rank in range(comm.size)]
        wanted = rows[0]
        for row in rows[1:]:
            wanted = fold(wanted, row)
        equal(comm.allreduce(rows[comm.rank], fold), wanted)


def allreduce_gives_each_its_own(comm):
    mine = np.ones(3)
    total = comm.allreduce(mine)
    total += comm.rank
    comm.barrier()
    equal(total, np.full(3, float(comm.size + comm.rank)))
    equal(mine, np.ones(3))


def allreduce_knows_its_operations(comm):
    if comm.size > 1:
        with pytest.raises(ValueError, match="op must be one of sum, min, max, got 'mean'"):
            comm.allreduce(np.ones(1), "mean")


def broadcast_all_types_from_any_root(comm):
    for dtype in DTYPES:
        for root in {0, comm.size // 2, comm.size - 1}:
            array = numbers(comm.rank, dtype)
            assert comm.broadcast(array, root) is array
            equal(array, numbers(root, dtype))


def broadcast_into_a_view(comm):
    whole = np.full(3 * comm.size, -1)
    own = slice(3 * comm.rank, 3 * comm.rank + 3)
    whole[own] = comm.rank
    with comm.grouped():
        for root in range(comm.size):
            comm.broadcast(whole[3 * root : 3 * root + 3], root)
    equal(whole, np.repeat(np.arange(comm.size), 3))


def allgatherv_uneven(comm):
    counts = [rank % 3 for rank in range(comm.size)]  # zeros among them
    for dtype in DTYPES:
        mine = numbers(comm.rank, dtype, counts[comm.rank])
        wanted = np.concatenate([numbers(k, dtype, counts[k]) for k in range(comm.size)])
        for known in (None, counts):
            whole, found = comm.allgatherv(mine, known)
            equal(whole, wanted)
            assert found == counts
    whole[:] = comm.rank
    comm.barrier()
    assert (whole == comm.rank).all()


def alltoallv_uneven(comm):
    def part(source, target, dtype):
        return numbers(source + 2 * target, dtype, (source * 2 + target) % 4)

    for dtype in DTYPES:
        parts = [part(comm.rank, k, dtype) for k in range(comm.size)]
        found, counts = comm.alltoallv(np.concatenate(parts), [len(p) for p in parts])
        wanted = [part(k, comm.rank, dtype) for k in range(comm.size)]
        equal(found, np.concatenate(wanted))
        assert counts == [len(p) for p in wanted]


def empty_arrays(comm):
    for dtype in "?if":
        nothing = np.empty(0, dtype)
        equal(comm.allreduce(nothing), nothing)
        equal(comm.broadcast(nothing, comm.size - 1), nothing)
        equal(comm.allgatherv(nothing)[0], nothing)
        found, counts = comm.alltoallv(nothing, [0] * comm.size)
        equal(found, nothing)
        assert counts == [0] * comm.size


def large_arrays(comm):
    count = 10**6 if comm.size <= 4 else 10**5
    mine = np.arange(count) + comm.rank
    extra = comm.size * (comm.size - 1) // 2
    equal(comm.allreduce(mine), np.arange(count) * comm.size + extra)
    whole, _ = comm.allgatherv(mine)
    assert len(whole) == comm.size * count and whole[-1] == count + comm.size - 2
    share = count // comm.size
    found, _ = comm.alltoallv(mine[: share * comm.size], [share] * comm.size)
    equal(found[::share], np.arange(comm.size) + comm.rank * share)
    equal(comm.broadcast(mine, comm.size - 1), np.arange(count) + comm.size - 1)


def split_into_rows_and_columns(comm):
    columns = next(k for k in (5, 3, 2, 1) if comm.size % k == 0)
    r, c = divmod(comm.rank, columns)
    row, column = comm.split(r, c), comm.split(c, r)
    assert (row.rank, row.size) == (c, columns)
    assert (column.rank, column.size) == (r, comm.size // columns)
    equal(row.allgatherv(np.array([comm.rank]))[0], np.arange(columns) + r * columns)
    equal(column.allgatherv(np.array([comm.rank]))[0], np.arange(column.size) * columns + c)


def split_recursively(comm):
    here, members = comm, list(range(comm.size))
    while here.size > 1:
        assert here.gather_objects(comm.rank) == members
        half = here.rank % 2
        members = members[half::2]
        here = here.split(half, here.rank)
    here.barrier()
    equal(here.allreduce(np.array([comm.rank])), np.array([comm.rank]))


def split_in_the_order_of_keys(comm):
    back = comm.split(0, -comm.rank)
    assert back.rank == comm.size - 1 - comm.rank
    assert back.gather_objects(comm.rank) == list(range(comm.size))[::-1]
    ties = comm.split(0, 7)
    assert ties.rank == comm.rank


def groups_at_their_own_pace(comm):
    """One half talks more often than the other, and all meet again."""
    half = comm.split(comm.rank % 2, comm.rank)
    for _ in range(1 + 5 * (comm.rank % 2)):
        half.allreduce(np.ones(10))
    comm.barrier()


def hints_change_nothing(comm):
    with comm.phase("outer"), comm.phase("inner"), comm.grouped():
        comm.work(edges=10, vertices=3)
        array = comm.broadcast(np.full(2, comm.rank), 0)
    equal(array, np.zeros(2, int))


def objects(comm):
    things = comm.gather_objects({"rank": comm.rank, "text": "x" * comm.rank})
    assert [thing["rank"] for thing in things] == list(range(comm.size))
    assert things[-1]["text"] == "x" * (comm.size - 1)


def same_arguments(comm):
    comm.check_same("seed", 7)
    if comm.size > 2:
        message = "seed must be the same on all ranks: rank 0 has 1, rank 2 has 5"
        with pytest.raises(RankError, match=message):
            comm.check_same("seed", 5 if comm.rank == 2 else 1)


def errors_on_some_ranks(comm):
    comm.check_all("reading", None)
    last = comm.size - 1
    mine = FileNotFoundError("no file") if comm.rank == last else None
    message = f"rank {last} failed while reading: FileNotFoundError: no file"
    with pytest.raises(RankError, match=message):
        comm.check_all("reading", mine)


def many_small_calls(comm):
    wanted = np.array([comm.size * (comm.size - 1) // 2])
    for _ in range(50):
        equal(comm.allreduce(np.array([comm.rank])), wanted)


PROGRAMS = {
    program.__name__: program
    for program in (
        allreduce_all_types,
        allreduce_wraps_around,
        allreduce_is_the_same_bits_on_all,
        allreduce_with_a_function_goes_by_rank,
        allreduce_gives_each_its_own,
        allreduce_knows_its_operations,
        broadcast_all_types_from_any_root,
        broadcast_into_a_view,
        allgatherv_uneven,
        alltoallv_uneven,
        empty_arrays,
        large_arrays,
        split_into_rows_and_columns,
        split_recursively,
        split_in_the_order_of_keys,
        groups_at_their_own_pace,
        hints_change_nothing,
        objects,
        same_arguments,
        errors_on_some_ranks,
        many_small_calls,
    )
}


def run_all(comm) -> list[str]:
    for name, program in PROGRAMS.items():
        try:
            program(comm)
        except BaseException as error:
            error.add_note(f"in {name}")
            raise
    return list(PROGRAMS)


def run_all_in_pieces(comm) -> list[str]:
    """As if the MPI library could not count further than 10."""
    from edgewise.distributed import mpi

    mpi.LIMIT = 10
    for name in ("allreduce_all_types", "allgatherv_uneven", "alltoallv_uneven", "empty_arrays"):
        PROGRAMS[name](comm)
    counts = [13 * (rank + 1) for rank in range(comm.size)]
    mine = np.arange(counts[comm.rank])
    whole, _ = comm.allgatherv(mine)
    equal(whole, np.concatenate([np.arange(count) for count in counts]))
    equal(comm.broadcast(mine[:13] + comm.rank, 1), np.arange(13) + 1)
    found, received = comm.alltoallv(np.full(25 * comm.size, comm.rank), [25] * comm.size)
    equal(found, np.repeat(np.arange(comm.size), 25))
    return [*map(str, received)]


def device_arrays(comm, shared: bool) -> str:
    """Arrays that are not NumPy's: through host memory if GPUs are shared, else as NCCL would."""
    from edgewise.distributed import nccl
    from tests.distributed.fake_cupy import Array, install

    install(bus="one" if shared else str(comm.rank))
    comm = nccl.best(comm, "cuda:0")
    half = comm.split(comm.rank % 2, comm.rank)
    for group in (comm, half):
        for dtype in DTYPES:
            _device_collectives(group, Array, dtype)
        found = group.allreduce(Array(np.arange(9) + group.rank), lambda a, b: 2 * a + b)
        wanted = np.arange(9)
        for rank in range(1, group.size):
            wanted = 2 * wanted + np.arange(9) + rank
        equal(found.get(), wanted)
        group.barrier()
        equal(group.allreduce(np.ones(2)), np.full(2, float(group.size)))  # NumPy's, as ever
    return type(comm).__name__


def _device_collectives(comm, Array, dtype):
    size, mine = comm.size, numbers(comm.rank, dtype)
    every = [numbers(rank, dtype) for rank in range(size)]
    for op, fold in (("sum", np.add), ("min", np.minimum), ("max", np.maximum)):
        equal(comm.allreduce(Array(mine), op).get(), fold.reduce(every, axis=0, dtype=mine.dtype))
    whole = Array(np.concatenate([mine] * size))
    with comm.grouped():
        for root in range(size):
            comm.broadcast(whole[5 * root : 5 * root + 5], root)
    equal(whole.get(), np.concatenate(every))
    counts = [rank % 3 for rank in range(size)]
    found, _ = comm.allgatherv(Array(mine[: counts[comm.rank]]))
    equal(found.get(), np.concatenate([every[k][: counts[k]] for k in range(size)]))
    sent = [(comm.rank + k) % 3 for k in range(size)]
    found, received = comm.alltoallv(Array(np.concatenate([mine[:count] for count in sent])), sent)
    assert received == sent
    equal(found.get(), np.concatenate([every[k][: sent[k]] for k in range(size)]))
    nothing = Array(mine[:0])
    assert len(comm.allreduce(nothing)) == len(comm.broadcast(nothing, 0)) == 0
    assert len(comm.allgatherv(nothing)[0]) == len(comm.alltoallv(nothing, [0] * size)[0]) == 0

"""The communicator over TCP beside that of threads, frames that do not fit, and strangers."""

from __future__ import annotations

import socket
import threading

import numpy as np
import pytest

import edgewise
from edgewise.distributed import Grid, distribute
from edgewise.distributed.comm import RankError
from edgewise.distributed.handshake import accept, connect, listen, receive, send
from edgewise.distributed.mesh import Mesh, PeerLostError
from edgewise.distributed.rank_threads import cause, run_threads
from edgewise.distributed.tcp import TcpCommunicator

SIZES = pytest.mark.parametrize("size", [1, 2, 3, 5, 8])


def meshes(size):
    """Meshes of ranks in one process."""
    found = [{} for _ in range(size)]
    for a in range(size):
        for b in range(a):
            found[a][b], found[b][a] = socket.socketpair()
    return [Mesh(rank, connections) for rank, connections in enumerate(found)]


def run_tcp(program, size, every=None):
    """What `run_threads` returns, over sockets; errors by rank go to ``every``."""
    results, errors, ranks = [None] * size, {}, every or meshes(size)

    def live(mesh):
        failure = ""
        try:
            results[mesh.rank] = program(TcpCommunicator(mesh))
        except Exception as error:
            errors[mesh.rank] = error
            known = isinstance(error, RankError)
            failure = str(error) if known else f"rank {mesh.rank} failed: {cause(error)}"
        try:
            mesh.finish(failure)
        except PeerLostError:
            mesh.close()

    threads = [threading.Thread(target=live, args=(mesh,), daemon=True) for mesh in ranks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive(), "it hangs"
    if every is None:
        closed(ranks)
    return results, errors


def closed(ranks):
    for mesh in ranks:
        mesh.close()


def collectives(comm, length):
    """All collectives of a communicator and of its halves, with numbers that differ by rank."""
    rng = np.random.default_rng(comm.rank)
    half = comm.split(comm.rank % 2, -comm.rank)
    found = [half.rank, half.size, comm.counts(3 * comm.rank)]
    for group in (comm, half):
        for kind in (np.int64, np.float32, np.bool_, np.uint8):
            mine = rng.integers(0, 2 if kind is np.bool_ else 90, length).astype(kind)
            before = mine.copy()
            found += [group.allreduce(mine, op) for op in ("sum", "min", "max")]
            found.append(group.broadcast(mine.copy(), group.size - 1))
            found.append(group.allgatherv(mine[: comm.rank])[0])
            found.append(group.allreduce(mine, lambda a, b: a | b if a.dtype == bool else a + b))
            cuts = np.sort(rng.integers(0, length + 1, group.size - 1)).tolist()
            counts = np.diff([0, *cuts, length]).tolist()
            found += [*group.alltoallv(mine, counts)]
            assert (mine == before).all()
        group.barrier()
        found.append(np.array(group.exchange_counts([comm.rank] * group.size))
                     if hasattr(group, "exchange_counts") else None)  # fmt: skip
    return found


@SIZES
@pytest.mark.parametrize("length", [0, 7, 40_000])
def test_collectives_equal_those_of_threads(size, length):
    ranks = meshes(size)
    found, errors = run_tcp(lambda comm: collectives(comm, length), size, ranks)
    assert not errors
    wanted = run_threads(lambda comm: collectives(comm, length), size)
    for mine, theirs in zip(found, wanted, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            if other is None:  # the counts that ranks have for one another are their numbers
                assert set(one.tolist()) <= set(range(size))
                continue
            np.testing.assert_array_equal(one, other)
            assert getattr(one, "dtype", None) == getattr(other, "dtype", None)
            if isinstance(one, np.ndarray):
                assert one.flags.writeable
    closed(ranks)


def test_sums_of_floats_are_the_same_on_all_ranks():
    def program(comm):
        mine = np.random.default_rng(comm.rank).random(9_000)
        return comm.allreduce(mine), comm.allreduce(mine[:9])

    found, errors = run_tcp(program, 5)
    assert not errors
    for large, small in found[1:]:
        assert large.tobytes() == found[0][0].tobytes()
        assert small.tobytes() == found[0][1].tobytes()


def test_an_algorithm():
    graph = edgewise.generators.karate_club()

    def program(comm):
        mine = distribute(graph, grid=Grid(comm, "2x3"))
        return edgewise.bfs(mine, 0).distance.gather()

    found, errors = run_tcp(program, 6)
    assert not errors
    for one in found:
        np.testing.assert_array_equal(one, edgewise.bfs(graph, 0).distance)


def test_a_rank_that_fails_is_named_and_the_next_call_is_clean():
    ranks = meshes(4)

    def failing(comm):
        if comm.rank == 2:
            comm.allgatherv(np.zeros(300_000))  # too much for what sockets hold
            raise KeyError("x")
        comm.allgatherv(np.zeros(300_000))
        comm.barrier()

    _, errors = run_tcp(failing, 4, ranks)
    assert type(errors.pop(2)) is KeyError
    assert {str(error) for error in errors.values()} == {"rank 2 failed: KeyError: 'x'"}
    assert len(errors) == 3
    found, errors = run_tcp(lambda comm: comm.counts(comm.rank), 4, ranks)
    assert not errors and found == [[0, 1, 2, 3]] * 4
    closed(ranks)


@pytest.mark.parametrize("other", [lambda comm: None, lambda comm: comm.counts(1)])
def test_different_calls(other):
    ranks = meshes(3)
    _, errors = run_tcp(lambda comm: other(comm) if comm.rank == 1 else comm.barrier(), 3, ranks)
    texts = " ".join(map(str, errors.values()))
    assert "rank 1 returned while rank 0 waits in barrier()" in texts or (
        "rank 1 calls counts() among 3 ranks" in texts
    )
    assert run_tcp(lambda comm: comm.size, 3, ranks)[0] == [3, 3, 3]
    closed(ranks)


def test_a_rank_that_is_gone():
    ranks = meshes(3)
    ranks[1].close()
    threads = {}

    def wait(mesh):
        try:
            TcpCommunicator(mesh).barrier()
        except PeerLostError as error:
            threads[mesh.rank] = str(error)
            mesh.close()

    several = [threading.Thread(target=wait, args=(mesh,)) for mesh in (ranks[0], ranks[2])]
    for one in several:
        one.start()
    for one in several:
        one.join(30)
    assert threads[0].startswith("rank 0 lost its connection to rank") and set(threads) == {0, 2}


def test_strangers_are_turned_away():
    server, found = listen("127.0.0.1"), []
    waiting = threading.Thread(target=lambda: found.append(accept(server, b"right", 30)))
    waiting.start()
    with pytest.raises(PermissionError, match="another key"):
        connect(server.getsockname(), b"wrong")
    with socket.create_connection(server.getsockname()) as noise:
        noise.sendall(b"GET / HTTP/1.1\r\n" * 8)
    friend = connect(server.getsockname(), b"right")
    waiting.join(30)
    send(friend, {"rank": 3})
    assert receive(found[0]) == {"rank": 3}
    friend.close()
    with pytest.raises(EOFError):
        receive(found[0])
    found[0].close()
    server.close()


def test_nobody_comes():
    with listen("127.0.0.1") as server, pytest.raises(TimeoutError):
        accept(server, b"key", 0.05)


def test_a_proof_cannot_be_reflected():
    """Whoever sends back what the server sends has proven nothing."""
    server, found = listen("127.0.0.1"), []

    def wait():
        try:
            found.append(accept(server, b"key", 1.0))
        except TimeoutError:
            found.append(None)

    waiting = threading.Thread(target=wait)
    waiting.start()
    with socket.create_connection(server.getsockname()) as mirror:
        mirror.settimeout(5)
        for _ in range(2):
            mirror.sendall(mirror.recv(32))
        waiting.join(30)
    assert found == [None]
    server.close()

"""Clusters: ranks that live between calls, handles of graphs, failures, and no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import edgewise
from edgewise import generators
from edgewise.distributed import starters
from edgewise.distributed.comm import RankError
from tests.distributed import cluster_programs as programs
from tests.distributed.processes import ROOT, wait_for


def is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pids) -> bool:
    return not any(map(is_running, pids))


@pytest.fixture(scope="module")
def cluster():
    with edgewise.cluster(ranks=4, threads=1) as found:
        yield found
    assert gone(found.pids)


@pytest.fixture(scope="module")
def graph():
    return generators.karate_club()


@pytest.fixture(scope="module")
def handle(cluster, graph):
    return cluster.distribute(graph)


def test_a_handle_has_the_sizes(cluster, graph, handle):
    assert (handle.num_vertices, handle.num_edges) == (graph.num_vertices, graph.num_edges)
    assert handle.num_arcs == sum(handle.rank_arcs) == graph.num_arcs
    assert not handle.directed and handle.labels is None and len(handle) == 34
    assert repr(handle) == "ClusterGraph(undirected, 34 vertices, 78 edges, on 4 ranks)"
    assert repr(cluster) == "Cluster(4 ranks, 2x2, cpu, alive)"
    np.testing.assert_array_equal(handle.degrees(), graph.degrees())
    whole = handle.gather()
    np.testing.assert_array_equal(whole.indices, graph.indices)
    np.testing.assert_array_equal(whole.indptr, graph.indptr)


def test_algorithms_run_on_the_ranks(graph, handle):
    found, wanted = edgewise.bfs(handle, 3), edgewise.bfs(graph, 3)
    np.testing.assert_array_equal(found.distance, wanted.distance)
    assert type(found) is type(wanted)
    rank = edgewise.pagerank(handle)
    assert type(rank) is np.ndarray
    np.testing.assert_allclose(rank, edgewise.pagerank(graph), rtol=1e-12)
    assert edgewise.density(handle) == edgewise.density(graph)


def test_graphs_that_algorithms_return_stay_on_the_ranks(cluster, graph, handle):
    core, wanted = edgewise.k_core(handle, k=4), edgewise.k_core(graph, k=4)
    assert core.cluster is cluster and core.num_edges == wanted.num_edges
    np.testing.assert_array_equal(core.gather().indices, wanted.indices)
    number = core._info.number
    del core
    assert number in cluster._dropped
    cluster.run(programs.number_of_arcs, handle)
    assert cluster._dropped == []


def test_directed_weighted_labeled(cluster):
    graph = edgewise.Graph.from_edges([7, 9, 9, 4], [9, 7, 4, 4], [2.5, 1.0, 3.0, 0.5],
                                      directed=True, labels=True)  # fmt: skip
    handle = cluster.distribute(graph, distribution="random", seed=3)
    assert handle.directed and handle.num_self_loops == 1
    np.testing.assert_array_equal(handle.labels.values, graph.labels.values)
    assert handle.vertex(9) == graph.vertex(9)
    np.testing.assert_array_equal(handle.label([0, 2]), graph.label([0, 2]))
    np.testing.assert_array_equal(handle.in_degrees(), graph.in_degrees())
    np.testing.assert_array_equal(handle.gather().weights, graph.weights)
    assert handle.to_undirected().num_edges == graph.to_undirected().num_edges


def test_columns_are_distributed(cluster):
    """Weights by name are those of the graph, and columns come back."""
    ends = np.arange(9), np.arange(1, 10)
    graph = edgewise.Graph.from_edges(*ends).with_columns(edges={"km": np.arange(9) % 4 + 1.0})
    handle = cluster.distribute(graph)
    np.testing.assert_array_equal(
        edgewise.sssp(handle, 0, weights="km").distance,
        edgewise.sssp(graph, 0, weights="km").distance,
    )
    np.testing.assert_array_equal(handle.gather().edges["km"], graph.edges["km"])


@pytest.mark.parametrize("count", [0, 1])
def test_tiny_graphs(cluster, count):
    handle = cluster.distribute(edgewise.Graph.from_edges([], [], num_vertices=count))
    assert handle.num_vertices == count and handle.num_edges == 0
    assert edgewise.pagerank(handle).shape == (count,)


def test_files_are_read_by_the_ranks(cluster, tmp_path, graph, monkeypatch):
    edgewise.write(graph, tmp_path / "g.ew")
    monkeypatch.chdir(tmp_path)
    handle = cluster.read("g.ew", distribution="block")
    np.testing.assert_array_equal(handle.gather().indices, graph.indices)
    with pytest.raises(TypeError, match="device belongs to the cluster"):
        cluster.read("g.ew", device="cuda")
    with pytest.raises(RankError, match="nothing.ew"):
        cluster.read("nothing.ew")


def test_programs(cluster, handle):
    found = cluster.run(programs.number_of_arcs, handle, more=1)
    assert found == [(rank, arcs + 1) for rank, arcs in enumerate(handle.rank_arcs)]
    pytest.importorskip("cloudpickle")
    assert cluster.run(lambda comm: comm.rank + 1) == [1, 2, 3, 4]


def test_errors_leave_the_cluster_alive(cluster, handle):
    with pytest.raises(ValueError, match="alpha must be a number from 0 to 1, got 3"):
        edgewise.pagerank(handle, alpha=3)
    with pytest.raises(edgewise.ConvergenceError) as caught:
        edgewise.pagerank(handle, max_iter=1)
    assert caught.value.best.shape == (34,)
    with pytest.raises(RankError, match="rank 2 failed: KeyError: 'no luck'") as failed:
        cluster.run(programs.raises_on, 2)
    assert "raises_on" in failed.value.__notes__[0]
    with pytest.raises(RankError, match="rank 1 returned while rank"):
        cluster.run(programs.returns_early, 1)
    with pytest.raises(RuntimeError, match="UnpicklableError: this and that"):
        cluster.run(programs.raises_unpicklable)
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        cluster.run(programs.returns_unpicklable)
    assert edgewise.density(handle) > 0


def test_operators_are_refused(handle):
    with pytest.raises(TypeError, match=r"cluster\.run\(program, graph\)"):
        edgewise.frontier(handle, 0)
    with pytest.raises(AttributeError, match=r"graph.gather\(\) brings them here"):
        getattr(handle, "indices")  # noqa: B009
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(handle, "nonsense")  # noqa: B009


def test_one_device_algorithms_say_so(handle):
    with pytest.raises((TypeError, ValueError)):
        edgewise.simple_cycles(handle)


def test_threads_take_turns(cluster, handle):
    found = []
    several = [threading.Thread(target=lambda: found.append(cluster.run(programs.sleeps, 0.01)))
               for _ in range(4)]  # fmt: skip
    for one in several:
        one.start()
    for one in several:
        one.join(30)
    assert found == [[0, 1, 2, 3]] * 4


def test_bad_arguments(cluster, handle):
    for options, text in [
        ({"ranks": 0}, "ranks must be"),
        ({"ranks": 2, "threads": 0}, "threads must be"),
        ({"ranks": 2, "timeout": 0}, "timeout must be positive, got 0"),
        ({"ranks": 2, "start_timeout": -1}, "start_timeout must be positive, got -1"),
        ({"ranks": 2, "grid": "3x3"}, "takes 9 ranks"),
    ]:
        with pytest.raises(ValueError, match=text):
            edgewise.cluster(**options)
    with pytest.raises(TypeError, match="client must be a distributed.Client"):
        edgewise.cluster(client=3)
    with pytest.raises(TypeError, match="graph must be a Graph, got ClusterGraph"):
        cluster.distribute(handle)
    with pytest.raises(ValueError, match=r"rank must lie in 0\.\.3, got 4"):
        cluster.log(4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "text", "log"),
    [
        (programs.dies, "rank 1 failed: killed by SIGKILL", "farewell"),
        (programs.leaves, "rank 1 failed: ended with code 7", "out of here"),
    ],
)
def test_a_rank_that_dies_ends_the_call(program, text, log):
    with edgewise.cluster(ranks=3, threads=1) as cluster:
        with pytest.raises(RankError, match=text) as caught:
            cluster.run(program, 1)
        assert log in caught.value.__notes__[0]
        assert gone(cluster.pids)
        with pytest.raises(RankError, match=f"the cluster has ended: RankError: {text}"):
            cluster.run(program, 1)
        assert "ended" in repr(cluster)


@pytest.mark.slow
def test_a_rank_that_dies_between_calls():
    with edgewise.cluster(ranks=2, threads=1) as cluster:
        os.kill(cluster.pids[1], signal.SIGKILL)
        with pytest.raises(RankError, match="rank 1 failed: killed by SIGKILL"):
            cluster.run(programs.sleeps, 0)


@pytest.mark.slow
def test_a_call_that_takes_too_long():
    with edgewise.cluster(ranks=2, threads=1, timeout=0.5) as cluster:
        with pytest.raises(RankError, match=r"rank 0 has not answered after 0\.5 s"):
            cluster.run(programs.sleeps, 60)
        wait_for(lambda: gone(cluster.pids))


@pytest.mark.slow
def test_an_interrupted_call_ends_the_cluster():
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with edgewise.cluster(ranks=2, threads=1) as cluster:
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            with pytest.raises(KeyboardInterrupt):
                cluster.run(programs.sleeps, 60)
            wait_for(lambda: gone(cluster.pids))
            with pytest.raises(RankError, match="the cluster has ended: KeyboardInterrupt"):
                cluster.run(programs.sleeps, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.slow
def test_exceptions_end_the_ranks():
    with pytest.raises(ZeroDivisionError), edgewise.cluster(ranks=2, threads=1) as cluster:
        1 / 0  # noqa: B018
    assert gone(cluster.pids)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["pass", "raise SystemExit(0)", "os.kill(os.getpid(), 9)",
                                 "os.fork() or os._exit(0); time.sleep(1)"])  # fmt: skip
def test_no_rank_outlives_the_interpreter(end):
    """Neither at its exit nor if it is killed, and not by the exit of a forked child."""
    script = textwrap.dedent(f"""
        import os, time
        import edgewise
        if __name__ == "__main__":
            cluster = edgewise.cluster(ranks=2, threads=1)
            print(*cluster.pids, flush=True)
            {end}
    """)
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    pids = [int(word) for word in found.stdout.split()]
    assert len(pids) == 2, found.stderr
    wait_for(lambda: gone(pids))


def test_ranks_that_do_not_start(monkeypatch):
    command = (sys.executable, "-c", "print('no room'); raise SystemExit(5)")
    monkeypatch.setattr(starters, "_COMMAND", command)
    with pytest.raises(RankError, match="rank [01] failed: ended with code 5") as caught:
        edgewise.cluster(ranks=2)
    assert "no room" in caught.value.__notes__[0]
    monkeypatch.setattr(starters, "_COMMAND", (sys.executable, "-c", "input(); input()"))
    with pytest.raises(RankError, match="has not started after|failed: ended"):
        edgewise.cluster(ranks=2, start_timeout=0.3)

"""Jobs that are killed and go on: at every saving, at random, and what a checkpoint refuses."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time

import numpy as np
import pytest

import edgewise
from edgewise import generators
from edgewise.distributed import Grid, RankError, checkpoint, checkpointing, distribute
from edgewise.distributed.output import collect
from edgewise.distributed.rank_threads import run_threads
from tests.distributed import cluster_programs as programs

GRAPH = generators.random_weights(generators.rmat(6, seed=2), "integer", high=50, seed=2)
SMALL = generators.random_weights(generators.rmat(4, seed=2), "integer", high=5, seed=2)
PATH, KARATE = generators.path(12), generators.karate_club()

#: Each algorithm, and a graph on which it takes some rounds.
CALLS = {
    "bfs": (PATH, lambda graph: edgewise.bfs(graph, 0)),
    "sssp": (GRAPH, lambda graph: edgewise.sssp(graph, 1)),
    "sssp by steps": (GRAPH, lambda graph: edgewise.sssp(graph, 1, delta=8.0)),
    "pagerank": (GRAPH, lambda graph: edgewise.pagerank(graph)),
    "pagerank of a directed graph": (
        generators.rmat(6, seed=3, directed=True), lambda graph: edgewise.pagerank(graph)
    ),
    "connected_components": (PATH, lambda graph: edgewise.connected_components(graph)),
    "core_number": (GRAPH, lambda graph: edgewise.core_number(graph)),
    "label_propagation": (GRAPH, lambda graph: edgewise.communities.label_propagation(graph)),
    "louvain": (KARATE, lambda graph: edgewise.communities.louvain(graph)),
    "leiden": (KARATE, lambda graph: edgewise.communities.leiden(graph)),
    "markov_clustering": (KARATE, lambda graph: edgewise.communities.markov_clustering(graph)),
    "betweenness_centrality": (PATH, lambda graph: edgewise.betweenness_centrality(graph)),
    "betweenness_centrality of lengths": (
        SMALL, lambda graph: edgewise.betweenness_centrality(
            graph, k=6, weights="weight", endpoints=True
        )
    ),
    "edge_betweenness_centrality": (
        SMALL, lambda graph: edgewise.edge_betweenness_centrality(graph, sources=[1, 5, 3, 0])
    ),
}  # fmt: skip


class Killed(BaseException):
    """The end of a process, as far as the code above can tell."""


def dies_at(monkeypatch, count, *, while_saving=False):
    """Each rank dies in or after its saving number ``count``."""
    save, lock, done = checkpointing._Keeper.save, threading.Lock(), {}

    def saves(self, *given):
        with lock:
            done[self.grid.rank] = done.get(self.grid.rank, 0) + 1
        if while_saving and done[self.grid.rank] == count:
            number, _, told, arrays = given
            turn = 1 - self.saved.get(number, {"turn": 1})["turn"]
            self.file(number, turn).write_bytes(b"half of it")
            raise Killed
        save(self, *given)
        if done[self.grid.rank] == count:
            raise Killed

    monkeypatch.setattr(checkpointing._Keeper, "save", saves)
    return done


def job(graph, call, folder, every=0.0):
    def program(comm):
        spread = distribute(graph, grid=Grid(comm, "2x2"))
        with checkpoint(spread.grid, folder, every=every):
            found = call(spread)
        return collect(found)

    return run_threads(program, 4)[0]


def equal(found, expected):
    if isinstance(expected, tuple):
        return all(equal(one, other) for one, other in zip(found, expected, strict=True))
    return found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", CALLS)
def test_the_answer_is_the_same_wherever_a_job_dies(name, tmp_path, monkeypatch):
    graph, call = CALLS[name]
    expected = run_threads(
        lambda comm: collect(call(distribute(graph, grid=Grid(comm, "2x2")))), 4
    )[0]
    with monkeypatch.context() as patch:
        done = dies_at(patch, -1)
        assert equal(job(graph, call, tmp_path / "all"), expected)
    savings = done[0]
    assert savings >= 2 and not (tmp_path / "all").exists()
    for count in sorted({1, savings // 2, savings}):
        folder = tmp_path / str(count)
        with monkeypatch.context() as patch:
            dies_at(patch, count)
            with pytest.raises(Killed):
                job(graph, call, folder)
        assert (folder / "state.json").exists()
        with monkeypatch.context() as patch:
            done = dies_at(patch, -1)
            assert equal(job(graph, call, folder), expected)
        assert done.get(0, 0) <= savings - count
        assert not folder.exists()


def test_pagerank_goes_on_in_either_precision(tmp_path, monkeypatch):
    """A large graph begins in float32."""
    monkeypatch.setattr(sys.modules["edgewise.algorithms.ranking.pagerank"], "_LARGE", 0)
    graph = generators.rmat(6, seed=2)
    expected, kinds = job(graph, edgewise.pagerank, tmp_path / "job"), set()
    for count in range(1, 60, 3):
        with monkeypatch.context() as patch:
            done = dies_at(patch, count)
            try:
                found = job(graph, edgewise.pagerank, tmp_path / "job")
            except Killed:
                with np.load(tmp_path / "job" / f"loop-0-{(count - 1) % 2}-rank-00000.npz") as file:
                    kinds.add(file["v3"].dtype.char)
                found = job(graph, edgewise.pagerank, tmp_path / "job")
        assert equal(found, expected)
        if done[0] < count:
            break
    assert kinds == {"f", "d"}


def test_a_job_that_dies_while_it_saves_has_the_state_before(tmp_path, monkeypatch):
    graph, call = CALLS["pagerank"]
    expected = job(graph, call, tmp_path / "job")
    for count in (1, 2, 5):
        with monkeypatch.context() as patch:
            dies_at(patch, count, while_saving=True)
            with pytest.raises(Killed):
                job(graph, call, tmp_path / "job")
        assert equal(job(graph, call, tmp_path / "job"), expected)


def test_loops_that_were_short_run_again(tmp_path, monkeypatch):
    """Two calls in one job: the first is too short to be saved, the second is not."""
    graph = GRAPH

    def both(spread):
        return edgewise.core_number(spread), edgewise.pagerank(spread)

    expected = job(graph, both, tmp_path / "job")
    with monkeypatch.context() as patch:
        patch.setattr(checkpointing._Keeper, "due", lambda self: self.count == 2)
        done = dies_at(patch, 3)
        with pytest.raises(Killed):
            job(graph, both, tmp_path / "job")
        assert done[0] == 3
    assert {*json.loads((tmp_path / "job" / "state.json").read_text())["loops"]} == {"1"}
    assert equal(job(graph, both, tmp_path / "job"), expected)


def test_time_decides_when_to_save(tmp_path, monkeypatch):
    graph, call = CALLS["pagerank"]
    done = dies_at(monkeypatch, -1)
    job(graph, call, tmp_path / "job", every=1000.0)
    assert done == {}


def test_another_job_is_refused(tmp_path, monkeypatch):
    graph, call = CALLS["bfs"]
    with monkeypatch.context() as patch:
        dies_at(patch, 3)
        with pytest.raises(Killed):
            job(graph, call, tmp_path / "job")
    before = sorted(os.listdir(tmp_path / "job"))
    others = [
        (graph, lambda graph: edgewise.bfs(graph, 1)),
        (graph, lambda graph: edgewise.bfs(graph, 0, max_depth=9)),
        (graph, lambda graph: edgewise.core_number(graph)),
        (generators.cycle(12), call),
    ]
    for other in others:
        with pytest.raises(ValueError, match="has the state of another job"):
            job(*other, tmp_path / "job")

    def narrow(comm):
        with checkpoint(Grid(comm, "1x4"), tmp_path / "job"):
            pass

    with pytest.raises(ValueError, match="a 2x2 grid, this one is 1x4"):
        run_threads(narrow, 4)
    assert sorted(os.listdir(tmp_path / "job")) == before
    found = job(graph, call, tmp_path / "job")
    np.testing.assert_array_equal(found.distance, np.arange(12))


def test_arguments_are_checked(tmp_path):
    def program(comm, **options):
        with checkpoint(Grid(comm), tmp_path, **options):
            pass

    with pytest.raises(ValueError, match="at least two ranks"):
        run_threads(program, 1)
    with pytest.raises(ValueError, match="every"):
        run_threads(lambda comm: program(comm, every=-1.0), 2)


def test_a_folder_that_cannot_be_written_is_an_error_on_all_ranks(tmp_path):
    (tmp_path / "file").write_text("")
    graph, call = CALLS["bfs"]
    with pytest.raises(RankError, match="rank 0 failed while opening"):
        job(graph, call, tmp_path / "file" / "job")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pagerank", "louvain", "markov_clustering", "betweenness"])
def test_processes_are_killed_at_random(name, tmp_path):
    """A rank of a cluster gets SIGKILL at a random time, until the job is through."""
    draw, folder = random.Random(name), tmp_path / "job"
    expected = programs.long_job(None, name, None)
    kills = 0
    for _ in range(40):
        with edgewise.cluster(ranks=4, threads=1) as cluster:
            wait = draw.uniform(0.3, 1.5) if kills < 3 else 1000.0
            pid, ended = draw.choice(cluster.pids), threading.Event()

            def kill(pid=pid, wait=wait, ended=ended):
                if not ended.wait(wait):
                    os.kill(pid, signal.SIGKILL)

            thread = threading.Thread(target=kill)
            thread.start()
            try:
                found = cluster.run(programs.long_job, name, str(folder))[0]
            except RankError:
                kills += 1
                time.sleep(0.1)
                continue
            finally:
                ended.set()
                thread.join()
        break
    assert kills >= 1
    if name in ("louvain", "markov_clustering"):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert not folder.exists()

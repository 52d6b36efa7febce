"""Clusters on the workers of Dask, and on Ray's nodes where Ray is installed."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import edgewise
from edgewise import generators
from edgewise.distributed.comm import RankError
from edgewise.distributed.starters import End, RayStarter, starter_for
from tests.distributed import cluster_programs as programs
from tests.distributed.processes import wait_for
from tests.distributed.test_cluster import gone

pytestmark = pytest.mark.filterwarnings("ignore")  # of libraries


@pytest.fixture(scope="module")
def dask():
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as workers, distributed.Client(workers) as client:
        yield client


@pytest.mark.slow
def test_one_rank_per_dask_worker(dask):
    graph = generators.karate_club()
    with edgewise.cluster(client=dask) as cluster:
        assert cluster.ranks == 2
        parents = sorted(cluster.run(programs.parent))
        assert parents == sorted(dask.run(os.getpid).values())
        handle = cluster.distribute(graph)
        np.testing.assert_array_equal(
            edgewise.bfs(handle, 0).distance, edgewise.bfs(graph, 0).distance
        )
        assert dask.submit(sum, [1, 2]).result(timeout=30) == 3  # slots are free
        with pytest.raises(ValueError, match="alpha"):
            edgewise.pagerank(handle, alpha=2)
    wait_for(lambda: gone(cluster.pids))


@pytest.mark.slow
def test_a_rank_that_dies_on_a_dask_worker(dask):
    with edgewise.cluster(client=dask) as cluster:
        with pytest.raises(RankError, match="rank 1 failed: killed by SIGKILL") as caught:
            cluster.run(programs.dies, 1, signal.SIGKILL)
        assert "farewell" in caught.value.__notes__[0]
    wait_for(lambda: gone(cluster.pids))


@pytest.mark.slow
def test_numbers_of_dask_workers(dask):
    with pytest.raises(ValueError, match=r"ranks must be at most the number of Dask workers \(2\)"):
        edgewise.cluster(3, client=dask)
    with edgewise.cluster(1, client=dask) as cluster:
        assert cluster.ranks == 1


class FakeRay:
    """The calls of Ray that `RayStarter` makes; a task's result is what it is given."""

    __name__ = "ray"

    class util:  # noqa: N801
        @staticmethod
        def get_node_ip_address():
            return "10.0.0.1"

    def __init__(self, *alive):
        self.alive, self.options, self.cancelled = alive, {}, []

    def nodes(self):
        return [{"Alive": alive} for alive in self.alive]

    def remote(self, function):
        ray = self

        class Task:
            def options(self, **options):
                ray.options = options
                return self

            def remote(self, line, cores):
                return line, cores

        return Task()

    def wait(self, tasks, timeout=None, num_returns=1):
        done = [task for task in tasks if task[0] != "runs"]
        return done, [task for task in tasks if task not in done]

    def get(self, task):
        if task[0] == "lost":
            raise RuntimeError("the node died")
        return 7, task[0]

    def cancel(self, task, force):
        self.cancelled.append(task)


def test_ray_in_its_own_words():
    """The adapter alone, beside a stand-in: whether Ray itself agrees is `test_ray`'s to say."""
    ray = FakeRay(True, False, True)
    starter = starter_for(ray, None, 3)
    assert isinstance(starter, RayStarter) and starter.ranks == 2
    assert starter.bind == "10.0.0.1"
    starter.start(["runs", "lost"])
    assert ray.options == {"num_cpus": 3, "max_retries": 0, "scheduling_strategy": "SPREAD"}
    assert starter.ended(0) is None and "until the rank ends" in starter.log(0)
    assert starter.ended(1) == End(None, "the Ray task ended: the node died")
    starter.tasks[1] = ("out of memory", 3)
    assert starter.ended(1) == End(7, "out of memory") and starter.log(1) == "out of memory"
    starter.stop(0)
    assert len(ray.cancelled) == 2


@pytest.mark.slow
def test_ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with edgewise.cluster(2, client=ray) as cluster:
            handle = cluster.distribute(generators.path(9))
            assert edgewise.bfs(handle, 0).distance.tolist() == list(range(9))
        wait_for(lambda: gone(cluster.pids))
    finally:
        ray.shutdown()

"""`distributed.read(memory=, scratch=)`: rows of ranks in mapped files, refusals, no leftovers."""

from __future__ import annotations

import errno
import gc
import mmap
import os
import signal
import tracemalloc

import numpy as np
import pytest

import edgewise as ew
from edgewise.base.mapped_pages import MappedPages
from edgewise.distributed import Grid, RankError, read
from edgewise.distributed.output import collect
from edgewise.distributed.rank_threads import run_threads

pytestmark = pytest.mark.skipif(
    not (os.path.exists("/proc/self/statm") and hasattr(mmap, "MADV_DONTNEED")),
    reason="needs Linux",
)

ALGORITHMS = {
    "bfs": lambda graph: ew.bfs(graph, 3).distance,
    "connected_components": ew.connected_components,
    "core_number": ew.core_number,
    "pagerank": ew.pagerank,
    "pagerank without weights": lambda graph: ew.pagerank(graph, weights=None),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Graphs with hubs and self-loops, and their files; the edges are also a table."""
    folder, found = tmp_path_factory.mktemp("graphs"), {}
    draw = np.random.default_rng(1)
    for directed in (False, True):
        ends = draw.integers(0, 500, (2, 6000)) ** 2 // 500
        weights = draw.integers(1, 9, 6000)
        graph = ew.Graph.from_edges(*ends, weights, directed=directed, num_vertices=500)
        for suffix in ("ew", "parquet"):
            path = folder / f"{'arrows' if directed else 'edges'}.{suffix}"
            ew.write(graph, path)
            found[directed, suffix] = graph, path
    return found


@pytest.fixture
def scratch(tmp_path):
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert os.listdir(folder) == []


@pytest.fixture
def releases(monkeypatch):
    """Every look releases the pages, whatever the process holds; how many there were."""
    done = []

    def look(pages):
        pages.release()
        done.append(pages.releases)
        return 0.0005

    monkeypatch.setattr(MappedPages, "look", look)
    return done


def on_ranks(call, path, scratch, *, memory="1MiB", ranks=4):
    def program(comm):
        graph = read(path, grid=Grid(comm), memory=memory, scratch=scratch)
        return collect(call(graph))

    return run_threads(program, ranks)[0]


@pytest.mark.parametrize("suffix", ["ew", "parquet"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", ALGORITHMS)
def test_answers_are_those_of_one_device(files, scratch, releases, name, directed, suffix):
    graph, path = files[directed, suffix]
    call = ALGORITHMS[name]
    if directed and name in ("connected_components", "core_number"):
        with pytest.raises(ValueError, match="undirected"):
            on_ranks(call, path, scratch)
        return
    found = on_ranks(call, path, scratch)
    np.testing.assert_allclose(found, call(graph), rtol=1e-7)
    assert releases


def test_one_rank_and_a_grid_that_is_not_square(files, scratch, releases):
    graph, path = files[False, "ew"]
    for ranks in (1, 2, 6):
        found = on_ranks(ALGORITHMS["bfs"], path, scratch, ranks=ranks)
        np.testing.assert_array_equal(found, ALGORITHMS["bfs"](graph))


def test_algorithms_take_no_memory_for_arcs(tmp_path, scratch):
    """The peak of NumPy's memory is far below one array over the arcs."""
    path = tmp_path / "dense.ew"
    plain = ew.generators.urand(10, edge_factor=200, seed=1)
    us, vs, _ = plain.edges()
    loops = np.arange(plain.num_vertices)
    graph = ew.Graph.from_edges(np.r_[us, loops], np.r_[vs, loops], np.ones(len(us) + len(loops)))
    ew.write(graph, path)
    peaks = {}

    def program(comm):
        mapped = read(path, grid=Grid(comm), memory="8MiB", scratch=scratch)
        assert isinstance(base_of(mapped.block.indices), mmap.mmap)
        for name, call in ALGORITHMS.items():
            call(mapped)  # loads kernels
            comm.barrier()
            if comm.rank == 0:
                gc.collect()
                tracemalloc.start()
            comm.barrier()
            call(mapped)
            comm.barrier()
            if comm.rank == 0:
                peaks[name] = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()

    run_threads(program, 4)
    for name, peak in peaks.items():
        assert peak < graph.num_arcs * 4 / 2, name


def base_of(array):
    while isinstance(array, (np.ndarray, memoryview)):
        array = array.base if isinstance(array, np.ndarray) else array.obj
    return array


def test_what_does_not_fit_is_refused_first(files, scratch):
    graph, path = files[False, "ew"]

    def refused(call, words, memory="1MiB", path=path):
        with pytest.raises(MemoryError, match=words):
            on_ranks(call, path, scratch, memory=memory)

    refused(ew.communities.louvain, "louvain may need memory for every arc of a rank, at least")
    refused(ew.communities.label_propagation, "label_propagation may need memory for every arc")
    refused(ew.triangle_count, "triangle_count may need memory for every arc")
    need = 96 * graph.num_vertices  # on 2 x 2 ranks the two of the diagonal have half of them
    words = "pagerank needs .* bytes .96 for each vertex of a rank.*memory=9,999"
    refused(ew.pagerank, words, memory=9999)
    on_ranks(ew.pagerank, path, scratch, memory=need)
    words = "bfs needs .* 24 for each arc of a directed"
    refused(lambda graph: ew.bfs(graph, 0), words, 9999, files[True, "ew"][1])


def test_arguments_are_checked(files, scratch, tmp_path):
    path = files[False, "ew"][1]

    def attempt(ranks=1, **options):
        return run_threads(lambda comm: read(path, grid=Grid(comm), **options), ranks)

    with pytest.raises(ValueError, match="memory and scratch go together"):
        attempt(memory="1GiB")
    with pytest.raises(ValueError, match="memory and scratch go together"):
        attempt(scratch=scratch)
    with pytest.raises(ValueError, match="memory must be a number of bytes"):
        attempt(memory="some", scratch=scratch)
    with pytest.raises(NotADirectoryError, match="scratch must be a folder"):
        attempt(memory="1MiB", scratch=tmp_path / "none")
    with pytest.raises(ValueError, match="device must be 'cpu' with memory"):
        attempt(memory="1MiB", scratch=scratch, device="cuda")
    with pytest.raises(RankError, match="memory limit of read must be the same on all ranks"):
        run_threads(lambda comm: read(path, grid=Grid(comm), memory=1000 + comm.rank,
                                      scratch=scratch), 2)  # fmt: skip


def test_a_full_disk_is_an_error_on_all_ranks(files, scratch, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(RankError, match=r"writing its rows.*No space left"):
        on_ranks(ew.pagerank, files[False, "ew"][1], scratch)


def test_a_rank_that_is_killed_leaves_nothing(files, scratch):
    graph, path = files[False, "ew"]
    with ew.cluster(ranks=2, threads=1) as cluster:
        mapped = cluster.read(path, memory="1MiB", scratch=str(scratch))
        np.testing.assert_array_equal(ew.core_number(mapped), ew.core_number(graph))
        with pytest.raises(MemoryError, match="louvain may need memory"):
            ew.communities.louvain(mapped)
        os.kill(cluster.pids[1], signal.SIGKILL)
        with pytest.raises(RankError):
            ew.core_number(mapped)

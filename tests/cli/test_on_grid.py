"""``edgewise run --grid`` under mpiexec, and ``edgewise simulate-grid``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import edgewise as ew
from edgewise import generators, io

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments, ranks=None):
    """Run a command line in a process of its own, or in several under mpiexec."""
    pytest.importorskip("mpi4py")
    from edgewise.distributed.launcher import environment, find_mpiexec

    start = [] if ranks is None else [find_mpiexec(), "-n", str(ranks)]
    return subprocess.run(
        [*start, sys.executable, "-m", "edgewise", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(ranks or 1) | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )


@pytest.fixture
def graph():
    return generators.rmat(8, seed=2)


@pytest.fixture
def path(graph, tmp_path):
    io.write(graph, tmp_path / "graph.ew")
    return tmp_path / "graph.ew"


def test_run_on_four_ranks(graph, path, tmp_path):
    output = tmp_path / "rank.npy"
    done = command("run", "pagerank", path, "--grid", "2x2", "--json", "-o", output, ranks=4)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)  # one document: rank 0 alone speaks
    assert said["vertices"] == graph.num_vertices and said["edges"] == graph.num_edges
    expected = ew.pagerank(graph)
    np.testing.assert_allclose(np.load(output), expected, rtol=1e-9)
    assert said["result"]["largest"][0]["vertex"] == int(np.argmax(expected))
    assert sorted(os.listdir(tmp_path)) == ["graph.ew", "rank.npy"]


@pytest.mark.slow
def test_a_job_with_checkpoints(graph, path, tmp_path):
    output, folder = tmp_path / "rank.npy", tmp_path / "job"
    line = ("run", "pagerank", path, "--grid", "1x2", "--checkpoint", folder, "-o", output)
    folder.mkdir()
    state = folder / "state.json"
    state.write_text(json.dumps({"shape": [2, 2], "loops": {}}))  # of another job
    done = command(*line, ranks=2)
    assert done.returncode != 0 and not output.exists() and state.exists()
    assert "has the state of a job on a 2x2 grid, this one is 1x2" in done.stderr
    state.unlink()
    done = command(*line, ranks=2)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(np.load(output), ew.pagerank(graph), rtol=1e-9)
    assert not folder.exists()


@pytest.mark.slow
def test_vertices_are_the_ids_of_the_file(tmp_path):
    """Named on the command line, and in the results, as on one device."""
    file = tmp_path / "graph.el"
    file.write_text("30 900\n900 70\n70 1000000\n5 5\n")
    run = ("run", "bfs", file, "--source", 900)
    done = command(*run, "--grid", "1x2", "-o", tmp_path / "grid.csv", ranks=2)
    assert done.returncode == 0, done.stderr
    assert command(*run, "-o", tmp_path / "alone.csv").returncode == 0
    assert (tmp_path / "grid.csv").read_text() == (tmp_path / "alone.csv").read_text()
    output = tmp_path / "cores.npy"
    done = command("run", "core_number", file, "--grid", "2x1", "-o", output, "--json", ranks=2)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["vertices"] == 5
    assert np.load(output).tolist() == [0, 1, 1, 1, 1]
    assert np.load(tmp_path / "cores.ids.npy").tolist() == [5, 30, 70, 900, 1000000]
    done = command("run", "core_number", file, "--grid", "2x1", "-o", output, ranks=2)
    assert f"The result is in {output}, its ids in {tmp_path / 'cores.ids.npy'}" in done.stdout


def test_an_error_ends_all_ranks_with_one_message(path):
    done = command("run", "bfs", path, "--source", 999, "--grid", "1x3", ranks=3)
    assert done.returncode != 0 and done.stdout == ""
    assert (
        done.stderr.count("--source: there is no vertex '999'") == 1
        and "rank 0 of 3 failed" in done.stderr
    )


def test_one_rank_needs_no_mpiexec(graph, path, tmp_path):
    output = tmp_path / "bfs.csv"
    done = command(
        "run", "bfs", path, "--source", 3, "--grid", "1x1", "--distribution", "random", "-o", output
    )
    assert done.returncode == 0, done.stderr
    found = np.genfromtxt(output, delimiter=",", names=True)["distance"]
    expected = ew.bfs(graph, 3).distance
    reached = expected != np.iinfo(expected.dtype).max
    assert found[reached].tolist() == expected[reached].tolist() and np.isnan(found[~reached]).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "row", ["similarity.jaccard", "k_core", "ordering.degree_order", "k_hop_neighborhood"]
)
def test_edges_and_graphs_are_written_as_on_one_device(row, path, tmp_path):
    name = row.rpartition(".")[2]
    given = ["--sources", "3,7"] if name == "k_hop_neighborhood" else []
    run = ("run", name, path, *given)
    done = command(*run, "--grid", "2x2", "-o", tmp_path / "grid.csv", ranks=4)
    assert done.returncode == 0, done.stderr
    assert command(*run, "-o", tmp_path / "alone.csv").returncode == 0
    assert (tmp_path / "grid.csv").read_text() == (tmp_path / "alone.csv").read_text()


def test_the_algorithm_counts_in_the_estimate_of_memory(edgewise, path, monkeypatch):
    from edgewise.distributed import ingest, mpi
    from edgewise.distributed.rank_threads import run_threads

    def read(*_, algorithm, **__):
        raise ValueError(f"reading for {algorithm}")

    comm = run_threads(lambda comm: comm, 1)[0]
    monkeypatch.setattr(mpi, "world", lambda *_: comm)
    monkeypatch.setattr(ingest, "read", read)
    done = edgewise("run", "louvain", path, "--grid", "1x1")
    assert done.code == 1 and "reading for communities.louvain" in done.err


def test_a_wrong_number_of_ranks_is_an_error(path):
    done = command("run", "pagerank", path, "--grid", "2x2")
    assert done.returncode == 1
    assert "grid 2x2 takes 4 ranks, but there are 1" in done.stderr and "mpiexec" in done.stderr


@pytest.mark.slow
def test_a_bad_option_on_one_rank_ends_all(path):
    """It ends before MPI starts: the others would wait for it for ever."""
    pytest.importorskip("mpi4py")
    from edgewise.distributed.launcher import environment, find_mpiexec

    rank = [sys.executable, "-m", "edgewise", "run", "pagerank", path, "--grid", "1x2"]
    done = subprocess.run(
        [find_mpiexec(), "-n", "1", *rank, "--timeout", "2", ":", "-n", "1", *rank, "--oops"],
        capture_output=True, text=True, timeout=60, env=environment(2), cwd=ROOT,
    )  # fmt: skip
    assert done.returncode != 0 and "--oops" in done.stderr
    assert done.stderr.count("edgewise: rank 1 of 2 ended before MPI started") == 1


@pytest.mark.parametrize("option", [("--distribution", "block"), ("--timeout", 5),
                                    ("--compare", "all"),
                                    ("--checkpoint", "job")])  # fmt: skip
def test_some_options_need_a_grid(edgewise, path, option):
    done = edgewise("run", "pagerank", path, *option)
    assert done.code == 1 and f"{option[0]} requires --grid" in done.err and "--grid" in done.err


def test_simulate_prints_a_table_and_writes_counts(edgewise, tmp_path):
    output = tmp_path / "counts.json"
    done = edgewise(
        "simulate-grid", "pagerank", "--ranks", "1,4,6", "--scale", 6, "--grid", "1x1,2x2,3x2",
        "--machine", "ethernet", "-o", output,
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "pagerank on rmat of scale 6: 64 vertices" in done.out and "speedup" in done.out
    found = json.loads(output.read_text())
    assert [run["grid"] for run in found["runs"]] == ["1x1", "2x2", "3x2"]
    one, four, six = found["runs"]
    assert one["messages"] == 0 < four["messages"] < six["messages"]
    assert six["speedup"] / four["speedup"] == pytest.approx(four["time_s"] / six["time_s"])
    assert four["edges_per_rank"] > 0
    if not one["edges_per_rank"]:  # then its time is not known, and is not compared
        assert one["time_s"] is None and one["speedup"] is None and four["speedup"] == 1
    assert four["bytes_per_rank"] > 0 and "reduce" in four["phases"]
    assert found["model"]["name"] == "ethernet"


def test_simulate_a_file_and_options_of_the_algorithm(edgewise, friends, tmp_path):
    done = edgewise("simulate-grid", "bfs", friends, "--source", "bob", "--ranks", 4, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["graph"] == "friends.csv"


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_simulate_draws(edgewise, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    plot = tmp_path / f"plot.{suffix}"
    done = edgewise(
        "simulate-grid", "bfs", "--source", 0, "--ranks", "1,4", "--scale", 5, "--plot", plot
    )
    assert done.code == 0, done.err
    assert plot.read_bytes()[:5] in (b"<?xml", b"\x89PNG\r")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ranks", "4,x"], "--ranks takes numbers"),
        (["--ranks", "4", "--grid", "2x3"], "takes 6 ranks"),
        (["--ranks", "4,9", "--grid", "2x2"], "a shape for each"),
        (["--ranks", "4", "--machine", "smoke"], "'smoke' is not one of infiniband, ethernet"),
        (["--ranks", "4", "--distribution", "odd"], "'odd' is not one of striped, block"),
        (["--ranks", "4", "-o", "x.csv"], ".json file"),
        (["--ranks", "4", "--plot", "x.gif"], ".svg, .png or .pdf"),
    ],
)
def test_simulate_refuses(edgewise, arguments, message):
    done = edgewise("simulate-grid", "pagerank", "--scale", 4, *arguments)
    assert done.code in (1, 2) and message in done.err and done.out == ""

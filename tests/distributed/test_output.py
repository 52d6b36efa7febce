"""Arrays out of a grid: one file by all ranks, whole or not at all; and gathered on one rank."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from edgewise import generators
from edgewise.distributed import output
from edgewise.distributed.comm import RankError
from edgewise.distributed.distributing import distribute
from edgewise.distributed.grid import Grid
from edgewise.distributed.ingest import read
from edgewise.distributed.layout import DISTRIBUTIONS
from edgewise.distributed.output import collect, write_array, write_labels
from edgewise.distributed.rank_threads import run_threads
from edgewise.graph import Graph
from tests.distributed.helpers import SHAPES


def spread(comm, whole, shape=None, distribution="striped"):
    """An array over vertices with these values."""
    graph = distribute(
        generators.empty(len(whole)), distribution=distribution, grid=Grid(comm, shape)
    )
    return graph.share(whole)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_a_file_has_the_values_in_the_order_of_the_ids(tmp_path, shape, distribution):
    for n in (0, 1, 5, 101):
        for dtype in (np.float64, np.int32, bool):
            whole = (np.arange(n) * 7 % 11).astype(dtype)
            path = tmp_path / f"{n}.npy"
            run_threads(
                lambda comm: write_array(spread(comm, whole, shape, distribution), path),  # noqa: B023
                shape[0] * shape[1],
            )
            found = np.load(path)
            assert found.dtype == dtype and found.tolist() == whole.tolist()
    assert sorted(os.listdir(tmp_path)) == ["0.npy", "1.npy", "101.npy", "5.npy"]


def test_rows_of_several_columns(tmp_path):
    table = np.outer(np.arange(11), [1.0, 2.0, 3.0])

    def program(comm):
        array = spread(comm, table, (2, 2), "random")
        write_array(array, tmp_path / "rows.npy")
        return collect(array)

    first, *others = run_threads(program, 4)
    assert np.load(tmp_path / "rows.npy").tolist() == first.tolist() == table.tolist()
    assert others == [None] * 3


def test_labels_of_the_vertices(tmp_path):
    """In the order of the values: gaps, an offset, or none."""
    cases = {"gaps": [3, 9, 900], "offset": [5, 6, 7], "none": [0, 1, 2]}
    for name, ids in cases.items():
        path = tmp_path / f"{name}.el"
        path.write_text(f"{ids[0]} {ids[1]}\n{ids[2]} {ids[1]}\n")
        out = tmp_path / f"{name}.npy"
        run_threads(lambda comm: write_labels(read(path, grid=Grid(comm)), out), 4)  # noqa: B023
        assert np.load(out).tolist() == ids
    named = Graph.from_edges(["a"], ["b"])
    with pytest.raises(ValueError, match="must be integers to go to a .npy file"):
        run_threads(
            lambda comm: write_labels(distribute(named, grid=Grid(comm)), tmp_path / "x.npy"), 2
        )


def test_an_older_file_is_replaced_and_keeps_its_mode(tmp_path):
    path = tmp_path / "a.npy"
    path.write_text("old")
    path.chmod(0o640)
    run_threads(lambda comm: write_array(spread(comm, np.arange(9)), path), 4)
    assert np.load(path).tolist() == list(range(9))
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("failing", "call"), [(0, "fsync"), (2, "fsync"), (0, "replace")])
def test_a_rank_that_fails_leaves_the_older_file(tmp_path, monkeypatch, failing, call):
    path = tmp_path / "a.npy"
    path.write_text("old")
    original, threads = getattr(os, call), {}

    def fails(*arguments):
        if threads.get(threading.current_thread()) == failing:
            raise OSError("the disk is full")
        return original(*arguments)

    def program(comm):
        threads[threading.current_thread()] = comm.rank
        array = spread(comm, np.arange(9))
        with pytest.raises(RankError, match=f"rank {failing} failed while writing .*disk is full"):
            write_array(array, path)

    monkeypatch.setattr(output.os, call, fails)
    run_threads(program, 4)
    assert os.listdir(tmp_path) == ["a.npy"] and path.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.csv", "goes to a .npy file"), ("no/a.npy", "there is no folder"), ("f.npy", "a folder")],
)
def test_where_it_cannot_write(tmp_path, name, message):
    (tmp_path / "f.npy").mkdir()
    with pytest.raises((RankError, ValueError, OSError), match=message):
        run_threads(lambda comm: write_array(spread(comm, np.arange(5)), tmp_path / name), 4)
    with pytest.raises((ValueError, OSError), match=message):
        run_threads(lambda comm: write_array(spread(comm, np.arange(5)), tmp_path / name), 1)


def test_paths_must_agree(tmp_path):
    with pytest.raises(RankError, match="path must be the same"):
        run_threads(
            lambda comm: write_array(spread(comm, np.arange(5)), tmp_path / f"{comm.rank}.npy"), 2
        )
    assert os.listdir(tmp_path) == []


def test_other_arrays_are_refused():
    with pytest.raises(TypeError, match="over the vertices"):
        write_array(np.arange(3), "a.npy")


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_collect_gathers_on_one_rank(distribution):
    whole = np.arange(50) * 3

    def program(comm):
        array = spread(comm, whole, (2, 3), distribution)
        return collect(((array, 5), array), root=4)

    results = run_threads(program, 6)
    (first, five), second = results[4]
    assert five == 5 and first.tolist() == second.tolist() == whole.tolist()
    assert all(result == ((None, 5), None) for k, result in enumerate(results) if k != 4)


def test_what_a_killed_run_left_is_removed(tmp_path):
    (tmp_path / ".a.npy.4711-0123abcd.tmp").touch()
    run_threads(lambda comm: write_array(spread(comm, np.arange(9)), tmp_path / "a.npy"), 4)
    assert os.listdir(tmp_path) == ["a.npy"]

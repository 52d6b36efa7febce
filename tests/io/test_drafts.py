"""Drafts: killed writers leave some, the next write and `remove_dead` take them away."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from edgewise.graph import Graph
from edgewise.io import write
from edgewise.io.drafts import new_draft, remove_dead
from edgewise.io.files import atomic_write
from edgewise.io.folders import atomic_folder

WRITER = """
import sys, time
from edgewise.io.files import atomic_write
with atomic_write(sys.argv[1]) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def writer(tmp_path):
    """Starts processes that are amid writing a file."""
    started = []

    def start(path):
        process = subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout.readline() == b"writing\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def hidden(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("."))


def kill(process, how=signal.SIGKILL):
    process.send_signal(how)
    process.wait()


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_the_next_write_removes_what_a_killed_one_left(tmp_path, writer, suffix):
    path = tmp_path / f"graph.txt{suffix}"
    kill(writer(path))
    assert len(hidden(tmp_path)) == 1
    write(Graph.from_edges([0], [1]), path)
    assert os.listdir(tmp_path) == [path.name]


def test_drafts_of_the_living_and_of_others_stay(tmp_path, writer):
    path, other = tmp_path / "graph.txt", tmp_path / "other.txt"
    kill(writer(other))
    alive = writer(path)
    write(Graph.from_edges([0], [1]), path)
    assert len(hidden(tmp_path)) == 2
    assert [one.name.split(".")[1] for one in remove_dead(tmp_path)] == ["other"]
    assert len(hidden(tmp_path)) == 1
    kill(alive)
    assert len(remove_dead(tmp_path)) == 1
    assert os.listdir(tmp_path) == ["graph.txt"]


def test_only_drafts_are_removed(tmp_path):
    names = [
        ".graph.txt.tmp",
        "graph.ew.12-0123abcd.tmp",
        ".a.12-0123abcd.tmp~",
        ".a.x-0123abcd.tmp",
    ]
    for name in names:
        (tmp_path / name).touch()
    (tmp_path / ".b.12-0123abcd.tmp").symlink_to(tmp_path / names[0])
    os.mkfifo(tmp_path / ".c.12-0123abcd.tmp")
    assert remove_dead(tmp_path) == []
    assert len(os.listdir(tmp_path)) == 6


def test_a_process_number_that_came_again_is_not_believed(tmp_path):
    draft = tmp_path / f".graph.ew.{os.getpid()}-0123abcd.tmp"
    draft.touch()
    assert remove_dead(tmp_path) == [draft]


def test_cleaning_while_others_write(tmp_path):
    """No writer loses its draft, however often somebody cleans up."""
    code = (
        "import sys; from edgewise.io.drafts import remove_dead\n"
        "while True: remove_dead(sys.argv[1])"
    )
    cleaner = subprocess.Popen([sys.executable, "-c", code, tmp_path])
    try:
        end = time.monotonic() + 2
        while time.monotonic() < end:
            with atomic_write(tmp_path / "a.txt") as file:
                file.write(b"1 2")
        assert (tmp_path / "a.txt").read_bytes() == b"1 2"
    finally:
        kill(cleaner)
    assert hidden(tmp_path) == []


def test_a_file_system_without_locks(tmp_path, monkeypatch):
    import fcntl

    def refuse(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)
    (tmp_path / ".graph.ew.1-0123abcd.tmp").touch()
    with atomic_write(tmp_path / "graph.ew") as file:
        file.write(b"1 2")
    assert len(os.listdir(tmp_path)) == 2 and remove_dead(tmp_path) == []


def test_a_new_draft_is_locked(tmp_path):
    with new_draft(tmp_path / "a") as draft:
        assert remove_dead(tmp_path) == []
        draft.write(b"x")
    assert len(remove_dead(tmp_path)) == 1


def test_folders_appear_whole_or_not_at_all(tmp_path):
    (tmp_path / ".out.1-0123abcd.tmp" / "inner").mkdir(parents=True)  # of a writer that was killed
    with atomic_folder(tmp_path / "out") as draft:
        assert os.listdir(tmp_path) == [draft.name]
        (draft / "a.txt").write_text("1 2")
        assert remove_dead(tmp_path) == []  # it is locked
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "a.txt"]
    with pytest.raises(FileExistsError, match="it is there already, a folder with something in it"):
        atomic_folder(tmp_path / "out").__enter__()
    with pytest.raises(FileExistsError, match="it is there already, a file"):
        atomic_folder(tmp_path / "out" / "a.txt").__enter__()
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        atomic_folder(tmp_path / "none" / "out").__enter__()
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "new") as draft:
        (draft / "a.txt").write_text("1 2")
        raise KeyboardInterrupt
    assert os.listdir(tmp_path) == ["out"]


FULL = [(".txt", "edges"), (".csv", "csv"), (".mtx", "matrix_market"), (".graph", "metis"),
        (".gr", "dimacs"), (".sg", "gap"), (".npz", "npz"), (".parquet", "parquet"),
        (".arrow", "arrow"), (".feather", "arrow"), (".graphml", "graphml"), (".gexf", "gexf"),
        (".ew", "ew"), (".txt.gz", "edges"), (".txt.bz2", "edges"), (".txt.xz", "edges"),
        (".txt.zst", "edges")]  # fmt: skip


@pytest.mark.parametrize(("suffix", "name"), FULL)
def test_a_full_disk_names_the_file(suffix, name, tmp_path):
    path = tmp_path / f"graph{suffix}"
    path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as error:
        write(Graph.from_edges(np.arange(99), np.arange(1, 100)), path, format=name)
    assert str(path) in str(error.value)


@pytest.mark.parametrize("suffix", [".txt", ".ew", ".npz", ".parquet", ".txt.gz", ".txt.zst"])
def test_a_file_that_may_not_grow_is_named_and_removed(suffix, tmp_path):
    code = (
        "import resource, sys, numpy as np\n"
        "from edgewise.graph import Graph; from edgewise.io import write\n"
        "ends = np.random.default_rng(0).integers(0, 50_000, (2, 50_000))\n"
        "graph = Graph.from_edges(*ends, duplicates='first')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))\n"
        "try:\n    write(graph, sys.argv[1])\n"
        "except OSError as error:\n    print(error)"
    )
    path = tmp_path / f"graph{suffix}"
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert "File too large" in done.stdout and str(path) in done.stdout, done
    assert os.listdir(tmp_path) == []

"""``python -m edgewise.distributed.check``: what it finds right or wrong, and its report."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from edgewise.distributed import check, measuring, reporting, scaling
from edgewise.distributed.launcher import find_mpiexec
from edgewise.distributed.pricing import MODELS
from edgewise.distributed.rank_threads import HubCommunicator, run_threads
from tests.distributed.processes import mpi


def test_a_machine_without_mpi_is_checked_over_tcp_and_threads(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(check, "find_spec", lambda name: None)
    file = tmp_path / "report.md"
    words = ["--quick", "--ranks", "2", "--scale", "6", "--model-ranks", "4", "-o"]
    assert check.main([*words, str(file)]) == 0
    said = capsys.readouterr().out
    assert "MPI: not checked: ImportError: MPI needs mpi4py: pip install 'edgewise[mpi]'" in said
    assert "TCP: right\nthreads: right" in said
    text = file.read_text()
    assert "| NCCL | not checked |" in text
    found = reporting.figures_in(text)
    assert found["ranks"] == 2
    assert found["scaled with"] == "TCP"
    assert {*found["communicators"]} == {"TCP", "threads"}
    rows = found["scaling"]
    assert {row["algorithm"] for row in rows} == {*scaling.SIX}
    assert {(row["kind"], row["ranks"], row["scale"]) for row in rows} == {
        ("strong", 1, 6), ("strong", 2, 6), ("weak", 1, 6), ("weak", 2, 7),
    }  # fmt: skip
    assert all(row["answer"] > 0 and row["seconds"] > 0 for row in rows)
    assert {(row["kind"], row["ranks"]) for row in found["compared"]} == {
        (kind, ranks) for kind in ("strong", "weak") for ranks in (2, 4)
    }
    for row in found["compared"]:
        assert row["model_s"] > 0
        assert (row["measured_s"] is None) == (row["ranks"] == 4)


@pytest.mark.slow
@mpi
def test_the_ranks_of_mpiexec_are_checked(tmp_path):
    file = tmp_path / "report.md"
    words = ["edgewise.distributed.check", "--quick", "--scale", "6", "--model-ranks", "4", "-o"]
    done = subprocess.run(
        [find_mpiexec(), "-n", "2", sys.executable, "-m", *words, str(file)],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "MPI: right\nTCP: right" in done.stdout
    found = reporting.figures_in(file.read_text())
    assert found["ranks"] == 2
    assert found["scaled with"] == "MPI"
    assert found["started by"] == "mpiexec"


@pytest.mark.slow
@mpi
def test_mpi_is_started_where_nobody_has(tmp_path, capsys):
    file = tmp_path / "report.md"
    words = ["--quick", "--ranks", "2", "--scale", "6", "--model-ranks", "4", "-o"]
    assert check.main([*words, str(file)]) == 0
    assert "MPI: right\nTCP: right\nthreads: right" in capsys.readouterr().out
    assert reporting.figures_in(file.read_text())["scaled with"] == "MPI"


@pytest.mark.parametrize("name", ["_allreduce", "_broadcast", "_allgatherv", "_alltoallv"])
def test_a_collective_that_is_wrong_is_named(name, monkeypatch):
    right = getattr(HubCommunicator, name)

    def wrong(self, array, *args):
        found = right(self, array, *args)
        changed = found[0] if name == "_alltoallv" else found
        if changed.dtype != np.uint8 and self.rank == 1 and len(changed):  # bytes are our own words
            changed = changed.copy()
            changed[-1] += 1
        return (changed, found[1]) if name == "_alltoallv" else changed

    monkeypatch.setattr(HubCommunicator, name, wrong)
    for found in run_threads(measuring.verify, 3):
        assert found[name[1:]].startswith("rank 1: ")
        assert found["barrier"] == "right"


def test_the_exit_code_and_the_report_tell_of_faults(tmp_path, capsys):
    row = {"kind": "strong", "scale": 4, "edges": 9, "seconds": 1.0, "algorithm": "bfs"}
    model = vars(MODELS["ethernet"])
    found = {
        "ranks": 4, "nodes": [0, 0, 1, 1], "machines": [{"cores": 2}] * 4, "started by": "a test",
        "communicators": {"MPI": {"right": {"split": "rank 2: no"}, "groups": {}}}, "missing": {},
        "scaling": [{**row, "ranks": 1, "answer": 7.0}, {**row, "ranks": 4, "answer": 8.0}],
        "scaled with": "MPI", "model": model, "compared": [],
    }  # fmt: skip
    assert check._finish(found, tmp_path / "report.md") == 1
    said = capsys.readouterr().out
    assert "MPI: split: rank 2: no" in said
    assert "bfs on 4 ranks: another answer than on fewer" in said
    text = (tmp_path / "report.md").read_text()
    assert "| MPI | WRONG | split: rank 2: no |" in text
    assert "| DIFFERS |" in text
    assert "| 2-3 | machine 1: cores 2 |" in text
    assert reporting.figures_in(text) == found


def test_times_of_a_link_give_the_link_back():
    draw = np.random.default_rng(0)
    rows = [
        {"steps": steps, "bytes on the way": nbytes,
         "seconds": (3e-5 * steps + nbytes / 2e9) * draw.uniform(0.9, 1.1)}
        for steps in (2, 4, 7) for nbytes in (8, 1 << 12, 1 << 20, 1 << 24)
    ]  # fmt: skip
    link = measuring.fit(rows)
    assert link.latency_s == pytest.approx(3e-5, rel=0.15)
    assert link.bandwidth_bytes_per_s == pytest.approx(2e9, rel=0.15)
    assert link.error < 0.15


def test_a_bandwidth_that_does_not_show_is_not_known():
    """Times of short messages are all latency, and times that vary by a lot fit no link."""
    rows = [{"steps": steps, "bytes on the way": nbytes, "seconds": 3e-5 * steps}
            for steps in (2, 4) for nbytes in (8, 1 << 12, 1 << 18)]  # fmt: skip
    link = measuring.fit(rows)
    assert link.latency_s == pytest.approx(3e-5, rel=0.1) and link.bandwidth_bytes_per_s is None
    assert "messages were too short" in measuring.doubts(link._asdict())
    wild = [{**row, "seconds": row["seconds"] * factor}
            for row, factor in zip(rows, [0.1, 9, 1, 7, 0.2, 5], strict=True)]  # fmt: skip
    found = measuring.fit(wild)
    assert "the model fits badly" in measuring.doubts(found._asdict())
    about = {"right": {}, "groups": {"all ranks": {"ranks": 2, "rows": [], **link._asdict()}}}
    text = "\n".join(reporting._times("TCP", about))
    assert "bandwidth not known" in text and "**Warning: the bandwidth is not known" in text
    model = scaling.model_of(MODELS["ethernet"], {"inside a node": link}, 3)
    assert model.node_bandwidth_bytes_per_s == MODELS["ethernet"].node_bandwidth_bytes_per_s


def test_nodes_are_measured_inside_and_between():
    def program(comm):
        parts = measuring.groups(comm, [0, 0, 1, 1])
        return {name: part and part.size for name, part in parts.items()}

    found = run_threads(program, 4)
    assert found[0] == {"inside a node": 2, "between nodes": 2}
    assert found[1] == {"inside a node": 2, "between nodes": None}


def test_links_that_were_not_measured_are_those_of_the_network():
    link = measuring.Link(1e-4, 1e9, 0.0)
    model = scaling.model_of(MODELS["ethernet"], {"inside a node": link}, 3)
    assert (model.node_latency_s, model.node_bandwidth_bytes_per_s) == (1e-4, 1e9)
    assert model.latency_s == MODELS["ethernet"].latency_s
    assert model.ranks_per_node == 3
    model = scaling.model_of(MODELS["ethernet"], {"between nodes": link}, 3)
    assert (model.latency_s, model.bandwidth_bytes_per_s) == (1e-4, 1e9)


@pytest.mark.parametrize(
    ("words", "name"),
    [(["--network", "string"], "--network"), (["--device", "tpu"], "--device"),
     (["--scale", "99"], "--scale"), (["--ranks", "0"], "--ranks"),
     (["--model-ranks", "4,x"], "--model-ranks")],
)  # fmt: skip
def test_options_are_checked(words, name):
    with pytest.raises(ValueError, match=name):
        check.main(words)

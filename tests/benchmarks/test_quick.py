"""The benchmarks on tiny graphs, beside the libraries that every test run has."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import check, graphs, report, targets
from benchmarks.columns import measure_columns
from benchmarks.driver import Cell, measure
from benchmarks.growth import exponent
from benchmarks.ids import measure_ids
from benchmarks.names import measure_names
from benchmarks.tasks import TASKS
from tests.tiers import later

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("graphs")


@pytest.fixture(scope="module")
def data(kept):
    return graphs.data_for("kron8", kept)


@pytest.mark.parametrize("tasks", [["bfs", "pagerank"], later([*TASKS])], ids=["some", "all"])
def test_every_cell_has_a_right_answer_or_a_reason(data, tasks):
    peers = ["edgewise", "scipy", "networkx", "own_propagate", "own_loop"]
    rows = list(measure(data, tasks, peers, trials=1, limit=60))
    assert [row[0].task for row in rows] == tasks
    cells = [cell for row in rows for cell in row]
    assert [f"{c.peer} {c.task}: {c.wrong}" for c in cells if c.wrong] == []
    assert [f"{c.peer} {c.task}: {c.note}" for c in cells if c.note and not c.missing] == []
    assert all(cell.seconds for cell in cells if not cell.missing)
    assert all(cell.seconds for cell in cells if cell.peer in ("edgewise", "networkx"))


def test_the_command_writes_tables(tmp_path, kept):
    arguments = ["gap", "--graphs", "road16", "--algorithms", "build,read", "--trials", "1"]
    arguments += ["--peers", "edgewise,scipy", "--output", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "EDGEWISE_BENCHMARKS_DATA": str(kept)},
    )
    assert done.returncode == 0, done.stderr
    assert "Building, road16: faster than every library" in done.stdout
    cells = json.loads((tmp_path / "gap.json").read_text())["cells"]
    assert {cell["peer"] for cell in cells} == {"edgewise", "scipy"}
    page = (tmp_path / "gap.md").read_text()
    assert "| Building | road16 |" in page
    assert "- SciPy, Reading (road16): it reads Matrix Market, not edge lists." in page


def test_binaries_of_gap(data, tmp_path, monkeypatch):
    script = "#!/bin/sh\necho $0 $@ >> {log}\necho PASS; echo '7 triangles'\n"
    script += 'for t in 0.7 0.5 0.3 0.2 0.4; do echo "Trial Time:   $t"; done\n'
    for name in ("bfs", "sssp", "pr", "cc", "tc", "bc"):
        (tmp_path / name).write_text(script.format(log=tmp_path / "log"))
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("EDGEWISE_GAP", str(tmp_path))
    rows = list(measure(data, ["sssp", "triangle_count", "read"], ["gap"], trials=1, limit=9))
    assert [row[0].seconds for row in rows] == [[0.3, 0.2, 0.4]] * 2 + [[]]
    assert rows[2][0].note == "it has no such binary"
    calls = (tmp_path / "log").read_text().splitlines()
    assert f"graph.wsg -n 5 -r {data.starts[1]} -d 2" in calls[-3]
    assert "graph.sg -n 5 -a" in calls[-1]


@pytest.mark.parametrize("task", ["bfs", "sssp"])
def test_a_wrong_distance_is_found(data, task):
    start = data.starts[0]
    values = np.ones(len(data.indices)) if task == "bfs" else data.weights.astype(float)
    right = _dijkstra(data, values, start)
    assert check.fault(data, task, start, right) is None
    reached = np.flatnonzero(np.isfinite(right) & (right > 0))
    for change in (1, -1, np.inf):
        wrong = right.copy()
        wrong[reached[-1]] += change
        assert check.fault(data, task, start, wrong)


def test_wrong_components_ranks_scores_and_rows_are_found(data):
    n = data.num_vertices
    assert "components" in check.fault(data, "connected_components", None, np.zeros(n))
    assert "differ" in check.fault(data, "pagerank", None, np.full(n, 1 / n))
    assert "differ" in check.fault(data, "betweenness_centrality", data.starts[0], np.ones(n))
    assert "arcs" in check.fault(data, "build", None, 1)
    assert "edges" in check.fault(data, "read", None, 1)


def test_weights_are_the_same_both_ways(data):
    forth = data.scipy(data.weights)
    assert (forth != forth.T).nnz == 0
    assert 1 <= data.weights.min() <= data.weights.max() <= 255


def test_verdicts():
    row = [_cell("edgewise", 1.0), _cell("networkit", 3.0), _cell("scipy", 1.1), _cell("gap", 0.9)]
    faster, within = targets.judge(row)
    assert faster == ("BFS, kron18", "as fast as every library", "1.10 (scipy)", True)
    assert within == ("BFS, kron18", "at least 0.87 times GAP's speed", "0.90", True)
    slower = [_cell("edgewise", 1.0), _cell("networkit", 0.9)]
    assert [verdict.met for verdict in targets.judge(slower)] == [False, False]
    wrong = _cell("edgewise", 1.0)
    wrong.wrong = "a level is off"
    assert targets.judge([wrong]) == [("BFS, kron18", "a right answer", "a level is off", False)]


def test_a_new_row_takes_the_place_of_the_old_one(tmp_path):
    for seconds in (1.0, 2.0):
        results = report.Results("gap", tmp_path, "command", 2)
        results.add([_cell("edgewise", seconds)])
        results.add([_cell("edgewise", 5.0, task="sssp")])
    assert [cell.seconds for cell in report.Results("gap", tmp_path, "", 2).cells] == [[2], [5]]


def test_unknown_graphs_are_named(kept):
    with pytest.raises(ValueError, match="kron<scale>.*'cron18'"):
        graphs.data_for("cron18", kept)


def test_ids_are_measured_both_ways(tmp_path):
    text = measure_ids(100, 1, tmp_path, lambda line: None)
    assert text.count("directed |") == 6 and (tmp_path / "ids.md").exists()


def test_exponent():
    sizes = np.array([1e3, 1e4, 1e5])
    assert exponent(sizes, 7 * sizes) == pytest.approx(1)
    assert exponent(sizes, sizes**1.5) == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.34, "12.3 s"), (0.1234, "123 ms"), (4.2e-5, "42 µs")]
)
def test_spell_time(seconds, text):
    assert report.spell_time(seconds) == text


def _cell(peer, seconds, task="bfs"):
    return Cell("kron18", task, peer, seconds=[seconds], date="2020-01-01")


def _dijkstra(data, values, start):
    from scipy.sparse import csgraph

    return csgraph.dijkstra(data.scipy(values), indices=start)


@pytest.mark.slow
def test_operators_beside_other_ways(tmp_path):
    from benchmarks.operators import measure_operators

    text = measure_operators(1, tmp_path, lambda line: None, quick=True)
    assert "WRONG" not in text and "| greedy coloring |" in text
    assert (tmp_path / "operators.md").exists()


def test_this_version_beside_itself(tmp_path):
    from benchmarks.before import measure_before

    tasks = ["bfs", "triangle_count"]
    text = measure_before(ROOT, ["kron8"], tasks, "cpu", 1, tmp_path, lambda line: None)
    assert text.count("kron8") == 2 and "Error" not in text


def test_names_within_a_limit(tmp_path):
    told = []
    text = measure_names(3000, 200, ["256MiB"], tmp_path, told.append)
    assert len(told) == 2 and told[0].startswith("256MiB | ") and told[1].startswith("none | ")
    assert "3,000 directed edges between 200 UUIDs" in text
    assert (tmp_path / "names.md").read_text().endswith(text)


def test_columns_that_no_call_names(tmp_path):
    told: list[str] = []
    text = measure_columns(8, 1, tmp_path, told.append)
    assert len(told) == 6 and "| `pagerank` |" in text
    assert (tmp_path / "columns.md").read_text().endswith(text)

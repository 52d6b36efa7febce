"""The grid's benchmark on tiny graphs: what it counts is the theory's, and it fills its report."""

import json

import numpy as np
import pytest

from benchmarks.grid import PARTS, counts, measure_grid, scaling, wall
from edgewise import generators
from edgewise.distributed.rank_threads import run_threads

SIMULATED = [name for name in PARTS if name != "wall"]


def test_every_simulated_part_reports(tmp_path, monkeypatch):
    monkeypatch.setenv("EDGEWISE_BENCHMARKS_DATA", str(tmp_path / "data"))
    said = []
    text, pictures = measure_grid(SIMULATED, 1, tmp_path, said.append, quick=True)
    found = json.loads((tmp_path / "grid.json").read_text())
    assert list(found) == SIMULATED
    assert all(found[name]["rows"] for name in SIMULATED)
    assert (tmp_path / "grid.md").read_text() == f"# grid\n\n{text}\n"
    for picture in pictures:
        assert picture.read_text().startswith("<?xml")
        assert f"({picture.name})" in text
    for row in found["counts"]["rows"]:
        assert row["messages"] == row["theory_messages"]
        assert row["bytes"] == pytest.approx(row["theory_bytes"], rel=0.01)
    assert len({row["graph"] for row in found["scaling"]["rows"]}) == 2


def test_one_dimension_against_a_slow_count():
    graph, ranks = generators.rmat(5, seed=3), 3
    wanted = {
        (u % ranks, v)
        for u in range(graph.num_vertices)
        for v in graph.neighbors(u).tolist()
        if u % ranks != v % ranks
    }
    sent = np.bincount([v % ranks for _, v in wanted], minlength=ranks)
    found = counts.one_dimension(graph, ranks, 8)
    assert found["messages_1d"] == len({(reader, v % ranks) for reader, v in wanted})
    assert found["bytes_1d"] == 8 * sent.max()


def test_turns_on_a_grid_and_without(monkeypatch):
    every = wall._algorithms
    few = lambda *given: {name: every(*given)[name] for name in ("BFS", "PageRank")}  # noqa: E731
    monkeypatch.setattr(wall, "_algorithms", few)
    local = wall.turns(_Alone(), None, 6, 8, 1)
    spread = run_threads(lambda comm: wall.turns(comm, "2x2", 6, 8, 1), 4)[0]
    assert [(r["graph"], r["algorithm"]) for r in local] == [
        (r["graph"], r["algorithm"]) for r in spread
    ]
    assert all(len(row["seconds"]) == 1 for row in local + spread)


def test_the_overhead_of_one_rank_is_judged():
    rows = [
        {"graph": "g", "algorithm": "BFS", "engine": engine, "seconds": [1.0 + 0.4 * i]}
        for i, engine in enumerate(wall._ENGINES)
    ]
    about = {"date": "2020-01-01", "machine": "a machine"}
    assert "MISS: a 1x1 grid takes less than 1.5 times" in wall.markdown(rows, about)
    rows[2]["seconds"] = [1.2]
    assert "PASS: a 1x1 grid" in wall.markdown(rows, about)
    assert "at most 1.20 (BFS on g)" in wall.markdown(rows, about)


@pytest.mark.parametrize(("last", "verdict"), [(4.2, "PASS"), (5.2, "MISS"), (2.5, "PASS")])
def test_the_law_of_weak_scaling_is_judged(last, verdict):
    rows = [
        {
            "scaling": "weak",
            "graph": "R-MAT",
            "algorithm": "BFS",
            "ranks": ranks,
            "time_s": time,
            "rounds": 7,
        }
        for ranks, time in ((4, 0.1), (16, 1.0), (64, 2.0), (256, last))
    ]
    (line,) = scaling._verdicts(rows)
    assert line.startswith(f"- {verdict}: weak scaling of BFS on R-MAT at most 20% above")


class _Alone:
    rank, size = 0, 1

    def barrier(self):
        pass

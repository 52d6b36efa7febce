"""The study of orders on tiny graphs, and its simulated caches against a plain simulation."""

from __future__ import annotations

import json
from collections import OrderedDict

import pytest

from benchmarks.ordering.cache import Level, counted, simulated
from benchmarks.ordering.text import markdown
from edgewise import ordering
from edgewise.generators import grid_2d, rmat


class Plain:
    """A cache of sets, each a dict in the order of last use."""

    def __init__(self, level):
        self.ways = level.ways
        self.sets = [OrderedDict() for _ in range(level.size // 64 // level.ways)]

    def misses(self, line):
        lines = self.sets[line % len(self.sets)]
        found = lines.pop(line, None)
        lines[line] = True
        if len(lines) > self.ways:
            lines.popitem(last=False)
        return found is None


@pytest.mark.parametrize("ways", [1, 2, 8])
def test_misses_as_simulated_plainly(ways):
    small, larger = Level(1024, ways), Level(4096, ways)
    for graph in (rmat(8, seed=1), grid_2d(30, 30)):
        first, second, found = Plain(small), Plain(larger), [0, 0]
        n, m = graph.num_vertices, graph.num_arcs
        edges = 8 * (n + 1) // 64 + 1
        values = edges + 4 * m // 64 + 1
        out = values + 8 * n // 64 + 1
        for v in range(n):
            lines = [8 * v // 64, 8 * (v + 1) // 64]
            for e in range(graph.indptr[v], graph.indptr[v + 1]):
                lines += [edges + 4 * e // 64, values + 8 * int(graph.indices[e]) // 64]
            for line in (*lines, out + 8 * v // 64):
                if first.misses(line):
                    found[0] += 1
                    found[1] += second.misses(line)
        assert [*simulated(graph, small, larger)] == pytest.approx([one / m for one in found])


def test_a_good_order_misses_less():
    graph = grid_2d(300, 300)
    shuffled = graph.permute(ordering.random_order(graph, seed=1))
    small = Level(4096, 8), Level(32768, 8)
    assert simulated(graph, *small).l2 < 0.5 * simulated(shuffled, *small).l2


def test_counters_or_none():
    found = counted(lambda: sum(range(1000)))
    assert found is None or found >= 0


def test_the_report_of_a_study():
    row = {"graph": "g", "n": 4, "m": 4, "order": "natural", "refine": None, "order_s": 0.1,
           "linear_gap": 8, "log_gap": 4.0, "linear_arrangement": 8, "log_arrangement": 4.0,
           "bandwidth": 3, "profile": 5, "line_span": 2.0, "page_span": 1.0, "l1": 0.5, "l2": 0.25,
           "pagerank": 2.0, "components": 1.0, "louvain": 4.0, "counted": None}  # fmt: skip
    half = {**row, "order": "random", "pagerank": 4.0, "l2": 0.5, "log_gap": 8.0}
    best = {**row, "refine": "log_gap", "refine_s": 1.0, "pagerank": 1.0, "log_gap": 2.0}
    text = markdown([row, half, best], "cpu")
    assert "| natural + log_gap | 1.00 | 1.00 | 2.00 | 1.00 | 1.00 | 1.26 | 4.00 | 1.59 |" in text
    assert "| `log_gap` | nan | 0.94 | 1.00 |" in text
    assert "| natural + log_gap | + 1 s |" in text


@pytest.mark.slow
def test_a_graph_is_measured(tmp_path):
    from benchmarks.ordering import measure_ordering

    told: list[str] = []
    text, pictures = measure_ordering(["mesh12"], 1, 120, "cpu", tmp_path, told.append)
    rows = json.loads((tmp_path / "ordering.json").read_text())
    assert {"natural", "random", "reverse_cuthill_mckee", "SciPy's RCM"} <= {
        row["order"] for row in rows
    }
    assert "## Correlation of measures with costs" in text and pictures == []
    assert not [line for line in told if "Error" in line], told

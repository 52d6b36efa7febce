"""The rates of generators: every generator of the table is measured or has a reason."""

from __future__ import annotations

import json

import pytest

from benchmarks.generator_rates import GENERATED, measure_generators
from edgewise.generators import GENERATORS

#: Graphs without edges or of fixed size, and those that share the code of another.
LEFT_OUT = {"empty", "petersen", "karate_club", "cycle", "star", "wheel", "ladder",
            "circular_ladder", "complete_bipartite", "turan", "barbell", "lollipop",
            "binary_tree", "named"}  # fmt: skip


def test_every_generator_has_a_row():
    measured = {name.partition(" ")[0] for name in GENERATED}
    assert not {*GENERATORS} - measured - LEFT_OUT


@pytest.mark.slow
def test_the_benchmark_runs(tmp_path):
    told: list[str] = []
    names = ["gnm_random", "configuration_model (simple)", "planted_partition"]
    text = measure_generators(11, 1, names, tmp_path, told.append)
    rows = json.loads((tmp_path / "generators.json").read_text())
    assert [row["generator"] for row in rows] == names
    assert rows[0]["edges"] == 8 << 11 and all(row["wall"] > 0 for row in rows)
    assert "| `configuration_model` (simple) | 2,048 |" in text and len(told) == 3

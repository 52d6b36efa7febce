"""Influence: seeds, their spread and simulation, beside other programs, and on a GPU."""

from __future__ import annotations

from benchmarks.influence.measure import PARTS, How, everyone, measure_influence
from benchmarks.influence.on_gpu import GRAPHS as ON_GPU, measure_influence_on_gpu
from benchmarks.influence.problems import GRAPHS, QUICK

__all__ = [
    "GRAPHS", "ON_GPU", "PARTS", "QUICK", "How", "everyone", "measure_influence",
    "measure_influence_on_gpu",
]  # fmt: skip

"""Colorings beside other libraries', on a GPU, and beside known chromatic numbers."""

from benchmarks.coloring.beside import measure_coloring
from benchmarks.coloring.known import measure_known
from benchmarks.coloring.on_gpu import measure_coloring_on_gpu
from benchmarks.coloring.problems import PROBLEMS, QUICK

__all__ = [
    "PROBLEMS",
    "QUICK",
    "measure_coloring",
    "measure_coloring_on_gpu",
    "measure_known",
]

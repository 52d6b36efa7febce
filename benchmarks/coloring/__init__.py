"""Colorings beside other libraries', on a GPU, and beside known chromatic numbers."""

from benchmarks.coloring.beside import measure_coloring
from benchmarks.coloring.derivatives import measure_derivatives
from benchmarks.coloring.known import measure_known
from benchmarks.coloring.on_gpu import measure_coloring_on_gpu
from benchmarks.coloring.patterns import PATTERNS, QUICK as QUICK_PATTERNS
from benchmarks.coloring.problems import PROBLEMS, QUICK

__all__ = [
    "PATTERNS",
    "PROBLEMS",
    "QUICK",
    "QUICK_PATTERNS",
    "measure_coloring",
    "measure_coloring_on_gpu",
    "measure_derivatives",
    "measure_known",
]

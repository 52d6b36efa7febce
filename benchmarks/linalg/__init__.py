"""Sparse products beside other libraries', and on a GPU."""

from benchmarks.linalg.beside import measure_linalg
from benchmarks.linalg.on_gpu import measure_linalg_on_gpu
from benchmarks.linalg.problems import PROBLEMS, QUICK

__all__ = ["PROBLEMS", "QUICK", "measure_linalg", "measure_linalg_on_gpu"]

"""Partitions beside those of METIS, KaHIP, KaMinPar and Mt-KaHyPar, by seed, and on a GPU."""

from benchmarks.partitioning.balance import measure_balance
from benchmarks.partitioning.beside import K, Times, measure_partitioning
from benchmarks.partitioning.fill import measure_fill
from benchmarks.partitioning.graphs import GRAPHS, MESHES, QUICK
from benchmarks.partitioning.on_gpu import measure_partitioning_on_gpu

__all__ = [
    "GRAPHS",
    "K",
    "MESHES",
    "QUICK",
    "Times",
    "measure_balance",
    "measure_fill",
    "measure_partitioning",
    "measure_partitioning_on_gpu",
]

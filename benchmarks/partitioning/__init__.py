"""Partitions beside those of METIS, KaHIP, KaMinPar and Mt-KaHyPar, and their balance by seed."""

from benchmarks.partitioning.beside import K, measure_partitioning
from benchmarks.partitioning.graphs import GRAPHS, QUICK

__all__ = ["GRAPHS", "K", "QUICK", "measure_partitioning"]

"""Fuzzy joins of real collections: time, memory, filters, and how good approximate pairs are."""

from __future__ import annotations

from benchmarks.join.growth import measure_join_growth
from benchmarks.join.measure import measure_join
from benchmarks.join.on_gpu import measure_join_on_gpu
from benchmarks.join.sets import COLLECTIONS, QUICK

__all__ = ["COLLECTIONS", "QUICK", "measure_join", "measure_join_growth", "measure_join_on_gpu"]

"""Communities beside other libraries', on CPU threads, and on a GPU beside CPU threads."""

from __future__ import annotations

from benchmarks.communities.beside import GRAPHS, QUICK, measure_communities
from benchmarks.communities.on_gpu import measure_on_gpu

__all__ = ["GRAPHS", "QUICK", "measure_communities", "measure_on_gpu"]

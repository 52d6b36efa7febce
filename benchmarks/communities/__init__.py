"""Communities beside other libraries', on CPU threads, and on a GPU beside CPU threads."""

from __future__ import annotations

from benchmarks.communities.beside import GRAPHS, QUICK, measure_communities
from benchmarks.communities.markov import MARKOV, measure_markov, measure_markov_on_gpu
from benchmarks.communities.on_gpu import measure_on_gpu

__all__ = ["GRAPHS", "MARKOV", "QUICK", "measure_communities", "measure_markov",
           "measure_markov_on_gpu", "measure_on_gpu"]  # fmt: skip

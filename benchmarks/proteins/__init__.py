"""Protein families beside other programs' on CPU threads, and alignments on a GPU."""

from __future__ import annotations

from benchmarks.proteins.beside import measure_families
from benchmarks.proteins.on_gpu import measure_alignments_on_gpu

__all__ = ["measure_alignments_on_gpu", "measure_families"]

"""Network sensing beside python-graphblas and pandas, on CPU threads; and on a GPU.

All work on the same synthetic packets, which `edgewise.sensing.generate_traffic` makes: `given`
writes them to files once. Every library has a process of its own, and turns go A B C, A B C, ...
"""

from __future__ import annotations

from benchmarks.sensing.beside import USUAL, measure_sensing
from benchmarks.sensing.on_gpu import measure_sensing_on_gpu
from benchmarks.sensing.stages import STAGES

__all__ = ["STAGES", "USUAL", "measure_sensing", "measure_sensing_on_gpu"]

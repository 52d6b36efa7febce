"""What a grid of ranks sends and what it takes: counted, modeled and measured.

After Figures 3 to 7 of Slota and Mandulak (ICPP 2025). Six parts, each in a file of its own: what
is sent as ranks are added, what each choice of communication is worth, shapes that are not square,
what a partition saves, modeled scaling, and wall time with MPI. All but the last run on simulated
ranks in one process; all they count is the same on every machine.
"""

from benchmarks.grid.driver import PARTS, measure_grid

__all__ = ["PARTS", "measure_grid"]

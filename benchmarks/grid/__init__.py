"""What a grid of ranks sends and what it takes: counted, modeled and measured.

After Figures 3 to 7 of Slota and Mandulak (ICPP 2025). Five parts, each in a file of its own: what
is sent as ranks are added, what each choice of communication is worth, shapes that are not square,
modeled scaling, and wall time with MPI. The first four run on simulated ranks in one process; all
they count is the same on every machine.
"""

from benchmarks.grid.driver import PARTS, measure_grid

__all__ = ["PARTS", "measure_grid"]

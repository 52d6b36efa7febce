"""Generators that draw their edges on the GPU: the same graphs as on the CPU, for every seed.

Each takes the arguments of its namesake in `edgewise.generators`, and ``device``.
"""

from __future__ import annotations

from edgewise.generators.cuda.kronecker import rmat, rmat_edges
from edgewise.generators.cuda.lattices import grid_2d, grid_3d
from edgewise.generators.cuda.random_graphs import gnm_random, random_bipartite, urand, urand_edges

__all__ = [
    "gnm_random",
    "grid_2d",
    "grid_3d",
    "random_bipartite",
    "rmat",
    "rmat_edges",
    "urand",
    "urand_edges",
]

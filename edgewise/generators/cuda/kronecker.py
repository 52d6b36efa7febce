"""R-MAT graphs drawn on the GPU; see `edgewise.generators.kronecker`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from edgewise.base.checks import check_count
from edgewise.base.cuda.device import array_module
from edgewise.base.cuda.kernels import kernel
from edgewise.base.random import check_seed
from edgewise.generators.cuda.draws import assemble, at
from edgewise.generators.cuda.permutation import bits, descend, launch, shuffled, width
from edgewise.generators.draws import check_multiplicity, id_type, stream
from edgewise.generators.kronecker import Edges, check_quadrants, check_scale

__all__ = ["rmat", "rmat_edges"]

_0, _1, _32 = np.uint64(0), np.uint64(1), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def rmat(
    scale: int,
    *,
    edge_factor: int = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    directed: bool = False,
    permute: bool = True,
    count_duplicates: bool = False,
    self_loops: str = "drop",
    seed: int = 0,
    device: str = "cuda",
) -> Any:
    """The graph of `edgewise.generators.rmat`, built on the device."""
    check_multiplicity(count_duplicates, self_loops)
    drawn = rmat_edges(
        scale, edge_factor=edge_factor, a=a, b=b, c=c, permute=permute, seed=seed, device=device
    )
    with at(device):
        return assemble(*drawn, 1 << scale, directed, count_duplicates, self_loops)


def rmat_edges(
    scale: int,
    *,
    edge_factor: int = 16,
    a: float = 0.57,
    b: float = 0.19,
    c: float = 0.19,
    permute: bool = True,
    seed: int = 0,
    device: str = "cuda",
) -> Edges:
    """The edges of `edgewise.generators.rmat_edges`, as arrays of the device."""
    n = 1 << check_scale(scale)
    m = n * check_count(edge_factor, "edge_factor")
    limits = check_quadrants(a, b, c)
    key, kind = check_seed(seed), id_type(n)
    with at(device):
        xp = array_module()
        names = xp.empty(n if permute else 0, kind)
        launch(permutation, len(names), stream(key, 1), width(n), names)
        drawn = Edges(xp.empty(m, kind), xp.empty(m, kind))
        launch(recursive, m, stream(key, 2), scale, limits, names, *drawn)
    return drawn


@kernel
def permutation(seed, wide, names):
    """A random permutation of ``0..len(names)-1``."""
    v = np.uint64(cuda.grid(1))
    if v < np.uint64(len(names)):
        names[v] = shuffled(seed, v, np.uint64(len(names)), wide)


@kernel
def recursive(seed, scale, limits, names, sources, targets):
    """R-MAT edges: one quadrant per level, 32 random bits each."""
    e = np.uint64(cuda.grid(1))
    if e < np.uint64(len(sources)):
        first, half, last = limits
        u, v = _0, _0
        for level in range(0, scale, 2):
            word = bits(seed, e, np.uint64(level))
            u, v = descend(u, v, word & _LOW, first, half, last)
            if level + 1 < scale:
                u, v = descend(u, v, word >> _32, first, half, last)
        if len(names) > 0:
            sources[e], targets[e] = names[u], names[v]
        else:
            sources[e], targets[e] = u, v

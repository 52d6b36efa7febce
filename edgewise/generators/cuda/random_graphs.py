"""Uniformly random graphs drawn on the GPU; see `edgewise.generators.random_graphs`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from edgewise.base.checks import check_count
from edgewise.base.cuda.device import array_module
from edgewise.base.cuda.kernels import kernel
from edgewise.base.random import check_seed
from edgewise.generators.cuda.draws import assemble, at
from edgewise.generators.cuda.permutation import below, bits, launch, pair, shuffled, width
from edgewise.generators.draws import check_multiplicity, id_type
from edgewise.generators.kronecker import Edges, check_scale
from edgewise.generators.random_graphs import check_edges

__all__ = ["gnm_random", "random_bipartite", "urand", "urand_edges"]

_0, _1 = np.uint64(0), np.uint64(1)


def gnm_random(
    n: int, m: int, *, directed: bool = False, seed: int = 0, device: str = "cuda"
) -> Any:
    """The graph of `edgewise.generators.gnm_random`, built on the device."""
    n, m, key = check_count(n, "n"), check_count(m, "m"), check_seed(seed)
    possible = n * (n - 1) if directed else n * (n - 1) // 2
    check_edges(m, possible, f"{n} vertices")
    with at(device):
        drawn = _empty(m, n)
        if directed:
            launch(distinct_cells, m, key, width(possible), np.uint64(possible),
                   np.uint64(max(n - 1, 0)), True, _0, *drawn)  # fmt: skip
        else:
            launch(distinct_pairs, m, key, width(possible), np.uint64(possible), *drawn)
        return assemble(*drawn, n, directed, False, "keep")


def urand(
    scale: int,
    *,
    edge_factor: int = 16,
    directed: bool = False,
    count_duplicates: bool = False,
    self_loops: str = "drop",
    seed: int = 0,
    device: str = "cuda",
) -> Any:
    """The graph of `edgewise.generators.urand`, built on the device."""
    check_multiplicity(count_duplicates, self_loops)
    drawn = urand_edges(scale, edge_factor=edge_factor, seed=seed, device=device)
    with at(device):
        return assemble(*drawn, 1 << scale, directed, count_duplicates, self_loops)


def urand_edges(scale: int, *, edge_factor: int = 16, seed: int = 0, device: str = "cuda") -> Edges:
    """The edges of `edgewise.generators.urand_edges`, as arrays of the device."""
    n = 1 << check_scale(scale)
    m = n * check_count(edge_factor, "edge_factor")
    key = check_seed(seed)
    with at(device):
        drawn = _empty(m, n)
        launch(independent, m, key, np.uint64(n), *drawn)
    return drawn


def random_bipartite(left: int, right: int, *, m: int, seed: int = 0, device: str = "cuda") -> Any:
    """The graph of `edgewise.generators.random_bipartite`, built on the device."""
    left, right = check_count(left, "left"), check_count(right, "right")
    m, key, n = check_count(m, "m"), check_seed(seed), left + right
    check_edges(m, left * right, f"sides of {left} and {right} vertices")
    cells = left * right
    with at(device):
        drawn = _empty(m, n)
        launch(distinct_cells, m, key, width(cells), np.uint64(cells), np.uint64(right), False,
               np.uint64(left), *drawn)  # fmt: skip
        return assemble(*drawn, n, False, False, "keep")


def _empty(m: int, n: int) -> Edges:
    xp = array_module()
    return Edges(xp.empty(m, id_type(n)), xp.empty(m, id_type(n)))


@kernel
def independent(seed, size, sources, targets):
    """Edges whose two ends are drawn uniformly and independently."""
    e = np.uint64(cuda.grid(1))
    if e < np.uint64(len(sources)):
        sources[e] = below(bits(seed, e, _0), size)
        targets[e] = below(bits(seed, e, _1), size)


@kernel
def distinct_pairs(seed, wide, size, sources, targets):
    """Distinct ones among the first ``size`` unordered pairs of vertices, ``u < v``."""
    e = np.uint64(cuda.grid(1))
    if e < np.uint64(len(sources)):
        sources[e], targets[e] = pair(shuffled(seed, e, size, wide))


@kernel
def distinct_cells(seed, wide, size, across, skip, shift, sources, targets):
    """Distinct cells of a table, without its diagonal if ``skip``; columns count from ``shift``."""
    e = np.uint64(cuda.grid(1))
    if e < np.uint64(len(sources)):
        cell = shuffled(seed, e, size, wide)
        u, v = cell // across, cell % across
        if skip and v >= u:
            v += _1
        sources[e], targets[e] = u, v + shift

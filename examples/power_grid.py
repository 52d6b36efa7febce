"""Reduce the model of a power grid: communities are areas, and their inner buses are eliminated.

In the DC model, angles of buses solve L x = p, with the Laplacian matrix L of the susceptances of
lines and the power p that is fed in at each bus. Buses without lines to other areas are inner
buses. Kron's reduction eliminates them exactly, area by area. The fewer lines there are between
areas, the fewer buses are left: communities are good areas.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import splu, spsolve

import edgewise as ew


def reduced(laplacian, power, areas, sources, targets):
    """The matrix, the power and the ids of the buses that are left."""
    between = areas[sources] != areas[targets]
    left = np.unique(np.r_[sources[between], targets[between]])
    inner = np.setdiff1d(np.arange(len(power)), left)
    solve = splu(laplacian[inner][:, inner].tocsc()).solve
    out = laplacian[left][:, inner]
    matrix = laplacian[left][:, left].toarray() - out @ solve(laplacian[inner][:, left].toarray())
    return matrix, power[left] - out @ solve(power[inner]), left


def main() -> None:
    streets = ew.generators.road(30, 30, removals=0.3, seed=4)
    grid = streets.with_weights(1 / np.maximum(streets.edges()[2], 0.05))  # susceptances
    n, (sources, targets, _) = grid.num_vertices, grid.edges()
    power = np.random.default_rng(1).normal(size=n)
    power -= power.mean()
    laplacian = ew.laplacian_matrix(grid).tocsr()
    whole = np.r_[0.0, spsolve(laplacian[1:][:, 1:].tocsc(), power[1:])]  # bus 0 is the reference

    found = np.asarray(ew.communities.leiden(grid, deterministic=True))
    found = np.unique(found, return_inverse=True)[1]
    size = int(found.max()) + 1
    ways = {
        "communities": found,
        "slices by number": np.arange(n) * size // n,
        "random areas": np.random.default_rng(2).integers(0, size, n),
    }
    counts = {}
    for name, areas in ways.items():
        if name == "random areas":  # too many lines between areas: only counted
            between = areas[sources] != areas[targets]
            counts[name] = len(np.unique(np.r_[sources[between], targets[between]]))
            continue
        matrix, fed, left = reduced(laplacian, power, areas, sources, targets)
        angles = np.r_[0.0, np.linalg.solve(matrix[1:, 1:], fed[1:])]
        assert np.allclose(angles, whole[left] - whole[left[0]], atol=1e-6), "it is exact"
        counts[name] = len(left)
    print(f"{n} buses, {len(sources)} lines, {size} areas; buses that are left:")
    for name, count in counts.items():
        print(f"  {name:17} {count}")
    assert counts["communities"] < min(counts["slices by number"], counts["random areas"])


if __name__ == "__main__":
    main()

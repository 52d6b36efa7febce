"""Cells by what is measured in each: clusters of a table of points, found as communities.

Three populations of cells, 12 markers each: a large one, one stretched along a gradient, and a rare
one. Every cell is joined to its nearest ones, and cells that share many of these belong
together. No number of clusters is given, and no shape.

Run it: python examples/cluster_points.py
"""

from __future__ import annotations

import numpy as np

from edgewise import communities
from edgewise.apps import cluster_points, nearest_neighbors


def cells(seed=0):
    """A table of 1,060 cells, and the population of each."""
    rng = np.random.default_rng(seed)
    sizes = (600, 400, 60)
    population = np.repeat(range(3), sizes)
    table = 5 * rng.normal(size=(3, 12))[population] + rng.normal(size=(sum(sizes), 12))
    table[population == 1, 0] += rng.uniform(0, 20, 400)  # a gradient
    return table, population


def main():
    table, population = cells()
    labels, graph = cluster_points(table, k=30, resolution=0.05)
    agreement = communities.adjusted_rand_score(population, labels)
    assert agreement > 0.95, agreement
    sizes = ", ".join(map(str, np.bincount(labels)))
    print(f"{graph}: clusters of {sizes} cells, agreement {agreement:.3f}")

    exact = nearest_neighbors(table, 30, method="exact").indices
    near = nearest_neighbors(table, 30, method="descent").indices
    found = sum(len(np.intersect1d(a, b)) for a, b in zip(exact, near, strict=True)) / exact.size
    assert found > 0.95, found
    print(f"descent finds {100 * found:.1f} percent of the nearest neighbors")


if __name__ == "__main__":
    main()

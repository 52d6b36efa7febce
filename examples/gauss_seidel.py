"""Gauss-Seidel by colors: a parallel sweep that equals a sequential one.

A Gauss-Seidel sweep solves each equation in turn for its own unknown, with the newest values of the
others. Unknowns of one color do not occur in each other's equations, so all of them can be updated
at once: the sweep equals the sequential one that visits color after color. Two colors are enough
for the 5-point stencil of the Poisson equation, and sweeps converge about as fast as row by row.

Run it: python examples/gauss_seidel.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew


def sweep_by_colors(graph, classes, right_side, solution):
    """One sweep; the unknowns of a class are updated in parallel."""
    for members in classes:
        state = (graph.indptr, graph.indices, right_side, solution)
        ew.compute(graph, members, update, state)


def update(v, indptr, indices, right_side, solution):
    """Solve equation v: 4 times its unknown, less those of its neighbors, is its right side."""
    total = right_side[v]
    for e in range(indptr[v], indptr[v + 1]):
        total += solution[indices[e]]
    solution[v] = total / 4


def sweep_in_order(graph, order, right_side, solution):
    """The same in plain Python: one unknown after the other."""
    for v in order:
        update(v, graph.indptr, graph.indices, right_side, solution)


def residual(graph, right_side, solution):
    """The largest error of an equation."""
    near = ew.reduce_neighbors(graph, None, take, solution, reduce=ew.ADD)
    return float(abs(right_side + near - 4 * solution).max())


def take(value):
    return value


def num_sweeps(graph, sweep, right_side, tol=1e-6):
    """How many sweeps from zero until all equations hold."""
    solution, done = graph.full(0.0), 0
    while residual(graph, right_side, solution) > tol:
        sweep(solution)
        done += 1
    return done


def main():
    graph = ew.generators.grid_2d(16, 16)  # -u'' = f inside a square, u = 0 on its boundary
    right_side = ew.random.uniform(1, np.arange(graph.num_vertices))
    colors = ew.coloring.greedy(graph, order="natural")
    assert colors.num_colors == 2 and ew.coloring.verify_coloring(graph, colors).valid
    classes = [ew.frontier(graph, members) for members in colors.independent_sets()]

    parallel, sequential = graph.full(0.0), graph.full(0.0)
    for _ in range(10):
        sweep_by_colors(graph, classes, right_side, parallel)
        sweep_in_order(graph, np.concatenate(colors.independent_sets()), right_side, sequential)
    assert (parallel == sequential).all()  # bit for bit

    by_colors = num_sweeps(
        graph, lambda x: sweep_by_colors(graph, classes, right_side, x), right_side
    )
    by_rows = num_sweeps(
        graph, lambda x: sweep_in_order(graph, range(graph.num_vertices), right_side, x), right_side
    )
    print(f"{by_colors} sweeps by colors, {by_rows} in the order of rows")
    assert abs(by_colors - by_rows) <= 0.1 * by_rows


if __name__ == "__main__":
    main()

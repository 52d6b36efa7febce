"""Words that a rank receives in an epoch of graph convolutions, in 1D, 1.5D and 2D.

The mean over simulated ranks, beside the leading terms of Tripathy and others (SC 2020). The
network has three layers of 64 features, the graph is R-MAT. A word is 4 bytes. Times are modeled
for GPUs on InfiniBand. ``python -m benchmarks.applications.gcn_words [SCALE]`` takes some minutes.
"""

from __future__ import annotations

import sys
from math import isqrt
from typing import Any

import numpy as np

from benchmarks.report import machine, table

WIDTH, LAYERS = 64, 3


def program(graph: Any, shape: str, partition: str, epochs: int) -> Any:
    """What each rank does."""
    from edgewise.distributed import Grid, distribute
    from edgewise.learning import train_gcn

    n = graph.num_vertices
    features = np.ones((n, WIDTH), np.float32)

    def run(comm: Any) -> None:
        there = distribute(graph, grid=Grid(comm, shape))
        train_gcn(there, features, classes=np.arange(n) % WIDTH, train=np.arange(n), dropout=0,
                  hidden=[WIDTH] * (LAYERS - 1), epochs=epochs, partition=partition)  # fmt: skip

    return run


def formula(n: int, nnz: int, rows: int, columns: int, partition: str) -> float:
    """The leading terms: words that a rank receives in all products of an epoch."""
    features = n * WIDTH
    down, across = (1 - 1 / rows) / columns, (1 - 1 / columns) / rows  # what a rank has stays
    if partition == "1.5d":  # 1D with one column
        return 2 * LAYERS * (features * down + 2 * features * across)
    return 2 * LAYERS * (features * (down + across) + nnz * across)


def main(scale: int) -> None:
    import edgewise as ew
    from edgewise.distributed import simulate_grid

    graph, lines = ew.generators.rmat(scale, seed=1), []
    for ranks in (4, 16, 64):
        side = isqrt(ranks)
        ways = [("1D", f"{ranks}x1", "1.5d"), ("1.5D, 2 copies", f"{ranks // 2}x2", "1.5d")]
        ways += [("1.5D, 4 copies", f"{ranks // 4}x4", "1.5d")] if ranks > 16 else []
        for name, shape, partition in [*ways, ("2D", f"{side}x{side}", "2d")]:
            found = [simulate_grid(program(graph, shape, partition, epochs), ranks).report
                     for epochs in (1, 2)]  # fmt: skip
            words = np.subtract(*(one.mean("received") for one in found[::-1])) / 4
            seconds = found[1].time_s - found[0].time_s
            rows, columns = map(int, shape.split("x"))
            wanted = formula(graph.num_vertices, graph.num_arcs, rows, columns, partition)
            lines.append([f"{ranks}", name, shape, f"{words / 1e6:.3f}", f"{wanted / 1e6:.3f}",
                          f"{1e3 * seconds:.2f} ms"])  # fmt: skip
            print(lines[-1], flush=True)
    sizes = f"{graph.num_vertices:,} vertices, {graph.num_edges:,} edges"
    print(f"\nR-MAT {scale}: {sizes}; {machine()}\n")
    head = ["ranks", "way", "grid", "million words, counted", "leading terms", "modeled time"]
    print(table(head, lines, words=3))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)

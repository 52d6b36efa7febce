"""Mini-batches with sampled neighbors per second of one processor, beside NumPy and others.

The graph is R-MAT; a batch has 1024 sources and fanouts of 15 and 10. NumPy draws with
replacement, the cheaper way, for all rows at once, and numbers vertices by ``np.unique``. The
samplers of DGL and PyTorch Geometric, in C++, are measured if they are installed.
``python -m benchmarks.applications.sampling [SCALE]`` takes a minute.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

from benchmarks.applications.peers import samplers
from benchmarks.report import machine, spell_time, table

FANOUTS, SOURCES, BATCHES = (15, 10), 1024, 40


def by_numpy(graph: Any, sources: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One batch, with replacement."""
    vertices = sources
    for wanted in FANOUTS:
        begin = graph.indptr[vertices]
        degrees = graph.indptr[vertices + 1] - begin
        places = begin[:, None] + (rng.random((len(vertices), wanted)) * degrees[:, None]).astype(
            np.int64
        )
        drawn = graph.indices[places[degrees > 0]].reshape(-1)
        fresh = np.setdiff1d(drawn, vertices)
        vertices = np.concatenate([vertices, fresh])
        order = np.argsort(vertices)
        order[np.searchsorted(vertices[order], drawn)]  # the positions of the drawn ones
    return vertices


def seconds_per_batch(batches: Callable[[], Any]) -> float:
    """The median processor time of 40 batches, after one, on one thread."""
    from edgewise import threads

    with threads(1):
        spent, last = [], time.process_time()
        for _ in islice(batches(), BATCHES + 1):
            now = time.process_time()
            spent.append(now - last)
            last = now
    return float(np.median(spent[1:]))


def main(scale: int) -> None:
    import edgewise as ew

    graph = ew.generators.rmat(scale, seed=1)
    rng = np.random.default_rng(1)
    order = rng.permutation(graph.num_vertices)

    def numpy_batches():
        while True:
            for low in range(0, len(order), SOURCES):
                yield by_numpy(graph, order[low : low + SOURCES], rng)

    def ours(**options):
        def run():
            batches = ew.learning.neighbor_batches(
                graph, batch_size=SOURCES, fanouts=FANOUTS, **options
            )
            while True:
                yield from batches

        return run

    ways = {
        "edgewise": ours(),
        "edgewise, with replacement": ours(replace=True),
        "NumPy, with replacement": numpy_batches,
    }
    ways |= samplers(graph, FANOUTS, SOURCES)
    rows = []
    for name, way in ways.items():
        one = seconds_per_batch(way)
        rows.append([name, spell_time(one), f"{1 / one:.1f}"])
    print(f"R-MAT {scale}, {graph.num_edges:,} edges; {machine()}\n")
    print(table(["way", "processor time of a batch", "batches per second"], rows, words=1))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 18)

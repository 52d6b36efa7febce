"""Edges that each generator makes in a second.

The graph is built, not only its edges drawn. A random graph of 2^scale vertices has about 8 edges
for each vertex, where its model allows to choose. Rates are by wall time with all threads, and by
processor time, which other processes disturb less.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from edgewise import generators

__all__ = ["GENERATED", "measure_generators", "report"]

#: Each generator with the arguments that give 2^scale vertices, or nearly so.
GENERATED: dict[str, Callable[[int], Any]] = {
    "rmat": lambda s: generators.rmat(s, edge_factor=8),
    "urand": lambda s: generators.urand(s, edge_factor=8),
    "gnm_random": lambda s: generators.gnm_random(1 << s, 8 << s),
    "gnp_random": lambda s: generators.gnp_random(1 << s, average_degree=16),
    "random_bipartite": lambda s: generators.random_bipartite(1 << s - 1, 1 << s - 1, m=8 << s),
    "configuration_model": lambda s: generators.configuration_model(_degrees(s)),
    "configuration_model (simple)": lambda s: generators.configuration_model(
        _degrees(s), simple=True
    ),
    "random_regular": lambda s: generators.random_regular(1 << s, 16),
    "expected_degree": lambda s: generators.expected_degree(_degrees(s)),
    "stochastic_block_model": lambda s: generators.stochastic_block_model(*_blocks(s)),
    "stochastic_block_model (propensities)": lambda s: generators.stochastic_block_model(
        *_blocks(s), propensities=_degrees(s) / _degrees(s).mean()
    ),
    "planted_partition": lambda s: generators.planted_partition(
        1 << s - 10, 1 << 10, p_in=12 / 2**10, p_out=4 / 2**s
    ),
    "planted_coloring": lambda s: generators.planted_coloring(1 << s, 8, average_degree=16),
    "lfr_benchmark": lambda s: generators.lfr_benchmark(1 << s, average_degree=16),
    "barabasi_albert": lambda s: generators.barabasi_albert(1 << s, 8),
    "watts_strogatz": lambda s: generators.watts_strogatz(1 << s, 16),
    "navigable_small_world": lambda s: generators.navigable_small_world(1 << s // 2, q=4),
    "stochastic_kronecker": lambda s: generators.stochastic_kronecker(
        [[0.99, 0.58], [0.58, 0.19]], s
    ),
    "random_geometric": lambda s: generators.random_geometric(1 << s, average_degree=16),
    "random_hyperbolic": lambda s: generators.random_hyperbolic(1 << s, average_degree=16),
    "waxman": lambda s: generators.waxman(1 << s, beta=0.5, alpha=(5.2 / 2**s) ** 0.5),
    "random_labeled_tree": lambda s: generators.random_labeled_tree(1 << s),
    "road": lambda s: generators.road(1 << s // 2, 1 << s // 2),
    "grid_2d": lambda s: generators.grid_2d(1 << s // 2, 1 << s // 2),
    "grid_3d": lambda s: generators.grid_3d(1 << s // 3, 1 << s // 3, layers=1 << s // 3),
    "triangular_mesh": lambda s: generators.triangular_mesh(1 << s // 2, 1 << s // 2),
    "banded": lambda s: generators.banded(1 << s, 8),
    "path": lambda s: generators.path(1 << s),
    "balanced_tree": lambda s: generators.balanced_tree(2, s - 1),
    "hypercube": lambda s: generators.hypercube(s - 1),
    "complete": lambda s: generators.complete(1 << s // 2 + 2),
    "mycielski": lambda s: generators.mycielski(s // 2 + 4),
    "kneser": lambda s: generators.kneser(s + 2, 5) if s > 10 else generators.kneser(9, 3),
}


def measure_generators(
    scale: int, trials: int, names: Any, folder: Path | None, tell: Callable[[str], Any]
) -> str:
    """Measure generators; the table, which is also written to the folder."""
    rows = []
    for name in names:
        GENERATED[name](10)  # kernels are compiled
        walls, processors = [], []
        for _ in range(trials):
            gc.collect()
            wall, processor = time.perf_counter(), time.process_time()
            found = GENERATED[name](scale)
            walls.append(time.perf_counter() - wall)
            processors.append(time.process_time() - processor)
            graph = getattr(found, "graph", found)
            edges, vertices = graph.num_edges, graph.num_vertices
            del found, graph
        rows.append({"generator": name, "vertices": vertices, "edges": edges,
                     "wall": min(walls), "processor": min(processors)})  # fmt: skip
        tell(_line(rows[-1]))
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "generators.json").write_text(json.dumps(rows, indent=1) + "\n")
            (folder / "generators.md").write_text(report(rows))
    return report(rows)


def _degrees(scale: int) -> np.ndarray:
    """Degrees by a power law with exponent 2.5, 16 on average, none above 1000."""
    n = 1 << scale
    drawn = np.minimum(6 * (1 - (np.arange(n) + 0.5) / n) ** (-1 / 1.5), 1000).astype(np.int64)
    drawn[0] += drawn.sum() % 2
    return drawn


def _blocks(scale: int) -> tuple[list[int], np.ndarray]:
    """Sizes and probabilities of 64 blocks; 12 of 16 neighbors are in the own block."""
    size = (1 << scale) // 64
    inside, outside = 12 / size, 4 / (63 * size)
    return [size] * 64, np.full((64, 64), outside) + np.eye(64) * (inside - outside)


def _line(row: dict[str, Any]) -> str:
    rates = [row["edges"] / row[clock] / 1e6 for clock in ("wall", "processor")]
    return (f"{row['generator']}: {row['edges']:,} edges, {rates[0]:.3g} million a second, "
            f"{rates[1]:.3g} by processor time")  # fmt: skip


def report(rows: list[dict[str, Any]]) -> str:
    """A table of rates."""
    lines = [
        "# Generators",
        "",
        "Million edges a second, least time of several calls: by wall time with all threads, and",
        "by the processor time of all threads together.",
        "",
        "| generator | vertices | edges | wall | processor |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        rates = " | ".join(f"{row['edges'] / row[at] / 1e6:.3g}" for at in ("wall", "processor"))
        name, _, variant = row["generator"].partition(" ")
        title = f"`{name}` {variant}".strip()
        lines.append(f"| {title} | {row['vertices']:,} | {row['edges']:,} | {rates} |")
    return "\n".join(lines) + "\n"

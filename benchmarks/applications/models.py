"""Kernels of 1,000 molecule-like graphs, alignments of noisy copies, and missing ratings.

``python -m benchmarks.applications.models`` takes some minutes.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.report import machine, spell_time, table


def main() -> None:
    print(machine())
    for way in (kernels, alignments, ratings):
        print(f"\n{way()}", flush=True)


def timed(function: Any, *args: Any, **options: Any) -> tuple[float, Any]:
    """Wall seconds and the result; a small call has compiled before."""
    begin = time.perf_counter()
    found = function(*args, **options)
    return time.perf_counter() - begin, found


def molecules(count: int) -> list:
    """Trees of 10 to 30 vertices with some rings, 4 kinds of vertices and 2 of edges."""
    import edgewise as ew

    rng, found = np.random.default_rng(1), []
    for _ in range(count):
        n = int(rng.integers(10, 31))
        parents = np.maximum(np.arange(1, n) - rng.integers(1, 4, n - 1), 0)
        rings = rng.integers(0, n, (2, 3))
        sources, targets = np.r_[np.arange(1, n), rings[0]], np.r_[parents, rings[1]]
        keep = sources != targets
        graph = ew.Graph.from_edges(sources[keep], targets[keep], num_vertices=n)
        found.append(graph.with_columns(
            vertices={"kind": rng.integers(0, 4, n)},
            edges={"bond": rng.integers(0, 2, graph.num_edges)},
        ))  # fmt: skip
    return found


def kernels() -> str:
    from edgewise import learning

    graphs, rows = molecules(1000), []
    for name, options in (
        ("weisfeiler_lehman_kernel", {}),
        ("shortest_path_kernel", {}),
        ("marginalized_kernel", {"edge_labels": "bond"}),
    ):
        kernel = getattr(learning, name)
        kernel(graphs[:3], vertex_labels="kind", **options)
        spent, gram = timed(kernel, graphs, vertex_labels="kind", **options)
        assert np.linalg.eigvalsh(gram).min() > -1e-8 * gram.max()
        rows.append([name, spell_time(spent)])
    return table(["kernel of 1,000 graphs", "time"], rows, words=1)


def alignments() -> str:
    import edgewise as ew
    from edgewise.apps import align_graphs

    rows = []
    for n in (1000, 5000):
        graph = ew.generators.barabasi_albert(n, 5, seed=1)
        sources, targets, _ = graph.edges()
        for noise in (0.0, 0.05, 0.1):
            rng = np.random.default_rng(2)
            order, kept = rng.permutation(n), rng.random(len(sources)) >= noise
            other = ew.Graph.from_edges(order[sources[kept]], order[targets[kept]], num_vertices=n)
            spent, found = timed(align_graphs, graph, other)
            share = (found.vertices == order).mean()
            rows.append([f"{n:,}", f"{100 * noise:.0f}", f"{100 * share:.1f}", spell_time(spent)])
    return table(["vertices", "edges removed, %", "vertices found, %", "time"], rows, words=1)


def ratings() -> str:
    from edgewise.learning import complete_matrix

    rng = np.random.default_rng(0)
    left, right = rng.normal(size=(20_000, 8)), rng.normal(size=(5_000, 8))
    who, what = rng.integers(0, 20_000, 1_200_000), rng.integers(0, 5_000, 1_200_000)
    value = (left[who] * right[what]).sum(axis=1) + 0.5 * rng.normal(size=len(who))
    known, hidden = slice(0, 1_000_000), slice(1_000_000, None)
    rows = []
    for method, turns in (("als", 10), ("sgd", 30)):
        small = (who[:100], what[:100], value[:100])
        complete_matrix(small, rank=2, method=method, max_iter=1)
        spent, found = timed(complete_matrix, (who[known], what[known], value[known]), rank=8,
                             method=method, max_iter=turns, shape=(20_000, 5_000))  # fmt: skip
        error = found.predict(who[hidden], what[hidden]) - value[hidden]
        rows.append([f"{method}, {turns} rounds", f"{np.sqrt((error**2).mean()):.3f}",
                     spell_time(spent)])  # fmt: skip
    return table(["1,000,000 ratings, noise 0.5", "RMSE, hidden", "time"], rows, words=1)


if __name__ == "__main__":
    main()

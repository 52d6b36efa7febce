"""Kernels of 1,000 molecule-like graphs, and missing ratings.

GraKeL, implicit and surprise are measured, too, if they are installed.

``python -m benchmarks.applications.models [kernels ratings]`` takes some minutes.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from benchmarks.applications import peers
from benchmarks.report import machine, spell_time, table


def main() -> None:
    ways = {one.__name__: one for one in (kernels, ratings)}
    print(machine())
    for name in sys.argv[1:] or ways:
        print(f"\n{ways[name]()}", flush=True)


def timed(function: Any, *args: Any, **options: Any) -> tuple[float, Any]:
    """Seconds of processor time and the result; a small call has compiled before."""
    begin = time.process_time()
    found = function(*args, **options)
    return time.process_time() - begin, found


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
    theirs = peers.kernels(graphs)
    for name, options in (
        ("weisfeiler_lehman_kernel", {"depth": 3}),
        ("shortest_path_kernel", {}),
        ("marginalized_kernel", {"edge_labels": "bond"}),
    ):
        kernel = getattr(learning, name)
        kernel(graphs[:3], vertex_labels="kind", **options)
        spent, gram = timed(kernel, graphs, vertex_labels="kind", **options)
        assert np.linalg.eigvalsh(gram).min() > -1e-8 * gram.max()
        rows.append([name, spell_time(spent), ""])
        if name in theirs:
            other, wanted = timed(theirs[name])
            rows[-1][-1] = spell_time(other)
            print(f"{name}: at most {abs(gram - wanted).max():g} from GraKeL's", flush=True)
    return table(["kernel of 1,000 graphs", "processor time", "GraKeL"], rows, words=1)


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
    for name, run in peers.ratings(who[known], what[known], value[known], (20_000, 5_000)).items():
        spent, predict = timed(run)
        error = 0 if predict is None else predict(who[hidden], what[hidden]) - value[hidden]
        shown = "" if predict is None else f"{np.sqrt((error**2).mean()):.3f}"
        rows.append([name, shown, spell_time(spent)])
    return table(["1,000,000 ratings, noise 0.5", "RMSE, hidden", "processor time"], rows, words=1)


if __name__ == "__main__":
    main()

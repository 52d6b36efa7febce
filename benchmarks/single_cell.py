"""Leiden of cells beside scanpy's ``sc.tl.leiden(flavor="igraph")``: times and quality.

The cells are synthetic: types of different sizes, some of them close to one another, in 30
principal components, with 15 neighbors and UMAP's connectivities [1] as ``sc.pp.neighbors`` makes
them. Both get the same sparse matrix and write the same column, once for each of several seeds.
Times are medians over the seeds, quality is the mean. scanpy runs in a process of its own. Where it
is not installed, igraph is called as scanpy 1.11 calls it, its making of the graph included.
Imports and a first call on a few cells are not measured on either side. scanpy is measured with its
default, which iterates until nothing improves, and with the two iterations that it recommends.

[1] L. McInnes, J. Healy, J. Melville. UMAP: uniform manifold approximation and projection. 2018.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.driver import use_threads
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["QUICK", "SIZES", "connectivities", "measure_single_cell"]

SIZES = ("cells-10000", "cells-50000", "cells-200000", "cells-500000")
QUICK = ("cells-1000",)
RESOLUTIONS = (0.5, 1.0, 2.0)
#: From this number of cells on, fewer seeds; from the other on, two seeds and one resolution.
_MANY, _MOST = 200_000, 500_000
_STARTS = {"edgewise": 2, "edgewise, 1 start": 1}
_ITERATIONS = {"igraph": -1, "igraph, 2 iterations": 2}
_K, _DIM, _FAMILIES, _TYPES = 15, 30, 12, 30


class Cells(NamedTuple):
    """Cells with their types, and their neighbor graph."""

    name: str
    matrix: Any
    truth: np.ndarray


def measure_single_cell(
    names: list[str], seeds: int, limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every number of cells: see `measure_suite`."""
    use_threads(2)

    def measure(cells: Cells) -> list[dict[str, Any]]:
        return [_measure(cells, seeds, limit, tell)]

    suite = Suite("scanpy", SIZES, _cells, measure, _markdown, key="cells")
    return measure_suite(suite, names, folder, tell)


def _cells(name: str) -> Cells:
    from edgewise.apps import nearest_neighbors

    n = int(name.rpartition("-")[2])
    rng = np.random.default_rng(1)
    family = rng.normal(size=(_FAMILIES, _DIM)) * 1.2
    centers = family[rng.integers(_FAMILIES, size=_TYPES)] + rng.normal(size=(_TYPES, _DIM)) * 0.9
    truth = rng.choice(_TYPES, n, p=rng.dirichlet(np.full(_TYPES, 1.5)))
    spread = rng.uniform(0.8, 1.2, _TYPES)
    points = centers[truth] + spread[truth, None] * rng.normal(size=(n, _DIM))
    near = nearest_neighbors(points, _K - 1, method="descent" if n > 50_000 else "exact")
    return Cells(name, connectivities(near.indices, near.distances), truth)


def connectivities(indices: np.ndarray, distances: np.ndarray) -> Any:
    """UMAP's weights of a neighbor graph as a float32 CSR matrix, as scanpy stores them.

    The weight of a neighbor is exp(-(d - nearest) / width). The width of each point is chosen so
    that its weights add up to log2(k), the point itself counted. Both directions are joined as
    probabilities: a + b - a b.

    >>> matrix = connectivities(np.array([[1], [0], [1]]), np.array([[1.0], [1.0], [2.0]]))
    >>> matrix.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    n, k = indices.shape
    beyond = distances - distances[:, :1]
    low, high, wanted = np.zeros(n), np.full(n, np.inf), np.log2(k + 1)
    width = np.ones(n)
    for _ in range(64):
        over = np.exp(-beyond / width[:, None]).sum(axis=1) > wanted
        high, low = np.where(over, width, high), np.where(over, low, width)
        width = np.where(np.isinf(high), 2 * low, (low + high) / 2)
    weights = np.exp(-beyond / np.maximum(width, 1e-3 * distances.mean())[:, None])
    rows = np.arange(0, n * k + 1, k)
    one_way = sparse.csr_matrix((weights.ravel(), indices.ravel(), rows), shape=(n, n))
    other = one_way.T.tocsr()
    return (one_way + other - one_way.multiply(other)).tocsr().astype(np.float32)


def _measure(cells: Cells, seeds: int, limit: float, tell: Callable[[str], None]) -> dict[str, Any]:
    n, edges = cells.matrix.shape[0], cells.matrix.nnz // 2
    seeds = min(seeds, 2 if n >= _MOST else 3 if n >= _MANY else seeds)
    resolutions = RESOLUTIONS[1:2] if n >= _MOST else RESOLUTIONS
    tell(f"{cells.name}: {edges:,} edges, {seeds} seeds")
    row: dict[str, Any] = {"cells": cells.name, "n": n, "edges": edges, "seeds": seeds, "runs": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.npz"
        sparse.save_npz(path, cells.matrix, compressed=False)
        for resolution in resolutions:
            for who in (*_STARTS, *_ITERATIONS):
                if who in _STARTS:
                    run = _ours(cells, [resolution], seeds, _STARTS[who])[0]
                else:
                    run = _theirs(cells, path, resolution, _ITERATIONS[who], seeds, limit)
                row["runs"].append({"who": who, "resolution": resolution, **run})
                tell(f"  {row['runs'][-1]}")
    if len(resolutions) > 1:
        row["together"] = _ours(cells, resolutions, seeds)[0]["seconds"]
        tell(f"  three resolutions in one call: {row['together']:.3f} s")
    return row


def _ours(cells: Cells, resolutions: Any, seeds: int, starts: int = 2) -> list[dict[str, Any]]:
    """The median time of a call, and the mean quality at each resolution."""
    import pandas

    from edgewise.apps.scanpy import leiden

    spent: list[float] = []
    labels: dict[float, list[np.ndarray]] = {one: [] for one in resolutions}
    for seed in range(-1, seeds):  # the first warms up
        data = SimpleNamespace(
            obs=pandas.DataFrame(index=range(len(cells.truth))), uns={"neighbors": {}},
            obsp={"connectivities": cells.matrix},
        )  # fmt: skip
        begin = time.perf_counter()
        leiden(data, resolutions, num_starts=starts, random_state=max(seed, 0))
        if seed >= 0:
            spent.append(time.perf_counter() - begin)
            for one in resolutions:
                labels[one].append(data.obs[f"leiden_{one}"].cat.codes.to_numpy())
    return [{"seconds": median(spent), **_quality(cells, labels[one], one)} for one in resolutions]


def _quality(cells: Cells, every: list[np.ndarray], resolution: float) -> dict[str, Any]:
    """Means over the seeds, and the lowest and highest modularity."""
    from edgewise import Graph, communities

    graph, found = Graph.from_scipy(cells.matrix), []
    for one in every:
        label = one.astype(np.int64)
        value = float(communities.modularity(graph, label, resolution=resolution))
        found.append((value, float(communities.adjusted_rand_score(cells.truth, label)),
                      int(label.max()) + 1))  # fmt: skip
    value, ari, clusters = zip(*found, strict=True)
    return {"modularity": fmean(value), "lowest": min(value), "highest": max(value),
            "ari": fmean(ari), "clusters": fmean(clusters)}  # fmt: skip


def _theirs(
    cells: Cells, path: Path, resolution: float, iterations: int, seeds: int, limit: float
) -> dict[str, Any]:
    root, out = str(Path(__file__).resolve().parents[1]), path.with_name("labels.npy")
    command = [sys.executable, "-m", "benchmarks.single_cell", str(path), str(out)]
    try:
        done = subprocess.run(
            [*command, str(resolution), str(iterations), str(seeds)], capture_output=True,
            text=True, timeout=limit, env={**os.environ, "PYTHONPATH": root}, cwd=root,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"note": f">{limit:g} s"}
    if done.returncode:
        return {"note": (done.stderr.strip().splitlines() or ["failed"])[-1][:100]}
    spent = json.loads(done.stdout.splitlines()[-1])
    return {"seconds": median(spent), **_quality(cells, [*np.load(out)], resolution)}


def _run_scanpy(path: str, out: str, resolution: float, iterations: int, seeds: int) -> None:
    """scanpy's call, or what it does with igraph, once for each seed; labels and times."""
    matrix = sparse.load_npz(path)
    try:
        import scanpy  # noqa: F401
    except ImportError:
        import igraph  # noqa: F401
        import pandas  # noqa: F401

        cluster = _as_scanpy
    else:
        cluster = _by_scanpy
    few = min(matrix.shape[0], 1000)
    cluster(matrix[:few, :few], resolution, iterations, 0)
    spent, labels = [], []
    for seed in range(seeds):
        begin = time.perf_counter()
        labels.append(cluster(matrix, resolution, iterations, seed))
        spent.append(time.perf_counter() - begin)
    np.save(out, np.array(labels))
    print(json.dumps(spent))


def _by_scanpy(matrix: Any, resolution: float, iterations: int, seed: int) -> Any:
    import anndata
    import scanpy

    data = anndata.AnnData(shape=matrix.shape[:1] + (1,), obsp={"connectivities": matrix})
    data.uns["neighbors"] = {"connectivities_key": "connectivities"}
    scanpy.tl.leiden(
        data, resolution, flavor="igraph", n_iterations=iterations, random_state=seed,
        directed=False,
    )  # fmt: skip
    return data.obs["leiden"].cat.codes.to_numpy()


def _as_scanpy(matrix: Any, resolution: float, iterations: int, seed: int) -> Any:
    """The steps of scanpy 1.11: every entry of the matrix, in both directions, is an edge."""
    import random

    import igraph
    import pandas

    sources, targets = matrix.nonzero()
    weights = np.asarray(matrix[sources, targets]).ravel()
    graph = igraph.Graph(directed=False)
    graph.add_vertices(matrix.shape[0])
    graph.add_edges(list(zip(sources, targets, strict=True)))
    graph.es["weight"] = weights
    igraph.set_random_number_generator(random.Random(seed))
    found = graph.community_leiden(
        objective_function="modularity", weights="weight", resolution=resolution,
        n_iterations=iterations,
    )  # fmt: skip
    groups = np.array(found.membership)
    column = pandas.Categorical(
        groups.astype("U"), categories=[*map(str, range(groups.max(initial=0) + 1))]
    )
    return column.codes


def _markdown(found: list[dict[str, Any]]) -> str:
    lines, together = [], []
    for row in found:
        for resolution in RESOLUTIONS:
            runs = {run["who"]: run for run in row["runs"] if run["resolution"] == resolution}
            for who, run in runs.items():
                lines.append([
                    f"{row['n']:,}", f"{resolution:g}", who,
                    run.get("note") or spell_time(run["seconds"]),
                    *(_ratio(runs[other], run) for other in _ITERATIONS),
                    *(_number(run, key, digits) for key, digits in
                      (("modularity", 5), ("lowest", 5), ("ari", 4), ("clusters", 1))),
                ])  # fmt: skip
        if "together" in row:
            alone = sum(run["seconds"] for run in row["runs"] if run["who"] == "edgewise")
            together.append([f"{row['n']:,}", f"{row['edges']:,}", spell_time(alone),
                             spell_time(row["together"])])  # fmt: skip
    heads = ["cells", "resolution", "who", "time", "times as fast as igraph",
             "as igraph, 2 iterations", "quality", "lowest", "ARI", "clusters"]  # fmt: skip
    seeds = ", ".join(f"{row['seeds']} of {row['n']:,} cells" for row in found)
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, 2 threads: "
        f"`python -m benchmarks scanpy`. {_TYPES} types of cells, {_K} neighbors, UMAP weights. "
        f"Times are medians and quality is the mean over seeds: {seeds}. The quality is the "
        "modularity at the resolution of the row; ARI is the adjusted Rand index against the true "
        "types. igraph is called as `sc.tl.leiden(flavor=\"igraph\")` does. Imports and a first "
        "call are not measured.",
        "## Leiden beside scanpy",
        table(heads, lines),
        "## Three resolutions",
        table(["cells", "edges", "three calls", "one call"], together),
    ])  # fmt: skip


def _ratio(other: dict[str, Any], run: dict[str, Any]) -> str:
    both = "seconds" in other and "seconds" in run
    return f"{other['seconds'] / run['seconds']:.1f}" if both else "–"


def _number(run: dict[str, Any], key: str, digits: int) -> str:
    return f"{run[key]:.{digits}f}" if key in run else "–"


if __name__ == "__main__":
    _run_scanpy(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))

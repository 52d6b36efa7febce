"""Clusters of points beside PhenoGraph's: times, and agreement with the truth.

The handwritten digits that come with scikit-learn, and mixtures of normal distributions in parts of
different sizes that overlap a little. Both libraries take 30 neighbors, both Louvain and Leiden;
PhenoGraph runs in a process of its own, once, since it takes long; ours is the median of several.
Then the steps of ours alone on 100,000 points, with exact neighbors and by descent.
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
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.driver import use_threads
from benchmarks.report import machine, spell_time, table
from benchmarks.suite import Suite, measure_suite

__all__ = ["QUICK", "TABLES", "measure_cells"]

TABLES = ("digits", "mixture-20000x30", "mixture-100000x50")
QUICK = ("mixture-400x8",)
_METHODS = ("leiden", "louvain")
_K = 30


class Table(NamedTuple):
    """Points, and the part that each is of."""

    name: str
    points: np.ndarray
    truth: np.ndarray


def measure_cells(
    names: list[str], trials: int, limit: float, folder: Path, tell: Callable[[str], None]
) -> str:
    """Measure every table: see `measure_suite`."""
    use_threads(2)

    def measure(data: Table) -> list[dict[str, Any]]:
        return [_measure(data, trials, limit, tell)]

    suite = Suite("cells", TABLES, _table, measure, _markdown, key="table")
    return measure_suite(suite, names, folder, tell)


def _table(name: str) -> Table:
    if name == "digits":
        from sklearn.datasets import load_digits

        return Table(name, *load_digits(return_X_y=True))
    n, d = map(int, name.partition("-")[2].split("x"))
    rng = np.random.default_rng(1)
    parts = 20
    part = rng.choice(parts, n, p=rng.dirichlet(np.full(parts, 5.0)))
    centers, widths = rng.normal(size=(parts, d)), rng.uniform(0.5, 1.5, parts)
    return Table(name, centers[part] + widths[part, None] * rng.normal(size=(n, d)) * 0.8, part)


def _measure(data: Table, trials: int, limit: float, tell: Callable[[str], None]) -> dict[str, Any]:
    n, d = data.points.shape
    tell(f"{data.name}: {n:,} points of {d} numbers")
    row: dict[str, Any] = {"table": data.name, "n": n, "d": d, "cells": {}, "steps": {}}
    for method in _METHODS:
        _ours(data, method, trials, row, tell)
        row["cells"][f"phenograph {method}"] = _theirs(data, method, limit)
        tell(f"  phenograph {method}: {row['cells'][f'phenograph {method}']}")
    return row


def _ours(data: Table, method: str, trials: int, row: dict, tell: Callable[[str], None]) -> None:
    """Whole runs; and the steps of exact neighbors and of descent, and its recall."""
    from edgewise import communities
    from edgewise.apps import cluster_points, nearest_neighbors, shared_neighbor_graph

    spent = []
    for _ in range(trials + 1):  # the first warms up
        begin = time.perf_counter()
        labels, graph = cluster_points(data.points, k=_K, method=method)
        spent.append(time.perf_counter() - begin)
    row["cells"][f"edgewise {method}"] = {
        "seconds": median(spent[1:]),
        "ari": float(communities.adjusted_rand_score(data.truth, labels)),
        "clusters": int(labels.max()) + 1,
    }
    tell(f"  edgewise {method}: {row['cells'][f'edgewise {method}']}")
    if method != _METHODS[0]:
        return
    found = {}
    for way in ("exact", "descent"):
        seconds, found[way] = _timed(trials, nearest_neighbors, data.points, _K, method=way)
        row["steps"][way] = {"seconds": seconds}
    hits = sum(
        len(np.intersect1d(*pair, assume_unique=True))
        for pair in zip(found["exact"].indices, found["descent"].indices, strict=True)
    )
    row["steps"]["descent"]["recall"] = hits / found["exact"].indices.size
    row["steps"]["graph"] = {
        "seconds": _timed(trials, shared_neighbor_graph, found["exact"].indices)[0]
    }
    for name in _METHODS:
        seconds, _ = _timed(trials, getattr(communities, name), graph)
        row["steps"][name] = {"seconds": seconds}
    tell(f"  {row['steps']}")


def _timed(trials: int, function: Callable, *args: Any, **options: Any) -> tuple[float, Any]:
    result, spent = function(*args, **options), []
    for _ in range(trials):
        begin = time.perf_counter()
        result = function(*args, **options)
        spent.append(time.perf_counter() - begin)
    return median(spent), result


def _theirs(data: Table, method: str, limit: float) -> dict[str, Any]:
    """PhenoGraph in a process and a folder of its own: it leaves files where it runs."""
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder) / "points.npz", points=data.points, truth=data.truth)
        command = [sys.executable, os.path.abspath(__file__), method]
        root = str(Path(__file__).resolve().parents[1])
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=limit,
                env={**os.environ, "PYTHONPATH": root},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return {"note": f">{limit:g} s"}
    if done.returncode:
        return {"note": (done.stderr.strip().splitlines() or ["failed"])[-1][:100]}
    return json.loads(done.stdout.splitlines()[-1])


def _run_phenograph(method: str) -> None:
    import phenograph

    from edgewise import communities

    data = np.load("points.npz")
    begin = time.perf_counter()
    options = {"seed": 0} if method == "leiden" else {}
    labels, _, _ = phenograph.cluster(data["points"], clustering_algo=method, k=_K, **options)
    seconds = time.perf_counter() - begin
    ari = float(communities.adjusted_rand_score(data["truth"], labels))
    print(json.dumps({"seconds": seconds, "ari": ari, "clusters": int(labels.max()) + 1}))


def _markdown(found: list[dict[str, Any]]) -> str:
    lines, steps = [], []
    for row in found:
        size = f"{row['n']:,} x {row['d']}"
        for method in _METHODS:
            ours, theirs = (
                row["cells"].get(f"{who} {method}") for who in ("edgewise", "phenograph")
            )
            own = ours["seconds"]
            times = _cell(theirs, lambda cell: spell_time(cell["seconds"]))
            ratio = _cell(
                theirs, lambda cell, ours=ours: f"{cell['seconds'] / ours['seconds']:.1f}"
            )
            lines.append([
                row["table"], size, method, spell_time(own), times, ratio,
                f"{ours['ari']:.3f}", _cell(theirs, lambda cell: f"{cell['ari']:.3f}"),
                f"{ours['clusters']}", _cell(theirs, lambda cell: f"{cell['clusters']}"),
            ])  # fmt: skip
        part = {name: spell_time(step["seconds"]) for name, step in row["steps"].items()}
        recall = f"{100 * row['steps']['descent']['recall']:.2f}"
        steps.append([row["table"], size, part["exact"], part["descent"], recall, part["graph"],
                      *(part[method] for method in _METHODS)])  # fmt: skip
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {machine()}, 2 threads: "
        f"`python -m benchmarks cells`. {_K} neighbors; ARI is the adjusted Rand index against "
        "the true clusters; 1 is a perfect answer.",
        "## Clusters beside PhenoGraph",
        table(["points", "size", "method", "time", "PhenoGraph", "times faster", "ARI",
               "PhenoGraph's", "clusters", "PhenoGraph's"], lines),
        "## Steps",
        table(["points", "size", "exact neighbors", "by descent", "recall, percent", "graph",
               *_METHODS], steps),
    ])  # fmt: skip


def _cell(theirs: dict[str, Any] | None, show: Callable[[dict[str, Any]], str]) -> str:
    if theirs is None:
        return ""
    return theirs["note"] if "note" in theirs else show(theirs)


if __name__ == "__main__":
    _run_phenograph(sys.argv[1])

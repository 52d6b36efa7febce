"""The graphs that communities are looked for in, some with the true ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["GRAPHS", "QUICK", "Edges", "edges_of", "lfr_like"]

_FILES = {
    "com-dblp": "com-dblp.csv.gz",
    "github-map": "github-map-v2.txt.gz",
    "cnr-2000": "cnr-2000.txt.gz",
    "cond-mat-2005": "cond-mat-2005.weighted.txt.gz",
    "luxembourg": "luxembourg_osm.mtx.gz",
    "LFR 0.3": "LFR_N100000_mu0.3.csv.gz",
    "LFR 0.5": "LFR_N100000_mu0.5.csv.gz",
    "SBP": "simulated_blockmodel_graph_50000_nodes.tsv.gz",
}
_HOW: dict[str, dict[str, Any]] = {
    **{name: {"columns": (0, 1)} for name in ("cond-mat-2005", "LFR 0.3", "LFR 0.5", "SBP")},
    "com-dblp": {"format": "edges"},
    "luxembourg": {"format": "edges"},
}
GRAPHS = (*_FILES, "kron20")
QUICK = ("planted",)


class Edges(NamedTuple):
    """An undirected graph without loops or weights: every edge once; its communities if known."""

    name: str
    n: int
    sources: np.ndarray
    targets: np.ndarray
    truth: np.ndarray | None  # -1 for vertices of which nothing is known


def edges_of(name: str) -> Edges:
    """One of `GRAPHS`, or of `QUICK`."""
    import edgewise

    truth = None
    if name == "planted":
        graph, truth = edgewise.generators.planted_partition(20, 50, p_in=0.3, p_out=0.004, seed=1)
    elif name.startswith("kron"):
        graph = edgewise.generators.rmat(int(name[4:]), seed=27)
    else:
        folder = data_folder() / "graphs"
        path = folder / _FILES.get(name, "")
        if not path.is_file():
            raise MissingGraphError(f"there is no {path.name or name} beside the checkout")
        graph = edgewise.read(path, **_HOW.get(name, {}))
        truth = _truth(name, folder, graph)
    graph = graph.to_undirected() if graph.directed else graph
    sources, targets, _ = graph.without_self_loops().edges()
    return Edges(
        name, graph.num_vertices, sources.astype(np.int64), targets.astype(np.int64), truth
    )


def _truth(name: str, folder: Path, graph: Any) -> np.ndarray | None:
    """The true communities, by the ids that the vertices have in the files.

    Not of SBP: the file that comes with it numbers vertices otherwise. Its 44 blocks are as large
    as the communities that all methods find, but 2.5 percent of the edges are within them.
    """
    if not name.startswith("LFR"):
        return None
    ids = np.asarray(graph.label(np.arange(graph.num_vertices)), np.int64)
    label = np.full(ids.max(initial=0) + 1, -1)
    path = folder / _FILES[name].replace(".csv", ".communities.json")
    with gzip.open(path, "rt") as file:
        for number, members in enumerate(json.load(file)["communities"]):
            label[members] = number
    return label[ids]


def lfr_like(xp: Any, n: int, edges: int, mixing: float, seed: int = 1) -> tuple[Any, Any]:
    """The ends of edges among communities of 20 to 20,000 vertices, their sizes by a power law.

    A share ``mixing`` of the edges goes anywhere. Vertices of a community have numbers in a row.
    """
    draw = np.random.default_rng(seed)
    sizes = (20 * (1 - draw.random(n // 20) * (1 - 1e-3)) ** -1.0).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    last = int(np.searchsorted(starts, n, side="right"))
    starts = np.append(starts[:last], n) if starts[last - 1] < n else starts[:last]
    starts = xp.asarray(starts)
    chance = xp.random.default_rng(seed)
    sources = (chance.random(edges) * n).astype(np.int64)
    community = xp.searchsorted(starts, sources, side="right") - 1
    low = starts[community]
    targets = low + (chance.random(edges) * (starts[community + 1] - low)).astype(np.int64)
    away = chance.random(edges) < mixing
    return sources, xp.where(away, (chance.random(edges) * n).astype(np.int64), targets)

"""The graphs that things spread over, and the files in which other programs are given them.

Graphs have no loops, and no vertices without edges, so that every program sees the same vertices.
Probabilities are those of the weighted cascade, 1 / in-degree of the target: others are given them
edge by edge, or make the same ones themselves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["GRAPHS", "QUICK", "Asked", "Files", "graph_of"]

GRAPHS = (
    "soc-Slashdot0902", "soc-Epinions1", "cnr-2000", "kron18", "wiki-Vote", "ca-HepPh",
)  # fmt: skip
QUICK = ("kron8",)

#: The file of each graph, and how it is read.
_FILES: dict[str, tuple[str, dict[str, Any]]] = {
    "soc-Slashdot0902": ("soc-Slashdot0902.txt.gz", {"directed": True}),
    "soc-Epinions1": ("soc-Epinions1.undirected.txt.gz", {}),
    "cnr-2000": ("cnr-2000.txt.gz", {"directed": True}),
    "wiki-Vote": ("wiki-Vote.txt.gz", {"directed": True}),
    "ca-HepPh": ("ca-HepPh.txt.gz", {"columns": (0, 1)}),
}


class Asked(NamedTuple):
    """One problem: k seeds under a model, with a guarantee of 1 - 1/e - epsilon."""

    model: str
    k: int
    epsilon: float

    @property
    def short(self) -> str:
        """The model's short name."""
        return {"independent_cascade": "IC", "linear_threshold": "LT"}[self.model]


@cache
def graph_of(name: str) -> Any:
    """A graph by name: R-MAT (undirected) as ``kron<scale>``, or a file of the shared data."""
    import edgewise
    from edgewise import generators

    if name.startswith("kron") and name[4:].isdigit():
        graph = generators.rmat(int(name[4:]), seed=27)
    elif name in _FILES:
        file, how = _FILES[name]
        path = data_folder() / "graphs" / file
        if not path.exists():
            raise MissingGraphError(f"there is no {path.name} beside the checkout")
        graph = edgewise.read(path, **how)
    else:
        raise MissingGraphError(f"there is no graph {name}")
    graph = graph.without_self_loops()
    sources, targets, _ = graph.edges()
    return graph.subgraph(np.unique(np.concatenate([sources, targets])))


class Files:
    """A graph in the forms that other programs read, each written at its first use."""

    def __init__(self, graph: Any, folder: Path):
        self.folder, self.num_vertices = folder, graph.num_vertices
        sources, targets, _ = graph.edges()
        if not graph.directed:
            sources, targets = np.append(sources, targets), np.append(targets, sources)
        self._arcs = sources.astype(np.int64), targets.astype(np.int64)

    def listed(self, place: str) -> Path:
        """An arc on each line, after a line with the two sizes; in a folder of its own."""
        folder = self.folder / place
        path = folder / "graph"
        if not path.exists():
            folder.mkdir()
            first = f"{self.num_vertices} {len(self._arcs[0])}\n"
            _write(path, " ", *self._arcs, first=first)
        return path

    def weighted(self) -> Path:
        """An arc and its probability on each line."""
        path = self.folder / "weighted.tsv"
        if not path.exists():
            _write(path, "\t", *self._arcs, self._chances())
        return path

    def arrays(self) -> Path:
        """Arcs and probabilities as arrays of NumPy, sorted by sources."""
        path = self.folder / "arrays.npz"
        if not path.exists():
            sources, targets = self._arcs
            order = np.argsort(sources, kind="stable")
            given = {"sources": sources, "targets": targets, "chances": self._chances()}
            arrays = {name: array[order] for name, array in given.items()}
            np.savez(path, n=self.num_vertices, **arrays)
        return path

    def _chances(self) -> np.ndarray:
        targets = self._arcs[1]
        degrees = np.bincount(targets, minlength=self.num_vertices)
        return (1 / degrees[targets]).astype(np.float32)


def _write(path: Path, separator: str, *columns: np.ndarray, first: str = "") -> None:
    import pyarrow as pa
    from pyarrow import csv

    table = pa.table(dict(zip("abc", columns, strict=False)))
    with open(path, "wb") as file:
        file.write(first.encode())
        csv.write_csv(table, file, csv.WriteOptions(include_header=False, delimiter=separator))

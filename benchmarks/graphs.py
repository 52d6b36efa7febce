"""The graphs of the grid, made once and kept as plain arrays that every peer can load.

All are undirected, without loops or repeated edges, as the GAP Benchmark Suite takes them; arcs go
both ways, and both carry the same whole weight: from 1 to 255, and on the road grid the length of
the street in hundredths of a grid step. Beside the CSR arrays stands the list of edges that
building and reading start from: random order, random direction, one edge in sixteen given twice.
"""

from __future__ import annotations

import os
import re
import shutil
from functools import cached_property
from pathlib import Path

import numpy as np

__all__ = ["GRAPHS", "QUICK_GRAPHS", "Data", "MissingGraphError", "data_folder", "data_for"]

GRAPHS = ("kron18", "kron20", "urand20", "road1000", "cnr-2000", "com-dblp")
QUICK_GRAPHS = ("kron12", "road64")

_HERE = Path(__file__).resolve().parent
_FILES = {"cnr-2000": "cnr-2000.txt.gz", "com-dblp": "com-dblp.csv.gz"}
_STARTS = 8


def data_folder() -> Path:
    """Where the data sets lie that are not in the repository."""
    return _HERE.parents[1] / "shared" / "data"


class MissingGraphError(LookupError):
    """A graph whose file is not on this machine."""


def data_for(name: str, keep: Path | None = None) -> Data:
    """The arrays of a graph, made at the first call; ``keep`` is the folder that holds them."""
    keep = keep or Path(os.environ.get("EDGEWISE_BENCHMARKS_DATA") or _HERE / "data")
    folder = keep / name
    if not folder.exists():
        partial = folder.with_name(f"{name}.{os.getpid()}.partial")
        partial.mkdir(parents=True, exist_ok=True)
        try:
            _save(_make(name), partial)
            partial.rename(folder)
        except OSError:
            if not folder.exists():  # else another process was faster
                raise
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return Data(folder)


class Data:
    """The arrays of one graph, each loaded at its first use."""

    def __init__(self, folder: Path):
        self.folder, self.name = Path(folder), Path(folder).name

    indptr = cached_property(lambda self: self._load("indptr"))
    indices = cached_property(lambda self: self._load("indices"))
    weights = cached_property(lambda self: self._load("weights"))
    sources = cached_property(lambda self: self._load("sources"))
    targets = cached_property(lambda self: self._load("targets"))
    starts = cached_property(lambda self: self._load("starts").tolist())
    num_vertices = cached_property(lambda self: len(self.indptr) - 1)

    @cached_property
    def rows(self) -> np.ndarray:
        """The source of every arc."""
        return np.repeat(np.arange(self.num_vertices, dtype=np.int32), np.diff(self.indptr))

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Every edge once: its two ends and its weight."""
        once = self.rows < self.indices
        return self.rows[once], self.indices[once], self.weights[once]

    def scipy(self, values: np.ndarray | None = None):
        """The adjacency matrix in CSR, of ones or of the values given."""
        from scipy.sparse import csr_array

        values = np.ones(len(self.indices)) if values is None else values
        indptr = self.indptr.astype(np.int32)
        return csr_array((values, self.indices, indptr), (self.num_vertices,) * 2)

    def text(self) -> Path:
        """The list of edges as a text file."""
        return self._file("edges.txt", self._write_text)

    def serialized(self, *, weighted: bool) -> Path:
        """The graph in the file format of the GAP Benchmark Suite."""
        name = "graph.wsg" if weighted else "graph.sg"
        return self._file(name, lambda path: self._write_serialized(path, weighted))

    def _load(self, name: str) -> np.ndarray:
        return np.load(self.folder / f"{name}.npy")

    def _file(self, name: str, write) -> Path:
        path = self.folder / name
        if not path.exists():
            write(path)
        return path

    def _write_text(self, path: Path) -> None:
        import pyarrow as pa
        from pyarrow import csv

        table = pa.table({"source": self.sources, "target": self.targets})
        options = csv.WriteOptions(include_header=False, delimiter=" ")
        csv.write_csv(table, path.with_suffix(".partial"), options)
        path.with_suffix(".partial").rename(path)

    def _write_serialized(self, path: Path, weighted: bool) -> None:
        import edgewise

        weights = self.weights if weighted else None
        edgewise.write(edgewise.Graph(self.indptr, self.indices, weights), path)


def _make(name: str):
    """The graph of that name, from the generators or from its file."""
    from edgewise import generators

    kind, size = re.fullmatch(r"([a-z]+)(\d+)|.*", name).groups()
    if kind == "kron":
        return generators.rmat(int(size), seed=27)
    if kind == "urand":
        return generators.urand(int(size), seed=27)
    if kind == "road":
        graph = generators.road(int(size), int(size), seed=27)
        return graph.with_weights(100 * graph.edges()[2])
    if name in _FILES:
        return _read(data_folder() / "graphs" / _FILES[name])
    known = ", ".join(_FILES)
    raise ValueError(f"graph must be kron<scale>, urand<scale>, road<side>, {known}, got {name!r}")


def _read(path: Path):
    import edgewise

    if not path.exists():
        raise MissingGraphError(f"its file {path.name} is not on this machine")
    graph = edgewise.read(path, format="edges", columns=(0, 1)).without_self_loops()
    return graph.subgraph(np.flatnonzero(graph.degrees()))  # ids that no edge names are left out


def _save(graph, folder: Path) -> None:
    """Write the arrays of a graph: loops dropped, weights whole, starts with neighbors."""
    graph = graph.without_self_loops()
    rows = np.repeat(np.arange(graph.num_vertices, dtype=np.int32), np.diff(graph.indptr))
    weights = graph.weights
    if weights is None:
        weights = _weights(rows, graph.indices)
    random = np.random.default_rng(27)
    arrays = {
        "indptr": graph.indptr,
        "indices": graph.indices,
        "weights": np.maximum(np.rint(weights), 1).astype(np.int32),
        "starts": random.choice(np.flatnonzero(_largest_component(graph)), _STARTS, replace=False),
    }
    once = np.flatnonzero(rows < graph.indices)
    once = random.permutation(np.concatenate([once, random.choice(once, len(once) // 16)]))
    turn = random.random(len(once)) < 0.5
    arrays["sources"] = np.where(turn, graph.indices[once], rows[once])
    arrays["targets"] = np.where(turn, rows[once], graph.indices[once])
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _weights(rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """A whole number from 1 to 255 for every arc, the same in both directions."""
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    mixed = (low.astype(np.uint64) << np.uint64(32) | high.astype(np.uint64)) + np.uint64(27)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(33)) % np.uint64(255) + np.uint64(1)


def _largest_component(graph) -> np.ndarray:
    from scipy.sparse import csgraph

    labels = csgraph.connected_components(graph.to_scipy(), directed=False)[1]
    return labels == np.bincount(labels).argmax()

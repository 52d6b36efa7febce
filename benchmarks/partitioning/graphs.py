"""The graphs that are divided: undirected, without loops or weights; and how parts are judged."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["GRAPHS", "MESHES", "QUICK", "Arcs", "Quality", "arcs_of", "quality"]

_FILES = {
    "4elt": "4elt.graph.gz",
    "wing": "wing.graph.gz",
    "rotor": "rotor.graph.gz",
    "copter2": "copter2.graph.gz",
    "delaunay_n16": "delaunay_n16.mtx.gz",
    "luxembourg": "luxembourg_osm.mtx.gz",
    "com-dblp": "com-dblp.csv.gz",
    "cnr-2000": "cnr-2000.txt.gz",
}
#: Without banners.
_PLAIN = ("com-dblp", "delaunay_n16", "luxembourg")
GRAPHS = (*_FILES, "kron18")
MESHES = ("4elt", "wing", "rotor", "copter2", "delaunay_n16")
QUICK = ("grid20", "kron8")


class Arcs(NamedTuple):
    """A graph by rows, every edge in both directions."""

    name: str
    indptr: np.ndarray
    indices: np.ndarray

    @property
    def n(self) -> int:
        return len(self.indptr) - 1


class Quality(NamedTuple):
    """The edges between parts, the communication volume, and the largest part over the mean."""

    cut: int
    volume: int
    imbalance: float  # over the least possible size of the largest part, minus 1


def arcs_of(name: str) -> Arcs:
    """A graph by name: a file's, ``kron<scale>`` or ``grid<side>``."""
    import edgewise
    from edgewise import generators

    kind, size = re.fullmatch(r"(kron|grid)(\d+)|.*", name).groups()
    if kind == "kron":
        graph = generators.rmat(int(size), seed=27)
    elif kind == "grid":
        graph = generators.grid_2d(int(size), int(size))
    elif name in _FILES:
        path = data_folder() / "graphs" / _FILES[name]
        if not path.exists():
            raise MissingGraphError(f"there is no {path.name} beside the checkout")
        graph = edgewise.read(path, **({"format": "edges"} if name in _PLAIN else {}))
    else:
        known = ", ".join(_FILES)
        raise ValueError(f"graph must be kron<scale>, grid<side>, {known}, got {name!r}")
    graph = graph.with_weights(None).to_undirected().without_self_loops()
    return Arcs(name, graph.indptr.astype(np.int64), graph.indices.astype(np.int32))


def quality(arcs: Arcs, parts: Any, k: int) -> Quality:
    """What a partition is worth; ValueError if it is none."""
    parts = np.asarray(parts, np.int64)
    if len(parts) != arcs.n or parts.min(initial=0) < 0 or parts.max(initial=0) >= k:
        raise ValueError(f"parts must be {arcs.n} numbers from 0 to {k - 1}")
    rows = np.repeat(np.arange(arcs.n), np.diff(arcs.indptr))
    across = parts[rows] != parts[arcs.indices]
    seen = np.unique(rows[across] * k + parts[arcs.indices[across]])
    least = -(-arcs.n // k)
    largest = np.bincount(parts, minlength=k).max()
    return Quality(int(across.sum()) // 2, len(seen), float(largest / max(least, 1) - 1))

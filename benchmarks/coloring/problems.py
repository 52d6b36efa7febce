"""What is colored: graphs, and patterns of rectangular matrices, each a sparse matrix of SciPy."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["PROBLEMS", "QUICK", "Problem", "fault", "problem_of"]

_GRAPHS = {
    "com-dblp": "com-dblp.csv.gz",
    "cnr-2000": "cnr-2000.txt.gz",
    "rotor": "rotor.graph.gz",
    "delaunay_n16": "delaunay_n16.mtx.gz",
}
_SETS = ("threads-math-sx", "congress-bills")
#: kron<scale> is an R-MAT graph, cube<side> a 27-point stencil, random<scale> a random pattern of
#: 2**scale rows and columns with four entries a row on average.
PROBLEMS = ("com-dblp", "cnr-2000", "kron18", "rotor", "delaunay_n16", "cube64", "threads-math-sx",
            "random18")  # fmt: skip
QUICK = ("kron8", "cube8", "random8")


class Problem(NamedTuple):
    """A pattern: square and symmetric without a diagonal for a graph, else of any shape."""

    name: str
    matrix: Any  # a csr_array of bytes
    kinds: tuple[str, ...]


def problem_of(name: str) -> Problem:
    """A problem by its name."""
    from edgewise import generators

    kind, size = re.fullmatch(r"(kron|cube|random)(\d+)|.*", name).groups()
    if kind == "random":
        n = 1 << int(size)
        graph = generators.random_bipartite(n, n, m=4 * n, seed=27)
        sources, targets, _ = graph.edges()
        return _rectangle(name, sources, targets - n, (n, n))
    if name in _SETS:
        return _rectangle(name, *_incidences(name))
    if kind == "kron":
        graph = generators.rmat(int(size), seed=27)
    elif kind == "cube":
        graph = generators.grid_3d(int(size), int(size), layers=int(size), diagonals=True)
    elif name in _GRAPHS:
        graph = _read(name)
    else:
        known = ", ".join((*_GRAPHS, *_SETS))
        known = f"kron<scale>, cube<side>, random<scale>, {known}"
        raise ValueError(f"graph must be {known}, got {name!r}")
    graph = graph.with_weights(None).to_undirected().without_self_loops()
    matrix = _pattern(graph.indptr, graph.indices, graph.shape)
    return Problem(name, matrix, ("distance 1", "distance 2"))


def fault(problem: Problem, kind: str, colors: np.ndarray) -> str | None:
    """What is wrong with a coloring: some vertex without a color, or two that must differ."""
    matrix = problem.matrix
    if len(colors) != matrix.shape[1] or (len(colors) and colors.min() < 0):
        return "not every vertex has a color"
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    if kind == "distance 1":
        shared = (colors[rows] == colors[matrix.indices]).any()
        return "two neighbors share a color" if shared else None
    # No color comes twice in a row: of a graph, with the vertex itself.
    own = rows[:0] if kind == "columns" else np.arange(len(colors))
    rows, ends = np.concatenate([rows, own]), np.concatenate([matrix.indices, own])
    keys = np.sort(rows * (int(colors.max(initial=0)) + 1) + colors[ends].astype(np.int64))
    return "two vertices of a row share a color" if (keys[1:] == keys[:-1]).any() else None


def _read(name: str) -> Any:
    import edgewise

    path = _path(_GRAPHS[name])
    plain = name in ("com-dblp", "delaunay_n16")
    return edgewise.read(path, **({"format": "edges"} if plain else {}))


def _incidences(name: str) -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
    """Sets as rows, their members as columns."""
    sizes = np.loadtxt(_path(f"{name}-nverts.txt.gz"), dtype=np.int64)
    members = np.loadtxt(_path(f"{name}-simplices.txt.gz"), dtype=np.int64)
    _, columns = np.unique(members, return_inverse=True)
    return np.repeat(np.arange(len(sizes)), sizes), columns, (len(sizes), int(columns.max()) + 1)


def _path(file: str) -> Any:
    path = data_folder() / "graphs" / file
    if not path.exists():
        raise MissingGraphError(f"there is no {file} beside the checkout")
    return path


def _rectangle(name: str, rows: Any, columns: Any, shape: tuple[int, int]) -> Problem:
    from scipy.sparse import coo_array

    matrix = coo_array((np.ones(len(rows), np.int8), (rows, columns)), shape).tocsr()
    return Problem(name, _pattern(matrix.indptr, matrix.indices, shape), ("columns",))


def _pattern(indptr: Any, indices: Any, shape: Any) -> Any:
    from scipy.sparse import csr_array

    data = np.ones(len(indices), np.int8)
    return csr_array((data, indices.astype(np.int32), indptr.astype(np.int32)), shape)

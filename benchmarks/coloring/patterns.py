"""Patterns of sparse Jacobians and Hessians, each a matrix of ones."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["PATTERNS", "QUICK", "pattern_of"]

PATTERNS = ("five1000", "nine500", "cube40", "random20", "arrow100000", "bcsstk16", "arrow4000",
            "border1000", "tall2000", "wide2000")  # fmt: skip
QUICK = ("five20", "arrow100", "random6", "border20")


def pattern_of(name: str) -> Any:
    """A matrix of ones: five<side>, nine<side>, cube<side>, random<scale>, arrow<n>, bcsstk16, or
    with full rows and columns: border<n>, tall<rows>, wide<columns>.
    """
    from scipy.sparse import csr_array, eye_array

    from edgewise import generators

    if name == "bcsstk16":
        path = data_folder() / "graphs" / "bcsstk16.triples.txt.gz"
        if not path.exists():
            raise MissingGraphError(f"there is no {path.name} beside the checkout")
        rows, columns = np.loadtxt(path, usecols=(0, 1), dtype=np.int64).T
        return _ones(rows, columns, int(max(rows.max(), columns.max())) + 1)
    kind, size = re.fullmatch(r"([a-z]+)(\d+)", name).groups()
    n = int(size)
    if kind == "random":
        n = 1 << n
        sources, targets, _ = generators.random_bipartite(n, n, m=4 * n, seed=27).edges()
        return csr_array((np.ones(len(sources)), (sources, targets - n)), shape=(n, n))
    if kind == "arrow":  # with a band beside the diagonal
        ids = np.arange(1, n)
        return _ones(np.append(ids - 1, 0 * ids), np.append(ids, ids), n)
    if kind in ("border", "tall", "wide"):
        tall = _with_full_lines(n, n if kind == "border" else n // 4)
        return csr_array(tall.T) if kind == "wide" else tall
    if kind == "cube":
        graph = generators.grid_3d(n, n, layers=n, diagonals=True)
    elif kind in ("five", "nine"):
        graph = generators.grid_2d(n, n, diagonals=kind == "nine")
    else:
        raise ValueError(f"pattern must be one of {', '.join(PATTERNS)}, or alike, got {name!r}")
    ones = np.ones(graph.num_arcs)
    table = csr_array((ones, graph.indices, graph.indptr), shape=graph.shape)
    return csr_array(table + eye_array(graph.num_vertices))


def _with_full_lines(rows: int, columns: int) -> Any:
    """Four entries per row on average, and four full rows and columns."""
    from scipy.sparse import csr_array

    from edgewise import generators

    sources, targets, _ = generators.random_bipartite(rows, columns, m=4 * rows, seed=27).edges()
    full_rows, full_columns = (np.arange(4) * (size // 4) for size in (rows, columns))
    ends = (
        np.concatenate([sources, np.repeat(full_rows, columns), np.tile(np.arange(rows), 4)]),
        np.concatenate([targets - rows, np.tile(np.arange(columns), 4),
                        np.repeat(full_columns, rows)]),
    )  # fmt: skip
    table = csr_array((np.ones(len(ends[0])), ends), shape=(rows, columns))
    table.data[:] = 1
    return table


def _ones(rows: Any, columns: Any, n: int) -> Any:
    from scipy.sparse import csr_array, eye_array

    half = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    whole = csr_array(half + half.T + eye_array(n))
    whole.data[:] = 1
    return whole

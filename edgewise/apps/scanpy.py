"""Leiden communities of cells, with the conventions of scanpy [1].

``edgewise.apps.scanpy.leiden(adata)`` stands where ``scanpy.tl.leiden(adata)`` does. It reads the
neighbor graph that ``scanpy.pp.neighbors`` stores, as the sparse matrix that it is, and writes a
categorical column to ``adata.obs``. Weights are rounded to multiples of 2**-24 of the largest, so
that their sums are exact and the result is the same for any number of threads. scanpy itself is not
needed.

[1] F. A. Wolf, P. Angerer, F. J. Theis. SCANPY: large-scale single-cell gene expression data
    analysis. Genome Biology 19, 2018.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from edgewise.algorithms.communities.leiden import leiden as _leiden
from edgewise.apps.cluster_points import by_size
from edgewise.base.checks import check_count, check_flag, check_number
from edgewise.graph import Graph
from edgewise.graph.convert import from_scipy

__all__ = ["leiden"]

#: Weights are multiples of this part of the largest one.
_STEPS = 2.0**24
_MANY = 100


def leiden(
    adata: Any,
    resolution: float | Iterable[float] = 1.0,
    *,
    restrict_to: tuple[str, Sequence[str]] | None = None,
    random_state: int = 0,
    key_added: str = "leiden",
    adjacency: Any = None,
    directed: bool = False,
    use_weights: bool = True,
    n_iterations: int = -1,
    neighbors_key: str | None = None,
    obsp: str | None = None,
    copy: bool = False,
) -> Any:
    """Cluster cells by the Leiden method; the counterpart of ``scanpy.tl.leiden``.

    The result does not depend on the number of threads.

    Parameters
    ----------
    adata : anndata.AnnData
        Annotated data with a neighbor graph, as ``scanpy.pp.neighbors`` makes it.
    resolution : float or several
        Larger values give more clusters. Several values give a column each, called
        ``f"{key_added}_{resolution}"``; the graph is read once.
    restrict_to : (str, list of str), optional
        A column of ``adata.obs`` and some of its categories. Only these cells are clustered. The
        default name of the new column is then ``"leiden_R"``.
    random_state : int
        The seed.
    key_added : str
        The new column of ``adata.obs``.
    adjacency : sparse matrix, optional
        The graph, by default that of ``neighbors_key`` or ``obsp``.
    directed : bool
        Whether the graph is directed. By default it must be symmetric.
    use_weights : bool
        Whether the entries of the matrix are weights.
    n_iterations : int
        The largest number of iterations; -1 continues until nothing improves.
    neighbors_key : str, optional
        The entry of ``adata.uns`` that names the graph, by default ``"neighbors"``.
    obsp : str, optional
        The entry of ``adata.obsp`` that is the graph. Not together with ``neighbors_key``.
    copy : bool
        Whether to return a changed copy of ``adata`` and leave it as it is.

    Returns
    -------
    AnnData or None
        The copy, if ``copy`` is True. Otherwise None, and ``adata.obs[key_added]`` holds the
        clusters ``"0"``, ``"1"``, ..., the largest first. ``adata.uns[key_added]`` holds the
        parameters and the modularity.
    """
    import pandas

    check_flag(copy, "copy")
    given: Any = resolution
    several = np.ndim(given) > 0
    resolutions = [*given] if several else [given]
    for one in resolutions:
        check_number(one, "resolution")
    if n_iterations != -1:
        check_count(n_iterations, "n_iterations", least=1)
    adata = adata.copy() if copy else adata
    matrix = _matrix(adata, adjacency, neighbors_key, obsp)
    cells = None
    if restrict_to is not None:
        cells = _restricted(adata, restrict_to)
        matrix = matrix[cells][:, cells]
        key_added = "leiden_R" if key_added == "leiden" else key_added
    graph = _graph(matrix, directed, use_weights)
    for one in resolutions:
        found = _leiden(
            graph, resolution=one, seed=random_state, deterministic=True,
            max_iter=_MANY if n_iterations == -1 else n_iterations,
        )  # fmt: skip
        groups = by_size(np.asarray(found), 1, np)
        names: Any = groups.astype(str).astype(object)
        order = [str(i) for i in range(groups.max(initial=-1) + 1)]
        if cells is not None and restrict_to is not None:
            names, order = _renamed(adata, restrict_to, cells, names, order)
        key = f"{key_added}_{one}" if several else key_added
        adata.obs[key] = pandas.Categorical(names, categories=order)
        params = {"resolution": one, "random_state": random_state, "n_iterations": n_iterations}
        adata.uns[key] = {"params": params, "modularity": float(found.modularity)}
    return adata if copy else None


def _matrix(adata: Any, adjacency: Any, neighbors_key: str | None, obsp: str | None) -> Any:
    """The sparse matrix of the graph."""
    if adjacency is not None:
        return adjacency.tocsr()
    if obsp is not None:
        if neighbors_key is not None:
            raise ValueError("obsp and neighbors_key both name a graph: give one of them")
        return adata.obsp[obsp].tocsr()
    key = "neighbors" if neighbors_key is None else neighbors_key
    if key not in adata.uns:
        raise ValueError(
            f"adata must have a neighbor graph, but adata.uns has no {key!r}; call "
            "scanpy.pp.neighbors first"
        )
    return adata.obsp[adata.uns[key].get("connectivities_key", "connectivities")].tocsr()


def _graph(matrix: Any, directed: bool, use_weights: bool) -> Graph:
    """The graph, whose weights are multiples of one step."""
    if use_weights and matrix.nnz:
        most = float(abs(matrix.data).max())
        matrix = matrix.copy()
        matrix.data = np.rint(matrix.data.astype(np.float64) * (_STEPS / (most or 1)))
    graph = from_scipy(Graph, matrix, directed=directed)
    return graph if use_weights else graph.with_weights(None)


def _restricted(adata: Any, restrict_to: tuple[str, Sequence[str]]) -> np.ndarray:
    """The cells of some categories."""
    key, categories = restrict_to
    known = [*adata.obs[key].cat.categories]
    for one in categories:
        if one not in known:
            raise ValueError(f"restrict_to must name categories of {key!r}, got {one!r}: {known}")
    return np.flatnonzero(adata.obs[key].isin([*categories]).to_numpy())


def _renamed(
    adata: Any, restrict_to: tuple[str, Sequence[str]], cells: np.ndarray, names: Any, order: Any
) -> tuple[Any, list[str]]:
    """New names for restricted cells, as in "3-4,0"; those of the others."""
    key, categories = restrict_to
    start = "-".join(categories)
    every = adata.obs[key].astype(object).to_numpy().copy()
    every[cells] = [f"{start},{name}" for name in names]
    rest = [one for one in adata.obs[key].cat.categories if one not in categories]
    return every, rest + [f"{start},{name}" for name in order]

"""Leiden communities of cells, with the conventions of scanpy [1].

``edgewise.apps.scanpy.leiden(adata)`` stands where ``scanpy.tl.leiden(adata)`` does. It reads the
neighbor graph that ``scanpy.pp.neighbors`` stores, as the sparse matrix that it is, and writes a
categorical column to ``adata.obs``. Its rows become the graph as they are. Weights are rounded to
multiples of 2**-24 of the largest, so that their sums are exact. scanpy itself is not needed.

The result is the same for any number of threads. On graphs of up to 16 million entries, a search
runs on one thread, where moves are in a fixed order, and two searches run at the same time. On
larger graphs a search runs in rounds on all threads.

[1] F. A. Wolf, P. Angerer, F. J. Theis. SCANPY: large-scale single-cell gene expression data
    analysis. Genome Biology 19, 2018.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import numpy as np

from edgewise.algorithms.communities.leiden import search
from edgewise.algorithms.communities.modularity import modularity
from edgewise.apps.cluster_points import by_size
from edgewise.apps.whole_weights import whole_weights
from edgewise.base.checks import check_choice, check_count, check_flag, check_number
from edgewise.base.observe import observe, observed
from edgewise.base.parallel import get_threads, threads
from edgewise.base.random import check_seed, hashed
from edgewise.graph import Graph
from edgewise.graph.convert import from_scipy

__all__ = ["leiden"]

_MANY = 100  # iterations at most, until nothing improves
#: The gain in modularity that ends the iterations, and the randomness of the refinement.
_TOL, _THETA = 1e-5, 0.1
#: Entries of the largest matrix that a thread searches alone.
_ALONE = 1 << 24
_FLAVORS = ("igraph", "leidenalg")
_MODULARITY = "RBConfigurationVertexPartition"


def leiden(
    adata: Any,
    resolution: float | Iterable[float] = 1.0,
    *,
    restrict_to: tuple[str, Sequence[str]] | None = None,
    random_state: Any = 0,
    key_added: str = "leiden",
    adjacency: Any = None,
    directed: bool | None = None,
    use_weights: bool = True,
    n_iterations: int = -1,
    partition_type: Any = None,
    num_starts: int = 2,
    neighbors_key: str | None = None,
    obsp: str | None = None,
    copy: bool = False,
    flavor: str = "igraph",
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
    random_state : int, RandomState or None
        The seed. None draws one. The seed that is used stands in ``adata.uns``.
    key_added : str
        The new column of ``adata.obs``.
    adjacency : sparse matrix, optional
        The graph, by default that of ``neighbors_key`` or ``obsp``.
    directed : bool, optional
        Whether the graph is directed. By default it is not, and the entries of both directions are
        added up, as scanpy does with igraph, if the matrix is not symmetric.
    use_weights : bool
        Whether the entries of the matrix are weights.
    n_iterations : int
        The largest number of iterations; -1 continues until nothing improves.
    partition_type : type, optional
        ``leidenalg.RBConfigurationVertexPartition``, which is modularity, as is None. Others are
        refused.
    num_starts : int
        The number of searches with different seeds, of which the best is kept. scanpy has no such
        parameter.
    neighbors_key : str, optional
        The entry of ``adata.uns`` that names the graph, by default ``"neighbors"``.
    obsp : str, optional
        The entry of ``adata.obsp`` that is the graph. Not together with ``neighbors_key``.
    copy : bool
        Whether to return a changed copy of ``adata`` and leave it as it is.
    flavor : {"igraph", "leidenalg"}
        The package that scanpy would call. Here both have the same result, that of Edgewise.

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
    num_starts = check_count(num_starts, "num_starts", least=1)
    check_choice(flavor, "flavor", _FLAVORS)
    if partition_type is not None and getattr(partition_type, "__name__", "") != _MODULARITY:
        raise ValueError(
            f"partition_type must be None or leidenalg.{_MODULARITY}, got {partition_type!r}; "
            "edgewise.communities.leiden has objective='constant_potts'"
        )
    adata = adata.copy() if copy else adata
    matrix = _matrix(adata, adjacency, neighbors_key, obsp)
    cells = None
    if restrict_to is not None:
        cells = _restricted(adata, restrict_to)
        matrix = matrix[cells][:, cells]
        key_added = "leiden_R" if key_added == "leiden" else key_added
    graph, seed = _graph(matrix, bool(directed), use_weights), _seed(random_state)
    for one in resolutions:
        found = _best(graph, one, seed, n_iterations, num_starts)
        groups = by_size(np.asarray(found), 1, np)
        names: Any = groups.astype(str).astype(object)
        order = [str(i) for i in range(groups.max(initial=-1) + 1)]
        if cells is not None and restrict_to is not None:
            names, order = _renamed(adata, restrict_to, cells, names, order)
        key = f"{key_added}_{one}" if several else key_added
        adata.obs[key] = pandas.Categorical(names, categories=order)
        params = {"resolution": one, "random_state": seed, "n_iterations": n_iterations}
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
    """The graph, whose weights are multiples of one step; stored zeros are no edges."""
    if not matrix.data.all():
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    weights = whole_weights(matrix.data) if use_weights else matrix.data.astype(bool)
    whole = type(matrix)((weights, matrix.indices, matrix.indptr), shape=matrix.shape)
    whole.has_canonical_format = True
    if directed:
        return from_scipy(Graph, whole, directed=True)
    try:
        return from_scipy(Graph, whole)
    except ValueError:
        if use_weights:
            return from_scipy(Graph, (whole + whole.T).tocsr())
        return from_scipy(Graph, whole, symmetrize="union")


def _best(graph: Graph, resolution: Any, seed: Any, n_iterations: int, num_starts: int) -> Any:
    """The communities of highest modularity at this resolution, of a few starts."""
    alone = graph.num_arcs <= _ALONE
    seeds = [int(hashed(check_seed(seed), start)) for start in range(num_starts)]
    most = _MANY if n_iterations == -1 else n_iterations

    def found(seed: int) -> Any:
        with threads(1 if alone else get_threads()):
            return search(
                graph, graph.weights, objective="modularity", resolution=resolution, seed=seed,
                theta=_THETA, tol=_TOL, deterministic=not alone, max_iter=most, thorough=True,
            )[-1]  # fmt: skip

    together = alone and not observed() and min(get_threads(), num_starts) > 1
    every = _at_once(found, seeds) if together else [found(one) for one in seeds]
    return max(every, key=lambda one: modularity(graph, one, resolution=resolution))


def _at_once(found: Any, seeds: list[int]) -> list[Any]:
    """All searches, each on a thread; an interrupt stops them at the end of a round."""
    stop = threading.Event()

    def look(iteration: int, **counts: Any) -> None:
        if stop.is_set():
            raise InterruptedError

    def begin(seed: int) -> Any:
        with observe(look):
            return found(seed)

    with ThreadPoolExecutor(min(get_threads(), len(seeds))) as pool:
        calls = [pool.submit(copy_context().run, begin, seed) for seed in seeds]
        try:
            return [call.result() for call in calls]
        finally:
            stop.set()


def _seed(random_state: Any) -> Any:
    """The seed that scanpy's ``random_state`` stands for."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    return int(random_state.randint(2**31)) if hasattr(random_state, "randint") else random_state


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
    return every, sorted(rest + [f"{start},{name}" for name in order], key=_natural)


def _natural(name: str) -> list[tuple[bool, Any]]:
    """A key by which "2" sorts before "10", as scanpy sorts categories."""
    parts = re.split(r"(\d+)", str(name))
    return [(i % 2 == 0, int(part) if i % 2 else part) for i, part in enumerate(parts) if part]

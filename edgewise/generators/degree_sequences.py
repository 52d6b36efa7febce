"""Random graphs with given degrees, exact or expected.

`configuration_model` pairs the edge ends (stubs) of all vertices by a random permutation, which is
computed and not stored [1]. Simple graphs come from a random pairing whose loops and repeats are
removed by exchanging ends with random other pairs. If some cannot be removed, a first graph is
built by the rule of Havel and Hakimi, and its edges are exchanged at random [2].
`expected_degree` joins each pair of vertices independently (Chung and Lu [3]).

[1] M. Newman. The structure and function of complex networks. SIAM Review, 2003.
[2] R. Milo et al. On the uniform generation of random graphs with prescribed degree sequences.
    arXiv:cond-mat/0312028, 2003.
[3] F. Chung, L. Lu. Connected components in random graphs with given expected degree sequences.
    Annals of Combinatorics, 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch, threads
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, assemble, id_type, stream
from edgewise.graph import Graph

__all__ = ["configuration_model", "draw_products", "expected_degree", "random_regular"]

#: How often an exchange of every edge is tried.
_SWEEPS = 10


def configuration_model(degrees: Any, *, simple: bool = False, seed: int = 0) -> Graph:
    """Return a random graph with the given degrees, from the configuration model.

    Parameters
    ----------
    degrees : array of int
        The degree of each vertex. Their sum must be even.
    simple : bool
        Make a graph without self-loops and repeated edges. Otherwise both occur, and integer
        weights count how often each edge was drawn.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph. A self-loop counts 2 for its vertex.

    Raises
    ------
    ValueError
        If the sum is odd, or if no simple graph has these degrees.

    See Also
    --------
    expected_degree : Degrees that are met on average.
    random_regular : All degrees equal.

    Notes
    -----
    O(n + m) expected time. Simple graphs take one thread. They are nearly uniform, not exactly:
    removing loops and repeats favors some graphs slightly.

    Examples
    --------
    >>> graph = configuration_model([3, 2, 2, 1, 1, 1], simple=True)
    >>> graph.degrees().tolist()
    [3, 2, 2, 1, 1, 1]
    """
    wanted, key = _check_degrees(degrees), check_seed(seed)
    if check_flag(simple, "simple"):
        return _simple(wanted, key)
    from edgewise.generators.cpu.edge_swaps import pair_stubs

    kind = id_type(len(wanted))
    stubs = np.repeat(np.arange(len(wanted), dtype=kind), wanted)
    sources, targets = np.empty(len(stubs) // 2, kind), np.empty(len(stubs) // 2, kind)
    launch(pair_stubs, key, stubs, sources, targets, work=len(stubs))
    return assemble(
        sources,
        targets,
        num_vertices=len(wanted),
        directed=False,
        count_duplicates=True,
        self_loops="keep",
    )


def random_regular(n: int, d: int, *, seed: int = 0) -> Graph:
    """Return a random regular graph: a simple graph in which all vertices have degree ``d``.

    Parameters
    ----------
    n : int
        The number of vertices. NetworkX takes it second.
    d : int
        The degree, less than n. The product of both must be even.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph with ``n * d // 2`` edges. For d at least 3 it is almost surely
        connected.

    See Also
    --------
    configuration_model : Any degrees.

    Notes
    -----
    O(n d) expected time on one thread. The distribution is nearly uniform for small d.

    Examples
    --------
    >>> random_regular(8, 3).degrees().tolist()
    [3, 3, 3, 3, 3, 3, 3, 3]
    """
    n, d = check_count(n, "n", most=MOST_VERTICES), check_count(d, "d")
    if d >= max(n, 1):
        raise ValueError(f"d must be less than n = {n}, got {d}")
    if n * d % 2:
        raise ValueError(f"n * d must be even, got {n} * {d}")
    return _simple(np.full(n, d, np.int64), check_seed(seed))


def expected_degree(degrees: Any, *, self_loops: str = "drop", seed: int = 0) -> Graph:
    """Return a Chung-Lu graph: a random graph with the given expected degrees.

    Vertices u and v are joined with probability ``degrees[u] * degrees[v] / sum(degrees)``, or 1 if
    that is larger.

    Parameters
    ----------
    degrees : array of float
        The expected degree of each vertex. Degrees above the square root of the sum are not
        reached.
    self_loops : {"drop", "keep"}
        Whether the pairs of a vertex with itself take part.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Graph
        An undirected graph without repeated edges.

    See Also
    --------
    configuration_model : Exact degrees.

    Notes
    -----
    O(n log n + m) expected time, by skipping (Miller and Hagberg, WAW 2011).

    Examples
    --------
    >>> graph = expected_degree([20.0] * 1000)
    >>> bool(19 < graph.degrees().mean() < 21)
    True
    """
    wanted, key = check_propensities(degrees, "degrees"), check_seed(seed)
    check_choice(self_loops, "self_loops", ("drop", "keep"))
    total = wanted.sum()
    factor = np.array([[1 / total if total else 0.0]])
    sizes = np.array([len(wanted)])
    edges = draw_products(key, wanted, sizes, factor, directed=False, loops=self_loops == "keep")
    return Graph.from_edges(*edges, num_vertices=len(wanted), self_loops="keep")


def draw_products(
    key: np.uint64,
    propensity: np.ndarray,
    sizes: np.ndarray,
    factor: np.ndarray,
    *,
    directed: bool,
    loops: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Independent edges: u in block r and v in block s with a product of three numbers.

    These are the propensities of both and ``factor[r, s]``. Blocks of the given sizes follow one
    another.
    """
    from edgewise.generators.cpu.skipping import Products, draw_products

    n, firsts = len(propensity), offsets(sizes)
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-propensity, blocks))
    names, places = order.astype(id_type(n)), np.empty(n, np.int64)
    products = Products(propensity[order], blocks, firsts, factor, directed, loops)
    none = np.empty(0, names.dtype)
    launch(draw_products, key, products, names, places, none, none, work=n)
    places = offsets(places)
    sources, targets = np.empty(places[-1], names.dtype), np.empty(places[-1], names.dtype)
    if len(sources):
        launch(draw_products, key, products, names, places, sources, targets, work=n)
    return sources, targets


def check_propensities(values: Any, name: str) -> np.ndarray:
    """A vector of finite numbers that are not negative."""
    try:
        vector = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a list of numbers, got {values!r}") from None
    if vector.ndim != 1:
        raise ValueError(f"{name} must have one entry per vertex, got {vector.ndim} dimensions")
    if not (np.isfinite(vector) & (vector >= 0)).all():
        raise ValueError(f"{name} must be finite and not negative")
    return vector


def _check_degrees(degrees: Any) -> np.ndarray:
    vector = check_propensities(degrees, "degrees")
    whole = vector.astype(np.int64)
    if (whole != vector).any():
        raise ValueError("degrees must be whole numbers")
    if whole.sum() % 2:
        raise ValueError(f"degrees must have an even sum, got {whole.sum()}")
    return whole


def _simple(degrees: np.ndarray, key: np.uint64) -> Graph:
    """A simple graph of these degrees."""
    from edgewise.generators.cpu.edge_swaps import exchange, join_largest
    from edgewise.generators.cpu.stub_pairing import pair_up

    n = len(degrees)
    _check_graphical(degrees)
    ends = np.repeat(np.arange(n), degrees)
    good, unlabeled = np.zeros(len(ends) // 2, bool), np.empty(0, np.int64)
    tables = np.empty((1, 1 << len(ends).bit_length()), np.int64)
    bounds = np.array([0, len(ends)])
    with threads(1):
        pairing = stream(key, 1), n, bounds, unlabeled, ends, good, tables
        launch(pair_up, *pairing, work=len(ends), team=1)
        if not good.all():
            order = np.argsort(-degrees, kind="stable")
            launch(join_largest, order, degrees[order], ends, work=len(ends))
            table = np.empty(8 << len(good).bit_length(), np.int64)
            launch(exchange, stream(key, 2), n, _SWEEPS, ends, table, work=len(ends))
    sources, targets = ends.reshape(-1, 2).astype(id_type(n)).T
    return Graph.from_edges(sources, targets, num_vertices=n)


def _check_graphical(degrees: np.ndarray) -> None:
    """ValueError if no simple graph has these degrees, by the theorem of Erdos and Gallai.

    For every k, the k largest are at most k (k - 1) plus the sum of min(d, k) over the others.
    """
    falling = np.sort(degrees)[::-1]
    k = np.arange(1, len(falling) + 1)
    sums = offsets(falling)
    above = np.maximum(np.searchsorted(-falling, -k, side="left"), k)  # the first others below k
    others = (above - k) * k + sums[-1] - sums[above]
    if (sums[1:] > k * (k - 1) + others).any():
        raise ValueError("degrees must be those of a simple graph; no simple graph has these")

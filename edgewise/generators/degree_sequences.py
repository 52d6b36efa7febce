"""Random graphs with given degrees, exact or expected.

`configuration_model` pairs the edge ends (stubs) of all vertices by a random permutation, which is
computed and not stored [1]. `edgewise.generators.simple_pairing` makes simple graphs of it.
`expected_degree` joins each pair of vertices independently (Chung and Lu [2]).

[1] M. Newman. The structure and function of complex networks. SIAM Review, 2003.
[2] F. Chung, L. Lu. Connected components in random graphs with given expected degree sequences.
    Annals of Combinatorics, 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type
from edgewise.generators.edge_buffers import drawn_once
from edgewise.generators.simple_pairing import counted_graph, simple_graph
from edgewise.graph import Graph

__all__ = ["configuration_model", "draw_products", "expected_degree", "random_regular"]


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
    O(n + m) expected time. Simple graphs are nearly uniform, not exactly:
    removing loops and repeats favors some graphs slightly.

    Examples
    --------
    >>> graph = configuration_model([3, 2, 2, 1, 1, 1], simple=True)
    >>> graph.degrees().tolist()
    [3, 2, 2, 1, 1, 1]
    """
    wanted, key = _check_degrees(degrees), check_seed(seed)
    if check_flag(simple, "simple"):
        return simple_graph(wanted, key)
    from edgewise.generators.cpu.edge_swaps import pair_stubs

    kind = id_type(len(wanted))
    stubs = np.repeat(np.arange(len(wanted), dtype=kind), wanted)
    sources, targets = np.empty(len(stubs) // 2, kind), np.empty(len(stubs) // 2, kind)
    launch(pair_stubs, key, stubs, sources, targets, work=len(stubs))
    return counted_graph(wanted, sources, targets)


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
    O(n d) expected time. The distribution is nearly uniform for small d.

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
    return simple_graph(np.full(n, d, np.int64), check_seed(seed))


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
    from edgewise.generators.cpu.skipping import CHUNK, Products, draw_products

    n, firsts = len(propensity), offsets(sizes)
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-propensity, blocks))
    names = order.astype(id_type(n))
    products = Products(propensity[order], blocks, firsts, factor, directed, loops)
    drawing = draw_products, key, products, names
    return drawn_once(*drawing, chunks=-(-n // CHUNK), kind=names.dtype, work=n)


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

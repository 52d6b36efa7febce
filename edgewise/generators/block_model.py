"""The stochastic block model [1]: a random graph whose density depends on the blocks of its ends.

Each pair of blocks draws its number of edges from the binomial distribution. Then it draws that
many distinct edges by a random permutation of its possible ones, which is computed and not stored.
The distribution is exact, and the work is linear in edges plus pairs of blocks.

With degree correction [2], probabilities are also in proportion to the propensities of both ends.
Each row skips over its candidates by geometric numbers (`edgewise.generators.cpu.skipping`).

[1] P. Holland, K. Laskey, S. Leinhardt. Stochastic blockmodels: first steps. Social Networks, 1983.
[2] B. Karrer, M. Newman. Stochastic blockmodels and community structure in networks. Phys. Rev. E,
    2011.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_flag, check_fraction
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.degree_sequences import check_propensities, draw_products
from edgewise.generators.draws import MOST_VERTICES, binomials, check_number, id_type, stream
from edgewise.graph import Graph

__all__ = ["Planted", "planted_coloring", "planted_partition", "stochastic_block_model"]

#: The matrix of their probabilities is dense.
_MOST_BLOCKS = 2**15


class Planted(NamedTuple):
    """A graph with known communities.

    Attributes
    ----------
    graph : Graph
        The generated graph.
    communities : array of int over vertices
        The number of each vertex's community, or its color.
    """

    graph: Graph
    communities: np.ndarray


def stochastic_block_model(
    sizes: Sequence[int],
    p: Sequence[Sequence[float]] | np.ndarray,
    *,
    propensities: Any = None,
    directed: bool = False,
    seed: int = 0,
) -> Planted:
    """Return a stochastic block model graph and the block of each vertex.

    Parameters
    ----------
    sizes : sequence of int
        The number of vertices of each block. Block 0 has the first ids.
    p : matrix of float
        ``p[r][s]`` is the probability of an edge from a vertex of block r to one of block s. It
        must be symmetric unless the graph is directed.
    propensities : array of float over vertices, optional
        Degree correction: the probability of an edge from u to v is ``p[r][s] * t[u] * t[v]``, or 1
        if that is larger. t is the propensity divided by the mean propensity of the block. By
        default, all are equal.
    directed : bool
        Draw both directions of a pair independently.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Planted
        ``graph`` and ``communities``, the block of each vertex.

    See Also
    --------
    planted_partition : Equal blocks and two probabilities.

    Notes
    -----
    O(n + m + b^2) time for b blocks. With propensities, O(n log n + n b + m) expected time.

    Examples
    --------
    >>> graph, labels = stochastic_block_model([30, 20], [[1.0, 0.0], [0.0, 0.0]])
    >>> graph.num_edges == 30 * 29 // 2
    True
    >>> labels[[0, 29, 30, 49]].tolist()
    [0, 0, 1, 1]
    """
    counts = [check_count(size, "sizes", most=MOST_VERTICES) for size in sizes]
    directed = check_flag(directed, "directed")
    probability = _check_probabilities(p, len(counts), directed)
    if sum(counts) > MOST_VERTICES:
        raise ValueError(f"sizes must add up to at most 2**31, got {sum(counts)}")
    blocks = np.array(counts, np.int64)
    key, unnamed = check_seed(seed), np.empty(0, id_type(sum(counts)))
    if propensities is None:
        edges = _block_edges(blocks, probability, directed, key, unnamed)
    else:
        relative = _relative(propensities, blocks)
        edges = draw_products(key, relative, blocks, probability, directed=directed, loops=False)
    graph = Graph.from_edges(*edges, directed=directed, num_vertices=sum(counts))
    return Planted(graph, np.repeat(np.arange(len(blocks)), blocks))


def planted_partition(
    blocks: int,
    size: int,
    *,
    p_in: float,
    p_out: float,
    directed: bool = False,
    seed: int = 0,
) -> Planted:
    """Return a planted partition graph and the block of each vertex.

    The blocks have equal size, one edge probability inside, and one between.

    Parameters
    ----------
    blocks : int
        The number of blocks.
    size : int
        The number of vertices of each block.
    p_in, p_out : float
        The probability of an edge inside a block, and between two blocks.
    directed : bool
        Draw both directions of a pair independently.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Planted
        ``graph`` and ``communities``, the block of each vertex.

    See Also
    --------
    stochastic_block_model : Any sizes and probabilities.

    Notes
    -----
    O(n + m + b^2) time for b blocks.

    Examples
    --------
    >>> graph, labels = planted_partition(4, 25, p_in=0.5, p_out=0.01)
    >>> graph.num_vertices, labels.max()
    (100, np.int64(3))
    """
    blocks = check_count(blocks, "blocks", least=1)
    inside, between = check_fraction(p_in, "p_in"), check_fraction(p_out, "p_out")
    if blocks > _MOST_BLOCKS:
        raise ValueError(f"blocks must be at most 2**15: their matrix is dense; got {blocks}")
    p = np.full((blocks, blocks), between)
    np.fill_diagonal(p, inside)
    sizes = [check_count(size, "size", most=MOST_VERTICES)] * blocks
    return stochastic_block_model(sizes, p, directed=directed, seed=seed)


def planted_coloring(n: int, k: int, *, average_degree: float, seed: int = 0) -> Planted:
    """Return a random graph with chromatic number ``k``, and a coloring of it by k colors.

    The vertices are divided at random into k classes of equal size, up to one vertex. Every edge
    joins two classes. One vertex of each class belongs to a planted clique, so fewer than k
    colors are not enough.

    Parameters
    ----------
    n : int
        The number of vertices, at least k.
    k : int
        The number of colors, from 1 to 32,768.
    average_degree : float
        The expected degree of a vertex outside the clique.
    seed : int
        The same seed gives the same graph for any number of threads.

    Returns
    -------
    Planted
        ``graph`` and ``communities``, the color of each vertex.

    See Also
    --------
    planted_partition : More edges inside classes than between them.
    gnp_chromatic_number : The number of colors of a graph without planted classes.

    Notes
    -----
    O(n + m + k^2) time.

    Examples
    --------
    >>> graph, colors = planted_coloring(1000, 3, average_degree=8)
    >>> sources, targets, _ = graph.edges()
    >>> bool((colors[sources] != colors[targets]).all())
    True
    """
    from edgewise.generators.cpu.random_edges import permutation

    k = check_count(k, "k", least=1, most=_MOST_BLOCKS)
    n, key = check_count(n, "n", least=k, most=MOST_VERTICES), check_seed(seed)
    sizes = np.full(k, n // k) + (np.arange(k) < n % k)
    others = n * n - int(sizes @ sizes)  # ordered pairs of vertices of two classes
    most = others / n
    degree = check_number(average_degree, "average_degree", least=0, most=most)
    p = np.full((k, k), degree / most if most else 0.0)
    np.fill_diagonal(p, 0)
    names = np.empty(n, id_type(n))
    launch(permutation, stream(key, 1), names, work=n)
    drawn = _block_edges(sizes, p, False, stream(key, 2), names)
    clique = names[offsets(sizes)[:-1]]  # the first vertex of each class
    edges = zip(drawn, np.triu_indices(k, 1), strict=True)
    sources, targets = (np.concatenate([ends, clique[among]]) for ends, among in edges)
    graph = Graph.from_edges(sources, targets, num_vertices=n, duplicates="first")
    colors = np.empty(n, np.int64)
    colors[names] = np.repeat(np.arange(k), sizes)
    return Planted(graph, colors)


def _block_edges(
    blocks: np.ndarray, probability: np.ndarray, directed: bool, key: np.uint64, names: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the edges between blocks of these sizes, by their names if there are any."""
    from edgewise.generators.cpu.block_edges import BlockPairs, block_edges

    rows, columns = np.nonzero(probability if directed else np.triu(probability))
    possible = np.where(
        rows == columns, blocks[rows] * (blocks[columns] - 1), blocks[rows] * blocks[columns]
    )
    if not directed:
        possible[rows == columns] //= 2
    edges = binomials(stream(key, 1), possible, probability[rows, columns])
    bounds, firsts = offsets(edges), offsets(blocks)
    sources, targets = np.empty(bounds[-1], names.dtype), np.empty(bounds[-1], names.dtype)
    pairs = BlockPairs(rows, columns, possible.astype(np.uint64), bounds)
    drawn = stream(key, 2), pairs, firsts, directed, names, sources, targets
    launch(block_edges, *drawn, work=len(sources))
    return sources, targets


def _relative(propensities: Any, blocks: np.ndarray) -> np.ndarray:
    """Propensities divided by the mean of their block; all zeros stay."""
    vector = check_propensities(propensities, "propensities")
    if len(vector) != blocks.sum():
        wanted = f"one entry for each of {blocks.sum()} vertices"
        raise ValueError(f"propensities must have {wanted}, got {len(vector)}")
    labels = np.repeat(np.arange(len(blocks)), blocks)
    means = np.bincount(labels, vector, len(blocks)) / np.maximum(blocks, 1)
    return vector / np.where(means > 0, means, 1)[labels]


def _check_probabilities(p: object, blocks: int, directed: bool) -> np.ndarray:
    try:
        matrix = np.array(p, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"p must be a matrix of numbers, got {p!r}") from None
    if matrix.shape != (blocks, blocks):
        shape = " x ".join(map(str, matrix.shape))
        raise ValueError(f"p must be {blocks} x {blocks}, one row per block, got {shape}")
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise ValueError("p must hold numbers from 0 to 1")
    if not directed and (matrix != matrix.T).any():
        raise ValueError("p must be symmetric for an undirected graph")
    return matrix

"""The stochastic block model [1]: a random graph whose density depends on the blocks of its ends.

Each pair of blocks draws its number of edges from the binomial distribution. Then it draws that
many distinct edges by a random permutation of its possible ones, which is computed and not stored.
The distribution is exact, and the work is linear in edges plus pairs of blocks.

[1] P. Holland, K. Laskey, S. Leinhardt. Stochastic blockmodels: first steps. Social Networks, 1983.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_flag, check_fraction
from edgewise.base.offsets import offsets
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import MOST_VERTICES, id_type, stream, uniforms
from edgewise.graph import Graph

__all__ = ["Planted", "planted_partition", "stochastic_block_model"]


class Planted(NamedTuple):
    """A graph with known communities.

    Attributes
    ----------
    graph : Graph
        The generated graph.
    communities : array of int over vertices
        The number of each vertex's community.
    """

    graph: Graph
    communities: np.ndarray


def stochastic_block_model(
    sizes: Sequence[int],
    p: Sequence[Sequence[float]] | np.ndarray,
    *,
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
    O(n + m + b^2) time for b blocks.

    Examples
    --------
    >>> graph, labels = stochastic_block_model([30, 20], [[1.0, 0.0], [0.0, 0.0]])
    >>> graph.num_edges == 30 * 29 // 2
    True
    >>> labels[[0, 29, 30, 49]].tolist()
    [0, 0, 1, 1]
    """
    from edgewise.generators.cpu.block_edges import BlockPairs, block_edges

    counts = [check_count(size, "sizes", most=MOST_VERTICES) for size in sizes]
    directed = check_flag(directed, "directed")
    probability = _check_probabilities(p, len(counts), directed)
    key = check_seed(seed)
    if sum(counts) > MOST_VERTICES:
        raise ValueError(f"sizes must add up to at most 2**31, got {sum(counts)}")
    blocks = np.array(counts, np.int64)
    rows, columns = np.nonzero(probability if directed else np.triu(probability))
    possible = np.where(
        rows == columns, blocks[rows] * (blocks[columns] - 1), blocks[rows] * blocks[columns]
    )
    if not directed:
        possible[rows == columns] //= 2
    edges = _binomial(stream(key, 1), possible, probability[rows, columns])
    bounds, firsts = offsets(edges), offsets(blocks)
    n, m = int(firsts[-1]), int(bounds[-1])
    sources, targets = np.empty(m, id_type(n)), np.empty(m, id_type(n))
    pairs = BlockPairs(rows, columns, possible.astype(np.uint64), bounds)
    launch(block_edges, stream(key, 2), pairs, firsts, bool(directed), sources, targets, work=m)
    graph = Graph.from_edges(sources, targets, directed=directed, num_vertices=n)
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
    if blocks > 2**15:
        raise ValueError(f"blocks must be at most 2**15: their matrix is dense; got {blocks}")
    p = np.full((blocks, blocks), between)
    np.fill_diagonal(p, inside)
    sizes = [check_count(size, "size", most=MOST_VERTICES)] * blocks
    return stochastic_block_model(sizes, p, directed=directed, seed=seed)


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


def _binomial(seed: np.uint64, trials: np.ndarray, p: np.ndarray) -> np.ndarray:
    """One binomial number per pair of blocks, by the inverse of its distribution."""
    from scipy.stats import binom

    drawn = binom.ppf(uniforms(seed, len(trials)), trials, p)
    return np.clip(drawn, 0, trials).astype(np.int64)

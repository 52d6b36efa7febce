"""Network alignment: which vertices of two graphs are the same? By votes of neighbors and matching.

The first alignment pairs vertices with similar neighborhoods: degrees, then means and deviations of
the neighbors' values, for some hops. Each round then counts, for every pair of vertices, how many
pairs of their neighbors are aligned: the edges that the pair would preserve (V = A P B for the
alignment P, a sparse product). The score of a pair is V times its share of both degrees. An
approximate matching of largest weight rounds scores to the next alignment, as in IsoRank [1] and
NetAlign [2]. The round that preserves most edges is kept. Rounds run where the graphs are; the
first alignment is found in host memory.

[1] R. Singh, J. Xu, B. Berger. Global alignment of multiple protein interaction networks with
    application to functional orthology detection. PNAS 2008.
[2] M. Bayati, D. Gleich, A. Saberi, Y. Wang. Message-passing algorithms for sparse network
    alignment. ACM TKDD 2013.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.base.checks import check_count, check_one_device
from edgewise.base.observe import notify
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, as_graph
from edgewise.graph.transfer import host, row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.spgemm import spgemm

__all__ = ["GraphAlignment", "align_graphs"]

#: Hops of the features, and the share of prior similarity in the score of a pair.
_HOPS, _PRIOR = 3, 1e-3


class Pairs(NamedTuple):
    """Values of pairs of a vertex of the first graph and one of the second."""

    rows: Any
    columns: Any
    values: Any


class GraphAlignment(NamedTuple):
    """An alignment of two graphs.

    Attributes
    ----------
    vertices : array of int64
        For each vertex of the first graph, its vertex in the second, or -1.
    overlap : int
        The number of edges of the first graph whose aligned ends have an edge in the second.
    rounds : list of int
        The overlap of each round.
    """

    vertices: Any
    overlap: int
    rounds: list[int]


def align_graphs(
    first: LocalGraphLike,
    second: LocalGraphLike,
    *,
    similarity: Any = None,
    num_candidates: int = 10,
    max_iter: int = 20,
) -> GraphAlignment:
    """Return an alignment of two graphs that preserves many edges.

    Parameters
    ----------
    first, second : Graph
        Undirected, both on one device. Self-loops and weights are ignored.
    similarity : array or SciPy sparse matrix, n1 x n2, optional
        How similar each pair of vertices is known to be, not negative; zero where nothing is
        known. By default, it comes from the structure around both vertices.
    num_candidates : int
        The number of similar vertices that each vertex is compared with at the start.
    max_iter : int
        The largest number of rounds. It ends earlier if a round changes nothing.

    Returns
    -------
    GraphAlignment
        ``vertices``, ``overlap`` and ``rounds``.

    Notes
    -----
    A round takes O(sum of d(u) d(v) over aligned pairs u, v) time and memory.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise import generators
    >>> graph = generators.barabasi_albert(100, 3, seed=1)
    >>> order = np.random.default_rng(0).permutation(100)
    >>> found = align_graphs(graph, graph.permute(order))
    >>> found.overlap == graph.num_edges, bool((found.vertices == order).mean() > 0.9)
    (True, True)
    """
    first, second = _plain(first, "first"), _plain(second, "second")
    if first.device != second.device:
        raise ValueError(f"second must be on {first.device} as first is, got {second.device}")
    turns = check_count(max_iter, "max_iter", 1)
    many = check_count(num_candidates, "num_candidates", 1)
    sizes, xp = (first.num_vertices, second.num_vertices), first.xp
    given = None if similarity is None else _given(similarity, sizes)
    if 0 in sizes:
        return GraphAlignment(xp.full(sizes[0], -1), 0, [0])
    known = _similar(_adjacency(first), _adjacency(second), many) if given is None else given
    prior = Pairs(*(xp.asarray(one) for one in known))
    mates = _rounded(prior, sizes, xp)
    best, rounds, seen = mates, [], set()
    for turn in range(turns + 1):
        votes = _votes(first, second, mates)
        preserved = int(votes.values[votes.columns == mates[votes.rows]].sum()) // 2
        rounds.append(preserved)
        notify(turn, phase="align_graphs", overlap=preserved)
        if preserved == max(rounds):
            best = mates
        word = host(mates).tobytes()
        if turn == turns or word in seen:
            break
        seen.add(word)
        mates = _rounded(_scores(first, second, votes, prior), sizes, xp)
    return GraphAlignment(best, max(rounds), rounds)


def _plain(graph: Any, name: str) -> Graph:
    graph = as_graph(graph)
    check_one_device(graph, "align_graphs")
    if graph.directed:
        raise ValueError(f"{name} must be undirected; graph.to_undirected() makes it so")
    return graph.without_self_loops()


def _adjacency(graph: Graph) -> Any:
    from scipy.sparse import csr_array

    n = graph.num_vertices
    ones = np.ones(graph.num_arcs)
    return csr_array((ones, host(graph.indices), host(graph.indptr)), shape=(n, n))


def _similar(a: Any, b: Any, many: int) -> Pairs:
    """Pairs with similar surroundings, with values from 0 to 1."""
    from scipy.sparse import coo_array
    from scipy.spatial import cKDTree

    left, right = _features(a), _features(b)
    both = np.concatenate([left, right])
    width = both.std(axis=0)
    width[width == 0] = 1
    left, right = left / width, right / width
    many = min(many, len(left), len(right))
    near, ids = cKDTree(right).query(left, many)
    back, sources = cKDTree(left).query(right, many)
    rows = np.concatenate([np.repeat(np.arange(len(left)), many), sources.reshape(-1)])
    columns = np.concatenate([ids.reshape(-1), np.repeat(np.arange(len(right)), many)])
    values = np.exp(-np.concatenate([near.reshape(-1), back.reshape(-1)]))
    found = coo_array((values, (rows, columns)), shape=(len(left), len(right))).tocsr()
    found.data = np.minimum(found.data, 1)  # pairs found from both sides have been added up
    return _pairs(found)


def _pairs(matrix: Any) -> Pairs:
    """The entries of a SciPy sparse matrix."""
    entries = matrix.tocoo()
    return Pairs(entries.row.astype(np.int64), entries.col.astype(np.int64), entries.data)


def _features(adjacency: Any) -> np.ndarray:
    """By vertex: the degree, then means and deviations over neighbors, hop by hop."""
    degrees = adjacency.sum(axis=1)
    share = 1 / np.maximum(degrees, 1)
    layer = np.log1p(degrees)[:, None]
    layers = [layer]
    for _ in range(_HOPS):
        mean = (adjacency @ layer) * share[:, None]
        square = (adjacency @ layer**2) * share[:, None]
        layer = np.concatenate([mean, np.sqrt(np.maximum(square - mean**2, 0))], axis=1)
        layers.append(layer)
    return np.concatenate(layers, axis=1)


def _votes(first: Graph, second: Graph, mates: Any) -> Pairs:
    """The number of pairs of neighbors that are aligned, for each pair with any: A P B."""
    moved = mates[first.indices]  # A P has the columns of A at those of the mates
    there = moved >= 0
    left = Matrix(
        offsets(there)[first.indptr],
        moved[there].astype(second.indices.dtype),
        num_columns=second.num_vertices,
        sorted_rows=False,
        device=first.device,
    )
    found = spgemm(left, Matrix.from_graph(second, None), "plus_pair")
    return Pairs(row_ids(found), found.indices.astype(np.int64), found.values)


def _scores(first: Graph, second: Graph, votes: Pairs, prior: Pairs) -> Pairs:
    """The votes for each pair, times their share of both degrees, and a little of the prior."""
    degrees = first.row_lengths()[votes.rows] + second.row_lengths()[votes.columns]
    values = votes.values * (2 * votes.values / degrees)
    both = zip((votes.rows, votes.columns, values),
               (prior.rows, prior.columns, _PRIOR * prior.values), strict=True)  # fmt: skip
    return Pairs(*map(first.xp.concatenate, both))


def _rounded(scores: Pairs, sizes: tuple[int, int], xp: Any) -> Any:
    """The partner of each vertex in an approximate matching of largest weight, or -1."""
    graph = Graph.from_edges(scores.rows, scores.columns + sizes[0], scores.values,
                             num_vertices=sum(sizes))  # fmt: skip
    mates = ALGORITHMS["matching.locally_dominant"].load()(graph).mate[: sizes[0]].astype(np.int64)
    return xp.where(mates >= 0, mates - sizes[0], -1)


def _given(similarity: Any, sizes: tuple[int, int]) -> Pairs:
    """The pairs of a similarity, checked."""
    from scipy.sparse import csr_array

    try:
        found = csr_array(host(similarity)).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"similarity must be a matrix of numbers: {error}") from None
    if found.shape != sizes:
        raise ValueError(f"similarity must have shape {sizes}, got {found.shape}")
    wrong = ~((found.data >= 0) & (found.data < np.inf))
    if wrong.any():
        raise ValueError(
            f"similarity must be finite and not negative, got {found.data[wrong.argmax()]}"
        )
    return _pairs(found)

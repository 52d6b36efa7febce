"""Network alignment: which vertices of two graphs are the same? By votes of neighbors and matching.

The first alignment pairs vertices with similar neighborhoods: degrees, then means and deviations of
the neighbors' values, for some hops. Each round then counts, for every pair of vertices, how many
pairs of their neighbors are aligned: the edges that the pair would preserve (V = A P B for the
alignment P). The score of a pair is V times its share of both degrees. An approximate matching of
largest weight rounds scores to the next alignment, as in IsoRank [1] and NetAlign [2]. The round
that preserves most edges is kept.

[1] R. Singh, J. Xu, B. Berger. Global alignment of multiple protein interaction networks with
    application to functional orthology detection. PNAS 2008.
[2] M. Bayati, D. Gleich, A. Saberi, Y. Wang. Message-passing algorithms for sparse network
    alignment. ACM TKDD 2013.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, as_graph
from edgewise.graph.transfer import check_host

__all__ = ["GraphAlignment", "align_graphs"]

#: Hops of the features, and the share of prior similarity in the score of a pair.
_HOPS, _PRIOR = 3, 1e-3


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

    vertices: np.ndarray
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
        Undirected, in host memory. Self-loops and weights are ignored.
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
    turns = check_count(max_iter, "max_iter", 1)
    many = check_count(num_candidates, "num_candidates", 1)
    a, b = _adjacency(first), _adjacency(second)
    sizes = (first.num_vertices, second.num_vertices)
    prior = _similar(a, b, many) if similarity is None else _given(similarity, sizes)
    if 0 in sizes:
        return GraphAlignment(np.full(sizes[0], -1), 0, [0])
    mates = _rounded(prior)
    best, rounds, seen = mates, [_overlap(first, b, mates)], set()
    for turn in range(turns):
        mates = _rounded(_scores(a, b, mates, prior))
        rounds.append(_overlap(first, b, mates))
        notify(turn, phase="align_graphs", overlap=rounds[-1])
        if rounds[-1] == max(rounds):
            best = mates
        word = mates.tobytes()
        if word in seen:
            break
        seen.add(word)
    return GraphAlignment(best, max(rounds), rounds)


def _plain(graph: Any, name: str) -> Graph:
    graph = as_graph(graph)
    check_host(graph, "align_graphs")
    if graph.directed:
        raise ValueError(f"{name} must be undirected; graph.to_undirected() makes it so")
    return graph.without_self_loops()


def _adjacency(graph: Graph) -> Any:
    from scipy.sparse import csr_array

    n = graph.num_vertices
    ones = np.ones(graph.num_arcs)
    return csr_array((ones, graph.indices, graph.indptr), shape=(n, n))


def _similar(a: Any, b: Any, many: int) -> Any:
    """Pairs with similar surroundings, as a sparse matrix of values from 0 to 1."""
    from scipy.sparse import coo_array
    from scipy.spatial import cKDTree

    left, right = _features(a), _features(b)
    both = np.concatenate([left, right])
    width = both.std(axis=0)
    width[width == 0] = 1
    left, right = left / width, right / width
    many = min(many, len(left), len(right))
    if many == 0:
        return coo_array((len(left), len(right))).tocsr()
    near, ids = cKDTree(right).query(left, many)
    back, sources = cKDTree(left).query(right, many)
    rows = np.concatenate([np.repeat(np.arange(len(left)), many), sources.reshape(-1)])
    columns = np.concatenate([ids.reshape(-1), np.repeat(np.arange(len(right)), many)])
    values = np.exp(-np.concatenate([near.reshape(-1), back.reshape(-1)]))
    found = coo_array((values, (rows, columns)), shape=(len(left), len(right))).tocsr()
    found.data = np.minimum(found.data, 1)  # pairs found from both sides have been added up
    return found


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


def _scores(a: Any, b: Any, mates: np.ndarray, prior: Any) -> Any:
    """The votes of aligned neighbors for each pair, times their share of both degrees."""
    from scipy.sparse import csr_array

    u = np.flatnonzero(mates >= 0)
    aligned = csr_array((np.ones(len(u)), (u, mates[u])), shape=prior.shape)
    votes = (a @ aligned @ b).tocoo()
    degrees = a.sum(axis=1)[votes.row] + b.sum(axis=1)[votes.col]
    values = votes.data * (2 * votes.data / degrees)
    return csr_array((values, (votes.row, votes.col)), shape=prior.shape) + _PRIOR * prior


def _rounded(scores: Any) -> np.ndarray:
    """The partner of each row in an approximate matching of largest weight, or -1."""
    pairs, rows = scores.tocoo(), scores.shape[0]
    graph = Graph.from_edges(pairs.row.astype(np.int64), pairs.col.astype(np.int64) + rows,
                             pairs.data, num_vertices=sum(scores.shape))  # fmt: skip
    found = ALGORITHMS["matching.locally_dominant"].load()(graph)
    mates = np.asarray(found.mate[:rows], np.int64)
    return np.where(mates >= 0, mates - rows, -1)


def _overlap(first: Graph, b: Any, mates: np.ndarray) -> int:
    """The number of edges that are preserved."""
    sources, targets, _ = first.edges()
    u, v = mates[sources], mates[targets]
    both = (u >= 0) & (v >= 0)
    return int(np.asarray(b[u[both], v[both]]).sum()) if both.any() else 0


def _given(similarity: Any, sizes: tuple[int, int]) -> Any:
    """The similarity as a sparse matrix, checked."""
    from scipy.sparse import csr_array

    try:
        found = csr_array(similarity).astype(np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"similarity must be a matrix of numbers: {error}") from None
    if found.shape != sizes:
        raise ValueError(f"similarity must have shape {sizes}, got {found.shape}")
    wrong = ~((found.data >= 0) & (found.data < np.inf))
    if wrong.any():
        raise ValueError(
            f"similarity must be finite and not negative, got {found.data[wrong.argmax()]}"
        )
    return found

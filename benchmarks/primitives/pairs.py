"""Rows of similarity and of small patterns."""

from __future__ import annotations

from typing import Any

import numpy as np

import edgewise as ew
from benchmarks.primitives.row import Row

__all__ = ["ROWS"]

_ALL = ("kron18", "com-dblp", "road1000")
_PAIRS, _TOP = 100_000, 100
_DIAMOND = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]


def _networkit(graph: Any) -> Any:
    from networkit import GraphFromCoo
    from scipy.sparse import coo_matrix

    u, v, _ = graph.without_self_loops().edges()
    n = graph.num_vertices
    found = GraphFromCoo(coo_matrix((np.ones(len(u)), (u, v)), (n, n)), n=n)
    found.indexEdges()
    return found


def _igraph(graph: Any) -> Any:
    return graph.to_igraph()


def _some_pairs(graph: Any) -> tuple[np.ndarray, np.ndarray]:
    """Ends of edges and vertices drawn at random, as many of each."""
    rng = np.random.default_rng(7)
    u, v, _ = graph.to("cpu").edges()
    some = rng.integers(0, len(u), _PAIRS // 2)
    drawn = rng.integers(0, graph.num_vertices - 1, (2, _PAIRS // 2))
    drawn[1] += drawn[1] >= drawn[0]  # never a vertex with itself
    pairs = np.r_[u[some], drawn[0]], np.r_[v[some], drawn[1]]
    order = np.lexsort(pairs[::-1])
    return pairs[0][order], pairs[1][order]


def _with_pairs(make: Any) -> Any:
    """What a library makes of a graph, and the pairs as it takes them."""

    def prepare(graph: Any) -> Any:
        pairs = _some_pairs(graph)
        if make is None:
            return graph, tuple(map(graph.xp.asarray, pairs))
        return make(graph), list(zip(*(side.tolist() for side in pairs), strict=True))

    return prepare


def _jaccard_networkit(graph: Any) -> Any:
    from networkit.distance import JaccardSimilarityAttributizer
    from networkit.sparsification import TriangleEdgeScore

    triangles = TriangleEdgeScore(graph)
    triangles.run()
    return np.array(JaccardSimilarityAttributizer(graph, triangles.scores()).getAttribute())


def _edges_igraph(graph: Any) -> Any:
    found = _igraph(graph)
    return found, found.get_edgelist()


def _jaccard_igraph(given: Any) -> Any:
    graph, pairs = given
    return np.array(graph.similarity_jaccard(pairs=pairs, loops=False))


def _adamic_networkit(given: Any) -> Any:
    from networkit.linkprediction import AdamicAdarIndex

    graph, pairs = given
    return np.array([score for _, score in AdamicAdarIndex(graph).runOn(pairs)])


def _same_sum(ours: Any, theirs: Any) -> bool:
    """Edges have another order there."""
    return bool(np.isclose(ours.sum(), theirs.sum(), rtol=1e-6))


def _asked(graph: Any) -> np.ndarray:
    """Vertices that have neighbors."""
    some = np.flatnonzero(graph.to("cpu").degrees())
    return np.random.default_rng(7).choice(some, _TOP, replace=False)


def _top_scipy(given: Any) -> Any:
    """Rows of the product of the matrix with itself, scored and sorted in part."""
    matrix, degrees, asked = given
    scores = np.zeros((len(asked), 10))
    for i, v in enumerate(asked.tolist()):
        row = (matrix[[v]] @ matrix).tocsr()
        found = row.data / (degrees[v] + degrees[row.indices] - row.data)
        found = found[row.indices != v]
        best = np.sort(np.partition(found, max(len(found) - 10, 0))[-10:])[::-1]
        scores[i, : len(best)] = best
    return scores


def _scipy_and_asked(graph: Any) -> Any:
    matrix = graph.with_weights(None).without_self_loops().to_scipy().astype(np.float64)
    return matrix, np.diff(matrix.indptr), _asked(graph)


def _motifs_igraph(size: int) -> Any:
    def run(graph: Any) -> list[float]:
        return [one for one in graph.motifs_randesu(size=size) if one == one]

    return run


def _same_motifs(ours: dict[str, int], theirs: list[float]) -> bool:
    """igraph numbers the kinds; of those not connected it knows nothing."""
    apart = ("none", "edge", "two_edges")
    kinds = {name: many for name, many in ours.items() if name not in apart}
    if "clique" in kinds:
        kinds = {name: many for name, many in kinds.items() if name not in ("triangle", "wedge")}
    return sorted(kinds.values()) == sorted(map(int, theirs))


def _close(ours: Any, theirs: Any) -> bool:
    return bool(np.allclose(ours, theirs))


ROWS = [
    Row(
        "similarity.jaccard", _ALL, ew.similarity.jaccard,
        {"NetworKit": (_networkit, _jaccard_networkit), "igraph": (_edges_igraph, _jaccard_igraph)},
        _same_sum,
    ),
    Row(
        "similarity.adamic_adar of 100,000 pairs", _ALL,
        lambda given: ew.similarity.adamic_adar(given[0], pairs=given[1]),
        {"NetworKit": (_with_pairs(_networkit), _adamic_networkit)},
        _close, _with_pairs(None),
    ),
    Row(
        "similarity.top_k of 100", _ALL,
        lambda given: ew.similarity.top_k(given[0], vertices=given[1]).scores,
        {"SciPy": (_scipy_and_asked, _top_scipy)},
        _close, lambda graph: (graph, _asked(graph)),
    ),
    Row(  # igraph's VF2 takes more than five minutes for road1000, and its LAD only lists
        "subgraph_match_count of diamonds", _ALL[1:],
        lambda graph: ew.subgraph_match_count(graph, ew.Graph.from_edges(*np.array(_DIAMOND).T)),
        {},
    ),
    Row(
        "motif_counts of 3", _ALL, ew.motif_counts,
        {"igraph": (_igraph, _motifs_igraph(3))}, _same_motifs,
    ),
    Row(
        "motif_counts of 4", _ALL, lambda graph: ew.motif_counts(graph, size=4),
        {"igraph": (_igraph, _motifs_igraph(4))}, _same_motifs,
    ),
]  # fmt: skip

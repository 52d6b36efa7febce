"""Exact expected spreads on tiny graphs: step by step over all sets that may be active.

What happens next depends on who is active and who of them has become so in the last step, and given
these all others decide independently. So a sum over all sets of newcomers, remembered by state,
gives the expectation: 4^n terms at the most.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import networkx as nx
import numpy as np

from edgewise import Graph


def shares(graph: Graph, probability: float | None) -> np.ndarray:
    """The chance of each edge, as a matrix; without a number, one over the in-degree of its end."""
    n, matrix = graph.num_vertices, np.zeros((graph.num_vertices,) * 2)
    degrees = graph.column_lengths()
    for u in range(n):
        for v in graph.neighbors(u):
            matrix[u, v] = 1 / degrees[v] if probability is None else probability
    return matrix


def spreads(matrix: np.ndarray, model: str):
    """``spread(seeds)`` for one matrix of chances."""
    n = len(matrix)

    def chance(w: int, active: int, fresh: int) -> float:
        """That w becomes active now, as it was not before."""
        new = [u for u in range(n) if fresh >> u & 1]
        if model == "independent_cascade":
            return 1 - np.prod([1 - matrix[u, w] for u in new])
        old = sum(matrix[u, w] for u in range(n) if (active & ~fresh) >> u & 1)
        total = sum(matrix[u, w] for u in new)
        return 0.0 if total == 0 else min(total / (1 - old), 1.0)

    @cache
    def more(active: int, fresh: int) -> float:
        """How many others will become active."""
        idle = [w for w in range(n) if not active >> w & 1]
        odds = [(w, chance(w, active, fresh)) for w in idle]
        open_ = [(w, p) for w, p in odds if p > 0]
        total = 0.0
        for size in range(1, len(open_) + 1):
            for some in combinations(open_, size):
                names = {w for w, _ in some}
                likely = np.prod([p if w in names else 1 - p for w, p in open_])
                if likely > 0:
                    new = sum(1 << w for w in names)
                    total += likely * (size + more(active | new, new))
        return total

    def spread(seeds) -> float:
        start = sum(1 << int(v) for v in set(map(int, seeds)))
        return len(set(map(int, seeds))) + more(start, start)

    return spread


def best(spread, n: int, k: int) -> float:
    """The greatest spread of k vertices."""
    return max(spread(some) for some in combinations(range(n), k))


def connected_graphs(sizes: range) -> list[nx.Graph]:
    """All connected graphs of so many vertices, up to isomorphism; up to 7 of them."""
    atlas = nx.graph_atlas_g()
    return [one for one in atlas if len(one) in sizes and len(one) and nx.is_connected(one)]

"""The codelength of a partition: bits per step of a random walk [1].

Each module (community) has a codebook, with one codeword for each of its vertices and one for
leaving it. An index codebook has a codeword for entering each module. Let p be the visit rates, and
enter and leave the flows into and out of each module (see `flows`). The shortest codewords take

    L = plogp(all enter) - sum plogp(enter) - sum plogp(leave) + sum plogp(leave + p of its members)
        - sum over vertices plogp(p),        plogp(x) = x log2(x)

bits per step: the map equation. One pass over the edges, and a PageRank computation if the graph is
directed.

[1] M. Rosvall, C. Bergstrom. Maps of random walks on complex networks reveal community structure.
    PNAS 105, 2008.
"""

from __future__ import annotations

from math import log2
from typing import Any

from edgewise.algorithms.communities.labelings import as_labels, gathered
from edgewise.algorithms.communities.visit_rates import flows
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import ADD, reduce_all, reduce_neighbors
from edgewise.operators.helpers import inner

__all__ = ["codelength"]


@takes_graph
def codelength(
    graph: GraphLike, communities: Any, *, weights: Any = "weight", alpha: float = 0.85
) -> float:
    """Return the map equation's codelength of a partition, in bits per step of a random walk.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    communities : array of int over vertices
        Members of the same community have equal values.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Relative transition rates, finite and nonnegative.
    alpha : float
        The probability of following an edge of a directed graph, as in `pagerank`. Teleportation
        steps are not recorded.

    Returns
    -------
    float
        Smaller is better. It is 0 if the total weight is zero.

    See Also
    --------
    infomap : Finds communities of short codelength.

    Notes
    -----
    O(n + m) time and O(n) memory. A directed graph also takes a PageRank computation.

    Examples
    --------
    Two triangles joined by an edge, as one module and as two:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> round(codelength(graph, [0] * 6), 4), round(codelength(graph, [0, 0, 0, 1, 1, 1]), 4)
    (2.5567, 2.3207)
    """
    key, found = as_labels(graph, communities), flows(graph, weights, alpha)
    if found is None:
        return 0.0
    inside = reduce_neighbors(found.graph, None, _inside, key, reduce=ADD, dtype=float)
    leave = gathered(graph, key, found.leaving - inside / 2)
    enter = leave
    if found.entering is not found.leaving:
        enter = gathered(graph, key, found.entering - inside / 2)
    state = (enter, leave, gathered(graph, key, found.visits), found.visits)
    index = plogp(max(reduce_all(graph, enter, reduce=ADD), 0.0))
    return index + reduce_all(graph, state, reduce=ADD, function=_words)


def _inside(value, weight, own):
    return weight if value == own else 0.0


def _words(c, enter, leave, inside, visits):
    words = _plogp(leave[c] + inside[c]) - _plogp(enter[c]) - _plogp(leave[c])
    return words - _plogp(visits[c])


def plogp(x: float) -> float:
    """x log2(x), and 0 where rounding leaves nothing, or less."""
    return x * log2(x) if x > 0 else 0.0


_plogp = inner(plogp)

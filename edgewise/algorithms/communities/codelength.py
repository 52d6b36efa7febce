"""The codelength of communities: how many bits a random walker's steps take [1].

A module (community) has a codebook with a word for each of its vertices and one for leaving it, and
an index has a word for entering each module. With visits p, and the flows that enter and leave each
module (`flows` says how they come about), the words as short as these rates allow take, a step,

    L = plogp(all enter) - sum plogp(enter) - sum plogp(leave) + sum plogp(leave + p of its members)
        - sum over vertices plogp(p),        plogp(x) = x log2(x)

bits: the map equation. One pass over the edges, and PageRank if they are directed.

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
    graph: GraphLike, communities: Any, *, weights: Any = None, alpha: float = 0.85
) -> float:
    """The codelength of a labelling: bits per step of a random walker, the fewer the better.

    Parameters
    ----------
    graph : Graph
        Directed or not.
    communities : array of int over vertices
        Equal for the members of a community.
    weights : None, "unit" or array over edges
        Finite and not negative: how often an edge is taken.
    alpha : float
        Of a directed graph: the probability of following an edge, as in `pagerank`. Jumps are not
        counted as steps.

    Returns
    -------
    float
        0 where no edge has any weight.

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

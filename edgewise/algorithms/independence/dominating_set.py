"""A small dominating set: the greedy choice by spans, many vertices at a time [1].

The span of a vertex is the number of undominated vertices among itself and its neighbors. In a
round, all vertices whose span is at least nine tenths of the largest are candidates. Each
undominated vertex is assigned to its adjacent candidate that comes first by a hash of the seed. A
candidate that receives at least nine tenths of its span joins the set. Each member thus covers at
least 0.81 times as many vertices as the greedy choice would. The set is at most 1 / 0.81 times (1 +
ln(d + 1)) as large as the smallest, where d is the highest degree.

claim[v] is 0 while v is undominated, the key of its best candidate within a round, and above all
keys once v is dominated. O(m) work to update spans, and at most O(m) per level for the claims.

[1] G. Blelloch, R. Peng, K. Tangwongsan. Linear-work greedy parallel approximate set cover and
    variants. SPAA 2011.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.independence.maximal_independent_set import in_order
from edgewise.base.checks import check_undirected
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, MAX, advance, compute, filter, reduce_all, reduce_neighbors

__all__ = ["dominating_set"]

_NEARLY = 0.9
_FREE, _DOMINATED = 0, (1 << 63) - 1


@takes_graph
def dominating_set(graph: GraphLike, *, seed: int = 0) -> Any:
    """Return a mask of a small dominating set, found greedily.

    Every vertex is in the set or has a neighbor in it.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.
    seed : int
        Seed that breaks ties. The same seed gives the same set on every device and for any number
        of threads.

    Returns
    -------
    array of bool over vertices
        The set has at most 1.25 (1 + ln(d + 1)) times the minimum size, where d is the highest
        degree.

    Notes
    -----
    O(m log d) time on common graphs, where d is the highest degree.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> two_stars = Graph.from_edges([0, 0, 0, 3, 4, 4], [1, 2, 3, 4, 5, 6])
    >>> dominating_set(two_stars).tolist()
    [True, False, False, False, True, False, False]
    """
    check_undirected(graph, "dominating_set")
    if graph.num_vertices == 0:
        return graph.full(False)
    # 1 where no loop does what a vertex does to itself
    alone = 1 - reduce_neighbors(graph, None, _is_own, graph.vertex_ids(), reduce=ADD)
    span, key = graph.row_lengths() + alone, in_order(graph, graph.full(0), seed)
    claim, chosen, won = graph.full(_FREE), graph.full(False), graph.full(0)
    last = graph.full(_DOMINATED)
    while (greatest := reduce_all(graph, span, reduce=MAX)) > 0:
        least = max(int(np.ceil(_NEARLY * greatest)), 1)
        asking = filter(graph, None, _at_least, (span, least))
        while not asking.empty():
            touched = advance(graph, asking, _itself, claim, reduce=MAX, source_values=key)
            compute(graph, asking, _ask_itself, (claim, key))
            reduce_neighbors(graph, asking, _is_own, claim, own=key, reduce=ADD, out=won)
            joining = filter(graph, asking, _wins, (won, claim, key, alone, span, _NEARLY))
            compute(graph, touched, _let_go, claim)
            compute(graph, asking, _let_go, claim)
            _dominate(graph, joining, (claim, last), chosen, span, alone)
            asking = filter(graph, asking, _at_least, (span, least))
        notify(greatest, phase="dominate")
    return chosen


def _dominate(
    graph: AnyGraph, joining: Any, claims: Any, chosen: Any, span: Any, alone: Any
) -> None:
    """Add vertices to the set, and remove newly dominated vertices from all spans."""
    claim, last = claims
    free = filter(graph, joining, _is_free, claim)
    compute(graph, joining, _join, (claim, chosen))
    reached = advance(graph, joining, _itself, claim, reduce=MAX, source_values=last)
    for now in (free, reached):
        advance(graph, now, _one_less, span, reduce=ADD)
        compute(graph, now, _spans_itself_no_more, (span, alone))


def _at_least(v, span, least):
    return span[v] >= least


def _itself(value):
    return value


def _ask_itself(v, claim, key):
    claim[v] = max(claim[v], key[v])


def _is_own(value, own):
    return 1 if value == own else 0


def _wins(v, won, claim, key, alone, span, nearly):
    mine = won[v] + (alone[v] if claim[v] == key[v] else 0)
    return mine >= nearly * span[v]


def _let_go(v, claim):
    if claim[v] != _DOMINATED:
        claim[v] = _FREE


def _is_free(v, claim):
    return claim[v] == _FREE


def _join(v, claim, chosen):
    claim[v], chosen[v] = _DOMINATED, True


def _one_less():
    return -1


def _spans_itself_no_more(v, span, alone):
    span[v] -= alone[v]

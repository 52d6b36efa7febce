"""SALSA, the stochastic approach for link-structure analysis [1], in closed form.

A random walk alternates between following an edge forward and another one backward. Its visits to
the targets of edges are the authority scores, and its visits to the sources are the hub scores. The
support graph has every vertex once on each side. Its stationary distribution from a uniform start
is known (Prop. 6 of [1]). Within a component, authority scores are proportional to (weighted)
in-degrees and hub scores to out-degrees. The total of a component is its share of that side's
vertices. Components are found by linking the trees of both ends of every out-edge. Elsewhere labels
of hubs are hooked and shortcut in a few passes over the out-edges. Nothing is iterated to
convergence.

[1] R. Lempel, S. Moran. SALSA: the stochastic approach for link-structure analysis. ACM TOIS 19,
    2001.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from edgewise.algorithms.components.linking import link, shorten
from edgewise.algorithms.ranking.circles import members_of
from edgewise.algorithms.ranking.scores import Scores
from edgewise.algorithms.weighting import edge_weights, finite_amounts, weight_reader
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ADD,
    MIN,
    advance,
    compute,
    deliver,
    for_each,
    look_up,
    reduce_all,
    reduce_neighbors,
)
from edgewise.operators.engines import by_rows_or

__all__ = ["salsa"]

_NONE = 2**62


@takes_graph
def salsa(graph: GraphLike, *, circle: Any = None, weights: Any = "weight") -> Scores:
    """Return the hub and authority scores of each vertex by SALSA: HITS with normalized rows.

    Parameters
    ----------
    graph : Graph
        An undirected edge counts in both directions.
    circle : array or list of vertices, optional
        Vertices whose out-edges count; all vertices by default.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights must be finite and not negative. An edge of weight 0 is ignored.

    Returns
    -------
    Scores
        ``(hubs, authorities)``, two arrays of float64 over vertices. Each sums to one, unless there
        are no edges.

    See Also
    --------
    hits : Hub and authority scores as principal eigenvectors.

    Notes
    -----
    O(n + m) time, plus a search per component.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 3], [2, 4, 2, 5], directed=True)
    >>> hubs, authorities = salsa(graph)
    >>> hubs.round(3).tolist()
    [0.444, 0.222, 0.0, 0.333, 0.0, 0.0]
    >>> authorities.round(3).tolist()
    [0.0, 0.0, 0.444, 0.0, 0.222, 0.333]
    """
    finite_amounts(graph, weights)
    members, nothing = members_of(graph, circle), graph.full(0.0)
    leaving, coming = graph.full(0.0), graph.full(0.0)
    along: dict[str, Any] = {"weights": weights}
    reduce_neighbors(graph, members, _weight, nothing, reduce=ADD, mode="out", out=leaving, **along)
    pushing = {**along, "direction": "auto" if members is None else "push"}
    advance(graph, members, _weight, coming, reduce=ADD, **pushing)
    hub, authority = by_rows_or(graph, _linked, _hooked)(graph, members, weights, pushing)
    volume = graph.full(0.0)
    deliver(graph, volume, hub, leaving, reduce=ADD)
    return Scores(_shares(graph, hub, leaving, volume), _shares(graph, authority, coming, volume))


def _linked(
    graph: AnyGraph, members: Any, weights: Any, pushing: dict[str, Any]
) -> tuple[Any, Any]:
    """For every vertex the least hub of its component, as a hub and as an authority; or itself.

    Each edge links the trees of a hub and of an authority, whose numbers come after the hubs'. A
    few edges of each come first: then most trees are one, and flat.
    """
    n, xp = graph.num_vertices, graph.xp
    label, lengths = xp.arange(2 * n), weight_reader(graph, edge_weights(graph, weights))
    for some in (slice(2), slice(2, None)):
        advance(graph, members, _join, (label, n, *lengths), neighbors=some, output=None)
        for_each(2 * n, shorten, label, device=graph.device)
    hub, authority = label[:n], label[n:]
    return hub, xp.where(authority < n, authority, authority - n)


def _join(source, target, edge, label, n, lengths, step):
    if lengths[edge * step] > 0:
        link(source, n + target, label)
    return False


def _hooked(
    graph: AnyGraph, members: Any, weights: Any, pushing: dict[str, Any]
) -> tuple[Any, Any]:
    """The same where edges are not at hand one by one: labels hook onto the least around them."""
    hub = graph.vertex_ids()
    authority, least = graph.full(_NONE), graph.full(_NONE)
    for iteration in count():
        before = hub.copy()
        advance(graph, members, _present, authority, reduce=MIN, source_values=hub, **pushing)
        reduce_neighbors(
            graph,
            members,
            _present,
            authority,
            reduce=MIN,
            mode="out",
            out=least,
            weights=weights,
        )
        deliver(graph, hub, hub, least, reduce=MIN, frontier=members)  # roots hook
        compute(graph, members, _lower, (hub, least))
        hub = look_up(graph, hub, hub)
        changed = reduce_all(graph, (before, hub), reduce=ADD, function=_differs, dtype=np.int64)
        notify(iteration, changed=changed)
        if not changed:
            break
    compute(graph, None, _or_itself, (authority, graph.vertex_ids()))
    return hub, authority


def _shares(graph: AnyGraph, root: Any, degree: Any, volume: Any) -> Any:
    """The scores of one side: degree / volume, times the component's share of the vertices."""
    there, size = graph.full(0.0), graph.full(0.0)
    compute(graph, None, _sign, (there, degree))
    deliver(graph, size, root, there, reduce=ADD)
    number = reduce_all(graph, there, reduce=ADD)
    volume, size = look_up(graph, volume, root), look_up(graph, size, root)
    compute(graph, None, _score, (there, degree, volume, size, number))
    return there


def _weight(weight):
    return np.float64(weight)


def _present(value, weight):
    return value if weight > 0 else np.int64(_NONE)


def _lower(v, hub, least):
    hub[v] = min(hub[v], least[v])


def _differs(v, before, after):
    return 1 if before[v] != after[v] else 0


def _or_itself(v, authority, ids):
    if authority[v] == _NONE:
        authority[v] = ids[v]


def _sign(v, there, degree):
    there[v] = 1.0 if degree[v] > 0 else 0.0


def _score(v, there, degree, volume, size, number):
    if degree[v] > 0:
        there[v] = degree[v] / volume[v] * size[v] / number

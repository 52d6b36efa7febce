"""PageRank [1] by accelerated power iteration (`strides`); each vertex pulls from its in-neighbors.

rank[v] is the stationary probability of v for a random walk. The walk follows an edge with
probability alpha, in proportion to weights, and otherwise jumps. The rank of vertices without
out-edges is redistributed in each iteration. Linear work per iteration.

[1] L. Page, S. Brin, R. Motwani, T. Winograd. The PageRank citation ranking. Stanford, 1999.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.ranking.outflow import outflow, plain
from edgewise.algorithms.ranking.strides import Strides, stride
from edgewise.algorithms.weighting import proportions
from edgewise.base.checkpoints import resumable
from edgewise.base.checks import check_count, check_fraction, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, streams, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, compute, reduce_all, sweep
from edgewise.operators.helpers import inner

__all__ = ["pagerank"]

# On a large graph, rounds run in float32 while the ranks still change by more than _COARSE in all,
# ten times what that rounds off; then in float64, and only these may end the iteration.
_LARGE, _COARSE = 1 << 20, 1e-6


@takes_graph
@streams(96)
def pagerank(
    graph: GraphLike,
    *,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 1000,
    tol: float = 1e-8,
    weights: Any = "weight",
    dangling: Any = None,
    start: Any = None,
) -> Any:
    """Return the PageRank of each vertex.

    Parameters
    ----------
    graph : Graph
        An undirected edge counts in both directions.
    alpha : float
        Probability of following an edge. A larger ``alpha`` takes more iterations.
    personalization : array over vertices, or dict from vertex or label to number, optional
        Distribution of the jumps, in proportion to these numbers; uniform by default.
    max_iter : int
        Maximum number of iterations.
        An iteration multiplies the change by at most ``alpha``. The defaults need at most 118
        iterations, and 1000 are enough up to ``alpha=0.98``.
    tol : float
        Stop once an iteration changes the ranks by less than ``tol``, summed over vertices.
        The total error is then at most ``tol * alpha / (1 - alpha)``. NetworkX stops at ``n *
        tol``. Rounding leaves changes of about 1e-16, so a smaller ``tol`` is never reached.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights must be finite and not negative.
    dangling : array over vertices, or dict from vertex or label to number, optional
        Distribution of the jumps from vertices without out-edges; ``personalization`` by default.
    start : array over vertices, or dict from vertex or label to number, optional
        Ranks to start from, such as those of an earlier graph; only the time depends on them.

    Returns
    -------
    array of float64 over vertices
        The ranks sum to one.

    Raises
    ------
    ConvergenceError
        If the change is not below ``tol`` after ``max_iter`` iterations. Its ``best`` holds the
        last ranks.

    See Also
    --------
    personalized_pagerank : PageRank with all jumps to given vertices.

    Notes
    -----
    O(n + m) time per iteration.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> pagerank(star).round(3).tolist()
    [0.48, 0.173, 0.173, 0.173]
    """
    alpha, max_iter = check_fraction(alpha, "alpha"), check_count(max_iter, "max_iter")
    tol = check_number(tol, "tol")
    n, xp = graph.num_vertices, graph.xp
    if n == 0:
        return graph.full(0.0)
    even = personalization is None and dangling is None
    jump = None if even else proportions(graph, personalization, "personalization")
    sink = jump if dangling is None else proportions(graph, dangling, "dangling")
    message, strength = outflow(graph, weights, "pagerank")
    # flow[v] is rank[v] / strength[v], what v sends per unit of weight; rank[v] if it sends none.
    large = graph.num_arcs >= _LARGE and message is plain  # weights may leave float32's range
    large = large and start is None  # which may be closer than float32 is
    flow = xp.empty(n, xp.float32 if large else xp.float64)
    if even and start is None:
        compute(graph, None, _spread, (flow, strength, 1.0 / n))
    else:
        first = jump if start is None else proportions(graph, start, "start")
        compute(graph, None, _begin, (flow, strength, first))
    lost = reduce_all(graph, (flow, strength), reduce=ADD, function=_stuck)
    # Degrees are read off the rows, which are at hand: a fifth less to read on sparse graphs.
    finish: Any = _by_degree if message is plain else _evenly
    by = graph.indptr if message is plain else strength
    if not even:
        finish, by = _by_proportion, strength
    error, walk = xp.inf, Strides(graph, flow, weights, alpha, tol)
    iteration = 0
    with resumable(graph, "pagerank") as loop:
        while iteration < max_iter:
            iteration, error, lost, *kept = loop(iteration, error, lost, *walk.kept())
            walk.resume(*kept)
            base = (alpha * lost + 1 - alpha) / n if even else alpha * lost
            state: Any = (walk.flow, by, alpha, base, *walk.state)
            before, (error, lost) = error, sweep(
                graph, message, walk.flow, finish, state if even else (*state, sink, jump),
                reduce=ADD, weights=weights, out=walk.following, sums=2,
            )  # fmt: skip
            notify(iteration, error=error)
            coarse = walk.flow.dtype == xp.float32
            if not coarse and error < tol:
                return _ranks(graph, walk.outcome(), strength)
            if iteration + 1 == max_iter:
                break
            walk.over(error)
            iteration += 1
            if coarse and (error < max(tol, _COARSE) or error > before):
                walk.widen()
    best = _ranks(graph, walk.outcome() if max_iter else flow, strength)
    raise ConvergenceError("pagerank", max_iter, error, best=best)


def _ranks(graph: AnyGraph, flow: Any, strength: Any) -> Any:
    """What sits on every vertex, in float64."""
    compute(graph, None, _gather, (flow, strength))
    return strength


def _spread(v, flow, strength, share):
    flow[v] = share / strength[v] if strength[v] > 0 else share


def _begin(v, flow, strength, jump):
    flow[v] = jump[v] / strength[v] if strength[v] > 0 else jump[v]


def _stuck(v, flow, strength):
    return flow[v] if strength[v] == 0 else 0.0


def _gather(v, flow, strength):
    rank = flow[v] * strength[v] if strength[v] > 0 else flow[v]
    strength[v] = 0.0 if rank < 0 else rank  # a stride may go too far, by less than tol


def _by_degree(v, total, flow, starts, alpha, base, earlier, length):
    return _settled(v, alpha * total + base, flow, starts[v + 1] - starts[v], earlier, length)


def _evenly(v, total, flow, strength, alpha, base, earlier, length):
    return _settled(v, alpha * total + base, flow, strength[v], earlier, length)


def _by_proportion(v, total, flow, strength, alpha, lost, earlier, length, sink, jump):
    new = alpha * total + lost * sink[v] + (1 - alpha) * jump[v]
    return _settled(v, new, flow, strength[v], earlier, length)


@inner
def _settled(v, new, flow, leaving, earlier, length):
    """What v sends from now on, by how much its rank changed, and its rank if it sends none."""
    if leaving == 0:
        kept = stride(earlier[v], new, length)
        return kept, abs(new - flow[v]), kept
    return stride(earlier[v], new / leaving, length), abs(new - flow[v] * leaving), 0.0

"""Personalized PageRank for one distribution of jumps, or for many at once [1].

A random walk follows an edge with probability alpha and otherwise jumps to its sources. From a
vertex without out-edges it always jumps. One set of sources is `pagerank` with a personalization.
Many sets are the columns of one `sweep`, up to 64 per pass over the edges. A sweep drops rank at
vertices without out-edges: y = alpha P y + (1 - alpha) s. The true ranks satisfy x = alpha P x + c
s, so x is y divided by its sum. With ``dangling``, x is y plus a multiple of the solution for jumps
there.

[1] B. Bahmani, A. Chowdhury, A. Goel. Fast incremental and personalized PageRank. PVLDB 4, 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.ranking.outflow import outflow
from edgewise.algorithms.ranking.pagerank import pagerank
from edgewise.algorithms.ranking.strides import Strides, stride
from edgewise.algorithms.weighting import proportions, total
from edgewise.base.checks import check_count, check_fraction, check_number, check_vertex
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, sweep

__all__ = ["personalized_pagerank"]

_COLUMNS = 64


@takes_graph
def personalized_pagerank(
    graph: GraphLike,
    sources: Any,
    *,
    alpha: float = 0.85,
    max_iter: int = 1000,
    tol: float = 1e-8,
    weights: Any = "weight",
    dangling: Any = None,
) -> Any:
    """Return the personalized PageRank of each vertex.

    Parameters
    ----------
    graph : Graph
        An undirected edge counts in both directions.
    sources : vertex, dict from vertex to number, array of float, or list of vertices or dicts
        Where jumps go: a vertex (id or label), or a distribution (a dict, or floats over vertices).
        A list, or an array of integers, computes several at once.
    alpha : float
        Probability of following an edge; less than one for several sources at once.
    max_iter : int
        Maximum number of iterations, of O(n + m) time each.
    tol : float
        Stop once an iteration changes the ranks by less than ``tol``, summed over vertices.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
    dangling : array over vertices, or dict from vertex or label to number, optional
        Distribution of the jumps from vertices without out-edges; as ``sources`` by default.

    Returns
    -------
    array of float64
        An array over vertices; for a list of k, an array of shape (k, n). Each row sums to one.

    Raises
    ------
    ConvergenceError
        If the change is not below ``tol`` after ``max_iter`` iterations; ``best`` holds the ranks.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> personalized_pagerank(path, 0).round(3).tolist()
    [0.302, 0.358, 0.238, 0.101]
    >>> personalized_pagerank(path, [0, 3]).round(3).tolist()
    [[0.302, 0.358, 0.238, 0.101], [0.101, 0.238, 0.358, 0.302]]
    """
    if not _several(sources):
        jump = (
            sources if _is_proportion(sources) else {check_vertex(graph, sources, "sources"): 1.0}
        )
        given: dict[str, Any] = {"alpha": alpha, "max_iter": max_iter, "tol": tol}
        given["weights"] = Arcs(weights)
        try:
            return pagerank(graph, personalization=jump, dangling=dangling, **given)
        except ConvergenceError as failed:
            name, best = "personalized_pagerank", failed.best
            raise ConvergenceError(name, failed.iterations, failed.error, best=best) from None
    alpha, max_iter = check_fraction(alpha, "alpha"), check_count(max_iter, "max_iter")
    tol = check_number(tol, "tol")
    if alpha == 1:
        raise ValueError("alpha must be below 1 for many sources at once, got 1")
    sink = None if dangling is None else proportions(graph, dangling, "dangling")
    message, strength = outflow(graph, weights, "personalized_pagerank")
    lost = strength == 0
    whole = not bool(lost.any())
    # A column's sum is at least 1 - alpha, and what it changes by counts twice over the sum.
    walk = _Walk(
        message, weights, strength, alpha, max_iter, tol if whole else tol * (1 - alpha) / 2
    )
    found, errors = graph.xp.empty((graph.num_vertices, len(sources))), []
    for first in range(0, len(sources), _COLUMNS):
        flows, error = _walked(graph, walk, _jumps(graph, sources[first : first + _COLUMNS]))
        errors.append(error)
        for j in range(flows.shape[1]):
            found[:, first + j] = _ranks(flows[:, j], strength, lost)
    if sink is not None and not whole:
        flows, error = _walked(graph, walk, sink[:, None].copy())
        errors.append(error)
        _lead_on(found, _ranks(flows[:, 0], strength, lost), lost, alpha / (1 - alpha))
    elif not whole:
        for j in range(len(sources)):
            found[:, j] = found[:, j] / total(found[:, j])
    if max(errors, default=0.0) >= walk.goal:
        raise ConvergenceError("personalized_pagerank", max_iter, max(errors), best=found.T)
    return found.T


class _Walk(NamedTuple):
    """How walkers go: what does not differ between columns."""

    message: Any
    weights: Any
    strength: Any
    alpha: float
    max_iter: int
    goal: float


def _walked(graph: AnyGraph, walk: _Walk, jump: Any) -> tuple[Any, float]:
    """Where walkers are, per unit of weight that they leave by, and by how much it changed last."""
    share = 1 / (walk.strength + (walk.strength == 0))
    # A column sums to one from the start: its sum alone would take the most rounds.
    flow, error = jump * share[:, None], np.inf
    states = Strides(graph, flow, walk.weights, walk.alpha, walk.goal)
    for iteration in range(walk.max_iter):
        state = (states.flow, walk.strength, walk.alpha, jump, *states.state)
        error = sweep(
            graph, walk.message, states.flow, _moved, state, reduce=ADD, weights=walk.weights,
            out=states.following,
        )  # fmt: skip
        notify(iteration, error=error)
        if error < walk.goal or iteration + 1 == walk.max_iter:
            return np.maximum(states.outcome(), 0), error
        states.over(error)
    return states.flow, error


def _several(source: Any) -> bool:
    """Is it a list of starts, rather than one?"""
    if hasattr(source, "dtype") and _is_array(source):
        return source.dtype.kind not in "fO" or source.ndim > 1
    return isinstance(source, (list, tuple))


def _is_array(one: Any) -> bool:
    return getattr(one, "shape", ()) != ()


def _is_proportion(one: Any) -> bool:
    return isinstance(one, dict) or _is_array(one)


def _jumps(graph: AnyGraph, sources: Any) -> Any:
    """Where the walker of each column starts: n x k numbers."""
    jump = graph.xp.zeros((graph.num_vertices, len(sources)))
    for j, one in enumerate(sources):
        if _is_proportion(one):
            jump[:, j] = proportions(graph, one, "sources")
        else:
            jump[check_vertex(graph, one, "sources"), j] = 1.0
    return jump


def _ranks(flow: Any, strength: Any, lost: Any) -> Any:
    return flow * (strength + lost)


def _lead_on(found: Any, sink: Any, lost: Any, odds: float) -> None:
    """Redistribute lost rank to ``sink``, including what is lost again from there."""
    again = odds / (1 - odds * total(sink * lost))
    for j in range(found.shape[1]):
        column = found[:, j]
        found[:, j] = column + again * total(column * lost) * sink


def _moved(v, total, flow, strength, alpha, jump, earlier, length, column):
    new, leaving = alpha * total + (1 - alpha) * jump[v, column], strength[v]
    if leaving == 0:
        return stride(earlier[v, column], new, length), abs(new - flow[v, column])
    sent = stride(earlier[v, column], new / leaving, length)
    return sent, abs(new - flow[v, column] * leaving)

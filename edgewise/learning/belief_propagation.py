"""Loopy belief propagation on pairwise Markov random fields: sum-product and max-product [1].

Every vertex has one of s states. The weight of an assignment is the product of a factor for each
vertex and its state, and of one for each edge and the two states. Vertices send messages along
edges: what a vertex knows without the receiver, through the factor of the edge. Messages are
logarithms, so that nothing underflows. On trees the result is exact after as many rounds as the
diameter; on graphs with cycles it is approximate, and may not converge.

[1] J. Pearl. Probabilistic reasoning in intelligent systems. 1988. K. Murphy, Y. Weiss, M. Jordan.
    Loopy belief propagation for approximate inference: an empirical study. UAI 1999.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_number
from edgewise.base.errors import ConvergenceError
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["Beliefs", "belief_propagation"]


class Beliefs(NamedTuple):
    """What belief propagation says of each vertex.

    Attributes
    ----------
    marginals : array of float64, vertices x states
        The probability of each state. With max-product, the largest weight of an assignment with
        that state, up to a factor; rows sum to 1.
    states : array of int64
        The most probable state of each vertex. With max-product on a tree with one best assignment,
        that assignment.
    iterations : int
        The number of rounds.
    """

    marginals: np.ndarray
    states: np.ndarray
    iterations: int


@takes_graph
def belief_propagation(
    graph: LocalGraphLike,
    potentials: Any,
    *,
    pairwise: Any,
    method: str = "sum_product",
    damping: float = 0.0,
    tol: float = 1e-6,
    max_iter: int = 200,
) -> Beliefs:
    """Return the marginals of a pairwise Markov random field by belief propagation.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory, without self-loops. Weights are ignored; ``pairwise`` can be
        made from them.
    potentials : array, vertices x states
        The factor of each vertex and state, not negative and not 0 for all states of a vertex.
    pairwise : array, states x states, or edges x states x states
        The positive factor of each edge and the states of its two ends. One matrix for all edges
        must be symmetric. With one per edge, rows are states of the smaller end, in the order of
        ``graph.edges()``. ``np.exp(weights[:, None, None] * np.eye(s))`` makes neighbors of heavy
        edges agree.
    method : {"sum_product", "max_product"}
        Marginals, or the most probable assignment.
    damping : float
        The share of the last message in a new one, from 0 to less than 1. Try 0.5 if it does not
        converge.
    tol : float
        The largest change of a message at the end.
    max_iter : int
        The largest number of rounds.

    Returns
    -------
    Beliefs
        ``marginals``, ``states`` and ``iterations``.

    Raises
    ------
    ConvergenceError
        If messages still change after ``max_iter`` rounds; ``best`` has the beliefs so far.

    Notes
    -----
    O(m s^2) time for each round, 24 m s bytes.

    Examples
    --------
    The middle of a path is probably in state 1, and neighbors tend to agree:

    >>> from edgewise import generators
    >>> potentials = [[1, 1], [1, 4], [1, 1]]
    >>> found = belief_propagation(generators.path(3), potentials, pairwise=[[2, 1], [1, 2]])
    >>> found.marginals.round(3).tolist(), found.states.tolist()
    ([[0.4, 0.6], [0.2, 0.8], [0.4, 0.6]], [1, 1, 1])
    """
    check_host(graph, "belief_propagation")
    check_choice(method, "method", ("sum_product", "max_product"))
    rate, most = _check_damping(damping), check_count(max_iter, "max_iter", 1)
    tol = check_number(tol, "tol", positive=True)
    own, between = _logarithms(graph, potentials, pairwise)
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    reverse, states = graph.reverse_arc, own.shape[1]
    messages, change, turn = np.zeros((graph.num_arcs, states)), 0.0, 0
    combine = np.logaddexp if method == "sum_product" else np.maximum
    while turn < most and len(messages):
        # what the source of each arc knows, without what the target has said
        known = _beliefs(own, rows, messages[reverse])[rows] - messages[reverse]
        new = combine.reduce(known[:, :, None] + between, axis=1)
        new -= np.logaddexp.reduce(new, axis=1)[:, None]
        new = rate * messages + (1 - rate) * new
        change = float(abs(np.exp(new) - np.exp(messages)).max())
        messages, turn = new, turn + 1
        notify(turn - 1, change=change)
        if change <= tol:
            break
    belief = _beliefs(own, rows, messages[reverse])
    belief -= np.logaddexp.reduce(belief, axis=1)[:, None]
    found = Beliefs(np.exp(belief), belief.argmax(axis=1), turn)
    if change > tol:
        raise ConvergenceError("belief_propagation", turn, change, best=found)
    return found


def _beliefs(own: np.ndarray, rows: np.ndarray, incoming: np.ndarray) -> np.ndarray:
    """The factors of each vertex and all messages to it, as logarithms."""
    n = len(own)
    return own + np.stack(
        [np.bincount(rows, column, minlength=n) for column in incoming.T], axis=1
    ).reshape(own.shape)


def _logarithms(graph: Graph, potentials: Any, pairwise: Any) -> tuple[np.ndarray, np.ndarray]:
    """The factors of vertices, and of arcs from their source to their target."""
    if graph.directed or graph.num_self_loops:
        raise ValueError("graph must be undirected and have no self-loops")
    own = _numbers(potentials, "potentials")
    n = graph.num_vertices
    if own.ndim != 2 or len(own) != n or own.shape[1] == 0:
        raise ValueError(f"potentials must have shape ({n}, states), got {own.shape}")
    if (own < 0).any() or (own.max(axis=1, initial=0) <= 0).any():
        raise ValueError("potentials must not be negative, nor 0 for all states of a vertex")
    factors, s = _numbers(pairwise, "pairwise"), own.shape[1]
    if factors.shape not in ((s, s), (graph.num_edges, s, s)):
        raise ValueError(
            f"pairwise must have shape ({s}, {s}) or ({graph.num_edges}, {s}, {s}), got "
            f"{factors.shape}"
        )
    if not (factors > 0).all():
        raise ValueError("pairwise must be positive")
    with np.errstate(divide="ignore"):
        shares = own / own.max(axis=1, initial=0, keepdims=True)
        logs = np.maximum(np.log(shares), -700.0)  # as good as impossible, and finite
    if factors.ndim == 2:
        if not np.allclose(factors, factors.T):
            raise ValueError("pairwise must be symmetric if it is one matrix for all edges")
        return logs, np.log(factors)[None]
    between = np.log(factors)[graph.arc_to_edge]
    sources, targets, _ = graph.arcs()
    back = sources > targets
    between[back] = between[back].transpose(0, 2, 1)
    return logs, between


def _numbers(given: Any, name: str) -> np.ndarray:
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers, got {given!r:.80}") from None
    if not np.isfinite(found).all():
        raise ValueError(f"{name} must be finite")
    return found


def _check_damping(damping: Any) -> float:
    rate = check_number(damping, "damping")
    if not 0 <= rate < 1:
        raise ValueError(f"damping must lie in [0, 1), got {damping!r}")
    return rate

"""Betweenness centrality within a given error, by adaptive sampling (after KADABRA [1]).

A sample is a random shortest path between a random pair of vertices (`path_samples`). The number of
samples whose path passes through v is binomial; its mean is the betweenness of v. With probability
1 - d, Chernoff's bounds for t samples and a fraction p of them hold: with L = ln(1 / d) / t, the
error is at most sqrt(2 p L) downward and L + sqrt(L² + 2 p L) upward, and at most sqrt(L / 2).

The probability of failure is divided among vertices and checks. A few samples, which are not used
again, show how: central vertices get more of it, so that all bounds are reached at about the same
time. KADABRA checks at any time and has bounds for martingales. Here the numbers of samples at
which the bounds are checked are fixed in advance, and those of binomial numbers are tighter.

[1] M. Borassi, E. Natale. KADABRA is an adaptive algorithm for betweenness via random
    approximation. ESA 2016.
"""

from __future__ import annotations

from math import ceil
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.centrality.path_samples import sample_paths
from edgewise.algorithms.centrality.sampling_plan import errors, is_ranked, most_samples, plan
from edgewise.algorithms.centrality.search_memory import new_searches
from edgewise.base.checks import check_count, check_number
from edgewise.base.observe import notify
from edgewise.base.random import check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["BetweennessEstimate", "approximate_betweenness_centrality"]

#: The first samples are such a part of the most that may be needed.
_FIRST = 0.01


class BetweennessEstimate(NamedTuple):
    """Estimates of the betweenness centrality, and bounds that all hold together.

    Attributes
    ----------
    scores : array of float64 over vertices
        The estimated betweenness centrality, normalized.
    lower_bound, upper_bound : array of float64 over vertices
        With probability ``1 - delta``, all vertices have a betweenness centrality between these.
    samples : int
        The number of sampled paths.
    """

    scores: Any
    lower_bound: Any
    upper_bound: Any
    samples: int


@takes_graph
def approximate_betweenness_centrality(
    graph: LocalGraphLike,
    *,
    epsilon: float = 0.01,
    delta: float = 0.1,
    k: int | None = None,
    seed: int = 0,
) -> BetweennessEstimate:
    """Return estimates of the betweenness centrality of each vertex, with bounds on their error.

    With probability ``1 - delta``, all estimates have an error of at most ``epsilon``.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, in host memory. Weights are ignored.
    epsilon : float
        The largest error of a normalized betweenness centrality, between 0 and 1. The number of
        samples grows with 1 / epsilon², and with the largest centrality.
    delta : float
        The probability that some bound does not hold, between 0 and 1.
    k : int, optional
        Only rank the ``k`` most central vertices. Sampling ends as soon as their order is certain
        but for vertices within ``epsilon`` of one another. Others may have a larger error.
    seed : int
        Seed of the random paths. A seed gives the same result on any number of threads.

    Returns
    -------
    BetweennessEstimate
        The estimates, bounds for each vertex, and the number of samples. Values are normalized as
        those of `betweenness_centrality`.

    See Also
    --------
    betweenness_centrality : Exact, or from random sources without a bound.

    Notes
    -----
    O(log(n / delta) / epsilon²) samples at most. A sample visits a small part of most graphs, about
    the square root of m edges in many of them, and O(n + m) at most. O(n) memory per thread.

    Examples
    --------
    >>> from edgewise.generators import karate_club
    >>> found = approximate_betweenness_centrality(karate_club(), epsilon=0.02)
    >>> int(found.scores.argmax()), bool(abs(found.scores[0] - 0.4376) <= 0.02)
    (0, True)
    """
    check_host(graph, "approximate_betweenness_centrality")
    epsilon, delta = _check_part(epsilon, "epsilon"), _check_part(delta, "delta")
    word, n = check_seed(seed), graph.num_vertices
    if k is not None and check_count(k, "k", 1) > max(n, 1):
        raise ValueError(f"k must be at most the number of vertices ({n}), got {k}")
    if n < 3:
        return BetweennessEstimate(np.zeros(n), np.zeros(n), np.zeros(n), 0)
    factor = n / (n - 2)  # of the pairs, those without v
    error = epsilon / factor
    searches, counts = new_searches(graph), np.zeros(n, np.int64)
    first = ceil(_FIRST * most_samples(n, error, delta, 1))
    sample_paths(graph, range(first), word, searches, counts)
    checks, trust = plan(counts, first, error, delta, k)
    counts[:], done = 0, 0
    for turn, size in enumerate(checks):
        sample_paths(graph, range(first + done, first + size), word, searches, counts)
        done = size
        share, (below, above) = counts / done, errors(counts / done, trust / done)
        if k is None:
            ready = bool(max(below.max(), above.max()) <= error)
        else:
            ready = is_ranked(share, below, above, k, error)
        notify(turn, samples=done, error=float(max(below.max(), above.max())) * factor)
        if ready:
            break
    bounds = np.maximum(share - below, 0) * factor, np.minimum((share + above) * factor, 1)
    return BetweennessEstimate(np.minimum(share * factor, 1), *bounds, done)


def _check_part(value: Any, name: str) -> float:
    number = check_number(value, name, positive=True)
    if not 1e-9 < number < 1:
        raise ValueError(f"{name} must be above 1e-9 and below 1, got {value!r}")
    return number

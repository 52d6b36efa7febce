"""Influence maximization: k seed vertices of large expected spread [1].

The greedy choice reaches 1 - 1/e of the optimum when marginal gains are known exactly. `imm` and
`opim` estimate gains by random reverse reachable sets, and `hill_climbing` by simulation.

[1] D. Kempe, J. Kleinberg, E. Tardos. Maximizing the spread of influence through a social network.
    KDD 2003.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.algorithms.influence.degree_discount import degree_discount
from edgewise.algorithms.influence.diffusion import MODELS, ONCE, chances, course
from edgewise.algorithms.influence.hill_climbing import by_function, by_runs, climb
from edgewise.algorithms.influence.imm import imm
from edgewise.algorithms.influence.laws import law_of
from edgewise.algorithms.influence.live_runs import begin, estimate
from edgewise.algorithms.influence.opim import opim
from edgewise.algorithms.influence.seed_samples import Problem, Seeds
from edgewise.base.checks import (
    check_bytes,
    check_choice,
    check_count,
    check_number,
    check_one_device,
)
from edgewise.base.once import once
from edgewise.base.random import check_seed, hashed
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices
from edgewise.operators.reaching import odds

__all__ = ["Seeds", "maximize"]

_SAMPLING, _CLIMBING = ("imm", "opim"), ("greedy", "celf")
_METHODS = (*_SAMPLING, *_CLIMBING, "degree_discount")
_EPSILON, _RUNS = 0.13, 10_000


@takes_graph
def maximize(
    graph: GraphLike,
    k: int,
    *,
    model: str | Callable[[list[int]], float] = "independent_cascade",
    probability: Any = "weighted_cascade",
    method: str = "imm",
    epsilon: float | None = None,
    delta: float | None = None,
    runs: int | None = None,
    recovery_probability: float | None = None,
    incubation_probability: float | None = None,
    candidates: Any = None,
    memory: int | str | None = None,
    seed: int = 0,
) -> Seeds:
    """Return k seed vertices of large expected spread.

    Parameters
    ----------
    graph : Graph
    k : int
        The number of seeds, at most the number of candidates.
    model : {"independent_cascade", "linear_threshold", "sir", "seir"}
        The diffusion model, as for `simulate`. "greedy" and "celf" alone take "sir", "seir", or a
        function that returns the spread of a list of vertices.
    probability : float, {"weighted_cascade", "trivalency", "weight"} or array over edges
        The transmission probability of each edge, as for `simulate`.
    method : {"imm", "opim", "greedy", "celf", "degree_discount"}
        The algorithm. "imm" draws as many samples as its theory demands. "opim" stops when its
        samples prove the guarantee, often far sooner. "greedy" simulates every candidate. "celf"
        gives the same seeds with fewer simulations. "degree_discount" is a heuristic.
    epsilon : float, optional
        For "imm" and "opim": the spread is at least 1 - 1/e - epsilon of the optimum. The default
        0.13 guarantees one half. Larger values need fewer samples, in proportion to 1 / epsilon^2.
    delta : float, optional
        For "imm" and "opim": the probability that the guarantee fails, 1 / n by default.
    runs : int, optional
        For the other methods: the number of simulations per estimate, 10,000 by default.
    recovery_probability, incubation_probability : float, optional
        For "sir" and "seir", as for `simulate`.
    candidates : list of vertices, optional
        The vertices to choose from, by id or label. By default all vertices.
    memory : int or str, optional
        The memory limit for samples, such as "4GiB". There "opim" stops; "imm" raises MemoryError.
    seed : int
        The same seed gives the same result on every device and for any number of threads.

    Returns
    -------
    Seeds
        ``chosen`` in the order of choice, their ``gains``, the expected ``spread``, and bounds.

    Examples
    --------
    Two stars:

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 0, 0, 5, 5], [1, 2, 3, 4, 6, 7])
    >>> found = maximize(graph, 2, probability=0.5)
    >>> found.chosen.tolist(), round(found.spread)
    ([0, 5], 5)
    >>> found.ratio > 0.5, found.lower_bound <= found.spread <= found.upper_bound
    (True, True)
    """
    check_choice(method, "method", _METHODS)
    if method not in _SAMPLING:
        check_one_device(graph, f"maximize by {method!r}")
    _only(f"method {method!r}", method in _SAMPLING, epsilon=epsilon, delta=delta, memory=memory)
    _only(f"method {method!r}", method not in _SAMPLING, runs=runs)
    _only(
        f"method {method!r}",
        method in _CLIMBING,
        recovery_probability=recovery_probability,
        incubation_probability=incubation_probability,
    )
    allowed = _candidates(graph, candidates)
    k, seed = check_count(k, "k", 0, len(allowed)), int(check_seed(seed))
    lazy = method == "celf"
    if method in _CLIMBING and not isinstance(model, str) and callable(model):
        _only(
            "a function as model",
            False,
            runs=runs,
            recovery_probability=recovery_probability,
            incubation_probability=incubation_probability,
        )
        seeds, gains = climb(allowed, k, by_function(model), lazy=lazy)
        return Seeds(seeds, gains, float(gains.sum()), np.nan, np.nan, np.nan, 0, 0)
    model = check_choice(model, "model", MODELS if method in _CLIMBING else ONCE)
    if method in _SAMPLING:
        problem = Problem(
            graph=graph,
            odds=_odds(graph, model, probability),
            k=k,
            candidates=allowed,
            epsilon=_open(epsilon, "epsilon", _EPSILON),
            delta=_open(delta, "delta", min(0.5, 1 / max(graph.num_vertices, 1))),
            seed=seed,
            memory=None if memory is None else min(check_bytes(memory, "memory"), 1 << 60),
        )
        return _NOBODY if k == 0 else imm(problem) if method == "imm" else opim(problem)
    runs = check_count(_RUNS if runs is None else runs, "runs", 1, 2**24)
    law = law_of(
        graph,
        chances(graph, model, probability),
        course(model, recovery_probability, incubation_probability),
    )
    if k == 0:
        return _NOBODY
    fresh = begin(graph, law, runs, int(hashed(seed, 2)))
    if method == "degree_discount":
        seeds, gains = degree_discount(graph, k, law.chance, allowed)
    else:
        rater = by_runs(begin(graph, law, runs, int(hashed(seed, 1))), lazy=lazy)
        seeds, gains = climb(allowed, k, rater, lazy=lazy)
    spread, lower = estimate(fresh, seeds)
    return Seeds(seeds, gains, spread, lower, np.nan, np.nan, runs, fresh.known.nbytes)


_NOBODY = Seeds(np.zeros(0, np.int64), np.zeros(0), 0.0, 0.0, 0.0, 1.0, 0, 0)


def _only(what: str, known: bool, **given: Any) -> None:
    """ValueError for arguments that mean nothing to a method."""
    for name, value in given.items():
        if value is not None and not known:
            raise ValueError(f"{name} has no meaning for {what}, got {value!r:.80}")


def _open(value: Any, name: str, usual: float) -> float:
    """A number between 0 and 1, neither of them."""
    number = usual if value is None else check_number(value, name, positive=True)
    if number >= 1:
        raise ValueError(f"{name} must lie between 0 and 1, got {value!r}")
    return number


def _candidates(graph: AnyGraph, candidates: Any) -> np.ndarray:
    """Who may be chosen, ascending."""
    if candidates is None:
        return np.arange(graph.num_vertices)
    return np.unique(check_vertices(graph, candidates, "candidates"))


def _odds(graph: AnyGraph, model: str, probability: Any) -> Any:
    """The chances of edges as `reach` takes them; kept with the graph if they have a name."""
    take = "one" if model == "linear_threshold" else "each"

    def made() -> Any:
        return odds(graph, chances(graph, model, probability).thresholds, mode="in", take=take)

    named = isinstance(probability, str)
    return once(graph, f"odds, {model}, {probability}", made) if named else made()

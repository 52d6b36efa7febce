"""Random edge weights: a hash of the two ends, transformed to a distribution.

The weight of an edge depends on (seed, smaller end, larger end) alone. So both directions of an
undirected edge agree, in any order and for any number of threads. A directed edge hashes its source
and its target. The inverse of the cumulative distribution function maps that one uniform number to
the weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.parallel import launch
from edgewise.base.random import check_seed
from edgewise.generators.draws import check_number
from edgewise.graph import Graph
from edgewise.graph.edges import Arcs

__all__ = ["integer_weights", "random_weights"]


def random_weights(
    graph: Graph,
    distribution: str = "uniform",
    *,
    low: float | None = None,
    high: float | None = None,
    mean: float | None = None,
    std: float | None = None,
    seed: int = 0,
) -> Graph:
    """Return the graph with random edge weights.

    Parameters
    ----------
    graph : Graph
        Any graph. Its weights are replaced.
    distribution : {"uniform", "integer", "exponential", "normal", "lognormal", "unit"}
        The distribution of the weights. ``uniform`` is over [low, high), by default [0, 1).
        ``integer`` is from low to high inclusive, by default 1 to 255 as in the GAP benchmarks.
        ``exponential`` has ``mean`` 1 by default. ``normal`` has ``mean`` 0 and ``std`` 1 by
        default. ``lognormal`` has a logarithm of ``mean`` 0 and ``std`` 1 by default. ``unit`` is
        all ones.
    low, high, mean, std : float, optional
        The parameters of the distribution. A parameter that it does not have is an error.
    seed : int
        The same seed gives the same weights for any number of threads.

    Returns
    -------
    Graph
        The weights are int32 or int64 for ``integer``, and float64 otherwise.

    Raises
    ------
    ValueError
        If a parameter does not belong to the distribution or is out of range.

    Notes
    -----
    O(m) time.

    Examples
    --------
    >>> triangle = Graph.from_edges([0, 1, 2], [1, 2, 0])
    >>> weighted = random_weights(triangle, "integer", low=1, high=9)
    >>> bool((weighted.weights >= 1).all() and (weighted.weights <= 9).all())
    True
    >>> random_weights(triangle, "unit").weights.tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    from edgewise.generators.cpu.edge_uniform import edge_uniforms

    shape = _DISTRIBUTIONS[check_choice(distribution, "distribution", _DISTRIBUTIONS)]
    given = {"low": low, "high": high, "mean": mean, "std": std}
    parameters = _parameters(distribution, shape, given)
    u = np.empty(graph.num_arcs)
    # fmt: off
    launch(edge_uniforms, check_seed(seed), graph.directed, graph.indptr, graph.indices, u,
           work=graph.num_arcs)
    # fmt: on
    return graph.with_weights(Arcs(shape.inverse(u, **parameters)))


def integer_weights(
    sources: np.ndarray, targets: np.ndarray, *, high: int, directed: bool = False, seed: int = 0
) -> np.ndarray:
    """Return the integer weights from 1 to ``high`` that `random_weights` gives to arcs.

    Parameters
    ----------
    sources, targets : arrays of vertex ids
        The two ends of each arc.
    high : int
        The largest weight.
    directed : bool
        Give (u, v) and (v, u) independent weights.
    seed : int
        The seed, as for `random_weights`.

    Returns
    -------
    numpy.ndarray
        The weight of each arc.

    Examples
    --------
    >>> both = integer_weights(np.array([3, 8]), np.array([8, 3]), high=100)
    >>> bool(both[0] == both[1])
    True
    """
    from edgewise.generators.cpu.edge_uniform import ends_uniforms

    parameters = _parameters("integer", _DISTRIBUTIONS["integer"], {"low": 1, "high": high})
    u = np.empty(len(sources))
    launch(ends_uniforms, check_seed(seed), directed, sources, targets, u, work=len(u))
    return _integer(u, **parameters)


class _Distribution(NamedTuple):
    defaults: dict[str, float]
    inverse: Callable[..., np.ndarray]


def _parameters(name: str, shape: _Distribution, given: dict[str, Any]) -> dict[str, float]:
    """The defaults and what replaces them, checked."""
    given = {key: value for key, value in given.items() if value is not None}
    for key in given:
        if key not in shape.defaults:
            known = " and ".join(shape.defaults) or "no parameters"
            raise ValueError(f"{key} does not belong to the {name} distribution, which has {known}")
    chosen = {
        key: check_number(given.get(key, value), key) for key, value in shape.defaults.items()
    }
    if name == "integer":
        for key, value in chosen.items():
            if value != int(value) or abs(value) >= 2**53:
                raise ValueError(f"{key} must be a whole number below 2**53, got {given[key]!r}")
    if "low" in chosen and chosen["low"] > chosen["high"]:
        raise ValueError(f"low must not exceed high, got {chosen['low']:g} > {chosen['high']:g}")
    if name == "exponential" and chosen["mean"] <= 0:
        raise ValueError(f"mean must be greater than 0, got {chosen['mean']:g}")
    if chosen.get("std", 0) < 0:
        raise ValueError(f"std must be at least 0, got {chosen['std']:g}")
    return chosen


def _uniform(u: np.ndarray, low: float, high: float) -> np.ndarray:
    return low + (high - low) * u


def _integer(u: np.ndarray, low: float, high: float) -> np.ndarray:
    numbers = np.floor(low + (high - low + 1) * u)
    fits = low >= -(2**31) and high < 2**31
    return np.clip(numbers, low, high).astype(np.int32 if fits else np.int64)


def _exponential(u: np.ndarray, mean: float) -> np.ndarray:
    return -mean * np.log1p(-u)


def _normal(u: np.ndarray, mean: float, std: float) -> np.ndarray:
    from scipy.special import ndtri

    return mean + std * ndtri(u)


def _lognormal(u: np.ndarray, mean: float, std: float) -> np.ndarray:
    return np.exp(_normal(u, mean, std))


_DISTRIBUTIONS = {
    "uniform": _Distribution({"low": 0.0, "high": 1.0}, _uniform),
    "integer": _Distribution({"low": 1, "high": 255}, _integer),
    "exponential": _Distribution({"mean": 1.0}, _exponential),
    "normal": _Distribution({"mean": 0.0, "std": 1.0}, _normal),
    "lognormal": _Distribution({"mean": 0.0, "std": 1.0}, _lognormal),
    "unit": _Distribution({}, np.ones_like),
}

"""Assortativity: the tendency of edges to join similar vertices [1].

For degrees and other numbers it is the Pearson correlation of the values at both ends of edges. An
undirected edge counts in both directions and a self-loop once, as in NetworkX. For categories it
compares the fraction of edges within one category with that expected by chance. Linear work.

[1] M. Newman. Mixing patterns in networks. Physical Review E 67, 2003.
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

import numpy as np

from edgewise.algorithms.communities.labelings import as_labels, gathered, shares
from edgewise.algorithms.structure.exact_correlation import exact_correlation
from edgewise.algorithms.weighting import as_numbers, edge_weights
from edgewise.base.checks import check_choice
from edgewise.base.ranges import near_one
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import ADD, reduce_all, sweep
from edgewise.operators.monoids import add_each

__all__ = [
    "attribute_assortativity_coefficient",
    "degree_assortativity_coefficient",
    "numeric_assortativity_coefficient",
]


@takes_graph
def degree_assortativity_coefficient(
    graph: GraphLike, *, x: str = "out", y: str = "in", weights: Any = None
) -> float:
    """Return the degree assortativity coefficient: the correlation of the degrees at edge ends.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. A self-loop counts twice in an undirected degree.
    x, y : {"out", "in"}
        Which degree counts at the source (x) and at the target (y) of a directed edge.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Sums of weights then replace degrees. Weights must be finite and not negative.

    Returns
    -------
    float
        From -1 to 1; NaN if there are no edges or all degrees are equal.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> round(degree_assortativity_coefficient(Graph.from_edges([0, 1, 2], [1, 2, 3])), 9)
    -0.5
    """
    check_choice(x, "x", ("out", "in"))
    check_choice(y, "y", ("out", "in"))
    if not graph.directed:
        x = y = "out"
    found = exact_correlation(graph, weights)
    if found is not None:
        return found
    arcs = _arcs(graph)
    degree = {side: _degrees(graph, weights, side, arcs) for side in sorted({x, y})}
    return _correlation(graph, arcs, degree[x], degree[y])


@takes_graph
def numeric_assortativity_coefficient(graph: GraphLike, attribute: Any) -> float:
    """Return the assortativity coefficient of a numeric attribute: its correlation at edge ends.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Weights are ignored.
    attribute : array over vertices
        A finite number for each vertex.

    Returns
    -------
    float
        From -1 to 1; NaN if there are no edges or all values at edge ends are equal.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> pairs = Graph.from_edges([0, 2], [1, 3])
    >>> round(numeric_assortativity_coefficient(pairs, [1, 1, 5, 5]), 9)
    1.0
    """
    number = as_numbers(graph, attribute, "attribute")
    if tuple(number.shape) != (graph.num_vertices,):
        raise ValueError(f"attribute must have one entry per vertex ({graph.num_vertices}), "
                         f"got {number.shape}")  # fmt: skip
    if graph.num_vertices and not abs(number).max() < np.inf:
        raise ValueError(f"attribute must be finite, got {abs(number).max()}")
    return _correlation(graph, _arcs(graph), number, number)


@takes_graph
def attribute_assortativity_coefficient(graph: GraphLike, attribute: Any) -> float:
    """Return the assortativity coefficient of a categorical attribute.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Weights are ignored.
    attribute : array of int over vertices
        The category of each vertex.

    Returns
    -------
    float
        1 if all edges join equal categories; NaN for no edges, or one category at all ends.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> round(attribute_assortativity_coefficient(path, [7, 7, 9, 9]), 3)
    0.333
    """
    key = as_labels(graph, attribute, "attribute")
    out, apart = shares(graph, key, None, loop=1)
    entering = shares(graph, key, None, loop=1, mode="in")[0] if graph.directed else out
    total = reduce_all(graph, out, reduce=ADD)
    if total == 0:
        return nan
    between = reduce_all(graph, apart, reduce=ADD)
    sums = gathered(graph, key, out), gathered(graph, key, entering)
    chance = reduce_all(graph, sums, reduce=ADD, function=_product) / total**2
    return 1 - between / total / (1 - chance) if chance < 1 else nan


def _degrees(graph: AnyGraph, weights: Any, side: str, arcs: dict[str, Any]) -> Any:
    """Degrees as float64, in or out, or sums of weights; loops count twice if undirected."""
    plain = edge_weights(graph, weights) is None
    if plain and (graph.directed or graph.num_self_loops == 0):
        return arcs[side]
    return shares(graph, graph.full(0, np.int64), weights, mode=side)[0]


def _arcs(graph: AnyGraph) -> dict[str, Any]:
    """How many arcs leave every vertex, and enter it: one array if the graph is undirected."""
    out = graph.row_lengths().astype(np.float64)
    return {"out": out, "in": graph.column_lengths().astype(np.float64) if graph.directed else out}


def _correlation(graph: AnyGraph, arcs: dict[str, Any], x: Any, y: Any) -> float:
    """Of x at sources and y at targets, over all arcs; by differences from the mean."""
    alike = x is y and not graph.directed
    x, y = near_one(x), near_one(y)
    number, sum_x = _sums(graph, arcs["out"], x)
    if number == 0:
        return nan
    mean_x = sum_x / number
    mean_y = mean_x if alike else _sums(graph, arcs["in"], y)[1] / number
    both, spread_y = sweep(
        graph, _beyond, x, _together, (y, arcs["in"], mean_y), reduce=ADD, out=graph.full(0.0),
        params={"mean": mean_x}, sums=2,
    )  # fmt: skip
    spread_x = spread_y
    if not alike:
        spread_x = reduce_all(graph, (x, arcs["out"], mean_x), reduce=ADD, function=_spread)
    for spread, mean in ((spread_x, mean_x), (spread_y, mean_y)):
        if spread <= number * (8 * np.finfo(np.float64).eps * mean) ** 2:  # rounding alone
            return nan
    return both / sqrt(spread_x) / sqrt(spread_y)


def _sums(graph: AnyGraph, arcs: Any, value: Any) -> tuple[float, float]:
    """How many arcs there are, and the sum of a value at one of their ends."""
    return reduce_all(graph, (arcs, value), reduce=add_each(2), function=_number_and_sum)


def _number_and_sum(v, arcs, value):
    return arcs[v], arcs[v] * value[v]


def _beyond(value, mean):
    return value - mean


def _product(v, a, b):
    return a[v] * b[v]


def _spread(v, value, count, mean):
    return count[v] * (value[v] - mean) ** 2


def _together(v, total, value, count, mean_here):
    """What v adds to the covariance, and to the variance at targets."""
    beyond = value[v] - mean_here
    return total, beyond * total, count[v] * beyond**2

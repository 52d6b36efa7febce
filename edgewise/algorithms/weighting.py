"""What ``weights=`` means everywhere: a column's name, an array over edges, or None for all one.

Algorithms get an array over arcs (`edgewise.graph.edges` converts). Also shares over vertices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_number, check_vertex
from edgewise.base.once import once
from edgewise.base.ranges import factor_for
from edgewise.graph.csr import CSR, as_weights, frozen
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.weight_columns import column

__all__ = [
    "Lengths",
    "amounts",
    "as_numbers",
    "balanced",
    "check_lengths",
    "edge_weights",
    "finite_amounts",
    "proportions",
    "refuse",
    "total",
    "weight_reader",
]


class Lengths(NamedTuple):
    """The smallest length, and the largest and the mean of those that are finite."""

    least: float
    largest: float
    mean: float


def edge_weights(graph: AnyGraph | CSR, weights: Any) -> Any:
    """The array of weights over arcs, or None where all are one."""
    if weights is None:
        return None
    if isinstance(weights, str):
        return column(graph, weights)
    if isinstance(weights, (bool, int, float)):
        raise TypeError(
            f"weights must be the name of a column, such as 'weight', an array over edges, or "
            f"None, got {weights!r}"
        )
    return as_weights(weights, graph.num_arcs, xp=graph.xp)


def check_lengths(graph: AnyGraph, lengths: Any, weights: Any) -> Lengths:
    """The lengths in three numbers; an error that names the first negative or NaN edge.

    A column of the graph is looked through once.
    """
    if lengths is None or len(lengths) == 0:
        return Lengths(1.0, 1.0, 1.0)
    if isinstance(weights, str):
        return once(graph, f"lengths, {weights}", lambda: _surveyed(graph, lengths))
    return _surveyed(graph, lengths)


def _surveyed(graph: AnyGraph, lengths: Any) -> Lengths:
    xp = graph.xp
    least, largest = lengths.min().item(), lengths.max().item()
    if not least >= 0:
        refuse(graph, lengths, ~(lengths >= 0), "not be negative or NaN", "->")
    finite = lengths if np.isfinite(largest) else lengths[xp.isfinite(lengths)]
    mean = total(finite) / len(finite) if len(finite) else 1.0
    if not np.isfinite(largest):
        largest = finite.max() if len(finite) else 1
    return Lengths(float(least), float(largest), min(mean, float(largest)))


def finite_amounts(graph: AnyGraph, weights: Any) -> Any:
    """The weights if they are finite, not negative, and have a finite sum; None where all are one.

    An error names the first edge for which it is not so. A column is looked through once.
    """
    found = edge_weights(graph, weights)
    if found is None or len(found) == 0:
        return found
    if isinstance(weights, str):
        once(graph, f"finite amounts, {weights}", lambda: _check_amounts(graph, found))
        return found
    _check_amounts(graph, found)
    return found


def balanced(graph: AnyGraph, weights: Any) -> tuple[Any, Any, float]:
    """What to give operators as weights, the array itself (or None), and the factor in both.

    For answers that a common factor of the weights does not change. Weights so large or small that
    their products leave the range of float64 get a power of two as a factor; the factor of all
    others is 1. They are checked as by `finite_amounts`.
    """
    found = finite_amounts(graph, weights)
    if found is None or len(found) == 0 or found.dtype != np.float64:
        return weights, found, 1.0
    factor = factor_for(float(found.max()))
    if factor == 1.0:
        return weights, found, 1.0
    found = found * factor
    return found, found, factor


def _check_amounts(graph: AnyGraph, weights: Any) -> None:
    arrow = "->" if graph.directed else "-"
    if not weights.min() >= 0:
        refuse(graph, weights, ~(weights >= 0), "not be negative or NaN", arrow)
    if not np.isfinite(total(weights)):
        infinite = ~graph.xp.isfinite(weights)
        if infinite.any():
            refuse(graph, weights, infinite, "be finite", arrow)
        raise ValueError(f"weights must have a finite sum, got {total(weights)}")


def proportions(graph: AnyGraph, given: Any, name: str) -> Any:
    """An array over vertices that sums to one: from an array, or from a dict by vertex or label.

    Evenly spread if nothing is given.
    """
    if given is None:
        return graph.full(1.0 / graph.num_vertices)
    array = _per_vertex(graph, given, name)
    sum_of_all = total(array)
    if not (array >= 0).all() or not 0 < sum_of_all < np.inf:
        raise ValueError(
            f"{name} must be non-negative with a positive, finite sum, got {sum_of_all}"
        )
    return array / sum_of_all


def amounts(graph: AnyGraph, given: Any, name: str) -> Any:
    """Finite numbers over vertices that are not negative: from one number for all, or as shares.

    Vertices that a dict does not name have 0.
    """
    if not isinstance(given, (dict, list, tuple)) and not getattr(given, "ndim", 0):
        return graph.full(check_number(given, name))
    array = _per_vertex(graph, given, name)
    if not (array >= 0).all() or not total(array) < np.inf:
        raise ValueError(f"{name} must be non-negative with a finite sum, got {total(array)}")
    return array.copy()


def _per_vertex(graph: AnyGraph, given: Any, name: str) -> Any:
    """One number for each vertex: from an array, or from a dict by vertex or label."""
    n = graph.num_vertices
    if isinstance(given, dict):
        array = graph.full(0.0)
        for vertex, number in given.items():
            array[check_vertex(graph, vertex, name)] = check_number(number, name)
    else:
        array = as_numbers(graph, given, name)
    if array.shape != (n,):
        raise ValueError(f"{name} must have one entry per vertex ({n}), got {array.shape}")
    return array


def as_numbers(graph: AnyGraph, given: Any, name: str) -> Any:
    """What is given as an array of float64."""
    dtype = getattr(given, "dtype", None)
    if dtype is not None and getattr(dtype, "kind", "O") not in "biufO":
        raise TypeError(f"{name} must be real numbers, got dtype {dtype}")
    try:
        return graph.xp.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(
            f"{name} must be a real number for every vertex, or a dict from vertex to number, got "
            f"{given!r:.80}"
        ) from None


def total(array: Any) -> float:
    """The sum in float64, which may be infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        return float(array.sum(dtype=np.float64))


def refuse(
    graph: AnyGraph, weights: Any, wrong: Any, rule: str, arrow: str, name: str = "weights"
) -> None:
    """A ValueError that names the rule and the first edge whose weight breaks it."""
    source, target, value, edge = graph._first_arc(wrong, weights)
    if graph.labels is not None:
        source, target = graph.label(source), graph.label(target)
    ends = f"{source} {arrow} {target}"
    place = f"the edge {ends}" if edge is None else f"edge {edge} ({ends})"
    raise ValueError(f"{name} must {rule}, got {value} on {place}")


def weight_reader(graph: AnyGraph, weights: Any) -> tuple[Any, int]:
    """An array and a stride, so that arc e weighs ``array[e * stride]``: 1 where there is none."""
    return (frozen(graph.xp.ones(1)), 0) if weights is None else (frozen(weights), 1)

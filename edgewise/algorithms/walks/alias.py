"""Alias tables: draws in proportion to weights in constant time, for every row of a graph [1].

In each row, an edge lighter than the mean shares its slot with a heavier one. A draw takes any edge
e with equal probability, keeps it with probability ``keep[e]``, and otherwise takes ``other[e]``, a
neighbor of the same vertex. One sweep over each row with two pointers builds the table [2].

[1] M. Vose. A linear algorithm for generating random numbers with a given distribution. IEEE TSE
    1991.
[2] L. Huebschle-Schneider, P. Sanders. Parallel weighted random sampling. ACM TOMS 2022.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.weighting import edge_weights, refuse, total
from edgewise.base.random import upper
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["Aliases", "alias_tables", "landed", "owned_tables", "throw"]

_upper, _40 = inner(upper), np.uint64(40)
_COIN, _PLACE, _SIDES = np.uint64((1 << 24) - 1), np.uint64((1 << 40) - 1), float(1 << 24)


class Aliases(NamedTuple):
    """Alias tables over edges, and the totals and weights.

    If all weights are equal, the tables have one entry, and ``step``, from edge to edge, is 0.
    """

    keep: Any
    other: Any
    step: int
    totals: Any
    weights: Any


def alias_tables(graph: AnyGraph, weights: Any) -> Aliases:
    """Return the tables for ``weights``, which are checked; None means equal weights."""
    amounts = _amounts(graph, weights)
    return _tables(graph.xp, graph.device, graph.indptr, graph.indices, amounts)


def owned_tables(graph: Any, weights: Any) -> tuple[Any, Aliases]:
    """Return the rows of the vertices that a rank of a grid owns, and the tables for them."""
    rows = graph.owned_rows(_amounts(graph, weights))
    return rows, _tables(rows.xp, graph.device, rows.indptr, rows.indices, rows.values)


def _amounts(graph: AnyGraph, weights: Any) -> Any:
    """The weights over arcs in float64, checked; None where all are equal."""
    amounts = edge_weights(graph, weights)
    if amounts is None:
        return None
    if len(amounts):
        wrong = ~((amounts >= 0) & (amounts < np.inf))
        if wrong.any():
            refuse(graph, amounts, wrong, "be finite and not negative", "->")
        if not np.isfinite(total(amounts)):
            raise ValueError(f"weights must have a finite sum, got {total(amounts)}")
    return amounts.astype(np.float64, copy=False)


def _tables(xp: Any, device: str, indptr: Any, indices: Any, amounts: Any) -> Aliases:
    if amounts is None:
        ones = xp.ones(1)
        return Aliases(xp.ones(1, np.float32), xp.zeros(1, indices.dtype), 0, ones, ones)
    size = max(len(indices), 1)
    keep, other = xp.empty(size, np.float32), xp.empty(size, indices.dtype)
    totals = xp.zeros(len(indptr) - 1)
    state = (indptr, indices, amounts, keep, other, totals)
    for_each(len(totals), _fill, state, device=device, work=len(indices))
    return Aliases(keep, other, 1, totals, amounts)


def _fill(v, indptr, indices, weights, keep, other, totals):
    """Fill the table of one row; it has no neighbor to draw if all weights are zero."""
    first, last = indptr[v], indptr[v + 1]
    total = 0.0
    for e in range(first, last):
        total += weights[e]
    totals[v] = total
    for e in range(first, last):
        keep[e], other[e] = (1.0, indices[e]) if total > 0 else (-1.0, -1)
    mean = total / max(last - first, 1)
    light, heavy = _next(weights, first, last, mean, True), _next(weights, first, last, mean, False)
    rest = weights[heavy] if heavy < last else 0.0
    while total > 0 and heavy < last:
        if rest > mean:  # the heavy one fills up the next light one
            if light >= last:
                break
            keep[light], other[light] = weights[light] / mean, indices[heavy]
            rest = (rest + weights[light]) - mean
            light = _next(weights, light + 1, last, mean, True)
        else:  # it has become light itself, for the next heavy one
            following = _next(weights, heavy + 1, last, mean, False)
            if following >= last:
                break
            keep[heavy], other[heavy] = rest / mean, indices[following]
            rest = (rest + weights[following]) - mean
            heavy = following
    while total > 0 and heavy < last and light < last:  # what rounding has left over
        keep[light], other[light] = weights[light] / mean, indices[heavy]
        light = _next(weights, light + 1, last, mean, True)


@inner
def _next(weights, e, last, mean, light):
    """The first edge from e on that is light, or heavy."""
    while e < last and (weights[e] <= mean) != light:
        e += 1
    return e


@inner
def throw(word, first, degree):
    """Return one of ``degree`` edges from ``first`` on, by 64 random bits, packed with a coin."""
    place = first + np.int64(_upper(word, np.uint64(degree)))
    return np.int64(((word & _COIN) << _40) | np.uint64(place))


@inner
def landed(thrown, indices, tables):
    """Return the neighbor that a `throw` chooses; -1 if there is none."""
    e = np.int64(np.uint64(thrown) & _PLACE)
    if np.float64(np.uint64(thrown) >> _40) < tables.keep[e * tables.step] * _SIDES:
        return np.int64(indices[e])
    return np.int64(tables.other[e * tables.step])

"""Products with a sparse vector on CUDA, without atomics.

To push, the products of all entries are listed, sorted by row and combined run by run. To pull,
every row of the result is walked by threads enough for its length.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.csr import index_dtype
from edgewise.graph.transfer import rows_of
from edgewise.linalg.entries import arcs_of, combined
from edgewise.operators.engines import run
from edgewise.operators.frontier import frontier
from edgewise.operators.functions import Function
from edgewise.operators.helpers import inner
from edgewise.operators.items import for_each
from edgewise.operators.monoids import Monoid
from edgewise.operators.requests import Neighborhood

__all__ = ["pull", "push"]


def push(
    operand: Any, vector: Any, message: Any, ring: Any, kind: Any, rows: Any
) -> tuple[Any, Any]:
    """The combined messages along the rows of ``operand`` at the vector's entries."""
    xp, at, device = operand.xp, vector.indices, operand.device
    indptr = offsets(operand.indptr[at + 1] - operand.indptr[at])
    arcs = arcs_of(operand.indptr, at, indptr, xp)
    sender = rows_of(indptr, len(arcs), np.int64, xp)
    columns = operand.indices[arcs]
    if rows is not None:
        allowed = xp.zeros(operand.shape[1], np.bool_)
        allowed[rows] = True
        kept = allowed[columns]
        arcs, sender, columns = arcs[kept], sender[kept], columns[kept]
    products = xp.empty(len(arcs), kind)
    by_value, by_weight = "value" in message.names, "weight" in message.names
    weights = operand.values if by_weight and operand.values is not None else xp.ones(1, kind)
    weighted = by_weight and operand.values is not None
    values = vector.values if by_value else xp.ones(1, kind)
    step = _multiplier(inner(message.given), by_value, by_weight, weighted)
    for_each(len(arcs), step, (arcs, sender, weights, values, products), device=device)
    order = xp.argsort(columns)
    columns, products = columns[order], products[order]
    first = xp.ones(len(columns), np.bool_)
    first[1:] = columns[1:] != columns[:-1]
    begins = xp.flatnonzero(first)
    return columns[begins], combined(products, begins, ring.add.combine, device, xp)


def pull(
    operand: Any, vector: Any, message: Any, ring: Any, kind: Any, rows: Any
) -> tuple[Any, Any]:
    """The combined messages to the rows of ``operand``, or to some, from the vector's entries."""
    xp, n = operand.xp, operand.shape[0]
    present = xp.zeros(operand.shape[1], np.bool_)
    present[vector.indices] = True
    sent = xp.zeros(operand.shape[1], vector.values.dtype)
    sent[vector.indices] = vector.values
    add = ring.add
    zero = add.identity_for(kind)
    pair = Monoid((zero, False), _joined(inner(add.combine)), early_exit=add.early_exit)
    heard = Function(_told(inner(message.given), message.names, zero), ("value", "weight"))
    out = (xp.full(n, zero, kind), xp.zeros(n, np.bool_))
    members = None if rows is None else frontier(operand, rows)
    request = Neighborhood(members, heard, (sent, present), pair, mode="out", out=out)
    run(operand, "reduce_neighbors")(operand, request)
    found = xp.flatnonzero(out[1])
    return found.astype(index_dtype(n)), out[0][found]


@cache
def _multiplier(message: Any, by_value: bool, by_weight: bool, weighted: bool) -> Any:
    def multiply(i, arcs, sender, weights, values, products):
        weight = weights[arcs[i]] if weighted else 1
        if by_value and by_weight:
            products[i] = message(values[sender[i]], weight)
        elif by_value:
            products[i] = message(values[sender[i]])
        elif by_weight:
            products[i] = message(weight)
        else:
            products[i] = message()

    return multiply


def _told(message: Any, names: tuple[str, ...], zero: Any) -> Any:
    """A message of a value and of whether there is one."""
    kind = type(zero)
    if names == ("value", "weight"):
        return lambda value, weight: (
            kind(message(value[0], weight)) if value[1] else zero,
            value[1],
        )
    if names == ("value",):
        return lambda value, weight: (kind(message(value[0])) if value[1] else zero, value[1])
    if names == ("weight",):
        return lambda value, weight: (kind(message(weight)) if value[1] else zero, value[1])
    return lambda value, weight: (kind(message()) if value[1] else zero, value[1])


def _joined(combine: Any) -> Any:
    """How sums are combined of which some have no terms."""

    def join(old, new):
        if not new[1]:
            return old
        return (combine(old[0], new[0]), True) if old[1] else new

    return join

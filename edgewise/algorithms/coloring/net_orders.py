"""Orders in which pins that share nets are colored, by their numbers of neighbors.

Two pins are neighbors if they share a net, as columns share a row. An order is one of

- ``"natural"``: by id; ``"random"``: by a hash of the seed and the id;
- ``"largest_first"``: by the number of neighbors, descending;
- ``"smallest_last"``: the pin with the fewest neighbors is removed and comes last, repeatedly;
- ``"dynamic_largest_first"``: the pin with the most neighbors is removed and comes first,
  repeatedly;
- ``"incidence_degree"``: the next pin has the most neighbors among those already listed.

Ties go to the smaller id in the static orders. The last three keep pins in linked lists by number,
on one CPU thread. The work is the sum of the squared lengths of the nets. The longest nets are
left out if the others alone need `_BUDGET` steps per entry: a net of most pins adds about the same
to all of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.nets import Nets
from edgewise.algorithms.coloring.orders import ORDERS, positions_for
from edgewise.base.checks import check_choice
from edgewise.base.random import hashed
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.helpers import inlined
from edgewise.operators.sequential import going, sequential
from edgewise.operators.sorting import stable_order

__all__ = ["graph_order", "insert", "is_cheap", "net_order", "remove", "stride_order"]

#: Steps per entry that an order may take.
_BUDGET = 64


def net_order(nets: Nets, order: str, seed: int) -> np.ndarray:
    """Return the list of pins in a named order."""
    check_choice(order, "order", ORDERS)
    pins = nets.num_pins
    draws = hashed(seed, np.arange(pins))  # also where it is not needed: a seed is checked
    if order == "random":
        return np.argsort(draws, kind="stable").astype(np.int32)
    listed = np.arange(pins, dtype=np.int32)
    if order == "natural" or pins == 0:
        return listed
    longest = _longest_within(np.diff(nets.net_ptr), _BUDGET * (len(nets.net_pins) + pins))
    table = np.full((pins, 4), -1, np.int32)  # of each pin: count, stamp, and two links of a list
    table[:, 0] = 0
    shape = (*nets[:4], longest)
    work = 8 * len(nets.net_pins)
    sequential(_count, (*shape, table), steps=pins, work=work, phase="degrees")
    counts = table[:, 0]
    most, first = int(counts.max()), int(np.argmax(counts))
    if order == "largest_first":
        return stable_order(most - counts).astype(np.int32)
    table[:, 1] = -1
    if order == "incidence_degree":
        counts[:] = 0
    heads = np.full(most + 2, -1, np.int32)
    smallest, grows = np.int64(order == "smallest_last"), np.int64(order == "incidence_degree")
    state = (*shape, _Rule(smallest, grows, first), table, heads, listed)
    sequential(_select_all, state, steps=pins, work=work, phase=order)
    return listed[::-1].copy() if order == "smallest_last" else listed


def graph_order(graph: AnyGraph, order: Any, seed: int) -> np.ndarray:
    """Return the list of vertices in an order of a graph in host memory: see `positions_for`."""
    positions = positions_for(graph, order, seed)
    listed = np.empty(len(positions), np.int32)
    listed[positions] = np.arange(len(positions), dtype=np.int32)
    return listed


def stride_order(count: int, stride: int) -> np.ndarray:
    """Return numbers below a count by remainder: with 3, all multiples of 3 come first.

    >>> stride_order(7, 3).tolist()
    [0, 3, 6, 1, 4, 2, 5]
    """
    return stable_order(np.arange(count) % stride).astype(np.int32)


def is_cheap(nets: Nets) -> bool:
    """Does an order by numbers of neighbors count all nets?"""
    lengths = np.diff(nets.net_ptr)
    budget = _BUDGET * (len(nets.net_pins) + nets.num_pins)
    return _longest_within(lengths, budget) >= lengths.max(initial=0)


def _longest_within(lengths: np.ndarray, budget: int) -> int:
    """The length of the longest nets that may count."""
    many = np.bincount(lengths)
    cost = np.cumsum(many * np.arange(len(many), dtype=np.float64) ** 2)
    return int(np.searchsorted(cost, budget, side="right")) - 1 if len(many) else 0


def _count(control, net_ptr, net_pins, pin_ptr, pin_nets, longest, table):
    steps = np.int64(0)
    for v in range(len(table)):
        table[v, 1], count = v, 0
        for e in range(pin_ptr[v], pin_ptr[v + 1]):
            u = np.int64(pin_nets[e])
            if net_ptr[u + 1] - net_ptr[u] <= longest:
                steps += net_ptr[u + 1] - net_ptr[u]
                for f in range(net_ptr[u], net_ptr[u + 1]):
                    w = net_pins[f]
                    if table[w, 1] != v:
                        table[w, 1] = v
                        count += 1
        table[v, 0] = count
        steps += 1
        if steps > 100_000:
            steps = 0
            if not going(control, v):
                return


class _Rule(NamedTuple):
    smallest: np.int64  #: is the pin of the smallest count next?
    grows: np.int64  #: do counts of neighbors grow?
    first: Any


def _select_all(
    control, net_ptr, net_pins, pin_ptr, pin_nets, longest, rule, table, heads, listed
):  # fmt: skip
    """List the pin of the smallest or largest count, and change the counts of its neighbors."""
    smallest, grows, first = rule
    n, steps = len(table), np.int64(0)
    for v in range(n - 1, -1, -1):
        insert(v, table, heads)
    at = np.int64(0 if smallest else len(heads) - 1)
    for i in range(n):
        v = np.int64(first)
        if i > 0 or grows == 0:
            while heads[at] < 0:
                at += 1 if smallest else -1
            v = np.int64(heads[at])
        remove(v, table, heads)
        listed[i], table[v, 0] = v, -1
        for e in range(pin_ptr[v], pin_ptr[v + 1]):
            u = np.int64(pin_nets[e])
            if net_ptr[u + 1] - net_ptr[u] <= longest:
                steps += net_ptr[u + 1] - net_ptr[u]
                for f in range(net_ptr[u], net_ptr[u + 1]):
                    w = np.int64(net_pins[f])
                    at = _change(w, i, at, smallest, grows, table, heads)
        steps += 1
        if steps > 100_000:
            steps = 0
            if not going(control, i):
                return


@inlined
def _change(w, i, at, smallest, grows, table, heads):
    """Change the count of a neighbor once, and return where the search for the next one begins."""
    if table[w, 0] < 0 or table[w, 1] == i:
        return at
    table[w, 1] = i
    remove(w, table, heads)
    table[w, 0] += 1 if grows else -1
    insert(w, table, heads)
    return min(at, np.int64(table[w, 0])) if smallest else max(at, np.int64(table[w, 0]))


@inlined
def insert(v, table, heads):
    """Put a pin at the head of the list of its number, table[v, 0]."""
    after = heads[table[v, 0]]
    table[v, 2], table[v, 3] = -1, after
    if after >= 0:
        table[after, 2] = v
    heads[table[v, 0]] = v


@inlined
def remove(v, table, heads):
    """Take a pin out of its list."""
    before, after = table[v, 2], table[v, 3]
    if before >= 0:
        table[before, 3] = after
    else:
        heads[table[v, 0]] = after
    if after >= 0:
        table[after, 2] = before

"""The order in which a pattern's vertices are matched, and the rules for each of them.

The order is the connected one with the fewest expected partial matches. Automorphisms are broken as
in [1]. Consider the automorphisms that fix all earlier vertices: a vertex must be the smallest
among its images under them. Of all matches of one subgraph, exactly one remains.

[1] J. Grochow, M. Kellis. Network motif discovery using subgraph enumeration and symmetry-breaking.
    RECOMB 2007.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

__all__ = ["ABSENT_IN", "ABSENT_OUT", "IN", "LESS", "MORE", "OUT", "Pattern", "Plan", "plan"]

# What the vertex matched at position i must fulfill for an earlier one j.
OUT = 1  # there is an arc from j to i
IN = 2  # there is an arc from i to j
LESS = 4  # j is less than i
MORE = 8  # j is more than i
ABSENT_OUT = 16  # there is no arc from j to i
ABSENT_IN = 32

#: Of two neighbors of a vertex about so many are joined; only the order depends on it.
_CLOSED = 0.1


class Pattern(NamedTuple):
    """A pattern: its arcs (both directions of an undirected edge), and a label per vertex."""

    size: int
    arcs: frozenset[tuple[int, int]]
    labels: tuple[int, ...]


class Plan(NamedTuple):
    """The matching order, the rules for each position, and the number of automorphisms.

    ``order[i]`` is the pattern's vertex at position i. ``rules[i, j]`` holds the rules of i with
    respect to j. ``symmetries`` is the number of automorphisms.
    """

    order: tuple[int, ...]
    rules: np.ndarray
    symmetries: int


@cache
def plan(pattern: Pattern, share: tuple[float, ...], degree: float, induced: bool) -> Plan:
    """Return the plan for a connected pattern.

    ``share`` is, for every vertex of the pattern, the fraction of the graph's vertices with its
    label. ``degree`` is their approximate number of neighbors.

    >>> wedge = Pattern(3, frozenset({(0, 1), (1, 0), (1, 2), (2, 1)}), (0, 0, 0))
    >>> found = plan(wedge, (1.0, 1.0, 1.0), 8.0, False)
    >>> found.symmetries, sorted(found.order)
    (2, [0, 1, 2])
    """
    images = [image for image in permutations(range(pattern.size)) if _keeps(pattern, image)]
    orders = (one for one in permutations(range(pattern.size)) if _connected(pattern, one))
    best = min(
        orders, key=lambda one: (_cost(pattern, one, _least(images, one), share, degree), one)
    )
    rules = np.zeros((pattern.size, pattern.size), np.int64)
    less = _least(images, best)
    for i, v in enumerate(best):
        for j, u in enumerate(best[:i]):
            rules[i, j] = (
                OUT * ((u, v) in pattern.arcs)
                + IN * ((v, u) in pattern.arcs)
                + LESS * ((u, v) in less)
                + MORE * ((v, u) in less)
                + ABSENT_OUT * (induced and (u, v) not in pattern.arcs)
                + ABSENT_IN * (induced and (v, u) not in pattern.arcs)
            )
    return Plan(best, rules, len(images))


def _keeps(pattern: Pattern, image: tuple[int, ...]) -> bool:
    """Is it an automorphism?"""
    return all((image[u], image[v]) in pattern.arcs for u, v in pattern.arcs) and all(
        label == pattern.labels[image[v]] for v, label in enumerate(pattern.labels)
    )


def _connected(pattern: Pattern, order: tuple[int, ...]) -> bool:
    """Has every vertex but the first a neighbor before it?"""
    return all(_earlier(pattern, order, i) for i in range(1, len(order)))


def _earlier(pattern: Pattern, order: tuple[int, ...], i: int) -> int:
    """How many of the neighbors of the vertex at position i come before it."""
    v = order[i]
    return sum((u, v) in pattern.arcs or (v, u) in pattern.arcs for u in order[:i])


def _least(images: list[tuple[int, ...]], order: tuple[int, ...]) -> set[tuple[int, int]]:
    """Pairs (u, v): u must be less than v."""
    found = set()
    for v in order:
        found |= {(v, image[v]) for image in images if image[v] != v}
        images = [image for image in images if image[v] == v]
    return found


def _cost(
    pattern: Pattern, order: tuple[int, ...], less: set[tuple[int, int]],
    share: tuple[float, ...], degree: float,
) -> float:  # fmt: skip
    """About how many partial matches there are, in all."""
    size, total = share[order[0]], 0.0
    for i, v in enumerate(order[1:], 1):
        size *= degree * share[v] * _CLOSED ** (_earlier(pattern, order, i) - 1)
        before = set(order[:i])
        size /= 1 + sum((u in before and w == v) or (w in before and u == v) for u, w in less)
        total += size
    return total

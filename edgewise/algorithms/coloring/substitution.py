"""Which compressed values a symmetric recovery reads, and neutral colors [1].

An entry (i, j) of a symmetric matrix is an edge. In a two-colored star with hub j, it is read from
row i of the color of j. In a two-colored tree, leaves are removed one after another: the entry of a
leaf and its parent is read from the leaf's row of the parent's color, minus the leaf's entries that
are known. So a color that no parent has is read only for diagonal entries. Without these it is
neutral, and its product is never needed. A single edge is a tree in which either end may be the
parent: the end whose color is needed anyway.

[1] A. Montoison, G. Dalle, A. Gebremedhin. Revisiting sparse matrix coloring and bicoloring.
    arXiv 2505.07308, 2025.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.forbidding import TwoColored
from edgewise.operators.sequential import going, sequential

__all__ = ["Steps", "parents", "renumbered", "solve", "substitution_steps"]


def parents(colored: TwoColored, ends: Any, classes: Any, needed: np.ndarray) -> np.ndarray:
    """Return the parent of each edge that is not in a larger tree, and mark the needed classes.

    ``ends`` are the two vertices of each edge. ``classes`` are the colors that are read on their
    own: rows and columns of one color are two of them. Edges of larger trees have the parent -1.
    """
    hub = colored.hub[colored.tree]
    first, second = ends
    needed[classes[hub[hub >= 0]]] = True
    large = hub == -2
    needed[classes[first[large]]] = needed[classes[second[large]]] = True
    result = np.where(hub >= 0, hub, -1).astype(np.int64)
    one = colored.colors[first] < 0, colored.colors[second] < 0  # neutral: the other is the parent
    forced = one[0] | one[1]
    result[forced] = np.where(one[0], second, first)[forced]
    needed[classes[result[forced]]] = True
    single = np.flatnonzero((hub == -1) & ~forced)
    pairs = np.stack([classes[first[single]], classes[second[single]]])
    left = ~needed[pairs].any(axis=0)
    while left.any():  # the class of most remaining edges, repeatedly
        needed[np.bincount(pairs[:, left].ravel(), minlength=len(needed)).argmax()] = True
        left = ~needed[pairs].any(axis=0)
    result[single] = np.where(needed[pairs[0]], first[single], second[single])
    return result


def renumbered(needed: np.ndarray) -> np.ndarray:
    """The number from 0 on of each class that is needed; -1 for the others."""
    return np.where(needed, np.cumsum(needed) - 1, -1)


class Steps(NamedTuple):
    """Edges in the order in which they are solved, and two places where known ones are summed."""

    edge: Any
    leaf: Any
    parent: Any
    leaf_slot: Any
    parent_slot: Any
    slots: int


def substitution_steps(colored: TwoColored, ends: Any, parent: np.ndarray, n: int) -> Steps:
    """Return the steps that solve all two-colored trees from the leaves on.

    A slot is a vertex in one tree. Every slot knows how many of its edges are left, and their xor,
    which is the last one in the end.
    """
    count, (first, second) = len(colored.tree), ends
    keys = np.concatenate([colored.tree * n + first, colored.tree * n + second])
    found, slot = np.unique(keys, return_inverse=True)
    slots = slot.reshape(2, -1)
    leaf_first = parent != first  # of a single edge; else the ends go by the number of their edges
    state = (np.zeros((2, len(found)), np.int64), np.empty(len(found), np.int64))
    out = np.empty((2, count), np.int64)
    if count:
        given = (np.ascontiguousarray(slots), leaf_first, *state, out)
        sequential(_peel, given, steps=count, work=8 * count, phase="order of substitution")
    edge, at_second = out
    places, vertices = slots[:, edge], np.stack([first, second])[:, edge]
    pick = at_second.astype(bool)
    leaf, above = np.where(pick, vertices[1], vertices[0]), np.where(pick, *vertices)
    return Steps(
        edge, leaf, above, np.where(pick, places[1], places[0]), np.where(pick, *places), len(found)
    )


def _peel(control, slots, leaf_first, left, queue, out):
    """left[0] counts the edges of a slot that are left, and left[1] is the xor of them."""
    count = slots.shape[1]
    for e in range(count):
        for side in range(2):
            left[0, slots[side, e]] += 1
            left[1, slots[side, e]] ^= e
    size, done = 0, 0
    for e in range(count):
        for side in range(2):
            s, single = slots[side, e], left[0, slots[1 - side, e]] == 1
            if left[0, s] == 1 and (not single or leaf_first[e] == (side == 0)):
                queue[size] = s
                size += 1
    at = 0
    while at < size:
        if at % 4096 == 0 and not going(control, done):
            return
        s = queue[at]
        at += 1
        if left[0, s] == 0:
            continue
        e = left[1, s]
        side = 0 if slots[0, e] == s else 1
        other = slots[1 - side, e]
        out[0, done], out[1, done] = e, side
        done += 1
        left[0, s] = 0
        left[0, other] -= 1
        left[1, other] ^= e
        if left[0, other] == 1:
            queue[size] = other
            size += 1


def solve(steps: Steps, sources: np.ndarray, values: Any) -> np.ndarray:
    """Return the value of each edge, from the compressed values at ``sources`` of each step."""
    read = values[sources]
    if read.dtype.kind == "c":
        real = solve(steps, np.arange(len(read)), np.ascontiguousarray(read.real))
        return real + 1j * solve(steps, np.arange(len(read)), np.ascontiguousarray(read.imag))
    solved, sums = np.empty(len(read)), np.zeros(steps.slots)
    if len(read):
        state = (*steps[:1], *steps[3:5], read.astype(np.float64, copy=False), sums, solved)
        sequential(_substitute, state, steps=len(read), phase="substitution")
    return solved


def _substitute(control, edge, leaf, parent, read, sums, solved):
    for low in range(0, len(edge), 65536):
        if not going(control, low):
            return
        for i in range(low, min(low + 65536, len(edge))):
            value = read[i] - sums[leaf[i]]
            sums[parent[i]] += value
            solved[edge[i]] = value

"""The dominator tree of an outbreak.

A vertex dominates the vertices that are reached only through it. They are its subtree in the tree
where the parent of each vertex is its immediate dominator. The tree is computed by semidominators
and nearest common ancestors [1], in almost linear time except in rare cases.

Vertices are numbered in depth-first order from a root above all sources; the root is 0. A slot has
nine arrays over these numbers, or over positions in the outbreak, each ``z`` long. The predecessors
of every number follow, in rows.

[1] L. Georgiadis, R. Tarjan, R. Werneck. Finding dominators in practice. J. Graph Algorithms Appl.
    2006.
"""

from __future__ import annotations

import numpy as np

from edgewise.operators.helpers import inner

__all__ = [
    "IDOM",
    "LABELS",
    "NAMES",
    "NUMBERS",
    "PARENTS",
    "SEMI",
    "SIZES",
    "dominate",
    "arrays_for",
]

#: Arrays of a slot: the number of a place, the place of a number, its parent in the search (later
#: one further up), its semidominator, whose semidominator is least on the way up, its immediate
#: dominator, a stack, where its predecessors begin, the size of its subtree, the predecessors.
NUMBERS, NAMES, PARENTS, SEMI, LABELS, IDOM, STACK, STARTS, SIZES, ROWS = range(10)


def arrays_for(largest: int, most: int) -> tuple[int, int]:
    """``z``, and the words of a slot, for outbreaks of so many vertices and edges."""
    return largest + 2, ROWS * (largest + 2) + most


@inner
def dominate(words, place, z, sources, by_edge, gone, graph):
    """The tree of an outbreak without those that are gone; how many it still reaches.

    ``gone`` tells of vertices, or of edges; the first ``sources`` places are its sources. ``graph``
    is the outbreak's first and last place, and what `Outbreaks` has.
    """
    count = _search(words, place, z, sources, by_edge, gone, graph)
    _predecessors(words, place, z, by_edge, gone, graph, count)
    _tree(words, place, z, sources, count)
    return count


@inner
def _search(words, place, z, sources, by_edge, gone, graph):
    """Number whom the sources reach, depth first; how many they are."""
    first, last, vertices, begin, targets, edges = graph
    numbers, names = place + NUMBERS * z, place + NAMES * z
    parents, following = place + PARENTS * z, place + STACK * z
    for at in range(last - first):
        words[numbers + at] = 0
    count = np.int64(0)
    for source in range(min(sources, last - first)):
        if words[numbers + source] > 0 or (not by_edge and gone[vertices[first + source]]):
            continue
        at, parent = np.int64(source), np.int64(0)
        count += 1
        words[numbers + at], words[names + count], words[parents + count] = count, at, parent
        words[following + at] = begin[first + at]
        while True:
            e = words[following + at]
            if e < begin[first + at + 1]:
                words[following + at] = e + 1
                to = np.int64(targets[e])
                missing = _missing(by_edge, gone, vertices, edges, first + to, e)
                if words[numbers + to] == 0 and not missing:
                    parent = words[numbers + at]
                    count += 1
                    words[numbers + to], words[names + count] = count, to
                    words[parents + count], words[following + to] = parent, begin[first + to]
                    at = to
            else:
                parent = words[parents + words[numbers + at]]
                if parent == 0:
                    break
                at = words[names + parent]
    return count


@inner
def _missing(by_edge, gone, vertices, edges, at, e):
    """Is the edge gone, or the vertex at its end?"""
    if by_edge:
        return gone[edges[e]] != 0
    return gone[vertices[at]] != 0


@inner
def _predecessors(words, place, z, by_edge, gone, graph, count):
    """From whom each number is reached: in rows."""
    first, _, vertices, begin, targets, edges = graph
    numbers, names = place + NUMBERS * z, place + NAMES * z
    starts, rows = place + STARTS * z, place + ROWS * z
    for number in range(count + 2):
        words[starts + number] = 0
    for step in range(2):
        for number in range(1, count + 1):
            at = first + words[names + number]
            for e in range(begin[at], begin[at + 1]):
                to = np.int64(targets[e])
                if not _missing(by_edge, gone, vertices, edges, first + to, e):
                    reached = words[numbers + to]
                    if step == 1:
                        words[rows + words[starts + reached]] = number
                    words[starts + reached] += 1
        if step == 0:  # counts become beginnings; as rows fill up, these become ends
            total = np.int64(0)
            for number in range(count + 1):
                total, words[starts + number] = total + words[starts + number], total
    for number in range(count + 1, 0, -1):  # where a row ends the next begins
        words[starts + number] = words[starts + number - 1]
    words[starts] = 0


@inner
def _tree(words, place, z, sources, count):
    """The immediate dominator of every number, and how many it dominates, itself among them."""
    names, parents, idom = place + NAMES * z, place + PARENTS * z, place + IDOM * z
    semi, labels, sizes = place + SEMI * z, place + LABELS * z, place + SIZES * z
    starts, rows = place + STARTS * z, place + ROWS * z
    words[parents] = 0
    for number in range(count + 1):
        words[semi + number], words[labels + number] = number, number
        words[idom + number] = words[parents + number]
        words[sizes + number] = 1
    for number in range(count, 0, -1):
        least = words[parents + number]
        if words[names + number] < sources:
            least = 0
        for j in range(words[starts + number], words[starts + number + 1]):
            through = _evaluate(words, place, z, words[rows + j], number + 1)
            least = min(least, words[semi + through])
        words[semi + number] = least
    for number in range(1, count + 1):
        above = words[idom + number]
        while above > words[semi + number]:
            above = words[idom + above]
        words[idom + number] = above
    for number in range(count, 0, -1):
        words[sizes + words[idom + number]] += words[sizes + number]


@inner
def _evaluate(words, place, z, number, linked):
    """The number of least semidominator above ``number``, among those from ``linked`` on."""
    parents, semi = place + PARENTS * z, place + SEMI * z
    labels, stack = place + LABELS * z, place + STACK * z
    if words[parents + number] < linked:
        return words[labels + number]
    top, x = np.int64(0), number
    while words[parents + x] >= linked:
        words[stack + top] = x
        top += 1
        x = words[parents + x]
    while top > 0:
        top -= 1
        y = words[stack + top]
        best = words[labels + x]
        if words[semi + best] < words[semi + words[labels + y]]:
            words[labels + y] = best
        words[parents + y] = words[parents + x]
        x = y
    return words[labels + number]

"""Shared parts of star and acyclic coloring [1], of graphs and of patterns of matrices.

A two-colored star is known by its hub, and a two-colored tree by a disjoint set of edges. Both are
kept per edge while vertices are colored one after another. The edges from a vertex to its neighbors
of one color share a tree. So each vertex keeps a list of the colors around it, with the tree of
each, and a vertex reads the lists of its neighbors. The work is the sum of their lengths over all
edges. It is at most the sum of the squared degrees, and much less if a hub has few colors around.

Neutral vertices of a bicoloring are never colored. No two neighbors of one have the same color, and
no two neutral vertices are adjacent. Their edges are trees of their own.

[1] A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.operators.helpers import inner

__all__ = ["Pattern", "Progress", "TwoColored", "list_color", "listed_tree", "lowest", "treat"]


class Pattern(NamedTuple):
    """The rows to color, the edge of each arc, and the order of the vertices."""

    indptr: Any
    indices: Any
    edge: Any
    listed: Any
    neutral: Any  # a mask over vertices


class Progress(NamedTuple):
    """The colors so far, and what is known of the colors around vertices."""

    colors: Any
    marks: Any
    seen: Any
    around: Any
    sizes: Any


class TwoColored(NamedTuple):
    """Colors, and the two-colored star or tree of each edge.

    ``hub[tree]`` is the center of a star of two edges or more, -1 for a single edge, and -2 for a
    tree that is no star. Numbers of trees are below the number of edges.
    """

    colors: Any
    tree: Any
    hub: Any


@inner
def list_color(v, color, tree, indptr, around, sizes):
    """Append a color to the list of v, with the tree of the edges from v to it."""
    at = indptr[v] + sizes[v]
    around[at, 0], around[at, 1] = color, tree
    sizes[v] += 1


@inner
def listed_tree(v, color, indptr, around, sizes):
    """The tree of the edges from v to neighbors of a color; -1 if there are none."""
    for s in range(indptr[v], indptr[v] + sizes[v]):
        if around[s, 0] == color:
            return around[s, 1]
    return np.int64(-1)


@inner
def treat(v, w, indptr, around, sizes, forbidden, treated):
    """Forbid v the colors of all neighbors of w."""
    if treated[w] == v:
        return
    treated[w] = v
    for s in range(indptr[w], indptr[w] + sizes[w]):
        forbidden[around[s, 0]] = v


@inner
def lowest(v, forbidden):
    """The smallest color that v is not forbidden."""
    color = 0
    while forbidden[color] == v:
        color += 1
    return color

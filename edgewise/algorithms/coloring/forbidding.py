"""Shared parts of star and acyclic coloring [1], of graphs and of patterns of matrices.

A two-colored star is known by its hub, and a two-colored tree by a disjoint set of edges. Both are
kept per edge while vertices are colored one after another. A vertex looks at its neighbors and at
their neighbors, so the work is the sum of the squared degrees.

Neutral vertices of a bicoloring are never colored. No two neighbors of one have the same color, and
no two neutral vertices are adjacent. Their edges are trees of their own.

[1] A. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen. New acyclic and star coloring algorithms with
    application to computing Hessians. SIAM J. Sci. Comput. 29(3), 2007.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.operators.helpers import inner

__all__ = ["TwoColored", "lowest", "treat"]


class TwoColored(NamedTuple):
    """Colors, and the two-colored star or tree of each edge.

    ``hub[tree]`` is the center of a star of two edges or more, -1 for a single edge, and -2 for a
    tree that is no star. Numbers of trees are below the number of edges.
    """

    colors: Any
    tree: Any
    hub: Any


@inner
def treat(v, w, indptr, indices, colors, forbidden, treated):
    """Forbid v the colors of all neighbors of w."""
    if treated[w] == v:
        return
    treated[w] = v
    for f in range(indptr[w], indptr[w + 1]):
        if colors[indices[f]] >= 0:
            forbidden[colors[indices[f]]] = v


@inner
def lowest(v, forbidden):
    """The smallest color that v is not forbidden."""
    color = 0
    while forbidden[color] == v:
        color += 1
    return color

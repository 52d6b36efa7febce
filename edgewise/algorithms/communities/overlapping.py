"""Overlapping communities: lists of members, with the share of each membership."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.algorithms.communities.found_communities import Overlap
from edgewise.base.offsets import offsets

__all__ = ["OverlappingCommunities", "from_memberships"]


class OverlappingCommunities(NamedTuple):
    """Communities that may share vertices: the result of overlapping community detection.

    Attributes
    ----------
    indptr, members : arrays of int
        Community i has the vertices ``members[indptr[i]:indptr[i + 1]]``, in ascending order. The
        communities are in ascending order of their smallest vertices.
    shares : array of float64 over members
        The share of a vertex in each of its communities. The shares of a vertex sum to 1.
    num_vertices : int
        The number of vertices of the graph. Some of them may be in no community.

    Examples
    --------
    >>> import edgewise as ew
    >>> graph = ew.Graph.from_edges([0, 0, 1, 2, 2, 3], [1, 2, 2, 3, 4, 4])
    >>> found = ew.communities.k_clique_communities(graph)
    >>> [one.tolist() for one in found.lists()]
    [[0, 1, 2], [2, 3, 4]]
    >>> found.overlap().vertices.tolist(), found.overlap().communities.tolist()
    ([2, 2], [0, 1])
    """

    indptr: np.ndarray
    members: np.ndarray
    shares: np.ndarray
    num_vertices: int

    @property
    def num_communities(self) -> int:
        """The number of communities."""
        return len(self.indptr) - 1

    def sizes(self) -> np.ndarray:
        """Return the number of vertices in each community."""
        return np.diff(self.indptr)

    def row(self, i: int) -> np.ndarray:
        """Return the vertices of community ``i``; negative numbers count from the end."""
        i = range(self.num_communities)[i]
        return self.members[self.indptr[i] : self.indptr[i + 1]]

    def lists(self) -> list[np.ndarray]:
        """Return the communities as a list of arrays of vertices."""
        return np.split(self.members, self.indptr[1:-1]) if self.num_communities else []

    def counts(self) -> np.ndarray:
        """Return the number of communities of each vertex, an array over vertices."""
        return np.bincount(self.members, minlength=self.num_vertices)

    def overlap(self) -> Overlap:
        """Return the memberships of the vertices that are in several communities.

        ``communities`` of the result are numbers of communities, from 0 on.
        """
        numbers = np.repeat(np.arange(self.num_communities), self.sizes())
        order = np.argsort(self.members, kind="stable")
        order = order[self.counts()[self.members[order]] > 1]
        return Overlap(self.members[order], numbers[order], self.shares[order])


def from_memberships(
    groups: np.ndarray, vertices: np.ndarray, amounts: np.ndarray | None, n: int
) -> OverlappingCommunities:
    """Overlapping communities of distinct pairs of a group and a vertex.

    ``amounts`` are in proportion to the shares, which are equal if not given.
    """
    amounts = np.ones(len(groups)) if amounts is None else amounts.astype(np.float64)
    names, group = np.unique(groups, return_inverse=True)
    first = np.full(len(names), n)
    np.minimum.at(first, group, vertices)
    number = np.empty(len(names), np.int64)
    number[np.argsort(first, kind="stable")] = np.arange(len(names))
    order = np.lexsort((vertices, number[group]))
    members, amounts = vertices[order], amounts[order]
    shares = amounts / np.bincount(members, amounts, n)[members]
    indptr = offsets(np.bincount(group, minlength=len(names))[np.argsort(first, kind="stable")])
    return OverlappingCommunities(indptr, members, shares, n)

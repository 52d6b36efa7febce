"""Dendrograms: the tree of merges of hierarchical community detection.

The leaves are the communities before any merge, in ascending order of their smallest vertices.
Merge i joins two nodes of the tree into node ``num_leaves + i``, as in SciPy's linkage matrices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.communities.found_communities import Communities
from edgewise.algorithms.partition import plain
from edgewise.base.checks import check_count
from edgewise.graph.transfer import host

__all__ = ["Dendrogram", "Hierarchy", "smallest_members"]


class Dendrogram(NamedTuple):
    """The tree of merges of a hierarchical method.

    Attributes
    ----------
    leaves : array of int over vertices
        The community of each vertex before any merge, labeled by its smallest vertex.
    merges : array of int, shape (k, 2)
        The two nodes of each merge. Nodes below ``num_leaves`` are leaves, in ascending order of
        their labels. Merge i makes node ``num_leaves + i``.
    heights : array of float64 over merges
        Ascending. Merges of one level have equal heights.
    quality : array of float64, one longer than ``merges``
        The quality of the communities before any merge and after each one; NaN if unknown.

    Examples
    --------
    >>> import edgewise as ew
    >>> tree = ew.communities.greedy_modularity(ew.generators.karate_club()).dendrogram
    >>> tree.num_leaves, tree.cut(2).sizes().tolist()
    (34, [17, 17])
    >>> tree.to_linkage().shape
    (33, 4)
    """

    leaves: np.ndarray
    merges: np.ndarray
    heights: np.ndarray
    quality: np.ndarray

    @property
    def num_leaves(self) -> int:
        """The number of communities before any merge."""
        return len(np.unique(self.leaves))

    def cut(self, k: int) -> Communities:
        """Return the ``k`` communities that the first merges lead to.

        Raises
        ------
        ValueError
            If ``k`` exceeds the number of leaves, or merges never lead to so few communities.
        """
        most = self.num_leaves
        least = most - len(self.merges)
        if not least <= check_count(k, "k") <= most:
            raise ValueError(f"k must lie in {least} to {most} for this dendrogram, got {k}")
        return self._after(most - k)

    def best(self) -> Communities:
        """Return the communities of the highest quality, and of these the fewest."""
        known = np.where(np.isnan(self.quality), -np.inf, self.quality)
        return self._after(len(known) - 1 - int(known[::-1].argmax()))

    def to_linkage(self) -> np.ndarray:
        """Return the linkage matrix that ``scipy.cluster.hierarchy.dendrogram`` draws.

        It has a row for each merge: two nodes, the height, and the number of leaves below. Trees of
        different components are joined one after the other, above all merges.
        """
        leaves, done = self.num_leaves, len(self.merges)
        pairs, heights = [tuple(sorted(one)) for one in self.merges.tolist()], self.heights
        roots = np.ones(leaves + done, bool)
        roots[self.merges.ravel()] = False
        first, *others = np.flatnonzero(roots).tolist() or [0]
        for number, other in enumerate(others):
            above = leaves + done + number - 1
            pairs.append((other, above) if number else (first, other))
        top = heights[-1] + 1.0 if done else 1.0
        counts = [1] * leaves
        for one, other in pairs:
            counts.append(counts[one] + counts[other])
        linkage = np.empty((len(pairs), 4))
        linkage[:, :2] = np.array(pairs, np.float64).reshape(-1, 2)
        linkage[:done, 2], linkage[done:, 2] = heights, top
        linkage[:, 3] = counts[leaves:]
        return linkage

    def _after(self, count: int) -> Communities:
        """The communities after so many merges."""
        names, place = np.unique(self.leaves, return_inverse=True)
        root = np.arange(len(names) + count)
        root[self.merges[:count].ravel()] = np.repeat(root[len(names) :], 2)
        while (root[root] != root).any():
            root = root[root]
        return Communities(smallest_members(root[place]).astype(self.leaves.dtype))


class Hierarchy(NamedTuple):
    """The partitions of all levels, the finest first, and the quality of each.

    Attributes
    ----------
    levels : list of arrays of int over vertices
        One array per level. The label of a community is its smallest vertex.
    quality : list of float
        The value of the objective at each level.
    """

    levels: list[Any]  # arrays of vertex ids: the smallest vertex of each one's community
    quality: list[float]

    def to_dendrogram(self) -> Dendrogram:
        """Return the tree of merges, whose leaves are the communities of the finest level.

        The height of a merge is the number of its level. The last level is always a cut of the
        tree. Louvain's refinement may move vertices between groups: then groups of finer levels
        are divided.

        >>> import edgewise as ew
        >>> levels = ew.communities.louvain_partitions(ew.generators.cycle(60), deterministic=True)
        >>> tree = levels.to_dendrogram()
        >>> tree.best().num_communities == levels.levels[-1].num_communities
        True
        """
        return _of_levels(self.levels, self.quality)


def smallest_members(group: np.ndarray) -> np.ndarray:
    """The smallest vertex of each vertex's group; groups are numbers that are not negative.

    >>> smallest_members(np.array([5, 2, 5, 2])).tolist()
    [0, 1, 0, 1]
    """
    ids = np.arange(len(group))
    least = np.empty(int(group.max(initial=0)) + 1, np.int64)
    least[group[::-1]] = ids[::-1]  # the last one stays
    return least[group]


def _of_levels(levels: list[Any], quality: list[float]) -> Dendrogram:
    """The dendrogram of partitions, the finest first.

    A group whose members are in several groups of a later level is divided: the quality of such a
    level is unknown.
    """
    given = [np.asarray(plain(host(one)), np.int64) for one in levels]
    nested = given[-1:]
    for one in reversed(given[:-1]):
        pairs = np.unique(one * len(one) + nested[0], return_inverse=True)[1]
        nested.insert(0, smallest_members(pairs))
    names = np.unique(nested[0])
    leaves, node = len(names), dict(zip(names.tolist(), range(len(names)), strict=True))
    merges: list[tuple[int, int]] = []
    heights: list[float] = []
    rated = [np.nan]
    for height, (level, before, value) in enumerate(zip(nested, given, quality, strict=True)):
        for name in names[level[names] != names].tolist():
            into = int(level[name])  # a smaller vertex
            merges.append((node[into], node.pop(name)))
            node[into] = leaves + len(merges) - 1
            heights.append(float(height))
            rated.append(np.nan)
        rated[-1] = value if (level == before).all() else np.nan
        names = np.unique(level)
    joined = np.array(merges, np.int64).reshape(-1, 2)
    kind = plain(host(levels[0])).dtype
    return Dendrogram(nested[0].astype(kind), joined, np.array(heights), np.array(rated))

"""Connected components after insertions and deletions.

Every component has a root at level 0, and every other vertex has a neighbor one level below it.
While that holds, a component is connected. A removed edge matters only if it was the last one to a
lower level. `Repair` finds the vertices without a way down and gives them new levels; those it does
not reach are components of their own. An edge between two components puts the smaller one on new
levels, so a vertex moves O(log n) times if edges are only inserted.

home[v] is a name of v's component. Names are turned into smallest vertices in the answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import connected_components
from edgewise.algorithms.components.linking import link
from edgewise.algorithms.partition import as_components
from edgewise.base import atomic
from edgewise.base.checks import check_undirected
from edgewise.dynamic.path_repair import Repair
from edgewise.operators import for_each

__all__ = ["ComponentRepair"]

_FAR = np.iinfo(np.int64).max


class ComponentRepair:
    """The answer of `connected_components`, kept up to date."""

    #: A batch of more than this share of the edges is not repaired: computing anew is faster.
    share = 1 / 128

    def __init__(self, stream: Any):
        check_undirected(stream, "components")
        graph = stream.bare
        self.xp, self.rows, self.kind = graph.xp, stream.out, graph.indices.dtype
        self.found = connected_components(graph)
        self.repair: Any = None

    def start(self) -> None:
        """Make what repairs need, at the first one."""
        if self.repair is not None:
            return
        xp, n = self.xp, len(self.found)
        self.home = xp.asarray(self.found).astype(np.int64)
        self.size = xp.bincount(self.home, minlength=n)[:n].astype(np.int64)
        self.link = xp.arange(n)
        level = xp.full(n, _FAR, np.int64)
        self.repair = Repair(self.rows, self.rows, level, _FAR, unit=True,
                             static=2 * n + self.rows.num_arcs / 8)  # fmt: skip
        self._root(xp.flatnonzero(self.size))

    def _root(self, roots: Any) -> None:
        """Put vertices at level 0, and those that they lead to on higher ones."""
        self.repair.distance[roots] = 0
        self.repair.todo.put(roots)
        self.repair.spread()

    def grow(self, n: int) -> None:
        """Add vertices, each a component of its own."""
        xp, old = self.xp, len(self.home)
        new = xp.arange(old, n)
        self.home, self.link = xp.concatenate([self.home, new]), xp.arange(n)
        self.size = xp.concatenate([self.size, xp.ones(n - old, np.int64)])
        self.repair.grow(n)
        self.repair.distance[new] = 0

    def removed(self, change: Any) -> None:
        """Repair after removals."""
        xp, repair = self.xp, self.repair
        affected = repair.lose(*change.arcs)
        apart = affected[repair.distance[affected] == _FAR]
        if len(apart) == 0:
            return
        self._resize(self.home[apart], -1)
        repair.todo.each(apart, _link_row, repair.rows_of(self.rows), repair.distance, self.link)
        repair.todo.each(apart, _name, self.link, self.home)
        self.link[apart] = apart
        names = self.home[apart]
        self._resize(names, 1)
        self._root(xp.unique(names))

    def _resize(self, names: Any, by: int) -> None:
        found, counts = self.xp.unique(names, return_counts=True)
        self.size[found] += by * counts

    def added(self, change: Any) -> None:
        """Repair after insertions."""
        xp, (us, vs, _) = self.xp, change.edges
        one, other = self.home[us], self.home[vs]
        between = one != other
        if not bool(between.any()):
            return
        one, other = one[between], other[between]
        for_each(len(one), _link_names, (one, other, self.link), device=self.rows.device)
        names = xp.unique(xp.concatenate([one, other]))
        top = xp.empty(len(names), np.int64)
        for_each(len(names), _top, (names, self.link, top), device=self.rows.device)
        # Of the components that become one, the largest keeps its levels and its name.
        order = xp.lexsort(xp.stack([self.size[names], top]))
        last = xp.ones(len(order), bool)
        last[:-1] = top[order][1:] != top[order][:-1]
        winner = xp.empty(len(self.link), np.int64)
        winner[top[order][last]] = names[order][last]
        heirs = winner[top]
        loses = heirs != names
        heir = xp.arange(len(self.link))
        heir[names] = heirs
        moved = xp.flatnonzero(heir[self.home] != self.home)
        self.link[names] = names
        self._resize(self.home[moved], -1)
        self.home[moved] = heir[self.home[moved]]
        self._resize(self.home[moved], 1)
        assert bool((self.size[names[loses]] == 0).all())
        self.repair.begin()
        self.repair.restart(moved)

    def answer(self) -> Any:
        """The components now."""
        if self.repair is None:
            return as_components(self.xp.asarray(self.found).copy())
        xp, n = self.xp, len(self.home)
        least, label = xp.full(n, n, np.int64), xp.empty(n, self.kind)
        for_each(n, _smallest, (self.home, least), device=self.rows.device)
        for_each(n, _label, (self.home, least, label), device=self.rows.device)
        return as_components(label)


def _link_row(i, ids, rows, level, above):
    v = ids[i]
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        w = np.int64(rows.targets[e])
        if level[w] == _FAR:
            link(v, w, above)


def _link_names(i, one, other, above):
    link(one[i], other[i], above)


def _top(i, names, above, top):
    v = names[i]
    while above[v] != v:
        v = above[v]
    top[i] = v


def _name(i, ids, above, home):
    v = ids[i]
    while above[v] != v:
        v = above[v]
    home[ids[i]] = v


def _smallest(v, home, least):
    if least[home[v]] > v:
        atomic.min(least, home[v], v)


def _label(v, home, least, label):
    label[v] = least[home[v]]

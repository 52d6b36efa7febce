"""Communities after batches: only vertices near a change may move at first (dynamic frontier [1]).

The ends of edges that were removed inside a community or added between two start to move. A move
wakes the neighbors. Then the communities become the vertices of smaller graphs, as in a static
call. The modularity is at least that of the old communities on the new graph, up to the races of
moves in place.

[1] S. Sahu. DF Louvain: fast incrementally expanding approach for community detection on dynamic
    graphs. arXiv 2404.19634, 2024.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.climbing import split
from edgewise.algorithms.communities.found_communities import as_communities
from edgewise.algorithms.communities.hierarchy import (
    Level,
    Moved,
    brought,
    contracted,
    first_level,
    lowered,
    named,
    start,
    weighed,
)
from edgewise.algorithms.communities.iterating import Plan, iterate
from edgewise.algorithms.communities.leiden import leiden
from edgewise.algorithms.communities.louvain import louvain
from edgewise.algorithms.communities.moving import Rules, move
from edgewise.algorithms.communities.refining import refined
from edgewise.base.random import hashed

__all__ = ["CommunityRepair"]

#: A level ends when a pass gains no more than this; Leiden's randomness, in mean edge weights.
TOL, LEVELS, THETA = 1e-4, 32, 0.01


class CommunityRepair:
    """Communities of high modularity, kept up to date."""

    #: Batches of any size are repaired: the old communities are a better start than none.
    share = np.inf
    staged = False  # it needs the edges alone, not the rows before and after

    def __init__(self, stream: Any, method: str, resolution: float, seed: int):
        self.stream, self.method, self.xp = stream, method, stream.graph.xp
        self.resolution, self.seed, self.turn = resolution, seed, 0
        static = louvain if method == "louvain" else leiden
        self.found: Any = static(stream.graph, resolution=resolution, seed=seed)
        self.label = self.xp.asarray(self.found).astype(np.int64)
        self.active = self.xp.zeros(len(self.label), np.int8)

    def start(self) -> None:
        """Nothing is needed but the communities."""

    def grow(self, n: int) -> None:
        """Add vertices, each a community of its own."""
        xp, old = self.xp, len(self.label)
        self.label = xp.concatenate([self.label, xp.arange(old, n)])
        self.active = xp.concatenate([self.active, xp.ones(n - old, np.int8)])
        self.found = None

    def removed(self, change: Any) -> None:
        """Note the ends of edges that are gone from inside a community."""
        us, vs, _ = change.edges
        self._wake(us, vs, self.label[us] == self.label[vs])

    def added(self, change: Any) -> None:
        """Note the ends of edges that join two communities."""
        us, vs, _ = change.edges
        self._wake(us, vs, self.label[us] != self.label[vs])

    def _wake(self, us: Any, vs: Any, chosen: Any) -> None:
        self.active[us[chosen]] = 1
        self.active[vs[chosen]] = 1
        self.found = None

    def answer(self) -> Any:
        """The communities now."""
        if self.found is None:
            graph = self.stream.graph
            improved = _louvain if self.method == "louvain" else _leiden_again
            self.turn += 1
            label = improved(self, first_level(graph, "weight"))
            self.label = label.astype(np.int64)
            self.active[:] = 0
            self.found = as_communities(graph, label, "weight")
        return self.found


def _begin(repair: CommunityRepair, level: Level, rules: Rules) -> Moved:
    """The old communities, after the vertices near changes have moved."""
    label = repair.label.astype(level.graph.indices.dtype)
    at = Moved(label, weighed(level, label), 0.0)
    return move(level, at, rules, repair.active.copy())


def _louvain(repair: CommunityRepair, level: Level) -> Any:
    graph, mass = level.graph, float(level.masses[0].sum())
    rules = Rules(repair.resolution, (3 - len(level.masses)) / (mass or 1.0) ** 2, TOL,
                  seed=repair.seed, scale=mass)  # fmt: skip
    at = _begin(repair, level, rules)
    kept: list[tuple[Level, Any]] = []
    while len(kept) < LEVELS:
        small, vertices, _ = contracted(level, at.label, at.sums)
        kept.append((level, vertices))
        level, at = small, move(small, start(small), rules)
        if at.gain <= TOL:
            break
    for level, vertices in reversed(kept):
        at = lowered(level, at, vertices)
    return brought(graph, named(graph, at.label))


def _leiden_again(repair: CommunityRepair, level: Level) -> Any:
    graph, mass, ways = level.graph, float(level.masses[0].sum()), len(level.masses)
    rules = Rules(repair.resolution / (mass or 1.0), (3 - ways) / (mass or 1.0), TOL / 10,
                  seed=repair.seed)  # fmt: skip
    at = _begin(repair, level, rules)
    if mass:
        mean = mass * ways / max(graph.num_arcs, 1)
        plan = Plan(refined, rules, THETA * mean)
        at = iterate(level, at, plan, hashed(repair.seed, repair.turn), first=False)
    return brought(graph, split(graph, at.label))

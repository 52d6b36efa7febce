"""Paths: the result of `bfs` and `sssp`, with the distance and parent of each vertex."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count

__all__ = ["Paths"]


class Paths(NamedTuple):
    """Shortest-path distances from a source, and a shortest-path tree.

    ``distance[v]`` is inf, or the integer type's maximum, if v is not reached. ``parent[v]`` is the
    vertex before v on a shortest path, or -1 if v is not reached. The source is its own parent.

    >>> import edgewise as ew
    >>> ew.bfs(ew.Graph.from_edges([0, 1, 3], [1, 2, 4]), 0)
    Paths(3 of 5 vertices reached, the farthest at distance 2)
    """

    distance: Any
    parent: Any

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"parent": "vertices"}

    def path_to(self, target: int) -> list[int]:
        """Return the vertices of a shortest path from the source to ``target``; empty if unreached.

        By label: ``graph.label(paths.path_to(graph.vertex("Rome")))``.

        >>> Paths([0, 1, 2], [0, 0, 1]).path_to(2)
        [0, 1, 2]
        """
        if isinstance(target, str):
            raise TypeError(f"target must be a vertex id, got {target!r}; graph.vertex finds it")
        at, steps = check_count(target, "target", most=len(self.parent) - 1), []
        if self.parent[at] < 0:
            return []
        while int(self.parent[at]) != at:
            steps.append(at)
            at = int(self.parent[at])
        return [at, *reversed(steps)]

    def __repr__(self) -> str:
        if not isinstance(self.parent, np.ndarray):  # on a grid nobody counts for all ranks
            return f"Paths(distance={self.distance!r}, parent={self.parent!r})"
        reached = self.parent >= 0
        count, n = int(reached.sum()), len(reached)
        farthest = self.distance[reached].max() if count else 0
        return f"Paths({count:,} of {n:,} vertices reached, the farthest at distance {farthest})"

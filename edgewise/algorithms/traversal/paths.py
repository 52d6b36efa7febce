"""Paths: the result of `bfs` and `sssp`, a distance and a parent for every vertex."""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.base.checks import check_count

__all__ = ["Paths"]


class Paths(NamedTuple):
    """Distances from the source, and a tree that realizes them.

    ``distance[v]`` is inf, or the integer type's maximum, where v is not reached; ``parent[v]`` is
    the vertex before v on a shortest path, -1 where v is not reached; the source is its own parent.
    """

    distance: Any
    parent: Any

    @staticmethod
    def _holds() -> dict[str, str]:
        return {"parent": "vertices"}

    def path(self, target: int) -> list[int]:
        """The vertices from the source to ``target``; empty if it is not reached.

        By label: ``graph.label(paths.path(graph.vertex("Rome")))``.

        >>> Paths([0, 1, 2], [0, 0, 1]).path(2)
        [0, 1, 2]
        """
        if isinstance(target, str):
            raise TypeError(f"target must be a vertex id, got {target!r}: graph.vertex gives it")
        at, steps = check_count(target, "target", most=len(self.parent) - 1), []
        if self.parent[at] < 0:
            return []
        while int(self.parent[at]) != at:
            steps.append(at)
            at = int(self.parent[at])
        return [at, *reversed(steps)]

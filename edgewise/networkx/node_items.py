"""Items of lazy dicts: values of all nodes, of some nodes, paths, and values of edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from edgewise.networkx.compact import Compact
from edgewise.networkx.lazy_dict import lazy_dict

__all__ = ["Every", "Some", "every", "lists", "over_edges", "paths_to", "some"]


def every(rows: Compact, values: np.ndarray) -> dict:
    """A value for every node, in the order of the graph."""
    return lazy_dict(Every(rows, values))


def some(rows: Compact, ids: np.ndarray, values: np.ndarray) -> dict:
    """Values for the nodes at some positions, in this order; ``values`` are over all nodes."""
    return lazy_dict(Some(rows, ids, values))


def paths_to(rows: Compact, ids: np.ndarray, parents: np.ndarray, backward: bool = False) -> dict:
    """The paths to nodes at some positions along parents; those of roots are themselves."""
    return lazy_dict(_Paths(rows, ids, parents, backward))


def lists(rows: Compact, ids: np.ndarray, indptr: np.ndarray, members: np.ndarray) -> dict:
    """Lists of nodes for the nodes at some positions; ``indptr`` is over all nodes."""
    return lazy_dict(_Lists(rows, ids, indptr, members))


def over_edges(rows: Compact, values: np.ndarray) -> dict:
    """A value for every edge in the order of ``G.edges``; ``values`` are over `Graph.edges`."""
    return lazy_dict(_Edges(rows, values))


class Every:
    """A value for every node."""

    eager = 4000

    def __init__(self, rows: Compact, values: np.ndarray):
        self.rows, self.values = rows, values

    def __len__(self) -> int:
        return self.rows.n

    def find(self, key: Any) -> Any:
        """The value of a node in a tuple of one, or None."""
        at = self.rows.find(key)
        return None if at is None else (self.values[at].item(),)

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """All nodes and values."""
        return zip(self.rows.nodes, self.values.tolist(), strict=True)


class Some:
    """Values for the nodes at some positions."""

    eager = 4000

    def __init__(self, rows: Compact, ids: np.ndarray, values: np.ndarray):
        self.rows, self.ids, self.values = rows, ids, values
        self._chosen: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def find(self, key: Any) -> Any:
        """The value of a node in a tuple of one, or None."""
        at = self.rows.find(key)
        if self._chosen is None:
            self._chosen = np.zeros(self.rows.n, bool)
            self._chosen[self.ids] = True
        return None if at is None or not self._chosen[at] else (self._value(at),)

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """The nodes and their values."""
        return zip(self.rows.names(self.ids), self.values[self.ids].tolist(), strict=True)

    def _value(self, at: int) -> Any:
        return self.values[at].item()


class _Paths(Some):
    """Paths from a root to the nodes at some positions; ``values`` are the parents."""

    eager = 400

    def __init__(self, rows: Compact, ids: np.ndarray, parents: np.ndarray, backward: bool):
        super().__init__(rows, ids, parents)
        self.backward = backward

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """The nodes and the paths to them, each made from that to the parent."""
        parents = self.values.tolist()
        made, nodes = dict[int, list[Any]](), self.rows.nodes
        for last in self.ids.tolist():
            missing = [last]  # parents usually come first
            while (up := parents[missing[-1]]) not in made and up not in (missing[-1], -1):
                missing.append(up)
            for at in reversed(missing):
                node, parent = nodes[at], parents[at]
                before = [] if parent in (at, -1) else made[parent]
                made[at] = [node, *before] if self.backward else [*before, node]
            yield nodes[last], made[last]

    def _value(self, at: int) -> list[Any]:
        steps = [at]
        while (parent := int(self.values[at])) not in (at, -1):
            at = parent
            steps.append(at)
        found = self.rows.names(steps)
        return found if self.backward else found[::-1]


class _Lists(Some):
    """Lists of nodes for the nodes at some positions; ``values`` are the ends of their members."""

    eager = 400

    def __init__(self, rows: Compact, ids: np.ndarray, indptr: np.ndarray, members: np.ndarray):
        super().__init__(rows, ids, indptr)
        self.members = members

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """The nodes and their lists."""
        names, ends = self.rows.names(self.members), self.values.tolist()
        found = [names[ends[at] : ends[at + 1]] for at in self.ids.tolist()]
        return zip(self.rows.names(self.ids), found, strict=True)

    def _value(self, at: int) -> list[Any]:
        return self.rows.names(self.members[self.values[at] : self.values[at + 1]])


class _Edges:
    """A value for every edge."""

    eager = 400

    def __init__(self, rows: Compact, values: np.ndarray):
        self.rows, self.values = rows, values

    def __len__(self) -> int:
        return self.rows.graph.num_edges

    def find(self, key: Any) -> Any:
        """The value of an edge in a tuple of one, or None."""
        rows, graph = self.rows, self.rows.graph
        pair: Any = [*map(rows.find, key)] if isinstance(key, tuple) and len(key) == 2 else [None]
        if None in pair or not (rows.directed or pair[0] <= pair[1]):
            return None
        low: Any
        low, high = graph.indptr[pair[0]], graph.indptr[pair[0] + 1]
        at = low + np.searchsorted(graph.indices[low:high], pair[1])
        found = at < high and graph.indices[at] == pair[1]
        return (self.values[graph.arc_to_edge[at]].item(),) if found else None

    def pairs(self) -> Iterable[tuple[Any, Any]]:
        """All edges and values."""
        sources, targets, places = self.rows.edges()
        values = self.values[self.rows.graph.arc_to_edge[places]].tolist()
        names = self.rows.names
        return zip(zip(names(sources), names(targets), strict=True), values, strict=True)

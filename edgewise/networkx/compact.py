"""Compact: the adjacency of a NetworkX graph in arrays.

A neighbor is one number, the position of its node in ``list(G)``. The rows are kept in NetworkX's
order, for searches whose results depend on it, and as a `Graph` with sorted rows, for algorithms.
Parallel edges are one neighbor. Attributes of edges are read when a function names them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import networkx as nx
import numpy as np

from edgewise.algorithms import ALGORITHMS
from edgewise.base.offsets import offsets
from edgewise.graph.graph import Graph
from edgewise.graph.node_rows import neighbor_ids, rows_of
from edgewise.networkx.settings import setting

__all__ = ["Arcs", "Compact", "compact"]

#: So many edges are compared with a kept column; a shorter one is read again.
_SAMPLE = 128


def compact(G: Any, reverse: bool = False) -> Compact:
    """The arrays of a graph, made at the first call and kept while the graph stays the same.

    With ``reverse``, the rows of a directed graph hold predecessors.
    """
    reverse = reverse and G.is_directed()
    folded = G.__dict__.get("_folded")
    if folded is not None and not reverse:
        return folded
    name, cache = "edgewise_reversed" if reverse else "edgewise", G.__networkx_cache__
    if cache is None:
        return Compact.of(G, reverse)
    if name not in cache:
        cache[name] = Compact.of(G, reverse)
    return cache[name]


class Arcs(NamedTuple):
    """Rows for kernels, in NetworkX's order."""

    indptr: np.ndarray
    targets: np.ndarray


class Compact:
    """The rows of a graph, and the functions that read its attributes and run algorithms."""

    def __init__(
        self, nodes: Any, indptr: Any, targets: Any, *, directed: bool, identity: bool = False
    ):
        self.nodes = nodes
        self.indptr = indptr
        self.targets = targets  # in NetworkX's order
        self.directed = directed
        self.identity = identity  # node i is the integer i
        self.attributes: dict[Any, np.ndarray] = {}  # of edges, if it was made from arrays
        self.of_nodes: dict[Any, np.ndarray] = {}  # attributes of nodes, in this case
        self._kept: dict[Any, Any] = {}

    @classmethod
    def of(cls, G: Any, reverse: bool = False) -> Compact:
        """Read the rows of a NetworkX graph."""
        rows = rows_of(G._pred if reverse else G._adj)
        nodes = list(rows)
        ids, targets = neighbor_ids(nodes, rows)
        identity = ids is not None and bool((ids == np.arange(len(nodes))).all())
        if ids is not None and not identity:  # the integers 0 to n - 1 in another order
            positions = np.empty(len(nodes), np.int64)
            positions[ids] = np.arange(len(nodes))
            targets = positions[targets]
        indptr = offsets(np.fromiter(map(len, rows.values()), np.int64, len(nodes)))
        small = targets.astype(np.int32) if len(nodes) < 2**31 else targets
        return cls(nodes, indptr, small, directed=G.is_directed(), identity=identity)

    @classmethod
    def of_graph(cls, graph: Graph, nodes: Any = None) -> Compact:
        """The same of a `Graph`, with given nodes or the integers."""
        listed = range(graph.num_vertices) if nodes is None else nodes
        found = cls(listed, graph.indptr, graph.indices, directed=graph.directed,
                    identity=nodes is None)  # fmt: skip
        found.__dict__["graph"] = graph
        return found

    @property
    def n(self) -> int:
        """The number of nodes."""
        return len(self.indptr) - 1

    @cached_property
    def order(self) -> np.ndarray | None:
        """For each arc of the sorted rows, its place in NetworkX's order; None if they agree."""
        from scipy.sparse import csr_array

        rows = csr_array((self.n, self.n))
        rows.data = np.arange(len(self.targets))
        narrow = np.int32 if max(self.n, len(self.targets)) < 2**31 else np.int64
        rows.indices, rows.indptr = (x.astype(narrow) for x in (self.targets, self.indptr))
        if rows.has_sorted_indices:
            return None
        rows.sort_indices()
        return rows.data

    @cached_property
    def graph(self) -> Graph:
        """The unweighted graph, with sorted rows."""
        targets = self.targets if self.order is None else self.targets[self.order]
        return Graph(self.indptr, targets, directed=self.directed)

    @cached_property
    def _index(self) -> dict[Any, int]:
        return {node: i for i, node in enumerate(self.nodes)}

    def find(self, node: Any) -> int | None:
        """The position of a node, or None."""
        if not self.identity:
            return self._index.get(node)
        at = hash(node)  # equal keys have equal hashes, and an integer is its own
        return at if 0 <= at < self.n and at == node else None

    def ids(self, nodes: Iterable[Any]) -> np.ndarray:
        """The positions of nodes that are all in the graph."""
        return np.fromiter(map(self.find, nodes), np.int64)

    def names(self, ids: Any) -> list[Any]:
        """The nodes at these positions."""
        ids = ids.tolist() if hasattr(ids, "tolist") else ids
        return ids if self.identity else [*map(self.nodes.__getitem__, ids)]

    def column(self, G: Any, attribute: Any, default: Any = 1, combine: Any = sum) -> np.ndarray:
        """The values of an edge attribute, over the arcs of the sorted rows.

        ``combine`` makes one value of those of parallel edges. Values that are not numbers are
        left to NetworkX.
        """
        if "_folded" in G.__dict__:  # made from arrays
            found = self.attributes.get(attribute)
            return np.full(len(self.targets), default) if found is None else found
        key = ("column", attribute, default, combine)
        if key not in self._kept or self._has_changed(G, self._kept[key], *key[1:]):
            found = self._column(G, attribute, default, combine)
            if found.dtype.kind not in "biuf" or found.dtype == np.uint64:
                raise NotImplementedError(f"the edge attribute {attribute!r} is not a number")
            found = found.astype(np.int64) if found.dtype.kind in "bu" else found
            if not getattr(G, "_keeps_columns", False):
                return found
            self._kept[key] = found
        return self._kept[key]

    def lacks(self, G: Any, attribute: Any) -> bool:
        """Was a graph made from arrays, without this attribute of its edges?"""
        return "_folded" in G.__dict__ and attribute not in self.attributes

    def _has_changed(self, G: Any, kept: np.ndarray, attribute: Any, *how: Any) -> bool:
        """Do some edges have other values than a kept column?

        NetworkX notices no change such as ``G[u][v]["weight"] = 3``. Scripts that change weights
        this way usually change many of them.
        """
        if len(kept) <= _SAMPLE:
            return True
        some = np.linspace(0, len(kept) - 1, _SAMPLE).astype(np.int64)
        sources = np.searchsorted(self.graph.indptr, some, side="right") - 1
        targets, rows, (default, combine) = self.graph.indices[some], G._adj, how
        ends = zip(self.names(sources), self.names(targets), kept[some].tolist(), strict=True)
        for u, v, value in ends:
            data = rows[u][v]
            if G.is_multigraph():
                found = combine([one.get(attribute, default) for one in data.values()])
            else:
                found = data.get(attribute, default)
            if found != value and found == found:
                return True
        return False

    def degrees(self, G: Any, mode: str = "both") -> np.ndarray:
        """The degrees of all nodes: "out", "in" or "both"; an undirected loop counts twice."""
        many = self.multiplicity(G)
        sources, targets, _ = self.graph.arcs()
        out = np.bincount(sources, many, self.n).astype(np.int64)
        if mode == "out" and self.directed:
            return out
        if not self.directed:
            loops = sources == targets
            more = None if many is None else many[loops]
            return out + np.bincount(sources[loops], more, self.n).astype(np.int64)
        into = np.bincount(targets, many, self.n).astype(np.int64)
        return into if mode == "in" else into + out

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sources and targets of the edges as ``G.edges`` lists them, and their sorted arcs."""
        sources = np.repeat(np.arange(self.n), np.diff(self.indptr))
        places = np.arange(len(self.targets))
        if self.order is not None:
            places[self.order] = places.copy()
        if self.directed:
            return sources, self.targets, places
        once = sources <= self.targets
        return sources[once], self.targets[once], places[once]

    def multiplicity(self, G: Any) -> np.ndarray | None:
        """The number of parallel edges over the arcs of the sorted rows; None if it is one."""
        return self._column(G, None, 1, sum) if G.is_multigraph() else None

    def _column(self, G: Any, attribute: Any, default: Any, combine: Any) -> np.ndarray:
        found = [*chain.from_iterable(row.values() for row in G._adj.values())]
        if G.is_multigraph():
            if attribute is None:
                values = [*map(len, found)]
            else:
                values = [
                    combine([one.get(attribute, default) for one in edges.values()])
                    for edges in found
                ]
        elif any(found) or not found:
            values = [data.get(attribute, default) for data in found]
        else:  # no edge has any attribute
            return np.full(len(found), default)
        array = np.array(values) if values else np.empty(0, np.int64)
        return array if self.order is None or array.ndim != 1 else array[self.order]

    def lengths(self, G: Any, attribute: Any, signed: bool = False) -> np.ndarray:
        """Lengths of edges over the arcs in NetworkX's order; negative ones only if ``signed``."""
        if attribute is None or self.lacks(G, attribute):
            return np.ones(len(self.targets), np.int64)
        found = self.column(G, attribute, combine=min)
        if not (found >= (-np.inf if signed else 0)).all():
            wrong = "NaN" if signed else "negative or NaN"
            raise NotImplementedError(f"the edge attribute {attribute!r} is {wrong}")
        return self.in_order(found)

    def in_order(self, values: np.ndarray) -> np.ndarray:
        """Values over the arcs of the sorted rows, over the arcs in NetworkX's order."""
        if self.order is None:
            return values
        found = np.empty_like(values)
        found[self.order] = values
        return found

    def weighted(self, G: Any, attribute: Any, default: Any = 1, combine: Any = sum) -> Graph:
        """The graph with an edge attribute as weights, or unweighted for None."""
        if attribute is None:
            return self.graph
        if self.lacks(G, attribute):
            return self.graph
        weights = self.column(G, attribute, default, combine)
        if default == 1 and weights.dtype.kind == "i" and (weights == 1).all():
            return self.graph
        return Graph(self.graph.indptr, self.graph.indices, weights, directed=self.directed)

    def summed(self, G: Any, attribute: Any, combine: Any = sum) -> Graph:
        """The graph with sums over parallel edges as weights: of an attribute, or of ones."""
        if attribute is not None or not G.is_multigraph():
            return self.weighted(G, attribute, combine=combine)
        many = self.multiplicity(G)
        return Graph(self.graph.indptr, self.graph.indices, many, directed=self.directed)

    def run(self, algorithm: str, *args: Any, graph: Graph | None = None, **options: Any) -> Any:
        """Run an algorithm of the table on the configured device; its result in host memory."""
        row, graph = ALGORITHMS[algorithm], self.graph if graph is None else graph
        device, count = setting("device"), setting("threads")
        if device != "cpu" and "cuda" in row.engines:
            if graph is self.graph:
                graph = self._kept.setdefault(("device", device), graph.to(device))
            else:
                graph = graph.to(device)
        if count is None:
            limit: Any = nullcontext()
        else:
            from edgewise.base.threads import threads

            limit = threads(count)
        try:
            with limit:
                return _host(row.load()(graph, *args, **options))
        except ValueError as error:  # NetworkX decides what it means
            raise NotImplementedError(str(error)) from error


def _host(result: Any) -> Any:
    from edgewise.graph.transfer import host

    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(_host, result))
    return result if isinstance(result, (Graph, nx.Graph, type(None), bool, int, float, str, dict,
                                         list)) else host(result)  # fmt: skip

"""A graph on the ranks of `edgewise.cluster`, as the caller sees it.

It has the sizes of the graph but none of its arcs. Algorithms accept it as they accept a graph on
a grid; their door (`edgewise.graph.foreign`) calls `ClusterGraph.call`, which sends the call to
all ranks.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from edgewise.distributed.rank_tasks import GraphInfo, GraphNumber
from edgewise.graph import Graph

if TYPE_CHECKING:
    from edgewise.distributed.cluster import Cluster

__all__ = ["ClusterGraph", "numbers_of"]


class ClusterGraph:
    """A handle of a graph on a cluster's ranks; algorithms called on it run there."""

    engine = "cluster"
    one_device = False

    def __init__(self, cluster: Cluster, info: GraphInfo) -> None:
        self.cluster, self._info = cluster, info
        self.num_vertices, self.num_edges = info.num_vertices, info.num_edges
        self.num_arcs, self.num_self_loops = info.num_arcs, info.num_self_loops
        self.directed, self.device = info.directed, cluster.device
        #: The number of arcs that each rank holds.
        self.rank_arcs = info.rank_arcs
        weakref.finalize(self, cluster._dropped.append, info.number).atexit = False

    def call(self, function: Any, /, *args: Any, **options: Any) -> Any:
        """Run a public function on all ranks and return its gathered result."""
        home = function.__module__
        if not home.startswith("edgewise.") or home.startswith("edgewise.operators"):
            raise TypeError(
                f"{function.__qualname__} runs on the ranks alone: put it into a function "
                "program(comm, graph) and call cluster.run(program, graph)"
            )
        given = numbers_of(args, self.cluster), numbers_of(options, self.cluster)
        found = self.cluster._same("algorithm", home, function.__qualname__, *given)[0]
        return self._made(found)

    def degrees(self) -> Any:
        """Return the degree of each vertex; in a directed graph, the out-degree."""
        return self._method("degrees")

    def in_degrees(self) -> Any:
        """Return the in-degree of each vertex; in an undirected graph, the degree."""
        return self._method("in_degrees")

    def to_undirected(self) -> ClusterGraph:
        """Return the graph with every edge in both directions, on the same ranks."""
        return self._method("to_undirected")

    def vertex(self, label: Any) -> Any:
        """Return the vertex of a label, or those of a list of labels."""
        return self._method("vertex", label)

    def label(self, vertex: Any) -> Any:
        """Return the label of a vertex, or those of a list of vertices."""
        return self._method("label", vertex)

    @property
    def labels(self) -> Any:
        """The labels of all vertices, gathered; None if the vertices have none."""
        return self.cluster._same("labels", self._info.number)[0]

    def gather(self) -> Graph:
        """Return the whole graph in the memory of the caller."""
        return self.cluster._same("whole", self._info.number)[0]

    def _method(self, name: str, *args: Any) -> Any:
        return self._made(self.cluster._same("method", self._info.number, name, args)[0])

    def _made(self, found: Any) -> Any:
        """A result with handles in place of what was told about graphs."""
        if isinstance(found, GraphInfo):
            return ClusterGraph(self.cluster, found)
        if isinstance(found, tuple):
            parts = [self._made(one) for one in found]
            return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
        return found

    def __getattr__(self, name: str) -> Any:
        arrays = ("indptr", "indices", "weights", "xp")
        if (hasattr(Graph, name) or name in arrays) and not name.startswith("__"):
            raise AttributeError(
                f"a graph on a cluster has no {name!r}: its arcs are on the ranks; "
                "graph.gather() brings them here"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __len__(self) -> int:
        return self.num_vertices

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return (
            f"ClusterGraph({kind}, {self.num_vertices:,} vertices, {self.num_edges:,} edges, "
            f"on {self.cluster.ranks} ranks)"
        )


def numbers_of(values: Any, cluster: Cluster) -> Any:
    """Arguments with numbers in place of graphs on a cluster, as its ranks take them."""
    if isinstance(values, ClusterGraph):
        if values.cluster is not cluster:
            raise ValueError("graph must be on this cluster, got one on another")
        return GraphNumber(values._info.number)
    if type(values) in (list, tuple):
        return type(values)(numbers_of(one, cluster) for one in values)
    if type(values) is dict:
        return {key: numbers_of(one, cluster) for key, one in values.items()}
    return values

"""Graph: a frozen adjacency in compressed rows, read as directed or undirected.

An arc is a position in ``indices``. An undirected graph stores both directions of an edge, as two
arcs; a self-loop is one arc. The ways in and out are in `build`, `convert` and `frames`, what
reshapes a graph in `transform`, `parts` and `contract`, summaries in `properties`, vertices by
label in `lookup`; what they hold are methods here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import parallel
from edgewise.base.checks import check_flag, check_vertex
from edgewise.base.once import cached_property
from edgewise.graph import (
    build,
    convert,
    data_frames,
    edges,
    lookup,
    properties,
    result_frames,
    subgraphs,
    transform,
)
from edgewise.graph.contract import contract, contraction
from edgewise.graph.csr import CSR, frozen
from edgewise.graph.labels import Labels, check_every

__all__ = ["Graph"]


class Graph(CSR):
    """A frozen graph.

    Most graphs come from `from_edges`, another ``from_...`` or `edgewise.read`; this constructor
    takes finished arrays as they are.

    Parameters
    ----------
    indptr, indices : arrays
        Vertex u's neighbors are ``indices[indptr[u]:indptr[u + 1]]``, ascending, none twice; both
        directions of every edge if the graph is undirected. Trusted: `validate` checks them.
    weights : array, optional
        One number per arc (float32, float64, int32 or int64); None counts every edge as one.
    directed : bool
        How to read the arcs.
    labels : Labels, optional
        What the vertices are called outside.

    Examples
    --------
    >>> Graph([0, 1, 3, 4], [1, 0, 2, 1])
    Graph(undirected, 3 vertices, 2 edges, 48 B)
    """

    directed: bool
    labels: Labels | None

    from_edges = classmethod(build.from_edges)
    from_scipy = classmethod(convert.from_scipy)  # type: ignore[assignment]
    from_networkx = classmethod(convert.from_networkx)
    from_igraph = classmethod(convert.from_igraph)
    from_pandas = classmethod(data_frames.from_pandas)
    from_polars = classmethod(data_frames.from_polars)
    from_arrow = classmethod(data_frames.from_arrow)
    to_scipy = convert.to_scipy
    to_networkx = convert.to_networkx
    to_igraph = convert.to_igraph
    to_pandas = data_frames.to_pandas
    to_arrow = data_frames.to_arrow
    permute = transform.permute
    subgraph = subgraphs.subgraph
    symmetrize = transform.symmetrize
    without_self_loops = transform.without_self_loops
    with_weights = transform.with_weights
    with_labels = transform.with_labels
    contract = contract
    contraction = contraction
    vertex = lookup.vertex
    vertices = lookup.vertices
    label = lookup.label
    neighbors = lookup.neighbors
    degree = lookup.degree
    has_edge = lookup.has_edge
    edge_weight = lookup.edge_weight
    first_arc = lookup.first_arc
    table = result_frames.table
    degrees = properties.degrees
    in_degrees = properties.in_degrees
    degree_summary = properties.degree_summary
    weight_summary = properties.weight_summary

    def __init__(
        self,
        indptr: Any,
        indices: Any,
        weights: Any = None,
        *,
        directed: bool = False,
        labels: Labels | None = None,
    ):
        super().__init__(indptr, indices, weights)
        check_every(labels, self.shape[0])
        self._keep(directed=check_flag(directed, "directed"), labels=labels)

    @property
    def num_vertices(self) -> int:
        """The number of vertices."""
        return self.shape[0]

    @property
    def num_edges(self) -> int:
        """The number of edges as NetworkX counts them: an undirected edge once, also a loop.

        >>> Graph.from_edges([0, 1], [1, 1]).num_edges
        2
        """
        return self.num_arcs if self.directed else (self.num_arcs + self.num_self_loops) // 2

    @cached_property
    def num_self_loops(self) -> int:
        """The number of vertices with an edge to themselves; counted at first use."""
        if self.device != "cpu":
            from edgewise.graph.transfer import row_ids

            return int((row_ids(self) == self.indices).sum())
        return properties.count_self_loops(self)

    @cached_property
    def max_degree(self) -> int:
        """The highest out-degree; counted at first use.

        >>> Graph.from_edges([0, 0], [1, 2]).max_degree
        2
        """
        if self.device != "cpu":
            return int(self.xp.diff(self.indptr).max()) if self.num_vertices else 0
        return properties.max_degree(self)

    @cached_property
    def transposed(self) -> Graph:
        """The graph with all arcs turned around; an undirected graph is its own.

        Built at first use and kept. ``transposed.edge_ids`` gives, for each of its arcs (v, u), the
        edge id of (u, v) in this graph; weights and labels are carried.

        >>> graph = Graph.from_edges([0, 0, 2], [1, 2, 1], directed=True)
        >>> graph.transposed.indices.tolist(), graph.transposed.edge_ids.tolist()
        ([0, 2, 0], [0, 2, 1])
        """
        if not self.directed:
            return self
        return self._transposed(Graph, directed=True, labels=self.labels)

    @cached_property
    def reverse_edge(self) -> np.ndarray:
        """The edge id of (v, u) for every arc (u, v) of an undirected graph; a loop is its own.

        >>> Graph.from_edges([0, 1], [1, 2]).reverse_edge.tolist()
        [1, 0, 3, 2]
        """
        if self.directed:
            raise ValueError(
                "reverse_edge needs an undirected graph; a directed one has transposed.edge_ids"
            )
        if self.device != "cpu":
            from edgewise.graph import transfer

            return frozen(transfer.edge_order(self))
        from edgewise.graph.transpose import edge_order

        return frozen(edge_order(self.indptr, self.indices, self.num_vertices))

    @cached_property
    def edge_to_arc(self) -> np.ndarray:
        """The arc of every edge, in the order of `edges`: the one from the smaller end.

        ``over_arcs[graph.edge_to_arc]`` makes an array over edges of one over arcs. Built at first
        use and kept.

        >>> Graph.from_edges([0, 1], [1, 2]).edge_to_arc.tolist()
        [0, 2]
        """
        return edges.edge_to_arc(self)

    @cached_property
    def arc_to_edge(self) -> np.ndarray:
        """The edge of every arc, as its place in the order of `edges`.

        ``over_edges[graph.arc_to_edge]`` makes an array over arcs, as operators take them, of one
        over edges. Built at first use and kept.

        >>> Graph.from_edges([0, 1], [1, 2]).arc_to_edge.tolist()
        [0, 0, 1, 1]
        """
        return edges.arc_to_edge(self)

    @property
    def edge_ids(self) -> np.ndarray | None:
        """On a transpose, each arc's edge id in the original; None on any other directed graph.

        An undirected graph is its own transpose: there this is `reverse_edge`.
        """
        return super().edge_ids if self.directed else self.reverse_edge

    def full(self, fill: Any, dtype: Any = None) -> np.ndarray:
        """A new array over the vertices, on the graph's device.

        >>> Graph.from_edges([0], [1]).full(-1).tolist()
        [-1, -1]
        """
        try:
            filled = parallel.full if self.xp is np else self.xp.full
            return filled(self.num_vertices, fill, dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"fill must be one value that dtype can hold: {error}") from None

    def vertex_ids(self, dtype: Any = None) -> np.ndarray:
        """A new array of all vertices in order, on the graph's device.

        >>> Graph.from_edges([0], [1]).vertex_ids().tolist()
        [0, 1]
        """
        make = parallel.arange if self.xp is np else self.xp.arange
        return make(self.num_vertices, dtype=dtype)

    def full_arcs(self, fill: Any, dtype: Any = None) -> np.ndarray:
        """A new array over the arcs, on the graph's device.

        >>> Graph.from_edges([0], [1]).full_arcs(0.5).tolist()
        [0.5, 0.5]
        """
        return self.xp.full(self.num_arcs, fill, dtype)

    def arcs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Sources, targets and weights (or None) of all arcs, in the order of ``indices``.

        >>> Graph.from_edges([0], [1]).arcs()[0].tolist()
        [0, 1]
        """
        return properties.arcs(self)

    def edges(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Sources, targets and weights (or None) of all edges, each undirected edge once.

        An undirected edge's source is its smaller end.

        >>> Graph.from_edges([1], [0]).edges()[0].tolist()
        [0]
        """
        return properties.arcs(self) if self.directed else properties.upper_arcs(self)

    def __len__(self) -> int:
        """The number of vertices, as in NetworkX.

        >>> len(Graph.from_edges([0], [1]))
        2
        """
        return self.num_vertices

    def __bool__(self) -> bool:
        return True

    def __contains__(self, vertex: Any) -> bool:
        """Is there such a vertex: an integer is a position, a string a label?

        >>> graph = Graph.from_edges(["ann"], ["bob"])
        >>> "ann" in graph, "eve" in graph, 1 in graph, 2 in graph
        (True, False, True, False)
        """
        try:
            check_vertex(self, vertex)
        except (TypeError, ValueError):
            return False
        return True

    def _same(self, other: Any) -> bool:
        return (
            self.directed == other.directed and self.labels == other.labels and super()._same(other)
        )

    def _options(self) -> dict[str, Any]:
        return {"directed": self.directed, "labels": self.labels}

    def __repr__(self) -> str:
        return properties.describe(self)

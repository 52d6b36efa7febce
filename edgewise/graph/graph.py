"""Graph: a frozen adjacency in compressed rows, read as directed or undirected.

An arc is a position in ``indices``. An undirected graph stores both directions of an edge, as two
arcs; a self-loop is one arc. The ways in and out are in `build`, `convert` and `frames`, what
reshapes a graph in `transform`, `parts` and `contract`, summaries in `properties`, vertices by
label in `lookup`; what they hold are methods here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base import parallel
from edgewise.base.checks import check_flag, check_vertex
from edgewise.base.once import cached_property
from edgewise.graph import (
    attribute_tables,
    build,
    compressed,
    convert,
    data_frames,
    edges,
    graph_tool_maps,
    lookup,
    peers,
    properties,
    result_frames,
    subgraphs,
    time_windows,
    transform,
    updates,
)
from edgewise.graph.attribute_tables import Columns
from edgewise.graph.column_views import EdgeView, VertexView
from edgewise.graph.contract import contract
from edgewise.graph.csr import CSR, frozen
from edgewise.graph.labels import Labels, check_every
from edgewise.graph.memory_limit import TRANSPOSE, check_arcs, keep_within

__all__ = ["Graph"]


class Graph(CSR):
    """An immutable graph in compressed sparse row (CSR) format, directed or undirected.

    Most graphs are made by `from_edges`, another ``from_...`` method or `edgewise.read`. The
    constructor takes finished CSR arrays and does not check them.

    Parameters
    ----------
    indptr, indices : arrays
        The neighbors of vertex u are ``indices[indptr[u]:indptr[u + 1]]``, ascending and distinct.
        An undirected graph stores both directions of each edge. `validate` checks these rules.
    weights : array, optional
        An array over arcs (float32, float64, int32 or int64). None means an unweighted graph.
    directed : bool
        Whether each arc is a directed edge.
    labels : Labels, optional
        The labels of the vertices, such as names or ids of the input file.
    columns : Columns, optional
        Named values of edges and vertices; `with_columns` adds some.

    Examples
    --------
    >>> Graph([0, 1, 3, 4], [1, 0, 2, 1])
    Graph(undirected, 3 vertices, 2 edges, 48 B)
    """

    directed: bool
    labels: Labels | None
    columns: Columns | None = None

    from_edges = classmethod(build.from_edges)
    from_scipy = classmethod(convert.from_scipy)  # type: ignore[assignment]
    from_networkx = classmethod(convert.from_networkx)
    from_igraph = classmethod(convert.from_igraph)
    from_networkit = classmethod(peers.from_networkit)
    from_pyg = classmethod(peers.from_pyg)
    from_dgl = classmethod(peers.from_dgl)
    from_graph_tool = classmethod(graph_tool_maps.from_graph_tool)
    from_pandas = classmethod(data_frames.from_pandas)
    from_polars = classmethod(data_frames.from_polars)
    from_arrow = classmethod(data_frames.from_arrow)
    to_scipy = convert.to_scipy
    to_networkx = convert.to_networkx
    to_igraph = convert.to_igraph
    to_networkit = peers.to_networkit
    to_pyg = peers.to_pyg
    to_dgl = peers.to_dgl
    to_graph_tool = graph_tool_maps.to_graph_tool
    to_pandas = data_frames.to_pandas
    to_polars = data_frames.to_polars
    to_arrow = data_frames.to_arrow
    permute = transform.permute
    subgraph = subgraphs.subgraph
    where = subgraphs.where
    updated = updates.updated
    window = time_windows.window
    snapshots = time_windows.snapshots
    to_undirected = transform.to_undirected
    without_self_loops = transform.without_self_loops
    with_weights = transform.with_weights
    with_labels = transform.with_labels
    with_columns = attribute_tables.with_columns
    compress = compressed.compress
    decompress = compressed.decompress
    contract = contract
    vertex = lookup.vertex
    label = lookup.label
    neighbors = lookup.neighbors
    degree = lookup.degree
    has_edge = lookup.has_edge
    edge_weight = lookup.edge_weight
    _first_arc = lookup.first_arc
    table = result_frames.table
    vertex_table = result_frames.vertex_table
    degrees = properties.degrees
    in_degrees = properties.in_degrees
    row_lengths = properties.row_lengths
    column_lengths = properties.column_lengths
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
        columns: Columns | None = None,
    ):
        super().__init__(indptr, indices, weights)
        check_every(labels, self.shape[0])
        self._keep(directed=check_flag(directed, "directed"), labels=labels)
        if columns is not None:
            self._keep(columns=columns)

    @property
    def num_vertices(self) -> int:
        """The number of vertices."""
        return self.shape[0]

    @property
    def num_edges(self) -> int:
        """The number of edges; an undirected edge and a self-loop each count once, as in NetworkX.

        >>> Graph.from_edges([0, 1], [1, 1]).num_edges
        2
        """
        return self.num_arcs if self.directed else (self.num_arcs + self.num_self_loops) // 2

    @cached_property
    def num_self_loops(self) -> int:
        """The number of self-loops, counted at first use."""
        if self.device != "cpu":
            from edgewise.graph.transfer import row_ids

            return int((row_ids(self) == self.indices).sum())
        return properties.count_self_loops(self)

    @cached_property
    def max_degree(self) -> int:
        """The maximum degree (out-degree in a directed graph), computed at first use.

        >>> Graph.from_edges([0, 0], [1, 2]).max_degree
        2
        """
        if self.directed or not self.num_self_loops:
            return self.longest_row
        return int(self.degrees().max())

    @cached_property
    def longest_row(self) -> int:
        """The largest number of arcs out of any vertex, where a self-loop counts once.

        It is computed at first use.

        >>> Graph.from_edges([0, 0], [0, 1]).longest_row
        2
        """
        if self.device != "cpu":
            return int(self.xp.diff(self.indptr).max()) if self.num_vertices else 0
        return properties.longest_row(self)

    @cached_property
    def transposed(self) -> Graph:
        """The graph with every arc reversed; an undirected graph is its own transpose.

        It is built at first use and cached, with weights and labels, without columns. For each of
        its arcs (v, u), ``transposed.arc_ids`` is the position of the arc (u, v) in this graph.

        >>> graph = Graph.from_edges([0, 0, 2], [1, 2, 1], directed=True)
        >>> graph.transposed.indices.tolist(), graph.transposed.arc_ids.tolist()
        ([0, 2, 0], [0, 2, 1])
        """
        if not self.directed:
            return self
        check_arcs(self, "transposed", TRANSPOSE)
        if self.is_compressed:
            made = compressed.transposed(self)
        else:
            made = self._transposed(Graph, directed=True, labels=self.labels)
        keep_within(made, self._pages)
        return made

    @cached_property
    def reverse_arc(self) -> np.ndarray:
        """For each arc (u, v) of an undirected graph, the position of the arc (v, u).

        A self-loop is its own reverse arc. It is an array over arcs.

        >>> Graph.from_edges([0, 1], [1, 2]).reverse_arc.tolist()
        [1, 0, 3, 2]
        """
        check_arcs(self, "reverse_arc")
        if self.directed:
            raise ValueError(
                "reverse_arc needs an undirected graph; a directed one has transposed.arc_ids"
            )
        if self.device != "cpu":
            from edgewise.graph import transfer

            return frozen(transfer.edge_order(self))
        from edgewise.graph.transpose import edge_order

        return frozen(edge_order(self.indptr, self.indices, self.num_vertices))

    @cached_property
    def edge_to_arc(self) -> np.ndarray:
        """The arc of each edge: an array over edges, in the order of `edges`.

        Of the two arcs of an undirected edge, it is the one from the smaller vertex.
        ``arc_values[graph.edge_to_arc]`` converts an array over arcs to an array over edges. It is
        built at first use and cached.

        >>> Graph.from_edges([0, 1], [1, 2]).edge_to_arc.tolist()
        [0, 2]
        """
        return edges.edge_to_arc(self)

    @cached_property
    def arc_to_edge(self) -> np.ndarray:
        """The edge of each arc: an array over arcs of positions in `edges`.

        ``edge_values[graph.arc_to_edge]`` converts an array over edges to an array over arcs, which
        the operators take. It is built at first use and cached.

        >>> Graph.from_edges([0, 1], [1, 2]).arc_to_edge.tolist()
        [0, 0, 1, 1]
        """
        return edges.arc_to_edge(self)

    @property
    def arc_ids(self) -> np.ndarray | None:
        """On a transpose, the position of each arc in the original graph; otherwise None.

        An undirected graph is its own transpose, so this is `reverse_arc`.
        """
        return super().arc_ids if self.directed else self.reverse_arc

    def full(self, fill: Any, dtype: Any = None) -> np.ndarray:
        """Return a new array over vertices, filled with one value, on the graph's device.

        >>> Graph.from_edges([0], [1]).full(-1).tolist()
        [-1, -1]
        """
        try:
            filled = parallel.full if self.xp is np else self.xp.full
            return filled(self.num_vertices, fill, dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"fill must be one value that dtype can hold: {error}") from None

    def vertex_ids(self, dtype: Any = None) -> np.ndarray:
        """Return a new array of all vertex ids in ascending order, on the graph's device.

        >>> Graph.from_edges([0], [1]).vertex_ids().tolist()
        [0, 1]
        """
        make = parallel.arange if self.xp is np else self.xp.arange
        return make(self.num_vertices, dtype=dtype)

    def full_arcs(self, fill: Any, dtype: Any = None) -> np.ndarray:
        """Return a new array over arcs, filled with one value, on the graph's device.

        >>> Graph.from_edges([0], [1]).full_arcs(0.5).tolist()
        [0.5, 0.5]
        """
        return self.xp.full(self.num_arcs, fill, dtype)

    def arcs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Return the sources, targets and weights (or None) of all arcs, as arrays over arcs.

        >>> Graph.from_edges([0], [1]).arcs()[0].tolist()
        [0, 1]
        """
        return properties.arcs(self)

    @property
    def edges(self) -> EdgeView:
        """The edges: called, their sources, targets and weights; by a name, a column.

        ``graph.edges()`` returns arrays over edges, with None for the weights of an unweighted
        graph. Each undirected edge is listed once, with its smaller vertex as the source.
        ``graph.edges["year"]`` is the column of that name, and ``graph.edges.columns`` are all
        names; see `with_columns`.

        >>> Graph.from_edges([1], [0]).edges()[0].tolist()
        [0]
        """
        return EdgeView(self)

    @property
    def vertices(self) -> VertexView:
        """The vertices: called, their ids; by a name, a column; see `with_columns`.

        >>> graph = Graph.from_edges([0], [1]).with_columns(vertices={"age": [31, 30]})
        >>> graph.vertices["age"].tolist(), graph.vertices().tolist()
        ([31, 30], [0, 1])
        """
        return VertexView(self)

    def __len__(self) -> int:
        """Return the number of vertices, as in NetworkX.

        >>> len(Graph.from_edges([0], [1]))
        2
        """
        return self.num_vertices

    def __bool__(self) -> bool:
        return True

    def __contains__(self, vertex: Any) -> bool:
        """Return True if the graph has the vertex: an integer id or a string label.

        >>> graph = Graph.from_edges(["ann"], ["bob"])
        >>> "ann" in graph, "eve" in graph, 1 in graph, 2 in graph
        (True, False, True, False)
        """
        try:
            check_vertex(self, vertex)
        except (TypeError, ValueError):
            return False
        return True

    if not TYPE_CHECKING:  # to type checkers, a name that is missing is an error

        def __getattr__(self, name: str) -> Any:
            """An error that says where to find what graphs of other libraries call so."""
            if hasattr(type(self), name):  # a property has failed: its own error
                return object.__getattribute__(self, name)
            hint = ""
            if not name.startswith("_"):
                from edgewise.base.hints import graph_hint

                hint = graph_hint(name, [one for one in dir(type(self)) if one[0] != "_"])
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    def _same(self, other: Any) -> bool:
        return (
            self.directed == other.directed
            and self.labels == other.labels
            and self.columns == other.columns
            and super()._same(other)
        )

    def _options(self) -> dict[str, Any]:
        options = {"directed": self.directed, "labels": self.labels}
        return options if self.columns is None else {**options, "columns": self.columns}

    def __repr__(self) -> str:
        return properties.describe(self)

    def _repr_html_(self) -> str:
        from edgewise.graph.html import graph_html

        return graph_html(self)

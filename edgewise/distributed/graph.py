"""GridGraph: a graph whose adjacency matrix is cut into blocks, one per rank.

It has what algorithms ask of a graph, in terms of the whole; what a rank holds is its ``block``,
rows and columns by local number. The block is stored as if it were undirected, so that one set of
arrays serves both flows: pushing along its rows leads from row vertices to column vertices, pulling
along them from column vertices into row vertices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_vertex
from edgewise.base.offsets import offsets
from edgewise.distributed.arrays import ArcArray, Ends, GridModule, VertexArray, kept, local_state
from edgewise.distributed.columns import GridEdges, GridVertices, arc_column, names_of
from edgewise.distributed.edge_numbers import edge_numbers, numbers_of
from edgewise.distributed.exchange import dense, spread
from edgewise.distributed.frontier import GridFrontier, make_frontier
from edgewise.distributed.gathering import gather, numbered, other_direction, values_at
from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import GridLabels
from edgewise.distributed.layout import Layout
from edgewise.distributed.transform import (
    named_part,
    only_edges,
    to_undirected,
    where,
    with_weights,
    without_self_loops,
)
from edgewise.distributed.two_graphs import beside, composed, shared_arcs
from edgewise.distributed.walking import have_edges, owned_rows, walks
from edgewise.graph import Graph, Labels
from edgewise.graph.attribute_tables import Columns
from edgewise.graph.labels import check_every
from edgewise.graph.lookup import Arc
from edgewise.graph.transfer import host, row_ids

__all__ = ["GridGraph"]


class GridGraph:
    """One rank's view of a graph distributed over a grid.

    Parameters
    ----------
    grid : Grid
    layout : Layout
        The assignment of vertices to ranks; the same on all ranks.
    block : Graph
        This rank's arcs, in local numbers; rows outside the row block are empty.
    directed : bool
        Whether edges are directed; an undirected graph holds both directions of each edge.
    labels : Labels or GridLabels, optional
        The labels of the vertices: the same on all ranks, or distributed. `vertex` and `label` are
        then collective operations, as all others are.
    columns : Columns, optional
        The columns of this rank's arcs, and of its local numbers; see
        `edgewise.distributed.columns`.
    """

    engine = "grid"
    one_device = False
    vertex, label = Graph.vertex, Graph.label
    contract, id_dtype = Graph.contract, property(lambda self: self.indices.dtype)
    values_at, gather, numbered, other_direction = values_at, gather, numbered, other_direction
    edge_numbers, numbers_of = edge_numbers, numbers_of
    beside, composed, shared_arcs = beside, composed, shared_arcs
    have_edges, owned_rows, walks = have_edges, owned_rows, walks
    where, with_weights, without_self_loops = where, with_weights, without_self_loops
    to_undirected, only_edges, named_part = to_undirected, only_edges, named_part

    def __init__(
        self, grid: Grid, layout: Layout, block: Graph, *, directed: bool,
        labels: Labels | GridLabels | None = None, columns: Columns | None = None,
    ):  # fmt: skip
        check_every(labels, layout.n, GridLabels)
        self.labels, self.columns = labels, columns
        self.grid, self.layout, self.directed = grid, layout, bool(directed)
        self.numbering = layout.numbering(grid.rank)
        if block.num_vertices != self.numbering.size:
            raise ValueError(
                f"block must have {self.numbering.size} rows, got {block.num_vertices}"
            )
        self.block = block
        self.num_vertices = layout.n
        totals = np.array([block.num_arcs, self._count_loops()], np.int64)
        self.num_arcs, self.num_self_loops = map(int, grid.world.allreduce(totals, "sum"))
        grid.world.graphs += 1
        self.number = grid.world.graphs  # of all graphs made on these ranks

    def _count_loops(self) -> int:
        """Arcs from a vertex to itself; only vertices of both blocks can have one."""
        return int((self.row_of_arcs() == self.block.indices).sum())

    def row_of_arcs(self) -> Any:
        """The row, as a local number, of each of this rank's arcs."""
        return row_ids(self.block)

    def _first_arc(self, mask: ArcArray, values: ArcArray) -> Arc:
        """The first of the arcs that a mask picks, with its value: a collective."""
        found, mine = np.flatnonzero(host(mask.local)), None
        if len(found):
            rows, columns = (self.ids[one[found]] for one in (self.row_of_arcs(),
                                                              self.block.indices))  # fmt: skip
            order = np.lexsort((host(columns), host(rows)))[0]
            mine = Arc(int(rows[order]), int(columns[order]), values.local[found[order]].item())
        return min(one for one in self.grid.world.gather_objects(mine) if one is not None)

    @property
    def edges(self) -> GridEdges:
        """Columns of edges: ``graph.edges["km"]`` is an array over arcs."""
        return GridEdges(self)

    @property
    def vertices(self) -> GridVertices:
        """Columns of vertices: ``graph.vertices["age"]`` is an array over vertices."""
        return GridVertices(self)

    def arc_column(self, name: str, argument: str) -> ArcArray:
        """See `edgewise.graph.weight_columns`."""
        return arc_column(self, name, argument)

    def call(self, function: Any, /, *args: Any, **options: Any) -> Any:
        """Call a public function after checking that all ranks make the same call."""
        return self.grid.call(function, *args, **options)

    def alike(self) -> dict[str, Any]:
        """What all ranks must have in common; the number tells graphs of one size apart."""
        layout, weights = self.layout, self.block.weights
        return {"vertices": layout.n, "arcs": self.num_arcs, "directed": self.directed,
                "weights": None if weights is None else weights.dtype.str, "shape": layout.shape,
                "distribution": layout.distribution, "seed": layout.seed,
                "columns": [names_of(self.columns, part) for part in Columns._fields],
                "number": self.number}  # fmt: skip

    def oriented(self) -> Any:
        """See `edgewise.graph.orient`."""
        from edgewise.distributed.orient import orient

        return orient(self)

    def contracted(self, labels: Any, how: Any) -> Any:
        """See `edgewise.graph.contract`."""
        from edgewise.distributed.contract import contracted

        return contracted(self, labels, how)

    @property
    def device(self) -> str:
        """The device of this rank's arrays."""
        return self.block.device

    @property
    def num_edges(self) -> int:
        """The number of edges; an undirected edge and a self-loop each count once."""
        return self.num_arcs if self.directed else (self.num_arcs + self.num_self_loops) // 2

    @kept
    def xp(self) -> GridModule:
        """The module that makes arrays for this graph."""
        return GridModule(self)

    @kept
    def indices(self) -> Ends:
        """The targets of this rank's arcs, as ids."""
        return Ends(self, lambda: self.block.indices)

    @kept
    def sources(self) -> Ends:
        """The sources of this rank's arcs, as ids."""
        return Ends(self, self.row_of_arcs)

    @property
    def weights(self) -> ArcArray | None:
        """The weights of this rank's arcs, or None."""
        return None if self.block.weights is None else ArcArray(self, self.block.weights)

    @kept
    def ids(self) -> Any:
        """The vertex id of each local number."""
        return self.layout.vertex(self.positions).astype(self.layout.dtype)

    @kept
    def positions(self) -> Any:
        """The position of each local number."""
        return self.numbering.positions(self.block.xp).astype(self.layout.dtype)

    @kept
    def own(self) -> slice:
        """The local numbers of the piece that this rank owns."""
        piece, rows = self.layout.owned(self.grid.rank), self.numbering.of["row"]
        first = self.numbering.start["row"] + piece.low - rows.low
        return slice(first, first + piece.size)

    def once(self, side: str) -> slice:
        """Local numbers of a side such that over all ranks every vertex is there exactly once."""
        if side == "row":
            return self.own
        place, group = self.numbering.slice(side), self.grid.column
        size = place.stop - place.start
        low, high = (place.start + size * k // group.size for k in (group.rank, group.rank + 1))
        return slice(low, high)

    @property
    def alone(self) -> bool:
        """Is there one rank, whose local numbers are the ids, and nobody who counts its work?

        The one door past the grid's own code. What loops or fuses inside one kernel of the local
        engine goes through it: rounds of `propagate`, levels of `unwind`, `sweep`, `for_rows`,
        `look_up`, `deliver`, the edge form. In the calls and passes that many ranks need, these
        take 1.4 to 120 times as long; the other operators run the same code on one rank and many.
        """
        world = self.grid.world
        return world.size == 1 and not world.priced and self.layout.distribution != "random"

    @property
    def edge_form(self) -> bool:
        """True if functions in edge form can run here."""
        return self.alone

    @kept
    def whole(self) -> Graph:
        """The block as the graph that it is, where one rank has it all."""
        return _read_as(self.block, directed=self.directed)

    @kept
    def turned(self) -> Graph:
        """The block with rows and columns exchanged."""
        return _read_as(self._transpose, directed=False)

    @property
    def turned_arcs(self) -> Any:
        """For each arc of ``turned``, its place in the block."""
        return self._transpose.arc_ids

    @kept
    def _transpose(self) -> Graph:
        return _read_as(self.block, directed=True).transposed

    @kept
    def indptr(self) -> VertexArray:
        """Degrees as differences of neighbors, as a graph's row starts give them."""
        return VertexArray(self, offsets(self.row_lengths().local))

    def degrees(self) -> VertexArray:
        """Return the degree of each vertex; in a directed graph, the out-degree."""
        return self._row_sums(loops=not self.directed and self.num_self_loops > 0)

    def in_degrees(self) -> VertexArray:
        """Return the in-degree of each vertex; in an undirected graph, the degree."""
        return self.column_lengths() if self.directed else self.degrees()

    def row_lengths(self) -> VertexArray:
        """Return the number of arcs out of each vertex."""
        return self._row_sums(loops=False)

    def _row_sums(self, loops: bool) -> VertexArray:
        """Arcs that leave every vertex, with loops a second time if wanted."""
        counts, columns = self.block.xp.diff(self.block.indptr), self.block.indices
        if loops:
            counts[columns[self.row_of_arcs() == columns]] += 1
        return self._summed("row", counts)

    def column_lengths(self) -> VertexArray:
        """Return the number of arcs into each vertex."""
        if not self.directed:
            return self.row_lengths()
        counts = self.block.xp.bincount(self.block.indices, minlength=self.numbering.size)
        return self._summed("column", counts)

    def _summed(self, side: str, counts: Any) -> VertexArray:
        """Counts of the arcs of all ranks; no vertex has more than n arcs and a loop."""
        counts = counts.astype(np.int32 if self.num_vertices < 2**30 else np.int64, copy=False)
        dense(self, side, counts, "sum")
        return VertexArray(self, counts.astype(np.int64, copy=False))

    def hub(self) -> int:
        """Return the vertex that has the most arcs on any one rank; the smallest of equals."""
        counts = self.block.xp.diff(self.block.indptr)
        if self.directed:
            counts = counts + self.block.xp.bincount(self.block.indices, minlength=len(counts))
        most = np.array([int(counts.max()) if len(counts) else 0], np.int64)
        world = self.grid.world
        with world.phase("control"):
            equal = self.ids[counts == int(world.allreduce(most, "max")[0])]
            least = np.array([int(equal.min()) if len(equal) else self.num_vertices], np.int64)
            return int(world.allreduce(least, "min")[0])

    @property
    def max_degree(self) -> int:
        """The maximum degree; in a directed graph, the maximum out-degree."""
        return int(self.degrees().max()) if self.num_vertices else 0

    def full(self, fill: Any, dtype: Any = None) -> VertexArray:
        """Return an array over vertices, filled with one value."""
        return VertexArray(self, self.block.xp.full(self.numbering.size, fill, dtype))

    def full_arcs(self, fill: Any, dtype: Any = None) -> ArcArray:
        """Return an array over arcs, filled with one value."""
        return ArcArray(self, self.block.xp.full(self.block.num_arcs, fill, dtype))

    def vertex_ids(self, dtype: Any = None) -> VertexArray:
        """Return an array over vertices that holds the id of each."""
        return self.xp.arange(self.num_vertices, dtype=dtype)

    def share(self, whole: Any) -> VertexArray:
        """Return this rank's part of an array over all vertices."""
        if len(whole) != self.num_vertices:
            raise ValueError(
                f"an array over the vertices of a graph on a grid has {self.num_vertices} entries, "
                f"got {len(whole)}"
            )
        return VertexArray(self, self.block.xp.asarray(whole)[self.ids])

    def part_of(self, values: Any, name: str) -> Any:
        """Return this rank's part of an array over vertices, after a check."""
        return local_state(self, values, name)

    def check_alike(self, other: Any, name: str) -> None:
        """TypeError or ValueError unless it is a graph whose vertices are where this one's are."""
        if not isinstance(other, GridGraph):
            raise TypeError(f"{name} must be a graph on the same grid, got {type(other).__name__}")
        mine, theirs = (
            (one.layout.n, one.layout.shape, one.layout.distribution, one.layout.seed)
            for one in (self, other)
        )
        if other.grid is not self.grid or mine != theirs:
            raise ValueError(
                f"{name} must have its vertices where the graph has them: on the same grid, with "
                f"the same number (here {self.num_vertices}), distribution and seed, got {other!r}"
            )

    def local_ids(self, vertices: Any) -> Any:
        """The local numbers of those of the vertices that this rank has."""
        return self.at_hand(vertices)[1]

    def at_hand(self, vertices: Any) -> tuple[Any, Any]:
        """Which of the vertices this rank has, as a mask, and their local numbers."""
        vertices = np.atleast_1d(np.asarray(vertices))
        if vertices.size and vertices.dtype.kind not in "iu":
            raise TypeError(f"vertices must be ids, got dtype {vertices.dtype}")
        wrong = (vertices < 0) | (vertices >= self.num_vertices)
        if wrong.any():
            check_vertex(self, vertices[wrong][0], "vertex")
        xp, of = self.block.xp, self.numbering.of
        positions = self.layout.position(xp.asarray(vertices, self.layout.dtype))
        inside = xp.zeros(len(positions), bool)
        for side in ("row", "column"):
            inside |= (positions >= of[side].low) & (positions < of[side].high)
        return inside, self.numbering.local(positions[inside])

    def frontier(self, vertices: Any = None, edges: Any = None) -> GridFrontier:
        """See `edgewise.operators.frontier`."""
        return make_frontier(self, vertices, edges)

    def spread(self, side: str, part: Any) -> None:
        """Copy the values of the ranks of ``side`` to all copies of each vertex."""
        spread(self, side, part)

    def to(self, device: str) -> GridGraph:
        """Return the graph with this rank's block on another device."""
        block = self.block.to(device)
        return self if block is self.block else GridGraph(
            self.grid, self.layout, block, directed=self.directed, labels=self.labels,
            columns=self.columns)  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if hasattr(Graph, name) or name == "shape":
            raise AttributeError(
                f"a graph on a grid has no {name!r}: no rank knows more than its own arcs"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __len__(self) -> int:
        return self.num_vertices

    __bool__, __contains__ = Graph.__bool__, Graph.__contains__

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        rows, columns = self.grid.shape
        return (
            f"GridGraph({kind}, {self.num_vertices:,} vertices, {self.num_edges:,} edges, "
            f"{rows}x{columns}, rank {self.grid.rank} has {self.block.num_arcs:,} arcs)"
        )


def _read_as(graph: Graph, *, directed: bool) -> Graph:
    """The same arrays, read as directed or not."""
    if graph.directed == directed:
        return graph
    found = Graph.__new__(Graph)
    kept = ("indptr", "indices", "weights", "shape", "labels", "device", "xp", "_arc_ids")
    found.__dict__.update({name: graph.__dict__[name] for name in kept if name in graph.__dict__})
    found.__dict__.update(directed=directed)
    return found

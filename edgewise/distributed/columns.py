"""Columns of a graph on a grid: each rank has the rows of its own arcs and vertices.

Row i of the table of edges belongs to arc i of the rank's block, so that an undirected edge has a
row on each rank that has one of its two arcs. Row v of the table of vertices belongs to local
number v. What keeps the arcs where they are takes rows along without a word to other ranks.
Otherwise the arcs carry the number of their row, and each rank then fetches its rows, as Arrow's
own bytes, from the ranks that have them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.attribute_tables import Columns, first_rows, numeric, select
from edgewise.graph.csr import as_weights, frozen
from edgewise.graph.transfer import host, row_ids

if TYPE_CHECKING:
    from edgewise.distributed.arrays import ArcArray
    from edgewise.distributed.comm import Communicator
    from edgewise.distributed.graph import GridGraph
    from edgewise.graph import Graph

__all__ = [
    "GridEdges",
    "GridVertices",
    "arc_column",
    "arc_rows",
    "fetch_rows",
    "gathered_columns",
    "names_of",
    "vertex_rows",
]


class _GridView:
    """Columns by name; each is an array over arcs or over vertices."""

    __iter__ = None
    _what = ""

    def __init__(self, graph: GridGraph):
        self._graph = graph

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return names_of(self._graph.columns, self._what)

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __call__(self) -> Any:
        raise AttributeError(
            f"a graph on a grid cannot list its {self._what}: no rank knows more than its own arcs"
        )

    def _values(self, name: str) -> Any:
        if name not in self.columns:
            known = ", ".join(map(repr, self.columns)) or "none"
            raise KeyError(f"no column {name!r} of {self._what}; there are: {known}")
        from pyarrow import types

        column = getattr(self._graph.columns, self._what).column(name)
        tests = (types.is_integer, types.is_floating, types.is_boolean)
        if not any(test(column.type) for test in tests):
            raise TypeError(
                f"column {name!r} holds {column.type}, and arrays on a grid hold numbers; "
                f"graph.columns.{self._what} has this rank's values"
            )
        if sum(self._graph.grid.world.counts(column.null_count)):  # on any rank: NaN on all
            column = column.cast("double")
        return self._graph.block.xp.asarray(column.to_numpy())


class GridEdges(_GridView):
    """``graph.edges["km"]`` is an array over the arcs of a graph on a grid."""

    _what = "edges"

    def __getitem__(self, name: str) -> ArcArray:
        from edgewise.distributed.arrays import ArcArray

        if name == "weight" and self._graph.weights is not None:
            return self._graph.weights
        return ArcArray(self._graph, self._values(name))


class GridVertices(_GridView):
    """``graph.vertices["age"]`` is an array over the vertices of a graph on a grid."""

    _what = "vertices"

    def __getitem__(self, name: str) -> Any:
        from edgewise.distributed.arrays import VertexArray

        return VertexArray(self._graph, self._values(name))

    def __call__(self) -> Any:
        return self._graph.vertex_ids()


def names_of(columns: Columns | None, part: str) -> tuple[str, ...]:
    """The names of the columns of edges or of vertices."""
    table = None if columns is None else getattr(columns, part)
    return () if table is None else tuple(table.column_names)


def arc_column(graph: GridGraph, name: str, argument: str) -> ArcArray:
    """A column of numbers as weights over arcs. A collective: all ranks refuse, or none."""
    from edgewise.distributed.arrays import ArcArray
    from edgewise.distributed.shares import together

    assert graph.columns is not None and graph.columns.edges is not None
    column = graph.columns.edges.column(name)
    xp = graph.block.xp
    with together(graph.grid.world, f"reading the column {name!r}"):
        values = as_weights(xp.asarray(numeric(column, name, argument)), name=name, xp=xp)
    return ArcArray(graph, frozen(values))


def arc_rows(block: Graph, sources: Any, targets: Any, rows: np.ndarray) -> np.ndarray:
    """The row of each arc of a block: the first of those that came for it.

    >>> from edgewise.graph import Graph
    >>> block = Graph.from_edges([0, 0], [1, 2], directed=True)
    >>> arc_rows(block, np.array([0, 0, 0]), np.array([2, 1, 2]), np.array([7, 8, 9])).tolist()
    [8, 7]
    """
    size = block.num_vertices
    there = host(row_ids(block)).astype(np.int64) * size + host(block.indices)
    keys = sources.astype(np.int64) * size + targets
    return rows[first_rows(np.searchsorted(there, keys), block.num_arcs)]


def fetch_rows(world: Communicator, table: Any, ranks: np.ndarray, places: np.ndarray) -> Any:
    """Rows of the ranks' tables: row ``places[i]`` of that of rank ``ranks[i]``, in this order.

    A collective; all tables have the same columns. A row travels once to each rank that wants it.
    """
    if world.size == 1:
        return select(table, places)
    order = np.argsort(ranks, kind="stable")
    wanted, counts = places[order].astype(np.int64), np.bincount(ranks, minlength=world.size)
    with world.phase("columns"):
        asked, sizes = world.alltoallv(wanted, counts.tolist())
        ends = offsets(sizes)
        parts = [_packed(select(table, asked[ends[k] : ends[k + 1]])) for k in range(world.size)]
        sent = np.concatenate(parts)
        received, sizes = world.alltoallv(sent, [len(part) for part in parts])
    ends = offsets(sizes)
    found = [_unpacked(received[ends[k] : ends[k + 1]]) for k in range(world.size)]
    import pyarrow

    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    return select(pyarrow.concat_tables([one.unify_dictionaries() for one in found]), back)


def _packed(table: Any) -> np.ndarray:
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return np.frombuffer(sink.getvalue(), np.uint8)


def _unpacked(data: np.ndarray) -> Any:
    import pyarrow

    return pyarrow.ipc.open_stream(pyarrow.py_buffer(np.ascontiguousarray(data))).read_all()


def vertex_rows(graph: GridGraph, ids: np.ndarray) -> Any:
    """The columns of any vertices, fetched from the ranks that own these. A collective."""
    if graph.columns is None or graph.columns.vertices is None:
        return None
    layout = graph.layout
    positions = layout.position(np.asarray(ids, np.int64).astype(layout.dtype))
    owners = np.asarray(layout.piece(positions))
    lows = np.array([layout.owned(rank).low for rank in range(graph.grid.size)])
    own = graph.columns.vertices.slice(graph.own.start, graph.own.stop - graph.own.start)
    return fetch_rows(graph.grid.world, own, owners, positions - lows[owners])


def gathered_columns(graph: GridGraph, us: Any, vs: Any, root: int) -> Columns | None:
    """All columns on one rank: of its edges ``us`` to ``vs``, in that order; None on the others."""
    columns, world = graph.columns, graph.grid.world
    if columns is None:
        return None
    here, n = world.rank == root, graph.num_vertices
    ids = np.arange(n) if here else np.zeros(0, np.int64)
    vertices, edges = vertex_rows(graph, ids), None
    if columns.edges is not None:
        mine = [host(one.local).astype(np.int64) for one in (graph.sources, graph.indices)]
        once = np.ones(len(mine[0]), bool) if graph.directed else mine[0] <= mine[1]
        keys = (mine[0] * n + mine[1])[once]
        to_root = [len(keys) if rank == root else 0 for rank in range(world.size)]
        every, counts = world.alltoallv(keys, to_root)
        places, _ = world.alltoallv(np.flatnonzero(once), to_root)
        ranks = np.repeat(np.arange(world.size), counts)
        order = np.argsort(every, kind="stable") if here else np.zeros(0, np.int64)
        if here:
            assert (every[order] == us.astype(np.int64) * n + vs).all()
        edges = fetch_rows(world, columns.edges, ranks[order], places[order])
    return Columns(edges, vertices) if here else None

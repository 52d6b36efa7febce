"""Graphs onto a grid, from edges that every rank has a share of: one all-to-all brings them home.

A rank sends each arc to the rank that holds its block, in rounds of bounded size, and lays down
what it receives in the order of the ranks, so that repeated edges are combined in the order of the
input and the graph equals `Graph.from_edges` of all shares, one after another, bitwise. An
undirected edge travels twice: as (smaller, larger) id and as its mirror. Memory of a rank: its
share, its block while that is built (twice 32-bit arrays of its arcs), and one round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.monoids import Monoid
from edgewise.base.offsets import offsets
from edgewise.distributed.columns import arc_rows, fetch_rows
from edgewise.distributed.comm import Communicator
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.grid import Grid
from edgewise.distributed.labels import GridLabels, number_occurring
from edgewise.distributed.layout import DISTRIBUTIONS, Layout
from edgewise.graph import Graph
from edgewise.graph.attribute_tables import Columns
from edgewise.graph.build import DUPLICATES, assemble
from edgewise.graph.csr import as_weights, frozen
from edgewise.graph.ids import vertex_ids
from edgewise.graph.labels import Labels

__all__ = ["Arcs", "bring", "from_edges", "place", "together"]

_FIELDS = ("source", "target", "weight", "row")
_LEAST, _MOST, _ALL = 1 << 12, 1 << 16, 1 << 20  # edges in a round: of a rank, of all ranks


def from_edges(
    sources: Any,
    targets: Any,
    weights: Any = None,
    *,
    grid: Grid,
    directed: bool = False,
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    labels: bool = False,
    distribution: str = "striped",
    seed: int = 0,
) -> GridGraph:
    """Return a graph on a grid, built from each rank's share of the edges.

    Parameters
    ----------
    sources, targets : arrays of vertex ids
        The two ends of this rank's edges, as integers; they may be empty.
    weights : array, optional
        One number per edge, on all ranks or on none. Different types are promoted to a common type.
    grid : Grid
        The grid of ranks.
    directed, num_vertices, duplicates, self_loops
        As in `Graph.from_edges`, the same on all ranks. The input is ordered by rank.
    labels : bool
        If False, integers are vertex ids. If True, they are labels, and the vertices are the labels
        that occur on any rank, in ascending order.
    distribution : {"striped", "block", "random"}
        How vertices are assigned to ranks; ``seed`` determines the random assignment.

    Returns
    -------
    GridGraph

    Raises
    ------
    RankError
        On every rank, if the input of any rank is invalid for `Graph.from_edges`, or if its options
        differ from those of rank 0. On a grid of one rank, the original error is raised.

    Examples
    --------
    >>> from edgewise.distributed.rank_threads import run_threads
    >>> def program(comm):
    ...     graph = from_edges([comm.rank] * 2, [comm.rank + 1, 4], grid=Grid(comm))
    ...     return graph.num_vertices, graph.num_edges
    >>> run_threads(program, 4)[0]
    (5, 7)
    """
    world = grid.world
    options = (directed, num_vertices, duplicates, self_loops, labels, distribution, seed)
    world.check_same("the options of from_edges", options)
    with together(world, "checking its edges"):
        check_choice(duplicates, "duplicates", DUPLICATES)
        check_choice(self_loops, "self_loops", ("keep", "drop"))
        check_choice(distribution, "distribution", DISTRIBUTIONS)
        sources, targets = (
            np.asarray(one) if len(one) else np.zeros(0, np.int32) for one in (sources, targets)
        )
        if labels and num_vertices is not None:
            raise ValueError(f"num_vertices must be None with labels=True, got {num_vertices}")
        count = 2**63 - 1 if labels else num_vertices  # then any integer will do
        us, vs, most, _ = vertex_ids(sources, targets, count, labels=False)
        values = None if weights is None else as_weights(weights, len(us))
    known: Labels | GridLabels | None = None
    if labels:
        (us, vs), n, known = number_occurring(world, us, vs)
    else:
        n = max(world.counts(most)) if num_vertices is None else num_vertices
    return place(grid, us, vs, values, n, known, directed=directed, duplicates=duplicates,
                 self_loops=self_loops, distribution=distribution, seed=seed)  # fmt: skip


def place(
    grid: Grid, us: np.ndarray, vs: np.ndarray, values: np.ndarray | None, n: int,
    labels: Labels | GridLabels | None, *, directed: bool, duplicates: str | Monoid,
    self_loops: str, distribution: str, seed: int, columns: tuple[Any, Any] | None = None,
) -> GridGraph:  # fmt: skip
    """The graph of edges whose ends are vertices 0 to n - 1.

    ``columns`` is a table with a row for each edge of this rank, and a mask of those whose values
    count first, or None. All ranks have one, or none has.
    """
    loops = self_loops == "keep"
    layout = Layout(n, grid.shape, distribution, seed)
    rows: Any = None
    parts: list[Any] = [slice(None)]
    fetch: Any = None
    if columns is not None:
        table, first = columns
        begins = offsets(grid.world.counts(len(us)))
        rows = begins[grid.rank] + np.arange(len(us))
        parts = parts if first is None else [first, ~first]

        def rows_from(wanted: np.ndarray) -> Any:
            ranks = np.searchsorted(begins, wanted, side="right") - 1
            return fetch_rows(grid.world, table, ranks, wanted - begins[ranks])

        fetch = rows_from

    ways = [("given", loops)] if directed else [("up", loops), ("down", False)]
    lists = [
        Arcs(us[part], vs[part], None if values is None else values[part], way, kept,
             None if rows is None else rows[part])
        for way, kept in ways
        for part in parts
    ]  # fmt: skip
    return bring(grid, layout, lists, directed=directed, duplicates=duplicates, labels=labels,
                 table=fetch)  # fmt: skip


class Arcs(NamedTuple):
    """A rank's share of a list of arcs, by id, and how to read it.

    ``way`` is "given" or, with the smaller id first or last, "up" or "down"; without ``loops``,
    arcs from a vertex to itself are left out.
    """

    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray | None
    way: str = "given"
    loops: bool = True
    rows: np.ndarray | None = None  # where the columns of each are, a number for all ranks

    def part(self, low: int, high: int) -> dict[str, np.ndarray]:
        """Some of them, as the list is to be read: source, target, weight and row."""
        arrays = zip(_FIELDS, (self.sources, self.targets, self.weights, self.rows), strict=True)
        found = {name: array[low:high] for name, array in arrays if array is not None}
        us, vs = found["source"], found["target"]
        if not self.loops:
            off = us != vs
            found = {name: array[off] for name, array in found.items()}
            us, vs = found["source"], found["target"]
        if self.way != "given":
            ends = np.minimum(us, vs), np.maximum(us, vs)
            found["source"], found["target"] = ends if self.way == "up" else ends[::-1]
        return found


def bring(
    grid: Grid, layout: Layout, lists: Sequence[Arcs], *, directed: bool,
    duplicates: str | Monoid = "sum", labels: Labels | GridLabels | None = None,
    table: Callable[[np.ndarray], Any] | None = None,
) -> GridGraph:  # fmt: skip
    """The graph of all arcs of all ranks: list after list, and in each one rank after the other.

    ``table`` gives the columns of edges by the numbers of their rows, which the lists then have; a
    collective.
    """
    numbering = layout.numbering(grid.rank)
    with grid.world.phase("ingest"):
        found = _exchange(grid.world, layout, _alike(grid.world, lists))
    sources = numbering.local(found.pop("source"))  # one after the other: each frees another
    targets = numbering.local(found.pop("target"))
    weights = found.get("weight")

    def name(place: int) -> int:
        return int(layout.vertex(numbering.positions()[place : place + 1])[0])

    with together(grid.world, "building its block"):
        built = assemble(
            frozen(sources), frozen(targets), weights, numbering.size, undirected=False,
            duplicates=duplicates, name=name,
        )  # fmt: skip
    block = Graph(built.indptr, built.indices, built.weights, directed=False)
    columns = None
    if table is not None:
        columns = Columns(table(arc_rows(block, sources, targets, found["row"])))
    return GridGraph(grid, layout, block, directed=directed, labels=labels, columns=columns)


@contextmanager
def together(world: Communicator, what: str) -> Iterator[None]:
    """A block without collectives; an error of one rank in it is a `RankError` on all ranks."""
    error = None
    try:
        yield
    except Exception as caught:
        if world.size == 1:
            raise
        error = caught
    world.check_all(what, error)


def _alike(world: Communicator, lists: Sequence[Arcs]) -> list[Arcs]:
    """The lists with weights of one type on all ranks; a rank without edges need not have any."""
    count, weights = len(lists[0].sources), lists[0].weights
    kinds = world.gather_objects((count, None if weights is None else weights.dtype.str))
    given = [kind for count, kind in kinds if count] or [kind for _, kind in kinds]
    if given.count(None) == len(given):
        return [arcs._replace(weights=None) for arcs in lists]
    for rank, (count, kind) in enumerate(kinds):
        if count and kind is None:
            raise ValueError(
                f"weights must be given on all ranks or on none, but rank {rank} has none"
            )
    kind = np.result_type(*filter(None, given))
    return [
        arcs._replace(
            weights=np.zeros(0, kind)
            if arcs.weights is None
            else arcs.weights.astype(kind, copy=False)
        )
        for arcs in lists
    ]


def _exchange(world: Communicator, layout: Layout, lists: list[Arcs]) -> dict[str, np.ndarray]:
    """All arcs of this rank's block, by position, with their weights and rows."""
    fields = [("source", layout.dtype), ("target", layout.dtype)]
    if lists[0].weights is not None:
        fields.append(("weight", lists[0].weights.dtype))
    if lists[0].rows is not None:
        fields.append(("row", np.dtype(np.int64)))
    record, names = np.dtype(fields), [name for name, _ in fields]
    step = min(max(_ALL // world.size, _LEAST), _MOST)
    sent = np.zeros((world.size, len(lists)), np.int64)
    for number, arcs in enumerate(lists):
        for low in range(0, len(arcs.sources), step):
            ranks = _placed(layout, arcs.part(low, low + step))[0]
            sent[:, number] += np.bincount(ranks, minlength=world.size)
    got, _ = world.alltoallv(sent.ravel(), [len(lists)] * world.size)
    counts = got.reshape(world.size, len(lists)).T
    starts = offsets(counts.ravel())
    next_place, total = starts[:-1].reshape(counts.shape), int(starts[-1])
    found = {name: np.empty(total, record[name]) for name in names}
    for number, arcs in enumerate(lists):
        rounds = -(-max(world.counts(len(arcs.sources))) // step)
        for low in range(0, rounds * step, step):
            ranks, columns = _placed(layout, arcs.part(low, low + step))
            order = np.argsort(ranks.astype(np.uint16), kind="stable")
            records = np.empty(len(order), record)
            for name in names:
                records[name] = columns[name][order]
            sizes = (np.bincount(ranks, minlength=world.size) * record.itemsize).tolist()
            received, sizes = world.alltoallv(records.view(np.uint8), sizes)
            received, at = received.view(record), 0
            for source, size in enumerate(sizes):
                many, place = size // record.itemsize, next_place[number, source]
                for name, array in found.items():
                    array[place : place + many] = received[name][at : at + many]
                next_place[number, source] += many
                at += many
    return found


def _placed(layout: Layout, part: dict[str, np.ndarray]) -> tuple[np.ndarray, dict]:
    """The rank of each arc, and the arcs with the positions of their ends."""
    for name in ("source", "target"):
        part[name] = layout.position(part[name].astype(layout.dtype))
    return layout.rank(part["source"], part["target"]), part

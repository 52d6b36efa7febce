"""Supervertices: all vertices with one label become one, their edges are combined.

There are two ways. Where labels are vertices of an undirected graph and weights whole numbers that
are added up, the rows of each group's members are combined at once (`edgewise.graph.cpu.groups`);
memory beside the two graphs: 24 bytes an edge, and for each thread 12 bytes a group.

Else the edges become pairs of groups and are built into a graph as any list of edges is
(`edgewise.graph.build`). A look at a few pieces of the rows says whether many of them meet within a
piece: then they are combined on the way (`edgewise.graph.cpu.contract`), and few are left to sort.
Memory beside the two graphs: 8 bytes an edge, and its weight. Both are almost linear work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_one_device
from edgewise.base.compiling import compile_errors
from edgewise.base.monoids import ADD, MAX, MIN, Monoid
from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch, threads
from edgewise.graph.arrays import EdgeArrays, RowArrays
from edgewise.graph.build import assemble, wide
from edgewise.graph.csr import frozen, index_dtype
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.labels import Labels, column
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.transfer import host, on_gpu
from edgewise.graph.transpose import bits

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["Contraction", "Merging", "contract", "unless_plain"]

_PIECE = 1 << 16  # arcs
_SAMPLES = 8  # pieces that are looked at, and of so many only one
#: Groups of fewer members are left to one thread.
_LARGE = 1 << 13
_SPARE = 4  # places of threads' own tables for each arc and vertex, at most
_MEET = 0.75  # of their edges: if no more are left, it pays to combine them before they are sorted
_WORDS = {ADD: "sum", MIN: "min", MAX: "max"}


class Contraction(NamedTuple):
    """A contracted graph, and the new vertex of each old vertex."""

    graph: Any
    mapping: Any


def contract(
    graph: AnyGraph,
    groups: Any,
    *,
    reduce: str | Monoid = "sum",
    self_loops: str = "keep",
    edge_columns: Mapping[str, str] | None = None,
    vertex_columns: Mapping[str, str] | None = None,
) -> Contraction:
    """Return the graph with each group merged into one vertex, and the new vertex of each old one.

    Edges inside a group become one self-loop; each edge counts once in its weight. The contraction
    runs where the graph is stored: on CPU threads, on a GPU, or on a grid.

    Parameters
    ----------
    groups : array over vertices
        The group of each vertex, as integers. In host memory, groups may also be strings or other
        labels. Groups are numbered in ascending order. They become the labels of the new graph,
        unless they are the integers 0..k-1.
    reduce : {"sum", "min", "max"} or Monoid
        How the weights of parallel edges are combined. Sums are float64 or int64. In an unweighted
        graph, ``"sum"`` counts edges, and ``"min"`` and ``"max"`` give an unweighted graph. Any
        other monoid keeps the type of the weights, and an unweighted edge counts as the int64 value
        1.
    self_loops : {"keep", "drop"}
        Whether edges inside a group become a self-loop or are dropped.
    edge_columns, vertex_columns : mapping from names to rules, optional
        How the values of a column are combined: ``"first"``, ``"last"``, ``"sum"``, ``"min"``,
        ``"max"``, ``"mean"``, ``"count"``, ``"list"``, ``"any"`` or ``"all"``. Columns without a
        rule are dropped.

    Returns
    -------
    Contraction
        ``(graph, vertices)``. The graph has the direction and the device of the given graph.
        ``vertices`` is an array over the old vertices: ``vertices[v]`` is the new vertex of v. Then
        ``values[vertices]`` maps values back to the old vertices, and ``bincount(vertices)`` gives
        the group sizes. The result does not depend on the number of threads. Float sums differ by
        rounding between a CPU, a GPU and grids of different shapes.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [1.0, 2.0, 4.0, 8.0])
    >>> halves, vertices = square.contract([7, 7, 3, 3])
    >>> [part.tolist() for part in halves.edges()]
    [[0, 0, 1], [0, 1, 1], [4.0, 10.0, 1.0]]
    >>> vertices.tolist(), halves.label(vertices).tolist()
    ([1, 1, 0, 0], [7, 7, 3, 3])
    >>> square.contract([0, 0, 1, 1], reduce="max", self_loops="drop").graph.edges()[2].tolist()
    [8.0]
    """
    how = Merging.checked(reduce, self_loops)
    with _naming(reduce, graph.weights):
        found = _contraction(graph, groups, how)
    if edge_columns or vertex_columns:
        check_one_device(graph, "contract with columns")
        _combine_columns(graph, found, edge_columns or {}, vertex_columns or {})
    return found


def _combine_columns(graph: Any, found: Contraction, edges: Any, vertices: Any) -> None:
    """Give the contracted graph columns, by the rule of each."""
    from edgewise.graph.attribute_tables import Columns, combined, edge_positions

    small, mapping, old = found.graph, host(found.mapping), graph.columns or Columns()
    u, v = (mapping[host(ends)] for ends in graph.edges()[:2])
    places = edge_positions(small, u, v)
    small._keep(columns=Columns(
        combined(old.edges, places, small.num_edges, edges, "edge_columns", ""),
        combined(old.vertices, mapping, small.num_vertices, vertices, "vertex_columns", ""),
    ).or_none())  # fmt: skip


def _contraction(graph: Any, labels: Any, how: Merging) -> Contraction:
    if graph.engine != "local":
        return graph.contracted(labels, how)
    check_arcs(graph, "contract")
    labels = labels if on_gpu(labels) else column(labels, "groups")
    if tuple(labels.shape) != (graph.num_vertices,):
        count = labels.shape[0] if labels.ndim == 1 else labels.shape
        raise ValueError(
            f"groups must have one entry per vertex ({graph.num_vertices}), got {count}"
        )
    if graph.device != "cpu":
        from edgewise.graph.cuda.contract import contracted

        return Contraction(*contracted(graph, labels, how))
    labels = host(labels)
    if _by_members(graph, labels, how):
        return _grouped(graph, labels, how)
    names, (groups,) = Labels.encode(labels, names=("groups",))
    return Contraction(_contracted(graph, names, groups, how), groups)


@contextmanager
def _naming(reduce: Any, weights: Any) -> Iterator[None]:
    """Say in one line that a monoid's function cannot be compiled for the weights."""
    try:
        yield
    except compile_errors() as error:
        if isinstance(reduce, str):
            raise
        name = getattr(reduce.combine, "__name__", "reduce.combine")
        kind = "int64" if weights is None else weights.dtype
        raise TypeError(
            f"reduce must combine weights of dtype {kind}: {name!r} does not compile for them"
        ) from error


class Merging(NamedTuple):
    """How parallel edges become one: a word of `contract` or a monoid; and whether loops stay."""

    reduce: str | Monoid
    loops: bool

    @classmethod
    def checked(cls, reduce: Any, self_loops: Any) -> Merging:
        """From the arguments of `contract`."""
        loops = check_choice(self_loops, "self_loops", ("keep", "drop")) == "keep"
        if isinstance(reduce, Monoid):
            if isinstance(reduce.identity, tuple):
                raise TypeError(f"reduce must be a monoid of single values, got {reduce!r}")
            return cls(_WORDS.get(reduce, reduce), loops)
        return cls(check_choice(reduce, "reduce", tuple(_WORDS.values())), loops)

    def kind(self, weights: Any) -> np.dtype | None:
        """The type of combined weights; None if there are none."""
        if weights is None:
            return None if self.reduce in ("min", "max") else np.dtype(np.int64)
        if self.reduce != "sum":
            return weights.dtype
        return np.dtype(np.int64 if weights.dtype.kind == "i" else np.float64)

    @property
    def function(self) -> Any:
        """The monoid's function; None for a word."""
        return None if isinstance(self.reduce, str) else self.reduce.combine


def _by_members(graph: Graph, labels: np.ndarray, how: Merging) -> bool:
    """Are labels vertices, and weights whole numbers whose sums fit, on few enough threads?"""
    n, weights = graph.num_vertices, graph.weights
    if graph.directed or how.reduce != "sum" or labels.dtype not in (np.int32, np.int64):
        return False
    if n == 0 or n * get_threads() > _SPARE * (graph.num_arcs + n):
        return False
    if weights is not None and weights.dtype.kind != "i":
        return False
    if weights is not None and len(weights):
        most = max(-int(weights.min()), int(weights.max()))
        if most * len(weights) >= 2**62:
            return False
    return int(labels.min()) >= 0 and int(labels.max()) < n


def _grouped(graph: Graph, labels: np.ndarray, how: Merging) -> Contraction:
    """The graph in host memory, by the members of each group."""
    from edgewise.graph.cpu.groups import (
        Found,
        Lists,
        Numbers,
        Scratch,
        Tables,
        combine,
        number,
        put_in_order,
    )

    n, arcs, kind, team = graph.num_vertices, graph.num_arcs, graph.id_dtype, get_threads()
    names, rank, groups, order, members = (np.empty(n, kind) for _ in range(5))
    lists = Lists(bits(members), np.zeros(n + 1, np.int64))
    scratch = Scratch(np.zeros(n, np.int8), order, np.zeros(team, np.int64))
    launch(number, bits(frozen(labels.astype(kind, copy=False))),
           Numbers(names, bits(rank), bits(groups)), lists, scratch, work=n, team=team)  # fmt: skip
    size = int(scratch.counts.sum())
    weights = np.empty(0, np.int64) if graph.weights is None else graph.weights
    indptr, indices = (bits(frozen(one)) for one in graph.stored)
    rows = RowArrays(indptr, indices,
                     frozen(weights.astype(np.int64, copy=False)))  # fmt: skip
    starts, lengths, tallies = *np.empty((2, size), np.int64), np.zeros(24, np.int64)
    targets, values = np.empty(arcs, bits(groups).dtype), np.empty(arcs, np.int64)
    found = Found(targets, values, starts, lengths, tallies)
    words = (size >> 6) + (size >> 12) + 2
    tables = Tables(np.empty((team, size), np.int64),
                    np.empty((team, size + 1), found.targets.dtype),
                    np.zeros((team, words), np.uint64))  # fmt: skip
    launch(combine, rows, bits(groups), lists, tables, found, how.loops,
           _large(lists.firsts[: size + 1], team), work=arcs + n, team=team)  # fmt: skip
    indptr = offsets(found.lengths)
    arrays = np.empty(indptr[-1], index_dtype(size)), np.empty(indptr[-1], np.int64)
    launch(put_in_order, found, indptr, bits(arrays[0]), arrays[1],
           work=len(arrays[0]) + size)  # fmt: skip
    named = unless_plain(Labels.ascending(names[:size].astype(np.int64)))
    small = type(graph)(indptr, *arrays, directed=False, labels=named)
    small._keep(num_self_loops=int(found.tallies[8]))
    return Contraction(small, groups)


def _large(firsts: np.ndarray, team: int) -> np.ndarray:
    """Groups that would keep one of many threads busy for longer than the others, largest first."""
    if team <= 2:
        return np.empty(0, np.int64)
    sizes = np.diff(firsts)
    found = np.flatnonzero(sizes > max(_LARGE, firsts[-1] // (2 * team)))
    return found[np.argsort(-sizes[found])]


def unless_plain(names: Labels) -> Labels | None:
    """The labels of the groups, unless they are what the groups' numbers are."""
    plain = names.dtype.kind in "iu" and (names.range_start == 0 or len(names) == 0)
    return None if plain else names


def _contracted(graph: Graph, names: Labels, groups: np.ndarray, how: Merging) -> Graph:
    """The graph in host memory."""
    groups = frozen(groups.astype(index_dtype(len(names)), copy=False))
    with threads(get_threads()):  # the same team for all launches, whatever others set meanwhile
        sources, targets, weights = _pairs(graph, groups, len(names), how)
        built = assemble(sources, targets, weights, len(names), undirected=not graph.directed,
                         duplicates=how.reduce, drop_loops=not how.loops)  # fmt: skip
    result = type(graph)(built.indptr, built.indices, built.weights, directed=graph.directed,
                         labels=unless_plain(names))  # fmt: skip
    result._keep(num_self_loops=built.loops)
    return result


def _pairs(graph: Graph, groups: np.ndarray, count: int, how: Merging) -> EdgeArrays:
    """The edges between groups; some of them combined already."""
    from edgewise.graph.cpu.build import COMBINE, Combining
    from edgewise.graph.cpu.contract import Grouping, collect, gather_kernel, tally

    upper, work = not graph.directed, graph.num_arcs + graph.num_vertices
    indptr, indices = map(frozen, graph.stored)
    kind = how.kind(graph.weights)
    rows = np.searchsorted(indptr, np.arange(0, graph.num_arcs, _PIECE))
    pieces = _Pieces(rows, np.append(rows[1:], graph.num_vertices), np.zeros_like(rows))
    sizes = np.empty(len(rows), np.int64)
    launch(tally, indptr, indices, pieces, upper, sizes, work=work)
    places = offsets(sizes)
    pieces, total = pieces._replace(places=places[:-1]), int(places[-1])
    weights: Any = None
    values: Any = None
    if kind is not None:  # in wide types, of which there are but two
        values = np.empty(total, np.float64 if kind.kind == "f" else np.int64)
    if graph.weights is not None:
        weights = frozen(graph.weights.astype(values.dtype, copy=False))
    sources, targets = np.empty(total, groups.dtype), np.empty(total, groups.dtype)
    given, edges = RowArrays(indptr, indices, weights), EdgeArrays(sources, targets, values)
    grouping = Grouping(groups, max((count - 1).bit_length(), 1), upper, how.loops)
    way = COMBINE[how.reduce] if isinstance(how.reduce, str) else 0
    gather, combining = gather_kernel(how.function), Combining(wide(values), way)

    def gathered(chosen: _Pieces) -> np.ndarray:
        found = np.empty(len(chosen.places), np.int64)
        launch(gather, given, grouping, chosen, edges, found, combining,
               work=work if chosen is pieces else 0)  # fmt: skip
        return found

    few = min(_SAMPLES, -(-len(rows) // _SAMPLES))
    some = np.unique(np.linspace(0, max(len(rows) - 1, 0), few + 2)[1:-1].astype(int))[:few]
    if gathered(_Pieces(*(part[some] for part in pieces))).sum() > _MEET * sizes[some].sum():
        launch(collect, given._replace(weights=bits(weights)), grouping, pieces,
               edges._replace(weights=bits(values)), work=work)  # fmt: skip
        if weights is None and values is not None:
            values.fill(1)
    else:
        lasts = pieces.places + gathered(pieces)
        kept = [slice(*piece) for piece in zip(pieces.places, lasts, strict=True)]
        edges = EdgeArrays(*(
            None if one is None else np.concatenate([one[:0], *(one[piece] for piece in kept)])
            for one in edges
        ))  # fmt: skip
    values = edges.weights
    return edges._replace(weights=None if values is None else values.astype(kind, copy=False))


class _Pieces(NamedTuple):
    """Ranges of rows, and where what becomes of their edges is written."""

    firsts: np.ndarray
    ends: np.ndarray
    places: np.ndarray

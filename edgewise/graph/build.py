"""Edges to compressed rows, by parallel radix sort.

Every edge becomes one 64-bit key (row, column); an undirected edge's row is its smaller end. The
keys are split into buckets that fit the cache, sorted there stably, and equal edges are merged in
the order of the input; for an undirected graph a stable transpose adds the other direction. Rows
come out sorted, and the result is the same for every number of threads. Memory at the peak, the
graph itself included: about twice that of 32-bit input arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_flag, check_unmasked
from edgewise.base.insertion import Items
from edgewise.base.monoids import Monoid
from edgewise.base.offsets import offsets
from edgewise.base.parallel import big_bucket, get_threads, launch, sort, split_bits, threads
from edgewise.graph.arrays import EdgeArrays, RowArrays
from edgewise.graph.csr import as_weights, frozen, index_dtype
from edgewise.graph.edge_tuples import columns_of
from edgewise.graph.ids import vertex_ids
from edgewise.graph.transfer import on_gpu
from edgewise.graph.transpose import bits, both_directions

if TYPE_CHECKING:
    from edgewise.graph.cpu.build import Layout
    from edgewise.graph.graph import Graph

__all__ = ["DUPLICATES", "Built", "assemble", "from_edges", "refuse", "wide"]

DUPLICATES = ("sum", "min", "max", "first", "raise")
_MOST = 2**31  # vertices: two ids, a tag and a mark share the 64 bits of a key


def from_edges(
    cls: Any,
    sources: Any,
    targets: Any = None,
    weights: Any = None,
    *,
    directed: bool = False,
    num_vertices: int | None = None,
    duplicates: str | Mapping[str, str] = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: Any = None,
    edge_columns: Any = None,
    vertex_columns: Any = None,
) -> Graph:
    """Return a graph built from lists of sources and targets.

    Integer endpoints are vertex ids from 0 to the largest; an id that does not occur is an isolated
    vertex. Endpoints that are not integers are labels. With ``labels=True``, integers are labels
    too, and only those that occur are vertices.

    Parameters
    ----------
    sources, targets : arrays of vertex ids, or of labels
        The two ends of each edge: integers, strings, or any hashable objects. From arrays on a GPU
        (CuPy, PyTorch, anything with ``__cuda_array_interface__``) the graph is built on that GPU.
        Instead, ``sources`` alone may hold pairs (u, v) or triples (u, v, weight).
    weights : array, optional
        One number per edge. float32, float64, int32 and int64 keep their type. Booleans and other
        integers become int64, float16 becomes float32, and other reals become float64. NaN and
        infinity are kept.
    directed : bool
        Whether edges are directed.
    num_vertices : int, optional
        The number of vertices; by default the largest id plus one, or the number of labels.
    duplicates : {"sum", "min", "max", "first", "raise"}
        How the weights of duplicate edges are combined. Sums are float64 or int64. A NaN makes the
        minimum and maximum NaN. ``"raise"`` raises ValueError. Without weights, duplicate edges are
        merged. A mapping has a rule for ``"weight"`` and for columns, for those also ``"last"``,
        ``"mean"``, ``"count"``, ``"list"``, ``"any"`` and ``"all"``; without a rule, a column takes
        the first value.
    self_loops : {"keep", "drop"}
        Whether self-loops are kept.
    symmetrize : {None, "union", "intersection", "given"}
        How the list of an undirected graph is read; it must be None for a directed graph. None and
        ``"union"``: each entry is an edge, and (u, v) and (v, u) are duplicates.
        ``"intersection"``: only self-loops and edges listed in both directions are kept.
        ``"given"``: the list holds both directions of each edge, as a symmetric matrix does; a
        missing reverse entry or one with a different weight raises ValueError.
    labels : None, bool or Labels
        None: integers are ids, and anything else is a label, numbered in ascending order (see
        `Labels`). True: integers are labels too. False: only integers are accepted. A `Labels`: all
        endpoints must be among its labels.
    edge_columns, vertex_columns : mapping, data frame or Arrow table, optional
        Named values, one per entry of ``sources``, or one per vertex of the new graph; see
        `with_columns`.

    Returns
    -------
    Graph
        A graph with sorted rows and no duplicate arcs.

    Raises
    ------
    ValueError
        If an id is negative or not below ``num_vertices``, or if the arrays differ in length. Also
        if an integer sum overflows, or if a choice above forbids the input.

    Notes
    -----
    If a weighted list holds both directions of each undirected edge, the default
    ``duplicates="sum"`` doubles all weights. Use ``symmetrize="given"`` or ``duplicates="first"``.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 1], [1, 2, 0], [2.0, 3.0, 4.0])
    >>> graph.indices.tolist(), graph.weights.tolist()
    ([1, 0, 2, 1], [6.0, 6.0, 3.0, 3.0])
    >>> Graph.from_edges([(0, 1), (1, 2)]).num_edges
    2
    >>> Graph.from_edges(["bob", "eve"], ["eve", "ann"], directed=True).label(0)
    'ann'
    >>> Graph.from_edges([10], [500]).num_vertices
    501
    >>> Graph.from_edges([10], [500], labels=True).num_vertices
    2
    >>> years = {"year": [1999, 2004, 2001]}
    >>> Graph.from_edges([0, 1, 1], [1, 2, 0], edge_columns=years, duplicates={"year": "max"})
    Graph(undirected, 3 vertices, 2 edges, columns year, 48 B)
    """
    rules: dict[str, str] = {}
    if isinstance(duplicates, Mapping):
        rules = dict(duplicates)
        duplicates = rules.pop("weight", "sum")
    check_choice(duplicates, "duplicates", DUPLICATES)
    check_choice(self_loops, "self_loops", ("keep", "drop"))
    if symmetrize is not None:
        check_choice(symmetrize, "symmetrize", ("union", "intersection", "given"))
    directed = check_flag(directed, "directed")
    if directed and symmetrize is not None:
        raise ValueError(
            f"symmetrize={symmetrize!r} makes an undirected graph, but directed=True was given"
        )
    if targets is None:
        sources, targets, weights = columns_of(sources, weights)
    check_unmasked(sources, "sources")
    check_unmasked(targets, "targets")
    if on_gpu(sources, targets):
        from edgewise.graph.cuda.build import from_device_edges

        graph = from_device_edges(
            cls,
            sources,
            targets,
            weights,
            directed=directed,
            num_vertices=num_vertices,
            duplicates=duplicates,
            self_loops=self_loops,
            symmetrize=symmetrize,
            labels=labels,
        )
        return _with_columns(graph, sources, targets, edge_columns, vertex_columns, rules)
    sources, targets, n, labels = vertex_ids(sources, targets, num_vertices, labels)
    if weights is not None:
        weights = as_weights(weights, len(sources))
    one_way = directed or symmetrize == "given"
    built = assemble(
        sources,
        targets,
        weights,
        n,
        undirected=not one_way,
        duplicates=duplicates,
        drop_loops=self_loops == "drop",
        both=symmetrize == "intersection",
        name=labels.label if labels is not None else int,
    )
    graph = cls(built.indptr, built.indices, built.weights, directed=directed, labels=labels)
    graph._keep(num_self_loops=built.loops)
    if symmetrize == "given":
        graph.validate()
    return _with_columns(graph, sources, targets, edge_columns, vertex_columns, rules)


def _with_columns(
    graph: Graph, sources: Any, targets: Any, edges: Any, vertices: Any, rules: dict[str, str]
) -> Graph:
    """The graph with columns that are given for every entry of the lists, and every vertex."""
    if edges is None and vertices is None and not rules:
        return graph
    from edgewise.graph.attribute_tables import Columns, combined, edge_positions, make_table

    table = make_table(edges, len(sources), "edge", "edge_columns")
    if table is not None or rules:
        places = edge_positions(graph, sources, targets)
        table = combined(table, places, graph.num_edges, rules, "duplicates", "first")
    named = make_table(vertices, graph.num_vertices, "vertex", "vertex_columns")
    graph._keep(columns=Columns(table, named).or_none())
    return graph


class Built(NamedTuple):
    """The arrays of a graph, and how many of its arcs are loops."""

    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray | None
    loops: int


def assemble(
    sources: np.ndarray,
    targets: np.ndarray,
    weights: np.ndarray | None,
    n: int,
    *,
    undirected: bool,
    duplicates: str | Monoid = "sum",
    drop_loops: bool = False,
    both: bool = False,
    name: Any = int,
) -> Built:
    """Build from checked ids; ``name`` turns ids to labels in errors.

    ``duplicates`` is a word of `DUPLICATES` or a monoid of single values.
    """
    from edgewise.graph.cpu.build import FOUND, LAST, LOOPS, OVERFLOW, REPEATED, emit

    if n > _MOST:
        raise ValueError(f"num_vertices must be at most 2**31 to build a graph, got {n}")
    with threads(get_threads()):  # the same team for all launches, whatever others set meanwhile
        layout = _layout(len(sources), n, undirected, drop_loops, both)
        keys, values, bounds = _split(EdgeArrays(sources, targets, weights), layout)
        notes, width = _finish(keys, values, bounds, layout, duplicates), layout.width
        if duplicates == "raise":
            refuse(
                notes[:, REPEATED], "is given more than once, and duplicates='error'", width, name
            )
        if isinstance(duplicates, str) and weights is not None and weights.dtype.kind == "i":
            reason = f"has a summed weight beyond {weights.dtype}; give wider weights"
            refuse(notes[:, OVERFLOW], reason, width, name)
        starts = offsets(notes[:, FOUND])
        last = np.concatenate([[-1], np.maximum.accumulate(notes[:, LAST])])
        indptr, indices = np.empty(n + 1, np.int64), np.empty(starts[-1], index_dtype(n))
        merged = None if values is None else np.empty(len(indices), values.dtype)
        launch(emit, Items(keys, bits(values)), bounds, starts, last, width,
               RowArrays(indptr, indices, bits(merged)), work=len(keys))  # fmt: skip
        indptr[last[-1] + 1 :] = len(indices)
        del keys, values
        built = Built(indptr, indices, merged, int(notes[:, LOOPS].sum()))
        return Built(*both_directions(*built), built.loops) if undirected else built


def _layout(count: int, n: int, undirected: bool, drop: bool, both: bool) -> Layout:
    """The layout of the keys of ``count`` edges, whose buckets fit the cache."""
    from edgewise.graph.cpu.build import Layout

    width, tag = max((n - 1).bit_length(), 1), int(both)
    length = _length(width, tag, drop)
    return Layout(n, width, tag, length - split_bits(count, length), undirected, drop)


def _length(width: int, tag: int, drop: bool) -> int:
    """The bits of a key; one that is dropped has a row beyond all others."""
    return 2 * width + tag + drop


def _split(edges: EdgeArrays, layout: Layout) -> tuple[np.ndarray, Any, np.ndarray]:
    """Edges as keys, with their weights, grouped into buckets: and where those begin."""
    from edgewise.graph.cpu.build import split

    number = _length(layout.width, layout.tag, layout.drop) - layout.shift
    keys, weights = np.empty(len(edges.sources), np.uint64), edges.weights
    given, values = None, None
    if weights is not None:
        given, values = bits(frozen(weights)), np.empty_like(weights)
    count = np.zeros((get_threads(), 1 << number), np.int64)
    bounds = np.zeros((1 << number) + 1, np.int64)
    launch(split, edges._replace(weights=given), Items(keys, bits(values)), count, bounds, layout,
           work=len(keys))  # fmt: skip
    return keys, values, bounds


def _finish(keys, values, bounds, layout, duplicates) -> np.ndarray:
    """Sort and merge inside the buckets; what was found in each."""
    from edgewise.graph.cpu.build import COMBINE, Combining, finish_kernel

    big = big_bucket(len(keys), get_threads())
    for bucket in np.flatnonzero(np.diff(bounds) > big):
        part = slice(bounds[bucket], bounds[bucket + 1])
        inside = None if values is None else values[part]
        sort(keys[part], inside, low=layout.tag, high=layout.shift)
    notes = np.full((len(bounds) - 1, 5), -1, np.int64)
    known = isinstance(duplicates, str)
    combining = Combining(wide(values), COMBINE[duplicates] if known else 0)
    finish = finish_kernel(None if known else duplicates.combine)
    launch(finish, Items(keys, bits(values)), values, bounds, notes, big, layout,
           combining, work=len(keys))  # fmt: skip
    return notes


def wide(values: Any) -> tuple:
    """Zero, the least and the greatest value of the type in which weights are summed."""
    if values is not None and values.dtype.kind == "f":
        return (-0.0, -np.inf, np.inf)  # -0.0 + x is x, for every x
    return (0, -(2**63), 2**63 - 1)


def refuse(edges, reason, width, name):
    """ValueError for the first edge that `finish` noted, if any."""
    if (edges >= 0).any():
        edge = int(edges[edges >= 0][0])
        u, v = name(edge >> width), name(edge & ((1 << width) - 1))
        raise ValueError(f"edge ({u!r}, {v!r}) {reason}")

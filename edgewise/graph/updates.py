"""`Graph.updated`: a new frozen graph from an old one and a batch of edges to add and to remove.

The batch becomes two small graphs, and their rows are merged with the old rows in one pass on all
threads. Runs of rows that the batch leaves alone are copied as blocks of memory. O(n + m) bytes
moved, O(b log b) work for a batch of b edges. The decision record 34 has the figures;
`edgewise.dynamic.Stream` has rows that change in place, and merges large batches by `exchanged`, or
by `merged` if it need not know which edges come and go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_one_device
from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch, sort, threads
from edgewise.graph.arrays import RowArrays
from edgewise.graph.attribute_tables import Columns, edge_positions, make_table, select
from edgewise.graph.batch_ends import Batch, read_batch, read_removed
from edgewise.graph.csr import index_dtype
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.transfer import host, like, row_ids

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["Tally", "exchanged", "merged", "updated"]

#: The words of ``duplicates=``, and the rule for edges that one batch holds several times.
RULES = {"last": "first", "first": "first", "sum": "sum", "min": "min", "max": "max",
         "raise": "raise"}  # fmt: skip


def updated(
    graph: Graph,
    add: Any = None,
    remove: Any = None,
    *,
    duplicates: str = "last",
    missing: str = "ignore",
    labels: bool | None = None,
    edge_columns: Any = None,
) -> Graph:
    """Return a new graph with a batch of edges removed and another one added.

    Removals come first, so an edge in both batches is in the new graph. The old graph stays as it
    is. Vertices are never removed; new ids or labels in ``add`` become vertices.

    Parameters
    ----------
    add : tuple (sources, targets) or (sources, targets, weights), optional
        Edges to add. Integers are vertex ids, and an id beyond the last one adds vertices up to it.
        Strings are labels; labels that no vertex has yet become new vertices after the old ones. A
        weighted graph needs weights, and an unweighted one takes none. An undirected edge may have
        either end first.
    remove : tuple (sources, targets), optional
        Edges to remove.
    duplicates : {"last", "first", "sum", "min", "max", "raise"}
        The weight of an edge that exists already, or that the batch holds several times. The
        default replaces the old weight. ``"raise"`` raises ValueError.
    missing : {"ignore", "raise"}
        What to do with edges to remove that do not exist.
    labels : bool, optional
        True: integers are labels, too.
    edge_columns : mapping, data frame or Arrow table, optional
        Values of the columns of the added edges, one per entry of ``add``. They replace those of
        edges that exist. Without it, added edges have missing values.

    Returns
    -------
    Graph
        With the labels and columns of the old one. New vertices have missing values.

    Raises
    ------
    ValueError
        If weights are given where the graph has none, or the other way round, or if a choice above
        forbids the batch.

    Notes
    -----
    One pass over the arrays of the graph, and O(b log b) for a batch of b edges.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> later = graph.updated(add=([2, 0], [3, 2]), remove=([1], [0]))
    >>> [ends.tolist() for ends in later.edges()[:2]]
    [[0, 1, 2], [2, 2, 3]]
    >>> graph.num_edges
    2
    >>> people = Graph.from_edges(["ann"], ["bob"], [1.0])
    >>> people.updated(add=(["bob"], ["eve"], [2.0])).labels.values.tolist()
    ['ann', 'bob', 'eve']
    """
    check_arcs(graph, "updated")
    check_one_device(graph, "updated")
    check_choice(duplicates, "duplicates", tuple(RULES))
    check_choice(missing, "missing", ("ignore", "raise"))
    batch = read_batch(graph, add, labels)
    gone = read_removed(graph, remove, labels, missing)
    result, _ = merged(graph, batch, gone, duplicates, missing)
    return _with_columns(graph, result, batch, edge_columns, duplicates, gone)


class Tally(NamedTuple):
    """How many edges are new, are gone, have a new weight, and were removed and added again."""

    added: int
    removed: int
    changed: int
    again: int


def merged(
    graph: Graph,
    batch: Batch,
    gone: tuple[Any, Any],
    duplicates: str = "last",
    missing: str = "ignore",
) -> tuple[Graph, Tally]:
    """Return `updated` of a batch that is read already, without columns, and what it changed."""
    wider = _with_vertices(graph, batch)
    plus = _rows(wider, batch.sources, batch.targets, batch.weights, duplicates)
    minus = _rows(wider, *gone, None, "first")
    return _combined_rows(wider, plus, minus, duplicates, missing)


def exchanged(graph: Graph, labels: Any, size: int, add: tuple, remove: tuple) -> Graph:
    """Return the graph of ``size`` vertices with arcs that are new and without others it has.

    Both are (sources, targets, weights or None), distinct, by row, on the device of the graph. Of
    an undirected edge, both arcs are given.

    >>> from edgewise.graph import Graph
    >>> graph, ends = Graph.from_edges([0], [1]), (np.array([0, 1]), np.array([1, 0]), None)
    >>> exchanged(graph, None, 2, tuple(one[:0] for one in ends[:2]) + (None,), ends).num_edges
    0
    """
    wider = _with_vertices(graph, Batch(add[0], add[1], add[2], size, labels))
    plus, minus = (_of_arcs(wider, *arcs) for arcs in (add, (*remove[:2], None)))
    return _combined_rows(wider, plus, minus, "last", "ignore")[0]


def _combined_rows(
    graph: Graph, plus: Graph, minus: Graph, duplicates: str, missing: str
) -> tuple[Graph, Tally]:
    """The graph with the rows of others merged in, and what changes."""
    merge = _merged if graph.device == "cpu" else _merged_on_device
    *arrays, tally = merge(graph, plus, minus, duplicates, missing)
    found = like(graph, *arrays, directed=graph.directed, labels=graph.labels)
    return found, Tally(*map(int, tally))


def _with_vertices(graph: Graph, batch: Batch) -> Graph:
    """The graph with more vertices, if the batch has some, and the type that weights get."""
    xp = graph.xp
    weights: Any = graph.weights
    if batch.weights is not None:
        kind = np.result_type(weights.dtype, batch.weights.dtype)
        weights = weights.astype(kind, copy=False)
    more = batch.num_vertices - graph.num_vertices
    indptr = graph.indptr
    if more:
        indptr = xp.concatenate([indptr, xp.full(more, len(graph.indices), indptr.dtype)])
    indices = graph.indices.astype(index_dtype(batch.num_vertices), copy=False)
    return like(graph, indptr, indices, weights, directed=graph.directed, labels=batch.labels)


def _rows(graph: Graph, sources: Any, targets: Any, weights: Any, duplicates: str) -> Graph:
    """A graph of the batch alone, on the device of the graph."""
    if duplicates == "last":  # of several in one batch, the last one
        sources, targets = sources[::-1], targets[::-1]
        weights = None if weights is None else weights[::-1]
    xp = graph.xp
    if weights is not None:
        kind: Any = getattr(graph.weights, "dtype", None)
        weights = xp.asarray(np.ascontiguousarray(weights).astype(kind))
    # Of several, the rule makes one weight of all, or refuses them.
    once = duplicates == "raise" or (weights is not None and duplicates not in ("first", "last"))
    arcs = _by_row(graph, sources, targets, weights, once) if graph.device == "cpu" else None
    if arcs is not None:
        return _of_arcs(graph, *arcs)
    return type(graph).from_edges(
        xp.asarray(sources), xp.asarray(targets), weights, directed=graph.directed,
        num_vertices=graph.num_vertices, duplicates=RULES[duplicates],
    )  # fmt: skip


def _by_row(graph: Graph, us: Any, vs: Any, weights: Any, once: bool) -> Any:
    """The arcs of a batch by row, the first of each; None if it must occur once and does not."""
    if not graph.directed:
        us, vs = np.minimum(us, vs), np.maximum(us, vs)  # both arcs keep the order of the batch
        other = us != vs
        us, vs = np.concatenate([us, vs[other]]), np.concatenate([vs, us[other]])
        weights = None if weights is None else np.concatenate([weights, weights[other]])
    n = max(graph.num_vertices, 1)
    keys = us * n + vs
    order = None if weights is None else np.arange(len(keys))
    sort(keys, order)
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    if not first.all():
        if once:
            return None
        keys, order = keys[first], None if order is None else order[first]
    return keys // n, keys % n, None if weights is None else weights[order]


def _of_arcs(graph: Graph, us: Any, vs: Any, weights: Any) -> Graph:
    """The graph of distinct arcs by row, with the vertices of another one."""
    n = graph.num_vertices
    indptr = offsets(graph.xp.bincount(us, minlength=n)[:n])
    return like(graph, indptr, vs.astype(graph.indices.dtype), weights, directed=graph.directed)


def _merged(graph: Graph, plus: Graph, minus: Graph, duplicates: str, missing: str) -> Any:
    """The arrays of the result, on CPU threads, and the numbers of a `Tally`."""
    from edgewise.graph.cpu import updates

    n, work = graph.num_vertices, graph.num_arcs + graph.num_vertices
    old, more, less = (RowArrays(one.indptr, one.indices, one.weights)
                       for one in (graph, plus, minus))  # fmt: skip
    sizes = np.empty(n, np.int64)
    with threads(get_threads()):
        notes = np.full((get_threads(), updates.COUNTED), -1, np.int64)
        tallies = np.zeros((get_threads(), updates.TALLIED), np.int64)
        launch(updates.count_merged, old, more, less, sizes, notes, tallies, graph.directed,
               work=work)  # fmt: skip
        _refuse(graph, notes.max(axis=0), duplicates, missing)
        indptr = offsets(sizes)
        indices = np.empty(int(indptr[-1]), graph.indices.dtype)
        weights = None if graph.weights is None else np.empty(len(indices), graph.weights.dtype)
        out = RowArrays(indptr, indices, weights)
        how = getattr(updates, duplicates.upper(), updates.LAST)
        launch(updates.fill_merged, old, more, less, out, how, _limits(weights), notes, work=work)
    if (notes[:, updates.OVERFLOW] >= 0).any():
        _overflow(weights)
    return indptr, indices, weights, tallies.sum(axis=0)


def _limits(weights: Any) -> tuple:
    if weights is None or weights.dtype.kind == "f":
        return (-np.inf, np.inf)
    limits = np.iinfo(weights.dtype)
    return (int(limits.min), int(limits.max))


def _overflow(weights: Any) -> None:
    raise ValueError(f"a summed weight is beyond {weights.dtype}; give wider weights")


def _refuse(graph: Graph, note: Any, duplicates: str, missing: str) -> None:
    """ValueError if the batch holds what it must not."""
    from edgewise.graph.cpu.updates import ABSENT, PRESENT

    for at, refused, said in (
        (PRESENT, duplicates == "raise", "exists already, and duplicates='raise'"),
        (ABSENT, missing == "raise", "does not exist, and missing='raise'"),
    ):
        if refused and note[at] >= 0:
            u, v = divmod(int(note[at]), graph.num_vertices)
            raise ValueError(f"edge ({graph.label(u)!r}, {graph.label(v)!r}) {said}")


def _merged_on_device(graph: Graph, plus: Graph, minus: Graph, duplicates: str, missing: str
                      ) -> Any:  # fmt: skip
    """As `_merged`, on a GPU: places by bisection of the keys (row, column)."""
    xp, n = graph.xp, graph.num_vertices
    new: Any = plus.weights
    keys, more, less = (row_ids(one).astype(xp.int64) * n + one.indices
                        for one in (graph, plus, minus))  # fmt: skip
    found, there = _places(xp, keys, less)
    note = xp.full(2, -1, xp.int64)
    if not bool(there.all()):
        note[1] = less[~there][0]
    removed, kept = less[there], xp.ones(len(keys), bool)
    kept[found[there]] = False
    keys, weights = keys[kept], None if graph.weights is None else graph.weights[kept]
    found, there = _places(xp, keys, more)
    if bool(there.any()):
        note[0] = more[there][0]
    _refuse(graph, host(note), duplicates, missing)
    differs = there.copy()
    differs[there] = weights is not None and weights[found[there]] != new[there]
    if weights is not None and bool(there.any()):
        weights[found[there]] = _combined(xp, weights[found[there]], new[there],
                                          duplicates)  # fmt: skip
    fresh = more[~there]
    again = _places(xp, fresh, removed)[1]
    again, changed, removed, added = (
        int(xp.count_nonzero(graph.directed | (one // max(n, 1) <= one % max(n, 1))))
        for one in (removed[again], more[differs], removed, fresh)
    )
    out = xp.empty(len(keys) + len(fresh), xp.int64)
    first = xp.arange(len(keys)) + xp.searchsorted(fresh, keys)
    second = xp.arange(len(fresh)) + xp.searchsorted(keys, fresh)
    out[first], out[second] = keys, fresh
    merged = None
    if weights is not None:
        merged = xp.empty(len(out), weights.dtype)
        merged[first], merged[second] = weights, new[~there]
    indptr = offsets(xp.bincount(out // n, minlength=n)[:n]) if n else graph.indptr
    tally = added - again, removed - again, changed, again
    return indptr, (out % max(n, 1)).astype(graph.indices.dtype), merged, tally


def _places(xp: Any, keys: Any, wanted: Any) -> tuple[Any, Any]:
    """The place of each wanted key among ascending ones, and whether it is there."""
    found = xp.searchsorted(keys, wanted)
    if len(keys) == 0:
        return found, xp.zeros(len(wanted), bool)
    found[found == len(keys)] = 0
    return found, keys[found] == wanted


def _combined(xp: Any, old: Any, new: Any, duplicates: str) -> Any:
    if duplicates == "sum":
        if old.dtype.kind == "i":
            least, most = _limits(old)
            over = ((new > 0) & (old > most - new)) | ((new < 0) & (old < least - new))
            if bool(over.any()):
                _overflow(old)
        return old + new
    choose = {"first": lambda a, b: a, "min": xp.minimum, "max": xp.maximum}
    return choose.get(duplicates, lambda a, b: b)(old, new)


def _with_columns(
    graph: Graph, result: Graph, batch: Batch, given: Any, duplicates: str, gone: Any
) -> Graph:
    """The result with the columns of the graph and of the batch."""
    old = graph.columns or Columns()
    table = make_table(given, len(batch.sources), "edge", "edge_columns")
    if old == Columns() and table is None:
        return result
    import pyarrow

    vertices = old.vertices
    if vertices is not None and result.num_vertices > graph.num_vertices:
        ids = np.arange(result.num_vertices)
        vertices = select(vertices, np.where(ids < graph.num_vertices, ids, -1))
    ends = tuple(map(host, result.edges()[:2]))
    inside = (ends[0] < graph.num_vertices) & (ends[1] < graph.num_vertices)
    before = np.full(len(ends[0]), -1, np.int64)
    before[inside] = edge_positions(graph, ends[0][inside], ends[1][inside])
    if len(gone[0]):  # removed and added again: a new edge
        again = edge_positions(result, *gone)
        before[again[again >= 0]] = -1
    new = np.full(result.num_edges, -1, np.int64)
    order = np.arange(len(batch.sources))
    order = order[::-1] if duplicates == "first" else order
    new[edge_positions(result, batch.sources[order], batch.targets[order])] = order
    arrays = {}
    for name in dict.fromkeys([*_names(old.edges), *_names(table)]):
        parts = _column(old.edges, name), _column(table, name)
        arrays[name] = _joined(name, parts, before, new, duplicates == "first")
    edges = pyarrow.table(arrays) if arrays else None
    result._keep(columns=Columns(edges, vertices).or_none())
    return result


def _names(table: Any) -> list[str]:
    return [] if table is None else table.column_names


def _column(table: Any, name: str) -> Any:
    return table.column(name) if name in _names(table) else None


def _joined(name: str, parts: tuple[Any, Any], before: Any, rows: Any, keep: bool) -> Any:
    """A column of the result: of each edge its old row or that of the batch, -1 for none."""
    import pyarrow

    old, new = parts
    if new is None:
        both, rows = old, before
    elif old is None:
        both = new
    else:
        try:
            both = pyarrow.chunked_array([*old.chunks, *new.cast(old.type).chunks], type=old.type)
        except pyarrow.ArrowException as error:
            raise TypeError(f"edge_columns must hold {old.type} for {name!r}: {error}") from None
        chosen = (rows >= 0) & ~((before >= 0) & keep)
        rows = np.where(chosen, rows + len(old), before)
    return select(pyarrow.table({name: both}), rows).column(0)

"""Neighbor sampling for mini-batches of graph neural networks (GraphSAGE [1]).

Layer by layer, every vertex that the batch has so far draws some of its edges. Their other ends
join the batch. ``vertices`` lists the batch in the order in which vertices joined, so that the
first ``sizes[h]`` of them are those within h hops. Block h has the edges of hop h + 1 as rows of
a sparse matrix over positions in ``vertices``.

With times, a source has a time of its own, and its sample has edges up to that time only. A vertex
that is reached from sources of two times is then listed twice, once for each time.

Numbering takes one array over the vertices of the graph: unknown vertices hold a large number,
known ones their position, and a new one the smallest index among the edges that reach it. All of it
is a function of the seed, never of a thread.

[1] W. Hamilton, R. Ying, J. Leskovec. Inductive representation learning on large graphs. NIPS 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic, random
from edgewise.base.checks import check_choice, check_count, check_flag, check_one_device
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed
from edgewise.graph import Graph
from edgewise.graph.csr import as_weights
from edgewise.graph.edges import arcs_of
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.lookup import check_vertices
from edgewise.graph.time_windows import as_date
from edgewise.graph.transfer import host
from edgewise.graph.weight_columns import column
from edgewise.operators import for_each
from edgewise.operators.adjacency import adjacency
from edgewise.operators.sampling import Choice, check_chances

__all__ = ["Block", "Members", "NeighborSample", "Sampler", "make_sampler", "sample_neighbors"]

_UNKNOWN = np.iinfo(np.int64).max
_ALL = 2**31 - 1
_METHODS = ("random", "latest")


class Block(NamedTuple):
    """The sampled edges of one hop: a sparse matrix with a row per vertex that drew them.

    Attributes
    ----------
    indptr : array of int64
        Row i has the entries ``indptr[i]`` to ``indptr[i + 1] - 1``. Its vertex is ``vertices[i]``.
    indices : array of int64
        Positions in ``vertices`` of the neighbors that were drawn.
    edges : array of int
        The index of each drawn edge in ``graph.edges()``.
    """

    indptr: Any
    indices: Any
    edges: Any


class NeighborSample(NamedTuple):
    """A mini-batch: its vertices, the nearest first, and a block of edges per hop.

    Attributes
    ----------
    vertices : array of vertex ids
        The distinct sources first, then vertices in the order in which they were reached.
    sources : array of int64
        The position in ``vertices`` of each given source.
    sizes : tuple of int
        ``vertices[:sizes[h]]`` are within h hops of the sources. Block h has ``sizes[h]`` rows.
    blocks : tuple of Block
        The edges of each hop. A network of L layers uses the blocks in reverse order.
    times : array of float64 or datetime64, or None
        With times, the latest time of edges for each of ``vertices``. Dates are in host memory.
    """

    vertices: Any
    sources: Any
    sizes: tuple[int, ...]
    blocks: tuple[Block, ...]
    times: Any


@takes_graph
def sample_neighbors(
    graph: LocalGraphLike,
    sources: Any,
    *,
    fanouts: Sequence[int | None] = (15, 10),
    replace: bool = False,
    mode: str = "in",
    weights: Any = None,
    times: Any = None,
    source_times: Any = None,
    method: str = "random",
    seed: int = 0,
) -> NeighborSample:
    """Return a mini-batch: sampled neighbors of the sources, hop by hop, with new vertex ids.

    Parameters
    ----------
    graph : Graph
        On one device, where the result is, too.
    sources : int or str, or several
        Vertices by id or label. They may repeat.
    fanouts : sequence of int or None
        How many edges a vertex draws in each hop; None takes all of them.
    replace : bool
        Whether an edge may be drawn more than once. A vertex with edges then draws exactly as many
        as the fanout says.
    mode : {"in", "out", "both"}
        Which edges a vertex draws. Messages of a network follow edges, so "in" is the default.
    weights : str, array over edges, or None
        Edges are drawn in proportion to these finite, non-negative numbers; None means equally.
    times : str or array over edges, optional
        When each edge came into being: a column of edges or an array, of numbers or dates. Requires
        ``source_times``.
    source_times : number or date, or array over ``sources``, optional
        Vertices reached from a source draw edges whose time is at most that of the source.
    method : {"random", "latest"}
        With times, "latest" takes a vertex's last edges instead of random ones. Of edges at one
        time, those that come later in its row are taken.
    seed : int
        Seed of the draws. The same seed gives the same batch for any number of threads.

    Returns
    -------
    NeighborSample
        ``vertices``, ``sources``, ``sizes``, ``blocks`` and ``times``. The arrays are NumPy's, or
        CuPy's for a graph on a GPU. ``torch.from_dlpack(array)`` makes tensors without a copy.

    See Also
    --------
    neighbor_batches : All batches of an epoch.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> batch = sample_neighbors(path, [2], fanouts=[None, 1], seed=1)
    >>> batch.vertices.tolist(), batch.sizes
    ([2, 1, 3, 0], (1, 3, 4))
    >>> batch.blocks[0].indptr.tolist(), batch.blocks[0].indices.tolist()
    ([0, 2], [1, 2])
    """
    sampler = make_sampler(graph, fanouts, replace, mode, weights, times, method)
    ids = graph.xp.asarray(check_vertices(graph, host(sources), "sources")).astype(np.int64)
    limits = sampler.check_times(source_times, len(ids))
    return sampler.draw(ids, limits, check_seed(seed), sampler.numbering())


def make_sampler(
    graph: Any, fanouts: Any, replace: Any, mode: Any, weights: Any, times: Any, method: Any
) -> Sampler:
    """The arguments that all batches share, checked, and the rows to draw from."""
    check_one_device(graph, "sample_neighbors")
    if isinstance(fanouts, str) or not isinstance(fanouts, Sequence) or len(fanouts) == 0:
        raise TypeError(
            f"fanouts must list the number of edges of each hop, such as [15, 10], got {fanouts!r}"
        )
    wanted = [_ALL if one is None else check_count(one, "fanouts", 0, _ALL) for one in fanouts]
    replace = check_flag(replace, "replace")
    if replace and None in fanouts:
        raise ValueError("fanouts must be numbers where replace is True, got None")
    check_choice(method, "method", _METHODS)
    if method == "latest" and (times is None or weights is not None or replace):
        raise ValueError('method "latest" needs times, and neither weights nor replace')
    arcs, unit = _arc_times(graph, times)
    check_choice(mode, "mode", ("out", "in", "both"))
    names = ("edge",) if weights is None else ("edge", "weight")
    rows = adjacency(graph, mode, weights, names, False)[0]
    moments = None if arcs is None else arcs if rows.edge_ids is None else arcs[rows.edge_ids]
    chances = check_chances(graph, rows.weights)
    shared = (rows.indptr.view(np.int64), rows.indices.view(graph.indices.dtype), rows.edge_ids)
    return Sampler(graph, tuple(wanted), replace, *shared, chances, moments, unit, method)


def _arc_times(graph: Graph, times: Any) -> tuple[Any, Any]:
    """The time of each arc as float64, or as int64 in a unit of dates; both None without times."""
    if times is None:
        return None, None
    dates: np.ndarray | None
    if isinstance(times, str) and times in graph.edges:
        dates = np.asarray(host(graph.edges[times]))
    else:
        dates = None if isinstance(times, str) else np.asarray(host(times))
    if dates is not None and dates.dtype.kind == "M":
        if np.isnat(dates).any():
            raise ValueError("times must be dates, got NaT")
        counted = arcs_of(graph, graph.xp.asarray(dates.astype(np.int64)), "times")
        return as_weights(counted, graph.num_arcs, name="times", xp=graph.xp), dates.dtype
    found = column(graph, times, "times") if isinstance(times, str) else None
    if found is None:
        found = as_weights(arcs_of(graph, times, "times"), graph.num_arcs, name="times",
                           xp=graph.xp)  # fmt: skip
    if graph.xp.isnan(found).any():
        raise ValueError("times must be numbers, got NaN")
    return found.astype(np.float64, copy=False), None


def _instants(given: Any, unit: Any) -> np.ndarray:
    """Times of sources as numbers; dates are counted in the unit of the edges' dates."""
    array = np.asarray(host(given))
    if unit is None:
        try:
            if array.dtype.kind == "M":
                raise TypeError("dates")
            found = array.astype(np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"source_times must be numbers, as times are, got {given!r}") from None
        if np.isnan(found).any():
            raise ValueError("source_times must be numbers, got NaN")
        return found
    if array.dtype.kind != "M":
        dates = [as_date(one, "source_times") for one in array.ravel().tolist()]
        array = np.array(dates, None if dates else unit).reshape(array.shape)
    if np.isnat(array).any():
        raise ValueError("source_times must be dates, got NaT")
    return array.astype(unit).astype(np.int64)


class Sampler(NamedTuple):
    """What a batch draws from, and how."""

    graph: Graph
    fanouts: tuple[int, ...]
    replace: bool
    indptr: Any
    indices: Any
    arcs: Any  # None where they are the places themselves
    weights: Any
    times: Any
    unit: Any  # of times that are dates, as a dtype
    method: str

    def __repr__(self) -> str:
        return f"fanouts={[None if one == _ALL else one for one in self.fanouts]}"

    def numbering(self) -> Any:
        """Scratch memory for `draw`, which leaves it as it was."""
        return None if self.times is not None else self.graph.full(_UNKNOWN, np.int64)

    def check_times(self, given: Any, count: int) -> Any:
        """The times of the sources as an array, or None."""
        if (given is None) != (self.times is None):
            raise ValueError("times and source_times must be given together")
        if given is None:
            return None
        array = self.graph.xp.asarray(_instants(given, self.unit))
        if array.ndim > 1 or (array.ndim == 1 and len(array) != count):
            raise ValueError(
                f"source_times must be one number or date, or one per source ({count}), got shape "
                f"{array.shape}"
            )
        return self.graph.xp.broadcast_to(array, (count,)).copy()

    def draw(self, ids: Any, limits: Any, seed: np.uint64, slots: Any) -> NeighborSample:
        """The batch of some sources; ``limits`` are their times."""
        xp = self.graph.xp
        members = Members(xp, self.graph.num_vertices, slots)
        given, sizes, blocks = members.add(ids, limits), [], []
        for hop, wanted in enumerate(self.fanouts):
            sizes.append(len(members.ids))
            word = random.bits(seed, hop)
            starts, places = self.places(members.ids, members.limits, wanted, word)
            reached, drawn = self.indices[places].astype(np.int64), members.limits
            if drawn is not None:
                drawn = xp.repeat(drawn, xp.diff(starts))
            edges = self.graph.arc_to_edge[places if self.arcs is None else self.arcs[places]]
            blocks.append(Block(starts, members.add(reached, drawn), edges))
        sizes.append(len(members.ids))
        members.forget()
        vertices, times = members.ids.astype(self.graph.indices.dtype), members.limits
        if self.unit is not None:
            times = host(times).astype(self.unit)
        return NeighborSample(vertices, given, tuple(sizes), tuple(blocks), times)

    def places(self, ids: Any, limits: Any, wanted: int, seed: Any) -> tuple[Any, Any]:
        """Where each member's draws begin, and the places of the edges drawn."""
        if limits is None:
            choice = Choice(self.graph, ids, ids, self.indptr, self.weights, seed)
            return choice.draw(wanted, None, self.replace)
        starts, known = self._until(ids, limits)
        xp = self.graph.xp
        if self.method == "latest":
            sizes = xp.diff(starts)
            row = xp.repeat(xp.arange(len(ids)), sizes)
            known = known[xp.lexsort(xp.stack([self.times[known], row]))]
            kept = starts[1:][row] - xp.arange(len(known)) <= wanted
            return offsets(xp.minimum(sizes, wanted)), known[kept]
        weights = None if self.weights is None else self.weights[known]
        own = xp.arange(len(ids))
        choice = Choice(self.graph, own, own, starts, weights, seed)
        chosen, places = choice.draw(wanted, None, self.replace)
        return chosen, known[places]

    def _until(self, ids: Any, limits: Any) -> tuple[Any, Any]:
        """The places of each member's edges up to its time, as rows."""
        xp, rows = self.graph.xp, (ids, self.indptr, self.times, limits)
        counts, places = xp.zeros(len(ids), np.int64), xp.zeros(0, np.int64)
        work = int((self.indptr[ids + 1] - self.indptr[ids]).sum())
        for listing in (False, True):
            state = (*rows, counts, places, listing)
            for_each(len(ids), _up_to, state, device=self.graph.device, work=work)
            if not listing:
                counts = offsets(counts)
                places = xp.empty(int(counts[-1]), np.int64)
        return counts, places


class Members:
    """The vertices of a batch so far, each with its position; with times, pairs of both."""

    def __init__(self, xp: Any, num_vertices: int, slots: Any):
        self.xp, self.n, self.slots = xp, num_vertices, slots
        self.ids = xp.zeros(0, np.int64)
        self.limits: Any = None

    def add(self, ids: Any, limits: Any) -> Any:
        """Add the vertices that are new, in order, and return the position of each."""
        if limits is not None:
            return self._add_pairs(ids, limits)
        xp, size = self.xp, len(self.ids)
        for_each(len(ids), _claim, (ids, self.slots, size))
        fresh = ids[self.slots[ids] == xp.arange(size, size + len(ids))]
        self.slots[fresh] = xp.arange(size, size + len(fresh))
        self.ids = xp.concatenate([self.ids, fresh])
        return self.slots[ids]

    def _add_pairs(self, ids: Any, limits: Any) -> Any:
        xp, size = self.xp, len(self.ids)
        if self.limits is None:
            self.levels, self.limits = xp.unique(limits), xp.zeros(0, limits.dtype)
        both, times = xp.concatenate([self.ids, ids]), xp.concatenate([self.limits, limits])
        keys = xp.searchsorted(self.levels, times) * self.n + both
        _, first, group = xp.unique(keys, return_index=True, return_inverse=True)
        order = xp.argsort(first)
        position = xp.empty(len(order), np.int64)
        position[order] = xp.arange(len(order))
        first = first[order]
        self.ids, self.limits = both[first], times[first]
        return position[group[size:]]

    def forget(self) -> None:
        """Leave the scratch memory as it was."""
        if self.slots is not None:
            self.slots[self.ids] = _UNKNOWN


def _claim(i, ids, slots, size):
    """The smallest index of an entry that reaches an unknown vertex is noted there."""
    atomic.min(slots, ids[i], size + i)


def _up_to(i, ids, indptr, times, limits, counts, places, listing):
    """Count the edges of a member up to its time, or list them from ``counts[i]`` on."""
    found = 0
    for e in range(indptr[ids[i]], indptr[ids[i] + 1]):
        if times[e] <= limits[i]:
            if listing:
                places[counts[i] + found] = e
            found += 1
    if not listing:
        counts[i] = found

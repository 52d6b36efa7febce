"""Nested dissection [1]: an order of small fill-in, by recursive separators.

A separator comes last. The parts that it separates come before, each in the same way. Elimination
never joins two parts. All parts of one depth are separated together (`separators`), so there are
about log2(n / leaf) passes. Small parts are ordered by minimum degree. A part occupies the
positions ``[first, first + size)``, and its separator the last ones of these.

[1] A. George. Nested dissection of a regular finite element mesh. SIAM J. Numer. Anal. 1973.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.ordering.minimum_degree import minimum_degree_ranks
from edgewise.algorithms.ordering.places import both_ways
from edgewise.algorithms.ordering.separators import CUT, Parts, separate
from edgewise.base.checks import check_count
from edgewise.base.observe import notify
from edgewise.base.offsets import offsets
from edgewise.base.random import check_seed, hashed
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host

__all__ = ["nested_dissection"]


@takes_graph
def nested_dissection(graph: LocalGraphLike, *, leaf_size: int = 128, seed: int = 0) -> Any:
    """Return each vertex's position in a nested dissection order, which has small fill-in.

    It suits meshes and other graphs with small separators.

    Parameters
    ----------
    graph : Graph
        In host memory. Edges of a directed graph are followed in both directions.
    leaf_size : int
        Parts of at most this many vertices are ordered by minimum degree.
    seed : int
        The seed of the vertices from which separators grow.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it. It is the
        same for any number of threads.

    Raises
    ------
    DeviceError
        If the graph is on a GPU.

    See Also
    --------
    fill_in : The fill-in of an order.

    Notes
    -----
    O(m log n) time, times the passes of each bisection.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> from edgewise.ordering import fill_in
    >>> grid = grid_2d(30, 30)
    >>> fill_in(grid) > 2 * fill_in(grid, nested_dissection(grid))
    True
    """
    check_host(graph, "nested_dissection")
    leaf_size, seed = check_count(leaf_size, "leaf_size", least=1), int(check_seed(seed))
    graph = both_ways(graph, "nested_dissection")
    rest = graph.with_weights(None).with_labels(None).without_self_loops()
    n = graph.num_vertices
    whole, place = rest, np.full(n, -1, np.int64)
    # Of what is left: who it is in the graph, the part it was in, and where that begins.
    names, above, first = np.arange(n), np.zeros(n, np.int64), np.zeros(1, np.int64)
    begin = np.full(n, -1, np.int64)  # of leaves: where the positions of its leaf begin
    depth = 0
    while rest.num_vertices:
        parts = _components(rest)
        sizes = np.diff(parts.bounds)
        first = _ranges(sizes, above[parts.members[parts.bounds[:-1]]], first)
        small = sizes <= leaf_size
        side = separate(rest, parts, ~small, hashed(seed, depth))
        inside, cut = small[parts.of], side == CUT
        begin[names[inside]] = first[parts.of[inside]]
        place[names[cut]] = first[parts.of[cut]] + _rank_at_end(parts, cut)[cut]
        notify(depth, phase="dissect", parts=len(sizes), separators=int(cut.sum()))
        kept = np.flatnonzero(~(inside | cut))
        rest, names, above = rest.subgraph(kept), names[kept], parts.of[kept]
        depth += 1
    place += np.where(begin < 0, 0, begin + 1 + minimum_degree_ranks(whole, begin))
    return place.astype(graph.id_dtype)


def _components(graph: Graph) -> Parts:
    """The components as parts, in the order of their smallest vertices."""
    label = component_labels(graph)
    number = np.cumsum(label == np.arange(len(label))) - 1
    return Parts.made(number[label], int(number[-1]) + 1)


def _ranges(sizes: np.ndarray, above: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Where each part's positions begin: one after the other within the part it was in."""
    listed = np.argsort(above, kind="stable")
    before = offsets(sizes[listed])[:-1]
    starts = np.flatnonzero(np.diff(above[listed], prepend=-1))
    before -= np.repeat(before[starts], np.diff(np.append(starts, len(listed))))
    begins = np.empty_like(before)
    begins[listed] = before
    return first[above] + begins


def _rank_at_end(parts: Parts, chosen: np.ndarray) -> np.ndarray:
    """Ranks of the chosen at the end of their parts, in the order of ids."""
    ahead = offsets(chosen[parts.members])
    last = ahead[parts.bounds[1:]]  # chosen up to the end of each part
    rank = np.empty(len(chosen), np.int64)
    ends = np.diff(parts.bounds)[parts.of[parts.members]]
    rank[parts.members] = ends - 1 - (last[parts.of[parts.members]] - ahead[1:])
    return rank

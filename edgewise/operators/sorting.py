"""Sorting by whole numbers: `stable_order` of an array on one device, `places_by` of vertices.

>>> import numpy as np
>>> stable_order(np.array([7, 2, 7, 0])).tolist()
[3, 1, 0, 2]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from edgewise.base.parallel import sort
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.engines import run
from edgewise.operators.members import compute

__all__ = ["places_by", "places_in", "stable_order", "to_places"]

#: So many small numbers are not worth all threads.
_FEW = 1 << 22


def stable_order(keys: Any) -> Any:
    """The positions of whole numbers as these ascend; equal ones stay in their order.

    The array is not changed, and may live in host memory or on a GPU.
    """
    if not isinstance(keys, np.ndarray):
        return keys.argsort(kind="stable")
    if 0 < len(keys) <= _FEW and keys.min() >= 0 and keys.max() < 2**16:
        return keys.astype(np.uint16).argsort(kind="stable")  # by radix, too
    wide = keys.astype(np.uint64 if keys.dtype == np.uint64 else np.int64)
    positions = np.arange(len(keys))
    sort(wide, positions)
    return positions


def places_by(graph: AnyGraph, keys: Iterable[Any]) -> Any:
    """The position of every vertex when sorted by keys: arrays over vertices, of whole numbers.

    The last of the keys counts first, as in `numpy.lexsort`; vertices that are equal in all of them
    go by id. A key is needed no longer once the next one is made.

    >>> from edgewise import Graph
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> places_by(graph, [np.array([4, 3, 2, 1]), np.array([5, 0, 5, 0])]).tolist()
    [3, 1, 2, 0]
    """
    if graph.engine != "local":
        return run(graph, "places_by")(graph, keys)
    listed = None
    for key in keys:
        listed = stable_order(key) if listed is None else listed[stable_order(key[listed])]
    return to_places(graph, graph.vertex_ids() if listed is None else listed)


def places_in(graph: AnyGraph, groups: Sequence[Any]) -> Any:
    """The position of every vertex where groups of them, frontiers, follow one another, each by id.

    >>> from edgewise import Graph, frontier
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3])
    >>> places_in(graph, [frontier(graph, [1, 3]), frontier(graph, [0, 2])]).tolist()
    [2, 0, 3, 1]
    """
    if graph.engine == "local":
        return to_places(graph, graph.xp.concatenate([one.ids for one in groups]))
    group = graph.full(0, np.int32)
    for number, members in enumerate(groups):
        compute(graph, members, _belongs_to, (group, number))
    return places_by(graph, [group])


def _belongs_to(v, group, number):
    group[v] = number


def to_places(graph: AnyGraph, vertices: Any) -> Any:
    """The position of every vertex in a list of all of them, on one device."""
    places = graph.full(0, graph.id_dtype)
    places[vertices] = graph.vertex_ids(graph.id_dtype)
    return places

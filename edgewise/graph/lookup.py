"""Vertices by position or by label, and single edges: what one asks of a graph at a prompt.

An integer is always a position, a string always a label; `vertex` and `vertices` translate labels
of any kind. A question about one edge is a binary search in one row.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_unmasked, check_vertex
from edgewise.graph.csr import frozen
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = [
    "Arc",
    "arcs_between",
    "are_joined",
    "check_vertices",
    "degree",
    "edge_weight",
    "first_arc",
    "has_edge",
    "label",
    "named",
    "neighbors",
    "unknown_label",
    "vertex",
]

#: Similar labels are looked for among so many.
_LOOKED_AT = 100_000


def vertex(graph: AnyGraph, label: Any) -> Any:
    """Return the id of a label, or of each label in a list, an array or another iterable.

    A tuple is one label. Labels may be integers: ``graph.vertex(70)`` is the id of the vertex
    labeled 70. In a graph without labels, the given ids are checked and returned.

    Raises
    ------
    ValueError
        If no vertex has the label.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(["b"], ["a"])
    >>> graph.vertex("b"), graph.vertex(["a", "b"]).tolist()
    (1, [0, 1])
    """
    label = host(label)
    several = np.iterable(label) and not isinstance(label, (str, bytes, tuple))
    if several and not hasattr(label, "__array__"):
        label = list(label)
    if graph.labels is not None:
        return graph.labels.vertex(label)
    check = check_vertices if several else check_vertex
    return check(graph, label, "label")


def label(graph: AnyGraph, ids: Any) -> Any:
    """Return the label of a vertex, or of each in an array; in a graph without labels, the id.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(["b"], ["a"])
    >>> graph.label([1, 0]).tolist(), graph.label(graph.neighbors("a")).tolist()
    (['b', 'a'], ['b'])
    """
    return ids if graph.labels is None else graph.labels.label(host(ids))


def neighbors(graph: Graph, vertex: int | str) -> np.ndarray:
    """Return the neighbors of a vertex (in a directed graph, successors): ascending, read-only.

    ``graph.label`` gives their labels.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges([0, 1], [1, 2]).neighbors(1).tolist()
    [0, 2]
    """
    return frozen(graph.stored.indices[_row(graph, check_vertex(graph, vertex, "vertex"))])


def degree(graph: Graph, vertex: int | str) -> int:
    """Return the degree of one vertex; in a directed graph, the out-degree.

    A self-loop of an undirected graph counts twice, as in `degrees`. In a directed graph
    ``graph.transposed.degree(v)`` is the in-degree.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a", "b"], ["b", "c"]).degree("b")
    2
    """
    v = check_vertex(graph, vertex, "vertex")
    row = _row(graph, v)
    loop = not graph.directed and _edge(graph, v, v) is not None
    return row.stop - row.start + loop


def has_edge(graph: Graph, source: int | str, target: int | str) -> bool:
    """Return True if the graph has an edge from the source to the target.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges(["a"], ["b"], directed=True)
    >>> graph.has_edge("a", "b"), graph.has_edge("b", "a")
    (True, False)
    """
    return _edge(graph, source, target) is not None


def edge_weight(graph: Graph, source: int | str, target: int | str) -> int | float:
    """Return the weight of the edge from the source to the target; 1 in an unweighted graph.

    Raises
    ------
    ValueError
        If there is no such edge.

    >>> from edgewise.graph import Graph
    >>> Graph.from_edges(["a"], ["b"], [2.5]).edge_weight("b", "a")
    2.5
    """
    edge = _edge(graph, source, target)
    if edge is None:
        raise ValueError(f"there is no edge from {source!r} to {target!r}")
    weights = graph.stored_weights
    return 1 if weights is None else weights[edge].item()


class Arc(NamedTuple):
    """An arc and its value; ``edge`` is its place in `Graph.edges`, None on a grid."""

    source: int
    target: int
    value: Any
    edge: int | None = None


def are_joined(graph: AnyGraph, sources: Any, targets: Any) -> Any:
    """Return a boolean for each pair of vertices: is there an edge? All rows are bisected at once.

    The ids are arrays on the device of the graph, at least one pair, and so is the result.

    >>> from edgewise.graph import Graph
    >>> are_joined(Graph.from_edges([0, 1], [1, 2]), np.array([0, 0]), np.array([1, 2])).tolist()
    [True, False]
    """
    return arcs_between(graph, sources, targets) >= 0


def arcs_between(graph: Any, sources: Any, targets: Any) -> Any:
    """Return the arc of each pair of vertices, -1 if there is none; see `are_joined`.

    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> arcs_between(path, np.array([0, 2]), np.array([2, 1])).tolist()
    [-1, 3]
    """
    (indptr, ids), xp, last = graph.stored, graph.xp, graph.num_arcs - 1
    low, end = indptr[sources], indptr[sources + 1]
    high = end
    for _ in range(int((high - low).max()).bit_length()):
        middle = (low + high) // 2
        below = (low < high) & (ids[xp.minimum(middle, last)] < targets)
        low, high = xp.where(below, middle + 1, low), xp.where(below, high, middle)
    return xp.where((low < end) & (ids[xp.minimum(low, last)] == targets), low, -1)


def first_arc(graph: Graph, mask: Any, values: Any) -> Arc:
    """The first of the arcs that a mask picks, at least one, and its element of ``values``.

    >>> from edgewise.graph import Graph
    >>> path = Graph.from_edges([0, 1], [1, 2], [4.0, 8.0])
    >>> path._first_arc(path.weights > 5, path.weights)
    Arc(source=1, target=2, value=8.0, edge=1)
    """
    xp = graph.xp
    arc = int(xp.flatnonzero(mask)[0])
    source = int(xp.searchsorted(graph.indptr, xp.asarray([arc]), side="right")[0]) - 1
    edge = int(graph.arc_to_edge[arc])
    return Arc(source, int(graph.stored.indices[arc]), values[arc].item(), edge)


def check_vertices(graph: AnyGraph, vertices: Any, name: str) -> np.ndarray:
    """``vertices`` as an array of ids that the graph has; strings among them are labels."""
    check_unmasked(vertices, name)
    if isinstance(vertices, str) or not np.iterable(vertices):
        vertices = [vertices]
    elif not hasattr(vertices, "__array__"):
        vertices = list(vertices)
    if named(vertices):
        return np.array([check_vertex(graph, one, name) for one in vertices])
    try:
        found = np.asarray(host(vertices))
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of vertices: {error}") from None
    if found.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {found.shape}")
    if len(found) == 0:
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be vertex ids (integers), got dtype {found.dtype}")
    if found.min() < 0 or found.max() >= graph.num_vertices:
        at = int(np.argmax((found < 0) | (found >= graph.num_vertices)))
        check_vertex(graph, found[at], f"{name}[{at}]")
    return found.astype(np.int64, copy=False)


def named(vertices: Any) -> bool:
    """Are there labels among these vertices? (NumPy would make text of the integers too.)"""
    if isinstance(vertices, (list, tuple)):
        return any(isinstance(one, str) for one in vertices)
    kind = getattr(getattr(vertices, "dtype", None), "kind", "i")
    return isinstance(vertices, str) or kind in "OUT"


def unknown_label(labels: Any, label: Any) -> str:
    """What to say about a label that no vertex has: with one that is like it, if there is one."""
    said = f"label must be one of the graph's labels, got {label!r}"
    if not isinstance(label, str) or len(labels) == 0:
        return said
    if labels.dtype.kind in "iuf":
        return f"{said}; they are numbers, and graph.vertex takes numbers too"
    some = (one for one in labels.values[:_LOOKED_AT].tolist() if isinstance(one, str))
    folded = {one.casefold(): one for one in some}
    close = get_close_matches(label.casefold(), folded, n=1)
    return f"{said}; did you mean {folded[close[0]]!r}?" if close else said


def _row(graph: Graph, vertex: int) -> slice:
    return slice(*graph.stored.indptr[vertex : vertex + 2].tolist())


def _edge(graph: Graph, source: int | str, target: int | str) -> int | None:
    """The id of an edge, if it is there."""
    start, end = check_vertex(graph, source, "source"), check_vertex(graph, target, "target")
    row = _row(graph, start)
    ids = graph.stored.indices[row]
    at = int(graph.xp.searchsorted(ids, graph.xp.asarray([end], ids.dtype))[0])
    return row.start + at if at < len(ids) and int(ids[at]) == end else None

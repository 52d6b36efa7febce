"""Checks of colorings by their definitions: distance-1, distance-2, star and acyclic.

Distance 1: no edge joins equal colors. Distance 2: in addition, no vertex has two neighbors of one
color. Star: in addition to distance 1, every path of four vertices has three colors. Acyclic: in
addition to distance 1, every cycle has three colors. O(m d) time at most for distance 2, d being
the largest degree; O(n + m log m) for the others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.two_colored import find_cycle, find_path
from edgewise.base.checks import check_choice, check_undirected
from edgewise.graph.anywhere import rows_at, whole
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import check_host, host
from edgewise.operators import ADD, MIN, frontier, reduce_all, reduce_neighbors

__all__ = ["ColoringVerdict", "as_colors", "checked_coloring", "verify_coloring"]

_KINDS = ("distance_1", "distance_2", "star", "acyclic")
_NONE = (1 << 63) - 1


class ColoringVerdict(NamedTuple):
    """Whether a coloring of a graph is valid, and a conflict if not.

    ``num_colors`` counts distinct colors. ``conflict`` has vertices that break the rule.
    """

    valid: bool
    num_colors: int
    conflict: tuple[int, ...]


@takes_graph
def verify_coloring(graph: GraphLike, colors: Any, *, kind: str = "distance_1") -> ColoringVerdict:
    """Return whether a coloring is valid, the number of its colors, and a conflict if there is one.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are ignored.
    colors : array of int over vertices
        The color of each vertex. A negative number means no color, which counts as a conflict.
    kind : {"distance_1", "distance_2", "star", "acyclic"}
        The rule. ``"star"`` and ``"acyclic"`` need a graph in host memory.

    Returns
    -------
    ColoringVerdict
        ``valid``, ``num_colors`` and ``conflict``. The conflict is a tuple of vertices, empty for a
        valid coloring. It is one vertex without a color, or two neighbors of the same color.
        For ``"distance_2"``, it may be a path of three vertices whose ends have the same color. For
        ``"star"``, it may be a path of four vertices with two colors. For ``"acyclic"``, it may be
        a cycle with two colors.

    Raises
    ------
    ValueError
        If the graph is directed, ``kind`` is unknown, or ``colors`` has the wrong length.

    Notes
    -----
    O(n + m) time for ``"distance_1"``, and O(n + m log m) for ``"star"`` and ``"acyclic"``. At most
    O(m d) for ``"distance_2"``, where d is the largest degree.

    Examples
    --------
    >>> from edgewise.generators import path
    >>> verify_coloring(path(4), [0, 1, 0, 1])
    ColoringVerdict(valid=True, num_colors=2, conflict=())
    >>> verify_coloring(path(4), [0, 1, 0, 1], kind="distance_2")
    ColoringVerdict(valid=False, num_colors=2, conflict=(0, 1, 2))
    >>> verify_coloring(path(4), [0, 1, 0, 1], kind="star").conflict
    (0, 1, 2, 3)
    """
    check_undirected(graph, "verify_coloring")
    check_choice(kind, "kind", _KINDS)
    if kind in ("star", "acyclic"):
        check_host(graph, f"verify_coloring of kind {kind!r}")
    color = as_colors(graph, colors)
    conflict = _uncolored(graph, color) or _distance_1(graph, color)
    if not conflict and kind != "distance_1":
        rule: Any = {"distance_2": _distance_2, "star": find_path, "acyclic": find_cycle}[kind]
        conflict = rule(graph, color)
    return ColoringVerdict(not conflict, _count(color), conflict)


def as_colors(graph: AnyGraph, colors: Any) -> Any:
    """Return colors, one per vertex, as an array of int64 where the graph has its arrays."""
    n, xp = graph.num_vertices, graph.xp
    try:
        given = xp.asarray(colors)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"colors must be whole numbers, got {colors!r:.80}") from None
    if tuple(given.shape) != (n,):
        raise ValueError(f"colors must have one entry per vertex ({n}), got shape {given.shape}")
    if n and given.dtype.kind not in "iu":
        raise TypeError(f"colors must be whole numbers, got dtype {given.dtype}")
    return xp.ascontiguousarray(given.astype(np.int64))


def checked_coloring(graph: AnyGraph, colors: Any, name: str) -> np.ndarray:
    """Return colors of a graph in host memory as a new array, numbered from 0 without gaps.

    ValueError unless they are a distance-1 coloring.
    """
    check_undirected(graph, name)
    check_host(graph, name)
    valid, _, conflict = verify_coloring(graph, colors)
    if not valid:
        at, *others = conflict
        fault = f"the neighbors {at} and {others[0]} share one" if others else f"{at} has none"
        raise ValueError(f"colors must differ between neighbors, but {fault}")
    return np.unique(np.asarray(colors), return_inverse=True)[1].reshape(-1).astype(np.int64)


def _first(graph: AnyGraph, function: Any, *values: Any) -> int:
    """Return the smallest number that a function of the vertices has; `_NONE` if there is none."""
    found = reduce_all(graph, values, reduce=MIN, function=function, dtype=np.int64)
    return int(found) if graph.num_vertices else _NONE


def _uncolored(graph: AnyGraph, color: Any) -> tuple[int, ...]:
    v = _first(graph, _without_color, color, graph.vertex_ids(np.int64))
    return () if v == _NONE else (v,)


def _count(color: Any) -> int:
    """Return how many different colors occur."""
    found = np.unique(host(whole(color)))
    return int((found >= 0).sum())


def _distance_1(graph: AnyGraph, color: Any) -> tuple[int, ...]:
    """Return the first edge whose ends have the same color."""
    ids = graph.vertex_ids(np.int64)
    other = graph.full(_NONE, np.int64)
    reduce_neighbors(graph, None, _equal_other, (color, ids), reduce=MIN, out=other)
    v = _first(graph, _in_conflict, other, ids)
    return () if v == _NONE else (v, _least_neighbor(graph, v, color, int(_at(color, v)), v))


def _distance_2(graph: AnyGraph, color: Any) -> tuple[int, ...]:
    """Return two neighbors of one color, and the vertex between them."""
    ids = graph.vertex_ids(np.int64)
    chosen = reduce_neighbors(graph, None, _one, ids, reduce=ADD, key=color, choose="max")
    v = _first(graph, _has_two, chosen.total, ids)
    if v == _NONE:
        return ()
    repeated = int(_at(chosen.key, v))
    u = _least_neighbor(graph, v, color, repeated, v)
    return u, v, _least_neighbor(graph, v, color, repeated, u)


def _least_neighbor(graph: AnyGraph, v: int, color: Any, wanted: int, beyond: int) -> int:
    """Return the smallest neighbor of v of a color, other than v and ``beyond``."""
    ids, found = graph.vertex_ids(np.int64), graph.full(_NONE, np.int64)
    reduce_neighbors(
        graph, frontier(graph, v), _of_color, (color, ids), reduce=MIN, out=found,
        params={"wanted": wanted, "beyond": beyond, "center": v},
    )  # fmt: skip
    return int(_at(found, v))


def _at(array: Any, v: int) -> Any:
    found, at = rows_at(array, np.array([v]))
    return found[at][0]


def _one():
    return 1


def _has_two(v, count, ids):
    return ids[v] if count[v] > 1 else _NONE


def _without_color(v, color, ids):
    return ids[v] if color[v] < 0 else _NONE


def _in_conflict(v, other, ids):
    return ids[v] if other[v] != _NONE else _NONE


def _equal_other(value, own):
    return value[1] if value[0] == own[0] and value[1] != own[1] else _NONE


def _of_color(value, wanted, beyond, center):
    fits = value[0] == wanted and value[1] != beyond and value[1] != center
    return value[1] if fits else _NONE

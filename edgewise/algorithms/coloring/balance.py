"""Balanced colorings [1]: class sizes near the mean, without more colors.

Shuffling: vertices of classes above the mean move to the smallest class that no neighbor has, in
passes, while that reduces the difference. Guided: classes are colored anew one after another, the
smallest first, and each vertex takes the smallest class that no neighbor has. The i-th class may
use the first i colors, so that its own color is always free. Classes are sorted by size, so a
vertex of degree d looks at d + 1 classes, at most. O(n + m) time per pass.

[1] H. Lu, M. Halappanavar, D. Chavarria-Miranda, A. Gebremedhin, A. Panyala, A. Kalyanaraman.
    Algorithms for balanced graph colorings with applications in parallel computing. IEEE TPDS 2017.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring.colored import Coloring, as_coloring
from edgewise.algorithms.coloring.sorted_classes import grow, shrink, sorted_classes
from edgewise.algorithms.coloring.verify_coloring import checked_coloring
from edgewise.base.checks import check_choice, check_number
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators.sequential import going, sequential

__all__ = ["Balanced", "balance"]

_PASSES = 20


class Balanced(NamedTuple):
    """A coloring after `balance`, and how even its classes are.

    Attributes
    ----------
    colors : Coloring
        The color of each vertex.
    ratio : float
        The size of the largest class divided by the mean.
    reached : bool
        Whether the ratio is at most the requested one.
    """

    colors: Coloring
    ratio: float
    reached: bool


@takes_graph
def balance(
    graph: LocalGraphLike, colors: Any, *, method: str = "shuffling", ratio: float = 1.05
) -> Balanced:
    """Return a coloring with classes of similar size and no more colors than the given one.

    A parallel loop over the vertices of each class needs classes that are large enough for all
    threads.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops are ignored.
    colors : array of int over vertices
        A coloring in which no two neighbors share a color.
    method : {"shuffling", "guided"}
        ``"shuffling"`` moves vertices out of large classes; most vertices keep their color.
        ``"guided"`` colors all vertices anew.
    ratio : float
        The target size of the largest class, divided by the mean size; at least 1. Shuffling stops
        when it is reached. ``"guided"`` only compares the result with it.

    Returns
    -------
    Balanced
        ``colors``, the ``ratio`` of the largest class to the mean, and ``reached``: whether the
        target is met. Some graphs have no such coloring with as many colors, such as a star.

    Raises
    ------
    ValueError
        If the graph is directed, two neighbors share a color, or ``ratio`` is below 1.
    DeviceError
        If the graph is on a GPU.

    Notes
    -----
    O(n + m) time per pass on one CPU thread; 20 passes at most.

    References
    ----------
    H. Lu, M. Halappanavar, D. Chavarria-Miranda et al. Algorithms for balanced graph colorings with
    applications in parallel computing. IEEE TPDS 2017.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> matching = Graph.from_edges([0, 2], [1, 3], num_vertices=8)
    >>> found = balance(matching, [0, 1, 0, 1, 0, 0, 0, 0])
    >>> found.colors.class_sizes().tolist(), found.ratio, found.reached
    ([4, 4], 1.0, True)
    """
    check_choice(method, "method", ("shuffling", "guided"))
    if check_number(ratio, "ratio") < 1:
        raise ValueError(f"ratio must be at least 1, got {ratio!r}")
    color = checked_coloring(graph, colors, "balance")
    if len(color):
        {"shuffling": _shuffle, "guided": _guide}[method](graph, color, ratio)
    sizes = np.bincount(color)
    found = float(sizes.max() / sizes.mean()) if len(color) else 1.0
    return Balanced(as_coloring(color, graph), found, found <= ratio)


def _shuffle(graph: Graph, color: Any, ratio: float) -> None:
    classes = sorted_classes(np.bincount(color), len(color))
    mean = len(color) / len(classes.size)
    most = max(int(ratio * mean), -int(-mean // 1))
    state = (graph.indptr, graph.indices, color, classes, np.full(len(classes.size), -1), most)
    sequential(_move, state, steps=_PASSES * len(color), work=2 * graph.num_arcs, phase="balance")


def _guide(graph: Graph, color: Any, ratio: float) -> None:
    sizes = np.bincount(color)
    rank = np.argsort(np.argsort(sizes, kind="stable"))
    turn = rank[color]
    order = np.argsort(turn, kind="stable")
    color[:] = -1
    classes = sorted_classes(np.zeros(len(sizes), np.int64), len(color))
    state = (graph.indptr, graph.indices, color, classes, np.full(len(sizes), -1), order, turn)
    sequential(_assign, state, steps=len(color), work=graph.num_arcs, phase="balance")


def _move(control, indptr, indices, color, classes, mark, most):
    """mark[c] is the last vertex with a neighbor of color c."""
    size, listed = classes.size, classes.listed
    for turn in range(_PASSES):
        moved = 0
        for v in range(len(color)):
            if v % 4096 == 0 and not going(control, turn * len(color) + v):
                return
            own = color[v]
            if size[own] <= most:
                continue
            for e in range(indptr[v], indptr[v + 1]):
                mark[color[indices[e]]] = v
            at = len(listed) - 1
            while size[listed[at]] + 1 < size[own] and mark[listed[at]] == v:
                at -= 1
            best = listed[at]
            if size[best] + 1 < size[own]:
                shrink(own, classes)
                grow(best, classes)
                color[v] = best
                moved += 1
        mark[:] = -1
        if moved == 0:
            return


def _assign(control, indptr, indices, color, classes, mark, order, turn):
    """The first turn[v] + 1 places of the list have the classes that v may take."""
    for i in range(len(order)):
        if i % 4096 == 0 and not going(control, i):
            return
        v = order[i]
        for e in range(indptr[v], indptr[v + 1]):
            if color[indices[e]] >= 0:
                mark[color[indices[e]]] = v
        at = turn[v]
        while mark[classes.listed[at]] == v:
            at -= 1
        color[v] = classes.listed[at]
        grow(color[v], classes)

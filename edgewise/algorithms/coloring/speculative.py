"""Speculative coloring [1], [2]: all vertices of a wave choose at once, and conflicts are repaired.

Every uncolored vertex of a wave chooses the smallest color that no neighbor has. Of two neighbors
with the same choice, the one that comes later in the order has to choose again in the next round.
All choices of a round depend on the colors before it, so that the result does not depend on threads
or engines. Waves follow the order of approximate degeneracy, and each is as large as all before it.
The first one, a sixteenth of the vertices, is the densest part, where speculation would rarely
succeed: it is colored by dependencies (`dependency_rounds`). Few conflicts remain.

O(n + m) work per round at most; close to linear in all on common graphs. A few CPU threads leave
the rounds to one of them (`waves_alone`).

[1] A. Gebremedhin, F. Manne. Scalable parallel graph coloring algorithms. Concurrency 2000.
[2] M. Deveci, E. Boman, K. Devine, S. Rajamanickam. Parallel graph coloring for manycore
    architectures. IPDPS 2016.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.coloring import priorities
from edgewise.algorithms.coloring.colored import as_coloring
from edgewise.algorithms.coloring.dependency_rounds import color_in_rounds
from edgewise.algorithms.coloring.waves_alone import NUM_WAVES, color_alone, wave_of
from edgewise.base.checks import check_choice, check_undirected
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ANY,
    advance,
    compute,
    filter,
    for_rows,
    multisplit,
    reduce_neighbors,
)
from edgewise.operators.sequential import sequential_or

__all__ = ["speculative"]


class _State(NamedTuple):
    """Arrays over vertices."""

    place: Any
    wave: Any
    color: Any
    choice: Any


@takes_graph
def speculative(graph: GraphLike, *, by: str = "vertex", seed: int = 0) -> Any:
    """Return a coloring in which no two neighbors share a color, by repair of conflicts.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are ignored.
    by : {"vertex", "edge"}
        How conflicts are found. ``"vertex"`` scans the neighbors of the uncolored vertices.
        ``"edge"`` keeps the edges between uncolored vertices in a frontier. It balances the work on
        graphs with hubs, and does not run on a grid. The colors are the same. Up to eight CPU
        threads take another way to the same colors, whatever is given here.
    seed : int
        The seed that orders vertices of the same degree.

    Returns
    -------
    Coloring
        The color of each vertex, numbered from 0. It is the same on every engine and for any number
        of threads. On a GPU and on a grid, it is an array of that engine.

    Raises
    ------
    ValueError
        If the graph is directed, or ``by`` is unknown.

    See Also
    --------
    greedy : Fewer colors on most graphs; sequential.
    jones_plassmann : The same colors as a greedy pass, in more rounds.

    Notes
    -----
    Close to O(n + m) work on common graphs. With up to eight CPU threads, one thread carries out
    all rounds.

    References
    ----------
    M. Deveci, E. Boman, K. Devine, S. Rajamanickam. Parallel graph coloring for manycore
    architectures. IPDPS 2016.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> speculative(grid_2d(30, 30)).num_colors <= 5
    True
    """
    check_undirected(graph, "speculative")
    check_choice(by, "by", ("vertex", "edge"))
    place = priorities.by_priority(graph, "approximate_degeneracy", seed)
    found = sequential_or(graph, color_alone, _in_waves, place, by, team=priorities.FEW_THREADS)
    return as_coloring(found, graph)


def _in_waves(graph: AnyGraph, place: Any, by: str) -> Any:
    wave = graph.full(0, np.int64)
    compute(graph, None, _assign_wave, (place, wave, max(graph.num_vertices, 1)))
    core, *waves = multisplit(graph, None, _wave_of, wave, num_buckets=NUM_WAVES)
    color = color_in_rounds(graph, place, core)
    state = _State(place, wave, color, color.copy())
    repair = {"vertex": _by_vertex, "edge": _by_edge}[by]
    for waiting in waves:
        repair(graph, waiting, state)
    return color


def _by_vertex(graph: AnyGraph, waiting: Any, state: _State) -> None:
    """Each vertex scans its neighbors for the same choice. choice[v] is color[v] once v has one."""
    place, _, color, choice = state
    while not waiting.empty():
        _choose(graph, waiting, color, choice)
        for_rows(graph, waiting, _clashes, _keep, (choice, color), reduce=ANY,
                 values=(choice, place), dtype=bool)  # fmt: skip
        waiting = filter(graph, waiting, _uncolored, color)


def _by_edge(graph: AnyGraph, waiting: Any, state: _State) -> None:
    """Edges between vertices that wait, each once, mark the later end."""
    place, wave, color, choice = state
    if waiting.empty():
        return
    lost, open_edge = graph.full(0, np.int32), graph.full_arcs(0, np.int8)
    edges = advance(graph, waiting, _is_inside, (wave, place), output="edges")
    while not waiting.empty():
        _choose(graph, waiting, color, choice)
        compute(graph, edges, _mark_later, (choice, lost))
        compute(graph, waiting, _keep_unmarked, (lost, choice, color))
        compute(graph, edges, _mark_open, (color, open_edge))
        edges = filter(graph, edges, _is_open, open_edge)
        waiting = filter(graph, waiting, _uncolored, color)


def _choose(graph: AnyGraph, waiting: Any, color: Any, choice: Any) -> None:
    reduce_neighbors(graph, waiting, None, color, key=color, choose="absent", out=(choice, None))


def _assign_wave(v, place, wave, n):
    wave[v] = wave_of(place[v], n)


def _wave_of(v, wave):
    return wave[v]


def _clashes(value, own):
    return value[0] == own[0] and value[1] < own[1]


def _keep(v, clash, choice, color):
    if not clash:
        color[v] = choice[v]


def _uncolored(v, color):
    return color[v] < 0


def _is_inside(source, target, edge, wave, place):
    return wave[source] == wave[target] and place[source] < place[target]


def _mark_later(source, target, edge, choice, lost):
    if choice[source] == choice[target]:
        lost[target] = 1


def _keep_unmarked(v, lost, choice, color):
    if lost[v] == 0:
        color[v] = choice[v]
    lost[v] = 0


def _mark_open(source, target, edge, color, open_edge):
    open_edge[edge] = color[source] < 0 and color[target] < 0


def _is_open(edge, open_edge):
    return open_edge[edge] != 0

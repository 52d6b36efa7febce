"""Removals, and baseline choices of them by properties of the graph alone.

Vertices are ranked by degree (in and out), by betweenness, by PageRank against the edges, or at
random. PageRank against the edges favors vertices that reach many others. Edges are ranked by their
own betweenness, or by the product of the values of their ends.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.centrality.betweenness_centrality import betweenness_centrality
from edgewise.algorithms.centrality.edge_betweenness_centrality import (
    edge_betweenness_centrality,
)
from edgewise.algorithms.influence.laws import Law
from edgewise.algorithms.influence.outbreaks import uniform_starts
from edgewise.algorithms.ranking.pagerank import pagerank
from edgewise.base.random import uniform
from edgewise.graph import Graph
from edgewise.graph.transfer import row_ids

__all__ = ["SCORES", "Task", "edge_names", "ranked"]

#: On larger graphs betweenness is estimated from so many sources.
_SOURCES = 1_000


class Task(NamedTuple):
    """Which k vertices, or edges, are to be removed, by whatever method.

    ``sources`` are the vertices where each outbreak begins, or None for one at random; ``names``
    has the lower of the two arcs of every undirected edge; ``forbidden`` says what not to choose.
    """

    graph: Graph
    law: Law
    sources: Any
    k: int
    by_edge: bool
    names: Any
    forbidden: Any
    samples: int | None
    seed: Any

    @classmethod
    def of(cls, graph: Graph, law: Law, sources: Any, k: int, by_edge: bool,
           samples: int | None,
           seed: Any) -> Task:  # fmt: skip
        """The task, with sources and edges that lead back forbidden."""
        names = edge_names(graph)
        if by_edge:
            forbidden = (names != graph.xp.arange(len(names))) | (row_ids(graph) == graph.indices)
        else:
            forbidden = graph.full(False)
            if sources is not None:
                forbidden[graph.xp.asarray(sources)] = True
        return cls(graph, law, sources, k, by_edge, names, forbidden, samples, seed)

    def starts(self, count: int) -> Any:
        """Where so many outbreaks begin: a row for each."""
        if self.sources is None:
            return uniform_starts(self.graph, count, self.seed)
        return self.graph.xp.asarray(np.tile(self.sources, (count, 1)))


def edge_names(graph: Graph) -> Any:
    """The arc that both directions of an edge go by: the lower one."""
    ids = graph.xp.arange(graph.num_arcs)
    return ids if graph.directed else graph.xp.minimum(ids, graph.reverse_arc)


def ranked(task: Task, method: str) -> Any:
    """The k with the highest scores, the highest first; among equals the least id."""
    xp, scores = task.graph.xp, SCORES[method](task).astype(np.float64)
    order = xp.argsort(xp.where(task.forbidden, np.inf, -scores), kind="stable")
    return order[: min(task.k, int((~task.forbidden).sum()))]


def _degree(task: Task) -> Any:
    graph = task.graph
    degrees = graph.degrees() + graph.in_degrees() if graph.directed else graph.degrees()
    return _of_ends(task, degrees)


def _betweenness(task: Task) -> Any:
    k = _SOURCES if task.graph.num_vertices > _SOURCES else None
    if not task.by_edge:
        return betweenness_centrality(task.graph, k=k, seed=int(task.seed))
    found = edge_betweenness_centrality(task.graph, k=k, seed=int(task.seed))
    return found[task.graph.arc_to_edge]


def _rank(task: Task) -> Any:
    return _of_ends(task, pagerank(task.graph.transposed, weights=None))


def _random(task: Task) -> Any:
    return uniform(task.seed, task.graph.xp.arange(len(task.forbidden)))


def _of_ends(task: Task, scores: Any) -> Any:
    """The scores of vertices, or of edges the products of those of their ends."""
    if not task.by_edge:
        return scores
    scores = scores.astype(np.float64)
    return scores[row_ids(task.graph)] * scores[task.graph.indices]


SCORES = {
    "degree": _degree,
    "betweenness": _betweenness,
    "pagerank": _rank,
    "random": _random,
}

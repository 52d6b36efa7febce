"""What a row of the table of algorithms is, and the words that two of its columns take."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

__all__ = ["EVERYWHERE", "HOST", "LOCAL", "NEEDS", "RETURNS", "Algorithm"]

#: What an algorithm may need beside the graph, or of it, as the docs say it.
NEEDS = {
    "source": "a source",
    "sources": "sources",
    "target": "a target",
    "k": "a number of vertices or parts",
    "b": "a number of edges per vertex",
    "vertex_weights": "a number per vertex",
    "attribute": "a value per vertex",
    "communities": "a label per vertex",
    "vertices": "a set of vertices",
    "colors": "a color per vertex",
    "parts": "a part per vertex",
    "coordinates": "coordinates of the vertices",
    "pattern": "a pattern: a small graph",
    "other": "another graph",
    "undirected": "an undirected graph",
    "directed": "a directed graph",
    "acyclic": "no cycles",
    "bipartite": "a bipartite graph",
    "weights": "",  # optional
    "seed": "",  # optional
}

#: What an algorithm may return, as the docs say it.
RETURNS = {
    "vertices": "an array over vertices",
    "edges": "an array over edges",
    "members": "a label per vertex",  # the smallest vertex of its group
    "colors": "a color per vertex",
    "parts": "a part per vertex",
    "hierarchy": "`Hierarchy(levels, quality)`",
    "overlapping": "lists of vertices and shares",
    "initiator": "`KroneckerFit(initiator, power, ...)`",
    "number": "one value",
    "counts": "a number per type",
    "series": "a number per hop",
    "by degree": "a number per degree",
    "order": "a position per vertex",
    "mapping": "a vertex of the other graph per vertex, or None",
    "subgraph": "a graph",
    "paths": "`Paths(distance, parent)`",
    "sequence": "vertices in order",
    "path list": "`PathList(indptr, vertices, complete)`",
    "distances": "a row per source",
    "square": "a distance per pair",
    "neighborhoods": "`Neighborhoods(sources, ...)`",
    "scores": "several values per vertex",
    "estimate": "`BetweennessEstimate(scores, ...)`",
    "embedding": "a row of coordinates per vertex",
    "matrix": "a sparse matrix",
    "contraction": "`Contraction(graph, mapping)`",
    "bipartition": "`Bipartition(sides, cycle)`",
    "selection": "`Selection(edges, weight, cardinality)`",
    "matching": "`Matching(mate, weight, cardinality)`",
    "flow": "`MaximumFlow(value, flow, side)`",
    "cost flow": "`MinCostFlow(cost, flow, potentials)`",
    "cut": "`MinimumCut(value, side)`",
    "cliques": "lists of vertices",
    "matches": "a row per match",
    "walks": "a row per walk",
    "similar": "rows of vertices and scores",
    "seeds": "vertices in order, and what each adds",
    "sensors": "vertices in order, and what each adds",
    "containment": "vertices or edges in order",
    "spread": "`Spread(mean, ...)`",
}


class Algorithm(NamedTuple):
    """One row of the table."""

    name: str  # with a dot, as in matching.suitor, it is public in that family alone
    module: str  # the family, a dot, and the file in its folder
    engines: tuple[str, ...]  # HOST, LOCAL or EVERYWHERE
    needs: tuple[str, ...]  # of `NEEDS`
    returns: str  # one of `RETURNS`
    networkx: str | None  # the function that answers the same question there
    reference: str  # who published it, where and when
    work: str  # how its time grows, with n vertices, m edges and the largest degree d

    @property
    def family(self) -> str:
        """The folder of its module."""
        return self.module.partition(".")[0]

    def load(self) -> Callable[..., Any]:
        """The function itself."""
        module = import_module(f"edgewise.algorithms.{self.module}")
        return getattr(module, self.name.rpartition(".")[2])


HOST, LOCAL, EVERYWHERE = ("cpu",), ("cpu", "cuda"), ("cpu", "cuda", "grid")

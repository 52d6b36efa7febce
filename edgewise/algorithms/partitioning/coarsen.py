"""Coarsening: a hierarchy of smaller and smaller graphs that keep the structure of the first [1].

On every level, vertices are grouped, and each group becomes one vertex of the next graph. Weights
of vertices and of edges add up. By ``"matching"``, groups are pairs: a locally dominant matching
for the rating ``weight^2 / (mass_u * mass_v)`` [2], and where many vertices stay alone, pairs of
unmatched vertices with the same best neighbor, such as the leaves of a star (two-hop matching
[3]). By ``"clustering"``, groups may be larger: one CPU thread forms them (`grouping`), and rounds
on a GPU (`cluster_rounds`). By ``"aggregates"``, groups surround vertices that are at least three
edges apart [4]. O(m) per level.

[1] M. Gilbert, S. Acer, E. Boman, K. Madduri, S. Rajamanickam. Performance-portable graph
    coarsening for efficient multilevel graph analysis. IPDPS 2021.
[2] M. Holtgrewe, P. Sanders, C. Schulz. Engineering a scalable high quality graph partitioner.
    IPDPS 2010.
[3] D. LaSalle, N. Patwary, N. Satish et al. Improving graph partitioning for modern graphs and
    architectures. IA3 2015.
[4] B. Kelley, S. Rajamanickam. Parallel, portable algorithms for distance-2 maximal independent set
    and graph coarsening. IPDPS 2022.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from edgewise.algorithms.partitioning.graph_levels import masses
from edgewise.algorithms.partitioning.group_methods import GROUPS
from edgewise.algorithms.weighting import balanced
from edgewise.base.checks import (
    check_choice,
    check_count,
    check_number,
    check_one_device,
    check_undirected,
)
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed
from edgewise.graph.edges import Arcs
from edgewise.graph.foreign import LocalGraphLike, takes_graph

__all__ = ["Coarsening", "coarsen"]

#: Coarsening ends when more than this share of the vertices is left.
_STUCK = 0.95


class Coarsening(NamedTuple):
    """A hierarchy of graphs, the finest first.

    Attributes
    ----------
    all_graphs : list of Graph
        The given graph, followed by the coarser ones. Weights of parallel edges are added.
    mappings : list of arrays
        ``mappings[i][v]`` is the vertex of ``all_graphs[i + 1]`` that contains vertex v of
        ``all_graphs[i]``.
    vertex_weights : list of arrays
        For each graph, the total weight of the original vertices in each vertex.
    """

    all_graphs: list[Any]
    mappings: list[Any]
    vertex_weights: list[Any]

    def project(self, values: Any, level: int = -1) -> Any:
        """Return the values of a level's vertices as values over the vertices of the finest graph.

        >>> from edgewise.generators import path
        >>> levels = coarsen(path(8), min_vertices=2)
        >>> len(levels.project(levels.vertex_weights[-1]))
        8
        """
        for mapping in reversed(self.mappings[: level % len(self.all_graphs)]):
            values = values[mapping]
        return values

    def __repr__(self) -> str:
        sizes = " -> ".join(f"{graph.num_vertices:,}" for graph in self.all_graphs)
        return f"Coarsening({len(self.all_graphs)} graphs of {sizes} vertices)"


@takes_graph
def coarsen(
    graph: LocalGraphLike,
    *,
    method: str = "clustering",
    weights: Any = "weight",
    vertex_weights: Any = None,
    max_weight: float | None = None,
    min_vertices: int = 100,
    seed: int = 0,
) -> Coarsening:
    """Return a hierarchy of coarser graphs, with the mappings between them.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops are dropped on coarser levels.
    method : {"clustering", "matching", "aggregates"}
        Merge groups of several vertices, pairs, or a vertex with all of its neighbors, as in
        algebraic multigrid (`coloring.aggregates`). Aggregates ignore weights of edges. One that is
        heavier than ``max_weight`` is divided.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        All weights must be finite and nonnegative. Heavy edges are merged first.
    vertex_weights : array over vertices or dict, optional
        Finite and nonnegative; 1 for each vertex by default.
    max_weight : float, optional
        The largest weight of a coarse vertex, unless one of the given vertices is heavier;
        ``1.5 * total / min_vertices`` by default. Aggregates have no limit by default.
    min_vertices : int
        Coarsening stops at a graph with at most this many vertices, or when graphs hardly shrink.
    seed : int
        The seed of the order in which ``"clustering"`` visits vertices, and of the priorities of
        ``"aggregates"``.

    Returns
    -------
    Coarsening
        The hierarchy, which is the same for any number of threads. Groups of ``"clustering"``
        differ between a CPU and a GPU.

    See Also
    --------
    multilevel : Partitions a graph by such a hierarchy.

    Notes
    -----
    O(m) time per level. The number of vertices falls by a factor of about 2 to 4 per level, and by
    more with aggregates.

    Examples
    --------
    >>> from edgewise.generators import grid_2d
    >>> levels = coarsen(grid_2d(30, 30), method="matching", min_vertices=60)
    >>> float(levels.vertex_weights[-1].sum()), levels.all_graphs[-1].num_vertices < 120
    (900.0, True)
    """
    check_one_device(graph, "coarsen")
    check_undirected(graph, "coarsen")
    check_choice(method, "method", GROUPS)
    min_vertices, seed = check_count(min_vertices, "min_vertices", least=1), int(check_seed(seed))
    found = balanced(graph, weights)[1]
    mass = masses(graph, vertex_weights)
    if max_weight is None:
        share = 1.0 if method == "aggregates" else min(1.5 / min_vertices, 1.0)
        max_weight = share * float(mass.sum())
    most = check_number(max_weight, "max_weight")
    levels = Coarsening([graph], [], [mass])
    graph = graph.with_labels(None).with_weights(None if found is None else Arcs(found))
    while graph.num_vertices > min_vertices:
        group = GROUPS[method](graph, mass, most, int(hashed(seed, len(levels.mappings))))
        smaller, mapping = graph.contract(group, self_loops="drop")
        if smaller.num_vertices > _STUCK * graph.num_vertices:
            break
        graph = smaller.with_labels(None)
        mass = graph.xp.bincount(mapping, weights=mass)
        for listed, one in zip(levels, (graph, mapping, mass), strict=True):
            listed.append(one)
        notify(len(levels.mappings), phase="coarsen", vertices=graph.num_vertices)
    return levels

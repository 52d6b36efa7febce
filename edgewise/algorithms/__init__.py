"""The table of algorithms: the command line, the docs, the benchmarks and the tests follow from it.

A new algorithm is one file in its family's folder, one line here, and one test file.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

__all__ = ["ALGORITHMS", "Algorithm"]


class Algorithm(NamedTuple):
    """One line of the table."""

    name: str
    family: str
    module: str
    engines: tuple[str, ...]
    needs: tuple[str, ...]  # of "source", "weights", "undirected", "seed"
    returns: str  # "vertices", "edges" (one value each), "paths" or "number"
    networkx: str | None
    reference: str

    def load(self) -> Callable[..., Any]:
        """The function itself."""
        return getattr(import_module(f"edgewise.algorithms.{self.module}"), self.name)


_LOCAL = ("cpu", "cuda")

# fmt: off
ALGORITHMS: dict[str, Algorithm] = {row.name: row for row in (
    Algorithm("bfs", "traversal", "traversal.bfs", _LOCAL, ("source",), "paths",
              "single_source_shortest_path_length", "Beamer, Asanovic, Patterson, SC 2012"),
    Algorithm("sssp", "traversal", "traversal.sssp", _LOCAL, ("source", "weights"), "paths",
              "single_source_dijkstra", "Meyer, Sanders, J. Algorithms 2003"),
    Algorithm("pagerank", "ranking", "ranking.pagerank", _LOCAL, ("weights",), "vertices",
              "pagerank", "Page, Brin, Motwani, Winograd, 1999"),
    Algorithm("connected_components", "components", "components.connected_components", _LOCAL,
              ("undirected",), "vertices", "connected_components",
              "Sutton, Ben-Nun, Barak, IPDPS 2018"),
    Algorithm("weakly_connected_components", "components", "components.connected_components",
              _LOCAL, (), "vertices", "weakly_connected_components",
              "Sutton, Ben-Nun, Barak, IPDPS 2018"),
    Algorithm("triangle_count", "triangles", "triangles.triangle_count", _LOCAL, ("undirected",),
              "number", None, "Schank, Wagner, WEA 2005"),
    Algorithm("triangles", "triangles", "triangles.triangle_count", _LOCAL, ("undirected",),
              "vertices", "triangles", "Schank, Wagner, WEA 2005"),
    Algorithm("clustering_coefficient", "triangles", "triangles.clustering_coefficient", _LOCAL,
              ("undirected",), "vertices", "clustering", "Watts, Strogatz, Nature 1998"),
    Algorithm("betweenness_centrality", "centrality", "centrality.betweenness_centrality", _LOCAL,
              ("seed",), "vertices", "betweenness_centrality", "Brandes, J. Math. Sociology 2001"),
    Algorithm("edge_betweenness_centrality", "centrality", "centrality.betweenness_centrality",
              _LOCAL, ("seed",), "edges", "edge_betweenness_centrality",
              "Brandes, J. Math. Sociology 2001"),
)}
# fmt: on

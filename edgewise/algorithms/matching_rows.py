"""The rows of matchings and covers, a part of the table of algorithms."""

from __future__ import annotations

from edgewise.algorithms.table_rows import (
    EVERYWHERE as _EVERYWHERE,
    HOST as _HOST,
    LOCAL as _LOCAL,
    Algorithm,
)

__all__ = ["MATCHINGS"]

# fmt: off
MATCHINGS: tuple[Algorithm, ...] = (
    Algorithm("matching.locally_dominant", "matching.locally_dominant", _EVERYWHERE,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Manne, Bisseling, PPAM 2007", work="O(m log d) on common graphs, O(m d) at most"),
    Algorithm("matching.suitor", "matching.suitor", _EVERYWHERE, ("weights", "undirected"),
              "matching", "max_weight_matching", "Manne, Halappanavar, IPDPS 2014",
              work="O(m log d) on common graphs, O(m d) at most"),
    Algorithm("matching.greedy", "matching.greedy", _HOST, ("weights", "undirected"), "matching",
              "max_weight_matching", "Avis, Networks 1983", work="O(m log n)"),
    Algorithm("matching.path_growing", "matching.path_growing", _HOST, ("weights", "undirected"),
              "matching", "max_weight_matching", "Drake, Hougardy, Inf. Process. Lett. 2003",
              work="O(n + m)"),
    Algorithm("matching.paz_schwartzman", "matching.paz_schwartzman", _HOST,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Paz, Schwartzman, SODA 2017", work="O(m); the stack holds O(n log(1/ε) / ε) edges"),
    Algorithm("matching.two_thirds", "matching.two_thirds", _LOCAL,
              ("weights", "undirected", "seed"), "matching", "max_weight_matching",
              "Pettie, Sanders, Inf. Process. Lett. 2004", work="O(m log d) per iteration"),
    Algorithm("matching.vertex_weighted", "matching.vertex_weighted", _HOST,
              ("undirected", "vertex_weights"), "matching", None,
              "Dobrian, Halappanavar, Pothen, Al-Herz, SISC 2019", work="O(n + m)"),
    Algorithm("matching.hopcroft_karp", "matching.hopcroft_karp", _HOST,
              ("undirected", "bipartite"), "matching", "hopcroft_karp_matching",
              "Hopcroft, Karp, SIAM J. Comput. 1973", work="O(m √n)"),
    Algorithm("matching.maximum_cardinality", "matching.maximum_cardinality", _HOST,
              ("undirected",), "matching", "max_weight_matching",
              "Edmonds, Canadian J. Mathematics 1965",
              work="O(n m) at most; close to O(n + m) on most graphs"),
    Algorithm("minimum_vertex_cover", "matching.minimum_vertex_cover", _HOST,
              ("undirected", "bipartite"), "vertices", "to_vertex_cover",
              "Konig, Matematikai es Fizikai Lapok 1931", work="O(m √n)"),
    Algorithm("matching.maximum_weight_bipartite", "matching.bipartite", _HOST,
              ("weights", "undirected", "bipartite"), "matching", "max_weight_matching",
              "Jonker, Volgenant, Computing 1987", work="O(n m log n) at most"),
    Algorithm("matching.heavy_perfect", "matching.heavy_perfect", _HOST,
              ("weights", "undirected", "bipartite"), "matching", None,
              "Azad, Buluc, Li, Wang, Langguth, SIAM J. Sci. Comput. 2020",
              work="O(m √n + m log m)"),
    Algorithm("matching.b_suitor", "matching.b_suitor", _LOCAL, ("weights", "undirected", "b"),
              "selection", None, "Khan, Pothen, Patwary et al., SIAM J. Sci. Comput. 2016",
              work="O(m log d) on common graphs, O(m d) at most"),
    Algorithm("matching.b_edge_cover", "matching.b_edge_cover", _LOCAL,
              ("weights", "undirected", "b"), "selection", "min_edge_cover",
              "Khan, Pothen, Ferdous, IPDPS 2018",
              work="O(m log d) on common graphs, O(m d) at most"),
)
# fmt: on

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

    name: str  # with a dot, as in matching.suitor, it is public in that family alone
    family: str
    module: str
    engines: tuple[str, ...]
    # of "source", "sources", "weights", "undirected", "directed", "acyclic", "seed", "bipartite",
    # "b", "values", "communities" (one per vertex), "members" (a truth per vertex), "pattern" (a
    # small graph)
    needs: tuple[str, ...]
    # "vertices", "edges" (one value each), "members" (a vertex that stands for each one's group),
    # "paths", "distances" (a column per source), "number", "matching", "selection", "order" (each
    # one's new position), "subgraph", "similar" (rows of vertices and scores), "matches" (of a
    # pattern), "counts" (by name), "contraction" (a graph, and the vertex in it that each became)
    returns: str
    networkx: str | None
    reference: str

    def load(self) -> Callable[..., Any]:
        """The function itself."""
        module = import_module(f"edgewise.algorithms.{self.module}")
        return getattr(module, self.name.rpartition(".")[2])


_HOST, _LOCAL, _EVERYWHERE = ("cpu",), ("cpu", "cuda"), ("cpu", "cuda", "grid")

# fmt: off
ALGORITHMS: dict[str, Algorithm] = {row.name: row for row in (
    Algorithm("bfs", "traversal", "traversal.bfs", _EVERYWHERE, ("source",), "paths",
              "single_source_shortest_path_length", "Beamer, Asanovic, Patterson, SC 2012"),
    Algorithm("sssp", "traversal", "traversal.sssp", _EVERYWHERE, ("source", "weights"), "paths",
              "single_source_dijkstra", "Meyer, Sanders, J. Algorithms 2003"),
    Algorithm("multi_source_bfs", "traversal", "traversal.multi_source_bfs", _EVERYWHERE,
              ("sources",), "distances", None, "Then, Kaufmann, Chirigati et al., PVLDB 2014"),
    Algorithm("pagerank", "ranking", "ranking.pagerank", _EVERYWHERE, ("weights",), "vertices",
              "pagerank", "Page, Brin, Motwani, Winograd, 1999"),
    Algorithm("connected_components", "components", "components.connected_components", _EVERYWHERE,
              ("undirected",), "members", "connected_components",
              "Sutton, Ben-Nun, Barak, IPDPS 2018"),
    Algorithm("weakly_connected_components", "components", "components.connected_components",
              _EVERYWHERE, (), "members", "weakly_connected_components",
              "Sutton, Ben-Nun, Barak, IPDPS 2018"),
    Algorithm("multistep_components", "components", "components.multistep_components",
              _EVERYWHERE, ("undirected",), "members", "connected_components",
              "Slota, Rajamanickam, Madduri, IPDPS 2014"),
    Algorithm("strongly_connected_components", "components",
              "components.strongly_connected_components", _EVERYWHERE, ("directed",), "members",
              "strongly_connected_components", "Slota, Rajamanickam, Madduri, IPDPS 2014"),
    Algorithm("condensation", "components", "components.condensation", _EVERYWHERE, ("directed",),
              "contraction", "condensation", "Slota, Rajamanickam, Madduri, IPDPS 2014"),
    Algorithm("topological_levels", "components", "components.topological_levels", _EVERYWHERE,
              ("directed", "acyclic"), "vertices", "topological_generations",
              "Kahn, Communications of the ACM 1962"),
    Algorithm("pointer_jumping", "forests", "forests.pointer_jumping", _EVERYWHERE, (), "members",
              None, "Slota, Mandulak, ICPP 2025"),
    Algorithm("label_propagation", "communities", "communities.label_propagation", _EVERYWHERE,
              ("weights", "undirected", "seed"), "members", None,
              "Raghavan, Albert, Kumara, Physical Review E 2007"),
    Algorithm("communities.louvain", "communities", "communities.louvain", _EVERYWHERE,
              ("weights", "seed"), "members", None,
              "Blondel, Guillaume, Lambiotte, Lefebvre, J. Stat. Mech. 2008"),
    Algorithm("communities.leiden", "communities", "communities.leiden", _LOCAL,
              ("weights", "seed"), "members", None,
              "Traag, Waltman, van Eck, Scientific Reports 2019"),
    Algorithm("communities.ensemble", "communities", "communities.ensemble", _LOCAL,
              ("weights", "undirected", "seed"), "members", None,
              "Poulin, Theberge, Complex Networks 2018"),
    Algorithm("communities.local_community", "communities", "communities.local_community", _LOCAL,
              ("source", "weights", "undirected"), "vertices", None,
              "Andersen, Chung, Lang, FOCS 2006"),
    Algorithm("communities.modularity", "communities", "communities.modularity", _EVERYWHERE,
              ("weights", "communities"), "number", None, "Newman, Girvan, Physical Review E 2004"),
    Algorithm("communities.constant_potts", "communities", "communities.constant_potts",
              _EVERYWHERE, ("weights", "communities"), "number", None,
              "Traag, Van Dooren, Nesterov, Physical Review E 2011"),
    Algorithm("communities.map_equation", "communities", "communities.map_equation", _LOCAL,
              ("weights", "seed"), "members", None, "Rosvall, Bergstrom, PNAS 2008"),
    Algorithm("communities.codelength", "communities", "communities.codelength", _LOCAL,
              ("weights", "communities"), "number", None, "Rosvall, Bergstrom, PNAS 2008"),
    Algorithm("communities.coverage", "communities", "communities.coverage", _EVERYWHERE,
              ("weights", "communities"), "number", None, "Fortunato, Physics Reports 2010"),
    Algorithm("communities.performance", "communities", "communities.coverage", _EVERYWHERE,
              ("communities",), "number", None, "Fortunato, Physics Reports 2010"),
    Algorithm("communities.conductance", "communities", "communities.conductance", _EVERYWHERE,
              ("weights", "members"), "number", "conductance",
              "Kannan, Vempala, Vetta, J. ACM 2004"),
    Algorithm("communities.conductances", "communities", "communities.conductance", _EVERYWHERE,
              ("weights", "communities"), "vertices", None, "Kannan, Vempala, Vetta, J. ACM 2004"),
    Algorithm("core_number", "cores", "cores.core_number", _EVERYWHERE, ("undirected",), "vertices",
              "core_number", "Batagelj, Zaversnik, 2003"),
    Algorithm("k_core", "cores", "cores.k_core", _LOCAL, ("undirected",), "subgraph", "k_core",
              "Seidman, Social Networks 1983"),
    Algorithm("k_truss", "cores", "cores.k_truss", _LOCAL, ("undirected",), "subgraph", "k_truss",
              "Cohen, 2008"),
    Algorithm("truss_number", "cores", "cores.truss_number", _LOCAL, ("undirected",), "edges", None,
              "Kabir, Madduri, HPEC 2017"),
    Algorithm("maximal_independent_set", "independence", "independence.maximal_independent_set",
              _EVERYWHERE, ("undirected", "seed"), "vertices", "maximal_independent_set",
              "Blelloch, Fineman, Shun, SPAA 2012"),
    Algorithm("triangle_count", "triangles", "triangles.triangle_count", _EVERYWHERE,
              ("undirected",), "number", None, "Schank, Wagner, WEA 2005"),
    Algorithm("triangles", "triangles", "triangles.triangle_count", _LOCAL, ("undirected",),
              "vertices", "triangles", "Schank, Wagner, WEA 2005"),
    Algorithm("clustering_coefficient", "triangles", "triangles.clustering_coefficient", _LOCAL,
              ("undirected", "seed"), "vertices", "clustering", "Watts, Strogatz, Nature 1998"),
    Algorithm("subgraph_match", "patterns", "patterns.subgraph_match", _LOCAL, ("pattern",),
              "matches", None, "Ngo, Porat, Re, Rudra, J. ACM 2018"),
    Algorithm("motif_counts", "patterns", "patterns.motif_counts", _LOCAL, ("undirected",),
              "counts", None, "Ahmed, Neville, Rossi, Duffield, ICDM 2015"),
    Algorithm("degree_centrality", "centrality", "centrality.degree_centrality", _EVERYWHERE, (),
              "vertices", "degree_centrality", "Freeman, Social Networks 1978"),
    Algorithm("betweenness_centrality", "centrality", "centrality.betweenness_centrality",
              _EVERYWHERE, ("seed",), "vertices", "betweenness_centrality",
              "Brandes, J. Math. Sociology 2001"),
    Algorithm("edge_betweenness_centrality", "centrality", "centrality.betweenness_centrality",
              _LOCAL, ("seed",), "edges", "edge_betweenness_centrality",
              "Brandes, J. Math. Sociology 2001"),
    Algorithm("closeness_centrality", "centrality", "centrality.closeness_centrality",
              _EVERYWHERE, ("weights", "seed"), "vertices", "closeness_centrality",
              "Eppstein, Wang, J. Graph Algorithms Appl. 2004"),
    Algorithm("harmonic_centrality", "centrality", "centrality.harmonic_centrality", _EVERYWHERE,
              ("weights", "seed"), "vertices", "harmonic_centrality",
              "Boldi, Vigna, Internet Mathematics 2014"),
    Algorithm("matching.locally_dominant", "matching", "matching.locally_dominant", _EVERYWHERE,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Manne, Bisseling, PPAM 2007"),
    Algorithm("matching.suitor", "matching", "matching.suitor", _LOCAL,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Manne, Halappanavar, IPDPS 2014"),
    Algorithm("matching.greedy", "matching", "matching.greedy", _HOST,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Avis, Networks 1983"),
    Algorithm("matching.path_growing", "matching", "matching.path_growing", _HOST,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Drake, Hougardy, Inf. Process. Lett. 2003"),
    Algorithm("matching.paz_schwartzman", "matching", "matching.paz_schwartzman", _HOST,
              ("weights", "undirected"), "matching", "max_weight_matching",
              "Paz, Schwartzman, SODA 2017"),
    Algorithm("matching.two_thirds", "matching", "matching.two_thirds", _LOCAL,
              ("weights", "undirected", "seed"), "matching", "max_weight_matching",
              "Pettie, Sanders, Inf. Process. Lett. 2004"),
    Algorithm("matching.vertex_weighted", "matching", "matching.vertex_weighted", _HOST,
              ("undirected", "values"), "matching", None,
              "Dobrian, Halappanavar, Pothen, Al-Herz, SISC 2019"),
    Algorithm("matching.hopcroft_karp", "matching", "matching.hopcroft_karp", _HOST,
              ("undirected", "bipartite"), "matching", "hopcroft_karp_matching",
              "Hopcroft, Karp, SIAM J. Comput. 1973"),
    Algorithm("matching.maximum_weight_bipartite", "matching", "matching.bipartite", _HOST,
              ("weights", "undirected", "bipartite"), "matching", "max_weight_matching",
              "Jonker, Volgenant, Computing 1987"),
    Algorithm("matching.heavy_perfect", "matching", "matching.heavy_perfect", _HOST,
              ("weights", "undirected", "bipartite"), "matching", None,
              "Azad, Buluc, Li, Wang, Langguth, SIAM J. Sci. Comput. 2020"),
    Algorithm("matching.b_suitor", "matching", "matching.b_suitor", _LOCAL,
              ("weights", "undirected", "b"), "selection", None,
              "Khan, Pothen, Patwary et al., SIAM J. Sci. Comput. 2016"),
    Algorithm("matching.b_edge_cover", "matching", "matching.b_edge_cover", _LOCAL,
              ("weights", "undirected", "b"), "selection", "min_edge_cover",
              "Khan, Pothen, Ferdous, IPDPS 2018"),
    Algorithm("ordering.random", "ordering", "ordering.random", _LOCAL, ("seed",), "order", None,
              "Knuth, The Art of Computer Programming 2, 1969"),
    Algorithm("ordering.degree", "ordering", "ordering.degree", _LOCAL, (), "order", None,
              "Balaji, Lucia, IISWC 2018"),
    Algorithm("ordering.hub_sort", "ordering", "ordering.hubs", _LOCAL, (), "order", None,
              "Zhang, Kiriansky, Mendis et al., Big Data 2017"),
    Algorithm("ordering.hub_cluster", "ordering", "ordering.hubs", _LOCAL, (), "order", None,
              "Balaji, Lucia, IISWC 2018"),
    Algorithm("ordering.degree_groups", "ordering", "ordering.degree_groups", _LOCAL, (), "order",
              None, "Faldu, Diamond, Grot, IISWC 2019"),
    Algorithm("ordering.bfs", "ordering", "ordering.bfs", _LOCAL, (), "order", None,
              "Cuthill, McKee, ACM 1969"),
    Algorithm("ordering.dfs", "ordering", "ordering.dfs", _HOST, (), "order", None,
              "Tarjan, SIAM J. Comput. 1972"),
    Algorithm("ordering.reverse_cuthill_mckee", "ordering", "ordering.reverse_cuthill_mckee",
              _LOCAL, (), "order", None, "George, Liu, ACM TOMS 1979"),
    Algorithm("ordering.shingle", "ordering", "ordering.shingle", _LOCAL, ("seed",), "order", None,
              "Chierichetti, Kumar, Lattanzi et al., KDD 2009"),
    Algorithm("ordering.layered_label_propagation", "ordering",
              "ordering.layered_label_propagation", _LOCAL, ("seed",), "order", None,
              "Boldi, Rosa, Santini, Vigna, WWW 2011"),
    Algorithm("ordering.rabbit", "ordering", "ordering.rabbit", _HOST, (), "order", None,
              "Arai, Shiokawa, Yamamuro et al., IPDPS 2016"),
    Algorithm("ordering.gorder", "ordering", "ordering.gorder", _HOST, (), "order", None,
              "Wei, Yu, Lu, Lin, SIGMOD 2016"),
    Algorithm("ordering.nested_dissection", "ordering", "ordering.nested_dissection", _HOST,
              ("seed",), "order", None, "George, SIAM J. Numer. Anal. 1973"),
    Algorithm("ordering.refine", "ordering", "ordering.refine", _LOCAL, ("seed",), "order", None,
              "Mandulak, Hu, Slota, HPEC 2022"),
    Algorithm("similarity.jaccard", "similarity", "similarity.pairwise", _LOCAL, ("weights",),
              "edges", "jaccard_coefficient", "Jaccard, New Phytologist 1912"),
    Algorithm("similarity.overlap", "similarity", "similarity.pairwise", _LOCAL, ("weights",),
              "edges", None, "Szymkiewicz, 1934"),
    Algorithm("similarity.cosine", "similarity", "similarity.pairwise", _LOCAL, ("weights",),
              "edges", None, "Salton, McGill, 1983"),
    Algorithm("similarity.adamic_adar", "similarity", "similarity.pairwise", _LOCAL, (),
              "edges", "adamic_adar_index", "Adamic, Adar, Social Networks 2003"),
    Algorithm("similarity.top_k", "similarity", "similarity.top_k", _LOCAL, ("weights",),
              "similar", None, "Jaccard, New Phytologist 1912"),
)}
# fmt: on

"""What the reference says of each algorithm beside its docstring: work, and when results repeat.

Engines, needs, NetworkX names and papers are in the table of algorithms. n is the number of
vertices and m that of edges; d is the largest degree.
"""

from __future__ import annotations

from edgewise.algorithms import Algorithm

_WORK = {
    "O(n + m)": """bfs descendants ancestors ego_graph eulerian_path is_dag is_connected
        is_weakly_connected
        is_strongly_connected largest_component density reciprocity degree_histogram
        group_degree_centrality laplacian_matrix normalized_laplacian_matrix
        average_neighbor_degree
        connected_components weakly_connected_components is_bipartite bipartition
        strongly_connected_components condensation topological_generations bridges core_number
        k_core two_edge_connected_components biconnected_components articulation_points
        degree_centrality maximal_independent_set degree_assortativity_coefficient
        numeric_assortativity_coefficient attribute_assortativity_coefficient
        communities.modularity communities.constant_potts communities.codelength
        communities.coverage communities.performance
        communities.conductance communities.community_conductance matching.path_growing
        matching.vertex_weighted ordering.random_order ordering.degree_order ordering.hub_sort
        ordering.hub_cluster ordering.degree_based_grouping ordering.bfs_order
        ordering.dfs_order ordering.smallest_last coloring.greedy
        coloring.jones_plassmann partitioning.edge_cut partitioning.communication_volume
        partitioning.boundary partitioning.imbalance""",
    "O(n + m), plus a sort": "union compose intersection difference symmetric_difference",
    "O(n + m), plus the lengths of the cycles": "cycle_basis",
    "O((n + m) (c + n)) for c cycles, which may be exponentially many": "simple_cycles",
    "O(m log n) on most graphs, exponential at most": "is_isomorphic isomorphism",
    "O(sum of squared degrees of the other side)": "projection",
    "O(n + m) per iteration": """pagerank personalized_pagerank hits eigenvector_centrality
        katz_centrality money communities.label_propagation communities.louvain communities.leiden
        communities.infomap communities.louvain_partitions communities.leiden_partitions
        ordering.layered_label_propagation coloring.aggregates""",
    "O(n + m) for each of the `runs`, then one weighted Louvain": "communities.ecg",
    "O(m d log n) at most, d the depth of the tree of merges": "communities.greedy_modularity",
    "O(n m) for each removed edge, n and m those of its component": "communities.girvan_newman",
    "the time of `maximal_cliques`, plus pairs of cliques with a rare vertex in common":
        "communities.k_clique_communities",
    "O(n + m) for each of `num_rounds` rounds": "communities.slpa",
    "O(n k²) per iteration for rows of k entries": "communities.markov_clustering",
    "proportional to the neighborhood that is explored, not to the graph":
        "communities.local_community k_hop_neighborhood",
    "close to O(n + m) on common graphs": "coloring.speculative coloring.distance_2",
    "O(n + m) plus a search per component": "salsa",
    "O(n + m) unweighted, O(m log n) weighted; usually far less": "shortest_path has_path",
    "in proportion to the paths, plus one search": "all_shortest_paths",
    "in proportion to the paths and dead ends, which may be exponentially many": "simple_paths",
    "O(k n m log n) at most": "k_shortest_paths",
    "O(n (n + m)) at most": "transitive_closure",
    "O(n m / 64)": "transitive_reduction",
    "O(n²)": "complement",
    "O(sum of squared degrees), plus a sort": "line_graph",
    "O(n m) at most; close to O(m) on most graphs": "bellman_ford",
    "O(n log n + m)": "topological_sort dag_longest_path",
    "O(m log n) expected; the number of buckets depends on the weights": "sssp",
    "O(n + m) for each batch of up to 512 sources where distances are short, per source elsewhere":
        "multi_source_bfs",
    "O(n (n + m)) unweighted, O(n m log n) weighted; O(n²) memory": "all_pairs_shortest_paths",
    "O(n log h), h the height of the tallest tree": "forest_roots",
    "O(m log n)": "minimum_spanning_tree matching.greedy",
    "O(n² m) at most; close to linear on most networks": "maximum_flow minimum_cut",
    "n maximum flows at most; close to linear on most graphs": "global_minimum_cut",
    "O(k n m) at most for connectivity k; that of `global_minimum_cut` in undirected graphs":
        "edge_connectivity",
    "O(k n m) at most for connectivity k": "node_connectivity minimum_node_cut",
    "O(m √n) at most": "node_disjoint_paths",
    "n - 1 maximum flows": "gomory_hu_tree",
    "exponential at most; usually a few passes over the edges per vertex": "min_cost_flow",
    "O(n m) at most; close to O(n + m) on most graphs": "matching.maximum_cardinality",
    "O(m √m) at most": """triangle_count triangles clustering transitivity average_clustering
        fit_kronecker triad_census constraint effective_size edge_disjoint_paths""",
    "O(m √m) at most, times a bisection": "k_truss truss_number",
    "O(m log d) on common graphs": "dominating_set ordering.shingle",
    "O(n c 3^(c/3)) at most, c the largest core number": "maximal_cliques maximal_clique_count",
    "O(n c 3^(c/3) log c) at most, c the largest core number": "maximum_clique",
    "exponential in the largest core number at most": "k_clique_count",
    "O(n + m), plus O(n + m) per rewiring sweep": "rich_club_coefficient",
    "grows with the number of matches; at most the AGM bound of the pattern":
        "subgraph_match_count subgraph_matches",
    "O(sum over edges of the smaller degree), plus the 4-cliques": "motif_counts",
    "O(1) per step": "random_walk",
    "O(1) expected per step, O(d log d) at most": "node2vec_walk",
    "O(n + m) per source: O(n (n + m)) exact, O(k (n + m)) with `k`":
        """betweenness_centrality edge_betweenness_centrality closeness_centrality
        harmonic_centrality average_shortest_path_length global_efficiency load_centrality
        group_betweenness_centrality""",
    "O(log(n / δ) / ε²) samples at most, each of a small part of the edges":
        "approximate_betweenness_centrality",
    "O(m log n) expected; O(n + m) unweighted": "group_closeness_centrality",
    "O(m (m / n + log n)) at most": "voterank",
    "O(sum over vertices of d t / 64) per level, for d neighbors and t triangles":
        "local_efficiency",
    "O(n + m) per iteration of the eigensolver": "algebraic_connectivity fiedler_vector",
    "O(`dim` (n + m)) per iteration of the eigensolver": "spectral_embedding",
    "n solutions of a factored sparse system": "current_flow_closeness_centrality",
    "a solution and a sort of n numbers per edge": "current_flow_betweenness_centrality",
    "O(n + m) per search; few searches on most graphs, n at most": "eccentricity diameter radius",
    "O(`runs` m) per hop at most": "neighborhood_function effective_diameter",
    "O(reached edges) for every 64 runs": "influence.simulate",
    "O((k + log n) (n + m) / ε²) expected": "influence.maximize",
    "O(`runs` (n + m)), then a greedy choice": "influence.contain influence.place_sensors",
    "O(m log d) on common graphs, O(m d) at most": """matching.locally_dominant matching.suitor
        matching.b_suitor matching.b_edge_cover""",
    "O(m); the stack holds O(n log(1/ε) / ε) edges": "matching.paz_schwartzman",
    "O(m log d) per iteration": "matching.two_thirds",
    "O(m log k) per iteration of the eigensolver": "partitioning.spectral",
    "O(m √n)": "matching.hopcroft_karp minimum_vertex_cover",
    "O(n m log n) at most": "matching.maximum_weight_bipartite",
    "O(m √n + m log m)": "matching.heavy_perfect",
    "O(m log d)": "ordering.reverse_cuthill_mckee ordering.rabbit_order",
    "O(sum of squared degrees)": "ordering.gorder",
    "O(m c), c being the most colors around a vertex": "coloring.star coloring.acyclic",
    "O(m log n) times the passes of each bisection": "ordering.nested_dissection",
    "O(sum over edges of the degrees of both ends) per pass": "ordering.refine",
    "O(m log k) on common graphs": "partitioning.multilevel",
    "O(sum over pairs of the smaller degree)": """similarity.jaccard similarity.overlap
        similarity.cosine similarity.adamic_adar similarity.common_neighbors
        similarity.resource_allocation""",
    "O(1) per pair": "similarity.preferential_attachment",
    "O(sum of squared degrees); memory bounded by batches": "similarity.top_k",
}  # fmt: skip

#: The work of each algorithm.
WORK = {name: work for work, names in _WORK.items() for name in names.split()}

_PARENTS = (
    "distances always repeat; among several shortest paths, the parent may differ between runs"
)
_IN_PLACE = "runs differ slightly; `deterministic=True` repeats for one `seed`"
_ONE_PATH = "the length always repeats; on a GPU, the path may differ between runs"
_ROUNDED = "repeats for one number of threads; otherwise equal up to rounding"

#: When results repeat, where the rule of `repeats` does not say it.
_REPEATS = {
    "bfs": _PARENTS,
    "sssp": _PARENTS,
    "maximum_clique": "the size always repeats; which clique is returned may differ",
    "shortest_path": _ONE_PATH,
    "bipartition": "the sides always repeat; which odd cycle is returned may differ",
    "maximum_flow": "the value and the cut always repeat; integer flows do, too",
    "communities.louvain": _IN_PLACE,
    "communities.leiden": _IN_PLACE,
    "communities.louvain_partitions": _IN_PLACE,
    "communities.leiden_partitions": _IN_PLACE,
    "betweenness_centrality": _ROUNDED,
    "edge_betweenness_centrality": _ROUNDED,
}


def repeats(row: Algorithm) -> str:
    """When two calls of an algorithm give the same result."""
    if row.name in _REPEATS:
        return _REPEATS[row.name]
    always = "one `seed` gives one result" if "seed" in row.needs else "yes"
    return f"{always}, for any number of threads"

"""The table of the backend's functions: how each runs, and which calls it leaves to NetworkX.

`edgewise.networkx.choosing` reads it before every call.
"""

from __future__ import annotations

__all__ = ["ASKED", "CLASSES", "DEFAULTS_OF", "FUNCTIONS", "KINDS_OF", "NUMBERS", "OF_NODES",
           "STRATEGIES", "Row"]  # fmt: skip


class Row:
    """One function: where it is, and how long NetworkX takes for it.

    ``cost`` is in microseconds per unit of work, or 0 if NetworkX looks at a few nodes only.
    ``work`` is the unit: a key of `UNITS` in `edgewise.networkx.choosing`. A named tuple would take
    longer to load than the table.
    """

    __slots__ = ("cost", "module", "work")

    def __init__(self, module: str, cost: float, work: str):
        self.module, self.cost, self.work = module, cost, work


#: Modules, units of work, microseconds of NetworkX per unit, and the functions. "composed" runs
#: NetworkX's own few lines, whose calls of other functions come back to the backend. "as_is" runs
#: NetworkX's code on graphs of the backend alone, where it looks at a few nodes.
_GROUPS = (
    ("rank_functions", "m", 1.0, "pagerank hits"),
    ("rank_functions", "m", 6.0, "katz_centrality eigenvector_centrality"),
    ("rank_functions", "n", 0.2, "degree_centrality in_degree_centrality out_degree_centrality"),
    ("rank_functions", "nm", 0.2, "betweenness_centrality edge_betweenness_centrality"),
    ("rank_functions", "nm", 0.05, "closeness_centrality harmonic_centrality"),
    ("search_functions", "m", 0.15, """bfs_edges bfs_layers descendants ancestors
        single_source_shortest_path single_source_shortest_path_length
        single_target_shortest_path single_target_shortest_path_length dfs_edges
        dfs_preorder_nodes dfs_postorder_nodes"""),
    ("search_functions", "m", 0.0, "descendants_at_distance"),
    ("search_functions", "nm", 0.045, "all_pairs_shortest_path all_pairs_shortest_path_length"),
    ("length_functions", "m", 0.5, "multi_source_dijkstra multi_source_dijkstra_path_length"),
    ("length_functions", "m", 0.0, "dijkstra_path_length"),
    ("length_functions", "nm", 0.045, """average_shortest_path_length eccentricity center
        wiener_index"""),
    ("component_functions", "m", 0.08, """connected_components number_connected_components
        is_connected node_connected_component weakly_connected_components
        number_weakly_connected_components is_weakly_connected"""),
    ("component_functions", "left", 0.35, """strongly_connected_components
        number_strongly_connected_components kosaraju_strongly_connected_components"""),
    ("component_functions", "m", 0.5, """is_forest biconnected_components articulation_points
        biconnected_component_edges"""),
    ("component_functions", "m", 2.0, "bridges has_bridges bridge_components"),
    ("component_functions", "m", 0.2, "topological_generations color"),
    ("component_functions", "m", 0.03, """is_strongly_connected is_tree has_cycle
        is_directed_acyclic_graph is_bipartite is_biconnected"""),
    ("component_functions", "n", 0.15, "isolates number_of_isolates number_of_selfloops"),
    ("component_functions", "m", 1.0, "lexicographical_topological_sort"),
    ("subgraph_functions", "m", 0.3, """core_number k_crust k_corona
        maximal_independent_set"""),
    ("coloring_functions", "m", 0.3, "greedy_color"),
    ("subgraph_functions", "m", 0.15, "maximal_matching"),
    ("subgraph_functions", "m", 0.8, "hopcroft_karp_matching"),
    ("tree_functions", "m", 0.8, """minimum_spanning_edges maximum_spanning_edges
        kruskal_mst_edges prim_mst_edges"""),
    ("subgraph_functions", "m", 1.0, "k_core k_shell"),
    ("subgraph_functions", "dd", 0.12, """k_truss clustering transitivity find_cliques
        find_cliques_recursive max_weight_clique square_clustering"""),
    ("subgraph_functions", "dd", 0.04, "triangles"),
    ("triangle_functions", "dd", 0.1, "generalized_degree all_triangles"),
    ("subgraph_functions", "m", 0.0, "dominating_set"),
    ("community_functions", "m", 8.0, """louvain_partitions louvain_communities leiden_partitions
        leiden_communities"""),
    ("community_functions", "m", 1.3, "asyn_lpa_communities fast_label_propagation_communities"),
    ("community_functions", "m", 0.7, "modularity partition_quality"),
    ("community_functions", "m", 0.15, "conductance cut_size"),
    ("community_functions", "m", 2.0, "label_propagation_communities"),
    ("community_functions", "m", 20.0, "greedy_modularity_communities"),
    ("partition_functions", "nm", 0.4, "girvan_newman"),
    ("partition_functions", "dd", 0.2, "k_clique_communities"),
    ("measure_functions", "m", 10.0, """maximum_flow maximum_flow_value minimum_cut
        minimum_cut_value"""),
    ("measure_functions", "m", 0.35, """average_neighbor_degree jaccard_coefficient
        adamic_adar_index preferential_attachment attribute_assortativity_coefficient
        numeric_assortativity_coefficient rich_club_coefficient to_scipy_sparse_array"""),
    ("measure_functions", "m", 1.2, """overall_reciprocity degree_assortativity_coefficient
        degree_pearson_correlation_coefficient"""),
    ("flow_functions", "nm", 0.5, """stoer_wagner network_simplex min_cost_flow min_cost_flow_cost
        max_flow_min_cost capacity_scaling"""),
    ("flow_functions", "nm", 0.8, """edge_connectivity node_connectivity minimum_edge_cut
        minimum_node_cut gomory_hu_tree"""),
    ("flow_functions", "m", 10.0, """local_edge_connectivity local_node_connectivity
        minimum_st_edge_cut minimum_st_node_cut edge_disjoint_paths node_disjoint_paths"""),
    ("matching_functions", "nm", 0.05, "max_weight_matching min_weight_matching"),
    ("matching_functions", "m", 1.0, "minimum_weight_full_matching to_vertex_cover"),
    ("flow_functions", "nnm", 5.0, "all_pairs_node_connectivity average_node_connectivity"),
    ("structure_functions", "dd", 0.3, "triadic_census"),
    ("structure_functions", "dd", 0.15, """projected_graph weighted_projected_graph
        collaboration_weighted_projected_graph overlap_weighted_projected_graph"""),
    ("structure_functions", "m", 0.7, "constraint effective_size cycle_basis"),
    ("structure_functions", "m", 5.0, """is_isomorphic vf2pp_is_isomorphic vf2pp_isomorphism
        simple_cycles"""),
    ("structure_functions", "n", 0.3, "faster_could_be_isomorphic"),
    ("centrality_functions", "nm", 0.3, """newman_betweenness_centrality
        group_betweenness_centrality current_flow_betweenness_centrality
        edge_current_flow_betweenness_centrality"""),
    ("centrality_functions", "nm", 0.05, """global_efficiency current_flow_closeness_centrality
        common_neighbor_centrality"""),
    ("centrality_functions", "m", 0.0, """group_degree_centrality group_in_degree_centrality
        group_out_degree_centrality"""),
    ("centrality_functions", "m", 0.5, """group_closeness_centrality laplacian_matrix
        normalized_laplacian_matrix resource_allocation_index cn_soundarajan_hopcroft
        ra_index_soundarajan_hopcroft within_inter_cluster"""),
    ("centrality_functions", "m", 2.0, """voterank algebraic_connectivity fiedler_vector
        spectral_ordering"""),
    ("centrality_functions", "m", 3.0, "eigenvector_centrality_numpy"),
    ("centrality_functions", "dd", 0.5, "local_efficiency"),
    ("generator_functions", "m", 1.0, """complete_graph path_graph cycle_graph star_graph
        wheel_graph ladder_graph circular_ladder_graph balanced_tree grid_2d_graph
        petersen_graph barbell_graph lollipop_graph complete_bipartite_graph turan_graph
        empty_graph hypercube_graph mycielski_graph kneser_graph karate_club_graph"""),
    ("matrix_functions", "m", 1.0, """from_scipy_sparse_array from_numpy_array from_edgelist
        from_pandas_edgelist"""),
    ("path_functions", "m", 0.2, "predecessor"),
    ("path_functions", "m", 0.5, "dijkstra_predecessor_and_distance dag_longest_path"),
    ("path_functions", "paths", 0.5, "all_simple_paths all_simple_edge_paths"),
    ("negative_functions", "m", 1.0, """bellman_ford_predecessor_and_distance
        single_source_bellman_ford single_source_bellman_ford_path_length
        bellman_ford_path_length negative_edge_cycle find_negative_cycle"""),
    ("negative_functions", "nm", 0.5, "johnson"),
    ("negative_functions", "nnn", 0.1, "floyd_warshall floyd_warshall_predecessor_and_distance"),
    ("tour_functions", "m", 0.3, "is_eulerian has_eulerian_path is_semieulerian"),
    ("tour_functions", "m", 2.0, "eulerian_circuit eulerian_path"),
    ("derived_functions", "nm", 0.3, "transitive_closure transitive_closure_dag"),
    ("derived_functions", "nm", 0.05, "transitive_reduction"),
    ("derived_functions", "nn", 0.5, "complement"),
    ("derived_functions", "dd", 0.5, "line_graph"),
    ("derived_functions", "m", 0.5, "to_numpy_array"),
    ("composed", "m", 0.13, """bfs_tree bfs_predecessors bfs_successors dfs_tree dfs_predecessors
        dfs_successors topological_sort"""),
    ("composed", "m", 0.3, "sets condensation attracting_components number_attracting_components"),
    ("composed", "m", 0.5, """single_source_dijkstra single_source_dijkstra_path
        single_source_dijkstra_path_length multi_source_dijkstra_path is_semiconnected
        adjacency_matrix"""),
    ("composed", "m", 2.0, "spectral_bisection"),
    ("composed", "m", 1.0, """minimum_spanning_tree maximum_spanning_tree is_branching reciprocity
        k_edge_components single_source_bellman_ford_path bellman_ford_path voronoi_cells
        dag_longest_path_length is_attracting_component to_pandas_adjacency"""),
    ("composed", "dd", 0.12, "average_clustering node_clique_number"),
    ("composed", "m", 0.0, """dijkstra_path is_arborescence ego_graph
        is_locally_k_edge_connected"""),
    ("composed", "nm", 0.05, "min_edge_cover is_k_edge_connected"),
    ("composed", "nm", 0.04, "diameter radius periphery shortest_path shortest_path_length"),
    ("composed", "nm", 0.2, """all_pairs_dijkstra all_pairs_dijkstra_path
        all_pairs_dijkstra_path_length"""),
    ("composed", "m", 0.2, "all_shortest_paths single_source_all_shortest_paths"),
    ("composed", "nm", 0.5, """all_pairs_bellman_ford_path all_pairs_bellman_ford_path_length
        all_pairs_all_shortest_paths harmonic_diameter"""),
    ("composed", "nm", 0.06, """barycenter hyper_wiener_index schultz_index gutman_index
        bipartite_closeness_centrality"""),
    ("composed", "nm", 0.2, "bipartite_betweenness_centrality"),
    ("composed", "nnn", 0.001, "floyd_warshall_numpy"),
    ("as_is", "n", 0.0, """shortest_simple_paths bidirectional_shortest_path bidirectional_dijkstra
        has_path is_isolate is_empty edge_boundary node_boundary is_partition astar_path
        astar_path_length centroid union union_all compose
        compose_all intersection intersection_all difference symmetric_difference disjoint_union
        disjoint_union_all convert_node_labels_to_integers relabel_nodes"""),
)  # fmt: skip
FUNCTIONS: dict[str, Row] = {}
for _module, _work, _cost, _names in _GROUPS:
    FUNCTIONS |= dict.fromkeys(_names.split(), Row(_module, _cost, _work))

#: Parameters that must have NetworkX's defaults.
_DEFAULTS = {
    "nstart": "pagerank hits katz_centrality eigenvector_centrality",
    "sources": "harmonic_centrality",
    "sort_neighbors": """bfs_edges bfs_tree bfs_predecessors bfs_successors dfs_edges dfs_tree
        dfs_predecessors dfs_successors dfs_preorder_nodes dfs_postorder_nodes""",
    "depth_limit": "dfs_postorder_nodes",
    "root": "bridges has_bridges",
    "sp": "eccentricity",
    "source": "kosaraju_strongly_connected_components",
    "v": "newman_betweenness_centrality",
    "cutoff": "newman_betweenness_centrality greedy_modularity_communities",
    "dtype": """current_flow_betweenness_centrality current_flow_closeness_centrality
        edge_current_flow_betweenness_centrality""",
    "weight": """newman_betweenness_centrality group_betweenness_centrality eccentricity diameter
        radius center periphery degree_assortativity_coefficient
        degree_pearson_correlation_coefficient""",
    "usebounds": "diameter radius center periphery",
    "nodelist": """to_scipy_sparse_array adjacency_matrix triadic_census laplacian_matrix
        normalized_laplacian_matrix to_numpy_array to_pandas_adjacency floyd_warshall_numpy""",
    "multigraph": "projected_graph",
    "node_match": "is_isomorphic",
    "edge_match": "is_isomorphic",
    "node_label": "vf2pp_is_isomorphic vf2pp_isomorphism",
    "nodes": """find_cliques maximal_independent_set
        degree_assortativity_coefficient degree_pearson_correlation_coefficient
        attribute_assortativity_coefficient numeric_assortativity_coefficient
        find_cliques_recursive""",
    "interchange": "greedy_color",
    "start_with": "dominating_set",
    "attr": "barycenter",
    "rename": "union union_all",
    "most_valuable_edge": "girvan_newman",
    "cliques": "k_clique_communities",
    "ignore_nan": """minimum_spanning_edges maximum_spanning_edges minimum_spanning_tree
        maximum_spanning_tree kruskal_mst_edges prim_mst_edges""",
    "partition": "kruskal_mst_edges",
    "nbunch": "all_triangles",
    "matching_algorithm": "min_edge_cover",
    "default": "empty_graph",
    "flow_func": """maximum_flow maximum_flow_value minimum_cut minimum_cut_value edge_connectivity
        node_connectivity local_edge_connectivity local_node_connectivity minimum_edge_cut
        minimum_st_edge_cut edge_disjoint_paths node_disjoint_paths gomory_hu_tree
        minimum_node_cut minimum_st_node_cut all_pairs_node_connectivity
        average_node_connectivity""",
    "auxiliary": """local_edge_connectivity local_node_connectivity minimum_st_edge_cut
        edge_disjoint_paths node_disjoint_paths minimum_st_node_cut""",
    "residual": """local_edge_connectivity local_node_connectivity minimum_st_edge_cut
        edge_disjoint_paths node_disjoint_paths minimum_st_node_cut""",
    "heap": "stoer_wagner capacity_scaling",
    "kwargs": "maximum_flow maximum_flow_value minimum_cut minimum_cut_value",
    "method": "shortest_path shortest_path_length",
    "create_using": """complete_graph path_graph cycle_graph star_graph wheel_graph ladder_graph
        circular_ladder_graph balanced_tree grid_2d_graph petersen_graph barbell_graph
        lollipop_graph line_graph complete_bipartite_graph empty_graph""",
    "periodic": "grid_2d_graph",
    "topo_order": "dag_longest_path transitive_closure_dag",
    "best_n": "greedy_modularity_communities",
}
#: Kinds of graphs that a function leaves to NetworkX.
_KINDS = {
    "directed": """core_number k_core k_shell k_crust k_corona transitivity dominating_set
        hopcroft_karp_matching maximum_spanning_tree minimum_spanning_tree
        label_propagation_communities minimum_weight_full_matching
        louvain_communities louvain_partitions asyn_lpa_communities
        fast_label_propagation_communities girvan_newman k_clique_communities
        greedy_modularity_communities square_clustering find_cliques_recursive max_weight_clique
        kruskal_mst_edges prim_mst_edges spectral_ordering""",
    "undirected": "overall_reciprocity reciprocity capacity_scaling",
    "multigraph": """girvan_newman overall_reciprocity reciprocity effective_size simple_cycles
        edge_betweenness_centrality minimum_spanning_edges maximum_spanning_edges
        minimum_spanning_tree maximum_spanning_tree degree_assortativity_coefficient
        degree_pearson_correlation_coefficient attribute_assortativity_coefficient
        numeric_assortativity_coefficient voterank current_flow_betweenness_centrality
        edge_connectivity node_connectivity minimum_edge_cut minimum_node_cut network_simplex
        min_cost_flow min_cost_flow_cost max_flow_min_cost max_weight_matching all_simple_edge_paths
        complement line_graph kruskal_mst_edges prim_mst_edges minimum_weight_full_matching
        edge_current_flow_betweenness_centrality capacity_scaling""",
}


def _by_function(table: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, names in table.items():
        for name in names.split():
            found.setdefault(name, []).append(key)
    return found


DEFAULTS_OF, KINDS_OF = _by_function(_DEFAULTS), _by_function(_KINDS)
#: Functions that have rules for calls with one argument.
ASKED = {"rich_club_coefficient", "max_weight_clique"} | {
    name for name, row in FUNCTIONS.items() if row.module == "generator_functions"
}

#: Functions of which a call may want the values of a few nodes, and the parameter that names them.
OF_NODES = {
    name: parameter
    for parameter, names in {
        "nodes": """constraint effective_size triangles clustering square_clustering
            average_clustering average_neighbor_degree generalized_degree""",
        "nbunch": "all_pairs_node_connectivity",
    }.items()
    for name in names.split()
}

#: Strategies of greedy coloring whose order is NetworkX's.
STRATEGIES = ("largest_first", "random_sequential", "connected_sequential", "DSATUR",
              "connected_sequential_bfs", "connected_sequential_dfs",
              "saturation_largest_first")  # fmt: skip

#: Parameters of generators that must be numbers.
NUMBERS = {"n", "m", "r", "h", "m1", "m2", "n1", "n2"}

#: The classes that ``networkx.Graph(backend="edgewise")`` and its like make.
CLASSES = {
    "graph__new__": "Graph",
    "digraph__new__": "DiGraph",
    "multigraph__new__": "MultiGraph",
    "multidigraph__new__": "MultiDiGraph",
}
